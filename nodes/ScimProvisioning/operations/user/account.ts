import type { IDataObject } from 'n8n-workflow';

import {
	safetyLimitsWith,
	type Diff,
	type Ending,
	type WantedChange,
} from '../../../shared/access';
import { optionsField, previewField, showFor, type Operation } from '../../../shared/run';
import type { ServiceProfile } from '../../../shared/scim';
import { allowPermanentRemoval, protectedUsers, safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption, treatsAsGone } from '../../fields/ifNotFound';
import { matchUsersByOption } from '../../fields/matchUsers';
import { userField } from '../../fields/person';
import { NO_USER } from '../../fields/userItem';
import { writeOptions } from '../../fields/writeOptions';
import { runScimWrite } from '../../runWrite';
import { changeOfUsers } from './changeOfUser';

/**
 * Activate, Deactivate and Delete: the same user, preview and requests.
 * @param ends what happens to accounts where somebody loses access by it
 */
export function accountOperation(
	name: 'activate' | 'deactivate' | 'delete',
	plan: (wanted: WantedChange[], profile: ServiceProfile) => Diff,
	ends?: Ending,
): Operation {
	return {
		fields: showFor('user', name, [
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
		]),
		blank: () => NO_USER,

		async execute(context) {
			const options = context.getNodeParameter('options', 0, {}) as IDataObject;
			const asGone = ends !== undefined && treatsAsGone(options);
			return await runScimWrite(
				context,
				changeOfUsers(context, (wanted, { client }) => plan(wanted, client.profile), {
					asGone,
					ends,
				}),
			);
		},
	};
}
