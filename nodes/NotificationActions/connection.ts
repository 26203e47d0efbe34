import { InputError } from '../shared/util';
import { type AlertingClient, createAlertingClient } from './actions';
import {
	checkSegment,
	createSend,
	type Limits,
	n8nTransport,
	parseBaseUrl,
	partsOfSecret,
	readHeaderSecret,
	type RequestContext,
} from '../shared/http';

export const CREDENTIAL = 'notificationActionsApi';

const CREDENTIAL_ADVICE =
	'Check the credential. The key and the organization ID are in the access-token settings of the organization. A key works for its own organization only.';

const ADVICE = {
	400: 'Check the fields of this item, and that every action that monitors name exists.',
	404: 'Check the ID of the model or action, the Organization ID and the Base URL in the credential.',
	413: 'The document is too large for the service.',
};

/**
 * Everything that talks to the service of the node's credential.
 * @param organization another organization than that of the credential; empty for that one
 * @throws InputError when the credential cannot be used
 */
export async function connect(
	context: RequestContext,
	organization: string,
	limits: Limits & { verifyMs: number },
): Promise<AlertingClient> {
	const credential = await context.getCredentials(CREDENTIAL);
	const base = parseBaseUrl(credential.baseUrl);
	const apiKey = readHeaderSecret(credential.apiKey, 'API Key');
	const organizationId = organization || String(credential.organizationId ?? '').trim();
	if (organizationId === '') {
		throw new InputError('The Organization ID is missing', 'Enter it in the credential.');
	}
	checkSegment(organizationId);
	const transport = n8nTransport(
		context,
		CREDENTIAL,
		base,
		credential.ignoreSslIssues === true,
		limits,
	);
	const endpoint = {
		base,
		mediaType: 'application/json',
		secrets: partsOfSecret(apiKey),
		credentialAdvice: CREDENTIAL_ADVICE,
		advice: ADVICE,
	};
	return createAlertingClient(createSend(endpoint, limits, transport), organizationId, {
		limitMs: limits.verifyMs,
		wait: transport.wait,
		cancelled: transport.cancelled,
	});
}
