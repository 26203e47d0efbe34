'use strict';

require('../support/noWaiting');
const { MemoryService, shapeOf, userIdOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { PROFILES } = require('../support/modelWishes');
const { errorsOf } = require('../support/modelChecks');
const { CUTS, cutAtEach } = require('../support/modelCuts');
const { fromExpression, oneRole } = require('../support/accessRows');

const PEOPLE = [
	{
		userName: 'ana@example.com',
		externalId: 'hr-1',
		roles: { 'org-1': 'admin', 'org-2': 'member' },
	},
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
		operation: 'assign',
		parameters: { createMissing: true, newUserFields: {} },
		items: [
			{
				people: 'gil@example.com, hana@example.com',
				...fromExpression([row('org-1', 'member'), row('org-2', 'viewer')]),
			},
			{ people: 'eve@example.com, finn@example.com', ...fromExpression([row('org-1', 'viewer')]) },
		],
		options: { reactivate: true },
	},
	'movers, and another admin': {
		resource: 'access',
		operation: 'assign',
		parameters: { createMissing: false },
		items: [
			{ people: 'ana@example.com', ...oneRole(organization('org-1'), 'member') },
			{ people: 'ben@example.com', ...oneRole(organization('org-1'), 'admin') },
			{ people: 'dan@example.com', ...oneRole(organization('org-2'), 'member') },
		],
	},
	'roles exactly as listed': {
		resource: 'access',
		operation: 'set',
		items: [
			{ people: 'ben@example.com', ...fromExpression([row('org-1', 'admin')]) },
			{ people: 'ana@example.com', ...fromExpression([row('org-2', 'viewer')]) },
			{ people: 'dan@example.com', ...fromExpression([]) },
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
		options: { ifNotFound: 'alreadyGone' },
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
	'another email': {
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

const runOf = (profile, { relay, options, ...scenario }) => ({
	...scenario,
	parameters: {
		...{ preview: false, accessBy: 'organizationAndRole' },
		...scenario.parameters,
		options: { maxPeopleAffected: 1000, ...options },
	},
	credential: { ...PROFILES[profile].credential, membersPerRequest: 2 },
});

const serviceOf = (profile, switches) =>
	new MemoryService(
		{ people: PEOPLE, organizations: ORGANIZATIONS },
		{ ...switches, ...PROFILES[profile].switches },
	);

async function undisturbed(profile, scenario, answers) {
	const run = runOf(profile, scenario);
	const service = serviceOf(profile, { patchAnswers: answers });
	const result = await runOnModel(service, run);
	expect(result.thrown).toBeUndefined();
	expect(errorsOf(result)).toStrictEqual([]);
	return {
		methods: service.requests.map(({ method }) => method),
		run,
		serviceWith: (switches) => serviceOf(profile, switches),
		task: {
			start: shapeOf(service.states[0]),
			end: shapeOf(service.now()),
			shielded: new Set(),
			administered: ORGANIZATIONS,
			relay: scenario.relay,
		},
	};
}

const PROFILE_NAMES = Object.keys(PROFILES);

describe.each(PROFILE_NAMES)('on %s', (profile) => {
	describe.each(Object.keys(SCENARIOS))('%s', (name) => {
		test.each(Object.keys(CUTS))('%s', async (cut) => {
			await cutAtEach(cut, async (answers) => await undisturbed(profile, SCENARIOS[name], answers));
		});
	});
});
