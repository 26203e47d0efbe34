'use strict';

/*
 * Time and memory of planning a reconcile, from wishes to requests: 1,000, 10,000 and 100,000 assignments against as many people's worth of
 * groups, half of which differ. Linear means that the last two columns stay about the same from row to row. Nothing is
 * sent; run with --expose-gc for steadier memory figures.
 */
const { readAccess } = require('../dist/nodes/shared/access/facts/access.js');
const { diff } = require('../dist/nodes/shared/access/plans/diff.js');
const { findContradictions } = require('../dist/nodes/shared/access/changes/wish.js');
const {
	reconcileWishes,
	rowWish,
	scopeOf,
} = require('../dist/nodes/shared/access/plans/reconcileWishes.js');
const { stepsOf } = require('../dist/nodes/shared/access/send/requests.js');
const { scheduleOf } = require('../dist/nodes/shared/access/send/schedule.js');
const { memoized } = require('../dist/nodes/shared/util/index.js');
const { PROFILES } = require('../dist/nodes/shared/scim/protocol/service.js');

const ROLES = ['admin', 'member', 'viewer'];
const ORGANIZATIONS = 100;

/** Groups with `assignments` members in all, two for each person, and a wanted list in which half are different. */
function directoryOf(assignments) {
	const members = new Map();
	const wanted = [];
	for (let organization = 0; organization < ORGANIZATIONS; organization++) {
		for (const role of ROLES) members.set(`org-${organization}:${role}`, []);
	}
	for (let person = 0; person < assignments / 2; person++) {
		const id = `user-${person}`;
		const hold = [0, 1].map((number) => {
			const organization = (person * 7 + number * 13) % ORGANIZATIONS;
			members
				.get(`org-${organization}:${ROLES[1 + number]}`)
				.push({ id, display: `${id}@example.com` });
			const role = (person + number) % 2 === 0 ? ROLES[1 + number] : ROLES[2 - number];
			return { groupId: `org-${organization}:${role}`, item: person, row: String(person) };
		});
		wanted.push({ person: { key: id, id }, hold });
	}
	const groups = [...members].map(([id, list]) => ({
		id,
		displayName: id,
		members: list,
		attributes: {},
	}));
	return { groups, wanted };
}

function measure(assignments) {
	const { groups, wanted } = directoryOf(assignments);
	const profile = PROFILES.accountOrganizations;
	const ids = profile.groups();
	const label = (groupId) => groupId;
	globalThis.gc?.();
	const before = process.memoryUsage().heapUsed;
	const start = process.hrtime.bigint();
	const readAt = { wall: Date.now(), run: 0 };
	const access = readAccess({ groups, isWhole: true, readAt }, ids, profile);
	const common = {
		...{ access, ids, profile, label },
		accountOrganization: '',
		isProtected: () => false,
		adopts: true,
		account: () => undefined,
		reactivate: false,
	};
	const only = memoized((groupId) => [groupId]);
	const byPerson = new Map(
		wanted.map(({ person, hold }) => [
			person.key,
			hold.map(({ item, row, groupId }) => rowWish({ item, row, hold: only(groupId) }, person)),
		]),
	);
	const clashOf = findContradictions([...byPerson.values()].flat(), common);
	const rules = {
		...common,
		scope: scopeOf(access, () => true),
		unwanted: 'revoke',
		heldBack: new Map(),
		unmatched: new Map(),
		isIgnored: () => false,
		clashOf,
	};
	const leavers = { shown: new Map(), whyKeptActive: () => undefined };
	const { wishes } = reconcileWishes(byPerson, leavers, rules);
	const { changes } = diff(wishes, rules);
	const steps = stepsOf(scheduleOf(changes, profile), { ids, profile, label, access });
	const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
	const megabytes = (process.memoryUsage().heapUsed - before) / 2 ** 20;
	return {
		assignments,
		changes: changes.length,
		requests: steps.length,
		milliseconds,
		megabytes,
	};
}

measure(1_000);
const rows = [1_000, 10_000, 100_000].map(measure);
console.log('assignments  changes  requests        ms       MB  us/assignment  bytes/assignment');
for (const { assignments, changes, requests, milliseconds, megabytes } of rows) {
	console.log(
		[
			String(assignments).padStart(11),
			String(changes).padStart(7),
			String(requests).padStart(8),
			milliseconds.toFixed(1).padStart(8),
			megabytes.toFixed(1).padStart(7),
			((milliseconds * 1000) / assignments).toFixed(1).padStart(13),
			((megabytes * 2 ** 20) / assignments).toFixed(0).padStart(16),
		].join('  '),
	);
}
