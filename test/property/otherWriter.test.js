'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { runs } = require('../support/seed');
const { runOnModel } = require('../support/modelNode');
const { beside, deeds } = require('../world/hazards');
const { serviceOf, userIdOf } = require('../world/kinds');
const { taskOf } = require('../world/task');
const { cases } = require('../world/wishes');
const { asRun, watchWriters, wrongOf } = require('../world/writers');

const RUNS = runs();

// Another client or a second run writes at any request: no one has what neither of them gave, nothing that one of them
// took comes back, and what an item claims was so after the last write of its run.

const OPERATIONS = ['assign', 'set', 'revoke', 'offboard', 'setMembers', 'reconcile'];

/** Cases in which what is wanted of one group says nothing of another, nor of what was there at the beginning. */
const casesOf = (operation, kind) =>
	cases(operation, kind, { hazards: beside }).map((given) => {
		const { wish, directory, ways } = given;
		const { places, people } = directory;
		const said = (person, at) => places[at]?.findIndex(({ id }) => person?.held.includes(id)) ?? -1;
		const list = wish.list?.map((one, number) => ({
			...one,
			wants: one.wants.map((want, at) => {
				if (want !== 'same') return want;
				const position = said(people[number], at);
				return position < 0 ? 'none' : position;
			}),
		}));
		return {
			...given,
			ways: { ...ways, isTold: true },
			wish: { ...wish, ...(list && { list }), deactivatesEmpty: false },
		};
	});

/** The same without new users, which the other run does not know. */
const withoutJoiners = ({ wish, ...given }) => ({ ...given, wish: { ...wish, joiners: [] } });

/** @returns whether the wish of a case makes a change, of whatever the person may have had by then */
function wantedBy(given) {
	const { directory } = given;
	const known = new Map();
	/** The tasks for a person who had any of the groups of a place, or none. */
	function tasksFor(id, key) {
		const at = directory.people.findIndex(({ userName }) => userIdOf(userName) === id);
		const person = directory.people[at];
		const place = directory.places.find((groups) => groups.some((group) => group.id === key)) ?? [];
		const others = person?.held.filter((held) => !place.some((group) => group.id === held));
		const held = [[], ...place.map((group) => [group.id])].map((own) => [
			...(others ?? []),
			...own,
		]);
		return (place.length === 0 ? [person?.held ?? []] : held).flatMap((own) =>
			[true, false].map((active) => {
				const people = directory.people.with(Math.max(at, 0), { ...person, active, held: own });
				return taskOf({ ...given, directory: at < 0 ? directory : { ...directory, people } });
			}),
		);
	}
	const valueOf = ({ active, members }, { id, key }) =>
		key === 'active' ? active[id] : members[key]?.includes(id);
	return (change) => {
		// No user is renamed.
		if (change.key === 'name' || change.key === 'rest') return false;
		const about = `${change.id} ${change.key}`;
		if (!known.has(about)) known.set(about, tasksFor(change.id, change.key));
		return known.get(about).some(({ start, end }) => {
			const to = valueOf(end, change);
			// A user may be deactivated before deletion.
			const isOnTheWay = change.key === 'active' && change.to === false && to === undefined;
			return valueOf(start, change) !== to && (to === change.to || isOnTheWay);
		});
	};
}

/** Plays runs of cases beside each other, and the deeds of others. @returns what was wrong, in words */
async function wrongIn(givens, planned = []) {
	const service = serviceOf(givens[0]);
	const events = watchWriters(service, planned);
	const runs = await Promise.all(
		givens.map(async (given, at) => {
			const by = `run ${at}`;
			return { given, by, ...(await runOnModel(asRun(by, service), taskOf(given).run)) };
		}),
	);
	return runs.flatMap(({ given, by, json, thrown }) => {
		const { operation, settings, wish } = given;
		if (thrown) return [thrown.stack];
		const keepsAdmins = !settings.allowRemovingLastAdmin;
		const sendsLists = wish.replaceWith === 'wholeList';
		return wrongOf({ by, operation, json, keepsAdmins, sendsLists }, events, wantedBy(given));
	});
}

describe.each(['account', 'plainGroups'])('%s', (kind) => {
	const check = async (...given) => await fc.assert(fc.asyncProperty(...given), { numRuns: RUNS });

	test.each(OPERATIONS)('%s beside another client', async (operation) => {
		await check(casesOf(operation, kind), deeds, async (given, planned) => {
			expect(await wrongIn([given], planned)).toStrictEqual([]);
		});
	});

	test.each(OPERATIONS)('%s, two runs at once', async (operation) => {
		const one = casesOf(operation, kind).map(withoutJoiners);
		await check(one, one, async (first, { wish, settings }) => {
			expect(await wrongIn([first, { ...first, wish, settings }])).toStrictEqual([]);
		});
	});
});
