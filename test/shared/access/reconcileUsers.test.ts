import { kindOf, type AccountChange, type Member } from '../../../nodes/shared/access/change';
import {
	keyOfRow,
	matchRows,
	planAbsent,
	planRows,
	type MatchRules,
	type UserRow,
	type UserRules,
} from '../../../nodes/shared/access/reconcileUsers';
import type { Diff } from '../../../nodes/shared/access/wish';
import { NO_ITEM } from '../../../nodes/shared/run';
import {
	indexUsers,
	matchingBy,
	type MatchAttribute,
} from '../../../nodes/shared/scim/protocol/matching';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';

const GENERIC = PROFILES.generic;
const [byName, byEmail, byId] = (['userName', 'email', 'externalId'] as const).map(matchingBy);

const userOf = (id: string, attributes: object = {}) =>
	readUser({ id, userName: id, externalId: `E-${id}`, ...attributes }) as User;
const without = (id: string, more: object = {}) => userOf(id, { externalId: null, ...more });
const mail = (...addresses: string[]) => ({ emails: addresses.map((value) => ({ value })) });
const [ana, ben, cem] = [userOf('ana'), userOf('ben'), without('cem')];

type Given = Partial<UserRow>;
const row = (externalId: string, more: Given = {}, attributes: object = {}): Given => ({
	...more,
	attributes: { externalId, ...attributes },
});
/** With the numbers 1, 2, ... */
const rowsOf = (given: Given[]): UserRow[] =>
	given.map((one, at) => ({ item: at, row: `${at + 1}`, attributes: {}, warnings: [], ...one }));

function match(given: Given[], users: User[], rules: Partial<MatchRules> = {}) {
	const all = { matching: byId, profile: GENERIC, links: false, ...rules };
	return matchRows(rowsOf(given), indexUsers(users, all.matching), all);
}

it.each<[Given, MatchAttribute, string]>([
	[{ userName: 'ana', email: 'a@x.com' }, 'userName', 'ana'],
	[{ email: 'a@x.com' }, 'userName', 'a@x.com'],
	[{ email: null }, 'userName', ''],
	[{ userName: 'ana', email: 'a@x.com' }, 'email', 'a@x.com'],
	[{ userName: 'ana', attributes: mail('a@x.com') }, 'email', 'a@x.com'],
	[row('E-1', { userName: 'ana' }), 'externalId', 'E-1'],
	[{ userName: 'ana' }, 'externalId', ''],
])('the key of %j by %s is %p', (given, by, key) => {
	expect(keyOfRow(rowsOf([given])[0], matchingBy(by))).toBe(key);
});

describe('the account of a row', () => {
	/** What becomes of each row, in the order of the rows. */
	function meant(...of: Parameters<typeof match>) {
		const { known, fresh, unusable } = match(...of);
		return [
			...known.map((one) => `${one.row.row} ${one.links ? 'links' : 'is'} ${one.user.id}`),
			...fresh.map((one) => `${one.row.row} new ${one.userName}`),
			...unusable.map((one) => `${one.row.row} ${(one.error as Error).message}`),
		].sort();
	}
	const links = { links: true };
	const partly = { incomplete: 'one page failed' };
	const partlyByName = { ...partly, matching: byName };
	const [named, mailed] = [row('X', { userName: 'Cem' }), row('X', { email: 'n@x.com' })];

	it.each<[string, Given, User[], RegExp, Partial<MatchRules>?]>([
		['the one with the key', row('E-ana'), [ben, ana], /^1 is ana$/],
		['the case of an ID counts', row('e-ana'), [ana], /no user name for a new one/],
		['nobody', named, [ana], /^1 new Cem$/],
		['nobody, named by the email', mailed, [ana], /^1 new n@x.com$/],
		['nobody, and no name', row('X', { email: null }), [ana], /no user name for a new one/],
		[
			'two with the key',
			row('E-ana'),
			[ana, userOf('a', { externalId: 'E-ana' })],
			/More than one .*ana, a\)/,
		],
		['the first of an incomplete list', row('E-ana'), [ana], /is incomplete/, partly],
		['a name in it', { userName: 'ANA' }, [ana], /^1 is ana$/, partlyByName],
		['a name that is not in it', { userName: 'x' }, [ana], /is incomplete/, partlyByName],
		['its own name', row('E-ana', { userName: 'ana' }), [ana, ben], /^1 is ana$/],
		['the name of another', row('E-ana', { userName: 'BEN' }), [ana, ben], /BEN .*another.*ID ben/],
		['that as an email', row('E-ana', { email: 'ben' }), [ana, ben], /^1 is ana$/],
		['a link', named, [cem], /^1 links cem$/, links],
		['no link', named, [cem], /Cem \(ID cem\) .* Link by User Name is off/],
		['taken by an ID', row('X', { userName: 'ana' }), [ana], /taken .* ID E-ana/, links],
		['taken by two', named, [cem, without('c', { userName: 'CEM' })], /taken.*cem, ID c/, links],
		[
			'no link by email',
			{ ...named, email: 'a' },
			[cem],
			/no email/,
			{ ...links, matching: byEmail },
		],
		['a twin by user name', named, [without('c', mail('x', 'CEM'))], /beside c \(ID c\)/],
		['a twin by email', { ...mailed, userName: 'x' }, [without('c', mail('N@x.com'))], /ID c\)/],
		['a twin by key', row('CEM', { userName: 'x' }), [cem], /ID cem\)/],
		['no twin of one with an ID', named, [userOf('ana', mail('cem'))], /^1 new Cem$/],
	])('%s', (_, given, users, words, rules = {}) => {
		expect(meant([given], users, rules)).toEqual([expect.stringMatching(words)]);
	});

	it('is that of another row as well: neither is used', () => {
		const rows = [row('E-ana'), row('E-ben'), row('E-ana'), row('E-ana')];
		const words = 'Rows 1 and 3 are about the same user (E-ana)';
		expect(meant(rows, [ana, ben])).toEqual([`1 ${words}`, '2 is ben', `3 ${words}`, `4 ${words}`]);
	});

	it.each<[string, Given[], boolean, Partial<MatchRules>?]>([
		[
			'an email in two cases',
			[{ email: 'a@x.com' }, { email: 'A@x.com' }],
			true,
			{ matching: byEmail },
		],
		['one account by links', [row('X', { email: 'cem' }), row('Y', { email: 'cem' })], true, links],
		['a rename and a new one', [row('E-ana', { userName: 'N@x.com' }), mailed], true],
		['two new ones with one email', [mailed, row('Y', { email: 'N@x.com' })], true],
		[
			'known ones with one email',
			[row('E-ana', { email: 'n' }), row('E-ben', { email: 'n' })],
			false,
		],
		['no emails', [row('E-ana', { email: null }), row('E-ben', { email: null })], false],
		['a key like a name', [row('n@x.com', { userName: 'x' }), mailed], false],
	])('two rows with %s clash: %p', (_, given, clash, rules = {}) => {
		const { unusable } = match(given, [ana, ben, cem], rules);
		expect(unusable.map(({ error }) => String(error).includes('Rows 1 and 2'))).toEqual(
			clash ? [true, true] : [],
		);
	});
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
		['the main email that it has', two, { email: 'A@x.com' }, {}],
		['no main email', two, { email: null }, { emails: [other] }],
		['active, where nobody says so', {}, {}, {}, { active: true }],
		['active, where it is not', { active: false }, {}, { active: true }, { active: true }],
		['active, where it is', { active: true }, {}, { active: true }, { active: true }],
		['inactive, where nobody says so', {}, {}, { active: false }, { active: false }],
		['part of one', shown, {}, { [URN]: { division: 'x' } }, { [URN]: { division: 'x' } }],
		['none of others', shown, {}, others, others],
	])('%s', (_, user, given, wanted, attributes = {}) => {
		const [known] = match([row('E-ana', given, attributes)], [userOf('ana', user)]).known;
		expect(known.wanted).toStrictEqual({ externalId: 'E-ana', ...wanted });
	});

	it('no user name where the service makes its own', () => {
		const profile = { ...GENERIC, userNamesAreConverted: true };
		const [known] = match([row('E-ana', { userName: 'x' })], [ana], { profile }).known;
		expect(known.wanted).toEqual({ externalId: 'E-ana' });
	});
});

const DROPS = { ...GENERIC, deactivation: 'drops' as const };
const RULES: UserRules = {
	...{ matching: byId, profile: DROPS, reactivate: false },
	knows: () => true,
	isProtected: () => false,
};
const plan = (given: Given[], users: User[], rules: Partial<UserRules> = {}) =>
	planRows(match(given, users, { links: true, ...rules }), { ...RULES, ...rules });
const inWords = ({ settled }: Diff) =>
	settled.map(({ outcome }) => `${outcome.status} ${outcome.action}: ${outcome.reason ?? ''}`);
const NOTHING = { changes: [], settled: [], warnings: [] };

describe('an account with a row', () => {
	const wants = (attributes: object, more: Given = {}) => row('E-ana', more, attributes);
	const active = userOf('ana', { active: true, title: 'Dr', groups: [{ value: 'g' }] });
	const inactive = userOf('ana', { active: false });
	const heldBack = 'row 2 cannot be used';

	it('that differs: an update of what differs, with what the row warns of', () => {
		const change = {
			...{ before: 'active', after: 'active', attributes: { title: 'x' } },
			...{ items: [0], action: 'update user ana' },
			...{ why: 'a row has other values', warnings: ['odd'] },
			person: { key: 'ana', id: 'ana', userName: 'ana' },
		};
		const made = plan([wants({ title: 'x' }, { warnings: ['odd'] })], [active]);
		expect(made).toEqual({ ...NOTHING, changes: [expect.objectContaining(change)] });
	});

	it('that is so already: unchanged, also of who is protected', () => {
		const made = plan([wants({ title: 'Dr', active: true })], [active], {
			isProtected: () => true,
		});
		expect(made.changes).toStrictEqual([]);
		expect(inWords(made)).toEqual(['unchanged update user ana: ']);
	});

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
			const [change] = plan([given], [user], rules).changes as AccountChange[];
			expect(change.attributes).toEqual(sent);
			expect(change.why).toMatch(why);
			expect(change.warnings).toEqual(warning === '' ? [] : [expect.stringContaining(warning)]);
		},
	);

	it('is not deactivated while that is held back, which is said of leavers alone', () => {
		const outcome = { status: 'skipped', action: 'deactivate user ana', reason: heldBack };
		const person = { key: 'ana', id: 'ana', userName: 'ana' };
		const result = { who: { kind: 'person', person }, intent: 'deactivated' };
		const leaving = plan([wants({ ...off, ...title })], [active], { heldBack });
		expect(leaving.settled).toEqual([{ item: 0, subject: 'ana', outcome, result }]);
		for (const [user, wanted] of [
			[active, on],
			[inactive, off],
		] as const) {
			expect(plan([wants({ ...wanted, ...title })], [user], { heldBack }).settled).toStrictEqual(
				[],
			);
		}
	});

	const fixed = { profile: { ...GENERIC, userNameCanChange: false } };
	const isProtected = ({ id }: Member) => id === 'ana';
	const mails = (count: number) =>
		userOf('ana', {
			emails: [{ value: 'a', primary: true }, { value: 'b' }, { value: 'c' }].slice(0, count),
		});
	const noEmail = wants({}, { email: null });

	it.each<[string, Given, User, RegExp, Partial<UserRules>?]>([
		['a fixed name', wants({}, { userName: 'x' }), ana, /user name of ana cannot be/, fixed],
		['a return that is not allowed', wants({ ...on, ...title }), inactive, /Reactivate is off/],
		['protection', wants(title), ana, /protected/, { isProtected }],
		['one email left', noEmail, mails(2), /Without the main email ana has b alone/],
	])('is refused for %s', (_, given, user, reason, rules = {}) => {
		const { changes, settled } = plan([given], [user], rules);
		expect(changes).toStrictEqual([]);
		const outcome = { status: 'failed', reason: expect.stringMatching(reason) };
		const result = { who: { person: { id: 'ana' } }, intent: 'updated', source: '1' };
		expect(settled).toMatchObject([{ item: 0, subject: 'ana', outcome, result }]);
	});

	it.each<[string, Given, User]>([
		['no email left', noEmail, mails(1)],
		['several left', noEmail, mails(3)],
		['another main one', wants({}, { email: 'd' }), mails(2)],
	])('may lose its main email with %s', (_, given, user) => {
		expect(plan([given], [user])).toMatchObject({ changes: [{ before: 'there' }], settled: [] });
	});
});

describe('a row about somebody new', () => {
	const newcomer = (more: Given = {}, attributes: object = {}) =>
		row('X', { userName: 'New', ...more }, attributes);

	it('makes a user with all that is not null', () => {
		const given = newcomer({ email: 'n', warnings: ['odd'] }, { title: null, nickName: 'N' });
		const emails = [{ value: 'n', primary: true }];
		const change = {
			...{ before: 'absent', ifExists: 'fail', matchBy: 'externalId' },
			...{ warnings: ['odd'], why: 'a row names the person, who has no account' },
			...{ items: [0], person: { key: 'new', userName: 'New' } },
			attributes: { externalId: 'X', nickName: 'N', emails },
		};
		expect(plan([given], []).changes).toEqual([expect.objectContaining(change)]);
	});

	it('makes one without email where there is to be none, known by its name', () => {
		const [change] = plan([newcomer({ email: null })], [], { matching: byName }).changes;
		expect(change).toHaveProperty('attributes', { externalId: 'X' });
		expect(change).not.toHaveProperty('matchBy');
	});

	it.each([
		['is not active: nothing', { active: false }, 'unchanged', /no such user/, {}],
		['is protected: refused', { active: true }, 'failed', /New is protected/, { source: '1' }],
	])('who %s', (_, attributes, status, reason, source) => {
		const isProtected = ({ userName }: Member) => userName === 'New';
		const { changes, settled } = plan([newcomer({}, attributes)], [], { isProtected });
		expect(changes).toStrictEqual([]);
		const outcome = { status, action: 'create user New', reason: expect.stringMatching(reason) };
		const result = { who: { kind: 'person', person: { key: 'new', userName: 'New' } }, ...source };
		expect(settled).toMatchObject([{ item: 0, subject: 'new', outcome }]);
		expect(settled[0].result).toStrictEqual(result);
	});

	it('comes after those that have an account', () => {
		const rows = [newcomer(), row('E-ana', {}, { title: 'x' })];
		expect(plan(rows, [ana]).changes.map(kindOf)).toEqual(['updated', 'created']);
		const none = [newcomer({}, { active: false }), row('E-ana')];
		expect(plan(none, [ana]).settled.map(({ item }) => item)).toEqual([1, 0]);
	});
});

describe('people whom no row names', () => {
	const gone = userOf('gone', { active: true });
	const quiet = userOf('quiet', { groups: [{ value: 'g' }] });
	const stay = [ana, cem, userOf('off', { active: false }), userOf('far'), userOf('boss')];
	const absent = (deactivates: boolean, heldBack?: string, users = [...stay, gone, quiet]) =>
		planAbsent(
			users,
			match([row('E-ana')], [ana]),
			[{ user: cem, sharedWith: [] }],
			{ deactivates, includes: ({ id }) => id !== 'far' },
			{ ...RULES, isProtected: ({ id }) => id === 'boss', heldBack },
		);

	it('are deactivated: those who are active, in scope and not protected', () => {
		const { changes, ...rest } = absent(true);
		const base = { after: 'inactive', why: 'no row names the person', items: [NO_ITEM] };
		expect(changes).toMatchObject([
			{ ...base, person: { id: 'gone' }, action: 'deactivate user gone', before: 'active' },
			{ ...base, person: { id: 'quiet' }, before: 'there' },
		]);
		expect(changes[1].warnings).toEqual([expect.stringContaining('memberships: g.')]);
		expect(rest).toEqual({ settled: [], warnings: [] });
	});

	it.each([
		['only reported', false, undefined, 'no row names the person'],
		['held back', true, 'row 2 cannot be used', 'row 2 cannot be used'],
		['only reported while held back', false, 'row 2 cannot be used', 'no row names the person'],
	])('are %s', (_, deactivates, heldBack, why) => {
		const made = absent(deactivates, heldBack);
		const words = ['gone', 'quiet'].map((id) => `skipped deactivate user ${id}: ${why}`);
		expect([made.changes, inWords(made), made.warnings]).toEqual([[], words, []]);
		expect(made.settled.map(({ item }) => item)).toEqual([NO_ITEM, NO_ITEM]);
	});

	it('nobody: nothing', () => {
		expect(absent(true, undefined, stay)).toEqual(NOTHING);
	});
});
