import { isObject } from '../../util';
import type { FailureFacts } from '../../http';

/** The schema of an error (RFC 7644 section 3.12), in lower case. */
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:error';

/** Whether a body is a SCIM error, which some services give with a 2xx; the URN and the names ignoring case. */
export function isScimError(body: unknown): boolean {
	if (!isObject(body)) return false;
	const schemas = Object.entries(body).find(([key]) => key.toLowerCase() === 'schemas')?.[1];
	return (
		Array.isArray(schemas) &&
		schemas.some((urn) => typeof urn === 'string' && urn.toLowerCase() === ERROR_SCHEMA)
	);
}

/**
 * What to do about an answer of a SCIM service: by scimType (RFC 7644 table 9) where that says more, else by status and
 * method. Undefined where HTTP says enough.
 * @param credentialAdvice what the credential has to be, told with a 401 or 403
 * @param path of the request, by segments
 * @param basePath that of the Base URL
 */
export function scimAdvice(
	{ kind, method, status = 0, errorType = '' }: FailureFacts,
	credentialAdvice: string,
	path: readonly string[],
	basePath = '',
): string | undefined {
	if (kind === 'unreadable' || kind === 'truncated') return NO_JSON;
	const resource = ['Users', 'Groups'].find((name) => path.includes(name));
	const isTaken = status === 409 || (errorType === 'uniqueness' && status < 500);
	if (isTaken && method === 'POST' && resource !== undefined) {
		return ADVICE_IF_TAKEN[`409 ${resource}`];
	}
	if (Object.hasOwn(ADVICE_BY_TYPE, errorType) && status < 500) return ADVICE_BY_TYPE[errorType];
	if (kind === 'token' || status === 401 || status === 403) return credentialAdvice;
	const collection = status === 404 ? path.at(-1) : undefined;
	if (collection !== undefined && Object.hasOwn(ADVICE_BY_COLLECTION, collection)) {
		const asked = [basePath.replace(/\/$/, ''), ...path].join('/');
		return `There is no ${asked}. ${ADVICE_BY_COLLECTION[collection]}`;
	}
	if (status === 404 && method !== 'GET') return NOT_FOUND_ANY_MORE;
	return ADVICE_BY_STATUS[status];
}

const WHERE_IT_IS =
	'Check the Service Profile, the Base URL, which ends before /Users, and the Path Before /Users. Account with Organizations adds /scim to the Base URL, the other profiles add nothing.';

/** What a 404 of a whole collection means, where no ID was sent. */
const ADVICE_BY_COLLECTION: Readonly<Record<string, string>> = {
	Users: WHERE_IT_IS,
	Groups: `${WHERE_IT_IS} If users are found, the service may have no groups: set Has Groups to No under Override Profile in the credential.`,
};

const NO_JSON =
	'Check the Service Profile, the Base URL and where the /scim prefix goes: a web page answered instead of the service, or the answer was cut off.';

const ADVICE_BY_TYPE: Readonly<Record<string, string>> = {
	invalidFilter:
		'The service does not support this filter. Use userName eq "…", or leave the filter empty.',
	uniqueness: 'Another resource has this value, which has to be unique. Choose another value.',
	mutability:
		'The service does not allow this to be changed. Account organizations make their three groups per organization themselves: add members to those.',
	tooMany: 'The service finds too many results. Use a filter.',
	noTarget: 'The service does not have the attribute that the path names.',
	invalidPath: 'The service does not know the attribute that the path names.',
	sensitive:
		'The service does not accept personal values in the address of a request. List instead of filtering.',
};

/** By what was to be created. */
const ADVICE_IF_TAKEN: Readonly<Record<string, string>> = {
	'409 Users': 'It exists already. Use Create or Update, or set If User Exists to return it.',
	'409 Groups':
		'There is a group with this name or external ID. Use Update to change it, set If Group Exists to return it, or choose another Display Name.',
};

const NOT_FOUND_ANY_MORE =
	'It may have been deleted. Check the ID, the Base URL and where the /scim prefix goes.';

const ADVICE_BY_STATUS: Readonly<Record<number, string | undefined>> = {
	404: 'Check the ID. For a name choose By Name, for an email By Email. If everything is not found, check the Service Profile, the Base URL and where the /scim prefix goes. If groups are not found, the service may have none: set Has Groups to No under Override Profile in the credential.',
	406: 'The service does not answer in the media type of SCIM. Check the Base URL and where the /scim prefix goes.',
	413: 'The request is too large for the service. Lower Members Per Request (credential, Override Profile).',
	415: 'The service does not accept the media type of SCIM. Check the Base URL.',
};
