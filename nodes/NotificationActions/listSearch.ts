import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { attempt, InputError, isObject } from '../shared/util';
import { EDITOR_LIMITS, locatorValue, toListError } from '../shared/run';
import type { AlertingClient } from './actions';
import { DEFAULT_EMAIL_TARGET, nameOf } from './configurations';
import { connect } from './connection';

/** Operations on actions that the list shows. */
const OWN_ACTIONS_ONLY = 'action';

/** Runs a search; whatever goes wrong becomes an error that the editor can show. */
async function search(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	work: (client: AlertingClient) => Promise<INodeListSearchItems[]>,
): Promise<INodeListSearchResult> {
	const tried = await attempt(async () => {
		const organization = String(context.getCurrentNodeParameter('options.organizationId') ?? '');
		return await work(await connect(context, organization.trim(), EDITOR_LIMITS));
	});
	if (!tried.ok) throw toListError(context.getNode(), tried.error);
	const wanted = (filter ?? '').trim().toLowerCase();
	return {
		results: tried.value.filter(
			({ name, value }) =>
				name.toLowerCase().includes(wanted) || String(value).toLowerCase().includes(wanted),
		),
	};
}

/** Actions by id and kind; where one is attached, the default email action too (test/contract/interface.md 1.6). */
export async function searchActions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const ownOnly = this.getCurrentNodeParameter('resource') === OWN_ACTIONS_ONLY;
	return await search(this, filter, async (client) => {
		const actions = await client.listActions();
		const own = actions.map(({ id, type, enabled }) => ({
			name: `${id} (${type}${enabled === false ? ', disabled' : ''})`,
			value: id,
		}));
		own.sort((a, b) => a.name.localeCompare(b.name));
		const standard = {
			name: `${DEFAULT_EMAIL_TARGET} (default address of the organization)`,
			value: DEFAULT_EMAIL_TARGET,
		};
		const isListed = actions.some(({ id }) => id === DEFAULT_EMAIL_TARGET);
		return ownOnly || isListed ? own : [standard, ...own];
	});
}

/** Lists models whose name or ID contains the text. */
export async function searchModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, filter, async (client) => {
		const models = await client.listModels();
		return models
			.map(({ id, name }) => ({ name: name === id ? id : `${name} (${id})`, value: id }))
			.sort((a, b) => a.name.localeCompare(b.name));
	});
}

/** Lists the monitors of the model that is chosen in the node. */
export async function searchMonitors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, filter, async (client) => {
		const modelId = chosenModel(this);
		const { monitors } = await client.readConfiguration(modelId);
		return monitors.map((monitor) => {
			const name = nameOf(monitor);
			return { name: name === monitor.id ? name : `${name} (${monitor.id})`, value: monitor.id };
		});
	});
}

/** @throws InputError while no single model is chosen */
function chosenModel(context: ILoadOptionsFunctions): string {
	const parameter = (name: string) =>
		locatorValue(context.getCurrentNodeParameter(name, { extractValue: true }));
	const models = parameter('models');
	const given = models === 'all' ? '' : parameter(models === 'ids' ? 'modelIds' : 'model');
	const id = String(given ?? '').trim();
	if (id !== '' && !id.includes(',')) return id;
	if (models !== 'all' && models !== 'ids' && isByExpressionOrId(context)) {
		throw new InputError(
			'The model has no value yet: execute the previous nodes, or select it from the list',
			'The list shows the monitors of one model. Or enter the ID of the monitor.',
		);
	}
	throw new InputError(
		'Select one model first to see its monitors',
		'The list shows the monitors of one model. Or enter the ID of the monitor.',
	);
}

/** The editor turns a field into By ID when an expression is put into it. */
function isByExpressionOrId(context: ILoadOptionsFunctions): boolean {
	const model: unknown = context.getCurrentNodeParameter('model');
	return isObject(model) && model.mode === 'id';
}
