import fc from 'fast-check';

import { masked } from '../../../nodes/shared/http/masked';

const KEY = 'q7Zt+4/Wm9.xK2~vB8n_Pd1sLr6';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const around = (before: number) => base64(`${'#'.repeat(before)}${KEY}:`);

const hidden = (text: string, secret = KEY) => masked(text, { secrets: [secret] });

describe('a secret of the credential', () => {
	it.each([
		['as it is', KEY],
		['in upper case', KEY.toUpperCase()],
		['in lower case', KEY.toLowerCase()],
		['its beginning', KEY.slice(0, 9)],
		['its end', KEY.slice(-9)],
		['its middle', KEY.slice(5, 13)],
		['in parts', `${KEY.slice(0, 9)} … ${KEY.slice(-9)}`],
		['percent-encoded', encodeURIComponent(KEY)],
		['percent-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
		['in Base64', base64(KEY)],
		['in Base64 for URLs', Buffer.from(KEY).toString('base64url')],
		['in Base64, cut', base64(KEY).slice(0, 14)],
		['in Base64, in lower case', base64(KEY).toLowerCase()],
		...[1, 2, 3, 4, 5].map((before) => [`in Base64 behind ${before} others`, around(before)]),
	])('%s', (_, shown) => {
		const text = hidden(`The token ${shown} is not valid`);
		expect(text).toMatch(/^The token .*\*\*\*.* is not valid$/);
		const left = text.slice('The token '.length, -' is not valid'.length).split(/\*\*\*|…/);
		// Beside it only what its neighbors have a share in.
		expect(left.filter((part) => part.trim().length > 8)).toStrictEqual([]);
	});

	it('wherever it is cut, eight characters of it in a row are in no message', () => {
		fc.assert(
			fc.property(
				fc.string({ minLength: 8, maxLength: 40 }).filter((text) => !text.includes(':')),
				fc.nat(32),
				fc.nat(40),
				fc.string(),
				(secret, from, length, before) => {
					const text = hidden(`${before}${secret.slice(from, from + length)}`, secret);
					for (let at = 0; at + 8 <= secret.length; at++) {
						const run = secret.slice(at, at + 8);
						if (!run.includes('*')) expect(text).not.toContain(run);
					}
				},
			),
		);
	});
});

describe('ordinary text stays', () => {
	it.each([
		['', KEY],
		['Could not create user ana@example.com: userName is required', KEY],
		['The token q7Zt+4/ has expired', KEY],
		['organization org-1234 is not known', 'abcdefgh1234:org-1234'],
		['use Bearer authentication', KEY],
		['a short secret is a word', 'word'],
		['İstanbul ÄÖÜ 日本語', KEY],
	])('%s', (text, secret) => {
		expect(hidden(text, secret)).toBe(text);
	});

	it('a token with its organization is hidden as a whole', () => {
		const token = 'abcdefgh1234:org-1234';
		expect(hidden(`bad ${token.toUpperCase()}, key ABCDEFGH1234`, token)).toBe('bad ***, key ***');
	});
});

describe('a value of a request', () => {
	const shown = (text: string, value: string) => masked(text, { secrets: [], values: [value] });
	const URL = 'https://hooks.example.com/T0/secret';

	it.each([
		['as it is', `no ${URL}`, URL, 'no ***'],
		['in another case', `no ${URL.toUpperCase()}`, URL, 'no ***'],
		['in Base64', `no ${base64(URL)}`, URL, expect.stringMatching(/^no \*\*\*.{0,3}$/)],
		['twice', `${URL}${URL}`, URL, '***'],
		['not in part, as there are words in it', 'see https://hooks.example.com/help', URL],
		['a short one as it is alone', 'Anna, anna', 'Anna', '***, anna'],
		['an empty one', 'as it is', ''],
	])('%s', (_, text, value, expected: unknown = text) => {
		expect(shown(text, value)).toEqual(expected);
	});
});
