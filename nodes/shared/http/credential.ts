import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { attemptSync, InputError, isDeepEqual, mapConcurrent } from '../util';
import type { RequestContext } from './n8nTransport';
import { parseBaseUrl } from './request';

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

/** How requests prove whose they are. */
interface Authentication {
	/** The header that says so; none where n8n gets a token by itself. */
	header?: { name: string; value: string };
	/** The secret that lasts, unlike an access token. */
	secret: string;
	/** Values that must appear in no message. */
	secrets: string[];
}

/** Headers that say something else, or that a connection needs for itself. */
const SET_BY_OTHERS =
	/^(?:host|content-.*|accept(?:-.*)?|user-agent|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/i;

type Credential = Readonly<Record<string, unknown>>;

/**
 * Reads the header that a credential with an Authentication Method stands for; without one, it is a bearer token.
 * @throws InputError when a field is missing, or cannot be sent
 */
export function readAuthentication(credential: Credential): Required<Authentication> {
	switch (credential.authenticationMethod) {
		case 'basic':
			return readBasic(credential);
		case 'header':
			return readHeader(credential);
		default:
			return readBearer(credential);
	}
}

/** Reads the client of a credential for OAuth2, whose tokens n8n gets and renews. @throws InputError when a field is missing */
export function readClient(credential: Credential): Authentication {
	const id = readText(credential.clientId, 'Client ID');
	const secret = readText(credential.clientSecret, 'Client Secret');
	return { secret, secrets: [secret, base64(`${id}:${secret}`)] };
}

function readBearer({ accountApiToken }: Credential): Required<Authentication> {
	const token = readHeaderSecret(accountApiToken, 'API Token');
	return {
		header: { name: 'Authorization', value: `Bearer ${token}` },
		secret: token,
		secrets: [token],
	};
}

/** RFC 7617 section 2: no colon in the user, and no control characters; some services want a password alone. */
function readBasic({ user = '', password }: Credential): Required<Authentication> {
	const name = String(user);
	const secret = readText(password, 'Password');
	if (name.includes(':')) {
		throw new InputError(
			'The User contains a colon',
			'Enter the part after the colon as the Password in the credential.',
		);
	}
	if (/\p{Cc}/u.test(name + secret)) {
		throw new InputError(
			'The User or the Password contains a line break or another control character',
			'Copy it again, without anything before or after it, into the credential.',
		);
	}
	const pair = base64(`${name}:${secret}`);
	return {
		header: { name: 'Authorization', value: `Basic ${pair}` },
		secret,
		secrets: [secret, pair],
	};
}

/** RFC 9110 section 5.1: a name of token characters. */
function readHeader({ headerName, headerSecret }: Credential): Required<Authentication> {
	const name = readText(headerName, 'Header Name').trim();
	if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
		throw new InputError(
			'The Header Name contains a character that no header name has',
			'Enter the name alone in the credential, without a colon and a value.',
		);
	}
	// What every object has by itself would leave without the header, unauthenticated.
	if (SET_BY_OTHERS.test(name) || name in {}) {
		throw new InputError(
			`The header ${name} cannot carry a credential`,
			'Enter the header that the service asks for, such as Authorization or X-API-Key.',
		);
	}
	// A scheme may stand before the key, as in `SSWS key`.
	const value = String(headerSecret ?? '');
	readHeaderSecret(value.replace(/(?<=\S) (?=\S)/g, ''), 'Header Value');
	const key = value.replace(/^\S+ (?=\S)/, '');
	const [, password = ''] = Buffer.from(key, 'base64').toString().split(/:(.*)/s);
	// As in `Token token="key"`, whose `token` is an ordinary word.
	const parts = key.split(/(?:\b[a-z]+=(?="))?[\s=",;]+/i);
	const secrets = [key, ...parts, ...(/^Basic /i.test(value) ? [password] : [])];
	return { header: { name, value }, secret: value, secrets };
}

function readText(value: unknown, name: string): string {
	const text = typeof value === 'string' ? value : '';
	if (text.trim() !== '') return text;
	throw new InputError(`The ${name} is missing`, 'Enter it in the credential.');
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * Reads a token or key from a credential that can be sent in a header.
 * @param name as the credential calls it
 * @throws InputError when it is empty, or has characters that no token has
 */
export function readHeaderSecret(value: unknown, name: string): string {
	const secret = typeof value === 'string' ? value : '';
	if (secret.trim() === '') {
		throw new InputError(`The ${name} is missing`, 'Enter it in the credential.');
	}
	// Anything else cannot be sent in a header, and the error of the HTTP library would show the secret.
	if (!/^[\x21-\x7e]+$/.test(secret)) {
		throw new InputError(
			`The ${name} contains whitespace or invalid characters`,
			'Copy it again, without anything before or after it, into the credential.',
		);
	}
	return secret;
}
