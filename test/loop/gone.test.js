'use strict';

// Groups and people who go meanwhile.

const {
	ID,
	credentialOf,
	email,
	emails,
	errorsIn,
	idOf,
	inGroup,
	meanwhile,
	onlyBenStays,
	person,
	play,
	serviceWith,
	wait,
} = require('./play');

afterEach(() => jest.restoreAllMocks());

test.each(['yes', 'unknown'])(
	'out of a group that is deleted meanwhile, groups show members: %s',
	async (groupsShowMembers) => {
		const service = serviceWith({ people: [person('ana', ['vpn']), person('ben', ['vpn'])] });
		meanwhile(service, /^PATCH/, (scim) => {
			scim.groups.delete(ID.vpn);
			scim.about.delete(ID.vpn);
		});
		const items = await play(
			service,
			'revoke',
			{ people: email('ana'), revokeIn: 'all', options: wait },
			[{}],
			{ credential: { ...credentialOf(), groupsShowMembers } },
		);
		expect(items.map(({ status }) => status)).toEqual([expect.stringMatching(/done|unchanged/)]);
	},
);

test('what another client added while we were refused is not ours', async () => {
	const service = serviceWith({
		people: ['ana', 'ben', 'cleo', 'dan'].map((name) => person(name, [])),
	});
	const send = service.exchange.bind(service);
	let refused = 0;
	service.exchange = async (request) => {
		if (request.method !== 'PATCH' || refused++ > 0) return await send(request);
		service.requests.push({ method: 'PATCH', path: 'refused', status: 400 });
		return {
			status: 400,
			headers: { 'content-type': 'application/scim+json' },
			text: '{"status":"400","detail":"no"}',
		};
	};
	meanwhile(
		service,
		/^GET .Users.*/,
		(scim) => {
			if (refused) scim.add(ID.vpn, idOf('ben'));
		},
		{ nth: 3 },
	);
	const items = await play(
		service,
		'addMembers',
		{ ...inGroup('vpn'), people: emails('ana', 'ben', 'cleo', 'dan'), options: wait },
		[{}],
		{ resource: 'group' },
	);
	expect(errorsIn(items)).toEqual([]);
});

test('deactivation where that removes the account, its answer lost: done', async () => {
	const service = serviceWith({
		people: [person('ana', ['vpn']), person('ben', ['vpn'])],
		deactivationDeletes: true,
		faults: [{ method: 'PATCH', path: /Users/, nth: 1, kind: '500-after' }],
	});
	const said = await onlyBenStays(service, { allowPermanentRemoval: true });
	expect(service.users.has(idOf('ana'))).toBe(false);
	expect(said).toEqual(['done']);
});

test('a cut-off batch: who was sent first is looked for, though the run was cancelled', async () => {
	const stop = new AbortController();
	const service = serviceWith({
		people: ['ana', 'ben'].map((name) => person(name, ['vpn'])),
		patchAnswers: 204,
	});
	meanwhile(service, /^PATCH/, () => stop.abort());
	const items = await play(
		service,
		'removeMembers',
		{ people: email('ana'), options: wait },
		[inGroup('vpn')],
		{ resource: 'group', signal: stop.signal },
	);
	expect(items.map(({ status }) => status)).toEqual(['unverified']);
});
