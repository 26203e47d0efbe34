/** Most names are, and they are compared often. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * What two spellings of one user name or email have in common: services tell neither cases nor composed characters from
 * combined ones, and neither must anything that compares names here.
 */
export function nameKey(name: string): string {
	const lower = name.toLowerCase();
	return isSpelledOneWay(lower) ? lower : lower.normalize('NFC');
}

/** Whether no other spelling of a name has its characters composed or combined otherwise. */
export function isSpelledOneWay(name: string): boolean {
	return ASCII.test(name);
}
