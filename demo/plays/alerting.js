'use strict';

/**
 * What an organization holds of actions and monitor configurations at one moment, for comparing.
 *
 * `{ actions: Map(id -> { type, enabled, payload }), monitors: Map(model -> [{ id, severity, actions,
 * ... }]), texts: Map(model -> the configuration as it is stored) }`
 */

const { isDeepStrictEqual } = require('node:util');
const { grid } = require('../table');

/** What the service writes itself whenever something is saved (test/contract/interface.md 2.5). */
const OWN = 'metadata';

/** In: a running service (demo/service), an organization. It is looked at from inside. */
function readAlerting({ state }, organization) {
	const { alerting } = state;
	const models = [...alerting.models.get(organization).keys()];
	const texts = new Map(models.map((id) => [id, state.configurationText(organization, id) ?? '']));
	return {
		actions: new Map(
			[...alerting.actions.get(organization).values()].map(({ id, type, enabled, payload }) => [
				id,
				{ type, enabled, payload },
			]),
		),
		monitors: new Map(
			[...texts].map(([id, text]) => [id, text === '' ? [] : JSON.parse(text).monitors]),
		),
		texts,
	};
}

/** Out: the targets of a monitor's actions, in their order. */
function targetsOf({ actions = [] }) {
	return actions.map(({ target }) => target);
}

/** Out: a copy in which these monitors of a model have the action, once. */
function attachIn({ actions, monitors, texts }, model, ids, action) {
	const changed = new Map(monitors);
	changed.set(
		model,
		monitors.get(model).map((monitor) => {
			if (!ids.includes(monitor.id) || targetsOf(monitor).includes(action)) return monitor;
			return {
				...monitor,
				actions: [...(monitor.actions ?? []), { type: 'global', target: action }],
			};
		}),
	);
	return { actions: new Map(actions), monitors: changed, texts };
}

/** Out: a sentence for each difference between what is wanted and what is there. */
function alertingDifferences(wanted, found) {
	return [
		...unlikeEntries(wanted.actions, found.actions, 'The action'),
		...[...wanted.monitors].flatMap(([model, monitors]) =>
			unlikeEntries(byId(monitors), byId(found.monitors.get(model)), `In ${model} the monitor`),
		),
	];
}

function byId(monitors) {
	return new Map(monitors.map(({ [OWN]: own, ...monitor }) => [monitor.id, monitor]));
}

function unlikeEntries(wanted, found, what) {
	return [...new Set([...wanted.keys(), ...found.keys()])]
		.filter((id) => !isDeepStrictEqual(wanted.get(id), found.get(id)))
		.map((id) => `${what} ${id} is not as wanted.`);
}

/** Out: the monitors of a model that differ between two snapshots. */
function changedMonitors(before, after, model) {
	const earlier = byId(before.monitors.get(model));
	const later = byId(after.monitors.get(model));
	return [...later.values()].filter(
		(monitor) => !isDeepStrictEqual(monitor, earlier.get(monitor.id)),
	);
}

/**
 * Out: the configuration of a model with the edits undone: the action taken off the end of each of these
 * monitors, the monitors in their old order, and what the service writes itself put back. It must be the one
 * that was there before.
 */
function untouchedOf(after, earlier, { ids, action }) {
	const later = { ...after, [OWN]: earlier[OWN] };
	const earlierOf = new Map(earlier.monitors.map((monitor) => [monitor.id, monitor]));
	// A merge moves what it replaces to the end.
	const places = [...earlierOf.keys()];
	later.monitors = later.monitors
		.toSorted((one, other) => places.indexOf(one.id) - places.indexOf(other.id))
		.map((monitor) => {
			if (!ids.includes(monitor.id)) return monitor;
			const { actions = [] } = monitor;
			const isNew = actions.at(-1)?.target === action;
			return {
				...monitor,
				...(isNew && { actions: actions.slice(0, -1) }),
				[OWN]: earlierOf.get(monitor.id)?.[OWN],
			};
		});
	return later;
}

/**
 * Monitors down, actions across: x where it was there before, "- → x" where it is new.
 *
 * In: two snapshots, a model, the ids to show. Out: lines, the last one counts the others.
 */
function monitorTable({ before, after, model, ids }) {
	const monitorIn = ({ monitors }, id) => monitors.get(model).find((one) => one.id === id) ?? {};
	const columns = [...new Set(ids.flatMap((id) => targetsOf(monitorIn(after, id))))];
	const mark = (snapshot, id, target) =>
		targetsOf(monitorIn(snapshot, id)).includes(target) ? 'x' : '-';
	const rows = ids.map((id) => [
		id,
		String(monitorIn(after, id).severity ?? '-'),
		...columns.map((target) =>
			[...new Set([mark(before, id, target), mark(after, id, target)])].join(' → '),
		),
	]);
	const others = after.monitors.get(model).length - ids.length;
	return [...grid(['Monitor', 'Severity', ...columns], rows), `  unchanged: ${others} others`];
}

/**
 * What the plays share that give monitors of a model an action.
 *
 * In: a stage; `action` is its ID and `stored` what the service keeps of it, `idsIn(snapshot)` the monitors that get it.
 * Out: `view` and `wanted` of the play, and a check, as `[promise, complaints]`.
 */
function wiring({ service, organization }, { model, action, stored, idsIn }) {
	return {
		view: {
			read: () => readAlerting(service, organization),
			differences: alertingDifferences,
			/** As `[title, lines]`. */
			table(before, after) {
				const changed = changedMonitors(before, after, model).map(({ id }) => id);
				const ids = [...new Set([...idsIn(before), ...changed])];
				const title = 'Which monitors tell whom, before → after';
				return [title, monitorTable({ before, after, model, ids })];
			},
		},
		wanted(before) {
			const wanted = attachIn(before, model, idsIn(before), action);
			wanted.actions.set(action, { enabled: true, ...stored });
			return wanted;
		},
		checkRest(before, after) {
			const [later, earlier] = [after, before].map(({ texts }) => JSON.parse(texts.get(model)));
			const untouched = untouchedOf(later, earlier, { ids: idsIn(before), action });
			return [
				'The rest of the configuration is the same, value by value',
				isDeepStrictEqual(untouched, earlier)
					? []
					: [`The configuration of ${model} differs elsewhere.`],
			];
		},
	};
}

module.exports = { wiring };
