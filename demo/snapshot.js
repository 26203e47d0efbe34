'use strict';

const { isDeepStrictEqual } = require('node:util');

/**
 * What the service holds at one moment, for comparing.
 *
 * `{ organizations: [{ id, name }], people: Map(userName -> { active, roles: { organization id ->
 * role } }), mails: [{ to, organizationId }] }`
 */

/** In: a running service (demo/service). The table is read over HTTP, as an outsider sees it. */
async function readSnapshot(service) {
	const response = await fetch(`${service.url}/__table`);
	if (!response.ok) throw new Error(`The service answered ${response.status} to /__table.`);
	const { organizations, people } = await response.json();
	return {
		organizations,
		people: new Map(people.map(({ userName, active, roles }) => [userName, { active, roles }])),
		mails: service.state.mailsSent.map(({ to, organizationId }) => ({ to, organizationId })),
	};
}

/** Out: a copy that can be changed into what is wanted. */
function copySnapshot({ organizations, people, mails }) {
	return { organizations, people: structuredClone(people), mails: structuredClone(mails) };
}

/**
 * In: the snapshot that is wanted and the one that is there.
 * Out: a sentence for each difference; none when they are the same.
 */
function differences(wanted, found) {
	const userNames = new Set([...wanted.people.keys(), ...found.people.keys()]);
	return [
		...[...userNames].flatMap((userName) => personDifferences(userName, wanted, found)),
		...mailDifferences(wanted, found),
	];
}

function personDifferences(userName, wanted, found) {
	const should = wanted.people.get(userName);
	const is = found.people.get(userName);
	if (!is) return [`${userName} has no account.`];
	if (!should) return [`${userName} has an account that nobody asked for.`];
	const unlike = [];
	if (is.active !== should.active) {
		unlike.push(`${userName} is ${is.active ? 'active' : 'inactive'}, which is not wanted.`);
	}
	for (const { id, name } of wanted.organizations) {
		const [role, right] = [is.roles[id] ?? 'no role', should.roles[id] ?? 'no role'];
		if (role !== right) unlike.push(`${userName} has ${role} in ${name} instead of ${right}.`);
	}
	return unlike;
}

function mailDifferences(wanted, found) {
	const counted = new Map();
	const count = (mails, step) => {
		for (const { to, organizationId } of mails) {
			const key = `${to} for ${organizationId}`;
			counted.set(key, (counted.get(key) ?? 0) + step);
		}
	};
	count(found.mails, 1);
	count(wanted.mails, -1);
	return [...counted]
		.filter(([, surplus]) => surplus !== 0)
		.map(([mail, surplus]) =>
			surplus > 0 ? `${surplus} email too many to ${mail}.` : `No email to ${mail}.`,
		);
}

/** Out: the userNames whose rows differ between two snapshots. */
function changedPeople(before, after) {
	const userNames = new Set([...before.people.keys(), ...after.people.keys()]);
	return [...userNames].filter(
		(userName) => !isDeepStrictEqual(before.people.get(userName), after.people.get(userName)),
	);
}

module.exports = { readSnapshot, copySnapshot, differences, changedPeople };
