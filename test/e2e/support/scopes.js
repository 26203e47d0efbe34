'use strict';

/**
 * A large job in two parts, each a production execution of its own: two organizations of one account, each with its own list, at
 * the same time. What an execution is sent by webhook is what a schedule of its own would read.
 */

const { scimCredential } = require('../../../demo/credentials');
const { copySnapshot, differences, readSnapshot } = require('../../../demo/snapshot');
const { startLocalService } = require('./start');
const { endOf, untilTrue } = require('./untilTrue');
const { scimWorkflow } = require('./workflows');

const NAMES = { 'org-acct1': 'Account', 'org-a': 'North', 'org-b': 'South', 'org-c': 'Elsewhere' };
const SCOPES = ['org-a', 'org-b'];
const ROLES = ['member', 'viewer'];
const PEOPLE = 300;
/** A run takes seconds, so that both are there at once. */
const LATENCY_MS = 250;
/** The queue gives a job to whoever asks first, which may be one worker twice. */
const TRIES = 6;
const ENDED_WITHIN_MS = 60_000;
const ADMIN = 'admin@example.com';

/** Out: `[what has to be so, sentences of what is not]` for each promise. */
async function playScopes({ n8n, workers }) {
	const service = await startLocalService({ latencyMs: LATENCY_MS, seed: seed() });
	const credential = { ...scimCredential(service), name: 'Two scopes' };
	const [id] = await n8n.importCredentials([credential]);
	for (const scope of SCOPES) {
		const workflow = scimWorkflow({
			name: scope,
			credential: { id, name: credential.name },
			parameters: {
				...{ resource: 'access', operation: 'reconcile', preview: false, createMissing: true },
				...{ accessBy: 'organizationAndRole', scopeOrganizations: scope },
				...{ wantedFrom: 'json', wantedJson: '={{ JSON.stringify($json.body.rows) }}' },
				options: { maxPeopleAffected: PEOPLE },
			},
		});
		await n8n.activate(await n8n.importWorkflow(workflow));
	}

	const wrong = { answers: [], state: [] };
	for (let round = 0; round < TRIES; round++) {
		const before = await readSnapshot(service);
		const known = workers.map((worker) => worker.started().length);
		const lists = SCOPES.map((scope) => listOf(scope, round));
		const answers = await Promise.all(
			SCOPES.map((scope, at) => n8n.webhook(scope, { rows: lists[at] })),
		);
		wrong.answers.push(...answers.flatMap(complaintsAbout));
		wrong.state.push(
			...differences(wantedAfter(before, lists.flat()), await readSnapshot(service)),
		);
		const begun = () => workers.map((worker, at) => worker.started().slice(known[at]));
		await untilTrue('both executions in the logs', () => begun().flat().length === 2, 10_000);
		if (begun().some((ids) => ids.length === 0)) continue;
		const [one, other] = await Promise.all(
			begun()
				.flat()
				.map((execution) => endOf(n8n.rest, execution, ENDED_WITHIN_MS)),
		);
		const wereTogether = one.startedAt < other.stoppedAt && other.startedAt < one.stoppedAt;
		return promises(wrong, wereTogether ? [] : ['One began when the other had ended.']);
	}
	return promises(wrong, [`In ${TRIES} rounds one worker took both.`]);
}

const promises = ({ answers, state }, apart) => [
	['Two scopes: both executions say what was done', answers],
	['Each organization is as its list says, nobody else was touched', state],
	['They ran on two workers at the same time', apart],
];

/** Everybody has an account; a few are in all organizations; each has an admin. */
function seed() {
	const users = Array.from({ length: PEOPLE }, (_, at) => ({ userName: nameOf(at) }));
	return {
		account: 'org-acct1',
		organizations: Object.entries(NAMES).map(([id, name]) => ({ id, name })),
		users: [{ userName: ADMIN }, ...users],
		memberships: [
			...Object.keys(NAMES).map((organization) => membership(ADMIN, organization, 'admin')),
			...users.flatMap(({ userName }, at) => [
				membership(userName, SCOPES[at % 2], 'member'),
				...(at % 3 === 0 ? [membership(userName, 'org-c', 'viewer')] : []),
			]),
		],
	};
}

const nameOf = (at) => `person.${at}@example.com`;
const membership = (userName, organization, role) => ({ userName, organization, role });

/** In each round others are to have a role, or another one; and somebody is new. */
function listOf(organization, round) {
	const own = SCOPES.indexOf(organization);
	const isIn = (at) => (at + round) % 5 !== own;
	return [
		{ email: ADMIN, organization, role: 'admin' },
		{ email: `new.${organization}.${round}@example.com`, organization, role: 'viewer' },
		...Array.from({ length: PEOPLE }, (_, at) => at)
			.filter(isIn)
			.map((at) => ({ email: nameOf(at), organization, role: ROLES[(at + round) % 2] })),
	];
}

/** Worked out without the node: whoever leaves both organizations keeps the account. */
function wantedAfter(before, rows) {
	const wanted = copySnapshot(before);
	for (const { roles } of wanted.people.values()) for (const scope of SCOPES) delete roles[scope];
	for (const { email, organization, role } of rows) {
		const was = before.people.get(email)?.roles[organization];
		if (was === undefined) wanted.mails.push({ to: email, organizationId: organization });
		const person = wanted.people.get(email) ?? { active: true, roles: {} };
		person.roles[organization] = role;
		wanted.people.set(email, person);
	}
	return wanted;
}

function complaintsAbout({ status, body }) {
	const isWell = Array.isArray(body) && body.every((item) => item.status === 'done');
	if (status === 200 && isWell && body.length > 0) return [];
	return [`A webhook was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`];
}

module.exports = { playScopes };
