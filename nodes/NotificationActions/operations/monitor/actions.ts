import type { IExecuteFunctions, IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/util';
import {
	actionField,
	readActionField,
	readActionIds,
	modelsFields,
	readModelsFields,
	ifNoneMatchOption,
	mayMatchNone,
	monitorsFields,
	readMonitorsFields,
} from '../../fields';
import {
	MOST_ACTIONS_PER_MONITOR,
	type ActionEdit,
	type MonitorWish,
	planMonitors,
	monitorOf,
	targetsOf,
} from '../../configurations';
import { type Offer, type Operation, optionsField, previewField } from '../../../shared/run';
import { organizationOption, runAlertingWrite } from '../../runWrite';
import type { AlertingPart } from '../../actions';

/** Adds an action to monitors (test/contract/interface.md 2.5). */
export const attach = oneActionChange('attach', {
	name: 'Attach Action',
	action: 'Attach action to monitors',
	description: 'Add an action to monitors, keeping their other actions',
});

/** Takes an action from monitors. Without any, the action may be deleted. */
export const detach = oneActionChange('detach', {
	name: 'Detach Action',
	action: 'Detach action from monitors',
	description: 'Remove an action from monitors. They no longer deliver to it.',
});

/** Puts one action in the place of another wherever monitors have it. */
export const replaceAction = monitorChange(
	{
		name: 'Replace Action',
		action: 'Replace action on monitors',
		description: 'Detach an action from monitors and attach another in its place',
		fields: [
			actionField('Action to Replace', 'action', 'The action that monitors have now'),
			actionField('Replace With', 'replaceBy', 'The action to attach in its place'),
		],
	},
	(context, item) => {
		const from = readActionField(context, 'action', item);
		const to = readActionField(context, 'replaceBy', item);
		if (from !== to) return { kind: 'replace', from, to };
		throw new InputError(
			`Action ${from} would be replaced with itself`,
			'Choose another action under Replace With.',
		);
	},
);

/** Makes the actions of monitors exactly a list; entries of other types stay. */
export const setActions = monitorChange(
	{
		name: 'Set Actions',
		action: 'Set actions of monitors',
		description: 'Replace all actions of monitors: every other action is detached',
		fields: [
			{
				displayName: 'Action IDs',
				name: 'actionIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. marketing-chat, email',
				description:
					'The only actions to keep. All others are detached. "email" is the default email address.',
				hint: 'Separate several IDs with commas',
			},
			{
				displayName: 'Allow No Actions',
				name: 'allowNone',
				type: 'boolean',
				default: false,
				description: 'Whether to allow removing all actions',
			},
		],
	},
	(context, item) => {
		const mayBeNone = context.getNodeParameter('allowNone', item, false) === true;
		const targets = readActionIds(context.getNodeParameter('actionIds', item, ''), mayBeNone);
		if (targets.length > MOST_ACTIONS_PER_MONITOR) {
			throw new InputError(
				`${targets.length} actions are specified`,
				`A monitor can have at most ${MOST_ACTIONS_PER_MONITOR}. Remove some from Action IDs.`,
			);
		}
		return { kind: 'set', targets };
	},
);

/**
 * Makes an operation that changes the actions of monitors (test/contract/interface.md 2.5).
 * @param offer with the fields of this operation alone, which come first
 * @param edit what an item wants of its monitors
 */
function monitorChange(
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

/** Makes Attach or Detach. */
function oneActionChange(kind: 'attach' | 'detach', offer: Omit<Offer, 'fields'>): Operation {
	return monitorChange({ ...offer, fields: [actionField()] }, (context, item) => ({
		kind,
		targets: [readActionField(context, 'action', item)],
	}));
}

const BLANK_MONITOR = { model: null, id: null, displayName: null, actions: null };

/** The monitor that a part is about, as it was seen last. */
function monitorItem({ result, subject }: AlertingPart): IDataObject {
	const { model = null, id = '' } = monitorOf(subject) ?? {};
	const seen = result !== undefined && 'monitor' in result ? result.monitor : undefined;
	return {
		...{ model, id: id || null, displayName: seen?.displayName ?? null },
		actions: seen === undefined ? null : targetsOf(seen),
	};
}
