'use strict';

// What was refused, or taken without being seen, while the world has moved on.

const {
	ID,
	email,
	emails,
	idOf,
	inGroup,
	later,
	listed,
	locator,
	meanwhile,
	membersIn,
	person,
	play,
	rows,
	serviceWith,
	wait,
} = require('./play');

afterEach(() => jest.restoreAllMocks());

/** The first PATCH is refused, and by then another writer has done something. */
function refusesOnce(service, status, act) {
	const send = service.exchange.bind(service);
	let isOver = false;
	service.exchange = async (request) => {
		if (request.method !== 'PATCH' || isOver) return await send(request);
		isOver = true;
		act();
		return {
			status,
			headers: { 'content-type': 'application/scim+json' },
			text: JSON.stringify({ status: String(status), detail: 'No' }),
		};
	};
}

test.each([400, 403, 404, 409, 422])(
	'a single add that is refused with %s is done where it is so anyway',
	async (status) => {
		const service = serviceWith({ people: [person('ana', ['vpn']), person('dan', [])] });
		refusesOnce(service, status, () => service.add(ID.vpn, idOf('dan')));
		const items = await play(service, 'assign', {
			people: email('dan'),
			...listed('VPN'),
			options: wait,
		});
		expect(items.map(({ status }) => status)).toEqual(['done']);
	},
);

test.each([403, 409])('a single removal that is refused with %s, too', async (status) => {
	const service = serviceWith({ people: [person('ana', ['vpn']), person('ben', ['vpn'])] });
	refusesOnce(service, status, () => service.take(ID.vpn, idOf('ana')));
	const items = await play(
		service,
		'removeMembers',
		{ people: email('ana'), options: wait },
		[inGroup('vpn')],
		{ resource: 'group' },
	);
	expect(items.map(({ status }) => status)).toEqual(['done']);
});

test('a value that was taken is looked for, though the first reads break off', async () => {
	const service = serviceWith({ people: [person('ana', ['eng'])] });
	const user = service.users.get(idOf('ana'));
	const roles = [{ value: 'reader' }, { value: 'editor' }];
	service.store({ ...user, attributes: { ...user.attributes, roles } });
	meanwhile(service, /^PATCH .Users/, () =>
		service.faults.add({ method: 'GET', path: /Users./, nth: [1, 2, 3, 4, 5], kind: '500-html' }),
	);
	const items = await play(
		service,
		'update',
		{
			user: locator('email', email('ana')),
			accessValues: { value: [{ action: 'remove', attribute: 'roles', value: 'editor' }] },
			options: wait,
		},
		[{}],
		{ resource: 'user' },
	);
	expect(service.users.get(idOf('ana')).attributes.roles).toEqual([{ value: 'reader' }]);
	expect(items.map(({ status }) => status)).toEqual(['done']);
});

test('a late removal that nobody can look at is failed, and nothing is sent', async () => {
	const service = serviceWith({
		people: [person('ana', ['vpn']), person('ben', ['vpn'])],
		membersShownOn: 'users',
		faults: [{ method: 'GET', path: /Users./, kind: '500-html' }],
	});
	meanwhile(service, /^GET .Groups/, () => later(6_000));
	const items = await play(service, 'revoke', {
		people: email('ana'),
		revokeIn: 'all',
		options: wait,
	});
	expect(service.written()).toEqual([]);
	expect(items.map(({ status }) => status)).toEqual(['failed']);
});

test('after an alarm, a removal that waits to be sent again is not sent', async () => {
	const service = serviceWith({
		people: [
			person('ana', ['eng', 'vpn', 'sales']),
			...['ben', 'cleo', 'gus'].map((name) => person(name, ['eng', 'vpn'])),
		],
		faults: [
			{ method: 'PATCH', path: new RegExp(ID.sales), nth: [1, 2], kind: '429', retryAfter: 30 },
		],
	});
	// In the group without other members, the removal waits for no other one.
	const writer = meanwhile(service, /^PATCH/, (scim) => {
		for (const name of ['ben', 'cleo', 'gus']) {
			scim.take(ID.eng, idOf(name));
			scim.take(ID.vpn, idOf(name));
		}
	});
	await play(
		service,
		'removeMembers',
		{ people: email('ana'), options: wait },
		[inGroup('vpn'), inGroup('eng'), inGroup('sales')],
		{ resource: 'group' },
	);
	expect(writer.acted).toBe(true);
	expect(membersIn(service).sales).toEqual(['ana']);
});

test('a late second stage of a move looks whether the replacement is still there', async () => {
	const service = serviceWith({
		people: [person('ana', ['vpn']), person('ben', ['vpn', 'eng'])],
		faults: [{ method: 'PATCH', nth: 2, kind: '429', retryAfter: 30 }],
	});
	meanwhile(service, /^PATCH/, (scim) => scim.take(ID.eng, idOf('ana')), { nth: 2 });
	const items = await play(service, 'set', {
		people: email('ana'),
		managedGroups: rows('VPN', 'Engineering'),
		...listed('Engineering'),
		options: wait,
	});
	expect(membersIn(service).vpn).toContain('ana');
	expect(items.map(({ status }) => status)).toEqual(['done', 'failed']);
	expect(items[1].reason).toContain(
		'is not member of group Engineering any more, so nothing was removed there',
	);
});

test('a deactivation that is refused is done where it is so anyway', async () => {
	const service = serviceWith({ people: [person('ana', ['vpn']), person('ben', ['vpn'])] });
	refusesOnce(service, 409, () => service.setActive(idOf('ana'), false));
	const items = await play(
		service,
		'deactivate',
		{ user: locator('email', email('ana')), options: wait },
		[{}],
		{ resource: 'user' },
	);
	expect(items.map(({ status }) => status)).toEqual(['done']);
});

test('a deactivation that is refused is failed with the words of the service, where no look shows it', async () => {
	const service = serviceWith({ people: [person('ana', ['vpn'])] });
	refusesOnce(service, 403, () => {});
	const [item] = await play(
		service,
		'deactivate',
		{ user: locator('email', email('ana')), options: wait },
		[{}],
		{ resource: 'user' },
	);
	expect(item.error).toContain('the service answered 403');
	expect(service.users.get(idOf('ana')).active).not.toBe(false);
});

test('a deactivation of a user deleted meanwhile is done, and not ascribed to the service', async () => {
	const service = serviceWith({ people: [person('ana', ['vpn']), person('ben', ['vpn'])] });
	refusesOnce(service, 404, () => service.users.delete(idOf('ana')));
	const [item] = await play(
		service,
		'deactivate',
		{ user: locator('email', email('ana')), options: wait },
		[{}],
		{ resource: 'user' },
	);
	expect(item).toMatchObject({
		status: 'done',
		warnings: ['ana@example.com is not there any more.'],
	});
});

test('a value that is refused is done where it is so anyway', async () => {
	const service = serviceWith({ people: [person('ana', ['eng'])] });
	const user = service.users.get(idOf('ana'));
	const withRoles = (...roles) =>
		service.store({ ...user, attributes: { ...user.attributes, roles } });
	withRoles({ value: 'reader' });
	refusesOnce(service, 409, () => withRoles({ value: 'reader' }, { value: 'editor' }));
	const items = await play(
		service,
		'update',
		{
			user: locator('email', email('ana')),
			accessValues: { value: [{ action: 'add', attribute: 'roles', value: 'editor' }] },
			options: wait,
		},
		[{}],
		{ resource: 'user' },
	);
	expect(items.map(({ status }) => status)).toEqual(['done']);
});

test('after an alarm, a whole list that waits to be sent again is not sent', async () => {
	const stay = ['ben', 'cleo', 'gus'];
	const service = serviceWith({
		people: [
			person('ana', ['eng', 'sales']),
			...stay.map((name) => person(name, ['eng'])),
			person('dan', []),
		],
		faults: [
			{
				...{ method: 'PUT', path: new RegExp(ID.sales), kind: '429', retryAfter: 5 },
				nth: [1, 2, 3, 4, 5],
			},
		],
	});
	const isRead = new RegExp(`^GET .Groups.${ID.eng}`);
	const writer = meanwhile(
		service,
		isRead,
		(scim) => stay.map((name) => scim.take(ID.eng, idOf(name))),
		{ nth: 2 },
	);
	await play(
		service,
		'setMembers',
		{ options: { ...wait, replaceWith: 'wholeList' } },
		[
			{ ...inGroup('sales'), people: emails('dan') },
			{ ...inGroup('eng'), people: emails(...stay) },
		],
		{ resource: 'group' },
	);
	expect(writer.acted).toBe(true);
	expect(membersIn(service).sales).toEqual(['ana']);
});
