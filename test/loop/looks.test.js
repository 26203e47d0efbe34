'use strict';

// What a look shows before a request, and one that breaks off.

const {
	ACCOUNT,
	ID,
	MemoryService,
	email,
	emails,
	idOf,
	inGroup,
	later,
	locator,
	meanwhile,
	membersIn,
	onlyBenStays,
	person,
	play,
	serviceWith,
	wait,
} = require('./play');

afterEach(() => jest.restoreAllMocks());

test('a removal whose look breaks off is not done', async () => {
	const people = [
		{ userName: email('ana'), roles: { 'org-a': 'member' } },
		{ userName: email('bob'), roles: { 'org-a': 'admin' } },
	];
	const faults = [
		{
			method: 'GET',
			path: /Groups.org-a:(admin|viewer)|Groups.whylabs-org-a:(admin|viewer)/,
			kind: '500-html',
		},
		// All groups at once cannot be looked at either.
		{ method: 'GET', path: /Groups$/, from: 2, kind: '500-html' },
	];
	const service = new MemoryService(
		{ people, organizations: ['org-acct', 'org-a'] },
		{ ...ACCOUNT, faults },
	);
	meanwhile(service, /^GET .scim.Groups$/, () => later(6_000));
	const writer = meanwhile(service, /^GET .scim.Groups.*member$/, (scim) =>
		scim.setRole(idOf('ana'), 'org-a', 'admin'),
	);
	const items = await play(
		service,
		'removeMembers',
		{
			people: email('ana'),
			accessBy: 'organizationAndRole',
			chooseGroupBy: 'organizationAndRole',
			organization: locator('id', 'org-a'),
			role: 'member',
		},
		[{}],
		{ credential: { accountOrganizationId: 'org-acct' }, resource: 'group' },
	);
	expect(writer.acted).toBe(true);
	expect(service.written()).toEqual([]);
	expect(items.map(({ status }) => status)).toEqual(['failed']);
});

test('a deactivation that worked behind a 500 is done, not unchanged', async () => {
	const service = serviceWith({
		people: [person('ana', ['vpn']), person('ben', ['vpn'])],
		deactivationDrops: true,
		faults: [{ method: 'PATCH', path: /Users/, nth: 1, kind: '500-after' }],
	});
	const said = await onlyBenStays(service);
	expect(service.users.get(idOf('ana')).active).toBe(false);
	expect(said).toEqual(['done']);
});

test('a deactivation that worked behind a 500 is not failed because a look breaks off', async () => {
	const faults = [{ method: 'PATCH', path: /Users/, nth: 1, kind: '500-after' }];
	const service = serviceWith({
		people: [person('ana', ['vpn']), person('ben', ['vpn'])],
		deactivationDrops: true,
		faults,
	});
	meanwhile(service, /^PATCH .Users/, () => {
		service.faults.add({ method: 'GET', path: /Users./, nth: [1, 2, 3, 4, 5], kind: '500-html' });
	});
	const said = await onlyBenStays(service);
	expect(service.users.get(idOf('ana')).active).toBe(false);
	expect(said).toEqual(['done']);
});

test('what waited its turn is looked at before it leaves: grants', async () => {
	const all = ['ana', 'ben', 'cleo', 'gus'];
	const service = serviceWith({
		people: [
			...all.map((name) => person(name, ['eng', 'vpn'])),
			person('dan', []),
			person('fay', ['eng']),
		],
		faults: [{ method: 'PATCH', nth: 1, kind: '429', retryAfter: 30 }],
	});
	const writer = meanwhile(service, /^PATCH/, (scim) => scim.setActive(idOf('dan'), false));
	const items = await play(
		service,
		'setMembers',
		{ options: wait },
		[
			{ ...inGroup('vpn'), people: emails('ben', 'cleo', 'gus') },
			{ ...inGroup('eng'), people: emails('ben', 'cleo', 'gus', 'dan', 'fay') },
		],
		{ resource: 'group' },
	);
	expect(writer.acted).toBe(true);
	expect(membersIn(service).eng).not.toContain('dan');
});

test('what waited its turn is looked at before it leaves: whole lists', async () => {
	const all = ['ana', 'ben', 'cleo', 'gus'];
	const service = serviceWith({
		people: [
			...all.map((name) => person(name, ['eng', 'vpn'])),
			person('dan', []),
			person('fay', ['eng']),
		],
		faults: [{ method: 'PUT', nth: 1, kind: '429', retryAfter: 30 }],
	});
	const writer = meanwhile(service, /^PUT/, (scim) => scim.add(ID.eng, idOf('dan')));
	const items = await play(
		service,
		'setMembers',
		{ options: { ...wait, replaceWith: 'wholeList' } },
		[
			{ ...inGroup('vpn'), people: emails('ben', 'cleo', 'gus') },
			{ ...inGroup('eng'), people: emails('ben', 'cleo', 'gus', 'fay') },
		],
		{ resource: 'group' },
	);
	expect(writer.acted).toBe(true);
	expect(membersIn(service).eng).toContain('dan');
});

test('empty answers and reads that lag are no alarm', async () => {
	const all = ['ana', 'ben', 'cleo', 'gus'];
	const service = serviceWith({
		people: all.map((name) => person(name, ['eng', 'vpn'])),
		membersShownOn: 'groups',
		answersMembers: 'empty',
		lagReads: 1,
	});
	const items = await play(
		service,
		'removeMembers',
		{ people: email('ana'), options: wait },
		[inGroup('vpn'), inGroup('eng')],
		{ resource: 'group' },
	);
	expect(items.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('an answer that shows nobody proves no removal', async () => {
	const all = ['ana', 'ben', 'cleo', 'gus'];
	const service = serviceWith({
		people: all.map((name) => person(name, ['eng', 'vpn'])),
		membersShownOn: 'groups',
		answersMembers: 'empty',
		faults: [{ method: 'PATCH', kind: 'dropped' }],
	});
	const items = await play(
		service,
		'removeMembers',
		{ people: email('ana'), options: wait },
		[inGroup('vpn')],
		{ resource: 'group' },
	);
	expect(membersIn(service).vpn).toContain('ana');
	expect(items.map(({ status }) => status)).not.toContain('done');
});
