'use strict';

/**
 * The requests of a job, written down once and sent again by other means: what is left of the job without reading,
 * plans or verifies.
 */

const { Pool } = require('undici');
const { startService } = require('../../demo/service');
const { runNode } = require('../../test/harness');

/** Out: the job's requests in phases; a phase begins when all of the one before was answered. */
async function record(job) {
	const service = await startService(job.service);
	try {
		await job.node.run(job, service);
		return inPhases(service.log.requests.map(toRequest));
	} finally {
		await service.close();
	}
}

function toRequest({ method, path, query, body }) {
	const search = new URLSearchParams(query).toString();
	return {
		method,
		path: path + (search && `?${search}`),
		...(body !== undefined && { body: JSON.stringify(body) }),
	};
}

/** Of a list, all pages but the first, which tells how many there are. */
const FURTHER_PAGE = /startIndex=(?!1(?:&|$))/;

/** Creates before memberships, reads before both: a new phase where method or collection changes, and behind a first page. */
function inPhases(requests) {
	const phases = [];
	let before;
	for (const request of requests) {
		const { method, path } = request;
		const kind = [method, path.includes('/Groups'), FURTHER_PAGE.test(path)].join(' ');
		if (kind !== before) phases.push([]);
		before = kind;
		phases.at(-1).push(request);
	}
	return phases;
}

async function sendAll(phases, concurrency, send) {
	for (const phase of phases) {
		const waiting = [...phase];
		const worker = async () => {
			for (let request = waiting.shift(); request; request = waiting.shift()) await send(request);
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
	}
}

function refuseFailure({ method, path }, status) {
	// A 409 is part of a job in which people exist already.
	if (status >= 300 && status !== 409) throw new Error(`${method} ${path} was answered ${status}`);
}

/** Through n8n's own HTTP helper, in a node that does nothing else. */
async function sendByHelper(phases, concurrency, node, service) {
	const { credentialName } = node;
	const headers = node.headersFor(service);
	// n8n adds the credential.
	delete headers.authorization;
	delete headers['x-api-key'];
	const nodeType = {
		description: {
			displayName: 'Replay',
			name: 'replay',
			group: ['transform'],
			version: 1,
			description: 'Sends requests through the HTTP helper',
			defaults: { name: 'Replay' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: credentialName, required: true }],
			properties: [],
		},
		async execute() {
			await sendAll(phases, concurrency, async (request) => {
				const { method, path, body } = request;
				const { statusCode } = await this.helpers.httpRequestWithAuthentication.call(
					this,
					credentialName,
					{
						method,
						url: service.url + path,
						headers: { ...headers },
						...(body !== undefined && { body }),
						encoding: 'text',
						returnFullResponse: true,
						ignoreHttpStatusErrors: true,
					},
				);
				refuseFailure(request, statusCode);
			});
			return [[]];
		},
	};
	const { error } = await runNode(nodeType, node.credentialsFor(service));
	if (error) throw error;
}

/** By a pool of connections that stay open, without n8n. */
async function sendByPool(phases, concurrency, node, service) {
	const pool = new Pool(service.url, { connections: concurrency });
	const headers = node.headersFor(service);
	try {
		await sendAll(phases, concurrency, async (request) => {
			const answer = await pool.request({ ...request, headers });
			await answer.body.text();
			refuseFailure(request, answer.statusCode);
		});
	} finally {
		await pool.close();
	}
}

module.exports = { record, sendByHelper, sendByPool };
