import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { isForOwnNodes } from './ownNodes';
import { ignoreSslField, SERVICE_FIELDS, WHICH_SERVICE } from './serviceFields';

/**
 * A client that n8n gets tokens for (RFC 6749 section 4.4), and what is known of the service that takes them. It has no test: n8n
 * gets a token for one with a node of its own, which may not use a credential that is for the nodes of this package.
 */
export class ScimProvisioningOAuth2Api implements ICredentialType {
	name = 'scimProvisioningOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'SCIM Provisioning OAuth2 API';

	icon: Icon = { light: 'file:../icons/scim.svg', dark: 'file:../icons/scim.dark.svg' };

	documentationUrl = 'https://homepage.invalid/#credentials';

	supportedNodes = ['scimProvisioning', 'scimProvisioningTrigger'];

	get restrictToSupportedNodes() {
		return isForOwnNodes(this);
	}

	properties: INodeProperties[] = [
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'hidden',
			default: 'clientCredentials',
		},
		...WHICH_SERVICE,
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Body',
					value: 'body',
					description: 'In the body, which also goes where the Access Token URL redirects to',
				},
				{ name: 'Header', value: 'header', description: 'As Basic authentication' },
			],
			default: 'header',
			description: 'How the client ID and secret are sent to the Access Token URL',
		},
		...SERVICE_FIELDS,
		// The name that n8n reads when it asks for a token.
		ignoreSslField('ignoreSSLIssues'),
	];
}
