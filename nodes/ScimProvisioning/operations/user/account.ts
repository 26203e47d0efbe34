import type { Ending } from '../../../shared/access/changes';
import { optionsField, previewField, type Offer } from '../../../shared/run';
import { planNamed, type NamedWish } from '../../fields/accessPlan';
import {
	allowPermanentRemoval,
	limitsField,
	protections,
	safetyLimitsFields,
	matchUsersByOption,
} from '../../fields/options';
import { ifNotFoundOption, readUserField, userField } from '../../fields/person';
import { readPeople } from '../../fields/state';
import { deletedUserItems, userItems } from '../../fields/userItem';
import { scimWrite, type ScimOperation } from '../../runWrite';

/** Sets `active` to true; memberships that deactivation dropped do not come back (test/contract/interface.md 2.2). */
export const activate = accountOperation(
	{
		name: 'Activate',
		action: 'Activate user',
		description: 'Reactivate a user. Previous memberships are not restored.',
	},
	'active',
);

/** Sets `active` to false, which on account organizations drops all memberships (test/contract/interface.md 1.2). */
export const deactivate = accountOperation(
	{
		name: 'Deactivate',
		action: 'Deactivate user',
		description: 'Lock a user out. On some services this removes all memberships.',
	},
	'inactive',
	'deactivate',
);

/** DELETE /Users/{id} and the look that proves it (RFC 7644 section 3.6). */
export const deleteUser = accountOperation(
	{
		name: 'Delete',
		action: 'Delete user',
		description: 'Delete a user permanently, with all access',
	},
	'gone',
	'delete',
);

/**
 * Makes Activate, Deactivate or Delete: what the account of a user is to be.
 * @param ends what happens to accounts where a user loses access by it
 */
function accountOperation(
	offer: Omit<Offer, 'fields'>,
	account: NonNullable<NamedWish['account']>,
	ends?: Ending,
): ScimOperation {
	return scimWrite<NamedWish>({
		...offer,
		fields: [
			userField,
			previewField,
			...(ends ? safetyLimitsFields(allowPermanentRemoval) : [limitsField(...protections)]),
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
			return { ...planNamed(wanted, state, operation, { verb }), basis: {} };
		},
	});
}
