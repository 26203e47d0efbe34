import { isObject } from '../../util';

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
