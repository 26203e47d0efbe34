import { readAnswer } from '../../nodes/shared/http/answer';
import { groupMeaning } from '../../nodes/shared/scim/protocol/groupMeaning';
import { wasThereBefore } from '../../nodes/shared/scim/protocol/resource';
import { isSecretName } from '../../nodes/shared/util';
import { workOf } from '../support/work';

// What a service sends may be of any length: twice as much of it takes twice the work, and not four times.

const ENDPOINT = {
	base: { href: 'https://api.example.com', host: 'api.example.com' },
	mediaType: 'application/json',
	errorTypeField: 'scimType',
	secrets: ['S3cr3tTokenOfTheAccount'],
	advise: () => undefined,
};
const REQUEST = {
	method: 'GET',
	path: ['Users'],
	repeat: 'always',
	purpose: 'list users',
} as const;

const answer = (text: string) => {
	try {
		readAnswer({ status: 400, headers: {}, text }, REQUEST, ENDPOINT);
	} catch {
		// It is an error whatever it says.
	}
};
const NAMES = { text: '{organization}-{role}', on: 'displayName', roles: ['admin'] } as const;
const reading = (given: { text: string; on: 'id' | 'displayName' }) => (name: string) =>
	groupMeaning({ ...given, roles: ['admin'] }).parse(name, name);

it.each<[string, (text: string) => unknown, string, string?]>([
	['an error page of tags without an end', answer, '<'],
	['an error page of titles', answer, '<title'],
	['an error page of scripts', answer, '<script>'],
	['an error page of styles that end', answer, '<style></style>'],
	['a name that a pattern cuts anywhere', reading(NAMES), '-'],
	['a name that ends in a role', reading(NAMES), '-a', '-admin'],
	['the role first', reading({ ...NAMES, text: '{role}-{organization}' }), 'a-'],
	['an ID that a pattern cuts anywhere', reading({ ...NAMES, on: 'id' }), '-'],
	['a name of blanks', reading({ ...NAMES, text: '{organization} {role}' }), ' ', 'x'],
	[
		'a time of creation that is none',
		(created) => wasThereBefore({ id: '1', userName: '', attributes: { meta: { created } } }, 0),
		':',
	],
	['a name of an attribute with brackets', (name) => isSecretName(name), '[', 'key'],
])('%s', (_, run, piece, end = '') => {
	const work = (times: number) => workOf(() => run(`x${piece.repeat(times)}${end}`));
	const [once, twice] = [work(2_000), work(4_000)];
	expect(twice.characters).toBeLessThan(2.5 * once.characters + 1_000);
	expect(twice.runningOn).toStrictEqual([]);
});

it.each([
	[
		'a known role at its end decides',
		'-admin',
		{ organization: 'x'.concat('-x'.repeat(99)), role: 'admin' },
	],
	['none does', '-other', undefined],
])('a name that can be cut in a hundred places: %s', (_, end, place) => {
	const name = `x${'-x'.repeat(99)}${end}`;
	expect(groupMeaning(NAMES).parse('g', name)).toEqual(place);
});
