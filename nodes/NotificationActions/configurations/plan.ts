import { wildcard, addTo, type Attempt, InputError, shown, checkDepth } from '../../shared/util';
import { failureOf, type Outcome } from '../../shared/run';
import {
	nameOf,
	type Configuration,
	type Monitor,
	compareConfigurations,
	isSame,
	documentOf,
	type JsonObject,
	versionOf,
	whyForeign,
	lossesIn,
	numbersIn,
} from './configuration';
import {
	addChange,
	type ConfigurationPlan,
	emptyPlan,
	type MonitorChange,
	monitorSubject,
	tryEdit,
	type ActionEdit,
	DEFAULT_EMAIL_TARGET,
	editMonitor,
} from './change';
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

/** A whole configuration as an item wants it. */
export interface ConfigurationWish {
	item: number;
	modelId: string;
	document: JsonObject;
}

export interface ConfigurationRules {
	configurations: ReadonlyMap<string, Attempt<Snapshot>>;
	organizationId: string;
	/** More monitors and analyzers than this are not removed, unless allowed. */
	maxRemovals: number;
	allowsRemovals: boolean;
	/** Whether a newer configuration than the wanted one was made from may be overwritten, and one of unknown age. */
	overwritesNewer: boolean;
}

/**
 * Checks a whole document before it is sent in the place of another.
 * @param value JSON text, or the document itself
 * @throws InputError for anything without lists of monitors and analyzers, since the service would delete all of them, and
 *   for a value that would be written as another one
 */
export function checkDocument(value: unknown): JsonObject {
	const text = typeof value === 'string' ? value : textOf(value);
	const document = documentOf(text);
	if (document === undefined) {
		throw new InputError(
			'The configuration is not a JSON object',
			'Provide the whole document as Get returned it, changed.',
		);
	}
	checkDepth(document, 'The configuration');
	for (const name of ['monitors', 'analyzers']) {
		if (Array.isArray(document[name])) continue;
		throw new InputError(
			`The configuration has no list of ${name}`,
			`The service would delete all ${name}. Provide the whole document, with an empty list to have none.`,
		);
	}
	for (const { error } of lossesIn(text)) throw error;
	return document;
}

/** @throws InputError for a number that is not the one that was written: JavaScript rounds beyond 2^53 */
function textOf(value: unknown): string {
	for (const [place, number] of numbersIn(checkDepth(value, 'The configuration'))) {
		if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) {
			continue;
		}
		throw new InputError(
			`The number ${number} at ${place} may not be the one that was written, so the configuration is not written`,
			'n8n keeps whole numbers up to 2^53. Provide the document as text, or the number as text in quotes.',
		);
	}
	return JSON.stringify(value);
}

/** Plans Update: the document in the place of the one that is there. */
export function planConfigurations(
	wishes: readonly ConfigurationWish[],
	rules: ConfigurationRules,
): ConfigurationPlan {
	const plan: ConfigurationPlan = emptyPlan();
	const items = new Map<string, number>();
	for (const { item, modelId, document } of wishes) {
		const action = `update the monitor configuration of model ${shown(modelId)}`;
		const settle = (outcome: Outcome, configuration?: Configuration) =>
			plan.settled.push({
				item,
				subject: monitorSubject(modelId),
				outcome,
				...(configuration !== undefined && { result: { configuration } }),
			});
		const fail = (error: unknown) => settle(failureOf(action, error));
		const read = rules.configurations.get(modelId);
		const other = items.get(modelId);
		if (other !== undefined) {
			fail(twice(other, item, modelId));
			continue;
		}
		items.set(modelId, item);
		const foreign = whyForeign(document, { model: modelId, organization: rules.organizationId });
		if (foreign !== undefined) {
			fail(foreign);
			continue;
		}
		if (read?.ok !== true) {
			fail(read?.error);
			continue;
		}
		const { configuration } = read.value;
		if (configuration.foreign !== undefined && !rules.overwritesNewer) {
			fail(unknownPlace(configuration.foreign));
			continue;
		}
		const touched = compareConfigurations(configuration.document, document);
		if (isSame(touched)) {
			settle({ status: 'unchanged', action }, configuration);
			continue;
		}
		const refused =
			whyRounded(configuration, document) ??
			(rules.overwritesNewer ? undefined : whyNewer(configuration, document));
		if (refused !== undefined) {
			fail(refused);
			continue;
		}
		const { monitors, analyzers, otherKeys } = touched;
		const removed = monitors.removed.length + analyzers.removed.length;
		if (removed > rules.maxRemovals && !rules.allowsRemovals) {
			plan.blockedBy.push(
				`${removed} monitors and analyzers of model ${shown(modelId)} would be removed, more than Max Removals (${rules.maxRemovals}). Check the document, or turn on Allow Removals.`,
			);
		}
		const keys = otherKeys.join(', ');
		plan.changes.push({
			...{ about: 'document', key: action, action, subject: monitorSubject(modelId) },
			...{ model: modelId, document, items: [item], restsOn: [] },
			warnings:
				otherKeys.length === 0
					? []
					: [
							`The service replaces analyzers and monitors; whether it accepts ${keys} is checked afterwards`,
						],
		});
		plan.configurations.push({ model: modelId, touched: { monitors, analyzers, otherKeys } });
	}
	return plan;
}

/** Why a number of the document is one of the service that was rounded when it was parsed, in this node or before. */
function whyRounded({ text }: Configuration, document: JsonObject): InputError | undefined {
	// The index of an entry may differ.
	const keyOf = (place: string, number: unknown) =>
		`${place.replace(/\[\d+\]/g, '[]')} ${String(number)}`;
	const rounded = new Map<string, string>();
	for (const { place, literal } of lossesIn(text)) {
		if (literal !== undefined) rounded.set(keyOf(place, Number(literal)), literal);
	}
	for (const [place, number] of rounded.size === 0 ? [] : numbersIn(document)) {
		const literal = rounded.get(keyOf(place, number));
		if (literal === undefined) continue;
		return new InputError(
			`The number ${number} at ${place} is ${literal.slice(0, 50)} in the service, so the configuration is not written`,
			'n8n has rounded it. Change the number in the service first, or provide another one.',
		);
	}
	return undefined;
}

/** Why the stored document is newer than the one that the wanted was made from, or may be. */
function whyNewer({ version }: Configuration, document: JsonObject): InputError | undefined {
	if (version === undefined) return undefined;
	const madeFrom = versionOf(document);
	if (madeFrom === undefined) {
		return new InputError(
			`The provided configuration has no version, so it may be older than version ${version} of the service`,
			'Get the configuration again and make the change there, with its metadata, or turn on Overwrite Newer.',
		);
	}
	if (version <= madeFrom) return undefined;
	return new InputError(
		`Someone has changed the configuration since: it has version ${version}, the provided one was made from version ${madeFrom}`,
		'Get it again and make the change there, or turn on Overwrite Newer.',
	);
}

/** @param foreign why the configuration that was read is that of another model */
function unknownPlace({ message }: InputError): InputError {
	return new InputError(
		`Could not find out what would be replaced. The service answered: ${message}`,
		'Run it again. If the model really has this configuration, turn on Overwrite Newer.',
	);
}

function twice(first: number, second: number, modelId: string): InputError {
	return new InputError(
		`Items ${first} and ${second} both provide the configuration of model ${shown(modelId)}`,
		'Provide it in one item.',
	);
}
