import { wildcard, addTo, type Attempt, InputError, shown } from '../../shared/util';
import { failureOf, type Outcome } from '../../shared/run';
import { nameOf, type Configuration, type Monitor } from './configuration';
import {
	addChange,
	type ConfigurationPlan,
	emptyPlan,
	type MonitorChange,
	monitorSubject,
} from './change';
import { tryEdit, type ActionEdit, DEFAULT_EMAIL_TARGET, editMonitor } from './monitorEdits';
import { ownOf, type Snapshot } from './saveConfiguration';

/** Which monitors of a model to use. */
export type MonitorSelection =
	| { by: 'all' }
	| { by: 'id'; ids: readonly string[] }
	/** A display name, or the id of a monitor without one; `*` stands for any characters. */
	| { by: 'name'; pattern: string }
	| { by: 'tag'; tags: readonly string[] }
	| { by: 'severity'; severities: readonly number[] };

/** Selects monitors, in the order of the configuration. */
export function selectMonitors(
	{ monitors }: Pick<Configuration, 'monitors'>,
	selection: MonitorSelection,
): Monitor[] {
	return monitors.filter(matcher(selection));
}

function matcher(selection: MonitorSelection): (monitor: Monitor) => boolean {
	switch (selection.by) {
		case 'all':
			return () => true;
		case 'id': {
			const ids = new Set(selection.ids);
			return ({ id }) => ids.has(id);
		}
		case 'name': {
			const matches = wildcard(selection.pattern);
			return (monitor) => matches(nameOf(monitor));
		}
		case 'tag': {
			const tags = new Set(selection.tags.map((tag) => tag.toLowerCase()));
			return (monitor) => monitor.tags.some((tag) => tags.has(tag.toLowerCase()));
		}
		case 'severity':
			return ({ severity }) => severity !== undefined && selection.severities.includes(severity);
	}
}

/** What one item wants of monitors. */
export interface MonitorWish {
	item: number;
	modelIds: readonly string[];
	selection: MonitorSelection;
	edit: ActionEdit;
	/** Whether it is all right when the selection matches no monitor. */
	mayMatchNone: boolean;
}

export interface MonitorRules {
	/** By id of the model, its configuration or why it could not be read. */
	configurations: ReadonlyMap<string, Attempt<Snapshot>>;
	/** Ids of the actions that exist; not needed for detaching. */
	actionIds: ReadonlySet<string>;
}

/** What an item wants of one monitor. */
interface Wish {
	item: number;
	edit: ActionEdit;
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
	const plan: ConfigurationPlan = emptyPlan();
	const wishesByModel = new Map<string, Wish[]>();
	for (const { item, edit, modelIds, selection, mayMatchNone } of wishes) {
		const settle = (subject: string, outcome: Outcome) =>
			plan.settled.push({ item, subject, outcome });
		const action = wordsFor(edit);
		const unknown = unknownTargets(edit, rules);
		if (unknown !== undefined) {
			settle('', failureOf(action, unknown));
			continue;
		}
		const found = new Set<string>();
		let isAllRead = true;
		for (const modelId of modelIds) {
			const read = ownOf(rules.configurations.get(modelId));
			if (read?.ok !== true) {
				isAllRead = false;
				settle(
					monitorSubject(modelId),
					failureOf(`${action} in model ${shown(modelId)}`, read?.error),
				);
				continue;
			}
			const own = wishesByModel.get(modelId) ?? [];
			wishesByModel.set(modelId, own);
			for (const monitor of selectMonitors(read.value.configuration, selection)) {
				found.add(monitor.id);
				own.push({ item, edit, monitor });
			}
		}
		if (!isAllRead) continue;
		const missing = selection.by === 'id' ? selection.ids.filter((id) => !found.has(id)) : [];
		if (found.size === 0 && mayMatchNone) {
			settle('', { status: 'skipped', action, reason: 'no monitor matches' });
		} else if (missing.length > 0) {
			const error = unknownMonitors(missing, modelIds, rules);
			const named = wordsFor(edit, `monitor ${missing.join(', ')}`);
			settle('', failureOf(named, error));
		} else if (found.size === 0) {
			settle('', failureOf(action, noneMatches(modelIds)));
		}
	}
	for (const [modelId, own] of wishesByModel) planModel(plan, modelId, own, rules);
	return plan;
}

/** Adds what a model needs to the plan: one change for all items that want the same of a monitor. */
function planModel(
	plan: ConfigurationPlan,
	model: string,
	wishes: readonly Wish[],
	{ configurations }: MonitorRules,
): void {
	const read = configurations.get(model);
	if (read?.ok !== true) return;
	const { loss } = read.value.configuration;
	const monitors: object[] = [];
	for (const own of byMonitor(wishes).values()) {
		const [{ monitor }] = own;
		const { id, displayName } = monitor;
		const subject = monitorSubject(model, id);
		const all = tryEdit(
			monitor,
			own.map(({ edit }) => edit),
		);
		const changes = new Map<string, MonitorChange>();
		for (const { item, edit } of own) {
			const action = wordsFor(edit, `monitor ${shown(id)} of model ${shown(model)}`);
			const isNeeded = all.ok && editMonitor(monitor, [edit]).monitor !== undefined;
			if (isNeeded && loss === undefined) {
				addChange(changes, {
					...{ about: 'monitor', key: action, action, subject, model, monitor: id, edit },
					...{ items: [item], restsOn: [], warnings: [] },
				});
				continue;
			}
			const error = all.ok ? loss : all.error;
			const outcome: Outcome =
				all.ok && !isNeeded ? { status: 'unchanged', action } : failureOf(action, error);
			plan.settled.push({ item, subject, outcome, result: { monitor } });
		}
		plan.changes.push(...changes.values());
		if (!all.ok || changes.size === 0) continue;
		const { attached, detached } = all.value;
		monitors.push({
			id,
			...(displayName !== undefined && { displayName }),
			...(attached.length > 0 && { attach: attached }),
			...(detached.length > 0 && { detach: detached }),
		});
	}
	if (monitors.length > 0) plan.configurations.push({ model, touched: { monitors } });
}

/** What an edit does, in words that finish the sentence "could not …". */
function wordsFor(edit: ActionEdit, where = 'monitors'): string {
	switch (edit.kind) {
		case 'attach':
			return `attach ${edit.targets.join(', ')} to ${where}`;
		case 'detach':
			return `detach ${edit.targets.join(', ')} from ${where}`;
		case 'set':
			return `set the actions of ${where} to ${edit.targets.join(', ') || 'none'}`;
		case 'replace':
			return `replace ${edit.from} with ${edit.to} on ${where}`;
	}
}

function byMonitor(wishes: readonly Wish[]): Map<string, Wish[]> {
	const byId = new Map<string, Wish[]>();
	for (const wish of wishes) addTo(byId, wish.monitor.id, wish);
	return byId;
}

/** Targets have to exist; what is detached may be gone already. */
function unknownTargets(edit: ActionEdit, { actionIds }: MonitorRules): InputError | undefined {
	if (edit.kind === 'detach') return undefined;
	const targets = edit.kind === 'replace' ? [edit.to] : edit.targets;
	const known = new Set([...actionIds, DEFAULT_EMAIL_TARGET]);
	const unknown = targets.filter((target) => !known.has(target));
	if (unknown.length === 0) return undefined;
	return new InputError(
		`There is no action ${unknown.map(shown).join(', ')}`,
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
		`There is no monitor ${missing.map(shown).join(', ')} in model ${modelIds.map(shown).join(', ')}`,
		known.length === 0 ? 'The model has no monitors.' : listed('It has', known),
	);
}

function noneMatches(modelIds: readonly string[]): InputError {
	if (modelIds.length === 0) return noModels();
	return new InputError(
		`No monitor of model ${modelIds.slice(0, MOST_LISTED).map(shown).join(', ')} matches`,
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
	return `${title}: ${names.slice(0, MOST_LISTED).map(shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
