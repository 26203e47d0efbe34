'use strict';

const { isDeepStrictEqual } = require('util');
const fc = require('fast-check');

const {
	compareConfigurations,
	isSame,
} = require('../../dist/nodes/NotificationActions/configurations/compareConfigurations.js');
const {
	readConfiguration,
} = require('../../dist/nodes/NotificationActions/configurations/configuration.js');
const {
	editMonitor,
} = require('../../dist/nodes/NotificationActions/configurations/editActions.js');
const {
	editText,
	elementsOf,
	membersOf,
	wholeOf,
} = require('../../dist/nodes/NotificationActions/configurations/jsonText.js');
const { monitorConfigurations } = require('../support/files');
const { anyText, change, configurationText, stringText } = require('../support/configurationTexts');
require('../support/seed');

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);

// Nothing is sent here, so more can be tried than where a service is in play.
const check = (...given) => fc.assert(fc.property(...given), { numRuns: RUNS * 5 });
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every name, its order and every value, -0 and own members named __proto__ among them. */
function expectSame(one, other) {
	expect(JSON.stringify(one)).toBe(JSON.stringify(other));
	expect(isDeepStrictEqual(one, other)).toBe(true);
}

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

/** The texts between the edits are there again, one behind the other, and nothing but the texts of the edits besides. */
function expectOnlyEdits(before, after, edits) {
	let [at, seen] = [0, 0];
	for (const { start, end, text } of [...edits].sort((one, other) => one.start - other.start)) {
		expect(start).toBeGreaterThanOrEqual(at);
		const untouched = before.slice(at, start);
		expect(after.slice(seen, seen + untouched.length)).toBe(untouched);
		seen += untouched.length;
		expect(after.slice(seen, seen + text.length)).toBe(text);
		seen += text.length;
		at = end;
	}
	expect(after.slice(seen)).toBe(before.slice(at));
}

/** No sign of the entries that stay is touched, but for the target that is replaced. */
function expectEntriesUntouched(monitor, edits, wanted) {
	const kept = (monitor.actions ?? []).filter(({ target }) => {
		if (target === undefined) return true;
		if (wanted.kind === 'attach') return true;
		if (wanted.kind === 'detach') return !wanted.targets.includes(target);
		return wanted.kind === 'replace' && target !== wanted.from;
	});
	for (const { start, end } of kept) {
		expect(edits.filter((edit) => edit.start < end && edit.end > start)).toStrictEqual([]);
	}
	for (const edit of edits) {
		const { start, end } = monitor.actionsSpan ?? {
			start: monitor.lastMemberEnd,
			end: monitor.lastMemberEnd,
		};
		expect(edit.start).toBeGreaterThanOrEqual(start);
		expect(edit.end).toBeLessThanOrEqual(end);
	}
}

/** Makes the changes, one for each monitor, in the text and in the parsed document. */
function checkChanges(text, changes) {
	const wanted = JSON.parse(text);
	const configuration = readConfiguration(text);
	const known = (Array.isArray(wanted.monitors) ? wanted.monitors : []).filter(
		(monitor) => isObject(monitor) && typeof monitor.id === 'string',
	);
	expect(configuration.monitors.map(({ id }) => id)).toEqual(known.map(({ id }) => id));
	const edits = [];
	configuration.monitors.forEach((monitor, at) => {
		const own = changes[at % changes.length];
		const model = known[at];
		if (isStrange(model)) {
			expect(() => editMonitor(configuration, monitor, [own])).toThrow('are not a list');
			return;
		}
		const before = new Set((model.actions ?? []).map(targetOf));
		const actions = changed(model.actions, own);
		if (actions !== undefined) model.actions = actions;
		const after = new Set((model.actions ?? []).map(targetOf));
		const edit = editMonitor(configuration, monitor, [own]);
		expectEntriesUntouched(monitor, edit.edits, own);
		expect(new Set(edit.attached)).toEqual(new Set([...after].filter((id) => !before.has(id))));
		expect(new Set(edit.detached)).toEqual(new Set([...before].filter((id) => !after.has(id))));
		edits.push(...edit.edits);
	});

	const edited = editText(text, edits);
	expectOnlyEdits(text, edited, edits);
	expectSame(JSON.parse(edited), wanted);

	const again = readConfiguration(edited);
	again.monitors.forEach((monitor, at) => {
		if (monitor.hasStrangeActions) return;
		expect(editMonitor(again, monitor, [changes[at % changes.length]]).edits).toStrictEqual([]);
	});
	return edited;
}

describe('the spans of a JSON text', () => {
	test('members and elements hold what JSON.parse finds, at every depth', () => {
		const compare = (text, span, value) => {
			if (Array.isArray(value)) {
				const elements = elementsOf(text, span);
				expect(elements).toHaveLength(value.length);
				elements.forEach((element, at) => compare(text, element, value[at]));
			} else if (isObject(value)) {
				// The last of those with the same name counts.
				const last = new Map(membersOf(text, span).map((member) => [member.name, member]));
				expect([...last.keys()].sort()).toEqual(Object.keys(value).sort());
				for (const [name, member] of last) compare(text, member, value[name]);
			} else expect(Object.is(JSON.parse(text.slice(span.start, span.end)), value)).toBe(true);
			expect(text.slice(span.start, span.end).trim()).toBe(text.slice(span.start, span.end));
		};
		check(anyText, (text) => compare(text, wholeOf(text), JSON.parse(text)));
	});

	test('a string ends where it ends, whatever is escaped in it', () => {
		check(fc.array(stringText, { minLength: 1, maxLength: 4 }), (strings) => {
			const text = `[${strings.join(',')}]`;
			const spans = elementsOf(text, wholeOf(text));
			expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(strings);
		});
	});
});

describe('a change of actions', () => {
	const changes = fc.array(change, { minLength: 1, maxLength: 4 });

	test('does to any text what it does to the parsed document, and nothing else', () => {
		check(configurationText, changes, (text, wanted) => {
			const { monitors = [], analyzers = [] } = JSON.parse(text);
			if (!Array.isArray(monitors) || !Array.isArray(analyzers)) {
				expect(() => readConfiguration(text)).toThrow('is not a list');
				return;
			}
			checkChanges(text, wanted);
		});
	});

	test.each(Object.entries(monitorConfigurations()))('keeps every other sign of %s', (_, text) => {
		fc.assert(
			fc.property(changes, (wanted) => {
				checkChanges(text, wanted);
			}),
			{ numRuns: RUNS },
		);
	});

	test('taken back leaves the text as it was, sign by sign', () => {
		const edited = (text, wanted, ids) => {
			const configuration = readConfiguration(text);
			const monitors = configuration.monitors.filter(({ id }) => ids.includes(id));
			const edits = monitors.map((monitor) => editMonitor(configuration, monitor, [wanted]).edits);
			return editText(text, edits.flat());
		};
		const lists = Object.values(monitorConfigurations()).flatMap((text) => {
			const { monitors } = readConfiguration(text);
			const ids = monitors.filter(({ actions }) => actions !== undefined).map(({ id }) => id);
			return ids.length > 0 ? [{ text, ids }] : [];
		});
		expect(lists).toHaveLength(3);
		for (const { text, ids } of lists) {
			const more = edited(text, { kind: 'attach', targets: ['new-1', 'new-2'] }, ids);
			expect(more).not.toBe(text);
			expect(edited(more, { kind: 'detach', targets: ['new-2', 'new-1'] }, ids)).toBe(text);
		}
	});
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
