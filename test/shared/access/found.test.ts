import {
	AbsentError,
	foundUser,
	incompleteAccess,
	incompleteList,
	isNotFound,
	otherUser,
	pickUser,
	unknown,
	UnknownKeyError,
	userOf,
	whyNotFound,
	type Found,
} from '../../../nodes/shared/access/facts/found';
import { RequestError } from '../../../nodes/shared/http';
import { matchingBy, type User } from '../../../nodes/shared/scim';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';

const [NAME, EMAIL, EXTERNAL] = [
	matchingBy('userName'),
	matchingBy('email'),
	matchingBy('externalId'),
];
const user = (id: string, userName: string, more: object = {}) =>
	readUser({ id, userName, ...more }) as User;
const answered = (statusCode: number) => ({
	ok: false as const,
	error: new RequestError('It was refused', 'Check it.', {
		...{ kind: 'status', method: 'GET', status: statusCode, mayHaveWorked: false },
	} as never),
});

const [SMALL, LARGE] = [user('1', 'ana'), user('2', 'ANA')];
const mail = (id: string, value: string) => user(id, id, { emails: [{ value, primary: true }] });
const external = (id: string, externalId: string) => user(id, 'ana', { externalId });

it.each([
	['the exact name before one in another case', [SMALL, LARGE], 'ANA', NAME, '2'],
	['two names, neither exact', [SMALL, LARGE], 'Ana', NAME, ['1', '2']],
	['a user with another name', [SMALL, user('4', 'ben')], 'ana', NAME, '1'],
	['nobody with the name', [user('4', 'ben')], 'ana', NAME, undefined],
	['an email in another case', [mail('5', 'A@x.io'), mail('6', 'b@x.io')], 'a@x.io', EMAIL, '5'],
	[
		'one email of two',
		[mail('5', 'A@x.io'), mail('a@x.io', 'a@X.io')],
		'a@x.io',
		EMAIL,
		['5', 'a@x.io'],
	],
])('%s', (_, users, key, matching, ids) => {
	const found = pickUser(users, key, matching);
	expect(found).toEqual(
		ids === undefined
			? { kind: 'absent' }
			: Array.isArray(ids)
				? { kind: 'ambiguous', ids }
				: { kind: 'found', user: users.find(({ id }) => id === ids) },
	);
});

it.each([
	['nothing was asked', undefined, false],
	['there is a user', { ok: true as const, value: SMALL }, false],
	['404', answered(404), true],
	['410', answered(410), true],
	['403', answered(403), false],
	['a value that has a 404', { ok: true as const, value: answered(404).error }, false],
])('whether a read showed nobody: %s', (_, read, is) => {
	expect(isNotFound(read)).toBe(is);
});

type Missing = Exclude<Found, { kind: 'found' }> | undefined;

const taken = (...users: User[]): Missing => ({ kind: 'taken', users });
const LINK = /^If this is the same person, turn on Link by User Name/;

it.each<[string, Missing, typeof NAME, RegExp, RegExp]>([
	[
		'two names',
		{ kind: 'ambiguous', ids: ['1', '2'] },
		NAME,
		/^More than one user has the user name k \(IDs 1, 2\)$/,
		/^Enter the ID of the right user\.$/,
	],
	[
		'two emails',
		{ kind: 'ambiguous', ids: ['1'] },
		EMAIL,
		/^More than one user has the email k/,
		/correct the email at the service/,
	],
	[
		'a name that is taken by one without external ID',
		taken(SMALL),
		EXTERNAL,
		/^No user has the external ID k, and the user name ana is taken by a user who has no external ID \(ID 1\), which Link by User Name can link$/,
		LINK,
	],
	[
		'by two',
		taken(SMALL, LARGE),
		EXTERNAL,
		/\(ID 1, ID 2\)$/,
		/^Correct the external ID or the user name/,
	],
	[
		'by one with another external ID',
		taken(external('7', 'E')),
		EXTERNAL,
		/who has the external ID E \(ID 7\)$/,
		/^Correct the external ID/,
	],
	['by one without email', taken(SMALL), EMAIL, /who has no email/, /^Correct the email/],
])('why there is nobody to work on: %s', (_, found, matching, message, description) => {
	const error = whyNotFound(found, 'k', matching) as AbsentError;
	expect(error).not.toBeInstanceOf(AbsentError);
	expect(error).toMatchObject({
		message: expect.stringMatching(message) as string,
		description: expect.stringMatching(description) as string,
	});
});

it('nobody of this account, nobody at all, and nothing that is known', () => {
	const foreign = whyNotFound({ kind: 'foreign' }, 'k');
	expect(foreign).toBeInstanceOf(AbsentError);
	expect(foreign).not.toBeInstanceOf(UnknownKeyError);
	for (const found of [undefined, { kind: 'absent' } as const]) {
		expect(whyNotFound(found, 'k')).toBeInstanceOf(UnknownKeyError);
		expect(() => foundUser(found, 'k')).toThrow('No user has the user name k');
	}
	expect(whyNotFound({ kind: 'unknown', error: foreign }, 'k')).toBe(foreign);
	expect(unknown(foreign)).toEqual({ kind: 'unknown', error: foreign });
	expect(foundUser({ kind: 'found', user: SMALL }, 'k')).toBe(SMALL);
});

it.each([
	['k', NAME, false],
	['ana@x.io', NAME, true],
	['ana@x.io', EMAIL, false],
])('nobody has %s: whether to match by email is asked: %#', (key, matching, asks) => {
	const { description } = whyNotFound(undefined, key, matching) as AbsentError;
	expect(description?.includes('set Match Users By to Email')).toBe(asks);
});

it('the user behind an ID, or why there is none', () => {
	expect(userOf({ ok: true, value: SMALL }, '1')).toBe(SMALL);
	for (const read of [undefined, { ok: true as const, value: undefined }, answered(404)])
		expect(() => userOf(read, '1')).toThrow(AbsentError);
	expect(() => userOf(answered(403), '1')).toThrow('It was refused');
});

it.each([
	[
		'another',
		otherUser(SMALL, 'k', EMAIL),
		/^The service finds ana \(ID 1\) by the email k/,
		/whose email was changed/,
	],
	[
		'a part of the list',
		incompleteList('k', EMAIL, 'why'),
		/^Could not find out who has the email k/,
		/\(why\)/,
	],
	[
		'a part of access',
		incompleteAccess('groups', 'why'),
		/^The list of groups is incomplete: why$/,
		/^Without all groups/,
	],
])('what is said of %s', (_, error, message, description) => {
	expect(error.message).toMatch(message);
	expect(error.description).toMatch(description);
});

it('a list that is incomplete has changed nothing', () => {
	expect(incompleteAccess('users', 'why').facts).toEqual({
		...{ kind: 'incomplete', method: 'GET', mayHaveWorked: false },
	});
});
