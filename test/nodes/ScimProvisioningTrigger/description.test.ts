import { NodeConnectionTypes, type INodeProperties } from 'n8n-workflow';

import { ScimProvisioningTrigger, triggerCodex } from '../../support/built';
import { checkOptions, settingsOf } from '../../support/description';
import { hasFile } from '../../support/files';

const { description } = new ScimProvisioningTrigger();
const [, events, watched, options] = description.properties;

it('is the trigger that workflows know', () => {
	expect(description).toMatchObject({
		displayName: 'SCIM Provisioning Trigger',
		name: 'scimProvisioningTrigger',
		version: 1,
		group: ['trigger'],
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'scimProvisioningApi',
				required: true,
				displayOptions: { show: { authentication: ['apiCredential'] } },
			},
			{
				name: 'scimProvisioningOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
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
		'accessGranted',
		'accessRevoked',
		'anyAccessChange',
		'roleChanged',
		'userActivated',
		'userCreated',
		'userDeactivated',
		'userDeleted',
		'userUpdated',
	]);
	for (const { name, description: text } of offered) expect([name, text]).not.toContain('');
	expect(events.default).toEqual(['anyAccessChange']);
});

it('asks for attributes where User Updated is chosen', () => {
	expect(watched).toMatchObject({
		displayOptions: { show: { events: ['userUpdated'] } },
		default: 'userName, name, emails, externalId, title',
	});
});

it('has few options, with requests and limits', () => {
	const entries = options.options as INodeProperties[];
	checkOptions(entries);
	expect(entries.map(({ name }) => name)).toContain('confirmAfter');
	expect(namesIn(entries, 'safetyLimits')).toEqual(['maxPeopleAffected', 'maxPercentAffected']);
	expect(namesIn(entries, 'requests')).toEqual([
		'concurrency',
		'maxRunTime',
		'maxWait',
		'pageSize',
		'timeout',
	]);
	const runTime = settingsOf(entries, 'requests').find(({ name }) => name === 'maxRunTime');
	expect(runTime?.default).toBe(5);
});

function namesIn(entries: INodeProperties[], entry: string): string[] {
	return settingsOf(entries, entry).map(({ name }) => name);
}
