import { DEEPEST, isObject, isSecret } from '../../util';
import type { Attributes } from './resource';

/** What stands for a secret. */
export const MASK = '***';

/**
 * The secrets of users in a body that is sent, as an attribute or as the value of a PATCH operation, because a service may
 * repeat what it refuses.
 */
export function secretsIn(body: unknown, depth = 0): string[] {
	if (depth > DEEPEST) return [];
	if (Array.isArray(body)) return body.flatMap((entry) => secretsIn(entry, depth + 1));
	if (!isObject(body)) return [];
	const path = typeof body.path === 'string' ? body.path : '';
	return Object.entries(body).flatMap(([name, value]) =>
		isSecret(name, value) || (name === 'value' && isSecret(path, value))
			? textsIn(value, depth)
			: secretsIn(value, depth + 1),
	);
}

function textsIn(value: unknown, depth: number): string[] {
	if (depth > DEEPEST) return [];
	if (typeof value === 'object' && value !== null)
		return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
	return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Returns the attributes as JSON without secrets, at any depth: plans are stored and sent to chats. */
export function withoutSecrets(attributes: Attributes): Attributes {
	return replaceSecrets(attributes, () => undefined);
}

/** Returns the attributes with secrets masked, at any depth. */
export function withMaskedSecrets(attributes: Attributes): Attributes {
	return replaceSecrets(attributes, () => MASK);
}

/** The names of the secrets among attributes, at any depth, each once. */
export function secretNamesIn(attributes: Attributes): string[] {
	const names = new Set<string>();
	replaceSecrets(attributes, (name) => void names.add(name));
	return [...names];
}

function replaceSecrets(
	attributes: Attributes,
	instead: (name: string) => string | undefined,
): Attributes {
	const text = JSON.stringify(attributes, (name, value: unknown) =>
		isSecret(name, value) ? instead(name) : value,
	);
	return JSON.parse(text) as Attributes;
}
