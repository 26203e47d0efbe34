import { AbsentError, isNotFound, namedUsers, whyNotFound } from '../../shared/access/facts';
import {
	clearsManager,
	idOfNew,
	managerIn,
	nameOf,
	personLosingAccount,
	whoIs,
	withManager,
	type Change,
	type Settled,
} from '../../shared/access/changes';
import { RequestError } from '../../shared/http';
import { failureOf } from '../../shared/run';
import {
	matchingBy,
	namesOf,
	shownActivity,
	type Attributes,
	type Matching,
	type User,
} from '../../shared/scim';
import { addTo, InputError, looksLikeEmail, messageOf, nameKey, shown } from '../../shared/util';
import type { OperationContext } from '../context';

/** What an item wants of the attributes of a user. */
interface Wanting {
	item: number;
	attributes?: Attributes;
	warnings?: readonly string[];
}

/** A user to be created, who may be the manager of another one. */
interface NewUser {
	userName: string;
	attributes: Attributes;
}

/** Whose manager it is: the person as the item names it, and the row. */
interface Report {
	name: string;
	row?: string;
}

/** What the text of a manager leads to. */
type Manager = { user: User } | { newcomer: string } | { error: unknown };

export interface ResolvedManagers<W> {
	/** What is wanted, with the ID of the manager; the very same where none is named. */
	of(wanted: W): W;
	/** Managers that cannot be told. Everything else of their people goes on. */
	settled: Settled[];
	/** One line about all whose manager is no user. */
	notes: string[];
}

const BY_EMAIL = matchingBy('email');
/** So many rows are named. */
const MOST_NAMED = 5;

/**
 * Finds the managers that attributes name: by ID, by what users are matched by, or by email, all of them together. Without one
 * the attribute stays as it is.
 * @param newcomers users who are created in the same run; one of them stands for the ID (`idOfNew`)
 */
export async function resolveManagers<W extends Wanting>(
	wanted: readonly W[],
	newcomers: readonly NewUser[],
	reportOf: (wanted: W) => Report,
	operation: OperationContext,
): Promise<ResolvedManagers<W>> {
	const texts = wanted.flatMap(({ attributes = {} }) => managerIn(attributes) ?? []);
	const find = await findManagers([...new Set(texts)], newcomers, operation);
	const resolved = new Map<W, W>();
	const settled: Settled[] = [];
	const absent: string[] = [];
	for (const want of wanted) {
		const { attributes = {}, warnings = [], item } = want;
		const text = managerIn(attributes);
		if (text === undefined) {
			if (clearsManager(attributes))
				resolved.set(want, { ...want, attributes: withManager(attributes, null) });
			continue;
		}
		const manager = find(text);
		const [id, more, error] = resolution(manager, text);
		resolved.set(want, {
			...want,
			attributes: withManager(attributes, id),
			warnings: [...warnings, ...more],
		});
		const { name, row } = reportOf(want);
		if (id === undefined && error === undefined) absent.push(row ?? name);
		if (error === undefined) continue;
		const who = row === undefined ? name : `row ${row}`;
		const outcome = failureOf(`set the manager of ${who}`, refusal(error, who));
		const result = { who: whoIs({ userName: name }), intent: 'updated' as const, source: row };
		settled.push({ item, subject: `manager\n${name}`, outcome, result });
	}
	return { of: (want) => resolved.get(want) ?? want, settled, notes: notesOn(absent) };
}

/** Adds to changes that set a manager whom the same plan shuts out that it does. */
export function warnOfLeaving(changes: readonly Change[]): Change[] {
	const leaving = new Map(
		changes.flatMap((change) => {
			const person = personLosingAccount(change);
			return person?.id === undefined ? [] : [[person.id, nameOf(person)] as const];
		}),
	);
	return changes.map((change) => {
		const { attributes = {} } = change.about === 'account' ? change : {};
		const who = leaving.size === 0 ? undefined : leaving.get(managerIn(attributes) ?? '');
		if (who === undefined || change.about !== 'account') return change;
		return {
			...change,
			warnings: [
				...change.warnings,
				`This run deactivates ${who}, the manager of ${nameOf(change.person)}.`,
			],
		};
	});
}

function notesOn(absent: readonly string[]): string[] {
	if (absent.length === 0) return [];
	const more = absent.length - MOST_NAMED;
	const rows = absent.slice(0, MOST_NAMED).join(', ');
	const all = `${rows}${more > 0 ? `, and ${more} more` : ''}`;
	return [`No user matches the manager of row ${all}: the manager stays as it is.`];
}

/** What comes of a manager: the ID, what is said of it, and what fails. */
function resolution(
	manager: Manager,
	text: string,
): [id: string | undefined, warnings: string[], error?: unknown] {
	if ('newcomer' in manager) return [idOfNew(manager.newcomer), []];
	if ('user' in manager) {
		const { id, userName } = manager.user;
		const isInactive = shownActivity(manager.user) === 'inactive';
		return [id, isInactive ? [`The manager ${shown(userName || id)} is inactive.`] : []];
	}
	if (!(manager.error instanceof AbsentError)) return [undefined, [], manager.error];
	return [
		undefined,
		[`No user matches the manager ${shown(text)}, so the manager stays as it is.`],
	];
}

function refusal(error: unknown, who: string): InputError {
	const isAdvised = error instanceof InputError || error instanceof RequestError;
	const advice = isAdvised ? error.description : '';
	return new InputError(`The manager of ${who} was not set: ${messageOf(error)}`, advice);
}

/** Finds the user of each text, with no request where the run has read the whole list of users. */
async function findManagers(
	texts: readonly string[],
	newcomers: readonly NewUser[],
	{ reader: { people }, client: { facts, profile }, matching }: OperationContext,
): Promise<(text: string) => Manager> {
	if (texts.length === 0) return (text) => ({ error: noManager(text) });
	const fresh = newcomersBy(newcomers, matching);
	const isListed = await people.hasListed();
	const open = isListed ? texts : texts.filter((text) => fresh(text).length === 0);
	const read = await people.read(
		open.filter((text) => !isListed && !looksLikeEmail(text) && !facts.lastRead(text)),
	);
	const find = async (keys: readonly string[], by: Matching) =>
		await people.find(keys, { matching: by, absence: 'refusable' });
	const byKey = await find(
		open.filter((text) => isListed || !facts.lastRead(text)),
		matching,
	);
	const byEmail = await find(
		open.filter((text) => looksLikeEmail(text) && byKey.get(text)?.kind === 'absent'),
		BY_EMAIL,
	);
	// Somebody else may have what names a user, or a new one, among their emails: a list shows that.
	const isToldByKey = (text: string) =>
		fresh(text).length === 0 && (matching.by === 'email' || byKey.get(text)?.kind !== 'found');
	const mayShare = (text: string) =>
		!profile.knowsPeopleByLogin && looksLikeEmail(text) && !isToldByKey(text);
	const beside = await people.findSharing(texts.filter(mayShare));
	return (text) => {
		const asked = read.get(text);
		if (asked?.ok === false && !isNotFound(asked)) return { error: asked.error };
		const found = [byKey, byEmail, beside].flatMap((by) => by.get(text) ?? []);
		const own = found.flatMap((one) => (one.kind === 'found' ? one.user : []));
		// Who has the name in another case is another person beside the exact one.
		const alike = facts
			.sharing([text])
			.filter(({ userName }) => own.length === 0 || nameKey(userName) !== nameKey(text));
		const all = [facts.lastRead(text) ?? [], own, alike].flat();
		const users = [...new Map(all.map((user) => [user.id, user])).values()];
		const isThere = (name: string) => users.some(({ userName }) => nameKey(userName) === name);
		const made = fresh(text).filter((name) => !isThere(nameKey(name)));
		if (users.length + made.length > 1) return { error: severalManagers(text, users, made) };
		for (const one of found)
			if (one.kind !== 'found' && (one.kind !== 'absent' || one.isUnsure === true))
				return { error: whyNotFound(one, text, matching) };
		const [user] = users;
		if (user !== undefined) return { user };
		return made.length === 1 ? { newcomer: made[0] } : { error: noManager(text) };
	};
}

/** Finds the user names of new users by their user name, an email, or what users are matched by. */
function newcomersBy(
	newcomers: readonly NewUser[],
	matching: Matching,
): (text: string) => string[] {
	const names = new Map<string, string[]>();
	for (const user of newcomers) {
		const keys = new Set([...namesOf(user), matching.fold(matching.keyOf(user))]);
		for (const key of keys) if (key !== '') addTo(names, key, user.userName);
	}
	return (text) => {
		const found = [nameKey(text), matching.fold(text)].flatMap((key) => names.get(key) ?? []);
		return [...new Map(found.map((name) => [nameKey(name), name])).values()];
	};
}

function noManager(text: string): AbsentError {
	return new AbsentError(
		`No user matches the manager ${shown(text)}`,
		'Enter the ID, the user name or the email of a user.',
	);
}

function severalManagers(
	text: string,
	users: readonly User[],
	made: readonly string[],
): InputError {
	const all = [...(users.length > 0 ? [namedUsers(users)] : []), ...made];
	return new InputError(
		`${shown(text)} may be ${all.join(' or ')}`,
		'Enter the ID of the manager. Until then the manager stays as it is.',
	);
}
