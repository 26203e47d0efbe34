import { failureOf, NO_ITEM } from '../../run';
import {
	attribute,
	type Attributes,
	namesIn,
	type RequiredAttribute,
	type ServiceProfile,
	type Traits,
	namesOf,
	type ScimClient,
} from '../../scim';
import { InputError, isEmailAddress, isObject, shown, typosIn } from '../../util';
import {
	kindOf,
	subjectOf,
	type AccountChange,
	type Change,
	orderOf,
	type Settled,
	type WantedUser,
	nameIn,
	type Diff,
} from '../changes';
import type { Access } from '../facts';

/** Changes that can be made, and what happens to those that cannot. */
interface Checked {
	changes: Change[];
	/** Creates that lack something, and all that needs them. */
	withheld: Change[];
	settled: Settled[];
}

/**
 * Takes out creates of users who lack an attribute that the service requires, and all that is wanted for these people:
 * nothing is sent for them.
 */
export function withoutIncomplete(
	changes: readonly Change[],
	required: readonly RequiredAttribute[],
	traits: Traits,
): Checked {
	const reasons = new Map<Change, InputError>();
	for (const change of changes) {
		if (!isCreate(change)) continue;
		const { person, attributes = {} } = change;
		const { userName = person.key } = person;
		const lacking = lackingOf({ userName, attributes }, required);
		if (lacking.length > 0) reasons.set(change, lacks(userName, lacking));
	}
	if (reasons.size === 0) return { changes: [...changes], withheld: [], settled: [] };
	const order = orderOf(changes, traits);
	for (let before = -1; before < reasons.size;) {
		before = reasons.size;
		for (const [change, lists] of order) {
			const reason = lists
				.flat()
				.flatMap((one) => (one.must ? (reasons.get(one.change) ?? []) : []))
				.at(0);
			if (reason !== undefined && !reasons.has(change)) reasons.set(change, reason);
		}
	}
	const withheld = changes.filter((change) => reasons.has(change));
	return {
		changes: changes.filter((change) => !reasons.has(change)),
		withheld,
		settled: withheld.flatMap((change) =>
			change.items.map((item) => ({
				...{ item, subject: subjectOf(change), change: change.key },
				outcome: failureOf(change.action, reasons.get(change)),
			})),
		),
	};
}

/** Changes whose creates have the user name as their email, where the service requires one and the item gives none. */
export function withRequiredEmails(
	changes: readonly Change[],
	required: readonly RequiredAttribute[],
): Change[] {
	return changes.map((change) => {
		if (!isCreate(change)) return change;
		const { person, attributes: given = {}, ifExists } = change;
		const userName = person.userName ?? person.key;
		const attributes = withRequiredEmail({ userName, attributes: given }, required);
		if (attributes === given) return change;
		// A user who is there after all keeps the own emails.
		return { ...change, attributes, ...(ifExists === 'update' && { onlyWhenNew: ['emails'] }) };
	});
}

function withRequiredEmail(
	{ userName, attributes }: Pick<WantedUser, 'userName' | 'attributes'>,
	required: readonly RequiredAttribute[],
): Attributes {
	const isRequired = required.some(({ path }) => path.toLowerCase() === 'emails');
	if (!isRequired || hasEmails(attributes) || !isEmailAddress(userName)) return attributes;
	return { ...attributes, emails: [{ value: userName, type: 'work', primary: true }] };
}

/** Says, once, how many users would be created without an email. */
export function withoutEmailNote(
	changes: readonly Change[],
	{ knowsPeopleByLogin }: ServiceProfile,
): string[] {
	const without = changes.filter(
		(change) => isCreate(change) && !hasEmails(change.attributes ?? {}),
	).length;
	// Where people are known by their login, that is their email.
	if (without === 0 || knowsPeopleByLogin) return [];
	return [`New users without an email: ${without}. Match Users By: Email would not find them.`];
}

function hasEmails(attributes: Attributes): boolean {
	return attribute(attributes, 'emails') !== undefined;
}

function isCreate(change: Change): change is AccountChange {
	return change.about === 'account' && kindOf(change) === 'created';
}

/** The required attributes that a user to be created does not have. */
export function lackingOf(
	{ userName, attributes }: Pick<WantedUser, 'userName' | 'attributes'>,
	required: readonly RequiredAttribute[],
): string[] {
	const given = { ...withRequiredEmail({ userName, attributes }, required), userName };
	const isAsked = ({ onlyWith }: RequiredAttribute) =>
		onlyWith === undefined || saysSomething(attribute(given, onlyWith));
	return required
		.filter((one) => isAsked(one) && !isGiven(given, one.path))
		.map(({ path }) => path);
}

function isGiven(attributes: Attributes, path: string): boolean {
	const value = namesIn(path).reduce<unknown>((inner, name) => attribute(inner, name), attributes);
	return saysSomething(value);
}

/** Whether anything is in it; of an entry of a list its value counts. */
function saysSomething(value: unknown): boolean {
	if (Array.isArray(value)) {
		return value.some((entry) =>
			saysSomething(isObject(entry) ? attribute(entry, 'value') : entry),
		);
	}
	if (isObject(value)) return Object.values(value).some(saysSomething);
	return value !== undefined && value !== null && String(value).trim() !== '';
}

function lacks(userName: string, lacking: readonly string[]): InputError {
	return new InputError(
		`${shown(userName)} cannot be created: the service requires ${lacking.join(', ')}`,
		'Enter these attributes of the new user. Nothing was sent for this person.',
	);
}

/**
 * Warns of a create whose address may be a typo of another user's, among those that this run has read anyway. Who is named by an
 * item is another person: a list that has both is right.
 */
export function withTypoWarnings(
	{ changes, settled }: Pick<Diff, 'changes' | 'settled'>,
	{ facts }: Pick<ScimClient, 'facts'>,
	access?: Pick<Access, 'idsByName'>,
): Change[] {
	const wanted = new Map(changes.map((change) => [change, addressesOf(change)]));
	const known = new Map([...(access?.idsByName ?? []), ...facts.names]);
	const near = typosIn(new Set([...wanted.values()].flat()), new Set(known.keys()));
	if (near.size === 0) return [...changes];
	const named = new Set([
		...changes.flatMap((change) =>
			change.about === 'group' || isUnnamed(change.items) ? [] : (change.person.id ?? []),
		),
		...settled.flatMap(({ item, result }) => (isUnnamed([item]) ? [] : (nameIn(result).id ?? []))),
	]);
	const isOther = (address: string) =>
		known.get(address)?.some((id) => !named.has(id) && !facts.isGone(id)) === true;
	return changes.map((change) => {
		const warnings = (wanted.get(change) ?? []).flatMap((address) => {
			const others = (near.get(address) ?? []).filter(isOther);
			return others.length === 0 ? [] : typoWarning(address, others);
		});
		return warnings.length === 0
			? change
			: { ...change, warnings: [...new Set([...change.warnings, ...warnings])] };
	});
}

function isUnnamed(items: readonly number[]): boolean {
	return items.every((item) => item === NO_ITEM);
}

/** The user name and emails of a user to be created. */
function addressesOf(change: Change): string[] {
	if (change.about !== 'account' || kindOf(change) !== 'created') return [];
	const { person, attributes = {} } = change;
	return namesOf({ userName: person.userName ?? person.key, attributes });
}

function typoWarning(address: string, others: readonly string[]): string {
	return `${address} may be a typo of ${others.join(' or ')}, which another user has. Check the spelling.`;
}
