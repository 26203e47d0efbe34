import type { Found } from '../../../nodes/shared/access/directory';
import * as plans from '../../../nodes/shared/access/planUsers';
import type { WantedChange } from '../../../nodes/shared/access/planUsers';
import type { Diff, WantedUser } from '../../../nodes/shared/access/wish';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';
import { ACCOUNT, ids, withSteps } from '../../support/plans';

const READ_AT = { at: 0, pauses: 0 };
const GENERIC = PROFILES.generic;

/** A planner whose plans come with their requests, for the profile that it is given. */
const withRequests =
	<A extends unknown[]>(planner: (...given: A) => Diff) =>
	(...given: A) => {
		const profile = given.includes(GENERIC) ? GENERIC : ACCOUNT;
		return withSteps(planner(...given), { ids, profile, label: String });
	};
const planUsers = withRequests(plans.planUsers);
const planPatches = withRequests(plans.planPatches);
const planReplacements = withRequests(plans.planReplacements);
const planActive = withRequests(plans.planActive);
const planDeletions = withRequests(plans.planDeletions);

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

const change = (item: number, attributes: object = {}, more: Partial<WantedChange> = {}) => ({
	item,
	label: ANA,
	person: { id: 'user-1', userName: ANA },
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
	it('a body with schemas, userName and active true', () => {
		const plan = planUsers([wanted(0, { displayName: 'Ana' })], 'fail', undefined, ACCOUNT);
		expect(plan.steps).toMatchObject([
			{
				kind: 'createUser',
				action: `create user ${ANA}`,
				request: { method: 'POST', path: ['scim', 'Users'] },
				parts: [{ item: 0 }],
			},
		]);
		expect(bodies(plan)).toEqual([
			{ schemas: [USER_URN], active: true, displayName: 'Ana', userName: ANA },
		]);
	});

	it('inactive when that is asked for; extensions are named in schemas', () => {
		const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
		const plan = planUsers(
			[wanted(0, { active: false, [urn]: { department: 'HR' } })],
			'fail',
			undefined,
			GENERIC,
		);
		expect(bodies(plan)).toEqual([
			{ schemas: [USER_URN, urn], active: false, [urn]: { department: 'HR' }, userName: ANA },
		]);
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
});

describe('create or update', () => {
	it('absent: created; found and so already: nothing; found and different: what is different', () => {
		expect(
			planUsers([wanted(0)], 'update', new Map([[ANA, { kind: 'absent' }]]), ACCOUNT).steps,
		).toMatchObject([{ kind: 'createUser' }]);

		const same = planUsers(
			[wanted(0, { active: true })],
			'update',
			found({ active: 'True' }),
			ACCOUNT,
		);
		expect(same.steps).toEqual([]);
		expect(settled(same)).toEqual(['0 unchanged: ']);
		expect(same.settled[0].result?.who).toMatchObject({ user: { id: 'user-1' } });

		const different = planUsers(
			[wanted(0, { active: true, displayName: 'Ana', title: 'Boss' })],
			'update',
			found({ active: 'False', displayName: 'Ana', title: 'Clerk' }),
			GENERIC,
		);
		expect(bodies(different)).toMatchObject([
			{
				Operations: [
					{ op: 'replace', path: 'active', value: true },
					{ op: 'replace', path: 'title', value: 'Boss' },
				],
			},
		]);
	});

	it('what the service does not know is not sent every night, and that is said', () => {
		const plan = planUsers(
			[wanted(0, { title: 'Boss', externalId: '7' })],
			'update',
			found({ active: true, externalId: '7' }),
			ACCOUNT,
			(name) => name !== 'title',
		);
		expect(plan.steps).toEqual([]);
		expect(plan.settled[0].outcome.warnings?.join()).toMatch(/does not keep title/);
	});

	it('an inactive user is told of', () => {
		const plan = planUsers([wanted(0)], 'update', found({ active: false }), ACCOUNT);
		expect(plan.settled[0].outcome.warnings?.join()).toMatch(/inactive/);
	});

	it('two items complete each other, and may not contradict', () => {
		const plan = planUsers(
			[wanted(0, { title: 'Boss' }), wanted(1, { nickName: 'An' }), wanted(2, { title: 'Clerk' })],
			'update',
			new Map([[ANA, { kind: 'absent' }]]),
			GENERIC,
		);
		expect(bodies(plan)).toMatchObject([{ title: 'Boss', nickName: 'An' }]);
		expect(plan.steps[0].parts.map(({ item }) => item)).toEqual([0, 1]);
		expect(settled(plan)).toEqual([
			'2 failed: Items 0 and 2 want different values of title for the same user',
		]);
	});

	it.each<[string, Found, RegExp]>([
		['ambiguous', { kind: 'ambiguous', ids: ['a', 'b'] }, /More than one user.*a, b/],
		['unknown', { kind: 'unknown', error: new Error('list is incomplete') }, /list is incomplete/],
	])('%s: fails alone, nothing is created', (_, known, reason) => {
		const plan = planUsers([wanted(0)], 'update', new Map([[ANA, known]]), ACCOUNT);
		expect(plan.steps).toEqual([]);
		expect(settled(plan)[0]).toMatch(/^0 failed/);
		expect(settled(plan)[0]).toMatch(reason);
	});
});

describe('update', () => {
	it('unread: all that was given; read: what is not so already', () => {
		const unread = planPatches([change(0, { title: 'Boss', active: false })], GENERIC);
		expect(bodies(unread)).toMatchObject([
			{ Operations: [{ path: 'title' }, { path: 'active', value: false }] },
		]);
		const current = userOf({ id: 'user-1', userName: ANA, title: 'Boss', active: true });
		const read = planPatches([change(0, { title: 'Boss', active: false }, { current })], GENERIC);
		expect(bodies(read)).toMatchObject([{ Operations: [{ path: 'active', value: false }] }]);
	});

	it('a request never has an empty list of operations', () => {
		const plan = planPatches([change(0, { name: {} })], GENERIC);
		expect(plan.steps).toEqual([]);
	});

	it('items for one person may not contradict', () => {
		const plan = planPatches([change(0, { active: false }), change(1, { active: true })], GENERIC);
		expect(bodies(plan)).toMatchObject([{ Operations: [{ path: 'active', value: false }] }]);
		expect(settled(plan)).toEqual([
			'1 failed: Items 0 and 1 want different values of active for the same user',
		]);
	});

	it('items for one person become one request; their warnings stay', () => {
		const plan = planPatches(
			[
				change(0, { title: 'Boss' }, { warnings: ['one'] }),
				change(4, { nickName: 'An' }, { warnings: ['two'] }),
			],
			GENERIC,
		);
		expect(plan.steps).toHaveLength(1);
		expect(plan.steps[0].parts.map(({ item }) => item)).toEqual([0, 4]);
		expect(plan.steps[0].warnings).toEqual(['one', 'two']);
	});

	it('a user name that cannot change is refused before anything is sent; its own in other case is not', () => {
		const refused = planPatches([change(0, { userName: 'new@example.com' })], ACCOUNT);
		expect(refused.steps).toEqual([]);
		expect(settled(refused)[0]).toMatch(/cannot be changed to new@example\.com/);
		expect(planPatches([change(0, { userName: 'ANA@example.com' })], ACCOUNT).steps).toHaveLength(
			1,
		);
		expect(planPatches([change(0, { userName: 'new' })], GENERIC).steps).toHaveLength(1);
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

	it('is the user as read with the given attributes in place, active kept, groups never sent', () => {
		const plan = planReplacements(
			[change(0, { name: { givenName: 'Anna' } }, { current })],
			GENERIC,
			READ_AT,
		);
		expect(plan.steps[0].request).toEqual({
			method: 'PUT',
			path: ['Users', 'user-1'],
			body: {
				schemas: [USER_URN],
				userName: ANA,
				active: false,
				name: { givenName: 'Anna', familyName: 'B' },
				externalId: '7',
			},
		});
	});

	it('each attribute once, whatever case the service writes it in', () => {
		const loud = userOf({ ID: 'user-1', UserName: ANA, Active: 'True', DisplayName: 'old' });
		const plan = planReplacements(
			[change(0, { displayName: 'new' }, { current: loud })],
			GENERIC,
			READ_AT,
		);
		const body = bodies(plan)[0] as Record<string, unknown>;
		const sent = Object.keys(body).map((name) => name.toLowerCase());
		expect(sent.sort()).toEqual(['active', 'displayname', 'schemas', 'username']);
		expect(body.displayName).toBe('new');
	});

	it('active is never sent as text', () => {
		const odd = userOf({ id: 'user-1', userName: ANA, active: 'undefined' });
		const plan = planReplacements([change(0, { title: 'x' }, { current: odd })], GENERIC, READ_AT);
		expect(bodies(plan)[0]).not.toHaveProperty('active', 'undefined');
	});
});

describe('activate and deactivate', () => {
	it('one PATCH with a real boolean', () => {
		const plan = planActive([change(0)], false, ACCOUNT);
		expect(plan.steps).toMatchObject([
			{
				kind: 'setActive',
				action: `deactivate user ${ANA}`,
				request: {
					method: 'PATCH',
					path: ['scim', 'Users', 'user-1'],
					body: { Operations: [{ op: 'replace', path: 'active', value: false }] },
				},
			},
		]);
	});

	it('who is known to be so is left alone; who is not known is not', () => {
		const inactive = userOf({ id: 'user-1', userName: ANA, active: 'False' });
		expect(planActive([change(0, {}, { current: inactive })], false, ACCOUNT).steps).toEqual([]);
		const unsaid = userOf({ id: 'user-1', userName: ANA });
		expect(planActive([change(0, {}, { current: unsaid })], false, ACCOUNT).steps).toHaveLength(1);
	});

	it('deactivation names the memberships that it drops', () => {
		const current = userOf({ id: 'user-1', userName: ANA, groups: [{ value: 'org-1:admin' }] });
		const [step] = planActive([change(0, {}, { current })], false, ACCOUNT).steps;
		expect(step.warnings.join()).toContain('drops these memberships: org-1:admin.');
	});

	it('activation warns that memberships do not come back, where they were dropped', () => {
		expect(planActive([change(0)], true, ACCOUNT).steps[0].warnings.join()).toMatch(
			/do not come back/,
		);
		expect(planActive([change(0)], true, GENERIC).steps[0].warnings).toEqual([]);
	});
});

describe('delete', () => {
	it('each person once', () => {
		const plan = planDeletions([change(0), change(1)], GENERIC);
		expect(plan.steps.map(({ request }) => request)).toEqual([
			{ method: 'DELETE', path: ['Users', 'user-1'] },
		]);
		expect(plan.steps[0].parts.map(({ item }) => item)).toEqual([0, 1]);
	});
});
