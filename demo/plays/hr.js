'use strict';

/** What HR sends to the example workflows, and what it gets back. */

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { headersOf } = require('../credentials');
const { outputOf, problemOf, withoutBreaks } = require('./approval');

const EXAMPLES = join(__dirname, '../../examples');

/** In: the name of a workflow in examples/. Out: the workflow. */
function readExample(name) {
	return JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8'));
}

/** In: a table of which no cell has a comma. Out: its rows, as n8n imports them. */
function rowsIn(csv) {
	const [names, ...rows] = csv
		.trim()
		.split('\n')
		.map((line) => line.split(','));
	return rows.map((cells) =>
		Object.fromEntries(names.map((name, column) => [name, cells[column] || null])),
	);
}

/**
 * Sends a list to the webhook of a workflow, as HR does.
 *
 * In: a stage, the workflow, the list. Out: what the workflow answered, a row for each row.
 * Throws: when it did not answer with rows, with the reason that n8n knows.
 */
async function sendListForRows(stage, workflow, list) {
	const { status, body, execution } = await stage.post(workflow, list, headersOf(stage.hr));
	if (status === 200 && Array.isArray(body)) return body;
	const answer = JSON.stringify(body).slice(0, 300);
	throw new Error(`The workflow answered ${status}: ${answer}\n${problemOf(execution)}`);
}

/** What is sent to a workflow, as it is pinned to its webhook. */
const pinnedBody = ({ pinData }) => Object.values(pinData)[0][0].json.body;

/**
 * Executes a workflow with what is pinned to its webhook, up to its node of this package, with *Preview* on. In: a stage,
 * the workflow, the node's name. Out: `{ text }`: the plan, in the node's own words.
 */
async function planForPinned(stage, original, node) {
	const { id, ...workflow } = structuredClone(original);
	workflow.nodes.find(({ name }) => name === node).parameters.preview = true;
	delete workflow.connections[node];
	await stage.add(workflow);
	const execution = await stage.run(workflow);
	const [plan] = outputOf(execution, node);
	if (!plan) throw new Error(`There is no plan: ${problemOf(execution)}`);
	return { text: withoutBreaks(plan.summary.replace(/\*\*|`/g, '')) };
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
	const organizationId = idOf.get(organization) ?? organization;
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
 * In: by email (or external ID) what the rows of an answer must say, in the order of the alphabet; the rows.
 * Out: what is wrong, as sentences.
 */
function unlikeAnswer(wanted, rows) {
	const said = {};
	for (const { email, externalId, result, organization, reason } of rows) {
		const words = [result, organization].filter(Boolean).join(' ');
		const entry = (said[email || externalId] ??= { words: [], reason });
		entry.words.push(words);
	}
	return [...new Set([...Object.keys(wanted), ...Object.keys(said)])].flatMap((who) => {
		const { words = [], reason = '' } = said[who] ?? {};
		const is = words.sort().join(', ') || 'nothing';
		const should = wanted[who] ?? 'nothing';
		return is === should ? [] : [`It should say "${should}" to ${who} and says "${is}". ${reason}`];
	});
}

/** In: the service's state; what a row says of a person. Out: what is wrong with the account, as sentences. */
function unlikeAccount(state, { userName, givenName, familyName, externalId }) {
	const { name, externalId: stored } = state.userByName(userName)?.attributes ?? {};
	const is = [name?.givenName, name?.familyName, stored].join(', ');
	const should = [givenName, familyName, externalId].join(', ');
	return is === should ? [] : [`${userName} is ${is}, not ${should}.`];
}

module.exports = {
	EXAMPLES,
	readExample,
	rowsIn,
	sendListForRows,
	pinnedBody,
	planForPinned,
	isComplete,
	accessText,
	giveRole,
	organizationIds,
	userNameIn,
	unlikeAnswer,
	unlikeAccount,
};
