'use strict';

const { ScimProvisioningTrigger } = require('./built');
const { IN_ENGINE, pollContextOf, sendTo } = require('./modelNode');
const { waiting } = require('./noWaiting');
const { expectItems } = require('./tableRows');

/**
 * The trigger at a service in the process of the test. Each call is one check, and remembers like n8n; what it takes
 * counts for that check alone.
 * @param {import('./memoryService').MemoryService} service
 * @param {object} set `events`, `options`, `requests`, `watched` attributes, `credential`; `mode` and `activation` of n8n, the ID of
 *   the credential, what gets warnings and recorded errors; `together`: so many checks at once, of each of which it returns
 *   the items
 * @returns the JSON of the items; `memory` of it is what n8n keeps
 */
function triggerAt(service, set = {}) {
	const memory = {};
	const look = async (own = {}) => {
		const now = {
			events: ['anyAccessChange'],
			mode: 'trigger',
			activation: 'activate',
			...set,
			...own,
		};
		const given = {
			...{ memory, mode: now.mode, activation: now.activation, id: now.id },
			parameters: {
				...{ events: now.events, options: now.options ?? {} },
				...(now.watched !== undefined && { watchedAttributes: now.watched }),
				...(now.requests && { requests: now.requests }),
			},
			credential: {
				...{ baseUrl: 'http://scim.test', accountApiToken: 'key:org' },
				...{ serviceProfile: 'accountOrganizations', ...set.credential, ...own.credential },
			},
			send: sendTo(service),
			warn: (text) => now.warn?.(text),
			record: (error) => now.record?.(error.message),
		};
		const { together } = now;
		if (IN_ENGINE) return await require('./engineNode').pollInEngine({ ...given, together });
		const poll = async () => {
			const output = await new ScimProvisioningTrigger().poll.call(pollContextOf(given));
			return (output?.[0] ?? []).map(({ json }) => json);
		};
		return together ? await Promise.all(Array.from({ length: together }, poll)) : await poll();
	};
	return Object.assign(look, { memory });
}

/** An event as `accessGranted ana eng`; a change of a role as `roleChanged ana a viewer>admin`. */
function lineOf(world, { event, userName, groupId, organization, roleBefore, role, attribute }) {
	const name = userName?.replace(/@example\.com$/, '');
	const where = groupId === null ? attribute && role : world.wordOf(groupId);
	const place = event === 'roleChanged' ? `${organization} ${roleBefore}>${role}` : where;
	return [event, name, place].filter(Boolean).join(' ');
}

/**
 * What happens, what comes of it, and more.
 * First what the service did since the last check: what each has, as `{ ana: 'eng vpn' }`, or a function of the service and
 * the world. Then the events: lines of `lineOf` in one text with `; ` between them, or a list, where an object is what an
 * item has; without, none; or a RegExp for the error, and nothing is remembered then. More: what happens `during` the pause
 * between two looks; `warns`, what n8n's log gets; `reads`, the lines of the requests, a list once however many pages it has; and `set`, what is set
 * otherwise, for this check and those after it.
 * @typedef {[(object | Function)?, (string | RegExp | Array<string | object>)?, { during?: object | Function, warns?: RegExp[], reads?: string[], set?: object }?]} Check
 */

/**
 * Tests of the trigger: a row is what it is a case of, what is its own, and checks. The first check only remembers, none
 * sends a write, and one more in the end brings nothing.
 * @param {Array<[string, object, Check[]?]>} rows in the middle: `on`, the service; `set`, of the trigger; `first`, what
 *   comes of the first check; `open`: the last check cannot be repeated
 * @param {object} [common] what they share
 */
function triggerTable(rows, common = {}) {
	test.each(rows)('%s', async (_, more, checks = []) => {
		const { on, set: own, first = [], open } = { ...common, ...more };
		const world = on();
		const credential = { ...world.credential, ...own?.credential };
		const look = triggerAt(world.service, { ...own, credential });
		let set = {};
		for (const check of [first, ...checks, ...(open ? [] : [[]])]) {
			const [when, then, { during, reads, set: other, warns } = {}] = check;
			const warned = [];
			set = { ...set, ...other };
			act(world, when);
			waiting.during = during && (() => act(world, during));
			world.service.requests.length = 0;
			await expectOf(then, world, look, { ...set, warn: (text) => warned.push(text) });
			if (warns) expect(warned).toEqual(warns.map((one) => expect.stringMatching(one)));
			if (reads) expect(firstPagesOf(world)).toEqual(reads);
			expect(world.service.written()).toStrictEqual([]);
		}
	});
}

async function expectOf(then = [], world, look, set) {
	const { seen } = look.memory;
	if (then instanceof RegExp) {
		await expect(look(set)).rejects.toThrow(then);
		expect(look.memory.seen).toBe(seen);
		return;
	}
	const wanted = typeof then === 'string' ? then.split('; ') : then;
	expectItems(await look(set), wanted, (event) => lineOf(world, event));
}

function firstPagesOf(world) {
	const isFirst = ({ query }) => (query.startIndex ?? '1') === '1';
	return world.service.requests.filter(isFirst).map((one) => world.lineOf(one));
}

function act(world, deed) {
	if (typeof deed === 'function') deed(world.service, world);
	else if (deed) world.put(deed);
}

module.exports = { triggerAt, triggerTable };
