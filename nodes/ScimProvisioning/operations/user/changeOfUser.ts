import { attempt, type Moment, momentOf } from '../../../shared/util';
import type { CollectedAttributes } from '../../fields/jsonAttributes';
import {
	deactivates,
	protectedPerson,
	type Diff,
	type Ending,
	type Settled,
} from '../../../shared/access';
import type { WantedValues } from '../../fields/accessValues';
import { notFound, treatsAsGone } from '../../fields/ifNotFound';
import { lookUp } from '../../fields/people';
import { labelOf, readUserField, type PersonReference } from '../../fields/person';
import type { OperationContext } from '../../context';
import type { ScimWrite } from '../../runWrite';

/** What an item wants of a user. */
type Collected = CollectedAttributes & Pick<WantedValues, 'values'>;

/** A change of the user that the User field of an item names. */
export interface NamedChange extends Collected {
	item: number;
	reference: PersonReference;
}

const NOTHING: CollectedAttributes = { attributes: {}, warnings: [] };

/**
 * The path for operations on a user who exists: names and IDs are resolved together, then `plan` decides. An item whose
 * person cannot be found fails alone.
 * @param needsWhole whether the plan needs users whole, as a list may not show them
 * @param ends what happens to every account
 */
export function changeOfUsers(
	plan: (
		wanted: WantedValues[],
		operation: OperationContext,
		readAt: Moment,
	) => Diff | Promise<Diff>,
	{
		collectAttributes = () => NOTHING,
		needsWhole = false,
		ends,
	}: {
		collectAttributes?: (item: number, operation: OperationContext) => Collected;
		needsWhole?: boolean;
		ends?: Ending;
	} = {},
): Pick<ScimWrite<NamedChange>, 'collect' | 'plan'> {
	return {
		collect(item, operation) {
			const { context, requireUndoable } = operation;
			const collected = collectAttributes(item, operation);
			requireUndoable(ends ?? (deactivates(collected.attributes) ? 'deactivate' : undefined));
			return [{ item, reference: readUserField(context, item, operation), ...collected }];
		},
		async plan(wanted, operation) {
			const { client, isProtected, options } = operation;
			const readAt = momentOf(client.patience);
			const references = wanted.map(({ reference }) => reference);
			const find = await lookUp(references, operation, needsWhole);
			const known: WantedValues[] = [];
			const unknown: Settled[] = [];
			for (const change of wanted) {
				const label = labelOf(change.reference);
				const resolved = await attempt(() => {
					const user = find(change.reference);
					const person = { id: user.id, userName: user.userName };
					if (isProtected({ key: user.id, ...person })) throw protectedPerson(label);
					return { person, current: user };
				});
				if (resolved.ok) known.push({ ...change, label, ...resolved.value });
				else {
					const action = `change user ${label}`;
					unknown.push(
						notFound(change.item, change.reference, resolved.error, action, treatsAsGone(options)),
					);
				}
			}
			const decided = await plan(known, operation, readAt);
			return { ...decided, settled: [...unknown, ...decided.settled] };
		},
	};
}
