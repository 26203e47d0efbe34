'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const { withService } = require('../support/service');

const read = (file) => JSON.parse(readFileSync(path.join(__dirname, file), 'utf8'));

const ANA = 'ana.saved@example.com';

/** What every node of the workflow has to give, by its name: the first item. */
const GIVES = {
	'Create User': { userName: ANA, status: 'done', reason: null },
	'Create or Update User': { userName: ANA, status: 'unchanged' },
	'Get User': { userName: ANA, active: true },
	'Get Many Users': { userId: expect.any(String) },
	'Add Members': { change: 'granted', userName: ANA, role: 'viewer', status: 'done' },
	'Set Members Preview': { preview: true, plan: { operation: 'setMembers' } },
	Assign: {
		...{ change: 'granted', userName: ANA, organization: 'org-7788' },
		...{ roleBefore: null, role: 'member', status: 'done', reason: null },
	},
	'Assign by Group': { change: 'granted', groupId: 'whylabs-org-9120:viewer', status: 'done' },
	'Assign from JSON': { change: 'none', role: 'member', status: 'unchanged' },
	Revoke: { change: 'revoked', roleBefore: 'viewer', role: null, status: 'done' },
	Set: { change: 'none', organization: 'org-3454', status: 'unchanged' },
	'Set by Group': { change: 'none', groupId: 'whylabs-org-3454:viewer', status: 'unchanged' },
	'Reconcile Preview': { preview: true, blockedBy: [], plan: { changes: [] } },
	'Change Email Preview': { preview: true, blockedBy: [], plan: { operation: 'changeEmail' } },
	'Get Access': { userName: ANA, assignments: [{ organization: 'org-3454', role: 'viewer' }] },
	'Get Matrix': { userName: expect.any(String), access: expect.any(Object) },
	'Offboard Preview': { preview: true, summary: expect.stringContaining('Offboard') },
	// Nobody approved it, and the default of then is not stored.
	'Apply Plan': { refused: 'Approved Changes is not the answer to the form' },
	'Save Action': { id: 'saved-chat', status: 'done' },
	Attach: { status: 'done', actions: expect.arrayContaining(['saved-chat']) },
	'Get Configuration': { model: 'model-1', configuration: expect.stringContaining('saved-chat') },
};

// Whatever a later version renames: workflows that people have saved go on working.
test.each(['workflow-0.1.0.json'])('%s works as it was saved', async (file) => {
	const { nodes } = read(file);
	expect(nodes.map(({ name }) => name)).toEqual(Object.keys(GIVES));
	await withService({}, async (service, scim, alert) => {
		let item = { email: ANA };
		for (const { name, type, typeVersion, parameters } of nodes) {
			expect(typeVersion).toBe(1);
			const { resource, operation, ...rest } = parameters;
			const run = type.endsWith('.scimProvisioning') ? scim : alert;
			const { json, error } = await run(resource, operation, rest, { items: [item] });
			// Apply Plan takes what the preview before it gave.
			item = json[0] ?? item;
			const { refused, ...gives } = GIVES[name];
			if (refused !== undefined) {
				expect(error.message).toBe(refused);
				continue;
			}
			expect({ name, error: error?.message, json }).toMatchObject({
				name,
				error: undefined,
				json: expect.arrayContaining([expect.objectContaining({})]),
			});
			expect({ name, ...json[0] }).toMatchObject({ name, ...gives });
		}
	});
});
