import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/inputError';
import { isObject } from '../../shared/isObject';
import { parameterJson } from '../../shared/node/parameter';
import { SCHEMA, withCanonicalNames, type Attributes } from '../../shared/scim/protocol/resource';

/** Only the service sets these (RFC 7643 section 3.1). */
const SET_BY_THE_SERVICE = ['schemas', 'id', 'meta'];

/** Attributes below their own URN would get past what is left out by name. */
const CORE_SCHEMA = SCHEMA.user;

export interface CollectedAttributes {
	attributes: Attributes;
	warnings: string[];
}

/** Any attribute that has no field of its own. */
export function jsonField(example: string): INodeProperties {
	return {
		displayName: 'Other Attributes (JSON)',
		name: 'attributesJson',
		type: 'json',
		default: '{}',
		description: `Any other SCIM attributes as a JSON object, e.g. ${example}. The fields above win over it; what only the service sets, such as schemas and ID, is never sent from it.`,
	};
}

/**
 * @param ignored attributes that are never sent from JSON, because sending them would act on access
 * @throws InputError for JSON that does not parse or is no object
 */
export function readJsonAttributes(
	value: unknown,
	ignored: readonly string[],
): CollectedAttributes {
	if (value === undefined || value === null || value === '')
		return { attributes: {}, warnings: [] };
	const parsed = parameterJson(value);
	if (parsed === undefined) {
		throw new InputError(
			'Other Attributes is not valid JSON',
			'Check quotes, commas and brackets; an object such as {"title": "Engineer"} is expected.',
		);
	}
	if (!isObject(parsed)) {
		throw new InputError(
			'Other Attributes is not a JSON object',
			'Give an object such as {"title": "Engineer"}.',
		);
	}
	const never = [...SET_BY_THE_SERVICE, CORE_SCHEMA, ...ignored].map((name) => name.toLowerCase());
	const left = Object.keys(parsed).filter((name) => never.includes(name.toLowerCase()));
	const attributes = Object.fromEntries(
		Object.entries(parsed).filter(([name]) => !left.includes(name)),
	);
	return {
		attributes: withCanonicalNames(attributes),
		warnings: left.length > 0 ? [`Left out of Other Attributes: ${left.join(', ')}.`] : [],
	};
}
