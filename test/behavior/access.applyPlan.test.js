'use strict';

const { sealPlan } = require('../../dist/nodes/shared/access/plans');
const { answerOf } = require('../support/form');
const { TOKEN } = require('../support/modelNode');
const {
	Account,
	Groups,
	SHOWN,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	listed,
	locator,
	play,
	rows,
	wanted,
} = require('../support/behavior');

// Preview, then Apply Plan, ends as the operation itself does. Apply Plan takes only what Preview returned, checks each
// change against the service, and makes what is left.

/** Its own organization is none of those that are managed. */
const OWN = { accountOrganizationId: 'org-acct' };
const access = (operation) => ['access', operation];

/** The item of Preview, as it is stored. */
async function preview(world, what, fields, isBlocked = false) {
	const [item] = await play(world, what, { ...fields, preview: true });
	expect(item).toMatchObject({ preview: true, plan: { operation: what[1] } });
	expect(item.blockedBy.length > 0).toBe(isBlocked);
	world.service.requests.length = 0;
	return JSON.parse(JSON.stringify(item));
}

const apply = async (world, plan, fields) =>
	await play(world, access('applyPlan'), { changes: 'all', plan, ...fields });

/** @returns lines of the items */
async function applyAfter(world, what, fields, act = () => {}) {
	const { plan } = await preview(world, what, fields);
	await act(world.service, world);
	const before = world.shape();
	const items = await apply(world, plan);
	return { plan, before, items, lines: items.map((item) => world.itemOf(item)) };
}

const writes = ({ service }) =>
	service.requests.flatMap(({ method, path, status }) =>
		method === 'GET' ? [] : [`${method} ${path} ${status}`],
	);
const idOf = (world, name) => world.service.byName(email(name)).id;
/** Another client writes. */
const join = (word, name) => (scim, world) => scim.add(word, idOf(world, name));
const leaveGroup = (word, name) => (scim, world) =>
	scim.modify(word, [{ op: 'remove', ids: [idOf(world, name)] }]);

describe('ends as the operation itself does', () => {
	const PEOPLE = { ana: 'x', bob: 'x y', cid: 'x', dan: '', eve: 'inactive', root: 'top' };
	/** The same people on both kinds of services. */
	const KINDS = {
		account: [
			(people) => new Account(people, { credential: OWN }),
			{ x: 'a:viewer', y: 'b:member', z: 'b:viewer', top: 'a:admin b:admin' },
		],
		...Object.fromEntries(
			Object.entries({ ...SHOWN, 'user names are fixed': { userNameCanChange: 'no' } })
				.filter(([name]) => name !== 'nowhere')
				.map(([name, { userNameCanChange, credential, ...switches }]) => [
					`groups, ${name}`,
					[
						(people) =>
							new Groups(people, {
								...{ ...switches, groups: ['z'] },
								credential: { ...UNDOABLE, userNameCanChange, ...credential },
							}),
						{ x: 'x', y: 'y', z: 'z', top: 'top' },
					],
				]),
		),
	};
	const member = (w, name, word) => ({
		...{ people: emails(name), chooseGroupBy: 'group', group: w.group(word) },
	});
	const to = (name, ...words) => [
		(w, at) => ({
			...{ people: emails(name), createMissing: false },
			...w.groups(words.map((word) => at[word]).join(' ')),
		}),
	];
	const managed = (w, at) => ({
		managedGroups: rows(...['x', 'y', 'z'].map((one) => w.idOf(at[one]))),
	});
	const OPERATIONS = {
		assign: to('dan', 'y'),
		'assign: a new user': [
			(w, at) => ({
				...{ people: emails('new'), ...w.groups(at.y), createMissing: true },
				newUserFields: { displayName: 'Nia', givenName: 'Nia', familyName: 'New' },
			}),
		],
		'assign: back': [(w, at) => ({ ...to('eve', 'y')[0](w, at), options: { reactivate: true } })],
		revoke: [(w, at) => ({ ...to('cid', 'x')[0](w, at), revokeIn: 'one' })],
		'revoke: all': [() => ({ people: emails('bob'), revokeIn: 'all', accessBy: 'group' })],
		set: [(w, at) => ({ ...to('bob', 'z')[0](w, at), ...managed(w, at) })],
		offboard: [() => ({ people: emails('bob dan') })],
		'offboard: deleted': [() => ({ people: emails('bob'), method: 'delete' })],
		'offboard: kept (groups)': [
			(w, at) => ({ people: emails('bob'), options: { keepMembershipsIn: rows(w.idOf(at.x)) } }),
		],
		changeEmail: [() => ({ user: locator('email', email('bob')), newEmail: email('rob') })],
		reconcile: [
			(w, at) => ({
				accessColumns: { attributes: 'displayName, name.givenName, name.familyName' },
				...{ createMissing: true, preview: false, options: { deactivatesEmpty: true } },
				...(w instanceof Account
					? { scopeOrganizations: 'org-a, org-b', accessBy: 'organizationAndRole' }
					: { accessBy: 'group', scopeGroups: rows('x', 'y') }),
				...wanted(
					[
						['ana', 'x'],
						['cid', 'y'],
						...(w instanceof Account ? [['root', 'top']] : []),
						['new', 'y', { displayName: 'Nia', 'name.givenName': 'Nia', 'name.familyName': 'N' }],
					].flatMap(([name, word, more]) =>
						at[word].split(' ').map((one) => {
							const [organization, role] = one.split(':');
							const where = role ? { organization: `org-${organization}`, role } : { group: one };
							return { email: email(name), ...where, ...more };
						}),
					),
				),
			}),
		],
		addMembers: [(w, at) => member(w, 'dan', at.x), 'group'],
		removeMembers: [(w, at) => member(w, 'cid', at.x), 'group'],
		setMembers: [(w, at) => member(w, 'dan ana', at.x), 'group'],
	};

	/** The plan without its seal, the order of its changes, and what only the second look showed. */
	const essence = ({ seal, changes, people = [], ...plan }) => ({
		...plan,
		changes: changes
			.map(({ items, person, action, ...one }) => ({ ...one, who: person.key }))
			.sort((one, other) => (one.key < other.key ? -1 : 1)),
		people: people.map(({ id }) => id).sort(),
	});
	/** Without what differs from run to run. */
	const comparable = (items) => {
		expect(errorsIn(items)).toStrictEqual([]);
		return items
			.map(({ provenAt, requests, userName, text, warnings, at, planId, attributes, ...item }) =>
				JSON.stringify({
					...{ ...item, warnings: warnings?.length ?? 0 },
					attributes: Object.keys(attributes ?? {}).sort(),
				}),
			)
			.filter((item) => !item.includes('"change":"none"'))
			.sort();
	};
	const endOf = (world, items) => ({
		items: comparable(items),
		...{ written: writes(world).sort(), shape: world.shape(), attributes: world.attributes() },
	});

	describe.each(Object.keys(KINDS))('%s', (kind) => {
		const names = Object.keys(OPERATIONS).filter(
			(name) => kind !== 'account' || !name.includes('(groups)'),
		);
		test.each(names)('%s', async (name) => {
			const [make, at] = KINDS[kind];
			const [wish, resource = 'access'] = OPERATIONS[name];
			const what = [resource, name.split(':')[0]];
			const start = () =>
				make(
					Object.fromEntries(
						Object.entries(PEOPLE).map(([who, has]) => [
							who,
							has.replace(/x|y|top/g, (word) => at[word]),
						]),
					),
				);
			const direct = start();
			const fields = { ...wish(direct, at) };
			const expected = endOf(direct, await play(direct, what, fields));
			expect(expected.written).not.toStrictEqual([]);

			const planned = start();
			const item = await preview(planned, what, fields);
			expect(item.summary).toContain('**');
			const [again] = await apply(planned, item, { preview: true });
			expect(essence(again.plan)).toEqual(essence(item.plan));
			for (const { requests } of [item, again])
				expect(
					requests.map(({ method, path }) => decodeURIComponent(`${method} ${path}`)).sort(),
				).toEqual(expected.written.map((line) => decodeURIComponent(line).replace(/ \d+$/, '')));
			planned.service.requests.length = 0;
			expect(endOf(planned, await apply(planned, item))).toEqual(expected);
		});
	});
});

describe.each([
	['groups', () => new Groups({ ana: 'eng', ben: '' }, { groups: ['vpn'] })],
	['account', () => new Account({ ana: 'a:viewer', ben: '' }, { groups: ['b'] })],
])('a plan that is not as Preview returned it: %s', (_, start) => {
	const assign = (w) => ({
		...{ people: emails('ana ben'), ...w.groups(w instanceof Account ? 'b:viewer' : 'vpn') },
		options: { protectedUsers: email('root') },
	});
	const refused = async (edit, message) => {
		const world = start();
		const { plan } = await preview(world, access('assign'), assign(world));
		const credential = edit(plan);
		if (credential) world.credential = { ...world.credential, ...credential };
		const items = await apply(world, plan);
		expect(errorsIn(items)).toEqual([expect.stringContaining(message)]);
		expect(items).toMatchObject([{ status: 'failed' }]);
		expect(world.service.requests).toStrictEqual([]);
	};
	const EDITED = 'The plan was edited after it was made';

	test('any value in it: refused before anything is asked', async () => {
		const world = start();
		const { plan } = await preview(world, access('assign'), assign(world));
		const otherwise = (value) =>
			typeof value === 'number'
				? value + 1
				: typeof value === 'boolean'
					? !value
					: `${value ?? ''}x`;
		const paths = [];
		(function walk(value, path) {
			const isLeaf = value === null || typeof value !== 'object';
			if (isLeaf || Array.isArray(value)) paths.push(path);
			if (!isLeaf) for (const key of Object.keys(value)) walk(value[key], [...path, key]);
		})(plan, []);
		expect(paths.length).toBeGreaterThan(30);
		for (const path of paths) {
			const edited = structuredClone(plan);
			const last = path.at(-1);
			const parent = path.slice(0, -1).reduce((value, key) => value[key], edited);
			if (Array.isArray(parent[last])) parent[last].pop();
			else parent[last] = otherwise(parent[last]);
			if (JSON.stringify(edited) === JSON.stringify(plan)) continue;
			expect([path, errorsIn(await apply(world, edited))]).toEqual([path, [expect.any(String)]]);
		}
		expect(world.service.requests).toStrictEqual([]);
	});

	test.each([
		['a change less', (plan) => void plan.changes.pop(), EDITED],
		['another order', (plan) => void plan.changes.reverse(), EDITED],
		['a setting more', ({ settings }) => void (settings.reactivate = true), EDITED],
		['no seal', (plan) => void (plan.seal = ''), EDITED],
		['a longer seal', (plan) => void (plan.seal += '00'), EDITED],
		[
			'another token',
			() => ({ accountApiToken: 'other:org' }),
			"The credential's secret has changed since the plan was made",
		],
		['another service', (plan) => void (plan.service = 'http://other.test'), 'another service'],
		['a service elsewhere', () => ({ baseUrl: 'http://other.test' }), 'another service'],
		['another format', (plan) => void (plan.version = 1), 'has format 1'],
		[
			'no known operation',
			(plan) => void (plan.operation = 'x'),
			'which this version does not have',
		],
		['no known field', (plan) => void (plan.acceptEdited = true), 'This is not a plan'],
	])('%s', async (__, edit, message) => await refused(edit, message));
});

describe('a plan that cannot be used', () => {
	const start = () =>
		new Account({ ana: 'a:admin b:admin', bob: 'a:admin b:member', cid: 'a:viewer', dan: '' });
	const all = (names) => ({ people: emails(names), revokeIn: 'all' });
	const refused = async (names, { items: given, ...fields }, message) => {
		const world = start();
		const { plan } = await preview(world, access('revoke'), all(names), names === 'ana bob');
		// A plan of this very millisecond has no age.
		await new Promise((done) => setTimeout(done, 2));
		const items = await play(
			...[world, access('applyPlan'), { changes: 'all', plan, ...fields }],
			given?.map((own) => ({ plan: own ?? plan })),
		);
		for (const error of errorsIn(items)) expect(error).toContain(message);
		expect(errorsIn(items)).not.toStrictEqual([]);
		expect(writes(world)).toStrictEqual([]);
		expect(world.shape()).toEqual(world.before);
	};

	test.each([
		['none', 'cid', { plan: { any: 'thing' } }, 'This is not a plan'],
		['one of several', 'cid', { items: [undefined, undefined] }, 'More than one plan came in'],
		['too old', 'cid', { options: { maxAge: 0 } }, 'The plan is too old'],
		['without an admin', 'ana bob', {}, 'without an active admin'],
		[
			'without an admin, whatever the limits of the node',
			'ana bob',
			{ options: { maxPeopleAffected: 50, allowRemovingLastAdmin: true } },
			'without an active admin',
		],
		[
			'about a protected user',
			'cid',
			{ options: { protectedUsers: email('cid') } },
			'is protected',
		],
		[
			'beyond a stricter limit',
			'bob cid',
			{ options: { maxPeopleAffected: 1, maxPercentAffected: 0 } },
			'2 people would lose access',
		],
	])('as it is %s', async (_, ...given) => await refused(...given));

	test('another account, and no secret in any item', async () => {
		const world = start();
		world.credential = { ...world.credential, accountApiToken: 's3cr3t:org' };
		const item = await preview(world, access('revoke'), all('cid'));
		const elsewhere = { ...world.credential, accountOrganizationId: 'org-b' };
		const other = await apply({ ...world, credential: elsewhere }, item);
		expect(errorsIn(other)).toEqual([expect.stringContaining('made for another account')]);
		expect(world.service.requests).toStrictEqual([]);
		expect(JSON.stringify([item, await apply(world, item)])).not.toContain('s3cr3t');
	});

	test.each([
		['deactivate', {}],
		['delete', { deleted: false }],
	])('an Offboard plan fails as an Offboard does: %s', async (method, more) => {
		const world = start();
		const { plan } = await preview(world, access('offboard'), { people: email('bob'), method });
		plan.time = new Date(0).toISOString();
		expect(await apply(world, plan)).toEqual([
			{
				...{ change: 'none', userId: null, userName: null, group: null, active: null },
				...{ at: null, planId: null },
				...{ ...more, provenAt: null, requests: null },
				text: 'The plan was edited after it was made.',
				...{ accessRemoved: null, accessRemaining: null, status: 'failed' },
				...{ reason: expect.stringContaining('was edited'), error: expect.anything() },
			},
		]);
	});
});

describe('checked against the service first: on the account', () => {
	const PEOPLE = { ana: 'a:admin', bob: 'a:member b:member', cid: 'a:viewer', dan: '' };
	const start = () =>
		new Account({ ...PEOPLE, root: 'b:admin' }, { groups: ['c'], credential: OWN });
	const role = (word, name) => (scim, world) =>
		scim.setRole(idOf(world, name), ...new Account({}, { groups: [word] }).placeOf(word));
	const all = (names) => ['revoke', () => ({ people: emails(names), revokeIn: 'all' })];
	const toC = (names) => ['assign', (w) => ({ people: emails(names), ...w.roles('c:member') })];
	const same = 'but was member when this was planned';
	test.each([
		[
			'a person with another role: all changes of the person fail, the others are made',
			...[all('bob cid'), role('b:viewer', 'bob')],
			['revoked bob a:member failed', 'revoked bob b:member failed', 'revoked cid a:viewer done'],
			Array(2).fill(`bob@example.com is viewer in org-b, ${same}`),
			{ cid: '' },
		],
		[
			'a person who is inactive by now',
			...[toC('dan cid'), (scim, w) => scim.setActive(idOf(w, 'dan'), false)],
			['granted cid c:member done', 'granted dan c:member failed'],
			['dan@example.com is inactive, but was active when this was planned'],
			{ cid: 'a:viewer c:member' },
		],
		[
			'a leaver who has got more since',
			...[['offboard', () => ({ people: emails('bob cid') })], role('c:member', 'cid')],
			['deactivated bob done', 'deactivated cid failed'],
			['cid@example.com is member in org-c, but was not when this was planned'],
			{ bob: 'inactive' },
		],
		[
			'who is gone can lose what is left',
			...[all('cid'), (scim, w) => scim.delete(idOf(w, 'cid'))],
			[expect.stringMatching(/^none cid .*unchanged$/)],
			...[[], {}],
		],
		[
			'who is gone can get nothing',
			...[toC('cid'), (scim, w) => scim.delete(idOf(w, 'cid'))],
			['granted cid c:member failed'],
			...[['cid@example.com is no longer there, but was when this was planned'], {}],
		],
		[
			'a plan without changes is one item',
			...[['revoke', (w) => ({ people: emails('dan'), ...w.groups('a:viewer') })], () => {}],
			...[['none unchanged'], [], {}],
		],
	])('%s', async (_, [operation, wish], act, lines, errors, ends) => {
		const world = start();
		const fields = wish(world);
		const done = await applyAfter(world, access(operation), fields, act);
		expect(done.lines.sort()).toEqual(lines);
		expect(errorsIn(done.items)).toEqual(errors);
		if (errors.length === 0 && done.plan.changes.length > 0)
			expect(done.items).toMatchObject([{ status: 'unchanged', reason: 'the user is gone' }]);
		expect(world.shape()).toEqual({ ...done.before, ...ends });
		expect(writes(world).length > 0).toBe(Object.keys(ends).length > 0);
	});

	test('what is made already is unchanged, and nothing is sent', async () => {
		const world = start();
		const fields = { people: emails('bob'), ...world.roles('a:viewer'), managedGroups: rows('*') };
		const { plan, items } = await applyAfter(world, access('set'), fields);
		expect(items).toMatchObject([{ change: 'moved' }, { change: 'revoked' }]);
		world.service.requests.length = 0;
		const again = await apply(world, plan);
		expect(again).toMatchObject(Array(2).fill({ change: 'none', status: 'unchanged' }));
		expect(writes(world)).toStrictEqual([]);
	});
});

// A Set, and a Revoke of everything, are about all that a person has within Only These Groups: where that is another by the
// time of Apply Plan, nothing of the person is changed. A single membership is about itself alone.
describe.each(Object.entries(SHOWN).filter(([name]) => name !== 'nowhere'))(
	'all that a person has, shown %s',
	(_, switches) => {
		const start = () =>
			new Groups(
				{ ana: 'eng all', ben: 'vpn sales all', cleo: 'all' },
				{ ...switches, groups: ['late'] },
			);
		const both = { people: emails('ana ben') };
		const PLANS = {
			set: (managed) => ({ ...both, ...listed('eng', 'vpn'), managedGroups: rows(...managed) }),
			revoke: (managed) => ({
				...{ ...both, accessBy: 'group', revokeIn: 'all' },
				options: { managedGroups: rows(...managed) },
			}),
		};
		const ofAna = { set: 'eng vpn', revoke: '' };
		const late = 'member of group late, but was not';
		const left = 'is not member of group vpn, but was';
		const narrow = ['eng', 'vpn', 'sales*'];
		const [joins, leaves] = [join('late', 'ben'), (word) => leaveGroup(word, 'ben')];
		const inTurn =
			(...acts) =>
			(...given) =>
				acts.forEach((act) => act(...given));

		test.each(
			Object.keys(PLANS).flatMap((name) => [
				[name, 'left one and joined another', ['*'], inTurn(leaves('sales'), joins), late],
				[name, 'joined another', ['*'], joins, late],
				[name, 'left one that was to go, joined', ['*'], inTurn(leaves('all'), joins), late],
				...(name === 'set' ? [[name, 'left one that stays', narrow, leaves('vpn'), left]] : []),
			]),
		)('%s: who %s is left alone', async (name, __, managed, act, message) => {
			const world = start();
			const done = await applyAfter(world, access(name), PLANS[name](managed), act);
			const { before, items } = done;
			const ofBen = items.filter(({ userName }) => userName === email('ben'));
			expect(ofBen.length).toBeGreaterThan(0);
			for (const { status, error } of ofBen)
				expect([status, error]).toEqual(['failed', expect.stringContaining(message)]);
			expect(world.shape().ben).toBe(before.ben);
			const kept = managed === narrow ? ['all'] : [];
			expect(world.shape().ana).toBe([...kept, ofAna[name]].join(' ').trim());
		});

		test.each(Object.keys(PLANS))(
			'%s: groups outside Only These Groups do not count',
			async (name) => {
				const world = start();
				const act = inTurn(leaves('all'), joins);
				const { plan, items } = await applyAfter(world, access(name), PLANS[name](narrow), act);
				expect(plan.settings.managedGroups).toEqual(narrow);
				expect(errorsIn(items)).toStrictEqual([]);
				expect(world.shape().ben).toBe(name === 'set' ? 'eng late vpn' : 'late');
			},
		);

		test.each(Object.keys(PLANS))('%s: what is made already is unchanged', async (name) => {
			const world = start();
			const done = await applyAfter(world, access(name), PLANS[name](['*']), leaves('sales'));
			expect(errorsIn(done.items)).toStrictEqual([]);
			world.service.requests.length = 0;
			const again = await apply(world, done.plan);
			expect(again.map(({ error, status }) => [error, status])).toEqual(
				again.map(() => [undefined, 'unchanged']),
			);
			expect(writes(world)).toStrictEqual([]);
		});

		test.each([
			['assign', 'granted ben eng done', 'eng'],
			['revoke', 'revoked ben vpn done', 'vpn'],
		])('%s of one group does not mind what else there is', async (name, line, word) => {
			const world = start();
			const act = inTurn(leaves('sales'), joins);
			const fields = { people: emails('ben'), ...world.groups(word) };
			const { lines } = await applyAfter(world, access(name), fields, act);
			expect(lines).toEqual([line]);
			expect(world.shape().ben).toContain('late');
		});
	},
);

describe('checked against the service first: groups', () => {
	const GROUPS = [
		{ id: 'g-2', displayName: 'VPN' },
		{ id: 'g-3', displayName: 'Engineering' },
	];
	const start = (more) =>
		new Groups(
			{ ana: 'g-1 g-2', ben: 'g-1 g-3', eve: 'inactive' },
			{ groups: GROUPS, credential: UNDOABLE, ...more },
		);
	const rename = (id, displayName) => (scim) => scim.about.set(id, { displayName });
	const ROLES = {
		...{ groupsStandFor: 'organizationAndRole', groupPattern: 'app-{organization}-{role}' },
		groupPatternOn: 'displayName',
	};
	const viewerOfSales = { organization: locator('id', 'sales'), role: 'viewer' };
	const sales = (...roles) =>
		roles.map((role) => ({ id: `g-${role}`, displayName: `app-sales-${role}` }));

	test('a renamed group: nobody loses what was to be replaced by it', async () => {
		const world = start();
		const fields = {
			...{ people: emails('ana'), accessBy: 'group', groups: rows(locator('id', 'g-3')) },
			managedGroups: rows('VPN', 'Engineering'),
		};
		const { items, lines } = await applyAfter(
			world,
			access('set'),
			fields,
			rename('g-3', 'Owners'),
		);
		expect(lines.sort()).toEqual(['granted ana g-3 failed', 'none ana g-2 skipped']);
		expect(errorsIn(items)).toEqual([
			'The group g-3 is named "Owners", but was named "Engineering" when this was planned',
		]);
		expect(writes(world)).toStrictEqual([]);
	});

	test('a renamed group: the changes of other groups are made', async () => {
		const world = start();
		const fields = { people: emails('ana'), ...listed('VPN', 'g-1') };
		const { lines } = await applyAfter(world, access('revoke'), fields, rename('g-1', 'All'));
		expect(lines.sort()).toEqual(['revoked ana g-1 failed', 'revoked ana g-2 done']);
		expect(world.shape().ana).toBe('g-1');
	});

	test('a group that stands for another role by now', async () => {
		const groups = sales('viewer', 'admin');
		const world = new Groups({ ana: '', ben: 'g-viewer g-admin' }, { groups, credential: ROLES });
		const fields = {
			people: emails('ana'),
			accessBy: 'organizationAndRole',
			roles: { role: [viewerOfSales] },
		};
		const { items } = await applyAfter(world, access('assign'), fields, (scim) => {
			rename('g-admin', 'app-sales-owner')(scim);
			rename('g-viewer', 'app-sales-admin')(scim);
		});
		expect(errorsIn(items)).toEqual([
			expect.stringMatching(
				/"app-sales-admin".*"app-sales-viewer"|"app-sales-viewer".*"app-sales-admin"/,
			),
		]);
		expect(writes(world)).toStrictEqual([]);
	});

	test.each([
		['a group', {}, listed(locator('id', 'g-viewer'))],
		['a role', ROLES, { accessBy: 'organizationAndRole', roles: { role: [viewerOfSales] } }],
	])('a user to activate who is gone, and still in %s', async (_, credential, grant) => {
		const people = { ben: 'g-viewer', eve: 'inactive g-viewer' };
		const world = new Groups(people, { groups: sales('viewer'), credential });
		const fields = { people: world.user('eve').value, ...grant, options: { reactivate: true } };
		const { plan, items } = await applyAfter(world, access('assign'), fields, (scim, w) =>
			scim.users.delete(idOf(w, 'eve')),
		);
		expect(plan.changes.map(({ change }) => change)).toEqual(['activated']);
		expect(errorsIn(items)).toEqual([
			'eve@example.com is no longer there, but was when this was planned',
		]);
		expect(writes(world)).toStrictEqual([]);
	});

	describe('Change Email', () => {
		const fixed = { ...UNDOABLE, userNameCanChange: 'no' };
		const change = { user: locator('email', email('ana')), newEmail: email('ana.silva') };

		test('a run that was cut off is completed by the same plan', async () => {
			const faults = [{ on: 'PATCH /Groups/g-2', kind: 'status', status: 403, times: 1 }];
			const world = start({ credential: fixed, faults });
			const { plan, items } = await applyAfter(world, access('changeEmail'), change);
			expect(errorsIn(items).length).toBeGreaterThan(0);
			expect(world.shape()).toMatchObject({ ana: 'g-1 g-2', 'ana.silva': 'g-1' });
			expect(errorsIn(await apply(world, plan))).toStrictEqual([]);
			expect(world.shape()).toMatchObject({ ana: 'inactive', 'ana.silva': 'g-1 g-2' });
			expect(world.service.users.size).toBe(4);
		});

		test('a new account that is another person by now: the old one is left alone', async () => {
			const world = start({ credential: fixed });
			const act = (scim) => scim.create(email('ana.silva'));
			const { items } = await applyAfter(world, access('changeEmail'), change, act);
			for (const error of errorsIn(items))
				expect(error).toContain('ana.silva@example.com exists already');
			expect(items.every(({ status }) => ['failed', 'skipped'].includes(status))).toBe(true);
			expect(writes(world)).toStrictEqual([]);
		});
	});

	describe('Offboard', () => {
		const leavers = { people: emails('ana eve') };

		test.each([
			['are proven', () => {}, ['deactivated ana done', 'none eve unchanged'], []],
			[
				'who have something by now are unverified',
				...[join('g-2', 'eve'), ['deactivated ana done', 'none eve unverified']],
				['still member of group VPN'],
			],
		])('leavers without a change %s', async (_, act, expected, errors) => {
			const world = start();
			const { plan, lines, items } = await applyAfter(world, access('offboard'), leavers, act);
			expect(plan.people.map(({ id }) => id).sort()).toEqual([
				...['ana', 'eve'].map((name) => idOf(world, name)).sort(),
			]);
			expect(lines.sort()).toEqual(expected);
			expect(errorsIn(items)).toEqual(errors.map((text) => expect.stringContaining(text)));
			const left = errors.length > 0 ? [expect.objectContaining({ groupId: 'g-2' })] : [];
			const eve = items.find(({ userName }) => userName === email('eve'));
			expect(eve).toMatchObject({ accessRemaining: left });
		});

		test('roles are revocations, and one that was given since then is left, and named', async () => {
			const values = (...texts) => texts.map((value) => ({ value }));
			const held = { roles: values('editor'), entitlements: ['lab'] };
			const world = new Groups(
				{ ana: { has: 'eng', ...held }, ben: 'vpn' },
				{ credential: UNDOABLE },
			);
			const { plan, summary } = await preview(world, access('offboard'), { people: emails('ana') });
			const revoked = (attribute, value) => ({
				...{ change: 'revoked', before: [{ attribute, value }], after: [] },
			});
			const isOfValue = ({ before }) => before[0]?.attribute !== undefined;
			expect(plan.changes.filter(isOfValue)).toMatchObject([
				...[revoked('roles', 'editor'), revoked('entitlements', 'lab')],
			]);
			expect(summary).toContain('loses `roles` `editor`');
			// What is taken is what the plan says, and the proof names the rest.
			const edited = structuredClone(plan);
			const [{ before }] = edited.changes.filter(isOfValue);
			before[0].attribute = 'title';
			expect(errorsIn(await apply(world, sealPlan(edited, TOKEN))).join()).toContain(
				'is not one of the Access Attributes',
			);
			const ana = world.service.byName(email('ana'));
			const roles = values('editor', 'new');
			world.service.store({ ...ana, attributes: { ...ana.attributes, roles } });
			expect(await apply(world, plan)).toMatchObject([
				{ status: 'unverified', valuesRemaining: [{ attribute: 'roles', value: 'new' }] },
			]);
			expect(world.attributes().ana).toMatchObject({ roles: values('new'), entitlements: [] });
		});
	});

	test('the text of a plan is as good as the item', async () => {
		const world = start();
		const fields = { people: emails('ana'), chooseGroupBy: 'group', group: world.group('g-3') };
		const { plan } = await preview(world, ['group', 'addMembers'], fields);
		const text = await apply(world, JSON.stringify(plan));
		expect(text).toMatchObject([{ change: 'granted', status: 'done' }]);
		expect(await apply(world, { plan })).toMatchObject([{ change: 'none', status: 'unchanged' }]);
	});
});

describe('many people', () => {
	const names = [...Array(250)].map((_, at) => `p${at}`);
	const start = () =>
		new Account(Object.fromEntries(names.map((name, at) => [name, at ? '' : 'a:admin'])), {
			groups: ['b'],
		});
	const grant = (world, who) => ({ people: emails(who.join(' ')), ...world.roles('b:viewer') });
	test.each([
		// The groups, a page of users and a large one.
		['a listing in place of 249 looks', names.slice(1), undefined, { GET: 3, PATCH: 3 }],
		['two looks', ['p7', 'p8'], undefined, { GET: 3, PATCH: 1 }],
		['who is gone fails alone', names.slice(1), 'p9', { GET: 4, PATCH: 3 }],
	])('%s', async (_, who, gone, counts) => {
		const world = start();
		const act = (scim, w) => gone && scim.delete(idOf(w, gone));
		const { items } = await applyAfter(world, access('assign'), grant(world, who), act);
		expect(errorsIn(items)).toEqual(gone ? [expect.stringContaining(email(gone))] : []);
		const got = who.filter((name) => name !== gone);
		expect(new Set(got.map((name) => world.shape()[name].split(' ').at(-1)))).toEqual(
			new Set(['b:viewer']),
		);
		const sent = world.service.requests.map(({ method }) => method);
		for (const [method, count] of Object.entries(counts))
			expect(sent.filter((one) => one === method)).toHaveLength(count);
	});

	test('Set, one person in 500 items: one change per group, and every item has its outcomes', async () => {
		const world = new Account({ ana: 'a:admin' }, { groups: ['b'], credential: OWN });
		const fields = {
			...{ people: email('ana'), ...world.roles('b:viewer'), managedGroups: rows('*') },
			options: { allowRemovingLastAdmin: true },
		};
		const items = await play(world, access('set'), fields, Array(500).fill({}));
		expect(writes(world)).toHaveLength(2);
		expect(world.shape()).toEqual({ ana: 'b:viewer' });
		expect(items.map((item) => world.itemOf(item)).sort()).toEqual([
			...Array(500).fill('granted ana b:viewer done'),
			...Array(500).fill('revoked ana a:admin done'),
		]);
	});
});

describe.each(Object.keys(SHOWN).filter((way) => way !== 'nowhere'))(
	'an ID that is another person’s by then, shown %s',
	(way) => {
		const vpn = (w) => ({ chooseGroupBy: 'group', group: w.group('vpn') });
		test.each([
			['revoke', 'access', (w) => ({ people: email('ben'), ...w.groups('vpn') })],
			['revoke', 'access', () => ({ people: email('ben'), accessBy: 'group', revokeIn: 'all' })],
			['removeMembers', 'group', (w) => ({ people: email('ben'), ...vpn(w) })],
			['setMembers', 'group', (w) => ({ people: email('ana'), ...vpn(w) })],
			['addMembers', 'group', (w) => ({ people: email('cid'), ...vpn(w) })],
			['planReview', 'access', (w) => vpn(w)],
		])('%s: nothing is sent for that person', async (operation, resource, fields) => {
			const { credential, ...switches } = SHOWN[way];
			const people = { ana: 'vpn', ben: 'vpn', cid: 'eng' };
			const w = new Groups(people, { credential, ...switches });
			const who = operation === 'addMembers' ? 'cid' : 'ben';
			const { plan, approvalForm } = await preview(w, [resource, operation], fields(w));
			const id = w.userId(who);
			w.service.store({
				...w.service.users.get(id),
				...{ userName: email('boss'), emails: [{ value: email('boss'), primary: true }] },
			});
			const before = w.shape();
			const answered = {
				changes: 'approved',
				approvedChanges: answerOf(approvalForm, (line) => !line.includes('ana')),
			};
			const items = await apply(w, plan, operation === 'planReview' ? answered : {});
			const own = items.filter(({ status, userName }) => status !== 'skipped' || userName === null);
			expect(own).toMatchObject([{ status: 'failed', reason: expect.stringContaining('boss') }]);
			expect(writes(w)).toStrictEqual([]);
			expect(w.shape()).toEqual(before);
		});
	},
);
