'use strict';

require('../support/noWaiting');
const {
	ID,
	credentialOf,
	defaultsOf,
	email,
	emails,
	listed,
	locator,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');
const { shapeOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { errorsOf } = require('../support/modelChecks');
const { CUTS, cutAtEach } = require('../support/modelCuts');

const json = (...groups) => ({ groups });
const inGroup = (word) => ({ chooseGroupBy: 'group', group: locator('id', ID[word]) });

/** What is run and cut: `[operation, parameters, items, resource]`. */
const SCENARIOS = {
	'joiners, two of them new, and one who comes back': [
		'assign',
		{ createMissing: true, options: { reactivate: true } },
		[
			{ people: emails('gil', 'hana'), ...json('VPN', 'Sales, EMEA') },
			{ people: emails('dan', 'eve'), ...json('VPN') },
		],
	],
	'exactly these groups': [
		'set',
		{ managedGroups: rows('VPN', 'Engineering', 'Sales*'), options: { allowEmpty: true } },
		[
			{ people: emails('ana'), ...json('VPN') },
			{ people: emails('ben'), ...json('Engineering', 'Sales, EMEA') },
			{ people: emails('eve'), ...json() },
		],
	],
	'groups that are taken away': [
		'revoke',
		{ revokeIn: 'one', ...listed('VPN', 'Everyone') },
		[{ people: emails('ben') }, { people: emails('cleo', 'eve') }],
	],
	'leavers who are deactivated': [
		'offboard',
		{ method: 'deactivate', options: { keepMembershipsIn: rows('Everyone') } },
		[{ people: emails('ben', 'eve') }, { people: emails('dan') }],
	],
	'leavers who are deleted': [
		'offboard',
		{ method: 'delete', options: { ifNotFound: 'alreadyGone' } },
		[{ people: emails('ben', 'eve') }],
	],
	'another email': [
		'changeEmail',
		{},
		[
			{
				user: locator('id', serviceWith().named(email('ana'))[0].id),
				newEmail: email('ana.silva'),
			},
		],
	],
	'a list': [
		'reconcile',
		{
			preview: false,
			wantedFrom: 'json',
			wantedJson: [
				{ email: email('dan'), group: 'Engineering' },
				{ email: email('ben'), group: 'Engineering' },
				{ email: email('gil'), group: 'VPN' },
			],
			createMissing: true,
			scopeGroups: rows('Engineering', 'VPN'),
			unwanted: 'revoke',
			options: { deactivatesEmpty: true, ignoreGroups: rows('Everyone') },
		},
		[{}],
	],
	'members as listed': [
		'setMembers',
		{ options: { replaceWith: 'difference' } },
		[
			{ ...inGroup('vpn'), people: emails('ana', 'dan') },
			{ ...inGroup('everyone'), people: emails('ana', 'ben') },
		],
		'group',
	],
	'members who are taken out': [
		'removeMembers',
		{},
		[{ ...inGroup('everyone'), people: emails('ana', 'ben', 'dan') }],
		'group',
	],
};

/** Services on which a run is cut. */
const SERVICES = {
	'memberships shown on both sides': { membersShownOn: 'both' },
	'memberships shown on users only': { membersShownOn: 'users' },
	'deactivation drops memberships': { membersShownOn: 'groups', deactivationDrops: true },
};

async function undisturbed(switches, [operation, parameters, items, resource = 'access'], answers) {
	const run = {
		resource,
		operation,
		parameters: {
			...defaultsOf(resource, operation),
			accessBy: 'group',
			...parameters,
			options: {
				maxPeopleAffected: 1000,
				...parameters.options,
			},
		},
		items,
		credential: credentialOf(switches, 2),
	};
	const serviceOf = (more) => serviceWith({ ...more, ...switches });
	const service = serviceOf({ patchAnswers: answers });
	const result = await runOnModel(service, run);
	expect(result.thrown).toBeUndefined();
	expect(errorsOf(result)).toStrictEqual([]);
	return {
		methods: service.requests.map(({ method }) => method),
		run,
		serviceWith: serviceOf,
		task: {
			start: shapeOf(service.states[0]),
			end: shapeOf(service.now()),
			shielded: new Set(),
			administered: [],
		},
	};
}

describe.each(Object.keys(SERVICES))('%s', (name) => {
	describe.each(Object.keys(SCENARIOS))('%s', (scenario) => {
		test.each(Object.keys(CUTS))('%s', async (cut) => {
			await cutAtEach(
				cut,
				async (answers) => await undisturbed(SERVICES[name], SCENARIOS[scenario], answers),
				['body', '204'],
			);
		});
	});
});
