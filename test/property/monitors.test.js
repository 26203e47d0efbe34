'use strict';

const { isDeepStrictEqual } = require('util');
const fc = require('fast-check');

const {
	compareConfigurations,
	isSame,
	lossesIn,
	readConfiguration,
} = require('../../dist/nodes/NotificationActions/configurations/configuration.js');
const { changeMonitors } = require('../../dist/nodes/NotificationActions/configurations/change.js');
const {
	configurationSaver,
} = require('../../dist/nodes/NotificationActions/configurations/saveConfiguration.js');
const { RequestError, WaitBudget } = require('../../dist/nodes/shared/http');
const { ExactNumber, parseExact } = require('../../demo/service/exactJson');
const { monitorConfigurations } = require('../support/files');
const { anyText, change, configurationText } = require('../support/configurationTexts');
const { runs } = require('../support/seed');

const RUNS = runs(25);

// Nothing is sent here, so more can be tried than where a service is in play.
const check = (...given) => fc.assert(fc.property(...given), { numRuns: RUNS * 5 });
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const targetOf = (entry) =>
	isObject(entry) && entry.type === 'global' && typeof entry.target === 'string'
		? entry.target
		: undefined;

/** What a change makes of the parsed `actions` of a monitor: the promise, without any text. */
function changed(actions, wanted) {
	const list = actions ?? [];
	const present = list.map(targetOf);
	const added = (targets, there) =>
		targets
			.filter((target) => !there.includes(target))
			.map((target) => ({ type: 'global', target }));
	let result = [];
	if (wanted.kind === 'attach') result = [...list, ...added(wanted.targets, present)];
	if (wanted.kind === 'detach') {
		result = list.filter((entry) => !wanted.targets.includes(targetOf(entry)));
	}
	if (wanted.kind === 'set') {
		const kept = list.filter(
			(entry, at) =>
				present[at] === undefined ||
				(wanted.targets.includes(present[at]) && present.indexOf(present[at]) === at),
		);
		result = [...kept, ...added(wanted.targets, kept.map(targetOf))];
	}
	if (wanted.kind === 'replace') {
		const { from, to } = wanted;
		const stays = (at) => !present.includes(to) && present.indexOf(from) === at;
		result = list.flatMap((entry, at) => {
			if (present[at] !== from) return [entry];
			return stays(at) ? [{ ...entry, target: to }] : [];
		});
	}
	return result.length === 0 && !Array.isArray(actions) ? actions : result;
}

const isStrange = ({ actions }) =>
	actions !== undefined && actions !== null && !Array.isArray(actions);

/** A number by digits alone, as a JSON text or String writes it. */
function exactly(text) {
	const [, sign, whole, fraction = '', power = '0'] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
	if (whole === undefined) return text;
	let [digits, zeros] = [BigInt(whole + fraction), BigInt(power) - BigInt(fraction.length)];
	if (digits === 0n) return '0';
	for (; digits % 10n === 0n; digits /= 10n) zeros += 1n;
	return `${sign}${digits}e${zeros}`;
}

/** A value as the demo's own reader of JSON sees it: numbers exactly, names in the order of the alphabet. */
function exactValue(value) {
	if (value instanceof ExactNumber) return [exactly(value.text)];
	if (Array.isArray(value)) return value.map(exactValue);
	if (!(value instanceof Map)) return value;
	return new Map([...value].map(([name, own]) => [name, exactValue(own)]).sort());
}

const namesIn = (text) =>
	[...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, isName]) => isName).length;

/** Whether a text is the same after it was parsed and written, without the names that JavaScript has for itself. */
function isKept(text) {
	const written = JSON.stringify(JSON.parse(text));
	return (
		!/"__proto__"\s*:/.test(text) &&
		namesIn(written) === namesIn(text) &&
		isDeepStrictEqual(exactValue(parseExact(written)), exactValue(parseExact(text)))
	);
}

describe('what parsing and writing makes of a text', () => {
	test('is the same, or the loss is found', () => {
		const seen = { true: 0, false: 0 };
		const texts = fc.oneof(anyText, configurationText);
		check(texts, (text) => {
			seen[isKept(text)] += 1;
			expect([text, [...lossesIn(text)].length === 0]).toEqual([text, isKept(text)]);
		});
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
	});

	test('any number is kept exactly, or found', () => {
		const digits = fc
			.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 25 })
			.map((all) => all.join('').replace(/^0+(?=.)/, ''));
		const maybe = (given) => fc.option(given, { nil: '' });
		const number = fc
			.tuple(
				fc.constantFrom('', '-'),
				digits,
				maybe(fc.tuple(fc.constant('.'), digits).map((parts) => parts.join(''))),
				maybe(fc.integer({ min: -340, max: 340 }).map((power) => `e${power}`)),
			)
			.map((parts) => parts.join(''));
		const literals = fc.oneof(
			number,
			fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
		);
		check(literals, (literal) => {
			const same = exactly(literal) === exactly(String(Number(literal)));
			expect([literal, [...lossesIn(literal)].length === 0]).toEqual([literal, same]);
		});
	});
});

/** What leaves when monitors get these changes; nothing where that is refused. */
async function sentFor(text, changes, merges) {
	const configuration = readConfiguration(text);
	const sent = [];
	const client = {
		timing: { stopped: () => ({ reason: 'cancelled' }), wait: async () => {} },
		budget: new WaitBudget(0, () => true),
		async readConfiguration() {
			return configuration;
		},
		async writeConfiguration(method, model, body) {
			if (method === 'PATCH' && !merges) {
				const facts = { kind: 'http', method, status: 404, mayHaveWorked: false };
				throw new RequestError('no', 'no', facts);
			}
			sent.push(JSON.parse(JSON.stringify(body)));
		},
	};
	const read = { configuration, readAt: performance.now() };
	const { refused } = await configurationSaver(client)('m', read, changeMonitors(changes));
	return { sent, refused };
}

/** Makes the changes, one for each monitor, in the node and in the parsed document. */
async function checkChanges(text, given, merges) {
	const before = JSON.parse(text);
	const wanted = JSON.parse(text);
	const known = (wanted.monitors ?? []).filter(
		(one) => isObject(one) && typeof one.id === 'string',
	);
	const changes = new Map(known.map(({ id }, at) => [id, [given[at % given.length]]]));
	const strange = new Set(known.filter(isStrange).map(({ id }) => id));
	for (const monitor of known) {
		if (isStrange(monitor)) continue;
		const actions = changed(monitor.actions, changes.get(monitor.id)[0]);
		if (actions !== undefined) monitor.actions = actions;
	}
	const touched = wanted.monitors?.filter(
		(one, at) => !isDeepStrictEqual(one, before.monitors[at]),
	);
	const { sent, refused } = await sentFor(text, changes, merges);
	if (touched === undefined || touched.length === 0) {
		expect(sent).toStrictEqual([]);
		return 'unchanged';
	}
	if (!isKept(text)) {
		expect(sent).toStrictEqual([]);
		for (const { id } of touched) expect(refused.has(id)).toBe(true);
		return 'refused';
	}
	expect([...refused.keys()].sort()).toEqual([...strange].sort());
	const { allowPartialTargetBatches: flag } = before;
	const merged = {
		monitors: touched,
		...(flag !== undefined && { allowPartialTargetBatches: flag }),
	};
	// JSON has no -0.
	const bodies = JSON.parse(JSON.stringify([merges ? merged : wanted]));
	expect(isDeepStrictEqual(sent, bodies)).toBe(true);
	return 'sent';
}

describe('a change of actions', () => {
	const changes = fc.array(change, { minLength: 1, maxLength: 4 });
	const checked = async (texts, runs) => {
		const seen = { sent: 0, refused: 0, unchanged: 0 };
		await fc.assert(
			fc.asyncProperty(texts, changes, fc.boolean(), async (text, given, merges) => {
				const { monitors = [], analyzers = [] } = JSON.parse(text);
				if (Array.isArray(monitors) && Array.isArray(analyzers)) {
					seen[await checkChanges(text, given, merges)] += 1;
					return;
				}
				expect(() => readConfiguration(text)).toThrow('is not a list');
			}),
			{ numRuns: runs },
		);
		return seen;
	};

	test('does to any text what it does to the parsed document, and nothing else', async () => {
		const seen = await checked(configurationText, RUNS * 10);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
	});

	test.each(Object.entries(monitorConfigurations()))(
		'keeps every other value of %s',
		async (_, text) => {
			await checked(fc.constant(text), RUNS);
		},
	);
});

describe('the difference of two documents', () => {
	const names = fc.constantFrom('a/b', 'c~d', '~1', '', 'flag', 'weightConfig');
	const value = fc.constantFrom(1, 2, null, 'x', [1], { 'k/~': [] }, { size: 0 });
	const entryWith = (id) =>
		fc.record(
			{ id, value, metadata: fc.record({ version: fc.nat(3) }) },
			{ requiredKeys: ['value'] },
		);
	const ids = fc.constantFrom('one', 'two', 'three', 'four', 'five');
	const list = fc.uniqueArray(
		ids.chain((id) => entryWith(fc.constant(id)).map((entry) => ({ ...entry, id }))),
		{ selector: ({ id }) => id, maxLength: 5 },
	);
	// What no service should hold, and a file may.
	const oddList = fc.array(fc.oneof(entryWith(ids), value), { maxLength: 4 });
	const documentOf = (entries) =>
		fc
			.tuple(
				fc.record(
					{ monitors: entries, analyzers: entries, metadata: fc.record({ version: fc.nat(9) }) },
					{ requiredKeys: [] },
				),
				fc.dictionary(names, value, { maxKeys: 3 }),
			)
			.map(([own, others]) => ({ ...others, ...own }));

	const bare = (entry) => {
		if (!isObject(entry)) return entry;
		const { metadata, ...rest } = entry;
		return rest;
	};
	test('names what was added, changed and removed; order and metadata count nowhere', () => {
		check(documentOf(list), documentOf(list), (before, after) => {
			const difference = compareConfigurations(before, after);
			for (const name of ['monitors', 'analyzers']) {
				const [old, now] = [before[name] ?? [], after[name] ?? []];
				const there = ({ id }, entries) => entries.find((entry) => entry.id === id);
				const named = (entries) => entries.map(({ id }) => id).sort();
				expect([...difference[name].added].sort()).toEqual(
					named(now.filter((entry) => !there(entry, old))),
				);
				expect([...difference[name].removed].sort()).toEqual(
					named(old.filter((entry) => !there(entry, now))),
				);
				expect([...difference[name].changed].sort()).toEqual(
					named(
						now.filter((entry) => {
							const other = there(entry, old);
							return other && !isDeepStrictEqual(bare(other), bare(entry));
						}),
					),
				);
			}
			const others = Object.keys({ ...before, ...after }).filter(
				(name) =>
					!['monitors', 'analyzers', 'metadata'].includes(name) &&
					!isDeepStrictEqual(before[name], after[name]),
			);
			expect([...difference.otherKeys].sort()).toEqual(others.sort());
		});
	});

	test('is nothing only where nothing but order and metadata differs, odd entries included', () => {
		const documents = fc.oneof(documentOf(list), documentOf(oddList));
		// Names in their order, entries of lists in theirs.
		const canonical = (entry) =>
			JSON.stringify(isObject(entry) ? Object.entries(bare(entry)).sort() : entry);
		const sorted = ({ monitors = [], analyzers = [], metadata, ...others }) => ({
			monitors: monitors.map(canonical).sort(),
			analyzers: analyzers.map(canonical).sort(),
			others,
		});
		const pairs = fc.oneof(
			fc.tuple(documents, documents),
			documents.chain((document) => {
				const { monitors = [] } = document;
				return fc
					.shuffledSubarray(monitors, { minLength: Math.max(0, monitors.length - 1) })
					.map((rest) => [document, { ...document, monitors: rest }]);
			}),
		);
		check(pairs, ([before, after]) => {
			if (isSame(compareConfigurations(before, after))) {
				expect(sorted(after)).toEqual(sorted(before));
			}
		});
	});
});
