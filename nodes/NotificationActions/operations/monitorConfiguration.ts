import type { IDataObject } from 'n8n-workflow';

import {
	documentOf,
	checkDocument,
	type ConfigurationWish,
	monitorOf,
	planConfigurations,
	type Configuration,
} from '../configurations';
import { type Operation, optionsField, previewField, wholeNumber } from '../../shared/run';
import { organizationOption, runRead, runAlertingWrite } from '../runWrite';
import { modelField, readModelField } from '../fields';

/** The whole configuration of a model (test/contract/interface.md 2.5). */
export const get: Operation = {
	name: 'Get',
	action: 'Get monitor configuration',
	description: 'Retrieve the whole monitor configuration of a model',
	fields: [
		modelField,
		{
			displayName: 'Return As',
			name: 'returnAs',
			type: 'options',
			options: [
				{
					name: 'Exact Text',
					value: 'text',
					description: 'As the service wrote it, with every digit of a number',
				},
				{ name: 'JSON', value: 'json', description: 'For expressions' },
			],
			default: 'json',
			description: 'Format of the document. Update accepts both.',
		},
		optionsField([organizationOption]),
	],

	execute: async (context) =>
		await runRead(context, {
			async read(item, { configurations }) {
				const model = readModelField(context, item);
				const asText = context.getNodeParameter('returnAs', item, 'json') === 'text';
				const read = (await configurations([model])).get(model);
				if (read?.ok !== true) throw read?.error;
				const { configuration } = read.value;
				const { text } = configuration;
				return [
					{
						model,
						...configurationCounts(configuration),
						configuration: asText ? text : (documentOf(text) as IDataObject),
					},
				];
			},
		}),
};

const DEFAULT_MOST_REMOVALS = 5;

/** Puts a whole document in the place of the one that is there (test/contract/interface.md 2.5). */
export const update: Operation = {
	name: 'Update',
	action: 'Update monitor configuration',
	description: 'Replace the whole configuration of a model. Monitors missing from it are removed.',
	fields: [
		modelField,
		{
			displayName: 'Configuration',
			name: 'configuration',
			type: 'json',
			default: '={{ $json.configuration }}',
			required: true,
			description:
				'The whole document from Get, changed. Monitors and analyzers missing from it are removed.',
		},
		previewField,
		optionsField([
			{
				displayName: 'Allow Removals',
				name: 'allowRemovals',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether to allow removing more monitors and analyzers than Max Removals',
			},
			{
				displayName: 'Max Removals',
				name: 'maxRemovals',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, numberPrecision: 0 },
				default: 5,
				description: 'Maximum number of monitors and analyzers to remove from a model',
			},
			{
				displayName: 'Overwrite Newer',
				name: 'overwriteNewer',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether to replace a configuration that is or may be newer than the provided one',
			},
			organizationOption,
		]),
	],

	async execute(context) {
		return await runAlertingWrite<ConfigurationWish>(context, {
			blank: { model: null, version: null, monitors: null, analyzers: null },
			collect: (item) => [
				{
					item,
					modelId: readModelField(context, item),
					document: checkDocument(context.getNodeParameter('configuration', item)),
				},
			],
			async plan(wishes, { client, configurations }) {
				const options = context.getNodeParameter('options', 0, {}) as IDataObject;
				return planConfigurations(wishes, {
					configurations: await configurations(wishes.map(({ modelId }) => modelId)),
					organizationId: client.organizationId,
					maxRemovals: wholeNumber('Max Removals', options.maxRemovals ?? DEFAULT_MOST_REMOVALS, 0),
					allowsRemovals: options.allowRemovals === true,
					overwritesNewer: options.overwriteNewer === true,
				});
			},
			output: ({ result, subject }) => ({
				...{
					model: monitorOf(subject)?.model ?? null,
					version: null,
					monitors: null,
					analyzers: null,
				},
				...(result !== undefined &&
					'configuration' in result &&
					configurationCounts(result.configuration)),
			}),
		});
	},
};

/** What the output says of a configuration beside its text. */
function configurationCounts({ version, monitors, analyzerIds }: Configuration): IDataObject {
	return {
		...(version !== undefined && { version }),
		monitors: monitors.length,
		analyzers: analyzerIds.length,
	};
}
