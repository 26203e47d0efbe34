'use strict';

/** The few calls of n8n's own REST interface that the demos need; what the editor uses too. */

const { randomBytes } = require('node:crypto');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const TIME_LIMIT_MS = 60_000;

/** Out: a login for a new n8n; the password satisfies n8n's rules and is different each time. */
function newOwner() {
	return { email: 'demo@example.com', password: `Demo-1${randomBytes(9).toString('hex')}` };
}

/**
 * In: the address of an n8n that is ready, the folder of its install.
 * Out: calls that throw when n8n refuses them, with what n8n said.
 */
function restClient(url, installFolder) {
	let cookie = '';

	async function send(method, path, body) {
		const response = await fetch(`${url}${path}`, {
			method,
			headers:
				body instanceof FormData ? { cookie } : { 'content-type': 'application/json', cookie },
			body: body instanceof FormData ? body : JSON.stringify(body),
			signal: AbortSignal.timeout(TIME_LIMIT_MS),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(
				`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`,
			);
		}
		const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
		if (cookies.length > 0) cookie = cookies.join('; ');
		return text;
	}

	async function call(method, path, body) {
		const text = await send(method, path, body);
		const answer = text === '' ? undefined : JSON.parse(text);
		return answer?.data ?? answer;
	}

	return {
		call,

		/** The first user of a new n8n; logged in from here on. */
		setUpOwner: ({ email, password }) =>
			call('POST', '/rest/owner/setup', {
				email,
				password,
				firstName: 'Demo',
				lastName: 'Owner',
			}),

		login: ({ email, password }) =>
			call('POST', '/rest/login', { emailOrLdapLoginId: email, password }),

		/** Out: the names of all node types that n8n loaded. */
		async nodeTypes() {
			const types = await call('GET', '/types/nodes.json');
			return types.map(({ name }) => name);
		},

		/** In: `{ name, type, data }`. Out: n8n's record of it, with `id`. */
		createCredential: (credential) => call('POST', '/rest/credentials', credential),

		/** n8n finds credentials by name where their id is null. Out: the record, with `id`. */
		createWorkflow: (workflow) => call('POST', '/rest/workflows', workflow),

		/** In: a workflow's id, what is to be another in it. */
		updateWorkflow: (id, changes) => call('PATCH', `/rest/workflows/${id}`, changes),

		/** What *Execute workflow* does in the editor. In: the trigger's name. Out: the execution's id. */
		async run(id, trigger) {
			const path = `/rest/workflows/${id}/run`;
			return (await call('POST', path, { triggerToStartFrom: { name: trigger } })).executionId;
		},

		/** What *Import CSV* does in the editor, with dates as text, as notes of examples say. The table is a new one. */
		async importTable(name, csv) {
			const { id } = await call('GET', '/rest/projects/personal');
			const path = `/rest/projects/${id}/data-tables`;
			for (const table of (await call('GET', path)).data) {
				if (table.name === name) await call('DELETE', `${path}/${table.id}`);
			}
			const form = new FormData();
			form.append('file', new Blob([csv], { type: 'text/csv' }), 'table.csv');
			const { id: fileId, columns } = await call('POST', '/rest/data-tables/uploads', form);
			await call('POST', path, {
				...{ name, fileId, hasHeaders: true },
				columns: columns.map(({ name: column, type }) => ({
					...{ name: column, type: type === 'date' ? 'string' : type },
				})),
			});
		},

		deactivate: (id) => call('POST', `/rest/workflows/${id}/deactivate`, {}),

		/** n8n activates a version of a workflow, so it wants to be told which. */
		async activate(id) {
			const { versionId } = await call('GET', `/rest/workflows/${id}`);
			return call('POST', `/rest/workflows/${id}/activate`, { versionId });
		},

		/** Out: the newest executions first: `{ id, status, workflowId, ... }`. */
		async executions() {
			return (await call('GET', '/rest/executions')).results;
		},

		/** Out: one execution with the data of its nodes, `data.resultData.runData[node]`. */
		async execution(id) {
			const record = await call('GET', `/rest/executions/${id}`);
			// n8n stores this in a format of its own library, which is in the install.
			const { parse } = createRequire(join(installFolder, 'node_modules', 'n8n', 'x'))('flatted');
			return { ...record, data: parse(record.data) };
		},

		/** Out: why the newest execution ended with an error, in n8n's words; '' when it did not. */
		async lastProblem() {
			const [newest] = await this.executions();
			if (newest?.status !== 'error') return '';
			const { error, lastNodeExecuted } = (await this.execution(newest.id)).data.resultData;
			return [`${lastNodeExecuted}: ${error?.message}`, error?.description]
				.filter(Boolean)
				.join('\n');
		},
	};
}

module.exports = { newOwner, restClient };
