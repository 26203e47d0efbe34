import {
	keyOfRow,
	matchRows,
	notKeptWarnings,
	planAbsent,
	planRows,
	type Diff,
	type Found,
	type MatchedRows,
	type Settled,
	type UserRow,
	type UserRules,
	whoIs,
} from '../../../shared/access';
import { NO_ITEM, optionsField, previewFirstField } from '../../../shared/run';
import {
	indexUsers,
	whyUnmatched,
	type Matching,
	type Unmatched,
	type User,
} from '../../../shared/scim';
import { madeOnce } from '../../../shared/util';
import { absentFields, readAbsent, readUserScope, type UserScope } from '../../fields/absentUsers';
import { emptyCellsOption, readEmptyCells } from '../../fields/emptyCells';
import { allowPermanentRemoval, maxCreates, safetyLimitsOption } from '../../fields/guards';
import { knownToService } from '../../fields/knownToService';
import { linkByUserNameOption, matchUsersByOption } from '../../fields/matchUsers';
import { requireLastingNames } from '../../fields/person';
import { reactivateOption } from '../../fields/reactivate';
import { leftAlone, reconcileItems } from '../../fields/reconcileItems';
import {
	blankRow,
	isFromList,
	readRows,
	unreadableItems,
	unusableOf,
	unusableRow,
	type Row,
} from '../../fields/rows';
import { userRowFields, userRowReader, USERS } from '../../fields/userRows';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import type { Planned } from '../../planned';
import { scimWrite } from '../../runWrite';

/** Compares a whole list of people with the accounts that are there, and makes these as the list says. */
export const reconcileUsers = scimWrite<Row<UserRow>>({
	name: 'Reconcile',
	action: 'Reconcile users',
	description:
		'Create and update users to match a list. With Absent Users, deactivate the others, too.',
	fields: [
		...userRowFields,
		matchUsersByOption,
		...absentFields,
		previewFirstField,
		optionsField([
			emptyCellsOption,
			linkByUserNameOption,
			reactivateOption,
			safetyLimitsOption(allowPermanentRemoval, maxCreates),
			...writeOptions,
		]),
	],

	items: () => reconcileItems(USERS),
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
		return readRows(operation.context, item, USERS, rowReader(operation));
	},
	plan,
});

const rowReader = madeOnce((operation: OperationContext) =>
	userRowReader(operation, readEmptyCells(operation.context)),
);

async function plan(
	rows: ReadonlyArray<Row<UserRow>>,
	operation: OperationContext,
	refused: ReadonlyMap<number, unknown>,
): Promise<Planned> {
	const { context, options, matching, reader, client, isProtected, previews } = operation;
	if (matching.by === 'userName') requireLastingNames(client.profile);
	const absent = readAbsent(context);
	const people = rows.flatMap((row) => (row.kind === 'wanted' ? row.wanted : []));
	const { users, incomplete } = await reader.people.everybody(
		people.flatMap((row) => {
			const key = keyOfRow(row, matching);
			return key === '' ? [] : [{ key, newName: row.userName ?? row.email ?? undefined }];
		}),
		matching,
	);
	const index = indexUsers(users, matching);
	const common = {
		matching,
		profile: client.profile,
		links: options.linkByUserName === true,
		incomplete,
	};
	const listed = matchRows(people, index, common);
	const scope = absent && (await readUserScope(absent, users, operation));
	const renamed = await findRenamed(listed, users, scope, operation);
	const matched = renamed.size > 0 ? matchRows(people, index, { ...common, renamed }) : listed;
	// Whoever is linked by user name has a row after all.
	const meant = new Set(matched.known.map(({ user }) => user.id));
	const unmatched = index.unmatched().filter(({ user }) => !meant.has(user.id));
	const unusable = [
		...rows.flatMap((row) => (row.kind === 'bad' ? unusableRow(row) : [])),
		...matched.unusable.map(({ row, error }) => unusableRow({ ...row, error })),
	];
	const unreadable = unreadableItems(refused);
	const wantedOf = matched.known.map(({ user, wanted }) => ({ user, attributes: wanted }));
	const knows = await knownToService(wantedOf, client);
	const notKept = new Set(
		wantedOf.flatMap(({ attributes }) => Object.keys(attributes).filter((name) => !knows(name))),
	);
	const rules = {
		...{ matching, profile: client.profile, isProtected },
		reactivate: options.reactivate === true,
		knows,
		heldBack: whyHeldBack(unusable, unreadable, incomplete),
	};
	const wanted = planRows(matched, rules);
	const left = planLeft(scope, users, matched, unmatched, rules);
	const changes = [...wanted.changes, ...left.changes];
	const settled = [
		...(isFromList(context, USERS) ? [] : rows.flatMap(blankRow)),
		...unusable,
		...wanted.settled,
		...left.settled,
		...(previews ? unmatched.map((one) => unmatchedAccount(one, matching)) : []),
	];
	const isEmpty = matched.known.length + matched.fresh.length === 0;
	const problems = [...unreadable, ...unusableOf(settled)];
	return {
		...{ changes, settled, among: left.among },
		warnings: [...wanted.warnings, ...left.warnings],
		notes: notKeptWarnings([...notKept]),
		...(left.access && { access: left.access }),
		blockedBy: isEmpty ? [withoutRows(problems)] : [],
		words: {
			unusable: problems,
			leftAlone: leftAlone(settled, operation),
			compared: !isEmpty,
			unmatched: unmatched.map((one) => ({
				who: one.user.userName || one.user.id,
				reason: whyUnmatched(one.sharedWith, matching),
			})),
		},
	};
}

/** Why nobody is deactivated; undefined where every row names a known user. */
function whyHeldBack(
	unusable: readonly Settled[],
	unreadable: ReadonlyArray<{ row: string }>,
	incomplete: string | undefined,
): string | undefined {
	if (incomplete !== undefined) return `the list of users is incomplete: ${incomplete}`;
	const row = unreadable.at(0)?.row ?? unusable.at(0)?.subject;
	return row === undefined ? undefined : `nobody is deactivated while ${row} cannot be used`;
}

function withoutRows(problems: ReadonlyArray<{ row: string; reason: string }>): string {
	const [first] = problems;
	return first === undefined
		? 'The list of users is empty. Check the source.'
		: `No row can be used: ${first.row}: ${first.reason}.`;
}

/**
 * Accounts whose user name was changed at the service, which filters find by the name that a row has: before anybody counts
 * as absent, and is deactivated, people without an account are asked for.
 */
async function findRenamed(
	{ known, fresh }: MatchedRows,
	users: readonly User[],
	scope: UserScope | undefined,
	{ matching, reader }: OperationContext,
): Promise<ReadonlyMap<string, Found>> {
	const meant = new Set(known.map(({ user }) => user.id));
	const isLeaving = (user: User) =>
		user.active !== false && !meant.has(user.id) && scope?.includes(user) === true;
	const isAsked = scope?.deactivates && matching.by === 'userName' && users.some(isLeaving);
	return await reader.people.find(isAsked ? fresh.map(({ userName }) => userName) : []);
}

/** What happens to people whom no row names. */
function planLeft(
	scope: UserScope | undefined,
	users: readonly User[],
	matched: MatchedRows,
	unmatched: readonly Unmatched[],
	rules: UserRules,
): Diff & Pick<Planned, 'access' | 'among'> {
	const active = users.filter((user) => user.active !== false);
	if (scope === undefined) {
		const among = { people: active.length, are: 'active users' };
		return { changes: [], settled: [], warnings: [], among };
	}
	const { includes, access } = scope;
	const among = { people: active.filter(includes).length, are: 'active people in scope' };
	const made = planAbsent(users, matched, unmatched, scope, rules);
	return { ...made, among, access };
}

function unmatchedAccount(unmatched: Unmatched, matching: Matching): Settled {
	const { user, sharedWith } = unmatched;
	const reason = whyUnmatched(sharedWith, matching);
	const action = `match user ${user.userName || user.id}`;
	return {
		...{ item: NO_ITEM, subject: user.id, outcome: { status: 'skipped', action, reason } },
		result: { who: whoIs(user, user), intent: 'none' },
	};
}
