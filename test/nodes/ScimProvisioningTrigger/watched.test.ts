import {
	changedAttributes,
	markingFor,
	markOf,
	watchedKey,
} from '../../../nodes/ScimProvisioningTrigger/memory';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const NAMES = ['userName', 'name', 'emails', 'externalId', 'title', ENTERPRISE, 'roles.value'];
const keys = NAMES.map((name) => watchedKey(name, 'Watched Attributes'));
const marking = markingFor(keys);
const userOf = (attributes: object) => readUser({ id: 'u-1', ...attributes }) as User;
const digest = (attributes: object) => markOf(userOf(attributes), marking);

const work = { value: 'ana@example.com', type: 'work', primary: true };
const home = { value: 'ana@home.example', type: 'home' };
const ana = {
	userName: 'ana@example.com',
	name: { givenName: 'Ana', familyName: 'Silva' },
	emails: [work, home],
	title: '',
	roles: [{ value: 'b' }, { value: 'a' }],
	[ENTERPRISE]: { department: 'Ward', manager: { value: 'm-1', displayName: 'Mia' } },
};

it('keeps 6 bytes of each attribute', () => {
	expect(digest(ana)).toMatch(/^[\w-]{56}$/);
	expect(digest({})).toMatch(/^[\w-]{56}$/);
});

it.each([
	['userName', 'username'],
	['urn:ietf:params:scim:schemas:core:2.0:USER:Title', 'title'],
	[ENTERPRISE, ENTERPRISE.toLowerCase()],
	['metadata', 'metadata'],
])('%s is watched as %s', (name, key) => {
	expect(watchedKey(name, 'List')).toBe(key);
});

it.each([
	['a b', 'List has "a b", which is not an attribute name'],
	['', 'not an attribute name'],
	['Active', 'List has "Active", which cannot be watched'],
	['groups.value', 'cannot be watched'],
	['urn:ietf:params:scim:schemas:core:2.0:User:meta.version', 'cannot be watched'],
])('%p cannot be watched', (name, words) => {
	expect(() => watchedKey(name, 'List')).toThrow(words);
});

it.each([52, 60, 20_000])('what lies %i levels deep counts, too', (levels) => {
	const nested = (inner: unknown) => {
		for (let level = 0; level < levels; level++) inner = level % 2 ? [inner] : { name: inner };
		return digest({ ...ana, title: inner });
	};
	expect(nested('x')).not.toBe(digest(ana));
	// Of what is too deep to be written it only counts that it is there.
	if (levels < 1_000) expect(nested('x')).not.toBe(nested('y'));
});

it.each<[string, object]>([
	['entries in another order', { ...ana, emails: [home, work], roles: [...ana.roles].reverse() }],
	['names in another order', Object.fromEntries(Object.entries(ana).reverse())],
	['inner names in another order', { ...ana, name: { familyName: 'Silva', givenName: 'Ana' } }],
	[
		'names in another case',
		Object.fromEntries(Object.entries(ana).map(([name, value]) => [name.toUpperCase(), value])),
	],
	['inner names in another case', { ...ana, name: { GivenName: 'Ana', familyname: 'Silva' } }],
	['null', { ...ana, title: null, externalId: null }],
	['an empty text', { ...ana, externalId: '', name: { ...ana.name, middleName: '' } }],
	['an empty list', { ...ana, externalId: [], emails: [work, {}, home, null] }],
	['an empty object', { ...ana, externalId: {}, emails: [{ ...work, display: [{}] }, home] }],
	[
		'what is not watched',
		{ ...ana, nickName: 'An', roles: [{ value: 'a', type: 'x' }, { value: 'b' }] },
	],
	[
		'what never counts',
		{ ...ana, active: false, groups: [{ value: 'g' }], meta: { version: '2' } },
	],
])('%s is no change', (_what, attributes) => {
	expect(digest(attributes)).toBe(digest(ana));
});

it.each<[string, object]>([
	['another text', { ...ana, title: 'Nurse' }],
	['another case of a value', { ...ana, userName: 'Ana@example.com' }],
	['zero and false, which say something', { ...ana, title: 0, externalId: false }],
	['one value less', { ...ana, emails: [work] }],
	['the same value twice', { ...ana, emails: [work, work, home] }],
	['values that changed places', { ...ana, name: { givenName: 'Silva', familyName: 'Ana' } }],
	[
		'what stood for another',
		{
			...ana,
			emails: [
				{ ...work, type: 'home' },
				{ ...home, type: 'work' },
			],
		},
	],
	[
		'deep in an extension',
		{ ...ana, [ENTERPRISE]: { department: 'Ward', manager: { value: 'm-2' } } },
	],
	['an extension that is gone', { ...ana, [ENTERPRISE]: undefined }],
])('%s is a change', (_what, attributes) => {
	expect(digest(attributes)).not.toBe(digest(ana));
});

it('digests of another key are others; the same attributes keep the key', () => {
	expect(markOf(userOf(ana), markingFor(keys))).not.toBe(digest(ana));
	expect(markingFor([...keys].reverse(), marking)).toBe(marking);
	expect(markingFor(keys.slice(1), marking).key).not.toBe(marking.key);
	expect(marking.key).toMatch(/^[\w-]{22}$/);
});

it('digests say which attributes changed, also when one came or went, and not who has the same value twice', () => {
	const changed = (one: object, other: object) =>
		changedAttributes(digest(one), digest(other), marking);
	expect(changed(ana, { ...ana, emails: [home, work], title: 'Nurse' })).toEqual(['title']);
	expect(changed(ana, { ...ana, name: undefined })).toEqual(['name']);
	expect(changed(ana, { ...ana, [ENTERPRISE.toUpperCase()]: 1, [ENTERPRISE]: null })).toEqual([
		ENTERPRISE.toLowerCase(),
	]);
	expect(changed(ana, ana)).toStrictEqual([]);
	expect(changed({}, { title: 'x' })).toEqual(['title']);
	const parts = digest({ title: 'same', externalId: 'same' }).match(/.{8}/g) ?? [];
	expect(new Set(parts).size).toBe(parts.length);
});
