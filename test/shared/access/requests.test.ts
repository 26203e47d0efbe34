import {
	type AccountChange,
	type Change,
	type EntitlementChange,
	type GroupChange,
	heldValue,
} from '../../../nodes/shared/access/changes/change';
import { readsOf, stepsOf, valuesIn } from '../../../nodes/shared/access/send/requests';
import { scheduleOf, type WholeLists } from '../../../nodes/shared/access/send/schedule';
import { PROFILES, type ServiceProfile } from '../../../nodes/shared/scim/protocol/service';
import { readGroup, readUser } from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeTransport';
import {
	ACCOUNT,
	accessOf,
	CHANGE,
	ids,
	ofAccount,
	ofGroups,
	ofValue,
	person,
	readChange,
} from '../../support/plans';

// Requests as a plan shows them: what each does, for which items, and what is sent.

const [USER, GROUP] = ['User', 'Group'].map(
	(type) => `urn:ietf:params:scim:schemas:core:2.0:${type}`,
);
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const [ADMIN, MEMBER, VIEWER] = ['org-1:admin', 'org-1:member', 'org-1:viewer'];
const BY_HAND: ServiceProfile = { ...ACCOUNT, addMovesWithinOrganization: false };
const RULES = { ids, profile: ACCOUNT, label: (groupId: string) => `<${groupId}>` };
const [ana, ben] = ['ana', 'ben'].map(person);

/** What a user sees of each request; the entries are what they are made of. */
const shownOf = (
	changes: readonly Change[],
	rules: Parameters<typeof stepsOf>[1] = RULES,
	lists?: WholeLists,
) =>
	stepsOf(scheduleOf(changes, rules.profile, lists), rules).map((step) => ({
		...step,
		entries: undefined,
	}));

const at = (...path: string[]) => ['scim', ...path];
const patch = (path: string[], ...Operations: object[]) => ({
	...{ method: 'PATCH', path, body: { schemas: [PATCH], Operations } },
});
const post = (resource: string, body: object) => ({ method: 'POST', path: at(resource), body });
const idsIn = (...people: string[]) => people.map((value) => ({ value }));

it.each<[string, AccountChange, object]>([
	[
		'is created active, under one spelling of the name',
		ofAccount('absent', 'active', {
			...{ person: { key: 'n', userName: 'ne\u0301' }, attributes: { title: 'Dr' } },
		}),
		post('Users', { schemas: [USER], active: true, title: 'Dr', userName: 'n\u00e9' }),
	],
	[
		'is activated',
		ofAccount('inactive', 'active'),
		patch(at('Users', 'ana'), { op: 'replace', path: 'active', value: true }),
	],
	[
		'is deactivated',
		ofAccount('active', 'inactive'),
		patch(at('Users', 'ana'), { op: 'replace', path: 'active', value: false }),
	],
	['is deleted', ofAccount('active', 'absent'), { method: 'DELETE', path: at('Users', 'ana') }],
])('an account %s', (_, change, request) => {
	const made = { ...change, action: 'do it', items: [3, 5], warnings: ['w', 'w'] };
	const { key } = change;
	const parts = [3, 5].map((item) => ({ item, subject: change.person.key, change: key }));
	expect(shownOf([made])).toEqual([{ id: key, action: 'do it', warnings: ['w'], parts, request }]);
});

const ofGroup = { ...CHANGE, about: 'group' as const, key: 'x', subject: '0', items: [0] };
const named = { attributes: { displayName: 'VPN' } };

it.each<[string, GroupChange, object]>([
	[
		'created',
		{ ...ofGroup, before: 'absent', after: 'there', ...named },
		post('Groups', { schemas: [GROUP], displayName: 'VPN' }),
	],
	[
		'renamed',
		{ ...ofGroup, before: 'there', after: 'there', groupId: 'g', ...named },
		patch(at('Groups', 'g'), { op: 'replace', path: 'displayName', value: 'VPN' }),
	],
	[
		'deleted',
		{ ...ofGroup, before: 'there', after: 'absent', groupId: 'g', members: [ana] },
		{ method: 'DELETE', path: at('Groups', 'g') },
	],
])('a group is %s', (_, change, request) => {
	const parts = [{ item: 0, subject: '0', change: 'x' }];
	expect(shownOf([change])).toEqual([{ id: 'x', action: '', warnings: [], parts, request }]);
});

it('all values of one user', () => {
	const user = readUser({ id: 'ana', userName: 'ana', roles: [{ value: 'buyer' }] })!;
	const buyer = { attribute: 'roles', value: 'buyer' };
	const seller = { ...buyer, value: 'seller' };
	const of = (key: string, gives: boolean, who = ana): EntitlementChange => {
		const value = [heldValue(gives ? seller : buyer)];
		const evidence = { user: { ...user, id: who.id }, readAt: FRESH };
		return {
			...{ ...CHANGE, about: 'entitlement', key, action: `do ${key}`, items: [0], person: who },
			...{ before: gives ? [] : value, after: gives ? value : [], evidence },
		};
	};
	const [step, other] = shownOf([of('taken', false), of('ben', true, ben), of('given', true)]);
	expect(step).toEqual({
		...{ id: 'values\nana', action: 'change 2 values of ana@example.com', warnings: [] },
		parts: ['taken', 'given'].map((change) => ({ item: 0, subject: 'ana', change })),
		request: patch(
			at('Users', 'ana'),
			{ op: 'add', path: 'roles', value: [{ value: 'seller' }] },
			{ op: 'remove', path: 'roles[value eq "buyer"]' },
		),
	});
	expect(other).toMatchObject({ id: 'values\nben', action: 'do ben' });
});

it('values go with what the service calls them, if it says so', () => {
	const [add, remove] = [{ display: 'Buyer' }, {}].map((more) => ({
		attribute: 'roles',
		value: 'b',
		...more,
	}));
	const entries = [add, remove].map((value, at) => {
		return { change: ofValue(true), target: '', entitlement: heldValue(value), gives: at === 0 };
	});
	expect(valuesIn(entries)).toStrictEqual({ add: [add], remove: [remove] });
});

describe('the members of a group', () => {
	it('get in before others get out', () => {
		const newcomer = { key: 'k1', userName: 'new@example.com' };
		const changes = [
			ofGroups([ADMIN], [], ben),
			...[ofGroups([MEMBER], [ADMIN]), ofGroups([], [ADMIN], newcomer)],
			ofGroups([], [ADMIN], { key: 'k2' }),
		].map((change) => ({ ...change, action: `do ${change.person.key}`, items: [0] }));
		const [taken, ...given] = changes;
		expect(shownOf(changes)).toEqual([
			{
				...{ id: `members\n${ADMIN}\n1`, warnings: [] },
				action: `change 4 members of group ${ADMIN}`,
				parts: [...given, taken].map(({ key, person: { key: subject } }) => ({
					...{ item: 0, subject, change: key },
				})),
				request: patch(
					at('Groups', ADMIN),
					{
						...{ op: 'add', path: 'members' },
						value: idsIn('ana', '{id of new@example.com}', '{id of k2}'),
					},
					{ op: 'remove', path: 'members', value: idsIn('ben') },
				),
			},
		]);
		expect(shownOf([taken])).toMatchObject([{ action: 'do ben' }]);
	});

	it('leave another role behind after the new one, without the warnings of that', () => {
		const move = { ...ofGroups([MEMBER, VIEWER], [ADMIN]), action: 'move', warnings: ['w'] };
		const steps = shownOf([{ ...move, items: [4] }], { ...RULES, profile: BY_HAND });
		const parts = [{ item: 4, subject: 'ana', change: move.key }];
		const after = [`members\n${ADMIN}\n1`];
		expect(steps).toMatchObject([
			{ action: `make ana@example.com <${ADMIN}>`, warnings: ['w'], parts },
			...[MEMBER, VIEWER].map((id) => ({
				...{ action: `remove ana@example.com from <${id}>`, warnings: [], parts, after },
			})),
		]);
		expect(steps[0]).not.toHaveProperty('after');
	});

	it.each<[string, string[], ServiceProfile?]>([
		['ana -admin', ['as planned']],
		['ana =member +admin', ['as planned']],
		['ana -admin =member', ['remove ana@example.com from <org-1:admin>']],
		[
			'ana -admin -member',
			['admin', 'member'].map((one) => `remove ana@example.com from <org-1:${one}>`),
		],
		[
			'ana -member +admin',
			['make ana@example.com <org-1:admin>', 'remove ana@example.com from <org-1:member>'],
			BY_HAND,
		],
	])('%s is called %j', (line, actions, profile = ACCOUNT) => {
		const steps = shownOf([{ ...readChange(line), action: 'as planned' }], { ...RULES, profile });
		expect(steps.map(({ action }) => action)).toEqual(actions);
	});

	it.each([
		['as a whole list, where an ETag says if another client wrote', 'W/"1"', []],
		[
			'as one that may overwrite what others write',
			undefined,
			[expect.stringMatching(/^A PUT may overwrite/)],
		],
	])('are sent %s', (_, version, warnings) => {
		const profile = PROFILES.generic;
		const group = readGroup({
			...{ id: 'g', displayName: 'VPN', meta: { version }, externalId: 'HR' },
			members: [
				...idsIn('ben'),
				{ value: 'eva', display: 'Eva' },
				{ value: 'inner', type: 'Group' },
			],
		})!;
		const access = { ...accessOf({ g: ['ben', 'eva'] }), groups: new Map([['g', group]]) };
		const lists = { isWhole: () => true, organizationOf: () => undefined };
		const changes = [ofGroups([], ['g']), ofGroups(['g'], [], ben)];
		const [step, ...others] = shownOf(changes, { ...RULES, profile, access }, lists);
		expect(others).toStrictEqual([]);
		expect(step).toMatchObject({ action: 'replace the members of group g', warnings });
		expect(step.request).toEqual({
			...{ method: 'PUT', path: ['Groups', 'g'] },
			body: {
				...{ schemas: [GROUP], id: 'g', displayName: 'VPN', externalId: 'HR' },
				members: [
					{ value: 'eva', display: 'Eva' },
					{ value: 'ana', display: 'ana@example.com' },
					{ value: 'inner', type: 'Group' },
				],
			},
		});
	});
});

describe('how many reads there are at the least', () => {
	const HIDDEN: ServiceProfile = { ...ACCOUNT, groupsShowMembers: 'no' };
	const SINGLE = { ...HIDDEN, membersPerRequest: 1 };
	const LISTS: WholeLists = { isWhole: () => true, organizationOf: () => undefined };
	const title = { attributes: { title: 'x' } };
	const updated = (more: Partial<AccountChange>) => ofAccount('active', 'active', more);
	const whole = { readAt: FRESH, planned: { body: { userName: 'ana' } } };
	const leaves = ofAccount('active', 'inactive', {
		restsOn: [{ on: 'nothingElse', groups: [] }],
	});
	const deactivated = (name: string) => readChange(`${name} deactivated`);
	const RFC: ServiceProfile = { ...ACCOUNT, answersAreKnown: false };
	const group: GroupChange = { ...ofGroup, groupId: ADMIN, before: 'there', after: 'absent' };
	const spelled = [ADMIN, 'whylabs-org-1:admin', MEMBER].map((groupId, index) =>
		ofGroups([groupId], [], person(`${index}`)),
	);

	/** Reads where the plan is made of fresh reads, and of old ones. */
	it.each<[string, number, number, Change[], ServiceProfile?, WholeLists?]>([
		['nothing', 0, 0, []],
		['an update', 0, 0, [updated(title)]],
		['an update of a user name', 1, 1, [updated({ attributes: { userName: 'x' } })]],
		['a PUT of a user', 0, 1, [updated({ ...title, whole })]],
		['an activation', 0, 0, [readChange('ana activated')]],
		['a deactivation of who has nothing else', 0, 1, [leaves]],
		['one that rests on another change', 0, 0, [readChange('ana deactivated after ben +admin')]],
		['two that answers do not prove', 2, 2, ['ana', 'ben'].map(deactivated), RFC],
		['values', 1, 2, [ofValue(true)]],
		['a deletion', 1, 1, [readChange('ana deleted')]],
		['adds to a group', 0, 2, [readChange('ana +admin')]],
		['removals from it', 0, 2, [readChange('ana -admin')]],
		['adds and removals', 0, 3, ['ana +admin', 'ben -admin'].map(readChange)],
		['the deletion of a group', 1, 1, [group]],
		['the creation of one', 0, 0, [{ ...ofGroup, before: 'absent', after: 'there' }]],
		['a whole group', 0, 2, [readChange('ana +admin')], ACCOUNT, LISTS],
		['adds that no group shows', 1, 3, [readChange('ana +admin')], HIDDEN],
		['a whole group that shows no members', 1, 3, [readChange('ana +admin')], HIDDEN, LISTS],
		['three requests, two on one group, however its ID is written', 2, 7, spelled, SINGLE],
	])('%s takes %d, or %d', (_, fresh, late, changes, profile = ACCOUNT, lists = undefined) => {
		const people = { cost: (users: number) => users, isKnown: () => true };
		const schedule = scheduleOf(changes, profile, lists);
		const reads = [false, true].map((isLate) => readsOf(schedule, profile, isLate, people, false));
		expect(reads).toEqual([fresh, late]);
	});
});
