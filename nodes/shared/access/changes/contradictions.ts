import {
	holdsOneValue,
	valueAt,
	type AccessValue,
	type GroupMeaning,
	type Traits,
} from '../../scim';
import { InputError, nameKey } from '../../util';
import type { AccessRules, ClashOf, NamedEntitlement, Wish } from './wish';
import { nameOf, type Member } from './change';

type Claim = Pick<Wish, 'item' | 'person' | 'hold' | 'source'>;
type Rules = Pick<AccessRules, 'access' | 'profile' | 'label'> & { ids: GroupMeaning };

/**
 * What stands against claims on one thing that want it different: none of them is sent.
 * @param keysOf the things that a claim is about
 * @param errorOf of the first two that differ
 * @returns by key
 */
export function findClashes<C>(
	claims: readonly C[],
	keysOf: (claim: C) => readonly string[],
	differ: (first: C, other: C) => boolean,
	errorOf: (first: C, other: C) => InputError,
): Map<string, InputError> {
	const first = new Map<string, C>();
	const clashes = new Map<string, InputError>();
	for (const claim of claims) {
		for (const key of keysOf(claim)) {
			const before = first.get(key);
			if (before === undefined) first.set(key, claim);
			else if (!clashes.has(key) && differ(before, claim)) clashes.set(key, errorOf(before, claim));
		}
	}
	return clashes;
}

/** Wishes for an attribute as a whole, and for single values of it: nothing of the person is changed then. */
export function findWholeClashes(
	wishes: readonly Wish[],
	{ accessAttributes }: Traits,
): (person: Pick<Member, 'key'>) => InputError | undefined {
	const clashes = new Map<string, InputError>();
	for (const path of wishes.some(({ attributes }) => attributes) ? accessAttributes : []) {
		const isWhole = ({ attributes = {} }: Wish) => valueAt(attributes, path) !== undefined;
		const isSingle = ({ hold, drop }: Wish) =>
			[...hold, ...drop].some((one) => typeof one !== 'string' && one.attribute === path);
		const errors = findClashes(
			wishes.filter((wish) => isWhole(wish) || isSingle(wish)),
			({ person }) => [person.key],
			(one, other) => isWhole(one) !== isWhole(other),
			(one, other) =>
				new InputError(
					`Items ${one.item} and ${other.item} want ${path} of ${nameOf(one.person)} different: one as a whole, the other single values of it`,
					'Choose one. Neither was applied.',
				),
		);
		for (const [key, error] of errors) clashes.set(key, error);
	}
	return ({ key }) => clashes.get(key);
}

/** What wishes want different of one person. */
export function findContradictions(wishes: readonly Wish[], rules: Rules): ClashOf {
	const ofRoles = findRoleClashes(wishes, rules);
	const ofValues = findValueClashes(wishes);
	return (person, one) => (typeof one === 'string' ? ofRoles(person, one) : ofValues(person, one));
}

type ClashOfRoles = (person: Pick<Member, 'key'>, groupId: string) => InputError | undefined;

/** Wishes for two roles of one person in one organization, where one is the rule. */
export function findRoleClashes(
	wishes: readonly Claim[],
	{ access, ids, profile, label }: Rules,
): ClashOfRoles {
	const keyOf = ({ key }: Pick<Member, 'key'>, groupId: string) => `${key}\n${ids.key(groupId)}`;
	const claims: Array<{ wish: Claim; groupId: string; scope: string }> = [];
	for (const wish of profile.oneRolePerOrganization ? wishes : []) {
		for (const groupId of wish.hold) {
			if (typeof groupId !== 'string') continue;
			const place = access.placeOf(groupId);
			if (place === undefined) continue;
			claims.push({ wish, groupId, scope: `${wish.person.key}\n${place.organization}` });
		}
	}
	const clashes = findClashes(
		claims,
		({ scope }) => [scope],
		(one, other) => ids.key(one.groupId) !== ids.key(other.groupId),
		(one, other) =>
			new InputError(
				`${whoWant(one.wish, other.wish)} two roles for ${nameOf(one.wish.person)} in one organization: ${label(one.groupId)} and ${label(other.groupId)}`,
				'A person has one role per organization. Choose one. Neither was applied.',
			),
	);
	const errors = new Map(
		(clashes.size === 0 ? [] : claims).flatMap(({ wish, groupId, scope }) => {
			const error = clashes.get(scope);
			return error ? [[keyOf(wish.person, groupId), error] as const] : [];
		}),
	);
	return (person, groupId) => (errors.size === 0 ? undefined : errors.get(keyOf(person, groupId)));
}

/** Wishes to give and to take one value of one person, or to give two where there is room for one. */
function findValueClashes(
	wishes: readonly Wish[],
): (person: Pick<Member, 'key'>, value: AccessValue) => InputError | undefined {
	const claims: Array<{ wish: Wish; value: AccessValue; isWanted: boolean }> = [];
	for (const wish of wishes) {
		const add = (values: readonly NamedEntitlement[], isWanted: boolean) => {
			for (const value of values) {
				if (typeof value !== 'string') claims.push({ wish, value, isWanted });
			}
		};
		add(wish.hold, true);
		add(wish.drop, false);
	}
	const keyOf = ({ key }: Pick<Member, 'key'>, { attribute, value }: AccessValue) =>
		[key, attribute, nameKey(value)].join('\n');
	const room = ({ wish: { person, user }, value, isWanted }: (typeof claims)[number]) =>
		isWanted && user && holdsOneValue(user, value.attribute)
			? [`${person.key}\n${value.attribute}`]
			: [];
	const clashes = findClashes(
		claims,
		(claim) => [keyOf(claim.wish.person, claim.value), ...room(claim)],
		(one, other) => one.isWanted !== other.isWanted || one.value.value !== other.value.value,
		(one, other) =>
			new InputError(
				`${whoWant(one.wish, other.wish)} ${one.value.attribute} of ${nameOf(one.wish.person)} different: "${one.value.value}" ${one.isWanted ? 'added' : 'removed'}, "${other.value.value}" ${other.isWanted ? 'added' : 'removed'}`,
				'Choose one. Neither was applied.',
			),
	);
	return (person, value) =>
		clashes.get(keyOf(person, value)) ?? clashes.get(`${person.key}\n${value.attribute}`);
}

function whoWant(before: Claim, wish: Claim): string {
	if (before.source !== undefined && wish.source !== undefined) {
		return `Rows ${before.source} and ${wish.source} want`;
	}
	return before.item === wish.item
		? `Item ${wish.item} wants`
		: `Items ${before.item} and ${wish.item} want`;
}
