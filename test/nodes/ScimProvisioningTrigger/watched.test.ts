import {
	changedAttributes,
	markingFor,
	markOf,
	watchedKey,
} from '../../../nodes/ScimProvisioningTrigger/watched';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const NAMES = ['userName', 'name', 'emails', 'externalId', 'title', ENTERPRISE, 'roles.value'];
const keys = NAMES.map((name) => watchedKey(name, 'Watched Attributes'));
const marking = markingFor(keys, false);
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

it('keeps 8 bytes of each user', () => {
	expect(digest(ana)).toMatch(/^[\w-]{11}$/);
	expect(digest({})).toMatch(/^[\w-]{11}$/);
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

it('values are kept in one order, with names in lower case', () => {
	const attributes = ['emails', 'nickname'];
	const emails = [{ Value: 'b', type: '' }, { value: 'a', Type: 'x' }, null];
	expect(JSON.stringify(markOf(userOf({ emails, nickName: null }), { attributes }))).toBe(
		'{"emails":[{"type":"x","value":"a"},{"value":"b"}]}',
	);
});

it.each([
	[51, 0],
	[52, '{"name":0}'],
])('the parts of what lies %i levels deep are kept up to there', (levels, last) => {
	const nested = (inner: unknown, count: number): unknown =>
		count === 0 ? inner : { name: nested(inner, count - 1) };
	const title = nested(0, levels);
	expect(markOf(userOf({ title }), { attributes: ['title'] })).toEqual({ title: nested(last, 51) });
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
	expect(markOf(userOf(ana), markingFor(keys, false))).not.toBe(digest(ana));
	expect(markingFor([...keys].reverse(), false, marking)).toBe(marking);
	expect(markingFor(keys.slice(1), false, marking).key).not.toBe(marking.key);
	expect(marking.key).toMatch(/^[\w-]{22}$/);
	const values = markingFor(['title', 'name'], true);
	expect(values).toEqual({ attributes: ['name', 'title'] });
	expect(markingFor(['title', 'name'], true, values)).toBe(values);
	expect(markingFor(['title', 'name'], false, values)).toHaveProperty('key');
	expect(markingFor(keys, true, marking)).not.toHaveProperty('key');
});

it('values say which attributes changed, and also when one came or went', () => {
	const kept = markingFor(keys, true);
	const values = (attributes: object) => markOf(userOf(attributes), kept);
	const changed = (one: object, other: object) => changedAttributes(values(one), values(other));
	expect(changed(ana, { ...ana, emails: [home, work], title: 'Nurse' })).toEqual(['title']);
	expect(changed(ana, { ...ana, name: undefined })).toEqual(['name']);
	expect(changed(ana, { ...ana, [ENTERPRISE.toUpperCase()]: 1, [ENTERPRISE]: null })).toEqual([
		ENTERPRISE.toLowerCase(),
	]);
	expect(changed(ana, ana)).toStrictEqual([]);
	expect(changed({}, { title: 'x' })).toEqual(['title']);
	expect(changedAttributes(digest(ana), digest({}))).toBeUndefined();
	expect(changedAttributes(values(ana), digest(ana))).toBeUndefined();
	expect(changedAttributes(digest(ana), values(ana))).toBeUndefined();
});
