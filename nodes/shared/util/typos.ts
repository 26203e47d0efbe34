import { addTo } from './maps';

/** Of fewer letters, such as initials, two people differ as often as by a typo. */
const FEWEST_LETTERS = 4;

const OTHER_LETTER = /^\p{L}$/u;

/**
 * Finds known addresses that differ from a wanted one by one typing error: a letter of the local part is missing, too many, or
 * swapped with its neighbor. Digits never differ: they tell numbered users apart. Linear in all addresses.
 * @param wanted folded by `nameKey`, as those known are
 * @returns by wanted address those near it
 */
export function typosIn(
	wanted: ReadonlySet<string>,
	known: ReadonlySet<string>,
): Map<string, string[]> {
	const near = new Map<string, string[]>();
	for (const address of known) {
		for (const one of [...shorter(address), ...swapped(address)])
			if (wanted.has(one)) addTo(near, one, address);
	}
	for (const address of wanted)
		for (const one of shorter(address)) if (known.has(one)) addTo(near, address, one);
	return near;
}

/** The address with each of its letters left out. */
function shorter(address: string): Set<string> {
	const letters = lettersIn(address);
	const all = letters.length > FEWEST_LETTERS ? letters : [];
	return new Set(all.map((at) => address.slice(0, at) + address.slice(at + 1)));
}

/** The address with each two neighboring letters swapped. */
function swapped(address: string): string[] {
	const letters = lettersIn(address);
	if (letters.length < FEWEST_LETTERS) return [];
	return letters.flatMap((at, index) => {
		const [one, other] = [address[at], address[at + 1]];
		const isPair = letters[index + 1] === at + 1 && one !== other;
		return isPair ? address.slice(0, at) + other + one + address.slice(at + 2) : [];
	});
}

/** The places of the letters in the local part; none where it is no address. */
function lettersIn(address: string): number[] {
	const letters: number[] = [];
	const end = address.lastIndexOf('@');
	for (let at = 0; at < end; at++) if (isLetter(address[at])) letters.push(at);
	return letters;
}

function isLetter(character: string): boolean {
	return (character >= 'a' && character <= 'z') || OTHER_LETTER.test(character);
}
