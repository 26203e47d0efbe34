/** A shorter run of a secret may stand in ordinary words. */
const SHORTEST_RUN = 8;

/** What must appear in no message. */
export interface Hidden {
	/** Of the credential: every run of them, as a service may repeat a part alone, or in another form. */
	secrets: readonly string[];
	/** Of one request: each as a whole, as there are URLs and words among them. */
	values?: readonly string[];
}

/**
 * Replaces what is hidden by ***: ignoring case, in Base64 and percent-encoded. Of a secret, runs of eight characters and
 * more are hidden, which ordinary text does not share with it; a value shorter than that only as it is written.
 */
export function masked(text: string, { secrets, values = [] }: Hidden): string {
	const plain = lowerCase(text);
	const isHidden = new Uint8Array(text.length);
	const hide = (within: string, part: string) => {
		for (let at = within.indexOf(part); at >= 0 && part !== ''; at = within.indexOf(part, at + 1))
			isHidden.fill(1, at, at + part.length);
	};
	for (const value of values) {
		hide(text, value);
		for (const form of formsOf(value)) hide(plain, form);
	}
	const runs = new Set(secrets.flatMap((secret) => formsOf(keyOf(secret)).flatMap(runsIn)));
	for (const secret of secrets) for (const form of formsOf(secret)) hide(plain, form);
	for (const [at, run] of runsIn(plain).entries()) {
		if (runs.has(run)) isHidden.fill(1, at, at + SHORTEST_RUN);
	}
	let shown = '';
	for (let at = 0; at < text.length; at++) {
		if (isHidden[at] === 0) shown += text[at];
		else if (at === 0 || isHidden[at - 1] === 0) shown += '***';
	}
	return shown;
}

/** What is secret of a token: behind a colon stands an organization (test/contract/interface.md 2.1), which messages name. */
function keyOf(secret: string): string {
	const [key] = secret.split(':', 1);
	return key.length < SHORTEST_RUN ? secret : key;
}

/** How a secret may be written, in lower case. */
function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	// Where it begins within three bytes decides how it looks in Base64; what its neighbors decide is left off.
	const inBase64 = [0, 1, 2].map((offset) =>
		Buffer.concat([Buffer.alloc(offset), bytes])
			.toString('base64')
			.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)),
	);
	const forURLs = inBase64.map((form) => form.replace(/\+/g, '-').replace(/\//g, '_'));
	const forms = [secret, encodeURIComponent(bytes.toString()), ...inBase64, ...forURLs];
	return [...new Set(forms.map(lowerCase))].filter((form) => form.length >= SHORTEST_RUN);
}

function runsIn(text: string): string[] {
	const runs = Math.max(0, text.length - SHORTEST_RUN + 1);
	return Array.from({ length: runs }, (_, at) => text.slice(at, at + SHORTEST_RUN));
}

/** Of ASCII alone, so that every character stays in its place. */
function lowerCase(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
