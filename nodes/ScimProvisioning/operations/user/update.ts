import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError, shown } from '../../../shared/util';
import {
	deactivates,
	changeOf,
	gained,
	isValue,
	kindOf,
	lost,
	userIn,
	type AppliedPart,
	type Change,
	type Kind,
} from '../../../shared/access/changes';
import { planNamed, type NamedWish } from '../../fields/accessPlan';
import {
	attributesField,
	OTHER_EXAMPLE,
	readMappedAttributes,
	readTruth,
} from '../../fields/userAttributes';
import {
	type CollectedAttributes,
	emptyCellsOption,
	type EmptyCells,
	jsonField,
	readEmptyCells,
} from '../../fields/attributes';
import {
	allowPermanentRemoval,
	safetyLimitsFields,
	matchUsersByOption,
} from '../../fields/options';
import {
	type Attributes,
	replaceAttributes,
	type AccessValue,
	attribute,
	type Traits,
	type ValueChanges,
	valueAt,
	valuesOf,
} from '../../../shared/scim';
import { optionsField, previewField, parameterText, type Output } from '../../../shared/run';
import { resolveManagers } from '../../fields/managers';
import { labelOf, readUserField, userField } from '../../fields/person';
import { readPeople } from '../../fields/state';
import { noUser, changedUser } from '../../fields/userItem';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';
import type { Guarded } from '../../../shared/access/write';
import { valueItems } from '../../fields/accessItem';
import { rowsField, rowsOfField } from '../../fields/rows';

const ACCESS_VALUES = 'Access Values';

/** Single values on a user that give access. */
const accessValuesField = rowsField(
	'Value',
	[
		{
			displayName: 'Action',
			name: 'action',
			type: 'options',
			options: [
				{ name: 'Add', value: 'add' },
				{ name: 'Remove', value: 'remove' },
			],
			default: 'add',
			description: 'Whether the user gets the value or loses it',
		},
		{
			displayName: 'Attribute',
			name: 'attribute',
			type: 'string',
			default: 'roles',
			placeholder: 'e.g. entitlements',
			description: 'One of the access attributes of the service, which the credential names',
		},
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'e.g. billing-admin',
			description: 'The value, as the service writes it',
		},
	],
	{
		displayName: ACCESS_VALUES,
		name: 'accessValues',
		description: 'Roles and entitlements to add to the user or to remove, keeping the others',
	},
);

/** PATCH (RFC 7644 section 3.5.2) or PUT (section 3.5.1) of the attributes that are given. */
export const update = scimWrite<NamedWish>({
	name: 'Update',
	action: 'Update user',
	description: 'Update the attributes of a user',
	fields: [
		userField,
		attributesField('getUserAttributes'),
		// Where saved workflows have what is under Options now.
		{ displayName: 'Update Fields', name: 'updateFields', type: 'hidden', default: {} },
		accessValuesField,
		previewField,
		...safetyLimitsFields(allowPermanentRemoval),
		optionsField([
			emptyCellsOption,
			jsonField(OTHER_EXAMPLE),
			{
				displayName: 'Update With',
				name: 'updateWith',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Changed Fields (PATCH)',
						value: 'patch',
						description: 'Send only the attributes that you set',
					},
					{
						name: 'Whole User (PUT)',
						value: 'put',
						description:
							'Send the whole user. Attributes that the service does not show are cleared.',
					},
				],
				default: 'patch',
				description: 'How to send the change',
			},
			matchUsersByOption,
		]),
	],
	items: () => ({ blank: noUser, output: changedUserAndValues }),
	collect(item, operation) {
		const { context, client, requireUndoable } = operation;
		const { profile } = client;
		const emptyCells = readEmptyCells(context);
		const { attributes, warnings } = readAttributes(context, item, profile, emptyCells);
		const values = readAccessValues(context, item, attributes, profile);
		if (!hasAttributes(attributes) && !hasValues(values)) {
			throw new InputError(
				'There is nothing to update',
				'Enter at least one value under Attributes or under Access Values.',
			);
		}
		const path = Object.keys(attributes).find((name) => name.includes('['));
		if (sendsWhole(operation) && path !== undefined) {
			throw new InputError(
				`${path} chooses among values, which Whole User (PUT) cannot`,
				'Set Update With to Changed Fields (PATCH), or give the whole list.',
			);
		}
		requireUndoable(deactivates(attributes) ? 'deactivate' : undefined);
		const reference = readUserField(context, item, operation);
		return [
			{ item, reference, values, warnings, ...(hasAttributes(attributes) && { attributes }) },
		];
	},
	async plan(wanted, operation) {
		const references = wanted.map(({ reference }) => reference);
		const taken = new Map(
			wanted.map(({ reference, values }) => [
				reference,
				(values?.remove ?? []).map((one) => one.attribute),
			]),
		);
		const state = await readPeople(references, operation, {
			isWhole: true,
			takesFrom: (reference) => taken.get(reference) ?? [],
		});
		const { readAt } = state.access;
		const managers = await resolveManagers(
			wanted,
			[],
			({ reference }) => ({ name: labelOf(reference) }),
			operation,
		);
		const planned = planNamed(wanted.map(managers.of), state, operation, {
			...{ verb: 'change user', membersOnly: true },
			...(sendsWhole(operation) && { replacesAsRead: readAt }),
		});
		return { ...planned, settled: [...planned.settled, ...managers.settled], basis: {} };
	},
});

function sendsWhole({ options }: OperationContext): boolean {
	return options.updateWith === 'put';
}

/** Reads what is shown; what a saved workflow has where it was before counts where nothing shown says otherwise, and is told. */
function readAttributes(
	context: IExecuteFunctions,
	item: number,
	profile: Traits,
	emptyCells: EmptyCells,
): CollectedAttributes {
	const [options, saved] = ['options', 'updateFields'].map(
		// An expression may give null.
		(name) => (context.getNodeParameter(name, item, {}) ?? {}) as IDataObject,
	);
	const { active } = saved;
	const attributesJson = options.attributesJson ?? saved.attributesJson;
	const read = readMappedAttributes(context, item, { attributesJson }, profile, emptyCells);
	if (active !== undefined && read.attributes.active === undefined)
		read.attributes.active = readTruth('Active', active);
	if (Object.keys(saved).length > 0) read.warnings.push(OF_SAVED);
	return read;
}

const OF_SAVED =
	'This workflow was saved with fields that the node does not show any more. They count where no field that is shown says otherwise. To remove them, replace the node by a new one.';

function hasAttributes(attributes: Attributes): boolean {
	return replaceAttributes(attributes).length > 0;
}

/**
 * @param attributes what the item sets as a whole
 * @throws InputError for a row that cannot be used, and for an attribute that is set as a whole, too
 */
function readAccessValues(
	context: IExecuteFunctions,
	item: number,
	attributes: Attributes,
	{ accessAttributes }: Traits,
): ValueChanges {
	const given = context.getNodeParameter('accessValues', item, {});
	const read = rowsOfField(given, 'value').map((row, index) => {
		const [name, value, action] = ['attribute', 'value', 'action'].map((cell) =>
			parameterText(attribute(row, cell)),
		);
		const holder = accessAttributes.find((one) => one.toLowerCase() === name.toLowerCase());
		const at = `${ACCESS_VALUES}, row ${index + 1}`;
		if (holder === undefined) {
			throw new InputError(
				`${at}: "${shown(name)}" is not an access attribute of this service`,
				accessAttributes.length === 0
					? 'Users of this service hold no access by themselves. Set Access Attributes under Override Profile in the credential, if they do.'
					: `Use ${accessAttributes.join(', ')}, or add it to Access Attributes under Override Profile in the credential.`,
			);
		}
		if (value === '') throw new InputError(`${at}: the value is empty`, 'Enter one value.');
		if (action !== 'add' && action !== 'remove') {
			throw new InputError(`${at}: the action is "${shown(action)}"`, 'Use add or remove.');
		}
		if (valueAt(attributes, holder) !== undefined) {
			throw new InputError(
				`${at}: ${holder} is also among the attributes to update`,
				'Either set all its values there, or add and remove single ones here.',
			);
		}
		return { action, value: { attribute: holder, value } };
	});
	const of = (action: 'add' | 'remove'): AccessValue[] =>
		read.flatMap((row) => (row.action === action ? row.value : []));
	return { add: of('add'), remove: of('remove') };
}

function hasValues(values: ValueChanges | undefined): values is ValueChanges {
	return values !== undefined && values.add.length + values.remove.length > 0;
}

/** Adds to the item of `changedUser` what happened to single values, and those that the user has now. */
function changedUserAndValues(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
): Array<Output<AppliedPart>> {
	const own = parts.flatMap((part) =>
		valuesOfPart(part, changeOf(part, plan)).map((one) => ({ part, ...one })),
	);
	const user = own.flatMap(({ part }) => userIn(part.result) ?? []).at(-1);
	return changedUser(parts, operation, plan).map(({ json, parts: all }) => ({
		parts: all,
		json: {
			...json,
			...(own.length > 0 && {
				accessChanges: own.map(({ part, value, kind }) => ({
					change: kind && part.outcome.status !== 'unchanged' ? kind : 'none',
					...{ attribute: value.attribute, value: value.value, status: part.outcome.status },
				})),
				values: user ? valueItems(valuesOf(user, operation.client.profile)) : null,
			}),
		},
	}));
}

function valuesOfPart(
	{ result }: AppliedPart,
	change: Change | undefined,
): Array<{ value: AccessValue; kind?: Kind }> {
	if (change?.about !== 'entitlement') return result?.value ? [{ value: result.value }] : [];
	const kind = kindOf(change);
	return [...gained(change), ...lost(change)].filter(isValue).map((value) => ({ value, kind }));
}
