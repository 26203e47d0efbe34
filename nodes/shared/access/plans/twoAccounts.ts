import {
	attribute,
	mainEmail,
	valuesOf,
	withCanonicalNames,
	withMainEmail,
	type Attributes,
	type User,
	shownActivity,
} from '../../scim';
import { InputError, isObject, looksLikeEmail, nameKey, shown } from '../../util';
import { membershipsOf } from '../facts';
import type { AccessRules } from '../changes';
import {
	activityIn,
	heldIn,
	protectedPerson,
	strangerAt,
	unknownAccess,
	whyNoGain,
} from '../guards';

/** The account of a person who gets another email. */
export interface TwoAccounts {
	old: User;
	newEmail: string;
	/** The account with the new email, when there is one already. */
	existing?: User;
}

const HAS_IT = 'the user has this email already';

/** Attributes that belong to one account alone, or that only the service sets. */
const OWN = new Set(['schemas', 'id', 'meta', 'groups', 'username', 'active', 'password']);

/** What a new account of a person takes over from the old one. */
export function takenOver(old: User, newEmail: string): Attributes {
	const copy: Attributes = {};
	for (const [name, value] of Object.entries(withCanonicalNames(old.attributes))) {
		if (!OWN.has(name.toLowerCase()) && value !== undefined && value !== null) copy[name] = value;
	}
	return { ...copy, ...emailsWith(old, newEmail) };
}

/**
 * All `emails` of a user with the new one in place of the user name, else of the main one. Empty where that is so already,
 * and where none are shown and the user name is the email.
 */
export function emailsWith(old: User, newEmail: string): Attributes {
	const emails = attribute(old.attributes, 'emails');
	const isOld = (entry: unknown) => {
		const value = attribute(entry, 'value');
		return typeof value === 'string' && nameKey(value) === nameKey(old.userName);
	};
	if (Array.isArray(emails) && emails.some(isOld)) {
		if (nameKey(old.userName) === nameKey(newEmail)) return {};
		const entries = emails.filter(isObject);
		return { emails: entries.map((one) => (isOld(one) ? { ...one, value: newEmail } : one)) };
	}
	const isUntold = emails === undefined || (Array.isArray(emails) && emails.length === 0);
	if (isUntold && looksLikeEmail(old.userName)) return {};
	const changed = withMainEmail(old.attributes, newEmail);
	return changed === undefined ? {} : { emails: changed };
}

/** What of an account changes with its email, where a user name can change. */
export function renamed({ old, newEmail }: TwoAccounts): Attributes {
	const isSame = nameKey(old.userName) === nameKey(newEmail);
	return { ...(!isSame && { userName: newEmail }), ...emailsWith(old, newEmail) };
}

/**
 * Where a user name can change.
 * @returns why nothing is sent: an error, or in words that it is so already
 */
export function whyNotRenamed(
	accounts: TwoAccounts,
	isProtected: AccessRules['isProtected'],
): InputError | string | undefined {
	const { old, existing } = accounts;
	if (Object.keys(renamed(accounts)).length === 0) return HAS_IT;
	const isOther = existing !== undefined && existing.id !== old.id;
	return protectedIn(accounts, isProtected) ?? (isOther ? otherAccount(existing) : undefined);
}

/** The same where a new account replaces the old one. */
export function whyNotReplaced(accounts: TwoAccounts, rules: AccessRules): unknown {
	const { old, newEmail, existing } = accounts;
	const { access, isProtected, profile } = rules;
	if (existing?.id === old.id) {
		return Object.keys(emailsWith(old, newEmail)).length === 0 ? HAS_IT : emailAlone(old);
	}
	const kept = protectedIn(accounts, isProtected);
	if (kept !== undefined) return kept;
	if (existing !== undefined) {
		const { id } = existing;
		const read = rules.account(id) ?? { ok: true, value: existing };
		const person = { key: id, id, userName: newEmail };
		const refusal = whyNoGain(person, read, activityIn(rules), 'plan');
		if (refusal !== undefined) return refusal;
	}
	const told = access.everyGroup(old.id);
	if (told.told === 'nothing') return unknownAccess(old.userName, told);
	const stranger = existing && strangerAt(heldIn(old, access), heldIn(existing, access), rules);
	if (stranger !== undefined) return stranger;
	const has = [...membershipsOf(access, old.id), ...valuesOf(old, profile)];
	if (shownActivity(old) !== 'inactive' || has.length > 0) return undefined;
	return existing
		? 'the new account is there, the old one is inactive'
		: nothingToCopy(old, newEmail);
}

function emailAlone({ userName, attributes }: User): InputError {
	const main = mainEmail(attributes) || 'another one';
	return new InputError(
		`${shown(userName)} is the user name already, and the email is ${main}`,
		'No other account is needed: change emails with User: Update. Nothing was changed.',
	);
}

function protectedIn(
	{ old, newEmail, existing }: TwoAccounts,
	isProtected: AccessRules['isProtected'],
): InputError | undefined {
	const people = [old, ...(existing ? [existing] : []), { id: undefined, userName: newEmail }];
	const kept = people.find(({ id, userName }) =>
		isProtected({ key: id ?? userName, id, userName }),
	);
	return kept && protectedPerson(kept.userName);
}

/** Where a user name can change, two accounts are two people. */
function otherAccount({ id, userName }: User): InputError {
	return new InputError(
		`The email ${shown(userName)} belongs to another account (ID ${id}), and this service does not merge accounts`,
		'Enter another email, or delete or rename the other account first. Nothing was changed.',
	);
}

function nothingToCopy(old: User, newEmail: string): InputError {
	return new InputError(
		`${shown(old.userName)} is inactive and has no roles, and there is no user ${newEmail}`,
		'There is nothing to take over. Create the new user and assign its roles.',
	);
}
