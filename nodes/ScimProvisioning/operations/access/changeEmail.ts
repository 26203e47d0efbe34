import { AbsentError, besideNobody, foundUser, membershipsOf } from '../../../shared/access/facts';
import {
	accountKey,
	accountOf,
	findClashes,
	wasOf,
	type AccessRules,
	type AccountChange,
	type Diff,
	type Settled,
	type Wish,
} from '../../../shared/access/changes';
import { failureOf, previewField } from '../../../shared/run';
import { matchingBy, valueKey, valuesOf, type User, shownActivity } from '../../../shared/scim';
import { attempt, attemptSync, InputError, nameKey, shown } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { allowPermanentRemoval, maxCreates, safetyLimitsFields } from '../../fields/options';
import {
	notFound,
	checkUserName,
	readUserField,
	userField,
	type Lookup,
} from '../../fields/person';
import { lookUp } from '../../fields/people';
import type { OperationContext } from '../../context';
import type { Planned } from '../../../shared/access/write';
import { scimWrite } from '../../runWrite';
import {
	diff,
	renamed,
	takenOver,
	whyNotRenamed,
	whyNotReplaced,
	type TwoAccounts,
} from '../../../shared/access/plans';

interface NamedEmailChange {
	item: number;
	reference: Lookup;
	newEmail: string;
}

/** A change of an email, with both accounts. */
interface EmailChange extends TwoAccounts {
	item: number;
}

/** Changes that can be planned, and what is said of the others. */
interface Sorted {
	open: EmailChange[];
	settled: Settled[];
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
		...safetyLimitsFields(allowPermanentRemoval, maxCreates),
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
	plan: async (wanted, operation) =>
		operation.client.profile.userNameCanChange
			? await planRenames(wanted, operation)
			: await planNewAccounts(wanted, operation),
});

const BY_NAME = matchingBy('userName');

/** Both accounts of each person; an item whose accounts cannot be found, or are those of another item, fails alone. */
async function findAccounts(
	wanted: readonly NamedEmailChange[],
	operation: OperationContext,
): Promise<Sorted> {
	const { reader, client } = operation;
	const newNames = wanted.map(({ newEmail }) => newEmail);
	// A service refuses a name that is taken, so a user that a filter does not find needs no list.
	const found = await reader.people.find(newNames, { absence: 'refusable' });
	const references = wanted.map(({ reference }) => reference);
	const oldUser = await lookUp(references, operation, true);
	const named = new Set(
		references.flatMap((reference) => attemptSync(() => oldUser(reference))?.id ?? []),
	);
	const isNamed = ({ id }: User) => named.has(id);
	const changes: EmailChange[] = [];
	const unknown: Settled[] = [];
	for (const { item, reference, newEmail } of wanted) {
		const other = besideNobody(found.get(newEmail), newEmail, BY_NAME, client.facts, isNamed);
		const accounts = await attempt(() => {
			const old = oldUser(reference);
			return other?.kind === 'absent' ? { old } : { old, existing: foundUser(other, newEmail) };
		});
		if (accounts.ok) changes.push({ item, newEmail, ...accounts.value });
		else {
			const { error: why } = accounts;
			const isAlone = other?.kind === 'found' && why instanceof AbsentError;
			const isRenamed = client.profile.userNameCanChange && isAlone;
			unknown.push(notFound(item, reference, isRenamed ? renamedBefore(other.user, why) : why));
		}
	}
	const clashes = findClashes(
		changes,
		accountsOf,
		(one, other) => accountsOf(one).join() !== accountsOf(other).join(),
		sameAccount,
	);
	return settle({ open: changes, settled: unknown }, (change) =>
		accountsOf(change)
			.map((account) => clashes.get(account))
			.find(Boolean),
	);
}

/** Two people cannot become the same one, and an account that is the old one of one and the new one of another would lose what it was given. */
function accountsOf({ old, newEmail, existing }: EmailChange): string[] {
	return [...new Set([old.id, existing?.id ?? `new ${nameKey(newEmail)}`])];
}

/** Leaves out what cannot be done, for an error, and what is done already, for a reason in words. */
function settle(before: Sorted, whyNot: (change: EmailChange) => unknown): Sorted {
	const open: EmailChange[] = [];
	const settled = [...before.settled];
	for (const change of before.open) {
		const { item, old, newEmail, existing = old } = change;
		const why = whyNot(change);
		const action = actionOf(old, newEmail);
		if (why === undefined) open.push(change);
		else {
			const isDone = typeof why === 'string';
			const outcome = isDone
				? { status: 'unchanged' as const, action, reason: why }
				: failureOf(action, why);
			const who = { kind: 'user' as const, user: isDone ? existing : old };
			settled.push({ item, subject: old.id, outcome, result: { who, intent: 'updated' } });
		}
	}
	return { open, settled };
}

/** The user name, and the email. Never a new account: two of one person would be worse than an old email. */
async function planRenames(
	wanted: readonly NamedEmailChange[],
	operation: OperationContext,
): Promise<Diff> {
	const found = await findAccounts(wanted, operation);
	const { open, settled } = settle(found, (change) => whyNotRenamed(change, operation.isProtected));
	const made = new Map<string, AccountChange>();
	for (const accounts of open) {
		const { item, old, newEmail } = accounts;
		const { id, userName } = old;
		const person = { key: id, id, userName };
		const attributes = renamed(accounts);
		const change: AccountChange = made.get(id) ?? {
			...{ about: 'account', key: accountKey('update', person), person },
			...{ action: actionOf(old, newEmail), why: whyOf(old, newEmail), items: [] },
			...{ before: accountOf(old), after: accountOf(old), restsOn: [], warnings: [] },
			...{ attributes, ...wasOf(attributes, old.attributes) },
		};
		made.set(id, change);
		change.items.push(item);
	}
	return { changes: [...made.values()], settled };
}

/** The new account with all that the old one has, and only when that was seen an end of the old one. */
async function planNewAccounts(
	wanted: readonly NamedEmailChange[],
	operation: OperationContext,
): Promise<Planned> {
	const { memberships } = operation.reader;
	// First, as groups tell who is a user.
	const all =
		operation.ids.standsFor === 'nothing' ? undefined : await memberships.readSingleRoles();
	const found = await findAccounts(wanted, operation);
	const users = found.open.flatMap(({ old, existing }) => (existing ? [old, existing] : [old]));
	const access = all ?? (await memberships.of(users));
	const rules = rulesFor(access, operation, { ifExists: 'fail' });
	const { open, settled } = settle(found, (change) => whyNotReplaced(change, rules));
	const plan = diff(
		open.flatMap((change) => wishesOf(change, rules)),
		rules,
	);
	return { ...plan, basis: { access }, settled: [...settled, ...plan.settled] };
}

/** What was done by an interrupted run is left as it is, so that running again completes it. */
function wishesOf({ item, old, newEmail, existing }: EmailChange, rules: AccessRules): Wish[] {
	const { access, profile } = rules;
	const { id, userName } = old;
	const memberships = membershipsOf(access, id);
	const held = memberships.map(({ groupId }) => groupId);
	const values = valuesOf(old, profile);
	const isActive = shownActivity(old) !== 'inactive';
	const keys = { groups: memberships.map(({ key }) => key), values: values.map(valueKey) };
	const why = whyOf(old, newEmail);
	const copiedFrom = { on: 'source' as const, id, userName, ...keys, isActive };
	const key = existing?.id ?? nameKey(newEmail);
	const attributes = takenOver(old, newEmail);
	const gain = existing
		? {
				person: { key, id: key, userName: existing.userName },
				user: existing,
				hold: [...held, ...values],
			}
		: {
				person: { key, userName: newEmail },
				newcomer: { item, userName: newEmail, attributes, warnings: [] },
				hold: held,
			};
	// An account that is inactive and has memberships is not deactivated again, so nothing would drop them.
	const drops = profile.deactivation === 'drops' && isActive;
	return [
		{ item, why, copiedFrom, drop: [], ...gain },
		{
			...{ item, why, person: { key: id, id, userName }, user: old, hold: [], after: [key] },
			...{ account: 'inactive', onlyWith: { on: 'nothingElse', ...keys } },
			drop: [...(drops ? [] : held), ...values],
		},
	];
}

function actionOf({ userName }: User, newEmail: string): string {
	return `change the email of ${shown(userName)} to ${newEmail}`;
}

function whyOf({ userName }: User, newEmail: string): string {
	return `${shown(userName)} becomes ${newEmail}`;
}

function namesChange(): InputError {
	return new InputError(
		'Change Email cannot be used: this service changes the user names it is given',
		'Change the email with User: Update. Nothing was sent.',
	);
}

/** No user has the old email, and another user has the new one: the same person, or another one. */
function renamedBefore({ id, userName }: User, { message }: Error): InputError {
	return new InputError(
		`${message}, but ${shown(userName)} is there already (ID ${id})`,
		'The email may have been changed before. Choose the user by ID.',
	);
}

function sameAccount(one: EmailChange, other: EmailChange): InputError {
	return new InputError(
		`Items ${one.item} and ${other.item} want different things of the same account`,
		'Change one email after the other: run the second one when the first is done. Nothing was changed.',
	);
}
