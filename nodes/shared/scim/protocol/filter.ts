/** `attribute co "text"`: the attribute contains the text (RFC 7644 section 3.4.2.2). */
export function contains(attribute: string, text: string): string {
	return `${attribute} co ${JSON.stringify(text)}`;
}

/** `attribute eq "value"` with the value quoted as JSON (RFC 7644 section 3.4.2.2). */
export function equals(attribute: string, value: string): string {
	return `${attribute} eq ${JSON.stringify(value)}`;
}
