import { nameIn, type AppliedPart, type Change, type Settled } from '../../shared/access/changes';
import type { Access } from '../../shared/access/facts';
import { NO_ITEM, type Output } from '../../shared/run';
import type { OperationContext } from '../context';
import type { Guarded, ItemForm } from '../planned';
import { changedAccess, noChange } from './accessItem';
import { NOTHING_CHANGED } from './item';
import { isFromList, type RowList } from './rows';

/** @param list where the rows come from */
export function reconcileItems(list: RowList): ItemForm {
	return {
		blank: noChange,
		output: (parts, operation, made) =>
			itemsOf(parts, operation, made, isFromList(operation.context, list)),
	};
}

/**
 * One item per change; of a list what rows want and is so already comes out as one item, and only when there is nothing
 * else. A change that no row asked for comes out even where another client has made it meanwhile.
 */
function itemsOf(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	made: Guarded,
	isList: boolean,
): Array<Output<AppliedPart>> {
	const isShown = ({ item, outcome }: AppliedPart) =>
		item === NO_ITEM || outcome.status !== 'unchanged';
	const shown = isList ? parts.filter(isShown) : parts;
	if (shown.length > 0) return changedAccess(shown, operation, made);
	const { changes, settled, notes } = made;
	const isOfNoItem = ({ item }: { item: number }) => item === NO_ITEM;
	const isMore = changes.some((change) => change.items.includes(NO_ITEM));
	return isMore || settled.some(isOfNoItem)
		? []
		: [
				{
					json: {
						...{ ...noChange(operation), text: NOTHING_CHANGED },
						...(notes.length > 0 && { warnings: [...notes] }),
					},
					parts,
				},
			];
}

/** Removals and deactivations that are not made, for the reader of the summary. */
export function leftAlone(
	settled: readonly Settled[],
	{ ids }: OperationContext,
	access?: Access,
): Change[] {
	return settled.flatMap(({ outcome, result, subject }): Change[] => {
		const { intent, group } = result ?? {};
		if (outcome.status !== 'skipped') return [];
		const { action, reason: why = '' } = outcome;
		const person = { key: subject, ...nameIn(result) };
		const common = { key: '', person, action, why, items: [], restsOn: [], warnings: [] };
		if (intent === 'deactivated')
			return [{ ...common, about: 'account', before: 'active', after: 'inactive' }];
		const held = group && access?.membershipIn(ids.key(group.id));
		if (intent !== 'revoked' || held === undefined) return [];
		return [{ ...common, about: 'entitlement', before: [held], after: [] }];
	});
}
