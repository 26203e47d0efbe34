import { type IfUserExists } from '../../../nodes/shared/access/changes/change';
import { type Found } from '../../../nodes/shared/access/facts/found';
import * as account from '../../../nodes/shared/access/changes/account';
import * as existing from '../../../nodes/shared/access/changes/existing';
import * as plans from '../../../nodes/shared/access/plans/planUsers';
import { type WantedChange } from '../../../nodes/shared/access/plans/planUsers';
import { type Diff, type WantedUser } from '../../../nodes/shared/access/changes/wish';
import type { MatchAttribute } from '../../../nodes/shared/scim/protocol/matching';
import { PROFILES, type ServiceProfile } from '../../../nodes/shared/scim/protocol/service';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';
import type { KnowsAttribute } from '../../../nodes/shared/scim/protocol/schema';
import { ACCOUNT, ids, withSteps } from '../../support/plans';

const READ_AT = { at: 0, pauses: 0 };
const GENERIC = PROFILES.generic;

/** Plans with their requests. */
const withRequests = (made: Diff, profile: ServiceProfile) =>
	withSteps(made, { ids, profile, label: String });
const planUsers = (
	users: readonly WantedUser[],
	ifExists: IfUserExists,
	known?: ReadonlyMap<string, Found>,
	profile: ServiceProfile = GENERIC,
	knows?: KnowsAttribute,
) => withRequests(plans.planUsers(users, ifExists, known, { profile, knows }), profile);
const planPatches = (changes: readonly WantedChange[], profile: ServiceProfile = GENERIC) =>
	withRequests(plans.planUpdates(changes, { profile }), profile);
const planReplacements = (changes: readonly WantedChange[]) =>
	withRequests(plans.planUpdates(changes, { profile: GENERIC, replacesAsRead: READ_AT }), GENERIC);

const ANA = 'ana@example.com';
const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';

function userOf(attributes: object): User {
	const user = readUser(attributes);
	if (user === undefined) throw new Error('no user');
	return user;
}

const wanted = (item: number, attributes: object = {}, userName = ANA): WantedUser => ({
	item,
	userName,
	attributes: { ...attributes },
	warnings: [],
});

/** A user named by external ID or email. */
const matched = (
	item: number,
	key: string,
	userName = ANA,
	matchBy: MatchAttribute = 'externalId',
): WantedUser => {
	const own = matchBy === 'email' ? { emails: [{ value: key }] } : { externalId: key };
	return { ...wanted(item, own, userName), matchBy };
};

const change = (item: number, attributes: object = {}, more: Partial<WantedChange> = {}) => ({
	item,
	person: { key: 'user-1', id: 'user-1', userName: ANA },
	attributes: { ...attributes },
	warnings: [],
	...more,
});

const found = (attributes: object): Map<string, Found> =>
	new Map([[ANA, { kind: 'found', user: userOf({ id: 'user-1', userName: ANA, ...attributes }) }]]);

const settled = ({ settled: parts }: Diff) =>
	parts.map(({ item, outcome }) => `${item} ${outcome.status}: ${outcome.reason ?? ''}`);
const bodies = ({ steps }: ReturnType<typeof planUsers>) =>
	steps.map(({ request }) => request.body);

describe('create', () => {
	it('inactive when that is asked for; extensions are named in schemas', () => {
		const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
		const plan = planUsers([wanted(0, { active: false, [urn]: { department: 'HR' } })], 'fail');
		expect(bodies(plan)).toEqual([
			{ schemas: [USER_URN, urn], active: false, [urn]: { department: 'HR' }, userName: ANA },
		]);
		expect(plan.changes).toMatchObject([{ before: 'absent', after: 'inactive' }]);
	});

	it.each(['id', 'groups', 'Groups', 'meta', 'schemas'])('never sends %s', (name) => {
		const plan = planUsers([wanted(0, { [name]: [] })], 'fail', undefined, ACCOUNT);
		expect(bodies(plan)).toEqual([{ schemas: [USER_URN], active: true, userName: ANA }]);
	});

	it('two items that create one person: the second fails, named with both items', () => {
		const plan = planUsers(
			[wanted(0), wanted(3, {}, 'ANA@example.com')],
			'fail',
			undefined,
			ACCOUNT,
		);
		expect(plan.steps).toHaveLength(1);
		expect(settled(plan)).toEqual(['3 failed: Items 0 and 3 both create user ANA@example.com']);
	});

	it.each([
		['by external ID', matched(0, '7'), { matchBy: 'externalId' }],
		['by user name', wanted(0), {}],
	])('a change that says how the user is found afterwards: %s', (_, user, more) => {
		expect(
			plans.planUsers([user], 'return', undefined, { profile: GENERIC }).changes,
		).toStrictEqual([
			{
				...{ about: 'account', before: 'absent', after: 'active', key: `create user\n${ANA}` },
				...{ person: { key: ANA, userName: ANA }, action: `create user ${ANA}` },
				...{ attributes: user.attributes, items: [0], warnings: [] },
				...{ why: '', restsOn: [], ifExists: 'return', ...more },
			},
		]);
	});
});

describe('create, when the user was seen to exist', () => {
	const [active, inactive] = [{ active: true }, { active: false }].map(found);
	const exists = `User ${ANA} exists already`;

	it.each([
		['active', active, `${exists} (ID user-1)`, 'Use Create or Update'],
		['inactive', inactive, `${exists} (ID user-1 and inactive)`, 'Use Activate'],
	])('fails, with the ID and what to do: %s', (_, known, words, advice) => {
		const plan = planUsers([wanted(0)], 'fail', known, ACCOUNT);
		expect(plan.steps).toStrictEqual([]);
		expect(settled(plan)).toEqual([`0 failed: ${words}`]);
		expect(plan.settled[0]).toMatchObject({
			outcome: { error: { description: expect.stringContaining(advice) } },
			result: { who: { user: { id: 'user-1' } } },
		});
	});

	it.each([
		['active', active, ['own']],
		['inactive, and says so', inactive, ['own', expect.stringContaining('is inactive')]],
	])('or returns the user: %s', (_, known, warnings) => {
		const plan = planUsers([{ ...wanted(0), warnings: ['own'] }], 'return', known, ACCOUNT);
		expect(plan.steps).toStrictEqual([]);
		expect(plan.settled).toMatchObject([
			{ outcome: { status: 'unchanged', warnings }, result: { who: { user: { id: 'user-1' } } } },
		]);
	});

	const id = { externalId: '7' };
	const [part, blank] = ['A', ''].map((givenName) => ({ name: { givenName, familyName: '' } }));
	it.each<[string, object, object, string]>([
		['has the external ID', id, id, 'unchanged'],
		['has part of a name', part, part, 'unchanged'],
		['is inactive, as sent', { ...id, active: false }, { ...id, active: false }, 'unchanged'],
		['is inactive', id, { ...id, active: false }, 'failed'],
		['has another external ID', id, { externalId: '8' }, 'failed'],
		['shows none', id, {}, 'failed'],
		['has a name without words', blank, blank, 'failed'],
		['has no external ID, as sent', { externalId: null }, {}, 'failed'],
	])('a user who %s: whether an earlier try made it', (_, sent, shown, status) => {
		const user = { ...wanted(0, sent), warnings: ['own'] };
		const [{ outcome }] = planUsers([user], 'fail', found(shown)).settled;
		expect(outcome).toMatchObject({ status, action: `create user ${ANA}` });
		if (status === 'unchanged')
			expect(outcome).toMatchObject({ reason: existing.MADE_BEFORE, warnings: ['own'] });
	});

	const two: Found = { kind: 'ambiguous', ids: ['a', 'b'] };
	it.each<[string, WantedUser, Found, string]>([
		['two have the user name', wanted(0), two, exists],
		['two have the email', matched(0, ANA, ANA, 'email'), two, 'More than one user has the email'],
		['the look failed', wanted(0), { kind: 'unknown', error: new Error('no list') }, 'no list'],
		['the user is not of this account', wanted(0), { kind: 'foreign' }, 'belongs to another'],
	])('creates and returns no one: %s', (_, user, known, words) => {
		for (const ifExists of ['fail', 'return'] as const) {
			const plan = planUsers([user], ifExists, new Map([[ANA, known]]));
			expect(plan.steps).toStrictEqual([]);
			expect(settled(plan)).toEqual([expect.stringMatching(`^0 failed: .*${words}`)]);
			expect(plan.settled[0].outcome).toHaveProperty(
				'error.message',
				expect.not.stringContaining('(ID '),
			);
		}
	});

	it('names no one where the service alone says that the user exists', () => {
		expect(existing.existingUser(ANA, undefined).message).toBe(exists);
	});
});

describe('create or update', () => {
	it('what is not shown is sent, unless it is known that the service does not keep it', () => {
		const person = [wanted(0, { title: 'Boss', nickName: 'An' })];
		const all = planUsers(person, 'update', found({ active: true }));
		expect(all.changes).toStrictEqual([
			{
				...{ about: 'account', before: 'active', after: 'active', key: 'update user\nuser-1' },
				...{ person: { key: 'user-1', id: 'user-1', userName: ANA }, why: '' },
				...{ action: `update user ${ANA}`, items: [0], subject: ANA, restsOn: [] },
				...{ attributes: { title: 'Boss', nickName: 'An' }, warnings: [] },
			},
		]);
		const knows = (name: string) => name === 'title';
		const [some] = planUsers(person, 'update', found({ active: true }), GENERIC, knows).steps;
		expect(some).toMatchObject({
			request: { body: { Operations: [{ op: 'replace', path: 'title', value: 'Boss' }] } },
			warnings: ['The service does not keep nickName.'],
		});
	});

	it('an inactive user is told of', () => {
		const plan = planUsers([wanted(0)], 'update', found({ active: false }), ACCOUNT);
		expect(plan.settled[0].outcome.warnings?.join()).toMatch(/inactive/);
		const stays = [wanted(0, { active: false })];
		const told = planUsers(stays, 'update', found({ active: false }), ACCOUNT);
		expect(told.settled[0].outcome.warnings).toStrictEqual([]);
	});

	it('two items complete each other, and may not contradict', () => {
		const plan = planUsers(
			[wanted(0, { title: 'Boss' }), wanted(1, { nickName: 'An' }), wanted(2, { title: 'Clerk' })],
			'update',
			new Map([[ANA, { kind: 'absent' }]]),
		);
		expect(bodies(plan)).toMatchObject([{ title: 'Boss', nickName: 'An' }]);
		expect(plan.steps[0].parts.map(({ item }) => item)).toEqual([0, 1]);
		expect(settled(plan)).toEqual([
			'2 failed: Items 0 and 2 want different values of title for the same user',
		]);
	});

	it.each([
		['an extension in other case is the same', 'URN:x:User', { a: 1, b: 2 }, []],
		['parts in another order are the same', 'urn:x:User', { b: 2, a: 1 }, []],
	] as const)('%s', (_, name, value, failures) => {
		const first = wanted(0, { 'urn:x:User': { a: 1, b: 2 } });
		const plan = planUsers([first, wanted(1, { [name]: value })], 'update');
		expect(settled(plan)).toEqual(failures);
		expect(plan.changes).toHaveLength(1);
		expect(plan.changes[0]).toHaveProperty('attributes', first.attributes);
	});

	it('two items that want the same become one, with the warnings of both', () => {
		const user = {
			...wanted(0, { title: 'Boss', name: { givenName: 'A' } }),
			warnings: ['a', 'b'],
		};
		const twice = [user, { ...user, item: 1, warnings: ['b', 'c'] }, user];
		const plan = planUsers(twice, 'update');
		expect(plan.settled).toStrictEqual([]);
		expect(plan.steps).toHaveLength(1);
		expect(plan.steps[0].parts.map(({ item }) => item)).toEqual([0, 1]);
		expect(plan.steps[0].warnings).toEqual(['a', 'b', 'c']);
	});

	it.each<[string, WantedUser[], string[]]>([
		['the external ID of another in other case', [matched(0, 'a'), matched(1, 'A', 'ben')], []],
		['one and the same person twice', [matched(0, '7'), matched(1, '7')], []],
		[
			'one user name with two external IDs',
			[matched(0, '7'), matched(1, '8')],
			['1 failed: Items 0 and 1 want different values of externalId for the same user'],
		],
	])('two items may not mean two people by one key: %s', (_, users, failures) => {
		expect(settled(planUsers(users, 'update'))).toEqual(failures);
	});

	it.each<[string, WantedUser[], string[]]>([
		[
			'two names in spelling alone are two people',
			[wanted(0, { title: 'x' }), wanted(1, { title: 'y' }, 'ANA@example.com')],
			[],
		],
		[
			'one external ID is one person of one name',
			[matched(0, '7'), matched(3, '7', 'ben')],
			[
				'3 failed: Items 0 and 3 have the external ID 7, but not the same user name',
				'0 unchanged: ',
			],
		],
	])('where the service has both: %s', (_, users, said) => {
		const there = [ANA, 'ANA@example.com', '7'].map((key): [string, Found] => {
			const user = userOf({ id: key, userName: ANA, externalId: '7' });
			return [key, { kind: 'found', user }];
		});
		expect(settled(planUsers(users, 'update', new Map(there)))).toEqual(said);
	});

	const fixed = { ...GENERIC, userNameCanChange: false };
	const converted = { ...GENERIC, userNamesAreConverted: true };
	it.each<[string, WantedUser, typeof GENERIC, object[]]>([
		['the new user name of the item', matched(0, 'k', 'new'), GENERIC, [{ userName: 'new' }]],
		['no name that differs in case alone', matched(0, 'k', 'ANA@example.com'), GENERIC, []],
		['no name by email', matched(0, 'k', 'new', 'email'), GENERIC, []],
		['no name that cannot change', matched(0, 'k', 'new'), fixed, []],
		['no name where the service makes its own', matched(0, 'k', 'new'), converted, []],
	])('a user found by a key gets %s', (_, user, profile, attributes) => {
		const shown = { active: true, externalId: 'k', emails: [{ value: 'k' }] };
		const who: Found = { kind: 'found', user: userOf({ id: 'user-1', userName: ANA, ...shown }) };
		const { changes, settled: left } = planUsers([user], 'update', new Map([['k', who]]), profile);
		expect(changes).toMatchObject(attributes.map((own) => ({ attributes: own })));
		expect(left).toHaveLength(1 - attributes.length);
	});

	it.each<[string, Found, RegExp]>([
		['ambiguous', { kind: 'ambiguous', ids: ['a', 'b'] }, /More than one user.*a, b/],
		['unknown', { kind: 'unknown', error: new Error('list is incomplete') }, /list is incomplete/],
	])('%s: fails alone, nothing is created', (_, known, reason) => {
		const plan = planUsers([wanted(0)], 'update', new Map([[ANA, known]]), ACCOUNT);
		expect(plan.steps).toStrictEqual([]);
		expect(settled(plan)[0]).toMatch(/^0 failed/);
		expect(settled(plan)[0]).toMatch(reason);
	});
});

describe('update', () => {
	it('a request never has an empty list of operations', () => {
		const plan = planPatches([change(0, { name: {} })]);
		expect(plan.steps).toStrictEqual([]);
	});

	it('items for one person become one request; their warnings stay', () => {
		const plan = planPatches([
			change(0, { title: 'Boss' }, { warnings: ['one'] }),
			change(4, { nickName: 'An' }, { warnings: ['two'] }),
		]);
		expect(plan.steps).toHaveLength(1);
		expect(plan.steps[0].parts.map(({ item }) => item)).toEqual([0, 4]);
		expect(plan.steps[0].warnings).toEqual(['one', 'two']);
	});

	it('an item that is meant twice is one part, and what any of them has read counts', () => {
		const current = userOf({ id: 'user-1', userName: ANA, title: 'Boss' });
		const title = { title: 'Boss' };
		const twice = [change(0, title), change(0, title), change(2, title, { user: current })];
		const plan = planPatches(twice);
		expect(plan.steps).toStrictEqual([]);
		expect(plan.settled).toEqual(
			[0, 2].map((item) => ({
				...{ item, subject: 'user-1', result: { who: { kind: 'user', user: current } } },
				outcome: { status: 'unchanged', action: `update user ${ANA}`, warnings: [] },
			})),
		);
		const own = planPatches([change(0, title), change(1, title), change(0, title)]);
		expect(own.steps[0].parts.map(({ item }) => item)).toEqual([0, 1]);
	});

	it.each<[string, Partial<WantedChange>, string]>([
		['read', { user: userOf({ id: 'user-1' }) }, 'there'],
		['read as inactive', { user: userOf({ id: 'user-1', active: false }) }, 'inactive'],
		['known by ID alone', {}, 'unknown'],
	])('what the account was before is known of a person %s', (_, more, before) => {
		const { changes } = planPatches([change(0, { title: 'x' }, more)]);
		expect(changes).toMatchObject([{ before, after: before }]);
		const out = planPatches([change(0, { active: false }, more)]).changes;
		expect(out).toMatchObject(before === 'inactive' ? [] : [{ before, after: 'inactive' }]);
	});

	it('what it takes is known of a user who was read', () => {
		const current = userOf({ id: 'user-1', roles: [{ value: 'buyer' }] });
		const lostOf = (more: Partial<WantedChange>) =>
			planPatches([change(0, { roles: [] }, more)]).changes[0];
		expect(lostOf({ user: current })).toMatchObject({ lost: [{ value: 'buyer' }] });
		expect(lostOf({})).not.toHaveProperty('lost');
	});

	it.each([
		['a user name', [change(0, { userName: 'new' })], ACCOUNT, 'create a user with the new one'],
		[
			'a contradiction',
			[change(0, { title: 'a' }), change(1, { title: 'b' })],
			...[GENERIC, 'Send the same values'],
		],
	] as const)('what to do is said of %s that is refused', (_, changes, profile, advice) => {
		expect(planPatches(changes, profile).settled).toMatchObject([
			{
				outcome: { error: { description: expect.stringContaining(advice) } },
				result: { intent: 'updated', who: { person: { id: 'user-1' } } },
			},
		]);
	});

	const unnamed = { person: { key: 'user-1', id: 'user-1' } };
	it.each([
		['new', {}, ACCOUNT, '0 failed: The user name of ana@example.com cannot be changed to new'],
		['new', unnamed, ACCOUNT, '0 failed: The user name of user-1 cannot be changed to new'],
		['ANA@example.com', {}, ACCOUNT, undefined],
		['new', {}, GENERIC, undefined],
	])('a user name that cannot change is refused: %s %j', (userName, more, profile, refusal) => {
		const plan = planPatches([change(0, { userName }, more)], profile);
		expect(settled(plan)).toStrictEqual(refusal === undefined ? [] : [refusal]);
		expect(plan.steps).toHaveLength(refusal === undefined ? 1 : 0);
	});
});

describe('replace', () => {
	const current = userOf({
		schemas: [USER_URN],
		id: 'user-1',
		userName: ANA,
		active: false,
		name: { givenName: 'Ana', familyName: 'B' },
		externalId: '7',
		groups: [{ value: 'org-1:admin' }],
		meta: { location: 'x' },
	});

	it('each attribute once, whatever case the service writes it in', () => {
		const loud = userOf({ ID: 'user-1', UserName: ANA, Active: 'True', DisplayName: 'old' });
		const plan = planReplacements([change(0, { displayName: 'new' }, { user: loud })]);
		const body = bodies(plan)[0] as Record<string, unknown>;
		const sent = Object.keys(body).map((name) => name.toLowerCase());
		expect(sent.sort()).toEqual(['active', 'displayname', 'id', 'schemas', 'username']);
		expect(body.displayName).toBe('new');
	});

	it.each<[string, unknown, object, object, object]>([
		['kept as it was read', 'True', {}, { active: true }, { activeAfter: true, version: '1' }],
		['as it is given', true, { active: false }, { active: false }, {}],
		['never sent as text', 'undefined', {}, {}, {}],
	])('active is %s', (_, active, wish, sent, more) => {
		const meta = 'version' in more ? more : {};
		const user = userOf({ id: 'user-1', userName: ANA, active, meta });
		const body = { schemas: [USER_URN], userName: ANA, ...sent, title: 'x' };
		expect(account.wholeUser(user, { ...wish, title: 'x' })).toEqual({ body, ...more });
	});

	const given = { givenName: 'B' };
	it.each<[string, unknown, unknown, unknown]>([
		['fills up what is there', { GivenName: 'A', x: 1 }, given, { x: 1, givenName: 'B' }],
		['stands alone where nothing is', undefined, given, given],
		['that is a text takes the place', { x: 1 }, 'Ana', 'Ana'],
	])('a given attribute %s', (_, shown, name, made) => {
		const { body } = account.wholeUser(userOf({ id: 'user-1', name: shown }), { name });
		expect(body.name).toEqual(made);
	});

	it('is planned of a user who was read alone, with what it takes', () => {
		const reader = userOf({ ...current.attributes, roles: [{ value: 'buyer' }] });
		const changes = [change(0, { roles: [] }, { user: reader, warnings: ['own'] })];
		expect(planReplacements(changes).changes).toMatchObject([
			{
				...{ before: 'inactive', after: 'inactive', lost: [{ value: 'buyer' }] },
				warnings: ['own', expect.stringContaining('A PUT may overwrite')],
			},
		]);
		expect(planReplacements([change(0)])).toMatchObject({
			changes: [],
			settled: [],
		});
	});
});

it('without wishes, nothing is planned', () => {
	const nothing = { changes: [], settled: [] };
	expect(plans.planUsers([], 'fail', undefined, { profile: GENERIC })).toEqual(nothing);
	expect(plans.planUpdates([], { profile: GENERIC })).toEqual(nothing);
});

describe('the old values of what is set', () => {
	const user = userOf({
		...{ id: 'user-1', userName: ANA, Title: 'Dr', name: { givenName: 'Ana', familyName: 'Lee' } },
		emails: [{ value: 'a@x.example', type: 'work' }],
		'urn:x:User': { badge: { color: 'red', size: 1 }, other: 1 },
		deep: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown,
	});
	const wasIn = ({ changes }: Diff) => changes.map((one) => one.about === 'account' && one.was);
	test.each<[string, object, object | undefined]>([
		['in whatever case', { title: 'Mr' }, { title: 'Dr' }],
		['of parts, and of no others', { name: { givenName: 'Bea' } }, { name: { givenName: 'Ana' } }],
		[
			'of an extension, at any depth',
			{ 'urn:x:User': { badge: { color: 'blue' } } },
			{ 'urn:x:User': { badge: { color: 'red' } } },
		],
		['by path', { 'urn:x:User:other': 2 }, { 'urn:x:User:other': 1 }],
		[
			'of the value that a path chooses',
			{ 'emails[type eq "work"].value': 'b@x.example' },
			{ 'emails[type eq "work"].value': ['a@x.example'] },
		],
		['of a whole that becomes another', { name: null }, { name: user.attributes.name }],
		['none that is not shown', { nickName: 'An' }, undefined],
		['none without an end', { deep: 'x' }, undefined],
	])('%s', (_, attributes, was) => {
		for (const plan of [planPatches, planReplacements])
			expect(wasIn(plan([change(0, attributes, { user })]))).toEqual([was]);
		expect(wasIn(planPatches([change(0, attributes)]))).toEqual([undefined]);
	});
});

describe('nulls', () => {
	it('clear an extension by the attributes that are shown, in any case, and nothing else in parts', () => {
		const URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
		const shown = { [URN]: { department: 'HR', manager: {} }, 'turn:x': { y: 1 }, 'urn:t': 't' };
		const current = userOf({ id: 'user-1', userName: ANA, name: { givenName: 'A' }, ...shown });
		const wanted = { [URN.toUpperCase()]: null, name: null, 'turn:x': null, 'urn:t': null };
		const plan = planPatches([change(0, { ...wanted, 'urn:gone': null }, { user: current })]);
		const paths = [
			...[`${URN.toUpperCase()}:department`, `${URN.toUpperCase()}:manager`],
			...['name', 'turn:x', 'urn:t'],
		];
		expect(bodies(plan)).toMatchObject([
			{ Operations: paths.map((path) => ({ op: 'remove', path })) },
		]);
	});

	it('of an extension alone clear it: what is given changes it', () => {
		const URN = 'urn:example:User';
		const current = userOf({ id: 'user-1', userName: ANA, [URN]: { level: 1, badge: 'B' } });
		const plan = planPatches([change(0, { [URN]: { level: 2 } }, { user: current })]);
		expect(bodies(plan)).toMatchObject([
			{ Operations: [{ op: 'replace', path: `${URN}:level`, value: 2 }] },
		]);
	});

	it('are left out at any depth, with what holds nothing else', () => {
		const attributes = { a: null, b: [null, 1, { c: null, d: 2 }], e: { f: { g: null } }, h: {} };
		expect(account.withoutNulls(attributes)).toEqual({ b: [1, { d: 2 }], h: {} });
		expect(account.withoutNulls({ list: [null, { x: null }] })).toEqual({ list: [] });
		expect(account.withoutNulls({ grid: [[1, 2], [3]] })).toEqual({ grid: [[1, 2], [3]] });
	});

	it.each<[string, (value: unknown) => unknown, number, (value: unknown) => unknown]>([
		['objects', (x) => ({ x }), 51, () => ({})],
		['lists', (x) => [{ x }], 25, (deep) => deep],
	])('stay below the deepest level of %s', (_, around, levels, left) => {
		const deep = (count: number, inner: unknown): unknown =>
			count === 0 ? inner : around(deep(count - 1, inner));
		const a = deep(levels, null);
		expect(account.withoutNulls({ a })).toEqual(left({ a: deep(levels - 1, []) }));
		expect(account.withoutNulls({ a: around(a) })).toEqual({ a: around(a) });
	});
});

it.each<[string, object, User | undefined, boolean]>([
	['one that is not shown', { title: 'x' }, userOf({ id: 'user-1' }), true],
	['one that is shown', { title: 'x' }, userOf({ id: 'user-1', title: 'y' }), false],
	['one of a new user', { title: 'x' }, undefined, false],
])('whether an attribute is unseen: %s', (_, attributes, user, unseen) => {
	expect(account.wantsUnseen({ ...attributes }, user, GENERIC)).toBe(unseen);
});

it.each([
	['nothing of what is kept and shown', ['title'], []],
	['what is not kept', ['title', 'nickName'], ['does not keep nickName.']],
	['what is never shown', ['title', 'pin'], ['never shows pin, so']],
	['nothing of what decides, or is secret', ['Active', 'UserName', 'password'], []],
])('of attributes that are sent, it is said: %s', (_, names, said) => {
	const known = {
		knows: (name: string) => name === 'title',
		hides: (name: string) => name === 'pin',
	};
	expect(account.unseenWarnings(names, {}, known)).toEqual(
		said.map((text) => expect.stringContaining(text)),
	);
});
