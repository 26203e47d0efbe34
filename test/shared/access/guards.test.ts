import { gained, kindOf, lossesIn, type Loss } from '../../../nodes/shared/access/changes/change';
import { adminQuestions, newAdminsFirst } from '../../../nodes/shared/access/guards/admins';
import { permanentRemoval } from '../../../nodes/shared/access/guards/guardSettings';
import { protection, protectsBy } from '../../../nodes/shared/access/guards/protection';
import { type Wish } from '../../../nodes/shared/access/changes/wish';
import { membershipsOf } from '../../../nodes/shared/access/facts/access';
import { diff } from '../../../nodes/shared/access/changes/diff';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { accessOf, ACCOUNT, rulesOf, want, withSteps } from '../../support/plans';

const person = (key: string) => ({ key, id: key });
const loss = (key: string, more: Partial<Loss> = {}): Loss => ({ person: person(key), ...more });
const adminLoss = (key: string, newRole?: string): Loss =>
	loss(key, { organization: 'org-1', role: 'admin', ...(newRole && { newRole }) });
describe('protection', () => {
	const boss = { key: 'user-1', id: 'user-1', userName: 'Boss@Example.com' };

	it.each([
		['user-1', true],
		['boss@example.com', true],
		['BOSS@EXAMPLE.COM', true],
		['*@example.com', true],
		['boss@*', true],
		['*', true],
		['user-*', true],
		['user-10', false],
		['user', false],
		['@example.com', false],
		['*@example.co', false],
		['boss@example', false],
		['b.ss@example.com', false],
		['(boss|ana)@example.com', false],
	])('%s', (pattern, expected) => {
		expect(protection([pattern], () => undefined)(boss)).toBe(expected);
	});

	it('one of several patterns is enough; none protects nobody', () => {
		expect(protection(['x', 'user-1'], () => undefined)(boss)).toBe(true);
		expect(protection([], () => undefined)(boss)).toBe(false);
	});

	it('a person without id and name is not matched by an empty text', () => {
		expect(protection(['user-*', '*'], () => undefined)({ key: 'new' })).toBe(false);
	});
});

describe('protection by email', () => {
	const emails = [{ value: 'boss@x.com' }, { value: 'b@home.example', primary: true }];
	const user = readUser({ id: '1', userName: 'b', emails });
	const seen = (id: string) => (id === '1' ? user : undefined);

	it.each([
		['boss@x.com', { id: '1' }, true],
		['*@home.example', { id: '1' }, true],
		['boss@x.com', { id: '2' }, false],
		['boss@x.com', {}, false],
		['*@other.example', { id: '1' }, false],
	])('%s protects %j: %p', (pattern, who, expected) => {
		expect(protection([pattern], seen)({ key: 'b', ...who })).toBe(expected);
	});

	it.each([
		[[], false, false, false],
		[['boss@*'], true, false, true],
		[['a@x.com', 'user-1'], true, true, true],
		[['boss*'], true, true, true],
		[['user-1'], true, true, false],
	])('%j asks for names: %p, for IDs: %p, for emails: %p', (patterns, names, ids, emails) => {
		expect(protectsBy(patterns)).toEqual({ names, ids, emails });
	});
});

it.each([
	[
		'deactivate',
		{ deactivation: 'removes' },
		/^Deactivating a person removes.*Allow Permanent Removal/,
	],
	[
		'delete',
		{ deletionIsFinal: true },
		/^Deleting a person cannot be undone.*Allow Permanent Removal/,
	],
] as const)('where it is final, %s is refused unless that is allowed', (kind, final, words) => {
	const both = { deactivation: 'removes', deletionIsFinal: true } as const;
	const other =
		kind === 'delete' ? { deletionIsFinal: false } : ({ deactivation: 'drops' } as const);
	const blocked = { allowPermanentRemoval: false };
	expect(permanentRemoval(kind, { ...ACCOUNT, ...final }, blocked)).toMatch(words);
	expect(permanentRemoval(kind, { ...ACCOUNT, ...both, ...other }, blocked)).toBeUndefined();
	const allowed = { allowPermanentRemoval: true };
	expect(permanentRemoval(kind, { ...ACCOUNT, ...both }, allowed)).toBeUndefined();
});

describe('lossesIn: users deactivated or deleted', () => {
	const now = accessOf({ 'org-1:admin': ['a'], 'org-2:viewer': ['a'], 'org-2:admin': ['b'] });
	const leaving = (id: string) =>
		diff([{ item: 0, person: { key: id, id }, hold: [], drop: [], account: 'gone' }], rulesOf({}));
	const heldBy = ({ id = '' }) => membershipsOf(now, id);

	it('access as such for who has no role, or where no roles are known', () => {
		expect(lossesIn(leaving('z').changes, heldBy)).toEqual([{ person: { id: 'z', key: 'z' } }]);
		expect(lossesIn(leaving('a').changes, () => [])).toEqual([{ person: { id: 'a', key: 'a' } }]);
	});
});

describe('adminQuestions', () => {
	const now = accessOf({
		'whylabs-org-1:admin': ['a', 'b'],
		'whylabs-org-1:member': ['c'],
		'whylabs-org-2:admin': ['a'],
	});

	it('only organizations that lose an admin, with the admins who stay', () => {
		const question = { organization: 'org-1', groupId: 'whylabs-org-1:admin', coming: [] };
		expect(adminQuestions([adminLoss('a')], [], now)).toEqual([
			{ ...question, leaving: new Set(['a']), staying: ['b'] },
		]);
		expect(adminQuestions([adminLoss('a'), adminLoss('b')], [], now)).toEqual([
			{ ...question, leaving: new Set(['a', 'b']), staying: [] },
		]);
	});

	it('other roles ask nothing', () => {
		const losses = [loss('c', { organization: 'org-1', role: 'member' }), loss('c')];
		expect(adminQuestions(losses, [], now)).toStrictEqual([]);
	});

	it('roles that are no roles in an organization ask nothing', () => {
		const plain = accessOf({ VPN: ['a'], 'org-1:admin': ['a'] });
		expect(adminQuestions([loss('a', { role: 'admin' })], [], plain)).toStrictEqual([]);
	});

	it('a person becomes admin there in the same plan', () => {
		const gain = { person: person('c'), organization: 'org-1', role: 'admin' };
		const losses = [adminLoss('a'), adminLoss('b')];
		expect(adminQuestions(losses, [gain], now)).toMatchObject([{ coming: [{ key: 'c' }] }]);
		const elsewhere = [
			{ ...gain, organization: 'org-2' },
			{ ...gain, role: 'member' },
		];
		expect(adminQuestions(losses, elsewhere, now)).toMatchObject([{ coming: [] }]);
	});
});

describe('newAdminsFirst: an organization that depends on its new admin', () => {
	const [ADMIN, MEMBER, TWO, VIEWER] = [
		...['org-1:admin', 'org-1:member'],
		...['org-2:member', 'org-1:viewer'],
	];
	const members = {
		...{ [ADMIN]: ['old', 'x'], [MEMBER]: ['mia', 'zoe'], [VIEWER]: [], VPN: [] },
		...{ 'org-2:admin': ['zoe'], [TWO]: ['old'], 'org-2:viewer': [] },
	};
	const rules = rulesOf(members);
	function ordered(wishes: Wish[], newAdmin: string, more: Loss[] = []) {
		const made = diff(wishes, rules);
		const losses = lossesIn(made.changes, ({ id = '' }) => membershipsOf(rules.access, id));
		newAdminsFirst(made.changes, new Map([['org-1', person(newAdmin)]]), [...losses, ...more]);
		return made;
	}

	it('is one request more: the service may refuse the new one', () => {
		const wishes = [want(0, 'new', [ADMIN]), want(1, 'old', [], [ADMIN])];
		expect(withSteps(ordered(wishes, 'new'), rules).steps).toMatchObject([
			{ request: { body: { Operations: [{ op: 'add', value: [{ value: 'new' }] }] } } },
			{ request: { body: { Operations: [{ op: 'remove', value: [{ value: 'old' }] }] } } },
		]);
		expect(withSteps(diff(wishes, rules), rules).steps).toHaveLength(1);
	});

	/** Lines such as `old org-1:member < new org-1:admin`. */
	function waits(...given: Parameters<typeof ordered>) {
		const { changes } = ordered(...given);
		const named = new Map(
			changes.map((change) => {
				const [one] = change.about === 'entitlement' ? gained(change) : [];
				const who = change.about === 'group' ? '' : change.person.key;
				return [change.key, `${who} ${one && 'groupId' in one ? one.groupId : kindOf(change)}`];
			}),
		);
		return changes.flatMap(({ key, restsOn }) =>
			restsOn.map((rest) => `${named.get(key)} < ${'key' in rest && named.get(rest.key)}`),
		);
	}

	it('a user who stops being admin there, for the one it depends on', () => {
		const wishes = [
			...[want(0, 'eve', [ADMIN]), want(1, 'new', ['VPN', 'org-2:admin', ADMIN])],
			...[want(2, 'old', ['org-2:viewer', 'VPN', MEMBER]), want(3, 'mia', [], [MEMBER])],
			...[want(4, 'zoe', [VIEWER, TWO]), want(5, 'x', [], [], { account: 'inactive' })],
		];
		const lines = [`old ${MEMBER} < new ${ADMIN}`, `x deactivated < new ${ADMIN}`];
		expect(waits(wishes, 'new')).toEqual(lines);
	});

	it('nobody, for who does not become admin in this plan', () => {
		expect(waits([want(0, 'old', [MEMBER]), want(1, 'new', [VIEWER])], 'new')).toStrictEqual([]);
		expect(waits([want(0, 'old', [MEMBER]), want(1, 'x', [], [ADMIN])], 'x')).toStrictEqual([]);
	});

	it('never the new admin', () => {
		expect(waits([want(0, 'new', [ADMIN])], 'new', [adminLoss('new')])).toStrictEqual([]);
	});
});
