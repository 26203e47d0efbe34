import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { readAuthentication } from '../nodes/shared/http/credential';
import { isForOwnNodes } from './ownNodes';
import { ignoreSslField, SERVICE_FIELDS, WHICH_SERVICE } from './serviceFields';

const shownFor = (method: string) => ({ show: { authenticationMethod: [method] } });

/** A token, a password or a header, and what is known of the service that takes it (test/contract/interface.md 1.5, 1.7). */
export class ScimProvisioningApi implements ICredentialType {
	name = 'scimProvisioningApi';

	displayName = 'SCIM Provisioning API';

	icon: Icon = { light: 'file:../icons/scim.svg', dark: 'file:../icons/scim.dark.svg' };

	documentationUrl = 'https://homepage.invalid/#credentials';

	supportedNodes = ['scimProvisioning', 'scimProvisioningTrigger'];

	get restrictToSupportedNodes() {
		return isForOwnNodes(this);
	}

	properties: INodeProperties[] = [
		...WHICH_SERVICE,
		{
			displayName: 'Authentication Method',
			name: 'authenticationMethod',
			type: 'options',
			options: [
				{ name: 'Basic', value: 'basic', description: 'User and password' },
				{ name: 'Bearer Token', value: 'bearerToken', description: 'Authorization: Bearer' },
				{ name: 'Header', value: 'header', description: 'Any other header, with its value' },
			],
			default: 'bearerToken',
			description: 'How requests are authenticated',
		},
		{
			displayName: 'API Token',
			name: 'accountApiToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Token of the service. Account with Organizations: one with account-management scope.',
			displayOptions: shownFor('bearerToken'),
		},
		{
			displayName: 'User',
			name: 'user',
			type: 'string',
			default: '',
			description: 'Leave empty where the service wants a key alone, as the password',
			displayOptions: shownFor('basic'),
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: shownFor('basic'),
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. X-API-Key',
			displayOptions: shownFor('header'),
		},
		{
			displayName: 'Header Value',
			name: 'headerSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The whole value, with a scheme in front where the service wants one',
			displayOptions: shownFor('header'),
		},
		...SERVICE_FIELDS,
		ignoreSslField('ignoreSslIssues'),
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { name, value } = readAuthentication(credentials).header;
		return { ...requestOptions, headers: { ...requestOptions.headers, [name]: value } };
	}
}
