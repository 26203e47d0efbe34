'use strict';

/** The joiner demo: HR sends new hires to `examples/joiner.json`. */

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { hrCredential, headersOf, scimCredential } = require('./credentials');
const { copySnapshot } = require('./snapshot');
const { grid } = require('./table');

// What the workflow calls it, for who got the access and who had it.
const HAS_ACCESS = ['access given', 'had it already'];
const EXAMPLES = join(__dirname, '..', 'examples');

const readExample = (name) => JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8'));

/** In: what `setStage` gives. Out: the demo, in steps that the runner calls in this order. */
function joiner({ service, n8n }) {
	const hires = readExample('new-hires.json');
	const hr = hrCredential();

	return {
		title: 'HR sends the new hires of the day',

		/** What was asked, as lines. */
		asked: () => hires.map(askedLine),

		async prepare() {
			await n8n.importCredentials([scimCredential(service), hr]);
			await n8n.activate(await n8n.importWorkflow(readExample('joiner.json')));
		},

		/** Out: the rows that HR gets back. Throws: when the workflow did not answer with rows. */
		async play() {
			const { status, body } = await n8n.webhook('new-hires', hires, headersOf(hr));
			if (status !== 200 || !Array.isArray(body)) {
				const answer = JSON.stringify(body).slice(0, 300);
				const reason = await n8n.rest.lastProblem();
				throw new Error(`The workflow answered ${status}: ${answer}\n${reason}`);
			}
			return body;
		},

		/** The answer, as lines. */
		answered: answeredLines,

		/** The people whose rows are shown. */
		concerned: () => hires.map(({ email }) => email).filter(Boolean),

		wanted: (before) => wantedAfter(before, hires),

		/** Out: what is wrong with the answer, as sentences. */
		checkAnswer: (rows) => checkAnswer(rows, hires),

		/** Out: what the table does not show and is wrong, as sentences. */
		checkMore: () => hires.filter(isComplete).flatMap((hire) => checkAccount(hire, service)),
	};
}

const isComplete = ({ email }) => Boolean(email);

function askedLine({ givenName, familyName, email, access }) {
	const wanted = access.map(({ organization, role }) => `${role} in ${organization}`).join(', ');
	return `  ${`${givenName} ${familyName}`.padEnd(16)} ${(email ?? '(no e-mail)').padEnd(30)} ${wanted}`;
}

function answeredLines(rows) {
	const done = rows.filter(({ reason }) => !reason);
	return [
		...grid(
			['Person', 'Organization', 'Role', 'Account', 'Result'],
			done.map((row) =>
				[row.email, row.organization, row.role, row.account, row.result].map(String),
			),
		),
		...rows
			.filter(({ reason }) => reason)
			.map(
				({ email, externalId, result, reason }) => `  ${email || externalId}: ${result}. ${reason}`,
			),
	];
}

/** What must be there afterwards, worked out without the node: everybody else stays as they are. */
function wantedAfter(before, hires) {
	const wanted = copySnapshot(before);
	const idOf = new Map(before.organizations.map(({ id, name }) => [name, id]));
	for (const { email, access } of hires.filter(isComplete)) {
		const person = { roles: {}, ...wanted.people.get(email), active: true };
		for (const { organization, role } of access) {
			const organizationId = idOf.get(organization);
			// The service writes to people who are new in an organization, and only to them.
			if (!person.roles[organizationId]) wanted.mails.push({ to: email, organizationId });
			person.roles[organizationId] = role;
		}
		wanted.people.set(email, person);
	}
	return wanted;
}

/** One line of the answer for each wanted access, one for each row that HR has to mend. */
function checkAnswer(rows, hires) {
	const keyOf = ({ email, organization, role }) => [email, organization, role].join(' ');
	const given = hires
		.filter(isComplete)
		.flatMap(({ email, access }) => access.map((wish) => keyOf({ email, ...wish })));
	const rejected = hires.filter((hire) => !isComplete(hire)).map(({ externalId }) => externalId);
	const answered = rows.filter(({ result }) => HAS_ACCESS.includes(result)).map(keyOf);
	const refused = rows.filter(({ result }) => result === 'rejected');
	return [
		...unlike(HAS_ACCESS.join('" or "'), given, answered),
		...unlike(
			'rejected',
			rejected,
			refused.map(({ externalId }) => externalId),
		),
		...rows
			.filter(({ result }) => result === 'not done')
			.map(({ email, reason }) => `Not done for ${email}: ${reason}`),
	];
}

function unlike(what, wanted, found) {
	const same = [...wanted].sort().join('\n') === [...found].sort().join('\n');
	return same ? [] : [`The answer says "${what}" to: ${found.join('; ') || 'nobody'}.`];
}

function checkAccount({ email, givenName, familyName, externalId }, { state }) {
	const { attributes = {} } = state.userByName(email) ?? {};
	const right =
		attributes.externalId === externalId &&
		attributes.name?.givenName === givenName &&
		attributes.name?.familyName === familyName;
	return right ? [] : [`The account of ${email} has other names or another externalId.`];
}

module.exports = { joiner };
