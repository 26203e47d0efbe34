import { NodeConnectionTypes } from 'n8n-workflow';

import { ScimProvisioningTrigger, triggerCodex } from '../../support/built';
import {
	checkCodex,
	checkCollections,
	checkIcons,
	SCIM_CREDENTIALS,
	settingsOf,
} from '../../support/description';

const trigger = new ScimProvisioningTrigger();
const { description } = trigger;
const [, events, watched] = description.properties;

it('is the trigger that workflows know', () => {
	expect(description).toMatchObject({
		displayName: 'SCIM Provisioning Trigger',
		name: 'scimProvisioningTrigger',
		version: 1,
		group: ['trigger'],
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: SCIM_CREDENTIALS,
	});
});

checkIcons(trigger, 'ScimProvisioningTrigger');

checkCodex(triggerCodex, 'scimProvisioningTrigger', ['scim', 'joiner', 'mover', 'leaver']);

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
	checkCollections(description.properties);
	expect(namesIn('options')).toContain('confirmAfter');
	expect(namesIn('safetyLimits')).toEqual(['maxPeopleAffected', 'maxPercentAffected']);
	expect(namesIn('requests')).toEqual(['maxMemory', 'maxWait', 'timeout']);
});

function namesIn(collection: string): string[] {
	return settingsOf(description.properties, collection).map(({ name }) => name);
}
