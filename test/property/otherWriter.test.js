'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { ROLES, userIdOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { groupCases, groupServiceOf, groupTask } = require('../support/modelGroupWishes');
const { reconcileCases, reconcileTask } = require('../support/modelReconcile');
const { cases, emailOf, serviceOf, taskOf } = require('../support/modelWishes');
const { asRun, deeds, watchWriters, wrongOf } = require('../support/otherWriter');

// Another client writes at any request, or a second run does: nobody has what neither of them gave, nothing that one of
// them took comes back, and what an item claims was so after the last write of its run.

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);
const OPERATIONS = ['assign', 'set', 'revoke', 'offboard', 'setMembers', 'reconcile'];

const ways = fc.record({
	patchAnswers: fc.constantFrom('body', '204'),
	seed: fc.nat(1000),
	showsNames: fc.constant(true),
	faults: fc.array(
		fc.record({
			nth: fc.integer({ min: 1, max: 12 }),
			kind: fc.constantFrom('429', 'reset-after'),
		}),
		{ maxLength: 1 },
	),
});

/** Cases of each kind of service, and what a person may have had in a place. */
const WORLDS = {
	'the account': {
		casesOf: (operation) =>
			operation === 'reconcile'
				? reconcileCases('accountOrganizations', { ways })
				: cases(operation, 'accountOrganizations', ways),
		taskOf: (given) => (given.wish.operation ? taskOf(given) : reconcileTask(given)),
		serviceOf,
		personWith(person, key) {
			const [organization] = key.split(':');
			const some = [[], ...ROLES.map((role) => [role])];
			return some.map((held) => ({
				...person,
				roles: { ...person.roles, ...(key !== 'active' && { [organization]: held }) },
			}));
		},
	},
	'plain groups': {
		casesOf: (operation) =>
			groupCases(operation, ways).map((given) => ({
				...given,
				ways: { ...given.ways, isTold: true },
			})),
		taskOf: groupTask,
		serviceOf: groupServiceOf,
		personWith(person, key, { groups }) {
			const at = groups.findIndex(({ id }) => id === key);
			const others = person.held.filter((held) => held % groups.length !== at);
			return [others, ...(at < 0 ? [] : [[...others, at]])].map((held) => ({ ...person, held }));
		},
	},
};

/** The same, where what is wanted of one group says nothing of another, nor of what was there at the beginning. */
function plain(given) {
	const { wish, directory } = given;
	const { organizations, people } = directory;
	const said = (person, at) => person?.roles[organizations[at]]?.[0] ?? '';
	const list = wish.list?.map((one, number) => ({
		...one,
		roles: one.roles.map((role, at) => (role === 'same' ? said(people[number], at) : role)),
	}));
	return { ...given, wish: { ...wish, ...(list && { list }), deactivatesEmpty: false } };
}

/** The same, where nobody is created: the other run knows nobody of them. */
const withoutJoiners = ({ wish, ...given }) => ({ ...given, wish: { ...wish, joiners: [] } });

/** @returns whether the wish of a case makes a change, of whatever the person may have had by then */
function wantedBy(given, { taskOf: task, personWith }) {
	const { directory } = given;
	const known = new Map();
	function ends(id, key) {
		const at = directory.people.findIndex((_, index) => userIdOf(emailOf(index)) === id);
		const people = at < 0 ? [undefined] : personWith(directory.people[at], key, directory);
		return people.flatMap((person) =>
			[true, false].map((active) => {
				const all = [...directory.people];
				if (person) all[at] = { ...person, active };
				return task({ ...given, directory: { ...directory, people: all } });
			}),
		);
	}
	const valueOf = ({ active, members }, { id, key }) =>
		key === 'active' ? active[id] : members[key].includes(id);
	return (change) => {
		const place = `${change.id} ${change.key}`;
		if (!known.has(place)) known.set(place, ends(change.id, change.key));
		return known.get(place).some(({ start, end }) => {
			const to = valueOf(end, change);
			// Whoever is deleted may be shut out first.
			const isOnTheWay = change.key === 'active' && change.to === false && to === undefined;
			return valueOf(start, change) !== to && (to === change.to || isOnTheWay);
		});
	};
}

/** Plays runs of cases beside each other, and the deeds of others. @returns what was wrong, in words */
async function wrongIn(world, service, givens, plannedDeeds = []) {
	const events = watchWriters(service, plannedDeeds);
	const runs = await Promise.all(
		givens.map(async (given, at) => {
			const { run } = world.taskOf(given);
			const { json, thrown } = await runOnModel(asRun(`run ${at}`, service), run);
			return { given, json, thrown, by: `run ${at}`, operation: run.operation };
		}),
	);
	return runs.flatMap(({ given, json, thrown, by, operation }) => [
		...(thrown ? [thrown.stack] : []),
		...wrongOf(
			{
				...{ by, operation, json, keepsAdmins: !given.settings.allowRemovingLastAdmin },
				sendsLists: given.wish.replaceWith === 'wholeList',
			},
			events,
			wantedBy(given, world),
		),
	]);
}

describe.each(Object.entries(WORLDS))('%s', (_, world) => {
	test.each(OPERATIONS)('%s beside another client', async (operation) => {
		const given = fc.record({ given: world.casesOf(operation).map(plain), others: deeds });
		await fc.assert(
			fc.asyncProperty(given, async ({ given: own, others }) => {
				expect(await wrongIn(world, world.serviceOf(own), [own], others)).toStrictEqual([]);
			}),
			{ numRuns: RUNS },
		);
	});

	test.each(OPERATIONS)('%s, two runs at once', async (operation) => {
		const one = world.casesOf(operation).map(plain).map(withoutJoiners);
		await fc.assert(
			fc.asyncProperty(one, one, async (first, second) => {
				const other = {
					...second,
					...(({ directory, ways: is }) => ({ directory, ways: is }))(first),
				};
				const service = world.serviceOf(first);
				expect(await wrongIn(world, service, [first, other])).toStrictEqual([]);
			}),
			{ numRuns: RUNS },
		);
	});
});
