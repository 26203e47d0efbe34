import { optionsField, previewField } from '../../../shared/run';
import {
	type AppliedPart,
	deactivates,
	inactiveWarning,
	type Diff,
	type WantedUser,
} from '../../../shared/access/changes';
import { rulesFor } from '../../fields/accessPlan';
import { emptyCellsOption, readEmptyCells } from '../../fields/emptyCells';
import { allowPermanentRemoval, maxCreates, safetyLimitsField } from '../../fields/safetyLimits';
import { knownToService } from '../../fields/knownToService';
import { userItems } from '../../fields/userItem';
import { linkByUserNameOption, matchUsersByOption } from '../../fields/matchUsers';
import { findWanted, planWanted, readWantedUser, wantedUserFields } from '../../fields/wantedUser';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';
import { diff } from '../../../shared/access/plans';

/** Looks each person up by userName, then creates who is missing and updates who is different. */
export const upsert = scimWrite<WantedUser>({
	name: 'Create or Update',
	action: 'Create or update user',
	description: 'Create a new user, or update the current one if it already exists (upsert)',
	fields: [
		...wantedUserFields(
			'Login name, usually the email. An existing user with this name is updated.',
		),
		previewField,
		safetyLimitsField(allowPermanentRemoval, maxCreates),
		optionsField([emptyCellsOption, linkByUserNameOption, matchUsersByOption]),
	],

	items: userItems,
	collect(item, operation) {
		const wanted = readWantedUser(
			operation.context,
			item,
			operation,
			readEmptyCells(operation.context),
		);
		operation.requireUndoable(deactivates(wanted.attributes) ? 'deactivate' : undefined);
		return [wanted];
	},
	async plan(wanted, operation) {
		const { client } = operation;
		const found = await findWanted(wanted, operation, operation.options.linkByUserName === true);
		const known = wanted.map((user) => {
			const who = found.get(operation.matching.keyOf(user));
			const { attributes } = user;
			return { user: who?.kind === 'found' ? who.user : undefined, attributes };
		});
		const knows = await knownToService(known, client);
		return await planWanted(wanted, operation, { ifExists: 'update', found, knows });
	},
	followUp: updatesOfExisting,
});

/** Users found by the 409 of the service are updated like the others. */
async function updatesOfExisting(
	applied: readonly AppliedPart[],
	operation: OperationContext,
): Promise<Diff> {
	const existing = new Map(
		applied.flatMap(({ subject, result }) =>
			result?.existing ? [[subject, result.existing] as const] : [],
		),
	);
	const knows = await knownToService(
		[...existing.values()].map(({ user, wanted }) => ({ user, attributes: wanted })),
		operation.client,
	);
	const wishes = applied.flatMap(({ item, subject, outcome }) => {
		const { user, wanted: attributes } = existing.get(subject) ?? {};
		if (user === undefined || attributes === undefined) return [];
		const { id, userName } = user;
		const warnings = [...(outcome.warnings ?? []), ...inactiveWarning(user, attributes)];
		const person = { key: subject, id, userName };
		return { item, person, user, attributes, warnings, hold: [], drop: [] };
	});
	const noMembers = await operation.reader.memberships.read({ groups: [] });
	return diff(wishes, rulesFor(noMembers, operation, { knows }));
}
