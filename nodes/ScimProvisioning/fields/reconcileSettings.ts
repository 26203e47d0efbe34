import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError, textList } from '../../shared/util';
import { safetyLimitsIn, type ScimConnection } from '../../shared/access';
import { checkRole, ROLES } from './group';

/** What Reconcile manages and what it may do; read once, from the first item. */
export interface ReconcileSettings {
	/** Ids of the organizations that are ours to manage. */
	organizations: string[];
	roles: string[];
	unwanted: 'revoke' | 'keep' | 'report';
	createMissing: boolean;
	reactivate: boolean;
	deactivatesEmpty: boolean;
	allowEmptyOrganizations: boolean;
}

export const scopeFields: INodeProperties[] = [
	{
		displayName: 'Organizations in Scope',
		name: 'scopeOrganizations',
		type: 'string',
		noDataExpression: true,
		default: '',
		required: true,
		placeholder: 'e.g. Marketing, org-9120',
		description:
			'Organizations that are ours to manage, by name or ID, comma-separated. Access elsewhere is never touched; the account organization only when it is named here.',
	},
	{
		displayName: 'Roles in Scope',
		name: 'scopeRoles',
		type: 'multiOptions',
		noDataExpression: true,
		options: ROLES,
		default: ['admin', 'member', 'viewer'],
		description:
			'Roles that are ours to manage; rows with other roles fail, and other roles are never taken away',
	},
	{
		displayName: 'Unwanted Access',
		name: 'unwanted',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Keep', value: 'keep', description: 'Access that no row wants is left alone' },
			{ name: 'Report', value: 'report', description: 'It is left alone, and listed' },
			{ name: 'Revoke', value: 'revoke', description: 'It is taken away' },
		],
		default: 'revoke',
		description: 'What happens to access in scope that no row wants',
	},
];

/** Among the safety limits of Reconcile. */
export const allowEmptyOrganizations: INodeProperties = {
	displayName: 'Allow Empty Organizations',
	name: 'allowEmptyOrganizations',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to allow removing all access in an organization that has no rows',
};

export const reconcileOptions: INodeProperties[] = [
	{
		displayName: 'Deactivate Users Without Access',
		name: 'deactivatesEmpty',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether people who end without any access are deactivated',
	},
	{
		displayName: 'Reactivate',
		name: 'reactivate',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to activate wanted people who are inactive; otherwise their rows fail. It takes a look at every wanted user.',
	},
];

/** @throws InputError for an empty scope, an unknown name, or a number out of range */
export function readReconcileSettings(
	context: IExecuteFunctions,
	connection: ScimConnection,
): ReconcileSettings {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const organizations = textList(
		context.getNodeParameter('scopeOrganizations', 0),
		'Organizations in Scope',
	).map((entry) => connection.organizations.idOf(entry));
	if (organizations.length === 0) {
		throw new InputError(
			'No organization is in scope',
			'Name the organizations that are ours to manage under Organizations in Scope.',
		);
	}
	const roles = context.getNodeParameter('scopeRoles', 0, []) as string[];
	const unwanted = context.getNodeParameter('unwanted', 0);
	return {
		organizations: [...new Set(organizations)],
		roles: roles.map((role) => checkRole(role, connection)),
		unwanted: unwanted === 'keep' || unwanted === 'report' ? unwanted : 'revoke',
		createMissing: context.getNodeParameter('createMissing', 0, false) === true,
		reactivate: options.reactivate === true,
		deactivatesEmpty: options.deactivatesEmpty === true,
		allowEmptyOrganizations: safetyLimitsIn(options).allowEmptyOrganizations === true,
	};
}
