import {
	deactivates,
	findClashes,
	notKeptWarnings,
	whoIs,
	type Settled,
} from '../../../shared/access/changes';
import { AbsentError, nobodyShown, UnknownKeyError, userOf } from '../../../shared/access/facts';
import { NO_ITEM, optionsField, previewFirstField } from '../../../shared/run';
import {
	compareWholeLists,
	type Matching,
	type Unmatched,
	type User,
	shownActivity,
} from '../../../shared/scim';
import { InputError, messageOf, nameKey, shown } from '../../../shared/util';
import {
	absentFields,
	readAbsent,
	readUserScope,
	type UserScope,
} from '../../fields/reconcileSettings';
import { rulesFor, knownToService } from '../../fields/accessPlan';
import { userColumnsField } from '../../fields/userAttributes';
import {
	datesField,
	datesOf,
	isOnHold,
	nobodyOnHold,
	ON_HOLD,
	withEnds,
	type RowTime,
	becauseOf,
	endedItems,
	endedRows,
	keepsWarning,
	withoutEndedFaults,
} from '../../fields/dates';
import { emptyCellsOption } from '../../fields/attributes';
import {
	allowPermanentRemoval,
	maxCreates,
	safetyLimitsFields,
	linkByUserNameOption,
	reactivateOption,
} from '../../fields/options';
import { findPeople, type Finding, type FoundPeople } from '../../fields/people';
import { labelOf, requireLastingNames } from '../../fields/person';
import { resolveManagers, warnOfLeaving } from '../../fields/managers';
import { leftAlone, reconcileItems } from '../../fields/accessItem';
import {
	blankRow,
	isFromList,
	readRows,
	unreadableItems,
	unusableOf,
	unusableRow,
	type Row,
} from '../../fields/rows';
import {
	unsentColumns,
	userRowFields,
	userRowReader,
	USERS,
	type NamedUserRow,
} from '../../fields/userRows';
import { returnOption } from '../../fields/item';
import { undoOption } from '../../fields/undo';
import type { OperationContext } from '../../context';
import type { Basis, Planned } from '../../../shared/access/write';
import { scimWrite } from '../../runWrite';
import {
	ABSENT,
	absentWishes,
	diff,
	newcomerWish,
	ofNewcomer,
	newLogin,
	noAccount,
	userRowWish,
	wantedAttributes,
} from '../../../shared/access/plans';

/** Compares a whole list of people with the accounts that are there, and makes these as the list says. */
export const reconcileUsers = scimWrite<Row<NamedUserRow>>({
	name: 'Reconcile',
	action: 'Reconcile users',
	description:
		'Create and update users to match a list. With Users Not in the List, deactivate the others, too.',
	fields: [
		...userRowFields,
		userColumnsField,
		datesField,
		...absentFields,
		previewFirstField,
		...safetyLimitsFields(allowPermanentRemoval, maxCreates),
		optionsField([
			emptyCellsOption,
			linkByUserNameOption,
			reactivateOption,
			returnOption,
			undoOption,
		]),
	],

	items: () => reconcileItems(USERS),
	rows: USERS,
	plans: {
		operation: 'reconcileUsers',
		refusesExisting: true,
		comparesUsers: true,
		compares: { what: 'Users', differ: 'differ', match: 'match', list: 'Users' },
	},
	collect(item, operation) {
		operation.requireUndoable(
			readAbsent(operation.context)?.deactivates ? 'deactivate' : undefined,
		);
		return readRows(operation.context, item, USERS, userRowReader(operation));
	},
	plan,
});

async function plan(
	given: ReadonlyArray<Row<NamedUserRow>>,
	operation: OperationContext,
	refused: ReadonlyMap<number, unknown>,
): Promise<Planned> {
	const rows = withoutEndedFaults(given, operation);
	const { context, options, matching, reader, client, isProtected, previews } = operation;
	if (matching.by === 'userName') requireLastingNames(client.profile);
	const absent = readAbsent(context);
	const all = rows.flatMap((row) => (row.kind === 'wanted' ? row.wanted : []));
	const named = all.filter(({ time }) => time.state !== 'ended');
	const endedOf = endedRows(all, operation);
	const { users, incomplete } = await reader.people.everybody(
		named.flatMap(({ reference }) => {
			if (reference.by === 'id') return [];
			return 'key' in reference ? reference : { key: reference.userName };
		}),
		matching,
	);
	const index = (await reader.people.all()).index(matching);
	const noMembers = await reader.memberships.read({ groups: [] });
	const match = async (creates: Finding['creates']) => {
		// Filters have told whether an empty list is to be believed.
		const references = users.length === 0 ? [] : named.map(({ reference }) => reference);
		const finding = { readsUsers: true, links: options.linkByUserName === true, creates };
		const people = await findPeople(references, noMembers, operation, finding);
		return matchByTime(named, people, { incomplete, matching });
	};
	const first = await match('looksFirst');
	const listed = first.acting;
	const scope = absent && (await readUserScope(absent, users, operation));
	// A list shows who was renamed by the new name alone: before others count as absent, filters are asked.
	const mayBeRenamed =
		scope?.deactivates === true &&
		matching.by === 'userName' &&
		[...listed, ...first.waiting].some(isNew) &&
		absentIn(users, [...listed, ...staying(first.waiting, endedOf)], scope).length > 0;
	const { acting: matched, waiting } = mayBeRenamed ? await match('proves') : first;
	const present = [...matched, ...staying(waiting, endedOf)];
	const managers = await resolveManagers(
		matched.flatMap(({ row, error }) => (error === undefined ? row : [])),
		matched
			.filter(isNew)
			.flatMap(({ row, userName }) =>
				deactivates(row.attributes) ? [] : { userName, attributes: ofNewcomer(row) },
			),
		({ row, reference }) => ({ name: labelOf(reference), row }),
		operation,
	);
	const fresh = matched.filter(isNew).map((one) => ({ ...one, row: managers.of(one.row) }));
	// A service that shows no user at all does not say that these have left.
	const untold = users.length > 0 ? [] : fresh.filter(({ row }) => deactivates(row.attributes));
	// An account that is linked by user name has a row after all.
	const meant = accountsOf([...matched, ...waiting]);
	const unmatched = index.unmatched().filter(({ user }) => !meant.has(user.id));
	const unusable = [
		...rows.flatMap((row) => (row.kind === 'bad' ? unusableRow(row) : [])),
		...[...matched, ...waiting].flatMap(({ row, error }) =>
			error ? unusableRow({ ...row, error }) : [],
		),
		...untold.map(({ row }) => unusableRow({ ...row, error: nobodyShown(row.key, matching) })),
	];
	const unreadable = unreadableItems(refused);
	const wanted = matched.flatMap(({ row: asGiven, user }) => {
		const row = managers.of(asGiven);
		return user ? [{ row, user, attributes: wantedAttributes(row, user, client.profile) }] : [];
	});
	const knows = await knownToService(wanted, client);
	const notKept = new Set(
		wanted.flatMap(({ attributes }) => Object.keys(attributes).filter((name) => !knows(name))),
	);
	const heldBack = whyHeldBack(unusable, unreadable, incomplete);
	const rules = {
		...{ matching, profile: client.profile, heldBack },
		reactivate: options.reactivate === true,
	};
	const known = wanted.map(({ row, user, attributes }) =>
		userRowWish(row, user, attributes, rules),
	);
	const leftAsIs = new Set(unmatched.map(({ user }) => user.id));
	const leaving = absentIn(users, present, scope).filter(
		({ id, userName }) => !leftAsIs.has(id) && !isProtected({ key: id, id, userName }),
	);
	const made = diff(
		[
			...known.flatMap(({ wishes }) => wishes),
			...fresh.flatMap(({ row, userName }) =>
				deactivates(row.attributes) ? [] : newcomerWish(row, userName, matching),
			),
			...absentWishes(leaving, scope?.deactivates === true ? heldBack : ABSENT, (user) => {
				const [ended] = endedOf(user);
				return ended && becauseOf(ended);
			}),
		],
		rulesFor(scope?.access ?? noMembers, operation, {
			...{ ifExists: 'fail', knows, compare: compareWholeLists },
		}),
	);
	const dates = datesOf(operation);
	const rowOf = new Map(
		matched.map((one) => [one.user?.id ?? nameKey(one.userName ?? ''), one.row]),
	);
	const changes = withEnds(warnOfLeaving(made.changes), (change) => {
		const row = 'person' in change ? rowOf.get(change.person.key) : undefined;
		return row ? [row.time] : [];
	});
	const isList = isFromList(context, USERS);
	const settled = [
		...(isList ? [] : rows.flatMap(blankRow)),
		...unusable,
		...managers.settled,
		...known.flatMap((one) => one.settled),
		...fresh.flatMap(({ row, userName }) =>
			deactivates(row.attributes) && users.length > 0 ? noAccount(row, userName) : [],
		),
		...made.settled,
		...waiting.flatMap(waitingRow),
		...(previews ? unmatched.map(unmatchedAccount) : []),
	];
	if (!isList) settled.push(...endedItems(given, changes, settled, operation));
	const isEmpty = wanted.length + fresh.length + waiting.length === 0;
	const problems = [...unreadable, ...unusableOf(settled)];
	return {
		...{ settled, changes },
		warnings: [
			...wanted.flatMap(({ row, user }) => {
				const [ended] = row.time.state === 'counts' && !row.time.isDated ? endedOf(user) : [];
				return ended ? keepsWarning(row.row, ended) : [];
			}),
		],
		basis: {
			among: amongUsers(users, scope),
			limits: dates.limits(given),
			...(scope?.access && { access: scope.access }),
		},
		words: {
			notes: [
				...(incomplete === undefined ? [] : [unseen(incomplete, scope)]),
				...notKeptWarnings(
					[...notKept],
					wanted.map(({ attributes }) => attributes),
				),
				...unsentColumns(rows, operation),
				...managers.notes,
				...dates.warnings,
			],
			blockedBy: [
				...dates.blockedBy(given),
				...(isEmpty ? [withoutRows(problems, all.length > 0)] : []),
			],
			summary: {
				said: dates.said(given),
				unusable: problems,
				leftAlone: leftAlone(settled, operation),
				compared: !isEmpty,
				unmatched,
			},
		},
	};
}

interface MatchRules {
	/** Why there may be more accounts than were seen, if so. */
	incomplete: string | undefined;
	matching: Matching;
}

/** A row with its account, or the user name of a new one, or why neither can be told. */
interface MatchedRow {
	row: NamedUserRow;
	user?: User;
	userName?: string;
	error?: unknown;
}

/**
 * Rows that count now, and those that wait: of these one person may have several, and needs no account. All rows of somebody
 * who is on hold wait.
 */
function matchByTime(rows: readonly NamedUserRow[], people: FoundPeople, rules: MatchRules) {
	const { matching } = rules;
	const inState = (state: RowTime['state']) => rows.filter(({ time }) => time.state === state);
	const counting = inState('counts').map((row) => matchRow(row, people, rules));
	const waiting = inState('waits').map((row) =>
		isOnHold(row.time) ? matchHeld(row, people, rules) : matchWaiting(row, people),
	);
	const onHold = waiting.filter(({ row: { time } }) => isOnHold(time));
	const held = new Set(onHold.flatMap((one) => keysOf(one, matching)));
	const isOfHeld = (one: MatchedRow) => keysOf(one, matching).some((key) => held.has(key));
	return {
		acting: withoutClashes(
			counting.filter((one) => !isOfHeld(one)),
			matching,
		),
		waiting: [...waiting, ...counting.filter(isOfHeld)].map((one): MatchedRow =>
			isOfHeld(one) ? { ...one, row: { ...one.row, time: ON_HOLD } } : one,
		),
	};
}

/** A row on hold has to lead to an account, or it holds removals back. */
function matchHeld(row: NamedUserRow, people: FoundPeople, rules: MatchRules): MatchedRow {
	const found = matchRow(row, people, rules);
	return found.user === undefined && found.error === undefined
		? { row, error: nobodyOnHold(row.row) }
		: found;
}

function matchWaiting(row: NamedUserRow, people: FoundPeople): MatchedRow {
	const { reference } = row;
	const found = people.newName(reference) === undefined ? people.person(reference) : undefined;
	if (found?.ok && found.value.user) return { row, user: found.value.user };
	const isThere = found?.ok === false && !(found.error instanceof AbsentError);
	return isThere ? { row, error: found.error } : { row, userName: labelOf(reference) };
}

/** Waiting rows whose person is not absent in between, having left before. */
function staying(
	waiting: readonly MatchedRow[],
	endedOf: (person: User) => readonly unknown[],
): MatchedRow[] {
	return waiting.filter(
		(one) => isOnHold(one.row.time) || one.user === undefined || endedOf(one.user).length === 0,
	);
}

function matchRow(row: NamedUserRow, people: FoundPeople, rules: MatchRules): MatchedRow {
	try {
		return { row, ...accountOf(row, people, rules) };
	} catch (error) {
		return { row, error };
	}
}

/** Two rows about the same person cannot be used. Linear in rows. */
function withoutClashes(matched: readonly MatchedRow[], matching: Matching): MatchedRow[] {
	const clashes = findClashes(
		matched,
		(one) => keysOf(one, matching),
		() => true,
		(one, other) => sameUser(one.row, other.row),
	);
	return matched.map((one) => {
		const clash = keysOf(one, matching).find((key) => clashes.has(key));
		return clash === undefined ? one : { row: one.row, error: clashes.get(clash) };
	});
}

/** @throws InputError where the account cannot be told, and where a new one would be a second one of the person */
function accountOf(
	{ reference, key }: NamedUserRow,
	people: FoundPeople,
	{ incomplete, matching }: MatchRules,
): Pick<MatchedRow, 'user' | 'userName'> {
	const userName = people.newName(reference);
	if (userName === undefined) {
		const found = people.person(reference);
		if (found.ok) return { user: userOf({ ok: true, value: found.value.user }, found.value.id) };
		const { error } = found;
		if (error instanceof UnknownKeyError) throw noUserName(key, matching);
		throw error instanceof InputError || key === ''
			? error
			: notFoundOut(key, matching, messageOf(error));
	}
	if (incomplete !== undefined)
		throw notFoundOut(key, matching, `the list of users is incomplete: ${incomplete}`);
	return { userName };
}

function keysOf({ row, user, userName: newName }: MatchedRow, { fold }: Matching): string[] {
	const userName = row.userName ?? newName ?? (user ? newLogin(row, user) : row.email);
	return [
		...(row.key === '' ? [] : [`key\n${fold(row.key)}`]),
		...(user ? [`id\n${user.id}`] : []),
		...(userName ? [`name\n${nameKey(userName)}`] : []),
	];
}

function sameUser(first: NamedUserRow, { row, reference }: NamedUserRow): InputError {
	return new InputError(
		`Rows ${first.row} and ${row} are about the same user (${shown(labelOf(reference))})`,
		'Keep one of them. Neither was applied.',
	);
}

/** Said on every item: there may be others, even where nobody who is shown is stopped by it. */
function unseen(why: string, scope: UserScope | undefined): string {
	const none = scope?.deactivates === true ? '. Nobody is deactivated for being in no row' : '';
	return `The list of users is incomplete: ${why}${none}`;
}

function notFoundOut(key: string, { label }: Matching, why: string): InputError {
	return new InputError(
		`Could not find out who has the ${label} ${shown(key)}: ${why}`,
		'The service does not show all users. Nothing was sent for this row.',
	);
}

function noUserName(key: string, { label }: Matching): InputError {
	return new InputError(
		`No user has the ${label} ${shown(key)}, and the row has no user name for a new one`,
		'Enter userName or email.',
	);
}

/** Why no user is deactivated; undefined where every row names a known user. */
function whyHeldBack(
	unusable: readonly Settled[],
	unreadable: ReadonlyArray<{ row: string }>,
	incomplete: string | undefined,
): string | undefined {
	if (incomplete !== undefined) return `the list of users is incomplete: ${incomplete}`;
	const row = unreadable.at(0)?.row ?? unusable.at(0)?.subject;
	return row === undefined ? undefined : `nobody is deactivated while ${row} cannot be used`;
}

function withoutRows(
	problems: ReadonlyArray<{ row: string; reason: string }>,
	hasEnded: boolean,
): string {
	const [first] = problems;
	if (first === undefined) {
		const what = hasEnded ? 'Every row of Users has ended' : 'The list of users is empty';
		return `${what}. Check the source.`;
	}
	return `No row can be used: ${first.row}: ${first.reason}.`;
}

function isNew(one: MatchedRow): one is MatchedRow & { userName: string } {
	return one.userName !== undefined;
}

/** IDs of the accounts of rows. */
function accountsOf(matched: readonly MatchedRow[]): Set<string> {
	return new Set(matched.flatMap(({ user }) => user?.id ?? []));
}

/** The active people in scope who are in no row. */
function absentIn(
	users: readonly User[],
	matched: readonly MatchedRow[],
	scope: UserScope | undefined,
): User[] {
	if (scope === undefined) return [];
	const meant = accountsOf(matched);
	return users.filter(
		(user) => shownActivity(user) !== 'inactive' && !meant.has(user.id) && scope.includes(user),
	);
}

/** A row that waits: nothing is done for its person. */
function waitingRow({ row, user, userName = '', error }: MatchedRow): Settled[] {
	const { item, time } = row;
	if (error !== undefined || time.state !== 'waits') return [];
	const who = user?.userName ?? userName;
	const outcome = { status: 'skipped', action: `update user ${who}`, reason: time.reason } as const;
	const person = { key: user?.id ?? nameKey(who), userName: who, ...(user && { id: user.id }) };
	const result = { who: whoIs(person, user), intent: 'none' as const, source: row.row };
	return [{ item, subject: person.key, outcome, result }];
}

/** The people that the affected are a share of. */
function amongUsers(users: readonly User[], scope: UserScope | undefined): Basis['among'] {
	const active = users.filter((user) => shownActivity(user) !== 'inactive');
	if (scope === undefined) return { people: active.length, are: 'active users' };
	return { people: active.filter(scope.includes).length, are: 'active people in scope' };
}

function unmatchedAccount({ user, who, reason }: Unmatched): Settled {
	const action = `match user ${who}`;
	return {
		...{ item: NO_ITEM, subject: user.id, outcome: { status: 'skipped', action, reason } },
		result: { who: whoIs(user, user), intent: 'none' },
	};
}
