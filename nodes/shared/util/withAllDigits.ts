/** A text in quotes, or a number: each is taken whole, so that no part of one passes for a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const LONG = /^-?\d{16,}$/;

/** Where an integer of so many digits may stand, so that most texts need no scan. */
const MAY_HAVE_ONE = /(?:^|[[:,])\s*-?\d{16}/;

/**
 * JSON whose integers beyond 2^53 are texts, so that IDs that services send as numbers keep their digits (RFC 7643 section
 * 3.1 has `id` as a text). The text has to be valid JSON: in others a text may have no end, which takes a time that grows with
 * the square of its quotes.
 */
export function withAllDigits(json: string): string {
	if (!MAY_HAVE_ONE.test(json)) return json;
	return json.replace(TEXT_OR_NUMBER, (found) =>
		LONG.test(found) && !Number.isSafeInteger(Number(found)) ? `"${found}"` : found,
	);
}
