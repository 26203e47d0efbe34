/** Tests texts against a pattern in which `*` stands for any characters, in any case. */
export function wildcard(pattern: string): (text: string) => boolean {
	const parts = pattern
		.toLowerCase()
		// Several in a row mean the same as one, and would only make the search slow.
		.split(/\*+/)
		.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
	const expression = new RegExp(`^${parts.join('[^]*')}$`);
	return (text) => expression.test(text.toLowerCase());
}
