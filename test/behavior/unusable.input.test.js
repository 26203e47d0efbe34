'use strict';

// What stands in a field and cannot be used: every item fails, and nothing is sent.

const { Groups, email, locator, play } = require('../support/behavior');

const HEAD = { change: 'none', userName: null, group: null };
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
	['user', 'update', { ...BY_ID, updateFields: OTHER }, 'Other Attributes'],
	[
		'user',
		'create',
		{ ...NEW, attributes: { mappingMode: 'defineBelow', value: { emails: LIST } } },
		'emails',
	],
	['user', 'reconcile', { preview: false, usersFrom: 'json', usersJson: LIST }, 'Users (JSON)'],
	['user', 'reconcile', { preview: false, usersFrom: 'items' }, 'The row', ITEM],
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
	['access', 'reconcile', { ...SCOPE, wantedFrom: 'items' }, 'The row', ITEM],
	['access', 'applyPlan', { changes: 'all', plan: DEEP }, 'Plan'],
])('%s %s: JSON that is nested without end', async (...row) => {
	const [resource, operation, parameters, name, items] = row;
	const w = new Groups({ ana: 'eng' });
	const [item, ...more] = await play(w, [resource, operation], parameters, items);
	expect(String(item.error)).toBe(`${name} has values in values, more than 50 levels deep`);
	expect(more).toStrictEqual([]);
	expect(w.service.written()).toStrictEqual([]);
});
