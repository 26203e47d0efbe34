import {
	findContradictions,
	nameOf,
	type Change,
	type Person,
	type Settled,
} from '../../../shared/access/changes';
import {
	AbsentError,
	peopleIn,
	selectGroups,
	type Access,
	type GroupReference,
	type GroupSelection,
} from '../../../shared/access/facts';
import { failureOf, NO_ITEM, optionsField, previewFirstField } from '../../../shared/run';
import { matchingBy, type User, valuesOf, shownActivity } from '../../../shared/scim';
import { addTo, InputError, cachedPerObject, type Attempt, shown } from '../../../shared/util';
import { UNKNOWN_ACCESS, leftAlone, reconcileItems } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { accessByField, isByGroup } from '../../fields/assignments';
import { columnsField, readColumns, unusedColumns } from '../../fields/columns';
import {
	datesField,
	datesOf,
	groupsGiven,
	isOnHold,
	nobodyOnHold,
	withEnds,
	type RowTime,
	becauseOf,
	endedItems,
	endedRows,
	keepsWarning,
	withoutEndedFaults,
} from '../../fields/dates';
import {
	allowPermanentRemoval,
	maxCreates,
	safetyLimitsFields,
	matchUsersByOption,
} from '../../fields/options';
import { notFound, labelOf, requireLastingNames, type Lookup } from '../../fields/person';
import { resolveManagers, warnOfLeaving } from '../../fields/managers';
import { findPeople, withoutUser, offerToCreate, personOf, withNames } from '../../fields/people';
import {
	DESIRED_ACCESS,
	groupOfBadRow,
	organizationOfBadRow,
	peopleOfBadRow,
	rowFields,
	wantedRowReader,
	type WantedRow,
} from '../../fields/reconcileRows';
import {
	allowEmpty,
	deactivatesEmpty,
	readReconcileSettings,
	readScope,
	reconcileOptions,
	scopeFields,
	type ReconcileScope,
	type ReconcileSettings,
} from '../../fields/reconcileSettings';
import { notSentWarnings } from '../../fields/rowAttributes';
import {
	blankRow,
	isFromList,
	readRows,
	skipInactive,
	unreadableItems,
	unusableOf,
	unusableRow,
	type BadRow,
	type Row,
} from '../../fields/rows';
import { wholeState } from '../../fields/state';
import { returnOption } from '../../fields/item';
import { undoOption } from '../../fields/undo';
import type { OperationContext } from '../../context';
import type { Planned } from '../../../shared/access/write';
import { scimWrite } from '../../runWrite';
import {
	diff,
	heldBackPlace,
	reconcileWishes,
	rowWish,
	surplusIn,
	withoutAccess,
	type ReconcileRules,
	type RowWish,
	type ShownLeaver,
	type Waits,
} from '../../../shared/access/plans';
import { unknownGroup, hiddenMembers } from '../../../shared/access/guards';

/** A row whose group is known: its ID, in a list that rows of one group share. */
type GroupRow = WantedRow & { hold: readonly string[] };

/** What such a row wants of its person. */
type NamedRowWish = RowWish & Pick<WantedRow, 'reference' | 'time'>;

/** The rows of a person that have ended. */
type EndedOf = ReturnType<typeof endedRows<GroupRow>>;

/** Compares a whole list of who should have which access with what is there, and makes it so within a scope. */
export const reconcile = scimWrite<Row<WantedRow>>({
	name: 'Reconcile',
	action: 'Reconcile access with list',
	description: 'Make access match a complete list. Access in scope that is not listed is removed.',
	fields: [
		accessByField,
		...scopeFields,
		...rowFields,
		columnsField,
		datesField,
		previewFirstField,
		...safetyLimitsFields(...allowEmpty, allowPermanentRemoval, maxCreates),
		optionsField([...reconcileOptions, matchUsersByOption, returnOption, undoOption]),
	],

	items: () => reconcileItems(DESIRED_ACCESS),
	rows: DESIRED_ACCESS,
	plans: {
		operation: 'reconcile',
		compares: { what: 'Access', differ: 'differs', match: 'matches', list: 'Desired Access' },
	},
	collect(item, operation) {
		operation.requireUndoable(deactivatesEmpty(operation.context) ? 'deactivate' : undefined);
		return readRows(operation.context, item, DESIRED_ACCESS, wantedRowReader(operation));
	},
	plan,
});

async function plan(
	given: ReadonlyArray<Row<WantedRow>>,
	operation: OperationContext,
	refused: ReadonlyMap<number, unknown>,
): Promise<Planned> {
	const rows = withoutEndedFaults(given, operation);
	const { context } = operation;
	const settings = readReconcileSettings(context, operation);
	const { matching, client } = operation;
	if (matching.by === 'userName' && rows.some(({ kind }) => kind === 'bad')) {
		requireLastingNames(client.profile);
	}
	const shown = await operation.reader.memberships.readSingleRoles();
	if (settings.deactivatesEmpty && shown.shown.told !== 'all') throw deactivatesBlindly();
	const scope = readScope(settings.scope, shown, operation);
	const ignored = selectGroups(settings.ignored, shown.groups.values(), operation.ids.key);

	const groups = groupsOf(shown, operation);
	const { wanted: listed, bad } = withGroups(rows, groups);
	const wanted = listed.filter(({ time }) => time.state !== 'ended');
	const endedOf = endedRows(listed, operation);
	const heldBack = new Map<string, string>();
	for (const item of refused.keys()) heldBack.set('', heldBackBy(`item ${item}`));
	for (const row of bad) heldBack.set(groups.placeOfBad(row), heldBackBy(`row ${row.row}`));
	const found = await findWanted(wanted, bad, endedOf, shown, settings, operation);
	const common = { scope, ids: operation.ids, profile: client.profile };
	const others = [...surplusIn(found.wanted, { ...common, access: shown })].flatMap(
		({ isNamed, person }) => (isNamed ? [] : person),
	);
	// Who waits may be there by another name, too, and keeps the access then.
	const newcomers = [...found.wanted].flatMap(([key, own]) =>
		own.some(({ newcomer, person }) => newcomer ?? person.id === undefined) ? key : [],
	);
	const users = await readUnnamed(others, newcomers.length > 0, settings, operation);
	const access = withNames(shown, users);
	// A filter may miss a user who is there in another case, and a list one who was renamed: they must not lose what the row wants.
	const mayBeRenamed =
		settings.unwanted === 'revoke' &&
		others.some(({ id }) => !client.profile.knowsPeopleByLogin || !shown.names.has(id));
	const people = newcomers.some((key) => mayBeRenamed || access.idsByName.has(key))
		? await findWanted(wanted, bad, endedOf, access, settings, operation, mayBeRenamed)
		: found;
	const created = [...people.wanted.values()]
		.flat()
		.flatMap(({ newcomer, source }) => (newcomer ? Object.assign(newcomer, { row: source }) : []));
	const managers = await resolveManagers(
		created,
		created,
		({ userName, row }) => ({ name: userName, row }),
		operation,
	);
	for (const one of created) Object.assign(one, managers.of(one));
	for (const { row, hold, time } of people.missing) {
		// What is outside of the scope holds nothing back.
		if (isOnHold(time) || scope.includes(hold[0])) heldBack.set('', heldBackBy(`row ${row}`));
	}
	const { reactivate, unwanted } = settings;
	const compares = rulesFor(access, operation, { reactivate });
	const acting = [...people.wanted.values()].flat().filter(({ waits }) => waits === undefined);
	const clashOf = findContradictions(acting, compares);
	for (const { person, source, hold } of acting) {
		const [groupId] = hold;
		if (clashOf(person, groupId))
			heldBack.set(groups.placeOf(groupId), heldBackBy(`row ${source}`));
	}
	// Accounts that no row can name are neither deactivated, nor is anything removed from them.
	const unmatched =
		unwanted === 'keep' || matching.by === 'userName'
			? []
			: await operation.reader.people.unmatched(matching);
	const rules: ReconcileRules = {
		...compares,
		...{ scope, unwanted, heldBack, clashOf, isIgnored: ignored.includes },
		unmatched: new Map(unmatched.map(({ user, reason }) => [user.id, reason])),
		endedRow(person, groupId) {
			const row = endedAt(endedOf(person), groupId, groups);
			return row && becauseOf(row);
		},
	};
	const leaving = settings.deactivatesEmpty ? withoutAccess(people.wanted, rules) : [];
	const leavers = {
		shown: await stillActive(leaving, users, operation),
		whyKeptActive: people.whyKeptActive,
	};
	const made = reconcileWishes(people.wanted, leavers, rules);
	const compared = diff(made.wishes, rules);
	const dates = datesOf(operation);
	const planned = warnOfLeaving(compared.changes);
	const hasEnds = acting.some(({ time }) => time.state === 'counts' && time.until !== undefined);
	const timesByGroup = cachedPerObject((rows: readonly NamedRowWish[]) => {
		const times = new Map<string, RowTime[]>();
		for (const { hold, time } of rows) addTo(times, operation.ids.key(hold[0]), time);
		return times;
	});
	const timesOf = (change: Change) => {
		const own = 'person' in change ? people.wanted.get(change.person.key) : undefined;
		if (own === undefined) return [];
		return change.about === 'account'
			? own.map(({ time }) => time)
			: groupsGiven(change).flatMap((key) => timesByGroup(own).get(key) ?? []);
	};
	const changes = hasEnds ? withEnds(planned, timesOf) : planned;
	const isList = isFromList(context, DESIRED_ACCESS);
	const settled = [
		...(isList ? [] : rows.flatMap(blankRow)),
		...bad.map(unusableRow),
		...people.settled,
		...managers.settled,
		...made.settled,
		...skipInactive(compared.settled),
		...unknownAccess(access, settings),
		...cutGroups(access, scope, settings),
	];
	if (!isList) settled.push(...endedItems(given, changes, settled, operation));
	const unreadable = unreadableItems(refused);
	return {
		changes,
		unread: compared.unread,
		strangers: compared.strangers,
		settled,
		warnings: [
			...scope.unmatched.map((pattern) => `No group matches ${pattern} in Groups in Scope.`),
			...ignored.unmatched.map((pattern) => `No group matches ${pattern} in Ignore Groups.`),
			...acting.flatMap((wish) => {
				const { person, hold, source, time } = wish;
				const isOpen = time.state === 'counts' && !time.isDated;
				const ended = isOpen ? endedAt(endedOf(person), hold[0], groups) : undefined;
				return ended ? keepsWarning(source, ended) : [];
			}),
		],
		basis: {
			...{ access, ignored: keysOfIncluded(ignored, shown), among: scope.people },
			limits: dates.limits(given),
		},
		conclude,
		words: {
			notes: [
				...dates.warnings,
				...(settings.createMissing
					? notSentWarnings(
							unusedColumns(rows, readColumns(operation)).filter((name) => !dates.includes(name)),
							'Attribute Columns names those that new users get.',
						)
					: []),
			],
			blockedBy: [
				...dates.blockedBy(given),
				...(listed.length === 0 && unreadable.length > 0
					? unreadable.map(({ reason }) => `Desired Access cannot be used: ${reason}.`)
					: withoutRows(listed, endedOf, scope, settings, rules, isByGroup(context))),
			],
			summary: {
				said: dates.said(given),
				unusable: [...unreadable, ...unusableOf(settled)],
				leftAlone: leftAlone(settled, operation, access),
				unmatched,
				compared:
					people.wanted.size > 0 ||
					listed.length > wanted.length ||
					(rows.length === 0 && refused.size === 0 && settings.allowsEmpty),
			},
		},
	};
}

/**
 * Only the answer to a create may tell of an inactive person. It stands alone, since a function in `plan` would keep all that
 * was made of the rows.
 */
const conclude: Planned['conclude'] = async (applied) => skipInactive(applied);

function keysOfIncluded({ includes }: GroupSelection, { groups }: Access): ReadonlySet<string> {
	return new Set([...groups].flatMap(([key, { id }]) => (includes(id) ? [key] : [])));
}

function heldBackBy(which: string): string {
	return `nothing is removed here while ${which} cannot be used`;
}

function deactivatesBlindly(): InputError {
	return new InputError(
		'Deactivate Users Without Access cannot be used here',
		`${UNKNOWN_ACCESS}. Turn the option off.`,
	);
}

/** The groups of the service, as far as rows name them. */
interface Groups {
	/** A group that can be wanted. */
	find(reference: GroupReference): Attempt<string>;
	/** The place of a group, where an unusable row holds removals back. */
	placeOf(groupId: string): string;
	/** The place of a row that cannot be used; empty where that cannot be told. */
	placeOfBad(row: BadRow): string;
}

function groupsOf(access: Access, operation: OperationContext): Groups {
	const { ids } = operation;
	const { group: find } = wholeState({}, access, operation);
	const placeOf = (groupId: string) => heldBackPlace({ access, ids }, groupId);
	const places = new Set([...access.groups.values()].map(({ id }) => placeOf(id)));
	const isThere = (groupId: string) => access.groups.has(ids.key(groupId));
	return {
		placeOf,
		find(reference) {
			const found = find(reference);
			// A role that a known organization does not have is for the diff to refuse: where it is wanted can be told.
			if (!found.ok || isThere(found.value) || places.has(placeOf(found.value))) return found;
			return { ok: false, error: unknownGroup(found.value, { access }) };
		},
		placeOfBad(row) {
			if (datesOf(operation).mayHold(row.values)) return '';
			const reference = groupOfBadRow(row, operation);
			const group = reference && find(reference);
			if (group?.ok && isThere(group.value)) return placeOf(group.value);
			const organization = organizationOfBadRow(row, operation);
			if (organization === undefined || ids.standsFor === 'nothing') return '';
			const place = ids.placeKey({ organization, role: '' });
			return places.has(place) ? place : '';
		},
	};
}

/** Rows with the group that each names; where that cannot be told, or is not there, the row cannot be used. */
function withGroups(
	rows: ReadonlyArray<Row<WantedRow>>,
	groups: Groups,
): { wanted: GroupRow[]; bad: BadRow[] } {
	const [wanted, bad]: [GroupRow[], BadRow[]] = [[], []];
	const find = cachedPerObject((reference: GroupReference): Attempt<readonly string[]> => {
		const found = groups.find(reference);
		return found.ok ? { ok: true, value: [found.value] } : found;
	});
	for (const row of rows) {
		if (row.kind === 'bad') bad.push(row);
		if (row.kind !== 'wanted') continue;
		const found = find(row.wanted.group);
		if (found.ok) wanted.push(Object.assign(row.wanted, { hold: found.value }));
		// The group of a row that ended long ago may be gone.
		else if (row.wanted.time.state !== 'ended')
			bad.push({ ...row, kind: 'bad', error: found.error });
	}
	return { wanted, bad };
}

interface WantedPeople {
	wanted: ReadonlyMap<string, readonly NamedRowWish[]>;
	/** Rows about people who cannot be found. */
	missing: GroupRow[];
	settled: Settled[];
	whyKeptActive(id: string): string | undefined;
}

/** The people of the rows, and those that rows that cannot be used may mean. */
async function findWanted(
	wanted: readonly GroupRow[],
	bad: readonly BadRow[],
	endedOf: EndedOf,
	access: Access,
	settings: ReconcileSettings,
	operation: OperationContext,
	proves = false,
): Promise<WantedPeople> {
	const { client, ids, previews } = operation;
	const meant = (settings.deactivatesEmpty ? bad : []).map((row) => ({
		row: row.row,
		people: peopleOfBadRow(row, (id) => access.held.has(id), operation),
	}));
	// Where a plan is approved, or something may be taken away, it has to be known beforehand who exists.
	const looksFirst = previews || settings.unwanted === 'revoke';
	const read = await findPeople(
		[
			...wanted.map(({ reference }) => reference),
			...meant.flatMap(({ people: named = [] }) => named),
		],
		access,
		operation,
		{
			readsUsers: settings.reactivate || client.profile.deactivation !== 'drops',
			...(settings.createMissing && {
				creates: proves ? 'proves' : looksFirst ? 'looksFirst' : 'asksLater',
			}),
		},
	);
	const people = settings.createMissing ? read : offerToCreate(read);
	const mayMean = new Map<string, string>();
	let mayMeanAnybody: string | undefined;
	for (const { row, people: named } of meant) {
		const found = named?.map(people.person);
		if (found === undefined || found.some(({ ok }) => !ok)) mayMeanAnybody ??= row;
		for (const one of found ?? []) if (one.ok) mayMean.set(one.value.id, row);
	}
	const byPerson = new Map<string, NamedRowWish[]>();
	const [missing, settled]: [GroupRow[], Settled[]] = [[], []];
	const leaveOut = (row: GroupRow, { result, ...part }: Settled) => {
		settled.push({ ...part, result: { ...result, source: row.row } });
		missing.push(row);
		mayMeanAnybody ??= row.row;
	};
	for (const row of wanted) {
		const { reference, item } = row;
		const found = personOf(reference, people);
		const waits = waitsOf(row.time);
		// Who has no account yet has no ID.
		const mayComeLater = waits?.keeps === 'place' && reference.by !== 'id';
		if (mayComeLater && !found.ok && found.error instanceof AbsentError) {
			settled.push(nobodyYet(row, waits));
			continue;
		}
		if (!found.ok) {
			leaveOut(row, notFound(item, reference, found.error));
			continue;
		}
		if (isOnHold(row.time) && found.value.id === undefined)
			leaveOut(row, notFound(item, reference, nobodyOnHold(row.row)));
		const { user } = found.value;
		const person = withoutUser(found.value);
		const first = byPerson.get(person.key)?.at(0);
		if (first !== undefined && isOther(reference, first.reference)) {
			leaveOut(row, sameName(row, first));
			continue;
		}
		const more = { reference, time: row.time };
		const wish: NamedRowWish = Object.assign(rowWish(row, person, user), more);
		if (waits) wish.waits = waits;
		const { userName } = person;
		if (person.id === undefined && userName !== undefined && waits === undefined) {
			const { attributes, warnings, matchBy } = row;
			wish.newcomer = { item, userName, attributes, warnings, ...(matchBy && { matchBy }) };
		} else wish.identifiedBy = row.attributes;
		addTo(byPerson, person.key, wish);
	}
	for (const rows of byPerson.values()) {
		completeEachOther(rows);
		keepWhatWaits(rows, endedOf(rows[0].person), (groupId) =>
			heldBackPlace({ access, ids }, groupId),
		);
	}
	return {
		wanted: byPerson,
		missing,
		settled,
		whyKeptActive(id) {
			const row = mayMean.get(id) ?? mayMeanAnybody;
			return row === undefined ? undefined : `row ${row} cannot be used, and may mean the person`;
		},
	};
}

function waitsOf(time: RowTime): Waits | undefined {
	return time.state === 'waits'
		? { reason: time.reason, keeps: time.isHeld ? 'all' : 'place' }
		: undefined;
}

/**
 * Says what a person keeps for rows that wait: everything where one of them is on hold, or where no other row counts or has
 * ended; and nothing where the access of such a row has ended and comes back later: in between it is taken.
 */
function keepWhatWaits(
	rows: readonly NamedRowWish[],
	ended: readonly GroupRow[],
	placeOf: (groupId: string) => string,
): void {
	const hold = rows.find(({ waits }) => waits?.keeps === 'all')?.waits;
	const places = new Set(ended.map(({ hold: [groupId] }) => placeOf(groupId)));
	const isAlone = ended.length === 0 && rows.every(({ waits }) => waits !== undefined);
	for (const row of rows) {
		if (hold !== undefined) row.waits = hold;
		else if (row.waits !== undefined && isAlone) row.waits.keeps = 'all';
		else if (row.waits !== undefined && places.has(placeOf(row.hold[0])))
			row.waits.keeps = 'nothing';
	}
}

/** The row about a place of a person that has ended. */
function endedAt(rows: readonly GroupRow[], groupId: string, { placeOf }: Groups) {
	if (rows.length === 0) return undefined;
	const place = placeOf(groupId);
	return rows.find(({ hold }) => placeOf(hold[0]) === place);
}

/** A row that waits for a person who is not there yet. */
function nobodyYet({ item, row, reference }: GroupRow, { reason }: Waits): Settled {
	const who = labelOf(reference);
	const outcome = { status: 'skipped', action: `find ${who}`, reason } as const;
	return { item, subject: who, outcome, result: { source: row } };
}

/** Rows of one new person complete each other; what a later one says counts. */
function completeEachOther(rows: readonly RowWish[]): void {
	const newcomers = rows.flatMap(({ newcomer }) => newcomer ?? []);
	if (newcomers.length < 2) return;
	const attributes = newcomers.reduce((all, one) => Object.assign(all, one.attributes), {});
	const warnings = [...new Set(newcomers.flatMap((one) => one.warnings))];
	for (const newcomer of newcomers) Object.assign(newcomer, { attributes, warnings });
}

/** Whether two references that lead to one new user name mean two people. */
function isOther(one: Lookup, other: Lookup): boolean {
	if (!('key' in one) || !('key' in other)) return false;
	const { fold } = matchingBy(one.by);
	return fold(one.key) !== fold(other.key);
}

function sameName(row: GroupRow, { source, person, reference }: NamedRowWish): Settled {
	const userName = nameOf(person);
	const [label, other] = [row.reference, reference].map(labelOf);
	const error = new InputError(
		`Rows ${source} and ${row.row} want the user name ${shown(userName)} for two users (${shown(other)} and ${shown(label)})`,
		'Correct one of them, and run again.',
	);
	return {
		item: row.item,
		subject: label,
		outcome: failureOf(`create user ${shown(userName)}`, error),
	};
}

/**
 * People in no row, where groups do not tell who they are: an approver has to see more than an
 * ID, and without a name it is unknown who is protected, or whether a row for a new user means the person.
 * @throws RequestError when one cannot be read who might be protected or wanted
 */
async function readUnnamed(
	people: readonly Person[],
	hasNewcomers: boolean,
	{ unwanted }: ReconcileSettings,
	{ reader, protectsBy }: OperationContext,
): Promise<Map<string, Attempt<User | undefined>>> {
	const unnamed = people.flatMap(({ id, userName }) => (userName === undefined ? (id ?? []) : []));
	const users = await reader.people.readThere(unwanted === 'keep' ? [] : unnamed);
	const decides = protectsBy.names || hasNewcomers;
	for (const user of users.values()) if (decides && !user.ok) throw user.error;
	return users;
}

/**
 * Finds the people that can be deactivated, with the groups that they show as users. Where memberships outlive the account, a
 * user who left long ago still has some, and is not one more to deactivate.
 * @throws RequestError when one cannot be read
 */
async function stillActive(
	ids: readonly string[],
	users: ReadonlyMap<string, Attempt<User | undefined>>,
	{ reader, client }: OperationContext,
): Promise<Map<string, ShownLeaver>> {
	const { profile } = client;
	const isAsked = profile.deactivation !== 'drops' || profile.accessAttributes.length > 0;
	const unread = await reader.people.readThere(isAsked ? ids.filter((id) => !users.has(id)) : []);
	const whole = await reader.people.tellValues(ids, { hasWitness: true });
	const active = new Map<string, ShownLeaver>();
	for (const id of ids) {
		const user = users.get(id) ?? unread.get(id);
		if (user?.ok === false && isAsked) throw user.error;
		const shown = whole.get(id) ?? (user?.ok ? user.value : undefined);
		// Who may have other access is left alone.
		const mayHaveMore = shown !== undefined && client.facts.untoldValues(shown).length > 0;
		if (!isAsked || (shown !== undefined && shownActivity(shown) !== 'inactive' && !mayHaveMore))
			active.set(id, {
				groupIds: shown?.groupIds ?? [],
				values: shown ? valuesOf(shown, profile) : [],
			});
	}
	return active;
}

/** Where access is unknown, nothing is taken away, and that has to be said. */
function unknownAccess({ shown }: Access, { unwanted }: ReconcileSettings): Settled[] {
	if (shown.told === 'all' || unwanted === 'keep') return [];
	const action = 'look for extra access';
	return [
		{ item: NO_ITEM, subject: '', outcome: { status: 'skipped', action, reason: UNKNOWN_ACCESS } },
	];
}

/** Of a group that may show a part of its members the others cannot be taken, which has to be said. */
function cutGroups(
	access: Access,
	scope: ReconcileScope,
	{ unwanted }: ReconcileSettings,
): Settled[] {
	if (access.shown.told !== 'all' || unwanted === 'keep') return [];
	return [...access.groups.values()].flatMap((group): Settled[] => {
		const told = scope.includes(group.id) ? access.everyMember(group.id) : undefined;
		if (told?.told !== 'nothing' || ((group.members ?? []).length === 0 && !group.unread))
			return [];
		const action = `look for extra access in ${shown(group.displayName)}`;
		const error = hiddenMembers(group.id, told);
		return [
			{
				item: NO_ITEM,
				subject: group.id,
				outcome: failureOf(action, error),
				result: { intent: 'none', group },
			},
		];
	});
}

/** Parts of the scope that no row names although people have access there: that looks like a broken source. */
function withoutRows(
	listed: readonly GroupRow[],
	endedOf: EndedOf,
	scope: ReconcileScope,
	settings: ReconcileSettings,
	{ access, ids, heldBack }: ReconcileRules,
	isGroups: boolean,
): string[] {
	if (settings.unwanted !== 'revoke' || settings.allowsEmpty) return [];
	// A list of which every row has ended counts as empty.
	const wanted = listed.filter(({ time }) => time.state !== 'ended');
	/** A row that has ended lists its group as long as the person of it is there. */
	const isEnding = (groupId: string) =>
		wanted.length > 0 &&
		peopleIn(access, ids.key(groupId)).some((id) => {
			const userName = access.names.get(id);
			const ended = endedOf({ id, ...(userName !== undefined && { userName }) });
			return ended.some(({ hold }) => hold[0] === groupId);
		});
	const groups = [...access.groups.values()].map(({ id }) => id);
	const wantedIds = [...new Set(wanted.map(({ hold }) => hold[0]))];
	const isHeldBack = (groupId: string) => heldBack.has(heldBackPlace({ access, ids }, groupId));
	const empty = (heldBack.has('') ? [] : scope.parts).filter((part) => {
		if (wantedIds.some(part.includes)) return false;
		const own = groups.filter(part.includes);
		const isInhabited = (id: string) => peopleIn(access, ids.key(id)).length > 0;
		const loses = own.some((id) => scope.includes(id) && isInhabited(id));
		return loses && !own.some((id) => isHeldBack(id) || isEnding(id));
	});
	if (empty.length === 0) return [];
	return [
		wanted.length === 0
			? `${listed.length === 0 ? 'Desired Access is empty' : 'Every row of Desired Access has ended'}, so everybody in scope would lose access. Check the source.`
			: `No row wants access in ${empty.map(({ label }) => label).join(', ')}, so everybody would lose it there. Check the source, or turn on Allow Empty ${isGroups ? 'Groups' : 'Organizations'}.`,
	];
}
