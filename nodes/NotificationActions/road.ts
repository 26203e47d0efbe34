import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt, type Attempt, mapConcurrent } from '../shared/util';
import {
	applySteps,
	type Read,
	readItems,
	readSettings,
	type Settings,
	stoppedByCancel,
	runWrite,
} from '../shared/run';
import {
	type Action,
	type AlertingClient,
	type AlertingPart,
	type AlertingPlan,
	type AlertingResult,
	type AlertingStep,
	performer,
	usersOf,
	verifyActions,
} from './actions';
import type { ReadConfiguration, SaveSettings } from './configurations';
import { connect } from './connection';
import { readSaving } from './fields/saving';

/** What an operation may use to read and plan. */
export interface Surroundings {
	context: IExecuteFunctions;
	client: AlertingClient;
	settings: Settings;
	saving: SaveSettings;
	/** Whether only the plan is wanted. */
	previews: boolean;
	/** Whether payloads are shown as they are. */
	showsSecrets: boolean;
	/** The actions of the organization, read once per execution. */
	actions(): Promise<Action[]>;
	/** Ids of all models of the organization, read once per execution. */
	allModels(): Promise<string[]>;
	/** Configurations by id of the model, each read once. */
	configurations(modelIds: readonly string[]): Promise<Map<string, Attempt<ReadConfiguration>>>;
}

/** How one operation that writes goes the road. `W` is what one item wants. */
export interface Change<W extends { item: number }> {
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number, surroundings: Surroundings): W[];
	/** Reads what is needed and decides. */
	plan(wanted: W[], surroundings: Surroundings): Promise<AlertingPlan>;
	/** The output of one item. */
	output(parts: readonly AlertingPart[], surroundings: Surroundings): IDataObject;
}

/** Takes a change of actions or monitors down the road that every write goes. @throws as `runWrite` does */
export async function runChange<W extends { item: number }>(
	context: IExecuteFunctions,
	change: Change<W>,
): Promise<INodeExecutionData[]> {
	return await runWrite<W, Surroundings, { plan: AlertingPlan }, AlertingPart>(context, {
		...change,
		context: async () => await surroundingsOf(context),
		decide: async (wanted, surroundings) => ({ plan: await change.plan(wanted, surroundings) }),
		extras: ({ plan }) =>
			plan.configurations.length === 0
				? {}
				: { configurations: plan.configurations as unknown as IDataObject[] },
		carryOut: async ({ plan }, surroundings) => await carryOut(plan, surroundings),
		output: (parts, surroundings) => [{ parts, json: change.output(parts, surroundings) }],
	});
}

/** Runs an operation that reads. @throws NodeApiError or NodeOperationError as `report` does */
export async function runRead<P>(
	context: IExecuteFunctions,
	read: Read<Surroundings, P>,
): Promise<INodeExecutionData[]> {
	return await readItems(context, async () => await surroundingsOf(context), read);
}

/** @throws InputError when the options or the credential cannot be used */
async function surroundingsOf(context: IExecuteFunctions): Promise<Surroundings> {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const settings = readSettings(options);
	const organization = String(options.organizationId ?? '').trim();
	const client = await connect(context, organization, settings);
	let actions: Promise<Action[]> | undefined;
	let models: Promise<string[]> | undefined;
	const configurations = new Map<string, Promise<Attempt<ReadConfiguration>>>();
	return {
		context,
		client,
		settings,
		saving: readSaving(context, settings),
		previews: context.getNodeParameter('preview', 0, false) === true,
		showsSecrets: options.showSecrets === true,
		actions: async () => await (actions ??= client.listActions()),
		allModels: async () =>
			await (models ??= client.listModels().then((all) => all.map(({ id }) => id))),
		configurations: async (modelIds) =>
			await readConfigurations(modelIds, client, settings, configurations),
	};
}

/** @param known what has been read, or is being read, already */
async function readConfigurations(
	modelIds: readonly string[],
	client: AlertingClient,
	{ concurrency }: Settings,
	known: Map<string, Promise<Attempt<ReadConfiguration>>>,
): Promise<Map<string, Attempt<ReadConfiguration>>> {
	const distinct = [...new Set(modelIds)];
	const read = await mapConcurrent(distinct, concurrency, async (modelId) => {
		const reading =
			known.get(modelId) ??
			attempt(async () => ({
				configuration: await client.readConfiguration(modelId),
				readAt: Date.now(),
			}));
		known.set(modelId, reading);
		return await reading;
	});
	return new Map(distinct.map((modelId, index) => [modelId, read[index]]));
}

async function carryOut(plan: AlertingPlan, surroundings: Surroundings): Promise<AlertingPart[]> {
	const { client, settings, saving } = surroundings;
	// Asked for at most once, when the first action turns out to be in use: what was read for the plan is older than that.
	let asked: Promise<Action[]> | undefined;
	const read = new Map<string, Promise<Attempt<ReadConfiguration>>>();
	const perform = performer(client, {
		saving,
		async usersOf(id) {
			asked ??= client.listActions();
			const users = await usersOf([id], await asked, {
				...surroundings,
				configurations: async (modelIds) =>
					await readConfigurations(modelIds, client, settings, read),
			});
			return users.get(id);
		},
	});
	const applied = await applySteps<AlertingStep, AlertingResult>(
		plan.steps,
		settings.concurrency,
		() => stoppedByCancel(client.patience.cancelled),
		perform,
		async (parts) => await verifyActions(parts, plan.steps, client),
	);
	return [...plan.settled, ...applied];
}
