import type {
	INodeProperties,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { attempt, mapConcurrent, memoized, monotonicNow, asSentence } from '../shared/util';
import {
	type Read,
	readItems,
	readSettings,
	workflowTimeout,
	runWrite,
	type Settings,
	type Step,
	seenAt,
	type Outcome,
} from '../shared/run';
import {
	type Action,
	actionUsage,
	type AlertingClient,
	type AlertingPart,
	type AlertingPlan,
	carryOutPlan,
	type AlertingReader,
	scheduleOf,
	stepsOf,
} from './actions';
import { connect } from './connection';

/** For services whose keys reach further than one organization. */
export const organizationOption: INodeProperties = {
	displayName: 'Organization ID',
	name: 'organizationId',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. org-3454',
	description: 'Organization to use instead of the one in the credential',
};

export const showSecretsOption: INodeProperties = {
	displayName: 'Show Secrets',
	name: 'showSecrets',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to return webhook URLs and service keys. They are saved with the execution.',
};

/** What an operation may use to read and plan. */
export interface OperationContext extends AlertingReader {
	client: AlertingClient;
	settings: Settings;
	/** Whether only the plan is wanted. */
	previews: boolean;
	/** Whether payloads are shown as they are. */
	showsSecrets: boolean;
}

/** How one operation writes. `W` is what one item wants. */
export interface AlertingWrite<W extends { item: number }> {
	/** The fields of every item, for one that failed before anything was known. */
	blank: IDataObject;
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number): W[];
	/** Reads what is needed and decides. */
	plan(wishes: W[], operation: OperationContext): Promise<AlertingPlan>;
	/** The output of one change. @param all those of the same input item */
	output(
		part: AlertingPart,
		operation: OperationContext,
		all: readonly AlertingPart[],
	): IDataObject;
}

/** What was decided, with the requests that Preview shows. */
type Planned = AlertingPlan & { steps: Step[]; warnings: string[] };

/** Writes actions or monitors: every write is planned, sent, and verified. @throws as the runner does */
export async function runAlertingWrite<W extends { item: number }>(
	context: IExecuteFunctions,
	write: AlertingWrite<W>,
): Promise<INodeExecutionData[]> {
	return await runWrite<W, OperationContext, { plan: Planned }, AlertingPart>(context, {
		blank: () => blankItem(write.blank),
		collect: write.collect,
		context: async () => await operationContext(context),
		async decide(wishes, operation) {
			const plan = await write.plan(wishes, operation);
			const steps = stepsOf(scheduleOf(plan.changes), operation.client.organizationId);
			return { plan: { ...plan, steps, warnings: [] } };
		},
		extras: ({ plan }) =>
			plan.configurations.length === 0
				? {}
				: { configurations: plan.configurations as unknown as IDataObject[] },
		carryOut: async ({ plan }, operation) => await apply(plan, operation),
		output: (parts, operation) =>
			parts.map((part) => ({
				json: outcomeItem(part.outcome, write.output(part, operation, parts)),
				parts: [part],
			})),
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
	const requests = context.getNodeParameter('requests', 0, {}) as IDataObject;
	const settings = readSettings(requests, workflowTimeout(context));
	const organization = String(options.organizationId ?? '').trim();
	const client = await connect(context, organization, settings);
	return {
		client,
		settings,
		previews: context.getNodeParameter('preview', 0, false) === true,
		showsSecrets: options.showSecrets === true,
		...readerOf(client),
	};
}

/** Reads the lists of actions and models, and each configuration, once. */
function readerOf(client: AlertingClient): AlertingReader {
	let actions: Promise<Action[]> | undefined;
	let models: Promise<string[]> | undefined;
	const read = memoized(
		async (modelId) =>
			await attempt(async () => ({
				configuration: await client.readConfiguration(modelId),
				readAt: monotonicNow(),
			})),
	);
	return {
		actions: async () => await (actions ??= client.listActions()),
		allModels: async () =>
			await (models ??= client.listModels().then((all) => all.map(({ id }) => id))),
		async configurations(modelIds) {
			const distinct = [...new Set(modelIds)];
			const results = await mapConcurrent(distinct, client.concurrency, read);
			return new Map(distinct.map((modelId, index) => [modelId, results[index]]));
		},
	};
}

async function apply(plan: AlertingPlan, operation: OperationContext): Promise<AlertingPart[]> {
	const { client, configurations } = operation;
	// What was read for the plan is older than the refusal of an action in use.
	const again = readerOf(client);
	return await carryOutPlan(plan, {
		client,
		async snapshotOf(model) {
			const read = (await configurations([model])).get(model);
			if (read?.ok !== true) throw read?.error;
			return read.value;
		},
		usageOf: async (id) => (await actionUsage([id], again)).get(id),
	});
}

/** The verbs of all that this node does, as they are said afterwards. */
const DONE: Readonly<Record<string, string>> = {
	attach: 'Attached',
	create: 'Created',
	delete: 'Deleted',
	detach: 'Detached',
	disable: 'Disabled',
	enable: 'Enabled',
	replace: 'Replaced',
	send: 'Sent',
	set: 'Set',
	update: 'Updated',
};

/** Makes an item of a change, whose fields stand in the order of all items. @param about what it is about */
export function outcomeItem(outcome: Outcome, about: IDataObject): IDataObject {
	const { action, status, reason, warnings = [] } = outcome;
	const [verb] = action.split(' ', 1);
	const isMade = status !== 'unchanged' && status !== 'skipped';
	return {
		...{ change: isMade ? DONE[verb].toLowerCase() : 'none', status, reason: reason ?? null },
		...{ ...about, text: asSentence(wordsOf(outcome)), at: seenAt([outcome]) },
		...(warnings.length > 0 && { warnings }),
	};
}

/** Makes the fields of an item of which nothing is known. */
function blankItem(about: IDataObject): IDataObject {
	return { change: 'none', status: null, reason: null, ...about, text: null, at: null };
}

/** The outcome in plain words. */
function wordsOf({ status, action, reason }: Outcome): string {
	const because = reason === undefined ? '' : `: ${reason}`;
	const [verb] = action.split(' ', 1);
	switch (status) {
		case 'done':
			return `${DONE[verb]}${action.slice(verb.length)}${because}`;
		case 'unchanged':
			return `No need to ${action}${because || ': it is so already'}`;
		case 'skipped':
			return `Did not ${action}${because}`;
		case 'failed':
			return `Could not ${action}${because}`;
		case 'unverified':
			return `Could not confirm: ${action}${because}`;
	}
}
