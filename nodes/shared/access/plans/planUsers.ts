import { failureOf, type Outcome, type Part } from '../../run';
import {
	attribute,
	compareUser,
	lostValues,
	replaceAttributes,
	matchingBy,
	withEmailTypes,
	type Attributes,
	type MatchAttribute,
	type ServiceProfile,
	type User,
	shownActivity,
} from '../../scim';
import { InputError, isDeepEqual, isObject, type Moment, nameKey, shown } from '../../util';
import { foundUser, whyNotFound, type Found } from '../facts';
import {
	accountKey,
	accountOf,
	deactivates,
	existingUser,
	inactiveWarning,
	isMadeBefore,
	MADE_BEFORE,
	nameOf,
	NO_PRECONDITIONS,
	notKeptWarnings,
	otherOwner,
	outcomeOfExisting,
	overwriteWarnings,
	ownerWarning,
	wasOf,
	wholeUser,
	whoIs,
	type Account,
	type AccountChange,
	type AttributeRules,
	type Diff,
	type IfExists,
	type IfUserExists,
	type WantedUser,
	type Wish,
} from '../changes';

/** A user that an item wants to be different, with what is known of that user so far. */
export type WantedChange = Pick<Wish, 'item' | 'person' | 'user' | 'source' | 'why'> & {
	attributes: Attributes;
	warnings: readonly string[];
};

/** What has to change about accounts. */
export interface AccountPlan extends Diff {
	changes: AccountChange[];
}

/**
 * Users who are to exist. Items that name the same person become one change when they want the same.
 * @param found what is known of each by what the user is matched by; undefined without a lookup (the 409 tells)
 */
export function planUsers(
	wanted: readonly WantedUser[],
	ifExists: IfUserExists,
	found: ReadonlyMap<string, Found> | undefined,
	rules: AttributeRules,
): AccountPlan {
	const { profile } = rules;
	const plan: AccountPlan = { changes: [], settled: [] };
	for (const group of mergeByName(wanted, ifExists, found, plan)) {
		const known = found?.get(keyOf(group)[0]);
		if (known === undefined || known.kind === 'absent') {
			plan.changes.push(creation(group, ifExists));
			continue;
		}
		if (ifExists === 'fail' || ifExists === 'return') {
			settleExisting(group, known, ifExists, plan, rules);
			continue;
		}
		try {
			const current = foundUser(known, ...keyOf(group));
			const attributes = { ...group.attributes, ...newName(group, profile) };
			const comesBack = attributes.active === true && shownActivity(current) === 'inactive';
			const other = comesBack ? otherOwner(current, attributes) : undefined;
			if (other !== undefined) throw other;
			const warnings = [
				...group.warnings,
				...inactiveWarning(current, attributes),
				...ownerWarning(current, attributes),
			];
			const { id, userName } = current;
			const person = { key: id, id, userName };
			const wants = { person, user: current, attributes, warnings, label: group.userName };
			planUpdate(wants, group.parts, plan, rules);
		} catch (error) {
			settle(plan, group.parts, failureOf(`create or update user ${shown(group.userName)}`, error));
		}
	}
	return plan;
}

/** Create, when a user was seen to exist before anything is sent. */
function settleExisting(
	merged: MergedUser,
	known: Found,
	ifExists: IfExists,
	plan: AccountPlan,
	{ profile, wasThere }: AttributeRules,
): void {
	const { userName, attributes, parts, warnings, matchBy } = merged;
	const action = `create user ${shown(userName)}`;
	if (known.kind !== 'found') {
		const error =
			known.kind === 'ambiguous' && matchBy === undefined
				? existingUser(userName, undefined)
				: whyNotFound(known, ...keyOf(merged));
		settle(plan, parts, failureOf(action, error));
	} else {
		const { user } = known;
		const all = [...warnings, ...(ifExists === 'return' ? inactiveWarning(user, {}) : [])];
		const isOurs = wasThere?.(user) !== true && isMadeBefore(attributes, user, profile);
		const madeBefore = isOurs ? MADE_BEFORE : undefined;
		const error = existingUser(userName, user);
		settle(plan, parts, outcomeOfExisting(ifExists, action, all, madeBefore, error), user);
	}
}

interface MergedUser {
	userName: string;
	attributes: Attributes;
	parts: Part[];
	warnings: string[];
	matchBy?: MatchAttribute;
	why?: string;
}

function keyOf({
	matchBy = 'userName',
	...user
}: Pick<MergedUser, 'userName' | 'attributes' | 'matchBy'>) {
	const matching = matchingBy(matchBy);
	return [matching.keyOf(user), matching] as const;
}

/** A user that is found by another key may have another user name now, where user names stay as they are given. */
function newName(
	{ userName, matchBy }: MergedUser,
	{ userNameCanChange, userNamesAreConverted }: ServiceProfile,
): Attributes {
	// By email, the user name may be one of the service's own.
	const isKept = matchBy !== 'externalId' || !userNameCanChange || userNamesAreConverted;
	return isKept ? {} : { userName };
}

function mergeByName(
	wanted: readonly WantedUser[],
	ifExists: IfUserExists,
	found: ReadonlyMap<string, Found> | undefined,
	plan: AccountPlan,
): MergedUser[] {
	const [merged, byKey] = [new Map<string, MergedUser>(), new Map<string, MergedUser>()];
	for (const user of wanted) {
		const subject = nameKey(user.userName);
		const part = { item: user.item, subject };
		const [key, { by, fold, label }] = keyOf(user);
		const who = by === 'userName' ? found?.get(key) : undefined;
		// Two who differ in spelling alone are two people where the service has both.
		const name = who?.kind === 'found' ? who.user.id : subject;
		const first = merged.get(name);
		const sameKey = by === 'userName' ? first : byKey.get(fold(key));
		const same = first ?? sameKey;
		if (same === undefined) {
			const own = { ...user, attributes: { ...user.attributes }, parts: [part] };
			merged.set(name, own);
			byKey.set(fold(key), own);
			continue;
		}
		const clash =
			sameKey !== undefined && sameKey !== first
				? `Items ${sameKey.parts[0].item} and ${user.item} have the ${label} ${shown(key)}, but not the same user name`
				: ifExists === 'fail'
					? `Items ${same.parts[0].item} and ${user.item} both create user ${shown(user.userName)}`
					: conflict(same, user);
		if (clash !== undefined) {
			settle(
				plan,
				[part],
				failureOf(
					`create user ${shown(user.userName)}`,
					new InputError(clash, 'Send each person once, or the same values in both items.'),
				),
			);
			continue;
		}
		complete(same.attributes, user.attributes);
		if (same.parts.every(({ item }) => item !== part.item)) same.parts.push(part);
		same.warnings = [...new Set([...same.warnings, ...user.warnings])];
	}
	return [...merged.values()];
}

/** Two items may complete each other, but not contradict. */
export function conflict(
	first: { attributes: Attributes; parts: Part[] },
	second: { attributes: Attributes; item: number },
	what: 'user' | 'group' = 'user',
): string | undefined {
	const name = Object.keys(second.attributes).find((key) => {
		const before = attribute(first.attributes, key);
		return before !== undefined && !isDeepEqual(before, second.attributes[key]);
	});
	return name === undefined
		? undefined
		: `Items ${first.parts[0].item} and ${second.item} want different values of ${name} for the same ${what}`;
}

/** Adds what is not there yet, in whatever case (RFC 7643 section 2.1). */
export function complete(first: Attributes, second: Attributes): void {
	const more = Object.entries(second).filter(([name]) => attribute(first, name) === undefined);
	Object.assign(first, Object.fromEntries(more));
}

function creation(
	{ userName, attributes, parts, warnings, matchBy, why }: MergedUser,
	ifExists: IfUserExists,
): AccountChange {
	const person = { key: nameKey(userName), userName };
	return {
		...baseOf('create', person, `create user ${shown(userName)}`, parts, warnings, why),
		before: 'absent',
		after: deactivates(attributes) ? 'inactive' : 'active',
		attributes,
		ifExists,
		...(matchBy && { matchBy }),
	};
}

/** What all changes of an account have. */
function baseOf(
	verb: Parameters<typeof accountKey>[0],
	person: AccountChange['person'],
	action: string,
	parts: readonly Part[],
	warnings: readonly string[],
	why = '',
) {
	const [about, key] = ['account' as const, accountKey(verb, person)];
	const items = parts.map(({ item }) => item);
	const [{ subject }] = parts;
	const own = { about, key, person, action, items, warnings, why, restsOn: NO_PRECONDITIONS };
	return subject === person.key ? own : { ...own, subject };
}

/** The account before and after attributes are set. */
function withAttributes(
	before: Account,
	attributes: Attributes,
): Pick<AccountChange, 'before' | 'after' | 'attributes'> {
	const { active } = attributes;
	const after = active === true ? 'active' : active === false ? 'inactive' : before;
	return { before, after, attributes };
}

/** Adds to the plan what makes a user as requested, all of it where the user was not read; nothing when it is so already. */
function planUpdate(
	wanted: Omit<WantedChange, 'item'> & { label?: string },
	parts: Part[],
	plan: AccountPlan,
	{ profile, knows = () => true, compare = compareUser }: AttributeRules,
): void {
	const { person, user, why, label = nameOf(person) } = wanted;
	const shown = user?.attributes;
	const attributes = user ? clearedByParts(wanted.attributes, user) : wanted.attributes;
	const action = `update user ${label}`;
	const { different, notShown } = user
		? compare(attributes, user, profile)
		: { different: Object.keys(attributes), notShown: [] };
	// Sending what the service does not know would be one request per person and night, for nothing.
	const unknown = notShown.filter((name) => !knows(name));
	const warnings = [...wanted.warnings, ...notKeptWarnings(unknown, [attributes])];
	const left = pick(attributes, [...different, ...notShown.filter(knows)]);
	if (replaceAttributes(left).length === 0) {
		settle(plan, parts, { status: 'unchanged', action, warnings }, user);
		return;
	}
	plan.changes.push({
		...baseOf('update', person, action, parts, warnings, why),
		...withAttributes(accountOf(user), shown ? withEmailTypes(left, shown) : left),
		...(shown && wasOf(left, shown)),
		...lostOf(user, left, profile),
	});
}

/** Adds to the plan the user as read, with the given attributes in place. */
function planReplacement(
	{ person, user, attributes, why, ...wanted }: WantedChange,
	parts: Part[],
	plan: AccountPlan,
	{ profile }: AttributeRules,
	readAt: Moment,
): void {
	if (user === undefined) return;
	const planned = wholeUser(user, attributes);
	const warnings = [...wanted.warnings, ...overwriteWarnings(planned.version)];
	plan.changes.push({
		...baseOf('update', person, `replace user ${nameOf(person)}`, parts, warnings, why),
		...withAttributes(accountOf(user), attributes),
		...wasOf(attributes, user.attributes),
		whole: { readAt, planned },
		...lostOf(user, attributes, profile),
	});
}

/** An extension that is null is cleared by its attributes: no path leads to it as a whole (RFC 7644 section 3.5.2). */
function clearedByParts(attributes: Attributes, user: User): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).map(([name, value]) => {
			const shown = attribute(user.attributes, name);
			if (value !== null || !/^urn:/i.test(name) || !isObject(shown)) return [name, value];
			return [name, Object.fromEntries(Object.keys(shown).map((part) => [part, null]))];
		}),
	);
}

/** Values that give access and that are gone once attributes are replaced by these. */
function lostOf(
	user: User | undefined,
	attributes: Attributes,
	profile: ServiceProfile,
): Pick<AccountChange, 'lost'> {
	const lost = user === undefined ? [] : lostValues(user, attributes, profile);
	return lost.length > 0 ? { lost } : {};
}

/** Attributes of users who are there: one change per person, however many items mean that person. */
export function planUpdates(wanted: readonly WantedChange[], rules: AttributeRules): AccountPlan {
	const plan: AccountPlan = { changes: [], settled: [] };
	const merged = new Map<string, { change: WantedChange; parts: Part[] }>();
	for (const change of wanted) {
		const { item, person, user, source } = change;
		const part = { item, subject: person.key };
		const first = merged.get(person.key);
		const clash = first && conflict({ ...first.change, parts: first.parts }, change);
		const refused =
			userNameRefusal(change, rules.profile) ??
			(clash === undefined
				? undefined
				: new InputError(
						clash,
						'Send the same values in both items, or run them one after the other.',
					));
		if (refused !== undefined) {
			const outcome = failureOf(`update user ${nameOf(person)}`, refused);
			const result = { who: whoIs(person, user), intent: 'updated' as const, source };
			plan.settled.push({ ...part, outcome, result });
		} else if (first === undefined) {
			const own = { ...change, attributes: { ...change.attributes } };
			merged.set(person.key, { change: own, parts: [part] });
		} else {
			complete(first.change.attributes, change.attributes);
			first.change.user ??= user;
			first.change.warnings = [...new Set([...first.change.warnings, ...change.warnings])];
			if (first.parts.every((one) => one.item !== item)) first.parts.push(part);
		}
	}
	const readAt = rules.replacesAsRead;
	for (const { change, parts } of merged.values()) {
		if (readAt === undefined) planUpdate(change, parts, plan, rules);
		else planReplacement(change, parts, plan, rules, readAt);
	}
	return plan;
}

/** On some services a changed userName is accepted and changes nothing but what is shown (test/contract/interface.md 2.2). */
export function userNameRefusal(
	{ attributes, person, user }: Pick<WantedChange, 'attributes' | 'person' | 'user'>,
	{ userNameCanChange }: ServiceProfile,
): InputError | undefined {
	const wanted = attributes.userName;
	const current = user?.userName ?? person.userName;
	if (wanted === undefined || userNameCanChange) return undefined;
	if (current !== undefined && nameKey(String(wanted)) === nameKey(current)) return undefined;
	return new InputError(
		`The user name of ${nameOf(person)} cannot be changed to ${String(wanted)}`,
		'This service ties the account to the user name: create a user with the new one, assign the roles, and deactivate the old one.',
	);
}

function pick(attributes: Attributes, names: readonly string[]): Attributes {
	return Object.fromEntries(names.map((name) => [name, attributes[name]]));
}

function settle(plan: AccountPlan, parts: Part[], outcome: Outcome, user?: User): void {
	for (const part of parts) {
		plan.settled.push({
			...part,
			outcome,
			...(user && { result: { who: { kind: 'user', user } } }),
		});
	}
}
