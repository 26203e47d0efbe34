'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { runs } = require('../support/seed');
const { ROLES, deadFrom, shapeOf, userIdOf } = require('../support/memoryService');
const checks = require('../world/checks');
const { unhurt } = require('../world/hazards');
const { serviceOf } = require('../world/kinds');
const { taskOf } = require('../world/task');
const { heldBy } = require('../world/truth');
const { cases } = require('../world/wishes');

const RUNS = runs();

const { changesOf, checkItems, checkMoments, checkRun, errorsOf, run, stops, writesOf } = checks;

// Rows that cannot be used, and plans that are carried out later.

/** The plan of a case; undefined where the guard has a say. */
async function planOf(given) {
	const task = taskOf(given);
	const service = serviceOf(given);
	const { json } = await run(service, task.preview);
	expect(writesOf(service)).toStrictEqual([]);
	expect(json).toHaveLength(1);
	const [item] = json;
	if (item.blockedBy.length === 0)
		return { task, service, item, apply: task.applyOf(item), isStopped: stops(task, given).surely };
	expect(item.blockedBy.join()).toContain('active admin');
	expect(stops(task, given).maybe).toBe(true);
	return undefined;
}

const idsOf = ({ organizations }) => organizations.map(({ id }) => id);
const idOf = ({ id, userName }) => id ?? userIdOf(userName);

/** What a state shows of one person, and of all others. */
const split = ({ active, members }, id) => {
	const { [id]: own, ...others } = active;
	const without = ([key, ids]) => [key, ids.filter((other) => other !== id)];
	return {
		own: [own, heldBy({ members }, id)],
		others: { active: others, members: Object.fromEntries(Object.entries(members).map(without)) },
	};
};

/** What a change of a plan is about. */
const lineOf = ({ change, person, before, after }) => {
	const [given, taken] = [after, before].map((all) => (Array.isArray(all) ? all[0] : undefined));
	return {
		...{ change, id: idOf(person), userName: person.userName },
		organization: (given ?? taken)?.organization ?? null,
		...{ role: given?.role ?? null, roleBefore: taken?.role ?? null },
	};
};

/** Whether a change gives more, which inactive users do not get. */
const givesMore = ({ change, role, roleBefore }) =>
	change !== 'revoked' && (ROLES.indexOf(role) + 1 || 9) < (ROLES.indexOf(roleBefore) + 1 || 9);

/** What another client does to the target of a planned change; undefined where nothing can be done. */
function meddle(service, changes, change, way) {
	const { id, change: kind, organization, roleBefore, role, userName } = change;
	const own = changes.filter((other) => other.id === id);
	const user = service.users.get(id);
	if (kind === 'deactivated') {
		const elsewhere = idsOf(service).find((other) =>
			own.every((line) => line.organization !== other && !service.roleOf(id, other)),
		);
		if (elsewhere === undefined) return undefined;
		service.setRole(id, elsewhere, 'viewer');
	} else if (organization === null) {
		return undefined;
	} else if (way === 'inactive' && givesMore(change)) {
		const isBack = own.some((line) => line.change === 'activated' || line.change === 'created');
		if (user === undefined || !user.active || isBack) return undefined;
		service.setActive(id, false);
	} else if (kind === 'moved' && way === 'nothing') {
		service.setRole(id, organization, '');
	} else {
		// Another client may have created the user of the plan.
		if (user === undefined) service.create(userName);
		const other = ROLES.find((one) => one !== roleBefore && one !== role);
		service.setRole(id, organization, other);
	}
	const isAdmin = own.some(
		(line) => line.change === 'deactivated' || [line.role, line.roleBefore].includes('admin'),
	);
	// Another client may have changed the name that is shown.
	return { id, names: [userName ?? id, user?.userName ?? id], isAdmin };
}

const meddling = fc.record({
	at: fc.nat(1000),
	way: fc.constantFrom('role', 'inactive', 'nothing'),
	who: fc.nat(1000),
});

const cuts = fc.record({
	at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
	lastIsDone: fc.boolean(),
	plans: fc.boolean(),
});

describe.each(['account', 'genericOneRole'])('on %s', (kind) => {
	const check = async (property, { bad = false, more = fc.constant({}) } = {}) => {
		const given = cases('reconcile', kind, { hazards: unhurt, bad });
		await fc.assert(fc.asyncProperty(given, more, property), { numRuns: RUNS });
	};

	test('rows that cannot be used hold back removals where they belong, and grants go on', async () => {
		await check(
			async (given) => {
				const task = taskOf(given);
				const service = serviceOf(given);
				const result = await run(service, task.run);
				if (checkRun(service, result, task, given)) return;
				expect(errorsOf(result)).not.toStrictEqual([]);
				expect(shapeOf(service.now())).toEqual(task.end);
			},
			{ bad: true },
		);
	});

	test.each([
		['all rows can be used', false],
		['some rows cannot be used', true],
	])('Preview sends nothing, and Apply Plan ends like Apply: %s', async (_name, bad) => {
		await check(
			async (given) => {
				const { task, service, item, apply, isStopped } = (await planOf(given)) ?? {};
				if (item === undefined) return;
				const applied = service.again();
				const result = await run(applied, apply);
				checkRun(applied, result, task, given);
				if (isStopped) return;
				expect(shapeOf(applied.now())).toEqual(task.end);
				expect(item.plan.changes.length > 0 || writesOf(applied).length === 0).toBe(true);

				const direct = service.again();
				await run(direct, task.run);
				expect(shapeOf(direct.now())).toEqual(shapeOf(applied.now()));

				const again = applied.again();
				await run(again, apply);
				expect(changesOf(again)).toStrictEqual([]);
			},
			{ bad },
		);
	});

	test('the plan itself leaves the protected alone, whatever the guards of Apply Plan say', async () => {
		await check(async (given) => {
			const { task, service, apply, isStopped = true } = (await planOf(given)) ?? {};
			if (isStopped) return;
			const { protectedUsers: _, ...options } = apply.parameters.options;
			const applied = service.again();
			await run(applied, { ...apply, parameters: { ...apply.parameters, options } });
			checkMoments(applied, task, given.settings);
			expect(shapeOf(applied.now())).toEqual(task.end);
		});
	});

	test('what another client has changed since the Preview is named and left; the others are followed', async () => {
		await check(
			async (given, { at, way }) => {
				const { task, service, item, apply, isStopped = true } = (await planOf(given)) ?? {};
				const changes = (item?.plan.changes ?? []).map(lineOf);
				if (changes.length === 0 || isStopped) return;
				const later = service.again();
				const who = meddle(later, changes, changes[at % changes.length], way);
				if (who === undefined) return;
				const meddled = shapeOf(later.now());
				const result = await run(later, apply);
				const end = split(shapeOf(later.now()), who.id);
				expect(end.own).toEqual(split(meddled, who.id).own);
				expect(errorsOf(result).join()).not.toBe('');
				// People who wait for the new admin, or for what the guard makes of it, are left as well.
				if (who.isAdmin) return;
				const said = errorsOf(result).join().toLowerCase();
				expect(who.names.filter((name) => said.includes(name.toLowerCase()))).not.toStrictEqual([]);
				expect(end.others).toEqual(split(task.end, who.id).others);
			},
			{ more: meddling },
		);
	});

	test('what another client has changed elsewhere is left as it is, and the plan goes on', async () => {
		await check(
			async (given, { who, at }) => {
				const { task, service, item, apply, isStopped = true } = (await planOf(given)) ?? {};
				if (isStopped) return;
				const later = service.again();
				const ids = Object.keys(task.start.active).filter((id) => task.start.active[id]);
				const id = ids[who % ids.length];
				const own = item.plan.changes.map(lineOf).filter((change) => change.id === id);
				const organization = idsOf(later)[at % later.organizations.length];
				const isTouched = own.some(
					(line) => line.change === 'deactivated' || line.organization === organization,
				);
				if (id === undefined || isTouched || later.roleOf(id, organization)) return;
				later.setRole(id, organization, 'viewer');
				await run(later, apply);
				const key = `${organization}:viewer`;
				const members = { ...task.end.members, [key]: [...task.end.members[key], id].sort() };
				expect(shapeOf(later.now())).toEqual({ ...task.end, members });
			},
			{ more: meddling },
		);
	});

	test('a run that was cut off is completed by the same again', async () => {
		await check(
			async (given, { at, lastIsDone, plans }) => {
				const { task, service, apply, isStopped = true } = (await planOf(given)) ?? {};
				if (isStopped) return;
				const what = plans ? apply : task.run;
				const whole = service.again();
				await run(whole, what);
				const nth = 1 + Math.floor(at * whole.requests.length);
				const cut = service.again({ faults: deadFrom(nth, lastIsDone) });
				const first = await run(cut, what);
				checkMoments(cut, task, given.settings);
				checkItems(first, cut, { operation: 'reconcile' });
				const next = cut.again();
				await run(next, what);
				checkMoments(next, task, given.settings);
				expect(shapeOf(next.now())).toEqual(task.end);
			},
			{ more: cuts },
		);
	});
});
