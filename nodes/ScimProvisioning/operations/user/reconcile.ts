import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	keyOfRow,
	matchRows,
	notKeptWarnings,
	planAbsent,
	planRows,
	type Diff,
	type MatchedRows,
	type Settled,
	type UserRow,
	whoIs,
} from '../../../shared/access';
import {
	NO_ITEM,
	optionsField,
	previewFirstField,
	showFor,
	type Operation,
} from '../../../shared/run';
import {
	indexUsers,
	whyUnmatched,
	type Matching,
	type Unmatched,
	type User,
} from '../../../shared/scim';
import { madeOnce } from '../../../shared/util';
import { NO_CHANGE } from '../../fields/accessItem';
import { accessExtras } from '../../fields/accessPreview';
import {
	absentFields,
	readAbsent,
	readUserScope,
	type AbsentSettings,
} from '../../fields/absentUsers';
import { emptyCellsOption, readEmptyCells } from '../../fields/emptyCells';
import { allowPermanentRemoval, maxCreates, safetyLimitsOption } from '../../fields/guards';
import { knownToService } from '../../fields/knownToService';
import { linkByUserNameOption, linksByUserName, matchUsersByOption } from '../../fields/matchUsers';
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
import { runScimWrite, type OperationContext, type Planned } from '../../runWrite';

/** Compares a whole list of people with the accounts that are there, and makes these as the list says. */
export const reconcileUsers: Operation = {
	fields: showFor('user', 'reconcile', [
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
	]),

	async execute(context) {
		const reader = madeOnce((operation: OperationContext) =>
			userRowReader(operation, readEmptyCells(context)),
		);
		return await runScimWrite<Row<UserRow>>(context, {
			collect(item, operation) {
				operation.requireUndoable(readAbsent(context)?.deactivates ? 'deactivate' : undefined);
				return readRows(context, item, USERS, reader(operation));
			},
			plan: async (rows, operation, refused) => await plan(context, rows, refused, operation),
			blank: NO_CHANGE,
			output: (parts, operation, made) =>
				reconcileItems(parts, operation, made, isFromList(context, USERS)),
		});
	},
};

async function plan(
	context: IExecuteFunctions,
	rows: ReadonlyArray<Row<UserRow>>,
	refused: ReadonlyMap<number, unknown>,
	operation: OperationContext,
): Promise<Planned> {
	const { matching, directory, client, isProtected, previews } = operation;
	if (matching.by === 'userName') requireLastingNames(client.profile);
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const absent = readAbsent(context);
	const people = rows.flatMap((row) => (row.kind === 'wanted' ? row.wanted : []));
	const { users, incomplete } = await directory.allUsers(
		people.flatMap((row) => {
			const key = keyOfRow(row, matching);
			return key === '' ? [] : [{ key, newName: row.userName ?? row.email ?? undefined }];
		}),
		matching,
	);
	const index = indexUsers(users, matching);
	const matched = matchRows(people, index, {
		matching,
		profile: client.profile,
		links: linksByUserName(context),
		incomplete,
	});
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
	const left = await planLeft(absent, users, matched, unmatched, rules, operation);
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
	return accessExtras(
		'reconcileUsers',
		{
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
		},
		operation,
	);
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

/** What happens to people whom no row names. */
async function planLeft(
	absent: AbsentSettings | undefined,
	users: readonly User[],
	matched: MatchedRows,
	unmatched: readonly Unmatched[],
	rules: Parameters<typeof planRows>[1],
	operation: OperationContext,
): Promise<Diff & Pick<Planned, 'access' | 'among'>> {
	const active = users.filter((user) => user.active !== false);
	if (absent === undefined) {
		const among = { people: active.length, are: 'active users' };
		return { changes: [], settled: [], warnings: [], among };
	}
	const { deactivates } = absent;
	const { includes, access } = await readUserScope(absent, users, operation);
	const among = { people: active.filter(includes).length, are: 'active people in scope' };
	const isInScope = includes;
	const made = planAbsent(users, matched, unmatched, { deactivates, isInScope }, rules);
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
