import { nameOf } from '../../../nodes/shared/access/change';
import { lookFor, nameIn, userIn, whoIs, type Check } from '../../../nodes/shared/access/step';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';

const user = readUser({ id: 'u-1', userName: 'ana@example.com' })!;
const ben = { id: 'u-2', userName: 'ben@example.com' };

it.each([
	['ana@example.com', { key: 'k', id: 'u-1', userName: 'ana@example.com' }],
	['u-1', { key: 'k', id: 'u-1' }],
	['k', { key: 'k' }],
])('a person is called %s', (name, person) => {
	expect(nameOf(person)).toBe(name);
});

it('whom a result is about: the user, where the service showed one, or at least the person', () => {
	expect(whoIs(ben, user)).toEqual({ kind: 'user', user });
	expect(whoIs(ben)).toEqual({ kind: 'person', person: ben });
	expect(userIn({ who: whoIs(ben, user) })).toBe(user);
	expect(nameIn({ who: whoIs(ben, user) })).toBe(user);
	expect(userIn({ who: whoIs(ben) })).toBeUndefined();
	expect(nameIn({ who: whoIs(ben) })).toBe(ben);
});

it.each([undefined, {}])('a result %p is about nobody', (result) => {
	expect(userIn(result)).toBeUndefined();
	expect(nameIn(result)).toEqual({});
});

it('what a look has to show was not refused, unless that is said', () => {
	const check: Check = { kind: 'member', groupId: 'g', id: 'u-1', present: true };
	expect(lookFor(check)).toEqual({ kind: 'unseen', check, refused: false });
	expect(lookFor(check, true)).toEqual({ kind: 'unseen', check, refused: true });
});
