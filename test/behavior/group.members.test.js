'use strict';

const {
	Account,
	Groups,
	SHOWN,
	emails,
	locator,
	play,
	put,
	putLate,
	table,
} = require('../support/behavior');

const account = (people, more) => () => new Account(people, more);
const WHOLE_LIST = { replaceWith: 'wholeList' };
const LOOKS = { verifyTime: 9 };

describe.each(Object.entries(SHOWN).filter(([name]) => name !== 'nowhere'))(
	'members are shown %s',
	(name, switches) => {
		const on = (people, more) => () => new Groups(people, { ...switches, ...more });

		table('group', 'addMembers', [
			{
				it: 'who is no member is added, and nobody else is touched',
				on: on({ ana: 'eng', ben: 'vpn', cleo: '' }),
				wish: (w) => ({ group: w.group('eng'), people: emails('ana ben cleo') }),
				items: ['none ana eng unchanged', 'granted ben eng done', 'granted cleo eng done'],
				ends: { ben: 'eng vpn', cleo: 'eng' },
			},
			{
				it: 'an inactive user is refused',
				on: on({ ana: 'eng', eve: 'inactive' }),
				wish: (w) => ({ group: w.group('eng'), people: emails('eve') }),
				fails: [/is inactive/],
			},
		]);

		table('group', 'removeMembers', [
			{
				it: 'who is a member is removed, and nobody else is touched',
				on: on({ ana: 'eng vpn', ben: 'vpn', cleo: 'eng' }),
				wish: (w) => ({ group: w.group('eng'), people: emails('ana ben') }),
				items: ['none ben eng unchanged', 'revoked ana eng done'],
				ends: { ana: 'vpn' },
			},
		]);

		table('group', 'setMembers', [
			{
				it: 'the members are the list',
				on: on({ ana: 'eng vpn', ben: 'vpn', cleo: 'eng' }),
				wish: (w) => ({ group: w.group('eng'), people: emails('ben cleo') }),
				ends: { ana: 'vpn', ben: 'eng vpn' },
			},
			...(name === 'by filter'
				? []
				: [
						{
							it: 'the members are the list, sent as a whole',
							on: on({ ana: 'eng vpn', ben: 'vpn', cleo: 'eng' }),
							wish: (w) => ({
								group: w.group('eng'),
								people: emails('ben cleo'),
								options: WHOLE_LIST,
							}),
							sends: ['PUT eng'],
							ends: { ana: 'vpn', ben: 'eng vpn' },
						},
					]),
		]);
	},
);

describe('whose group is named', () => {
	const on = () =>
		new Account(
			{ ana: 'a:viewer', ben: '' },
			{ credential: { organizationNames: { organization: [{ name: 'Marketing', id: 'org-a' }] } } },
		);
	const place = (mode, value) => () => ({
		chooseGroupBy: 'organizationAndRole',
		organization: locator(mode, value),
		role: 'member',
	});

	table(
		'group',
		'addMembers',
		[
			['by ID', (w) => ({ group: w.group('a:member') })],
			['by organization and role', place('id', 'org-a')],
			['by the name of the organization', place('name', 'Marketing')],
		].map(([it, group]) => ({
			it: `${it}: one read of all groups, and two of who is in none`,
			on,
			wish: (w) => ({ ...group(w), people: emails('ben') }),
			items: [
				{ roleBefore: null, text: 'ben (ben@example.com) was added to Marketing as member.' },
			],
			reads: 3,
			ends: { ben: 'a:member' },
		})),
	);

	table('group', 'addMembers', [
		{
			it: 'where groups stand for themselves, only the one that is named is read',
			on: () => new Groups({ ana: 'eng vpn', ben: '' }, { usersShowGroups: 'absent' }),
			wish: (w) => ({ group: w.group('eng'), people: w.user('ben').value }),
			items: [{ groupId: 'eng', role: null, status: 'done' }],
			reads: 3,
			ends: { ben: 'eng' },
		},
	]);
});

describe('whose people', () => {
	table('group', 'addMembers', [
		{
			it: 'are not there, fail their item; the others of the same request are added',
			on: () => new Groups({ ana: '', bob: 'eng' }),
			wish: (w) => ({
				group: w.group('eng'),
				items: ['ana', 'ben', 'ana cai'].map((names) => ({ people: emails(names) })),
			}),
			fails: [
				'No user has the user name ben@example.com',
				'No user has the user name cai@example.com',
			],
			items: ['granted ana eng done', 'none ben failed', 'none cai failed', 'granted ana eng done'],
			ends: { ana: 'eng' },
		},
		...[
			['', 'No users specified'],
			[null, 'No users specified'],
			[' , ;', 'Entry 1 of People is empty'],
			['user-1,,user-2', 'Entry 2 of People is empty'],
			[['user-1', null], 'Entry 2 of People is empty'],
			[['user-1', { id: 'user-2' }], 'Entry 2 of People is neither text nor a number'],
			['ana@', '"ana@" is not an email address'],
		].map(([people, message]) => ({
			it: `are ${JSON.stringify(people)}: nothing is asked or sent`,
			on: account({ ana: 'a:member' }),
			wish: (w) => ({ group: w.group('a:member'), people }),
			fails: [message],
			reads: 0,
		})),
	]);
});

const CHANGED_PLACES = { mover: 'a:member', back: 'a:viewer', gone: 'a:member', stay: 'a:viewer' };
const LISTS = { member: 'back', viewer: 'mover stay' };
/** The lists of two roles, one item each. */
const listsOf = (roles, options) => (w) => ({
	items: roles.map((role) => ({ group: w.group(`a:${role}`), people: emails(LISTS[role]) })),
	options: { ...WHOLE_LIST, ...options },
});
const STALE = { ana: 'a:member', ben: 'a:member', new: '' };
const inA = (names, options) => (w) => ({
	group: w.group('a:member'),
	people: emails(names),
	options,
});
const PARTNER = 'p@partner.org';
const STAFF = { domains: { a: ['example.com'] } };

table('group', 'addMembers', [
	{
		it: 'a 404 that is over soon: a new group is not everywhere at once',
		on: () =>
			new Groups(
				{ ana: '' },
				{ groups: ['eng'], faults: [{ method: 'PATCH', nth: 1, kind: 'missing' }] },
			),
		wish: (w) => ({ group: w.group('eng'), people: emails('ana') }),
		...{ items: ['granted ana eng done'], sends: ['PATCH eng', 'PATCH eng'], ends: { ana: 'eng' } },
	},
	{
		it: 'an old read that shows two roles is read again until it is over',
		on: () => {
			const w = new Account({ ana: 'a:member', bob: 'a:admin' });
			w.service.groups.set(
				'org-a:admin',
				['bob', 'ana'].map((name) => w.user(name).value),
			);
			return w;
		},
		wish: inA('ana', LOOKS),
		meanwhile: ['GET Groups', put({ ana: 'a:member' }), 2],
		items: ['none ana a:member unchanged'],
		reads: 2,
	},
]);

describe('a whole list on the account', () => {
	table('group', 'setMembers', [
		...[
			['member', 'viewer'],
			['viewer', 'member'],
		].map((roles) => ({
			it: `people who change places end as wanted, without a time without a role: first ${roles[0]}`,
			on: account(CHANGED_PLACES),
			wish: listsOf(roles),
			sends: ['PUT a:member', 'PUT a:viewer'],
			ends: { mover: 'a:viewer', back: 'a:member', gone: '' },
		})),
		{
			it: 'who has moved is not moved back where a read is older than that',
			on: account(CHANGED_PLACES, { lagReads: 1 }),
			wish: listsOf(['member', 'viewer'], LOOKS),
			sends: ['PUT a:member', 'PUT a:viewer'],
			ends: { mover: 'a:viewer', back: 'a:member', gone: '' },
		},
		{
			it: 'what was seen of one list and is not so in the end is no success',
			on: account(CHANGED_PLACES),
			wish: listsOf(['member', 'viewer']),
			meanwhile: ['GET a:viewer', put({ mover: 'a:admin' }), 2],
			fails: [/Could not confirm.*mover@example.com/],
			sends: ['PUT a:member', 'PUT a:viewer'],
			ends: { mover: 'a:admin', back: 'a:member', gone: '' },
		},
		{
			it: 'one who is refused is named, the others come and go, and the rest is a difference',
			on: account({ out: 'a:member', kept: 'a:member', new: '', [PARTNER]: '' }, STAFF),
			wish: inA(`kept new ${PARTNER}`, WHOLE_LIST),
			fails: [/does not accept p@partner.org as a member of group/],
			sends: ['PUT a:member 400', ...Array(2).fill('PATCH a:member 400'), 'PATCH a:member'],
			ends: { out: '', new: 'a:member' },
		},
		...[
			['a person has another role by then', 'ana', 'a:admin', 'is admin in org-a now'],
			['somebody joined', 'other', 'a:member', 'other@example.com joined it meanwhile'],
		].map(([it, who, what, words]) => ({
			it: `is not sent when the read is old and ${it}`,
			on: account({ ...STALE, other: '' }),
			wish: inA('ana new', WHOLE_LIST),
			meanwhile: ['GET Users', putLate({ [who]: what })],
			fails: Array(2).fill(new RegExp(`${words}.*The list was not sent`)),
			ends: { [who]: what },
		})),
		{
			it: 'worked behind a 500, and reads lag: a person between two reads is not left out of a second list',
			on: account(
				{ ana: 'a:viewer', ben: 'a:member' },
				{ lagReads: 1, faults: [{ method: 'PUT', nth: 1, kind: '500-after' }] },
			),
			wish: inA('ana', { ...WHOLE_LIST, verifyTime: 9 }),
			items: ['moved ana a viewer>member done', 'revoked ben a:member done'],
			sends: ['PUT a:member', 'PUT a:member'],
			ends: { ana: 'a:member', ben: '' },
		},
		{
			it: 'the last admin goes with the one who comes, also when the read is old',
			on: account({ ana: 'a:admin', new: '' }),
			wish: (w) => ({ ...inA('new', WHOLE_LIST)(w), group: w.group('a:admin') }),
			meanwhile: ['GET Users', putLate({})],
			items: ['granted new a:admin done', 'revoked ana a:admin done'],
			sends: ['PUT a:admin'],
			ends: { ana: '', new: 'a:admin' },
		},
		{
			it: 'is not sent again when a member joins while the service makes us wait',
			on: account(
				{ ana: 'a:member', ben: 'a:member', new: '' },
				{ faults: [{ method: 'PUT', nth: 1, kind: 429 }] },
			),
			wish: inA('ana', { ...WHOLE_LIST, maxWait: 9 }),
			meanwhile: ['PUT a:member', put({ new: 'a:member' })],
			fails: ['new@example.com joined it meanwhile'],
			sends: ['PUT a:member'],
			ends: { new: 'a:member' },
		},
	]);
});

table('group', 'removeMembers', [
	{
		it: 'what is refused for one is no change for anybody else',
		on: () => new Groups({ ana: 'all eng', ben: 'all' }, { refusesRemovalFrom: ['all'] }),
		wish: (w) => ({ group: w.group('all'), people: emails('ana') }),
		fails: ['cannot be removed'],
		sends: ['PATCH all 400'],
	},
	{
		it: 'names one who is out already: sent again for another, whose ID is a part of that',
		on: () =>
			new Groups(
				{ an: { has: 'eng', id: 'an' }, ann: { has: 'eng', id: 'ann' }, ben: 'eng' },
				{ refusesStrangers: true, lagReads: 1 },
			),
		wish: (w) => ({ group: w.group('eng'), people: emails('an ann'), options: { maxWait: 9 } }),
		meanwhile: ['PATCH eng', put({ ann: '' })],
		items: ['revoked an eng done', 'none ann eng unchanged'],
		sends: ['PATCH eng 404', 'PATCH eng 404'],
		ends: { an: '', ann: '' },
	},
]);

describe('a removal on the account', () => {
	const waits = { maxWait: 9 };
	const two = { ana: 'a:member', ben: 'a:member', cleo: 'a:viewer' };

	table('group', 'removeMembers', [
		{
			it: 'costs no look while the read is fresh',
			on: account(two),
			wish: inA('ana'),
			items: ['revoked ana a:member done'],
			reads: 1,
			ends: { ana: '' },
		},
		{
			it: 'looks first when the read is old: who has another role keeps it, who is out is told so',
			on: account(STALE),
			wish: inA('ana ben new'),
			meanwhile: ['GET Users', putLate({ ana: 'a:viewer', ben: '' })],
			items: [
				'none new a:member unchanged',
				{ status: 'skipped', reason: 'the person is viewer in org-a now' },
				{ status: 'unchanged', reason: 'the person is not there any more' },
			],
			ends: { ana: 'a:viewer', ben: '' },
		},
		...[
			['it is seen, and not sent again', {}, 1],
			['the refusal of the repeat says it, where the look is late', { lagReads: 1 }, 2],
		].map(([it, lag, times]) => ({
			it: `was carried out behind a 429: ${it}`,
			on: account(two, { faults: [{ method: 'PATCH', nth: 1, kind: '429-after' }], ...lag }),
			wish: inA('ana ben', waits),
			items: ['revoked ana a:member done', 'revoked ben a:member done'],
			sends: ['PATCH a:member', 'PATCH a:member 404'].slice(0, times),
			ends: { ana: '', ben: '' },
			once: times > 1,
		})),
		{
			it: 'is repeated after a 429 for the one who has no other role by then',
			on: account(two, { faults: [{ method: 'PATCH', nth: 1, kind: 429, retryAfter: 1 }] }),
			wish: inA('ana ben', waits),
			meanwhile: ['PATCH a:member', put({ ana: 'a:viewer' })],
			items: ['none ana a:member skipped', 'revoked ben a:member done'],
			ends: { ana: 'a:viewer', ben: '' },
		},
		{
			it: 'that stumbles over who is out already takes nobody who has another role by then',
			on: account({ ...two, cleo: 'a:member' }),
			wish: inA('ana ben cleo'),
			meanwhile: ['PATCH a:member', put({ ben: '', cleo: 'a:admin' })],
			items: [
				'revoked ana a:member done',
				'none ben a:member unchanged',
				'none cleo a:member skipped',
			],
			sends: ['PATCH a:member 404'],
			ends: { ana: '', ben: '', cleo: 'a:admin' },
		},
	]);

	table('access', 'revoke', [
		{
			it: 'that stumbles over who is out already: another role by then is an error of Revoke',
			on: account({ ...two, cleo: 'a:member' }),
			wish: () => ({
				people: emails('ana ben cleo'),
				accessBy: 'organizationAndRole',
				revokeIn: 'one',
				organization: locator('id', 'org-a'),
				roleHeld: 'any',
			}),
			meanwhile: ['PATCH a:member', put({ ben: '', cleo: 'a:admin' })],
			fails: ['cleo@example.com is admin in org-a now'],
			sends: ['PATCH a:member 404'],
			ends: { ana: '', ben: '', cleo: 'a:admin' },
		},
	]);

	table('access', 'set', [
		{
			it: 'that waits for a grant looks first when the read is old',
			on: account(
				{ ana: 'a:member', ben: 'a:member', cleo: 'b:admin' },
				{ credential: { accountOrganizationId: 'org-z' } },
			),
			wish: (w) => ({ people: emails('ana ben'), ...w.roles('b:viewer') }),
			meanwhile: ['PATCH b:viewer', putLate({ ana: 'a:admin', ben: '' })],
			fails: ['ana@example.com is admin in org-a now, so nothing was removed there'],
			sends: ['PATCH b:viewer'],
			ends: { ana: 'a:admin b:viewer', ben: 'b:viewer' },
		},
	]);
});

describe('people the organization refuses', () => {
	const named = (count, domain) =>
		Array.from({ length: count }, (_, index) => `p${index}@${domain}`);
	const world = (names) => () =>
		new Account(
			{ 'ad@example.com': 'a:admin', ...Object.fromEntries(names.map((name) => [name, ''])) },
			STAFF,
		);
	const endsOf = (names) =>
		Object.fromEntries(names.map((name) => [name.replace('@example.com', ''), 'a:member']));

	test.each([
		[2, 98],
		[5, 0],
		[5, 3],
		[20, 0],
	])('%i of one domain beside %i others: they alone are named', async (refused, others) => {
		const [partners, staff] = [named(refused, 'partner.org'), named(others, 'example.com')];
		const w = world([...staff, ...partners])();
		const items = [...staff.slice(0, 1), ...partners, ...staff.slice(1)].map((people) => ({
			people,
		}));
		const json = await play(w, ['group', 'addMembers'], { group: w.group('a:member') }, items);
		expect(
			json
				.flatMap(({ error }) => error ?? [])
				.map((error) => /accept (\S+)/.exec(error)[1])
				.sort(),
		).toEqual(partners.sort());
		expect(w.shape()).toEqual({ ...w.before, ...endsOf(staff) });
		expect(w.service.written().length).toBeLessThanOrEqual(1 + refused + others);
	});

	table('group', 'setMembers', [
		{
			it: 'removals of the same request are carried out all the same',
			on: account({ old: 'a:member', new: '', [PARTNER]: '' }, STAFF),
			wish: inA(`${PARTNER} new`),
			fails: ['The service does not accept p@partner.org'],
			sends: [...Array(2).fill('PATCH a:member 400'), ...Array(2).fill('PATCH a:member')],
			ends: { old: '', new: 'a:member' },
		},
		{
			it: 'of a whole list with more than fit into one change, the rest goes in pieces',
			on: world([PARTNER, ...named(250, 'example.com')]),
			wish: inA([PARTNER, ...named(250, 'example.com')].join(' '), WHOLE_LIST),
			fails: ['does not accept p@partner.org'],
			sends: [
				'PUT a:member 400',
				...Array(2).fill('PATCH a:member 400'),
				...Array(99 + 2).fill('PATCH a:member'),
			],
			ends: endsOf(named(250, 'example.com')),
		},
	]);
});

describe('after a request of several that is refused', () => {
	const refused = (line, faults) => ({
		faults: [
			{ ...{ method: 'PATCH', nth: 1, kind: 'missing', status: 400 }, ...line },
			...(faults ?? []),
		],
	});
	const THREE = { ana: 'a:member', ben: 'a:member', cleo: 'a:member', bob: 'a:admin' };
	const TEN_SECONDS = { maxWait: 60, verifyTime: 9 };

	test('each is sent alone, who gets in first, in one operation', async () => {
		const w = new Groups({ ana: 'eng', ben: 'eng', cleo: '', dan: '' }, refused());
		const wish = { group: w.group('eng'), people: emails('cleo dan') };
		await play(w, ['group', 'setMembers'], wish);
		const said = ({ op, path, value }) =>
			`${op} ${w.names.get(value?.[0].value ?? /"(.*)"/.exec(path)[1])}`;
		const sent = w.service.requests.filter(({ method }) => method === 'PATCH');
		expect(sent.slice(1).map(({ body }) => JSON.parse(body).Operations.map(said).join())).toEqual([
			'add cleo',
			'add dan',
			'remove ana',
			'remove ben',
		]);
		expect(w.shape()).toEqual({ ana: '', ben: '', cleo: 'eng', dan: 'eng' });
	});

	table('group', 'setMembers', [
		{
			it: 'a new admin is in before an old one goes, and none goes where one of the new ones is refused',
			on: account({ ana: 'a:admin', new: '', [PARTNER]: '' }, STAFF),
			wish: (w) => ({ ...inA(`${PARTNER} new`)(w), group: w.group('a:admin') }),
			fails: ['The service does not accept p@partner.org', 'it needs a step that did not succeed'],
			sends: [...Array(2).fill('PATCH a:admin 400'), 'PATCH a:admin'],
			ends: { new: 'a:admin' },
		},
		{
			it: 'an unknown ID, beside which all was carried out: nothing of that is done again',
			on: account({ old: 'a:member', new: '', gone: '' }),
			wish: inA('gone new', TEN_SECONDS),
			meanwhile: ['PATCH a:member', (scim, w) => scim.delete(w.userId('gone'))],
			items: [
				'granted gone a:member failed',
				'granted new a:member done',
				'revoked old a:member done',
			],
			fails: [/gone/],
			sends: ['PATCH a:member 400'],
			ends: { old: '', new: 'a:member', gone: undefined },
		},
		{
			it: 'nobody who has another role by then is removed',
			on: account({ old: 'a:member', new: '', [PARTNER]: '' }, STAFF),
			wish: inA(`${PARTNER} new`),
			meanwhile: ['PATCH a:member', put({ old: 'a:viewer' })],
			items: [
				'granted p@partner.org a:member failed',
				'granted new a:member done',
				'none old a:member skipped',
			],
			fails: ['The service does not accept p@partner.org'],
			sends: [...Array(2).fill('PATCH a:member 400'), 'PATCH a:member'],
			ends: { old: 'a:viewer', new: 'a:member' },
		},
	]);

	table('group', 'removeMembers', [
		{
			it: 'nobody who has another role by the time of the single removal is removed',
			on: account(THREE, refused()),
			wish: inA('ana ben cleo'),
			meanwhile: ['PATCH a:member', putLate({ ben: 'a:viewer' }), 2],
			items: [
				'revoked ana a:member done',
				'none ben a:member skipped',
				'revoked cleo a:member done',
			],
			ends: { ana: '', ben: 'a:viewer', cleo: '' },
		},
		{
			it: 'a single removal behind a 429 that was carried out is not sent again',
			on: account(THREE, refused({}, [{ method: 'PATCH', nth: 2, kind: '429-after' }])),
			wish: inA('ana ben cleo', TEN_SECONDS),
			items: ['ana', 'ben', 'cleo'].map((name) => `revoked ${name} a:member done`),
			sends: Array(4).fill('PATCH a:member'),
			ends: { ana: '', ben: '', cleo: '' },
		},
	]);

	test('a look that breaks off says so, and that nobody was refused', async () => {
		const w = new Groups(
			{ ana: '', ben: '', cleo: 'eng' },
			refused({}, [{ method: 'GET', path: /Groups.eng/, nth: 2, kind: 'html-403' }]),
		);
		const wish = { group: w.group('eng'), people: emails('ana ben') };
		const errors = (await play(w, ['group', 'addMembers'], wish)).map(({ error }) => error);
		expect(errors).toEqual(Array(2).fill(expect.stringContaining('403')));
		expect(errors.join()).not.toContain('does not accept');
		expect(w.service.written()).toHaveLength(1);
	});

	test('after a look that broke off, the next removal does not leave without one', async () => {
		const w = new Account(THREE, refused());
		let writes = 0;
		w.service.given.onRequest = (_, { method }, scim) => {
			if (method !== 'PATCH' || ++writes !== 2) return;
			putLate({ cleo: 'a:viewer' })(scim, w);
			w.service.faults.add({ method: 'GET', nth: 1, kind: 'html-403' });
		};
		const wish = inA('ana ben cleo')(w);
		const items = await play(w, ['group', 'removeMembers'], wish);
		expect(items.map((item) => w.itemOf(item))).toEqual([
			'revoked ana a:member done',
			'revoked ben a:member failed',
			'none cleo a:member skipped',
		]);
		expect(w.shape()).toEqual({ ...w.before, ana: '', cleo: 'a:viewer' });
	});
});
