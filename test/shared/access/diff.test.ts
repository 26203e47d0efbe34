import { readAccess } from '../../../nodes/shared/access/facts/access';
import { kindOf, type Entitlement } from '../../../nodes/shared/access/changes/change';
import { unknownOrganization } from '../../../nodes/shared/access/guards/places';
import { diff } from '../../../nodes/shared/access/plans/diff';
import { type Wish } from '../../../nodes/shared/access/changes/wish';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES, type ServiceProfile } from '../../../nodes/shared/scim/protocol/service';
import { readGroup, readUser } from '../../../nodes/shared/scim/protocol/resource';
import { InputError } from '../../../nodes/shared/util/errors';
import { FRESH } from '../../support/fakeTransport';
import {
	ACCOUNT,
	accessOf,
	held,
	ids,
	person,
	rulesOf,
	want,
	wantNew,
	type Members,
	type RulesGiven,
} from '../../support/plans';

const [ADMIN, MEMBER, VIEWER, ORG2] = [
	...['org-1:admin', 'org-1:member', 'org-1:viewer', 'org-2:viewer'],
];
/** One role per organization, and the service does not take the old one away. */
const BY_HAND: ServiceProfile = { ...ACCOUNT, addMovesWithinOrganization: false };
const REFUSES: ServiceProfile = { ...BY_HAND, inactiveRefusesGroupChanges: true };
const VALUES: ServiceProfile = { ...BY_HAND, accessAttributes: ['roles', 'userType'] };
const byHand = { profile: BY_HAND };
const reactivate = true;

/** Two organizations and a group, with the members that are named. */
const world = (members: Members = {}): Members => ({
	...{ [ADMIN]: ['z'], [MEMBER]: [], [VIEWER]: [], [ORG2]: [], VPN: [] },
	...members,
});
const IN = (...groups: string[]) => world(Object.fromEntries(groups.map((id) => [id, ['a']])));
const userOf = (id: string, more: object = {}) =>
	readUser({ id, userName: `${id}@example.com`, ...more })!;
const [active, inactive] = [true, false].map((is) => ({ user: userOf('a', { active: is }) }));
const only = (id: string) => ({ isProtected: (one: { key: string }) => one.key === id });
const boss = only('a');

const IS_PROTECTED = 'a is protected: nothing was changed';
const NOT_HELD = 'the person does not have it';
const NOT_GIVEN = 'the replacement cannot be granted';
const NO_ORG9 = 'There is no organization org-9';
const IS_INACTIVE = 'a is inactive, and Reactivate is off: no access was given';

/**
 * Changes by their items, before and after, with the numbers of those on which they rest, then what needs none; without the
 * domain and organization 1: `0 a granted: > admin < 1`, `0 failed make a admin: why`.
 */
function linesOf(wishes: Wish[], members: Members, more: RulesGiven = {}): string[] {
	const rules = rulesOf(members, more);
	const { changes, settled } = diff(wishes, rules);
	const label = (one: Entitlement) => ('attribute' in one ? one.value : rules.label(one.groupId));
	const lines = changes.map((change) => {
		const { about, items, restsOn } = change;
		const [before, after] =
			about === 'entitlement'
				? [change.before, change.after].map((all) => all.map(label).join(', '))
				: [change.before, change.after];
		const rests = restsOn.map((one) =>
			one.on === 'change' ? changes.findIndex(({ key }) => key === one.key) : one.on,
		);
		const who = about === 'group' ? '' : change.person.key;
		const what = `${items.join()} ${who} ${kindOf(change)}: ${before} > ${after}`.trimEnd();
		return [what, ...rests].join(' < ');
	});
	const told = settled.map(({ item, outcome: { status, action, reason } }) =>
		[`${item} ${status} ${action}`, ...(reason === undefined ? [] : [reason])].join(': '),
	);
	return [...lines, ...told].map((line) =>
		line.replaceAll('@example.com', '').replaceAll(' in org-1', '').replace(':  >', ': >'),
	);
}

type Case = [string, Wish | Wish[], string[], RulesGiven?, Members?];

/** Where no case says otherwise: a is admin of organization 1 and viewer of organization 2. */
const HERE = world({ [ADMIN]: ['a', 'z'], [ORG2]: ['a'] });

function expectLines(...[, wishes, lines, rules, members = HERE]: Case) {
	expect(linesOf([wishes].flat(), members, rules)).toEqual(lines);
}

describe('groups', () => {
	const becomes = '0 a moved: admin > member';
	const another = 'the person gets another role there';
	const twoRoles = 'The service returned conflicting roles for a, so nothing was changed there';
	const clash = 'Items 0 and 1 want two roles for a in one organization: member and viewer';

	it.each<Case>([
		['nothing is wanted', want(0, 'a', []), ['0 unchanged change the access of a']],
		['what is there stays', want(0, 'a', [ADMIN]), ['0 unchanged make a admin']],
		['what is there is taken', want(0, 'a', [], [ADMIN]), ['0 a revoked: admin >']],
		[
			'what is not there is not taken, nor another role',
			want(0, 'a', [], ['VPN', MEMBER]),
			[
				`0 unchanged remove a as VPN: ${NOT_HELD}`,
				'0 skipped remove a as member: the person is admin instead',
			],
		],
		['another role of the organization is one change', want(0, 'a', [MEMBER]), [becomes]],
		[
			'a removal that a new role replaces is told of where another item wants it, earlier or later',
			[want(2, 'a', [], [ADMIN]), want(0, 'a', [MEMBER], [ADMIN]), want(1, 'a', [], [ADMIN])],
			[becomes, ...[2, 1].map((item) => `${item} skipped remove a as admin: ${another}`)],
		],
		[
			'of two roles, one is taken, or both by one change',
			[want(0, 'a', [], [ADMIN]), want(1, 'b', [], [ADMIN]), want(2, 'b', [], [MEMBER])],
			['0 a revoked: admin, member > member', '1,2 b revoked: admin, member >'],
			byHand,
			world({ [ADMIN]: ['a', 'b'], [MEMBER]: ['a', 'b'] }),
		],
		[
			'two roles that adds would replace are an old read: nothing is changed there',
			[want(0, 'a', ['VPN'], [ORG2]), want(1, 'b', [VIEWER]), want(2, 'b', [], [ADMIN])],
			[
				...['0 a granted: > VPN', '0 a revoked: viewer in org-2 >'],
				...['1 failed make b viewer', '2 failed remove b as admin'].map(
					(line) => `${line}: ${twoRoles.replace('a,', 'b,')}`,
				),
			],
			{},
			world({ [ADMIN]: ['a', 'b'], [MEMBER]: ['a', 'b'], [ORG2]: ['a'] }),
		],
		[
			'two roles that are wanted at once: neither',
			[want(0, 'a', [MEMBER]), want(1, 'a', [VIEWER]), want(2, 'b', [VIEWER])],
			[
				'2 b granted: > viewer',
				...['0 failed make a member', '1 failed make a viewer'].map((line) => `${line}: ${clash}`),
			],
		],
		[
			'a group that is not there fails',
			want(0, 'a', ['org-1:owner', 'g9'], ['org-9:x']),
			[
				'0 failed make a owner: Organization org-1 has no role owner',
				'0 failed make a g9: There is no group g9',
				`0 failed remove a as x in org-9: ${NO_ORG9}`,
			],
		],
		[
			'nor is a role where there are no organizations',
			want(0, 'a', ['org-9:x']),
			['0 failed make a x in org-9: There is no group org-9:x'],
			{},
			{ VPN: [] },
		],
		[
			'a protected user is told of, and only skipped where no item names the person',
			[want(0, 'a', [], [ADMIN]), want(1, 'a', [], [ADMIN], { unlisted: true })],
			['0 failed', '1 skipped'].map((line) => `${line} remove a as admin: ${IS_PROTECTED}`),
			boss,
		],
		[
			'nobody is out of a group whose members are unknown',
			want(0, 'a', [], ['g']),
			[
				'0 failed remove a as g: The members of group g are unknown: no group of this service shows members',
			],
			{ profile: PROFILES.generic, ids: groupMeaning() },
			{ g: [] },
		],
	])('%s', expectLines);

	it('a group that only a user names is no role', () => {
		const groups = [ADMIN, MEMBER].map((id) => readGroup({ id })!);
		const shown = [ADMIN, 'org-1:old', 'gone'].map((value) => ({ value }));
		const users = [userOf('a', { groups: shown })];
		const access = readAccess({ groups, users, isWhole: true, readAt: FRESH }, ids, BY_HAND);
		expect(linesOf([want(0, 'a', [MEMBER])], {}, { ...byHand, access })).toEqual([becomes]);
	});
});

describe('people who are new', () => {
	it('are created as the first item says; one that says otherwise gives nothing', () => {
		const [first, other] = [
			wantNew(0, 'n@example.com', [MEMBER], { title: 'x' }),
			wantNew(1, 'N@example.com', [ORG2], { title: 'y' }),
		];
		expect(linesOf([first, other], HERE)).toEqual([
			...['0 n created: absent > active', '0 n granted: > member'],
			'1 failed create user N: Items 0 and 1 want different values of title for the same user',
		]);
	});

	it.each([
		[{ ifExists: 'fail' as const, reactivate }, 'fail'],
		[{ reactivate }, 'adoptAndActivate'],
	])('who exist after all, with %j: %s', (rules, ifExists) => {
		expect(diff([wantNew(0, 'n', [])], rulesOf({}, rules)).changes).toMatchObject([{ ifExists }]);
	});
});

describe('accounts', () => {
	const comes = (hold: string[], user = inactive) =>
		want(0, 'a', hold, [], { ...user, account: 'active' });
	const leaves = (more: Partial<Wish> = {}) =>
		want(0, 'a', [], [ADMIN], { account: 'inactive', ...more });
	const gets = (...hold: string[]) => want(0, 'a', hold, [], inactive);
	const [activated, out, gone] = [
		'0 a activated: inactive > active',
		...['0 a deactivated: active > inactive', '0 a deleted: inactive > absent'],
	];
	const [taken, given] = ['0 a revoked: admin >', '0 a granted: > VPN'];
	const refused = `0 failed give access to a: ${IS_INACTIVE}`;
	const kept = (to: string) => `0 failed ${to} a: ${IS_PROTECTED}`;
	const unread = { ok: false as const, error: new InputError('a cannot be read', '') };

	it.each<Case>([
		['that get something besides', comes(['VPN'], active), [given]],
		['that are protected do not come back', comes([]), [kept('activate user')], boss],
		[
			'that are inactive get nothing, and lose nothing for it',
			[want(0, 'a', ['VPN'], [ORG2], inactive), want(1, 'a', [], [ADMIN])],
			[refused, `1 skipped remove a as admin: ${NOT_GIVEN}`],
		],
		[
			'that could not be read',
			want(0, 'a', ['VPN']),
			['0 failed give access to a: a cannot be read'],
			{ account: () => unread },
		],
		['that are inactive have nothing of what is there', gets(ADMIN), [refused]],
		[
			'that have it, where membership is all that counts',
			gets(ADMIN),
			['0 unchanged make a admin'],
			{ membersOnly: true },
		],
		['that are inactive may get a lower role', gets(MEMBER), ['0 a moved: admin > member']],
		['that get another group beside it', gets('VPN', MEMBER), [refused, refused]],
		[
			'that are inactive may keep the lower of two roles, and have nothing of the rest',
			gets(MEMBER, 'VPN'),
			['0 a revoked: admin, member > member', `0 failed make a VPN: ${IS_INACTIVE}`],
			byHand,
			IN(ADMIN, MEMBER, 'VPN'),
		],
		[
			'that are inactive cannot join one list, and leave another',
			[gets('VPN'), want(1, 'a', [], [ADMIN])],
			['1 a revoked: admin >', refused],
			{ membersOnly: true },
		],
		[
			'that are not activated for what cannot be given',
			gets(ADMIN, 'org-9:x'),
			Array<string>(2).fill(`0 failed give access to a: ${NO_ORG9}`),
			{ reactivate },
		],
		[
			'whose memberships cannot be taken once inactive',
			want(0, 'a', [], [ADMIN], inactive),
			[
				'0 failed remove a as admin: a is inactive and still admin, and this service does not remove inactive users from groups',
			],
			{ profile: REFUSES },
		],
		['that nobody says is inactive', want(0, 'a', [], [ADMIN]), [taken], { profile: REFUSES }],
		[
			'whose memberships can be taken as they come back',
			want(0, 'a', ['VPN'], [ADMIN], inactive),
			[activated, given, taken],
			{ profile: REFUSES, reactivate },
		],
		[
			'that end, for all items',
			[leaves(active), { ...leaves(active), item: 3 }],
			[taken, out].map((line) => line.replace('0', '0,3')),
		],
		[
			'that are deleted, with nothing to take',
			leaves({ ...active, account: 'gone', drop: ['VPN'] }),
			['0 a deleted: active > absent', `0 unchanged remove a as VPN: ${NOT_HELD}`],
		],
		['that are inactive already', leaves(inactive), [taken, '0 unchanged deactivate user a']],
		['that are inactive and deleted', leaves({ ...inactive, account: 'gone' }), [taken, gone]],
		[
			'that end and are protected: told once',
			leaves({ account: 'gone' }),
			[`0 failed delete user a: ${IS_PROTECTED}`],
			boss,
		],
		[
			'that end for having nothing else',
			leaves({ ...active, onlyWith: { on: 'nothingElse', groups: [] } }),
			[taken, `${out} < nothingElse`],
		],
		['that were seen in a group', leaves({ drop: [] }), ['0 a deactivated: there > inactive']],
		[
			'that nobody has read and are deleted',
			leaves({ account: 'gone', drop: [] }),
			['0 a deleted: there > absent'],
			{},
			{},
		],
	])('%s', expectLines);

	it.each<[string, Wish, RulesGiven, string[]]>([
		['gets something', want(0, 'a', ['VPN']), {}, ['a']],
		[
			'has it, where membership is all that counts',
			want(0, 'a', [ADMIN]),
			{ membersOnly: true },
			[],
		],
		['gets a lower role', want(0, 'a', [MEMBER]), {}, []],
		['gets a lower role and has something', want(0, 'a', [MEMBER, ORG2]), {}, ['a']],
		['loses something', want(0, 'a', [], [ADMIN]), {}, []],
	])('have to be read of a user who %s', (_, wish, rules, unread) => {
		expect(diff([wish], rulesOf(HERE, rules)).unread).toEqual(unread);
	});

	const stays = ['remove a as admin', 'delete user a'].map(
		(action) => `1 skipped ${action}: ${NOT_GIVEN}`,
	);
	const ends = (rests = '') => [
		`1 a revoked: admin >${rests}`,
		`1 a deactivated: active > inactive${rests}`,
		`1 a deleted: inactive > absent${rests}`,
	];

	it.each<[string, Wish, string[]]>([
		['gets it', want(0, 'y', ['VPN']), ['0 y granted: > VPN', ...ends(' < 0')]],
		[
			'was created and gets it',
			wantNew(0, 'y', ['VPN']),
			['0 y created: absent > active', '0 y granted: > VPN', ...ends(' < 0 < 1')],
		],
		[
			'gets it, wanted twice, and loses a role too many',
			want(0, 'x', ['VPN', 'VPN', MEMBER]),
			['0 x granted: > VPN', '0 x revoked: admin, member > member', ...ends(' < 0')],
		],
		['has it', want(0, 'z', [ADMIN]), [...ends(), '0 unchanged make z admin']],
		[
			'cannot be created, and not at all',
			wantNew(0, 'y', ['org-9:x']),
			[`0 failed create y: ${NO_ORG9}`, ...stays],
		],
	])('that end once another person %s', (_, first, lines) => {
		const after = [first.person.key, 'nobody'];
		const second = want(1, 'a', [], [ADMIN], { ...active, account: 'gone', after });
		const members = { ...HERE, [ADMIN]: ['a', 'x', 'z'], [MEMBER]: ['x'] };
		expect(linesOf([first, second], members, { ...only('z'), ...byHand })).toEqual(lines);
	});
});

describe('values of users', () => {
	const user = userOf('a', { roles: [{ value: 'buyer' }], userType: 'Employee' });
	const [BUYER, seller] = ['BUYER', 'seller'].map((value) => ({ attribute: 'roles', value }));
	const [employee, guest] = ['employee', 'Guest'].map((value) => ({
		attribute: 'userType',
		value,
	}));
	const take = 'remove roles "BUYER" from a';
	const full = 'failed give a userType "Guest": userType of a has one value, which is "Employee"';

	it.each<[string, Partial<Wish>, RulesGiven, string[]]>([
		[
			'what is missing is given',
			{ hold: [BUYER, seller] },
			{},
			['0 a granted: > seller', '0 unchanged give a roles "BUYER"'],
		],
		[
			'what is there is taken, as the user has it',
			{ drop: [BUYER, seller] },
			{},
			['0 a revoked: buyer >', `0 unchanged remove roles "seller" from a: ${NOT_HELD}`],
		],
		[
			'nothing is taken from a protected user',
			{ drop: [BUYER] },
			boss,
			[`0 failed ${take}: ${IS_PROTECTED}`],
		],
		['held back', { drop: [BUYER], dropsHeldBack: 'why' }, {}, [`0 skipped ${take}: why`]],
		[
			'nothing is taken for what cannot be given: no room beside another value',
			{ hold: [guest], drop: [BUYER] },
			{},
			[`0 ${full}`, `0 skipped ${take}: ${NOT_GIVEN}`],
		],
		[
			'one that the same item removes makes room',
			{ hold: [guest], drop: [employee] },
			{},
			['0 a granted: > Guest', '0 a revoked: Employee >'],
		],
		[
			'nothing of a user who was not read',
			{ hold: [seller], drop: [BUYER], user: undefined },
			{},
			[],
		],
	])('%s', (_, more, rules, lines) => {
		const given = { profile: VALUES, ...rules };
		expect(linesOf([want(0, 'a', [], [], { user, ...more })], world(), given)).toEqual(lines);
	});

	it('of another person go once the new one has them', () => {
		const second = want(1, 'b', [], [], {
			...{ user: userOf('b', { roles: [{ value: 'buyer' }] }), after: ['a'] },
			drop: [BUYER],
		});
		const of = (more: Partial<Wish>) =>
			linesOf([want(0, 'a', [], [], { user, ...more }), second], {}, { profile: VALUES });
		expect(of({ hold: [seller] })).toEqual(['0 a granted: > seller', '1 b revoked: buyer > < 0']);
		expect(of({ hold: [guest] })).toEqual([
			...[`0 ${full}`, `1 skipped remove roles "BUYER" from b: ${NOT_GIVEN}`],
		]);
	});
});

describe('what is said', () => {
	const user = userOf('a', { active: true, roles: [{ value: 'buyer' }] });
	const buyer = { attribute: 'roles', value: 'buyer' };

	it('of a change: who and what it is about, and why', () => {
		const drop = [ORG2, buyer];
		const copiedFrom = {
			...{ on: 'source' as const, id: 'c', userName: 'c', groups: [], values: [], isActive: true },
		};
		const said = { user, why: 'HR', source: '7', skipsOtherRole: true, copiedFrom };
		const rules = rulesOf(IN(MEMBER, ORG2), {
			profile: { ...VALUES, ...BY_HAND, accessAttributes: ['roles'] },
		});
		const { changes, settled } = diff([want(0, 'a', [ADMIN, 'VPN'], [], { ...said, drop })], rules);
		const base = {
			...{ about: 'entitlement', person: person('a'), why: 'HR', items: [0] },
			...{ restsOn: [], warnings: [], skipsOtherRole: true },
		};
		expect(changes).toEqual([
			{
				...{
					...base,
					key: 'access\na\nrole in org-1\n',
					before: [held(MEMBER)],
					after: [held(ADMIN)],
				},
				action: 'change a@example.com from member in org-1 to admin in org-1',
				restsOn: [copiedFrom],
			},
			{
				...{ ...base, key: 'access\na\nVPN', before: [], after: [held('VPN')] },
				...{ action: 'make a@example.com VPN', restsOn: [copiedFrom] },
			},
			{
				...{ ...base, key: 'access\na\nrole in org-2\n', before: [held(ORG2)], after: [] },
				action: 'remove a@example.com as viewer in org-2',
			},
			{
				...{ ...base, key: 'access\na\nvalue\nroles\nbuyer', after: [] },
				before: [{ ...buyer, key: 'value\nroles\nbuyer' }],
				action: 'remove roles "buyer" from a@example.com',
				evidence: { user, readAt: FRESH },
			},
		]);
		expect(settled).toStrictEqual([]);
	});

	it('of a role too many', () => {
		const wishes = [want(0, 'a', [ADMIN]), want(1, 'a', [ADMIN])];
		const of = (...groups: string[]) => diff(wishes, rulesOf(IN(...groups), byHand));
		expect(of(ADMIN, MEMBER)).toMatchObject({
			changes: [{ action: 'remove a@example.com from member in org-1' }],
		});
	});

	it('of two roles that are taken: both', () => {
		const wishes = [want(0, 'a', [], [ADMIN]), want(1, 'a', [], [MEMBER])];
		expect(diff(wishes, rulesOf(IN(ADMIN, MEMBER), byHand)).changes).toMatchObject([
			{ action: 'remove a@example.com from admin in org-1, member in org-1' },
		]);
	});

	it.each([
		[true, [true, true, true]],
		[false, [true, false, true]],
		[undefined, [false, true]],
	])('of those who want the same removal: %s of another role for %j', (strict, all) => {
		const wishes = all.map((skipsOtherRole, item) =>
			want(item, 'a', [], [ADMIN], { skipsOtherRole }),
		);
		const [change] = diff(wishes, rulesOf(IN(ADMIN))).changes;
		expect({ skipsOtherRole: undefined, ...change }).toMatchObject({
			...{ items: all.map((_, item) => item), skipsOtherRole: strict },
		});
	});

	it.each([
		['org-acct1:member', 1],
		['org-acct1:admin', 0],
	])('of %s: %i warnings (test/contract/interface.md 1.1)', (id, count) => {
		const [{ warnings }] = diff([want(0, 'b', [id])], rulesOf({ [id]: [] })).changes;
		expect(warnings).toEqual(
			Array(count).fill(expect.stringMatching(/account organization.*stay empty/)),
		);
	});

	it.each([
		['active' as const, inactive, 'drops' as const, ['do not come back']],
		['inactive' as const, active, 'drops' as const, ['does not bring them back']],
		['active' as const, inactive, 'keeps' as const, []],
		['inactive' as const, active, 'keeps' as const, []],
	])(
		'of an account that becomes %s, what is said of its memberships',
		(account, user, deactivation, said) => {
			const wish = want(0, 'a', [], [], { account, ...user });
			const rules = rulesOf({}, { profile: { ...ACCOUNT, deactivation } });
			const [{ warnings }] = diff([wish], rules).changes;
			expect(warnings).toEqual(said.map((text) => expect.stringContaining(text)));
		},
	);

	it('of an account that is so already: the user', () => {
		const wish = want(2, 'a', [], [], { user, account: 'active' });
		const outcome = { status: 'unchanged', action: 'activate user a@example.com' };
		expect(diff([wish], rulesOf({}, { profile: VALUES })).settled).toEqual([
			{
				...{ item: 2, subject: 'a', outcome },
				result: { who: { kind: 'user', user }, intent: 'activated' },
			},
		]);
	});

	it('of a group that is so already: the row, the group, and what has to come first', () => {
		const rules = rulesOf(IN(ADMIN), { reactivate });
		expect(diff([want(0, 'a', [ADMIN], [], { ...inactive, source: '7' })], rules).settled).toEqual([
			{
				...{ item: 0, subject: 'a', needs: [{ step: 'activate user\na', subject: 'a' }] },
				outcome: { status: 'unchanged', action: 'make a@example.com admin in org-1' },
				result: {
					...{ who: { kind: 'person', person: person('a') }, intent: 'granted', source: '7' },
					group: rules.access.groups.get(ids.key(ADMIN)),
				},
			},
		]);
	});

	it('of an organization that is not there: those that are, no more than one can read', () => {
		const names = Array.from({ length: 31 }, (_, index) => `org-${99 - index}`);
		const roles = names.flatMap((name) => [`${name}:admin`, `${name}:x`]);
		const access = accessOf(Object.fromEntries(roles.map((id) => [id, []])));
		expect(unknownOrganization('org-1', access).description).toBe(
			`The account has: ${names.sort().slice(0, 30).join(', ')}.`,
		);
		expect(unknownOrganization('org-1', accessOf({ VPN: [] })).description).toBe(
			'The account has: none.',
		);
	});
});

describe('attributes', () => {
	const reader = { attribute: 'roles', value: 'reader' };
	const shows = (more: object) => ({ user: userOf('a', { title: 'Dr', ...more }) });
	const set = (attributes: object, more: Partial<Wish> = {}, item = 0) =>
		want(item, 'a', [], [], { ...shows({ active: true }), attributes: { ...attributes }, ...more });
	const out = shows({ active: false });
	const values = { profile: VALUES, membersOnly: true };
	const clash =
		'Items 0 and 1 want roles of a different: one as a whole, the other single values of it';

	it.each<Case>([
		[
			'of a protected user, beside others',
			[set({ title: 'x' }), want(1, 'b', [], [], { attributes: { title: 'x' } })],
			['1 b updated: unknown > unknown', `0 failed update user a: ${IS_PROTECTED}`],
			boss,
		],
		[
			'that reactivate a user: what is given to the person as well is given',
			set({ active: true }, { ...out, hold: [reader] }),
			['0 a activated: inactive > active', '0 a granted: > reader'],
			values,
		],
		[
			'that reactivate no one: nothing is given to an inactive user',
			set({ title: 'x' }, { ...out, hold: [reader] }),
			['0 a updated: inactive > inactive', `0 failed give access to a: ${IS_INACTIVE}`],
			values,
		],
		[
			'a whole and single values of it: neither, and what others want goes on',
			[
				set({ roles: [], title: 'x' }, shows({ active: true, roles: [{ value: 'x' }] })),
				set({}, { hold: [reader], attributes: undefined }, 1),
				want(2, 'b', [], [], { user: userOf('b'), attributes: { title: 'x' } }),
			],
			[
				'2 b updated: there > there',
				`0 failed update user a: ${clash}`,
				`1 failed update user a: ${clash}`,
			],
			values,
		],
	])('%s', expectLines);

	it('are sent by PATCH, or by PUT as they were read', () => {
		const readAt = { at: 0, pauses: 0 };
		const changeOf = (more: RulesGiven) =>
			diff([set({ title: 'x' })], rulesOf({}, { profile: BY_HAND, ...more })).changes[0];
		expect(changeOf({})).not.toHaveProperty('whole');
		expect(changeOf({ replacesAsRead: readAt })).toMatchObject({ whole: { readAt } });
	});
});

describe('a user to create', () => {
	const newcomer = want(0, 'n', [], [], {
		person: { key: 'n@example.com', userName: 'n@example.com' },
		newcomer: { item: 0, userName: 'n@example.com', attributes: { title: 'x' }, warnings: [] },
	});
	const there = new Map([
		['n@example.com', { kind: 'found' as const, user: userOf('n', { title: 'y' }) }],
	]);
	const protectedNew = { isProtected: ({ userName }: { userName?: string }) => userName !== 'z' };
	const why = 'n@example.com is protected: nothing was changed';

	it.each<[string, RulesGiven, string[]]>([
		[
			'and is there, protected: refused',
			{ ifExists: 'update', found: there, ...protectedNew },
			[`failed updated: ${why}`],
		],
		[
			'and is not, protected: created where it was looked',
			{ ifExists: 'update', found: new Map(), ...protectedNew },
			['created'],
		],
		['protected, where nobody looked: refused', protectedNew, [`failed created: ${why}`]],
	])('%s', (_, rules, said) => {
		const { changes, settled } = diff([newcomer], rulesOf({}, { profile: BY_HAND, ...rules }));
		expect([
			...changes.map(kindOf),
			...settled.map(
				({ outcome: { status, reason }, result }) => `${status} ${result?.intent}: ${reason}`,
			),
		]).toEqual(said);
	});
});
