/** What only a secret is called, as a word of a name, at the end of one, or as all of it. */
const SECRET =
	/passw(?:or)?d|passphrase|passcode|(?:access|api|private)key|(?:backup|recovery)code|(?:pwd|secret|token)s?$|^(?:t?otp|pin|pw)s?$/;
/** In each of them: names are asked for by the hundred thousand, and most have none. */
const MAYBE = /pass|key|code|pw|secret|token|otp|pin/i;
/** Between the words of `apiKey`, `API_Key`, `api-key` and `key2`. */
const BETWEEN_WORDS = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/;
/** No path is longer. Of what is, it is not asked where it begins and ends. */
const LONGEST = 1_000;
/** What chooses among values: `emails[type eq "work"]`. */
const CHOICE = /\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]/g;

/**
 * Tells whether the name of an attribute, or its path, says that it holds a secret: the words in it do, so that `apiKey` and
 * `password2` are, and `shipping` and `tokenizer` are not.
 */
export function isSecretName(path: string): boolean {
	if (!MAYBE.test(path)) return false;
	if (path.length > LONGEST) return true;
	const own = path.replace(CHOICE, '');
	return own
		.slice(own.lastIndexOf(':') + 1)
		.split('.')
		.some((name) => {
			const words = name.split(BETWEEN_WORDS).map((word) => word.toLowerCase());
			return [words.join(''), ...words].some((word) => SECRET.test(word));
		});
}

/** Tells whether an attribute with this value is secret: that a password must be changed, or that there is none, is not. */
export function isSecret(path: string, value: unknown): boolean {
	return value !== undefined && value !== null && typeof value !== 'boolean' && isSecretName(path);
}
