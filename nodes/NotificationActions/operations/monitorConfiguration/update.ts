import type { IDataObject } from 'n8n-workflow';

import { checkDocument, planConfigurations, type WantedConfiguration } from '../../configurations';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
	wholeNumber,
} from '../../../shared/run';
import { organizationOption } from '../../fields/connection';
import { modelField, readModelField } from '../../fields/models';
import { replacingOptions } from '../../fields/saving';
import { runChange } from '../../road';

const DEFAULT_MOST_REMOVALS = 5;

/** Puts a whole document in the place of the one that is there (docs/interface.md 2.5). */
export const update: Operation = {
	fields: showFor('monitorConfiguration', 'update', [
		modelField,
		{
			displayName: 'Configuration',
			name: 'configuration',
			type: 'json',
			default: '={{ $json.configuration }}',
			required: true,
			description:
				'The whole document as Get returned it, changed: what it lacks is removed. As text it is sent sign for sign.',
		},
		previewField,
		optionsField([
			{
				displayName: 'Allow Removals',
				name: 'allowRemovals',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether more monitors and analyzers may be removed than Max Removals',
			},
			{
				displayName: 'Max Removals',
				name: 'maxRemovals',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, numberPrecision: 0 },
				default: 5,
				description: 'More monitors and analyzers than this are not removed from a model',
			},
			{
				displayName: 'Overwrite Newer',
				name: 'overwriteNewer',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether to replace a configuration that is newer than the given one, or may be',
			},
			organizationOption,
			...replacingOptions,
			requestsOption('concurrency'),
		]),
	]),

	async execute(context) {
		return await runChange<WantedConfiguration>(context, {
			collect: (item) => [
				{
					item,
					modelId: readModelField(context, item),
					text: checkDocument(context.getNodeParameter('configuration', item)),
				},
			],
			async plan(wanted, { client, configurations }) {
				const options = context.getNodeParameter('options', 0, {}) as IDataObject;
				return planConfigurations(wanted, {
					organizationId: client.organizationId,
					configurations: await configurations(wanted.map(({ modelId }) => modelId)),
					maxRemovals: wholeNumber('Max Removals', options.maxRemovals ?? DEFAULT_MOST_REMOVALS, 0),
					allowsRemovals: options.allowRemovals === true,
					overwritesNewer: options.overwriteNewer === true,
				});
			},
			output: ([part]) => {
				if (part === undefined) return {};
				const { outcome, result, subject } = part;
				const { status, action, reason, warnings = [] } = outcome;
				const { version, monitors, analyzerIds } = result?.configuration ?? {};
				return {
					model: subject,
					...(version !== undefined && { version }),
					...(monitors !== undefined && { monitors: monitors.length }),
					...(analyzerIds !== undefined && { analyzers: analyzerIds.length }),
					outcome: { status, action, ...(reason !== undefined && { reason }) },
					...(warnings.length > 0 && { warnings }),
				};
			},
		});
	},
};
