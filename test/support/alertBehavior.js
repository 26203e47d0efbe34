'use strict';

// A table of what an operation of Notification Actions does, in the manner of ./behavior: a row is a service, a wish, and
// what comes of it. What a row does not name has to stay as it was, no error may come, and where nothing changes nothing may
// be sent.

const { waited } = require('./noWaiting');
const { Faults } = require('../../demo/service/faults');
const { operations } = require('../../dist/nodes/NotificationActions/operations');
const {
	NotificationActions,
} = require('../../dist/nodes/NotificationActions/NotificationActions.node.js');
const { AlertingInMemory, KEY, ORGANIZATION } = require('./alertingInMemory');
const { document, global, monitor } = require('./configurations');
const { defaultsIn } = require('./fieldDefaults');
const { unrouted } = require('./errorItems');
const { IN_ENGINE, contextOf, inEngine } = require('./modelNode');
const { errorsIn, expectItems, says, wordsIn } = require('./tableRows');

const { description } = new NotificationActions();

/** The ID of a monitor, from the word for it: the service takes none with fewer than ten characters. */
const idOf = (word) => `${word}-monitor`;
const wordOf = (id) => id.replace(/-monitor$/, '');
const locator = (value) => ({ __rl: true, mode: 'id', value });

const MONITORS = {
	drift: { has: 'email', severity: 2 },
	volume: { has: 'pager email', severity: 4, tags: ['Volume', 'churn'] },
	schema: '',
};
const ACTIONS = {
	pager: { type: 'PAGER_DUTY', payload: { pagerDutyKey: 'key-of-the-pager' } },
	chat: { type: 'SLACK', payload: { slackWebhook: 'https://chat.example.com/services/T0/demo' } },
	mail: { type: 'EMAIL', payload: { email: 'mail@example.com' } },
	hook: {
		...{ type: 'WEBHOOK', enabled: false },
		payload: { url: 'https://hooks.example.com/old', method: 'POST', headers: {}, body: '{}' },
	},
};

/** The alerting service, and words for what is in it: model `m` has the monitors drift, volume and schema. */
class Alerting extends AlertingInMemory {
	/**
	 * @param {Record<string, object | string>} [models] the monitors of each, and the actions of each monitor:
	 *   `{ m: { drift: 'email', volume: { has: '', tags: ['x'] } } }`; or the text of a configuration
	 * @param {object} [more] `actions` that there are, `credential`, `faults` (demo/service/faults.js), `mostBytes` of a
	 *   request, `defaultEmail: false`, and switches of the service
	 */
	constructor(
		models = { m: MONITORS },
		{
			actions = ACTIONS,
			credential,
			faults = [],
			mostBytes,
			defaultEmail = true,
			...switches
		} = {},
	) {
		super(switches, Date.now, {
			organizations: [
				{ id: ORGANIZATION, name: 'X', ...(defaultEmail && { defaultEmail: 'x@x.io' }) },
			],
			models: Object.keys(models).map((id) => ({ organization: ORGANIZATION, id, name: id })),
			configurations: Object.entries(models).flatMap(([model, given]) =>
				given === undefined
					? []
					: [{ organization: ORGANIZATION, model, document: contentOf(given) }],
			),
			actions: Object.entries(actions).map(([id, own]) => ({
				organization: ORGANIZATION,
				id,
				...own,
			})),
		});
		Object.assign(this, { credential, mostBytes, faults: new Faults(faults, 1), requests: [] });
	}

	/** Carries out a request of the node, and answers as n8n's helper does. @throws where the connection breaks */
	async exchange({ method, url, body }) {
		const { pathname: path } = new URL(url);
		const request = { method, path, body, text: body };
		this.requests.push(request);
		await new Promise(setImmediate);
		const { tick } = this.state.alerting;
		this.onRequest?.(request);
		const isTooLarge = body?.length > this.mostBytes;
		const fault = isTooLarge ? TOO_LARGE : this.faults.pick(request);
		const answer = this.carryOut({ method, url: new URL(url), body, tick }, fault);
		request.status = fault ? undefined : answer.status;
		await this.onAnswer?.(request);
		await new Promise(setImmediate);
		if (answer === undefined) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		const { status, text = '', headers: others = {} } = answer;
		const lower = Object.entries(others).map(([name, value]) => [name.toLowerCase(), value]);
		return { statusCode: status, headers: Object.fromEntries(lower), body: text };
	}

	/** What another client does: gives a monitor other attributes, or removes it where there are none. */
	write(model, word, more) {
		const id = idOf(word);
		const path = `/v0/organizations/${ORGANIZATION}/models/${model}/monitor-config/monitor/${id}`;
		const url = new URL(`http://x${path}`);
		const before = this.document(model).monitors.find((one) => one.id === id);
		const body = more && JSON.stringify({ ...before, ...more });
		expect(this.carryOut({ method: more ? 'PUT' : 'DELETE', url, body }).status).toBe(200);
	}

	/** The same of a whole configuration, without a check. */
	edit(model, change) {
		const now = this.document(model);
		this.state.storeConfiguration(ORGANIZATION, model, change(now) ?? now);
	}

	text(model = 'm') {
		return this.state.configurationText(ORGANIZATION, model);
	}

	/** The actions of each monitor, as `{ 'm:drift': 'email' }`. */
	shape() {
		return Object.fromEntries(
			this.models().flatMap((model) =>
				this.document(model).monitors.map(({ id, actions }) => [
					`${model}:${wordOf(id)}`,
					Array.isArray(actions) ? actions.map(({ target }) => target).join(' ') : 'strange',
				]),
			),
		);
	}

	/** Everything but actions of monitors and what the service counts itself. */
	rest() {
		return Object.fromEntries(this.models().map((model) => [model, bare(this.document(model))]));
	}

	/** Actions without the times of the service. */
	stored() {
		const all = [...this.state.alerting.actions.get(ORGANIZATION).values()];
		return Object.fromEntries(
			all.map(({ id, type, enabled, payload }) => [id, { type, enabled, payload }]),
		);
	}

	/** A request as `PATCH m`, `PUT SLACK chat`, `PUT chat enable`, or `GET actions`; one that was refused with its status. */
	lineOf({ method, path, status }) {
		const parts = path.split('/').slice(4);
		const isModel = path.startsWith('/v0/organizations');
		const words = isModel ? parts.slice(1, 2) : parts.slice(1);
		const subject = words.join(' ') || (isModel ? 'models' : 'actions');
		return `${method} ${subject}${status >= 400 ? ` ${status}` : ''}`;
	}

	/** An item as `m:drift done`, or `chat done`. */
	itemOf({ model, id, monitor: used, status }) {
		const place = model ? [model, wordOf(used ?? id ?? '')].filter(Boolean).join(':') : id;
		return [place, status].filter(Boolean).join(' ');
	}
}

const TOO_LARGE = { kind: 'status', status: 413, body: 'Payload Too Large' };

const contentOf = (given) =>
	typeof given === 'string' || given.monitors
		? given
		: document(
				Object.entries(given).map(([id, own]) => {
					const { has, ...more } = typeof own === 'string' ? { has: own } : own;
					return monitor(idOf(id), wordsIn(has ?? ''), more);
				}),
			);

const withoutMetadata = ({ metadata, ...rest }) => rest;
const byId = (one, other) => one.id.localeCompare(other.id);
/** A configuration without actions, and without metadata and order, which are the service's own. */
const bare = ({ monitors, analyzers = [], metadata, ...others }) => ({
	...others,
	analyzers: analyzers.map(withoutMetadata),
	monitors: monitors.map(({ actions, ...one }) => withoutMetadata(one)).sort(byId),
});

/** Runs an operation. @returns its output items; `thrown` is what stopped the node */
async function run(world, [resource, operation], parameters, items = [{}], more = {}) {
	const given = {
		continueOnFail: true,
		...more,
		items,
		parameters: {
			...{ ...defaultsIn(description, resource, operation), resource, operation },
			...parameters,
		},
		credential: {
			...{ baseUrl: 'http://scim.test', apiKey: KEY, organizationId: ORGANIZATION },
			...world.credential,
		},
		send: async (request) => await world.exchange(request),
	};
	if (!IN_ENGINE || given.isTool) {
		const outputs = await NotificationActions.prototype.execute.call(contextOf(given));
		return outputs.flat().map(unrouted);
	}
	const { output, thrown } = await inEngine('notificationActions', given);
	if (thrown !== undefined) throw thrown;
	return output.map(unrouted);
}

/** The same. Out: what each item has. */
const play = async (...given) => (await run(...given)).map(({ json }) => json);

/**
 * @typedef {object} Row
 * @property {string} it what it is a case of
 * @property {() => Alerting} [on] the service; that of `new Alerting()` without
 * @property {object | ((world: Alerting) => object)} wish the fields; `items` of it are those that differ by item
 * @property {Array<string | object>} [items] each a line of `itemOf`, or what the item has; not looked at without
 * @property {Array<number | number[]>} [from] the input items that each came from; not looked at without
 * @property {Array<RegExp | string>} [fails] what each error says
 * @property {Array<RegExp | string>} [advises] what the descriptions of the errors say; not looked at without
 * @property {Array<RegExp | string>} [warns] what all warnings say, each once; those of others are none
 * @property {string[]} [sends] lines of the writes, in order, where the promise is which request leaves. Without, a row whose
 *   end is the beginning sends nothing
 * @property {number | string[]} [reads] how many, or their lines in order
 * @property {object[]} [bodies] of the writes, in order
 * @property {object} [ends] the actions of the monitors that have others in the end; undefined for one that is gone
 * @property {object} [stores] the actions that are other in the end; undefined for one that is gone
 * @property {Record<string, (document: object) => void>} [sets] what else becomes of the configuration of a model
 * @property {[string, (world: Alerting) => void]} [meanwhile] what another client does: during (ours comes
 *   too late then, and is dropped) or after the first request of a line, such as `during PATCH m`
 * @property {number} [waits] how long is waited altogether, in milliseconds
 * @property {boolean} [once] whether a second run does something again; otherwise it is played, and sends nothing
 */

/** Tests of an operation: one for each row. @param {Row[]} rows @param {Partial<Row>} [common] what they share */
function table(resource, operation, rows, common = {}) {
	test.each(rows.map((row) => [row.it, { ...common, ...row }]))('%s', async (_, row) => {
		await playRow([resource, operation], row);
	});
}

async function playRow(what, row) {
	const world = row.on?.() ?? new Alerting();
	const before = { shape: world.shape(), rest: world.rest(), stored: world.stored() };
	const { items: perItem, ...wish } = typeof row.wish === 'function' ? row.wish(world) : row.wish;
	if (row.meanwhile) letAct(world, row.meanwhile);
	const output = await run(world, what, wish, perItem);
	checkItems(world, output, row);
	checkRequests(world, row);
	if (row.waits !== undefined) expect(waited()).toBe(row.waits);
	const { ends, stores, sets = {}, once, fails = [] } = row;
	expect(world.shape()).toEqual(changed(before.shape, ends));
	expect(world.stored()).toEqual(changed(before.stored, stores));
	for (const [model, set] of Object.entries(sets)) set(before.rest[model]);
	expect(world.rest()).toEqual(before.rest);
	if (once || row.meanwhile || fails.length > 0) return;
	world.requests.length = 0;
	const again = await play(world, what, wish, perItem);
	expect(again.filter(({ status }) => status === 'done')).toStrictEqual([]);
	expect(writesOf(world)).toStrictEqual([]);
}

/** @param other what is other; undefined: gone */
const changed = (before, other) =>
	Object.fromEntries(
		Object.entries({ ...before, ...other }).filter(([, has]) => has !== undefined),
	);

function checkItems(world, output, { items: wanted, from, fails = [], advises, warns }) {
	const items = output.map(({ json }) => json);
	expect(errorsIn(items)).toEqual(fails.map(says));
	if (from) expect(output.map(({ pairedItem }) => [pairedItem].flat()[0].item)).toEqual(from);
	if (advises) {
		const advice = output.flatMap(({ error }) => error?.description ?? []);
		expect(advice).toEqual(advises.map(says));
	}
	const warnings = [...new Set(items.flatMap((item) => item.warnings ?? []))];
	if (warns || fails.length === 0) expect(warnings).toEqual((warns ?? []).map(says));
	if (wanted === undefined) return;
	expectItems(items, wanted, (item) => world.itemOf(item));
}

const isRead = ({ method }) => method === 'GET';
const writesOf = (world) =>
	world.requests.filter((one) => !isRead(one)).map((one) => world.lineOf(one));

function checkRequests(world, { ends, stores, sets, sends, reads, bodies }) {
	if (sends !== undefined || [ends, stores, sets].every((one) => one === undefined)) {
		expect(writesOf(world)).toEqual(sends ?? []);
	}
	const read = world.requests.filter(isRead).map((one) => world.lineOf(one));
	if (typeof reads === 'number') expect(read).toHaveLength(reads);
	else if (reads !== undefined) expect(read).toEqual(reads);
	const sent = world.requests.flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body)]));
	if (bodies !== undefined) expect(sent).toEqual(bodies);
}

function letAct(world, [at, act]) {
	const [when, ...line] = at.split(' ');
	const hook = when === 'after' ? 'onAnswer' : 'onRequest';
	world[hook] = (request) => {
		if (world.lineOf({ ...request, status: undefined }) !== line.join(' ')) return undefined;
		world[hook] = undefined;
		return act(world);
	};
}

module.exports = { ACTIONS, Alerting, errorsIn, global, idOf, locator, play, run, table, writesOf };
