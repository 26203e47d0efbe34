/** The number that a service says, as a number or as text; NaN for anything else, which `Number` might throw at. */
export function numberOf(said: unknown): number {
	return typeof said === 'string' || typeof said === 'number' ? Number(said) : Number.NaN;
}
