import { failureOf, type Part } from '../run';
import { InputError, isObject, nameKey } from '../util';
import { attribute, type Attributes, type User } from '../scim';
import { assignmentsOf, type Access } from './access';
import { planAccess, protectedPerson, type AccessRules } from './planAccess';
import { inactivePerson, planActive, planUsers } from './planUsers';
import { emptyProvisioningPlan, type Member, type ProvisioningPlan } from './step';

/** A person who gets another e-mail, which on this service is another account (docs/interface.md 2.2). */
export interface EmailChange {
	item: number;
	old: User;
	newEmail: string;
	/** The account with the new e-mail, when there is one already. */
	existing?: User;
	/** Whether an existing account is taken although nothing shows that it is the same person's. */
	useExisting: boolean;
}

/**
 * Plans Change Email: create the new account, give it the old one's roles, and only when all of them were seen
 * deactivate the old one. Whatever was done by an interrupted run is left as it is, so running again completes it. An
 * account that is there already may be a colleague's, so it has to show that it is the same person's.
 */
export function planChangeEmail(change: EmailChange, rules: AccessRules): ProvisioningPlan {
	const { item, old, newEmail, existing } = change;
	const { access, ids, profile } = rules;
	const plan = emptyProvisioningPlan();
	const action = `change the e-mail of ${old.userName} to ${newEmail}`;
	const fail = (error: Error) => {
		plan.settled.push({ item, subject: old.id, outcome: failureOf(action, error) });
		return plan;
	};
	const people = [old, ...(existing ? [existing] : []), { id: newEmail, userName: newEmail }];
	const isProtected = people.find(({ id, userName }) =>
		rules.isProtected({ key: id, id, userName }),
	);
	if (isProtected !== undefined) return fail(protectedPerson(isProtected.userName));
	if (existing?.id === old.id) return fail(sameEmail(newEmail));
	if (existing?.active === false) return fail(inactivePerson(newEmail));
	if (!access.showsMembers) return fail(unknownRoles(old));

	const held = assignmentsOf(access, old.id, ids).map(({ groupId }) => groupId);
	const stranger = existing && !change.useExisting && strangerAt(old, existing, rules);
	if (stranger) return fail(stranger);
	if (old.active === false && held.length === 0) {
		if (existing === undefined) return fail(nothingToCopy(old, newEmail));
		const reason = 'the new account is there, the old one is inactive';
		const outcome = { status: 'unchanged' as const, action, reason };
		plan.settled.push({ item, subject: old.id, outcome, result: { user: existing } });
		return plan;
	}

	const otherRole = existing && roleInTheWay(old, existing, rules);
	if (otherRole !== undefined) return fail(otherRole);
	const creation =
		existing === undefined
			? planUsers(
					[{ item, userName: newEmail, attributes: copied(old, newEmail), warnings: [] }],
					change.useExisting ? 'adopt' : 'fail',
					undefined,
					profile,
				)
			: emptyProvisioningPlan();
	const newPerson: Member =
		existing === undefined
			? { key: nameKey(newEmail), userName: newEmail }
			: { key: existing.id, id: existing.id, userName: existing.userName };
	const created = creation.steps.map(({ id }) => ({ step: id, subject: newPerson.key }));
	const grants = planAccess(
		held.length === 0
			? []
			: [
					{
						item,
						person: newPerson,
						hold: held,
						drop: [],
						...(created.length > 0 && { needs: created }),
					},
				],
		rules,
	);
	const granted: NonNullable<Part['needs']> = [
		...created,
		...grants.steps.map(({ id }) => ({ step: id, subject: newPerson.key })),
	];
	if (grants.settled.some(({ outcome }) => outcome.status === 'failed'))
		return { ...plan, settled: grants.settled };

	const person = { id: old.id, userName: old.userName };
	const leaving = planActive(
		[{ item, label: old.userName, person, current: old, attributes: {}, warnings: [] }],
		false,
		profile,
	);
	// Somebody inactive who has roles all the same is not deactivated again, so nothing would drop them.
	const drops = profile.deactivationDropsMemberships && old.active !== false;
	const removals = drops
		? emptyProvisioningPlan()
		: planAccess([{ item, person: { key: old.id, ...person }, hold: [], drop: held }], rules);
	const afterwards = [...leaving.steps, ...removals.steps].map((step) => ({
		...step,
		// The same groups as those of the grants, but steps of their own.
		id: `old account: ${step.id}`,
		parts: step.parts.map((part) => ({ ...part, needs: [...(part.needs ?? []), ...granted] })),
	}));
	return {
		...plan,
		steps: [...creation.steps, ...grants.steps, ...afterwards],
		settled: [...grants.settled, ...leaving.settled, ...removals.settled],
		losses: [...grants.losses, ...removals.losses],
		gains: grants.gains,
	};
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
	const byAccount = new Map<string, EmailChange[]>();
	for (const change of changes) {
		for (const account of new Set(accountsOf(change))) {
			const same = byAccount.get(account);
			if (same === undefined) byAccount.set(account, [change]);
			else same.push(change);
		}
	}
	const clashes = new Map<number, InputError>();
	for (const change of changes) {
		const other = accountsOf(change)
			.flatMap((account) => byAccount.get(account) ?? [])
			.find((candidate) => accountsOf(candidate).join('\n') !== accountsOf(change).join('\n'));
		if (other === undefined) continue;
		clashes.set(
			change.item,
			new InputError(
				`Items ${change.item} and ${other.item} want different things of the same account`,
				'Change one e-mail after the other: run the second one when the first is done. Nothing was changed.',
			),
		);
	}
	return clashes;
}

/** A role that the new account has already, which a copy of the old one's would replace. */
function roleInTheWay(
	old: User,
	existing: User,
	{ access, ids, profile, label }: AccessRules,
): InputError | undefined {
	if (!profile.oneRolePerOrganization) return undefined;
	const theirs = assignmentsOf(access, existing.id, ids);
	const clash = assignmentsOf(access, old.id, ids).find((mine) =>
		theirs.some(({ organization, key }) => organization === mine.organization && key !== mine.key),
	);
	if (clash === undefined) return undefined;
	const has = theirs.find(({ organization }) => organization === clash.organization);
	return new InputError(
		`${existing.userName} is ${label(has?.groupId ?? '')} already, and ${old.userName} is ${label(clash.groupId)}`,
		'Decide which role the person has there with Assign, then run again. Nothing was changed.',
	);
}

/** Why an existing account may be somebody else's; undefined where it shows that it is the same person's. */
function strangerAt(
	old: User,
	existing: User,
	{ access, label }: AccessRules,
): InputError | undefined {
	const why = differentPerson(old, existing) ?? foreignAccess(old, existing, access, label);
	if (why === undefined) return undefined;
	return new InputError(
		`The email ${existing.userName} belongs to another account (ID ${existing.id}) that may be somebody else's: ${why}`,
		'If it is the same person, turn on Use Existing Account under Options. Otherwise give another email. Nothing was changed.',
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

/** A run that was cut off has given the new account nothing but what the old one has. */
function foreignAccess(
	old: User,
	existing: User,
	access: Access,
	label: AccessRules['label'],
): string | undefined {
	const own = access.held.get(old.id) ?? new Set();
	const isGone = old.active === false && own.size === 0;
	const foreign = [...(access.held.get(existing.id) ?? [])].find((key) => !own.has(key));
	if (isGone || foreign === undefined) return undefined;
	const groupId = access.groups.get(foreign)?.id ?? foreign;
	return `it is ${label(groupId)}, which ${old.userName} is not`;
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

const COPIED = [
	...['name', 'displayName', 'externalId'],
	...['title', 'locale', 'timezone', 'preferredLanguage'],
];

/** What the new account takes over. */
function copied(old: User, newEmail: string): Attributes {
	const copy: Attributes = {};
	for (const name of COPIED) {
		const value = attribute(old.attributes, name);
		if (value !== undefined && value !== null) copy[name] = value;
	}
	const emails = attribute(old.attributes, 'emails');
	if (Array.isArray(emails)) {
		copy.emails = emails.filter(isObject).map((entry) => {
			const value = attribute(entry, 'value');
			const isOld = typeof value === 'string' && nameKey(value) === nameKey(old.userName);
			return isOld ? { ...entry, value: newEmail } : entry;
		});
	}
	return copy;
}

function sameEmail(newEmail: string): InputError {
	return new InputError(`The user has the e-mail ${newEmail} already`, 'Give another one.');
}

function unknownRoles({ userName }: User): InputError {
	return new InputError(
		`It is not known which roles ${userName} has: the service shows no group with a member, and no user with groups`,
		'The new account would get none of them. Look at the service. Nothing was changed.',
	);
}

function nothingToCopy(old: User, newEmail: string): InputError {
	return new InputError(
		`${old.userName} is inactive and has no roles, and there is no user ${newEmail}`,
		'There is nothing to take over. Create the new user and assign its roles.',
	);
}
