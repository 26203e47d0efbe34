import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt, type Attempt, mapConcurrent } from '../shared/util';
import {
	applySteps,
	type Read,
	readItems,
	readSettings,
	runWrite,
	type Settings,
	stoppedByCancel,
} from '../shared/run';
import {
	type Action,
	actionUsage,
	type AlertingClient,
	type AlertingPart,
	type AlertingPlan,
	type AlertingResult,
	type AlertingStep,
	type ConfigurationReader,
	performer,
	verifyActions,
} from './actions';
import type { Snapshot } from './configurations';
import { connect } from './connection';

/** What an operation may use to read and plan. */
export interface OperationContext extends ConfigurationReader {
	client: AlertingClient;
	settings: Settings;
	/** Whether only the plan is wanted. */
	previews: boolean;
	/** Whether payloads are shown as they are. */
	showsSecrets: boolean;
	/** The actions of the organization, read once per execution. */
	actions(): Promise<Action[]>;
}

/** How one operation writes. `W` is what one item wants. */
export interface AlertingWrite<W extends { item: number }> {
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number): W[];
	/** Reads what is needed and decides. */
	plan(wishes: W[], operation: OperationContext): Promise<AlertingPlan>;
	/** The output of one item. */
	output(parts: readonly AlertingPart[], operation: OperationContext): IDataObject;
}

/** Writes actions or monitors: every write is planned, sent, and verified. @throws as the runner does */
export async function runAlertingWrite<W extends { item: number }>(
	context: IExecuteFunctions,
	write: AlertingWrite<W>,
): Promise<INodeExecutionData[]> {
	return await runWrite<W, OperationContext, { plan: AlertingPlan }, AlertingPart>(context, {
		...write,
		context: async () => await operationContext(context),
		decide: async (wishes, operation) => ({ plan: await write.plan(wishes, operation) }),
		extras: ({ plan }) =>
			plan.configurations.length === 0
				? {}
				: { configurations: plan.configurations as unknown as IDataObject[] },
		carryOut: async ({ plan }, operation) => await carryOut(plan, operation),
		output: (parts, operation) => [{ json: write.output(parts, operation), parts }],
	});
}

/** Runs an operation that reads. @throws NodeApiError or NodeOperationError as `report` does */
export async function runRead<P>(
	context: IExecuteFunctions,
	read: Read<OperationContext, P>,
): Promise<INodeExecutionData[]> {
	return await readItems(context, async () => await operationContext(context), read);
}

/** @throws InputError when the options or the credential cannot be used */
async function operationContext(context: IExecuteFunctions): Promise<OperationContext> {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const settings = readSettings(options);
	const organization = String(options.organizationId ?? '').trim();
	const client = await connect(context, organization, settings);
	let actions: Promise<Action[]> | undefined;
	return {
		client,
		settings,
		previews: context.getNodeParameter('preview', 0, false) === true,
		showsSecrets: options.showSecrets === true,
		actions: async () => await (actions ??= client.listActions()),
		...configurationReader(client, settings),
	};
}

/** Reads the list of models and each configuration once. */
function configurationReader(
	client: AlertingClient,
	{ concurrency }: Settings,
): ConfigurationReader {
	let models: Promise<string[]> | undefined;
	const reads = new Map<string, Promise<Attempt<Snapshot>>>();
	const read = async (modelId: string) =>
		await attempt(async () => ({
			configuration: await client.readConfiguration(modelId),
			readAt: Date.now(),
		}));
	return {
		allModels: async () =>
			await (models ??= client.listModels().then((all) => all.map(({ id }) => id))),
		async configurations(modelIds) {
			const distinct = [...new Set(modelIds)];
			const results = await mapConcurrent(distinct, concurrency, async (modelId) => {
				const reading = reads.get(modelId) ?? read(modelId);
				reads.set(modelId, reading);
				return await reading;
			});
			return new Map(distinct.map((modelId, index) => [modelId, results[index]]));
		},
	};
}

async function carryOut(
	plan: AlertingPlan,
	{ client, settings }: OperationContext,
): Promise<AlertingPart[]> {
	// Asked for at most once, when the first action turns out to be in use: what was read for the plan is older than that.
	let asked: Promise<Action[]> | undefined;
	const reader = configurationReader(client, settings);
	const perform = performer(client, settings.maxWaitMs, async (id) => {
		asked ??= client.listActions();
		return (await actionUsage([id], await asked, reader)).get(id);
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
