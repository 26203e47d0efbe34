import { attribute, putAttribute, readText, SCHEMA, valueAt, type Attributes } from '../../scim';
import { isObject } from '../../util';

/** RFC 7643 section 4.3: the ID of another user. */
const MANAGER = `${SCHEMA.enterpriseUser}:manager`;

/** What attributes say of the manager, however they are written; undefined where they name none. */
export function managerIn(attributes: Attributes): string | undefined {
	const whole = valueAt(attributes, MANAGER);
	const value = isObject(whole) ? attribute(whole, 'value') : whole;
	return readText(value ?? valueAt(attributes, `${MANAGER}.value`))?.trim() || undefined;
}

/** Tells whether attributes say that there is to be no manager. */
export function clearsManager(attributes: Attributes): boolean {
	return [MANAGER, `${MANAGER}.value`].some((path) => valueAt(attributes, path) === null);
}

/** Returns attributes with another manager, or with none for null. @param id undefined: they say nothing of it any more */
export function withManager(attributes: Attributes, id: string | null | undefined): Attributes {
	const prefix = SCHEMA.enterpriseUser.toLowerCase();
	const isManager = (name: string) => /^manager(?:\.value)?$/i.test(name);
	const others = Object.entries(attributes).flatMap(([name, value]): Array<[string, unknown]> => {
		const lower = name.toLowerCase();
		if (lower.startsWith(`${prefix}:`) && isManager(name.slice(prefix.length + 1))) return [];
		if (lower !== prefix || !isObject(value)) return [[name, value]];
		const left = Object.entries(value).filter(([part]) => !isManager(part));
		return left.length === 0 ? [] : [[name, Object.fromEntries(left)]];
	});
	const left = Object.fromEntries(others);
	if (id === undefined) return left;
	return putAttribute(left, [SCHEMA.enterpriseUser, 'manager'], id === null ? null : { value: id });
}

/** Stands for the ID of a manager whom the same plan creates. */
export function idOfNew(userName: string): string {
	return `{id of ${userName}}`;
}

/** Returns the user name of the new user whom attributes name as the manager, if they do. */
export function newManagerIn(attributes: Attributes = {}): string | undefined {
	return /^\{id of (.+)\}$/s.exec(managerIn(attributes) ?? '')?.[1];
}
