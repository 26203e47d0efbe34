import type { AccessValue, User } from '../../scim';
import type { Attempt } from '../../util';
import {
	isLower,
	isValue,
	nameOf,
	roleOf,
	type AccessRules,
	type Entitlement,
	type Person,
	type Source,
} from '../changes';
import { activityIn, whyNoGain, type Moment, protectedPerson } from './accounts';
import { conflictingRoles, fixedMembership, hidden, noRoom, unreadValue } from './places';
import { sourceFault, type HeldNow } from './preconditions';
import { otherPersonNow, strangerAt } from './samePerson';

/** What is to be given to a person and taken, with what is known of both when it is judged. */
export interface Case {
	moment: Moment;
	person: Person;
	/** The person by other names, such as one that the change gives. */
	otherNames?: readonly Person[];
	gives: readonly Entitlement[];
	takes: readonly Entitlement[];
	/** What the person has in that place. */
	there: readonly Entitlement[];
	/** The organization, where people have one role in each. */
	organization?: string;
	/** The account as last read, or why it could not be read; missing without a read. */
	read?: Attempt<User | undefined>;
	/** Whether the same plan makes the account active first. */
	isLetIn: boolean;
	/** The user as shown when that was planned, where the change leaves late or again. */
	planned?: User;
	/** What the change copies of another account: that one now, and the account that gets it, where it was there before. */
	copied?: { source: Source; from: Attempt<HeldNow | undefined>; to?: HeldNow };
	/** Whether the same plan takes a value of the person. */
	takesValue?(value: AccessValue): boolean;
}

export type JudgeRules = Pick<
	AccessRules,
	'profile' | 'label' | 'isProtected' | 'activity' | 'everyValue'
> & {
	/** Who is in which group, as far as anything is taken; missing where only values change. */
	access?: AccessRules['access'];
};

/** Why a change must not be made: the rule, and the error for the item. */
export interface Refusal {
	rule: keyof typeof RULES;
	error: unknown;
}

type Rule = (asked: Case, rules: JudgeRules) => unknown;

/** The rules of one change, in the order in which they speak. docs/architecture.md has the table. */
const RULES = {
	/** Nothing of a protected person changes; what is so already is no change. */
	protected(asked, { isProtected }) {
		const { person, otherNames = [] } = asked;
		return isChange(asked) && [person, ...otherNames].some(isProtected)
			? protectedPerson(nameOf(person))
			: undefined;
	},

	/** Right before it leaves; an approved plan tells more of a person (`faultOf`). */
	samePerson: ({ planned, read }) => {
		const now = userOf(read);
		return planned && now && otherPersonNow(planned, now);
	},

	oneRole: ({ person, organization, there }, rules) =>
		conflictingRoles(person, organization, there, rules),

	/** What is to become of a value shows on the user alone. */
	readUser: ({ person, gives, takes, read }) => {
		const value = [...gives, ...takes].find(isValue);
		return value && userOf(read) === undefined ? unreadValue(person, value) : undefined;
	},

	room: ({ person, gives, read, takesValue = () => false }, rules) => {
		const user = userOf(read);
		if (user === undefined) return undefined;
		return gives
			.filter(isValue)
			.map((one) => noRoom(person, one, user, takesValue, rules))
			.find(Boolean);
	},

	/** A lower role is no gain. */
	inactive: (asked, rules) => {
		const { person, read, isLetIn, moment } = asked;
		return isLetIn || !isGaining(asked)
			? undefined
			: whyNoGain(person, read, activityIn(rules), moment);
	},

	/** Access is copied of an account only as long as that has it, and to an account of the same person. */
	source: ({ copied }, rules) => {
		if (copied === undefined) return undefined;
		const { source, from, to } = copied;
		if (!from.ok) return from.error;
		const { value: now } = from;
		const fault = sourceFault(source, now, activityIn(rules), rules.profile);
		return fault ?? (now && to && strangerAt(now, to, rules));
	},

	/** What gives does not need to know what is there; what takes does. */
	told: ({ person, takes, there, read }, rules) => {
		for (const one of takes) {
			const fault = isIn(there, one) ? undefined : hidden(one, person, userOf(read), rules);
			if (fault !== undefined) return fault;
		}
		return undefined;
	},

	/** Some services take no membership from an inactive user. */
	fixed: ({ person, takes, there, read, isLetIn }, rules) => {
		const user = userOf(read);
		if (!rules.profile.inactiveRefusesGroupChanges || isLetIn || user?.active !== false)
			return undefined;
		const held = takes.find((one) => !isValue(one) && isIn(there, one));
		return held && !isValue(held) ? fixedMembership(person, rules.label(held.groupId)) : undefined;
	},
} satisfies Record<string, Rule>;

/**
 * Judges one change by all rules, at whatever moment: while a plan is made, when it is applied, before its request leaves.
 * @returns the first refusal; undefined for a change that may be made
 */
export function judge(asked: Case, rules: JudgeRules): Refusal | undefined {
	for (const rule of RULE_NAMES) {
		const error = RULES[rule](asked, rules);
		if (error !== undefined) return { rule, error };
	}
	return undefined;
}

const RULE_NAMES = Object.keys(RULES) as Array<keyof typeof RULES>;

function isChange({ gives, takes, there }: Case): boolean {
	const isOfAccount = gives.length + takes.length === 0;
	return (
		isOfAccount || gives.some((one) => !isIn(there, one)) || takes.some((one) => isIn(there, one))
	);
}

function isGaining({ gives, takes, there }: Case): boolean {
	const before = [...takes, ...there].map(roleOf);
	return gives.some((one) => !isIn(there, one) && !isLower(roleOf(one), before));
}

function isIn(all: readonly Entitlement[], { key }: Entitlement): boolean {
	return all.some((one) => one.key === key);
}

function userOf(read: Attempt<User | undefined> | undefined): User | undefined {
	return read?.ok === true ? read.value : undefined;
}
