import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	ambiguousGroups,
	placeOfOrganization,
	reachedBy,
	type Membership,
} from '../../../shared/access/facts';
import { type Operation, report } from '../../../shared/run';
import { wholeList, shownActive } from '../../../shared/scim';
import { addTo, attempt, disambiguated } from '../../../shared/util';
import { UNKNOWN_ACCESS } from '../../fields/accessItem';
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

interface Row {
	id: string;
	userName: string;
	active?: boolean;
	/** What the person has in each column, in their order; empty for nothing. */
	held: Held[][];
	warnings: string[];
}

const RANKS = ['organization', 'group', 'attribute'];

interface Matrix {
	/** What the columns are called, each another. */
	columns: string[];
	/** Whether what is in each is known. */
	known: boolean[];
	people: Row[];
	/** Why there is nothing in the columns of groups. */
	unknown?: string;
}

const IN_GROUP = 'member';

const NO_USERS = 'The service lists no users: only members of groups are here';

/** All users, organizations and groups in one table. */
export const getMatrix: Operation = {
	name: 'Get Matrix',
	action: 'Get access matrix',
	description: 'Retrieve all users with their groups and roles',
	fields: [],

	async execute(context) {
		// The table is of the service, not of the items: it is read once, and paired to all of them.
		const items = context.getInputData().map((_, item) => ({ item }));
		const read = await attempt(async () =>
			itemsOf(await readMatrix(await operationContext(context))),
		);
		if (!read.ok) {
			const failed = items.map(({ item }) => ({ item, json: [], outcomes: [], error: read.error }));
			return report(context.getNode(), context.continueOnFail(), failed);
		}
		return read.value.map((json): INodeExecutionData => ({ json, pairedItem: items }));
	},
};

function itemsOf(matrix: Matrix): IDataObject[] {
	return matrix.people.map((person) => rowItem(person, matrix));
}

async function readMatrix(operation: OperationContext): Promise<Matrix> {
	const { client, reader, ids, organizations } = operation;
	const users = wholeList(await client.listUsers(), 'users');
	const access = await reader.memberships.withGroupsInGroups(
		await reader.memberships.read({ users }),
	);
	// Members who are not in the list of users have access anyway, and must not be missing from a review.
	const listed = new Set(users.map(({ id }) => id));
	const others = [...access.held.keys()].filter((id) => !listed.has(id));
	const people = [
		...users.map((user) => ({ id: user.id, userName: user.userName, active: shownActive(user) })),
		...others.map((id) => ({ id, userName: access.names.get(id) ?? id, active: undefined })),
	].map((person) => ({
		...person,
		memberships: reachedBy(access, person.id),
		values: access.values.get(person.id) ?? [],
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
	for (const { id, displayName } of access.groups.values()) {
		add({ groupId: id, displayName, ...access.placeOf(id) });
	}
	for (const { memberships, values } of people) {
		memberships.forEach(add);
		for (const { attribute } of values) {
			columns.set(attributeKey(attribute), { id: attribute, name: attribute, rank: 'attribute' });
		}
	}
	const sorted = [...columns].sort(
		([, a], [, b]) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) || a.name.localeCompare(b.name),
	);
	const cut = [...access.groups.values()].flatMap((group) => {
		const told = access.everyMember(group.id);
		const isShown = (group.members ?? []).length > 0 || group.unread;
		return told.told === 'nothing' && isShown ? [{ group, told }] : [];
	});
	const cutColumns = new Set(
		cut.map(({ group: { id } }) => columnKey({ groupId: id, ...access.placeOf(id) }, operation)),
	);
	const whyUnknown =
		access.shown.told !== 'all'
			? UNKNOWN_ACCESS
			: cut.length > 0
				? `Access is unknown: ${cut[0].told.why}.`
				: undefined;
	return {
		columns: disambiguated(sorted.map(([, column]) => column)),
		known: sorted.map(
			([key, { rank }]) =>
				rank === 'attribute' || (access.shown.told === 'all' && !cutColumns.has(key)),
		),
		...(whyUnknown !== undefined && { unknown: whyUnknown }),
		people: people
			.map(({ memberships, values, ...person }) => {
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
					held: sorted.map(([key]) => held.get(key) ?? []),
					warnings: [...ambiguousGroups(groups, ids), ...(users.length === 0 ? [NO_USERS] : [])],
				};
			})
			.sort((a, b) => a.userName.localeCompare(b.userName)),
	};
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
	{ columns, known, unknown }: Matrix,
): IDataObject {
	const said = unknown === undefined ? warnings : [unknown];
	const access = columns.flatMap((column, index) =>
		known[index] ? [[column, heldText(held[index])]] : [],
	);
	return {
		userId: id,
		userName,
		active: active ?? null,
		access: unknown !== undefined && access.length === 0 ? null : Object.fromEntries(access),
		...(said.length > 0 && { warnings: said }),
	};
}

/** What a person has in one column, as text; empty for nothing. */
function heldText(held: readonly Held[]): string {
	return held
		.map(({ role = IN_GROUP, via }) => (via === undefined ? role : `${role} (via ${via})`))
		.join(', ');
}
