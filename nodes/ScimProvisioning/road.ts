import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../shared/attempt';
import { applySteps, type Applied } from '../shared/change/apply';
import { previewItem } from '../shared/change/preview';
import { errorOf, report, type ItemReport } from '../shared/change/report';
import { InputError } from '../shared/inputError';
import { Directory } from '../shared/provisioning/directory';
import { performStep } from '../shared/provisioning/perform';
import type { AppliedPart, ProvisioningPlan } from '../shared/provisioning/step';
import { verify } from '../shared/provisioning/verify';
import { connect, type ScimConnection } from './connection';
import { readSettings, type Settings } from './settings';

/** What an operation may use to read and plan. */
export interface Surroundings extends ScimConnection {
	context: IExecuteFunctions;
	settings: Settings;
	directory: Directory;
}

/** How one operation that writes goes the road. `W` is what one item wants. */
export interface Change<W extends { item: number }> {
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number, surroundings: Surroundings): W[];
	/** Reads what is needed and decides. */
	plan(wanted: W[], surroundings: Surroundings): Promise<ProvisioningPlan>;
	/** A second plan for what only the service's answers brought to light. */
	followUp?(applied: readonly AppliedPart[], surroundings: Surroundings): ProvisioningPlan;
	/** The output of one item. */
	output(parts: readonly AppliedPart[], surroundings: Surroundings): IDataObject;
}

/**
 * The one road of every write: collect, read and plan, guard, then either the preview or apply, verify and report.
 * @throws NodeApiError or NodeOperationError as `report` does; for a blocked plan before anything was sent
 */
export async function runChange<W extends { item: number }>(
	context: IExecuteFunctions,
	change: Change<W>,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const items = context.getInputData().map((_, index) => index);
	const ready = await attempt(async () => await surroundingsOf(context));
	if (!ready.ok) {
		return report(node, context.continueOnFail(), failures(items, ready.error));
	}
	const surroundings = ready.value;

	const wanted: W[] = [];
	const refused = new Map<number, unknown>();
	for (const item of items) {
		const collected = await attempt(() => change.collect(item, surroundings));
		if (collected.ok) for (const entry of collected.value) wanted.push(entry);
		else refused.set(item, collected.error);
	}
	const planned = await attempt(async () => await change.plan(wanted, surroundings));
	if (!planned.ok) {
		const reports = items.map((item) => failure(item, refused.get(item) ?? planned.error));
		return report(node, context.continueOnFail(), reports);
	}
	const plan = planned.value;

	if (context.getNodeParameter('preview', 0, false) === true) {
		return [previewItem(plan, refused, items)];
	}
	if (plan.blockedBy.length > 0) {
		// With Continue On Fail n8n would pass the input on as if all had gone well, were this thrown: so each item carries it.
		const blocked = new InputError(
			`Nothing was sent: ${plan.blockedBy[0]}`,
			[...plan.blockedBy.slice(1), 'Turn on Preview to see the whole plan.'].join(' '),
		);
		return report(node, context.continueOnFail(), failures(items, blocked));
	}
	const parts = await carryOut(plan, change, surroundings);
	const byItem = new Map<number, AppliedPart[]>();
	for (const part of parts) {
		const same = byItem.get(part.item);
		if (same === undefined) byItem.set(part.item, [part]);
		else same.push(part);
	}
	return report(
		node,
		context.continueOnFail(),
		items.map((item) => {
			const own = byItem.get(item) ?? [];
			if (refused.has(item)) return failure(item, refused.get(item));
			return {
				item,
				json: [change.output(own, surroundings)],
				outcomes: own.map(({ outcome }) => outcome),
				error: errorOf(own),
			};
		}),
	);
}

/** @throws InputError when the options or the credential cannot be used */
export async function surroundingsOf(context: IExecuteFunctions): Promise<Surroundings> {
	const settings = readSettings(context);
	const connection = await connect(context, settings);
	const directory = new Directory(connection.client, settings.pageSize, settings.concurrency);
	return { ...connection, context, settings, directory };
}

async function carryOut<W extends { item: number }>(
	plan: ProvisioningPlan,
	change: Change<W>,
	surroundings: Surroundings,
): Promise<AppliedPart[]> {
	const applied = await apply(plan, surroundings);
	const next = change.followUp?.(applied, surroundings);
	if (next === undefined) return applied;
	const followed = await apply(next, surroundings);
	const key = ({ item, subject }: Applied<unknown>) => `${item}\n${subject}`;
	const better = new Map(followed.map((part) => [key(part), part]));
	return applied.map((part) => better.get(key(part)) ?? part);
}

async function apply(
	plan: ProvisioningPlan,
	{ client, directory, ids, settings }: Surroundings,
): Promise<AppliedPart[]> {
	const sent = await applySteps(
		plan.steps,
		settings.concurrency,
		client.patience.cancelled,
		async (step) => await performStep(step, client, directory),
	);
	return [...plan.settled, ...(await verify(sent, client, directory, ids, settings.concurrency))];
}

function failures(items: readonly number[], error: unknown): ItemReport[] {
	return items.map((item) => failure(item, error));
}

function failure(item: number, error: unknown): ItemReport {
	return { item, json: [], outcomes: [], error };
}
