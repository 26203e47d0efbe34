import { NodeConnectionTypes, type INodePropertyOptions } from 'n8n-workflow';

import { operations } from '../../../nodes/NotificationActions/operations';
import { alertCodex, NotificationActions } from '../../support/built';
import { checkDescription, lookAt, settingsOf } from '../../support/description';

const node = new NotificationActions();
const { description } = node;
const { everyOperation, operationsOf, optionsOf, shownFor } = lookAt(node);

const READING = ['get', 'getAll'];

/** Options that are read for each item by itself. */
const OF_ONE_ITEM = ['kindSegment', 'payloadField'];

it('is the node that workflows know', () => {
	expect(description).toMatchObject({
		displayName: 'Notification Actions',
		name: 'notificationActions',
		version: 1,
		group: ['transform'],
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'notificationActionsApi', required: true }],
	});
});

it('has a codex file that names it', () => {
	expect(alertCodex).toMatchObject({
		node: 'n8n-nodes-scim-provisioning.notificationActions',
		nodeVersion: '1.0',
		codexVersion: '1.0',
		categories: expect.arrayContaining(['Development']),
		alias: expect.arrayContaining(['alert', 'monitor', 'notification', 'webhook']),
		resources: {
			primaryDocumentation: [{ url: expect.stringMatching(/^https:/) }],
			credentialDocumentation: [{ url: expect.stringMatching(/^https:/) }],
		},
	});
});

it('has these operations', () => {
	const named = (resource: string) =>
		operationsOf(resource).map(({ name, value, action }) => [name, value, action]);

	expect(named('action')).toEqual([
		['Create or Update', 'upsert', 'Create or update action'],
		['Delete', 'delete', 'Delete action'],
		['Disable', 'disable', 'Disable action'],
		['Enable', 'enable', 'Enable action'],
		['Get', 'get', 'Get action'],
		['Get Many', 'getAll', 'Get many actions'],
		['Send Test', 'sendTest', 'Send test to action'],
	]);
	expect(named('monitor')).toEqual([
		['Attach Action', 'attach', 'Attach action to monitors'],
		['Detach Action', 'detach', 'Detach action from monitors'],
		['Get Many', 'getAll', 'Get many monitors'],
		['Replace Action', 'replaceAction', 'Replace action on monitors'],
		['Set Actions', 'setActions', 'Set actions of monitors'],
	]);
	expect(named('monitorConfiguration')).toEqual([
		['Get', 'get', 'Get monitor configuration'],
		['Update', 'update', 'Update monitor configuration'],
	]);
});

describe.each(everyOperation)('%s: %s', (resource, operation) => {
	const names = shownFor(resource, operation).map(({ name }) => name);
	const options = optionsOf(resource, operation);
	const writes = !READING.includes(operation);

	it(writes ? 'has Preview, off by default' : 'has no Preview', () => {
		expect(names.includes('preview')).toBe(writes);
		const preview = shownFor(resource, operation).find(({ name }) => name === 'preview');
		expect(preview?.default).toBe(writes ? false : undefined);
	});

	it('lets no expression decide over what holds for all items', () => {
		const ofExecution = shownFor(resource, operation).filter(({ name }) => name === 'preview');
		for (const { name, noDataExpression } of [...ofExecution, ...options]) {
			if (OF_ONE_ITEM.includes(name)) continue;
			expect([name, noDataExpression]).toEqual([name, true]);
		}
	});

	it('can be of another organization, and waits as long as it is told', () => {
		const named = options.map(({ name }) => name);
		expect(named).toEqual(expect.arrayContaining(['organizationId', 'requests']));
		const requests = settingsOf(options, 'requests').map(({ name }) => name);
		expect(requests).toEqual(expect.arrayContaining(['maxRunTime', 'maxWait', 'timeout']));
	});

	it(`${resource === 'action' ? 'shows secrets' : 'has no secrets to show'} on demand alone`, () => {
		const option = options.find(({ name }) => name === 'showSecrets');
		expect(option?.default).toBe(resource === 'action' ? false : undefined);
	});
});

it('has nothing dangerous on by default', () => {
	const defaults = Object.fromEntries(
		everyOperation.flatMap(([resource, operation]) =>
			[...shownFor(resource, operation), ...optionsOf(resource, operation)].map(
				({ name, default: value }) => [name, value] as const,
			),
		),
	);
	expect(defaults).toMatchObject({
		allowChangingKind: false,
		allowNone: false,
		allowRemovals: false,
		checkActions: true,
		detachFirst: false,
		ifNoneMatch: 'fail',
		maxRemovals: 5,
		maxTries: 5,
		models: 'one',
		monitors: 'one',
		overwriteNewer: false,
		saveWith: 'automatic',
		settleTime: 0,
		simplify: true,
	});
});

it('hides what is a secret while it is typed', () => {
	const fields = lookAt(node).everyField.filter(({ typeOptions }) => typeOptions?.password);
	expect(fields.map(({ name }) => name)).toEqual(['webhookUrl', 'serviceKey', 'url', 'value']);
});

it('prefills the names of kinds and fields that were seen', () => {
	const naming = optionsOf('action', 'upsert').filter(({ name }) => OF_ONE_ITEM.includes(name));
	const kinds = shownFor('action', 'upsert').find(({ name }) => name === 'kind')?.options ?? [];
	const prefilled = kinds.map((kind) => {
		const { value } = kind as INodePropertyOptions;
		const own = naming.filter(({ displayOptions }) =>
			displayOptions?.show?.['/kind']?.includes(value),
		);
		const of = (name: string) => own.find((field) => field.name === name)?.default;
		return [value, of('kindSegment'), of('payloadField')];
	});
	expect(prefilled).toEqual([
		['chatWebhook', 'SLACK', 'slackWebhook'],
		['email', 'EMAIL', 'email'],
		['incidentPaging', 'PAGER_DUTY', 'pagerDutyKey'],
		['other', undefined, undefined],
		['teams', 'TEAMS', 'webhook'],
		['webhook', 'WEBHOOK', 'url'],
	]);
});

it.each(['action', 'monitor'])(
	'has a limit of 50 and Return All on the list of %ss',
	(resource) => {
		expect(shownFor(resource, 'getAll')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ name: 'returnAll', default: false }),
				expect.objectContaining({
					name: 'limit',
					default: 50,
					typeOptions: expect.objectContaining({ minValue: 1 }),
				}),
			]),
		);
	},
);

checkDescription(node, 'NotificationActions', operations);
