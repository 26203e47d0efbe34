import { isObject } from './isObject';

/** Whether two JSON values are the same; the order of names in objects does not matter. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
	if (Array.isArray(one) && Array.isArray(other)) {
		return one.length === other.length && one.every((entry, at) => isDeepEqual(entry, other[at]));
	}
	if (isObject(one) && isObject(other)) {
		const names = Object.keys(one);
		return (
			names.length === Object.keys(other).length &&
			names.every((name) => Object.hasOwn(other, name) && isDeepEqual(one[name], other[name]))
		);
	}
	return Object.is(one, other);
}
