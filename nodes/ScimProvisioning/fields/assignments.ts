import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError, isObject } from '../../shared/util';
import { locatorValue, parameterJson, parameterText } from '../../shared/run';
import { attribute } from '../../shared/scim';
import type { ScimConnection } from '../../shared/access';
import { checkRole, organizationField, roleField, ROLES } from './group';

/** One assignment, or a list of them: organization and role each. */
export const assignmentFields: INodeProperties[] = [
	{
		displayName: 'Assignments',
		name: 'assignmentsFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'One Organization and Role',
				value: 'one',
				description: 'One organization and role for each item',
			},
			{
				name: 'List Below',
				value: 'list',
				description: 'The same or different rows of organization and role',
			},
			{
				name: 'List in a Field (JSON)',
				value: 'json',
				description: 'A list of objects with organization and role, e.g. from an expression',
			},
		],
		default: 'one',
		description: 'Where organization and role come from',
	},
	{ ...organizationField, displayOptions: { show: { assignmentsFrom: ['one'] } } },
	{ ...roleField, displayOptions: { show: { assignmentsFrom: ['one'] } } },
	{
		displayName: 'Organizations and Roles',
		name: 'assignmentList',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Assignment',
		default: {},
		displayOptions: { show: { assignmentsFrom: ['list'] } },
		description: 'The organizations, and the role in each',
		options: [
			{
				displayName: 'Assignment',
				name: 'assignment',
				values: [
					{
						displayName: 'Organization Name or ID',
						name: 'organization',
						type: 'string',
						default: '',
						placeholder: 'e.g. Marketing',
						description: 'A name from the credential, or the ID of the organization',
					},
					{
						displayName: 'Role',
						name: 'role',
						type: 'options',
						options: ROLES,
						default: 'member',
						description: 'The role in the organization',
					},
				],
			},
		],
	},
	{
		displayName: 'Assignments (JSON)',
		name: 'assignmentsJson',
		type: 'json',
		default: '[]',
		displayOptions: { show: { assignmentsFrom: ['json'] } },
		description:
			'A list of objects, e.g. [{"organization": "Marketing", "role": "member"}]; organizations by name or ID',
	},
];

/**
 * Reads the assignments of an item as group ids; an empty list is returned as such.
 * @throws InputError for an absent list, a row without organization, and a role that is none
 */
export function readAssignments(
	context: IExecuteFunctions,
	item: number,
	connection: ScimConnection,
): string[] {
	const from = context.getNodeParameter('assignmentsFrom', item);
	if (from === 'one') {
		return [
			groupIdOf(
				parameterText(locatorValue(context.getNodeParameter('organization', item))),
				context.getNodeParameter('role', item),
				connection,
			),
		];
	}
	const rows =
		from === 'list'
			? (attribute(context.getNodeParameter('assignmentList', item), 'assignment') ?? [])
			: parameterJson(context.getNodeParameter('assignmentsJson', item));
	if (!Array.isArray(rows)) {
		throw new InputError(
			'Assignments is not a list',
			'Give a list such as [{"organization": "Marketing", "role": "member"}].',
		);
	}
	// Array.from also shows what a sparse array leaves out.
	const ids = Array.from(rows as unknown[]).map((row, index) => {
		if (!isObject(row)) {
			throw new InputError(
				`Assignment ${index + 1} is not an object`,
				'Give organization and role, e.g. {"organization": "Marketing", "role": "member"}.',
			);
		}
		const organization = parameterText(attribute(row, 'organization'));
		if (organization === '') {
			throw new InputError(
				`Assignment ${index + 1} has no organization`,
				'Give the name or ID of the organization, e.g. {"organization": "Marketing", "role": "member"}.',
			);
		}
		return groupIdOf(organization, attribute(row, 'role'), connection);
	});
	return [...new Map(ids.map((id) => [connection.ids.key(id), id])).values()];
}

function groupIdOf(organization: string, role: unknown, connection: ScimConnection): string {
	return connection.ids.format({
		organization: connection.organizations.idOf(organization),
		role: checkRole(role, connection),
	});
}
