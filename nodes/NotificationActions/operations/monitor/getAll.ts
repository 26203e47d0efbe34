import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { attempt, checkDepth, shown, wildcard } from '../../../shared/util';
import { type Monitor, nameOf, targetsOf } from '../../configurations';
import {
	limitField,
	type Operation,
	optionsField,
	readLimit,
	returnAllField,
	simplifyField,
} from '../../../shared/run';
import { organizationOption, runRead } from '../../runWrite';
import { modelsFields, readModelsFields, severitiesOf } from '../../fields';

/** The monitors of one or more models, one entry each (test/contract/interface.md 2.5). */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many monitors',
	description: 'Retrieve a list of monitors with their actions',
	fields: [
		...modelsFields,
		returnAllField,
		limitField,
		simplifyField,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Action ID',
					name: 'actionId',
					type: 'string',
					default: '',
					placeholder: 'e.g. marketing-chat',
					description: 'Only monitors with this action',
				},
				{
					displayName: 'Disabled',
					name: 'disabled',
					type: 'boolean',
					default: true,
					description: 'Whether to return only disabled monitors, or only enabled ones',
				},
				{
					displayName: 'Name Pattern',
					name: 'namePattern',
					type: 'string',
					default: '',
					placeholder: 'e.g. drift*',
					description: 'Only monitors whose display name matches',
					hint: '* stands for any characters',
				},
				{
					displayName: 'Severity',
					name: 'severity',
					type: 'number',
					default: 1,
					description: 'Only monitors with this severity; 1 is the highest',
				},
				{
					displayName: 'Tag',
					name: 'tag',
					type: 'string',
					default: '',
					placeholder: 'e.g. churn',
					description: 'Only monitors with this tag, ignoring case',
				},
			],
		},
		optionsField([organizationOption]),
	],

	execute: async (context) =>
		await runRead(context, {
			// All at once: item by item, each would have as many requests under way as all may have.
			async prepare(items, { allModels, configurations }) {
				const named = await Promise.all(
					items.map(async (item) => await attempt(() => readModelsFields(context, item))),
				);
				// An item whose models cannot be read fails by itself, further below.
				const given = named.flatMap((one) => (one.ok ? [one.value] : []));
				const all = given.includes(undefined) ? await allModels() : [];
				await configurations([...all, ...given.flatMap((ids) => ids ?? [])]);
			},
			async read(item, { allModels, configurations }) {
				const modelIds = readModelsFields(context, item) ?? (await allModels());
				const isWanted = readFilters(context, item);
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				const limit = readLimit(context, item) ?? Number.POSITIVE_INFINITY;
				const monitors: IDataObject[] = [];
				for (const [model, read] of await configurations(modelIds)) {
					if (!read.ok) throw read.error;
					for (const monitor of read.value.configuration.monitors.filter(isWanted)) {
						monitors.push(
							simplify
								? simpleMonitor(model, monitor)
								: // Items must not share what they hold: a node may change it in one of them.
									{ model, ...copyOf(monitor) },
						);
					}
				}
				return monitors.slice(0, limit);
			},
		}),
};

function simpleMonitor(model: string, monitor: Monitor): IDataObject {
	const { id, displayName, disabled, severity, tags } = monitor;
	return {
		model,
		id,
		displayName: displayName ?? id,
		disabled,
		...(severity !== undefined && { severity }),
		tags,
		actions: targetsOf(monitor),
	};
}

function readFilters(context: IExecuteFunctions, item: number): (monitor: Monitor) => boolean {
	const filters = context.getNodeParameter('filters', item, {}) as IDataObject;
	const { actionId, disabled, namePattern, severity, tag } = filters;
	const tests: Array<(monitor: Monitor) => boolean> = [];
	if (actionId) tests.push((monitor) => targetsOf(monitor).includes(String(actionId).trim()));
	if (disabled !== undefined) tests.push((monitor) => monitor.disabled === (disabled === true));
	if (namePattern) {
		const matches = wildcard(String(namePattern).trim());
		tests.push((monitor) => matches(nameOf(monitor)));
	}
	if (severity !== undefined) {
		const wanted = severitiesOf([severity]);
		tests.push((monitor) => wanted.includes(monitor.severity ?? Number.NaN));
	}
	if (tag) {
		const wanted = String(tag).trim().toLowerCase();
		tests.push(({ tags }) => tags.some((own) => own.toLowerCase() === wanted));
	}
	return (monitor) => tests.every((test) => test(monitor));
}

/** Copies a monitor as the service shows it. @throws InputError for one that is nested too deeply */
function copyOf({ id, raw }: Monitor): IDataObject {
	return structuredClone(checkDepth(raw, `Monitor ${shown(id)}`)) as IDataObject;
}
