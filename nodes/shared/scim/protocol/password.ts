import { DEEPEST, isObject } from '../../util';

const PASSWORD = 'password';
/** Shorter ones would tear words apart wherever they stand. */
const SHORTEST = 4;

/**
 * The passwords in a body that is sent, as an attribute or as the value of a PATCH operation, because a service may
 * repeat what it refuses; also as they stand in JSON.
 */
export function passwordsIn(body: unknown, depth = 0): string[] {
	if (depth > DEEPEST) return [];
	if (Array.isArray(body)) return body.flatMap((entry) => passwordsIn(entry, depth + 1));
	if (!isObject(body)) return [];
	const path = typeof body.path === 'string' ? body.path.toLowerCase() : '';
	const isOperation = path.slice(path.lastIndexOf(':') + 1) === PASSWORD;
	return Object.entries(body).flatMap(([name, value]) =>
		name.toLowerCase() === PASSWORD || (isOperation && name === 'value')
			? textsOf(value)
			: passwordsIn(value, depth + 1),
	);
}

function textsOf(value: unknown): string[] {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	if (text.length < SHORTEST) return [];
	return [...new Set([text, JSON.stringify(text).slice(1, -1)])];
}
