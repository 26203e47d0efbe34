import {
	emailsWith,
	takenOver,
	whyNotRenamed,
	whyNotReplaced,
} from '../../../nodes/shared/access/plans/twoAccounts';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';
import { ACCOUNT, rulesOf, type Members, type RulesGiven } from '../../support/plans';

const OLD = 'ana@example.com';
const NEW = 'ana.silva@example.com';
const [old, other] = ['user-old', 'user-new'];
const ROLES = { ...ACCOUNT, accessAttributes: ['roles'] };

/** Shows that two accounts are of one person. */
const SAME = { externalId: 'H1' };
const userOf = (id: string, userName: string, more: object = {}): User =>
	readUser({ id, userName, active: true, ...more })!;
const textOf = (why: unknown) => (why instanceof Error ? why.message : why);

interface Case {
	existing?: User;
	members?: Members;
	rules?: RulesGiven;
}

/** What stands against a new account. */
function told(before: object, { existing, members = {}, rules }: Case = {}) {
	const given = rulesOf(members, { label: (groupId) => groupId, ...rules });
	const accounts = { old: userOf(old, OLD, before), newEmail: NEW, existing };
	return textOf(whyNotReplaced(accounts, given));
}
const toldOf = (before: object, there: object, more: Case = {}) =>
	told(before, { existing: userOf(other, NEW, there), ...more });

describe('whyNotReplaced', () => {
	const hidden: Case = {
		members: { 'org-1:x': [] },
		rules: { profile: { ...ACCOUNT, groupsShowMembers: 'no' } },
	};
	const buyer = { active: false, roles: ['buyer'] };

	it.each<[string, object, Case, RegExp]>([
		['the same account', {}, { existing: userOf(old, NEW) }, /^the user has this email already/],
		[
			'an inactive new account',
			{},
			{ existing: userOf(other, NEW, { active: false }) },
			/inactive/,
		],
		['nothing to take over', { active: false }, {}, /is inactive and has no roles/],
		[
			'done already',
			{ ...SAME, active: false },
			{ existing: userOf(other, NEW, SAME) },
			/^the new account is there, the old one is inactive$/,
		],
		[
			'a protected old account',
			{},
			{ rules: { isProtected: ({ key, id }) => key === old && id === old } },
			/protected/,
		],
		[
			'a protected account that is there',
			{},
			{ existing: userOf(other, NEW), rules: { isProtected: ({ id }) => id === other } },
			/is protected/,
		],
		['roles that nothing shows', {}, hidden, /^The roles of ana@example.com are unknown/],
		['nothing, without access', {}, {}, /^$/],
		['nothing, inactive with a role', { active: false }, { members: { 'org-1:x': [old] } }, /^$/],
		['nothing, inactive with a value', buyer, { rules: { profile: ROLES } }, /^$/],
	])('%s', (_, before, given, reason) => {
		expect(told(before, given) ?? '').toMatch(reason);
	});
});

describe('an account that is there already', () => {
	const name = { givenName: 'Ana', familyName: 'Silva' };
	const buyer = { roles: [{ value: 'buyer' }] };

	it.each([
		['its name is not that of', { name }, { name: { ...name, givenName: 'Eva' } }],
		['its name is not that of', { name }, { name: { ...name, middleName: 'M' } }],
		['its name is not that of', { name }, { name: { ...name, familyName: 'Sousa' } }],
		['its external ID is not that of', { externalId: 'H1' }, { externalId: 'h1' }],
		['neither a name nor an external ID', { externalId: 'H1' }, { name }],
		['neither a name nor an external ID', { name }, { externalId: 'H1' }],
		['neither a name nor an', { name: { givenName: ' ' }, externalId: ' ' }, {}],
		['neither a name nor', { name: 'A', externalId: true }, { name: 'A', externalId: true }],
	])('may be a stranger: %s %j, %j', (why, before, there) => {
		const reason = toldOf(before, there);
		expect(reason).toContain(`${NEW} belongs to another account (ID user-new)`);
		expect(reason).toContain(why);
	});

	it.each([
		[{ name }, { name: { ...name, givenName: ' ana ' } }],
		[{ externalId: 7 }, { externalId: ' 7' }],
	])('is the same person: %j, %j', (before, there) => {
		expect(toldOf(before, there)).toBeUndefined();
	});

	it.each<[string, object, Members, string]>([
		['a role, and the old one none', {}, { 'org-1:x': [other] }, 'it is org-1:x, which'],
		['more', { active: false }, { 'org-1:x': [other], 'org-2:x': [old] }, 'it is org-1:x, which'],
		['what an old one had', { active: false }, { 'org-1:x': [other] }, ''],
	])('with %s (%j)', (_, before, members, why) => {
		const reason = toldOf({ name, ...before }, { name }, { members }) ?? '';
		if (why === '') expect(reason).not.toMatch(/belongs/);
		else expect(reason).toContain(why);
	});

	it.each<[string, object, object, boolean]>([
		['a value that the old one has not', {}, buyer, true],
		['a value more', { active: false, roles: [{ value: 'x' }] }, buyer, true],
		['the same value in another case', buyer, { roles: [{ value: 'Buyer' }] }, false],
		['a value that an old one had', { active: false }, buyer, false],
		['no value', buyer, {}, false],
	])('with %s', (_, before, there, isStranger) => {
		const rules = { profile: ROLES };
		const words = /it has roles "buyer", which ana@example\.com does not have/i;
		const reason = toldOf({ name, ...before }, { name, ...there }, { rules });
		expect(words.test(String(reason))).toBe(isStranger);
	});
});

describe('takenOver', () => {
	const takes = (shown: object) => takenOver(userOf(old, OLD, shown), NEW);

	it('nothing that is of one account alone, nor what is empty; names as the standard writes them', () => {
		const own = { schemas: ['x'], meta: {}, groups: [], Password: 'p', ACTIVE: true };
		expect(takes({ ...own, Title: 'Dr', nickName: null })).toEqual({ title: 'Dr' });
	});

	it.each([
		[
			'what is no entry is left out',
			['x', { value: OLD }, { value: 7 }],
			[{ value: NEW }, { value: 7 }],
		],
		['one as text is it', 'ana', [{ value: NEW, primary: true }]],
	])('emails: %s', (_, emails, copied) => {
		expect(takes({ emails })).toEqual({ emails: copied });
	});
});

const [HOME, WORK] = [
	{ value: 'ana@home.example', type: 'home' },
	{ value: 'a.silva@example.com' },
];
const MAIN = { value: NEW, primary: true };

it.each<[string, string, unknown, unknown]>([
	['none are shown, and the user name is one', OLD, undefined, undefined],
	['none are shown, and the user name is none', 'ana.s', undefined, [MAIN]],
	[
		'one is the user name, in another case',
		OLD,
		[{ value: 'Ana@example.com' }, HOME],
		[{ value: NEW }, HOME],
	],
	['the only one is another one', OLD, [WORK], [MAIN]],
	[
		'the user name is none',
		'ana.s',
		[HOME, { ...WORK, type: 'work', primary: true }],
		[{ ...MAIN, type: 'work' }, HOME],
	],
	['none is the main one', 'ana.s', [WORK, HOME], [MAIN, WORK, HOME]],
	[
		'the new one is among the others',
		'ana.s',
		[{ ...WORK, primary: true }, { value: NEW }],
		[MAIN],
	],
	['the main one is the new one', 'ana.s', [{ value: NEW, primary: true }, HOME], undefined],
])('emailsWith where %s', (_, userName, emails, changed) => {
	const shown = emails === undefined ? {} : { emails };
	const expected = changed === undefined ? {} : { emails: changed };
	expect(emailsWith(userOf(old, userName, shown), NEW)).toEqual(expected);
});

it.each<[string, User | undefined, string, RegExp | undefined, string?]>([
	['that is so already', undefined, '', /^the user has this email already$/, 'ANA@example.com'],
	['nothing', undefined, '', undefined],
	['nothing: the name of another case is of the same account', userOf(old, OLD), '', undefined],
	['the name is of another person', userOf('user-2', NEW), '', /another account \(ID user-2\)/],
	['the old name is protected', undefined, OLD, /is protected/],
	['the new name is protected', undefined, NEW, /is protected/],
])('whyNotRenamed: %s', (_, existing, kept, why, newEmail = NEW) => {
	const accounts = { old: userOf(old, OLD), newEmail, existing };
	const reason = textOf(whyNotRenamed(accounts, ({ userName }) => userName === kept));
	if (why === undefined) expect(reason).toBeUndefined();
	else expect(reason).toMatch(why);
});
