import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { type BaseUrl, buildUrl, networkFault, readAuthentication } from '../http';
import { NOTHING_THERE, resourcePath } from '../scim';
import { attempt, attemptSync, InputError, isObject } from '../util';
import { readBaseUrl, readProfile, takesAccountToken, rolesAsGroups } from './connection';

const TIMEOUT_MS = 30_000;

const WHAT_TO_CHECK = 'Check the Service Profile, the Authentication Method and its fields.';

const ACCOUNT_TOKEN =
	'An account with organizations takes an account token: made in the account organization, with account-management scope, and not expired.';

/** What an answer means, by its status. */
export const TEST_REFUSALS: Readonly<Record<number, string>> = {
	401: `The service does not accept the credential. ${WHAT_TO_CHECK}`,
	403: `The credential gives no access to provisioning. ${WHAT_TO_CHECK}`,
	404: NOTHING_THERE,
};

interface TestAnswer {
	statusCode: number;
	statusMessage?: string;
	body?: unknown;
}

/**
 * Tests the API credential: lists one user, since discovery endpoints answer any token (test/contract/interface.md 2.1), and
 * one group, whose ID may show that the profile is wrong. The rules of a declarative test cannot read an ID.
 */
export async function testScimProvisioning(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const tried = await attempt(async () => await faultOf(data, this.helpers));
	const message = tried.ok ? tried.value : wordsOf(tried.error);
	return message === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message };
}

async function faultOf(
	credential: ICredentialDataDecryptedObject,
	{ request }: ICredentialTestFunctions['helpers'],
): Promise<string | undefined> {
	const base = readBaseUrl(credential);
	const profile = readProfile(credential);
	const { name, value } = readAuthentication(credential).header;
	const list = async (type: 'Users' | 'Groups') =>
		(await request({
			method: 'GET',
			uri: buildUrl(base, resourcePath(profile.prefix, type), { count: 1 }),
			headers: { Accept: 'application/scim+json', [name]: value },
			followRedirect: false,
			resolveWithFullResponse: true,
			simple: false,
			timeout: TIMEOUT_MS,
			...(credential.ignoreSslIssues === true && { rejectUnauthorized: false }),
		})) as TestAnswer;
	const users = await attempt(async () => await list('Users'));
	if (!users.ok) return networkWords(users.error, base);
	if (!isSuccess(users.value)) {
		const { statusCode, statusMessage } = users.value;
		const refusal = TEST_REFUSALS[statusCode];
		if (refusal?.endsWith(WHAT_TO_CHECK) && takesAccountToken(profile)) {
			return `${refusal} ${ACCOUNT_TOKEN}`;
		}
		return refusal || statusMessage || `Received HTTP status code: ${statusCode}`;
	}
	const ids = profile.groups();
	if (!profile.hasGroups || ids.standsFor !== 'nothing') return undefined;
	// Users alone are enough for a service to be in order.
	const groups = await attempt(async () => await list('Groups'));
	const found = groups.ok && isSuccess(groups.value) ? idsIn(groups.value.body) : [];
	const fault = rolesAsGroups(found, ids);
	return fault && wordsOf(fault);
}

function isSuccess({ statusCode }: TestAnswer): boolean {
	return statusCode >= 200 && statusCode < 300;
}

function idsIn(body: unknown): string[] {
	const list = typeof body === 'string' ? attemptSync(() => JSON.parse(body) as unknown) : body;
	const entries: unknown = isObject(list) ? list.Resources : undefined;
	return (Array.isArray(entries) ? (entries as unknown[]) : []).flatMap((entry) =>
		isObject(entry) && typeof entry.id === 'string' ? [entry.id] : [],
	);
}

function wordsOf(error: unknown): string {
	if (error instanceof InputError) return `${error.message}. ${error.description}`;
	return String((error as Error).message);
}

/** Of an error of the connection that has no words here, the code says more than n8n does. */
function networkWords(error: unknown, base: BaseUrl): string {
	const { happened, remedy } = networkFault(error, base);
	if (happened) return `${happened[0].toUpperCase()}${happened.slice(1)}. ${remedy}`;
	const { code, message } = error as { code?: unknown; message?: unknown };
	return String(code ?? message);
}
