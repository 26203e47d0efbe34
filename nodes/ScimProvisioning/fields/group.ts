import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { attemptSync, InputError, isObject, shown } from '../../shared/util';
import { locatorValue, parameterText, seenAt, type Output } from '../../shared/run';
import { checkSegment } from '../../shared/http';
import type { Group } from '../../shared/scim';
import type { GroupReference } from '../../shared/access/facts';
import type { ScimConnection } from '../../shared/connection';
import type { OperationContext } from '../context';
import { changeOf, type AppliedPart, type Change, WORDS } from '../../shared/access/changes';
import type { Guarded } from '../../shared/access/write';
import type { ItemForm } from './item';
import { attributesOf, HEAD, isMade, kindOfPart, sentenceOf, statusOf, worstPart } from './item';
import {
	attributeText,
	jsonField,
	readJsonAttributes,
	type CollectedAttributes,
} from './attributes';

/** Roles of account organizations (test/contract/interface.md 1.1). */
export const ROLES = [
	{ name: 'Admin', value: 'admin' },
	{ name: 'Member', value: 'member' },
	{ name: 'Viewer', value: 'viewer' },
];
const ROLE_NAMES = ROLES.map(({ value }) => value);

export const organizationField: INodeProperties = {
	displayName: 'Organization',
	name: 'organization',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'Organization to use',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an organization...',
			typeOptions: { searchListMethod: 'searchOrganizations', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. org-3454' },
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Marketing',
			hint: 'A name from Organization Names in the credential',
		},
	],
};

export const roleField: INodeProperties = {
	displayName: 'Role',
	name: 'role',
	type: 'options',
	options: ROLES,
	default: 'member',
	required: true,
	description: 'The role in the organization. For a role that is not listed, use an expression.',
};

export const groupField: INodeProperties = {
	displayName: 'Group',
	name: 'group',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The group to work on',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a group...',
			typeOptions: { searchListMethod: 'searchGroups', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. org-3454:member' },
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. Engineering' },
	],
};

/** Finds the role in an organization that the list of groups shows as a text such as "Marketing: member". */
export function placeNamed(
	text: string,
	{ ids, organizations }: ScimConnection,
): { orPlace?: { organization: string; role: string } } {
	if (ids.standsFor === 'nothing') return {};
	const [, name = '', word = ''] = /^(.+):\s+(.+)$/.exec(text) ?? [];
	const role = ids.role(word.trim());
	const organization = attemptSync(() => organizations.idOf(name));
	return role === undefined || organization === undefined
		? {}
		: { orPlace: { organization, role } };
}

/** Reads a group as the field names it; a model may give a name for an ID. @throws InputError when it is empty */
export function readGroupField(value: unknown, connection: Naming): GroupReference {
	const text = parameterText(locatorValue(value));
	if (text === '') {
		throw new InputError(
			'No group specified',
			'Select one from the list, or enter its ID or name.',
		);
	}
	const mode = isObject(value) ? value.mode : undefined;
	if (mode === 'name') return { by: 'name', name: text, ...placeNamed(text, connection) };
	// An agent or an expression may give the bare text.
	if (mode === undefined) return { by: 'text', text, ...placeNamed(text, connection) };
	checkSegment(text);
	// What was selected from the list is an ID.
	return connection.takesNames && mode !== 'list'
		? { by: 'id', id: text, orName: true }
		: { by: 'id', id: text };
}

/** The two ways to choose access. */
export const groupOrRole: INodePropertyOptions[] = [
	{
		name: 'Group',
		value: 'group',
		description: 'Groups of any SCIM service, from the list, by ID or by name',
	},
	{
		name: 'Organization and Role',
		value: 'organizationAndRole',
		description: 'Only for services whose groups stand for a role in an organization',
	},
];

/** Picks one group: from the list, by id, or by organization and role. */
export const groupFields: INodeProperties[] = [
	{
		displayName: 'Choose Group By',
		name: 'chooseGroupBy',
		type: 'options',
		noDataExpression: true,
		options: groupOrRole,
		default: 'group',
		description: 'How the group is chosen',
	},
	{ ...groupField, displayOptions: { show: { chooseGroupBy: ['group'] } } },
	{ ...organizationField, displayOptions: { show: { chooseGroupBy: ['organizationAndRole'] } } },
	{ ...roleField, displayOptions: { show: { chooseGroupBy: ['organizationAndRole'] } } },
];

/** What tells how groups are named. */
export type Naming = ScimConnection & Pick<OperationContext, 'takesNames'>;

/** Reads the group that an item names. @throws InputError when it is empty, or the role is none */
export function readGroupFields(
	context: IExecuteFunctions,
	item: number,
	connection: Naming,
): GroupReference {
	const { ids, organizations } = connection;
	if (context.getNodeParameter('chooseGroupBy', item) !== 'organizationAndRole') {
		return readGroupField(context.getNodeParameter('group', item), connection);
	}
	ids.requirePattern();
	const organization = organizations.idOf(
		parameterText(locatorValue(context.getNodeParameter('organization', item))),
	);
	const role = checkRole(context.getNodeParameter('role', item), connection);
	return { by: 'place', organization, role };
}

/** Checks that the service has a role. @throws InputError for a role that the service does not have */
export function checkRole(value: unknown, { ids }: ScimConnection): string {
	const text = String(value ?? '').trim();
	const role = ids.role(text);
	if (role !== undefined) return role;
	throw new InputError(`"${text}" is not a role`, `Use one of ${ROLE_NAMES.join(', ')}.`);
}

/** What a group is called, with the organization and role it stands for where its id says so. */
function groupName(group: Group, { ids, organizations }: ScimConnection): IDataObject {
	const parsed = ids.parse(group.id, group.displayName);
	return {
		id: group.id,
		displayName: group.displayName,
		...(parsed !== undefined && {
			organization: parsed.organization,
			organizationName: organizations.nameOf(parsed.organization),
			role: parsed.role,
		}),
	};
}

/** What is said of a group whose members are not known. */
const NO_MEMBERS_SHOWN =
	'The service did not show members of this group, so members is null. If a group without members is empty there, set Groups Show Members to Yes under Override Profile in the credential.';

/** Makes the output of a group that was read; where members are not known, a warning says so. */
export function readGroupItem(group: Group, connection: ScimConnection): IDataObject {
	const item = simpleGroup(group, connection);
	return item.members === null ? { ...item, warnings: [NO_MEMBERS_SHOWN] } : item;
}

/** A group flat, with its members; null where they were not shown. */
function simpleGroup(group: Group, connection: ScimConnection): IDataObject {
	const { members = connection.client.facts.showsMembers() ? [] : undefined } = group;
	return {
		...groupName(group, connection),
		members:
			members?.map(({ id, display }) => ({
				userId: id,
				...(display !== undefined && { display }),
			})) ?? null,
	};
}

export const displayNameField: INodeProperties = {
	displayName: 'Display Name',
	name: 'displayName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Designers',
	description: 'Name of the group',
};

/** Attributes of a group beside its name (RFC 7643 section 4.2). */
export const groupAttributeFields: INodeProperties[] = [
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. HR-DESIGN',
		description: 'Your own ID of the group',
	},
	jsonField('{"description": "Everybody who draws"}'),
];

/**
 * Reads the attributes of a group.
 * @throws InputError for JSON that does not parse or is no object, for a field that is no text, and for an empty name
 */
export function readGroupAttributes(fields: IDataObject): CollectedAttributes {
	const { attributes, warnings } = readJsonAttributes(fields.attributesJson, ['members']);
	for (const name of ['displayName', 'externalId']) {
		const value = fields[name];
		if (value !== undefined && value !== null) attributes[name] = attributeText(name, value);
	}
	if ('displayName' in attributes) {
		attributes.displayName = attributeText('displayName', attributes.displayName).trim();
		if (attributes.displayName === '') {
			throw new InputError('The display name is missing', 'Enter the name of the group.');
		}
	}
	return { attributes, warnings };
}

/** The items of an operation that changes groups: one for each input item. */
function changedGroup(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
): Array<Output<AppliedPart>> {
	const part = worstPart(parts);
	if (part === undefined) return [];
	const { outcome, result } = part;
	const change = changeOf(part, plan);
	const kind = kindOfPart(part, change);
	const named = result?.group
		? simpleGroup(result.group, operation)
		: groupBefore(change, operation, plan);
	const who = named && `Group ${shown(String(named.displayName))}`;
	const words = kind === 'none' ? undefined : WORDS[kind];
	const head = {
		...{ change: isMade(outcome) ? kind : 'none', group: named?.displayName ?? null },
		...{ ...statusOf(outcome), text: sentenceOf(who, words, outcome) },
		at: seenAt(parts.map((one) => one.outcome)),
	};
	return [{ parts, json: { ...NO_GROUP, ...named, ...attributesOf(change), ...head } }];
}

/** A group that is deleted, or was not seen again, as it was called. */
function groupBefore(
	change: Change | undefined,
	operation: OperationContext,
	{ basis: { access } }: Guarded,
): IDataObject | undefined {
	const { groupId = undefined } = change?.about === 'group' ? change : {};
	const group = groupId === undefined ? undefined : access?.groups.get(operation.ids.key(groupId));
	return group && groupName(group, operation);
}

/** The fields of an item whose group is not known. */
const NO_GROUP: IDataObject = { ...HEAD, id: null, displayName: null };

/** Makes the items of an operation that changes groups. */
export function groupItems(): ItemForm {
	return { blank: () => NO_GROUP, output: changedGroup };
}

/** Makes the items of Delete, with n8n's sign of a deletion. */
export function deletedGroupItems(): ItemForm {
	return {
		blank: () => ({ ...NO_GROUP, deleted: false }),
		output: (parts, operation, plan) =>
			changedGroup(parts, operation, plan).map(({ json, parts: own }) => ({
				parts: own,
				json: { ...json, deleted: own.some(isGone) },
			})),
	};
}

function isGone({ outcome: { status }, result }: AppliedPart): boolean {
	return result?.intent === 'deleted' && (status === 'done' || status === 'unchanged');
}
