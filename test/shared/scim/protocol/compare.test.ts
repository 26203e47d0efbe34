import {
	compareAttributes,
	compareUser,
	compareWholeLists,
	isSameSpelling,
	lostPaths,
	missedParts,
} from '../../../../nodes/shared/scim/protocol/compare';
import { PROFILES } from '../../../../nodes/shared/scim/protocol/service';
import { readUser, type User } from '../../../../nodes/shared/scim/protocol/resource';

const SAME = { different: [], notShown: [] };

describe('compareAttributes', () => {
	const work = { value: 'a@x.com', type: 'Work', primary: true };
	const emails = [work, { value: 'b@x.com' }, 'c', { type: 'none', display: null }];

	it.each<[string, unknown, 'different' | 'notShown' | undefined]>([
		['emails[type eq "work"]', null, 'different'],
		['emails[ primary EQ True ].value', null, 'different'],
		['emails[type eq "work"].display', null, undefined],
		['emails[type eq "work"].display', 'x', 'notShown'],
		['emails[type eq "none"].display', 'x', 'notShown'],
		['emails[type eq "home"]', null, undefined],
		['phones[type eq "work"]', null, undefined],
		['emails[type eq "work"].value', 'A@x.com', undefined],
		['emails[type eq "work"].value', 'b@x.com', 'different'],
		['emails[type eq "home"].value', 'b@x.com', 'notShown'],
		['emails[type eq "work"]', { value: 'a@x.com' }, undefined],
		['emails[type ne "work"].value', 'b@x.com', 'notShown'],
		['emails[type eq "\\q"].value', 'b@x.com', 'notShown'],
		['urn:x:User:list[id eq 7]', null, 'different'],
		['name.givenName', null, 'different'],
		['name.familyName', null, undefined],
		['urn:x:User:level', null, 'different'],
		['emails.value', null, 'different'],
	])('by a path: %s as %p', (path, value, where) => {
		const shown = {
			...{ emails, name: { givenName: 'A', familyName: '' } },
			'urn:x:User': { level: 1, list: [{ id: 7 }] },
		};
		expect(compareAttributes({ [path]: value }, shown)).toEqual({
			...SAME,
			...(where && { [where]: [path] }),
		});
	});

	it.each([
		['the same text', { displayName: 'Ana' }, { displayName: 'Ana' }],
		['names in other case', { displayName: 'Ana' }, { DISPLAYNAME: 'Ana' }],
		['an email in other case', { userName: 'Ana@Example.com' }, { userName: 'ana@example.com' }],
		['a user name in other case (not caseExact)', { userName: 'Ana' }, { userName: 'ana' }],
		['active as text', { active: false }, { active: 'False' }],
		['more than was asked for', { name: { x: 'A' } }, { name: { x: 'A', y: 1 } }],
		[
			'more entries than were asked for',
			{ emails: [{ value: 'a@x' }] },
			{ emails: [{ value: 'b@x' }, { value: 'A@x', primary: true }] },
		],
		['one object instead of a list', { emails: [{ value: 'a' }] }, { emails: { value: 'a' } }],
		['a number', { floor: 7 }, { floor: 7 }],
		['a list of texts', { tags: ['a'] }, { tags: ['a'] }],
		['the only entry, primary by itself', { x: [{ y: 1, primary: true }] }, { x: [{ y: 1 }] }],
		['nothing wanted and nothing shown', { title: '', nickName: null, emails: [] }, {}],
		['an empty list wanted and shown', { emails: [] }, { emails: [] }],
		['an empty text wanted, a part absent', { name: { middleName: '' } }, { name: {} }],
	])('agree: %s', (_, wanted, shown) => {
		expect(compareAttributes(wanted, shown)).toEqual(SAME);
	});

	it.each([
		['a text', { displayName: 'Ana' }, { displayName: 'Anna' }],
		['another case of a name', { displayName: 'Ana' }, { displayName: 'ANA' }],
		['active', { active: true }, { active: 'False' }],
		['an object for a user name', { userName: 'a@example.com' }, { userName: { toString: 1 } }],
		['a part', { name: { givenName: 'Ana' } }, { name: { familyName: 'Ana' } }],
		['one part of two', { name: { x: 'a', y: 'b' } }, { name: { x: 'a', y: 'c' } }],
		['a number', { floor: 7 }, { floor: 8 }],
		['one entry of two', { tags: ['a', 'b'] }, { tags: ['a', 'c'] }],
		['the only entry, not primary', { x: [{ primary: true }] }, { x: [{ primary: 'false' }] }],
		['one of two, not said to be primary', { x: [{ y: 1, primary: true }] }, { x: [{ y: 1 }, {}] }],
		['two entries for one', { x: [{ y: 1, primary: true }, { z: 2 }] }, { x: [{ y: 1, z: 2 }] }],
		['an entry', { emails: [{ value: 'a@x' }] }, { emails: [{ value: 'b@x' }] }],
		['entries where none are wanted', { emails: [] }, { emails: [{ value: 'b@x' }] }],
	])('differ: %s', (_, wanted, shown) => {
		const [name] = Object.keys(wanted);
		expect(compareAttributes(wanted, shown)).toEqual({ different: [name], notShown: [] });
	});

	it.each([
		[true, 'active'],
		[true, 1],
		[false, 'Disabled'],
		[false, '0'],
	])('the same: active %p, shown as %p', (active, shown) => {
		const none = { different: [], notShown: [] };
		expect(compareAttributes({ active }, { active: shown })).toEqual(none);
	});

	it.each<[string, object, object]>([
		['nothing', { externalId: '7', active: false }, {}],
		['null', { title: 'x' }, { title: null }],
		['a password', { password: 'x' }, { password: 'x' }],
		...['undefined', '', 7, { toString: 1, valueOf: 2 }].map((active): [string, object, object] => [
			'no active',
			{ active: true },
			{ active },
		]),
	])('neither: what shows %s', (_, wanted, shown) => {
		const notShown = Object.keys(wanted);
		expect(compareAttributes({ ...wanted }, { ...shown })).toEqual({ different: [], notShown });
	});
});

it.each([
	['Ana  Sy ', 'ana sy', true],
	['tel:+1 (555) 10-20', '15551020', true],
	['12', '21', false],
	['1a', '1b', false],
	['7', 7, true],
	[null, null, true],
	['null', null, false],
	[null, 'null', false],
	[{}, {}, false],
])('%j is kept of %j, in whatever spelling: %p', (actual, wanted, isKept) => {
	expect(isSameSpelling(actual, wanted)).toBe(isKept);
});

it.each<[string, object, object, string[]]>([
	['text in another case', { title: 'A' }, { title: 'a' }, []],
	['an external ID in another case', { externalId: 'A' }, { externalId: 'a' }, ['externalId']],
	['a label beside a value', { x: [{ value: 'a', Type: 't' }] }, { x: [{ value: 'a' }] }, []],
	[
		'a label that differs',
		{ x: [{ value: 'a', type: 't' }] },
		{ x: [{ value: 'a', type: 'u' }] },
		['x'],
	],
	['a label without a value', { x: [{ y: 'a', type: 't' }] }, { x: [{ y: 'a' }] }, ['x']],
	['what is no label', { x: [{ value: 'a', y: 't' }] }, { x: [{ value: 'a' }] }, ['x']],
])('where any spelling is the same: %s', (_, wanted, shown, different) => {
	expect(compareAttributes({ ...wanted }, { ...shown }, isSameSpelling).different).toEqual(
		different,
	);
});

it.each<[string, unknown, unknown, string[]]>([
	['name', 'a', undefined, ['name']],
	['name', { x: 1, y: 2, z: 3 }, { x: 1, y: 3 }, ['name.y', 'name.z']],
	['name', { x: 1 }, 'text', ['name.x']],
	['name', { x: 1 }, { x: 1 }, ['name']],
	['urn:x:User', { level: 1 }, undefined, ['urn:x:User:level']],
])('what %s misses of %j, shown as %j: %j', (name, wanted, shown, missed) => {
	const isSame = (one: unknown, other: unknown) => one === other;
	expect(missedParts(name, { [name]: wanted }, { [name]: shown }, isSame)).toEqual(missed);
});

const LOGIN = 'Ana@example.com';
const URN = 'urn:example:2.0:User';
const userOf = (attributes: object) =>
	readUser({ id: 'ana', userName: LOGIN, ...attributes }) as User;
const emails = (...texts: string[]) => ({ emails: texts.map((value) => ({ value })) });
const ADDS_LOGIN = { ...PROFILES.generic, knowsPeopleByLogin: true };

describe('compareUser', () => {
	it.each([
		['the login email alone', emails(LOGIN), emails('x@x'), []],
		['the login email among others', emails('ana@EXAMPLE.com', 'x@x'), emails('x@x'), []],
		['another email that is not there', emails(LOGIN, 'x@x'), emails(LOGIN), ['emails']],
		['no email', emails(), emails('ana@example.com'), []],
		['no email, and none shown', emails(), {}, []],
		['no email where another is there', emails(), emails(LOGIN, 'x@x'), ['emails']],
		['no email where one object is there', emails(), { emails: { value: 'x@x' } }, ['emails']],
		['emails that are no list', { emails: LOGIN }, { emails: LOGIN }, []],
	])('where the login email is added by itself: %s', (_, wanted, shown, different) => {
		const other = { title: 'a' };
		const user = userOf({ ...shown, title: 'b' });
		expect(compareUser({ ...wanted, ...other }, user, ADDS_LOGIN)).toEqual({
			different: ['title', ...different],
			notShown: [],
		});
	});

	it('elsewhere the login email is an email as any other', () => {
		const user = userOf(emails('x@x'));
		expect(compareUser(emails(LOGIN), user, PROFILES.generic).different).toEqual(['emails']);
	});

	it.each<[string, object, object, string[]]>([
		['more roles', { Roles: ['a'] }, { roles: ['b', 'a'] }, ['Roles']],
		['other roles', { roles: ['c'] }, { roles: ['a'] }, ['roles']],
		['more of an extension', { [URN]: { tier: ['a'] } }, { [URN]: { tier: ['a', 'b'] } }, [URN]],
		['more in a part', { job: { grade: ['a'] } }, { job: { grade: ['a', 'b'] } }, ['job']],
		['more than none', { roles: ['a'], title: '' }, { roles: ['a'], emails: ['x@x'] }, []],
		['more that is no access', { tags: ['a'] }, { tags: ['a', 'b'] }, []],
		['more roles beside', { title: 'x', roles: [] }, { title: 'x', roles: ['a'] }, ['roles']],
	])('more access is a difference: %s', (_, wanted, shown, different) => {
		const accessAttributes = ['roles', `${URN}:TIER`, 'Job.grade'];
		const profile = { ...PROFILES.generic, accessAttributes };
		expect(compareUser({ ...wanted }, userOf(shown), profile)).toEqual({ different, notShown: [] });
	});
});

describe('compareWholeLists', () => {
	it.each<[string, object, object, string[]]>([
		['the same in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, []],
		['one more', { tags: ['a', 'b'] }, { tags: ['a', 'c', 'b'] }, ['tags']],
		['one less', { tags: ['a', 'b'] }, { tags: ['a'] }, ['tags']],
		['an entry that says more', emails('a@x'), { emails: [{ value: 'A@x', type: 't' }] }, []],
		['one object', emails('a@x'), { emails: { value: 'a@x' } }, []],
		['a list for a text', { tags: 'a' }, { tags: ['a', 'b'] }, ['tags']],
		['more in a part', { job: { x: 1, y: ['a'] } }, { job: { x: 1, y: ['a', 'b'] } }, ['job']],
		['another part', { name: { x: 'a' } }, { name: { x: 'a', y: ['b'] } }, []],
		['the login email by itself', emails('x@x'), emails('x@x', 'ana@example.com'), []],
		['one more beside the login email', emails(LOGIN), emails(LOGIN, 'x@x'), ['emails']],
		['the login email elsewhere', { ims: ['a'] }, { ims: ['a', { value: LOGIN }] }, ['ims']],
		['another role', { roles: ['a'] }, { roles: ['b'] }, ['roles']],
	])('%s', (_, wanted, shown, different) => {
		const all = { ...wanted, title: 'x' };
		expect(compareWholeLists(all, userOf(shown), ADDS_LOGIN)).toEqual({
			different,
			notShown: ['title'],
		});
	});

	it('the login email is one more where it is not added by itself', () => {
		const user = userOf(emails('x@x', LOGIN));
		expect(compareWholeLists(emails('x@x'), user, PROFILES.generic).different).toEqual(['emails']);
	});
});

it.each<[string, object, object, string[]]>([
	['what is there', { title: 'x' }, { TITLE: 'y' }, []],
	['what is not assigned', { title: '', roles: [] }, {}, []],
	['what is written', { Nickname: 'x', name: { familyName: 'x' } }, {}, []],
	['what the service sets', { meta: { version: '1' }, groups: [{ value: '1' }] }, {}, []],
	['an attribute', { title: 'x', userName: 'a' }, { userName: 'a' }, ['title']],
	[
		'a part',
		{ urn: 1, 'urn:x:User': { a: 1, b: 1 } },
		{ urn: 1, 'urn:x:User': { a: 1 } },
		['urn:x:User:b'],
	],
	[
		'an entry of a list',
		{ emails: [{ value: 'a@x' }, { value: 'B@x' }], urn: { tags: ['x', 'y', 'z'] } },
		{ emails: [{ value: 'b@x', type: 'home' }], urn: { tags: ['y'] } },
		['emails (1 of 2 entries)', 'urn.tags (2 of 3 entries)'],
	],
	[
		'an entry that another one replaces',
		{ phoneNumbers: [{ value: '+49 170 1' }], photos: [{ value: 'https://x/?sig=1' }] },
		{ phoneNumbers: [{ value: 'tel:+491701' }], photos: [{ value: 'https://x/?sig=2' }] },
		[],
	],
	['a whole list, once', { emails: [{ value: 'a@x' }] }, { emails: [] }, ['emails']],
	['an entry of what is written', { nickName: ['a', 'b'] }, { nickName: ['a'] }, []],
])('lost is, or is not: %s', (_, before, after, lost) => {
	const written = { nickName: 'y', 'name.familyName': null };
	expect(lostPaths({ ...before }, { ...after }, written)).toEqual(lost);
});

it.each<[string, (inner: unknown) => unknown]>([
	['lists', (inner) => [inner]],
	['parts', (inner) => ({ part: inner })],
])('what a service nests without end, in %s, is something like any other value', (_, around) => {
	let endless: unknown = null;
	for (let depth = 0; depth < 20_000; depth++) endless = around(endless);
	const before = { title: 'Lead', extra: endless };
	const lost = lostPaths(before, { extra: endless }, {});
	expect(lost).toEqual(['title']);
	expect(lostPaths(before, { title: 'Lead' }, {})).toHaveLength(1);
	expect(compareAttributes({ extra: null }, before)).toEqual({
		different: ['extra'],
		notShown: [],
	});
});
