'use strict';

const { waited, waiting } = require('../support/noWaiting');
const { Account, Groups, email } = require('../support/behavior');
const { on: honest } = require('../support/honest');
const { userIdOf } = require('../support/memoryService');
const { triggerAt, triggerTable } = require('../support/triggerPlay');

const ACCESS = ['accessGranted', 'accessRevoked', 'roleChanged'];
const USERS = ['userActivated', 'userCreated', 'userDeactivated', 'userDeleted'];
const ALL = [...ACCESS, ...USERS];
/** What an item says of an event that has none of it. */
const NO_MORE = {
	...{ active: null, group: null, groupId: null, roleBefore: null, role: null },
	...{ changedAttributes: null, seenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
	text: expect.stringMatching(/ was .*\.$/),
};
const NO_ORGANIZATION = { organization: null, organizationName: null };

const id = (name) => userIdOf(email(name));
const account = () =>
	new Account({ ana: 'a:member', bob: 'a:admin b:admin', cid: 'a:viewer b:member', idle: '' });
const PEOPLE = { ana: 'eng', ben: 'eng', cid: 'vpn', dan: 'vpn' };
const on =
	(people = PEOPLE, more = {}) =>
	() =>
		new Groups(people, { usersShowGroups: 'absent', ...more });
const generic = { credential: { serviceProfile: 'generic' } };
const wishing = (events, more) => ({ set: { events, ...more } });
const any = { options: { maxPercentAffected: 100 } };

const create = (name) => (scim) => scim.create(email(name));
const remove = (name) => (scim) => scim.delete(id(name));
const setActive = (name, active) => (scim) => scim.setActive(id(name), active);
const rename = (group, displayName) => (scim) => scim.about.set(group, { displayName });
const dropGroup = (group) => (scim) => scim.groups.delete(group);
const shows = (switches) => (scim) => Object.assign(scim.switches, switches);
const fails = (fault) => (scim) => scim.faults.add(fault);
const healed = (scim) => scim.faults.clear();
/** The list leaves out a user who exists. */
const hide = (name) => (scim) => scim.indexedAt.set(id(name), Infinity);
const showAll = (scim) => scim.indexedAt.clear();
const put = (words) => (_, world) => world.put(words);
const all =
	(...deeds) =>
	(scim, world) =>
		deeds.forEach((deed) => deed(scim, world));
/** A read of the user finds groups that no list has shown. */
const joinsWhenAsked =
	(name, ...groups) =>
	(scim, world) => {
		scim.given.onRequest = (_, { path }) => {
			if (!path.endsWith(`/Users/${id(name)}`)) return;
			for (const group of groups) scim.add(world.keyOf(group), id(name));
		};
	};
/** What a sentence calls a user whose display name is the name. */
const called = (name) => `${name} (${email(name)})`;
const numbered = (count, hasOf) =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, hasOf(at)]));

describe('what has happened', () => {
	test('each kind of event, once, with all that is known of it', async () => {
		const world = account();
		const { service } = world;
		const names = { organization: [{ name: 'Marketing', id: 'org-a' }] };
		const look = triggerAt(service, { events: ALL, credential: { organizationNames: names } });
		expect(await look()).toEqual([]);
		expect(waited()).toBe(10_000);
		const roles = { ana: 'a:admin', idle: 'a:viewer' };
		all(create('new'), setActive('cid', false), put(roles))(service, world);
		const a = (role) => ({
			...{ organization: 'org-a', organizationName: 'Marketing' },
			...{ group: `whylabs-org-a:${role}`, groupId: `whylabs-org-a:${role}` },
		});
		const event = (kind, name, more) => ({
			...{ ...NO_MORE, ...NO_ORGANIZATION, event: kind, userId: id(name) },
			...{ userName: email(name), active: true, ...more },
		});
		const items = await look();
		expect(items).toHaveLength(6);
		expect(items).toEqual(
			expect.arrayContaining([
				event('userCreated', 'new', { text: 'new@example.com was created.' }),
				event('userDeactivated', 'cid', {
					...{ active: false, text: `${called('cid')} was deactivated.` },
				}),
				event('accessGranted', 'idle', {
					...{ ...a('viewer'), role: 'viewer' },
					text: `${called('idle')} was added to Marketing as viewer.`,
				}),
				event('roleChanged', 'ana', {
					...{ ...a('admin'), roleBefore: 'member', role: 'admin' },
					text: `${called('ana')} was moved from member to admin in Marketing.`,
				}),
				event('accessRevoked', 'cid', {
					...{ ...a('viewer'), active: false, roleBefore: 'viewer' },
					text: `${called('cid')} was removed from Marketing.`,
				}),
			]),
		);
	});

	const [GROUPS, LIST] = ['GET Groups', 'GET Users'];
	const married = (scim) =>
		scim.store({ ...scim.byName(email('ana')), userName: email('married'), active: false });
	const reads = (...lines) => [undefined, undefined, { reads: lines }];
	const begins = { events: ALL, on: account };
	triggerTable(
		[
			[
				'the first check looks twice, one without a change once',
				{ ...wishing(ALL), first: reads(GROUPS, LIST, GROUPS, LIST) },
				[reads(GROUPS, LIST)],
			],
			[
				...['users come, go, and are let in and out', wishing(ALL)],
				[
					[all(create('new'), setActive('idle', false)), 'userDeactivated idle; userCreated new'],
					[all(remove('new'), setActive('idle', true)), 'userActivated idle; userDeleted new'],
				],
			],
			[
				'Any Access Change: each change once, of whatever kind, also beside the kind itself',
				{ ...wishing(['anyAccessChange', 'accessGranted']), first: reads(GROUPS, GROUPS) },
				[
					[
						all(create('new'), put({ ana: 'a:admin', cid: 'a:viewer', idle: 'b:viewer' })),
						'roleChanged ana org-a member>admin; accessRevoked cid b:member; accessGranted idle b:viewer',
					],
				],
			],
			[
				'only what was chosen is read, and reported',
				{ ...wishing(['accessRevoked']), first: reads(GROUPS, GROUPS) },
				[[all(create('new'), put({ ana: '', idle: 'a' })), 'accessRevoked ana a:member']],
			],
			[
				'users alone are read without an event of access',
				{ ...wishing(['userDeleted']), first: reads(LIST, LIST) },
				[[remove('idle'), 'userDeleted idle']],
			],
			[
				'in chosen organizations only; what happened elsewhere is not made up for later',
				wishing(ACCESS, { options: { organizations: 'org-b' } }),
				[
					[{ ana: 'a:admin b:viewer', idle: 'a:viewer' }, 'accessGranted ana b:viewer'],
					[undefined, [], { set: { options: {} } }],
				],
			],
			[
				...['events that are chosen later begin with what is there then', wishing(ACCESS)],
				[
					[
						...[all(create('new'), put({ idle: 'a:viewer' })), 'accessGranted idle a:viewer'],
						{ set: { events: ALL } },
					],
					[create('newer'), 'userCreated newer'],
				],
			],
			[
				...['people go by their newest name', wishing(ALL)],
				[[married, 'userDeactivated married; accessRevoked married a:member']],
			],
			[
				...['two roles that are over in a moment are waited for', wishing(ACCESS)],
				[
					[
						(scim) => scim.groups.get('org-a:admin').push(id('ana')),
						...['roleChanged ana org-a member>admin', { during: { ana: 'a:admin' } }],
					],
				],
			],
			...[
				['an event that there is not', ['accessChanged'], /has an unknown event "accessChanged"/],
				['no event', [], /Trigger On is empty/],
			].map(([it, events, error]) => [
				...[it, { ...wishing(events), first: [undefined, error], open: true }],
			]),
			...[
				['another account', { credential: { accountOrganizationId: 'org-other' } }],
				['another service', { credential: { baseUrl: 'http://other.test' } }],
				['another credential', { id: '2' }],
			].map(([it, set]) => [
				...[`${it} begins anew`, wishing(ALL)],
				[
					[create('new'), [], { set }],
					[create('newer'), 'userCreated newer'],
				],
			]),
		],
		{ on: account },
	);

	const first = ([one]) => one;
	test.each([
		['of another version of the node', ({ format, ...older }) => format && older],
		['no text', () => 7],
		['cut off', (_, text) => text.slice(0, -9)],
		[
			'a user in a group that there is not',
			(kept) => ({ ...kept, people: { 7: ['a', true, [99]] } }),
		],
		['a user who is nothing', (kept) => ({ ...kept, people: { 7: null } })],
		['a group whose ID is a number', (kept) => ({ ...kept, groups: [[1, 'x']] })],
		['no groups', ({ groups, ...kept }) => first(groups) && kept],
		['accounts that are neither', (kept) => ({ ...kept, covers: 7 })],
		[
			'a user less',
			({ people, ...kept }) => ({
				...kept,
				people: Object.fromEntries(Object.entries(people).slice(1)),
			}),
		],
	])('what is kept begins anew, with a warning, if it is %s', async (_, damage) => {
		const { service } = account();
		const warnings = [];
		const look = triggerAt(service, { events: ALL, warn: (text) => warnings.push(text) });
		await look();
		const { seen } = look.memory;
		const other = damage(JSON.parse(seen), seen);
		look.memory.seen = typeof other === 'object' ? JSON.stringify(other) : other;
		create('new')(service);
		expect(await look()).toEqual([]);
		expect(warnings).toEqual([expect.stringMatching(/starts over.*or what it kept is damaged/)]);
		create('newer')(service);
		expect((await look()).map(({ event }) => event)).toEqual(['userCreated']);
		expect(warnings).toHaveLength(1);
	});
});

describe('what is not so', () => {
	const users = wishing(USERS, generic);
	const access = wishing(ACCESS, generic);
	const oddGroup = (scim) => {
		scim.given.onRequest = (_, { path }) => {
			scim.drop('eng', id('ben'));
			if (path === '/Groups/eng') scim.add('eng', id('ben'));
		};
	};
	const instead = (body) =>
		all(
			fails({ path: /Users\/./, kind: 'missing' }),
			fails({ path: '/Users', kind: 'status', status: 200, body }),
		);
	const nobody = (scim) => Object.assign(scim, { kept: scim.users, users: new Map() });
	const somebody = (scim) => Object.assign(scim, { users: scim.kept });
	const crowd = on(numbered(40, (at) => (at < 20 ? 'eng' : 'vpn')));
	const ten = all(...Array.from({ length: 10 }, (_, at) => remove(`p${at}`)));
	triggerTable(
		[
			[
				...['what two looks do not show alike is no event', access],
				[[{ ana: '', cid: 'vpn eng' }, 'accessGranted cid eng', { during: { ana: 'eng' } }]],
			],
			[
				...['a change between the two looks comes with the next check', access],
				[
					[{ ana: 'eng vpn' }, [], { during: { ana: 'eng', ben: 'eng vpn' } }],
					[undefined, 'accessGranted ben vpn'],
				],
			],
			[
				'an old read is remembered of nothing, chosen or not',
				wishing(['accessRevoked'], generic),
				[
					[{ ana: '' }, 'accessRevoked ana eng'],
					[{ ana: 'eng' }, [], { during: { ana: '' } }],
				],
			],
			[
				'who is missing from one list is not new in the next',
				wishing(['userCreated'], generic),
				[[hide('ben'), [], { during: showAll }]],
			],
			[
				...['who is missing from lists, and there alone, is not deleted', users],
				[
					[hide('ben'), [], { reads: ['GET Users', 'GET Users', 'GET ben'] }],
					[remove('ben'), 'userDeleted ben'],
				],
			],
			[
				...['a list that leaves inactive users out: deactivated, not deleted', users],
				[
					[all(setActive('ben', false), hide('ben')), 'userDeactivated ben'],
					[],
					[all(showAll, setActive('ben', true)), 'userActivated ben'],
				],
			],
			[
				'who was shown active, and shows nothing while others show it, is inactive',
				{
					...wishing(['userActivated', 'userDeactivated'], generic),
					on: honest(
						{ ana: 'eng', ben: 'eng' },
						{ shows: ({ active, ...one }) => (active ? { ...one, active } : one) },
					),
				},
				[
					[setActive('ben', false), 'userDeactivated ben'],
					[],
					[setActive('ben', true), 'userActivated ben'],
				],
			],
			[
				...['what nobody shows any more has not changed, and is named', users],
				[
					[shows({ active: 'absent' }), [], { warns: [/whether these are active.*ben@/] }],
					[shows({ active: 'boolean' })],
				],
			],
			[
				...['where no user is found alone, none is deleted', { ...users, open: true }],
				[
					[
						all(fails({ path: /^\/Users\//, kind: 'missing' }), remove('dan')),
						/Users of the list cannot be read by ID/,
					],
				],
			],
			[
				...['a member that the list of groups lacks, and the group has, is still in', access],
				[
					[oddGroup],
					[(scim) => (scim.given.onRequest = undefined)],
					[{ ben: '' }, 'accessRevoked ben eng'],
				],
			],
			[
				'the only one with access is not lost to an empty list',
				{ ...access, on: on({ ana: 'eng', ben: '' }, { groups: ['vpn'] }) },
				[
					[all(put({ ben: 'vpn' }), dropGroup('eng')), /1 people seem to have lost access/],
					[undefined, 'accessRevoked ana eng; accessGranted ben vpn', { set: any }],
				],
			],
			[
				'no users are no beginning',
				{ ...users, on: on({}), first: [undefined, /The service shows no users/] },
				[[create('ana')]],
			],
			[
				'two looks that differ are no beginning',
				{
					...{ ...users },
					first: [undefined, /can't set a starting point/, { during: create('new') }],
				},
				[[]],
			],
			[
				'an empty list is a loss, whatever was chosen',
				{ ...wishing(['userCreated'], generic), open: true },
				[
					[nobody, /^4 people seem .* more than Max Percent Affected allows: it is everyone/],
					[somebody],
					[
						...[nobody, Array(4).fill({ event: 'userDeleted' })],
						{ set: { events: USERS, ...any } },
					],
				],
			],
			[
				'more losses than the limit: nothing is reported until it is raised',
				{ ...users, on: crowd },
				[
					[ten, /^10 people .*the greater of 5 people and 10 % of the 40 users\). Nothing was/],
					[
						...[undefined, Array(10).fill({ event: 'userDeleted' })],
						{ set: { options: { maxPeopleAffected: 10 } } },
					],
				],
			],
			[
				...['more losses of access than the limit', { ...access, on: crowd, open: true }],
				[[numbered(6, () => ''), /^6 people seem to have lost access .* the limit of 5/]],
			],
			...[
				['an empty list', { Resources: [], totalResults: 0, schemas: [] }, /4 people seem to/],
				['a part', { Resources: [{ id: 'u', userName: 'u' }], totalResults: 4 }, /incomplete/],
				['a web page', '<html><title>Gateway</title></html>', /not JSON/],
			].map(([it, body, error]) => [
				`${it} instead of the list is no event`,
				...[users, [[instead(body), error], [healed]]],
			]),
			[
				'a token that is refused is no event',
				...[users, [[fails({ kind: 'status', status: 401 }), /answered 401/], [healed]]],
			],
			[
				'a list whose cursor expires is no event',
				{ ...users, on: on(PEOPLE, { paging: 'cursor', refusesQuery: [], pageCap: 2 }) },
				[[shows({ cursorMs: -1 }), /The cursor is too old/], [shows({ cursorMs: Infinity })]],
			],
		],
		{ on: on() },
	);

	test('the limit is of those who are watched', async () => {
		const { service } = new Account(numbered(60, (at) => (at < 20 ? 'a:viewer' : 'b:viewer')));
		const look = triggerAt(service, { events: ACCESS, options: { organizations: 'org-a' } });
		await look();
		for (let at = 0; at < 6; at++) service.dropAll(id(`p${at}`));
		await expect(look()).rejects.toMatchObject({
			message: expect.stringContaining(
				'the limit of 5 (the greater of 5 people and 10 % of the 20 people with access in the organizations that are watched)',
			),
			description: expect.stringContaining('raise the limit under Safety Limits'),
		});
	});

	test('the pause between two looks is Confirm After', async () => {
		await triggerAt(account().service, { options: { confirmAfter: 7 } })();
		expect(waited()).toBe(7_000);
	});

	test('a check that is due while another one is under way is left out', async () => {
		const { service } = account();
		const look = triggerAt(service, { events: USERS });
		await look();
		setActive('idle', false)(service);
		service.requests.length = 0;
		const [one, other] = await look({ together: 2 });
		expect([one.map(({ event }) => event), other]).toEqual([['userDeactivated'], []]);
		expect(service.requests).toHaveLength(2);
	});

	test('a check that took too long puts nothing back', async () => {
		const { service } = account();
		const look = triggerAt(service, { events: USERS });
		await look();
		create('new')(service);
		waiting.during = () => (look.memory.seen = 'that of another check');
		expect(await look()).toEqual([]);
		expect(look.memory.seen).toBe('that of another check');
	});

	test.each(['init', 'leadershipChange'])(
		'when n8n starts by itself (%s) an error is recorded, so that it goes on looking',
		async (activation) => {
			const { service } = account();
			const errors = [];
			const record = (error) => errors.push(error);
			const look = triggerAt(service, { record, options: { maxWait: 0 } });
			await look();
			service.faults.add({ kind: '500-html' });
			expect(await look({ activation })).toEqual([]);
			expect(errors).toEqual([expect.stringContaining('the service answered 500')]);
			await expect(look()).rejects.toThrow('the service answered 500');
		},
	);
});

describe('users who were updated', () => {
	const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
	const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User:';
	const name = { givenName: 'Ana', familyName: 'Silva' };
	const emails = [
		{ value: email('ana'), type: 'work', primary: true },
		{ value: 'ana@home.example', type: 'home' },
	];
	const ward = (manager) => ({ [ENTERPRISE]: { department: 'Ward', manager: { value: manager } } });
	const ana = { ...{ has: '', title: 'Nurse', nickName: 'An', name, emails }, ...ward('m-1') };
	const watching = (more) => wishing(['userUpdated'], { ...generic, ...more });
	const change =
		(attributes, who = 'ana') =>
		(scim) => {
			const user = scim.users.get(id(who));
			scim.store({ ...user, attributes: { ...user.attributes, ...attributes } });
		};
	const titled = (title, who) => change({ title }, who);
	const married = (scim) =>
		scim.store({ ...scim.users.get(id('ana')), userName: email('married') });
	const updated = (...changedAttributes) => [
		{ event: 'userUpdated', userId: id('ana'), changedAttributes },
	];
	const later = { events: ['userCreated', 'userUpdated'] };
	const small = { options: { maxPeopleAffected: 1, maxPercentAffected: 1 } };
	const LIST = ['GET Users'];
	triggerTable(
		[
			[
				'one event, without more requests than the lists take',
				{ ...watching(), first: [undefined, [], { reads: [...LIST, ...LIST] }] },
				[
					[undefined, [], { reads: LIST }],
					[
						titled('Head Nurse'),
						[{ ...NO_MORE, ...updated('title')[0], userName: email('ana'), active: true }],
						{ reads: [...LIST, ...LIST] },
					],
					[married, [{ ...updated('userName')[0], userName: email('married') }]],
				],
			],
			...[
				['the same in another order', { emails: [...emails].reverse() }],
				['other names', { NAME: undefined, name: { FAMILYNAME: 'Silva', givenName: 'Ana' } }],
				['nothing, said', { externalId: null, name: { ...name, middleName: '' } }],
				['what is not watched', { nickName: 'Anita', [ENTERPRISE]: { department: 'ER' } }],
			].map(([it, attributes]) => [
				...[`${it} is no event`, watching()],
				[[change(attributes)], [titled('Head Nurse'), updated('title')]],
			]),
			[
				...['who is new, gone, added to a group or deactivated is not updated', watching()],
				[[all(create('dan'), remove('ben'), setActive('ana', false), put({ ana: 'eng' }))]],
			],
			[
				'attributes, sub-attributes and those of extensions that are named',
				watching({
					watched: `emails.value, Title, ${ENTERPRISE}:manager.value, ${CORE}nickName`,
				}),
				[
					[change({ name: {}, emails: emails.map(({ value }) => ({ value })) })],
					[
						change({ title: undefined, ...ward('m-2') }),
						updated('Title', `${ENTERPRISE}:manager.value`),
					],
					[
						change({ nickName: 'Nan', emails: emails.slice(1) }),
						updated('emails.value', `${CORE}nickName`),
					],
				],
			],
			[
				...['other attributes from now on begin anew', watching({ watched: 'title' })],
				[
					[titled('Head Nurse'), [], { set: { watched: 'title, nickName' } }],
					[titled('Matron'), updated('title')],
				],
			],
			[
				'the same attributes in another order and case go on',
				watching({ watched: 'title, userName' }),
				[[titled('Head'), updated('Title'), { set: { watched: 'username\nTitle' } }]],
			],
			[
				'chosen later: begins with what is there then, and the other events go on',
				watching({ events: ['userCreated'] }),
				[
					[all(titled('Head Nurse'), create('dan')), 'userCreated dan', { set: later }],
					[titled('Matron'), updated('title')],
				],
			],
			[
				...['what one look shows alone is no event, and is none later', watching()],
				[
					[titled('Old'), [], { during: titled('Nurse') }],
					// A new user, too, whose first read was stale.
					[all(create('dan'), titled('Old', 'dan')), [], { during: titled('New', 'dan') }],
					[titled('Old', 'dan'), [], { during: titled('New', 'dan') }],
					[titled('New', 'dan')],
					[titled('Newest', 'dan'), 'userUpdated dan'],
				],
			],
			[
				'a change between the two looks comes with the next check, and keeps no trigger from beginning',
				{ ...watching(), first: [undefined, [], { during: titled('Doctor') }] },
				[
					[],
					[titled('Matron'), [], { during: titled('Head Nurse') }],
					[undefined, updated('title')],
				],
			],
			[
				...['who is missing from a list for a while is compared with what was known', watching()],
				[
					...[[hide('ana')], [showAll], [all(hide('ana'), titled('Head Nurse'))]],
					[showAll, updated('title')],
				],
			],
			[
				...['all at once are no loss', watching(small)],
				[
					[
						all(...['ana', 'ben', 'cid'].map((who) => titled('All', who))),
						'userUpdated ana; userUpdated ben; userUpdated cid',
					],
				],
			],
			...[
				['', /Watched Attributes is empty/],
				['title, Meta', /"Meta", which cannot be watched/],
				['emails[type eq "work"]', /which is not an attribute name/],
			].map(([watched, error]) => [
				`Watched Attributes ${watched}`,
				{ ...watching({ watched }), first: [undefined, error, { reads: [] }] },
				// Not checked where the event is not chosen.
				[[undefined, [], { set: { events: ['userCreated'] } }]],
			]),
		],
		{ on: on({ ana, ben: '', cid: '' }, { groups: ['eng'] }) },
	);

	test('what is kept tells no values', async () => {
		const look = triggerAt(on({ ana })().service, watching().set);
		await look();
		expect(look.memory.seen).not.toMatch(/Nurse|Silva|home\.example/);
	});

	test('a test in the editor shows an item, and remembers nothing', async () => {
		const look = triggerAt(on({ ana })().service, { ...watching().set, mode: 'manual' });
		const [sample] = updated('userName', 'name', 'emails', 'title');
		expect(await look()).toEqual([expect.objectContaining({ ...sample, isSample: true })]);
		expect(look.memory).toEqual({});
	});
});

describe('a test in the editor', () => {
	const manual = { mode: 'manual' };

	test('shows five of each as if they were new, and remembers nothing', async () => {
		const { service } = new Account(numbered(8, () => 'a:viewer'));
		const look = triggerAt(service, { ...manual, events: [...ALL, 'anyAccessChange'] });
		const items = await look();
		const kinds = items.map(({ event }) => event).sort();
		expect(kinds).toEqual([...Array(5).fill('accessGranted'), ...Array(5).fill('userCreated')]);
		expect(items.every(({ isSample }) => isSample)).toBe(true);
		expect(look.memory).toEqual({});
	});

	test('test events never include removals', async () => {
		const events = ['accessRevoked', 'userDeactivated', 'userDeleted'];
		await expect(triggerAt(account().service, { ...manual, events })()).rejects.toThrow(
			'There is no test event for the chosen events',
		);
	});
});

describe('before the loss of a role is reported', () => {
	const people = { ana: 'a:member', bob: 'a:admin b:admin', cid: 'a:member' };
	const more = { groups: ['a:viewer', 'b:viewer'], addMoves: false };
	const leftOut = (it, now, then) => [
		it,
		{ on: () => new Account(people, more), ...wishing(ACCESS), open: true },
		[[all(put({ ana: '' }), joinsWhenAsked('ana', ...now)), then]],
	];
	const moved = 'roleChanged ana org-a member>admin';
	triggerTable([
		leftOut('a role that changed meanwhile: the user shows it', ['a:admin'], moved),
		leftOut('a role elsewhere: this one is lost', ['b:viewer'], 'accessRevoked ana a:member'),
		leftOut('two roles there are left for the next check', ['a:admin', 'a:viewer'], []),
	]);
});

describe('a service whose groups stand for themselves', () => {
	const people = { ana: 'eng eng2', ben: 'eng', cid: 'eng2', dan: 'eng2' };
	const groups = [
		{ id: 'eng', displayName: 'Engineering' },
		{ id: 'eng2', displayName: 'Engineering' },
		{ id: 'vpn', displayName: 'VPN' },
	];
	const showing = (switches) => ({ on: on(people, { groups, ...switches }) });
	const named = (event, name, group, groupId) => ({ event, userName: email(name), group, groupId });
	const shown = { most: 200 };
	const UNKNOWN = /The service does not show who is in which group/;
	const MIXED = /Groups no longer show members/;
	const empty = shows({ showsMembers: 'empty' });
	const full = shows({ showsMembers: 'all' });
	triggerTable(
		[
			[
				...['who came into a group and who left it, by name', {}],
				[
					[
						{ ana: 'eng', ben: 'eng eng2' },
						[
							{ ...NO_MORE, ...named('accessRevoked', 'ana', 'Engineering', 'eng2') },
							named('accessGranted', 'ben', 'Engineering', 'eng2'),
						],
					],
				],
			],
			[
				'where users alone show it',
				showing({ showsMembers: 'absent', usersShowGroups: 'whenAny' }),
				[
					[{ dan: 'eng2 vpn', ben: '' }, 'accessRevoked ben eng; accessGranted dan vpn'],
					// No user shows groups any more: nothing is known, and nothing was revoked.
					[shows({ usersShowGroups: 'absent' }), UNKNOWN],
					[shows({ usersShowGroups: 'whenAny' })],
				],
			],
			[
				'where groups alone show it, an empty one without members included',
				showing({ showsMembers: 'whenAny' }),
				[
					[
						{ ana: 'eng2', ben: '', dan: 'eng2 vpn' },
						'accessRevoked ana eng; accessRevoked ben eng; accessGranted dan vpn',
						{ set: any },
					],
				],
			],
			[
				'who is not among the first hundred that are shown has not left, and the group is named',
				{
					on: honest(
						numbered(102, () => 'eng'),
						{
							...{ groups, usersShowGroups: 'absent', membershipFilter: 'off' },
							shows: (one) =>
								one.members ? { ...one, members: one.members.slice(0, shown.most) } : one,
						},
					),
				},
				[
					[() => (shown.most = 100), [], { warns: [/Engineering shows exactly 100/] }],
					[all(() => (shown.most = 200), put({ p1: '' })), 'accessRevoked p1 eng'],
				],
			],
			[
				...['who stops showing members at all has taken nothing', {}],
				[[shows({ showsMembers: 'absent' }), UNKNOWN, { set: any }], [full]],
			],
			[
				'whose groups are empty for a while, while users show theirs: the two are not compared',
				showing({ usersShowGroups: 'all', unlistedGroups: ['vpn'] }),
				[
					[empty, [], { warns: [MIXED] }],
					[all(full, put({ cid: 'eng eng2' })), [], { during: empty, warns: [] }],
					[full, 'accessGranted cid eng'],
				],
			],
			[
				...['a group with another name is nothing; what happens in it goes by that', {}],
				[
					[rename('eng', 'Research')],
					[{ dan: 'eng eng2' }, [named('accessGranted', 'dan', 'Research', 'eng')]],
				],
			],
			[
				...['a group that is gone is named in the events of those who were in it', {}],
				[
					[
						dropGroup('eng'),
						['ana', 'ben'].map((name) => named('accessRevoked', name, 'Engineering', 'eng')),
					],
				],
			],
			['groups in groups are nobody', {}, [[(scim) => scim.add('vpn', 'eng')]]],
			[
				'that shows nobody anywhere',
				{ ...showing({ showsMembers: 'absent' }), first: [undefined, UNKNOWN], open: true },
			],
			[
				'has no organizations to choose from',
				{
					...wishing(ACCESS, { ...generic, options: { organizations: 'X' } }),
					...{ first: [undefined, /No group belongs to the organization X/], open: true },
				},
			],
		],
		{ ...showing(), ...wishing(ACCESS, generic) },
	);

	describe('values on users', () => {
		const holds =
			(name, ...values) =>
			(scim) => {
				const user = scim.users.get(id(name));
				const roles = values.map((value) => ({ value }));
				scim.store({ ...user, attributes: { ...user.attributes, roles } });
			};
		const hold = (value) => all(...['ana', 'ben', 'dan'].map((name) => holds(name, value)));
		const unread = {
			credential: { serviceProfile: 'generic', overrideProfile: true, accessAttributes: 'none' },
		};
		const hidden = (scim) => {
			for (const user of scim.users.values()) {
				const { roles: _, ...attributes } = user.attributes;
				scim.store({ ...user, attributes });
			}
		};
		const always = {
			credential: {
				...generic.credential,
				overrideProfile: true,
				usersShowAccessAttributes: 'yes',
			},
		};
		const revoked = { ...NO_MORE, attribute: 'roles', roleBefore: 'editor', role: 'editor' };
		const lostBy = (name) => ({ ...revoked, event: 'accessRevoked', userId: id(name) });
		triggerTable(
			[
				[
					'one gained and one lost are events, once',
					{ first: [hold('editor')] },
					[
						[
							all(holds('ana'), holds('dan', 'editor', 'Engineering')),
							[
								{
									...revoked,
									event: 'accessRevoked',
									text: `${called('ana')} was stripped of editor (roles).`,
								},
								'accessGranted dan Engineering',
							],
						],
					],
				],
				[
					'values that were not known before start no event, and are not lost when they are no longer read',
					{ first: [undefined, [], { set: unread }] },
					[
						[holds('ana', 'editor'), [], { set: generic }],
						[holds('ben', 'editor'), 'accessGranted ben editor'],
						[undefined, [], { set: unread }],
					],
				],
				[
					'what the service shows of nobody any more is not taken away, and that is said',
					{ first: [hold('editor')] },
					[
						[
							hidden,
							[],
							{ warns: [/no read of this run has shown roles.*Users Show Access Attributes/] },
						],
						[hold('editor'), []],
						[all(hold('editor'), holds('ana')), [{ ...revoked, event: 'accessRevoked' }]],
						[hidden, [], { warns: [/no read of this run has shown roles/] }],
						[hidden, ['ben', 'dan'].map((name) => lostBy(name)), { set: always }],
					],
				],
				[
					'the last one who had a value has lost it, though nobody is shown with any',
					{ first: [holds('ana', 'editor')] },
					[[hidden, [{ ...revoked, event: 'accessRevoked', userId: id('ana') }]]],
				],
				[
					'a list of users that leaves one out for a while takes nothing away',
					{ first: [hold('editor')] },
					[[hide('ana')]],
				],
			],
			{ ...showing(), ...wishing(['anyAccessChange']) },
		);

		test('each is a short number for each user', async () => {
			const long = 'a'.repeat(500);
			const { service } = on()();
			hold(long)(service);
			const look = triggerAt(service, generic);
			await look();
			expect(look.memory.seen.split(long)).toHaveLength(2);
		});
	});
});

describe('a service with a group pattern', () => {
	const pattern = {
		...{ serviceProfile: 'generic', overrideProfile: true, groupsStandFor: 'organizationAndRole' },
		groupPattern: '{organization}:{role}',
	};
	const oneRole = { ...pattern, oneRolePerOrganization: 'yes' };
	const others = { ben: 'eng:member', cid: 'eng:member', dan: 'eng:admin' };
	const having = (credential, ana = 'eng:member ops:member') => ({
		on: on({ ana, ...others }, { credential, groups: ['eng:viewer'] }),
	});
	const choosing = (organizations) =>
		wishing(ACCESS, { options: { organizations, ...any.options } });
	const [one, two] = ['eng:admin ops:member', 'eng:admin eng:member ops:member'];
	const moved = [{ ana: one }, 'roleChanged ana eng member>admin'];
	triggerTable(
		[
			['a move is a change of role', having(oneRole), [moved]],
			['the same where each can have several', {}, [moved]],
			[
				'the same where only the groups show it, when they are asked again',
				having(oneRole),
				[[all(put({ ana: 'ops:member' }), joinsWhenAsked('ana', 'eng:admin')), moved[1]]],
			],
			[
				...['several roles come together', {}],
				[
					[{ ana: two }, 'roleChanged ana eng member>admin, member'],
					[{ ana: one }, 'roleChanged ana eng admin, member>admin'],
				],
			],
			[
				'two roles where there is one keep nothing else from being reported',
				having(oneRole),
				[[{ ana: two, ben: '' }, 'accessRevoked ben eng:member'], [], moved],
			],
			[
				'two roles where there is one are nothing to begin with',
				{ ...having(oneRole, two), first: [undefined, /can't set a starting point/], open: true },
			],
			[
				'an organization that is none is said',
				{
					...{ ...choosing('eng, enx'), open: true },
					first: [undefined, /No group belongs to the organization enx/],
				},
			],
			[
				'an organization whose last group is gone keeps nothing else from being reported',
				{ ...choosing('eng, ops'), open: true },
				[
					[
						all(dropGroup('ops:member'), put({ cid: '' })),
						'accessRevoked ana ops:member; accessRevoked cid eng:member',
					],
				],
			],
			...[
				['another pattern', { ...pattern, groupPattern: '{role}:{organization}' }],
				['another rule of roles', oneRole],
			].map(([it, credential]) => [
				...[`${it} begins anew, and reports nothing`, {}],
				[
					[{ ana: 'ops:member' }, [], { set: { credential } }],
					[{ dan: 'eng:admin ops:member' }, [{ event: 'accessGranted' }]],
				],
			]),
		],
		{ ...having(pattern), ...wishing(ACCESS) },
	);

	describe('in display names', () => {
		const credential = {
			...{ ...pattern, groupPattern: 'app-{organization}-{role}', groupPatternOn: 'displayName' },
		};
		const spelled = (vpn = 'VPN', switches) =>
			on(
				{ ana: 'g1 vpn', ben: 'g1 vpn', cid: 'g1 vpn', dan: 'g0 vpn' },
				{
					...{ credential, ...switches },
					groups: [
						{ id: 'g0', displayName: 'app-Sales-admin' },
						{ id: 'g1', displayName: 'app-Sales-member' },
						{ id: 'vpn', displayName: vpn },
					],
				},
			);
		const sales = { organization: 'Sales', organizationName: 'Sales' };
		const admin = { group: 'app-Sales-admin', groupId: 'g0', roleBefore: 'member', role: 'admin' };
		triggerTable(
			[
				[
					...['a move is a change of role, a plain group stays one', {}],
					[
						[
							{ dan: 'g0', ana: 'g0 vpn' },
							[
								{ event: 'roleChanged', ...sales, ...admin },
								{ event: 'accessRevoked', group: 'VPN', groupId: 'vpn', ...NO_ORGANIZATION },
							],
						],
					],
				],
				[
					'Organizations in any case; plain groups are none of them',
					wishing(ACCESS, { options: { organizations: 'SALES' } }),
					[[{ dan: 'g0', ana: 'g0 g1 vpn' }, 'roleChanged ana Sales member>admin, member']],
				],
				[
					...['a group with another name for its role is no event', {}],
					[
						[rename('g1', 'app-Sales-viewer')],
						[{ cid: 'vpn' }, [{ event: 'accessRevoked', roleBefore: 'viewer' }]],
					],
				],
				[
					'a role that only shows at the last moment is a change, not a loss',
					{ on: spelled('VPN', { usersShowGroups: 'all' }) },
					[
						[
							all(put({ ana: 'vpn' }), joinsWhenAsked('ana', 'g0')),
							'roleChanged ana Sales member>admin',
						],
					],
				],
			],
			{ on: spelled(), ...wishing(ACCESS) },
		);

		test('a name that can be read in two ways is a plain group, said once in the log', async () => {
			const world = spelled('app-sales-read-only')();
			const warn = jest.fn();
			const look = triggerAt(world.service, { events: ACCESS, credential, warn });
			await look();
			world.put({ dan: 'g0' });
			expect(await look()).toMatchObject([{ groupId: 'vpn', ...NO_ORGANIZATION }]);
			expect(warn.mock.calls).toEqual([
				[expect.stringContaining('read-only in sales or only in sales-read')],
			]);
		});
	});
});
