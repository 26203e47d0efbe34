'use strict';

// Rows of a whole list that n8n hands over in parts, in its own engine: what is not among them would lose access.

require('../../harness');
const { engineFor } = require('../../harness/engine');
const {
	createWorkflow,
	helperDescription,
	helperNode,
	nodeFor,
} = require('../../harness/workflow');
const { inCollections } = require('../../support/options');
const { ScimProvisioning, ScimProvisioningApi } = require('../../support/built');
const { startServer } = require('../../support/scimServer');

const USERS = ['a', 'b', 'c', 'd'].map((name) => ({ id: name, userName: `${name}@example.com` }));
const ROWS = USERS.map(({ userName }) => ({ email: userName, group: 'Eng' }));
const OPERATIONS = {
	'Access: Reconcile': {
		...{ resource: 'access', operation: 'reconcile', accessBy: 'group', wantedFrom: 'items' },
		scopeGroups: { group: [{ group: 'Eng' }] },
	},
	'User: Reconcile': {
		...{ resource: 'user', operation: 'reconcile', usersFrom: 'items' },
		...{ absentUsers: 'deactivate', scopeGroups: { group: [{ group: 'Eng' }] } },
	},
};
const ACCESS = OPERATIONS['Access: Reconcile'];
const AS_JSON = { wantedFrom: 'json', wantedJson: JSON.stringify(ROWS) };

const source = (inputs, rows) => ({
	description: helperDescription('Source', inputs),
	execute: async () => [rows.map((json) => ({ json }))],
});
const merge = {
	description: helperDescription('Merge', ['main', 'main']),
	async execute() {
		return [[0, 1].flatMap((input) => this.getInputData(input))];
	},
};
const HELPERS = {
	Start: source([], [{}]),
	'Other Start': source([], [{}]),
	Staff: source(['main'], ROWS.slice(0, 2)),
	Contractors: source(['main'], ROWS.slice(2)),
	Merge: merge,
};
const to = (node, index = 0) => ({ node, type: 'main', index });
/** Both halves of the list lead to a node. */
const both = (node) => ({
	...{ Start: [to('Staff'), to('Contractors')] },
	...{ Staff: [to(node)], Contractors: [to(node)] },
});

/**
 * @param leads what leads where, by the name of the node that is tested
 * @returns its runs, each as its error or its items, the requests that came, and who is left in the group
 */
async function runAfter(leads, { parameters = ACCESS, node = {}, disabled, start = 'Start' } = {}) {
	const server = await startServer({
		users: USERS,
		groups: [{ id: 'g1', displayName: 'Eng', members: USERS.map(({ id }) => id) }],
	});
	const credentials = {
		scimProvisioningApi: {
			...{ baseUrl: server.url, accountApiToken: 'token', serviceProfile: 'generic' },
		},
	};
	const tested = nodeFor(new ScimProvisioning(), {
		...{ credentials, node },
		parameters: inCollections({
			...{ preview: false, options: { verifyTime: 0, maxWait: 0 } },
			...parameters,
		}),
	});
	const workflow = createWorkflow({
		nodes: [
			...Object.keys(HELPERS).map((name) => ({
				...helperNode(name, `test.${name}`),
				disabled: name === disabled,
			})),
			tested,
		],
		nodeTypes: {
			...Object.fromEntries(Object.entries(HELPERS).map(([name, one]) => [`test.${name}`, one])),
			[tested.type]: new ScimProvisioning(),
		},
		connections: Object.fromEntries(
			Object.entries(leads(tested.name)).map(([name, main]) => [name, { main: [main] }]),
		),
	});
	const types = { credentials, credentialTypes: [new ScimProvisioningApi()] };
	try {
		const { data } = await engineFor(workflow, types).start(start);
		const runs = data.resultData.runData[tested.name] ?? [];
		return {
			runs: runs.map(({ error, data }) =>
				error
					? { message: error.message, description: error.description }
					: data.main.flat().map(({ json }) => json),
			),
			came: server.requests.length,
			left: server.membersOf('g1').length,
			active: [...server.users.values()].filter(({ active }) => active !== false).length,
		};
	} finally {
		await server.close();
	}
}

const refusal = (message, advice) => ({
	message: expect.stringMatching(message),
	description: expect.stringMatching(advice),
});
const nothing = { came: 0, left: 4, active: 4 };
const TWO = refusal(
	/2 connections lead into this node \(.*\): n8n runs it for each, with a part of /,
	/^Put a Merge \(Append\) between them and this node\./,
);
const ONCE = refusal(
	/^Execute Once is on, so n8n passes only the first row of /,
	/^Turn off Execute Once/,
);

describe.each(Object.entries(OPERATIONS))('%s', (_, parameters) => {
	test('two sources without a Merge are refused before anything is read', async () => {
		expect(await runAfter(both, { parameters })).toEqual({ runs: [TWO], ...nothing });
	});

	test('so they are in a preview', async () => {
		const previewed = { ...parameters, preview: true };
		expect(await runAfter(both, { parameters: previewed })).toEqual({ runs: [TWO], ...nothing });
	});

	test('Execute Once is refused before anything is read', async () => {
		const node = { executeOnce: true };
		const ran = await runAfter(joined, { parameters, node });
		expect(ran).toEqual({ runs: [ONCE], ...nothing });
	});

	test('one source that has all rows is taken', async () => {
		const { runs, left, active } = await runAfter(joined, { parameters });
		expect(runs).toEqual([expect.any(Array)]);
		expect([left, active]).toStrictEqual([4, 4]);
	});
});

/** Both halves, with a Merge between. */
const joined = (node) => ({
	...{ Start: [to('Staff'), to('Contractors')], Merge: [to(node)] },
	...{ Staff: [to('Merge')], Contractors: [to('Merge', 1)] },
});

test('the sources are named', async () => {
	const { runs } = await runAfter(both);
	expect(runs[0].message).toMatch(/Staff/);
	expect(runs[0].message).toMatch(/Contractors/);
});

test('a list from JSON is whole in each run', async () => {
	const parameters = { ...ACCESS, ...AS_JSON };
	const { runs, left } = await runAfter(both, { parameters });
	expect(runs).toHaveLength(2);
	expect(left).toBe(4);
	const once = await runAfter(both, { parameters, node: { executeOnce: true } });
	expect(once.left).toBe(4);
	expect(once.runs).toEqual([expect.any(Array), expect.any(Array)]);
});

test('what only another trigger reaches does not count', async () => {
	const { runs, left } = await runAfter((node) => ({
		...{ Start: [to('Staff')], 'Other Start': [to('Contractors')] },
		...{ Staff: [to('Merge')], Contractors: [to(node)], Merge: [to(node)] },
	}));
	expect(runs).toEqual([expect.any(Array)]);
	expect(left).toBe(2);
});

test('a trigger that leads into the node itself does', async () => {
	const ran = await runAfter((node) => ({
		...{ Start: [to('Staff'), to(node)], 'Other Start': [to(node)], Staff: [to(node)] },
	}));
	expect(ran).toEqual({ runs: [TWO], ...nothing });
});

test('a disabled source does not count', async () => {
	// n8n passes on what comes into it, here a row that says nothing.
	const node = { onError: 'continueRegularOutput' };
	const { runs, left } = await runAfter(both, { disabled: 'Contractors', node });
	const text = JSON.stringify(runs);
	expect(text).toMatch(/Desired Access is empty/);
	expect(text).not.toMatch(/connections lead/);
	expect(left).toBe(2);
});

test('with Continue On Fail the items say why', async () => {
	const { runs, left } = await runAfter(both, { node: { onError: 'continueRegularOutput' } });
	expect(left).toBe(4);
	for (const items of runs) {
		expect(items).toEqual([
			expect.objectContaining({ error: expect.stringMatching(/^2 connections lead/) }),
			expect.anything(),
		]);
	}
});
