import type { ResourceType } from './resource';
import type { ScimPrefix } from './traits';

const PREFIX = 'scim';

/** Path segments of a collection, or of one resource when an id is given (test/contract/interface.md 1.5, both forms). */
export function resourcePath(
	prefix: ScimPrefix,
	type: ResourceType | 'Schemas' | 'ResourceTypes',
	id?: string,
): string[] {
	const prefixed = prefix === 'everyRequest' || (prefix === 'collectionsOnly' && id === undefined);
	return [...(prefixed ? [PREFIX] : []), type, ...(id === undefined ? [] : [id])];
}
