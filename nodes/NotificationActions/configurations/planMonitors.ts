import { type Attempt, InputError } from '../../shared/util';
import { failureOf, type Outcome, type Part } from '../../shared/run';
import {
	type AlertingPlan,
	type AlertingResult,
	configurationPath,
	DEFAULT_EMAIL_TARGET,
	emptyAlertingPlan,
	type MonitorState,
	partKey,
} from '../actions';
import { targetsOf, type Configuration, type Monitor } from './configuration';
import { editMonitor, type ActionChange, type MonitorEdit } from './editActions';
import type { Edited, ReadConfiguration } from './saveConfiguration';
import { selectMonitors, type MonitorSelection } from './selectMonitors';

/** What one item wants of monitors. */
export interface WantedMonitors {
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
	configurations: ReadonlyMap<string, Attempt<ReadConfiguration>>;
	/** Ids of the actions that exist, the default one not among them; undefined: not to be checked. */
	actionIds?: ReadonlySet<string>;
	/** Whether the service is first asked to merge. */
	merges: boolean;
}

/** What an item wants of one monitor. */
interface Want {
	item: number;
	change: ActionChange;
	monitor: Monitor;
}

/** So many names an error lists. */
const MOST_LISTED = 20;

/**
 * Plans changes of the actions of monitors: one read-edit-write per model, however many items want something of it.
 * A monitor that is as wanted needs nothing; what cannot be done fails alone.
 */
export function planMonitors(wanted: readonly WantedMonitors[], rules: MonitorRules): AlertingPlan {
	const plan = emptyAlertingPlan();
	const refuse = (item: number, subject: string, action: string, error: unknown) =>
		plan.settled.push({ item, subject, outcome: failureOf(action, error) });

	const wantsByModel = new Map<string, Want[]>();
	for (const want of wanted) {
		const { item, change, modelIds, selection } = want;
		const unknown = unknownTargets(change, rules);
		if (unknown !== undefined) {
			refuse(item, `item ${item}`, wordsFor(change), unknown);
			continue;
		}
		let matched = 0;
		let unread = 0;
		const found = new Set<string>();
		for (const modelId of modelIds) {
			const read = rules.configurations.get(modelId);
			if (read?.ok !== true) {
				unread += 1;
				refuse(item, modelId, `${wordsFor(change)} in model ${modelId}`, read?.error);
				continue;
			}
			const own = wantsByModel.get(modelId) ?? [];
			wantsByModel.set(modelId, own);
			for (const monitor of selectMonitors(read.value.configuration, selection)) {
				matched += 1;
				found.add(monitor.id);
				own.push({ item, change, monitor });
			}
		}
		const missing =
			selection.by === 'id' && unread === 0 ? selection.ids.filter((id) => !found.has(id)) : [];
		if (matched === 0 && unread === 0 && want.mayMatchNone) {
			const outcome: Outcome = {
				status: 'skipped',
				action: wordsFor(change),
				reason: 'no monitor matches',
			};
			plan.settled.push({ item, subject: `item ${item}`, outcome });
		} else if (missing.length > 0) {
			const action = `${wordsFor(change)} monitor ${missing.join(', ')}`;
			refuse(item, `item ${item}`, action, unknownMonitors(missing, modelIds, rules));
		} else if (matched === 0 && unread === 0) {
			refuse(item, `item ${item}`, wordsFor(change), noneMatches(modelIds));
		}
	}
	for (const [modelId, wants] of wantsByModel) planModel(plan, modelId, wants, rules);
	return plan;
}

/** Adds what a model needs to the plan. */
function planModel(
	plan: AlertingPlan,
	modelId: string,
	wants: readonly Want[],
	{ configurations, organizationId, merges }: MonitorRules,
): void {
	const read = configurations.get(modelId);
	if (read?.ok !== true) return;
	const { configuration } = read.value;
	const parts: Part[] = [];
	const changes = new Map<string, ActionChange[]>();
	const words = new Map<string, string>();
	const edits: Array<MonitorEdit & { monitor: Monitor }> = [];
	for (const own of byMonitor(wants).values()) {
		const [{ monitor }] = own;
		const subject = `${modelId}\n${monitor.id}`;
		const result: AlertingResult = { monitor: stateOf(modelId, monitor) };
		const settle = (item: number, outcome: Outcome) =>
			plan.settled.push({ item, subject, outcome, result });
		const all = own.map(({ change }) => change);
		const tried = attemptEdit(configuration, monitor, all);
		if (!tried.ok) {
			for (const { item, change } of own)
				settle(item, failureOf(wordsFor(change, monitor, modelId), tried.error));
			continue;
		}
		for (const { item, change } of own) {
			const alone = editMonitor(configuration, monitor, [change]);
			const action = wordsFor(change, monitor, modelId);
			if (alone.edits.length === 0) settle(item, { status: 'unchanged', action });
			else {
				parts.push({ item, subject });
				words.set(partKey({ item, subject }), action);
			}
		}
		if (tried.value.edits.length > 0) {
			changes.set(monitor.id, all);
			edits.push({ ...tried.value, monitor });
		}
	}
	if (parts.length === 0) return;
	plan.steps.push({
		id: `save ${modelId}`,
		action: `save the monitors of model ${modelId}`,
		kind: 'editMonitors',
		modelId,
		read: read.value,
		changes,
		words,
		parts,
		warnings: [],
		request: {
			method: merges ? 'PATCH' : 'PUT',
			path: configurationPath(organizationId, modelId),
		},
	});
	plan.configurations.push({
		model: modelId,
		touched: {
			monitors: edits.map(({ monitor, attached, detached }) => ({
				id: monitor.id,
				...(monitor.displayName !== undefined && { displayName: monitor.displayName }),
				...(attached.length > 0 && { attach: attached }),
				...(detached.length > 0 && { detach: detached }),
			})),
		},
		patch: edits.flatMap(({ patch }) => patch),
	});
}

/** The edits that make monitors as wanted, in whatever the configuration is by now. */
export function monitorEditor(
	changes: ReadonlyMap<string, readonly ActionChange[]>,
): (now: Configuration) => Edited & { refused: Map<string, unknown> } {
	return (now) => {
		const edited: Edited & { refused: Map<string, unknown> } = { touched: [], refused: new Map() };
		for (const monitor of now.monitors) {
			const own = changes.get(monitor.id);
			if (own === undefined) continue;
			const tried = attemptEdit(now, monitor, own);
			if (!tried.ok) edited.refused.set(monitor.id, tried.error);
			else if (tried.value.edits.length > 0) {
				edited.touched.push({ monitor, edits: tried.value.edits });
			}
		}
		return edited;
	};
}

export function stateOf(model: string, monitor: Monitor): MonitorState {
	const { id, displayName } = monitor;
	return {
		model,
		id,
		...(displayName !== undefined && { displayName }),
		actions: targetsOf(monitor),
	};
}

/** What a change does, in words that finish the sentence "could not …". */
function wordsFor(change: ActionChange, monitor?: Monitor, modelId?: string): string {
	const where =
		monitor === undefined
			? 'monitors'
			: `monitor ${monitor.id}${modelId === undefined ? '' : ` of model ${modelId}`}`;
	switch (change.kind) {
		case 'attach':
			return `attach ${change.targets.join(', ')} to ${where}`;
		case 'detach':
			return `detach ${change.targets.join(', ')} from ${where}`;
		case 'set':
			return `set the actions of ${where} to ${change.targets.join(', ') || 'none'}`;
		case 'replace':
			return `replace ${change.from} by ${change.to} on ${where}`;
	}
}

function attemptEdit(
	configuration: Configuration,
	monitor: Monitor,
	changes: readonly ActionChange[],
): Attempt<MonitorEdit> {
	try {
		const edit = editMonitor(configuration, monitor, changes);
		checkAgreement(changes, monitor, edit);
		return { ok: true, value: edit };
	} catch (error) {
		return { ok: false, error };
	}
}

/** @throws InputError when items want what excludes each other: one that would not be as wanted in the end */
function checkAgreement(
	changes: readonly ActionChange[],
	monitor: Monitor,
	{ attached, detached }: MonitorEdit,
): void {
	const before = targetsOf(monitor);
	const after = new Set([...before.filter((target) => !detached.includes(target)), ...attached]);
	if (changes.every((change) => isFulfilled(change, new Set(before), after))) return;
	throw new InputError(
		`Items want different actions on monitor ${monitor.id}`,
		'Let one item say what the monitor is to have.',
	);
}

function isFulfilled(
	change: ActionChange,
	before: ReadonlySet<string>,
	after: ReadonlySet<string>,
): boolean {
	switch (change.kind) {
		case 'attach':
			return change.targets.every((target) => after.has(target));
		case 'detach':
			return !change.targets.some((target) => after.has(target));
		case 'set':
			return (
				after.size === new Set(change.targets).size &&
				change.targets.every((target) => after.has(target))
			);
		case 'replace':
			return !after.has(change.from) && (!before.has(change.from) || after.has(change.to));
	}
}

function byMonitor(wants: readonly Want[]): Map<string, Want[]> {
	const byId = new Map<string, Want[]>();
	for (const want of wants) {
		const same = byId.get(want.monitor.id);
		if (same === undefined) byId.set(want.monitor.id, [want]);
		else same.push(want);
	}
	return byId;
}

/** Targets have to exist; what is detached may be gone already. */
function unknownTargets(change: ActionChange, { actionIds }: MonitorRules): InputError | undefined {
	if (actionIds === undefined || change.kind === 'detach') return undefined;
	const targets = change.kind === 'replace' ? [change.to] : change.targets;
	const unknown = targets.filter(
		(target) => target !== DEFAULT_EMAIL_TARGET && !actionIds.has(target),
	);
	if (unknown.length === 0) return undefined;
	return new InputError(
		`There is no action ${unknown.join(', ')}`,
		`Create it first. ${listed('The organization has', [...new Set([...actionIds, DEFAULT_EMAIL_TARGET])])}`,
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
		'Check how the monitors are chosen, or set If None Match to go on.',
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
