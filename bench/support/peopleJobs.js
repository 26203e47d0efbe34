'use strict';

/** A whole list of 10,000 people by external ID, of which 50 have another title by now, on a plain SCIM service. */

const { matchOn } = require('../../test/support/columns');
const { pagesOf } = require('./pages');
const plainNode = require('./plainNode');

const [USERS, CHANGED] = [10_000, 50];
/** A total above its own page ends the list. */
const L = pagesOf(USERS);
const range = Array.from({ length: USERS }, (_, index) => index);
const key = (number) => ({
	...{ userName: `person.${number}@example.com`, externalId: `HR-${number}` },
	title: 'Clerk',
});
const isChanged = (number) => number % (USERS / CHANGED) === 0;

const job = (name, service, sent) => ({
	name,
	node: plainNode,
	service: { users: range.map(service) },
	parameters: {
		...{ resource: 'user', operation: 'reconcile', preview: false },
		...{ usersFrom: 'json', ...matchOn('externalId') },
		...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' },
		usersJson: JSON.stringify(
			range.map((number) => ({ ...key(number), title: isChanged(number) ? 'Boss' : 'Clerk' })),
		),
	},
	items: [{}],
	// The answer to one update is believed once a read has shown the same.
	floor: { formula: 'L + changed + 1', requests: L + sent + Math.min(sent, 1) },
	onePerThing: { formula: '2N', requests: 2 * USERS },
	isDone: (_people, { server }) =>
		[...server.users.values()].filter(({ title }) => title === 'Boss').length === CHANGED,
});

const user = (number) => ({ id: `u-${number}`, ...key(number) });

const peopleJobs = () => [
	job('Reconcile 10,000 users, 50 of them changed', user, CHANGED),
	job(
		'Reconcile 10,000 users, nothing changed',
		(number) => ({ ...user(number), title: isChanged(number) ? 'Boss' : 'Clerk' }),
		0,
	),
];

module.exports = { peopleJobs };
