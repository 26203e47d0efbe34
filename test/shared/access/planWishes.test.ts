import type { PlannedChange } from '../../../nodes/shared/access/plannedChange';
import {
	newKeyOf,
	newNameOf,
	plannedKey,
	planWishes,
	type PlanRules,
	type PresentPerson,
} from '../../../nodes/shared/access/planWishes';
import type { Plan } from '../../../nodes/shared/access/sealedPlan';
import { compareUser } from '../../../nodes/shared/scim/protocol/compare';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { ACCOUNT, ids, rulesOf, type Members, type RulesGiven } from '../../support/plans';

// What is left of a plan by the time it is applied, and what is refused because somebody is not as planned.

const ADMIN = 'org-1:admin';
const MEMBER = 'org-1:member';
const VIEWER = 'org-2:viewer';
const STAFF = 'All staff';
const ANA = 'ana@example.com';
const EVE = 'eve@example.com';
const NEW = 'New@example.com';
const VALUES: Traits = { ...ACCOUNT, accessAttributes: ['roles'] };
const MANY_ROLES: Traits = { ...ACCOUNT, oneRolePerOrganization: false };
const ITEM = 7;

type More = Partial<PlannedChange>;

const planned = (change: PlannedChange['change'], more: More = {}): PlannedChange => ({
	...{ change, id: 'ana', userName: ANA, group: null, groupId: null },
	...{ organization: null, organizationName: null, roleBefore: null, role: null },
	...{ activeBefore: null, groupsBefore: null, why: 'asked for', ...more },
});
const inGroup = (groupId: string) => ({
	...{ groupId, group: groupId, organization: ids.parse(groupId)?.organization ?? null },
});
const grant = (groupId: string, more: More = {}) =>
	planned('granted', { ...inGroup(groupId), role: ids.parse(groupId)?.role ?? null, ...more });
const move = (groupId: string, roleBefore: string, more: More = {}) =>
	grant(groupId, { change: 'moved', roleBefore, ...more });
const revoke = (groupId: string, more: More = {}) => {
	const roleBefore = ids.parse(groupId)?.role ?? null;
	return planned('revoked', { ...inGroup(groupId), roleBefore, ...more });
};
const update = (attributes: object, more: More = {}) =>
	planned('updated', { attributes: { ...attributes }, ...more });
const value = (change: 'granted' | 'revoked', role: string) =>
	planned(change, { attribute: 'roles', role, ...(change === 'revoked' && { roleBefore: role }) });
const ofNew = { id: null, userName: NEW };
const ofBen = { id: 'ben', userName: 'ben@example.com' };
const create = (more: More = {}) => planned('created', { ...ofNew, attributes: {}, ...more });

interface World extends RulesGiven, Partial<Omit<PlanRules, keyof RulesGiven>> {
	/** Attributes by ID of those who are there. */
	users?: Record<string, object>;
	members?: Members;
	people?: Plan['people'];
}

function resume(changes: PlannedChange[], world: World = {}) {
	const { users = { ana: {}, ben: {} }, members = {}, people, ...more } = world;
	const all = Object.entries(users).flatMap(
		([id, attributes]) => readUser({ id, userName: `${id}@example.com`, ...attributes }) ?? [],
	);
	const present: PlanRules['present'] = ({ id, userName }) => {
		const user = all.find((one) =>
			id === null ? one.userName.toLowerCase() === userName?.toLowerCase() : one.id === id,
		);
		if (user === undefined) return { kind: 'absent' };
		return { kind: 'found', person: { key: user.id, id: user.id, userName: user.userName }, user };
	};
	const groups = { [ADMIN]: [], [MEMBER]: [], [VIEWER]: [], [STAFF]: [], ...members };
	const made = planWishes({ changes, people }, ITEM, {
		...rulesOf(groups, more),
		...{ present, holderOf: () => ({ kind: 'absent' }), compare: compareUser },
		...{ matchBy: 'userName', takesEqual: false, endsEmpty: false },
		...{ isCompared: () => true, isIgnored: () => false },
		...more,
	});
	const said = made.settled.map(({ outcome: { action, status, reason } }) =>
		[action, status, ...(reason === undefined ? [] : [reason])].join(': '),
	);
	return { ...made, said };
}

/** Why somebody's changes cannot be made. */
const refusal = (changes: PlannedChange[], world?: World) =>
	resume(changes, world).settled.flatMap(({ outcome }) =>
		outcome.status === 'failed' ? outcome.reason : [],
	)[0];

/** Whoever a group shows, of whom no user was read. */
const MEMBER_ALONE: World = {
	present: () => ({ kind: 'found', person: { key: 'ana', id: 'ana', userName: ANA } }),
};
const externalId = (key: string, more: World = {}): World => ({
	...{ matchBy: 'externalId', users: { ana: { externalId: key } }, ...more },
});
const email = (emails: string, more: World = {}): World => ({
	...{ matchBy: 'email', users: { ana: { emails } }, ...more },
});
const active = (isActive: boolean, more: World = {}): World => ({
	...{ users: { ana: { active: isActive } }, ...more },
});
const LEAVER = planned('deactivated', { groupsBefore: [] });
const FULL = update({ title: 'x' }, { key: 'K1' });
const were = (...groupsBefore: string[]) => ({ groupsBefore });
const held = (...groups: string[]): World => ({
	members: Object.fromEntries(groups.map((id) => [id, ['ana']])),
});
const NAMED = { name: { givenName: 'Ana' } };
const KNOWN: World = { users: { x: { userName: NEW, ...NAMED, externalId: 'E1' } } };
const found = (id: string) => (): PresentPerson => ({ kind: 'found', person: { key: id, id } });
const lost = (): PresentPerson => ({ kind: 'unknown', error: new Error('no answer') });

describe('somebody who is not as planned', () => {
	it.each<[string, PlannedChange[], World, string]>([
		['gone', [grant(ADMIN)], { users: {} }, `${ANA} is no longer there, but was when this`],
		[
			'gone, with access to take as well',
			[revoke(MEMBER), grant(ADMIN)],
			{ users: {} },
			'is no longer',
		],
		[
			'gone, and to be created under an ID',
			[create({ id: 'ana' })],
			{ users: {} },
			'is no longer there',
		],
		['new, but not created', [grant(ADMIN, ofNew)], {}, `There is no user ${NEW}, and the plan`],
		['a member who is no user', [planned('activated')], MEMBER_ALONE, 'is no longer there'],
		['not found out about', [grant(ADMIN)], { present: lost }, 'no answer'],
		['there already', [create()], { ...KNOWN, adopts: false }, `User ${NEW} exists already (ID x)`],
		[
			'there with another name',
			[create({ attributes: { name: { givenName: 'Eve' } } })],
			{ ...KNOWN, adopts: false },
			'exists already',
		],
		[
			'there with other attributes',
			[create({ attributes: { externalId: 'E2' } })],
			{ ...KNOWN, adopts: false, takesEqual: true },
			'exists already',
		],
		[
			'called otherwise',
			[revoke(STAFF)],
			{ users: { ana: { userName: EVE } } },
			`The user with the ID ana is ${EVE}, but was ${ANA} when`,
		],
		[
			'called otherwise in a group',
			[revoke(STAFF, { userName: EVE })],
			MEMBER_ALONE,
			`but was ${EVE}`,
		],
		['by another email', [FULL], email('K2'), `${ANA} has the email K2, and had K1`],
		['without the email', [FULL, grant(ADMIN)], email(''), 'has the email (none), and had K1'],
		['by another external ID', [FULL], externalId('k1'), 'has the external ID k1, and had K1'],
		[
			'inactive',
			[grant(ADMIN, { activeBefore: true })],
			active(false),
			'is inactive, but was active',
		],
		[
			'inactive, and to be activated',
			[planned('activated', { activeBefore: true })],
			active(false),
			'is inactive, but was active',
		],
		[
			'active',
			[grant(ADMIN, { activeBefore: false })],
			active(true),
			'is active, but was inactive',
		],
		[
			'active, and to leave',
			[planned('deactivated', { activeBefore: false }), planned('deleted')],
			active(true),
			'is active, but was inactive',
		],
		[
			'active, as a membership shows',
			[grant(STAFF, { activeBefore: false })],
			held(VIEWER),
			'is active, but was inactive',
		],
		[
			'with a value',
			[LEAVER],
			{ endsEmpty: true, profile: VALUES, users: { ana: { roles: ['buyer'] } } },
			`${ANA} has roles "buyer", but did not have it`,
		],
		['in another role', [grant(ADMIN)], held(MEMBER), 'is member in org-1, but was without a role'],
		['without the role', [move(ADMIN, 'member')], {}, 'is without a role in org-1, but was member'],
		[
			'in two roles, one of them unknown',
			[move(ADMIN, 'member')],
			held(MEMBER, 'org-1:viewer'),
			'is member and viewer in org-1, but was member',
		],
		[
			'in a role instead of one',
			[revoke(MEMBER)],
			held(ADMIN),
			'is admin in org-1, but was member',
		],
		[
			'in a role of the second',
			[grant(ADMIN), revoke(VIEWER)],
			held('org-2:admin'),
			'admin in org-2',
		],
		[
			'without its groups in the plan',
			[planned('deactivated')],
			{ endsEmpty: true },
			'does not say',
		],
		[
			'no longer shown with groups',
			[grant(STAFF, were())],
			{ profile: { ...ACCOUNT, groupsShowMembers: 'no' } },
			`no longer shows in which groups ${ANA} is`,
		],
		['in one group more', [grant(STAFF, were())], held(VIEWER), 'is viewer in org-2, but was not'],
		[
			'in one less',
			[grant(STAFF), revoke(ADMIN, were(ADMIN, VIEWER))],
			{},
			'is not viewer in org-2, but',
		],
		['in one less, and active', [planned('deleted', were(STAFF))], active(true), `is not ${STAFF}`],
		['in one less, to be in another', [grant(VIEWER, were(STAFF))], {}, `is not ${STAFF}, but was`],
		[
			'in one less, and no user',
			[planned('deleted', were(STAFF))],
			MEMBER_ALONE,
			`is not ${STAFF}`,
		],
		[
			'by an external ID already',
			[update({ externalId: 'E1' })],
			externalId('E2'),
			'has the external ID E2, but had none',
		],
		[
			'another by the new user name',
			[update({ userName: EVE })],
			{ users: { ana: {}, eve: {} } },
			`The user name ${EVE} belongs to another user (ID eve)`,
		],
		[
			'another by the new external ID',
			[update({ externalId: 'E1' })],
			externalId('', { holderOf: found('ben') }),
			'The external ID E1 belongs to another user (ID ben)',
		],
		[
			'perhaps another by the new external ID',
			[update({ externalId: 'E1' })],
			externalId('', { holderOf: lost }),
			'Could not find out who has the external ID E1',
		],
	])('%s: nothing is done', (_, changes, world, words) => {
		const { settled, wishes, changes: sent } = resume(changes, world);
		expect(settled.map(({ outcome }) => outcome.reason)).toEqual(
			changes.map(() => expect.stringContaining(words)),
		);
		expect([...wishes, ...sent]).toEqual([]);
	});

	it('is no reason to leave others alone', () => {
		const { said, wishes } = resume([grant(ADMIN), grant(ADMIN, ofBen)], { users: { ben: {} } });
		expect(said).toEqual([expect.stringContaining(`make ${ANA} admin in org-1: failed`)]);
		expect(wishes).toMatchObject([{ person: { id: 'ben' }, hold: [ADMIN] }]);
	});
});

describe('somebody who is as planned, as far as it matters', () => {
	it.each<[string, PlannedChange[], World]>([
		['a member of whom no user was read', [grant(ADMIN), FULL], MEMBER_ALONE],
		['to be created, who may be there', [create()], KNOWN],
		[
			'to be created, and only a member',
			[create({ userName: ANA })],
			{ ...MEMBER_ALONE, adopts: false },
		],
		['created with that name', [create({ attributes: NAMED })], { ...KNOWN, adopts: false }],
		['created as wanted', [create()], { ...KNOWN, adopts: false, takesEqual: true }],
		[
			'called the same in capitals',
			[revoke(STAFF)],
			{ users: { ana: { userName: ANA.toUpperCase() } } },
		],
		['of no known name', [revoke(STAFF, { userName: null })], {}],
		['a member without a name', [revoke(STAFF)], { present: found('ana') }],
		[
			'called as the plan wants',
			[revoke(STAFF), update({ userName: EVE })],
			{ users: { ana: { userName: EVE } } },
		],
		['by that email in capitals', [FULL], email('k1')],
		['by the email that the plan gives', [update({ emails: 'K2' }, { key: 'K1' })], email('k2')],
		['by an email that is not in the plan', [grant(ADMIN)], email('K2')],
		['by that external ID', [FULL], externalId('K1')],
		['active as before', [grant(ADMIN, { activeBefore: true })], active(true)],
		['who does not show it', [grant(ADMIN, { activeBefore: true })], {}],
		['active, which did not matter', [grant(ADMIN)], active(false)],
		['active now, as planned', [planned('activated', { activeBefore: false })], active(true)],
		['inactive now, as planned', [planned('deactivated', { activeBefore: true })], active(false)],
		[
			'inactive now, and to be deleted',
			[planned('deleted', { activeBefore: true })],
			active(false),
		],
		[
			'with a value, and kept',
			[revoke(STAFF)],
			{ endsEmpty: true, profile: VALUES, users: { ana: { roles: ['a'] } } },
		],
		[
			'with a value that does not matter',
			[LEAVER],
			{ profile: VALUES, users: { ana: { roles: ['a'] } } },
		],
		[
			'with a value, but inactive',
			[LEAVER],
			{ endsEmpty: true, profile: VALUES, users: { ana: { roles: ['a'], active: false } } },
		],
		['without a value', [LEAVER], { endsEmpty: true, profile: VALUES }],
		['only a member, to leave', [LEAVER], { ...MEMBER_ALONE, endsEmpty: true, profile: VALUES }],
		['in the old role', [move(ADMIN, 'member')], held(MEMBER)],
		['in the new role', [move(ADMIN, 'member')], held(ADMIN)],
		['in both, as a move leaves them', [move(ADMIN, 'member')], held(ADMIN, MEMBER)],
		['in one of two old roles', [move(ADMIN, 'member, viewer')], held('org-1:viewer')],
		['out of the role already', [revoke(MEMBER)], {}],
		['in the role that a removal leaves', [revoke(MEMBER, { role: 'admin' })], held(ADMIN)],
		['in a role of another organization', [grant(ADMIN)], held(VIEWER)],
		[
			'with a role more, where one may have many',
			[grant(ADMIN)],
			{ ...held(MEMBER), profile: MANY_ROLES },
		],
		[
			'with a role that no group of the plan is about',
			[value('granted', 'a'), planned('updated', { organization: 'org-1', attributes: {} })],
			{ ...held(ADMIN), profile: VALUES },
		],
		['moved by two changes', [revoke(MEMBER), grant(ADMIN)], held(MEMBER)],
		['deactivated, whatever else there is', [planned('deactivated')], {}],
		['without groups in the plan, but kept', [revoke(STAFF)], { endsEmpty: true }],
		['in a group that the plan gives', [grant(VIEWER, were())], held(VIEWER)],
		['in the same groups', [grant(STAFF, were('whylabs-org-2:viewer'))], held(VIEWER)],
		[
			'in more, which do not matter',
			[grant(STAFF, were())],
			{ ...held(VIEWER), isCompared: () => false },
		],
		['out of a group that the plan takes', [revoke(VIEWER, were(VIEWER))], {}],
		[
			'out of a group that the plan replaces',
			[grant('org-2:admin', were(VIEWER))],
			{ members: { 'org-2:admin': ['ana'] }, profile: MANY_ROLES },
		],
		['out of all, as inactive', [planned('deleted', were(VIEWER, STAFF))], active(false)],
		['out of all, not shown as active', [planned('deactivated', were(VIEWER))], {}],
		['by the external ID that was to come', [update({ externalId: 'E1' })], externalId('E1')],
		['by no external ID', [update({ externalId: 'E1' })], externalId('')],
		[
			'with an external ID that does not matter',
			[update({ externalId: 'E1' })],
			externalId('E2', { matchBy: 'email' }),
		],
		['who has the new name alone', [update({ userName: ANA })], {}],
		[
			'the holder of the external ID',
			[update({ externalId: 'E1' })],
			externalId('', { holderOf: found('ana') }),
		],
	])('%s: no refusal', (_, changes, world) => {
		expect(refusal(changes, world)).toBeUndefined();
	});
});

describe('what is left to do', () => {
	const basics = { item: ITEM, why: 'asked for', drop: [], holdValues: [], dropValues: [] };

	it('memberships, with the user as read', () => {
		const { wishes, people, said } = resume(
			[
				grant(ADMIN),
				grant(ADMIN),
				revoke('whylabs-org-2:viewer', { group: VIEWER }),
				move(STAFF, ''),
			],
			held(VIEWER),
		);
		const person = { key: 'ana', id: 'ana', userName: ANA };
		const user = expect.objectContaining({ id: 'ana' });
		const drop = ['whylabs-org-2:viewer'];
		expect(wishes).toEqual([{ ...basics, person, user, hold: [ADMIN, STAFF], drop }]);
		expect([people, said]).toEqual([[person], []]);
	});

	it('one wish for each reason', () => {
		const changes = [grant(ADMIN), revoke(VIEWER, { why: 'left' }), grant(STAFF)];
		expect(resume(changes, held(VIEWER)).wishes).toMatchObject([
			{ why: 'asked for', hold: [ADMIN, STAFF], drop: [] },
			{ why: 'left', hold: [], drop: [VIEWER] },
		]);
	});

	it.each([
		['userName', {}],
		['externalId', { matchBy: 'externalId' }],
	] as const)('a new person by %s with each group, or alone', (matchBy, more) => {
		const attributes = { title: 'x' };
		const newcomer = { item: ITEM, userName: NEW, attributes, warnings: [], ...more };
		const person = { key: NEW.toLowerCase(), userName: NEW };
		const created = create({ attributes, why: 'new' });
		const world = { matchBy };
		expect(resume([created], world).wishes).toEqual([
			{ ...basics, person, hold: [], newcomer, why: 'new' },
		]);
		const changes = [created, grant(ADMIN, { ...ofNew, userName: NEW.toUpperCase() })];
		expect(resume(changes, world)).toMatchObject({
			wishes: [{ ...basics, person, hold: [ADMIN], newcomer }],
			...{ people: [], settled: [] },
		});
		expect(resume([create({ attributes: undefined })]).wishes[0].newcomer?.attributes).toEqual({});
	});

	it('nothing of a new person none of whose groups is left', () => {
		const changes = [create(), grant(ADMIN, { ...ofNew, group: 'Other' })];
		const { wishes, said } = resume(changes);
		expect(wishes).toMatchObject([{ hold: [], newcomer: { userName: NEW } }]);
		expect(said).toEqual([expect.stringContaining('failed')]);
	});

	it('an end of access for those of an Offboard who have no change; whoever is gone is gone', () => {
		const people = [ofBen, { id: null, userName: NEW }, { id: 'ana', userName: null }];
		const { wishes, said, settled } = resume([planned('deleted')], { people });
		expect(wishes).toMatchObject([
			{ person: { id: 'ana' }, account: 'gone' },
			{ person: { id: 'ben' }, hold: [], drop: [], why: '' },
		]);
		expect(said).toEqual([`change the access of ${NEW}: unchanged: the user is gone`]);
		expect(settled).toMatchObject([
			{ item: ITEM, result: { who: { kind: 'gone', person: { userName: NEW } }, intent: 'none' } },
		]);
	});

	it.each<[string, PlannedChange[], World, string | undefined]>([
		['deleted', [planned('deleted'), planned('deactivated')], {}, 'gone'],
		['deactivated', [planned('deactivated'), revoke(VIEWER)], held(VIEWER), 'inactive'],
		['activated', [planned('activated')], active(false), 'active'],
		['activated for a group', [planned('activated'), grant(STAFF)], active(true), 'active'],
		[
			'active, and out of a group',
			[planned('activated'), revoke(VIEWER)],
			{ ...held(VIEWER), ...active(true) },
			undefined,
		],
		['in a group', [grant(STAFF)], {}, undefined],
		[
			'deactivated by an update',
			[update({ active: false }, { change: 'deactivated' }), grant(STAFF)],
			{},
			undefined,
		],
	])('an account that is to be %s', (_, changes, world, account) => {
		expect(resume(changes, world).wishes.map((wish) => wish.account)).toEqual([account]);
	});

	it('values of somebody who was read', () => {
		const changes = [
			value('granted', 'buyer'),
			value('granted', 'a'),
			value('revoked', 'seller'),
			value('revoked', 'b'),
		];
		const users = { ana: { roles: ['seller', 'A'] } };
		const { wishes, said, settled } = resume(changes, { users, profile: VALUES });
		expect(wishes).toMatchObject([
			{
				hold: [],
				holdValues: [{ attribute: 'roles', value: 'buyer' }],
				dropValues: [{ attribute: 'roles', value: 'seller' }],
			},
		]);
		expect(said).toEqual([
			`give ${ANA} roles "a": unchanged`,
			`remove roles "b" from ${ANA}: unchanged`,
		]);
		expect(settled[0].result).toMatchObject({
			...{ who: { kind: 'user' }, intent: 'grant', value: { attribute: 'roles', value: 'a' } },
		});
	});

	it('values of a member of whom no user was read', () => {
		const changes = [value('granted', 'buyer'), value('revoked', 'seller')];
		const { wishes, said } = resume(changes, { ...MEMBER_ALONE, profile: VALUES });
		expect(wishes).toMatchObject([{ holdValues: [{ value: 'buyer' }], dropValues: [] }]);
		expect(said).toEqual([`remove roles "seller" from ${ANA}: unchanged`]);
	});

	it('removals that hold until the groups of somebody who leaves are as planned', () => {
		const changes = [planned('deactivated', were(VIEWER))];
		const world = { ...held(VIEWER), isIgnored: (id: string) => id === STAFF };
		const [{ onlyWith }] = resume(changes, { ...world, endsEmpty: true }).wishes;
		const groups = [VIEWER, 'whylabs-org-2:viewer', STAFF, ADMIN];
		expect(groups.map((id) => onlyWith?.includes(id))).toEqual([true, true, true, false]);
		expect(onlyWith?.label(ADMIN)).toBe('admin in org-1');
		expect(resume(changes, world).wishes).toMatchObject([{ account: 'inactive' }]);
		expect(resume(changes, world).wishes[0]).not.toHaveProperty('onlyWith');
		const kept = resume([revoke(VIEWER, were(VIEWER))], { ...world, endsEmpty: true });
		expect(kept.wishes[0]).not.toHaveProperty('onlyWith');
	});
});

describe('what is made already is unchanged', () => {
	it.each<[PlannedChange, World, string, string]>([
		[create(), KNOWN, `create user ${NEW}`, 'create'],
		[planned('activated'), active(true), `activate user ${ANA}`, 'activate'],
		[
			planned('activated'),
			{ users: { ana: {} }, ...held(STAFF) },
			`activate user ${ANA}`,
			'activate',
		],
		[planned('deactivated'), active(false), `deactivate user ${ANA}`, 'deactivate'],
		[revoke(ADMIN), {}, `remove ${ANA} as admin in org-1`, 'revoke'],
	])('%#', (change, world, action, intent) => {
		const { said, wishes, settled } = resume([change], world);
		expect(said).toEqual([expect.stringMatching(`${action.replace(NEW, '.*')}: unchanged`)]);
		expect(wishes).toEqual([]);
		expect(settled).toMatchObject([{ item: ITEM, change: plannedKey(0), result: { intent } }]);
	});

	it.each<[PlannedChange, World]>([
		[grant(ADMIN), held(ADMIN)],
		[planned('deleted'), active(false)],
		[planned('activated'), {}],
		[planned('deactivated'), {}],
		[revoke(ADMIN), held(ADMIN)],
		[revoke(ADMIN), { profile: { ...ACCOUNT, groupsShowMembers: 'no' } }],
	])('%#: what is not known to be made is compared again', (change, world) => {
		expect(resume([change], world)).toMatchObject({ settled: [], wishes: [{ item: ITEM }] });
	});

	it('whoever is gone has lost everything; the group is shown with it', () => {
		const changes = [revoke(ADMIN), planned('deactivated'), planned('deleted')];
		const { said, settled } = resume(changes, { users: {} });
		expect(said).toEqual([
			`remove ${ANA} as admin in org-1: unchanged: the user is gone`,
			`deactivate user ${ANA}: unchanged: the user is gone`,
			`delete user ${ANA}: unchanged: the user is gone`,
		]);
		const who = { kind: 'gone', person: { key: 'ana', id: 'ana', userName: ANA } };
		expect(settled[0].result).toMatchObject({ who, intent: 'revoke', group: { id: ADMIN } });
		expect(settled.map(({ change }) => change)).toEqual([0, 1, 2].map(plannedKey));
		expect(settled[1].result).not.toHaveProperty('group');
	});
});

describe('a group that is not as planned', () => {
	it.each<[string, PlannedChange, World, string]>([
		[
			'named otherwise',
			grant(ADMIN, { group: 'Old' }),
			{},
			`The group ${ADMIN} is named "${ADMIN}", but was named "Old"`,
		],
		[
			'for another role',
			grant(ADMIN, { role: 'member' }),
			{},
			`The group "${ADMIN}" stands for admin in org-1, but stood for member in org-1`,
		],
		['for a role', grant(ADMIN, { organization: null }), {}, 'but stood for no organization'],
		[
			'for nothing',
			grant(STAFF, { organization: 'org-1' }),
			{},
			'stands for no organization, but stood for no role in org-1',
		],
		[
			'for another role, and to be left',
			revoke(ADMIN, { roleBefore: 'member' }),
			{},
			'but stood for member',
		],
	])('%s: it is left alone', (_, change, world, words) => {
		const { wishes, said } = resume([change, grant(VIEWER)], world);
		expect(said).toEqual([expect.stringContaining(words)]);
		expect(wishes).toMatchObject([{ hold: [VIEWER] }]);
	});

	it('an attribute that holds no access is left alone', () => {
		const { wishes, said } = resume([value('granted', 'a'), grant(VIEWER)]);
		expect(said).toEqual([expect.stringContaining('roles is not one of the Access Attributes')]);
		expect(wishes).toMatchObject([{ hold: [VIEWER], holdValues: [] }]);
	});

	it('is one of the plan where it has no name, or is not there any more', () => {
		expect(refusal([grant(ADMIN, { group: null })])).toBeUndefined();
		expect(refusal([grant('org-9:admin')])).toBeUndefined();
	});

	it('keeps what it was to replace', () => {
		const left = { ...held(VIEWER), profile: MANY_ROLES };
		const dropped = (change: PlannedChange) =>
			resume([change, revoke(VIEWER)], left).wishes.map((wish) => wish.dropsHeldBack);
		expect(dropped(grant(ADMIN, { group: 'Old' }))).toEqual(['the replacement cannot be granted']);
		expect(dropped(grant(ADMIN))).toEqual([undefined]);
		expect(dropped(revoke(ADMIN, { group: 'Old' }))).toEqual([undefined]);
	});
});

describe('whose changes come after those of others', () => {
	const dependent = (after: string) => revoke(VIEWER, { after: [after] });
	const last = (after: string, first: PlannedChange, world: World = {}) => {
		const { wishes, said } = resume([dependent(after), first], { ...held(VIEWER), ...world });
		const wish = wishes.find(({ person }) => person.id === 'ana');
		return wish?.after ?? said.find((text) => text.includes(ANA));
	};

	it.each<[string, PlannedChange, string]>([
		['ben', grant(ADMIN, ofBen), 'ben'],
		['ben', revoke(ADMIN, { ...ofBen, group: 'Old' }), 'ben'],
		['NEW@example.com', create(), 'new@example.com'],
	])('waits for %s', (name, first, key) => {
		expect(last(name, first)).toEqual([key]);
	});

	it.each<[string, string, PlannedChange, World]>([
		['are not in the plan', 'eve', grant(ADMIN, ofBen), {}],
		['cannot be made', 'ben', grant(ADMIN, ofBen), { users: { ana: {} } }],
		[
			'want a group that is another now',
			'ben',
			move(ADMIN, 'a', { ...ofBen, group: 'Old' }),
			{ profile: MANY_ROLES },
		],
	])('and that %s are left alone', (_, name, first, world) => {
		expect(last(name, first, world)).toBe(
			`remove ${ANA} as viewer in org-2: skipped: the changes of ${name}, which come first, cannot be made`,
		);
	});
});

describe('updates', () => {
	const TITLE = { title: 'x' };

	it('are sent as far as they differ, and are no wish', () => {
		const change = update({ title: 'x', nickName: 'An' }, { why: 'HR', activeBefore: true });
		const { changes, wishes } = resume([change], {
			users: { ana: { nickName: 'An', active: true } },
		});
		expect(changes).toMatchObject([
			{
				...{ target: 'user', kind: 'update', action: `update user ${ANA}`, attributes: TITLE },
				...{ why: 'HR', activeBefore: true, parts: [{ item: ITEM }] },
				person: { id: 'ana', userName: ANA },
			},
		]);
		expect(wishes).toEqual([]);
	});

	it('say what the user showed only where the plan does', () => {
		expect(resume([update(TITLE)]).changes[0]).not.toHaveProperty('activeBefore');
	});

	it('that are made already are unchanged', () => {
		const { changes, said } = resume([update(TITLE)], { users: { ana: TITLE } });
		expect([changes, said]).toEqual([[], [`update user ${ANA}: unchanged`]]);
	});

	it('of a member of whom no user was read are sent whole', () => {
		expect(resume([update(TITLE)], MEMBER_ALONE).changes).toMatchObject([{ attributes: TITLE }]);
	});

	it('come with the groups of the same reason', () => {
		const { changes, wishes } = resume([update(TITLE), grant(ADMIN)]);
		expect([changes.length, wishes.map(({ hold }) => hold)]).toEqual([1, [[ADMIN]]]);
	});

	it.each([
		['somebody protected', ANA],
		['somebody who would have a protected name', EVE],
	])('of %s are refused', (_, kept) => {
		const { changes, settled } = resume([update({ userName: EVE })], {
			isProtected: ({ userName }) => userName === kept,
		});
		expect(changes).toEqual([]);
		expect(settled).toMatchObject([
			{
				...{ change: plannedKey(0), result: { intent: 'update' } },
				outcome: { status: 'failed', reason: expect.stringContaining(`${ANA} is protected`) },
			},
		]);
	});
});

it.each<[PlannedChange, string[], string[]]>([
	[update({ userName: EVE, ExternalID: 'E1' }), [EVE], ['E1']],
	[planned('activated', { attributes: { userName: EVE, externalId: 'E1' } }), [EVE], ['E1']],
	[update({ userName: 5, externalId: null }), [], []],
	[create({ attributes: { userName: NEW, externalId: 'E1' } }), [], []],
	[planned('updated'), [], []],
])('%#: only an update gives a new name or external ID', (change, names, keys) => {
	expect(newNameOf(change)).toEqual(names);
	expect(newKeyOf(change, 'externalId')).toEqual(keys);
	expect(newKeyOf(change, 'email')).toEqual([]);
});
