'use strict';

/** Counts what a user does in a page, and in those that it opens, from the events of the browser itself. */

/**
 * In: a page that shows nothing yet. Out: `restart()`, and `spent()`: `{ clicks, fields }` since then. Typing into one
 * field is one field, with the click into it; a double click is one click; a file chosen is one click, an entry of the
 * browser's own list two.
 */
async function countEffort(page) {
	let events = [];
	await page.context().exposeBinding('reportEffort', (source, event) => events.push(event));
	await page.context().addInitScript(reportEvents);
	return {
		restart: () => (events = []),

		spent() {
			const acts = [];
			for (const { on, clicks = 0, types = false } of events) {
				const last = acts.at(-1);
				if (last?.on === on) last.types ||= types;
				else acts.push({ on, clicks, types });
			}
			return {
				clicks: acts.reduce((sum, { clicks, types }) => sum + (types ? 0 : clicks), 0),
				fields: acts.filter(({ types }) => types).length,
			};
		},
	};
}

/** Runs in the page. */
function reportEvents() {
	const names = new WeakMap();
	const nameOf = (element) => {
		if (!names.has(element)) names.set(element, Math.random());
		return names.get(element);
	};
	const TYPED_INTO =
		'textarea, [contenteditable="true"], input:not([readonly], [type="checkbox"], [type="radio"], [type="file"])';
	const typedInto = ({ target }) => target.closest?.(TYPED_INTO);
	const report = (event) => void window.reportEffort(event);

	const on = (kind, handle) => window.addEventListener(kind, handle, true);
	on('mousedown', (event) => {
		if (!event.isTrusted || event.detail > 1) return;
		const field = typedInto(event);
		report({ on: field ? nameOf(field) : Math.random(), clicks: 1 });
	});
	on('input', (event) => {
		const field = typedInto(event);
		if (event.isTrusted && field) report({ on: nameOf(field), types: true });
	});
	// Their own lists and dialogs are outside the page.
	on('change', ({ target }) => {
		if (target.type === 'file') report({ on: Math.random(), clicks: 1 });
		if (target.localName === 'select') report({ on: Math.random(), clicks: 2 });
	});
}

module.exports = { countEffort };
