import {
	clashingRows,
	diff,
	heldBackPlace,
	idsByName,
	nameOf,
	peopleIn,
	peopleWithoutRows,
	reconcileWishes,
	unknownGroup,
	withoutAccess,
	type Access,
	type GroupReference,
	type GroupSelection,
	type Member,
	type ReconcileRules,
	type Settled,
	type ShownLeaver,
	type WantedPerson,
} from '../../../shared/access';
import { failureOf, NO_ITEM, optionsField, previewFirstField } from '../../../shared/run';
import { matchingBy, type User, valuesOf, whyUnmatched } from '../../../shared/scim';
import { InputError, madeOnce, nameKey, type Attempt } from '../../../shared/util';
import { UNKNOWN_ACCESS } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { accessByField } from '../../fields/assignments';
import { allowPermanentRemoval, maxCreates, safetyLimitsOption } from '../../fields/guards';
import { notFound } from '../../fields/ifNotFound';
import { matchUsersByOption } from '../../fields/matchUsers';
import { findPeople, offerToCreate } from '../../fields/people';
import { labelOf, requireLastingNames, type PersonReference } from '../../fields/person';
import { leftAlone, reconcileItems } from '../../fields/reconcileItems';
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
	allowEmptyOrganizations,
	createsMissing,
	deactivatesEmpty,
	readIgnored,
	readReconcileSettings,
	readScope,
	reconcileOptions,
	scopeFields,
	type ReconcileScope,
	type ReconcileSettings,
} from '../../fields/reconcileSettings';
import {
	blankRow,
	isFromList,
	readRows,
	unreadableItems,
	unusableOf,
	unusableRow,
	type BadRow,
	type Row,
} from '../../fields/rows';
import { wholeState, type State } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import type { Planned } from '../../planned';
import { scimWrite } from '../../runWrite';

/** A row whose group is known. */
type GroupRow = WantedRow & { groupId: string };

/** Compares a whole list of who should have which access with what is there, and makes it so within a scope. */
export const reconcile = scimWrite<Row<WantedRow>>({
	name: 'Reconcile',
	action: 'Reconcile access with list',
	description: 'Make access match a complete list. Access in scope that is not listed is removed.',
	fields: [
		...rowFields,
		accessByField,
		...scopeFields,
		previewFirstField,
		optionsField([
			...reconcileOptions,
			matchUsersByOption,
			safetyLimitsOption(allowEmptyOrganizations, allowPermanentRemoval, maxCreates),
			...writeOptions,
		]),
	],

	items: () => reconcileItems(DESIRED_ACCESS),
	plans: {
		operation: 'reconcile',
		compares: { what: 'Access', differ: 'differs', match: 'matches', list: 'Desired Access' },
	},
	collect(item, operation) {
		operation.requireUndoable(deactivatesEmpty(operation.context) ? 'deactivate' : undefined);
		return readRows(operation.context, item, DESIRED_ACCESS, rowReader(operation));
	},
	plan,
});

const rowReader = madeOnce((operation: OperationContext) =>
	wantedRowReader(operation, createsMissing(operation.context)),
);

async function plan(
	rows: ReadonlyArray<Row<WantedRow>>,
	operation: OperationContext,
	refused: ReadonlyMap<number, unknown>,
): Promise<Planned> {
	const { context } = operation;
	const settings = readReconcileSettings(context, operation);
	const { matching, client } = operation;
	if (matching.by === 'userName' && rows.some(({ kind }) => kind === 'bad')) {
		requireLastingNames(client.profile);
	}
	const shown = await operation.reader.memberships.settled();
	if (settings.deactivatesEmpty && !shown.showsMembers) throw deactivatesBlindly();
	const scope = readScope(settings.scope, shown, operation);
	const ignored = readIgnored(settings, shown, operation);

	const groups = groupsOf(shown, operation);
	const { wanted, bad } = withGroups(rows, groups);
	const heldBack = new Map<string, string>();
	for (const item of refused.keys())
		heldBack.set('', `nothing is removed here while item ${item} cannot be used`);
	for (const row of bad) heldBack.set(placeOfBadRow(row, groups, operation), heldBackBy(row.row));
	const found = await findWanted(wanted, bad, shown, settings, operation);
	const others = [...peopleWithoutRows(found.known, { access: shown, scope })].map(
		({ person }) => person,
	);
	const users = await readUnnamed(others, found, settings, operation);
	const access = withNames(shown, users);
	// A filter may miss a user who is there in another case, and a list one who was renamed: they must not lose what the row wants.
	const mayBeRenamed =
		settings.unwanted === 'revoke' &&
		others.some(({ id = '' }) => !client.profile.knowsPeopleByLogin || !shown.names.has(id));
	const people = found.known.some((want) => isNew(want) && (mayBeRenamed || isThere(want, access)))
		? await findWanted(wanted, bad, access, settings, operation, mayBeRenamed)
		: found;
	for (const { row, groupId } of people.missing) {
		// What is outside of the scope holds nothing back.
		if (scope.includes(groupId)) heldBack.set('', heldBackBy(row));
	}
	const { reactivate, unwanted } = settings;
	const common = rulesFor(access, operation, { reactivate });
	const clashes = clashingRows(people.known, common);
	for (const { row, groupId } of clashes.rows) {
		heldBack.set(groups.placeOf(groupId), heldBackBy(row));
	}
	const unmatched = await unmatchedAccounts(settings, operation);
	const rules: ReconcileRules = {
		...common,
		...{ scope, unwanted, heldBack },
		unmatched: new Map(unmatched.map(({ id, reason }) => [id, reason])),
		...{ isIgnored: ignored.includes, clashOf: clashes.clashOf },
	};
	const leaving = settings.deactivatesEmpty ? withoutAccess(people.known, rules) : [];
	const leavers = {
		shown: await stillActive(leaving, users, operation),
		whyKeptActive: people.whyKeptActive,
	};
	const made = reconcileWishes(people.known, leavers, rules);
	const compared = diff(made.wishes, rules);
	const isList = isFromList(context, DESIRED_ACCESS);
	const settled = [
		...(isList ? [] : rows.flatMap(blankRow)),
		...bad.map(unusableRow),
		...people.settled,
		...made.settled,
		...compared.settled,
		...unknownAccess(access, settings),
	];
	const unreadable = unreadableItems(refused);
	return {
		changes: compared.changes,
		unread: compared.unread,
		settled,
		warnings: [
			...scope.unmatched.map((pattern) => `No group matches ${pattern} in Groups in Scope.`),
			...ignored.unmatched.map((pattern) => `No group matches ${pattern} in Ignore Groups.`),
			...compared.warnings,
		],
		access,
		ignored: keysOfIncluded(ignored, shown),
		among: scope.people,
		blockedBy:
			wanted.length === 0 && unreadable.length > 0
				? unreadable.map(({ reason }) => `Desired Access cannot be used: ${reason}.`)
				: withoutRows(wanted, scope, settings, rules),
		words: {
			unusable: [...unreadable, ...unusableOf(settled)],
			leftAlone: leftAlone(settled, operation, access),
			unmatched,
			compared:
				people.known.length > 0 ||
				(rows.length === 0 && refused.size === 0 && settings.allowEmptyOrganizations),
		},
	};
}

function keysOfIncluded({ includes }: GroupSelection, { groups }: Access): ReadonlySet<string> {
	return new Set([...groups].flatMap(([key, { id }]) => (includes(id) ? [key] : [])));
}

function heldBackBy(row: string): string {
	return `nothing is removed here while row ${row} cannot be used`;
}

function deactivatesBlindly(): InputError {
	return new InputError(
		'Deactivate Users Without Access cannot be used here',
		`${UNKNOWN_ACCESS}. Turn the option off.`,
	);
}

/** The groups of the service, as far as rows name them. */
interface Groups {
	find: State['group'];
	isThere(groupId: string): boolean;
	/** Where removals are blocked for what is wanted in a group. */
	placeOf(groupId: string): string;
	/** The same for an organization; undefined when no group stands for a role in it. */
	placeOfOrganization(organization: string): string | undefined;
	/** Why a row with an ID that no group has cannot be used. */
	unknown(groupId: string): InputError | undefined;
}

function groupsOf(access: Access, operation: OperationContext): Groups {
	const { ids } = operation;
	const { group: find } = wholeState({}, access, operation);
	const places = new Set(
		[...access.groups.values()].map(({ id }) => heldBackPlace({ access, ids }, id)),
	);
	const isThere = (groupId: string) => access.groups.has(ids.key(groupId));
	const placeOf = (groupId: string) => heldBackPlace({ access, ids }, groupId);
	return {
		...{ find, isThere, placeOf },
		placeOfOrganization(organization) {
			if (ids.standsFor === 'nothing') return undefined;
			const place = ids.placeKey({ organization, role: '' });
			return places.has(place) ? place : undefined;
		},
		// A role that a known organization does not have is for the diff to refuse: where it is wanted can be told.
		unknown: (groupId) =>
			isThere(groupId) || places.has(placeOf(groupId))
				? undefined
				: unknownGroup(groupId, { access }),
	};
}

/** Rows with the group that each names; where that cannot be told, or is not there, the row cannot be used. */
function withGroups(
	rows: ReadonlyArray<Row<WantedRow>>,
	groups: Groups,
): { wanted: GroupRow[]; bad: BadRow[] } {
	const [wanted, bad]: [GroupRow[], BadRow[]] = [[], []];
	const find = madeOnce((reference: GroupReference): Attempt<string> => {
		const found = groups.find(reference);
		const error = found.ok ? groups.unknown(found.value) : undefined;
		return error === undefined ? found : { ok: false, error };
	});
	for (const row of rows) {
		if (row.kind === 'bad') bad.push(row);
		if (row.kind !== 'wanted') continue;
		const found = find(row.wanted.group);
		if (found.ok) wanted.push(Object.assign(row.wanted, { groupId: found.value }));
		else bad.push({ ...row, kind: 'bad', error: found.error });
	}
	return { wanted, bad };
}

/** Where a row that cannot be used may want access; empty when that cannot be told. */
function placeOfBadRow(row: BadRow, groups: Groups, operation: OperationContext): string {
	const reference = groupOfBadRow(row, operation);
	const group = reference && groups.find(reference);
	if (group?.ok && groups.isThere(group.value)) return groups.placeOf(group.value);
	const organization = organizationOfBadRow(row, operation);
	return (organization !== undefined && groups.placeOfOrganization(organization)) || '';
}

interface WantedPeople {
	known: WantedPerson[];
	/** Rows about somebody who cannot be found. */
	missing: GroupRow[];
	settled: Settled[];
	whyKeptActive(id: string): string | undefined;
}

/** Everybody whom the rows name, and whom those may mean that cannot be used. */
async function findWanted(
	wanted: readonly GroupRow[],
	bad: readonly BadRow[],
	access: Access,
	settings: ReconcileSettings,
	operation: OperationContext,
	proves = false,
): Promise<WantedPeople> {
	const { client, previews } = operation;
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
	const byPerson = new Map<string, WantedPerson & { hold: GroupRow[] }>();
	const [missing, settled]: [GroupRow[], Settled[]] = [[], []];
	for (const row of wanted) {
		const { reference, item } = row;
		const userName = people.newName(reference);
		const found = userName === undefined ? people.person(reference) : undefined;
		if (found?.ok === false) {
			const { result, ...part } = notFound(item, reference, found.error);
			settled.push({ ...part, result: { ...result, source: row.row } });
			missing.push(row);
			mayMeanAnybody ??= row.row;
			continue;
		}
		const key = found?.value.key ?? nameKey(userName ?? '');
		const same = byPerson.get(key);
		if (same !== undefined && isOther(reference, same.hold[0].reference)) {
			settled.push(sameName(row, same));
			missing.push(row);
			mayMeanAnybody ??= row.row;
		} else if (same !== undefined) add(row, same);
		else if (found !== undefined) {
			const { id, userName: name, user } = found.value;
			const person = name === undefined ? { key, id } : { key, id, userName: name };
			byPerson.set(key, { kind: 'known', item, person, hold: [row], ...(user && { user }) });
		} else if (userName !== undefined) {
			const { attributes, warnings, matchBy } = row;
			const person = { item, userName, attributes, warnings, ...(matchBy && { matchBy }) };
			byPerson.set(key, { kind: 'new', ...person, hold: [row] });
		}
	}
	return {
		known: [...byPerson.values()],
		missing,
		settled,
		whyKeptActive(id) {
			const row = mayMean.get(id) ?? mayMeanAnybody;
			return row === undefined ? undefined : `row ${row} cannot be used, and may mean the person`;
		},
	};
}

/** Whether two references that lead to one new user name mean two people. */
function isOther(one: PersonReference, other: PersonReference): boolean {
	if (!('key' in one) || !('key' in other)) return false;
	const { fold } = matchingBy(one.by);
	return fold(one.key) !== fold(other.key);
}

function sameName(
	row: GroupRow,
	{ hold, ...person }: WantedPerson & { hold: GroupRow[] },
): Settled {
	const userName = person.kind === 'new' ? person.userName : nameOf(person.person);
	const [label, other] = [row.reference, hold[0].reference].map(labelOf);
	const error = new InputError(
		`Rows ${hold[0].row} and ${row.row} want the user name ${userName} for two users (${other} and ${label})`,
		'Correct one of them, and run again.',
	);
	const outcome = failureOf(`create user ${userName}`, error);
	return { item: row.item, subject: label, outcome, result: { source: row.row } };
}

/** Accounts that no row can name: they are neither deactivated, nor is anything removed from them. */
async function unmatchedAccounts(
	{ unwanted }: ReconcileSettings,
	{ reader, matching }: OperationContext,
): Promise<Array<{ id: string; who: string; reason: string }>> {
	if (unwanted === 'keep' || matching.by === 'userName') return [];
	const unmatched = await reader.people.unmatched(matching);
	return unmatched.map(({ user: { id, userName }, sharedWith }) => ({
		...{ id, who: userName || id, reason: whyUnmatched(sharedWith, matching) },
	}));
}

/** One more row for the same person; what a later row says of somebody new counts. */
function add(row: GroupRow, person: WantedPerson & { hold: GroupRow[] }): void {
	person.hold.push(row);
	if (person.kind !== 'new') return;
	person.attributes = { ...person.attributes, ...row.attributes };
	person.warnings = [...new Set([...person.warnings, ...row.warnings])];
}

function isNew({ kind }: WantedPerson): boolean {
	return kind === 'new';
}

/** Whether somebody who was to be created has access already. */
function isThere(want: WantedPerson, access: Access): boolean {
	return want.kind === 'new' && access.idsByName.has(nameKey(want.userName));
}

/**
 * People whom no row names, where groups do not tell who they are: whoever approves or reads of it has to see more than an
 * ID, and without a name nobody knows who is protected, or whether a row for somebody new means the person.
 * @throws RequestError when one cannot be read who might be protected or wanted
 */
async function readUnnamed(
	people: readonly Member[],
	{ known }: WantedPeople,
	{ unwanted }: ReconcileSettings,
	{ reader, protectsBy }: OperationContext,
): Promise<Map<string, Attempt<User | undefined>>> {
	const unnamed = people.flatMap(({ id, userName }) => (userName === undefined ? (id ?? []) : []));
	const users = await reader.people.readThere(unwanted === 'keep' ? [] : unnamed);
	const decides = protectsBy.names || known.some(isNew);
	for (const user of users.values()) if (decides && !user.ok) throw user.error;
	return users;
}

function withNames(access: Access, users: ReadonlyMap<string, Attempt<User | undefined>>): Access {
	if (users.size === 0) return access;
	const names = new Map(access.names);
	for (const [id, user] of users) if (user.ok && user.value) names.set(id, user.value.userName);
	return { ...access, names, idsByName: idsByName(names) };
}

/**
 * Those of the people who can be deactivated, with the groups that they show as users. Where memberships outlive the account, somebody who left long ago still has
 * some, and is not one more to deactivate.
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
	const active = new Map<string, ShownLeaver>();
	for (const id of ids) {
		const user = users.get(id) ?? unread.get(id);
		if (user?.ok === false && isAsked) throw user.error;
		const shown = user?.ok ? user.value : undefined;
		if (!isAsked || (shown !== undefined && shown.active !== false))
			active.set(id, {
				groupIds: shown?.groupIds ?? [],
				values: shown ? valuesOf(shown, profile) : [],
			});
	}
	return active;
}

/** Where nobody knows who has what, nothing is taken away, and nobody may think that there was nothing to take. */
function unknownAccess({ showsMembers }: Access, { unwanted }: ReconcileSettings): Settled[] {
	if (showsMembers || unwanted === 'keep') return [];
	const action = 'look for extra access';
	return [
		{ item: NO_ITEM, subject: '', outcome: { status: 'skipped', action, reason: UNKNOWN_ACCESS } },
	];
}

/** Parts of the scope that no row names although people have access there: that looks like a broken source. */
function withoutRows(
	wanted: readonly GroupRow[],
	scope: ReconcileScope,
	settings: ReconcileSettings,
	{ access, ids, heldBack }: ReconcileRules,
): string[] {
	if (settings.unwanted !== 'revoke' || settings.allowEmptyOrganizations) return [];
	const groups = [...access.groups.values()].map(({ id }) => id);
	const wantedIds = [...new Set(wanted.map(({ groupId }) => groupId))];
	const isHeldBack = (groupId: string) => heldBack.has(heldBackPlace({ access, ids }, groupId));
	const empty = (heldBack.has('') ? [] : scope.parts).filter((part) => {
		if (wantedIds.some(part.includes)) return false;
		const own = groups.filter(part.includes);
		const isInhabited = (id: string) => peopleIn(access, ids.key(id)).length > 0;
		const loses = own.some((id) => scope.includes(id) && isInhabited(id));
		return loses && !own.some(isHeldBack);
	});
	if (empty.length === 0) return [];
	return [
		wanted.length === 0
			? 'Desired Access is empty, so everybody in scope would lose access. Check the source.'
			: `No row wants access in ${empty.map(({ label }) => label).join(', ')}, so everybody would lose it there. Check the source, or turn on Allow Empty Organizations.`,
	];
}
