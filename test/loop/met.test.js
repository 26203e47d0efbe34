'use strict';

// Users a create has met, and what a run has made itself.

const {
	ACCOUNT,
	MemoryService,
	credentialOf,
	email,
	emails,
	errorsIn,
	idOf,
	inGroup,
	later,
	listed,
	locator,
	meanwhile,
	membersIn,
	person,
	play,
	serviceWith,
	strip,
	wait,
} = require('./play');

afterEach(() => jest.restoreAllMocks());

const hiddenUntilPost = (service) => {
	const posted = () => service.requests.some(({ method }) => method === 'POST');
	strip(
		service,
		({ method, url }) => method === 'GET' && /Users(\?|$)/.test(url) && !posted(),
		(body) => {
			body.totalResults = 0;
			body.Resources = [];
		},
	);
};

test('a user a create has met is looked at before a late grant', async () => {
	const service = serviceWith({
		people: [person('ana', [])],
		faults: [{ method: 'PATCH', path: /Groups/, nth: 1, kind: '429', retryAfter: 30 }],
	});
	hiddenUntilPost(service);
	const writer = meanwhile(service, /^PATCH .Groups/, (scim) => scim.setActive(idOf('ana'), false));
	const items = await play(service, 'assign', {
		people: email('ana'),
		createMissing: true,
		...listed('VPN'),
		options: wait,
	});
	expect(writer.acted).toBe(true);
	expect(membersIn(service).vpn).toBeUndefined();
});

test('a removal refused in part that took all along: no other group', async () => {
	const names = ['ana', 'ben', 'cleo', 'gus'];
	const service = serviceWith({
		people: [
			...names.map((name) => person(name, ['vpn', 'eng'])),
			person('hal', ['eng']),
			person('dan', []),
			person('ivy', []),
		],
		removesEverybody: ['filterPath'],
		unknownMembers: 'refusedAfter',
	});
	const writer = meanwhile(service, /^PATCH/, (scim) => scim.delete(idOf('dan')));
	const items = await play(
		service,
		'setMembers',
		{},
		[
			{ ...inGroup('vpn'), people: emails('ben', 'cleo', 'gus', 'dan') },
			{ ...inGroup('eng'), people: emails('ben', 'cleo', 'gus', 'hal') },
		],
		{ resource: 'group' },
	);
	expect(writer.acted).toBe(true);
	expect(membersIn(service).eng).toEqual(['ana', 'ben', 'cleo', 'gus', 'hal']);
});

test('a user who is gone is out of the groups that users show', async () => {
	const service = serviceWith({
		people: ['ana', 'ben', 'cleo'].map((name) => person(name, ['vpn', 'eng'])),
		membersShownOn: 'users',
		omitsEmptyMembers: true,
		patchAnswers: 204,
	});
	meanwhile(service, /^PATCH/, (scim) => scim.delete(idOf('ana')));
	const items = await play(service, 'revoke', {
		people: email('ana'),
		revokeIn: 'all',
		options: wait,
	});
	expect(errorsIn(items)).toEqual([]);
});

test('Change Email on plain groups: values that the old account has lost are not given', async () => {
	const name = { givenName: 'Ana', familyName: 'Silva' };
	const service = serviceWith({
		people: [person('old', ['vpn'], { name }), person('new', [], { name })],
		userNames: 'refused',
	});
	const old = service.users.get(idOf('old'));
	service.store({ ...old, attributes: { ...old.attributes, roles: [{ value: 'root' }] } });
	meanwhile(service, /^PATCH|^GET .Groups/, (scim) => {
		later(6_000);
		const now = scim.users.get(idOf('old'));
		scim.store({ ...now, attributes: { ...now.attributes, roles: [] } });
	});
	await play(
		service,
		'changeEmail',
		{ user: locator('email', email('old')), newEmail: email('new'), options: wait },
		[{}],
		{ credential: { ...credentialOf(), userNameCanChange: 'no' } },
	);
	expect(service.users.get(idOf('new')).attributes.roles ?? []).toEqual([]);
});

test('late: an admin let back in by this run counts, however reads lag', async () => {
	const people = [
		{ userName: email('ana'), roles: { 'org-a': 'admin' } },
		{ userName: email('eve'), roles: { 'org-a': 'admin' }, active: false },
	];
	const service = new MemoryService(
		{ people, organizations: ['org-acct', 'org-a'] },
		{
			...ACCOUNT,
			deactivationDrops: false,
			lagReads: 2,
			faults: [{ method: 'PATCH', path: /Groups/, nth: 1, kind: '429' }],
		},
	);
	const items = await play(
		service,
		'reconcile',
		{
			preview: false,
			accessBy: 'organizationAndRole',
			wantedFrom: 'json',
			unwanted: 'keep',
			scopeOrganizations: 'org-a',
			wantedJson: [
				{ email: email('ana'), organization: 'org-a', role: 'member' },
				{ email: email('eve'), organization: 'org-a', role: 'admin' },
			],
			options: {
				reactivate: true,
				...wait,
				maxPercentAffected: 100,
			},
		},
		[{}],
		{ credential: { accountOrganizationId: 'org-acct' } },
	);
	expect(errorsIn(items)).toEqual([]);
});

test('a removal of a person who shows the group; group empty; done once the user says so', async () => {
	const service = serviceWith({
		people: ['ana', 'ben'].map((name) => person(name, ['vpn'])),
		membersShownOn: 'users',
		patchAnswers: 204,
	});
	const items = await play(service, 'revoke', {
		people: email('ana'),
		revokeIn: 'all',
		options: wait,
	});
	expect(errorsIn(items)).toEqual([]);
});
