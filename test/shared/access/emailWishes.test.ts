import { readAccess } from '../../../nodes/shared/access/access';
import { diff } from '../../../nodes/shared/access/diff';
import {
	clashingChanges,
	emailWishes,
	planRenames,
	type EmailChange,
} from '../../../nodes/shared/access/emailWishes';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';
import type { ServiceProfile } from '../../../nodes/shared/scim/protocol/service';
import { FRESH } from '../../support/fakeTransport';
import {
	ACCOUNT,
	ids,
	neededBy,
	rulesOf,
	sentBy,
	withSteps,
	type Members,
	type RulesGiven,
} from '../../support/plans';

const KEEPS: ServiceProfile = { ...ACCOUNT, deactivation: 'keeps' };
const OLD = 'ana@example.com';
const NEW = 'ana.silva@example.com';

/** What is shown for the id of the new account, and what becomes of the old one. */
const IS_NEW = `{id of ${NEW}}`;
const OUT = 'PATCH Users/user-old replace active false';
const LOSES = 'PATCH Users/user-old remove roles[value eq "buyer"]';

/** Shows that two accounts are of one person. */
const SAME = { externalId: 'H1' };
const userOf = (id: string, userName: string, more: object = {}): User =>
	readUser({ id, userName, active: true, ...more })!;

interface Case {
	old?: object;
	existing?: User;
	members?: Members;
	rules?: RulesGiven;
}

function plan({ old, existing, members, rules }: Case = {}) {
	const groups = members ?? { 'org-1:admin': ['user-old', 'z'], 'org-2:viewer': ['user-old'] };
	const given = rulesOf(groups, { label: (groupId) => groupId, ...rules });
	const { wishes, settled } = emailWishes(
		{
			item: 0,
			old: userOf('user-old', OLD, old),
			newEmail: NEW,
			...(existing && { existing }),
		},
		given,
	);
	const planned = withSteps(diff(wishes, given), given);
	const all = [...settled, ...planned.settled];
	return {
		...planned,
		sent: sentBy(planned.steps),
		said: all.map(({ outcome }) => outcome.status),
		reasons: all.map(({ outcome }) => outcome.reason),
	};
}

describe('emailWishes', () => {
	it('create, give the roles, and only when all were seen deactivate the old account', () => {
		const { sent, steps, changes } = plan();
		expect(sent).toEqual([
			'POST Users',
			`PATCH Groups/org-1:admin add members ${IS_NEW}`,
			`PATCH Groups/org-2:viewer add members ${IS_NEW}`,
			OUT,
		]);
		const [create, first, second, leave] = changes.map(({ action }) => action);
		expect(neededBy(changes, ACCOUNT)).toEqual({
			[first]: [create],
			[second]: [create],
			[leave]: [create, first, second],
		});
		expect(steps[3].after).toEqual(steps.slice(0, 3).map(({ id }) => id));
	});

	it('the new account takes over who the person is; the email is the new one', () => {
		const { steps } = plan({
			old: {
				name: { givenName: 'Ana' },
				displayName: 'Ana',
				title: 'Boss',
				externalId: 'HR-1',
				groups: [{ value: 'org-1:admin' }],
				emails: [
					{ value: 'ANA@example.com', type: 'work' },
					{ value: 'ana@home.example', type: 'home' },
				],
			},
		});
		expect(steps[0].warnings).toStrictEqual([]);
		expect(steps[0].request.body).toEqual({
			schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
			active: true,
			name: { givenName: 'Ana' },
			displayName: 'Ana',
			title: 'Boss',
			externalId: 'HR-1',
			emails: [
				{ value: NEW, type: 'work' },
				{ value: 'ana@home.example', type: 'home' },
			],
			userName: NEW,
		});
	});

	it('where deactivation keeps roles they are removed, after the new account was seen to have them', () => {
		const { changes, sent } = plan({ rules: { profile: KEEPS } });
		expect(sent).toHaveLength(6);
		const isRemoval = (line: string) => line.includes('remove members user-old');
		expect(sent.filter(isRemoval)).toHaveLength(2);
		const [create, first, second, one, other, leave] = changes.map(({ action }) => action);
		for (const removal of [one, other])
			expect(neededBy(changes, KEEPS)[removal]).toEqual([leave, create, first, second]);
	});

	const existing = userOf('user-new', NEW, SAME);
	const isNew = 'PATCH Groups/org-2:viewer add members user-new';

	it.each<[string, Case, string[], string[]]>([
		['who has no roles: created first', { members: {} }, ['POST Users', OUT], []],
		[
			'an account that is there is used, and gets only what it lacks',
			{
				...{ old: SAME, existing },
				members: { 'org-1:admin': ['user-old', 'user-new'], 'org-2:viewer': ['user-old'] },
			},
			[isNew, OUT],
			['unchanged'],
		],
		[
			'a run that was interrupted at the end: only the old account is left to deactivate',
			{ old: SAME, existing, members: { 'org-1:admin': ['user-old', 'user-new'] } },
			[OUT],
			['unchanged'],
		],
		[
			'where the new account cannot be given everything, the old one stays as it is',
			{
				members: { 'org-1:admin': ['user-old'], 'org-1:viewer': ['user-old'] },
				rules: { profile: { ...ACCOUNT, addMovesWithinOrganization: false } },
			},
			[],
			['failed', 'failed', 'skipped'],
		],
	])('%s', (_, given, sent, said) => {
		expect(plan(given)).toMatchObject({ sent, said });
	});

	it('an old account that is inactive and still has roles loses them like any leaver', () => {
		const { sent } = plan({ old: { active: false } });
		expect(sent.filter((line) => line.includes('remove'))).toEqual(
			['org-1:admin', 'org-2:viewer'].map((id) => `PATCH Groups/${id} remove members user-old`),
		);
	});

	it.each<[string, Case, RegExp]>([
		['the same account', { existing: userOf('user-old', NEW) }, /has the email .* already/],
		[
			'an inactive new account',
			{ existing: userOf('user-new', NEW, { active: false }) },
			/inactive/,
		],
		[
			'nothing to take over',
			{ old: { active: false }, members: {} },
			/is inactive and has no roles/,
		],
		[
			'a protected old account',
			{ rules: { isProtected: ({ id }) => id === 'user-old' } },
			/is protected/,
		],
		[
			'a protected new email',
			{ rules: { isProtected: ({ userName }) => userName === NEW } },
			/is protected/,
		],
		[
			'a protected account that is there',
			{
				existing: userOf('user-new', NEW),
				rules: { isProtected: ({ id }) => id === 'user-new' },
			},
			/is protected/,
		],
	])('%s: nothing is sent, and the old account stays', (_, given, reason) => {
		const { sent, said, reasons } = plan(given);
		expect(sent).toStrictEqual([]);
		expect(said).toEqual(['failed']);
		expect(reasons.join()).toMatch(reason);
	});
});

describe('an account that is there already', () => {
	const name = { givenName: 'Ana', familyName: 'Silva' };
	const ROLES = { ...ACCOUNT, accessAttributes: ['roles'] };
	const buyer = { roles: [{ value: 'buyer' }] };
	const [old, other] = ['user-old', 'user-new'];
	/** What stands against it. */
	const told = (before: object, there: object, more: Case = {}) =>
		plan({
			...{ old: before, existing: userOf('user-new', NEW, there) },
			...{ members: {}, ...more },
		})
			.reasons.filter(Boolean)
			.join();

	it.each([
		['name, in any case', { name }, { name: { GivenName: ' ANA', familyName: 'silva ' } }],
		['name in one text', { name: { formatted: 'Ana' } }, { name: { formatted: 'ana' } }],
		['parts', { name: { ...name, formatted: 'A' } }, { name: { ...name, formatted: 'B' } }],
		['external ID', { externalId: 'H1' }, { externalId: ' H1 ' }],
		['external ID, a number', { externalId: 7 }, { externalId: '7' }],
		['external ID, one without name', { externalId: 'H1', name }, { externalId: 'H1' }],
		['name, one without external ID', { externalId: 'H1', name }, { name }],
		['name, the other without external ID', { name }, { externalId: 'H1', name }],
	])('is taken with the same %s', (_, before, there) => {
		expect(told(before, there)).toBe('');
	});

	it.each([
		['its name is not that of', { name }, { name: { ...name, givenName: 'Eva' } }],
		['its name is not that of', { name }, { name: { ...name, middleName: 'M' } }],
		['its name is not that of', { name }, { name: { ...name, familyName: 'Sousa' } }],
		['its name is not that of', { name: { formatted: 'Ana' } }, { name: { formatted: 'Eva' } }],
		['its external ID is not that of', { externalId: 'H1' }, { externalId: 'h1' }],
		['its external ID is not', { name, externalId: 'H1' }, { name, externalId: 'H2' }],
		['neither a name nor an external ID', { externalId: 'H1' }, { name }],
		['neither a name nor an external ID', { name }, { externalId: 'H1' }],
		['neither a name nor an', { name: { givenName: ' ' }, externalId: ' ' }, {}],
		['neither a name nor', { name: 'A', externalId: true }, { name: 'A', externalId: true }],
	])('may be a stranger: %s %j, %j', (why, before, there) => {
		const reason = told(before, there);
		expect(reason).toContain(`${NEW} belongs to another account (ID user-new)`);
		expect(reason).toContain(why);
	});

	it.each<[string, object, Members, string]>([
		[
			'a role of another organization',
			{},
			{ 'org-1:x': [other], 'org-2:x': [old] },
			'it is org-1:x,',
		],
		['a role, and the old one none', {}, { 'org-1:x': [other] }, 'it is org-1:x, which'],
		['more', { active: false }, { 'org-1:x': [other], 'org-2:x': [old] }, 'it is org-1:x, which'],
		['no more', {}, { 'org-1:x': [other, old] }, ''],
		['what an old one had', { active: false }, { 'org-1:x': [other] }, ''],
		[
			'what is left of an old one, and more',
			{ active: false },
			{ 'org-1:x': [other], 'org-2:x': [old, other] },
			'',
		],
	])('with %s (%j)', (_, before, members, why) => {
		const reason = told({ name, ...before }, { name }, { members });
		if (why === '') expect(reason).not.toMatch(/belongs/);
		else expect(reason).toContain(why);
	});

	it.each<[string, object, object, boolean]>([
		['a value that the old one has not', {}, buyer, true],
		['a value more', { active: false, roles: [{ value: 'x' }] }, buyer, true],
		['the same value in another case', buyer, { roles: [{ value: 'Buyer' }] }, false],
		['a value that an old one had', { active: false }, buyer, false],
		[
			'a value more than is left',
			{ active: false, ...buyer },
			{ roles: [...buyer.roles, { value: 'x' }] },
			false,
		],
		['no value', buyer, {}, false],
	])('with %s', (_, before, there, isStranger) => {
		const rules = { profile: ROLES };
		const words = /it has roles "buyer", which ana@example\.com does not have/i;
		const reason = told({ name, ...before }, { name, ...there }, { rules });
		expect(words.test(reason)).toBe(isStranger);
	});

	it('is given the values of the old one, which loses them once that was seen', () => {
		const rules = { profile: ROLES };
		const { changes, sent } = plan({
			...{ old: { ...buyer, ...SAME }, existing: userOf(other, NEW, SAME), members: {}, rules },
		});
		expect(sent).toEqual([`PATCH Users/${other} add roles buyer`, OUT, LOSES]);
		const [give, take, leave] = changes.map(({ action }) => action);
		expect(neededBy(changes, ROLES)).toEqual({ [leave]: [give], [take]: [leave, give] });
	});
});

describe('what the new account takes over', () => {
	const bodyOf = (old: object) => plan({ old, members: {} }).steps[0].request.body;

	it('nothing that is of one account alone, nor what is empty; names as the standard writes them', () => {
		const own = { schemas: ['x'], meta: {}, groups: [], Password: 'p', ACTIVE: true };
		const emails = [{ value: 'ana@home.example', type: 'home' }];
		expect(bodyOf({ ...own, Title: 'Dr', nickName: null, emails })).toEqual({
			schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
			...{ active: true, title: 'Dr', emails, userName: NEW },
		});
	});

	it.each([
		[
			'what is no entry is left out',
			['x', { value: OLD }, { value: 7 }],
			[{ value: NEW }, { value: 7 }],
		],
		['no list stays', 'ana', 'ana'],
	])('emails: %s', (_, emails, copied) => {
		expect(bodyOf({ emails })).toMatchObject({ emails: copied });
	});
});

it.each([undefined, userOf('user-new', NEW, SAME)])(
	'an inactive account is done with once it has nothing (%#)',
	(existing) => {
		const rules = { profile: { ...ACCOUNT, accessAttributes: ['roles'] } };
		const active = { ...SAME, roles: [{ value: 'buyer' }] };
		const old = { ...active, active: false };
		const first = existing === undefined ? 'POST Users' : 'PATCH Users/user-new add roles buyer';
		expect(plan({ old, existing, members: {}, rules }).sent).toEqual([first, LOSES]);
		const members = { 'org-1:admin': ['user-old'] };
		expect(plan({ old, existing, members, rules }).sent.slice(1)).toEqual([
			`PATCH Groups/org-1:admin add members ${existing?.id ?? IS_NEW}`,
			LOSES,
			'PATCH Groups/org-1:admin remove members user-old',
		]);
		expect(plan({ old: SAME, existing, members: {} }).sent.at(-1)).toBe(OUT);
	},
);

it('a group that an account names and no list has is one of another person', () => {
	const users = [userOf('user-old', OLD), userOf('user-new', NEW, { groups: [{ value: 'gone' }] })];
	const access = readAccess({ groups: [], users, isWhole: true, readAt: FRESH }, ids, ACCOUNT);
	const name = { givenName: 'Ana' };
	const existing = userOf('user-new', NEW, { name });
	const { reasons } = plan({ old: { name }, existing, rules: { access } });
	expect(reasons.join()).toContain('it is gone, which ana@example.com is not');
});

it('roles that nobody shows: nothing is done', () => {
	const profile: ServiceProfile = {
		...ACCOUNT,
		groupsShowMembers: 'unknown',
		usersShowGroups: 'unknown',
	};
	const { sent, reasons } = plan({ members: { 'org-1:admin': [] }, rules: { profile } });
	expect(sent).toStrictEqual([]);
	expect(reasons.join()).toMatch(/^The roles of ana@example\.com are unknown/);
});

it('done already: the item shows the new account', () => {
	const existing = userOf('user-new', NEW, SAME);
	const old = userOf('user-old', OLD, { ...SAME, active: false });
	expect(emailWishes({ item: 3, old, newEmail: NEW, existing }, rulesOf({}))).toEqual({
		wishes: [],
		settled: [
			{
				...{ item: 3, subject: 'user-old', result: { who: { kind: 'user', user: existing } } },
				outcome: {
					...{ status: 'unchanged', action: `change the email of ${OLD} to ${NEW}` },
					reason: 'the new account is there, the old one is inactive',
				},
			},
		],
	});
});

describe('planRenames', () => {
	const emails = [
		{ value: 'ANA@example.com', type: 'work', primary: true },
		{ value: 'ana@home.example', type: 'home' },
	];
	const rename = (item: number, more: Partial<EmailChange> = {}): EmailChange => ({
		...{ item, old: userOf('user-old', OLD, { emails }), newEmail: NEW },
		...more,
	});
	const renamed = (
		changes: EmailChange[],
		isProtected: (person: { userName?: string }) => boolean = () => false,
	) => {
		const { steps, settled } = withSteps(planRenames(changes, isProtected));
		return { steps, said: settled.map(({ outcome }) => outcome.reason ?? outcome.status) };
	};

	it('one PATCH of the user name and of the entry with the old email, however many items want it', () => {
		const { steps } = renamed([rename(0), rename(1)]);
		expect(steps).toHaveLength(1);
		expect(steps[0].parts.map(({ item }) => item)).toEqual([0, 1]);
		expect(steps[0].request).toMatchObject({
			method: 'PATCH',
			path: ['scim', 'Users', 'user-old'],
			body: {
				Operations: [
					{ op: 'replace', path: 'userName', value: NEW },
					{ op: 'replace', path: 'emails', value: [{ ...emails[0], value: NEW }, emails[1]] },
				],
			},
		});
	});

	it.each([
		['no emails are shown', {}],
		['none of them is the user name', { emails: [{ value: 'ana@home.example' }] }],
	])('the user name alone where %s', (_, old) => {
		const { steps } = renamed([rename(0, { old: userOf('user-old', OLD, old) })]);
		expect(steps[0].request.body).toMatchObject({ Operations: [{ path: 'userName' }] });
	});

	it('whom the name of another case belongs to alone is renamed', () => {
		const changes = [rename(0, { existing: userOf('user-old', OLD) })];
		const action = `change the email of ${OLD} to ${NEW}`;
		expect(planRenames(changes, () => false)).toMatchObject({
			changes: [{ action, restsOn: [], warnings: [], before: 'active', after: 'active' }],
			settled: [],
		});
	});

	it('what was not done shows the user, and what was to be done', () => {
		const old = userOf('user-old', NEW);
		const settled = [
			{
				...{ item: 4, subject: 'user-old' },
				outcome: { status: 'unchanged', action: `change the email of ${NEW} to ${NEW}` },
				result: { who: { kind: 'user', user: old }, intent: 'updated' },
			},
		];
		expect(planRenames([rename(4, { old })], () => false)).toEqual({
			...{ changes: [], settled, warnings: [] },
		});
	});

	it.each<[string, Partial<EmailChange>, string, RegExp]>([
		[
			'the name is of somebody else',
			{ existing: userOf('user-2', NEW) },
			'',
			/another account \(ID user-2\), and this service does not merge accounts/,
		],
		['the old name is protected', {}, OLD, /is protected/],
		['the new name is protected', {}, NEW, /is protected/],
	])('nothing is sent where %s', (_, more, kept, why) => {
		const { steps, said } = renamed([rename(0, more)], ({ userName }) => userName === kept);
		expect(steps).toStrictEqual([]);
		expect(said[0]).toMatch(why);
	});
});

describe('clashingChanges', () => {
	const change = (item: number, old: string, newEmail: string, existing?: string) => ({
		item,
		old: userOf(old, `${old}@example.com`),
		newEmail,
		...(existing !== undefined && { existing: userOf(existing, newEmail) }),
	});

	it('none: nobody shares an account, or all want the same', () => {
		const [x, y] = [change(0, 'a', 'x@example.com'), change(1, 'b', 'y@example.com')];
		expect([...clashingChanges([x, y, change(2, 'a', 'X@example.com')])]).toStrictEqual([]);
	});

	it.each([
		[
			'the old account of one is the new one of another, which would lose what it was given',
			[change(0, 'b', 'x@example.com'), change(1, 'a', 'b@example.com', 'b')],
		],
		['two become one', [change(0, 'a', 'x@example.com'), change(1, 'b', 'X@example.com')]],
		['one becomes two', [change(0, 'a', 'x@example.com'), change(1, 'a', 'y@example.com')]],
	])('both: %s', (_, changes) => {
		const clashes = clashingChanges([...changes, change(2, 'c', 'z@example.com')]);
		expect([...clashes].map(([item, { message }]) => [item, message])).toEqual([
			[0, 'Items 0 and 1 want different things of the same account'],
			[1, 'Items 0 and 1 want different things of the same account'],
		]);
	});
});
