import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { attempt, nameKey } from '../../../shared/util';
import {
	failureOf,
	NO_ITEM,
	type Operation,
	optionsField,
	type OtherOutput,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { hasStatus } from '../../../shared/http';
import type { User } from '../../../shared/scim';
import {
	type Access,
	type AccessRules,
	type AppliedPart,
	noContradiction,
	planReconcile,
	type ProvisioningPlan,
	type ReconcileRules,
	type Reconciliation,
	type Scope,
	scopeOf,
	settledAccess,
	unknownGroup,
	type UnusableRow,
	type WantedPerson,
} from '../../../shared/access';
import { changedAccess } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { notFound } from '../../fields/ifNotFound';
import { safetyLimitsOption } from '../../fields/guards';
import { findPeople, memberNamed, withNamesToProtect } from '../../fields/people';
import { planExtras } from '../../fields/planItem';
import {
	allowEmptyOrganizations,
	reconcileOptions,
	readReconcileSettings,
	scopeFields,
	type ReconcileSettings,
} from '../../fields/reconcileSettings';
import {
	isBlankRow,
	newcomersFields,
	organizationOf,
	peopleOfBadRow,
	rawRows,
	readRow,
	rowFields,
	type RawRow,
	type WantedRow,
} from '../../fields/reconcileRows';
import { tooMany, volumeLimits } from '../../fields/volumeLimits';
import { runChange, type Planned, type Surroundings } from '../../road';

/** Before the e-mail of somebody who is to be created; no id begins like that. */
const NEW = 'new ';

/** A row of the wanted list: what it wants, why it cannot be used, or that it says nothing. */
type Row = { item: number; raw: RawRow } & (
	{ kind: 'wanted'; wanted: WantedRow } | { kind: 'bad'; error: unknown } | { kind: 'blank' }
);

type BadRow = Extract<Row, { kind: 'bad' }>;

/** Everybody whom the rows name, and what holds removals back on the way. */
interface WantedPeople {
	known: WantedPerson[];
	settled: ProvisioningPlan['settled'];
	unusable: UnusableRow[];
	whyKeptActive: ReconcileRules['whyKeptActive'];
}

/** Compares a whole list of who should have which role where with what is there, and makes it so within a scope. */
export const reconcile: Operation = {
	fields: showFor('access', 'reconcile', [
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Apply',
					value: 'apply',
					description: 'Access is made as wanted; guards block what looks wrong',
				},
				{
					name: 'Preview',
					value: 'preview',
					description: 'One item with the plan and a summary comes out, nothing is changed',
				},
			],
			default: 'preview',
			description: 'Whether to only plan, or to apply the plan at once',
		},
		...rowFields,
		...scopeFields,
		...newcomersFields,
		optionsField([
			...reconcileOptions,
			safetyLimitsOption(allowEmptyOrganizations, ...volumeLimits),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	execute: async (context) =>
		await runChange<Row>(context, {
			collect: (item, surroundings) => readRows(context, item, surroundings),
			plan: async (rows, surroundings, refused) => await plan(context, rows, refused, surroundings),
			output: changedAccess,
			others: touchedOthers,
		}),
};

function readRows(context: IExecuteFunctions, item: number, surroundings: Surroundings): Row[] {
	return rawRows(context, item).map((raw): Row => {
		if (isBlankRow(raw)) return { kind: 'blank', item, raw };
		try {
			return { kind: 'wanted', item, raw, wanted: readRow(raw, surroundings) };
		} catch (error) {
			return { kind: 'bad', item, raw, error };
		}
	});
}

/** A row about an organization that the service does not have: what it is about cannot be told. */
function withKnownPlace(row: Row, organizations: ReadonlySet<string>, rules: AccessRules): Row {
	if (row.kind !== 'wanted') return row;
	const { groupId } = row.wanted;
	const place = rules.ids.parse(groupId)?.organization;
	if (place === undefined || organizations.has(place)) return row;
	return { kind: 'bad', item: row.item, raw: row.raw, error: unknownGroup(groupId, rules) };
}

async function plan(
	context: IExecuteFunctions,
	read: readonly Row[],
	refused: ReadonlyMap<number, unknown>,
	surroundings: Surroundings,
): Promise<Planned> {
	const settings = readReconcileSettings(context, surroundings);
	const access = await settledAccess(surroundings);
	const { ids } = surroundings;
	const settled: ProvisioningPlan['settled'] = [];
	const unusable: UnusableRow[] = [];
	const heldBack = new Map<string, string>();
	for (const item of refused.keys())
		heldBack.set('', `nothing is taken away here while item ${item} cannot be used`);
	const organizations = new Set(
		[...access.groups.values()].flatMap(({ id }) => ids.parse(id)?.organization ?? []),
	);
	const rules = rulesFor(access, surroundings);
	const rows = read.map((row) => withKnownPlace(row, organizations, rules));
	for (const row of rows) {
		if (row.kind === 'wanted') continue;
		const name = row.raw.row;
		const [action, subject] = [`use row ${name}`, `row ${name}`];
		if (row.kind === 'blank') {
			const reason = 'the row is empty';
			settled.push({ item: row.item, subject, outcome: { status: 'skipped', action, reason } });
			continue;
		}
		const place = organizationOf(row.raw, surroundings) ?? '';
		heldBack.set(organizations.has(place) ? place : '', heldBackBy(name));
		const outcome = failureOf(action, row.error);
		settled.push({ item: row.item, subject, outcome });
		unusable.push({ row: name, reason: outcome.reason ?? '' });
	}
	const wanted = rows.flatMap((row) => (row.kind === 'wanted' ? [row.wanted] : []));
	const scope = scopeOf(settings, access, ids);
	const bad = rows.flatMap((row) => (row.kind === 'bad' ? [row] : []));
	const people = await wantedPeople(wanted, bad, access, settings, scope, heldBack, surroundings);
	const made = planReconcile(people.known, {
		...rulesFor(
			await withNamesToProtect(access, membersIn(scope, access), surroundings),
			surroundings,
		),
		scope,
		unwanted: settings.unwanted,
		heldBack,
		reactivate: settings.reactivate,
		deactivatesEmpty: settings.deactivatesEmpty,
		whyKeptActive: people.whyKeptActive,
	});
	const unreadable = [...refused.values()].map(
		(error) =>
			`The wanted list cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
	);
	const blockedBy =
		wanted.length === 0 && unreadable.length > 0
			? unreadable
			: limits(made, wanted, settings, heldBack, surroundings);
	return {
		plan: {
			...made.plan,
			blockedBy: [...made.plan.blockedBy, ...blockedBy],
			settled: [...settled, ...people.settled, ...made.plan.settled],
		},
		access,
		among: scope.people,
		extras: planExtras(
			made.changes,
			{
				unusable: [...unusable, ...people.unusable, ...made.unusable],
				unreadable,
				compared:
					people.known.some(({ hold }) => hold.length > 0) ||
					(rows.length === 0 && refused.size === 0 && settings.allowEmptyOrganizations),
			},
			settings,
			surroundings,
		),
	};
}

function membersIn(scope: Scope, access: Access): string[] {
	const isInScope = (key: string) => scope.includes(access.groups.get(key)?.id ?? '');
	return [...access.held].flatMap(([id, keys]) => ([...keys].some(isInScope) ? [id] : []));
}

function heldBackBy(row: string): string {
	return `nothing is taken away here while row ${row} cannot be used`;
}

/** Rows by person. Whoever cannot be found, or is wanted with two roles in one organization, holds removals back. */
async function wantedPeople(
	wanted: readonly WantedRow[],
	bad: readonly BadRow[],
	access: Access,
	settings: ReconcileSettings,
	scope: Scope,
	heldBack: Map<string, string>,
	surroundings: Surroundings,
): Promise<WantedPeople> {
	const { ids, client, directory, protectsBy, previews } = surroundings;
	/** The e-mail of somebody who is in no group, where people may be created. */
	const unseen = ({ reference }: WantedRow): string | undefined =>
		settings.createMissing &&
		reference.by === 'userName' &&
		memberNamed(access, reference.userName) === undefined
			? reference.userName
			: undefined;
	// Where a plan is approved, something may be taken away, groups do not tell names, people are protected by id, or another
	// row may mean the same person by id, the one who exists has to be known beforehand.
	const looksFirst =
		previews ||
		settings.unwanted === 'revoke' ||
		!client.profile.memberDisplayIsUserName ||
		wanted.some(({ reference }) => reference.by === 'id' && !access.held.has(reference.id)) ||
		protectsBy.ids;
	const existing = await directory.findUsersToCreate(
		looksFirst ? wanted.flatMap((row) => unseen(row) ?? []) : [],
	);
	const isNew = (row: WantedRow) => {
		const userName = unseen(row);
		return userName !== undefined && (existing.get(userName)?.kind ?? 'absent') === 'absent';
	};
	const isMember = (id: string) => access.held.has(id);
	const meant = (settings.deactivatesEmpty ? bad : []).map(({ raw }) => ({
		row: raw.row,
		people: peopleOfBadRow(raw, isMember, surroundings),
	}));
	const find = await findPeople(
		[
			...wanted.filter((row) => !isNew(row)).map(({ reference }) => reference),
			...meant.flatMap(({ people = [] }) => people),
		],
		access,
		surroundings,
		!client.profile.deactivationDropsMemberships,
	);
	const settled: ProvisioningPlan['settled'] = [];
	const unusable: UnusableRow[] = [];
	const mayMean = new Map<string, string>();
	let mayMeanAnybody: string | undefined;
	for (const { row, people } of meant) {
		const found = people?.map(find) ?? [];
		if (people === undefined || found.some(({ ok }) => !ok)) mayMeanAnybody ??= row;
		for (const one of found) if (one.ok) mayMean.set(one.value.id, row);
	}
	const byPerson = new Map<string, { rows: WantedRow[]; make(rows: WantedRow[]): WantedPerson }>();
	for (const row of wanted) {
		const { reference, item } = row;
		let key: string;
		let make: (rows: WantedRow[]) => WantedPerson;
		if (isNew(row) && reference.by === 'userName') {
			key = `${NEW}${nameKey(reference.userName)}`;
			make = (rows) => ({
				kind: 'new',
				item,
				userName: reference.userName,
				attributes: Object.assign({}, ...rows.map(({ attributes }) => attributes)),
				warnings: [...new Set(rows.flatMap(({ warnings }) => warnings))],
				hold: rows,
			});
		} else {
			const found = find(reference);
			if (!found.ok) {
				// What is not ours to manage holds nothing back.
				if (scope.includes(row.groupId)) heldBack.set('', heldBackBy(row.row));
				const missing = notFound(item, reference, found.error);
				settled.push(missing);
				unusable.push({ row: row.row, reason: missing.outcome.reason ?? '' });
				mayMeanAnybody ??= row.row;
				continue;
			}
			const { user, ...person } = found.value;
			key = person.key;
			make = (rows) => ({ kind: 'known', item, person, hold: rows, ...(user && { user }) });
		}
		const same = byPerson.get(key);
		if (same === undefined) byPerson.set(key, { rows: [row], make });
		else same.rows.push(row);
	}
	const states = await statesOf(byPerson.keys(), settings, surroundings);
	const known: WantedPerson[] = [];
	for (const [key, { rows, make: makeUnread }] of byPerson) {
		const state = states.get(key);
		const make = (own: WantedRow[]) => ({ ...makeUnread(own), ...(state && { user: state }) });
		const who = labelOf(rows[0]);
		const checked = await attempt(() => noContradiction(rows, who, ids));
		if (checked.ok) {
			known.push(make(rows));
			continue;
		}
		for (const { item, row, groupId } of rows) {
			heldBack.set(ids.parse(groupId)?.organization ?? '', heldBackBy(row));
			const outcome = failureOf(`give ${who} a role`, checked.error);
			settled.push({ item, subject: `row ${row}`, outcome });
			unusable.push({ row, reason: outcome.reason ?? '' });
		}
		// The person is wanted, so nobody else's rule may take the access away meanwhile.
		known.push({ ...make(rows), hold: [] });
	}
	const whyKeptActive = (id: string) => {
		const row = mayMean.get(id) ?? mayMeanAnybody;
		return row === undefined ? undefined : `row ${row} cannot be used, and may mean the person`;
	};
	return { known, settled, unusable, whyKeptActive };
}

/**
 * Users of whom the groups only tell that they have a role: whoever is to be reactivated may be inactive all the same.
 * @throws RequestError when one cannot be read
 */
async function statesOf(
	keys: Iterable<string>,
	{ reactivate }: ReconcileSettings,
	{ directory }: Surroundings,
): Promise<Map<string, User>> {
	const users = new Map<string, User>();
	if (!reactivate) return users;
	const ids = [...keys].filter((key) => !key.startsWith(NEW));
	for (const [id, user] of await directory.readManyById(ids)) {
		if (user.ok) users.set(id, user.value);
		else if (!hasStatus(user.error, 404)) throw user.error;
	}
	return users;
}

function labelOf({ reference }: WantedRow): string {
	return reference.by === 'id' ? reference.id : reference.userName;
}

/** What looks like a broken source rather than a wish. */
function limits(
	{ changes }: Reconciliation,
	wanted: readonly WantedRow[],
	settings: ReconcileSettings,
	heldBack: ReadonlyMap<string, string>,
	{ context, ids, organizations }: Surroundings,
): string[] {
	const blockedBy: string[] = [];
	const named = new Set(wanted.map(({ groupId }) => ids.parse(groupId)?.organization));
	// Where a row that cannot be used holds removals back, nobody loses anything.
	const empty = settings.organizations.filter(
		(id) => !named.has(id) && !heldBack.has(id) && !heldBack.has(''),
	);
	if (settings.unwanted === 'revoke' && empty.length > 0 && !settings.allowEmptyOrganizations) {
		blockedBy.push(
			wanted.length === 0
				? 'The wanted list is empty, so everybody in scope would lose access. Check the source.'
				: `No row wants access in ${empty.map(organizations.nameOf).join(', ')}, so everybody would lose it there. Check the source, or turn on Allow Empty Organizations.`,
		);
	}
	return [...blockedBy, ...tooMany(context, changes)];
}

/** One item for everybody who was touched although no row names the person. */
function touchedOthers(
	parts: readonly AppliedPart[],
	surroundings: Surroundings,
): Array<OtherOutput<AppliedPart>> {
	const byPerson = new Map<string, AppliedPart[]>();
	for (const part of parts) {
		if (part.item !== NO_ITEM) continue;
		const same = byPerson.get(part.subject);
		if (same === undefined) byPerson.set(part.subject, [part]);
		else same.push(part);
	}
	return [...byPerson.values()].map((own) => ({
		json: changedAccess(own, surroundings) as IDataObject,
		parts: own,
	}));
}
