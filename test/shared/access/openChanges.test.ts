import { readAccess } from '../../../nodes/shared/access/facts/access';
import {
	gained,
	kindOf,
	type EntitlementChange,
	type Precondition,
} from '../../../nodes/shared/access/changes/change';
import {
	openChanges,
	type Plan,
	type PlannedChange,
} from '../../../nodes/shared/access/plans/sealedPlan';
import {
	newKeyOf,
	newNameOf,
	type PlanRules,
	type PresentPerson,
} from '../../../nodes/shared/access/guards/samePerson';
import { compareUser } from '../../../nodes/shared/scim/protocol/compare';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import type { ServiceProfile } from '../../../nodes/shared/scim/protocol/service';
import { FRESH } from '../../support/fakeTransport';
import {
	ACCOUNT,
	held as heldGroup,
	ids,
	ofAccount,
	ofGroups,
	ofValue,
	person,
	rulesOf,
	type Members,
	type RulesGiven,
} from '../../support/plans';

// What is left of an approved plan, change by change: made, open, or why not.

type Change = Omit<PlannedChange, 'change'> & Partial<Pick<PlannedChange, 'change'>>;

const [ADMIN, MEMBER, VIEWER] = ['org-1:admin', 'org-1:member', 'org-2:viewer'];
const STAFF = 'All staff';
const [ANA, EVE, NEW] = ['ana@example.com', 'eve@example.com', 'new@example.com'];
const VALUES: ServiceProfile = { ...ACCOUNT, accessAttributes: ['roles'] };
const ITEM = 7;

interface World extends RulesGiven, Partial<Omit<PlanRules, keyof RulesGiven>> {
	/** Attributes by ID of those who are there. */
	users?: Record<string, object>;
	members?: Members;
	people?: Plan['people'];
}

function left(changes: Change[], world: World = {}) {
	const { users = { ana: {}, ben: {} }, members = {}, people, ...more } = world;
	const all = Object.entries(users).flatMap(
		([id, attributes]) => readUser({ id, userName: `${id}@example.com`, ...attributes }) ?? [],
	);
	const present: PlanRules['present'] = ({ id, userName = '' }) => {
		const user = all.find((one) =>
			id === undefined ? one.userName.toLowerCase() === userName.toLowerCase() : one.id === id,
		);
		if (user === undefined) return { kind: 'absent' };
		return { kind: 'found', person: { key: user.id, id: user.id, userName: user.userName }, user };
	};
	const groups = { [ADMIN]: [], [MEMBER]: [], [VIEWER]: [], [STAFF]: [], ...members };
	const planned = changes.map((one) => ({ ...one, change: kindOf(one as PlannedChange) }));
	return openChanges({ changes: planned as PlannedChange[], people }, ITEM, {
		...rulesOf(groups, more),
		...{ present, holderOf: () => ({ kind: 'absent' }), compare: compareUser },
		...{ matchBy: 'userName', takesEqual: false, counts: () => true },
		...{ leftOut: new Map<string, string>() },
		...more,
	});
}

/** What is left of each change by its kind, or its outcome. */
function fates(changes: Change[], world: World = {}): string[] {
	const { changes: open, settled, withheld } = left(changes, world);
	expect(withheld.map(({ key }) => key)).toEqual(settled.flatMap(({ change = [] }) => change));
	return changes.map(({ key }) => {
		const still = open.find((one) => one.key === key);
		if (still !== undefined) return kindOf(still);
		const outcome = settled.find(({ change }) => change === key)?.outcome;
		return [outcome?.status, ...(outcome?.reason === undefined ? [] : [outcome.reason])].join(': ');
	});
}

const newcomer = { key: NEW, userName: NEW };
const ben = person('ben');
const grant = (id: string, who = person('ana')): Change => ofGroups([], [id], who);
const revoke = (id: string, who = person('ana')): Change => ofGroups([id], [], who);
const MOVE = ofGroups([MEMBER], [ADMIN]);
const LOWER = ofGroups([ADMIN], [MEMBER]);
const create = (attributes: object = {}): Change =>
	ofAccount('absent', 'active', { person: newcomer, attributes: { ...attributes }, key: 'create' });
const update = (attributes: object, before: 'active' | 'inactive' | 'there' = 'there'): Change =>
	ofAccount(before, before, { attributes: { ...attributes }, key: 'update' });
const [LET_IN, SHUT_OUT] = [ofAccount('inactive', 'active'), ofAccount('active', 'inactive')];
const DELETE = ofAccount('active', 'absent');
const VALUE = { ...ofValue(true), key: 'value' };
const NO_VALUE = { ...ofValue(false), key: 'value' };
const resting = (change: Change, ...restsOn: Precondition[]): Change => ({ ...change, restsOn });
const were = (change: Change, ...groups: string[]) =>
	resting(change, { on: 'access', groups: groups.map(ids.key) });
const known = (change: Change, is: string) => resting(change, { on: 'identity', is });
const after = (change: Change, { key }: Change) => resting(change, { on: 'change', key });
const empty = (...groups: string[]) =>
	resting(SHUT_OUT, { on: 'nothingElse', groups: [] }, { on: 'access', groups });
/** The group as the plan knows it. */
const as = (change: Change, own: object): Change =>
	({
		...change,
		after: gained(change as EntitlementChange).map((one) => ({ ...one, ...own })),
	}) as Change;
const OLD_GROUP = as(grant(ADMIN), { displayName: 'Old' });
const OLD_LEFT: Change = {
	...ofGroups([ADMIN], []),
	before: [{ ...heldGroup(ADMIN), displayName: 'Old' }],
};
const OLD_FOR_NEW = { ...OLD_GROUP, person: newcomer };
const WAS_NONE = as(grant(ADMIN), { organization: undefined });
const FOR_NEW: Change = { ...grant(ADMIN), person: newcomer };
const OF_TWO = ofGroups([MEMBER, 'org-1:viewer'], [ADMIN]);
const TITLE = update({ title: 'x' });
const [TO_EVE, TO_E1] = [update({ userName: EVE }), update({ externalId: 'E1' })];
const ANAS_NAME = { name: { givenName: 'Ana' } };
const BEN = grant(ADMIN, ben);
const AFTER_BEN = after(revoke(STAFF), BEN);
const VIEWER_TOO = 'whylabs-org-2:viewer';

const found = (id: string) => (): PresentPerson => ({ kind: 'found', person: { key: id, id } });
const unseen = (): PresentPerson => ({ kind: 'unknown', error: new Error('no answer') });
/** A member a group shows, whose user was not read. */
const MEMBER_ALONE: World = { present: () => ({ kind: 'found', person: person('ana') }) };
const NOBODY: World = { users: {} };
const ana = (attributes: object, more: World = {}): World => ({
	users: { ana: attributes, ben: {} },
	...more,
});
const [ACTIVE, INACTIVE] = [ana({ active: true }), ana({ active: false })];
const NOT_BACK: World = { ...INACTIVE, leftOut: new Map([[LET_IN.key, 'not approved']]) };
const held = (...groups: string[]): World => ({
	members: Object.fromEntries(groups.map((id) => [id, ['ana']])),
});
const by = (matchBy: 'email' | 'externalId', key: string, more: World = {}) =>
	ana(matchBy === 'email' ? { emails: key } : { externalId: key }, { matchBy, ...more });
const HIDDEN: World = { profile: { ...ACCOUNT, groupsShowMembers: 'no' } };
const SLOW_MOVES: World = { profile: { ...ACCOUNT, addMovesWithinOrganization: false } };
const MANY_ROLES: World = { profile: { ...ACCOUNT, oneRolePerOrganization: false } };
const FIXED: World = { profile: { ...ACCOUNT, inactiveRefusesGroupChanges: true } };
const BOTH = held(ADMIN, MEMBER);
const ONE_OF_TWO: World = { members: { [MEMBER]: ['ana'], 'org-1:viewer': [] } };
const OUT: World = { ...INACTIVE, ...held(STAFF) };
/** Where the user name that is shown is what people are known by. */
const BY_NAME: World = { profile: { ...ACCOUNT, knowsPeopleByLogin: false } };
const called = (userName: string) => ana({ userName }, BY_NAME);
const kept = (name: string): World => ({ isProtected: ({ userName }) => userName === name });
const heldKey = (holderOf: () => PresentPerson) => by('externalId', '', { holderOf });
const NO_BUYER = ana({}, { profile: VALUES });
const GONE_BUYER = ana({ roles: ['a'], active: false }, { profile: VALUES });
const BUYER = ana({ roles: ['buyer'] }, { profile: VALUES });
const EXISTS: World = { users: { x: { userName: NEW, ...ANAS_NAME, externalId: 'E1' } } };
const OWN: World = { ...EXISTS, ifExists: 'fail' };
const UNLISTED = readAccess(
	{
		...{ groups: [], isWhole: true, readAt: FRESH },
		users: [readUser({ id: 'ana', groups: [{ value: STAFF }] })].flatMap((one) => one ?? []),
	},
	ids,
	ACCOUNT,
);

const NO_CID = grant(ADMIN, person('cid'));
const BEN_LATE = after(BEN, NO_CID);
const UNREAD: World = {
	...MEMBER_ALONE,
	account: () => ({ ok: false, error: new Error('no answer') }),
};
const TWO_ROLES: World = { members: { [ADMIN]: ['ana'], [MEMBER]: ['ana'], [STAFF]: ['ana'] } };

describe('a person who is neither as before nor as the plan makes it: nothing is done', () => {
	it.each<[string, Change[], World]>([
		['is no longer there', [LET_IN, grant(ADMIN)], MEMBER_ALONE],
		['no answer', [grant(ADMIN), revoke(STAFF)], { present: unseen }],
		['exists already', [create({ name: { givenName: 'Eve' } })], OWN],
		['exists already', [create({ externalId: 'E2' })], { ...OWN, takesEqual: true }],
		[`The user with the ID ana is ${EVE}, but was ${ANA}`, [revoke(STAFF)], called(EVE)],
		['the email (none), and had K1', [known(grant(ADMIN), 'K1'), MOVE], by('email', '')],
		['has the external ID E2, but had none', [TO_E1], by('externalId', 'E2')],
		['is inactive, but was active', [update({ title: 'x' }, 'active')], INACTIVE],
		['is inactive, but was active', [MOVE, revoke(STAFF)], { ...INACTIVE, ...held(MEMBER) }],
		['is active, but was inactive', [ofAccount('inactive', 'absent')], ACTIVE],
		[`${ANA} has roles "buyer", but did not`, [empty()], BUYER],
		['is member in org-1, but was without a role', [grant(ADMIN), VALUE], held(MEMBER)],
		['is without a role in org-1, but was member', [MOVE], {}],
		['is viewer in org-2, but was not', [were(grant(STAFF))], held(VIEWER)],
		[`is not ${STAFF}, but was`, [were(grant(VIEWER), STAFF), revoke(ADMIN)], {}],
		[`no longer shows in which groups ${ANA} is`, [were(grant(STAFF))], HIDDEN],
		['does not say in which groups', [resting(SHUT_OUT, { on: 'nothingElse', groups: [] })], {}],
		['eve@example.com belongs to another user (ID eve)', [TO_EVE], { users: { ana: {}, eve: {} } }],
		['E1 belongs to another user (ID ben)', [TO_E1], heldKey(found('ben'))],
		['Could not find out who has', [TO_E1], heldKey(unseen)],
	])('%s', (words, changes, world) => {
		expect(fates(changes, world)).toEqual(
			changes.map(() => expect.stringMatching(`^failed: .*${words.replace(/[()"]/g, '.')}`)),
		);
	});

	it('and others are none the worse', () => {
		const changes = [grant(ADMIN), grant(ADMIN, ben)];
		expect(fates(changes, { users: { ben: {} } })[1]).toBe('granted');
	});
});

describe('a change is', () => {
	it.each<[string, Change[], World, string]>([
		// Groups.
		['open as it was', [grant(ADMIN), revoke(STAFF)], held(STAFF), 'granted | revoked'],
		['made', [grant(ADMIN), revoke(STAFF)], held(ADMIN), 'unchanged | unchanged'],
		['what a cut move left', [MOVE], { ...BOTH, ...SLOW_MOVES }, 'revoked'],
		['one of two roles', [OF_TWO], ONE_OF_TWO, 'moved'],
		['one of many roles', [grant(ADMIN)], { ...held(MEMBER), ...MANY_ROLES }, 'granted'],
		['in a group not listed', [revoke(STAFF)], { access: UNLISTED }, 'revoked'],
		[
			'where nothing shows members',
			[grant(ADMIN), revoke(STAFF)],
			HIDDEN,
			'granted | failed: The members',
		],
		// Accounts.
		['an account as it was', [LET_IN], INACTIVE, 'activated'],
		['an account as it was', [SHUT_OUT, DELETE], ACTIVE, 'deactivated | deleted'],
		['an account as planned', [LET_IN], ACTIVE, 'unchanged'],
		['an account as planned', [SHUT_OUT], INACTIVE, 'unchanged'],
		['an account not read', [SHUT_OUT, grant(ADMIN)], MEMBER_ALONE, 'deactivated | granted'],
		['open where it was not known', [ofAccount('there', 'inactive')], ACTIVE, 'deactivated'],
		['gone', [revoke(STAFF), SHUT_OUT, DELETE], NOBODY, 'the user is gone | unchanged | unchanged'],
		[
			'out of all by being shut out',
			[were(SHUT_OUT, STAFF), DELETE],
			INACTIVE,
			'unchanged | deleted',
		],
		['to be created', [create(), FOR_NEW], {}, 'created | granted'],
		['created as wanted', [create()], { ...OWN, takesEqual: true }, 'unchanged'],
		// Inactive users gain nothing, but can lose access.
		['inactive, a lower role', [LOWER], { ...INACTIVE, ...held(ADMIN) }, 'moved'],
		[
			'inactive and fixed',
			[revoke(STAFF)],
			{ ...OUT, ...FIXED },
			'failed: ana@example.com is inactive and still',
		],
		['active and fixed', [revoke(STAFF)], { ...ACTIVE, ...held(STAFF), ...FIXED }, 'revoked'],
		['let in, then taken', [LET_IN, revoke(STAFF)], { ...OUT, ...FIXED }, 'activated | revoked'],
		// Names and keys.
		['called as planned', [revoke(STAFF), TO_EVE], called(EVE), 'unchanged | unchanged'],
		[
			'the email of the plan',
			[known(update({ emails: 'K2' }), 'K1')],
			by('email', 'K2'),
			'unchanged',
		],
		['the external ID to come', [TO_E1], by('externalId', 'E1'), 'unchanged'],
		['the holder of an external ID', [TO_E1], heldKey(found('ana')), 'updated'],
		// All access of a person.
		['in a group by another ID', [were(grant(STAFF), VIEWER_TOO)], held(VIEWER), 'granted'],
		['for having nothing else', [empty()], { ...ACTIVE, profile: VALUES }, 'deactivated'],
		['for nothing else, made', [empty()], GONE_BUYER, 'unchanged'],
		// Values.
		['open of a value', [VALUE], NO_BUYER, 'granted'],
		['open of a value that goes', [NO_VALUE], BUYER, 'revoked'],
		[
			'a value of no access',
			[VALUE, grant(VIEWER)],
			{},
			'failed: roles is not one of the | granted',
		],
		// Groups that are not as planned.
		[
			'a renamed group',
			[OLD_GROUP, grant(VIEWER)],
			{},
			'"org-1:admin", but was named "Old" | granted',
		],
		['a renamed group to leave', [OLD_LEFT], held(ADMIN), 'but was named "Old"'],
		['another role', [as(grant(ADMIN), { role: 'x' })], {}, 'for admin in org-1, but stood for x'],
		['a role of late', [WAS_NONE], {}, 'but stood for no organization'],
		['no such group', [grant('Gone')], {}, 'failed: There is no group Gone'],
		['let in for nothing', [LET_IN, OLD_GROUP], INACTIVE, 'skipped: the access that | failed'],
		['created for nothing', [create(), OLD_FOR_NEW], {}, 'skipped: the access that | failed'],
		[
			'let in for the rest',
			[LET_IN, OLD_GROUP, grant(VIEWER)],
			INACTIVE,
			'activated | failed | granted',
		],
		[
			'without replacement',
			[OLD_GROUP, revoke(VIEWER)],
			held(VIEWER),
			'failed | skipped: the replacement',
		],
		// Protection.
		['the protected', [grant(ADMIN), TITLE], kept(ANA), 'protected | protected'],
		['a protected name to come', [TO_EVE], kept(EVE), 'protected'],
		// What is not approved.
		[
			'left out',
			[LET_IN, grant(STAFF)],
			NOT_BACK,
			'skipped: not approved | failed: ana@example.com is inactive',
		],
		// The changes of others.
		['after others', [AFTER_BEN, BEN], held(STAFF), 'revoked | granted'],
		[
			'after what is not planned',
			[AFTER_BEN],
			held(STAFF),
			'skipped: the changes of another person,',
		],
		[
			'after a group that is another',
			[after(revoke(STAFF), BEN), { ...OLD_GROUP, key: BEN.key, person: ben }],
			held(STAFF),
			'skipped: the changes of ben@ | failed',
		],
		// Who gains nothing, and what is not taken for it.
		['who could not be read gains nothing', [grant(STAFF)], UNREAD, 'failed: no answer'],
		['nor who is inactive, told or not', [TITLE, grant(STAFF)], INACTIVE, 'updated | failed'],
		['unseen values are not gone', [NO_VALUE], { ...MEMBER_ALONE, profile: VALUES }, 'failed'],
		['shut out is on the way to deleted', [DELETE], INACTIVE, 'deleted'],
		['no removal without the refused gain', [MOVE, revoke(STAFF)], TWO_ROLES, 'failed | skipped'],
		[
			'what a removal was to leave is not given back',
			[ofGroups([ADMIN, MEMBER], [ADMIN])],
			held(MEMBER),
			'failed: ana@example.com is member in org-1, but was admin and member',
		],
		[
			'who was left inactive is active',
			[{ ...revoke(STAFF), restsOn: [{ on: 'inactive' }] }],
			{ ...ACTIVE, ...held(STAFF) },
			'failed: ana@example.com is active, but was inactive',
		],
		[
			'nor after who waits in vain',
			[AFTER_BEN, BEN_LATE, NO_CID],
			held(STAFF),
			'skipped | skipped | failed',
		],
	])('%s: %#', (_, changes, world, expected) => {
		expect(fates(changes, world)).toEqual(
			expected.split(' | ').map((text) => expect.stringContaining(text)),
		);
	});
});

it('what is left has the person and the user as found now, and the item of the plan', () => {
	const changes = [create(), FOR_NEW, grant(STAFF)];
	const { changes: open, people } = left(changes, { users: { x: { userName: NEW }, ana: {} } });
	expect(open).toMatchObject([
		{ person: { id: 'x' }, items: [ITEM], evidence: { user: { id: 'x' }, readAt: FRESH } },
		{ person: { id: 'ana' }, items: [ITEM] },
	]);
	expect(people.map(({ id }) => id)).toEqual(['x', 'ana']);
});

it('an update is what differs by now, with why and the values that it takes', () => {
	const change = { ...update({ title: 'x', roles: [], nickName: 'An' }), why: 'HR' };
	const world = ana({ roles: ['buyer'], nickName: 'An' }, { profile: VALUES });
	expect(left([change], world).changes).toMatchObject([
		{ attributes: { title: 'x', roles: [] }, lost: [{ value: 'buyer' }], why: 'HR' },
	]);
});

it('an Offboard answers for everybody, also those without a change', () => {
	const people = [
		...[
			{ id: 'ben', userName: null },
			{ id: null, userName: NEW },
			{ id: 'ana', userName: ANA },
		],
		...[
			{ id: 'eve', userName: EVE },
			{ id: 'cid', userName: null },
		],
	];
	const users = { ana: {}, ben: {}, cid: { active: true } };
	const { settled, ...made } = left([DELETE], { people, users });
	expect([made.changes.length, made.people.map(({ id }) => id)]).toEqual([
		1,
		['ana', 'ben', 'cid'],
	]);
	expect(
		settled.map(({ subject, outcome, result }) => [subject, outcome.reason, result?.who?.kind]),
	).toEqual([
		['ben', undefined, 'user'],
		[NEW, 'the user is gone', 'gone'],
		['eve', 'the user is gone', 'gone'],
		['cid', 'cid@example.com is active, and the plan does not change that', 'user'],
	]);
	expect(settled.slice(1, 3).map(({ result }) => result)).toEqual([
		{ who: { kind: 'gone', person: newcomer }, intent: 'none' },
		{ who: { kind: 'gone', person: person('eve') }, intent: 'none' },
	]);
});

it('what is settled says who, what and where', () => {
	const of = { ...BUYER, ...held(ADMIN) };
	const { settled } = left([grant(ADMIN), VALUE, grant(ADMIN, person('cid'))], of);
	expect(settled).toMatchObject([
		{ item: ITEM, subject: 'ana', result: { intent: 'granted', group: { id: ADMIN } } },
		{ result: { who: { kind: 'user' }, intent: 'granted', value: { value: 'buyer' } } },
		{ outcome: { status: 'failed' }, result: { who: { kind: 'person' }, group: { id: ADMIN } } },
	]);
	expect(settled[0].result).not.toHaveProperty('value');
});

it.each<[Change, string[], string[]]>([
	[update({ userName: EVE, ExternalID: 'E1' }), [EVE], ['E1']],
	[update({ userName: 5, externalId: null }), [], []],
])('%#: only an update gives a new name or external ID', (change, names, keys) => {
	expect(newNameOf(change as PlannedChange)).toEqual(names);
	expect(newKeyOf(change as PlannedChange, 'externalId')).toEqual(keys);
	expect(newKeyOf(change as PlannedChange, 'email')).toStrictEqual([]);
});
