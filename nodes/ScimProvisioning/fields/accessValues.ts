import type { IExecuteFunctions } from 'n8n-workflow';

import {
	changeOf,
	gained,
	isValue,
	kindOf,
	lost,
	userIn,
	type AppliedPart,
	type Change,
	type Kind,
} from '../../shared/access/changes';
import { parameterText, type Output } from '../../shared/run';
import {
	type AccessValue,
	attribute,
	type Attributes,
	type Traits,
	type ValueChanges,
	valueAt,
	valuesOf,
} from '../../shared/scim';
import { InputError, shown } from '../../shared/util';
import type { OperationContext } from '../context';
import type { Guarded } from '../planned';
import { valueItems } from './accessItem';
import { rowsField, rowsOfField } from './rows';
import { changedUser } from './userItem';

const FIELD = 'Access Values';

/** Single values on a user that give access. */
export const accessValuesField = rowsField(
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
		displayName: FIELD,
		name: 'accessValues',
		description: 'Roles and entitlements to add to the user or to remove, keeping the others',
	},
);

/**
 * @param attributes what the item sets as a whole
 * @throws InputError for a row that cannot be used, and for an attribute that is set as a whole, too
 */
export function readAccessValues(
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
		const at = `${FIELD}, row ${index + 1}`;
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

export function hasValues(values: ValueChanges | undefined): values is ValueChanges {
	return values !== undefined && values.add.length + values.remove.length > 0;
}

/** The same as `changedUser`, with what happened to single values and those that the user has now. */
export function changedUserAndValues(
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
