import { lossesIn } from '../../../nodes/shared/access/change';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import type { Wish } from '../../../nodes/shared/access/wish';
import { ACCOUNT, planOf, rulesOf, settledOf, want, type RulesGiven } from '../../support/plans';

// The order in which people leave: accounts, memberships, and what stops nothing.

const KEEPS: Traits = {
	...ACCOUNT,
	deactivationDropsMemberships: false,
	addMovesWithinOrganization: false,
	oneRolePerOrganization: false,
};
const REFUSES: Traits = { ...KEEPS, inactiveRefusesGroupChanges: true };
const MEMBERS = { 'org-1:admin': ['a', 'z'], 'org-1:member': [], 'org-2:viewer': ['a', 'b'] };
const ALL = ['org-1:admin', 'org-2:viewer'];

function plan(wishes: Wish[], more: RulesGiven = {}) {
	const planned = planOf(wishes, rulesOf(MEMBERS, more));
	const sent = planned.steps.map(({ kind, request }) => `${kind} ${request.path.at(-1)}`);
	const indexOf = new Map(planned.steps.map(({ id }, index) => [id, sent[index]]));
	return {
		...planned,
		sent,
		/** What each request comes after. */
		after: Object.fromEntries(
			planned.steps.map(({ after = [] }, index) => [
				sent[index],
				after.map((id) => indexOf.get(id)).sort(),
			]),
		),
		said: settledOf(planned),
	};
}

const leaves = (
	item: number,
	id: string,
	account: 'inactive' | 'gone',
	drop: string[] = [],
	user?: object,
): Wish =>
	want(item, id, [], drop, {
		account,
		...(user && { user: readUser({ id, userName: `${id}@example.com`, ...user }) }),
	});

describe('people who leave', () => {
	it('deactivation alone, where it takes the roles with it', () => {
		const { sent, steps } = plan([
			leaves(0, 'a', 'inactive'),
			leaves(1, 'b', 'inactive', [], { active: true }),
		]);
		expect(sent).toEqual(['setActive a', 'setActive b']);
		expect(steps[0].warnings).toEqual([expect.stringContaining('drops all memberships')]);
	});

	it('where deactivation keeps memberships: deactivated, and then out of each', () => {
		const { sent, after, changes } = plan([leaves(0, 'a', 'inactive', ALL)], { profile: KEEPS });
		expect([...sent].sort()).toEqual([
			'changeMembers org-1:admin',
			'changeMembers org-2:viewer',
			'setActive a',
		]);
		expect(after).toEqual({
			'setActive a': [],
			'changeMembers org-1:admin': ['setActive a'],
			'changeMembers org-2:viewer': ['setActive a'],
		});
		const losses = lossesIn(changes, () => []).filter(({ groupId }) => groupId !== undefined);
		expect(losses.map(({ organization, role }) => `${organization} ${role}`)).toEqual([
			'org-1 admin',
			'org-2 viewer',
		]);
	});

	it('and the deletion is last', () => {
		const { after } = plan([leaves(0, 'a', 'gone', ALL, { active: true })], { profile: KEEPS });
		expect(after['deleteUser a']).toEqual([
			'changeMembers org-1:admin',
			'changeMembers org-2:viewer',
			'setActive a',
		]);
	});

	it('a request that fails stops none of the others', () => {
		const { steps } = plan([leaves(0, 'a', 'gone', ALL)], { profile: KEEPS });
		expect(steps.flatMap(({ parts }) => parts.flatMap(({ needs = [] }) => needs))).toStrictEqual(
			[],
		);
	});

	it('memberships first, where inactive users refuse group changes', () => {
		const { after } = plan([leaves(0, 'a', 'inactive', ALL)], { profile: REFUSES });
		expect(after).toEqual({
			'changeMembers org-1:admin': [],
			'changeMembers org-2:viewer': [],
			'setActive a': ['changeMembers org-1:admin', 'changeMembers org-2:viewer'],
		});
	});

	it('of somebody who is inactive there already no membership can go; a deletion goes on', () => {
		const inactive = { active: false };
		const { sent, said, settled } = plan([leaves(0, 'a', 'gone', ALL, inactive)], {
			profile: REFUSES,
		});
		expect(sent).toEqual(['deleteUser a']);
		expect(said).toEqual(['0 a failed', '0 a failed']);
		expect(settled.map(({ outcome }) => outcome.reason).join()).toMatch(
			/still admin in org-1.*still viewer in org-2/,
		);
	});

	it('nobody is deactivated to be deleted who has nothing to lose', () => {
		expect(plan([leaves(0, 'c', 'gone')], { profile: KEEPS }).sent).toEqual(['deleteUser c']);
		expect(plan([leaves(0, 'a', 'gone')]).sent).toEqual(['deleteUser a']);
	});

	it('who was inactive already and still has roles loses them', () => {
		// docs/interface.md 2.2: inactive users can still be added to groups.
		const wish = leaves(0, 'b', 'inactive', ['org-2:viewer'], { active: false });
		const { sent, said } = plan([wish]);
		expect(sent).toEqual(['changeMembers org-2:viewer']);
		expect(said).toEqual(['0 b unchanged']);
	});

	it('who has left already needs nothing', () => {
		const { sent, said } = plan([leaves(0, 'c', 'inactive', [], { active: false })]);
		expect(sent).toStrictEqual([]);
		expect(said).toEqual(['0 c unchanged']);
	});

	it('somebody named by two items leaves once, with an outcome for both', () => {
		const { steps } = plan([leaves(0, 'a', 'inactive'), leaves(3, 'a', 'inactive')]);
		expect(steps).toHaveLength(1);
		expect(steps[0].parts.map(({ item }) => item)).toEqual([0, 3]);
	});

	it('protected people stay, which is said once; the others leave', () => {
		const wishes = [leaves(0, 'a', 'inactive', ALL), leaves(1, 'b', 'inactive', ['org-2:viewer'])];
		const { sent, said, settled } = plan(wishes, {
			profile: KEEPS,
			isProtected: ({ id }) => id === 'a',
		});
		expect([...sent].sort()).toEqual(['changeMembers org-2:viewer', 'setActive b']);
		expect(said).toEqual(['0 a failed']);
		expect(settled[0].outcome.reason).toMatch(/a@example\.com is protected/);
	});
});
