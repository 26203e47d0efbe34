import { NodeConnectionTypes } from 'n8n-workflow';

import { operations } from '../../../nodes/NotificationActions/operations';
import { alertCodex, NotificationActions } from '../../support/built';
import { checkCodex, checkDescription, lookAt, settingsOf } from '../../support/description';

const node = new NotificationActions();
const { description } = node;
const { everyOperation, optionsOf, shownFor } = lookAt(node);

const READING = ['get', 'getAll'];

it('is the node that workflows know', () => {
	expect(description).toMatchObject({
		displayName: 'Notification Actions',
		name: 'notificationActions',
		version: 1,
		group: ['transform'],
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'notificationActionsApi', required: true }],
	});
});

checkCodex(alertCodex, 'notificationActions', ['alert', 'monitor', 'notification', 'webhook']);

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
			expect([name, noDataExpression]).toEqual([name, true]);
		}
	});

	it('can be of another organization', () => {
		const named = options.map(({ name }) => name);
		expect(named).toContain('organizationId');
	});

	const hasSecrets = resource === 'action' && operation !== 'delete';
	it(hasSecrets ? 'shows secrets on demand alone' : 'has no secrets to show', () => {
		const option = options.find(({ name }) => name === 'showSecrets');
		expect(option?.default).toBe(hasSecrets ? false : undefined);
	});
});

it('waits as long as it is told', () => {
	const requests = settingsOf(node.description.properties, 'requests').map(({ name }) => name);
	expect(requests).toEqual(['maxMemory', 'maxWait', 'timeout', 'verifyTime']);
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
		detachFirst: false,
		ifNoneMatch: 'fail',
		maxRemovals: 5,
		models: 'one',
		monitors: 'one',
		overwriteNewer: false,
		simplify: true,
	});
});

it('hides what is a secret while it is typed', () => {
	const fields = lookAt(node).everyField.filter(({ typeOptions }) => typeOptions?.password);
	expect(fields.map(({ name }) => name)).toEqual(['webhookUrl', 'serviceKey', 'url', 'value']);
});

checkDescription(node, 'NotificationActions', operations);
