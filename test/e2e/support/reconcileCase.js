'use strict';

/**
 * An account in which a wanted list of 1,000 people differs from what is there in every way: newcomers,
 * people who change role or organization, people who lose what they had, people who are right already,
 * and an organization outside of the scope, where nothing may happen.
 */

const { copySnapshot } = require('../../../demo/snapshot');

const ACCOUNT = 'org-acct1';
const [FIRST, SECOND, OUTSIDE] = ['org-1001', 'org-1002', 'org-1003'];
const NAMES = { [ACCOUNT]: 'Account', [FIRST]: 'First', [SECOND]: 'Second', [OUTSIDE]: 'Outside' };
const STAY = 600;
const LEAVE = 100;
const COME = 400;

/**
 * Out: `seed` of the service, `rows` of the wanted list, `scope`: names of organizations,
 * `wantedAfter(before)`: the snapshot that is wanted, worked out without the node.
 */
function reconcileCase() {
	const people = Array.from({ length: STAY + LEAVE }, (_, index) => staffOf(index));
	const come = Array.from({ length: COME }, (_, index) => ({
		email: `new.${index + 1}@example.com`,
		wanted: { [index % 2 === 0 ? FIRST : SECOND]: index % 3 === 0 ? 'viewer' : 'member' },
	}));
	const inScope = [FIRST, SECOND];
	const everybody = [...people, ...come];
	return {
		seed: {
			account: ACCOUNT,
			organizations: Object.entries(NAMES).map(([id, name]) => ({ id, name })),
			users: people.map(({ email }) => ({ userName: email })),
			memberships: people.flatMap(({ email, now }) =>
				Object.entries(now).map(([organization, role]) => ({
					userName: email,
					organization,
					role,
				})),
			),
		},
		rows: everybody.flatMap(({ email, wanted }) =>
			Object.entries(wanted).map(([id, role]) => ({ email, organization: NAMES[id], role })),
		),
		scope: inScope.map((id) => NAMES[id]),
		wantedAfter(before) {
			const after = copySnapshot(before);
			for (const { email, now = {}, wanted } of everybody) {
				const elsewhere = Object.entries(now).filter(([id]) => !inScope.includes(id));
				after.people.set(email, {
					active: true,
					roles: { ...Object.fromEntries(elsewhere), ...wanted },
				});
				for (const organizationId of Object.keys(wanted)) {
					if (!now[organizationId]) after.mails.push({ to: email, organizationId });
				}
			}
			return after;
		},
	};
}

function staffOf(index) {
	const email = `person.${index + 1}@example.com`;
	if (index === 0) {
		const wanted = { [FIRST]: 'admin', [SECOND]: 'admin' };
		return { email, now: { [ACCOUNT]: 'admin', ...wanted, [OUTSIDE]: 'admin' }, wanted };
	}
	const [here, there] = index % 2 === 0 ? [FIRST, SECOND] : [SECOND, FIRST];
	const [role, other] = index % 3 === 0 ? ['member', 'viewer'] : ['viewer', 'member'];
	const outside = index % 4 === 0 ? { [OUTSIDE]: 'member' } : {};
	const now = { [here]: role, ...outside };
	if (index >= STAY) return { email, now, wanted: {} };
	if (index % 5 === 0) return { email, now, wanted: { [here]: other } };
	if (index % 7 === 0) return { email, now, wanted: { [there]: role } };
	if (index % 11 === 0) return { email, now, wanted: { [here]: role, [there]: other } };
	return { email, now, wanted: { [here]: role } };
}

/**
 * In the middle of a run everybody has, in each organization, what they had before or what is wanted, and
 * nobody is without a role in a place where they had one and are to have one.
 *
 * In: three snapshots. Out: a sentence for each who has something else.
 */
function strayed(before, wanted, now) {
	const complaints = [];
	for (const [userName, { active, roles }] of now.people) {
		const should = wanted.people.get(userName);
		const was = before.people.get(userName);
		if (!should) complaints.push(`${userName} has an account that nobody asked for.`);
		if (!active) complaints.push(`${userName} is inactive.`);
		for (const { id, name } of now.organizations) {
			const allowed = [was?.roles[id], should?.roles[id]];
			if (!allowed.includes(roles[id])) {
				complaints.push(`${userName} has ${roles[id] ?? 'no role'} in ${name}.`);
			}
		}
	}
	for (const userName of before.people.keys()) {
		if (!now.people.has(userName)) complaints.push(`${userName} is gone.`);
	}
	return complaints;
}

module.exports = { reconcileCase, strayed };
