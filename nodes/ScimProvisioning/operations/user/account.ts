import {
	safetyLimitsWith,
	type Diff,
	type Ending,
	type WantedChange,
} from '../../../shared/access';
import { optionsField, previewField, type Offer } from '../../../shared/run';
import type { ServiceProfile } from '../../../shared/scim';
import { allowPermanentRemoval, protectedUsers, safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption } from '../../fields/ifNotFound';
import { matchUsersByOption } from '../../fields/matchUsers';
import { userField } from '../../fields/person';
import { userItems } from '../../fields/userItem';
import { writeOptions } from '../../fields/writeOptions';
import { scimWrite, type ScimOperation } from '../../runWrite';
import { changeOfUsers } from './changeOfUser';

/**
 * Activate, Deactivate and Delete: the same user, preview and requests.
 * @param ends what happens to accounts where somebody loses access by it
 */
export function accountOperation(
	offer: Omit<Offer, 'fields'>,
	plan: (wanted: WantedChange[], profile: ServiceProfile) => Diff,
	ends?: Ending,
): ScimOperation {
	return scimWrite({
		...offer,
		fields: [
			userField,
			previewField,
			optionsField([
				...(ends ? [ifNotFoundOption] : []),
				ends
					? safetyLimitsOption(allowPermanentRemoval)
					: safetyLimitsWith('per run', [protectedUsers]),
				matchUsersByOption,
				...writeOptions,
			]),
		],
		items: userItems,
		...changeOfUsers((wanted, { client }) => plan(wanted, client.profile), { ends }),
	});
}
