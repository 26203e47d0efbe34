import { planActive } from '../../../shared/access';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { userField } from '../../fields/person';
import { runScimWrite } from '../../runWrite';
import { changeOfUsers } from './changeOfUser';

/** Sets `active` to true; memberships that deactivation dropped do not come back (docs/interface.md 2.2). */
export const activate: Operation = {
	fields: showFor('user', 'activate', [
		userField,
		previewField,
		optionsField([requestsOption('concurrency', 'pageSize', 'verifyTime')]),
	]),

	execute: async (context) =>
		await runScimWrite(
			context,
			changeOfUsers(context, (wanted, { client }) => planActive(wanted, true, client.profile)),
		),
};
