'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { runs } = require('../support/seed');
const { shapeOf } = require('../support/memoryService');
const { aboveFloor, changesOf, checkItems, checkRun, missedIn, run } = require('../world/checks');
const { hurt, refusing, unhurt } = require('../world/hazards');
const { serviceOf } = require('../world/kinds');
const { taskOf } = require('../world/task');
const { WISHES, cases } = require('../world/wishes');

const RUNS = runs();

const SERVICES = {
	'account organizations': ['account'],
	'generic services': ['genericOneRole', 'genericManyRoles'],
	'plain groups': ['plainGroups'],
};
const PAIRS = Object.entries(SERVICES).flatMap(([name, kinds]) =>
	Object.keys(WISHES).map((operation) => [operation, name, kinds]),
);

/** Operations that only take access, so that nothing is refused. */
const TAKES = ['revoke', 'offboard', 'removeMembers'];

/** Runs a case, and looks at the guard, at every moment and at what was reported. */
async function runCase(given) {
	const task = taskOf(given);
	const service = serviceOf(given);
	const result = await run(service, task.run);
	const isStopped = checkRun(service, result, task, given);
	// What a run cannot know it leaves alone; the moments tell that nothing else was touched.
	const isOpen = isStopped || (!task.hasRoles && !given.ways.isTold);
	return { task, service, result, isOpen };
}

/** Where all groups are empty, a generic service shows no memberships: each group is asked for by filter. */
const tells = ({ kind, ways, directory: { people } }) =>
	kind === 'account' || ways.isTold || people.some(({ held }) => held.length > 0);

describe.each(PAIRS)('%s on %s', (operation, name, kinds) => {
	const check = async (hazards, property) =>
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...kinds).chain((kind) => cases(operation, kind, { hazards })),
				property,
			),
			{ numRuns: RUNS },
		);

	test('ends as wanted, through all that a service does, and nothing is left to do', async () => {
		await check(hurt, async (given) => {
			// Access that is unknown is not moved to another account (test/behavior/access.changeEmail).
			fc.pre(operation !== 'changeEmail' || tells(given));
			const { task, service, isOpen } = await runCase(given);
			if (isOpen) return;
			expect(shapeOf(service.now())).toEqual(task.end);
			const again = service.again();
			const second = await run(again, task.run);
			// A service that refuses changes of inactive members does so each time.
			const isRefusedAgain = ({ status }) => given.ways?.inactiveRefuses && status === 400;
			expect(changesOf(again).filter((one) => !isRefusedAgain(one))).toStrictEqual([]);
			expect(shapeOf(again.now())).toEqual(task.end);
			expect(second.json.filter(({ status }) => status === 'done')).toStrictEqual([]);
			checkItems(second, again, { operation });
		});
	});

	test('every item has an answer, nobody is added twice, and no request is one too many', async () => {
		await check(unhurt, async (given) => {
			fc.pre(tells(given));
			const { task, service, result, isOpen } = await runCase(given);
			const answered = new Set(
				result.output.flatMap(({ pairedItem }) => [pairedItem].flat().map(({ item }) => item)),
			);
			expect(task.run.items.filter((_, at) => !answered.has(at))).toStrictEqual([]);
			if (isOpen) return;
			expect(missedIn(result, task)).toStrictEqual([]);
			expect(service.adds.filter(({ was }) => was)).toStrictEqual([]);
			expect(shapeOf(service.now())).toEqual(task.end);
			if (!task.hasRoles || operation === 'reconcile') return;
			expect(aboveFloor(task, given, service)).toStrictEqual([]);
		});
	});

	if (name === 'plain groups' || TAKES.includes(operation)) return;

	test('takes nothing from anybody for what is refused', async () => {
		await check(refusing, async (given) => void (await runCase(given)));
	});
});
