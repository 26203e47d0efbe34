import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Diff, WantedChange } from '../../../shared/access';
import {
	optionsField,
	previewField,
	requestsOption,
	showFor,
	type Operation,
} from '../../../shared/run';
import type { Traits } from '../../../shared/scim';
import { safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption, treatsAsGone } from '../../fields/ifNotFound';
import { userField } from '../../fields/person';
import { NO_USER } from '../../fields/userItem';
import { runScimWrite } from '../../runWrite';
import { changeOfUsers } from './changeOfUser';

/** On whatever shuts somebody out. */
const SHUTS_OUT: INodeProperties[] = [ifNotFoundOption, safetyLimitsOption()];

/**
 * Activate, Deactivate and Delete: the same user, preview and requests.
 * @param shutsOut whether somebody loses access by it
 */
export function accountOperation(
	name: 'activate' | 'deactivate' | 'delete',
	plan: (wanted: WantedChange[], traits: Traits) => Diff,
	shutsOut: boolean,
): Operation {
	return {
		fields: showFor('user', name, [
			userField,
			previewField,
			optionsField([
				...(shutsOut ? SHUTS_OUT : []),
				requestsOption('concurrency', 'pageSize', 'verifyTime'),
			]),
		]),
		blank: () => NO_USER,

		async execute(context) {
			const options = context.getNodeParameter('options', 0, {}) as IDataObject;
			const asGone = shutsOut && treatsAsGone(options);
			return await runScimWrite(
				context,
				changeOfUsers(context, (wanted, { client }) => plan(wanted, client.profile), { asGone }),
			);
		},
	};
}
