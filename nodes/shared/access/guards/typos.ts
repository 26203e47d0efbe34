import { NO_ITEM } from '../../run';
import { namesOf, type ScimClient } from '../../scim';
import { typosIn } from '../../util';
import { kindOf, nameIn, type Change, type Diff } from '../changes';
import type { Access } from '../facts';

/**
 * Warns of a create whose address may be a typo of another user's, among those that this run has read anyway. Who is named by an
 * item is another person: a list that has both is right.
 */
export function withTypoWarnings(
	{ changes, settled }: Pick<Diff, 'changes' | 'settled'>,
	{ facts }: Pick<ScimClient, 'facts'>,
	access?: Pick<Access, 'idsByName'>,
): Change[] {
	const wanted = new Map(changes.map((change) => [change, addressesOf(change)]));
	const known = new Map([...(access?.idsByName ?? []), ...facts.names]);
	const near = typosIn(new Set([...wanted.values()].flat()), new Set(known.keys()));
	if (near.size === 0) return [...changes];
	const named = new Set([
		...changes.flatMap((change) =>
			change.about === 'group' || isUnnamed(change.items) ? [] : (change.person.id ?? []),
		),
		...settled.flatMap(({ item, result }) => (isUnnamed([item]) ? [] : (nameIn(result).id ?? []))),
	]);
	const isOther = (address: string) =>
		known.get(address)?.some((id) => !named.has(id) && !facts.isGone(id)) === true;
	return changes.map((change) => {
		const warnings = (wanted.get(change) ?? []).flatMap((address) => {
			const others = (near.get(address) ?? []).filter(isOther);
			return others.length === 0 ? [] : typoWarning(address, others);
		});
		return warnings.length === 0
			? change
			: { ...change, warnings: [...new Set([...change.warnings, ...warnings])] };
	});
}

function isUnnamed(items: readonly number[]): boolean {
	return items.every((item) => item === NO_ITEM);
}

/** The user name and emails of a user to be created. */
function addressesOf(change: Change): string[] {
	if (change.about !== 'account' || kindOf(change) !== 'created') return [];
	const { person, attributes = {} } = change;
	return namesOf({ userName: person.userName ?? person.key, attributes });
}

function typoWarning(address: string, others: readonly string[]): string {
	return `${address} may be a typo of ${others.join(' or ')}, which another user has. Check the spelling.`;
}
