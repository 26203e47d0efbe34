import { InputError, isObject, numberOf } from '../shared/util';
import { type AlertingClient, createAlertingClient } from './actions';
import {
	checkSegment,
	createSend,
	type Endpoint,
	type Limits,
	Memory,
	n8nTransport,
	parseBaseUrl,
	readCredential,
	readHeaderSecret,
	type RequestContext,
	type Send,
	sendWith,
	WaitBudget,
} from '../shared/http';

export const CREDENTIAL = 'notificationActionsApi';

const CREDENTIAL_ADVICE =
	'Check the credential. The key and the organization ID are in the access-token settings of the organization. A key works for its own organization only.';

const ADVICE: Readonly<Record<number, string>> = {
	400: 'Check the fields of this item, and that every action that monitors name exists. If it is "email" that does not exist, create it: Create or Update with Allow Default Email.',
	401: CREDENTIAL_ADVICE,
	403: CREDENTIAL_ADVICE,
	404: 'Check the ID of the model or action, the Organization ID and the Base URL in the credential.',
	413: 'The document is too large for the service.',
};

/**
 * Makes the client that talks to the service of the node's credential.
 * @param organization another organization than that of the credential; empty for that one
 * @throws InputError when the credential cannot be used, or is not the same for all items
 */
export async function connect(
	context: RequestContext,
	organization: string,
	limits: Limits & { mostHeld: number; verifyMs: number },
): Promise<AlertingClient> {
	const credential = await readCredential(context, CREDENTIAL);
	const base = parseBaseUrl(credential.baseUrl);
	const apiKey = readHeaderSecret(credential.apiKey, 'API Key');
	const organizationId = organization || String(credential.organizationId ?? '').trim();
	if (organizationId === '') {
		throw new InputError('The Organization ID is missing', 'Enter it in the credential.');
	}
	checkSegment(organizationId);
	const transport = n8nTransport(
		context,
		base,
		credential.ignoreSslIssues === true,
		limits,
		sendWith(context, CREDENTIAL),
	);
	const endpoint: Endpoint = {
		base,
		mediaType: 'application/json',
		secrets: [apiKey],
		advise: ({ kind, status = 0 }) => (kind === 'http' ? ADVICE[status] : undefined),
		errorTypeField: 'type',
		isError,
	};
	const budget = new WaitBudget(limits.maxWaitMs, transport.cancelled);
	const memory = new Memory(limits.mostHeld);
	const watched = memory.watch(createSend(endpoint, limits, transport, budget));
	const send: Send = async (request) => {
		const answer = await watched(request);
		memory.hold(request.path.join('/'), answer.text);
		return answer;
	};
	const timing = {
		limitMs: limits.verifyMs,
		wait: transport.wait,
		stopped: () => budget.stopped(),
	};
	return createAlertingClient(send, organizationId, timing, budget);
}

/** Gateways answer some errors with 2xx; problem details (RFC 9457) and SCIM errors say their status inside. */
function isError(body: unknown): boolean {
	return isObject(body) && numberOf(body.status) >= 400;
}
