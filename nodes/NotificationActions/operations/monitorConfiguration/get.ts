import type { IDataObject } from 'n8n-workflow';

import { documentOf } from '../../configurations';
import { type Operation, optionsField } from '../../../shared/run';
import { configurationCounts } from '../../fields/configurationItem';
import { organizationOption } from '../../fields/connection';
import { modelField, readModelField } from '../../fields/models';
import { runRead } from '../../runWrite';

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
