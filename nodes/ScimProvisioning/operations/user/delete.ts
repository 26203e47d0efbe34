import { accountOperation } from './account';

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
