'use strict';

/** A whole list of 10,000 people by external ID, 50 of whom have another title by now, on a plain SCIM service. */

const plainNode = require('./plainNode');

const [USERS, CHANGED] = [10_000, 50];
/** One page more: where totals are not relied on, only an empty page ends a list. */
const L = USERS / 100 + 1;
const key = (number) => ({
	...{ userName: `person.${number}@example.com`, externalId: `HR-${number}` },
	title: 'Clerk',
});
const isChanged = (number) => number % (USERS / CHANGED) === 0;
const user = (number) => ({ id: `u-${number}`, ...key(number) });

/** So many users, some of whom are to have another title than the service has. */
function usersJob(count, isOther, service = user) {
	const range = Array.from({ length: count }, (_, index) => index);
	return {
		node: plainNode,
		service: { users: range.map(service) },
		parameters: {
			...{ resource: 'user', operation: 'reconcile', preview: false },
			...{ usersFrom: 'json', matchUsersBy: 'externalId' },
			...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' },
			usersJson: JSON.stringify(
				range.map((number) => ({ ...key(number), title: isOther(number) ? 'Boss' : 'Clerk' })),
			),
		},
		items: [{}],
	};
}

const job = (name, service, sent) => ({
	name,
	...usersJob(USERS, isChanged, service),
	floor: { formula: 'L + changed', requests: L + sent },
	onePerThing: { formula: '2N', requests: 2 * USERS },
	isDone: (_people, { server }) =>
		[...server.users.values()].filter(({ title }) => title === 'Boss').length === CHANGED,
});

const peopleJobs = () => [
	job('Reconcile 10,000 users, 50 of them changed', user, CHANGED),
	job(
		'Reconcile 10,000 users, nothing changed',
		(number) => ({ ...user(number), title: isChanged(number) ? 'Boss' : 'Clerk' }),
		0,
	),
];

module.exports = { peopleJobs, usersJob };
