import { accountOperation } from './account';

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
