import { diff } from '../../../nodes/shared/access/diff';
import {
	clashingChanges,
	emailWishes,
	planRenames,
	type EmailChange,
} from '../../../nodes/shared/access/emailWishes';
import { readUser, type User } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { ACCOUNT, rulesOf, withSteps, type Members, type RulesGiven } from '../../support/plans';

const KEEPS: Traits = { ...ACCOUNT, deactivationDropsMemberships: false };
const OLD = 'ana@example.com';
const NEW = 'ana.silva@example.com';

const userOf = (id: string, userName: string, more: object = {}): User =>
	readUser({ id, userName, active: true, ...more })!;

interface Case {
	old?: object;
	existing?: User;
	members?: Members;
	rules?: RulesGiven;
	useExisting?: boolean;
}

function plan({ old, existing, members, rules, useExisting = true }: Case = {}) {
	const groups = members ?? { 'org-1:admin': ['user-old', 'z'], 'org-2:viewer': ['user-old'] };
	const given = rulesOf(groups, { label: (groupId) => groupId, ...rules });
	const { wishes, settled } = emailWishes(
		{
			item: 0,
			old: userOf('user-old', OLD, old),
			newEmail: NEW,
			useExisting,
			...(existing && { existing }),
		},
		given,
	);
	const planned = withSteps(diff(wishes, given), given);
	const all = [...settled, ...planned.settled];
	return {
		...planned,
		sent: planned.steps.map(({ kind, request }) => `${kind} ${request.path.at(-1)}`),
		said: all.map(({ outcome }) => outcome.status),
		reasons: all.map(({ outcome }) => outcome.reason),
	};
}

describe('emailWishes', () => {
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

	it('where the new account cannot be given everything, the old one stays as it is', () => {
		const { sent, said } = plan({
			members: { 'org-1:admin': ['user-old'], 'org-1:viewer': ['user-old'] },
			rules: { profile: { ...ACCOUNT, addMovesWithinOrganization: false } },
		});
		expect(sent).toEqual([]);
		expect(said).toEqual(['failed', 'failed', 'skipped']);
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

describe('planRenames', () => {
	const emails = [
		{ value: 'ANA@example.com', type: 'work', primary: true },
		{ value: 'ana@home.example', type: 'home' },
	];
	const rename = (item: number, more: Partial<EmailChange> = {}): EmailChange => ({
		...{ item, old: userOf('user-old', OLD, { emails }), newEmail: NEW, useExisting: false },
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

	it('who has the name already is unchanged', () => {
		const old = userOf('user-old', NEW.toUpperCase());
		expect(renamed([rename(0, { old, existing: old })])).toEqual({
			steps: [],
			said: ['unchanged'],
		});
	});

	it.each([false, true])(
		'a name of somebody else fails, with Use Existing Account %s',
		(useExisting) => {
			const { steps, said } = renamed([
				rename(0, { existing: userOf('user-2', NEW), useExisting }),
			]);
			expect(steps).toEqual([]);
			expect(said[0]).toMatch(
				/another account \(ID user-2\), and this service does not merge accounts/,
			);
		},
	);

	it.each([OLD, NEW])('%s is protected: nothing is sent', (userName) => {
		const { steps, said } = renamed([rename(0)], (one) => one.userName === userName);
		expect(steps).toEqual([]);
		expect(said[0]).toMatch(/is protected/);
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
			[1, 'Items 0 and 1 want different things of the same account'],
		]);
	});
});
