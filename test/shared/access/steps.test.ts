import {
	isGain,
	lost,
	type AccountChange,
	type Change,
	type EntitlementChange,
	type GroupChange,
} from '../../../nodes/shared/access/change';
import { heldValue } from '../../../nodes/shared/access/diff';
import type { ProvisioningStep } from '../../../nodes/shared/access/step';
import { stepsOf } from '../../../nodes/shared/access/steps';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { readGroup, readUser } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { FRESH } from '../../support/fakeTransport';
import {
	ACCOUNT,
	accessOf,
	CHANGE,
	ids,
	ofAccount,
	ofGroups,
	partsOf,
	person,
} from '../../support/plans';

const [USER, GROUP] = ['User', 'Group'].map(
	(type) => `urn:ietf:params:scim:schemas:core:2.0:${type}`,
);
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const [ADMIN, MEMBER, VIEWER] = ['org-1:admin', 'org-1:member', 'org-1:viewer'];
const BY_HAND: Traits = { ...ACCOUNT, addMovesWithinOrganization: false };
const RULES = { ids, profile: ACCOUNT, label: (groupId: string) => `<${groupId}>` };
const [ana, ben, cid] = ['ana', 'ben', 'cid'].map(person);

type Of<K extends ProvisioningStep['kind']> = Extract<ProvisioningStep, { kind: K }>;

/** What is said of each person in a group. */
const membersIn = (steps: ProvisioningStep[]) =>
	steps
		.filter((step): step is Of<'changeMembers'> => step.kind === 'changeMembers')
		.flatMap(({ add, remove }) => [...add, ...remove]);

const at = (...path: string[]) => ['scim', ...path];
const patch = (path: string[], ...Operations: object[]) => ({
	...{ method: 'PATCH', path, body: { schemas: [PATCH], Operations } },
});
const replaced = (path: string, value: unknown, ...of: string[]) =>
	patch(at(...of), { op: 'replace', path, value });
const post = (resource: string, body: object) => ({ method: 'POST', path: at(resource), body });

describe('an account', () => {
	const anaById = { person: { id: 'ana', userName: 'ana@example.com' } };
	const title = { attributes: { title: 'Dr' } };
	const isNew = { person: { key: 'n', userName: 'ne\u0301' }, ifExists: 'fail' as const };

	it.each<[string, AccountChange, object]>([
		[
			'is created active, under one spelling of the name',
			ofAccount('absent', 'active', { ...isNew, ...title }),
			{
				...{ kind: 'createUser', userName: 'ne\u0301', ifExists: 'fail', ...title },
				request: post('Users', { schemas: [USER], active: true, title: 'Dr', userName: 'n\u00e9' }),
			},
		],
		[
			'is created as is asked for',
			ofAccount('absent', 'inactive', {
				...{ person: { key: 'n' }, attributes: { active: false } },
				...{ ifExists: 'update', matchBy: 'externalId' },
			}),
			{
				...{ kind: 'createUser', userName: 'n', attributes: { active: false } },
				...{ ifExists: 'update', matchBy: 'externalId' },
				request: post('Users', { schemas: [USER], active: false, userName: 'n' }),
			},
		],
		[
			'gets attributes',
			ofAccount('there', 'there', title),
			{
				...{ kind: 'updateUser', ...anaById, ...title, seenBefore: true },
				request: replaced('title', 'Dr', 'Users', 'ana'),
			},
		],
		[
			'is replaced as a whole',
			ofAccount('active', 'active', {
				...title,
				whole: { readAt: FRESH, planned: { body: { userName: 'ana' }, activeAfter: true } },
			}),
			{
				...{ kind: 'replaceUser', ...anaById, ...title, readAt: FRESH, activeAfter: true },
				request: { method: 'PUT', path: at('Users', 'ana'), body: { userName: 'ana' } },
			},
		],
		[
			'is activated',
			ofAccount('inactive', 'active'),
			{
				...{ kind: 'setActive', ...anaById, active: true, seenBefore: true },
				request: replaced('active', true, 'Users', 'ana'),
			},
		],
		[
			'is deactivated that nobody has seen',
			ofAccount('unknown', 'inactive'),
			{
				...{ kind: 'setActive', ...anaById, active: false, seenBefore: false },
				request: replaced('active', false, 'Users', 'ana'),
			},
		],
		...(['active', 'inactive', 'there'] as const).map((before): [string, AccountChange, object] => [
			`is deleted that was ${before}`,
			ofAccount(before, 'absent'),
			{
				...{ kind: 'deleteUser', ...anaById, wasActive: before === 'active' },
				request: { method: 'DELETE', path: at('Users', 'ana') },
			},
		]),
	])('%s', (_, change, step) => {
		const made = { ...change, action: 'do it', items: [3], warnings: ['w', 'w'] };
		const { key } = change;
		expect(stepsOf([made], RULES)).toEqual([
			{
				...{ id: key, action: 'do it', warnings: ['w'] },
				parts: [{ item: 3, subject: change.person.key, change: key }],
				...step,
			},
		]);
	});

	it('of somebody who has nothing else: what may be there', () => {
		const nothingElse = { on: 'nothingElse' as const, groups: [ids.key(ADMIN)] };
		const change = ofAccount('active', 'inactive', { restsOn: [nothingElse] });
		const rules = { ...RULES, ignored: new Set(['Everybody']), access: accessOf({}) };
		const [{ onlyWith }] = stepsOf([change], rules) as Array<Of<'setActive'>>;
		expect(onlyWith).toMatchObject({ readAt: FRESH, label: RULES.label });
		const groupIds = ['whylabs-org-1:ADMIN', 'Everybody', 'VPN'];
		expect(groupIds.map((id) => onlyWith?.includes(id))).toEqual([true, true, false]);
	});
});

const ofGroup = { ...CHANGE, about: 'group' as const, key: 'x', subject: '0', items: [0] };
const named = { attributes: { displayName: 'VPN' } };

it.each<[string, GroupChange, object]>([
	[
		'created',
		{ ...ofGroup, before: 'absent', after: 'there', ...named },
		{
			...{ kind: 'createGroup', ...named },
			request: post('Groups', { schemas: [GROUP], displayName: 'VPN' }),
		},
	],
	[
		'renamed',
		{ ...ofGroup, before: 'there', after: 'there', groupId: 'g', ...named },
		{
			...{ kind: 'updateGroup', groupId: 'g', ...named },
			request: replaced('displayName', 'VPN', 'Groups', 'g'),
		},
	],
	[
		'deleted',
		{ ...ofGroup, before: 'there', after: 'absent', groupId: 'g', members: [ana] },
		{ kind: 'deleteGroup', groupId: 'g', request: { method: 'DELETE', path: at('Groups', 'g') } },
	],
])('a group is %s', (_, change, step) => {
	const parts = [{ item: 0, subject: '0', change: 'x' }];
	expect(stepsOf([change], RULES)).toEqual([{ id: 'x', action: '', warnings: [], parts, ...step }]);
});

it('all values of one user', () => {
	const user = readUser({ id: 'ana', userName: 'ana', roles: [{ value: 'buyer' }] })!;
	const [buyer, seller] = ['buyer', 'seller'].map((value) => ({ attribute: 'roles', value }));
	const of = (key: string, gives: boolean, who = ana): EntitlementChange => {
		const value = [heldValue(gives ? seller : buyer)];
		const evidence = { user: { ...user, id: who.id }, readAt: FRESH };
		return {
			...{ ...CHANGE, about: 'entitlement', key, action: `do ${key}`, items: [0], person: who },
			...{ before: gives ? [] : value, after: gives ? value : [], evidence },
		};
	};
	const [step, other] = stepsOf(
		[of('taken', false), of('ben', true, ben), of('given', true)],
		RULES,
	);
	expect(step).toEqual({
		...{ id: 'values\nana', kind: 'changeValues', action: 'change 2 values of ana@example.com' },
		...{ user, readAt: FRESH, warnings: [], person: { id: 'ana', userName: 'ana' } },
		parts: ['taken', 'given'].map((change) => ({ item: 0, subject: 'ana', change })),
		values: [
			{ change: 'taken', action: 'do taken', kind: 'revoke', value: buyer },
			{ change: 'given', action: 'do given', kind: 'grant', value: seller },
		],
		request: patch(
			at('Users', 'ana'),
			{ op: 'add', path: 'roles', value: [{ value: 'seller' }] },
			{ op: 'remove', path: 'roles[value eq "buyer"]' },
		),
	});
	expect(other).toMatchObject({ id: 'values\nben', action: 'do ben' });
});

describe('the members of a group', () => {
	it('get in before others get out', () => {
		const newcomer = { key: 'k1', userName: 'new@example.com' };
		const changes = [
			{ ...ofGroups([ADMIN], [], ben), skipsOtherRole: true },
			...[ofGroups([MEMBER], [ADMIN]), ofGroups([], [ADMIN], newcomer)],
			ofGroups([], [ADMIN], { key: 'k2' }),
		].map((change) => ({ ...change, action: `do ${change.person.key}`, items: [0] }));
		const [taken, ...given] = changes;
		expect(stepsOf(changes, RULES)).toEqual([
			{
				...{ id: `members\n${ADMIN}\n1`, kind: 'changeMembers', groupId: ADMIN, warnings: [] },
				...{ action: `change 4 members of group ${ADMIN}`, organization: 'org-1', siblings: [] },
				readAt: { at: 0, pauses: 0 },
				parts: [...given, taken].map(({ key, person: { key: subject } }) => ({
					...{ item: 0, subject, change: key },
				})),
				add: given.map((change) => ({
					...{ person: change.person, action: change.action, mayBeGone: false },
					...{ from: lost(change).length > 0 ? [MEMBER] : [], gains: isGain(change) },
				})),
				remove: [{ person: ben, action: 'do ben', mayBeGone: false, skipsOtherRole: true }],
				request: patch(
					at('Groups', ADMIN),
					{
						...{ op: 'add', path: 'members' },
						value: ['ana', '{id of new@example.com}', '{id of k2}'].map((value) => ({ value })),
					},
					{ op: 'remove', path: 'members', value: [{ value: 'ben' }] },
				),
			},
		]);
		expect(stepsOf([taken], RULES)).toMatchObject([{ action: 'do ben' }]);
	});

	it.each<[string, EntitlementChange, boolean]>([
		['a grant', ofGroups([], [ADMIN]), true],
		['a higher role', ofGroups([MEMBER], [ADMIN]), true],
		['a lower role', ofGroups([ADMIN], [MEMBER]), false],
	])('gain by %s', (_, change, gains) => {
		expect(membersIn(stepsOf([change], RULES))).toMatchObject([{ gains }]);
	});

	it('leave another role behind once the new one was seen, which they may have left by then', () => {
		const move = { ...ofGroups([MEMBER, VIEWER], [ADMIN]), action: 'move', warnings: ['w'] };
		const steps = stepsOf([{ ...move, items: [4] }], { ...RULES, profile: BY_HAND });
		const [given, ...taken] = steps;
		expect(given).toMatchObject({ warnings: ['w'], add: [{ from: [MEMBER, VIEWER] }] });
		expect(membersIn(taken)).toEqual(
			[MEMBER, VIEWER].map((id) => ({
				...{ person: ana, mayBeGone: true },
				action: `remove ana@example.com from <${id}>`,
			})),
		);
		expect(taken).toMatchObject([{ warnings: [] }, { warnings: [] }]);
		expect(steps.map(partsOf)).toEqual([
			['4 ana'],
			...[given, given].map(({ id }) => [`4 ana < ana in ${id}`]),
		]);
	});

	it('lose a role too many, which nothing has taken before', () => {
		const [one] = membersIn(stepsOf([ofGroups([ADMIN, MEMBER], [MEMBER])], RULES));
		const action = 'remove ana@example.com from <org-1:admin>';
		expect(one).toMatchObject({ action, mayBeGone: false });
	});

	it.each<[string, object, Partial<Traits>, boolean]>([
		['shows nobody, and some services never do', {}, {}, true],
		['shows nobody of a service that shows all', {}, { groupsShowMembers: 'yes' }, false],
		['was asked for by a filter', { byFilter: true }, {}, false],
		['shows somebody', { members: [{ id: 'z' }] }, {}, false],
	])('are hidden where the group %s: %j', (_, shown, traits, isHidden) => {
		const profile = { ...PROFILES.generic, ...traits };
		const group = { ...readGroup({ id: 'VPN' })!, ...shown };
		const access = { ...accessOf({}), groups: new Map([['VPN', group]]) };
		const rules = { ...RULES, ids: groupMeaning(), profile, access };
		const [one] = membersIn(stepsOf([ofGroups(['VPN'], [])], rules));
		expect(one.hidden).toBe(isHidden || undefined);
	});

	it.each([
		['an add moves', ACCOUNT, true],
		['each stands alone', BY_HAND, false],
	])('may be in the other groups of the organization where %s', (_, profile, isCounted) => {
		const access = accessOf({ [ADMIN]: [], [MEMBER]: [], [VIEWER]: [], 'org-2:x': [], g: [] });
		const changes = [ofGroups([], ['whylabs-org-1:ADMIN']), ofGroups([], ['g'])];
		const others = [MEMBER, VIEWER].map((groupId) => ({ groupId, label: `<${groupId}>` }));
		expect(stepsOf(changes, { ...RULES, access, profile })).toMatchObject([
			{ siblings: isCounted ? others : [], readAt: FRESH, organization: 'org-1' },
			{ siblings: [], groupId: 'g' },
		]);
	});
});

describe('what a step waits for', () => {
	/** Each step: items and people with what each needs, and what only comes first. */
	const waitsOf = (changes: Change[], profile: Traits) => {
		const made = changes.map((change, item) => ({ ...change, items: [item] }));
		const short = (text: string) => text.replaceAll('members\n', '').replaceAll('\n', ' ');
		return stepsOf(made, { ...RULES, profile }).map((step) =>
			[`${step.id}:`, ...partsOf(step), ...(step.after ?? [])].map(short),
		);
	};

	it('what has to be seen, of each person, and what only comes first, of all', () => {
		const updated = ofAccount('active', 'active', { attributes: {}, person: ben, key: 'updated' });
		const changes = [
			ofAccount('absent', 'active', { key: 'created' }),
			updated,
			...[ofGroups([], ['VPN']), ofGroups([], ['VPN'], ben), ofGroups([], ['VPN'], cid)],
			ofGroups(['Staff'], []),
			{ ...updated, before: 'inactive' as const, after: 'absent' as const, key: 'gone' },
			ofGroups(['Staff'], [], ben),
		];
		expect(waitsOf(changes, ACCOUNT)).toEqual([
			['created:', '0 ana'],
			['updated:', '1 ben'],
			['VPN 1:', '2 ana < ana in created', '3 ben', '4 cid', 'updated'],
			['Staff 1:', '5 ana < ana in VPN 1', '7 ben < ben in VPN 1', 'updated'],
			['gone:', '6 ben', 'Staff 1'],
		]);
	});

	it('each second half of a move waits for the request that has its own first one', () => {
		const moves = [ana, ben, cid].map((one) => ofGroups([MEMBER], [ADMIN], one));
		expect(waitsOf(moves, { ...BY_HAND, membersPerRequest: 2 })).toEqual([
			[`${ADMIN} 1:`, '0 ana', '1 ben'],
			[`${ADMIN} 2:`, '2 cid'],
			[`${MEMBER} 1:`, `0 ana < ana in ${ADMIN} 1`, `1 ben < ben in ${ADMIN} 1`],
			[`${MEMBER} 2:`, `2 cid < cid in ${ADMIN} 2`],
		]);
	});

	it('what rests on a move waits for what it gives', () => {
		const changes: Change[] = [
			{ ...ofGroups([MEMBER], [ADMIN]), key: 'move' },
			{ ...ofGroups([ADMIN], [], ben), restsOn: [{ on: 'change', key: 'move' }] },
		];
		expect(waitsOf(changes, BY_HAND)).toEqual([
			[`${ADMIN} 1:`, '0 ana'],
			[`${MEMBER} 1:`, `0 ana < ana in ${ADMIN} 1`],
			[`${ADMIN} 2:`, `1 ben < ana in ${ADMIN} 1`],
		]);
	});

	it('not what goes in the same request', () => {
		const first = {
			...ofGroups([], ['VPN']),
			restsOn: [{ on: 'change' as const, key: 'ben VPN' }],
		};
		const changes = [first, { ...ofGroups([], ['VPN'], ben), restsOn: first.restsOn }];
		expect(waitsOf(changes, ACCOUNT)).toEqual([['VPN 1:', '0 ana', '1 ben']]);
	});
});
