import { NodeConnectionTypes, type INodeProperties } from 'n8n-workflow';

import { ScimProvisioningTrigger, triggerCodex } from '../../support/built';
import { hasFile } from '../../support/files';

const { description } = new ScimProvisioningTrigger();
const [events, options] = description.properties;

it('is the trigger that workflows know', () => {
	expect(description).toMatchObject({
		displayName: 'SCIM Provisioning Trigger',
		name: 'scimProvisioningTrigger',
		version: 1,
		group: ['trigger'],
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'scimProvisioningApi', required: true }],
	});
});

it('has icons that are in the package', () => {
	const { light, dark } = description.icon as { light: string; dark: string };
	for (const icon of [light, dark]) {
		expect(hasFile('dist/nodes/ScimProvisioningTrigger', icon.slice('file:'.length))).toBe(true);
	}
});

it('has a codex file that names it', () => {
	expect(triggerCodex).toMatchObject({
		node: 'n8n-nodes-scim-provisioning.scimProvisioningTrigger',
		alias: expect.arrayContaining(['scim', 'joiner', 'mover', 'leaver']),
		resources: { primaryDocumentation: [{ url: expect.stringMatching(/^https:/) }] },
	});
});

it('offers what can happen, each described', () => {
	expect(events).toMatchObject({ displayName: 'Trigger On', type: 'multiOptions', required: true });
	const offered = events.options as Array<{ name: string; value: string; description: string }>;
	expect(offered.map(({ value }) => value)).toEqual([
		'accessChanged',
		'accessGranted',
		'accessRevoked',
		'userActivated',
		'userCreated',
		'userDeactivated',
		'userDeleted',
	]);
	for (const { name, description: text } of offered) expect([name, text]).not.toContain('');
	expect(offered.map(({ value }) => value)).toEqual(
		expect.arrayContaining(events.default as string[]),
	);
});

it('has options in the order of the alphabet, with limits', () => {
	const names = (options.options as INodeProperties[]).map(({ displayName }) => displayName);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	expect(names).toEqual(
		expect.arrayContaining(['Look Again After (Seconds)', 'Max Users Losing Access']),
	);
});
