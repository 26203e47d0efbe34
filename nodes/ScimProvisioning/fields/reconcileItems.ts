import {
	nameIn,
	type Access,
	type AppliedPart,
	type Plan,
	type Settled,
} from '../../shared/access';
import { NO_ITEM, type Output } from '../../shared/run';
import type { Guarded, OperationContext } from '../runWrite';
import { changedAccess, NO_CHANGE } from './accessItem';

/**
 * One item per change; of a list what rows want and is so already comes out as one item, and only when there is nothing
 * else. A change that no row asked for comes out even where somebody else has made it meanwhile.
 */
export function reconcileItems(
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
	const isMore = changes.some((change) => change.parts.some(isOfNoItem));
	return isMore || settled.some(isOfNoItem)
		? []
		: [{ json: { ...NO_CHANGE, ...(notes.length > 0 && { warnings: [...notes] }) }, parts }];
}

/** Removals and deactivations that are not made, for whoever reads the summary. */
export function leftAlone(
	settled: readonly Settled[],
	{ organizations }: OperationContext,
	access?: Access,
): Plan['changes'] {
	return settled.flatMap(({ outcome, result }) => {
		const { intent, group } = result ?? {};
		const isLess = intent === 'revoke' || intent === 'deactivate';
		if (outcome.status !== 'skipped' || !isLess) return [];
		const place = group && access?.placeOf(group.id);
		const { id, userName } = nameIn(result);
		return [
			{
				change: intent === 'revoke' ? 'revoked' : 'deactivated',
				...{ id: id ?? null, userName: userName ?? null },
				...{ group: group?.displayName ?? null, groupId: group?.id ?? null },
				organization: place?.organization ?? null,
				organizationName: place ? organizations.nameOf(place.organization) : null,
				...{ roleBefore: place?.role ?? null, role: null },
				...{ activeBefore: null, groupsBefore: null, why: outcome.reason ?? '' },
			},
		];
	});
}
