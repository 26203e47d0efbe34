'use strict';

/**
 * Requests that each job sends, beside the fewest that can do it. Ends with 1 when a job sends more than is accepted,
 * or was not done.
 */

const { awsJobs } = require('./support/awsJobs');
const { table } = require('./support/figures');
const { jobs } = require('./support/jobs');
const { peopleJobs } = require('./support/peopleJobs');
const { plainJobs } = require('./support/plainJobs');

async function measure(job) {
	const service = await job.node.start(job.service);
	try {
		await job.node.run(job, service);
		const { state } = service;
		if (!job.isDone(state.table().people, state)) throw new Error(`"${job.name}" was not done`);
		return service.log.requests.length;
	} finally {
		await service.close();
	}
}

/** Out: the rows of a table, and how many of them stand for more requests than are accepted. */
async function rowsOf(list) {
	const rows = [];
	let tooMany = 0;
	for (const job of list) {
		const sent = await measure(job);
		const { floor, onePerThing, above } = job;
		const over = sent - floor.requests;
		const accepted = over <= (above?.requests ?? 0);
		if (!accepted) tooMany += 1;
		rows.push([
			job.name,
			String(sent),
			String(floor.requests),
			floor.formula,
			String(onePerThing.requests),
			onePerThing.formula,
			over <= 0 ? '' : accepted ? `+${over}: ${above.why}` : `+${over}: TOO MANY`,
		]);
	}
	return { rows, tooMany };
}

const TITLES = ['job', 'sent', 'floor', 'formula', 'one per thing', 'formula', 'above the floor'];

async function main() {
	const account = await rowsOf(jobs());
	console.log(
		'Requests. N people, k roles each, g groups touched, d differences; listing all users takes\n' +
			'L requests, all groups Lg; at most 100 members per request.\n',
	);
	console.log(table(TITLES, account.rows));
	const plain = await rowsOf(plainJobs());
	console.log(
		'\nPlain groups. Finding N people by user name takes U requests: min(N + 1, L). A group is read\n' +
			'and written once each, and the first one once more; k groups for each person. A proof by list reads one\n' +
			'leaver by ID.\n',
	);
	console.log(table(TITLES, plain.rows));
	const people = await rowsOf(peopleJobs());
	console.log('\nWhole lists of people, on such a service.\n');
	console.log(table(TITLES, people.rows));
	const aws = await rowsOf(awsJobs());
	console.log(
		'\nAWS IAM Identity Center as documented. G groups in all, m requests for the members of one; a probe\n' +
			'is the filter that has to find nobody.\n',
	);
	console.log(table(TITLES, aws.rows));
	return account.tooMany + plain.tooMany + people.tooMany + aws.tooMany === 0 ? 0 : 1;
}

main().then(
	(code) => process.exit(code),
	(problem) => {
		console.error(problem);
		process.exit(1);
	},
);
