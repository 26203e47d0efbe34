'use strict';

require('../support/noWaiting');
const { ROLES, shapeOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { checkItems, checkMoments, errorsOf, writesOf } = require('../world/checks');
const { CUTS } = require('../world/hazards');
const { KINDS, serviceOf } = require('../world/kinds');
const { taskOf } = require('../world/task');
const { directoryOf } = require('../world/wishes');

// Runs that are cut off at each of their requests, and what has to come of them when the same is run again. `npm run
// fuzz` cuts each request in every way, and plays every way in which changes are answered.

const PLAYS_ALL = process.env.FUZZ === 'long';

/** Positions of a person's roles in three places, as `admin - viewer`; in a plain group, any role is membership. */
const heldIn = (text) => text.split(' ').map((role) => (role === '-' ? [] : [ROLES.indexOf(role)]));
const picks = (text) => ({
	picks: heldIn(text).flatMap((roles, place) => roles.map((role) => ({ place, role }))),
	by: 'name',
});
const who = (person) => ({ person, by: 'email' });
const wants = (person, text) => ({ who: who(person), groups: picks(text) });
const joiner = (number, text) => ({ who: number, groups: picks(text) });
const list = (place, role, ...people) => ({
	group: { place, role: ROLES.indexOf(role) },
	people: people.map(who),
});

const OFFICE = [
	'admin member -',
	'member viewer -',
	'viewer admin -',
	'- viewer -',
	'- - -',
	'out',
];
const office = (operation, wish) => [operation, OFFICE, wish];
const listed = (...lists) => ({ lists });

/** A reconcile of people as `now > wanted`; in three organizations, and removing what is unwanted, unless said otherwise. */
const reconcile = (people, { joiners = [], ...wish } = {}, settings = {}) => [
	'reconcile',
	people.map((text) => text.split(' > ')[0]),
	{
		list: people.map((text) => ({
			...{ isListed: true, by: 'email' },
			wants: heldIn(text.split(' > ').at(-1).replace('out ', '')).map(([at = 'none']) => at),
		})),
		joiners,
		...{ scope: { places: [0, 1, 2], roles: [0, 1, 2] }, unwanted: 'revoke', ignores: null },
		...{ deactivatesEmpty: true, reactivate: true, createMissing: true, asItems: true },
		...wish,
	},
	settings,
];
const copies = (count, text) => Array(count).fill(text);
/** A mover, a joiner, and access that no row wants. */
const WITH_UNWANTED = [
	'admin admin -',
	'member viewer - > viewer - member',
	'- viewer - > - - -',
	'- - admin > - - -',
];

/** What is run and cut: `[operation, people, wish, settings]`. */
const SCENARIOS = {
	'joiners, two of them new, and one who comes back': office('assign', {
		rows: [wants(4, 'viewer - -'), wants(5, 'viewer - -')],
		joiners: [joiner(0, 'member viewer -'), joiner(1, 'member viewer -')],
		...{ createMissing: true, reactivate: true },
	}),
	'movers, and another admin': office('assign', {
		rows: [wants(0, 'member - -'), wants(1, 'admin - -'), wants(3, '- member -')],
		...{ joiners: [], createMissing: false, reactivate: false },
	}),
	'exactly as listed': office('set', {
		lists: [wants(1, 'admin - -'), wants(0, '- viewer -'), wants(3, '- - -')],
		...{ managed: picks('admin admin -'), reactivate: false },
	}),
	'what is taken away': office('revoke', {
		revocations: [
			{ ...wants(1, 'member - -'), isAny: true },
			{ who: who(3), groups: null },
		],
		managed: null,
	}),
	'leavers who are deactivated': office('offboard', {
		...{ leavers: [who(1), who(3), who(4)], deletes: false, keeps: picks('- viewer -') },
	}),
	'leavers who are deleted': office('offboard', {
		...{ leavers: [who(1), who(3)], deletes: true, keeps: null },
	}),
	'another email': office('changeEmail', { who: who(0), existing: null }),
	'members by difference': office('setMembers', {
		...{ ...listed(list(1, 'viewer', 0, 4), list(0, 'viewer', 1, 2)), replaceWith: 'difference' },
	}),
	'members as a whole': office('setMembers', {
		...{ ...listed(list(1, 'viewer', 0, 4), list(0, 'viewer', 1, 2)), replaceWith: 'wholeList' },
	}),
	'members who are taken out': office('removeMembers', listed(list(1, 'viewer', 1, 3, 4))),
	'a list of joiners, movers and leavers': reconcile(
		[
			'admin admin admin',
			'member - - > member viewer -',
			'member viewer - > viewer member -',
			'viewer member - > viewer - -',
			'- member - > - - member',
			'- - - > - - viewer',
			'viewer - member > - - -',
			'- viewer - > - - -',
			'member - viewer > - - -',
		],
		{ joiners: [joiner(0, 'member viewer -'), joiner(1, '- - viewer')] },
		{ shielded: [who(8)] },
	),
	'a list that keeps what is unwanted': reconcile(WITH_UNWANTED, {
		...{ joiners: [joiner(0, '- viewer -')], unwanted: 'keep' },
	}),
	'a list that reports what is unwanted': reconcile(WITH_UNWANTED, {
		...{ joiners: [joiner(0, '- viewer -')], unwanted: 'report' },
	}),
	'a list with another admin in place of the last one': reconcile(
		[
			'admin - member > member - member',
			'member admin - > admin - -',
			'- viewer admin > - admin -',
		],
		{ joiners: [joiner(0, '- - admin')] },
	),
	'a list of which the last admins leave, for one who is new, one who comes back and one who moves':
		reconcile(
			['admin admin - > - - -', '- - admin > - - -', 'out > - admin -', '- - member > - - admin'],
			{ joiners: [joiner(0, 'admin - -')] },
		),
	'a list of people who come back': reconcile([
		'admin admin admin',
		'out > member - viewer',
		'out viewer - - > member - -',
		'out - viewer -',
		'out - - member > - - -',
		'viewer viewer - > - viewer -',
	]),
	'a list of inactive people who are not let in': reconcile(
		[
			'admin admin admin',
			'out viewer - member > member - -',
			'out - viewer member > - - -',
			'out > viewer - -',
		],
		{ reactivate: false },
	),
	'a list in a scope of two organizations, without their admins': reconcile(
		[
			'admin admin admin',
			'member - viewer > viewer - -',
			'admin viewer - > - member -',
			'viewer - - > - - -',
			'- viewer admin > - - -',
			'admin - - > member viewer -',
			'- - member > - - admin',
		],
		{
			joiners: [joiner(0, 'viewer - -'), joiner(1, '- - viewer')],
			scope: { places: [0, 1], roles: [1, 2] },
		},
	),
	'a list of more people per group than fit into one request': reconcile([
		'admin admin admin',
		...copies(3, '- viewer - > viewer viewer -'),
		...copies(3, 'member - - > viewer - -'),
		...copies(3, 'viewer - - > member - -'),
		...copies(3, 'viewer member - > - member -'),
	]),
};

const plain = (ways) => ({ kind: 'plainGroups', ways: { isTold: false, ...ways } });
/** Services on which a run is cut. */
const SERVICES = {
	account: { kind: 'account' },
	'one role': { kind: 'genericOneRole' },
	'many roles': { kind: 'genericManyRoles' },
	'plain groups': plain({ membersShownOn: 'both' }),
	'plain groups, memberships shown on users only': plain({ membersShownOn: 'users' }),
	'plain groups, deactivation drops memberships': plain({
		...{ membersShownOn: 'groups', deactivationDrops: true },
	}),
};

function caseOf({ kind, ways = {} }, [operation, people, wish, settings]) {
	const directory = directoryOf(
		KINDS[kind].places.slice(0, 3),
		people.map((text) => ({
			active: !text.startsWith('out'),
			held: text === 'out' ? [[], [], []] : heldIn(text.replace('out ', '')),
		})),
	);
	return {
		...{ kind, operation, ways, hazards: {}, directory, wish: { bad: [], ...wish } },
		settings: {
			...{ shielded: [], allowRemovingLastAdmin: false, membersPerRequest: 2 },
			...settings,
		},
	};
}

/** Where the connection is gone, sending and looking again and again takes time and shows nothing more. */
const hasty = ({ parameters, ...run }) => ({
	...run,
	parameters: { ...parameters, options: { ...parameters.options, maxWait: 0, verifyTime: 0 } },
});

/** A run that nothing cuts, and what has to come out of it. */
async function undisturbed(given, isPlan, patchAnswers) {
	const task = taskOf(given);
	const plan = isPlan && (await runOnModel(serviceOf(given), task.preview)).json[0];
	const run = hasty(plan ? task.applyOf(plan) : task.run);
	const serviceWith = (hazards) => serviceOf({ ...given, hazards: { ...hazards, patchAnswers } });
	const service = serviceWith({});
	const result = await runOnModel(service, run);
	expect(result.thrown).toBeUndefined();
	expect(shapeOf(service.now())).toEqual(task.end);
	const methods = service.requests.map(({ method }) => method);
	return { methods, run, task, serviceWith, refused: errorsOf(result), settled: new Set() };
}

/** Cuts a run, looks at every moment of it and of the same run again, which has to complete it. */
async function cutAndRunAgain({ run, task, serviceWith, settled, refused }, way, nth) {
	const controller = new AbortController();
	const isCancelled = way.startsWith('cancelled');
	const service = serviceWith({
		faults: CUTS[way](nth),
		onRequest: (at) => isCancelled && at === nth && controller.abort(),
	});
	const first = await runOnModel(service, { ...run, signal: controller.signal });
	expect(first.thrown).toBeUndefined();
	checkMoments(service, task);
	checkItems(first, service, run);
	// Who says that all went well has to have done all.
	const isFine = errorsOf(first).join() === refused.join();
	if (isFine) expect(shapeOf(service.now())).toEqual(task.end);

	const next = service.again();
	const second = await runOnModel(next, run);
	expect(errorsOf(second)).toEqual(refused);
	checkMoments(next, task);
	checkItems(second, next, run);
	expect(shapeOf(next.now())).toEqual(task.end);

	// From one state, the same run does the same.
	const state = JSON.stringify([...next.users, ...next.groups]);
	if (settled.has(state)) return;
	const last = next.again();
	expect(errorsOf(await runOnModel(last, run))).toEqual(refused);
	expect(writesOf(last)).toStrictEqual([]);
	settled.add(state);
}

/** Services are much alike to a run: a scenario is cut on two of them, and each of them cuts others. */
const scenariosOn = (service) =>
	Object.keys(SCENARIOS).filter((_, at) => PLAYS_ALL || (at + service) % 3 === 0);

/** How a scenario is played: as a plan or at once, and how changes are answered, which concerns the sending alone. */
function playsOf({ operation }, start) {
	const isList = operation === 'reconcile';
	if (!PLAYS_ALL) return [{ isPlan: isList && start % 2 === 1, answers: 'body' }];
	return [
		...['body', '204', 'stale'].map((answers) => ({ isPlan: false, answers })),
		...(isList ? [{ isPlan: true, answers: 'body' }] : []),
	];
}

/** How a request is cut: whether a read or its answer was lost is one to everybody, as is how a lost change was answered. */
function waysOf({ methods }, nth, answers, start) {
	const isRead = methods[nth - 1] === 'GET';
	const own = Object.keys(CUTS).filter(
		(way) =>
			!(isRead && way.endsWith('the request was lost')) &&
			!(answers !== 'body' && way.startsWith('cancelled')),
	);
	return PLAYS_ALL ? own : [own[(start + nth) % own.length]];
}

describe.each(Object.keys(SERVICES).map((name, at) => [name, at]))('%s', (name, at) => {
	test.each(scenariosOn(at))('%s', async (scenario) => {
		const given = caseOf(SERVICES[name], SCENARIOS[scenario]);
		const start = name.length + scenario.length;
		for (const { isPlan, answers } of playsOf(given, start)) {
			const what = await undisturbed(given, isPlan, answers);
			const nths = what.methods.map((_, index) => index + 1);
			const cuts = nths.flatMap((nth) =>
				waysOf(what, nth, answers, start).map((way) => ({ nth, way })),
			);
			for (const { nth, way } of cuts) {
				try {
					await cutAndRunAgain(what, way, nth);
				} catch (error) {
					error.message = `${way}, at request ${nth} of ${nths.length}, answers ${answers}, plan ${isPlan}: ${error.message}`;
					throw error;
				}
			}
		}
	});
});
