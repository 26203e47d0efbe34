'use strict';

/**
 * The jobs that are measured. A new one is one more entry:
 *   name         what is done, with its sizes
 *   node         who does it, such as `scimNode`: run(job, service), credentialName, credentialsFor, headersFor
 *   service      options of the local service
 *   parameters   of the node; `items` go in
 *   floor        fewest requests that do it, as formula and number
 *   onePerThing  requests of a workflow that sends one for each thing
 *   above        requests over the floor that are accepted, and why; left out: none
 *   isDone       whether the service's table of people, or its whole state, shows it afterwards
 */

const { seedOf } = require('../../demo/service');
const alertNode = require('./alertNode');
const { pagesOf } = require('./pages');
const scimNode = require('./scimNode');

const range = (count, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const email = (number) => `person.${number}@example.com`;
const everyRoleOf = ({ memberships }) =>
	memberships.map(({ userName, organization, role }) => ({ email: userName, organization, role }));

/** People by email, with their roles. */
const byName = (people) => new Map(people.map(({ userName, ...rest }) => [userName, rest]));

const SAME_ROLES = { 'org-1001': 'member', 'org-1002': 'viewer', 'org-1003': 'viewer' };

/** Everybody of `emails` gets the same three roles, with or without an account. */
function onboard(name, { seed, emails, floor, onePerThing, above }) {
	return {
		name,
		node: scimNode,
		service: { seed },
		parameters: {
			resource: 'access',
			operation: 'assign',
			accessBy: 'organizationAndRole',
			people: '={{ $json.email }}',
			createMissing: true,
			roles: {
				role: Object.entries(SAME_ROLES).map(([organization, role]) => ({ organization, role })),
			},
		},
		items: emails.map((address) => ({ email: address })),
		floor,
		onePerThing,
		above,
		isDone(people) {
			const known = byName(people);
			return emails.every((address) =>
				Object.entries(SAME_ROLES).every(
					([organization, role]) => known.get(address)?.roles[organization] === role,
				),
			);
		},
	};
}

function onboardNew() {
	const people = 100;
	const groups = Object.keys(SAME_ROLES).length;
	return onboard('Onboard 100 new people, 3 roles each', {
		seed: seedOf({ users: 1000, organizations: 4 }),
		emails: range(people).map((number) => `hire.${number}@example.com`),
		floor: { formula: 'N + g + Lg', requests: people + groups + 1 },
		onePerThing: { formula: 'N + N·k', requests: people + people * groups },
	});
}

/** The groups tell who is there already, and users alone whether they are active. */
function onboardSomeKnown() {
	const [created, known] = [50, 50];
	const groups = Object.keys(SAME_ROLES).length;
	return onboard('… 50 of the 100 exist, with a role', {
		seed: seedOf({ users: 1000, organizations: 5 }),
		emails: [
			...range(created).map((number) => `hire.${number}@example.com`),
			// Those who have a role in the fourth organization only.
			...range(known).map((number) => email(500 + 4 * number)),
		],
		floor: {
			formula: 'new + g + Lg + min(existing, L)',
			requests: created + groups + 1 + Math.min(known, pagesOf(1000)),
		},
		onePerThing: { formula: 'N + new + N·k', requests: 100 + created + 100 * groups },
	});
}

/** Nothing but a look-up, or the 409 to the create, tells who is there already. */
function onboardSomeUnseen() {
	const [created, known] = [50, 50];
	const groups = Object.keys(SAME_ROLES).length;
	const seed = seedOf({ users: 950, organizations: 4 });
	const idle = range(known).map((number) => `idle.${number}@example.com`);
	return onboard('… 50 of the 100 exist, without any role', {
		seed: { ...seed, users: [...seed.users, ...idle.map((userName) => ({ userName }))] },
		emails: [...range(created).map((number) => `hire.${number}@example.com`), ...idle],
		floor: {
			formula: 'N + g + Lg + min(existing, L)',
			requests: 100 + groups + 1 + Math.min(known, pagesOf(1000)),
		},
		onePerThing: { formula: 'N + new + N·k', requests: 100 + created + 100 * groups },
	});
}

function offboard() {
	const [users, leavers] = [1000, 10];
	const emails = range(leavers, 501).map(email);
	return {
		name: 'Offboard 10 of 1,000 by email, no filter, with proof',
		node: scimNode,
		service: { seed: seedOf({ users, organizations: 4 }), filter: 'off' },
		parameters: { resource: 'access', operation: 'offboard', people: '={{ $json.email }}' },
		items: emails.map((address) => ({ email: address })),
		floor: { formula: 'min(L, Lg) + N + Lg', requests: 1 + leavers + 1 },
		onePerThing: {
			formula: 'N·L + N, no proof',
			requests: leavers * pagesOf(users) + leavers,
		},
		isDone(people) {
			const known = byName(people);
			return emails.every((address) => {
				const { active, roles } = known.get(address);
				return active === false && Object.keys(roles).length === 0;
			});
		},
	};
}

function reconcileGroup(name, differences, floor) {
	const seed = seedOf({ users: 200, organizations: 4 });
	const [organization, role] = ['org-1001', 'member'];
	const before = seed.memberships
		.filter((entry) => entry.organization === organization && entry.role === role)
		.map(({ userName }) => userName);
	const strangers = seed.memberships
		.filter((entry) => entry.organization === 'org-1002' && entry.role === role)
		.map(({ userName }) => userName);
	const out = differences / 2;
	const wanted = [...before.slice(out), ...strangers.slice(0, out)];
	return {
		name,
		node: scimNode,
		service: { seed },
		parameters: {
			resource: 'group',
			operation: 'setMembers',
			chooseGroupBy: 'organizationAndRole',
			organization: { __rl: true, mode: 'id', value: organization },
			role,
			people: wanted.join(','),
			// The members of the group are few, and many of them leave.
			options: { maxPeopleAffected: differences },
		},
		floor,
		onePerThing: { formula: '1 + d', requests: 1 + differences },
		isDone(people) {
			const members = people.filter(({ roles }) => roles[organization] === role);
			return (
				members
					.map(({ userName }) => userName)
					.sort()
					.join() === [...wanted].sort().join()
			);
		},
	};
}

/** 67 organizations are 201 groups; in some of them one viewer becomes member. */
function reconcileAll(name, changedGroups, floor) {
	const seed = seedOf({ users: 1000, organizations: 67, rolesPerUser: 2 });
	const changed = new Set();
	const wanted = everyRoleOf(seed).map((row) => {
		if (changed.size === changedGroups || changed.has(row.organization)) return row;
		if (row.role !== 'viewer') return row;
		changed.add(row.organization);
		return { ...row, role: 'member' };
	});
	return {
		name,
		node: scimNode,
		service: { seed },
		parameters: {
			resource: 'access',
			operation: 'reconcile',
			accessBy: 'organizationAndRole',
			preview: false,
			wantedFrom: 'json',
			wantedJson: JSON.stringify(wanted),
			scopeOrganizations: seed.organizations.map(({ id }) => id).join(','),
		},
		floor,
		onePerThing: { formula: 'groups + groups·d', requests: 201 + changedGroups },
		isDone(people) {
			const known = byName(people);
			return wanted.every(
				({ email: address, organization, role }) => known.get(address).roles[organization] === role,
			);
		},
	};
}

/** The first configuration of the demo's first managed organization has some thirty monitors. */
function attach(name, action, floor) {
	const [organization, model] = ['org-3454', 'model-1'];
	const monitorsOf = ({ alerting }) => alerting.configuration(organization, model).get('monitors');
	return {
		name,
		node: alertNode,
		service: {},
		parameters: {
			resource: 'monitor',
			operation: 'attach',
			action,
			models: 'one',
			model,
			monitors: 'name',
			namePattern: '*',
		},
		floor,
		onePerThing: { formula: '1 + 2m', requests: 1 + 2 * 30 },
		isDone: (_people, state) =>
			monitorsOf(state).every((monitor) =>
				(monitor.get('actions') ?? []).some((entry) => entry.get('target') === action),
			),
	};
}

/** Made afresh at each call, so that nothing of one measurement reaches the next. */
const jobs = () => [
	onboardNew(),
	onboardSomeKnown(),
	onboardSomeUnseen(),
	offboard(),
	// 10 of 200 people are added, who are two pages.
	reconcileGroup('Reconcile one group, 20 differences', 20, {
		formula: '2 + min(added, L)',
		requests: 4,
	}),
	reconcileGroup('Reconcile one group, no difference', 0, { formula: '1', requests: 1 }),
	reconcileAll('Reconcile 67 organizations, 5 of 201 groups changed', 5, {
		formula: 'Lg + changed + min(people, L)',
		requests: 1 + 5 + pagesOf(1000),
	}),
	reconcileAll('Reconcile 67 organizations, nothing changed', 0, {
		formula: 'Lg + min(people, L)',
		requests: 1 + pagesOf(1000),
	}),
	attach('Attach an action to 30 monitors of 1 configuration', 'marketing-mail', {
		formula: '1 + 3c',
		requests: 4,
	}),
];

module.exports = { jobs };
