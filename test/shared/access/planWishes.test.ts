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
import { readAccess } from '../../../nodes/shared/access/access';
import { compareUser } from '../../../nodes/shared/scim/protocol/compare';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { FRESH } from '../../support/fakeTransport';
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

/** Whoever a group shows, of whom no user was read. */
const MEMBER_ALONE: World = {
	present: () => ({ kind: 'found', person: { key: 'ana', id: 'ana', userName: ANA } }),
};
const ana = (attributes: object, more: World = {}) => ({ users: { ana: attributes }, ...more });
const called = (userName: string) => ana({ userName });
const byKey = (key: string, more: World = {}) =>
	ana({ externalId: key }, { matchBy: 'externalId', ...more });
const byEmail = (emails: string) => ana({ emails }, { matchBy: 'email' });
const [ACTIVE, INACTIVE] = [ana({ active: true }), ana({ active: false })];
const [WAS_ACTIVE, WAS_NOT] = [{ activeBefore: true }, { activeBefore: false }];
const BUYER = ana({ roles: ['buyer'] }, { profile: VALUES });
const EMPTIED: World = { endsEmpty: true, profile: VALUES };
const LEAVER = planned('deactivated', { groupsBefore: [] });
const K1 = update({ title: 'x' }, { key: 'K1' });
const NO_NAME = revoke(STAFF, { userName: null });
const TO_EVE = update({ userName: EVE });
const TO_E1 = update({ externalId: 'E1' });
const were = (...groupsBefore: string[]) => ({ groupsBefore });
const held = (...groups: string[]): World => ({
	members: Object.fromEntries(groups.map((id) => [id, ['ana']])),
});
/** The user says to be in a group that was not read. */
const UNREAD = readAccess(
	{
		...{ groups: [], isWhole: true, readAt: FRESH },
		users: [readUser({ id: 'ana', groups: [{ value: 'Unlisted' }] })].flatMap((one) => one ?? []),
	},
	ids,
	ACCOUNT,
);
const HIDDEN: World = { profile: { ...ACCOUNT, groupsShowMembers: 'no' } };
const createdAs = (attributes: object) => create({ attributes: { ...attributes } });
const NAMED = { name: { givenName: 'Ana' } };
const OTHER_NAME = { name: { givenName: 'Eve' } };
const KNOWN: World = { users: { x: { userName: NEW, ...NAMED, externalId: 'E1' } } };
const NO_ADOPTION: World = { ...KNOWN, adopts: false };
const found = (id: string) => (): PresentPerson => ({ kind: 'found', person: { key: id, id } });
const lost = (): PresentPerson => ({ kind: 'unknown', error: new Error('no answer') });

describe('somebody who is not as planned', () => {
	it.each<[string, PlannedChange[], World]>([
		[`${ANA} is no longer there, but was when this`, [grant(ADMIN)], { users: {} }],
		['is no longer there', [revoke(MEMBER), grant(ADMIN)], { users: {} }],
		['is no longer there', [create({ id: 'ana' })], { users: {} }],
		['is no longer there', [planned('activated'), grant(ADMIN)], MEMBER_ALONE],
		[`${NEW} is no longer there`, [grant(ADMIN, ofNew)], {}],
		['no answer', [grant(ADMIN)], { present: lost }],
		[`User ${NEW} exists already (ID x)`, [create()], NO_ADOPTION],
		['exists already', [createdAs(OTHER_NAME)], NO_ADOPTION],
		['exists already', [createdAs({ externalId: 'E2' })], { ...NO_ADOPTION, takesEqual: true }],
		[`The user with the ID ana is ${EVE}, but was ${ANA}`, [revoke(STAFF)], called(EVE)],
		[`is ${ANA}, but was ${EVE}`, [revoke(STAFF, { userName: EVE })], MEMBER_ALONE],
		[`${ANA} has the email K2, and had K1`, [K1], byEmail('K2')],
		['has the email (none), and had K1', [K1, grant(ADMIN)], byEmail('')],
		['has the external ID k1, and had K1', [K1], byKey('k1')],
		['is inactive, but was active', [grant(ADMIN, WAS_ACTIVE)], INACTIVE],
		['is inactive, but was active', [planned('activated', WAS_ACTIVE)], INACTIVE],
		['is active, but was inactive', [grant(ADMIN, WAS_NOT)], ACTIVE],
		['active, but was', [planned('deactivated', WAS_NOT), planned('deleted')], ACTIVE],
		['is active, but was inactive', [grant(STAFF, WAS_NOT)], held(VIEWER)],
		[
			`${ANA} has roles "buyer", but did not`,
			[LEAVER, revoke(STAFF)],
			{ ...BUYER, endsEmpty: true },
		],
		['is member in org-1, but was without a role', [grant(ADMIN)], held(MEMBER)],
		['is without a role in org-1, but was member', [move(ADMIN, 'member')], {}],
		['is member and viewer in', [move(ADMIN, 'member')], held(MEMBER, 'org-1:viewer')],
		['is admin in org-1, but was member', [revoke(MEMBER)], held(ADMIN)],
		['is admin in org-2', [grant(ADMIN), revoke(VIEWER)], held('org-2:admin')],
		['does not say in which groups', [planned('deactivated'), revoke(STAFF)], { endsEmpty: true }],
		[`no longer shows in which groups ${ANA} is`, [grant(STAFF, were())], HIDDEN],
		['is viewer in org-2, but was not', [grant(STAFF, were())], held(VIEWER)],
		['is not viewer in org-2', [grant(STAFF), revoke(ADMIN, were(ADMIN, VIEWER))], {}],
		[`is not ${STAFF}, but was`, [planned('deleted', were(STAFF))], ACTIVE],
		[`is not ${STAFF}, but was`, [grant(VIEWER, were(STAFF))], {}],
		[`is not ${STAFF}, but was`, [planned('deleted', were(STAFF))], MEMBER_ALONE],
		[`is not ${STAFF}, but was`, [grant(STAFF, were(STAFF))], {}],
		['has the external ID E2, but had none', [TO_E1], byKey('E2')],
		[`${EVE} belongs to another user (ID eve)`, [TO_EVE], { users: { ana: {}, eve: {} } }],
		['E1 belongs to another user (ID ben)', [TO_E1], byKey('', { holderOf: found('ben') })],
		['Could not find out who has the external ID E1', [TO_E1], byKey('', { holderOf: lost })],
	])('%s: nothing is done', (words, changes, world) => {
		const { settled, wishes, changes: sent } = resume(changes, world);
		expect(settled.map(({ outcome }) => outcome.reason)).toEqual(
			changes.map(() => expect.stringContaining(words)),
		);
		expect([...wishes, ...sent]).toStrictEqual([]);
	});

	it('is no reason to leave others alone', () => {
		const changes = [grant(ADMIN), grant(ADMIN, ofBen)];
		const { said, wishes, settled } = resume(changes, { users: { ben: {} } });
		expect(settled[0].result?.who).toMatchObject({ kind: 'person', person: { id: 'ana' } });
		expect(said).toEqual([expect.stringContaining(`make ${ANA} admin in org-1: failed`)]);
		expect(wishes).toMatchObject([{ person: { id: 'ben' }, hold: [ADMIN] }]);
	});
});

describe('somebody who is as planned, as far as it matters', () => {
	it.each<[string, PlannedChange[], World]>([
		['a member of whom no user was read', [grant(ADMIN), K1], MEMBER_ALONE],
		['to be created, who may be there', [create()], KNOWN],
		['created, and a member', [create({ userName: ANA })], { ...MEMBER_ALONE, adopts: false }],
		['there, and not to be created', [grant(ADMIN)], { adopts: false }],
		['created with that name', [createdAs(NAMED)], NO_ADOPTION],
		['created as it should be', [create()], { ...NO_ADOPTION, takesEqual: true }],
		['called the same in capitals', [revoke(STAFF)], called(ANA.toUpperCase())],
		['of no known name', [NO_NAME], {}],
		['a member without a name', [NO_NAME, revoke(ADMIN)], { present: found('ana') }],
		['called as in the plan', [revoke(STAFF), TO_EVE], called(EVE)],
		['by that email in capitals', [K1], byEmail('k1')],
		['by the email of the plan', [update({ emails: 'K2' }, { key: 'K1' })], byEmail('k2')],
		['by an email that is not in the plan', [grant(ADMIN)], byEmail('K2')],
		['by that external ID', [K1], byKey('K1')],
		['active as before', [grant(ADMIN, WAS_ACTIVE)], ACTIVE],
		['not shown to be active', [grant(ADMIN, WAS_ACTIVE)], {}],
		['inactive, which does not matter', [grant(ADMIN)], INACTIVE],
		['activated already', [planned('activated', WAS_NOT)], ACTIVE],
		['deactivated already', [planned('deactivated', WAS_ACTIVE)], INACTIVE],
		['inactive and to be deleted', [planned('deleted', WAS_ACTIVE)], INACTIVE],
		['with a value, and kept', [revoke(STAFF)], { ...BUYER, endsEmpty: true }],
		['with a value that does not matter', [LEAVER], BUYER],
		['inactive with a value', [LEAVER], { ...ana({ roles: ['a'], active: false }), ...EMPTIED }],
		['without a value', [LEAVER], EMPTIED],
		['a member to leave', [LEAVER], { ...MEMBER_ALONE, ...EMPTIED }],
		['in the old role', [move(ADMIN, 'member')], held(MEMBER)],
		['in the new role', [move(ADMIN, 'member')], held(ADMIN)],
		['in both, as a move leaves them', [move(ADMIN, 'member')], held(ADMIN, MEMBER)],
		['in one of two old roles', [move(ADMIN, 'member, viewer')], held('org-1:viewer')],
		['in none of them', [revoke(MEMBER)], {}],
		['in the role that stays', [revoke(MEMBER, { role: 'admin' })], held(ADMIN)],
		['in a role of another organization', [grant(ADMIN)], held(VIEWER)],
		['in groups without a role', [grant(ADMIN)], { access: UNREAD }],
		['in one role of many', [grant(ADMIN)], { ...held(MEMBER), profile: MANY_ROLES }],
		['in a role not of the plan', [update({}, { organization: 'org-1' })], held(ADMIN)],
		['moved by two changes', [revoke(MEMBER), grant(ADMIN)], held(MEMBER)],
		['to leave with all there is', [planned('deactivated')], held(STAFF)],
		['without groups in the plan, but kept', [revoke(STAFF)], { endsEmpty: true }],
		['in a group that the plan gives', [grant(VIEWER, were())], held(VIEWER)],
		['in the same group', [grant(STAFF, were('whylabs-org-2:viewer'))], held(VIEWER)],
		['in others', [grant(STAFF, were())], { ...held(VIEWER), isCompared: () => false }],
		['out of a group that the plan takes', [revoke(VIEWER, were(VIEWER))], {}],
		['out of a replaced one', [grant('org-2:admin', were(VIEWER))], held('org-2:admin')],
		['inactive and out of all', [planned('deleted', were(VIEWER)), revoke(ADMIN)], INACTIVE],
		['out of all, not shown as active', [planned('deactivated', were(VIEWER))], {}],
		['by the external ID that was to come', [TO_E1], byKey('E1')],
		['by no external ID', [TO_E1], byKey('')],
		['with an external ID that does not matter', [TO_E1], byKey('E2', { matchBy: 'email' })],
		['who has the new name alone', [update({ userName: ANA })], {}],
		['the holder of the external ID', [TO_E1], byKey('', { holderOf: found('ana') })],
	])('%s: no refusal', (_, changes, world) => {
		const { settled } = resume(changes, world);
		expect(settled.filter(({ outcome }) => outcome.status === 'failed')).toStrictEqual([]);
	});
});

describe('what is left to do', () => {
	const LET_IN = planned('activated');
	const DEACTIVATING = update({ active: false }, { change: 'deactivated' });
	const role = (text: string) => ({ attribute: 'roles', value: text });
	const basics = { item: ITEM, why: 'asked for', drop: [], holdValues: [], dropValues: [] };

	it('memberships, with the user as read', () => {
		const revoked = revoke('whylabs-org-2:viewer', { group: VIEWER });
		const changes = [grant(ADMIN), grant(ADMIN), revoked, move(STAFF, '')];
		const { wishes, people, said } = resume(changes, held(VIEWER));
		const person = { key: 'ana', id: 'ana', userName: ANA };
		const user = expect.objectContaining({ id: 'ana' });
		const drop = ['whylabs-org-2:viewer'];
		expect(wishes).toEqual([{ ...basics, person, user, hold: [ADMIN, STAFF], drop }]);
		expect([people, said]).toEqual([[person], []]);
	});

	it('memberships of somebody who was to be created and is there', () => {
		const { wishes } = resume([create(), grant(ADMIN, ofNew)], KNOWN);
		expect(wishes).toMatchObject([{ person: { id: 'x' }, hold: [ADMIN] }]);
		expect(wishes[0]).not.toHaveProperty('newcomer');
	});

	it('one wish for somebody whom the plan names by ID and by user name', () => {
		const { wishes } = resume([grant(ADMIN, { id: null }), grant(STAFF)]);
		expect(wishes.map(({ person, hold }) => [person.key, hold])).toEqual([['ana', [ADMIN, STAFF]]]);
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
		const changes = [grant(ADMIN, ofNew), { ...created, userName: NEW.toUpperCase() }];
		expect(resume(changes, world)).toMatchObject({
			wishes: [
				{
					...basics,
					person,
					hold: [ADMIN],
					newcomer: { ...newcomer, userName: NEW.toUpperCase() },
				},
			],
			...{ people: [], settled: [] },
		});
		expect(resume([create({ attributes: undefined })]).wishes[0].newcomer?.attributes).toEqual({});
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

	it.each<[string, PlannedChange[], World, string?]>([
		['deleted', [planned('deleted'), planned('deactivated')], {}, 'gone'],
		['deactivated', [planned('deactivated'), revoke(VIEWER)], held(VIEWER), 'inactive'],
		['activated', [LET_IN], INACTIVE, 'active'],
		['activated for a group', [LET_IN, grant(STAFF)], ACTIVE, 'active'],
		['active without a group', [LET_IN, revoke(VIEWER)], { ...held(VIEWER), ...ACTIVE }, undefined],
		['in a group', [grant(STAFF)], {}, undefined],
		['updated to be inactive', [DEACTIVATING, grant(STAFF)], {}, undefined],
	])('an account that is to be %s', (_, changes, world, account) => {
		expect(resume(changes, world).wishes.map((wish) => wish.account)).toEqual([account]);
	});

	it('values of somebody who was read', () => {
		const changes = [
			...['buyer', 'a'].map((role) => value('granted', role)),
			...['seller', 'b'].map((role) => value('revoked', role)),
		];
		const world = ana({ roles: ['seller', 'A'] }, { profile: VALUES });
		const { wishes, said, settled } = resume(changes, world);
		expect(wishes).toMatchObject([
			{ hold: [], holdValues: [role('buyer')], dropValues: [role('seller')] },
		]);
		expect(said).toEqual([
			`give ${ANA} roles "a": unchanged`,
			`remove roles "b" from ${ANA}: unchanged`,
		]);
		const result = { who: { kind: 'user' }, intent: 'grant', value: role('a') };
		expect(settled[0].result).toMatchObject(result);
	});

	it('values of a member of whom no user was read', () => {
		const changes = [value('granted', 'buyer'), value('revoked', 'seller')];
		const { wishes, said } = resume(changes, { ...MEMBER_ALONE, profile: VALUES });
		expect(wishes).toMatchObject([{ holdValues: [{ value: 'buyer' }], dropValues: [] }]);
		expect(said).toEqual([`remove roles "seller" from ${ANA}: unchanged`]);
	});

	it('removals that hold until the groups of somebody who leaves are as planned', () => {
		const changes = [revoke(VIEWER), planned('deactivated', were(VIEWER))];
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
	it.each<[string, PlannedChange, World]>([
		[`create user ${NEW}`, create(), { present: found('x') }],
		[`activate user ${ANA}`, planned('activated'), ACTIVE],
		[`activate user ${ANA}`, planned('activated'), { ...ana({}), ...held(STAFF) }],
		[`deactivate user ${ANA}`, planned('deactivated'), INACTIVE],
	])('%s', (action, change, world) => {
		const { said, wishes, settled } = resume([change], world);
		const [intent] = action.split(' ');
		expect([said, wishes]).toEqual([[`${action}: unchanged`], []]);
		expect(settled).toMatchObject([{ item: ITEM, change: plannedKey(0), result: { intent } }]);
	});

	it('a removal', () => {
		const { said, wishes } = resume([revoke(ADMIN)]);
		expect([said, wishes]).toEqual([[`remove ${ANA} as admin in org-1: unchanged`], []]);
	});

	it.each<[PlannedChange, World]>([
		[grant(ADMIN), held(ADMIN)],
		[planned('deleted'), INACTIVE],
		[planned('activated'), {}],
		[planned('deactivated'), {}],
		[planned('deactivated'), MEMBER_ALONE],
		[revoke(ADMIN), held(ADMIN)],
		[revoke(ADMIN), HIDDEN],
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
		expect(settled.map(({ change }) => change)).toEqual(['planned\n0', 'planned\n1', 'planned\n2']);
		expect(settled[1].result).not.toHaveProperty('group');
	});
});

describe('a group that is not as planned', () => {
	it.each<[string, PlannedChange]>([
		[`${ADMIN} is named "${ADMIN}", but was named "Old"`, grant(ADMIN, { group: 'Old' })],
		['stands for admin in org-1, but stood for member', grant(ADMIN, { role: 'member' })],
		['but stood for no organization', grant(ADMIN, { organization: null, roleBefore: 'member' })],
		['no organization, but stood for no role in', grant(STAFF, { organization: 'org-1' })],
		['but stood for member', revoke(ADMIN, { roleBefore: 'member' })],
	])('%s: it is left alone', (words, change) => {
		const { wishes, said } = resume([change, grant(VIEWER)]);
		expect(said).toEqual([expect.stringContaining(words)]);
		expect(wishes).toMatchObject([{ hold: [VIEWER] }]);
	});

	it.each<[string, PlannedChange, object, World]>([
		['made', create(), ofNew, {}],
		['activated', planned('activated'), {}, INACTIVE],
	])('nobody is %s for nothing else', (_, entry, who, world) => {
		const changes = [entry, grant(ADMIN, { ...who, group: 'Old' })];
		const { wishes, said } = resume(changes, world);
		expect(wishes).toStrictEqual([]);
		expect(said[0]).toMatch(/: skipped: the access that it is for cannot be given$/);
		const [more] = resume([...changes, grant(VIEWER, who)], world).wishes;
		expect(more.newcomer ?? more.account).toBeDefined();
		const gone = resume([entry, grant('org-9:admin', who)], world);
		expect([...gone.said, gone.wishes[0].account]).toEqual([said[0], undefined]);
	});

	it('an attribute that holds no access is left alone', () => {
		const { wishes, said } = resume([value('granted', 'a'), grant(VIEWER)]);
		expect(said).toEqual([expect.stringContaining('roles is not one of the Access Attributes')]);
		expect(wishes).toMatchObject([{ hold: [VIEWER], holdValues: [] }]);
	});

	it('is one of the plan where it has no name, or is not there any more', () => {
		const changes = [grant(ADMIN, { group: null }), grant('org-9:admin')];
		expect(resume(changes).wishes).toMatchObject([{ hold: [ADMIN, 'org-9:admin'] }]);
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
		const changes = [dependent(after), first, planned('updated', ofBen)];
		const { wishes, said } = resume(changes, { ...held(VIEWER), ...world });
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
		['want a group that is another now', 'ben', grant(ADMIN, { ...ofBen, group: 'Old' }), {}],
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
		const { changes, wishes } = resume([change], ana({ nickName: 'An', active: true }));
		expect(changes).toMatchObject([
			{
				...{ target: 'user', kind: 'update', action: `update user ${ANA}`, attributes: TITLE },
				...{ why: 'HR', activeBefore: true, parts: [{ item: ITEM }] },
				...{ person: { id: 'ana', userName: ANA }, warnings: [] },
			},
		]);
		expect(wishes).toStrictEqual([]);
		expect(changes[0].warnings).toHaveLength(0);
	});

	it('that let somebody in who is in already are compared as well', () => {
		const change = update({ active: true, title: 'x' }, { change: 'activated' });
		expect(resume([change], ACTIVE).changes).toMatchObject([{ attributes: TITLE }]);
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
		const { changes, settled } = resume([TO_EVE], {
			isProtected: ({ userName }) => userName === kept,
		});
		expect(changes).toStrictEqual([]);
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
	expect(newKeyOf(change, 'email')).toStrictEqual([]);
});
