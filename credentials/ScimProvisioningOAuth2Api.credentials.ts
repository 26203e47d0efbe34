import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { ignoreSslField, SERVICE_FIELDS, testRequest, WHICH_SERVICE } from './serviceFields';

/** A client that n8n gets tokens for (RFC 6749 section 4.4), and what is known of the service that takes them. */
export class ScimProvisioningOAuth2Api implements ICredentialType {
	name = 'scimProvisioningOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'SCIM Provisioning OAuth2 API';

	icon: Icon = { light: 'file:../icons/scim.svg', dark: 'file:../icons/scim.dark.svg' };

	documentationUrl = 'https://homepage.invalid/#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'hidden',
			default: 'clientCredentials',
		},
		...WHICH_SERVICE,
		...SERVICE_FIELDS,
		// The name that n8n reads when it asks for a token.
		ignoreSslField('ignoreSSLIssues'),
	];

	test = testRequest('ignoreSSLIssues', {
		401: 'The service does not accept the access token. Check the Service Profile, the Base URL, and which service the client is made for.',
		403: 'The client gives no access to provisioning. Check the Scope, and what the client may do at the service.',
	});
}
