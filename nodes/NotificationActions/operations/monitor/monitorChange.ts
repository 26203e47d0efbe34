import type { IExecuteFunctions } from 'n8n-workflow';

import { type ActionEdit, type MonitorWish, planMonitors } from '../../configurations';
import { type Offer, type Operation, optionsField, previewField } from '../../../shared/run';
import { actionField, readActionField } from '../../fields/action';
import { organizationOption } from '../../fields/connection';
import { modelsFields, readModelsFields } from '../../fields/models';
import {
	ifNoneMatchOption,
	mayMatchNone,
	monitorsFields,
	readMonitorsFields,
} from '../../fields/monitors';
import { BLANK_MONITOR, monitorItem } from '../../fields/monitorItem';
import { runAlertingWrite } from '../../runWrite';

/**
 * An operation that changes the actions of monitors (test/contract/interface.md 2.5).
 * @param offer with the fields of this operation alone, which come first
 * @param edit what an item wants of its monitors
 */
export function monitorChange(
	{ fields, ...offer }: Offer,
	edit: (context: IExecuteFunctions, item: number) => ActionEdit,
): Operation {
	return {
		...offer,
		fields: [
			...fields,
			...modelsFields,
			...monitorsFields,
			previewField,
			optionsField([ifNoneMatchOption, organizationOption]),
		],

		execute: async (context) =>
			await runAlertingWrite<Omit<MonitorWish, 'modelIds'> & { modelIds?: readonly string[] }>(
				context,
				{
					blank: BLANK_MONITOR,
					collect: (item) => [
						{
							item,
							edit: edit(context, item),
							modelIds: readModelsFields(context, item),
							selection: readMonitorsFields(context, item),
							mayMatchNone: mayMatchNone(context),
						},
					],
					async plan(given, { actions, allModels, configurations }) {
						const needsActions = given.some((wish) => wish.edit.kind !== 'detach');
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
							configurations: read,
							actionIds: new Set(listed.map(({ id }) => id)),
						});
					},
					output: monitorItem,
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
