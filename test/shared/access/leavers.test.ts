import { lossesIn } from '../../../nodes/shared/access/change';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import type { ServiceProfile } from '../../../nodes/shared/scim/protocol/service';
import type { Wish } from '../../../nodes/shared/access/wish';
import {
	ACCOUNT,
	neededBy,
	planOf,
	rulesOf,
	sentBy,
	settledOf,
	want,
	type RulesGiven,
} from '../../support/plans';

// The order in which people leave: accounts, memberships, and what stops nothing.

const KEEPS: ServiceProfile = {
	...ACCOUNT,
	deactivation: 'keeps',
	addMovesWithinOrganization: false,
	oneRolePerOrganization: false,
};
const REFUSES: ServiceProfile = { ...KEEPS, inactiveRefusesGroupChanges: true };
const MEMBERS = { 'org-1:admin': ['a', 'z'], 'org-1:member': [], 'org-2:viewer': ['a', 'b'] };
const ALL = ['org-1:admin', 'org-2:viewer'];

const shutOut = (id: string) => `PATCH Users/${id} replace active false`;
const outOf = (groupId: string, id = 'a') => `PATCH Groups/${groupId} remove members ${id}`;
const [NO_ADMIN, NO_VIEWER] = ALL.map((groupId) => outOf(groupId));
const [OUT, DELETED] = [shutOut('a'), 'DELETE Users/a'];

function plan(wishes: Wish[], more: RulesGiven = {}) {
	const planned = planOf(wishes, rulesOf(MEMBERS, more));
	const sent = sentBy(planned.steps);
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
		expect(sent).toEqual([OUT, shutOut('b')]);
		expect(steps[0].warnings).toEqual([expect.stringContaining('drops all memberships')]);
	});

	it('where deactivation keeps memberships: deactivated, and then out of each', () => {
		const { sent, after, changes } = plan([leaves(0, 'a', 'inactive', ALL)], { profile: KEEPS });
		expect([...sent].sort()).toEqual([NO_ADMIN, NO_VIEWER, OUT]);
		expect(after).toEqual({
			[OUT]: [],
			[NO_ADMIN]: [OUT],
			[NO_VIEWER]: [OUT],
		});
		const losses = lossesIn(changes, () => []).filter(({ groupId }) => groupId !== undefined);
		expect(losses.map(({ organization, role }) => `${organization} ${role}`)).toEqual([
			'org-1 admin',
			'org-2 viewer',
		]);
	});

	it('and the deletion is last', () => {
		const { after } = plan([leaves(0, 'a', 'gone', ALL, { active: true })], { profile: KEEPS });
		expect(after[DELETED]).toEqual([NO_ADMIN, NO_VIEWER, OUT]);
	});

	it('a request that fails stops none of the others', () => {
		const { changes } = plan([leaves(0, 'a', 'gone', ALL)], { profile: KEEPS });
		expect(changes).toHaveLength(4);
		expect(neededBy(changes, KEEPS)).toEqual({});
	});

	it('memberships first, where inactive users refuse group changes', () => {
		const { after } = plan([leaves(0, 'a', 'inactive', ALL)], { profile: REFUSES });
		expect(after).toEqual({
			[NO_ADMIN]: [],
			[NO_VIEWER]: [],
			[OUT]: [NO_ADMIN, NO_VIEWER],
		});
	});

	it('of somebody who is inactive there already no membership can go; a deletion goes on', () => {
		const inactive = { active: false };
		const { sent, said, settled } = plan([leaves(0, 'a', 'gone', ALL, inactive)], {
			profile: REFUSES,
		});
		expect(sent).toEqual([DELETED]);
		expect(said).toEqual(['0 a failed', '0 a failed']);
		expect(settled.map(({ outcome }) => outcome.reason).join()).toMatch(
			/still admin in org-1.*still viewer in org-2/,
		);
	});

	it('nobody is deactivated to be deleted who has nothing to lose', () => {
		expect(plan([leaves(0, 'c', 'gone')], { profile: KEEPS }).sent).toEqual(['DELETE Users/c']);
		expect(plan([leaves(0, 'a', 'gone')]).sent).toEqual([DELETED]);
	});

	it('who was inactive already and still has roles loses them', () => {
		// test/contract/interface.md 2.2: inactive users can still be added to groups.
		const wish = leaves(0, 'b', 'inactive', ['org-2:viewer'], { active: false });
		const { sent, said } = plan([wish]);
		expect(sent).toEqual([outOf('org-2:viewer', 'b')]);
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
		expect([...sent].sort()).toEqual([outOf('org-2:viewer', 'b'), shutOut('b')]);
		expect(said).toEqual(['0 a failed']);
		expect(settled[0].outcome.reason).toMatch(/a@example\.com is protected/);
	});
});
