'use strict';

// A membership of an inactive user needs no request; after the reactivation it is verified.

const {
	ID,
	email,
	emails,
	idOf,
	listed,
	meanwhile,
	membersIn,
	person,
	play,
	serviceWith,
	statuses,
	strip,
	wait,
} = require('./play');

const SHOWN = ['both', 'users', 'groups'].flatMap((membersShownOn) =>
	['body', 204].map((patchAnswers) => ({ membersShownOn, patchAnswers })),
);

const serviceOf = (ways) =>
	serviceWith({
		...{ people: [person('ana', ['eng', 'sales'], { active: false }), person('ben', ['eng'])] },
		...ways,
	});

const assign = async (service) =>
	await play(service, 'assign', {
		...{ people: emails('ana'), ...listed('Sales, EMEA') },
		options: { reactivate: true, ...wait },
	});

test.each(SHOWN)('is there, with $membersShownOn and $patchAnswers', async (ways) => {
	const service = serviceOf(ways);
	expect(statuses(await assign(service)).map(([, , status]) => status)).toEqual([
		'unchanged',
		'done',
	]);
});

test.each(SHOWN)('was taken, with $membersShownOn and $patchAnswers', async (ways) => {
	const service = serviceOf(ways);
	const other = meanwhile(service, /^PATCH .Users/, (scim) => scim.drop('g-2c9d0b7e', idOf('ana')));
	const items = await assign(service);
	expect(other.acted).toBe(true);
	expect(membersIn(service)).toEqual({ eng: ['ana', 'ben'] });
	expect(statuses(items)).toEqual([
		[email('ana'), 'Sales, EMEA', 'failed'],
		[email('ana'), null, 'done'],
	]);
	expect(items[0].error).toContain('is not any more');
});

test('is there, where users show other groups alone', async () => {
	const service = serviceOf({ membersShownOn: 'both' });
	let isIn = false;
	meanwhile(service, /^PATCH .Users/, () => (isIn = true));
	strip(
		service,
		({ url }) => isIn && /Users/.test(url),
		(body) => {
			for (const user of body.Resources ?? [body])
				user.groups = user.groups?.filter(({ value }) => value !== ID.sales);
		},
	);
	expect(statuses(await assign(service)).map(([, , status]) => status)).toEqual([
		'unchanged',
		'done',
	]);
});

test('is not known where no read comes after', async () => {
	const service = serviceOf({ membersShownOn: 'groups' });
	let isIn = false;
	meanwhile(service, /^PATCH .Users/, () => (isIn = true));
	const send = service.exchange.bind(service);
	service.exchange = async (request) =>
		isIn && /Groups/.test(request.url)
			? { status: 403, headers: {}, text: '{}' }
			: await send(request);
	const items = await assign(service);
	expect(statuses(items).map(([, , status]) => status)).toEqual(['unverified', 'done']);
});
