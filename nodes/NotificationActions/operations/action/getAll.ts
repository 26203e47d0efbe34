import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../../shared/util';
import { type Action, usersOf } from '../../actions';
import {
	limitField,
	type Operation,
	optionsField,
	readLimit,
	requestsOption,
	returnAllField,
	showFor,
} from '../../../shared/run';
import { actionItem } from '../../fields/action';
import { organizationOption, showSecretsOption } from '../../fields/connection';
import { runRead, type Surroundings } from '../../road';

/** The actions of the organization; the default e-mail action is in no list (docs/interface.md 1.6, 2.4). */
export const getAll: Operation = {
	fields: showFor('action', 'getAll', [
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
					description: 'Whether only enabled actions are wanted, or only disabled ones',
				},
				{
					displayName: 'ID Contains',
					name: 'idContains',
					type: 'string',
					default: '',
					placeholder: 'e.g. marketing',
					description: 'Only actions with this text in their ID, in any case',
				},
				{
					displayName: 'Kind',
					name: 'kind',
					type: 'string',
					default: '',
					placeholder: 'e.g. SLACK',
					description: 'Only actions of this kind, as the service names it',
				},
				{
					displayName: 'Used',
					name: 'used',
					type: 'boolean',
					default: true,
					description: 'Whether only actions that monitors use are wanted, or only unused ones',
				},
			],
		},
		optionsField([organizationOption, showSecretsOption, requestsOption()]),
	]),

	execute: async (context) =>
		await runRead(context, {
			async read(item, surroundings) {
				const limit = readLimit(context, item) ?? Number.POSITIVE_INFINITY;
				const wanted = await filtered(await surroundings.actions(), context, item, surroundings);
				return wanted
					.slice(0, limit)
					.map((action) => actionItem(action, surroundings.showsSecrets));
			},
		}),
};

async function filtered(
	actions: readonly Action[],
	context: IExecuteFunctions,
	item: number,
	surroundings: Surroundings,
): Promise<readonly Action[]> {
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
	const users = await usersOf(
		found.map(({ id }) => id),
		actions,
		surroundings,
	);
	return found.filter(({ id }) => (users.get(id)?.length ?? 0) > 0 === (filters.used === true));
}

function isEnabled(enabled: boolean | undefined): boolean {
	if (enabled !== undefined) return enabled;
	throw new InputError(
		'This service does not say which actions are enabled',
		'Leave the filter Enabled out.',
	);
}
