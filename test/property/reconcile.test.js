'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { ROLES, deadFrom, shapeOf, userIdOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { hazards, serviceOf } = require('../support/modelWishes');
const { reconcileCases, reconcileTask, someBad } = require('../support/modelReconcile');
const { checkItems, checkMoments, errorsOf, writesOf } = require('../support/modelChecks');

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);

const check = async (arbitrary, property) =>
	await fc.assert(fc.asyncProperty(arbitrary, property), { numRuns: RUNS });

/** Writes that could change something: who is in no group is found out by creating, which the service then refuses. */
const changesOf = (service) => writesOf(service).filter(({ status }) => status !== 409);

async function run(service, what) {
	const result = await runOnModel(service, what);
	expect(result.thrown).toBeUndefined();
	return result;
}

/** Whether the guard of the last admin has a say; only the end of a run tells which. */
const mayBeStopped = (task, { settings }) =>
	!settings.allowRemovingLastAdmin && [...task.orphaned, ...task.neverHad].length > 0;

/** Looks at every moment of a run; @returns whether the guard of the last admin stopped it. */
function checkRun(service, result, task, given) {
	const stopped = errorsOf(result).some((error) => error.startsWith('Nothing was sent'));
	if (stopped) {
		expect(result.json[0].error).toContain('active admin');
		expect(mayBeStopped(task, given)).toBe(true);
		expect(writesOf(service)).toStrictEqual([]);
		return true;
	}
	checkMoments(service, task, given);
	// Where nobody is in any group, nothing tells whether the service would show it.
	const showsSomebody = Object.values(shapeOf(service.now()).members).flat().length > 0;
	const knows = showsSomebody && (given.hazards.faults ?? []).length === 0;
	checkItems(result, service, { operation: 'reconcile', knows });
	return !given.settings.allowRemovingLastAdmin && task.orphaned.length > 0;
}

async function applyDirectly(given) {
	const task = reconcileTask(given);
	const service = serviceOf(given);
	const result = await run(service, task.run);
	const stopped = checkRun(service, result, task, given);
	return { task, service, result, stopped };
}

/** The plan of a case; undefined where the guard has a say. */
async function planOf(given) {
	const task = reconcileTask(given);
	const service = serviceOf(given);
	const { json } = await run(service, task.preview);
	expect(writesOf(service)).toStrictEqual([]);
	expect(json).toHaveLength(1);
	if (json[0].blockedBy.length > 0) {
		expect(json[0].blockedBy.join()).toContain('active admin');
		expect(mayBeStopped(task, given)).toBe(true);
		return { task, service };
	}
	return {
		task,
		service,
		item: json[0],
		apply: task.applyOf(json[0]),
		stopped: !given.settings.allowRemovingLastAdmin && task.orphaned.length > 0,
	};
}

const idsOf = ({ organizations }) => organizations.map(({ id }) => id);
const idOf = ({ id, userName }) => id ?? userIdOf(userName);

/** What a state shows of one person. */
const ofPerson = ({ active, members }, id) => [
	active[id],
	Object.keys(members).filter((key) => members[key].includes(id)),
];
/** What it shows of all others. */
const withoutPerson = ({ active, members }, id) => ({
	active: Object.fromEntries(Object.entries(active).filter(([other]) => other !== id)),
	members: Object.fromEntries(
		Object.entries(members).map(([key, ids]) => [key, ids.filter((other) => other !== id)]),
	),
});

/** What a change of a plan is about, in one line. */
const lineOf = ({ change, person, before, after }) => {
	const [given, taken] = [after, before].map((all) => (Array.isArray(all) ? all[0] : undefined));
	return {
		...{ change, id: person.id ?? null, userName: person.userName },
		organization: (given ?? taken)?.organization ?? null,
		...{ role: given?.role ?? null, roleBefore: taken?.role ?? null },
	};
};

/** Whether a change gives what nobody inactive gets: a lower role is none. */
const givesMore = ({ change, role, roleBefore }) => {
	const [is, was] = [role, roleBefore].map((one) => ['viewer', 'member', 'admin'].indexOf(one));
	return change !== 'revoked' && is > was;
};

/** Something that somebody else does to what a change of the plan is about; undefined where nothing can be done. */
function meddle(service, changes, change, way) {
	const id = idOf(change);
	const own = changes.filter((other) => idOf(other) === id);
	const user = service.users.get(id);
	const put = (organization, role) => {
		service.setRole(id, organization, role ?? '');
	};
	const { change: kind, organization, roleBefore, role, userName } = change;
	if (kind === 'deactivated') {
		const elsewhere = idsOf(service).find((other) =>
			own.every((line) => line.organization !== other && !service.roleOf(id, other)),
		);
		if (elsewhere === undefined) return undefined;
		put(elsewhere, 'viewer');
	} else if (organization === null) {
		return undefined;
	} else if (way === 'inactive' && givesMore(change)) {
		const isBack = own.some((line) => line.change === 'activated' || line.change === 'created');
		if (user === undefined || !user.active || isBack) return undefined;
		service.setActive(id, false);
	} else if (kind === 'moved' && way === 'nothing') {
		put(organization, undefined);
	} else {
		// Somebody may have made the person whom the plan was to create.
		if (user === undefined) {
			service.create(userName);
		}
		put(
			organization,
			ROLES.find((other) => other !== roleBefore && other !== role),
		);
	}
	return { id, name: userName ?? id, isAdmin: own.some((line) => isAboutAdmin(line)) };
}

const isAboutAdmin = ({ change, role, roleBefore }) =>
	change === 'deactivated' || [role, roleBefore].includes('admin');

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

describe.each(['accountOrganizations', 'genericOneRole'])('on %s', (profile) => {
	const casesOf = (ways) => reconcileCases(profile, ways);

	test('Apply ends as wanted in the scope, is right at every moment, and leaves nothing to do', async () => {
		await check(casesOf({ ways: hazards }), async (given) => {
			const { task, service, stopped } = await applyDirectly(given);
			if (stopped) return;
			expect(shapeOf(service.now())).toEqual(task.end);
			const again = service.again();
			await run(again, task.run);
			expect(shapeOf(again.now())).toEqual(task.end);
			expect(changesOf(again)).toStrictEqual([]);
		});
	});

	test('rows that cannot be used hold back removals where they belong, and grants go on', async () => {
		await check(casesOf({ bad: someBad }), async (given) => {
			const { task, service, stopped, result } = await applyDirectly(given);
			if (stopped) return;
			expect(errorsOf(result)).not.toStrictEqual([]);
			expect(shapeOf(service.now())).toEqual(task.end);
		});
	});

	test.each([
		['all rows can be used', {}],
		['some rows cannot be used', { bad: someBad }],
	])('Preview sends nothing, and Apply Plan ends like Apply: %s', async (_name, ways) => {
		await check(casesOf(ways), async (given) => {
			const { task, service, item, apply, stopped } = await planOf(given);
			if (item === undefined) return;
			const applied = service.again();
			const result = await run(applied, apply);
			checkRun(applied, result, task, given);
			if (stopped) return;
			expect(shapeOf(applied.now())).toEqual(task.end);
			expect(item.plan.changes.length > 0 || writesOf(applied).length === 0).toBe(true);

			const direct = service.again();
			await run(direct, task.run);
			expect(shapeOf(direct.now())).toEqual(shapeOf(applied.now()));

			const again = applied.again();
			await run(again, apply);
			expect(changesOf(again)).toStrictEqual([]);
		});
	});

	test('the plan itself leaves the protected alone, whatever the guards of Apply Plan say', async () => {
		await check(casesOf(), async (given) => {
			const { task, service, item, apply, stopped } = await planOf(given);
			if (item === undefined || stopped) return;
			const { protectedUsers: _, ...options } = apply.parameters.options;
			const applied = service.again();
			await run(applied, { ...apply, parameters: { ...apply.parameters, options } });
			checkMoments(applied, task, given);
			expect(shapeOf(applied.now())).toEqual(task.end);
		});
	});

	test('what somebody else has changed since the Preview is named and left; the others are followed', async () => {
		await check(casesOf({ more: meddling }), async (given) => {
			const { task, service, item, apply, stopped } = await planOf(given);
			const changes = (item?.plan.changes ?? []).map(lineOf);
			if (changes.length === 0 || stopped) return;
			const { at, way } = given.more;
			const later = service.again();
			const who = meddle(later, changes, changes[at % changes.length], way);
			if (who === undefined) return;
			const meddled = shapeOf(later.now());
			const result = await run(later, apply);
			const end = shapeOf(later.now());
			expect(ofPerson(end, who.id)).toEqual(ofPerson(meddled, who.id));
			expect(errorsOf(result).join()).not.toBe('');
			// Whoever waits for the new admin, or for what the guard makes of it, is left as well.
			if (who.isAdmin) return;
			expect(errorsOf(result).join().toLowerCase()).toContain(who.name.toLowerCase());
			expect(withoutPerson(end, who.id)).toEqual(withoutPerson(task.end, who.id));
		});
	});

	test('what somebody else has changed elsewhere is left as it is, and the plan goes on', async () => {
		await check(casesOf({ more: meddling }), async (given) => {
			const { task, service, item, apply, stopped } = await planOf(given);
			if (item === undefined || stopped) return;
			const later = service.again();
			const { who, at } = given.more;
			const ids = Object.keys(task.start.active).filter((id) => task.start.active[id]);
			const id = ids[who % ids.length];
			const own = item.plan.changes.map(lineOf).filter((change) => idOf(change) === id);
			const organization = idsOf(later)[at % later.organizations.length];
			const isTouched = own.some(
				(line) => line.change === 'deactivated' || line.organization === organization,
			);
			if (id === undefined || isTouched || later.roleOf(id, organization)) return;
			later.setRole(id, organization, 'viewer');
			await run(later, apply);
			const end = structuredClone(task.end);
			end.members[`${organization}:viewer`] = [...end.members[`${organization}:viewer`], id].sort();
			expect(shapeOf(later.now())).toEqual(end);
		});
	});

	test('a run that was cut off is completed by the same again', async () => {
		await check(casesOf({ more: cuts }), async (given) => {
			const { task, service, item, apply, stopped } = await planOf(given);
			if (item === undefined || stopped) return;
			const { at, lastIsDone, plans } = given.more;
			const what = plans ? apply : task.run;
			const whole = service.again();
			await run(whole, what);
			const nth = 1 + Math.floor(at * whole.requests.length);
			const cut = service.again({ faults: deadFrom(nth, lastIsDone) });
			const first = await run(cut, what);
			checkMoments(cut, task, given);
			checkItems(first, cut, { operation: 'reconcile', knows: false });
			const next = cut.again();
			await run(next, what);
			checkMoments(next, task, given);
			expect(shapeOf(next.now())).toEqual(task.end);
		});
	});
});
