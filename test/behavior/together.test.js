'use strict';

const { answerOf } = require('../support/form');
const { later } = require('../support/secondWriter');
const { mapped } = require('../support/node');
const {
	Account,
	Groups,
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

// Where dates, hold, protected members, managers, whole lists, one item per run and undo meet.

/** In the time zone of the workflow, whose day ends before that of UTC. */
const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });
const day = (offset) => format(Date.now() + offset * 86_400_000);
const [PAST, TODAY, FUTURE] = [day(-9), day(0), day(9)];
const DATES = { startsOn: 'from', endsOn: 'to', hold: 'hold' };
const HOLD = { hold: true };
const LATER = { from: FUTURE };
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const LOOSE = { maxPeopleAffected: 90, undoHours: 48, return: 'perRun' };
const DROPS = { deactivationDrops: true, credential: { ...UNDOABLE, deactivation: 'drops' } };

const start = (people, more) =>
	new Groups(people, { credential: UNDOABLE, groups: ['eng', 'vpn'], ...more });
const dated = (all) => all.map((row) => ({ from: '', to: '', hold: '', ...row }));
const has = (name, group, more) => ({ email: email(name), group, ...more });
const ZOE = [has('zoe', 'eng'), has('zoe', 'vpn')];
const ofAccess = (all, { options, ...more } = {}) => ({
	...{ accessBy: 'group', scopeGroups: rows('eng', 'vpn'), preview: false, dates: DATES },
	...{ ...wanted(dated([...ZOE, ...all])), ...more },
	options: { maxPeopleAffected: 90, ...options },
});
const ofUsers = (all, { options, by = 'userName', ...more } = {}) => ({
	...{ usersFrom: 'json', preview: false, usersJson: JSON.stringify(all), ...more },
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [by] },
	options: { maxPeopleAffected: 90, ...options },
});
/** Whoever is in no row is deactivated. */
const wholeUsers = (all, more) =>
	ofUsers(dated(all), {
		...{ dates: DATES, absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' },
		...more,
	});
const byManager = (text) => ({ [`${ENTERPRISE}:manager.value`]: text });
const manager = (id) => ({ [ENTERPRISE]: { manager: { value: id } } });
const managerOf = (world, name) => world.attributes()[name]?.[ENTERPRISE]?.manager;
const ACCESS = ['access', 'reconcile'];
const USERS = ['user', 'reconcile'];

/** Runs with the option. @returns the one item */
const run = async (world, what, { options, ...fields }) => {
	const [record] = await play(world, what, { ...fields, options: { ...LOOSE, ...options } });
	world.service.requests.length = 0;
	return record;
};
/** Applies the undo, as it is stored. */
const back = async (world, { undo }, { options, ...more } = {}) =>
	await play(world, ['access', 'applyPlan'], {
		...{ changes: 'all', plan: JSON.parse(JSON.stringify(undo.plan)), ...more },
		options: { maxPeopleAffected: 90, ...options },
	});
/** A user whom no list has shown is there when the first create comes. */
const meets = (world, name, attributes = manager('id-boss')) => {
	let isMet = false;
	world.service.given.onRequest = (_, { method }, scim) => {
		if (method !== 'POST' || isMet) return;
		isMet = true;
		const login = { userName: email(name), email: email(name), active: true };
		scim.store({ id: `id-${name}`, ...login, attributes });
	};
};
const lines = (world, items) => items.map((item) => world.itemOf(item));

describe('a row on hold, or that starts later, whose person is named in a way that leads to nobody', () => {
	const OTHER_MAIL = { has: 'eng', emails: [{ value: 'ana@home.test', primary: true }] };
	const PEOPLE = { ana: OTHER_MAIL, zoe: 'eng vpn' };
	const RENAMED = { Ana: { has: 'vpn', userName: 'Ana@example.com' }, zoe: 'eng vpn' };
	const create = { createMissing: true };
	/** Of Access: Reconcile: what it is a case of, the service, the row without its dates, fields. */
	const CASES = [
		['an email that no user has', () => start(PEOPLE), has('ana.silva', 'eng'), {}],
		['an ID that no user has', () => start(PEOPLE), { userId: 'HR-8E43', group: 'eng' }, {}],
		[
			'a second email of a user, with Create Missing Users',
			() => start(PEOPLE),
			{ email: 'ana@home.test', group: 'eng' },
			create,
		],
		[
			'a user name in another case, where filters are exact, with Create Missing Users',
			() => start(RENAMED, { filter: 'exactCase' }),
			{ email: 'ANA@EXAMPLE.COM', group: 'vpn' },
			create,
		],
	];
	const keeps = async (on, row, fields) => {
		const world = on();
		const options = { deactivatesEmpty: true };
		await play(world, ACCESS, ofAccess([row], { ...fields, options }));
		expect(world.shape()).toEqual(world.before);
	};

	test.each(CASES)('%s: a row that counts takes nothing from anybody', async (_, on, row, more) => {
		await keeps(on, row, more);
	});
	test.each(CASES)('%s: on hold', async (_, on, row, more) => {
		await keeps(on, { ...row, ...HOLD }, more);
	});
	const [unknownEmail, ...findable] = CASES;
	test.each(findable)('%s: later', async (_, on, row, more) => {
		await keeps(on, { ...row, ...LATER }, more);
	});
	test.each([unknownEmail])('%s: later is of somebody who is yet to come', async (_, on, row) => {
		const world = on();
		const items = await play(world, ACCESS, ofAccess([{ ...row, ...LATER }]));
		expect(errorsIn(items)).toStrictEqual([]);
		expect(world.shape().ana).toBe('');
	});

	const byFilterAlone = () => {
		const world = start({ ana: 'eng', zoe: '' });
		const exchange = world.service.exchange.bind(world.service);
		// An old name that the filter still finds.
		world.service.exchange = async (request) =>
			await exchange({ ...request, url: request.url.replace(/ana\.old/g, 'ana') });
		return world;
	};
	/** Of User: Reconcile, with Users Not in the List: Deactivate: likewise. */
	const OF_USERS = [
		[
			'the old user name, which a filter finds and the list does not show',
			byFilterAlone,
			{ userName: email('ana.old') },
			{ userName: email('zoe') },
			{},
		],
		[
			'an email that is the user name of somebody with another email',
			() =>
				start({
					ana: { has: 'eng', emails: [{ value: 'ana@home.test', primary: true }] },
					zoe: '',
				}),
			{ email: email('ana') },
			{ email: email('zoe') },
			{ by: 'email' },
		],
		[
			'another external ID than the user of that name has',
			() => start({ ana: { has: '', externalId: 'E1' }, zoe: { has: '', externalId: 'E2' } }),
			{ externalId: 'E7', userName: email('ana') },
			{ externalId: 'E2', userName: email('zoe') },
			{ by: 'externalId' },
		],
		[
			'another user name, with the email of the user',
			() => start({ ana: 'eng', zoe: '' }),
			{ userName: 'ana.s', email: email('ana') },
			{ userName: email('zoe') },
			{},
		],
	];
	const stays = async (on, all, fields) => {
		const world = on();
		await play(world, USERS, wholeUsers(all, fields));
		expect(world.shape()).toEqual(world.before);
	};
	test.each(OF_USERS)('%s: a row that counts keeps everybody', async (_, on, row, zoe, more) => {
		await stays(on, [row, zoe], more);
	});
	test.each(OF_USERS)('%s: on hold', async (_, on, row, zoe, more) => {
		await stays(on, [{ ...row, ...HOLD }, zoe], more);
	});
	const [byFilter, ...others] = OF_USERS;
	test.each(others)('%s: later keeps everybody, too', async (_, on, row, zoe, more) => {
		await stays(on, [{ ...row, ...LATER }, zoe], more);
	});
	test.each([byFilter])('%s: later', async (_, on, row, zoe, more) => {
		await stays(on, [{ ...row, ...LATER }, zoe], more);
	});
});

describe('a manager who is set in the second pass', () => {
	const cycle = [
		...[has('bob', 'eng'), has('zoe', 'eng'), has('cai', 'eng', { manager: email('dan') })],
		has('dan', 'eng', { manager: email('cai') }),
	];
	const people = () => start({ bob: 'eng', zoe: 'eng' });
	const fields = {
		...{ preview: false, createMissing: true, scopeGroups: rows('eng') },
		...{ accessColumns: { attributes: 'Manager' }, ...wanted(cycle) },
	};

	test('is not that of somebody whom Access: Reconcile has only met', async () => {
		const world = people();
		meets(world, 'dan');
		await run(world, ACCESS, fields);
		expect(managerOf(world, 'dan')).toEqual({ value: 'id-boss' });
	});

	test('or it comes back with the undo', async () => {
		const world = people();
		meets(world, 'dan');
		const record = await run(world, ACCESS, fields);
		await back(world, record);
		expect(managerOf(world, 'dan')).toEqual({ value: 'id-boss' });
	});

	test('is not that of somebody whom Assign has only met, who names themselves', async () => {
		const world = people();
		meets(world, 'cai');
		const own = { createMissing: true, newUserFields: { managerId: email('cai') } };
		const items = await play(world, ['access', 'assign'], {
			...{ people: email('cai'), ...listed('eng'), ...own },
		});
		expect(lines(world, items)).toContain('none cai unchanged');
		expect(managerOf(world, 'cai')).toEqual({ value: 'id-boss' });
	});

	test('is not that of a user whom Create returns as unchanged', async () => {
		const world = people();
		meets(world, 'dan');
		const items = await play(world, ['user', 'create'], { options: { ifUserExists: 'return' } }, [
			{ userName: email('cai'), ...mapped(byManager(email('dan'))) },
			{ userName: email('dan'), ...mapped(byManager(email('cai'))) },
		]);
		expect(lines(world, items)).toContain('none dan unchanged');
		expect(managerOf(world, 'dan')).toEqual({ value: 'id-boss' });
	});

	test('is not that of a user who is as the create would have made them, but has one', async () => {
		const world = people();
		const own = mapped({ externalId: 'HR-9', ...byManager(email('cai')) });
		meets(world, 'cai', { externalId: 'HR-9', ...manager('id-boss') });
		await play(world, ['user', 'create'], {}, [{ userName: email('cai'), ...own }]);
		expect(managerOf(world, 'cai')).toEqual({ value: 'id-boss' });
	});

	const SELF = ofUsers([{ userName: email('cai'), ...byManager(email('cai')) }]);
	const refusing = () => start({ zoe: '' }, { faults: [400].map(refusedPatch) });
	const refusedPatch = (status) => ({ method: 'PATCH', nth: 1, kind: 'status', status });

	test('that fails: who was created is in the undo all the same', async () => {
		const world = refusing();
		const record = await run(world, USERS, SELF);
		await back(world, record);
		expect(world.shape().cai).toBe('inactive');
	});

	test('that fails: the undo does not say that there is nothing to take back', async () => {
		const { undo } = await run(refusing(), USERS, SELF);
		expect(undo.summaryText).toContain('cai@example.com');
	});

	test('that fails: the record does not say that the creation failed', async () => {
		const world = refusing();
		const { changes } = await run(world, USERS, SELF);
		expect(lines(world, changes)).not.toContain('created cai failed');
	});

	test('is in the record as the ID that was sent, not as its place in the plan', async () => {
		const world = start({ ana: '' });
		const list = [{ userName: email('ana'), ...byManager(email('new')) }];
		const { changes } = await run(world, USERS, ofUsers([...list, { userName: email('new') }]));
		expect(JSON.stringify(changes)).not.toContain('{id of');
		expect(JSON.stringify(changes)).toContain(`"value":"${world.service.byName(email('new')).id}"`);
	});
});

describe('the undo', () => {
	const bob = { has: '', id: 'id-bob' };
	const eve = { has: '', id: 'id-eve' };
	const toEve = ofUsers([{ userName: email('ana'), ...byManager(email('eve')) }]);
	const managed = (shown) =>
		start({ ana: { has: '', ...(shown && { [ENTERPRISE]: { manager: shown } }) }, bob, eve });

	test('of another manager sets the old one', async () => {
		const world = managed({ value: 'id-bob' });
		await back(world, await run(world, USERS, toEve));
		expect(managerOf(world, 'ana')).toEqual({ value: 'id-bob' });
	});

	test('does so, too, where the service showed it as the ID alone', async () => {
		const world = managed('id-bob');
		const record = await run(world, USERS, toEve);
		expect(JSON.stringify(record.undo.plan)).toContain('id-bob');
		await back(world, record);
		expect(JSON.stringify(managerOf(world, 'ana'))).toContain('id-bob');
	});

	test('of a first manager leaves none, and no empty one', async () => {
		const world = managed();
		await back(world, await run(world, USERS, toEve));
		expect(managerOf(world, 'ana')).toBeUndefined();
	});

	test.each([
		['sets the old one', { value: 'id-bob' }],
		['leaves none', undefined],
	])(
		'on a service that always shows the ID alone %s, unless somebody has set another one since',
		async (_, shown) => {
			const world = managed(shown);
			const exchange = world.service.exchange.bind(world.service);
			world.service.exchange = async (request) => {
				const answer = await exchange(request);
				const text = answer.text?.replace(/"manager":\{"value":("[^"]*")\}/g, '"manager":$1');
				return { ...answer, text };
			};
			const record = await run(world, USERS, toEve);
			await back(world, record);
			expect(managerOf(world, 'ana')).toEqual(shown);
			expect(errorsIn(await back(world, record))).toStrictEqual([]);
			const ana = world.service.byName(email('ana'));
			world.service.store({ ...ana, attributes: { ...ana.attributes, ...manager('id-cy') } });
			expect(errorsIn(await back(world, record)).join()).toContain('another');
			expect(managerOf(world, 'ana')).toEqual({ value: 'id-cy' });
		},
	);

	const approvedUntilToday = async (world) => {
		const fields = ofAccess([has('ben', 'eng', { to: TODAY })], { preview: true });
		const [{ plan }] = await play(world, ACCESS, fields);
		return await run(world, ['access', 'applyPlan'], { changes: 'all', plan });
	};
	test.each([0, 30])('of a grant that ends takes it, %s hours later', async (hours) => {
		const world = start({ ben: '', zoe: 'eng vpn' });
		const record = await approvedUntilToday(world);
		later(hours * 3_600_000);
		await back(world, record);
		expect(world.shape().ben).toBe('');
	});

	test.each([
		[0, 'eng'],
		[30, ''],
	])('of an undo gives again what the row still wants after %s hours: "%s"', async (hours, has) => {
		const world = start({ ben: '', zoe: 'eng vpn' });
		const { undo } = await approvedUntilToday(world);
		const fields = { changes: 'all', plan: undo.plan };
		const again = await run(world, ['access', 'applyPlan'], fields);
		later(hours * 3_600_000);
		await back(world, again);
		expect(world.shape().ben).toBe(has);
	});

	test('knows by the external ID who another person is by now, of whom was there', async () => {
		const world = start({
			ana: { has: 'eng', externalId: 'E1' },
			zoe: { has: '', externalId: 'E2' },
		});
		const list = ofUsers([{ externalId: 'E1', active: false }], { by: 'externalId' });
		const record = await run(world, USERS, list);
		numbered(world, 'ana', 'E77');
		expect(errorsIn(await back(world, record)).join()).toContain('has the external ID E77');
		expect(world.shape().ana).toBe('inactive eng');
	});

	const numbered = (world, name, externalId) => {
		const user = world.service.byName(email(name));
		world.service.store({ ...user, attributes: { ...user.attributes, externalId } });
	};
	test.each(['', 'vpn'])(
		'knows it of a new user as well, where others are in "%s"',
		async (has) => {
			const world = start({ zoe: { has, externalId: 'E2' } });
			const own = { externalId: 'E9', userName: email('new') };
			const record = await run(world, USERS, ofUsers([own], { by: 'externalId' }));
			numbered(world, 'new', 'E77');
			await back(world, record);
			expect(world.shape().new).toBe('');
		},
	);

	const GIVEN_SINCE = [
		['created', { zoe: 'vpn' }, [{ userName: email('ana') }]],
		['let in', { ana: 'inactive', zoe: 'vpn' }, [{ userName: email('ana'), active: true }]],
	];
	test.each(GIVEN_SINCE)(
		'does not lock out who was %s and has been given access since by somebody else, and says so',
		async (_, people, list) => {
			const world = start(people);
			const record = await run(world, USERS, ofUsers(list, { options: { reactivate: true } }));
			world.put({ ana: 'vpn' });
			const items = await back(world, record);
			const said = items.flatMap(({ error, warnings }) => [error ?? [], warnings ?? []].flat());
			expect(said.join()).toContain('ana@example.com is member of group vpn, but was not');
			expect(world.shape().ana).toBe('vpn');
		},
	);

	test('locks out who is in what the service gives to every new user', async () => {
		const world = start({ zoe: 'vpn' });
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) => {
			const answer = await exchange(request);
			if (request.method === 'POST') world.put({ ana: 'eng' });
			return answer;
		};
		const record = await run(world, USERS, ofUsers([{ userName: email('ana') }]));
		await back(world, record);
		expect(world.shape().ana).toBe('inactive eng');
	});

	test('locks out a new user whom the last list does not show yet in the group of the run', async () => {
		const reads = [];
		const reconcile = async (world, late) => {
			const exchange = world.service.exchange.bind(world.service);
			world.service.exchange = async (request) => {
				const answer = await exchange(request);
				if (request.method !== 'GET' || !request.url.includes('Groups')) return answer;
				const at = reads.push(request.url);
				// The last list has two pages.
				if (at !== late && at !== late - 1) return answer;
				const id = world.userId('new');
				return { ...answer, text: answer.text.replaceAll(id, world.userId('zoe')) };
			};
			const fields = ofAccess([has('new', 'eng')], { createMissing: true });
			return await run(world, ACCESS, fields);
		};
		await reconcile(start({ zoe: 'eng vpn' }));
		const late = reads.splice(0).length;
		const world = start({ zoe: 'eng vpn' });
		await back(world, await reconcile(world, late));
		expect(reads.length).toBeGreaterThan(late);
		expect(world.shape().new).toBe('inactive');
	});

	test('says so where it is not known in which groups the run has left a new user', async () => {
		const world = start({ zoe: 'vpn' });
		const last = { method: 'GET', path: /Groups/, kind: 'status', status: 400 };
		world.service.faults.add({ ...last, nth: 1 });
		const record = await run(world, USERS, ofUsers([{ userName: email('ana') }]));
		expect(record.undo.summaryText).toContain('Not known in which groups they are');
		await back(world, record);
		expect(world.shape().ana).toBe('inactive');
	});

	test('of an Offboard that could not take one group lets the leaver in again', async () => {
		const world = start({ ana: 'eng vpn', zoe: 'eng vpn' }, { refusesRemovalFrom: ['vpn'] });
		const record = await run(world, ['access', 'offboard'], { people: email('ana') });
		expect(world.shape().ana).toBe('inactive vpn');
		await back(world, record);
		expect(world.shape().ana).toBe('eng vpn');
	});

	test('of such an Offboard lets nobody in who was out before', async () => {
		const people = { ana: 'inactive eng vpn', zoe: 'eng vpn' };
		const world = start(people, { refusesRemovalFrom: ['vpn'] });
		const record = await run(world, ['access', 'offboard'], { people: email('ana') });
		await back(world, record);
		expect(world.shape().ana).toBe('inactive vpn');
	});

	test('of an Offboard lets the leaver in, whose only group was deleted since', async () => {
		const world = start({ ana: 'eng', zoe: 'vpn' });
		const record = await run(world, ['access', 'offboard'], { people: email('ana') });
		world.service.groups.delete('eng');
		await back(world, record);
		expect(world.shape().ana).toBe('');
	});

	test('of Change Email to a new account gives all back, the last admin first, and is done then', async () => {
		const world = new Account({ ana: 'a:admin b:viewer', bob: 'b:admin' });
		const fields = { user: locator('email', email('ana')), newEmail: email('ana2') };
		const what = ['access', 'changeEmail'];
		const [{ plan }] = await play(world, what, { ...fields, preview: true });
		const record = await run(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(errorsIn(await back(world, record))).toStrictEqual([]);
		expect(world.shape()).toEqual({ ...world.before, ana2: 'inactive' });
		world.service.requests.length = 0;
		await back(world, record);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('of two runs goes the way back, and not the older one first', async () => {
		const world = start({ ana: { has: '', title: 'A' }, zoe: '' });
		const to = (title) => ofUsers([{ userName: email('ana'), title }]);
		const [first, second] = [await run(world, USERS, to('B')), await run(world, USERS, to('C'))];
		const titles = [];
		for (const record of [first, second, first]) {
			await back(world, record);
			titles.push(world.attributes().ana.title);
		}
		expect(titles).toEqual(['C', 'B', 'A']);
	});

	const ticking = async (text, more) => {
		const world = start({ ana: 'eng vpn', zoe: 'eng' }, more);
		const { undo } = await run(world, ['access', 'offboard'], { people: email('ana') });
		const approvedChanges = answerOf(undo.approvalForm, (line) => line.includes(text));
		await back(world, { undo }, { changes: 'approved', approvedChanges });
		return world.shape().ana;
	};
	test('of which a group alone is ticked gives nothing to whom is out', async () => {
		expect(await ticking('gets group "eng"')).toBe('inactive');
	});
	test('of which the reactivation alone is ticked lets the person in', async () => {
		expect(await ticking('is reactivated')).toBe('');
	});

	test('of a deletion that the service made a deactivation gives all back', async () => {
		const world = start({ ana: 'eng vpn', zoe: 'eng' }, { ...DROPS, deletesSoftly: true });
		const fields = { people: email('ana'), method: 'delete' };
		await back(world, await run(world, ['access', 'offboard'], fields));
		expect(world.shape()).toEqual(world.before);
	});

	const silent = (world) => {
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) => {
			const answer = await exchange(request);
			return { ...answer, text: answer.text?.replace(/"active":(true|false),?/g, '') };
		};
		return world;
	};
	test('gives no group back to whom the run has locked out, as far as it can tell', async () => {
		const world = silent(start({ ana: 'eng vpn', zoe: 'eng vpn' }));
		const record = await run(world, ['access', 'offboard'], { people: email('ana') });
		await back(world, record);
		expect(world.shape().ana).toBe('inactive');
	});

	test('of nested groups gives back the group alone in which the person was', async () => {
		const world = start({ ana: 'vault', zoe: 'eng' }, DROPS);
		world.service.groups.get('eng').push('vault');
		const record = await run(world, ['access', 'offboard'], { people: email('ana') });
		await back(world, record);
		expect(world.shape()).toEqual(world.before);
	});

	test('of who left by a row that ended, where memberships go with the account', async () => {
		const world = start({ ana: 'eng', zoe: 'vpn' }, DROPS);
		const list = [{ userName: email('zoe') }, { userName: email('ana'), to: PAST }];
		const record = await run(world, USERS, wholeUsers(list));
		expect(world.shape().ana).toBe('inactive');
		await back(world, record);
		expect(world.shape()).toEqual(world.before);
	});

	test('of a value that the service has made of another one sets the old one', async () => {
		const world = start({ ana: { has: '', title: 'Dev' }, zoe: '' });
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) => {
			const answer = await exchange(request);
			return { ...answer, text: answer.text?.replace(/"title":"Lead"/g, '"title":"LEAD"') };
		};
		const list = ofUsers([{ userName: email('ana'), title: 'Lead' }]);
		await back(world, await run(world, USERS, list));
		expect(world.attributes().ana.title).toBe('Dev');
	});

	test('protects who has joined a protected group since', async () => {
		const world = start({ ana: 'eng', zoe: 'eng vault' });
		const options = { protectMembersOf: rows('vault') };
		const record = await run(world, ['access', 'offboard'], { people: email('ana'), options });
		world.put({ ana: 'vault' });
		expect(errorsIn(await back(world, record)).join()).toContain('is protected');
		expect(world.shape().ana).toBe('inactive vault');
	});
});

describe('Protect Members Of', () => {
	const vault = { protectMembersOf: rows('vault') };
	const deleteEng = { chooseGroupBy: 'group', group: locator('id', 'eng'), preview: false };

	test('a group with a protected member is not deleted', async () => {
		const world = start({ ana: 'eng vault', zoe: 'eng' });
		const items = await play(world, ['group', 'delete'], { ...deleteEng, options: vault });
		expect(errorsIn(items).join()).toContain('is protected');
		expect(world.shape()).toEqual(world.before);
	});

	test('nor one in which the protected group is, whose members lose what it gives', async () => {
		const world = start({ ana: 'vault', zoe: 'eng' });
		world.service.groups.get('eng').push('vault');
		await play(world, ['group', 'delete'], { ...deleteEng, options: vault });
		expect(world.service.groups.has('eng')).toBe(true);
	});

	test('at any depth, and those in them count', async () => {
		const deep = () => {
			const world = start({ ana: 'vault', ben: 'mid', zoe: 'eng' }, { groups: ['mid'] });
			world.service.groups.get('eng').push('mid');
			world.service.groups.get('mid').push('vault');
			return world;
		};
		const world = deep();
		const items = await play(world, ['group', 'delete'], { ...deleteEng, options: vault });
		expect(errorsIn(items).join()).toContain('ana@example.com is protected');
		expect(world.service.groups.has('eng')).toBe(true);
		const two = { ...deleteEng, preview: true, options: { maxPeopleAffected: 2 } };
		const [{ blockedBy }] = await play(deep(), ['group', 'delete'], two);
		expect(blockedBy.join()).toContain('3 people would lose access');
	});

	test('Set Members leaves the protected group in it', async () => {
		const world = start({ ana: 'vault', ben: 'eng', zoe: 'eng' });
		world.service.groups.get('eng').push('vault');
		await play(world, ['group', 'setMembers'], {
			...{ ...deleteEng, people: email('zoe'), options: vault },
		});
		expect(world.service.groups.get('eng')).toContain('vault');
	});

	test.each([
		['Change Email', { ana: 'vault', zoe: 'eng' }],
		['Change Email to a protected user', { ana: 'eng', ana2: 'vault', zoe: 'eng' }],
	])('%s is refused', async (_, people) => {
		const world = start(people);
		const items = await play(world, ['access', 'changeEmail'], {
			...{ user: locator('email', email('ana')), newEmail: email('ana2'), preview: false },
			options: vault,
		});
		expect(errorsIn(items).join()).toContain('is protected');
		expect(world.shape()).toEqual(world.before);
	});

	test.each([
		['upsert', () => ({ userName: email('ana') })],
		['update', (w) => ({ user: w.user('ana') })],
	])('User: %s is refused', async (operation, who) => {
		const world = start({ ana: 'vault', zoe: 'eng' });
		const fields = { ...who(world), ...mapped({ title: 'X' }), options: vault };
		expect(errorsIn(await play(world, ['user', operation], fields)).join()).toContain('protected');
		expect(world.attributes()).toEqual(world.attributesBefore);
	});

	test('who is met by a create is protected, and gets no manager', async () => {
		const world = start({ bob: 'eng', zoe: 'eng vault' });
		meets(world, 'cai');
		world.service.groups.get('vault').push('id-cai');
		await play(world, ACCESS, {
			...{ preview: false, createMissing: true, scopeGroups: rows('eng') },
			...wanted([
				...ZOE.slice(0, 1),
				has('bob', 'eng'),
				has('cai', 'eng', { manager: email('cai') }),
			]),
			...{ accessColumns: { attributes: 'Manager' }, options: { ...vault, maxPeopleAffected: 9 } },
		});
		expect(world.shape().cai).toBe('vault');
		expect(managerOf(world, 'cai')).toEqual({ value: 'id-boss' });
	});
});

describe('managers', () => {
	const two = () => {
		const second = [
			{ value: email('eve'), primary: true },
			{ value: email('bob'), type: 'home' },
		];
		return start({ ana: '', bob: '', eve: { has: '', emails: second } });
	};
	const list = ofUsers([{ userName: email('ana'), ...byManager(email('bob')) }]);

	test('the user name of one and a second email of another are ambiguous in a list', async () => {
		const world = two();
		expect(errorsIn(await play(world, USERS, list)).join()).toContain('may be bob@example.com');
		expect(managerOf(world, 'ana')).toBeUndefined();
	});

	test('so are they in an Update', async () => {
		const world = two();
		const fields = { user: world.user('ana'), ...mapped(byManager(email('bob'))) };
		await play(world, ['user', 'update'], fields);
		expect(managerOf(world, 'ana')).toBeUndefined();
	});

	test('a new user, and a user who has that email as the second one, are, too', async () => {
		const second = [
			{ value: email('eve'), primary: true },
			{ value: email('cai'), type: 'home' },
		];
		const world = start({ eve: { has: '', emails: second } });
		const own = { emails: [{ value: email('cai'), primary: true }] };
		await play(world, ['user', 'create'], {}, [
			{ userName: email('dan'), ...mapped(byManager(email('cai'))) },
			{ userName: 'cai.x', ...mapped(own) },
		]);
		expect(managerOf(world, 'dan')).toBeUndefined();
	});

	/** The service shows another manager than was sent. */
	const makesAnother = (shown, other) => {
		const world = start({ ana: { has: '', [ENTERPRISE]: { manager: shown } }, bob: '' });
		const exchange = world.service.exchange.bind(world.service);
		const id = world.userId('bob');
		world.service.exchange = async (request) => {
			const answer = await exchange(request);
			const text = answer.text?.replaceAll(
				`"manager":{"value":"${id}"}`,
				`"manager":${JSON.stringify(other)}`,
			);
			return { ...answer, text };
		};
		return world;
	};
	test('another one than was sent is not done', async () => {
		const world = makesAnother({ value: 'id-eve' }, { value: 'id-boss' });
		expect(lines(world, await play(world, USERS, list))).toContain('updated ana unverified');
	});

	test('nor where the service shows the ID alone', async () => {
		const world = makesAnother('id-eve', 'id-boss');
		expect(lines(world, await play(world, USERS, list))).not.toContain('updated ana done');
	});

	test('who is deactivated in the same run is said to be', async () => {
		const world = start({ ana: '', bob: '' });
		const leaves = { userName: email('bob'), active: false };
		const [row] = JSON.parse(list.usersJson);
		const items = await play(world, USERS, ofUsers([row, leaves]));
		expect(items.flatMap(({ warnings }) => warnings ?? []).join()).toContain('bob@example.com');
	});

	test('who was not approved is not set, and nothing is sent', async () => {
		const world = start({ ana: '', bob: '' });
		const all = [
			{ userName: email('ana'), ...byManager(email('new')) },
			{ userName: email('new') },
		];
		const [{ plan, approvalForm }] = await play(world, USERS, ofUsers(all, { preview: true }));
		const approvedChanges = answerOf(approvalForm, (_, label) => label.includes('ana'));
		const fields = { changes: 'approved', plan, approvedChanges };
		const items = await play(world, ['access', 'applyPlan'], fields);
		expect(errorsIn(items).join()).toContain('was not created');
		expect(world.service.written()).toStrictEqual([]);
	});
});

describe('a list that was not whole', () => {
	const people = (more) =>
		start({
			...{ ana: { has: '', externalId: 'E1' }, ben: { has: 'eng', externalId: 'E2' } },
			...{ zoe: { has: '', externalId: 'E3' }, ...more },
		});

	test('a rename that meets a user whom it lacked deactivates nobody either', async () => {
		const world = people();
		let isMet = false;
		world.service.given.onRequest = (_, { method }, scim) => {
			if (method === 'GET' || isMet) return;
			isMet = true;
			const login = { userName: email('silva'), email: email('silva'), active: true };
			scim.store({ id: 'id-silva', ...login, attributes: {} });
		};
		const list = [{ externalId: 'E1', userName: email('silva') }, { externalId: 'E3' }];
		await play(world, USERS, wholeUsers(list, { by: 'externalId', dates: {} }));
		expect(world.shape().ben).toBe('eng');
	});

	test('a rename that is refused for somebody in the list holds nobody back', async () => {
		const second = [
			{ value: email('zoe'), primary: true },
			{ value: email('silva'), type: 'home' },
		];
		const world = people({ zoe: { has: '', externalId: 'E3', emails: second } });
		world.service.faults.add({ method: 'PATCH', nth: 1, kind: 'status', status: 409 });
		const list = [{ externalId: 'E1', userName: email('silva') }, { externalId: 'E3' }];
		const items = await play(world, USERS, wholeUsers(list, { by: 'externalId', dates: {} }));
		expect(errorsIn(items).join()).toContain('409');
		expect(world.shape().ben).toBe('inactive eng');
	});

	test('who left by a row that ended is in a row, and goes all the same', async () => {
		const world = people();
		meets(world, 'new', {});
		const ended = { externalId: 'E2', to: PAST };
		const list = [{ externalId: 'E9', userName: email('new') }, ended];
		await play(
			world,
			USERS,
			wholeUsers([...list, { externalId: 'E1' }, { externalId: 'E3' }], { by: 'externalId' }),
		);
		expect(world.shape().ben).toBe('inactive eng');
	});
});

describe('a run that returns one item', () => {
	test('holds no secret', async () => {
		const secrets = { password: 'hunter22', 'urn:x:User:apiKey': 'sek-1', clientSecret: 'sek-2' };
		const world = start({ ana: '', zoe: '' });
		const all = [
			{ userName: email('ana'), ...secrets },
			{ userName: email('new'), ...secrets },
		];
		const record = await run(world, USERS, ofUsers(all));
		expect(JSON.stringify(record)).not.toMatch(/hunter22|sek-/);
	});
});

describe('dates', () => {
	/** Three people are in a group of which no row is left but one of somebody who is long gone. */
	const lost = (more) => {
		const world = start({ ana: 'eng', ben: 'eng', cid: 'eng', zoe: 'vpn' });
		const list = [has('zoe', 'vpn'), ...more];
		return [world, ofAccess([], { ...wanted(dated(list)) })];
	};
	test('a group without any row blocks the run', async () => {
		const [world, fields] = lost([]);
		const items = await play(world, ACCESS, fields);
		expect(errorsIn(items).join()).toContain('No row wants access in eng');
	});

	test('so does one whose only row ended years ago, of somebody who is not in it', async () => {
		const [world, fields] = lost([has('old', 'eng', { to: '2019-12-31' })]);
		await play(world, ACCESS, fields);
		expect(world.shape()).toEqual(world.before);
	});

	test.each([
		['without a person', { email: '', group: 'eng', ...HOLD }],
		['of an unknown group', has('ana', 'nope', HOLD)],
	])('a row on hold %s keeps everybody', async (_, row) => {
		const world = start({ ana: 'eng', ben: 'eng', zoe: 'eng vpn' });
		await play(world, ACCESS, ofAccess([row], { options: { deactivatesEmpty: true } }));
		expect(world.shape()).toEqual(world.before);
	});

	test('one of a group out of scope keeps all that the person has in scope', async () => {
		const world = start({ ana: 'eng', zoe: 'eng vpn' }, { groups: ['eng', 'vpn', 'other'] });
		await play(world, ACCESS, ofAccess([has('ana', 'other', HOLD)]));
		expect(world.shape()).toEqual(world.before);
	});

	test('whose row ended is not locked out while another row of the person cannot be used', async () => {
		const world = start({ ana: 'eng', zoe: 'eng vpn' });
		const list = [has('ana', 'eng', { to: PAST }), has('ana', 'vpn', { from: 'x' })];
		await play(world, ACCESS, ofAccess(list, { options: { deactivatesEmpty: true } }));
		expect(world.shape().ana).toBe('');
	});

	test('on a service that shows no active who is active, hold keeps and an end locks out', async () => {
		const world = start({ ana: 'eng', ben: 'eng', zoe: 'vpn' });
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) => {
			const answer = await exchange(request);
			return { ...answer, text: answer.text?.replace(/"active":true,?/g, '') };
		};
		const all = [
			{ userName: email('ana'), ...HOLD },
			{ userName: email('ben'), to: PAST },
		];
		await play(world, USERS, wholeUsers([...all, { userName: email('zoe') }]));
		expect(world.shape()).toEqual({ ...world.before, ben: 'inactive eng' });
	});

	test('a role is kept on hold, by the email of another user name', async () => {
		const world = new Account({ ana: 'a:member', zoe: 'a:admin' });
		const row = (name, role, more) => ({
			email: email(name),
			organization: 'org-a',
			role,
			...more,
		});
		await play(world, ACCESS, {
			...{ accessBy: 'organizationAndRole', scopeOrganizations: 'org-a', preview: false },
			...{ dates: DATES, ...wanted(dated([row('zoe', 'admin'), row('ana', 'viewer', HOLD)])) },
		});
		expect(world.shape()).toEqual(world.before);
	});
});
