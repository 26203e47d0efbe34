'use strict';

// People and groups of a service whose ids and names say nothing of organizations and roles, and runs against it.

const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node');
const { sealPlan } = require('../../dist/nodes/shared/access/plans');
const { groupRows: rows, locator, someGroups: listed } = require('./accessRows');
const { defaultsIn } = require('./fieldDefaults');
const { MemoryService, shapeOf, userIdOf } = require('./memoryService');
const { TOKEN, runOnModel } = require('./modelNode');
const { errorsIn } = require('./tableRows');

/** Ids by a short word. `vpnToo` has the id of `vpn` for its name, `eng` and `ENG` differ in case only. */
const GROUPS = {
	eng: { id: 'g-7f3a19c0', displayName: 'Engineering' },
	ENG: { id: 'g-11b2d4e6', displayName: 'engineering' },
	sales: { id: 'g-2c9d0b7e', displayName: 'Sales, EMEA' },
	vpn: { id: 'g-40aa5c31', displayName: 'VPN' },
	vpnToo: { id: 'g-77aa0012', displayName: 'g-40aa5c31' },
	everyone: { id: 'g-51ff8d20', displayName: 'Everyone' },
	support1: { id: 'g-90e1f2a3', displayName: 'Support' },
	support2: { id: 'g-91b4c5d6', displayName: 'Support' },
};
const ID = Object.fromEntries(Object.entries(GROUPS).map(([word, { id }]) => [word, id]));

const email = (name) => `${name}@example.com`;
const person = (name, groups, more = {}) => ({
	userName: email(name),
	emails: [{ value: email(name), type: 'work', primary: true }],
	groups: groups.map((word) => ID[word]),
	...more,
});
/** Ana and Ben work here, Cleo has come, Dan is in no group; Eve and Finn are inactive. */
const PEOPLE = [
	person('ana', ['eng', 'everyone']),
	person('ben', ['vpn', 'sales', 'everyone']),
	person('cleo', ['everyone']),
	person('dan', []),
	person('eve', ['vpn', 'everyone'], { active: false }),
	person('finn', [], { active: false }),
];
const idOf = (name) => userIdOf(email(name));

/**
 * @param ways switches of MemoryService; `groups` and `people` instead of those above; `membersShownOn`: who tells of
 *   memberships, `both`, `groups`, `users` or `nowhere` (jackson, test/servers/results.md), with empty lists or without any
 */
function serviceWith({
	groups = Object.values(GROUPS),
	people = PEOPLE,
	membersShownOn = 'both',
	emptyUserGroups = false,
	omitsEmptyGroups = false,
	omitsEmptyMembers = false,
	...switches
} = {}) {
	const [some, none] = omitsEmptyMembers ? ['whenAny', 'absent'] : ['all', 'empty'];
	const held = omitsEmptyGroups ? 'whenAny' : 'all';
	const shows = (side) => ['both', side].includes(membersShownOn);
	return new MemoryService(
		{ people, groups },
		{
			unknownMembers: 'refusedAfter',
			...switches,
			showsNames: false,
			showsMembers: shows('groups') ? some : none,
			usersShowGroups: emptyUserGroups ? 'empty' : shows('users') ? held : 'absent',
		},
	);
}

/** What the credential says of a service with these switches. */
const credentialOf = ({ deactivationDrops, inactiveRefuses } = {}, membersPerRequest = 100) => ({
	serviceProfile: inactiveRefuses ? 'launchDarkly' : 'generic',
	overrideProfile: true,
	deactivation: deactivationDrops ? 'drops' : 'keeps',
	deletionIsFinal: 'no',
	membersPerRequest,
});

const { description } = new ScimProvisioning();

/** The fields of an operation with their defaults, as n8n gives them. */
const defaultsOf = (resource, operation) => defaultsIn(description, resource, operation);

/** Nobody waits for what never shows. */
const REQUESTS = { values: { maxWait: 0, verifyTime: 0 } };

/**
 * Runs an operation of Access, or of another resource, by groups.
 * @param items the parameters that differ by item
 * @returns the JSON of the output items
 */
async function play(service, operation, parameters = {}, items = [{}], more = {}) {
	const { resource = 'access', credential = credentialOf(service.switches), signal } = more;
	const { json, thrown } = await runOnModel(service, {
		resource,
		operation,
		parameters: {
			...defaultsOf(resource, operation),
			accessBy: 'group',
			...parameters,
			options: { ...REQUESTS, ...parameters.options },
		},
		items,
		credential,
		signal,
	});
	if (thrown !== undefined) throw thrown;
	return json;
}

/** A plan with other contents, as Preview would have sealed it. */
const sealed = (plan) => sealPlan(plan, TOKEN);

const emails = (...names) => names.map(email).join(', ');

/** Items without what errors of n8n bring along. */
const statuses = (items) => items.map(({ userName, group, status }) => [userName, group, status]);

/** Who is in which group afterwards, by short words; groups without anybody are left out. */
function membersIn(service) {
	const words = Object.fromEntries(Object.entries(ID).map(([word, id]) => [id, word]));
	const names = new Map(
		[...service.users].map(([id, { userName }]) => [id, userName.split('@')[0]]),
	);
	return Object.fromEntries(
		Object.entries(shapeOf(service.now()).members)
			.filter(([, ids]) => ids.length > 0)
			.map(([id, ids]) => [
				words[id] ?? id,
				ids.map((member) => names.get(member) ?? member).sort(),
			]),
	);
}

module.exports = {
	GROUPS,
	ID,
	PEOPLE,
	credentialOf,
	defaultsOf,
	email,
	emails,
	errorsIn,
	idOf,
	listed,
	locator,
	membersIn,
	person,
	play,
	rows,
	sealed,
	serviceWith,
	statuses,
};
