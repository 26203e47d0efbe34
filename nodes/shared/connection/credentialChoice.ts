import type { INode, INodeProperties } from 'n8n-workflow';

const API_TYPE = 'scimProvisioningApi';
const CLIENT_TYPE = 'scimProvisioningOAuth2Api';

export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Credential', value: 'apiCredential' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'apiCredential',
};

/** The credential of a node, as chosen under Authentication. */
export interface ChosenCredential {
	type: string;
	isOAuth2: boolean;
	/** Empty where none is selected. */
	id: string;
}

export function credentialOf({ parameters, credentials }: INode): ChosenCredential {
	const isOAuth2 = parameters.authentication === 'oAuth2';
	const type = isOAuth2 ? CLIENT_TYPE : API_TYPE;
	return { type, isOAuth2, id: credentials?.[type]?.id ?? '' };
}
