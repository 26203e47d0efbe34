import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { type ActionChange, planMonitors, type WantedMonitors } from './configurations';
import { optionsField, previewField, requestsOption } from '../shared/run';
import { organizationOption } from './fields/connection';
import { modelIdsOf, modelsFields, readModelsFields } from './fields/models';
import {
	ifNoneMatchOption,
	mayMatchNone,
	monitorsFields,
	readMonitorsFields,
} from './fields/monitors';
import { changedMonitors } from './fields/monitorItem';
import { savingOptions } from './fields/saving';
import { runChange } from './road';

const checkActionsOption: INodeProperties = {
	displayName: 'Check Actions',
	name: 'checkActions',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to look first whether the actions exist',
};

/** Fields of an operation that changes the actions of monitors; `own` come between models and monitors. */
export function monitorChangeFields(own: INodeProperties[]): INodeProperties[] {
	return [
		...own,
		...modelsFields,
		...monitorsFields,
		previewField,
		optionsField([
			checkActionsOption,
			ifNoneMatchOption,
			organizationOption,
			...savingOptions,
			requestsOption('concurrency'),
		]),
	];
}

/** Runs an operation that changes the actions of monitors. @param change what an item wants of them */
export async function runMonitorChange(
	context: IExecuteFunctions,
	change: (item: number) => ActionChange,
): Promise<INodeExecutionData[]> {
	return await runChange<Omit<WantedMonitors, 'modelIds'> & { modelIds?: readonly string[] }>(
		context,
		{
			collect: (item) => [
				{
					item,
					change: change(item),
					modelIds: readModelsFields(context, item),
					selection: readMonitorsFields(context, item),
					mayMatchNone: mayMatchNone(context),
				},
			],
			async plan(wanted, surroundings) {
				const { client, saving, actions, configurations } = surroundings;
				const options = context.getNodeParameter('options', 0, {}) as IDataObject;
				const checks =
					options.checkActions !== false && wanted.some((want) => want.change.kind !== 'detach');
				const actionIds = checks ? new Set((await actions()).map(({ id }) => id)) : undefined;
				const resolved: WantedMonitors[] = [];
				for (const want of wanted)
					resolved.push({ ...want, modelIds: await modelIdsOf(want.modelIds, surroundings) });
				return planMonitors(resolved, {
					organizationId: client.organizationId,
					configurations: await configurations(resolved.flatMap(({ modelIds }) => modelIds)),
					merges: saving.saveWith !== 'whole',
					...(actionIds !== undefined && { actionIds }),
				});
			},
			output: changedMonitors,
		},
	);
}
