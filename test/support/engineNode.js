'use strict';

const { pollNode, runNode } = require('../harness');
const {
	NotificationActions,
	NotificationActionsApi,
	ScimProvisioning,
	ScimProvisioningApi,
	ScimProvisioningTrigger,
} = require('./built');
const { inCollections } = require('./options');

/** The nodes, each with its credential. */
const NODES = {
	scimProvisioning: [ScimProvisioning, new ScimProvisioningApi()],
	notificationActions: [NotificationActions, new NotificationActionsApi()],
};
const fields = Object.values(NODES).flatMap(([Node]) => new Node().description.properties);
const TYPES = new Map(fields.map(({ name, type }) => [name, type]));
/** Types in whose values n8n looks for expressions. */
const INNER = ['collection', 'fixedCollection', 'resourceLocator', 'resourceMapper'];
/** Fields that have to be filled, rows among them. */
const REQUIRED = new Set(
	[...fields, ...fields.flatMap(({ options = [] }) => options.flatMap(({ values = [] }) => values))]
		.filter(({ required }) => required)
		.map(({ name }) => name),
);

/** An expression that gives this value; encoded, since braces would end it. */
const giving = (values, of = '') =>
	`={{ JSON.parse(decodeURIComponent("${encodeURIComponent(JSON.stringify(values))}"))${of} ?? undefined }}`;

const isExpression = (one) => typeof one === 'string' && one.startsWith('={{');

const isPlain = (one) => typeof one === 'object' && one !== null && !Array.isArray(one);
const isLocator = (one) =>
	isPlain(one) && Object.hasOwn(one, 'mode') && Object.hasOwn(one, 'value');
const isRows = (one) => Array.isArray(one) && one.every(isPlain);

/** Where n8n throws. */
const BROKEN = "={{ $('Nowhere').item.json.value }}";

/**
 * A value as it stands in the editor. `typed` of a locator says that its value came from an expression, and so did what is
 * empty: n8n starts no workflow in which a field that has to be filled is not.
 */
function inEditor(given, isRequired) {
	if (typeof given === 'function') return BROKEN;
	if (typeof given !== 'object' || given === null) {
		return isRequired && (given ?? '') === '' ? giving(given ?? null) : given;
	}
	if (Array.isArray(given)) return given.map((one) => inEditor(one));
	const { typed, ...own } = given;
	if (typed !== undefined) {
		return { ...own, value: isExpression(own.value) ? own.value : giving(own.value ?? null) };
	}
	const isFilled = isLocator(own);
	return Object.fromEntries(
		Object.entries(own).map(([name, one]) => [name, inEditor(one, isFilled || REQUIRED.has(name))]),
	);
}

/** One value for all items, of a field that is one. */
function forEach(values) {
	const [first, ...rest] = values;
	const isOne = rest.every((one) => JSON.stringify(one) === JSON.stringify(first));
	return isOne ? first : giving(values, '[$itemIndex]');
}

/** One value for all items: what differs stands in an expression, as deep inside as it can, since n8n takes none for rows. */
function forAll(values) {
	const [first, ...rest] = values;
	if (values.every(isLocator)) {
		if (rest.some(({ mode }) => mode !== first.mode)) throw new Error('n8n has one mode for all');
		return { ...first, value: forEach(values.map(({ value }) => value)) };
	}
	if (values.every(isRows)) {
		if (rest.some(({ length }) => length !== first.length)) {
			throw new Error('n8n has the same rows for all items: let one row give a list');
		}
		return first.map((_, at) => forAll(values.map((one) => one[at])));
	}
	const known = values.filter((one) => one !== undefined);
	if (known.length === 0 || !known.every(isPlain)) return forEach(values);
	const names = new Set(known.flatMap((one) => Object.keys(one)));
	return Object.fromEntries(
		[...names].map((name) => [name, forAll(values.map((one) => one?.[name]))]),
	);
}

function parametersFor({ parameters, items }) {
	const each = items.map(({ json, ...own }) => inCollections({ ...parameters, ...own }));
	const names = [...new Set(each.flatMap((own) => Object.keys(own)))];
	return inEditor(
		Object.fromEntries(
			names.map((name) => {
				const values = each.map((own) => own[name]);
				return [name, INNER.includes(TYPES.get(name)) ? forAll(values) : forEach(values)];
			}),
		),
	);
}

/**
 * A run in n8n-core's engine: its parameters, expressions, credentials and items. Only the request itself goes to the
 * service in memory.
 * @param name of the node @param given as of contextOf
 * @returns the output items of the node, errors with their items; `thrown` is what stopped it
 */
async function runInEngine(name, given) {
	const { items, credential, continueOnFail, signal, settings, send } = given;
	const [Original, credentialType] = NODES[name];
	let output = [];
	class Node extends Original {
		async execute() {
			this.helpers.httpRequestWithAuthentication = async (_type, request) => await send(request);
			const outputs = await Original.prototype.execute.call(this);
			output = outputs.flat();
			return outputs;
		}
	}
	const { error, executed, workflowError } = await runNode(new Node(), {
		parameters: parametersFor(given),
		items: items.map(({ json = {} }) => ({ json })),
		credentials: { [credentialType.name]: credential },
		credentialTypes: [credentialType],
		onError: continueOnFail ? 'continueErrorOutput' : 'stopWorkflow',
		...(signal && { cancelSignal: signal }),
		...(settings && { executionTimeout: settings.executionTimeout, timezone: settings.timezone }),
	});
	return { output, thrown: error ?? (executed ? undefined : workflowError) };
}

/** A check of the trigger in n8n-core's own context. @param given as of pollContextOf @returns the JSON of its items */
async function pollInEngine(given) {
	const { memory, mode, activation, id = '1', warn, record, send, together } = given;
	class Node extends ScimProvisioningTrigger {
		async poll() {
			this.helpers.httpRequestWithAuthentication = async (_type, request) => await send(request);
			return await ScimProvisioningTrigger.prototype.poll.call(this);
		}
	}
	const name = 'scimProvisioningApi';
	const found = await pollNode(new Node(), {
		parameters: inCollections(given.parameters),
		credentials: { [name]: given.credential },
		credentialTypes: [new ScimProvisioningApi()],
		node: { credentials: { [name]: { id, name } } },
		...{ staticData: memory, mode, activation, recordError: record, logger: { warn }, together },
	});
	return together ? found.map((one) => one ?? []) : (found ?? []);
}

module.exports = { pollInEngine, runInEngine };
