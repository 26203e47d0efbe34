'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { runs } = require('../support/seed');
const { checkItems, checkMoments, run } = require('../world/checks');
const { ODDITIES, plant, unhurt } = require('../world/hazards');
const { serviceOf } = require('../world/kinds');
const { taskOf } = require('../world/task');
const { claims, isRemoval } = require('../world/truth');
const { WISHES, cases } = require('../world/wishes');

// A service that answers oddly in one way: what is said is so, and what does not depend on the oddity is done.

/** No more than these, however long the others run. */
const MOST_RUNS = 100;
const RUNS = Math.min(MOST_RUNS, runs(8));
/** A share is of as many cases as `npm run fuzz` plays by its own seed; a few of them, or others, tell it within so much. */
const TOLERANCE = RUNS < 25 ? 0.03 : 0.01;

/**
 * How many items say that something is so of somebody, of those that give and of those that take. That a group is empty is of
 * nobody: with a member more it is another item.
 */
function claimsIn({ json }, operation) {
	const said = json.filter((item) => claims(item) && item.userId !== null);
	const takes = said.filter(
		(item) => operation === 'offboard' || isRemoval(item, operation),
	).length;
	return { gives: said.length - takes, takes };
}

/** The same of a service without any oddity, by case: all oddities are played on the same cases. */
const known = new Map();
async function plainClaims(given, task, operation) {
	const key = fc.stringify([operation, given]);
	if (!known.has(key)) {
		known.set(key, claimsIn(await run(serviceOf(given), task.run), operation));
	}
	return known.get(key);
}

describe.each(Object.entries(ODDITIES))('%s', (_name, { share, isUntold, ...oddity }) => {
	const could = { gives: 0, takes: 0 };
	const did = { gives: 0, takes: 0 };

	test.each(Object.keys(WISHES))('%s: what is said is so', async (operation) => {
		const property = async ({ ways, hazards, ...drawn }, switches) => {
			const given = { ...drawn, ways: { ...ways, ...(isUntold && { isTold: false }) } };
			const task = taskOf({ ...given, hazards });
			const plain = await plainClaims({ ...given, hazards }, task, operation);
			const service = serviceOf({ ...given, hazards: { ...hazards, ...switches } });
			if (oddity.change) plant(service, oddity.change);
			const result = await run(service, task.run);
			checkMoments(service, task, given.settings);
			checkItems(result, service, { operation });
			expect(oddity.wrongIn?.(service, task) ?? []).toStrictEqual([]);
			const own = claimsIn(result, operation);
			for (const what of ['gives', 'takes']) {
				could[what] += plain[what];
				did[what] += Math.min(own[what], plain[what]);
			}
		};
		const drawn = cases(operation, 'plainGroups', { hazards: unhurt });
		await fc.assert(fc.asyncProperty(drawn, oddity.switches, property), { numRuns: RUNS });
	});

	test.each(['gives', 'takes'])('what %s access is done as often as it can be', (what) => {
		expect(could[what]).toBeGreaterThan(0);
		expect(did[what] / could[what]).toBeGreaterThanOrEqual(share[what] - TOLERANCE);
	});
});
