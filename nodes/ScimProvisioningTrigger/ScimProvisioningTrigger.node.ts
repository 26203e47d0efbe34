import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { attempt } from '../shared/util';
import { optionsField, requestsField, toNodeError } from '../shared/run';
import { authenticationField, testScimProvisioning } from '../shared/connection';
import { safetyLimitsWith } from '../shared/access/guards';
import { ANY_ACCESS_CHANGE, EVENTS, eventOptions, watchedField } from './events';
import { newEvents } from './poll';

/**
 * How n8n activates workflows by itself, with a first look. Where that one throws, n8n tries a few times and then never
 * looks again; so the error is recorded, as n8n does with that of every other look.
 */
const BY_ITSELF: ReadonlySet<WorkflowActivateMode> = new Set(['init', 'leadershipChange']);

export class ScimProvisioningTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SCIM Provisioning Trigger',
		name: 'scimProvisioningTrigger',
		icon: { light: 'file:../../icons/scim.svg', dark: 'file:../../icons/scim.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description:
			'Starts the workflow when users or their access change; actions provision users and access',
		defaults: { name: 'SCIM Provisioning Trigger' },
		polling: true,
		builderHint: {
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-scim-provisioning.scimProvisioning',
					relationHint: 'Manages the users, groups and access that the trigger watches',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'scimProvisioningApi',
				required: true,
				displayOptions: { show: { authentication: ['apiCredential'] } },
				testedBy: 'testScimProvisioning',
			},
			{
				name: 'scimProvisioningOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		properties: [
			authenticationField,
			{
				displayName: 'Trigger On',
				name: 'events',
				type: 'multiOptions',
				noDataExpression: true,
				required: true,
				options: [...EVENTS],
				default: [ANY_ACCESS_CHANGE],
				description:
					'Choose Any Access Change and filter later, so that no change is missed while n8n is off',
			},
			watchedField,
			{
				...safetyLimitsWith('between two checks'),
				description:
					'When the check fails, because so many losses look like an error of the service',
			},
			optionsField(eventOptions),
			requestsField(['maxMemory', 'maxWait', 'timeout']),
		],
	};

	methods = {
		credentialTest: { testScimProvisioning },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const tried = await attempt(async () => await newEvents(this));
		if (tried.ok) return tried.value.length === 0 ? null : [tried.value];
		const error = toNodeError(this.getNode(), tried.error);
		if (!BY_ITSELF.has(this.getActivationMode())) throw error;
		this.__emitError(error);
		return null;
	}
}
