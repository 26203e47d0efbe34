/** `attribute co "text"`: the attribute contains the text (RFC 7644 section 3.4.2.2). */
export function contains(attribute: string, text: string): string {
	return `${attribute} co ${JSON.stringify(text)}`;
}

/** `attribute eq "value"` with the value quoted as JSON (RFC 7644 section 3.4.2.2). */
export function equals(attribute: string, value: string): string {
	return `${attribute} eq ${JSON.stringify(value)}`;
}

const COMPARISON = /([^\s()]+)\s+(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)\b/gi;

/** The attributes that a filter compares, as written; `members[value eq "x"]` compares `members.value`. */
export function comparedAttributes(filter: string): string[] {
	const unquoted = filter.replace(/"(?:[^"\\]|\\.)*"/g, '""');
	const whole = unquoted.replace(/([^\s()[\]]+)\[([^\]]*)\]/g, (_, list: string, inner: string) =>
		inner.replace(COMPARISON, `${list}.$&`),
	);
	return [...whole.matchAll(COMPARISON)].map(([, attribute]) => attribute);
}
