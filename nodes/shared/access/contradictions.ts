import { InputError } from '../util';
import type { AccessRules, Wish } from './wish';
import { nameOf, type Member } from './step';

/** The contradiction that a group for a person is part of. */
export type ClashOf = (person: Pick<Member, 'key'>, groupId: string) => InputError | undefined;

type Claim = Pick<Wish, 'item' | 'person' | 'hold' | 'source'>;

/**
 * Wishes that contradict each other: two roles for one person in one organization where one is the rule. None of them is
 * sent.
 */
export function findContradictions(
	wishes: readonly Claim[],
	{ access, ids, profile, label }: Pick<AccessRules, 'access' | 'ids' | 'profile' | 'label'>,
): ClashOf {
	const first = new Map<string, { wish: Claim; groupId: string }>();
	const errors = new Map<string, InputError>();
	const keyOf: (...of: Parameters<ClashOf>) => string = ({ key }, groupId) =>
		`${key}\n${ids.key(groupId)}`;
	for (const wish of profile.oneRolePerOrganization ? wishes : []) {
		const { person, hold } = wish;
		for (const groupId of hold) {
			const place = access.placeOf(groupId);
			if (place === undefined) continue;
			const scope = `${person.key}\n${place.organization}`;
			const before = first.get(scope);
			if (before === undefined) {
				first.set(scope, { wish, groupId });
			} else if (ids.key(before.groupId) !== ids.key(groupId)) {
				const error = new InputError(
					`${whoWant(before.wish, wish)} two roles for ${nameOf(person)} in one organization: ${label(before.groupId)} and ${label(groupId)}`,
					'A person has one role per organization. Choose one. Neither was applied.',
				);
				errors.set(keyOf(person, before.groupId), error);
				errors.set(keyOf(person, groupId), error);
			}
		}
	}
	return (person, groupId) => errors.get(keyOf(person, groupId));
}

function whoWant(before: Claim, wish: Claim): string {
	if (before.source !== undefined && wish.source !== undefined) {
		return `Rows ${before.source} and ${wish.source} want`;
	}
	return before.item === wish.item
		? `Item ${wish.item} wants`
		: `Items ${before.item} and ${wish.item} want`;
}
