'use strict';

const { answerOf } = require('../support/form');
const { defaultsOf } = require('../support/modelGroupsPlay');
const { runOnModel } = require('../support/modelNode');
const { CORE, discovered } = require('../support/schemas');
const { meanwhile } = require('../support/secondWriter');
const {
	Account,
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	locator,
	play,
	rows,
	wanted,
} = require('../support/behavior');

// With Undo Possible for (Hours) the one item of a run has a plan in `undo`. Apply Plan takes it as any other, and then all
// is as before, but for what somebody has changed since.

const PEOPLE = { ana: 'eng', ben: 'vpn', cid: '', eve: 'inactive vpn', zoe: 'eng vpn' };
const LOOSE = { maxPeopleAffected: 50, undoHours: 48 };
const ofGroups = (...lines) =>
	wanted(
		lines.map((line) => {
			const [name, group] = line.split(' ');
			return { email: email(name), group };
		}),
	);
const ACCESS = { accessBy: 'group', scopeGroups: rows('eng', 'vpn'), preview: false };
const JOINS = [...['zoe eng', 'zoe vpn', 'cid eng', 'eve vpn', 'new vpn']];
const RECONCILE = [
	...['access', 'reconcile'],
	{
		...ACCESS,
		...ofGroups(...JOINS),
		createMissing: true,
		options: { ...LOOSE, reactivate: true },
	},
];
const OFFBOARD = ['access', 'offboard', { people: emails('ana zoe'), options: LOOSE }];
const DELETE = ['access', 'offboard', { people: email('ana'), method: 'delete', options: LOOSE }];
const users = (all, more, by = 'userName') => [
	...['user', 'reconcile'],
	{
		...{ usersFrom: 'json', preview: false, options: { ...LOOSE, reactivate: true, ...more } },
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [by] },
		usersJson: JSON.stringify(all),
	},
];
const USERS = users([
	{ userName: email('ana'), title: 'Lead', displayName: 'Ana S' },
	{ userName: email('ben'), active: false },
	{ userName: email('eve'), active: true },
	{ userName: email('new'), title: 'x' },
]);
const roles = (...words) => [
	...['access', 'reconcile'],
	{
		...{ accessBy: 'organizationAndRole', scopeOrganizations: 'org-a', preview: false },
		...{ createMissing: true, options: LOOSE },
		...wanted(
			words.map((word) => {
				const [name, role] = word.split(':');
				return { email: email(name), organization: 'org-a', role };
			}),
		),
	},
];
const DROPS = { deactivationDrops: true, credential: { ...UNDOABLE, deactivation: 'drops' } };
const start = (more, people = PEOPLE) => new Groups(people, { credential: UNDOABLE, ...more });

/** Runs with the option. @returns the one item */
async function run(world, [resource, operation, fields], failures = 0) {
	const [record, ...failed] = await play(world, [resource, operation], fields);
	expect(errorsIn(failed)).toHaveLength(failures);
	expect(record.undo).toMatchObject({ plan: { operation: 'undo', settings: { maxAge: 48 } } });
	world.service.requests.length = 0;
	return record;
}

/** Applies the plan, as it is stored. */
async function back(world, { undo }, { options, ...more } = {}) {
	const { plan } = JSON.parse(JSON.stringify(undo));
	return await play(world, ['access', 'applyPlan'], {
		...{ changes: 'all', plan, options: { maxPeopleAffected: 50, ...options }, ...more },
	});
}

/** People as they were, but for these. */
function expectAsBefore(world, ends = {}) {
	const all = Object.entries({ ...world.before, ...ends });
	expect(world.shape()).toEqual(Object.fromEntries(all.filter(([, has]) => has !== undefined)));
	const before = Object.keys(world.attributesBefore).filter((name) => name in world.shape());
	for (const name of before)
		expect([name, world.attributes()[name]]).toEqual([name, world.attributesBefore[name]]);
}

describe('takes back', () => {
	test.each([
		['Access: Reconcile', RECONCILE, { new: 'inactive' }],
		['Offboard', OFFBOARD],
		['Offboard, where memberships go with the account', OFFBOARD, {}, DROPS],
		['User: Reconcile', USERS, { new: 'inactive' }],
		[
			'User: Reconcile, where memberships go with the account, those of the inactive for ever',
			...[USERS, { new: 'inactive', eve: 'inactive' }, DROPS],
		],
		[
			'memberships that go with the account, shown on users',
			...[OFFBOARD, {}, { ...DROPS, showsMembers: 'absent' }],
		],
	])('%s, and a second time there is nothing to do', async (_, what, ends = {}, more = {}) => {
		const world = start(more);
		const record = await run(world, what);
		expect(world.shape()).not.toEqual(world.before);
		// Options of the run are none of the undo.
		expect(record.undo.plan.settings).toEqual({ maxAge: 48 });
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world, ends);
		world.service.requests.length = 0;
		const again = await back(world, record);
		expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['unchanged']));
		expect(world.service.written()).toStrictEqual([]);
	});

	test('moves of roles, and newcomers, where a deactivation drops their roles', async () => {
		const world = new Account({ ana: 'a:viewer', bob: 'a:admin', cid: 'a:member' });
		const record = await run(world, roles('ana:member', 'bob:admin', 'new:viewer'));
		expect(world.shape()).toMatchObject({ ana: 'a:member', cid: '', new: 'a:viewer' });
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world, { new: 'inactive' });
	});

	test('roles that a deactivation has dropped', async () => {
		const world = new Account({ ana: 'a:viewer b:member', bob: 'a:admin b:admin' });
		const what = ['access', 'offboard', { people: email('ana'), options: LOOSE }];
		const record = await run(world, what);
		expect(world.shape().ana).toBe('inactive');
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expect(world.shape()).toEqual(world.before);
	});

	test('the end of who had lost the last role', async () => {
		const world = new Account({ ana: 'a:viewer', bob: 'a:admin' });
		const [resource, operation, fields] = roles('bob:admin');
		const options = { ...LOOSE, deactivatesEmpty: true };
		const record = await run(world, [resource, operation, { ...fields, options }]);
		expect(world.shape().ana).toBe('inactive');
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expect(world.shape()).toEqual(world.before);
	});

	test('values on the user, and a deletion that the service made a deactivation', async () => {
		const roles = [{ value: 'Reader' }, { value: 'Writer' }];
		const credential = { ...UNDOABLE, accessAttributes: 'roles' };
		const people = { ana: { has: 'eng', roles }, ben: { has: '', roles } };
		const world = start({ credential, deletesSoftly: true }, people);
		const record = await run(world, DELETE, 1);
		expect(world.attributes().ana.roles ?? []).toStrictEqual([]);
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world);
	});

	test('a new name and a new email, of who is known by an external ID', async () => {
		const people = { ana: { has: 'eng', externalId: 'e1' }, ben: { has: '', externalId: 'e2' } };
		const world = start({}, people);
		const own = { externalId: 'e1', userName: email('ana.silva'), email: email('ana.silva') };
		const record = await run(world, users([own], {}, 'externalId'));
		expect(world.shape()['ana.silva']).toBe('eng');
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world);
	});

	test('new emails of several', async () => {
		const world = start({}, { ana: 'eng', ben: 'vpn', cid: '' });
		const names = ['ana', 'ben', 'cid'];
		const options = { maxPeopleAffected: 50 };
		const [{ plan }] = await play(
			...[world, ['access', 'changeEmail'], { preview: true, options }],
			names.map((name) => ({ user: locator('email', email(name)), newEmail: email(`${name}2`) })),
		);
		const fields = { changes: 'all', plan, options: LOOSE };
		const record = await run(world, ['access', 'applyPlan', fields]);
		expect(world.shape()).toEqual({ ana2: 'eng', ben2: 'vpn', cid2: '' });
		expect(record.undo.plan.settings).toEqual({ maxAge: 48 });
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world);
	});

	test('the end of who had lost the last group, once', async () => {
		const world = start(DROPS, { ana: 'eng', ben: 'vpn', zoe: 'eng vpn' });
		const list = ofGroups('ana eng', 'zoe eng', 'zoe vpn');
		const fields = { ...ACCESS, ...list, options: { ...LOOSE, deactivatesEmpty: true } };
		const record = await run(world, ['access', 'reconcile', fields]);
		expect(world.shape().ben).toBe('inactive');
		expect(record.undo.plan.changes.map(({ change }) => change)).toEqual(['activated', 'granted']);
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world);
	});

	test('another email, of who is known by it', async () => {
		const world = start({}, { ana: { has: 'eng', title: 'Dev' }, ben: '' });
		const record = await run(world, users([{ email: email('ana'), title: 'Lead' }], {}, 'email'));
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world);
	});

	test('an undo, which does it again', async () => {
		const world = start();
		const record = await run(world, OFFBOARD);
		const after = world.shape();
		const fields = { changes: 'all', plan: record.undo.plan, options: LOOSE };
		const undone = await run(world, ['access', 'applyPlan', fields]);
		expectAsBefore(world);
		expect(undone.undo.plan.changes.map(({ action }) => action).join()).not.toContain('undo');
		await back(world, undone);
		expect(world.shape()).toEqual(after);
	});

	test('what is ticked in its form', async () => {
		const world = start();
		const { undo } = await run(world, OFFBOARD);
		const approvedChanges = answerOf(undo.approvalForm, (_, label) => label.includes('zoe'));
		await back(world, { undo }, { changes: 'approved', approvedChanges });
		expectAsBefore(world, { ana: 'inactive' });
	});

	test('five hundred who moved, beside fifty whom others have changed since', async () => {
		const names = Array.from({ length: 500 }, (_, at) => `p${at}`);
		const people = Object.fromEntries(names.map((name) => [name, 'vpn']));
		const world = start({}, { ...people, zoe: 'eng' });
		const options = { ...LOOSE, maxPeopleAffected: 600, allowEmptyGroups: true };
		const list = ofGroups('zoe eng', ...names.map((name) => `${name} eng`));
		const record = await run(world, ['access', 'reconcile', { ...ACCESS, ...list, options }]);
		expect(record.undo.plan.changes).toHaveLength(1000);
		for (const name of names.slice(0, 50)) world.service.setActive(world.userId(name), false);
		const items = await back(world, record, { options: { maxPeopleAffected: 600 } });
		const failed = items.filter(({ error }) => error !== undefined);
		expect(new Set(failed.map(({ userName }) => userName)).size).toBe(50);
		expect(Object.values(world.shape()).filter((has) => has === 'vpn')).toHaveLength(450);
		expect(world.service.requests.length).toBeLessThan(40);
	});
});

/** What somebody did after the run: who has what after the undo, and what is told. */
describe('somebody who, since then,', () => {
	const give = (name, group) => (w) => w.service.add(group, w.userId(name));
	const set = (name, more) => (w) => {
		const user = w.service.users.get(w.userId(name));
		w.service.store({ ...user, ...more, attributes: { ...user.attributes, ...more.attributes } });
	};
	const activate = (name, active) => (w) => w.service.setActive(w.userId(name), active);
	test.each([
		[
			'was let in, is not given the old access',
			...[
				OFFBOARD,
				activate('ana', true),
				{ ana: '' },
				'ana@example.com is active, but was inactive',
			],
		],
		['was given another group, keeps it', OFFBOARD, give('ana', 'vpn'), { ana: 'eng vpn' }],
		[
			'is another person, stays as it is',
			...[OFFBOARD, set('ana', { userName: email('boss') }), { boss: 'inactive', ana: undefined }],
			'is boss@example.com, but was ana@example.com',
		],
		[
			'lost what the run gave, has nothing to lose',
			RECONCILE,
			(w) => w.service.modify('eng', [{ op: 'remove', ids: [w.userId('cid')] }]),
			{ new: 'inactive' },
		],
		[
			'was deactivated, gains nothing',
			...[RECONCILE, activate('ben', false), { ben: 'inactive', new: 'inactive' }, 'is inactive'],
		],
		[
			'was protected, stays as it is',
			...[OFFBOARD, () => {}, { ana: 'inactive' }, 'is protected'],
			{ options: { protectedUsers: email('ana') } },
		],
	])('%s', async (_, what, act, ends, message = '', fields = {}) => {
		const world = start();
		const record = await run(world, what);
		await act(world);
		const errors = errorsIn(await back(world, record, fields)).join('; ');
		if (message === '') expect(errors).toBe('');
		else expect(errors).toContain(message);
		const all = Object.entries({ ...world.before, ...ends });
		expect(world.shape()).toEqual(Object.fromEntries(all.filter(([, has]) => has !== undefined)));
	});

	test.each([
		['has another title, keeps it, and all else', { title: 'Boss' }, 'has another title than'],
		['has none any more, gets none', { title: undefined }, 'has another title than'],
		['has the old title again, is done', { title: 'Dev' }, ''],
	])('%s', async (_, attributes, message) => {
		const world = start({}, { ana: { has: 'eng', title: 'Dev' }, ben: '' });
		const record = await run(
			world,
			users([{ userName: email('ana'), title: 'Lead', displayName: 'A' }]),
		);
		set('ana', { attributes })(world);
		expect(errorsIn(await back(world, record)).join()).toContain(message);
		const { title, displayName } = world.attributes().ana;
		expect(title).toBe(attributes.title);
		expect(displayName).toBe(message === '' ? 'ana' : 'A');
	});

	test('got one more phone, keeps both', async () => {
		const phone = (value) => ({ value, type: 'work' });
		const world = start({}, { ana: { has: '', phoneNumbers: [phone('+1')] }, ben: '' });
		const record = await run(
			world,
			users([{ userName: email('ana'), phoneNumbers: [phone('+2')] }]),
		);
		set('ana', { attributes: { phoneNumbers: [phone('+2'), phone('+3')] } })(world);
		expect(errorsIn(await back(world, record)).join()).toContain('has another phoneNumbers than');
		expect(world.attributes().ana.phoneNumbers).toHaveLength(2);
	});

	test('has another role, keeps it', async () => {
		const world = new Account({ ana: 'a:viewer', bob: 'a:admin' });
		const record = await run(world, roles('ana:member', 'bob:admin'));
		world.put({ ana: 'a:admin' });
		expect(errorsIn(await back(world, record)).join()).toContain(
			'is admin in org-a, but was member',
		);
		expect(world.shape().ana).toBe('a:admin');
	});

	test('would get a group of another name, does not', async () => {
		const world = start();
		const record = await run(world, OFFBOARD);
		world.service.about.set('vpn', { displayName: 'Root' });
		expect(errorsIn(await back(world, record)).join()).toContain(
			'is named "Root", but was "vpn"'.replace('was "', 'was named "'),
		);
		expect(world.shape().zoe).toBe('eng');
	});
});

describe('holds', () => {
	test('what was done alone, where some changes failed: that item goes on, and each of them besides', async () => {
		const names = Array.from({ length: 10 }, (_, at) => `p${at}`);
		const people = Object.fromEntries(names.map((name, at) => [name, at < 3 ? 'vpn' : '']));
		const world = start({ refusesRemovalFrom: ['vpn'] }, { ...people, zoe: 'eng' });
		const list = ofGroups('zoe eng', ...names.slice(3).map((name) => `${name} eng`));
		const options = { ...LOOSE, allowEmptyGroups: true };
		const record = await run(world, ['access', 'reconcile', { ...ACCESS, ...list, options }], 3);
		expect(record.counts).toMatchObject({ done: 7, failed: 3 });
		expect(record.undo.plan.changes.map(({ change }) => change)).toEqual(
			Array.from({ length: 7 }, () => 'revoked'),
		);
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world);
	});

	test('nobody whom a create has met', async () => {
		const world = start();
		const list = ofGroups(...JOINS, 'ana eng', 'ben vpn', 'late vpn');
		const writer = meanwhile(world.service, 'POST /Users', (scim) => scim.create(email('late')), {
			nth: 2,
		});
		const record = await run(world, ['access', 'reconcile', { ...RECONCILE[2], ...list }]);
		expect(writer.acted).toBe(true);
		await back(world, record);
		expectAsBefore(world, { new: 'inactive', late: '' });
	});

	test('nobody who may have been there, as far as the service tells', async () => {
		const world = start({}, { ana: 'eng', ben: 'vpn' });
		const create = world.service.create.bind(world.service);
		world.service.create = (...given) => {
			const user = create(...given);
			world.service.add('eng', user.id);
			return user;
		};
		const list = ofGroups('ana eng', 'ben vpn', 'new vpn', 'new eng');
		const record = await run(world, ['access', 'reconcile', { ...RECONCILE[2], ...list }]);
		expect(record.undo.summaryText).toMatch(/^- May have been there .*: new@example\.com\.$/m);
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world, { new: '' });
	});

	test('whom a create has met and let in', async () => {
		const world = start();
		const list = ofGroups(...JOINS, 'ana eng', 'ben vpn', 'late vpn');
		const act = (scim) => {
			scim.create(email('late'));
			scim.setActive(scim.byName(email('late')).id, false);
		};
		meanwhile(world.service, 'POST /Users', act, { nth: 2 });
		const record = await run(world, ['access', 'reconcile', { ...RECONCILE[2], ...list }]);
		expect(world.shape().late).toBe('vpn');
		await back(world, record);
		expectAsBefore(world, { new: 'inactive', late: 'inactive' });
	});

	test('nothing that was not confirmed, which the summary names each', async () => {
		const silent = {
			showsMembers: 'absent',
			usersShowGroups: 'absent',
			membershipFilter: 'nobody',
		};
		const world = start({ ...silent, groups: ['vpn'] }, { ana: '', ben: '' });
		const wish = { people: emails('ana ben'), accessBy: 'group', groups: rows('vpn') };
		const [{ plan }] = await play(world, ['access', 'assign'], { ...wish, preview: true });
		const fields = { changes: 'all', plan, options: LOOSE };
		const { undo, counts } = await run(world, ['access', 'applyPlan', fields], 2);
		expect(counts).toMatchObject({ unverified: 2 });
		expect(undo.plan.changes).toStrictEqual([]);
		expect(undo.summaryText).toMatch(/Not confirmed.*ana@example\.com.*ben@example\.com/);
		expect(errorsIn(await back(world, { undo }))).toStrictEqual([]);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('nobody who was deleted: one sentence', async () => {
		const world = start();
		const { undo } = await run(world, DELETE);
		expect(undo.plan.changes).toStrictEqual([]);
		expect(undo.summaryText).toContain('- Deleted, which cannot be undone: ana@example.com.');
	});

	test('no end of an account that would remove it', async () => {
		const credential = { ...UNDOABLE, deactivation: 'removes' };
		const world = start({ credential, deactivationDeletes: true });
		const list = ofGroups(...JOINS, 'ana eng', 'ben vpn').wantedJson;
		const fields = { ...RECONCILE[2], wantedFrom: 'json', wantedJson: list };
		const record = await run(world, ['access', 'reconcile', fields]);
		expect(record.undo.summaryText).toMatch(
			/^- A deactivation would remove .*: eve@example\.com; new@example\.com\.$/m,
		);
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expect(world.shape()).toMatchObject({ new: '', cid: '' });
	});

	test('no such end beside attributes that come back', async () => {
		const credential = { ...UNDOABLE, deactivation: 'removes' };
		const world = start({ credential, deactivationDeletes: true });
		const record = await run(
			world,
			users([{ userName: email('eve'), active: true, title: 'Lead' }]),
		);
		expect(record.undo.summaryText).toMatch(
			/^- A deactivation would remove .*: eve@example\.com\.$/m,
		);
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expect(world.shape().eve).toBe('vpn');
		expect(world.attributes().eve.title).toBeUndefined();
	});

	test('nobody whose deactivation has removed the account', async () => {
		const credential = { ...UNDOABLE, deactivation: 'removes' };
		const world = start({ credential, deactivationDeletes: true });
		const { undo } = await run(
			world,
			users([{ userName: email('ben'), active: false }], { allowPermanentRemoval: true }),
		);
		expect(undo.plan.changes).toStrictEqual([]);
		expect(undo.summaryText).toContain('- Deleted, which cannot be undone: ben@example.com.');
	});

	test('the groups that an account had, where they are not known: none, and it is said', async () => {
		const world = start({ ...DROPS, showsMembers: 'absent', usersShowGroups: 'absent' });
		const { undo } = await run(world, users([{ userName: email('ben'), active: false }]));
		expect(undo.plan.changes.map(({ change }) => change)).toEqual(['activated']);
		expect(undo.summaryText).toMatch(/^- Not known in which groups .*: ben@example\.com\.$/m);
	});
});

describe('attributes', () => {
	/** Lists leave these out, which a read by ID shows; with `reads`, that does, too. */
	const hides = (world, names, isHidden = ({ path }) => path.endsWith('/Users'), of = /./) => {
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) => {
			const answer = await exchange(request);
			if (!isHidden({ method: request.method, path: new URL(request.url).pathname })) return answer;
			const text = JSON.stringify(JSON.parse(answer.text || 'null'), function replace(key, value) {
				return names.includes(key) && of.test(this.userName) ? undefined : value;
			});
			return { ...answer, text };
		};
	};
	const ANA = { ana: { has: '', title: 'Dev' }, ben: '' };

	test('that were empty are cleared, and what was cleared comes back', async () => {
		const world = start({}, { ana: { has: '', title: 'Dev' }, ben: { has: '', nickName: 'B' } });
		const what = users([{ userName: email('ana'), title: null, nickName: 'A' }], {
			emptyCells: 'clear',
		});
		const record = await run(world, what);
		expect(world.attributes().ana.title).toBeUndefined();
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expectAsBefore(world);
	});

	test('that a list leaves out are read by ID first, so that they come back', async () => {
		const world = start({}, { ana: { has: '', title: 'Dev', nickName: 'Old' }, ben: '' });
		hides(world, ['nickName']);
		const record = await run(world, users([{ userName: email('ana'), nickName: 'New' }]));
		expect(world.attributes().ana.nickName).toBe('New');
		expect(record.undo.plan.changes[0].attributes).toEqual({ nickName: 'Old' });
	});

	test.each([
		['no read shows', ({ method }) => method === 'GET'],
		['no answer shows', () => true],
		[
			'no answer shows any more',
			(_, world) => (world.isWritten ||= world.service.written().length > 0),
		],
	])('that %s are not cleared, and named', async (_, isHidden) => {
		const attributes = ['userName', 'title', 'displayName'].map((name) => ({
			name,
			type: 'string',
		}));
		attributes.push({ name: 'nickName', type: 'string', returned: 'never' });
		const world = start({ discovery: discovered([{ id: CORE, attributes }]) }, ANA);
		hides(world, ['nickName'], (request) => isHidden(request, world));
		world.service.users.get(world.userId('ana')).attributes.nickName = 'Old';
		const record = await run(
			world,
			users([{ userName: email('ana'), title: 'Boss', nickName: 'New' }]),
		);
		const { undo } = record;
		expect(undo.plan.changes.map((change) => change.attributes)).toEqual([{ title: 'Dev' }]);
		expect(undo.summaryText).toMatch(/^- Not known as it was.*: nickName of ana@example\.com\.$/m);
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expect(world.attributes().ana).toMatchObject({ title: 'Dev', nickName: 'New' });
	});

	test('active, too: who was not told to be active stays out', async () => {
		const world = new Account({ ana: 'a:viewer', bob: 'a:admin' });
		const isBefore = ({ method }) =>
			method === 'GET' && world.service.users.get(world.userId('ana')).active;
		hides(world, ['active'], isBefore, /^ana/);
		const what = ['access', 'offboard', { people: email('ana'), options: LOOSE }];
		const record = await run(world, what);
		expect(record.undo.summaryText).toMatch(/^- Not known to be active .*: ana@example\.com\.$/m);
		expect(record.undo.plan.changes).toStrictEqual([]);
	});

	test('active, too: who stays out gets no group back', async () => {
		const world = start({}, { ana: 'eng', zoe: 'eng' });
		const isBefore = ({ method }) =>
			method === 'GET' && world.service.users.get(world.userId('ana')).active;
		hides(world, ['active'], isBefore, /^ana/);
		const what = ['access', 'offboard', { people: email('ana'), options: LOOSE }];
		const { undo } = await run(world, what);
		expect(world.shape().ana).toBe('inactive');
		expect(undo.summaryText).toMatch(/^- May be locked out .*: ana@example\.com\.$/m);
		expect(undo.plan.changes).toStrictEqual([]);
	});

	test('that hold secrets are in no plan', async () => {
		const urn = 'urn:x:User';
		const world = start(
			{},
			{ ana: { has: '', title: 'Dev', [urn]: { apiKey: 'old-key', desk: '1' } }, ben: '' },
		);
		const own = { userName: email('ana'), title: 'Lead', [urn]: { apiKey: 'new-key', desk: '2' } };
		const { undo } = await run(world, users([own]));
		expect(undo.plan.changes[0].attributes).toEqual({ title: 'Dev', [urn]: { desk: '1' } });
		expect(JSON.stringify(undo)).not.toMatch(/old-key|new-key/);
		expect(undo.summaryText).toMatch(/Not known.*apiKey/);
		await back(world, { undo });
		expect(world.attributes().ana[urn]).toEqual({ apiKey: 'new-key', desk: '1' });
	});
});

describe('is refused', () => {
	const offboard = async (world, options, onError = true, preview = false) =>
		await runOnModel(world.service, {
			...{ resource: 'access', operation: 'offboard', credential: world.credential },
			...{ items: [{}], continueOnFail: onError },
			parameters: {
				...{ ...defaultsOf('access', 'offboard'), people: email('ana'), preview },
				options: { ...options, verifyTime: 0 },
			},
		});
	const WHY_STOP = 'The undo would be lost if one change failed';

	test('where n8n would drop it with the first failure, before anything is sent', async () => {
		const world = start();
		expect((await offboard(world, LOOSE, false)).thrown.message).toContain(WHY_STOP);
		const [item] = (await offboard(world, LOOSE, false, true)).json;
		expect(item.summaryText).toContain(WHY_STOP);
		expect(world.service.written()).toStrictEqual([]);
		const [{ undo }] = (await offboard(world, LOOSE)).json;
		expect(undo.plan.changes).toHaveLength(2);
	});

	test.each([
		['no hours', { ...LOOSE, undoHours: '' }],
		['0 hours', { ...LOOSE, undoHours: 0 }],
		['nothing', { ...LOOSE, undoHours: undefined }],
	])('not with %s, which is no undo', async (_, options) => {
		const world = start();
		expect((await offboard(world, { ...options, return: 'perRun' })).json).toMatchObject([
			{ undo: null },
		]);
	});

	test.each([
		['older than it may be', { undoHours: 0.0000001 }, (plan) => plan, {}, 'The plan is too old'],
		['edited', ...[{}, (plan) => ({ ...plan, settings: { maxAge: 9999 } }), {}, 'was edited']],
		['older than Apply Plan takes', {}, (plan) => plan, { maxAge: 0 }, 'The plan is too old'],
	])('when it is %s', async (_, options, edit, limits, message) => {
		const world = start();
		const [record] = await play(world, OFFBOARD.slice(0, 2), {
			...OFFBOARD[2],
			options: { ...LOOSE, ...options },
		});
		world.service.requests.length = 0;
		await new Promise((done) => setTimeout(done, 5));
		const undo = { plan: edit(record.undo.plan) };
		expect(errorsIn(await back(world, { undo }, { options: limits })).join()).toContain(message);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('beyond a limit, unless that is approved', async () => {
		const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
		const world = start({}, Object.fromEntries(names.map((name) => [name, 'eng'])));
		const protectedUsers = email('root');
		const people = emails(names.join(' '));
		const fields = { people, preview: true, options: { protectedUsers } };
		const [{ plan: leave }] = await play(world, ['access', 'offboard'], fields);
		const { maxPeopleAffected, ...options } = LOOSE;
		const approvedExcess = ['deactivations', 'lossesOfAccess'];
		const apply = { changes: 'all', plan: leave, approvedExcess, options };
		const { undo } = await run(world, ['access', 'applyPlan', apply]);
		expect(undo.plan.guards.protectedUsers).toEqual([protectedUsers]);
		const kinds = undo.plan.excess.map(({ kind }) => kind);
		expect(kinds).toContain('reactivations');
		expect(errorsIn(await back(world, { undo })).join()).toContain(
			'12 people would be reactivated',
		);
		expect(errorsIn(await back(world, { undo }, { approvedExcess: kinds }))).toStrictEqual([]);
		expectAsBefore(world);
	});
});
