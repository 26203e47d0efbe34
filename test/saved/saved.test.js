'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const { withService } = require('../support/service');

const read = (file) => JSON.parse(readFileSync(path.join(__dirname, file), 'utf8'));

/** What every node of the workflow has to give, by its name. */
const GIVES = {
	'Create User': { userName: 'ana.saved@example.com', status: 'done' },
	'Create or Update User': { status: 'unchanged' },
	'Get User': { userName: 'ana.saved@example.com', active: true },
	'Get Many Users': { id: expect.any(String) },
	'Add Members': { change: 'granted', status: 'done' },
	'Assign': { change: 'granted', status: 'done' },
	'Get': { userName: 'ana.saved@example.com' },
	'Offboard Preview': { preview: true, blockedBy: [] },
	'Save Action': { id: 'saved-chat', outcome: { status: 'done' } },
	Attach: { changed: expect.any(Number), failed: 0 },
	'Get Configuration': { model: 'model-1', configuration: expect.stringContaining('saved-chat') },
};

// Whatever a later version renames: workflows that people have saved go on working.
test.each(['workflow-0.1.0.json'])('%s works as it was saved', async (file) => {
	const { nodes } = read(file);
	expect(nodes.map(({ name }) => name)).toEqual(Object.keys(GIVES));
	await withService({}, async (service, scim, alert) => {
		for (const { name, type, typeVersion, parameters } of nodes) {
			expect(typeVersion).toBe(1);
			const { resource, operation, ...rest } = parameters;
			const run = type.endsWith('.scimProvisioning') ? scim : alert;
			const { json, error } = await run(resource, operation, rest, {
				items: [{ email: 'ana.saved@example.com' }],
			});
			expect({ name, error: error?.message, json }).toMatchObject({
				name,
				error: undefined,
				json: expect.arrayContaining([expect.objectContaining({})]),
			});
			expect({ name, ...json[0] }).toMatchObject({ name, ...GIVES[name] });
		}
	});
});
