import { readAccess } from '../../../nodes/shared/access/access';
import type { AccessRules } from '../../../nodes/shared/access/planAccess';
import { planRoles, type WantedRole } from '../../../nodes/shared/access/planRoles';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/traits';
import { readGroup, readUser } from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeService';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);
const NEW = 'new@example.com';

function plan(wanted: WantedRole[], reactivate = false, more: Partial<AccessRules> = {}) {
	const groups = { 'org-1:admin': ['z'], 'org-1:member': ['m'], 'org-2:viewer': [] };
	const access = readAccess(
		Object.entries(groups).flatMap(
			([id, people]) => readGroup({ id, members: people.map((value) => ({ value })) }) ?? [],
		),
		ids,
		PROFILES.accountOrganizations,
		FRESH,
	);
	const planned = planRoles(wanted, reactivate, {
		access,
		ids,
		profile: PROFILES.accountOrganizations,
		accountOrganization: '',
		label: (groupId) => groupId,
		isProtected: () => false,
		...more,
	});
	return {
		...planned,
		sent: planned.steps.map(({ kind, request }) => `${kind} ${request.path.at(-1)}`),
		said: planned.settled.map(
			({ item, subject, outcome }) => `${item} ${subject} ${outcome.status}`,
		),
		reasons: planned.settled.map(({ outcome }) => outcome.reason),
	};
}

const newcomer = (
	item: number,
	userName = NEW,
	hold = ['org-1:member'],
	attributes = {},
): WantedRole => ({
	kind: 'new',
	item,
	userName,
	hold,
	attributes,
	warnings: [],
});

const known = (item: number, id: string, hold: string[], user?: object): WantedRole => ({
	kind: 'known',
	item,
	person: { key: id, id, userName: `${id}@example.com` },
	hold,
	drop: [],
	...(user && { user: readUser({ id, userName: `${id}@example.com`, ...user }) }),
});

describe('people who are new', () => {
	it('are created, then given the role: the add waits for the create of that very person', () => {
		const { sent, steps } = plan([newcomer(0), known(1, 'a', ['org-1:member'])]);
		expect(sent).toEqual(['createUser Users', 'changeMembers org-1:member']);
		const [creation, add] = steps;
		expect(add.parts).toHaveLength(2);
		expect(add.parts).toEqual(
			expect.arrayContaining([
				{ item: 0, subject: NEW, needs: [{ step: creation.id, subject: NEW }] },
				{ item: 1, subject: 'a' },
			]),
		);
	});

	it('whom several items name in any case are created once, and get each role', () => {
		const { sent, steps } = plan([
			newcomer(0, NEW, ['org-1:member']),
			newcomer(1, 'New@Example.com', ['org-2:viewer']),
		]);
		expect(sent).toEqual([
			'createUser Users',
			'changeMembers org-1:member',
			'changeMembers org-2:viewer',
		]);
		expect(steps.map(({ parts }) => parts.map(({ item }) => item))).toEqual([[0, 1], [0], [1]]);
	});

	it.each([
		[false, 'adopt'],
		[true, 'adoptAndActivate'],
	])('who exist after all are taken; reactivate %s: %s', (reactivate, ifExists) => {
		expect(plan([newcomer(0)], reactivate).steps[0]).toMatchObject({ ifExists });
	});

	it('with attributes that contradict fail in the second item, which then gets no role', () => {
		const { steps, said } = plan([
			newcomer(0, NEW, ['org-1:member'], { title: 'x' }),
			newcomer(1, NEW, ['org-2:viewer'], { title: 'y' }),
		]);
		expect(steps.flatMap(({ parts }) => parts.map(({ item }) => item))).toEqual([0, 0]);
		expect(said).toEqual([`1 ${NEW} failed`]);
	});

	it('who are protected are not created', () => {
		const { sent, reasons } = plan([newcomer(0)], false, { isProtected: () => true });
		expect(sent).toEqual([]);
		expect(reasons).toEqual([`${NEW} is protected: nothing was changed`]);
	});

	it('two roles in one organization: created, but given neither', () => {
		const { sent, said } = plan([newcomer(0, NEW, ['org-1:member', 'org-1:admin'])]);
		expect(sent.filter((step) => step.startsWith('changeMembers'))).toEqual([]);
		expect(said).toContain(`0 ${NEW} failed`);
	});
});

describe('people who are inactive', () => {
	const off = { active: false };

	it('are refused: a role would let nobody in', () => {
		const { sent, reasons } = plan([known(0, 'a', ['org-1:member'], off)]);
		expect(sent).toEqual([]);
		expect(reasons[0]).toMatch(/a@example\.com is inactive, so no role was assigned/);
	});

	it('or activated first, where that is wanted', () => {
		const { sent, steps } = plan([known(0, 'a', ['org-1:member'], off)], true);
		expect(sent).toEqual(['setActive a', 'changeMembers org-1:member']);
		expect(steps[0]).toMatchObject({ active: true });
		expect(steps[1].parts[0].needs).toEqual([{ step: steps[0].id, subject: 'a' }]);
	});

	it('are not activated to be given nothing', () => {
		const wanted = { ...known(0, 'z', [], off), drop: ['org-1:admin'] } as WantedRole;
		expect(plan([wanted], true).sent).toEqual(['changeMembers org-1:admin']);
	});

	it('who are protected are not activated', () => {
		const { sent, said } = plan([known(0, 'a', ['org-1:member'], off)], true, {
			isProtected: () => true,
		});
		expect(sent).toEqual([]);
		expect(said).toEqual(['0 a failed']);
	});
});

it('people who have the role already need nothing', () => {
	const { sent, said } = plan([known(0, 'm', ['org-1:member'])]);
	expect(sent).toEqual([]);
	expect(said).toEqual(['0 m unchanged']);
});
