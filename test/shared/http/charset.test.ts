import { decode } from '../../../nodes/shared/http/answer';

const NAME = 'jörg';
const UTF_8 = Buffer.from(NAME, 'utf8');
const LATIN_1 = Buffer.from(NAME, 'latin1');

it.each<[Buffer, unknown, string | RegExp]>([
	...['application/scim+json', undefined, 'text/json; charset=UTF-8', 'a/b;charset="utf8"'].map(
		(type) => [UTF_8, type, NAME] as [Buffer, unknown, string],
	),
	[Buffer.from('\uFEFFx'), undefined, '\uFEFFx'],
	[LATIN_1, 'application/json; charset=ISO-8859-1', NAME],
	// Frameworks name it by themselves, and send what they have.
	[UTF_8, 'application/json;charset=ISO-8859-1', NAME],
	[LATIN_1, 'application/json', /^bytes that are not UTF-8$/],
	[UTF_8.subarray(0, 2), undefined, /^bytes that are not UTF-8$/],
	[UTF_8, 'application/json; charset=utf-16', /^the charset utf-16, which is not supported$/],
])('%p as %p', (bytes, type, expected) => {
	const { text, against } = decode(bytes, type);
	if (typeof expected === 'string') expect({ text, against }).toEqual({ text: expected });
	else expect(against).toMatch(expected);
});
