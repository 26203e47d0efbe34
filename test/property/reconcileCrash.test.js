'use strict';

require('../support/noWaiting');
const { ROLES, shapeOf } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const { emailOf, serviceOf } = require('../support/modelWishes');
const { reconcileTask } = require('../support/modelReconcile');
const { errorsOf } = require('../support/modelChecks');
const { CUTS, cutAtEach } = require('../support/modelCuts');

const ORGANIZATIONS = ['org-1', 'org-2', 'org-3'];

/** Somebody with a role per organization, or `-`, now and as the list wants it. */
const person = (now, wanted, more = {}) => ({
	now: now.split(' '),
	wanted: wanted.split(' '),
	...more,
});
const stays = (now) => person(now, now);
const leaver = (now) => person(now, '- - -');
const inactive = (now, wanted) => person(now, wanted, { active: false });
/** A row for somebody who is not there yet. */
const joiner = (who, organization, role) => ({
	who,
	organization: ORGANIZATIONS.indexOf(organization),
	role,
});

/** Somebody who moves, somebody who comes, and access that no row wants. */
const WITH_UNWANTED = {
	people: [
		stays('admin admin -'),
		person('member viewer -', 'viewer - member'),
		leaver('- viewer -'),
		leaver('- - admin'),
	],
	joiners: [joiner(0, 'org-2', 'viewer')],
};

/** Lists that are reconciled: unless said otherwise with all organizations in scope, and removing what is unwanted. */
const LISTS = {
	'joiners, movers and leavers in three organizations': {
		people: [
			stays('admin admin admin'),
			person('member - -', 'member viewer -'),
			person('member viewer -', 'viewer member -'),
			person('viewer member -', 'viewer - -'),
			person('- member -', '- - member'),
			person('- - -', '- - viewer'),
			leaver('viewer - member'),
			leaver('- viewer -'),
			leaver('member - viewer'),
		],
		joiners: [
			joiner(0, 'org-1', 'member'),
			joiner(0, 'org-2', 'viewer'),
			joiner(1, 'org-3', 'viewer'),
		],
		shielded: [8],
	},
	'unwanted access is kept': { ...WITH_UNWANTED, unwanted: 'keep' },
	'unwanted access is reported': { ...WITH_UNWANTED, unwanted: 'report' },
	'another admin in place of the last one': {
		people: [
			person('admin - member', 'member - member'),
			person('member admin -', 'admin - -'),
			person('- viewer admin', '- admin -'),
		],
		joiners: [joiner(0, 'org-3', 'admin')],
	},
	'the last admins leave, for one who is new, one who comes back and one who moves': {
		people: [
			leaver('admin admin -'),
			leaver('- - admin'),
			inactive('- - -', '- admin -'),
			person('- - member', '- - admin'),
		],
		joiners: [joiner(0, 'org-1', 'admin')],
	},
	'people who come back': {
		people: [
			stays('admin admin admin'),
			inactive('- - -', 'member - viewer'),
			inactive('viewer - -', 'member - -'),
			inactive('- viewer -', '- viewer -'),
			inactive('- - member', '- - -'),
			person('viewer viewer -', '- viewer -'),
		],
	},
	'inactive people who hold roles, and are not let in': {
		people: [
			stays('admin admin admin'),
			inactive('viewer - member', 'member - -'),
			inactive('- viewer member', '- - -'),
			inactive('- - -', 'viewer - -'),
		],
		reactivate: false,
		refused: [1, 3].map(
			(who) => `p${who}@example.com is inactive, and Reactivate is off: no access was given`,
		),
	},
	'a scope of two organizations, without their admins': {
		people: [
			stays('admin admin admin'),
			person('member - viewer', 'viewer - -'),
			person('admin viewer -', '- member -'),
			person('viewer - -', '- - -'),
			person('- viewer admin', '- - -'),
			person('admin - -', 'member viewer -'),
			person('- - member', '- - admin'),
		],
		joiners: [joiner(0, 'org-1', 'viewer'), joiner(1, 'org-3', 'viewer')],
		scope: { organizations: [0, 1], roles: ['member', 'viewer'] },
		refused: [
			'p5@example.com is admin in org-1, which is not in scope',
			'admin in org-3 is not in scope',
			'viewer in org-3 is not in scope',
		],
	},
	'more people per group than fit into one request': {
		people: [
			stays('admin admin admin'),
			...Array(3).fill(person('- viewer -', 'viewer viewer -')),
			...Array(3).fill(person('member - -', 'viewer - -')),
			...Array(3).fill(person('viewer - -', 'member - -')),
			...Array(3).fill(person('viewer member -', '- member -')),
		],
	},
};

/** A list as a case of reconcileTask. */
const caseOf = (profile, list) => ({
	profile,
	directory: {
		organizations: ORGANIZATIONS,
		people: list.people.map(({ now, active = true }, index) => ({
			userName: emailOf(index),
			active,
			roles: Object.fromEntries(
				ORGANIZATIONS.flatMap((id, at) => (now[at] === '-' ? [] : [[id, now[at]]])),
			),
		})),
	},
	wish: {
		list: list.people.map(({ wanted }) => ({
			isListed: true,
			by: 'email',
			roles: wanted.map((role) => (role === '-' ? '' : role)),
		})),
		joiners: list.joiners ?? [],
		bad: [],
		scope: list.scope ?? { organizations: [0, 1, 2], roles: ROLES },
		unwanted: list.unwanted ?? 'revoke',
		deactivatesEmpty: true,
		reactivate: list.reactivate ?? true,
		createMissing: true,
		asItems: true,
	},
	settings: {
		shielded: (list.shielded ?? []).map((index) => ({ person: index, by: 'email' })),
		allowRemovingLastAdmin: false,
		membersPerRequest: 2,
	},
	hazards: {},
});

/** What is run and cut: the list itself, or the plan that a preview made of it. */
const WAYS = {
	Reconcile: async (task) => task.run,
	'Apply Plan': async (task, service) =>
		task.applyOf((await runOnModel(service, task.preview)).json[0]),
};

/** Where the connection is gone, sending and looking again and again takes time and shows nothing more. */
const hasty = ({ parameters, ...run }) => ({
	...run,
	parameters: { ...parameters, options: { ...parameters.options, maxWait: 0, verifyTime: 0 } },
});

async function undisturbed(profile, list, way, answers) {
	const given = caseOf(profile, list);
	const task = reconcileTask(given);
	const run = hasty(await WAYS[way](task, serviceOf(given)));
	// Only what can be done is in a plan.
	const refused = way === 'Reconcile' ? (list.refused ?? []) : [];
	const serviceWith = (switches) => serviceOf({ ...given, hazards: switches });
	const service = serviceWith({ patchAnswers: answers });
	expect(errorsOf(await runOnModel(service, run))).toEqual(refused);
	expect(shapeOf(service.now())).toEqual(task.end);
	return { methods: service.requests.map(({ method }) => method), run, task, serviceWith, refused };
}

describe.each(['accountOrganizations', 'genericOneRole'])('on %s', (profile) => {
	describe.each(Object.keys(WAYS))('%s', (way) => {
		describe.each(Object.keys(LISTS))('%s', (name) => {
			test.each(Object.keys(CUTS))('%s', async (cut) => {
				await cutAtEach(
					cut,
					async (answers) => await undisturbed(profile, LISTS[name], way, answers),
					// The way of the answers concerns the sending, which is one for both.
					way === 'Reconcile' ? ['body', '204'] : ['body'],
				);
			});
		});
	});
});
