import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	type BaseUrl,
	buildUrl,
	decode,
	networkFault,
	readAnswer,
	readAuthentication,
	RequestError,
	type ServiceRequest,
} from '../http';
import { listPageIn, resourcePath, type ServiceProfile } from '../scim';
import { attempt, InputError, isObject } from '../util';
import {
	adviceFor,
	readBaseUrl,
	readProfile,
	rolesAsGroups,
	scimEndpoint,
	takesAccountToken,
} from './connection';

const TIMEOUT_MS = 30_000;

/** So much of an answer is read: one user is far smaller, but a service may ignore the count. */
const MOST_BYTES = 1_000_000;

const WHAT_TO_CHECK =
	'Check the API Token, or what else the Authentication Method asks for, then the Service Profile.';

const ACCOUNT_TOKEN =
	'An account with organizations takes an account token: made in the account organization, with account-management scope, and not expired.';

/** What an answer means, by its status. */
export const TEST_REFUSALS: Readonly<Record<number, string>> = {
	401: `The service does not accept the credential. ${WHAT_TO_CHECK}`,
	403: `The credential gives no access to provisioning. ${WHAT_TO_CHECK}`,
};

interface TestAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AnswerStream;
}

type AnswerStream = AsyncIterable<Uint8Array> & { destroy(reason: Error): void };

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
	const { header, secrets } = readAuthentication(credential);
	const endpoint = scimEndpoint(base, adviceFor(profile), () => secrets);
	const list = async (type: 'Users' | 'Groups'): Promise<unknown[]> => {
		const purpose = `list ${type.toLowerCase()}`;
		const asked: ServiceRequest = {
			...{ method: 'GET', repeat: 'never', purpose },
			path: resourcePath(profile.prefix, type),
		};
		const limit = AbortSignal.timeout(TIMEOUT_MS);
		const { statusCode, headers, body } = (await request({
			method: 'GET',
			uri: buildUrl(base, asked.path, { count: 1 }),
			headers: { Accept: endpoint.mediaType, [header.name]: header.value },
			followRedirect: false,
			resolveWithFullResponse: true,
			simple: false,
			useStream: true,
			timeout: TIMEOUT_MS,
			...(credential.ignoreSslIssues === true && { rejectUnauthorized: false }),
		})) as TestAnswer;
		const { bytes, isCut } = await beginningOf(body, limit);
		const read = isCut ? { text: bytes.toString() } : decode(bytes, headers['content-type']);
		if (isCut && statusCode === 200 && BEGINS_AS_LIST.test(read.text)) return [];
		const raw = { status: statusCode, headers, ...read };
		return listPageIn(readAnswer(raw, asked, endpoint), purpose).entries;
	};
	const users = await attempt(async () => await list('Users'));
	if (!users.ok) return refusalIn(users.error, profile) ?? networkWords(users.error, base);
	const ids = profile.groups();
	if (!profile.hasGroups || ids.standsFor !== 'nothing') return undefined;
	// Users alone are enough for a service to be in order.
	const groups = await attempt(async () => await list('Groups'));
	const fault = rolesAsGroups(groups.ok ? groups.value.flatMap(idOf) : [], ids);
	return fault && wordsOf(fault);
}

const BEGINS_AS_LIST = /^\s*\{[^]*"Resources"\s*:/i;

/** Reads a body up to the limit; leaving the loop closes the connection. */
async function beginningOf(
	body: AnswerStream,
	limit: AbortSignal,
): Promise<{ bytes: Buffer; isCut: boolean }> {
	const tooLate = new Error(`The answer did not end within ${TIMEOUT_MS / 1000} seconds`);
	limit.addEventListener('abort', () => body.destroy(tooLate));
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const piece of body) {
		pieces.push(piece);
		size += piece.length;
		if (size > MOST_BYTES) break;
	}
	return { bytes: Buffer.concat(pieces).subarray(0, MOST_BYTES), isCut: size > MOST_BYTES };
}

/** What a refusal of the service means; undefined where there was no answer. */
function refusalIn(error: unknown, profile: ServiceProfile): string | undefined {
	if (!(error instanceof RequestError)) return undefined;
	const { status = 0, message } = error;
	// What the nodes do about it, a test does not: it sends nothing again.
	const words = status >= 500 ? `${message}. Try again later.` : wordsOf(error);
	const refusal = TEST_REFUSALS[status] ?? words;
	return refusal.endsWith(WHAT_TO_CHECK) && takesAccountToken(profile)
		? `${refusal} ${ACCOUNT_TOKEN}`
		: refusal;
}

function idOf(entry: unknown): string[] {
	return isObject(entry) && typeof entry.id === 'string' ? [entry.id] : [];
}

function wordsOf(error: unknown): string {
	if (error instanceof InputError || error instanceof RequestError)
		return `${error.message}. ${error.description}`;
	return String((error as Error).message);
}

/** Of an error of the connection that has no words here, the code says more than n8n does. */
function networkWords(error: unknown, base: BaseUrl): string {
	const { happened, remedy } = networkFault(error, base);
	if (happened) return `${happened[0].toUpperCase()}${happened.slice(1)}. ${remedy}`;
	const { code, message } = error as { code?: unknown; message?: unknown };
	return String(code ?? message);
}
