'use strict';

// What stands in a field and cannot be used: every item fails, and nothing is sent.

const { Groups, email, locator, play, table } = require('../support/behavior');

const HEAD = { change: 'none', userName: null, group: null, at: null };
const CHANGE = { ...HEAD, userId: null, groupId: null };
const LEAVER = {
	...{ ...HEAD, userId: null, active: null, accessRemoved: null, accessRemaining: null },
	...{ provenAt: null, requests: null },
};
const USER = { ...HEAD, userId: null };
const GROUP = { ...HEAD, id: null, displayName: null };
const ANA = { people: email('ana'), group: locator('id', 'eng') };
const BY_ID = { user: locator('id', '1') };
const NEW = { userName: email('gil') };

/** What n8n cannot give: here it cannot be copied; n8n gives the text of an expression in a field that takes none. */
const BROKEN = { requests: { timeout: () => {} } };

test.each([
	['access', 'assign', ANA, CHANGE],
	['access', 'revoke', ANA, CHANGE],
	['access', 'set', { ...ANA, managedGroups: ['*'] }, CHANGE],
	['access', 'changeEmail', { ...BY_ID, newEmail: email('ana') }, CHANGE],
	['access', 'offboard', ANA, LEAVER],
	['access', 'offboard', { ...ANA, method: 'delete' }, { ...LEAVER, deleted: false }],
	['access', 'reconcile', { scopeGroups: ['eng'], accessBy: 'group' }, CHANGE],
	['access', 'applyPlan', { changes: 'all', plan: {} }, CHANGE],
	['group', 'addMembers', ANA, CHANGE],
	['group', 'setMembers', ANA, CHANGE],
	['group', 'create', { displayName: 'VPN' }, GROUP],
	['group', 'delete', ANA, { ...GROUP, deleted: false }],
	['user', 'create', NEW, USER],
	['user', 'upsert', NEW, USER],
	['user', 'update', BY_ID, USER],
	['user', 'delete', BY_ID, { ...USER, deleted: false }],
])(
	'%s %s: an expression that cannot be evaluated fails the items, with every field',
	async (resource, operation, parameters, shape) => {
		const w = new Groups({ ana: 'eng' });
		const items = await play(w, [resource, operation], { ...parameters, ...BROKEN }, [{}, {}]);
		const [{ reason }] = items;
		expect(reason).toMatch(/could not be cloned|^Timeout \(Seconds\) is not a number/);
		const sentence = reason.endsWith('.') ? reason : `${reason}.`;
		// A chat takes `<…>` for a mention or a link.
		const text = sentence.replace('>', '›');
		const failed = { ...shape, status: 'failed', reason, text, error: reason };
		expect(items).toEqual([failed, failed]);
		expect(w.service.requests).toStrictEqual([]);
	},
);

const nested = (depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const DEEP = nested(20_000);
const LIST = `[${DEEP}]`;
const ITEM = [{ json: JSON.parse(nested(1_000)) }];
const OTHER = { attributesJson: DEEP };
const SCOPE = { preview: false, scopeGroups: { group: [{ group: 'eng' }] } };
const ASSIGN = { accessBy: 'group', people: email('gil') };
const GROUPS = { groups: { group: [{ group: 'eng' }] } };

test.each([
	['user', 'create', { ...NEW, additionalFields: OTHER }, 'Other Attributes'],
	['user', 'upsert', { ...NEW, additionalFields: OTHER }, 'Other Attributes'],
	['user', 'update', { ...BY_ID, options: OTHER }, 'Other Attributes'],
	[
		'user',
		'create',
		{ ...NEW, attributes: { mappingMode: 'defineBelow', value: { emails: LIST } } },
		'emails',
	],
	['user', 'reconcile', { preview: false, usersFrom: 'json', usersJson: LIST }, 'Users (JSON)'],
	['group', 'create', { displayName: 'A', additionalFields: OTHER }, 'Other Attributes'],
	[
		'access',
		'assign',
		{ ...ASSIGN, groups: { group: [{ group: locator('id', LIST) }] } },
		'Row 1 of Groups',
	],
	['access', 'assign', { ...ASSIGN, ...GROUPS, newUserFields: OTHER }, 'Other Attributes'],
	[
		'access',
		'reconcile',
		{ ...SCOPE, wantedFrom: 'json', wantedJson: LIST },
		'Desired Access (JSON)',
	],
	['access', 'applyPlan', { changes: 'all', plan: DEEP }, 'Plan'],
])('%s %s: JSON that is nested without end', async (...row) => {
	const [resource, operation, parameters, name, items] = row;
	const w = new Groups({ ana: 'eng' });
	const [item, ...more] = await play(w, [resource, operation], parameters, items);
	expect(String(item.error)).toBe(`${name} has values in values, more than 50 levels deep`);
	expect(more).toStrictEqual([]);
	expect(w.service.written()).toStrictEqual([]);
});

test.each([
	['user', { usersFrom: 'items' }, { userName: email('ana') }],
	['access', { ...SCOPE, wantedFrom: 'items' }, { email: email('ana'), group: 'eng' }],
])('%s reconcile: what was skipped is said to be', async (resource, fields, ana) => {
	const w = new Groups({ ana: 'eng' });
	const rows = [{ json: ana }, { json: {} }];
	const items = await play(w, [resource, 'reconcile'], { ...fields, preview: false }, rows);
	expect(items.filter(({ status }) => status === 'skipped').map(({ text }) => text)).toEqual([
		'Did not use row 2: the row is empty.',
	]);
});

test.each([
	['user', { usersFrom: 'items' }, { userName: email('ana') }],
	['access', { ...SCOPE, wantedFrom: 'items' }, { email: email('ana'), group: 'eng' }],
])(
	'%s reconcile: items of a list are told by rows alone, from 1',
	async (resource, fields, ana) => {
		const rows = [{ json: ana }, ITEM[0], { json: { note: 'x' } }];
		for (const preview of [true, false]) {
			const w = new Groups({ ana: 'eng', ben: 'eng' });
			const said = await play(w, [resource, 'reconcile'], { ...fields, preview }, rows);
			const words = JSON.stringify(preview ? [said[0].summary, said[0].warnings] : said);
			expect(words).toMatch(/row 2\b[^"]*has values in values/i);
			expect(words).toMatch(/row 3\b[^"]*has no/i);
			expect(words).not.toMatch(/item \d/i);
			expect(w.service.written()).toStrictEqual([]);
		}
	},
);

describe.each([
	'ben@example.com;',
	'mailto:ben@example.com',
	"'ben@example.com",
	'"ben@example.com"',
	'\u201cben@example.com\u201d',
	'ben@example.com.',
	'[ben@example.com](mailto:ben@example.com)',
	'(ben@example.com)',
	'ben@example,com',
	'ben@@example.com',
	'ben@example.com/ana@example.com',
	'b\ufffdn@example.com',
])('%s is no address: it names nobody', (cell) => {
	const on = (people = { ana: 'eng', ben: 'eng' }) => new Groups(people, { groups: ['eng'] });
	const fails = [/, and it is not an email address/];
	const rows = [email('ana'), cell].map((userName) => ({ userName, group: 'eng' }));
	const options = { maxPeopleAffected: 100 };
	const scope = {
		...{ scopeGroups: { group: [{ group: 'eng' }] }, preview: false, options },
		...{ wantedFrom: 'json', wantedJson: rows },
	};
	const common = { on, fails, sends: [] };
	table('access', 'reconcile', [
		{
			...common,
			it: 'who was mistyped keeps access, and no second account is made',
			wish: { ...scope, createMissing: true },
		},
		{ ...common, it: 'the same where nobody is created', wish: scope },
	]);
	table('user', 'get', [
		{
			it: 'is found where a user is shown with that name',
			on: () => on({ ana: 'eng', ben: { has: '', userName: cell } }),
			wish: { user: locator('email', cell) },
			items: [{ userName: cell }],
		},
	]);
	table('user', 'create', [{ ...common, it: 'Create', wish: { userName: cell } }]);
	table('user', 'upsert', [{ ...common, it: 'Create or Update', wish: { userName: cell } }]);
	table('user', 'reconcile', [
		{
			...common,
			it: 'nobody is deactivated',
			wish: {
				...{ preview: false, absentUsers: 'deactivate', options },
				...{ scopeBy: 'userNames', scopeUserNames: '*', usersFrom: 'json' },
				usersJson: JSON.stringify(rows.map(({ userName }) => ({ userName }))),
			},
		},
	]);
	// A list of people splits its entries at these.
	if (/[,;]/.test(cell)) return;
	const people = [cell];
	table('access', 'assign', [
		{
			...common,
			it: 'is not created',
			wish: (w) => ({ people, ...w.groups('eng'), createMissing: true }),
		},
	]);
	table('access', 'set', [
		{
			...common,
			it: 'sets nobody',
			wish: (w) => ({
				...{ people, ...w.groups('eng'), createMissing: true },
				managedGroups: { group: [{ group: '*' }] },
			}),
		},
	]);
	table('access', 'offboard', [
		{
			...common,
			it: 'is not gone already',
			wish: { people, options: { ifNotFound: 'alreadyGone' } },
		},
	]);
	table('group', 'setMembers', [
		{
			...common,
			it: 'takes nobody out',
			wish: (w) => ({ group: w.group('eng'), people: [email('ana'), cell] }),
		},
	]);
});

test.each([
	"o'neil+x@example.com",
	'ana@corp',
	'ana@my_corp.local',
	'ana_example.com#EXT#@tenant.onmicrosoft.com',
	'zoë@münchen.example',
	'用户@例え.jp',
	'ана@пример.рф',
])('%s is an address: its user is created', async (userName) => {
	const w = new Groups({ ana: '' }, { groups: ['eng'] });
	const wish = { people: [userName], ...w.groups('eng'), createMissing: true };
	const items = await play(w, ['access', 'assign'], wish);
	expect(items.map(({ status }) => status)).toEqual(['done', 'done']);
	expect(w.service.byName(userName)).toMatchObject({ userName });
});
