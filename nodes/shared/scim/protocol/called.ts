import { isEmailAddress, nameKey, shown } from '../../util';
import { matchingBy } from './matching';
import { attribute, readText, type User } from './resource';

/**
 * Returns what people call a user, as in `Ana Silva (ana@example.com)`: the name that the service shows with the address, or
 * the one that there is.
 */
export function calledUser(user: Pick<User, 'userName' | 'attributes'>): string | undefined {
	const { userName } = user;
	const isAddress = isEmailAddress(userName);
	const address = shown(isAddress ? userName : matchingBy('email').keyOf(user) || userName);
	const name = nameShown(user);
	if (name === undefined || nameKey(name) === nameKey(address)) return address || undefined;
	return address === '' ? name : `${name} (${address})`;
}

/** Returns the name of a user that the service shows. */
function nameShown({ attributes }: Pick<User, 'attributes'>): string | undefined {
	const name = attribute(attributes, 'name');
	const parts = ['givenName', 'familyName'].map((part) => readText(attribute(name, part)));
	const names = [
		readText(attribute(attributes, 'displayName')),
		readText(attribute(name, 'formatted')),
		parts.filter(Boolean).join(' '),
	].map((text = '') => shown(text.trim()));
	return names.find((text) => text !== '');
}
