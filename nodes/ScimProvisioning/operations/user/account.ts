import { safetyLimitsWith } from '../../../shared/access/guards';
import type { Ending } from '../../../shared/access/changes';
import { optionsField, previewField, type Offer } from '../../../shared/run';
import { planNamed, type NamedWish } from '../../fields/accessPlan';
import {
	allowPermanentRemoval,
	protectedUsers,
	safetyLimitsField,
} from '../../fields/safetyLimits';
import { ifNotFoundOption } from '../../fields/ifNotFound';
import { matchUsersByOption } from '../../fields/matchUsers';
import { readUserField, userField } from '../../fields/person';
import { readPeople } from '../../fields/state';
import { deletedUserItems, userItems } from '../../fields/userItem';
import { scimWrite, type ScimOperation } from '../../runWrite';

/**
 * Activate, Deactivate and Delete: what the account of a user is to be.
 * @param ends what happens to accounts where a user loses access by it
 */
export function accountOperation(
	offer: Omit<Offer, 'fields'>,
	account: NonNullable<NamedWish['account']>,
	ends?: Ending,
): ScimOperation {
	return scimWrite<NamedWish>({
		...offer,
		fields: [
			userField,
			previewField,
			ends
				? safetyLimitsField(allowPermanentRemoval)
				: safetyLimitsWith('per run', [protectedUsers]),
			optionsField([...(ends ? [ifNotFoundOption] : []), matchUsersByOption]),
		],
		items: account === 'gone' ? deletedUserItems : userItems,
		collect(item, operation) {
			operation.requireUndoable(ends);
			return [{ item, reference: readUserField(operation.context, item, operation), account }];
		},
		async plan(wanted, operation) {
			const references = wanted.map(({ reference }) => reference);
			const verb = `${ends ?? 'activate'} user`;
			const state = await readPeople(references, operation);
			// Guards read for themselves who has what.
			return { ...planNamed(wanted, state, operation, { verb }), access: undefined };
		},
	});
}
