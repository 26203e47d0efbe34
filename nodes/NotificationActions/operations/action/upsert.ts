import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type ActionWish, checkActionId, planActions, checkKindName, KINDS } from '../../actions';
import {
	type Operation,
	optionsField,
	previewField,
	parameterJson,
	parameterText,
} from '../../../shared/run';
import { BLANK_ACTION, changedAction } from '../../fields';
import { organizationOption, showSecretsOption, runAlertingWrite } from '../../runWrite';
import { checkDepth, InputError, isObject } from '../../../shared/util';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

const OTHER_KIND = {
	name: 'Other',
	value: 'other',
	description: 'Any kind and payload that the service supports',
};

const showFor = (...kinds: string[]) => ({ show: { kind: kinds } });

/** What an action delivers to. */
const payloadFields: INodeProperties[] = [
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		noDataExpression: true,
		options: [
			...Object.entries(KINDS).map(([value, { name, description }]) => ({
				name,
				value,
				description,
			})),
			OTHER_KIND,
		].sort((one, other) => one.name.localeCompare(other.name)),
		default: 'email',
		description: 'What the action delivers to',
	},
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		placeholder: 'name@email.com',
		default: '',
		required: true,
		displayOptions: showFor('email'),
		description: 'Address to deliver to',
	},
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		type: 'string',
		typeOptions: { password: true },
		placeholder: 'e.g. https://hooks.example.com/services/…',
		default: '',
		required: true,
		displayOptions: showFor('chatWebhook', 'teams'),
		description: 'Address for incoming messages, from the chat tool',
	},
	{
		displayName: 'Service Key',
		name: 'serviceKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		displayOptions: showFor('incidentPaging'),
		description: 'Integration key, from the paging tool',
	},
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		typeOptions: { password: true },
		placeholder: 'e.g. https://n8n.example.com/webhook/alerts',
		default: '',
		required: true,
		displayOptions: showFor('webhook'),
		description: 'HTTPS address to deliver to. The service uses port 443 and drops the query.',
	},
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: METHODS.map((name) => ({ name, value: name })),
		default: 'POST',
		displayOptions: showFor('webhook'),
		description: 'HTTP method of the delivery',
	},
	{
		displayName: 'Headers',
		name: 'headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Header',
		default: {},
		displayOptions: showFor('webhook'),
		description: 'Headers of the delivery',
		options: [
			{
				displayName: 'Header',
				name: 'header',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. X-Alert-Key',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						typeOptions: { password: true },
						default: '',
					},
				],
			},
		],
	},
	{
		displayName: 'Body',
		name: 'body',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		displayOptions: showFor('webhook'),
		description: 'Body of the delivery. Leave empty for the default of the service.',
	},
	{
		displayName: 'Kind Name',
		name: 'otherKind',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. OPSGENIE',
		displayOptions: showFor('other'),
		description: "Kind as the URLs of the service's API spell it",
	},
	{
		displayName: 'Payload',
		name: 'payload',
		type: 'json',
		default: '{}',
		required: true,
		displayOptions: showFor('other'),
		description: 'What the service stores for the action',
		hint: 'A JSON object, e.g. {"apiKey": "..."}',
	},
];

/** PUT of an action, when it is not as requested already (test/contract/interface.md 1.6, 2.4). */
export const upsert: Operation = {
	name: 'Create or Update',
	action: 'Create or update action',
	description: 'Create a new action, or update the current one if it already exists (upsert)',
	fields: [
		{
			displayName: 'Action ID',
			name: 'actionId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. marketing-chat',
			description: 'An ID of your choice. The ID of a deleted action can never be used again.',
			hint: 'At most 100 letters, digits, hyphens and underscores',
		},
		...payloadFields,
		previewField,
		optionsField([
			{
				displayName: 'Allow Changing Kind',
				name: 'allowChangingKind',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether to allow changing an existing action to another kind',
			},
			{
				displayName: 'Allow Default Email',
				name: 'allowDefaultEmail',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether to allow creating the action "email", where the service does not have it by default',
			},
			organizationOption,
			showSecretsOption,
		]),
	],

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const allowsChangingKind = options.allowChangingKind === true;
		return await runAlertingWrite<ActionWish>(context, {
			blank: BLANK_ACTION,
			collect: (item) => [
				{
					item,
					id: checkActionId(context.getNodeParameter('actionId', item, '')),
					...readPayload(context, item),
					allowsChangingKind,
				},
			],
			plan: async (wishes, { actions }) =>
				planActions(
					wishes,
					wishes.length === 0 ? [] : await actions(),
					options.allowDefaultEmail === true,
				),
			output: changedAction,
		});
	},
};

/** The kind as the service names it, and the payload. @throws InputError for what the service would store unchecked */
function readPayload(
	context: IExecuteFunctions,
	item: number,
): { type: string; payload: Record<string, unknown>; warnings: string[] } {
	const kind = String(context.getNodeParameter('kind', item, 'email'));
	const value = (name: string): unknown => context.getNodeParameter(name, item, '');
	if (kind === 'other') {
		const type = checkKindName(value('otherKind'));
		return { type, payload: readObject(value('payload')), warnings: [] };
	}
	const { type, field, parameter, check, warnings } = KINDS[kind];
	const target = check(value(parameter));
	const more = kind === 'webhook' ? webhookFields(context, item) : {};
	return { type, payload: { [field]: target, ...more }, warnings: warnings?.(target) ?? [] };
}

/** How a webhook delivers. */
function webhookFields(context: IExecuteFunctions, item: number): Record<string, unknown> {
	const headers = readHeaders(context.getNodeParameter('headers', item, ''));
	const body = bodyText(context.getNodeParameter('body', item, ''));
	return {
		method: readMethod(context.getNodeParameter('method', item, 'POST')),
		...(Object.keys(headers).length > 0 && { headers }),
		...(body !== '' && { body }),
	};
}

/** @throws InputError for what the service would store unchecked, and never deliver with */
function readMethod(value: unknown): string {
	const method = parameterText(value).toUpperCase();
	if (METHODS.includes(method)) return method;
	throw new InputError(
		`"${method.slice(0, 50)}" is not a method`,
		`Use one of ${METHODS.join(', ')}.`,
	);
}

/** What an expression gave: no value is none, and an object or a list is JSON. */
function bodyText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(checkDepth(value, 'The body')) : String(value);
}

/** @throws InputError for a name that no header has, for one that comes twice, and for a value that is no text */
function readHeaders(value: unknown): Record<string, string> {
	const rows = isObject(value) && Array.isArray(value.header) ? (value.header as unknown[]) : [];
	const headers = new Map<string, string>();
	for (const row of rows) {
		const { name: typed, value: text } = isObject(row) ? row : {};
		const name = String(typed ?? '').trim();
		if (name === '') continue;
		if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
			throw new InputError(
				`"${name.slice(0, 50)}" is not the name of a header`,
				'Correct it under Headers.',
			);
		}
		if (headers.has(name)) {
			throw new InputError(`Header ${name} is specified twice`, 'Remove one under Headers.');
		}
		if (typeof text === 'object' && text !== null) {
			throw new InputError(`The value of header ${name} is not text`, 'Correct it under Headers.');
		}
		headers.set(name, String(text ?? ''));
	}
	return Object.fromEntries(headers);
}

function readObject(value: unknown): Record<string, unknown> {
	const parsed = parameterJson(value, 'The payload');
	if (isObject(parsed) && Object.keys(parsed).length > 0) return parsed;
	throw new InputError(
		'The payload is not a JSON object with fields',
		'Without its fields the service stores a placeholder, and nothing is delivered.',
	);
}
