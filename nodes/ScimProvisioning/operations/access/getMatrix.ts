import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	type Access,
	ALL_GROUPS,
	ambiguousGroups,
	type GroupSelection,
	placeOfOrganization,
	reachedBy,
	selectGroups,
	type Membership,
} from '../../../shared/access/facts';
import { protection } from '../../../shared/access/guards';
import { type Operation, optionsField, report } from '../../../shared/run';
import { type AccessValue, wholeList, shownActive, type User } from '../../../shared/scim';
import { addTo, attempt, disambiguated, InputError, shown, textList } from '../../../shared/util';
import { membershipItems, UNKNOWN_ACCESS } from '../../fields/accessItem';
import { groupRowsField, readRunRows } from '../../fields/groupRows';
import { operationContext, type OperationContext } from '../../context';

/** An organization, a group that stands for none, or an attribute of users. */
interface Column {
	id: string;
	name: string;
	rank: 'organization' | 'group' | 'attribute';
}

/** One role in one column, or a membership. */
interface Held {
	/** Missing for a membership of a group that stands for no role. */
	role?: string;
	/** Name of the group that gives it. */
	via?: string;
}

interface Holder {
	id: string;
	userName: string;
	active?: boolean;
	memberships: Membership[];
	values: readonly AccessValue[];
}

interface Row extends Holder {
	/** What the person has, by column. */
	held: ReadonlyMap<string, Held[]>;
	warnings: string[];
}

const RANKS = ['organization', 'group', 'attribute'];

interface Matrix {
	/** What the columns are called of which it is known what is in them, each another. */
	columns: ReadonlyMap<string, string>;
	/** The row of somebody who has nothing in these. */
	nothing: Record<string, string>;
	people: Row[];
	/** Why there is nothing in the columns of groups. */
	unknown?: string;
}

const IN_GROUP = 'member';

const NOWHERE: Membership = { key: '', groupId: '', displayName: '' };

const NO_USERS = 'The service lists no users: only members of groups are here';

const onlyGroups = { displayName: 'Only These Groups', name: 'onlyGroups' };

/** All users, organizations and groups in one table. */
export const getMatrix: Operation = {
	name: 'Get Matrix',
	action: 'Get access matrix',
	description: 'Retrieve all users with their groups and roles',
	fields: [
		optionsField([
			groupRowsField(
				{ ...onlyGroups, description: 'Names, IDs or patterns with *. Others are left out.' },
				'e.g. app-*',
			),
			{
				displayName: 'Only These Users',
				name: 'onlyUsers',
				type: 'string',
				noDataExpression: true,
				default: '',
				placeholder: 'e.g. name@email.com',
				description: 'IDs, user names, emails, or patterns with *. Separate several with commas.',
			},
			{
				displayName: 'Return',
				name: 'return',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'One Item per User', value: 'perUser' },
					{
						name: 'One Item per Membership',
						value: 'perMembership',
						description: 'With columns that are always the same, such as for a file',
					},
				],
				default: 'perUser',
			},
		]),
	],

	async execute(context) {
		// The table is of the service, not of the items: it is read once, and paired to all of them.
		const items = context.getInputData().map((_, item) => ({ item }));
		const read = await attempt(async () => {
			const filter = readFilter(context);
			const operation = await operationContext(context);
			const matrix = await readMatrix(operation, filter);
			return operation.options.return === 'perMembership'
				? matrix.people.flatMap((person) => membershipRows(person, matrix, operation))
				: matrix.people.map((person) => rowItem(person, matrix));
		});
		if (!read.ok) {
			const failed = items.map(({ item }) => ({ item, json: [], outcomes: [], error: read.error }));
			return report(context.getNode(), context.continueOnFail(), failed);
		}
		return read.value.map((json): INodeExecutionData => ({ json, pairedItem: items }));
	},
};

/** What the table is to be of. */
interface Filter {
	/** Names, IDs and patterns; empty for all. */
	groups: string[];
	users: string[];
}

function readFilter(context: IExecuteFunctions): Filter {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	return {
		groups: readRunRows(context, { ...onlyGroups, isOption: true }),
		users: textList(options.onlyUsers, 'Only These Users'),
	};
}

async function readMatrix(operation: OperationContext, filter: Filter): Promise<Matrix> {
	const { client, reader, ids, organizations } = operation;
	const users = wholeList(await client.listUsers(), 'users');
	const access = await reader.memberships.withGroupsInGroups(
		await reader.memberships.read({ users }),
	);
	// Members who are not in the list of users have access anyway, and must not be missing from a review.
	const listed = new Set(users.map(({ id }) => id));
	const others = [...access.held.keys()].filter((id) => !listed.has(id));
	const selection =
		filter.groups.length === 0
			? ALL_GROUPS
			: selectGroups(filter.groups, access.groups.values(), ids.key);
	const all = [
		...users.map((user) => ({ id: user.id, userName: user.userName, active: shownActive(user) })),
		...others.map((id) => ({ id, userName: access.names.get(id) ?? id, active: undefined })),
	];
	const people = selectPeople(all, filter.users, users).map((person): Holder => ({
		...person,
		memberships: reachedBy(access, person.id).filter(({ groupId }) => selection.includes(groupId)),
		values: selection === ALL_GROUPS ? (access.values.get(person.id) ?? []) : [],
	}));

	const columns = new Map<string, Column>();
	const add = (place: Pick<Membership, 'groupId' | 'displayName' | 'organization'>) => {
		const { groupId, displayName, organization } = place;
		const key = columnKey(place, operation);
		if (columns.has(key)) return;
		columns.set(
			key,
			organization === undefined
				? { id: groupId, name: displayName, rank: 'group' }
				: { id: organization, name: organizations.nameOf(organization), rank: 'organization' },
		);
	};
	for (const { id, displayName } of access.groups.values())
		if (selection.includes(id)) add({ groupId: id, displayName, ...access.placeOf(id) });
	for (const { memberships, values } of people) {
		memberships.forEach(add);
		for (const { attribute } of values) {
			columns.set(attributeKey(attribute), { id: attribute, name: attribute, rank: 'attribute' });
		}
	}
	const sorted = [...columns].sort(
		([, a], [, b]) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) || a.name.localeCompare(b.name),
	);
	const cut = [...access.groups.values()].flatMap(({ id }) => {
		const why = selection.includes(id) ? whyCut(id, access, ids) : undefined;
		return why === undefined ? [] : [{ id, why }];
	});
	const cutColumns = new Set(
		cut.map(({ id }) => columnKey({ groupId: id, ...access.placeOf(id) }, operation)),
	);
	const whyUnknown =
		access.shown.told !== 'all'
			? UNKNOWN_ACCESS
			: cut.length > 0
				? `Access is unknown: ${cut[0].why}.`
				: undefined;
	const names = disambiguated(sorted.map(([, column]) => column));
	const known = sorted.flatMap(([key, { rank }], at) =>
		rank === 'attribute' || (access.shown.told === 'all' && !cutColumns.has(key))
			? [[key, names[at]] as const]
			: [],
	);
	return {
		columns: new Map(known),
		nothing: Object.fromEntries(known.map(([, name]) => [name, ''])),
		...(whyUnknown !== undefined && { unknown: whyUnknown }),
		people: people
			.filter(({ memberships }) => isShownIn(selection, memberships, whyUnknown))
			.map((person) => {
				const { memberships, values } = person;
				const held = new Map<string, Held[]>();
				for (const membership of memberships) {
					const { role, via } = membership;
					addTo(held, columnKey(membership, operation), { role, via });
				}
				for (const { attribute, value } of values)
					addTo(held, attributeKey(attribute), { role: value });
				const groups = new Set(memberships.flatMap(({ key }) => access.groups.get(key) ?? []));
				return {
					...person,
					held,
					warnings: [...ambiguousGroups(groups, ids), ...(users.length === 0 ? [NO_USERS] : [])],
				};
			})
			.sort((a, b) => a.userName.localeCompare(b.userName)),
	};
}

/** Tells why it is not known who is in a group, or in one that is in it at any depth: who is there has its access, too. */
function whyCut(
	groupId: string,
	access: Access,
	ids: OperationContext['ids'],
	seen = new Set<string>(),
): string | undefined {
	seen.add(ids.key(groupId));
	const group = access.groups.get(ids.key(groupId));
	if (group === undefined) return `the service does not show who is in group ${shown(groupId)}`;
	const told = access.everyMember(groupId);
	const isShown = (group.members ?? []).length > 0 || group.unread;
	if (told.told === 'nothing' && isShown) return told.why;
	for (const id of group.nested ?? []) {
		const why = seen.has(ids.key(id)) ? undefined : whyCut(id, access, ids, seen);
		if (why !== undefined) return why;
	}
	return undefined;
}

/** @throws InputError for an entry that is no user: a report without the user would read as one without access */
function selectPeople<P extends { id: string; userName: string }>(
	people: readonly P[],
	entries: readonly string[],
	users: readonly User[],
): readonly P[] {
	if (entries.length === 0) return people;
	const byId = new Map(users.map((user) => [user.id, user]));
	const isMeant = (patterns: readonly string[]) => {
		const matches = protection(patterns, (id) => byId.get(id));
		return ({ id, userName }: P) => matches({ key: id, id, userName });
	};
	const missing = entries.find((entry) => !people.some(isMeant([entry])));
	if (missing === undefined) return people.filter(isMeant(entries));
	throw new InputError(
		`No user matches ${missing} in Only These Users`,
		'Check the spelling, or use a pattern such as *@email.com.',
	);
}

/** Of some groups, only their members are of interest, where these are known. */
function isShownIn(
	selection: GroupSelection,
	memberships: readonly Membership[],
	whyUnknown: string | undefined,
): boolean {
	return selection === ALL_GROUPS || memberships.length > 0 || whyUnknown !== undefined;
}

/** Equal for groups that share a column. */
function columnKey(
	{ groupId, organization }: Pick<Membership, 'groupId' | 'organization'>,
	{ ids }: OperationContext,
): string {
	return organization === undefined
		? `group ${ids.key(groupId)}`
		: `organization ${placeOfOrganization(organization, ids)}`;
}

function attributeKey(attribute: string): string {
	return `attribute ${attribute}`;
}

function rowItem(
	{ id, userName, active, held, warnings }: Row,
	{ columns, nothing, unknown }: Matrix,
): IDataObject {
	const said = unknown === undefined ? warnings : [unknown];
	// Copied, as ten thousand people may have a thousand columns each.
	const access = { ...nothing };
	for (const [key, own] of held) {
		const column = columns.get(key);
		if (column !== undefined) access[column] = heldText(own);
	}
	return {
		userId: id,
		userName,
		active: active ?? null,
		access: unknown !== undefined && columns.size === 0 ? null : access,
		...(said.length > 0 && { warnings: said }),
	};
}

/** One row per membership and value of a person; one without any where there are none, so that nobody is missing. */
function membershipRows(
	{ id, userName, active, memberships, values, warnings }: Row,
	{ unknown }: Matrix,
	operation: OperationContext,
): IDataObject[] {
	const said = unknown === undefined ? warnings : [unknown];
	const who = { userId: id, userName, active: active ?? null };
	const rows: IDataObject[] = [
		...membershipItems(memberships, operation),
		...values.map(({ attribute, value }) => ({ attribute, value })),
	];
	const [blank] = membershipItems([NOWHERE], operation);
	const none = { ...blank, group: null, groupId: null, attribute: null, value: null };
	return (rows.length > 0 ? rows : [{}]).map((row) => ({
		...{ ...who, ...none, ...row },
		...(said.length > 0 && { warnings: said }),
	}));
}

/** What a person has in one column, as text; empty for nothing. */
function heldText(held: readonly Held[]): string {
	return held
		.map(({ role = IN_GROUP, via }) => (via === undefined ? role : `${role} (via ${via})`))
		.join(', ');
}
