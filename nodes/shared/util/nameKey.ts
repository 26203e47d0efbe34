/**
 * What two spellings of one user name or email have in common: services tell neither cases nor composed characters from
 * combined ones, and neither must anything that compares names here.
 */
export function nameKey(name: string): string {
	return name.toLowerCase().normalize('NFC');
}
