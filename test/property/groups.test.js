'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { shapeOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const {
	WISHES,
	groupCases,
	groupServiceOf,
	groupTask,
	unhurt,
} = require('../support/modelGroupWishes');
const { checkItems, checkMoments, writesOf } = require('../support/modelChecks');

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);

const isEmpty = ({ length }) => length === 0;

const check = async (arbitrary, property) =>
	await fc.assert(fc.asyncProperty(arbitrary, property), { numRuns: RUNS });

async function run(service, what) {
	const result = await runOnModel(service, what);
	expect(result.thrown).toBeUndefined();
	return result;
}

/** Runs a case, and looks at every moment and at what was reported. */
async function runCase(given) {
	const task = groupTask(given);
	const service = groupServiceOf(given);
	const result = await run(service, task.run);
	checkMoments(service, task, given);
	const knows = given.ways.isTold && (given.hazards.faults ?? []).length === 0;
	checkItems(result, service, { operation: given.operation, knows });
	return { task, service, result };
}

describe.each(Object.keys(WISHES))('%s on plain groups', (operation) => {
	const casesOf = (hazards) => groupCases(operation, hazards);

	test('ends as wanted, nobody else is touched, and nothing is left to do', async () => {
		await check(casesOf(), async (given) => {
			const { task, service } = await runCase(given);
			// What a run cannot know it leaves alone; the moments tell that nothing else was touched.
			if (!given.ways.isTold) return;
			expect(shapeOf(service.now())).toEqual(task.end);
			const again = service.again();
			const second = await run(again, task.run);
			// What the service refuses is tried again, and refused again.
			expect(writesOf(again).filter(({ status }) => status < 400)).toStrictEqual([]);
			expect(shapeOf(again.now())).toEqual(task.end);
			expect(second.json.filter(({ status }) => status === 'done')).toStrictEqual([]);
			checkItems(second, again, { operation, knows: true });
		});
	});

	test('every item has an answer, and nobody is added twice', async () => {
		await check(casesOf(unhurt), async (given) => {
			const { service, result, task } = await runCase(given);
			// Where it is not known who is in a group, whoever is named is added.
			if (given.ways.isTold) expect(service.adds.filter(({ was }) => was)).toStrictEqual([]);
			const answered = result.output.flatMap(({ pairedItem }) =>
				[pairedItem].flat().map(({ item }) => item),
			);
			expect(task.run.items.flatMap((_, at) => (answered.includes(at) ? [] : [at]))).toStrictEqual(
				[],
			);
		});
	});

	if (operation.endsWith('Members')) return;

	test('Preview sends no write', async () => {
		await check(casesOf(unhurt), async (given) => {
			const { preview, start } = groupTask(given);
			const { items } = preview;
			const service = groupServiceOf(given);
			const { json } = await run(service, preview);
			expect(writesOf(service)).toStrictEqual([]);
			expect(shapeOf(service.now())).toEqual(start);
			const { deactivatesEmpty = false, unwanted } = given.wish;
			// Where nobody is in any group, and the credential does not tell who shows members, access is not known.
			const isSilent = !given.ways.isTold && Object.values(start.members).every(isEmpty);
			const isBlind = isSilent && deactivatesEmpty && unwanted === 'revoke';
			const refusal = { error: expect.stringContaining('cannot be used here') };
			expect(json).toMatchObject(isBlind ? items.map(() => refusal) : [{ preview: true }]);
		});
	});
});
