import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { findAction, type Action, actionUsage } from '../../actions';
import {
	type Operation,
	optionsField,
	limitField,
	readLimit,
	returnAllField,
} from '../../../shared/run';
import { actionField, actionItem, readActionField } from '../../fields';
import {
	organizationOption,
	showSecretsOption,
	runRead,
	type OperationContext,
} from '../../runWrite';
import { InputError } from '../../../shared/util';

/** An action out of the documented list, which is read once for all items (test/contract/interface.md 1.6). */
export const get: Operation = {
	name: 'Get',
	action: 'Get action',
	description: 'Retrieve an action',
	fields: [actionField(), optionsField([organizationOption, showSecretsOption])],

	execute: async (context) =>
		await runRead(context, {
			async read(item, { actions, showsSecrets }) {
				const id = readActionField(context, 'action', item);
				return [actionItem(findAction(await actions(), id), showsSecrets)];
			},
		}),
};

/** The actions of the organization; the default email action is in no list (test/contract/interface.md 1.6, 2.4). */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many actions',
	description: 'Retrieve a list of actions',
	fields: [
		returnAllField,
		limitField,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Enabled',
					name: 'enabled',
					type: 'boolean',
					default: true,
					description: 'Whether to return only enabled actions, or only disabled ones',
				},
				{
					displayName: 'ID Contains',
					name: 'idContains',
					type: 'string',
					default: '',
					placeholder: 'e.g. marketing',
					description: 'Only actions with this text in their ID, ignoring case',
				},
				{
					displayName: 'Kind',
					name: 'kind',
					type: 'string',
					default: '',
					placeholder: 'e.g. SLACK',
					description:
						'Only this kind, as Get Many returns it, e.g. EMAIL, SLACK, PAGER_DUTY or WEBHOOK',
				},
				{
					displayName: 'Used',
					name: 'used',
					type: 'boolean',
					default: true,
					description: 'Whether to return only actions that monitors use, or only unused ones',
				},
			],
		},
		optionsField([organizationOption, showSecretsOption]),
	],

	execute: async (context) =>
		await runRead(context, {
			async read(item, operation) {
				const limit = readLimit(context, item) ?? Number.POSITIVE_INFINITY;
				const actions = await filterActions(context, item, operation);
				return actions.slice(0, limit).map((action) => actionItem(action, operation.showsSecrets));
			},
		}),
};

async function filterActions(
	context: IExecuteFunctions,
	item: number,
	operation: OperationContext,
): Promise<readonly Action[]> {
	const actions = await operation.actions();
	const filters = context.getNodeParameter('filters', item, {}) as IDataObject;
	const text = (value: unknown) =>
		String(value ?? '')
			.trim()
			.toLowerCase();
	const [kind, idContains] = [text(filters.kind), text(filters.idContains)];
	const found = actions.filter(
		({ id, type, enabled }) =>
			(kind === '' || type.toLowerCase() === kind) &&
			id.toLowerCase().includes(idContains) &&
			(filters.enabled === undefined || isEnabled(enabled) === (filters.enabled === true)),
	);
	if (filters.used === undefined) return found;
	const ids = found.map(({ id }) => id);
	const usage = await actionUsage(ids, operation);
	return found.filter(({ id }) => (usage.get(id)?.length ?? 0) > 0 === (filters.used === true));
}

function isEnabled(enabled: boolean | undefined): boolean {
	if (enabled !== undefined) return enabled;
	throw new InputError(
		'This service does not say which actions are enabled',
		'Remove the filter Enabled.',
	);
}
