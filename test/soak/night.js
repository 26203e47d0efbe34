'use strict';

const { defaultsOf } = require('../support/modelGroupsPlay');
const { MemoryService } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { sleep } = require('./clock');
const { changesBetween } = require('../world/truth');
const { asRun } = require('../world/writers');
const { aboutOf, differences, tells, wrongIn } = require('./checks');
const { AT_NIGHT, brew, isClean, meddle } = require('./trouble');
const { fromExpression } = require('../support/accessRows');

const HOUR = 3_600_000;
const BY_HAND = 12;
/** A request is tried eleven times in Max Wait, five of them side by side; what was sent is looked at once. */
const MOST_WHILE_DOWN = 100;
const LIMITS = {
	...{ protectedUsers: '*@machines.test', maxPeopleAffected: 1000 },
	...{ maxCreates: 1000 },
};

const DAY = 24 * HOUR;
const dayIn = (days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

/** What HR has of a person: what counts, what has ended, and what is another one in the same place from next week on. */
function datedRows({ userName, groups, had }, kind, { places }) {
	const row = (group, dates) => ({ userName, ...kind.row(group), ...dates });
	const next = [...groups].slice(0, 1).map((group) => {
		const place = places.find((one) => one.includes(group));
		return row(place[0], { startsOn: dayIn(7), hold: false });
	});
	return [
		...[...groups].map((group) => row(group, { startsOn: dayIn(-7) })),
		...[...had].map((group) => row(group, { endsOn: dayIn(-2) })),
		...next,
	];
}

/** What runs in a night: parameters, items, and allowed changes. */
function tasksOf({ truth, kind, service }, { joiners, movers, leavers }, badRow) {
	const itemsOf = (named) =>
		named.map(({ userName, given, groups }) => ({
			...{ people: userName, newUserFields: { givenName: given } },
			...fromExpression([...groups].map(kind.row)),
		}));
	const only = (people) => {
		const ids = new Set(people.map(({ id }) => id));
		return (id) => ids.has(id);
	};
	const people = [...truth.people.values()];
	// Where another user name is shown than the row has, the row is an error that names the ID.
	const keyOf = ({ id, userName }) =>
		(service.users.get(id)?.userName ?? userName) === userName ? { userName } : { userId: id };
	const userRows = people.flatMap((person) => {
		const { given, active, isListed } = person;
		const name = active && { 'name.givenName': given };
		return active || isListed ? [{ ...keyOf(person), active, ...name }] : [];
	});
	const accessRows = people.flatMap((person) => datedRows(person, kind, truth));
	const withGroups = joiners.filter(({ groups }) => groups.size > 0);
	const patterns = { scopeBy: 'userNames', scopeUserNames: '*@example.com' };
	return [
		{
			...{ resource: 'access', operation: 'assign', may: only(withGroups) },
			parameters: { options: { reactivate: true } },
			items: itemsOf(withGroups),
		},
		{
			...{ resource: 'access', operation: 'set', may: only(movers) },
			parameters: { options: { reactivate: true, allowEmpty: true } },
			items: itemsOf(movers),
		},
		{
			...{ resource: 'access', operation: 'offboard', may: only(leavers) },
			parameters: { method: 'deactivate' },
			items: leavers.map(({ userName }) => ({ people: userName })),
		},
		{
			...{ resource: 'user', operation: 'reconcile' },
			// Another client may have reactivated users it deactivated.
			may: (id, key, { users }, touched) =>
				['active', 'name'].includes(key) ||
				users.get(id)?.active !== true ||
				touched.has(`${id} active`),
			parameters: {
				...{ preview: false, usersFrom: 'json', absentUsers: 'deactivate', ...patterns },
				usersJson: JSON.stringify(userRows),
				options: { reactivate: true },
			},
		},
		{
			...{ resource: 'access', operation: 'reconcile' },
			may: (id, key) => key === 'active' || key === 'name' || truth.managed.has(key),
			parameters: {
				...{ preview: false, wantedFrom: 'json', createMissing: true },
				wantedJson: JSON.stringify([...accessRows, ...(badRow ? [badRow] : [])]),
				options: { reactivate: true },
				dates: { startsOn: 'startsOn', endsOn: 'endsOn', hold: 'hold' },
			},
		},
	].filter(({ items }) => items?.length !== 0);
}

/** Whose word it is that something is not as wanted: the last runs of a night. */
function tellersOf({ key, to }, runs) {
	const [users, access] = runs.slice(-2);
	if (key === 'active' && to === true) return [users, access];
	return ['active', 'name'].includes(key) ? [users] : [access];
}

/** Plays one run, or two at once, while others change something by hand, a share of the requests. */
async function playTogether(tasks, { world, aimed, share }) {
	const { service, kind, chances } = world;
	/** `touched` is what others change while it runs, another run of ours among them. */
	const runs = tasks.map((task) => ({ ...task, touched: new Set() }));
	const note = (changes, isOther) => {
		for (const { touched } of runs.filter(isOther))
			for (const change of changes) touched.add(aboutOf(change));
	};
	service.given.onRequest = () => {
		if (chances.hand.isHit(share)) note(meddle(world, aimed, AT_NIGHT), () => true);
	};
	const truly = MemoryService.prototype.truly.bind(service);
	service.truly = (request, how) => {
		const isNoted = runs.length > 1 && request.method !== 'GET';
		const was = isNoted && service.now();
		const answer = truly(request, how);
		const isOther = (_, at) => request.headers['x-run'] !== `${at}`;
		if (isNoted) note(changesBetween(was, service.now()), isOther);
		return answer;
	};
	const before = service.now();
	const play = async ({ may, touched, ...task }, at) =>
		await runOnModel(asRun(`${at}`, service), {
			...task,
			parameters: {
				...defaultsOf(task.resource, task.operation),
				...kind.scope,
				...task.parameters,
				options: { ...LIMITS, ...task.parameters.options },
			},
			credential: kind.credential,
		});
	const said = await Promise.all(runs.map(play));
	delete service.truly;
	const after = service.now();
	return runs.map((run, at) => ({ ...run, ...said[at], before, after }));
}

/**
 * A day of HR, a night of runs.
 * @param world `open` is what is not as wanted since the night before
 * @returns `{ trouble, requests, fired, wrong, told, repaired }`: `wrong` is what may not be
 */
async function playNight(night, world) {
	const { service, truth, kind, chances } = world;
	const { hand, luck } = chances;
	const today = truth.live();
	const aimed = Object.values(today).flat();
	await sleep(12 * HOUR);
	const byHand = new Set(
		Array.from({ length: BY_HAND }, () => meddle(world, aimed).map(aboutOf)).flat(),
	);
	let trouble = brew(night, service, truth, luck);
	const badRow = !isClean(night) && luck.isHit(0.2) && kind.row(luck.pick(luck.pick(truth.places)));
	const tasks = tasksOf(world, today, badRow);
	const share = isClean(night) ? 0 : luck.pick([0, 0, 0.02, 0.1]);
	const runs = [];
	// Not in the night that has to repair everything.
	const pair = night % 4 < 3 && luck.isHit(0.4) ? luck.below(tasks.length - 1) : undefined;
	for (let at = 0; at < tasks.length; at += at === pair ? 2 : 1) {
		const together = tasks.slice(at, at + (at === pair ? 2 : 1));
		runs.push(...(await playTogether(together, { world, aimed, share })));
		await sleep(HOUR);
	}
	service.given.onRequest = undefined;
	const wrong = runs.flatMap((run) =>
		wrongIn(run, truth).map((words) => `${run.resource} ${run.operation}: ${words}`),
	);
	const open = differences(service.now(), truth);
	let told = 0;
	for (const one of open) {
		const tellers = tellersOf(one, runs);
		const later = runs.slice(runs.indexOf(tellers[0]));
		if (later.some(({ touched }) => touched.has(aboutOf(one)))) continue;
		const words = `${one.userName}: ${one.key} should be ${one.to}`;
		const isOld = world.open.has(aboutOf(one)) && !byHand.has(aboutOf(one));
		// A safety limit may stop one clean night, when only its second run makes another admin.
		if (isOld && isClean(night) && isClean(night - 1)) wrong.push(`${words}, and was not repaired`);
		else if (tellers.some(({ json }) => tells(json, one))) told += 1;
		else wrong.push(`${words}, and nobody was told`);
	}
	const { requests } = service;
	const fired = service.faults.rules.map(({ rule, fired: times }) => [
		rule.isDown ? 'down' : rule.kind,
		times,
	]);
	if (service.limit) fired.push(['limit', service.limit.times]);
	for (const [what, times] of fired)
		if (what === 'down' && times > MOST_WHILE_DOWN * runs.length)
			wrong.push(`${times} requests to a service that is down, in ${runs.length} runs`);
	Object.assign(service, { requests: [], adds: [] });
	service.indexedAt.clear();
	service.lag.hidden = [];
	const now = new Set(open.map(aboutOf));
	const repaired = [...world.open].filter((about) => !now.has(about)).length;
	world.open = now;
	if (pair !== undefined) trouble += `, ${tasks[pair].operation} beside the next`;
	return { trouble, requests: requests.length, fired, wrong, told, repaired };
}

module.exports = { playNight };
