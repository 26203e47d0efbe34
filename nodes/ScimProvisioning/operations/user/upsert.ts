import { failureOf, optionsField, previewField } from '../../../shared/run';
import {
	type AppliedPart,
	deactivates,
	inactiveWarning,
	planUpdate,
	planUsers,
	protectedPerson,
	subjectOf,
	type Change,
	type Diff,
	type WantedUser,
} from '../../../shared/access';
import { emptyCellsOption, readEmptyCells } from '../../fields/emptyCells';
import { allowPermanentRemoval, maxCreates, safetyLimitsOption } from '../../fields/guards';
import { knownToService } from '../../fields/knownToService';
import { userItems } from '../../fields/userItem';
import { linkByUserNameOption, matchUsersByOption } from '../../fields/matchUsers';
import { findWanted, readWantedUser, wantedUserFields } from '../../fields/wantedUser';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

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
		optionsField([
			emptyCellsOption,
			linkByUserNameOption,
			matchUsersByOption,
			safetyLimitsOption(allowPermanentRemoval, maxCreates),
			...writeOptions,
		]),
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
		const { client, isProtected } = operation;
		const found = await findWanted(wanted, operation, operation.options.linkByUserName === true);
		const known = wanted.map((user) => {
			const who = found.get(operation.matching.keyOf(user));
			const { attributes } = user;
			return { user: who?.kind === 'found' ? who.user : undefined, attributes };
		});
		const knows = await knownToService(known, client);
		const plan = planUsers(wanted, 'update', found, client.profile, knows);
		return withoutProtected(plan, isProtected);
	},
	followUp: updatesOfExisting,
});

/** The changes without those of protected people; their items fail. */
function withoutProtected(plan: Diff, isProtected: OperationContext['isProtected']): Diff {
	const protects = (change: Change) =>
		change.about === 'account' && change.before !== 'absent' && isProtected(change.person);
	const refused = plan.changes.filter(protects).flatMap((change) => {
		const subject = subjectOf(change);
		const outcome = failureOf(change.action, protectedPerson(subject));
		return change.items.map((item) => ({ item, subject, outcome }));
	});
	return {
		...plan,
		changes: plan.changes.filter((change) => !protects(change)),
		settled: [...plan.settled, ...refused],
	};
}

/** Users whom only the 409 of the service brought to light are updated like those who were found. */
async function updatesOfExisting(
	applied: readonly AppliedPart[],
	{ client, isProtected }: OperationContext,
): Promise<Diff> {
	const plan: Diff = { changes: [], settled: [], warnings: [] };
	const existing = applied.flatMap(({ result }) => result?.existing ?? []);
	const knows = await knownToService(
		existing.map(({ user, wanted }) => ({ user, attributes: wanted })),
		client,
	);
	const bySubject = new Map<string, AppliedPart[]>();
	for (const part of applied) {
		const same = bySubject.get(part.subject);
		if (same !== undefined) same.push(part);
		else if (part.result?.existing !== undefined) bySubject.set(part.subject, [part]);
	}
	for (const parts of bySubject.values()) {
		const { outcome, result } = parts[0];
		if (result?.existing === undefined) continue;
		const { user, wanted } = result.existing;
		planUpdate(
			{
				...{ label: user.userName, person: { id: user.id, userName: user.userName } },
				...{ current: user, attributes: wanted },
				parts: parts.map(({ item, subject }) => ({ item, subject })),
				warnings: [...(outcome.warnings ?? []), ...inactiveWarning(user, wanted)],
			},
			plan,
			client.profile,
			knows,
		);
	}
	return withoutProtected(plan, isProtected);
}
