import { readAccess } from '../../../nodes/shared/access/access';
import type { AccessRules } from '../../../nodes/shared/access/planAccess';
import { planLeavers, type Leaver } from '../../../nodes/shared/access/planLeavers';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES, type Traits } from '../../../nodes/shared/scim/protocol/traits';
import { readGroup, readUser } from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeService';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);
const ACCOUNT = PROFILES.accountOrganizations;
const KEEPS: Traits = { ...ACCOUNT, deactivationDropsMemberships: false };

function plan(leavers: Leaver[], deletes = false, more: Partial<AccessRules> = {}) {
	const profile = more.profile ?? ACCOUNT;
	const groups = {
		'org-1:admin': ['a', 'z'],
		'org-1:member': [],
		'org-2:viewer': ['a', 'b'],
	};
	const access = readAccess(
		Object.entries(groups).flatMap(
			([id, people]) => readGroup({ id, members: people.map((value) => ({ value })) }) ?? [],
		),
		ids,
		profile,
		FRESH,
	);
	const planned = planLeavers(leavers, deletes, {
		access,
		ids,
		profile,
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
	};
}

const leaver = (item: number, id: string, user?: object): Leaver => ({
	item,
	person: { key: id, id, userName: `${id}@example.com` },
	...(user && { user: readUser({ id, userName: `${id}@example.com`, ...user }) }),
});

describe('planLeavers', () => {
	it('deactivation alone, where it takes the roles with it', () => {
		const { sent, steps } = plan([leaver(0, 'a'), leaver(1, 'b', { active: true })]);
		expect(sent).toEqual(['setActive a', 'setActive b']);
		expect(steps[0].warnings).toEqual([expect.stringContaining('drops all memberships')]);
	});

	it('deletion alone, however the service takes deactivation', () => {
		expect(plan([leaver(0, 'a')], true).sent).toEqual(['deleteUser a']);
		expect(plan([leaver(0, 'a')], true, { profile: KEEPS }).sent).toEqual(['deleteUser a']);
	});

	it('every role by itself too, where deactivation keeps them', () => {
		const { sent, losses } = plan([leaver(0, 'a')], false, { profile: KEEPS });
		expect(sent.sort()).toEqual([
			'changeMembers org-1:admin',
			'changeMembers org-2:viewer',
			'setActive a',
		]);
		expect(losses.map(({ organization, role }) => `${organization} ${role}`)).toEqual([
			'org-1 admin',
			'org-2 viewer',
		]);
	});

	it('who was inactive already and still has roles loses them', () => {
		// docs/interface.md 2.2: inactive users can still be added to groups.
		const { sent, said } = plan([leaver(0, 'b', { active: false })]);
		expect(sent).toEqual(['changeMembers org-2:viewer']);
		expect(said).toEqual(['0 b unchanged']);
	});

	it('who has left already needs nothing', () => {
		const { sent, said } = plan([leaver(0, 'c', { active: false })]);
		expect(sent).toEqual([]);
		expect(said).toEqual(['0 c unchanged']);
	});

	it('somebody named by two items leaves once, with an outcome for both', () => {
		const { steps } = plan([leaver(0, 'a'), leaver(3, 'a')]);
		expect(steps).toHaveLength(1);
		expect(steps[0].parts.map(({ item }) => item)).toEqual([0, 3]);
	});

	it('protected people stay, and say so; the others leave', () => {
		const { sent, said, settled } = plan([leaver(0, 'a'), leaver(1, 'b')], false, {
			isProtected: ({ id }) => id === 'a',
		});
		expect(sent).toEqual(['setActive b']);
		expect(said).toEqual(['0 a failed']);
		expect(settled[0].outcome.reason).toMatch(/a@example\.com is protected/);
	});
});
