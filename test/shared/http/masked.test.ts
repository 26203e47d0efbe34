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
		['a short secret within other words: sword, words, Wörd', 'word'],
		['ids 81234, 12345 and 1234a', '1234'],
		['of one character within words', 'w'],
		['&amp;amp; %2 &#99999999; \\ux &#1114112;', KEY],
		['İstanbul ÄÖÜ 日本語', KEY],
	])('%s', (text, secret) => {
		expect(hidden(text, secret)).toBe(text);
	});

	it('a token with its organization is hidden as a whole', () => {
		const token = 'abcdefgh1234:org-1234';
		expect(hidden(`bad ${token.toUpperCase()}, key ABCDEFGH1234`, token)).toBe('bad ***, key ***');
	});
});

describe('a secret of fewer than eight characters', () => {
	const ODD = 'Xk7#pQ2';
	it.each([
		['as it is', 'abc', 'login failed for svc with abc', 'login failed for svc with ***'],
		['in another case', 'abc', 'user svc:ABC, "Abc"', 'user svc:***, "***"'],
		['in an address', 'abc', '?key=abc&user=abcd', '?key=***&user=abcd'],
		[
			'a word of the message',
			'the',
			'the user is not in the group',
			'*** user is not in *** group',
		],
		['a number', '1234', 'PIN 1234 of 12345', 'PIN *** of 12345'],
		['a single character', 'a', 'bad password "a"', 'bad password "***"'],
		['with a sign at its end', 'ab!', 'no ab!c, no cab!', 'no ***c, no cab!'],
		[
			'one that is no word, anywhere',
			ODD,
			`svc${ODD}x, SVC${ODD.toUpperCase()}`,
			'svc***x, SVC***',
		],
		['percent-encoded', ODD, '?p=Xk7%23pQ2', '?p=***'],
		['in Base64', 'abcde', 'YWJjZGU=, YWJjZGUx', '***=, YWJjZGUx'],
		['a pair in Base64', ':ab', 'Basic OmFi', 'Basic ***'],
	])('%s', (_, secret, text, expected) => {
		expect(hidden(text, secret)).toBe(expected);
		expect(masked(text, { secrets: [], values: [secret] })).toBe(expected);
	});
});

describe('a secret with characters that are written out', () => {
	const SIGNS = `a<b&"c'd/e+`;
	const html = (code: (character: string) => string) => SIGNS.replace(/[^a-e]/g, code);
	it.each([
		['named', `a&lt;b&amp;&quot;c&#39;d/e+`],
		['numbered', html((sign) => `&#${sign.charCodeAt(0)};`)],
		['numbered with zeros', html((sign) => `&#0${sign.charCodeAt(0)};`)],
		['numbered in hexadecimal', html((sign) => `&#x${sign.charCodeAt(0).toString(16)};`)],
		['in upper case', html((sign) => `&#X${sign.charCodeAt(0).toString(16).toUpperCase()};`)],
		['twice', `a&amp;lt;b&amp;amp;&amp;quot;c&amp;#39;d/e+`],
		['in JSON', String.raw`a<b&\"c'd\/e+`],
		['in JSON by numbers', html((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)],
		['in a URL, each of them', html((sign) => `%${sign.charCodeAt(0).toString(16)}`)],
		['in JSON within a page', `a\\u003cb&amp;\\&quot;c&#39;d/e+`],
		['its middle', `&lt;b&amp;&quot;c&#39;d/e`],
	])('%s', (_, written) => {
		expect(hidden(`<p>no ${written}</p>`, SIGNS)).toBe('<p>no ***</p>');
	});

	it('a line break in JSON', () => {
		expect(hidden('no one\\ntwo', 'one\ntwo')).toBe('no ***');
	});

	it('the rest of the page stays as it is written', () => {
		const page = 'A &amp; B: &lt;b&gt; &#128512; a&lt;b&amp; &amp; &unknown;';
		expect(hidden(page, 'a<b&')).toBe('A &amp; B: &lt;b&gt; &#128512; *** &amp; &unknown;');
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
		[
			'a short one where it stands alone',
			'Anna: anna, Annas, Joanna',
			'Anna',
			'***: ***, Annas, Joanna',
		],
		['an empty one', 'as it is', ''],
	])('%s', (_, text, value, expected: unknown = text) => {
		expect(shown(text, value)).toEqual(expected);
	});
});
