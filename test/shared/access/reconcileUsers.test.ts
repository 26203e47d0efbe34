import { type AccountChange, type Person } from '../../../nodes/shared/access/changes/change';
import { diff } from '../../../nodes/shared/access/plans/diff';
import {
	absentWishes,
	newcomerWish,
	noAccount,
	userRowWish,
	wantedAttributes,
	type UserRow,
	type UserRules,
} from '../../../nodes/shared/access/plans/reconcileUsers';
import { type AccessRules, type Diff } from '../../../nodes/shared/access/changes/wish';
import { compareWholeLists } from '../../../nodes/shared/scim/protocol/compare';
import { matchingBy } from '../../../nodes/shared/scim/protocol/matching';
import { PROFILES } from '../../../nodes/shared/scim/protocol/service';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';

const GENERIC = PROFILES.generic;
const [byName, byId] = (['userName', 'externalId'] as const).map(matchingBy);

const userOf = (id: string, attributes: object = {}) =>
	readUser({ id, userName: id, externalId: `E-${id}`, ...attributes }) as User;
const [ana, cem] = [userOf('ana'), userOf('cem', { externalId: null })];

type Given = Partial<UserRow>;
const row = (externalId: string, more: Given = {}, attributes: object = {}): Given => ({
	...more,
	attributes: { externalId, ...attributes },
});
const rowOf = (given: Given): UserRow => ({
	...{ item: 0, row: '1', attributes: {}, warnings: [] },
	...given,
});

describe('what a row wants of its account', () => {
	const URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
	const two = { emails: [{ value: 'a@x.com', type: 'work', primary: true }, { value: 'b' }] };
	const [main, other] = two.emails;
	const shown = { [URN]: { department: 'HR' }, name: {} };
	const others = { name: null, [URN]: null };

	it.each<[string, object, Given, object, object?]>([
		['its emails, no password', two, {}, { title: 'Dr' }, { title: 'Dr', password: 'x' }],
		['its new name', {}, { userName: 'new' }, { userName: 'new' }],
		['another main email', two, { email: 'c' }, { emails: [{ ...main, value: 'c' }, other] }],
		['no main email', two, { email: null }, { emails: [other] }],
		['active, where nobody says so', {}, {}, {}, { active: true }],
		['active, where it is not', { active: false }, {}, { active: true }, { active: true }],
		['inactive, where nobody says so', {}, {}, { active: false }, { active: false }],
		['part of one', shown, {}, { [URN]: { division: 'x' } }, { [URN]: { division: 'x' } }],
		['none of others', shown, {}, others, others],
	])('%s', (_, user, given, wanted, attributes = {}) => {
		const one = rowOf(row('E-ana', given, attributes));
		expect(wantedAttributes(one, userOf('ana', user), GENERIC)).toStrictEqual({
			...{ externalId: 'E-ana', ...wanted },
		});
	});
});

const DROPS = { ...GENERIC, deactivation: 'drops' as const };
const RULES: UserRules = {
	...{ matching: byId, profile: DROPS, reactivate: false },
};
/** The diff of wishes where all groups are empty. */
const made = (
	wishes: Parameters<typeof diff>[0],
	isProtected: AccessRules['isProtected'] = () => false,
) =>
	diff(wishes, {
		access: { held: new Map() },
		...{ profile: DROPS, compare: compareWholeLists, isProtected, account: () => undefined },
	} as unknown as AccessRules);
const plan = (
	given: Given,
	user: User,
	{ isProtected, ...rules }: Partial<UserRules & Pick<AccessRules, 'isProtected'>> = {},
) => {
	const all = { ...RULES, ...rules };
	const one = rowOf(given);
	const { wishes, settled } = userRowWish(one, user, wantedAttributes(one, user, all.profile), all);
	const planned = made(wishes, isProtected);
	return { ...planned, settled: [...settled, ...planned.settled] };
};
const inWords = ({ settled }: Diff) =>
	settled.map(({ outcome }) => `${outcome.status} ${outcome.action}: ${outcome.reason ?? ''}`);

describe('an account with a row', () => {
	const wants = (attributes: object, more: Given = {}) => row('E-ana', more, attributes);
	const active = userOf('ana', { active: true, title: 'Dr', groups: [{ value: 'g' }] });
	const inactive = userOf('ana', { active: false });
	const heldBack = 'row 2 cannot be used';

	const [off, on] = [{ active: false }, { active: true }];
	const title = { title: 'x' };
	const link = { externalId: 'X', ...off };

	it.each<[string, Given, User, object, RegExp, string, Partial<UserRules>?]>([
		['a link', row('X', { userName: 'cem' }, off), cem, link, /Link by/, 'Deactivation drops all'],
		['a leaver', wants(off), active, off, /not active/, 'drops these memberships: g.'],
		['a return', wants(on), inactive, on, /other values/, 'do not come back', { reactivate: true }],
		['gone before', wants({ ...off, ...title }), inactive, title, /other values/, ''],
		['one who stays', wants({ ...on, ...title }), active, title, /other values/, ''],
		['held back', wants({ ...off, ...title }), active, title, /other values/, '', { heldBack }],
	])(
		'of %s: what is sent, why, and the warning',
		(_, given, user, sent, why, warning, rules = {}) => {
			const [change] = plan(given, user, rules).changes as AccountChange[];
			expect(change.attributes).toEqual(sent);
			expect(change.why).toMatch(why);
			expect(change.warnings).toEqual(warning === '' ? [] : [expect.stringContaining(warning)]);
		},
	);

	it('is not deactivated while that is held back, which is said of leavers alone', () => {
		const outcome = { status: 'skipped', action: 'deactivate user ana', reason: heldBack };
		const person = { key: 'ana', id: 'ana', userName: 'ana' };
		const result = { who: { kind: 'person', person }, intent: 'deactivated' };
		const leaving = plan(wants({ ...off, ...title }), active, { heldBack });
		expect(leaving.settled).toEqual([{ item: 0, subject: 'ana', outcome, result }]);
		for (const [user, wanted] of [
			[active, on],
			[inactive, off],
		] as const) {
			expect(plan(wants({ ...wanted, ...title }), user, { heldBack }).settled).toStrictEqual([]);
		}
	});

	const fixed = { profile: { ...GENERIC, userNameCanChange: false } };
	const isProtected = ({ id }: Person) => id === 'ana';
	const mails = (count: number) =>
		userOf('ana', {
			emails: [{ value: 'a', primary: true }, { value: 'b' }, { value: 'c' }].slice(0, count),
		});
	const noEmail = wants({}, { email: null });

	it.each<[string, Given, User, RegExp, Partial<UserRules & Pick<AccessRules, 'isProtected'>>?]>([
		['a fixed name', wants({}, { userName: 'x' }), ana, /user name of ana cannot be/, fixed],
		['a return that is not allowed', wants({ ...on, ...title }), inactive, /Reactivate is off/],
		['protection', wants(title), ana, /protected/, { isProtected }],
		['one email left', noEmail, mails(2), /Without the main email ana has b alone/],
	])('is refused for %s', (_, given, user, reason, rules = {}) => {
		const { changes, settled } = plan(given, user, rules);
		expect(changes).toStrictEqual([]);
		const outcome = { status: 'failed', reason: expect.stringMatching(reason) };
		const result = { intent: 'updated', source: '1' };
		expect(settled).toMatchObject([{ item: 0, subject: 'ana', outcome, result }]);
	});

	it.each<[string, Given, User]>([
		['no email left', noEmail, mails(1)],
		['several left', noEmail, mails(3)],
		['another main one', wants({}, { email: 'd' }), mails(2)],
	])('may lose its main email with %s', (_, given, user) => {
		expect(plan(given, user)).toMatchObject({ changes: [{ before: 'there' }], settled: [] });
	});
});

describe('a row about a person who has no account', () => {
	const newcomer = (more: Given = {}, attributes: object = {}, matching = byId) =>
		newcomerWish(rowOf(row('X', more, attributes)), 'New', matching);

	it('makes a user with all that is not null', () => {
		const given = newcomer({ email: 'n', warnings: ['odd'] }, { title: null, nickName: 'N' });
		const emails = [{ value: 'n', primary: true }];
		const change = {
			...{ before: 'absent', matchBy: 'externalId' },
			...{ warnings: ['odd'], why: 'a row names the person, who has no account' },
			...{ items: [0], person: { key: 'new', userName: 'New' } },
			attributes: { externalId: 'X', nickName: 'N', emails },
		};
		expect(made([given]).changes).toEqual([expect.objectContaining(change)]);
	});

	it('makes one without email where there is to be none, known by its name', () => {
		const [change] = made([newcomer({ email: null }, {}, byName)]).changes;
		expect(change).toHaveProperty('attributes', { externalId: 'X' });
		expect(change).not.toHaveProperty('matchBy');
	});

	it('who is protected makes none, and names the row', () => {
		const { changes, settled } = made([newcomer()], ({ userName }) => userName === 'New');
		expect(changes).toStrictEqual([]);
		const outcome = { status: 'failed', reason: expect.stringMatching(/New is protected/) };
		expect(settled).toMatchObject([{ item: 0, outcome, result: { source: '1' } }]);
	});

	it('who is not active makes none, and is done', () => {
		const person = { key: 'new', userName: 'New' };
		const outcome = { status: 'unchanged', action: 'create user New', reason: expect.any(String) };
		expect(noAccount(rowOf({ item: 3 }), 'New')).toEqual({
			...{ item: 3, subject: 'new', outcome, result: { who: { kind: 'person', person } } },
		});
	});
});

describe('people in no row', () => {
	const gone = userOf('gone', { active: true, groups: [{ value: 'g' }] });

	it('are left where there is a reason against it', () => {
		const { changes, settled } = made(absentWishes([gone], 'row 2 cannot be used'));
		const words = ['skipped deactivate user gone: row 2 cannot be used'];
		expect([changes, inWords({ changes, settled })]).toEqual([[], words]);
	});
});
