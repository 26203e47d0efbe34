import { InputError } from '../util';

/**
 * A token or key out of a credential, that can be sent in a header.
 * @param name as the credential calls it
 * @throws InputError when it is empty, or has characters that no token has
 */
export function readHeaderSecret(value: unknown, name: string): string {
	const secret = typeof value === 'string' ? value : '';
	if (secret.trim() === '') {
		throw new InputError(`The ${name} is missing`, 'Enter it in the credential.');
	}
	// Anything else cannot be sent in a header, and the error of the HTTP library would show the secret.
	if (!/^[\x21-\x7e]+$/.test(secret)) {
		throw new InputError(
			`The ${name} contains whitespace or invalid characters`,
			'Copy it again, without anything before or after it, into the credential.',
		);
	}
	return secret;
}
