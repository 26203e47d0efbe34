import {
	findContradictions,
	findWholeClashes,
	type Wish,
} from '../../../nodes/shared/access/changes/wish';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../../nodes/shared/scim/protocol/service';
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

	it('are none of a group that stands for no role, nor of another person', () => {
		const find = clashOf([want(0, 'ana', [ADMIN, MEMBER, 'All staff']), want(1, 'ben', [ADMIN])]);
		expect(find(ana, 'All staff')).toBeUndefined();
		expect(find(person('ben'), ADMIN)).toBeUndefined();
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
		const [taken, same] = ['Buyer', 'buyer'].map((text) =>
			wish(1, { drop: [value('roles', text)] }),
		);
		const words =
			'Items 0 and 1 want roles of ana@example.com different: "buyer" added, "Buyer" removed';
		expect(why([given, taken])).toBe(words);
		expect(why([taken, given])).toContain('Items 1 and 0 want');
		expect(why([given, same])).toContain('"buyer" added, "buyer" removed');
		expect(why([given, taken], seller)).toBeUndefined();
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

	it('of a user who was not read: only the same value clashes', () => {
		const unread = { user: undefined, hold: [employee, guest] };
		expect(why([wish(0, unread)], guest)).toBeUndefined();
	});
});

describe('an attribute as a whole, and single values of it', () => {
	const buyer = { attribute: 'roles', value: 'buyer' };
	const whole = (item: number, id = 'ana', name = 'roles') =>
		want(item, id, [], [], { attributes: { [name]: [] } });
	const single = (item: number, more: Partial<Wish> = { hold: [buyer] }) =>
		want(item, 'ana', [], [], more);
	const CLASH = 'Items 0 and 1 want roles of ana@example.com';
	const clashesOf = (wishes: Wish[]) => {
		const find = findWholeClashes(wishes, PROFILES.generic);
		return ['ana', 'ben'].flatMap((id) => find(person(id))?.message ?? []);
	};

	it.each<[string, Wish[], string[]]>([
		['of one person', [whole(0), single(1)], [CLASH]],
		['one beside a group', [whole(0), single(1, { hold: [buyer, 'All staff'] })], [CLASH]],
		['a group', [whole(0), single(1, { hold: ['All staff'] })], []],
		['one of another', [whole(0), single(1, { hold: [{ ...buyer, attribute: 'groups' }] })], []],
		['as a whole twice', [whole(0), whole(1)], []],
	])('%s', (_, wishes, words) => {
		expect(clashesOf(wishes)).toEqual(words.map((some) => expect.stringContaining(some)));
	});

	it('two that contradict: of each that is in it, and of nobody else', () => {
		const find = findWholeClashes([whole(0), single(1), whole(2, 'ben')], PROFILES.generic);
		expect(find(ana)?.description).toBe('Choose one. Neither was applied.');
		expect(find(person('ben'))).toBeUndefined();
	});
});
