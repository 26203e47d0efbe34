'use strict';

// What an update takes along that nobody asked for: the first one is failed and says what was lost, and no other one leaves in
// the same form.

const { Groups, email, errorsIn, locator, play } = require('../support/behavior');
const { mapped } = require('../support/node');

const NAMES = Array.from({ length: 30 }, (_, at) => `p${at}`);

/** A service that forgets attributes of a user with each PATCH. */
function forgetting(attributes) {
	const held = { has: 'eng', nickName: 'Nick', externalId: 'hr' };
	return new Groups(Object.fromEntries(NAMES.map((name) => [name, held])), {
		onWrite: ({ path }, scim) => {
			const user = scim.users.get(path.split('/').at(-1));
			for (const name of attributes) delete user.attributes[name];
		},
	});
}

test.each([[['emails']], [['nickName']], [['externalId']], [['name', 'nickName']]])(
	'%j go with the title',
	async (lost) => {
		const world = forgetting(lost);
		const wish = { ...mapped({ title: 'Boss' }), options: { maxPeopleAffected: 100 } };
		const users = NAMES.map((name) => ({ user: world.user(name) }));
		const items = await play(world, ['user', 'update'], wish, users);
		expect(items.map(({ status }) => status)).toEqual(Array(30).fill('failed'));
		const errors = errorsIn(items);
		for (const name of lost) expect(errors[0]).toContain(name);
		expect(errors[0]).toMatch(/took other values along: p0@example.com no longer has/);
		expect(errors[29]).toMatch(/Nothing was sent, since an update took other values along/);
		const written = new Set(world.service.written());
		expect(written.size).toBeLessThan(15);
		const now = world.attributes();
		const spared = NAMES.filter((name) => lost.every((one) => now[name][one] !== undefined));
		expect(spared).toHaveLength(30 - written.size);
		for (const name of spared) expect(now[name]).toEqual(world.attributesBefore[name]);
	},
);

test('what an update is to take is no loss', async () => {
	const world = forgetting(['nickName']);
	const attributesJson = JSON.stringify({ title: 'Boss', nickName: null });
	const wish = { options: { attributesJson }, user: world.user('p0') };
	const [item] = await play(world, ['user', 'update'], wish);
	expect(item).toMatchObject({ status: 'done' });
	expect(world.attributes().p0).toMatchObject({ title: 'Boss' });
});

describe('an update of users who were found by a list or a filter, and forgets other attributes', () => {
	const title = mapped({ title: 'Boss' });
	const row = (name) => ({ userName: email(name), title: 'Boss' });
	const WAYS = {
		'by email': [
			'update',
			NAMES.map((name) => ({ ...title, user: locator('email', email(name)) })),
		],
		'Create or Update': ['upsert', NAMES.map((name) => ({ ...title, userName: email(name) }))],
		'User: Reconcile': [
			'reconcile',
			[{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(NAMES.map(row)) }],
		],
	};
	const held = { has: 'eng', nickName: 'Nick', roles: [{ value: 'editor' }] };
	const cases = Object.keys(WAYS).flatMap((way) =>
		['emails', 'nickName', 'roles'].map((lost) => [way, lost]),
	);
	test.each(cases)('%s: %s', async (way, lost) => {
		const world = new Groups(Object.fromEntries(NAMES.map((name) => [name, held])), {
			onWrite: ({ path }, scim) => {
				delete scim.users.get(path.split('/').at(-1))?.attributes[lost];
			},
		});
		const [operation, items] = WAYS[way];
		const options = { options: { maxPeopleAffected: 100 } };
		const errors = errorsIn(await play(world, ['user', operation], options, items));
		expect(errors).toHaveLength(30);
		expect(errors[0]).toContain(`no longer has ${lost}`);
		expect(new Set(world.service.written()).size).toBeLessThan(15);
	});
});

test('an update that takes one of two emails along', async () => {
	const emails = [
		{ value: email('ana'), primary: true },
		{ value: 'ana@home.test', type: 'home' },
	];
	const world = new Groups(
		{ ana: { has: 'eng', emails } },
		{
			onWrite: (_, scim) => {
				for (const { attributes } of scim.users.values()) attributes.emails = emails.slice(0, 1);
			},
		},
	);
	const wish = { ...mapped({ title: 'Boss' }), user: world.user('ana') };
	const [item] = await play(world, ['user', 'update'], wish);
	expect(item).toMatchObject({ status: 'failed', error: expect.stringContaining('emails') });
});

test('an email that follows the user name, and a number that is written otherwise, are no losses', async () => {
	const world = new Groups(
		Object.fromEntries(
			['ana', 'ben'].map((name) => [name, { has: 'eng', phoneNumbers: [{ value: '+49 170 1' }] }]),
		),
		{
			onWrite: (_, scim) => {
				for (const { userName, attributes } of scim.users.values()) {
					attributes.emails = [{ value: userName, primary: true }];
					attributes.phoneNumbers = [{ value: 'tel:+491701' }];
				}
			},
		},
	);
	const items = ['ana', 'ben'].map((name) => ({
		...mapped({ userName: email(`${name}2`) }),
		user: world.user(name),
	}));
	expect(errorsIn(await play(world, ['user', 'update'], {}, items))).toEqual([]);
});
