'use strict';

require('../support/noWaiting');
const {
	email,
	emails,
	errorsIn,
	idOf,
	listed,
	locator,
	person,
	play,
	serviceWith,
} = require('../support/modelGroupsPlay');

// Override Profile: what a run does with an override of the credential, and without it.

const people = Array.from({ length: 5 }, (_, at) => person(`p${at}`, []));

/** Name of the trait, its value, the service, and what is said of a run on it. */
const OVERRIDES = [
	[
		'hasGroups',
		'no',
		{ people: [person('ana', [])], types: ['Users'] },
		async (run) => {
			const items = await run('offboard', { people: email('ana') });
			return errorsIn(items).length === 0;
		},
	],
	[
		'userNamesAreConverted',
		'yes',
		{},
		async (run) => {
			const items = await run('assign', { people: email('dan'), ...listed('VPN') });
			return errorsIn(items).join().includes('cannot be matched by user name');
		},
	],
	[
		'paging',
		'cursor',
		{ people, paging: 'cursorAsked', pageCap: 2, refusesQuery: ['startIndex'], total: 'page' },
		async (run) => {
			const items = await run('getAll', { returnAll: true }, 'user');
			return items.length === people.length && errorsIn(items).length === 0;
		},
	],
	[
		'membersPerRequest',
		2,
		{ people },
		async (run) => {
			const names = people.map((_, at) => `p${at}`);
			const added = { people: emails(...names), ...listed('VPN') };
			const service = await run('assign', added, 'access', true);
			return service.written().length === 3;
		},
	],
	[
		'memberRemoval',
		'valueList',
		{ refusesFilterPath: 400 },
		async (run) =>
			errorsIn(await run('revoke', { people: email('ben'), ...listed('VPN') })).length === 0,
	],
	[
		'groupsShowMembers',
		'yes',
		{ people: [person('dan', [])], omitsEmptyMembers: true, membersShownOn: 'groups' },
		async (run) => {
			const [{ assignments }] = await run('get', { user: locator('id', idOf('dan')) });
			return Array.isArray(assignments) && assignments.length === 0;
		},
	],
	[
		'usersShowGroups',
		'yes',
		{ people: [person('dan', [])], membersShownOn: 'users', omitsEmptyGroups: true },
		async (run) => {
			const [{ assignments }] = await run('get', { user: locator('id', idOf('dan')) });
			return Array.isArray(assignments) && assignments.length === 0;
		},
	],
	[
		'accessAttributes',
		'title',
		{ people: [person('dan', [], { title: 'Lead' })] },
		async (run) => {
			const [{ values = [] }] = await run('get', { user: locator('id', idOf('dan')) });
			return values.some(({ value }) => value === 'Lead');
		},
	],
];

test.each(OVERRIDES)('%s: %s', async (trait, value, switches, seen) => {
	const runWith = async (more) => {
		const service = serviceWith(switches);
		const credential = { serviceProfile: 'generic', overrideProfile: true, ...more };
		return await seen(async (operation, parameters, resource = 'access', givesService = false) => {
			const options = { resource, credential };
			const items = await play(service, operation, parameters, [{}], options).catch((error) => [
				{ error },
			]);
			return givesService ? service : items;
		});
	};
	expect(await runWith({})).toBe(false);
	expect(await runWith({ [trait]: value })).toBe(true);
});
