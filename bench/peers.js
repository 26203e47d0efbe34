'use strict';

/**
 * Requests of one job beside those of two programs that do it for AWS IAM Identity Center: 200 people in 5 groups, each of them in
 * all. Theirs are counted in their sources. Ends with 1 when a job was not done.
 */

const { DIALECTS } = require('../demo/service/scim/dialects');
const { table } = require('./support/figures');
const plainNode = require('./support/plainNode');

// No read grows old, however busy the machine is: what is older than 5 seconds is read again before a write.
performance.now = () => 0;

const [PEOPLE, GROUPS, GONE] = [200, 5, 5];
const range = (count) => Array.from({ length: count }, (_, number) => number);
const emailOf = (person) => `person.${person}@example.com`;
const groupOf = (group) => `app ${group}`;

const rowOf = (person, group) => ({
	...{ email: emailOf(person), group: groupOf(group), displayName: `Person ${person}` },
	...{ 'name.givenName': 'Person', 'name.familyName': String(person) },
});
/** In: tells who is not in which group. */
const listWithout = (isOut) =>
	range(PEOPLE).flatMap((person) =>
		range(GROUPS).flatMap((group) => (isOut(person, group) ? [] : rowOf(person, group))),
	);
const ALL = listWithout(() => false);
const IN_ONE = listWithout((person, group) => person < GONE && group === 0);
const IN_EACH = listWithout((person, group) => person < GONE && person === group);

const create = () => ({
	parameters: { resource: 'group', operation: 'create', displayName: '={{ $json.name }}' },
	items: range(GROUPS).map((group) => ({ name: groupOf(group) })),
});
const reconcile = (list) => ({
	parameters: {
		...{ resource: 'access', operation: 'reconcile', preview: false, createMissing: true },
		...{ accessBy: 'group', scopeGroups: { group: [{ group: 'app *' }] } },
		...{ wantedFrom: 'json', wantedJson: JSON.stringify(list) },
		accessColumns: {
			...{ person: 'email', group: 'group' },
			attributes: 'name.givenName, name.familyName, displayName',
		},
		options: { maxPeopleAffected: PEOPLE, maxCreates: PEOPLE },
	},
	items: [{}],
});

const JOBS = [
	{ name: 'First sync, nobody and no group is there', runs: [create(), reconcile(ALL)], ends: ALL },
	{ name: 'Nothing to do', runs: [reconcile(ALL)], ends: ALL },
	{ name: '5 people leave one group', runs: [reconcile(IN_ONE)], ends: IN_ONE },
	{ name: '', runs: [reconcile(ALL)], ends: ALL },
	{ name: '5 people leave one group each', runs: [reconcile(IN_EACH)], ends: IN_EACH },
];

const KINDS = {
	aws: { switches: DIALECTS.aws.switches, serviceProfile: 'awsIdentityCenter' },
	generic: { switches: {}, serviceProfile: 'generic' },
};

/** Counted in slashdevops/idp-scim-sync (GetGroupsMembers at 6a6de6e7, the others at other commits); later it reads nothing at the service. */
const IDP_SCIM_SYNC = {
	requests: [417, 0, 1, 5],
	counted: [
		'idp-scim-sync, first: internal/core/actions.go, scimSync: 1 list of groups, 5 creates, 1 list of users, 200 creates;',
		'  internal/scim/scim.go, GetGroupsMembers: 1 filter for each of 200 users; CreateGroupsMembers: 2 batches for each of 5 groups.',
		'  Later: stateSync compares with what the last run has stored and asks the service nothing, so that it sees no drift;',
		'  DeleteGroupsMembers: 1 for each group.',
	],
};

/** Counted in awslabs/ssosync at 01cd6948; those to the Identity Store API are among them. */
const SSOSYNC = {
	requests: [3_208, 214, 219, 219],
	counted: [
		'ssosync, first: internal/sync.go, DoSync: 1 list; SyncGroupsUsers: 1 list of groups, 1 of users, 200 creates, 5 creates,',
		'  FindUserByEmail and AddUserToGroup for each of 1,000 memberships; getGroupUsersOperations: FindUserByEmail for each again.',
		'  Later: DoSync 1, lists of groups 1 and users 2, FindUserByEmail for each of 200 users, GetGroupMembershipsLists: 2 pages for',
		'  each of 5 groups; RemoveUserFromGroup for each membership.',
	],
};

/** Out: texts, a person in a group each, as rows and as the service has them. */
const wantedIn = (list) => list.map(({ email, group }) => `${email} ${group}`).sort();
function heldIn(server) {
	const names = new Map([...server.users.values()].map(({ id, userName }) => [id, userName]));
	const { groups, about } = server.scim;
	return [...groups]
		.flatMap(([id, members]) =>
			members.map((user) => `${names.get(user)} ${about.get(id).displayName}`),
		)
		.sort();
}

async function measure({ switches, serviceProfile }) {
	const service = await plainNode.start({ ...switches, users: [], groups: [] });
	const counts = [];
	try {
		for (const { name, runs, ends } of JOBS) {
			const before = service.log.requests.length;
			for (const run of runs)
				await plainNode.run({ ...run, credential: { serviceProfile } }, service);
			const held = heldIn(service.state.server);
			if (held.join() !== wantedIn(ends).join()) throw new Error(`"${name}" was not done`);
			if (name !== '') counts.push(service.log.requests.length - before);
		}
		return counts;
	} finally {
		await service.close();
	}
}

async function main() {
	const [aws, generic] = [await measure(KINDS.aws), await measure(KINDS.generic)];
	const names = JOBS.flatMap(({ name }) => (name === '' ? [] : name));
	const titles = ['job', 'ours, AWS', 'ours, generic', 'idp-scim-sync', 'ssosync'];
	const columns = [aws, generic, IDP_SCIM_SYNC.requests, SSOSYNC.requests];
	console.log(`Requests for ${PEOPLE} people in ${GROUPS} groups, each of them in all, beside two programs that fill AWS IAM Identity
Center. Ours read at the service what is there, and prove what they did (Group: Create, Access: Reconcile). They are of a
service that answers at once: what is read more than 5 seconds before it is changed is read again.
`);
	console.log(
		table(
			titles,
			names.map((name, at) => [name, ...columns.map((column) => String(column[at]))]),
		),
	);
	console.log(`\n${[...IDP_SCIM_SYNC.counted, ...SSOSYNC.counted].join('\n')}`);
}

main().then(
	() => process.exit(),
	(problem) => {
		console.error(problem);
		process.exit(1);
	},
);
