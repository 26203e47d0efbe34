'use strict';

/** Ways to authenticate other than a bearer token, in a real n8n: in every failure, and while tokens expire. */

const { startGate } = require('../../support/gate');
const { FAILURES, startHostile } = require('./hostile');
const { PATIENCE, scimJobs } = require('./jobs');
const { locator, oneRole } = require('../../support/accessRows');

const CREDENTIAL_TYPE = 'scimProvisioningOAuth2Api';
const ORGANIZATION = 'org-3454';

/**
 * In: the stage of test/e2e/secrets.js, and `randomSecret()`.
 * Out: the gate before the service with `secrets`, of the way `[what, value]`; tokens join them while it runs.
 */
async function setGate({ service, recorder, n8n }, randomSecret) {
	const gate = await startGate(service);
	const hostile = await startHostile(gate.url, recorder.url);
	const [password, headerSecret] = [randomSecret(), randomSecret()];
	const pair = Buffer.from(`n8n:${password}`).toString('base64');
	const client = Buffer.from(`${gate.client.id}:${gate.client.secret}`).toString('base64');
	const where = {
		baseUrl: hostile.url,
		serviceProfile: 'accountOrganizations',
		accountOrganizationId: service.state.account,
	};
	const credentials = {
		basic: { ...where, authenticationMethod: 'basic', user: 'n8n', password },
		header: { ...where, authenticationMethod: 'header', headerName: 'X-Api-Key', headerSecret },
		oauth2: {
			...where,
			accessTokenUrl: gate.tokenUrl,
			clientId: gate.client.id,
			clientSecret: gate.client.secret,
		},
	};
	const ids = {};
	for (const [name, data] of Object.entries(credentials)) {
		const type = name === 'oauth2' ? CREDENTIAL_TYPE : 'scimProvisioningApi';
		const [id] = await n8n.importCredentials([{ name, type, data }]);
		ids[name] = { id, name };
	}
	const isIssued = gate.accepts;
	gate.accepts = (headers) =>
		isIssued(headers) ||
		headers.authorization === `Basic ${pair}` ||
		headers['x-api-key'] === headerSecret;
	const secrets = () => [
		['the password', password],
		['the base64 of user and password', pair],
		['the header value', headerSecret],
		['the client secret', gate.client.secret],
		['the base64 of the client', client],
		...gate.issued.map((token, number) => [`access token ${number + 1}`, token]),
	];
	return { gate, hostile, ids, secrets };
}

function runnerOf(workflowOf, name, credential, parameters, onError) {
	const title = `${name} ${parameters.operation} ${onError}`;
	const isOAuth2 = name === 'oauth2';
	const given = { ...(isOAuth2 && { authentication: 'oAuth2' }), ...parameters };
	const more = { node: { onError }, ...(isOAuth2 && { credentialType: CREDENTIAL_TYPE }) };
	return workflowOf('scim', credential, title, given, more);
}

/** Reads and writes with each way, in every failure of the service. Out: how many executions that were. */
async function playMethods({ hostile, ids }, workflowOf) {
	const { 'get user': get, 'create user': create } = scimJobs();
	const runs = [];
	for (const [name, credential] of Object.entries(ids)) {
		runs.push(
			await runnerOf(workflowOf, name, credential, get, 'stopWorkflow'),
			await runnerOf(workflowOf, name, credential, create, 'continueRegularOutput'),
		);
	}
	for (const name of [undefined, ...FAILURES]) {
		hostile.mode = name && { name, writesOnly: false };
		await Promise.all(runs.map(async (run) => await run()));
	}
	hostile.mode = undefined;
	return runs.length * (FAILURES.length + 1);
}

/** The life of tokens. Out: what was wrong, in sentences, by what had to be. */
async function playTokens({ gate, ids }, { service, workflowOf }) {
	const wrong = {};
	const run = await runnerOf(
		workflowOf,
		'oauth2',
		ids.oauth2,
		{
			resource: 'access',
			operation: 'assign',
			people: '={{ $json.body.people }}',
			...oneRole(locator('id', ORGANIZATION), 'viewer'),
			createMissing: true,
			options: { ...PATIENCE, timeout: 10 },
		},
		'continueRegularOutput',
	);
	let hired = 0;
	const hire = async (count) => {
		const names = Array.from({ length: count }, () => `token.${++hired}@example.com`);
		gate.requests.length = 0;
		service.log.clear();
		const { answer } = await run({ people: names.join(', ') });
		const there = names.filter((name) => service.state.roleOf(name, ORGANIZATION) === 'viewer');
		const created = service.log.requests.filter(
			({ method, path, status }) => method === 'POST' && path.endsWith('/Users') && status === 201,
		);
		return { text: JSON.stringify(answer), there: there.length, created: created.length };
	};
	const all = async (what, count) => {
		const tokens = gate.issued.length;
		const { text, there, created } = await hire(count);
		const isRight = there === count && created === count && gate.issued.length > tokens;
		wrong[what] = isRight ? [] : [`${created}, ${there}: ${text}`];
	};
	const none = async (what) => {
		gate.expire();
		const { text, created } = await hire(3);
		const isTold =
			text.includes('n8n got no access token') && !text.includes('may still have worked');
		wrong[what] = isTold && created === 0 ? [] : [`${created}: ${text}`];
	};

	// The runs before have left a token that holds still.
	gate.expire();
	await all('A token that has expired is renewed', 3);
	gate.beforeRequest = (nth) => nth === 50 && gate.expire();
	await all('A token expires in the middle of 100 writes', 100);
	gate.beforeRequest = () => {};
	gate.expire();
	await all('Ten requests at once on an expired token', 10);
	gate.fault = 'broken';
	await none('The token endpoint is down');
	gate.fault = [400, { error: 'odd', error_description: `Not with ${gate.client.secret}` }];
	await none('The token endpoint says the client secret back');
	gate.fault = undefined;
	await all('The token endpoint is back', 3);
	return wrong;
}

module.exports = { playMethods, playTokens, setGate };
