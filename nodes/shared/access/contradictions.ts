import { InputError } from '../util';
import type { AccessRules, Wish } from './wish';
import { nameOf, type Member } from './step';

/**
 * Wishes that contradict each other: two roles for one person in one organization where one is the rule, or a person who
 * is to be in a group and out of it. None of them is sent.
 * @returns the error, by person and group
 */
export function findContradictions(
	wishes: ReadonlyArray<Pick<Wish, 'item' | 'person' | 'hold'>>,
	{ access, ids, profile, label }: Pick<AccessRules, 'access' | 'ids' | 'profile' | 'label'>,
): Map<string, InputError> {
	const first = new Map<string, { item: number; groupId: string }>();
	const errors = new Map<string, InputError>();
	const meet = (item: number, person: Member, groupId: string) => {
		const key = ids.key(groupId);
		const organization = profile.oneRolePerOrganization
			? access.placeOf(groupId)?.organization
			: undefined;
		if (organization === undefined) return;
		const scope = `${person.key}\n${organization}`;
		const before = first.get(scope);
		if (before === undefined) {
			first.set(scope, { item, groupId });
			return;
		}
		if (ids.key(before.groupId) === key) return;
		const who =
			before.item === item ? `Item ${item} wants` : `Items ${before.item} and ${item} want`;
		const error = new InputError(
			`${who} two roles for ${nameOf(person)} in one organization: ${label(before.groupId)} and ${label(groupId)}`,
			'A person has one role per organization. Choose one. Neither was applied.',
		);
		errors.set(`${person.key}\n${ids.key(before.groupId)}`, error);
		errors.set(`${person.key}\n${key}`, error);
	};
	for (const { item, person, hold } of wishes) {
		for (const groupId of hold) meet(item, person, groupId);
	}
	return errors;
}
