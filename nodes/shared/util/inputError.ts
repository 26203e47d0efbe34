/**
 * Something a person gave (a parameter, an item, a credential) that cannot be used. Nothing was sent for it.
 * `message` says what happened, `description` how to mend it.
 */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}
