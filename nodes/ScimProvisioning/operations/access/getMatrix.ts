import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../../../shared/util';
import { type Operation, optionsField, report, requestsOption, showFor } from '../../../shared/run';
import { accessReviewPage, assignmentsOf, type ReviewRow } from '../../../shared/access';
import { unknownAccess } from '../../fields/accessItem';
import { wholeList } from '../../../shared/scim';
import { surroundingsOf, type Surroundings } from '../../road';

interface Matrix {
	/** Ids and names, in the order of the columns. */
	organizations: Array<{ id: string; name: string }>;
	people: Array<ReviewRow & { id: string }>;
	/** What is to be said on every row, where the service may not show who has what. */
	unknown: IDataObject;
}

/** Everybody and every organization in one table, for an access review. */
export const getMatrix: Operation = {
	fields: showFor('access', 'getMatrix', [
		{
			displayName: 'Add HTML Table',
			name: 'addHtml',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether to put a self-contained HTML page with the table on the first item, as binary data',
		},
		optionsField([requestsOption('concurrency', 'pageSize')]),
	]),

	async execute(context) {
		// The table is of the service, not of the items: it is read once, and paired to all of them.
		const items = context.getInputData().map((_, item) => ({ item }));
		const read = await attempt(async () => await readMatrix(await surroundingsOf(context, true)));
		if (!read.ok) {
			const failed = items.map(({ item }) => ({ item, json: [], outcomes: [], error: read.error }));
			return report(context.getNode(), context.continueOnFail(), failed);
		}
		const output = read.value.people.map((person): INodeExecutionData => ({
			json: rowItem(person, read.value),
			pairedItem: items,
		}));
		if (context.getNodeParameter('addHtml', 0, false) === true) {
			const { organizations, people } = read.value;
			const page = accessReviewPage(
				organizations.map(({ name }) => name),
				people,
				new Date().toISOString(),
			);
			const binary = await context.helpers.prepareBinaryData(
				Buffer.from(page, 'utf8'),
				'access-review.html',
				'text/html',
			);
			if (output.length === 0) output.push({ json: {}, pairedItem: items });
			output[0].binary = { accessReview: binary };
		}
		return output;
	},
};

async function readMatrix(surroundings: Surroundings): Promise<Matrix> {
	const { client, directory, ids, organizations, settings } = surroundings;
	const access = await directory.access();
	const users = wholeList(await client.listUsers({ count: settings.pageSize }), 'users');
	const seen = new Set<string>();
	for (const group of access.groups.values()) {
		const parsed = ids.parse(group.id);
		if (parsed !== undefined) seen.add(parsed.organization);
	}
	const columns = [...seen]
		.map((id) => ({ id, name: organizations.nameOf(id) }))
		.sort((a, b) => a.name.localeCompare(b.name));
	// Members who are not in the list of users have access all the same, and must not be missing from a review.
	const listed = new Set(users.map(({ id }) => id));
	const others = [...access.held.keys()].filter((id) => !listed.has(id));
	const people = [
		...users.map(({ id, userName, active }) => ({ id, userName, active })),
		...others.map((id) => ({ id, userName: access.names.get(id) ?? id, active: undefined })),
	];
	return {
		organizations: columns,
		unknown: unknownAccess(access),
		people: people
			.map(({ id, userName, active }) => {
				const roles = new Map<string, string[]>();
				for (const { organization, role } of assignmentsOf(access, id, ids)) {
					roles.set(organization, [...(roles.get(organization) ?? []), role]);
				}
				return {
					id,
					userName,
					...(active !== undefined && { active }),
					roles: columns.map((column) => (roles.get(column.id) ?? []).join(', ')),
				};
			})
			.sort((a, b) => a.userName.localeCompare(b.userName)),
	};
}

/** One column per organization, by its name; two of the same name are told apart by their ids. */
function rowItem(
	{ id, userName, active, roles }: Matrix['people'][number],
	{ organizations, unknown }: Matrix,
): IDataObject {
	const names = organizations.map(({ name }) => name);
	const access = Object.fromEntries(
		organizations.map((organization, index) => [
			names.indexOf(organization.name) === names.lastIndexOf(organization.name)
				? organization.name
				: `${organization.name} (${organization.id})`,
			roles[index],
		]),
	);
	return { id, userName, ...(active !== undefined && { active }), access, ...unknown };
}
