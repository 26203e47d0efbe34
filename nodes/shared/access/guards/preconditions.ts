import {
	compareWholeLists,
	valueKey,
	valueLabel,
	valuesOf,
	type Activity,
	type Attributes,
	type NotTold,
	type ServiceProfile,
	type Traits,
	type User,
} from '../../scim';
import { clockIn, InputError, isOver, whenText, shown } from '../../util';
import { nameOf, type Change, type Person, type OnlyWith, type Source } from '../changes';
import { membershipsOf, type Access } from '../facts';

/** What a person has: the user with its values, and the IDs of groups by their keys. */
export interface HeldNow {
	user: User;
	groups: ReadonlyMap<string, string>;
}

/** What a user has by an index of groups. */
export function heldIn(user: User, access: Access): HeldNow {
	const groups = membershipsOf(access, user.id).map(({ key, groupId }) => [key, groupId] as const);
	return { user, groups: new Map(groups) };
}

/** Whose access a change copies. */
export function sourceOf({ restsOn }: Change): Source | undefined {
	return restsOn.find((rest) => rest.on === 'source');
}

/** What an end of an account rests on: the person has nothing else. */
export function nothingElseIn(restsOn: Change['restsOn']): OnlyWith | undefined {
	return restsOn.find((rest) => rest.on === 'nothingElse');
}

/** Rule "the row has not ended": why a change is over whose plan is applied after the end of its row. */
export function whyEnded({ restsOn }: Change): string | undefined {
	const ends = restsOn.flatMap((rest) => (rest.on === 'until' ? rest.until : []));
	const over = ends.find((until) => isOver(until, clockIn(until.zone, Date.now())));
	return over && `ended on ${whenText(over)}`;
}

/**
 * Rule "access copied from somebody who has it no more": what speaks against giving a person the access of another user.
 * That user has lost some since, has got some, or is inactive. Undefined where all is as it was.
 */
export function sourceFault(
	{ userName, groups, values, isActive }: Source,
	now: HeldNow | undefined,
	activityOf: (user: User) => Activity,
	profile: Traits,
): InputError | undefined {
	const held = new Set(now && valuesOf(now.user, profile).map(valueKey));
	const isAs = (shown: Pick<ReadonlySet<string>, 'size' | 'has'>, then: readonly string[]) =>
		shown.size === then.length && then.every((key) => shown.has(key));
	const isSame = now !== undefined && isAs(now.groups, groups) && isAs(held, values);
	if (isSame && (!isActive || activityOf(now.user) === 'active')) return undefined;
	const what =
		now === undefined
			? 'is gone'
			: isSame
				? 'is inactive now'
				: 'does not have the same access any more';
	return new InputError(
		`${shown(userName)} ${what}, so no access was copied`,
		'Someone else changed it in the meantime. Check both accounts, and run again.',
	);
}

/** Rule "as it was left": names the attributes that are neither as a change rests on them nor as it makes them. */
export function otherAttributes(change: Change, user: User, profile: ServiceProfile): string[] {
	const rest = change.restsOn.find((one) => one.on === 'attributes');
	if (rest === undefined) return [];
	const lackingIn = (wanted: Attributes = {}) => {
		const { different, notShown } = compareWholeLists(wanted, user, profile);
		return [...different, ...notShown];
	};
	const open = lackingIn('attributes' in change ? change.attributes : {});
	return lackingIn(rest.are).filter((name) => open.includes(name));
}

/** The values of a user beyond those with which its account ends. */
export function valuesBeyond(rest: OnlyWith | undefined, user: User, profile: Traits): string[] {
	return valuesOf(user, profile)
		.filter((value) => rest?.values?.includes(valueKey(value)) !== true)
		.map(valueLabel);
}

/**
 * Rule "nothing else is held": what a person has got since, whose account ends for having no access.
 * @param groups the labels of other groups
 */
export function otherAccess(
	person: Person,
	groups: readonly string[],
	values: readonly string[],
): InputError | undefined {
	const others = [...groups, ...values.map((value) => `holder of ${value}`)];
	if (others.length === 0) return undefined;
	return new InputError(
		`${nameOf(person)} is ${others.join(', ')} now, so the user was not deactivated`,
		'Someone gave the person access after the groups were read. Run again to compare again.',
	);
}

/** The groups of an account that is to be copied are not told. */
export function unknownAccess(
	userName: string,
	{ why, advice = 'Check the service.' }: NotTold,
): InputError {
	return new InputError(
		`The roles of ${shown(userName)} are unknown: ${why}`,
		`The new account would get none of them, so nothing was changed. ${advice}`,
	);
}
