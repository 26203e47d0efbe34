import type { INodeProperties } from 'n8n-workflow';

/** For services whose keys reach further than one organization. */
export const organizationOption: INodeProperties = {
	displayName: 'Organization ID',
	name: 'organizationId',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. org-3454',
	description: 'Organization to use instead of the one in the credential',
};

export const showSecretsOption: INodeProperties = {
	displayName: 'Show Secrets',
	name: 'showSecrets',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to return webhook URLs and service keys. They are saved with the execution.',
};
