'use strict';

// A create that meets a user whom the list of users did not show: what is removed for being in no row stays, since the list lacked
// somebody. So creates go first.

const { Groups, email, play, rows, table, wanted } = require('../support/behavior');

const CREDENTIAL = {
	...{ serviceProfile: 'generic', overrideProfile: true, deletionIsFinal: 'no' },
	deactivation: 'keeps',
};
const PEOPLE = { ana: 'eng', ben: 'eng', cleo: '' };
const on =
	(more = {}, people = PEOPLE) =>
	() =>
		new Groups(people, { credential: CREDENTIAL, ...more });
/** Another client makes the user of the row. */
const appears = [
	'POST Users',
	(scim) =>
		scim.store({
			...{ id: 'id-new', userName: email('new'), email: email('new'), active: true },
			attributes: { displayName: 'Old New' },
		}),
];
const NOT_WHOLE = /The list of users was not whole: new@example\.com exists already/;
const EXISTS = /User new@example\.com exists already/;

describe('User: Reconcile', () => {
	const list = (all, more) => ({
		...{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(all) },
		...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*', ...more },
		options: { maxPeopleAffected: 100 },
	});
	const row = (name, more) => ({ userName: email(name), ...more });
	const all = list([row('new'), row('ana'), row('cleo', { active: false })]);
	table('user', 'reconcile', [
		{
			it: 'creates before it deactivates',
			...{ on: on(), wish: list([row('new'), row('ana'), row('cleo')]) },
			...{ sends: ['POST Users', 'PATCH ben'], inOrder: true },
			ends: { new: '', ben: 'inactive eng' },
		},
		{
			it: 'a user whom the list did not show: nobody is deactivated for being in no row, and a leaver is',
			...{ on: on(), wish: all, meanwhile: appears, fails: [EXISTS, NOT_WHOLE] },
			...{ sends: ['PATCH cleo', 'POST Users 409'], ends: { new: '', cleo: 'inactive' } },
		},
		{
			it: 'the same of a service that answers the create with that user',
			on: on({ takenNames: 'answered', ids: 'numbered', showsCreated: true }),
			...{ wish: all, meanwhile: appears, fails: [EXISTS, NOT_WHOLE] },
			ends: { new: '', cleo: 'inactive' },
		},
		{
			it: 'the same of a service that cuts its lists off, and whose filter misses that user',
			on: on(
				{
					total: 'page',
					pageCap: 3,
					ignoresStart: true,
					filterMisses: (value) => value === email('new'),
				},
				{ ...PEOPLE, new: '' },
			),
			wish: list([row('new'), row('ana')]),
			fails: expect.arrayContaining([expect.stringMatching(NOT_WHOLE)]),
			sends: ['POST Users 409'],
		},
		{
			it: 'a create that is refused for another reason holds nobody back',
			on: on({ requires: ['title'] }),
			...{ wish: list([row('new'), row('ana'), row('cleo')]), fails: [/title/] },
			ends: { ben: 'inactive eng' },
		},
	]);

	const cut = { total: 'page', pageCap: 3, ignoresStart: true };
	const two = list([row('new'), row('ana')]);
	table('user', 'reconcile', [
		{
			it: 'a user whom the list did not show, and whom the run has read by ID as an admin',
			on: on(
				{
					...{ ...cut, filterMisses: (value) => value === email('new') },
					credential: {
						...{ ...CREDENTIAL, groupsStandFor: 'organizationAndRole' },
						groupPattern: '{organization}:{role}',
					},
				},
				{ ana: 'eng:viewer', ben: 'eng:admin', cleo: '', new: 'eng:admin' },
			),
			...{ wish: two, fails: expect.arrayContaining([expect.stringMatching(NOT_WHOLE)]) },
			sends: ['POST Users 409'],
		},
	]);

	test('a create whose answer was lost meets an inactive user whom the list did not show', async () => {
		let isHidden = true;
		const filterMisses = (value) => isHidden && value === email('new');
		const world = on({ ...cut, filterMisses }, { ...PEOPLE, new: 'inactive' })();
		world.service.faults.pick = ({ method }) => {
			if (method !== 'POST' || !isHidden) return undefined;
			isHidden = false;
			return { kind: 'reset-before' };
		};
		const items = await play(world, ['user', 'reconcile'], two);
		expect(items.map(({ error }) => String(error)).join()).toMatch(NOT_WHOLE);
		expect(world.shape()).toEqual(world.before);
	});

	/** The world after a plan was made, what is in the way was done, and the plan was applied. */
	const applied = async (world, wish, meddle) => {
		const [{ plan }] = await play(world, ['user', 'reconcile'], { ...wish, preview: true });
		meddle(world.service);
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		return { world, errors: items.flatMap(({ error }) => String(error ?? [])).join('\n') };
	};
	const onPost = (scim) => {
		scim.given.onRequest = (_, { method }) => {
			if (method === 'POST') appears[1](scim);
		};
	};

	test('an approved plan goes on where the list shows who was made since', async () => {
		const { world, errors } = await applied(on()(), all, onPost);
		expect(errors).toMatch(EXISTS);
		expect(errors).not.toMatch(NOT_WHOLE);
		expect(world.shape()).toMatchObject({ ana: 'eng', ben: 'inactive eng', cleo: 'inactive' });
	});

	test('an approved plan holds them back where the list lacks that user still', async () => {
		const cuts = { total: 'page', pageCap: 3, ignoresStart: true };
		const misses = { filterMisses: (value) => value === email('new') };
		const world = on({ ...cuts, ...misses }, { ...PEOPLE, new: '' })();
		const { errors } = await applied(world, list([row('new'), row('ana')]), () => {});
		expect(errors).toMatch(NOT_WHOLE);
		expect(world.shape()).toMatchObject({ ana: 'eng', ben: 'eng', cleo: '' });
	});

	test('an approved plan holds them back where one of them is that very user', async () => {
		const world = on()();
		const { errors } = await applied(world, list([row('new'), row('ana')]), (scim) => {
			const ben = [...scim.users.values()].find(({ userName }) => userName === email('ben'));
			scim.given.onRequest = (_, { method }) => {
				if (method === 'POST') scim.users.set(ben.id, { ...ben, userName: email('new') });
			};
		});
		expect(errors).toMatch(NOT_WHOLE);
		expect(world.shape()).toMatchObject({ ana: 'eng', new: 'eng', cleo: '' });
	});
});

describe('Access: Reconcile', () => {
	const list = (all, more = {}) => ({
		...{ preview: false, createMissing: true, scopeGroups: rows('eng'), ...wanted(all) },
		...more,
		options: { maxPeopleAffected: 100, ...more.options },
	});
	const has = (name) => ({ email: email(name), group: 'eng' });
	const LEAVERS = { options: { deactivatesEmpty: true } };
	const all = [has('ana'), has('cleo'), has('new')];
	table('access', 'reconcile', [
		{
			it: 'who is created, who joins and who leaves a group go in one request',
			...{ on: on(), wish: list(all), sends: ['POST Users', 'PATCH eng'], inOrder: true },
			ends: { new: 'eng', ben: '', cleo: 'eng' },
		},
		{
			it: 'a user whom the list did not show: nobody loses access that no row wants, and grants go on',
			...{ on: on(), wish: list(all), meanwhile: appears, fails: [NOT_WHOLE] },
			ends: { new: 'eng', cleo: 'eng' },
		},
		{
			it: 'nor is anybody deactivated for having no access',
			...{ on: on(), wish: list(all, LEAVERS), meanwhile: appears },
			fails: expect.arrayContaining([expect.stringMatching(NOT_WHOLE)]),
			ends: { new: 'eng', cleo: 'eng' },
		},
		{
			it: 'a create whose answer was lost made that user itself, and holds nobody back',
			...{ on: on({ faults: [{ method: 'POST', kind: 'reset-after' }] }), wish: list(all) },
			ends: { new: 'eng', ben: '', cleo: 'eng' },
		},
		{
			it: 'who had left in mid-run keeps out',
			on: on(),
			wish: list(all),
			meanwhile: [
				'POST Users',
				(scim, w) => {
					appears[1](scim);
					w.put({ ben: '' });
				},
			],
			...{ fails: [NOT_WHOLE], ends: { new: 'eng', cleo: 'eng', ben: '' } },
		},
	]);
});
