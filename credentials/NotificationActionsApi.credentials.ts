import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { isForOwnNodes } from './ownNodes';

const WHAT_TO_CHECK = 'Copy it again from the access-token settings of that organization.';

/** The API key of an organization for notification actions and monitors (test/contract/interface.md 1.6). */
export class NotificationActionsApi implements ICredentialType {
	name = 'notificationActionsApi';

	displayName = 'Notification Actions API';

	icon: Icon = {
		light: 'file:../icons/notification.svg',
		dark: 'file:../icons/notification.dark.svg',
	};

	documentationUrl = 'https://homepage.invalid/#credentials';

	supportedNodes = ['notificationActions'];

	get restrictToSupportedNodes() {
		return isForOwnNodes(this);
	}

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, with http:// or https://, without a user name or password',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Key from the access-token settings of the organization',
		},
		{
			displayName: 'Organization ID',
			name: 'organizationId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. org-3454',
			description: 'Organization to use where a node names none',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if the certificate of the service cannot be verified',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: { 'X-API-Key': '={{$credentials.apiKey}}' },
		},
	};

	test: ICredentialTestRequest = {
		request: {
			method: 'GET',
			url: "={{ $credentials.baseUrl.trim().replace(/\\/+$/, '') }}/v0/notification-settings/{{ encodeURIComponent($credentials.organizationId) }}/actions",
			headers: { Accept: 'application/json' },
			disableFollowRedirect: true,
			skipSslCertificateValidation: '={{ $credentials.ignoreSslIssues }}' as unknown as boolean,
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message: `The service does not accept the API key. ${WHAT_TO_CHECK}`,
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The API key gives no access to this organization. Check the Organization ID, and copy the key again from the access-token settings of that organization.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'The service found nothing there. Check the Organization ID, the Base URL, which ends before /v0, and whether the API key belongs to another organization.',
				},
			},
		],
	};
}
