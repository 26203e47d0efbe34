import type { IExecuteFunctions } from 'n8n-workflow';

import { type ActionChange, type MonitorWish, planMonitors } from '../../configurations';
import {
	type Offer,
	type Operation,
	optionsField,
	previewField,
	requestsOption,
} from '../../../shared/run';
import { actionField, readActionField } from '../../fields/action';
import { organizationOption } from '../../fields/connection';
import { modelsFields, readModelsFields } from '../../fields/models';
import {
	ifNoneMatchOption,
	mayMatchNone,
	monitorsFields,
	readMonitorsFields,
} from '../../fields/monitors';
import { changedMonitors } from '../../fields/monitorItem';
import { runAlertingWrite } from '../../runWrite';

/**
 * An operation that changes the actions of monitors (docs/interface.md 2.5).
 * @param offer with the fields of this operation alone, which come first
 * @param change what an item wants of its monitors
 */
export function monitorChange(
	{ fields, ...offer }: Offer,
	change: (context: IExecuteFunctions, item: number) => ActionChange,
): Operation {
	return {
		...offer,
		fields: [
			...fields,
			...modelsFields,
			...monitorsFields,
			previewField,
			optionsField([ifNoneMatchOption, organizationOption, requestsOption('concurrency')]),
		],

		execute: async (context) =>
			await runAlertingWrite<Omit<MonitorWish, 'modelIds'> & { modelIds?: readonly string[] }>(
				context,
				{
					collect: (item) => [
						{
							item,
							change: change(context, item),
							modelIds: readModelsFields(context, item),
							selection: readMonitorsFields(context, item),
							mayMatchNone: mayMatchNone(context),
						},
					],
					async plan(given, { client, actions, allModels, configurations }) {
						const needsActions = given.some((wish) => wish.change.kind !== 'detach');
						const models = async () =>
							await Promise.all(
								given.map(async (wish): Promise<MonitorWish> => ({
									...wish,
									modelIds: wish.modelIds ?? (await allModels()),
								})),
							);
						// Side by side: neither needs what the other reads.
						const [listed, [wishes, read]] = await Promise.all([
							needsActions ? actions() : [],
							models().then(
								async (wanted) =>
									[
										wanted,
										await configurations(wanted.flatMap(({ modelIds }) => modelIds)),
									] as const,
							),
						]);
						return planMonitors(wishes, {
							organizationId: client.organizationId,
							configurations: read,
							actionIds: new Set(listed.map(({ id }) => id)),
						});
					},
					output: changedMonitors,
				},
			),
	};
}

/** Attach or Detach. What is detached may be deleted now. */
export function oneActionChange(
	kind: 'attach' | 'detach',
	offer: Omit<Offer, 'fields'>,
): Operation {
	return monitorChange(
		{ ...offer, fields: [actionField('Action', 'action', `The action to ${kind}`)] },
		(context, item) => ({ kind, targets: [readActionField(context, 'action', item)] }),
	);
}
