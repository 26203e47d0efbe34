'use strict';

/** What HR sends to the example workflows, and what it gets back. */

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { headersOf } = require('./credentials');

const EXAMPLES = join(__dirname, '..', 'examples');

/** In: the name of a file in examples/. Out: its content, with the dates for "{today}" and "{yesterday}". */
function readExample(name) {
	const text = readFileSync(join(EXAMPLES, name), 'utf8');
	return JSON.parse(
		text.replaceAll('"{today}"', `"${today()}"`).replaceAll('"{yesterday}"', `"${yesterday()}"`),
	);
}

/** The date in the time zone of this process, in which the n8n of the demo lives too. */
const today = () => dateText(new Date());

function yesterday() {
	const date = new Date();
	date.setDate(date.getDate() - 1);
	return dateText(date);
}

function dateText(date) {
	const digits = (number) => String(number).padStart(2, '0');
	return [date.getFullYear(), digits(date.getMonth() + 1), digits(date.getDate())].join('-');
}

/**
 * Sends a list to the webhook of an active workflow, as HR does.
 *
 * In: a stage, the webhook's path, the list. Out: what the workflow answered, a row for each row.
 * Throws: when it did not answer with rows, with the reason that n8n knows.
 */
async function sendListForRows({ n8n, hr }, path, list) {
	const { status, body } = await n8n.webhook(path, list, headersOf(hr));
	if (status === 200 && Array.isArray(body)) return body;
	const answer = JSON.stringify(body).slice(0, 300);
	throw new Error(`The workflow answered ${status}: ${answer}\n${await n8n.rest.lastProblem()}`);
}

/** Rows that the workflows reject before the node sees them: HR has to mend these. */
function isComplete({ email, access }) {
	return Boolean(email) && access.length > 0;
}

/** "member in Marketing, viewer in Research" */
function accessText(access) {
	return access.map(({ organization, role }) => `${role} in ${organization}`).join(', ');
}

/**
 * Changes a snapshot into what is there when a person gets a role. In: ids of the organizations by
 * name, the person's entry in the snapshot.
 */
function giveRole(wanted, idOf, { email, person, organization, role }) {
	const organizationId = idOf.get(organization);
	// The service writes to people who are new in an organization, and only to them.
	if (!person.roles[organizationId]) {
		wanted.mails.push({ to: email.toLowerCase(), organizationId });
	}
	person.roles[organizationId] = role;
}

/** Out: the ids of a snapshot's organizations by name. */
function organizationIds({ organizations }) {
	return new Map(organizations.map(({ id, name }) => [name, id]));
}

/** The name that the service shows for an email: the same but for capitals. */
function userNameIn({ people }, email) {
	return [...people.keys()].find((name) => name.toLowerCase() === email.toLowerCase());
}

/**
 * In: the results that the rows of an answer must have, worked out from what was sent: a list of
 * `[key, result]`; the rows; what is the key of a row. Out: what is wrong, as sentences.
 */
function unlikeResults(wanted, rows, keyOf) {
	const found = new Map(rows.map((row) => [keyOf(row), row]));
	return [
		...wanted.flatMap(([key, result]) => {
			const row = found.get(key);
			if (row?.result === result) return [];
			const said = row ? `"${row.result}". ${row.reason}` : 'nothing';
			return [`The answer should say "${result}" to ${key} and says ${said}`.trim()];
		}),
		...(rows.length === wanted.length
			? []
			: [`The answer has ${rows.length} rows instead of ${wanted.length}.`]),
	];
}

module.exports = {
	readExample,
	today,
	yesterday,
	sendListForRows,
	isComplete,
	accessText,
	giveRole,
	organizationIds,
	userNameIn,
	unlikeResults,
};
