import { failureOf } from '../run';
import { nameKey } from '../util';
import type { User } from '../scim';
import {
	impossibleWishes,
	planAccess,
	protectedPerson,
	type AccessRules,
	type WantedAccess,
} from './planAccess';
import {
	inactivePerson,
	planActive,
	planUsers,
	type WantedChange,
	type WantedUser,
} from './planUsers';
import type { Member, ProvisioningPlan } from './step';

/** Somebody who is to have roles: known at the service, or to be created. */
export type WantedRole = {
	item: number;
	/** Ids of the groups that stand for the roles. */
	hold: readonly string[];
} & WantedPerson;

type WantedPerson =
	| ({ kind: 'known'; person: Member & { id: string }; user?: User } & Pick<
			WantedAccess,
			'drop' | 'dropsHeldBack' | 'incidental'
	  >)
	| ({ kind: 'new' } & Pick<WantedUser, 'userName' | 'attributes' | 'warnings'>);

/**
 * Plans Assign: creates for those who are new (not looked up first: the service says 409 when there is somebody,
 * who is then taken), activations for those who are inactive, and one add per group for all of them.
 * @param reactivate otherwise inactive people are refused: a role would let nobody in
 */
export function planRoles(
	wanted: readonly WantedRole[],
	reactivate: boolean,
	rules: AccessRules,
): ProvisioningPlan {
	const settled: ProvisioningPlan['settled'] = [];
	const refuse = (item: number, subject: string, who: string, error: Error) =>
		settled.push({ item, subject, outcome: failureOf(`assign a role to ${who}`, error) });

	const faults = impossibleWishes(
		wanted.map(({ item, hold, ...want }) => ({ item, hold, person: personOf(want) })),
		rules,
	);
	const newcomers: WantedUser[] = [];
	const activations: WantedChange[] = [];
	const wants: WantedAccess[] = [];
	for (const [index, want] of wanted.entries()) {
		if (want.kind === 'new') {
			const { item, userName } = want;
			// An account is made only for what can be given to it.
			const fault = rules.isProtected({ key: userName, userName })
				? protectedPerson(userName)
				: faults[index];
			if (fault !== undefined) refuse(item, userName, userName, fault);
			else newcomers.push(want);
			continue;
		}
		const { item, person, user, hold, drop, dropsHeldBack, incidental } = want;
		const who = person.userName ?? person.id;
		const inactive = user?.active === false;
		if (inactive && !reactivate && hold.length > 0) {
			refuse(item, person.key, who, inactivePerson(who));
			continue;
		}
		const comesBack = inactive && hold.length > 0;
		if (comesBack && !rules.isProtected(person)) {
			activations.push({ item, label: who, person, current: user, attributes: {}, warnings: [] });
		}
		wants.push({
			item,
			person,
			hold,
			drop,
			...(dropsHeldBack !== undefined && { dropsHeldBack }),
			...(incidental !== undefined && { incidental }),
			...(comesBack && { needs: [{ step: `set active ${person.id}`, subject: person.id }] }),
		});
	}

	const creation = planUsers(
		newcomers,
		reactivate ? 'adoptAndActivate' : 'adopt',
		undefined,
		rules.profile,
	);
	for (const step of creation.steps) {
		if (step.kind !== 'createUser') continue;
		step.refuses = ({ id, userName }) =>
			rules.isProtected({ key: id, id, userName }) ? protectedPerson(userName) : undefined;
	}
	const holdByPart = new Map(
		wanted.flatMap((want) =>
			want.kind === 'new' ? [[`${want.item}\n${nameKey(want.userName)}`, want.hold] as const] : [],
		),
	);
	for (const step of creation.steps) {
		for (const { item, subject } of step.parts) {
			wants.push({
				item,
				person: { key: subject, userName: subject },
				hold: holdByPart.get(`${item}\n${subject}`) ?? [],
				drop: [],
				needs: [{ step: step.id, subject }],
			});
		}
	}
	const activation = planActive(activations, true, rules.profile);
	const access = planAccess(wants, rules);
	return {
		...access,
		steps: [...creation.steps, ...activation.steps, ...access.steps],
		settled: [...settled, ...creation.settled, ...activation.settled, ...access.settled],
	};
}

/** Somebody new is known by the user name alone. */
function personOf(want: WantedPerson): Member {
	if (want.kind === 'known') return want.person;
	return { key: nameKey(want.userName), userName: want.userName };
}
