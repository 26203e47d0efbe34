'use strict';

// Nobody waits here: the pauses of the package pass at once.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async () => {},
}));

const { ModelService, shapeOf, userIdOf } = require('../support/modelService');
const { runOnModel } = require('../support/modelNode');
const { PROFILES } = require('../support/modelWishes');
const { checkMoments, checkReports } = require('../support/modelChecks');

const PEOPLE = [
	{ userName: 'ana@example.com', roles: { 'org-1': 'admin', 'org-2': 'member' } },
	{ userName: 'ben@example.com', roles: { 'org-1': 'member', 'org-2': 'viewer' } },
	{ userName: 'cleo@example.com', roles: { 'org-1': 'viewer', 'org-2': 'admin' } },
	{ userName: 'dan@example.com', roles: { 'org-2': 'viewer' } },
	{ userName: 'eve@example.com' },
	{ userName: 'finn@example.com', active: false },
];
const ORGANIZATIONS = ['org-1', 'org-2'];

const organization = (value) => ({ __rl: true, mode: 'id', value });
const row = (id, role) => ({ organization: id, role });

/** What is run and cut. */
const SCENARIOS = {
	'joiners, two of them new': {
		resource: 'access',
		operation: 'assignRole',
		parameters: { assignmentsFrom: 'json', createMissing: true, newUserFields: {} },
		items: [
			{
				people: 'gil@example.com, hana@example.com',
				assignmentsJson: [row('org-1', 'member'), row('org-2', 'viewer')],
			},
			{ people: 'eve@example.com, finn@example.com', assignmentsJson: [row('org-1', 'viewer')] },
		],
		options: { reactivate: true },
	},
	'movers, and another admin': {
		resource: 'access',
		operation: 'assignRole',
		parameters: { assignmentsFrom: 'one', createMissing: false },
		items: [
			{ people: 'ana@example.com', organization: organization('org-1'), role: 'member' },
			{ people: 'ben@example.com', organization: organization('org-1'), role: 'admin' },
			{ people: 'dan@example.com', organization: organization('org-2'), role: 'member' },
		],
	},
	'roles exactly as listed': {
		resource: 'access',
		operation: 'setAccess',
		parameters: { assignmentsFrom: 'json' },
		items: [
			{ people: 'ben@example.com', assignmentsJson: [row('org-1', 'admin')] },
			{ people: 'ana@example.com', assignmentsJson: [row('org-2', 'viewer')] },
			{ people: 'dan@example.com', assignmentsJson: [] },
		],
		options: { allowEmpty: true },
	},
	'leavers who are deactivated': {
		resource: 'access',
		operation: 'offboard',
		parameters: { method: 'deactivate' },
		items: [{ people: 'ben@example.com, dan@example.com' }, { people: 'eve@example.com' }],
	},
	'leavers who are deleted': {
		resource: 'access',
		operation: 'offboard',
		parameters: { method: 'delete' },
		items: [{ people: 'ben@example.com, dan@example.com' }],
		options: { ifNotFound: 'succeed' },
	},
	'members as listed, by difference': {
		resource: 'group',
		operation: 'setMembers',
		parameters: { chooseGroupBy: 'organizationAndRole', role: 'viewer' },
		items: [
			{ organization: organization('org-2'), people: 'ana@example.com, eve@example.com' },
			{ organization: organization('org-1'), people: 'ben@example.com, cleo@example.com' },
		],
		options: { replaceWith: 'difference' },
	},
	'members as listed, as a whole': {
		resource: 'group',
		operation: 'setMembers',
		parameters: { chooseGroupBy: 'organizationAndRole', role: 'viewer' },
		items: [
			{ organization: organization('org-2'), people: 'ana@example.com, eve@example.com' },
			{ organization: organization('org-1'), people: 'ben@example.com, cleo@example.com' },
		],
		options: { replaceWith: 'wholeList' },
	},
	'another e-mail': {
		resource: 'access',
		operation: 'changeEmail',
		items: [
			{
				user: { __rl: true, mode: 'email', value: 'ana@example.com' },
				newEmail: 'ana.new@example.com',
			},
		],
		relay: { from: userIdOf('ana@example.com'), to: userIdOf('ana.new@example.com') },
	},
};

/** How a run is cut at a request: what becomes of the request itself, and of those after it. */
const CUTS = {
	'the connection dies, the request was carried out': (nth) => ({
		deadFrom: nth,
		lastIsDone: true,
	}),
	'the connection dies, the request was lost': (nth) => ({ deadFrom: nth, lastIsDone: false }),
	'cancelled, the request was answered': () => ({}),
	'cancelled, the answer was lost': (nth) => ({ faults: [{ nth, kind: 'resetAfter' }] }),
	'cancelled, the request was lost': (nth) => ({ faults: [{ nth, kind: 'resetBefore' }] }),
};

/** How changes are answered; where the answer is lost anyway, one way says all. */
const waysOf = (cut) => (cut.startsWith('cancelled') ? ['body'] : ['body', '204', 'stale']);

const runOf = (profile, { relay, options, ...scenario }, signal) => ({
	...scenario,
	parameters: {
		preview: false,
		...scenario.parameters,
		options: { maxPeopleLosingAccess: 1000, concurrency: 3, ...options },
	},
	credential: { ...PROFILES[profile].credential, membersPerRequest: 2 },
	signal,
});

const serviceOf = (profile, switches) =>
	new ModelService(
		{ people: PEOPLE, organizations: ORGANIZATIONS },
		{ ...switches, ...PROFILES[profile].switches },
	);

const succeeded = ({ json }) => json.every(({ error }) => error === undefined);

async function undisturbed(profile, scenario, answers) {
	const service = serviceOf(profile, { answers });
	const result = await runOnModel(service, runOf(profile, scenario));
	expect(result.thrown).toBeUndefined();
	expect(result.json.flatMap(({ error }) => error ?? [])).toEqual([]);
	return {
		requests: service.requests.length,
		task: {
			start: shapeOf(service.states[0]),
			end: shapeOf(service.now()),
			shielded: new Set(),
			administered: ORGANIZATIONS,
			relay: scenario.relay,
		},
	};
}

async function cutAndRunAgain(profile, scenario, task, answers, cut, nth) {
	const controller = new AbortController();
	const isCancelled = cut.startsWith('cancelled');
	const service = serviceOf(profile, {
		answers,
		...CUTS[cut](nth),
		onRequest: (at) => isCancelled && at === nth && controller.abort(),
	});
	const first = await runOnModel(service, runOf(profile, scenario, controller.signal));
	expect(first.thrown).toBeUndefined();
	checkMoments(service, task, { settings: {} });
	checkReports(first, service);
	// Who says that all went well has to have done all.
	if (succeeded(first)) expect(shapeOf(service.now())).toEqual(task.end);

	const next = service.again();
	const second = await runOnModel(next, runOf(profile, scenario));
	expect(second.json.flatMap(({ error }) => error ?? [])).toEqual([]);
	checkMoments(next, task, { settings: {} });
	checkReports(second, next);
	expect(shapeOf(next.now())).toEqual(task.end);
}

const PROFILE_NAMES = Object.keys(PROFILES);

describe.each(PROFILE_NAMES)('on %s', (profile) => {
	describe.each(Object.keys(SCENARIOS))('%s', (name) => {
		test.each(Object.keys(CUTS))('%s', async (cut) => {
			for (const answers of waysOf(cut)) {
				const scenario = SCENARIOS[name];
				const { requests, task } = await undisturbed(profile, scenario, answers);
				for (let nth = 1; nth <= requests; nth++) {
					try {
						await cutAndRunAgain(profile, scenario, task, answers, cut, nth);
					} catch (error) {
						error.message = `cut at request ${nth} of ${requests}, answers ${answers}: ${error.message}`;
						throw error;
					}
				}
			}
		});
	});
});
