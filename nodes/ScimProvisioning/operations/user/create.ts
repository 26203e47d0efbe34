import { lackingOf, safetyLimitsWith } from '../../../shared/access/guards';
import type { WantedUser } from '../../../shared/access/changes';
import { optionsField, previewField } from '../../../shared/run';
import { isMistypedAddress } from '../../../shared/util';
import { maxCreates } from '../../fields/safetyLimits';
import { userItems } from '../../fields/userItem';
import { matchUsersByOption } from '../../fields/matchUsers';
import { findWanted, planWanted, readWantedUser, wantedUserFields } from '../../fields/wantedUser';
import { scimWrite } from '../../runWrite';

/** POST /Users for each item (RFC 7644 section 3.3, test/contract/interface.md 1.5). */
export const create = scimWrite<WantedUser>({
	name: 'Create',
	action: 'Create user',
	description: 'Create a new user',
	fields: [
		...wantedUserFields(
			'Login name, usually the email. Does not fill the attribute emails. Often cannot change later.',
		),
		previewField,
		safetyLimitsWith('per run', [maxCreates]),
		optionsField([
			{
				displayName: 'If User Exists',
				name: 'ifUserExists',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Fail', value: 'fail', description: 'The item fails' },
					{
						name: 'Return the Existing User',
						value: 'return',
						description: 'Return the existing user unchanged',
					},
				],
				default: 'fail',
				description: 'What to do when a user with this name already exists',
			},
			matchUsersByOption,
		]),
	],

	items: userItems,
	collect: (item, operation) => [readWantedUser(operation.context, item, operation, 'leave')],
	// A create leaves it to the service to say who exists, except in another case; a preview finds out by itself.
	async plan(wanted, operation) {
		const ifExists = operation.options.ifUserExists === 'return' ? 'return' : 'fail';
		const { client, reader, previews, matching } = operation;
		const names = wanted.map(({ userName }) => userName);
		// Nothing but a look tells of a second user with the same email or external ID.
		if (previews || matching.by !== 'userName') {
			const found = await findWanted(wanted, operation);
			return await planWanted(wanted, operation, { ifExists, found });
		}
		const twins = await reader.people.findTwins(names);
		const isOpen = names.some((name) => (twins.get(name)?.kind ?? 'absent') === 'absent');
		const isRefused = !isOpen || (await client.refusesSameNames());
		const required = ifExists === 'return' ? await client.requiredAttributes() : [];
		const unsent = isRefused
			? wanted.filter(
					(user) => lackingOf(user, required).length > 0 || isMistypedAddress(user.userName),
				)
			: wanted;
		// Of who lacks what a new user needs, or has a mistyped name, nothing is sent; where two users may have one name the service
		// refuses neither.
		const found = new Map([
			...twins,
			...(await reader.people.find(
				unsent.map(({ userName }) => userName),
				{ absence: 'refusable' },
			)),
		]);
		return await planWanted(wanted, operation, { ifExists, found });
	},
});
