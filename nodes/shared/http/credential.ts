import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { attemptSync, InputError, isDeepEqual, mapConcurrent } from '../util';
import type { RequestContext } from './n8nTransport';
import { parseBaseUrl } from './url';

/** So many items are looked at: for each, n8n reads the credential from its database, which takes a millisecond or two. */
const MOST_READS = 100;

const READS_SIDE_BY_SIDE = 10;

/** The fields that say where and whose everything is, as the credentials call them. */
const TENANT: Readonly<Record<string, string>> = {
	baseUrl: 'its Base URL',
	accountOrganizationId: 'its Account Organization ID',
	organizationId: 'its Organization ID',
};

/** The token of OAuth2, which n8n renews meanwhile. */
const RENEWED = 'oauthTokenData';

/**
 * Reads the credential of a run. n8n signs each request with that of the first item, whatever an expression in it gives for
 * another.
 * @throws InputError where it is not the same for all items, or for those that are looked at
 */
export async function readCredential(
	context: RequestContext,
	type: string,
): Promise<ICredentialDataDecryptedObject> {
	const credential = await context.getCredentials(type);
	if (!('getInputData' in context)) return credential;
	const items = lookedAt(context.getInputData().length);
	const differences = await mapConcurrent(items, READS_SIDE_BY_SIDE, async (item) =>
		differenceOf(credential, await context.getCredentials(type, item)),
	);
	const at = differences.findIndex((difference) => difference !== undefined);
	if (at === -1) return credential;
	throw new InputError(
		`The credential is not the same for all items: ${differences[at]} differs between item 0 and item ${items[at]}`,
		'Nothing was sent: a run uses the credential of its first item alone. Run the node once for each tenant, in a sub-workflow, or behind Loop Over Items where each batch is of one tenant.',
	);
}

/** The items behind the first that are compared with it: all, or the last one and evenly spread ones between. */
function lookedAt(count: number): number[] {
	const reads = Math.min(count, MOST_READS);
	return Array.from({ length: Math.max(reads - 1, 0) }, (_, at) =>
		Math.round(((at + 1) * (count - 1)) / (reads - 1)),
	);
}

/** What differs, in words without a value. */
function differenceOf(
	one: ICredentialDataDecryptedObject,
	other: ICredentialDataDecryptedObject,
): string | undefined {
	const names = [...new Set([...Object.keys(TENANT), ...Object.keys(one), ...Object.keys(other)])];
	const differing = names.find(
		(name) => name !== RENEWED && !isDeepEqual(meantBy(name, one), meantBy(name, other)),
	);
	return differing && (TENANT[differing] ?? 'one of its fields');
}

/** A value of a field, whichever way it is written. */
function meantBy(name: string, credential: ICredentialDataDecryptedObject): unknown {
	const value = credential[name] ?? '';
	if (typeof value === 'object') return value;
	const base = name === 'baseUrl' ? attemptSync(() => parseBaseUrl(value).href) : undefined;
	return base ?? String(value).trim();
}
