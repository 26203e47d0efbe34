'use strict';

require('../support/noWaiting');
const fc = require('fast-check');
const { shapeOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { cases, refusals, serviceOf, taskOf, unhurt } = require('../support/modelWishes');
const { checkItems, checkMoments, floorOf, sentBy, writesOf } = require('../support/modelChecks');

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);
const OPERATIONS = ['assign', 'set', 'revoke', 'offboard', 'setMembers', 'changeEmail'];
const SERVICES = {
	'account organizations': ['accountOrganizations'],
	'generic services': ['genericOneRole', 'genericManyRoles'],
};
const PAIRS = Object.entries(SERVICES).flatMap(([name, profiles]) =>
	OPERATIONS.map((operation) => [operation, name, profiles]),
);

const check = async (arbitrary, property) =>
	await fc.assert(fc.asyncProperty(arbitrary, property), { numRuns: RUNS });

const blocked = ({ json }) =>
	json.some(({ error }) => String(error).startsWith('Nothing was sent'));

/** Runs a case, and looks at the guard, at every moment and at what was reported. */
async function runCase(given) {
	const task = taskOf(given);
	const service = serviceOf(given);
	const result = await runOnModel(service, task.run);
	expect(result.thrown).toBeUndefined();

	// What would leave an organization without active admin is stopped before anything is sent, or, where only a create
	// shows that somebody is inactive, halfway: the moments tell.
	const mustNotEnd = !given.settings.allowRemovingLastAdmin && task.orphaned.length > 0;
	const wasBlocked = blocked(result);
	if (wasBlocked) {
		expect(given.settings.allowRemovingLastAdmin).toBe(false);
		// An organization without any active admin may be kept from losing an inactive one; nothing else is held up.
		expect([...task.orphaned, ...task.neverHad]).not.toStrictEqual([]);
		expect(result.json[0].error).toContain('active admin');
		expect(writesOf(service)).toStrictEqual([]);
		expect(shapeOf(service.now())).toEqual(task.start);
	} else {
		checkMoments(service, task, given);
		// Elsewhere nothing tells whether groups that show nobody are empty.
		const knows =
			given.profile === 'accountOrganizations' && (given.hazards.faults ?? []).length === 0;
		checkItems(result, service, { operation: given.wish.operation, knows });
	}
	return { task, service, result, wasStopped: wasBlocked || mustNotEnd };
}

/** Runs the same once more on an unhurt service: nothing may be left to do. */
async function checkNothingLeft(service, task) {
	const again = service.again();
	const second = await runOnModel(again, task.run);
	expect(second.thrown).toBeUndefined();
	// Who is in no group is found out by creating, which changes nothing.
	const writes = writesOf(again).filter(({ method }) => method !== 'POST');
	expect(writes).toStrictEqual([]);
	expect(shapeOf(again.now())).toEqual(task.end);
}

/** Where nobody is in any group, a generic service tells nothing of who is: each group is asked for by filter. */
const tells = ({ profile, directory: { people } }) =>
	profile === 'accountOrganizations' ||
	people.some(({ roles }) => Object.values(roles).some(({ length }) => length > 0));

describe.each(PAIRS)('%s on %s', (operation, _name, profiles) => {
	const casesOf = (ways) =>
		fc.constantFrom(...profiles).chain((profile) => cases(operation, profile, ways));

	test('ends as wanted, through all that a service does, and is right at every moment', async () => {
		await check(casesOf(), async (given) => {
			// Access that is unknown is not moved to another account (test/behavior/access.changeEmail).
			fc.pre(operation !== 'changeEmail' || tells(given));
			const { service, task, wasStopped } = await runCase(given);
			if (wasStopped) return;
			expect(shapeOf(service.now())).toEqual(task.end);
			await checkNothingLeft(service, task);
		});
	});

	test('sends no more than the floor when nothing goes wrong, and adds nobody twice', async () => {
		await check(casesOf(unhurt), async (given) => {
			fc.pre(tells(given));
			const { service, task, wasStopped } = await runCase(given);
			if (wasStopped) return;
			expect(shapeOf(service.now())).toEqual(task.end);
			const [sent, floor] = [sentBy(service), floorOf(task, given, service)];
			const above = Object.keys(floor).filter((kind) => sent[kind] > floor[kind]);
			expect({ above, sent, floor }).toEqual({ above: [], sent, floor });
			expect(service.adds.filter(({ was }) => was)).toStrictEqual([]);
		});
	});

	test('takes nothing from anybody for what is refused', async () => {
		await check(casesOf(refusals), async (given) => {
			await runCase(given);
		});
	});
});

test('two removals that wait for one replacement do not make what the other has seen too old', async () => {
	const none = { 'org-1': [], 'org-2': [], 'org-3': [] };
	const people = [
		{ 'org-2': ['member'], 'org-3': ['member', 'viewer'] },
		{ 'org-2': ['member'], 'org-3': ['viewer'] },
	].map((roles, at) => ({
		...{ userName: `p${at}@example.com`, externalId: `hr-${at}`, active: true },
		roles: { ...none, ...roles },
	}));
	const { service, task } = await runCase({
		profile: 'genericManyRoles',
		directory: { organizations: Object.keys(none), people, renamed: [] },
		wish: {
			...{ operation: 'set', reactivate: false },
			lists: [{ who: { person: 0, by: 'email' }, roles: ['', 'viewer', '', '', '', ''] }],
		},
		settings: {
			...{ shielded: [], allowRemovingLastAdmin: false },
			...{ membersPerRequest: 1 },
		},
		hazards: {
			...{ patchAnswers: 'body', lagReads: 1, torn: false, createAnswer: 'whole' },
			...{ showsNames: false, filter: 'off', seed: 0 },
			faults: [{ nth: 13, kind: 'reset-before' }],
		},
	});
	expect(shapeOf(service.now())).toEqual(task.end);
});
