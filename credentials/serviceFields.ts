import type { INodeProperties } from 'n8n-workflow';

// n8n loads credentials when it starts: these two files alone, and not the whole client.
import { PRESETS } from '../nodes/shared/scim/protocol/service';
import { TRAITS } from '../nodes/shared/scim/protocol/traits';

/** A field for each trait that can be set differently from the profile. */
const OVERRIDES = Object.entries(TRAITS)
	.flatMap(([name, { override }]): INodeProperties[] =>
		override === undefined
			? []
			: [{ ...override.field, name, displayOptions: { show: { overrideProfile: [true] } } }],
	)
	.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));

const ACCOUNT = { serviceProfile: ['accountOrganizations'] };

const WITH_PATTERN = { show: { groupsStandFor: ['organizationAndRole'] }, hide: ACCOUNT };

/** Which service it is, and where: the fields that both credential types begin with. */
export const WHICH_SERVICE: INodeProperties[] = [
	{
		displayName: 'Service Profile',
		name: 'serviceProfile',
		type: 'options',
		options: Object.entries(PRESETS).map(([value, { name, description }]) => ({
			name,
			value,
			description,
		})),
		default: 'generic',
		description: 'What is known of the service. Choose Generic SCIM 2.0 if it is not in this list.',
	},
	{
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/scim/v2',
		description:
			'Part before /Users of the addresses. With Account with Organizations: the part before /scim.',
	},
];

/** What else is known of the service: the fields that both credential types have behind those of authentication. */
export const SERVICE_FIELDS: INodeProperties[] = [
	{
		displayName: 'Account Organization ID',
		name: 'accountOrganizationId',
		type: 'string',
		default: '',
		placeholder: 'e.g. org-1234',
		description:
			'The organization that manages the account. Assigning member or viewer there gives a warning.',
		displayOptions: { show: ACCOUNT },
	},
	{
		displayName: 'What a Group Means',
		name: 'groupsStandFor',
		type: 'options',
		options: [
			{
				name: 'Groups',
				value: 'groups',
				description: 'Groups are chosen by name or ID',
			},
			{
				name: 'Organization and Role',
				value: 'organizationAndRole',
				description: 'The ID or the name of a group spells an organization and a role',
			},
		],
		default: 'groups',
		description: 'What membership in a group means',
		displayOptions: { hide: ACCOUNT },
	},
	{
		displayName: 'Pattern',
		name: 'groupPattern',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. app-{organization}-{role}',
		description:
			'How groups spell organization and role. Groups outside the pattern stay plain groups.',
		displayOptions: WITH_PATTERN,
	},
	{
		displayName: 'Pattern Applies To',
		name: 'groupPatternOn',
		type: 'options',
		options: [
			{ name: 'Display Name', value: 'displayName' },
			{ name: 'ID', value: 'id' },
		],
		default: 'id',
		description: 'Which text of a group follows the pattern',
		displayOptions: WITH_PATTERN,
	},
	{
		displayName: 'Roles',
		name: 'groupRoles',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Role',
		default: {},
		description: 'Roles that decide when the pattern can be read in more than one way',
		options: [
			{
				displayName: 'Role',
				name: 'role',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. read-only',
					},
				],
			},
		],
		displayOptions: WITH_PATTERN,
	},
	{
		displayName: 'Organization Names',
		name: 'organizationNames',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Organization',
		default: {},
		description: 'Names for organizations, so that workflows can say "Marketing" instead of an ID',
		options: [
			{
				displayName: 'Organization',
				name: 'organization',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. Marketing',
					},
					{
						displayName: 'ID',
						name: 'id',
						type: 'string',
						default: '',
						placeholder: 'e.g. org-3454',
					},
				],
			},
		],
	},
	{
		displayName: 'Path Before /Users',
		name: 'scimPrefix',
		type: 'options',
		options: [
			{
				name: 'Default',
				value: 'profile',
				description: 'Every request for Account with Organizations, none for the others',
			},
			{
				name: 'Every Request',
				value: 'everyRequest',
				description: '/scim/Users and /scim/Users/ID',
			},
			{
				name: 'Collections Only',
				value: 'collectionsOnly',
				description: '/scim/Users, but /Users/ID for one user',
			},
			{
				name: 'None (Base URL is the SCIM root)',
				value: 'nowhere',
				description: '/Users and /Users/ID',
			},
		],
		default: 'profile',
		description: 'Where /scim goes between the Base URL and the resource',
	},
	{
		displayName: 'Override Profile',
		name: 'overrideProfile',
		type: 'boolean',
		default: false,
		description: 'Whether to set single properties of the service differently from its profile',
	},
	...OVERRIDES,
	...['Reads', 'Writes'].map((what): INodeProperties => ({
		displayName: `${what} per Minute`,
		name: `${what.toLowerCase()}PerMinute`,
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 0,
		description: `Maximum ${what.toLowerCase()} per minute, spaced evenly. 0 for no limit, or for that of the Service Profile.`,
	})),
];

/** @param name as n8n's own credentials or ours call it */
export function ignoreSslField(name: string): INodeProperties {
	return {
		displayName: 'Ignore SSL Issues (Insecure)',
		name,
		type: 'boolean',
		default: false,
		description: 'Whether to connect even if the certificate of the service cannot be verified',
	};
}
