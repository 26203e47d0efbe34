import { readAccess } from '../../../nodes/shared/access/access';
import type { AccessRules } from '../../../nodes/shared/access/planAccess';
import { clashingChanges, planChangeEmail } from '../../../nodes/shared/access/planChangeEmail';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES, type Traits } from '../../../nodes/shared/scim/protocol/traits';
import { readGroup, readUser, type User } from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeService';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);
const ACCOUNT = PROFILES.accountOrganizations;
const KEEPS: Traits = { ...ACCOUNT, deactivationDropsMemberships: false };
const OLD = 'ana@example.com';
const NEW = 'ana.silva@example.com';

const userOf = (id: string, userName: string, more: object = {}): User =>
	readUser({ id, userName, active: true, ...more })!;

interface Case {
	old?: object;
	existing?: User;
	members?: Record<string, string[]>;
	rules?: Partial<AccessRules>;
	useExisting?: boolean;
}

function plan({ old, existing, members, rules, useExisting = true }: Case = {}) {
	const profile = rules?.profile ?? ACCOUNT;
	const groups = members ?? { 'org-1:admin': ['user-old', 'z'], 'org-2:viewer': ['user-old'] };
	const access = readAccess(
		Object.entries(groups).flatMap(
			([id, people]) => readGroup({ id, members: people.map((value) => ({ value })) }) ?? [],
		),
		ids,
		profile,
		FRESH,
	);
	const planned = planChangeEmail(
		{
			item: 0,
			old: userOf('user-old', OLD, old),
			newEmail: NEW,
			useExisting,
			...(existing && { existing }),
		},
		{
			access,
			ids,
			profile,
			accountOrganization: '',
			label: (groupId) => groupId,
			isProtected: () => false,
			...rules,
		},
	);
	return {
		...planned,
		sent: planned.steps.map(({ kind, request }) => `${kind} ${request.path.at(-1)}`),
		said: planned.settled.map(({ outcome }) => outcome.status),
		reasons: planned.settled.map(({ outcome }) => outcome.reason),
	};
}

describe('planChangeEmail', () => {
	it('create, give the roles, and only when all were seen deactivate the old account', () => {
		const { sent, steps } = plan();
		expect(sent).toEqual([
			'createUser Users',
			'changeMembers org-1:admin',
			'changeMembers org-2:viewer',
			'setActive user-old',
		]);
		const [creation, first, second, leaving] = steps;
		const created = { step: creation.id, subject: NEW };
		for (const grant of [first, second]) expect(grant.parts[0].needs).toContainEqual(created);
		expect(leaving.parts[0].needs).toEqual([
			created,
			{ step: first.id, subject: NEW },
			{ step: second.id, subject: NEW },
		]);
		expect(leaving).toMatchObject({ active: false });
	});

	it('the new account takes over who the person is; the e-mail is the new one', () => {
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
		const { steps, sent } = plan({ rules: { profile: KEEPS } });
		const removals = steps.filter(
			(step) => step.kind === 'changeMembers' && step.remove.length > 0,
		);
		expect(sent).toHaveLength(6);
		expect(removals).toHaveLength(2);
		for (const { parts } of removals) expect(parts[0].needs).toHaveLength(3);
	});

	it('somebody without roles: created, then the old account goes', () => {
		const { sent } = plan({ members: {} });
		expect(sent).toEqual(['createUser Users', 'setActive user-old']);
	});

	it('an account that is there is used, and gets only what it lacks', () => {
		const { sent, steps, said } = plan({
			existing: userOf('user-new', NEW),
			members: { 'org-1:admin': ['user-old', 'user-new'], 'org-2:viewer': ['user-old'] },
		});
		expect(sent).toEqual(['changeMembers org-2:viewer', 'setActive user-old']);
		expect(said).toEqual(['unchanged']);
		expect(steps[1].parts[0].needs).toEqual([{ step: steps[0].id, subject: 'user-new' }]);
	});

	it('a run that was interrupted at the end: only the old account is left to deactivate', () => {
		const { sent } = plan({
			existing: userOf('user-new', NEW),
			members: { 'org-1:admin': ['user-old', 'user-new'] },
		});
		expect(sent).toEqual(['setActive user-old']);
	});

	it('run again after it was done: nothing', () => {
		const { sent, said } = plan({
			old: { active: false },
			existing: userOf('user-new', NEW),
			members: { 'org-1:admin': ['user-new'] },
		});
		expect(sent).toEqual([]);
		expect(said).toEqual(['unchanged']);
	});

	it('an old account that is inactive and still has roles loses them like any leaver', () => {
		const { steps } = plan({ old: { active: false } });
		const removed = steps.flatMap((step) =>
			step.kind === 'changeMembers'
				? step.remove.map(({ person }) => `${person.id} ${step.groupId}`)
				: [],
		);
		expect(removed).toEqual(['user-old org-1:admin', 'user-old org-2:viewer']);
	});

	it.each<[string, Case, RegExp]>([
		['the same account', { existing: userOf('user-old', NEW) }, /has the e-mail .* already/],
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
			'a protected new e-mail',
			{ rules: { isProtected: ({ userName }) => userName === NEW } },
			/is protected/,
		],
		[
			'another role of the new account there',
			{
				existing: userOf('user-new', NEW),
				members: {
					'org-1:admin': ['user-old'],
					'org-1:viewer': ['user-new'],
				},
			},
			/ana\.silva@example\.com is org-1:viewer already/,
		],
	])('%s: nothing is sent, and the old account stays', (_, given, reason) => {
		const { sent, said, reasons } = plan(given);
		expect(sent).toEqual([]);
		expect(said).toContain('failed');
		expect(reasons.join()).toMatch(reason);
	});
});

describe('clashingChanges', () => {
	const change = (item: number, old: string, newEmail: string, existing?: string) => ({
		item,
		old: userOf(old, `${old}@example.com`),
		newEmail,
		useExisting: false,
		...(existing !== undefined && { existing: userOf(existing, newEmail) }),
	});

	it.each([
		[
			'nobody shares an account',
			[change(0, 'a', 'x@example.com'), change(1, 'b', 'y@example.com')],
		],
		['the same twice', [change(0, 'a', 'x@example.com'), change(1, 'a', 'X@example.com')]],
	])('none: %s', (_, changes) => {
		expect([...clashingChanges(changes)]).toEqual([]);
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
			[1, 'Items 1 and 0 want different things of the same account'],
		]);
	});
});
