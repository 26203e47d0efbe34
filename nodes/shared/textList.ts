/** The entries of a text with commas, semicolons or line breaks between them, or of a list of such; blank ones left out. */
export function textList(value: unknown): string[] {
	return (Array.isArray(value) ? (value as unknown[]) : [value])
		.flatMap((entry) => String(entry ?? '').split(/[,;\n]/))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}
