import { failureOf } from '../run';
import {
	attribute,
	findValues,
	valueKey,
	valueLabel,
	valuesOf,
	withCanonicalNames,
	type Attributes,
	type User,
} from '../scim';
import { InputError, isObject, nameKey } from '../util';
import { membershipsOf, type Access } from './access';
import {
	accountKey,
	accountOf,
	NO_RESTS,
	type AccountChange,
	type Member,
	type Source,
} from './change';
import { findClashes } from './contradictions';
import { protectedPerson } from './diff';
import { inactivePerson } from './planUsers';
import type { Settled } from './result';
import type { AccessRules, Diff, Wish } from './wish';

/** A person who gets another email, which on this service is another account (docs/interface.md 2.2). */
export interface EmailChange {
	item: number;
	old: User;
	newEmail: string;
	/** The account with the new email, when there is one already. */
	existing?: User;
}

/**
 * What Change Email wants where a user name cannot change: the new account with all that the old one has, and only when
 * that was seen an end of the old one. Whatever was done by an interrupted run is left as it is, so running again completes
 * it. An account that is there already may be a colleague's, so it has to show that it is the same person's.
 */
export function emailWishes(
	change: EmailChange,
	rules: AccessRules,
): { wishes: Wish[]; settled: Settled[] } {
	const { item, old, newEmail, existing } = change;
	const { access, profile } = rules;
	const action = `change the email of ${old.userName} to ${newEmail}`;
	const fault = whyNot(change, rules);
	if (fault !== undefined) {
		return { wishes: [], settled: [{ item, subject: old.id, outcome: failureOf(action, fault) }] };
	}
	const memberships = membershipsOf(access, old.id);
	const held = memberships.map(({ groupId }) => groupId);
	const groups = memberships.map(({ key }) => key);
	const { id, userName } = old;
	const values = valuesOf(old, profile);
	const copiedFrom: Source = {
		...{ on: 'source', id, userName, groups },
		...{ values: values.map(valueKey), isActive: old.active !== false },
	};
	if (old.active === false && held.length + values.length === 0 && existing !== undefined) {
		const reason = 'the new account is there, the old one is inactive';
		const outcome = { status: 'unchanged' as const, action, reason };
		return {
			wishes: [],
			settled: [
				{ item, subject: old.id, outcome, result: { who: { kind: 'user', user: existing } } },
			],
		};
	}
	const person: Member =
		existing === undefined
			? { key: nameKey(newEmail), userName: newEmail }
			: { key: existing.id, id: existing.id, userName: existing.userName };
	const why = `${old.userName} becomes ${newEmail}`;
	// Somebody inactive who has memberships anyway is not deactivated again, so nothing would drop them.
	const drops = profile.deactivation === 'drops' && old.active !== false;
	const attributes = copied(old, newEmail);
	return {
		settled: [],
		wishes: [
			{
				...{ item, person, hold: held, drop: [], why, copiedFrom },
				...(existing === undefined
					? { newcomer: { item, userName: newEmail, attributes, warnings: [] } }
					: { user: existing, hold: [...held, ...values] }),
			},
			{
				...{ item, why, user: old, hold: [], account: 'inactive' },
				onlyWith: { on: 'nothingElse', groups, values: values.map(valueKey) },
				drop: [...(drops ? [] : held), ...values],
				person: { key: old.id, id: old.id, userName: old.userName },
				after: [person.key],
			},
		],
	};
}

/**
 * What Change Email does where a user name can change: one change of the user name and of the `emails` entry with the old
 * one. Never falls back to a new account: two accounts of one person would be worse than an email that did not change.
 * @param changes none of which is in the way of another (`clashingChanges`)
 */
export function planRenames(
	changes: readonly EmailChange[],
	isProtected: AccessRules['isProtected'],
): Diff {
	const made = new Map<string, AccountChange>();
	const settled: Settled[] = [];
	for (const { item, old, newEmail, existing } of changes) {
		const { id, userName } = old;
		const person: Member = { key: id, id, userName };
		const action = `change the email of ${userName} to ${newEmail}`;
		const isNamed = nameKey(userName) === nameKey(newEmail);
		const isKept = isProtected(person) || isProtected({ key: newEmail, userName: newEmail });
		const fault = isNamed
			? undefined
			: isKept
				? protectedPerson(userName)
				: existing && existing.id !== id
					? otherAccount(existing)
					: undefined;
		if (isNamed || fault !== undefined) {
			const outcome = fault ? failureOf(action, fault) : { status: 'unchanged' as const, action };
			settled.push({
				...{ item, subject: id },
				outcome,
				result: { who: { kind: 'user', user: old }, intent: 'updated' },
			});
			continue;
		}
		const emails = emailsWith(old, newEmail);
		const before = accountOf(old);
		const change: AccountChange = made.get(id) ?? {
			...{ about: 'account', key: accountKey('update', person), person, action },
			...{ why: `${userName} becomes ${newEmail}`, items: [], restsOn: NO_RESTS, warnings: [] },
			...{ before, after: before },
			attributes: { userName: newEmail, ...(emails && { emails }) },
		};
		made.set(id, change);
		change.items.push(item);
	}
	return { changes: [...made.values()], settled, warnings: [] };
}

/** What stands in the way; undefined when nothing does. */
function whyNot(change: EmailChange, rules: AccessRules): InputError | undefined {
	const { old, newEmail, existing } = change;
	const { access, isProtected } = rules;
	const people = [old, ...(existing ? [existing] : []), { id: newEmail, userName: newEmail }];
	const kept = people.find(({ id, userName }) => isProtected({ key: id, id, userName }));
	if (kept !== undefined) return protectedPerson(kept.userName);
	if (existing?.id === old.id) return sameEmail(newEmail);
	if (existing?.active === false) return inactivePerson(newEmail);
	if (!access.knowsAll(old.id)) return unknownAccess(old);
	if (existing !== undefined) return strangerAt(old, existing, rules);
	const values = valuesOf(old, rules.profile);
	const held = membershipsOf(access, old.id);
	const isGone = old.active === false && held.length + values.length === 0;
	return isGone ? nothingToCopy(old, newEmail) : undefined;
}

/**
 * Which changes get in each other's way: an account that is the old one of one item and the new one of another would
 * lose what it was just given, and two people cannot become the same one.
 * @returns by item, why it cannot be done; the same change in several items is none
 */
export function clashingChanges(changes: readonly EmailChange[]): Map<number, InputError> {
	const accountsOf = ({ old, newEmail, existing }: EmailChange) => [
		old.id,
		existing?.id ?? `new ${nameKey(newEmail)}`,
	];
	const clashes = findClashes(
		changes,
		(change) => [...new Set(accountsOf(change))],
		(one, other) => accountsOf(one).join('\n') !== accountsOf(other).join('\n'),
		(one, other) =>
			new InputError(
				`Items ${one.item} and ${other.item} want different things of the same account`,
				'Change one email after the other: run the second one when the first is done. Nothing was changed.',
			),
	);
	return new Map(
		changes.flatMap((change) => {
			const [error] = accountsOf(change).flatMap((account) => clashes.get(account) ?? []);
			return error ? [[change.item, error] as const] : [];
		}),
	);
}

/** Why an existing account may be somebody else's; undefined where it shows that it is the same person's. */
function strangerAt(
	old: User,
	existing: User,
	{ access, label, profile }: AccessRules,
): InputError | undefined {
	const why =
		differentPerson(old, existing) ??
		(isHandedOver(old, existing, access, profile)
			? undefined
			: (foreignAccess(old, existing, access, label) ?? foreignValue(old, existing, profile)));
	if (why === undefined) return undefined;
	return new InputError(
		`The email ${existing.userName} belongs to another account (ID ${existing.id}) that may be somebody else's: ${why}`,
		'If it is the same person, give the new account its access with Assign and end the old one with Offboard. Otherwise enter another email. Nothing was changed.',
	);
}

function differentPerson(old: User, existing: User): string | undefined {
	const [name, otherName] = [old, existing].map(nameOf);
	const [id, otherId] = [old, existing].map(externalIdOf);
	const showName = name !== '' && otherName !== '';
	const showId = id !== '' && otherId !== '';
	if (showName && name !== otherName) return `its name is not that of ${old.userName}`;
	if (showId && id !== otherId) return `its external ID is not that of ${old.userName}`;
	return showName || showId
		? undefined
		: 'the two show neither a name nor an external ID to compare';
}

/** An inactive account with nothing that the new one lacks: a run that was cut off has taken some of it, or all. */
function isHandedOver(
	old: User,
	existing: User,
	{ held }: Access,
	profile: AccessRules['profile'],
): boolean {
	const theirs = valuesOf(existing, profile);
	return (
		old.active === false &&
		[...(held.get(old.id) ?? [])].every((key) => held.get(existing.id)?.has(key)) &&
		valuesOf(old, profile).every((value) => findValues(theirs, value).length > 0)
	);
}

/** Until then it has given the new account nothing but what the old one has. */
function foreignAccess(
	old: User,
	existing: User,
	access: Access,
	label: AccessRules['label'],
): string | undefined {
	const own = access.held.get(old.id) ?? new Set();
	const foreign = [...(access.held.get(existing.id) ?? [])].find((key) => !own.has(key));
	if (foreign === undefined) return undefined;
	const groupId = access.groups.get(foreign)?.id ?? foreign;
	return `it is ${label(groupId)}, which ${old.userName} is not`;
}

/** The same of values on the users. */
function foreignValue(
	old: User,
	existing: User,
	profile: AccessRules['profile'],
): string | undefined {
	const own = valuesOf(old, profile);
	const foreign = valuesOf(existing, profile).find((value) => findValues(own, value).length === 0);
	if (foreign === undefined) return undefined;
	return `it has ${valueLabel(foreign)}, which ${old.userName} does not have`;
}

/** A user's name in one spelling; empty when none is shown. */
function nameOf({ attributes }: User): string {
	const name = attribute(attributes, 'name');
	const parts = ['givenName', 'middleName', 'familyName'].map((part) =>
		plain(attribute(name, part)),
	);
	return parts.some((part) => part !== '') ? parts.join('\n') : plain(attribute(name, 'formatted'));
}

function plain(value: unknown): string {
	return typeof value === 'string' ? nameKey(value.trim()) : '';
}

/** Compared as it is: IDs may differ in case alone. */
function externalIdOf({ attributes }: User): string {
	const id = attribute(attributes, 'externalId');
	return typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';
}

/** Attributes that belong to one account alone, or that only the service sets. */
const OWN = new Set(['schemas', 'id', 'meta', 'groups', 'username', 'active', 'password']);

/** What the new account takes over. */
function copied(old: User, newEmail: string): Attributes {
	const copy: Attributes = {};
	for (const [name, value] of Object.entries(withCanonicalNames(old.attributes))) {
		if (!OWN.has(name.toLowerCase()) && value !== undefined && value !== null) copy[name] = value;
	}
	const emails = emailsWith(old, newEmail);
	return { ...copy, ...(emails && { emails }) };
}

/** All `emails` of a user, the one that is the user name replaced; undefined where none is. */
function emailsWith(old: User, newEmail: string): Attributes[] | undefined {
	const emails = attribute(old.attributes, 'emails');
	const isOld = (entry: unknown) => {
		const value = attribute(entry, 'value');
		return typeof value === 'string' && nameKey(value) === nameKey(old.userName);
	};
	if (!Array.isArray(emails) || !emails.some(isOld)) return undefined;
	return emails
		.filter(isObject)
		.map((entry) => (isOld(entry) ? { ...entry, value: newEmail } : entry));
}

/** Where a user name can change, two accounts are two people. */
function otherAccount({ id, userName }: User): InputError {
	return new InputError(
		`The email ${userName} belongs to another account (ID ${id}), and this service does not merge accounts`,
		'Enter another email, or delete or rename the other account first. Nothing was changed.',
	);
}

function sameEmail(newEmail: string): InputError {
	return new InputError(`The user has the email ${newEmail} already`, 'Enter another one.');
}

function unknownAccess({ userName }: User): InputError {
	return new InputError(
		`The roles of ${userName} are unknown: neither groups nor users of the service show memberships`,
		'The new account would get none of them. Check the service. Nothing was changed.',
	);
}

function nothingToCopy(old: User, newEmail: string): InputError {
	return new InputError(
		`${old.userName} is inactive and has no roles, and there is no user ${newEmail}`,
		'There is nothing to take over. Create the new user and assign its roles.',
	);
}
