import { findContradictions } from '../../../nodes/shared/access/contradictions';
import type { Wish } from '../../../nodes/shared/access/wish';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { person, rulesOf, want } from '../../support/plans';

const ADMIN = 'org-1:admin';
const MEMBER = 'org-1:member';
const GROUPS = { [ADMIN]: [], [MEMBER]: [], 'All staff': [] };
const ana = person('ana');

describe('two roles in one organization', () => {
	const clashOf = (wishes: Wish[]) => findContradictions(wishes, rulesOf(GROUPS));

	it.each([
		['rows by their rows', ['4', '7'], 'Rows 4 and 7 want two roles for ana@example.com'],
		['one of which no row wants: by items', ['4', undefined], 'Items 0 and 1 want two roles'],
		['the first of which no row wants: by items', [undefined, '7'], 'Items 0 and 1 want two roles'],
	])('are told of %s', (_, [first, second], words) => {
		const find = clashOf([
			want(0, 'ana', [ADMIN], [], { source: first }),
			want(1, 'ana', [MEMBER], [], { source: second }),
		]);
		expect(find(ana, ADMIN)?.message).toContain(words);
		expect(find(ana, MEMBER)).toBe(find(ana, ADMIN));
	});

	it('are none of a group that stands for no role, nor of somebody else', () => {
		const find = clashOf([want(0, 'ana', [ADMIN, MEMBER, 'All staff']), want(1, 'ben', [ADMIN])]);
		expect(find(ana, 'All staff')).toBeUndefined();
		expect(find(person('ben'), ADMIN)).toBeUndefined();
	});

	it('are none of two groups without a role', () => {
		const find = clashOf([want(0, 'ana', ['All staff', 'Other'])]);
		expect(find(ana, 'All staff')).toBeUndefined();
	});
});

describe('values of one person', () => {
	const user = readUser({ id: 'ana', userName: 'ana', userType: 'Employee', roles: [] });
	const value = (attribute: string, text: string) => ({ attribute, value: text });
	const [buyer, seller] = [value('roles', 'buyer'), value('roles', 'seller')];
	const [employee, guest] = [value('userType', 'Employee'), value('userType', 'Guest')];
	const wish = (item: number, more: Partial<Wish>) => want(item, 'ana', [], [], { user, ...more });
	const find = (wishes: Wish[]) => findContradictions(wishes, rulesOf(GROUPS));
	const why = (wishes: Wish[], of = buyer) => find(wishes)(ana, of)?.message;

	it('given by one item and taken by another, in whatever case: neither', () => {
		const given = wish(0, { hold: [buyer] });
		const taken = wish(1, { drop: [value('roles', 'Buyer')] });
		const words =
			'Items 0 and 1 want roles of ana@example.com different: "buyer" added, "Buyer" removed';
		expect(why([given, taken])).toBe(words);
		expect(why([taken, given])).toContain('Items 1 and 0 want');
		expect(why([given, taken], seller)).toBeUndefined();
	});

	it('given in two spellings: which of them is not known', () => {
		const [one, other] = [buyer, value('roles', 'BUYER')].map((entry, item) =>
			wish(item, { hold: [entry] }),
		);
		expect(why([one, other])).toContain('"buyer" added, "BUYER" added');
	});

	it('given or taken twice, or two of a list: no clash', () => {
		expect(why([0, 1].map((item) => wish(item, { hold: [buyer] })))).toBeUndefined();
		expect(why([0, 1].map((item) => wish(item, { drop: [buyer] })))).toBeUndefined();
		expect(why([wish(0, { hold: [buyer, seller] })])).toBeUndefined();
	});

	it('two where there is room for one: neither, however each is asked for', () => {
		const both = [wish(0, { hold: [employee, guest, 'All staff'] })];
		const words =
			'Item 0 wants userType of ana@example.com different: "Employee" added, "Guest" added';
		expect(why(both, employee)).toBe(words);
		expect(why(both, guest)).toBe(words);
		expect(why(both, buyer)).toBeUndefined();
		expect(find(both)(ana, 'All staff')).toBeUndefined();
	});

	it('one taken and another given where there is room for one: a change, no clash', () => {
		const both = wish(0, { hold: [guest], drop: [employee] });
		expect(why([both], guest)).toBeUndefined();
		expect(why([both], employee)).toBeUndefined();
	});

	it('of somebody who was not read: only the same value clashes', () => {
		const unread = { user: undefined, hold: [employee, guest] };
		expect(why([wish(0, unread)], guest)).toBeUndefined();
	});
});
