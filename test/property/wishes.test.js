'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { shapeOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { aboveFloor, checkItems, checkMoments, errorsOf, writesOf } = require('../world/checks');
const { hurt, refusing, unhurt } = require('../world/hazards');
const { serviceOf } = require('../world/kinds');
const { taskOf } = require('../world/task');
const { WISHES, cases } = require('../world/wishes');

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);
const SERVICES = {
	'account organizations': ['account'],
	'generic services': ['genericOneRole', 'genericManyRoles'],
	'plain groups': ['plainGroups'],
};
const PAIRS = Object.entries(SERVICES).flatMap(([name, kinds]) =>
	Object.keys(WISHES).map((operation) => [operation, name, kinds]),
);

/** Nobody is refused what they had. */
const TAKES = ['revoke', 'offboard', 'removeMembers'];

async function run(service, what) {
	const result = await runOnModel(service, what);
	expect(result.thrown).toBeUndefined();
	return result;
}

/** Writes that could change something: who is in no group is found out by creating, which the service then refuses. */
const changesOf = (service) => writesOf(service).filter(({ status }) => status < 400);

const isShown = (service) => [...service.groups.values()].some(({ length }) => length > 0);

/** Runs a case, and looks at the guard, at every moment and at what was reported. */
async function runCase(given) {
	const { operation, kind, settings, ways } = given;
	const task = taskOf(given);
	const service = serviceOf(given);
	const result = await run(service, task.run);
	// What would leave an organization without active admin is stopped before anything is sent, or, where only a create
	// shows that somebody is inactive, halfway: the moments tell.
	const isHeld = !settings.allowRemovingLastAdmin && task.orphaned.length > 0;
	const isBlocked = errorsOf(result).some((error) => error.startsWith('Nothing was sent'));
	if (isBlocked) {
		expect(settings.allowRemovingLastAdmin).toBe(false);
		// An organization without any active admin may be kept from losing an inactive one; nothing else is held up.
		expect([...task.orphaned, ...task.neverHad]).not.toStrictEqual([]);
		expect(result.json[0].error).toContain('active admin');
		expect(writesOf(service)).toStrictEqual([]);
		expect(shapeOf(service.now())).toEqual(task.start);
	} else {
		checkMoments(service, task, settings);
		// Elsewhere nothing tells whether groups that show nobody are empty.
		const isTold = task.hasRoles ? kind === 'account' && isShown(service) : ways.isTold;
		checkItems(result, service, { operation, knows: isTold && !task.hasFaults });
	}
	// What a run cannot know it leaves alone; the moments tell that nothing else was touched.
	const isOpen = isBlocked || isHeld || (!task.hasRoles && !ways.isTold);
	return { task, service, result, isOpen };
}

/** Where nobody is in any group, a generic service tells nothing of who is: each group is asked for by filter. */
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
			expect(changesOf(again)).toStrictEqual([]);
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
