import type { INodeProperties } from 'n8n-workflow';

/** For services whose keys reach further than one organization. */
export const organizationOption: INodeProperties = {
	displayName: 'Organization ID',
	name: 'organizationId',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. org-3454',
	description: 'Another organization than the one in the credential',
};

export const showSecretsOption: INodeProperties = {
	displayName: 'Show Secrets',
	name: 'showSecrets',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether webhook URLs and service keys come out as they are. They then also stand in the saved execution.',
};
