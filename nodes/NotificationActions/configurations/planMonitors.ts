import { addTo, type Attempt, InputError } from '../../shared/util';
import { failureOf, type Outcome } from '../../shared/run';
import { changeMonitors, tryEdit } from './changeMonitors';
import type { Monitor } from './configuration';
import { configurationRequest } from './configurationClient';
import { type ActionChange, DEFAULT_EMAIL_TARGET, editMonitor } from './editActions';
import type { Snapshot } from './saveConfiguration';
import { type MonitorSelection, selectMonitors } from './selectMonitors';
import {
	type ConfigurationPart,
	type ConfigurationPlan,
	emptyConfigurationPlan,
	monitorSubject,
	stateOf,
	stepId,
} from './step';

/** What one item wants of monitors. */
export interface MonitorWish {
	item: number;
	modelIds: readonly string[];
	selection: MonitorSelection;
	change: ActionChange;
	/** Whether it is all right when the selection matches no monitor. */
	mayMatchNone: boolean;
}

export interface MonitorRules {
	organizationId: string;
	/** By id of the model, its configuration or why it could not be read. */
	configurations: ReadonlyMap<string, Attempt<Snapshot>>;
	/** Ids of the actions that exist; not needed for detaching. */
	actionIds: ReadonlySet<string>;
}

/** What an item wants of one monitor. */
interface Wish {
	item: number;
	change: ActionChange;
	monitor: Monitor;
}

/** So many names an error lists. */
const MOST_LISTED = 20;

/**
 * Plans changes of the actions of monitors: one read-edit-write per model, however many items want something of it.
 * A monitor that is as requested needs nothing; what cannot be done fails alone.
 */
export function planMonitors(
	wishes: readonly MonitorWish[],
	rules: MonitorRules,
): ConfigurationPlan {
	const plan = emptyConfigurationPlan();
	const wishesByModel = new Map<string, Wish[]>();
	for (const { item, change, modelIds, selection, mayMatchNone } of wishes) {
		const settle = (subject: string, outcome: Outcome) =>
			plan.settled.push({ item, subject, outcome });
		const action = wordsFor(change);
		const unknown = unknownTargets(change, rules);
		if (unknown !== undefined) {
			settle(`item ${item}`, failureOf(action, unknown));
			continue;
		}
		const found = new Set<string>();
		let isAllRead = true;
		for (const modelId of modelIds) {
			const read = rules.configurations.get(modelId);
			if (read?.ok !== true) {
				isAllRead = false;
				settle(modelId, failureOf(`${action} in model ${modelId}`, read?.error));
				continue;
			}
			const own = wishesByModel.get(modelId) ?? [];
			wishesByModel.set(modelId, own);
			for (const monitor of selectMonitors(read.value.configuration, selection)) {
				found.add(monitor.id);
				own.push({ item, change, monitor });
			}
		}
		if (!isAllRead) continue;
		const missing = selection.by === 'id' ? selection.ids.filter((id) => !found.has(id)) : [];
		if (found.size === 0 && mayMatchNone) {
			settle(`item ${item}`, { status: 'skipped', action, reason: 'no monitor matches' });
		} else if (missing.length > 0) {
			const error = unknownMonitors(missing, modelIds, rules);
			const named = wordsFor(change, `monitor ${missing.join(', ')}`);
			settle(`item ${item}`, failureOf(named, error));
		} else if (found.size === 0) {
			settle(`item ${item}`, failureOf(action, noneMatches(modelIds)));
		}
	}
	for (const [modelId, own] of wishesByModel) planModel(plan, modelId, own, rules);
	return plan;
}

/** Adds what a model needs to the plan. */
function planModel(
	plan: ConfigurationPlan,
	modelId: string,
	wishes: readonly Wish[],
	{ configurations, organizationId }: MonitorRules,
): void {
	const read = configurations.get(modelId);
	if (read?.ok !== true) return;
	const { configuration } = read.value;
	const parts: ConfigurationPart[] = [];
	const changes = new Map<string, ActionChange[]>();
	const monitors: object[] = [];
	for (const own of byMonitor(wishes).values()) {
		const [{ monitor }] = own;
		const { id, displayName } = monitor;
		const subject = monitorSubject(modelId, id);
		const all = own.map(({ change }) => change);
		const edit = tryEdit(configuration, monitor, all);
		for (const { item, change } of own) {
			const action = wordsFor(change, `monitor ${id} of model ${modelId}`);
			const isOpen = edit.ok && editMonitor(configuration, monitor, [change]).edits.length > 0;
			if (isOpen) {
				parts.push({ item, subject, action });
				continue;
			}
			const outcome: Outcome = edit.ok
				? { status: 'unchanged', action }
				: failureOf(action, edit.error);
			const result = { monitor: stateOf(modelId, monitor) };
			plan.settled.push({ item, subject, outcome, result });
		}
		if (!edit.ok || edit.value.edits.length === 0) continue;
		const { attached, detached } = edit.value;
		changes.set(id, all);
		monitors.push({
			id,
			...(displayName !== undefined && { displayName }),
			...(attached.length > 0 && { attach: attached }),
			...(detached.length > 0 && { detach: detached }),
		});
	}
	if (parts.length === 0) return;
	plan.steps.push({
		id: stepId('save', modelId),
		action: `save the monitors of model ${modelId}`,
		kind: 'saveConfiguration',
		modelId,
		read: read.value,
		change: changeMonitors(changes),
		parts,
		warnings: [],
		request: configurationRequest(organizationId, modelId, 'PATCH'),
	});
	plan.configurations.push({ model: modelId, touched: { monitors } });
}

/** What a change does, in words that finish the sentence "could not …". */
function wordsFor(change: ActionChange, where = 'monitors'): string {
	switch (change.kind) {
		case 'attach':
			return `attach ${change.targets.join(', ')} to ${where}`;
		case 'detach':
			return `detach ${change.targets.join(', ')} from ${where}`;
		case 'set':
			return `set the actions of ${where} to ${change.targets.join(', ') || 'none'}`;
		case 'replace':
			return `replace ${change.from} with ${change.to} on ${where}`;
	}
}

function byMonitor(wishes: readonly Wish[]): Map<string, Wish[]> {
	const byId = new Map<string, Wish[]>();
	for (const wish of wishes) addTo(byId, wish.monitor.id, wish);
	return byId;
}

/** Targets have to exist; what is detached may be gone already. */
function unknownTargets(change: ActionChange, { actionIds }: MonitorRules): InputError | undefined {
	if (change.kind === 'detach') return undefined;
	const targets = change.kind === 'replace' ? [change.to] : change.targets;
	const known = new Set([...actionIds, DEFAULT_EMAIL_TARGET]);
	const unknown = targets.filter((target) => !known.has(target));
	if (unknown.length === 0) return undefined;
	return new InputError(
		`There is no action ${unknown.join(', ')}`,
		`Create it first. ${listed('The organization has', [...known])}`,
	);
}

function unknownMonitors(
	missing: readonly string[],
	modelIds: readonly string[],
	{ configurations }: MonitorRules,
): InputError {
	if (modelIds.length === 0) return noModels();
	const known = modelIds.flatMap((modelId) => {
		const read = configurations.get(modelId);
		return read?.ok ? read.value.configuration.monitors.map(({ id }) => id) : [];
	});
	return new InputError(
		`There is no monitor ${missing.join(', ')} in model ${modelIds.join(', ')}`,
		known.length === 0 ? 'The model has no monitors.' : listed('It has', known),
	);
}

function noneMatches(modelIds: readonly string[]): InputError {
	if (modelIds.length === 0) return noModels();
	return new InputError(
		`No monitor of model ${modelIds.slice(0, MOST_LISTED).join(', ')} matches`,
		'Check Select Monitors By and the fields below it, or set If None Match to Continue.',
	);
}

function noModels(): InputError {
	return new InputError(
		'The organization has no models',
		'Monitors belong to models. Check the Organization ID in the credential.',
	);
}

function listed(title: string, names: readonly string[]): string {
	const rest = names.length - MOST_LISTED;
	return `${title}: ${names.slice(0, MOST_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
