import {
	AbsentError,
	clashingChanges,
	diff,
	emailWishes,
	foundUser,
	planRenames,
	type Diff,
	type EmailChange,
	type Settled,
} from '../../../shared/access';
import { failureOf, optionsField, previewField } from '../../../shared/run';
import type { User } from '../../../shared/scim';
import { attempt, InputError } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { allowPermanentRemoval, maxCreates, safetyLimitsOption } from '../../fields/guards';
import { notFound } from '../../fields/ifNotFound';
import { lookUp } from '../../fields/people';
import { checkUserName, readUserField, userField, type PersonReference } from '../../fields/person';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import type { Planned } from '../../planned';
import { scimWrite } from '../../runWrite';

interface NamedEmailChange {
	item: number;
	reference: PersonReference;
	newEmail: string;
}

/** Gives a person another email: another user name, or another account where user names cannot change. */
export const changeEmail = scimWrite<NamedEmailChange>({
	name: 'Change Email',
	action: 'Change email of user',
	description: 'Change the user name, or replace the account: the old account is deactivated',
	fields: [
		userField,
		{
			displayName: 'New Email',
			name: 'newEmail',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'name@email.com',
			description:
				'The new email, and user name. Where it cannot change, a new account replaces the old one.',
		},
		previewField,
		optionsField([safetyLimitsOption(allowPermanentRemoval, maxCreates), ...writeOptions]),
	],

	items: accessItems,
	plans: { operation: 'changeEmail', refusesExisting: true },
	collect(item, operation) {
		const { profile } = operation.client;
		if (profile.userNamesAreConverted) throw namesChange();
		// Where the user name stays, the old account goes.
		operation.requireUndoable(profile.userNameCanChange ? undefined : 'deactivate');
		const newEmail = checkUserName(operation.context.getNodeParameter('newEmail', item), profile);
		return [{ item, reference: readUserField(operation.context, item, operation), newEmail }];
	},
	async plan(wanted, operation) {
		return operation.client.profile.userNameCanChange
			? await planRenamed(wanted, operation)
			: await planMoved(wanted, operation);
	},
});

function namesChange(): InputError {
	return new InputError(
		'Change Email cannot be used: this service changes the user names it is given',
		'Change the email with User: Update. Nothing was sent.',
	);
}

/** The user name itself changes, so nobody needs to be asked who has what. */
async function planRenamed(
	wanted: readonly NamedEmailChange[],
	operation: OperationContext,
): Promise<Diff> {
	const { changes, settled } = await findAccounts(wanted, operation);
	const plan = planRenames(changes, operation.isProtected);
	return { ...plan, settled: [...settled, ...plan.settled] };
}

/** The access moves to the account with the new email. */
async function planMoved(
	wanted: readonly NamedEmailChange[],
	operation: OperationContext,
): Promise<Planned> {
	const all =
		operation.ids.standsFor === 'nothing'
			? undefined
			: await operation.reader.memberships.settled();
	const { changes, settled } = await findAccounts(wanted, operation);
	const users = changes.flatMap(({ old, existing }) => [old, ...(existing ? [existing] : [])]);
	const access = all ?? (await operation.reader.memberships.of(users));
	const rules = rulesFor(access, operation, { adopts: false });
	const wishes = changes.map((change) => emailWishes(change, rules));
	const plan = diff(
		wishes.flatMap((one) => one.wishes),
		rules,
	);
	return {
		...plan,
		access,
		settled: [...settled, ...wishes.flatMap((one) => one.settled), ...plan.settled],
	};
}

/** Both accounts of everybody; an item whose accounts cannot be found fails alone. */
async function findAccounts(
	wanted: readonly NamedEmailChange[],
	operation: OperationContext,
): Promise<{ changes: EmailChange[]; settled: Settled[] }> {
	const { reader, client } = operation;
	const { userNameCanChange } = client.profile;
	const references = wanted.map(({ reference }) => reference);
	const newNames = wanted.map(({ newEmail }) => newEmail);
	// A service refuses a name that is taken, so whom a filter does not find needs no list.
	const found = await reader.people.find(newNames, { absence: 'refusable' });
	const oldUser = await lookUp(references, operation, true);
	const changes: EmailChange[] = [];
	const settled: Settled[] = [];
	for (const { item, reference, newEmail } of wanted) {
		const other = found.get(newEmail);
		const accounts = await attempt(() => {
			const old = oldUser(reference);
			return other?.kind === 'absent' ? { old } : { old, existing: foundUser(other, newEmail) };
		});
		if (accounts.ok) changes.push({ item, newEmail, ...accounts.value });
		else {
			const { error: why } = accounts;
			const isAlone = other?.kind === 'found' && why instanceof AbsentError;
			const error = userNameCanChange && isAlone ? renamedBefore(other.user, why) : why;
			settled.push(notFound(item, reference, error));
		}
	}
	const clashes = clashingChanges(changes);
	for (const { item, old, newEmail } of changes) {
		const clash = clashes.get(item);
		if (clash === undefined) continue;
		const action = `change the email of ${old.userName} to ${newEmail}`;
		const result = { who: { kind: 'user' as const, user: old } };
		settled.push({ item, subject: old.id, outcome: failureOf(action, clash), result });
	}
	return { changes: changes.filter(({ item }) => !clashes.has(item)), settled };
}

/** No user has the old email, and another user has the new one: the same person, or another one. */
function renamedBefore({ id, userName }: User, { message }: Error): InputError {
	return new InputError(
		`${message}, but ${userName} is there already (ID ${id})`,
		'The email may have been changed before. Choose the user by ID.',
	);
}
