import {
	type Applied,
	type Entry as EntryOf,
	type Order,
	orderBy,
	type Request as RequestOf,
	roundsOf,
	type Step,
	failureOf,
	type Outcome,
} from '../../shared/run';
import { addTo, type Attempt, InputError, shown } from '../../shared/util';
import {
	type AlertingChangeBase,
	type ConfigurationChange,
	configurationRequest,
	type ConfigurationResult,
	type PlanOf,
	ownOf,
	type Snapshot,
	targetsOf,
	addChange,
	DEFAULT_EMAIL_TARGET,
	emptyPlan,
	type MonitorRules,
	planMonitors,
} from '../configurations';
import {
	type Action,
	type ActionWrite,
	requestOf,
	wordsFor,
	type MonitorReference,
	isSamePayload,
	type Payload,
} from './action';

/** Of an action. */
export interface ActionChange extends AlertingChangeBase {
	about: 'action';
	write: ActionWrite;
}

export type Change = ActionChange | ConfigurationChange;

/** What is known of the subject of a part. */
export type AlertingResult = ConfigurationResult | { action: Action };

export type AlertingPart = Applied<AlertingResult>;

export type AlertingPlan = PlanOf<Change, AlertingResult>;

export type Entry = EntryOf<Change>;

interface Schedule {
	/** In the order in which they leave. */
	rounds: Array<Array<RequestOf<Entry>>>;
	order: Order<Change>;
}

/** Makes the change of a write. @param item that wants it */
function actionChange(
	write: ActionWrite,
	item: number,
	more: Partial<Pick<ActionChange, 'restsOn' | 'warnings'>> = {},
): ActionChange {
	const action = wordsFor(write);
	return {
		...{ about: 'action', key: action, action, subject: write.id, write },
		...{ items: [item], restsOn: [], warnings: [], ...more },
	};
}

/** Schedules the requests that make the changes: one for each action, and one for all changes of a model. */
export function scheduleOf(changes: readonly Change[]): Schedule {
	const order = orderBy<Change, Change['about']>(
		changes,
		[],
		({ about }) => about,
		() => undefined,
	);
	const targetOf = (change: Change) =>
		change.about === 'action' ? change.key : `save ${change.model}`;
	const rounds = roundsOf<Change, Entry>(changes, order, {
		entriesOf: (change) => [{ change, target: targetOf(change) }],
		hasTwoStages: () => false,
		requestsFor(entries) {
			const targets = new Map<string, Entry[]>();
			for (const entry of entries) addTo(targets, entry.target, entry);
			return [...targets].map(([id, own]) => ({ id, entries: own }));
		},
	});
	return { rounds, order };
}

/** Lists the requests of a schedule as Preview shows them. */
export function stepsOf({ rounds }: Schedule, organizationId: string): Step[] {
	return rounds.flat().map(({ id, entries, after }): Step => {
		const [{ change: first }] = entries;
		return {
			id,
			action:
				first.about === 'monitor' ? `save the monitors of model ${first.model}` : first.action,
			parts: entries.flatMap(({ change }) =>
				change.items.map((item) => ({ item, subject: change.subject, change: change.key })),
			),
			warnings: entries.flatMap(({ change }) => change.warnings),
			request:
				first.about === 'action'
					? requestOf(organizationId, first.write)
					: configurationRequest(
							organizationId,
							first.model,
							first.about === 'monitor' ? 'PATCH' : 'PUT',
						),
			after,
		};
	});
}

/** The monitors that use an action, by id of the action; undefined: not known. */
type ActionUsage = ReadonlyMap<string, readonly MonitorReference[] | undefined>;

/** Reads what the organization has, all of it once. */
export interface AlertingReader {
	actions(): Promise<Action[]>;
	/** Ids of all models. */
	allModels(): Promise<string[]>;
	configurations(modelIds: readonly string[]): Promise<Map<string, Attempt<Snapshot>>>;
}

/**
 * Finds the monitors that use each of these actions: by the list of actions, else by the configurations of all models.
 * @throws RequestError when the actions or models cannot be listed, or one of their configurations cannot be read
 */
export async function actionUsage(
	actionIds: readonly string[],
	{ actions, allModels, configurations }: AlertingReader,
): Promise<ActionUsage> {
	const listed = new Map((await actions()).map(({ id, references }) => [id, references]));
	if (actionIds.every((id) => listed.get(id) !== undefined)) {
		return new Map(actionIds.map((id) => [id, listed.get(id)]));
	}
	const found = new Map<string, MonitorReference[]>(actionIds.map((id) => [id, []]));
	for (const [model, shown] of await configurations(await allModels())) {
		const read = ownOf(shown);
		if (read?.ok !== true) throw read?.error;
		for (const monitor of read.value.configuration.monitors) {
			for (const target of targetsOf(monitor))
				found.get(target)?.push({ model, monitor: monitor.id });
		}
	}
	return found;
}

/** An action as an item wants it. */
export interface ActionWish {
	item: number;
	id: string;
	/** The kind as the service names it. */
	type: string;
	payload: Payload;
	allowsChangingKind: boolean;
	warnings: readonly string[];
}

/** An action that an item names. */
export interface ActionChoice {
	item: number;
	id: string;
}

/** Plans Create or Update: nothing for an action that is as requested. */
export function planActions(
	wishes: readonly ActionWish[],
	actions: readonly Action[],
	allowsDefaultEmail = false,
): AlertingPlan {
	const plan: AlertingPlan = emptyPlan();
	const byId = new Map(actions.map((action) => [action.id, action]));
	/** What the first item wants of each action, and the change for it; without one it is as requested. */
	const first = new Map<string, { wish: ActionWish; change?: ActionChange }>();
	for (const wish of wishes) {
		const { item, id, type, payload, warnings } = wish;
		const current = byId.get(id);
		const write: ActionWrite = { kind: 'put', id, type, payload, isNew: current === undefined };
		const action = wordsFor(write);
		const part = { item, subject: id };
		const fail = (error: unknown) =>
			plan.settled.push({ ...part, outcome: failureOf(action, error) });
		const same = first.get(id);
		if (same !== undefined && !isSameAction(same.wish, wish)) {
			fail(contradiction(same.wish.item, item, id));
		} else if (same?.change !== undefined) {
			same.change.items.push(item);
		} else if (current !== undefined && current.type !== type && !wish.allowsChangingKind) {
			fail(otherKind(current, type));
		} else if (current === undefined && id === DEFAULT_EMAIL_TARGET && !allowsDefaultEmail) {
			fail(defaultEmail());
		} else if (current?.type === type && isSamePayload(current.payload, payload)) {
			first.set(id, { wish });
			const outcome: Outcome = { status: 'unchanged', action, warnings: [...warnings] };
			plan.settled.push({ ...part, outcome, result: { action: current } });
		} else {
			const change = actionChange(write, item, { warnings });
			first.set(id, { wish, change });
			plan.changes.push(change);
		}
	}
	return plan;
}

function isSameAction(one: ActionWish, other: ActionWish): boolean {
	return one.type === other.type && isSamePayload(one.payload, other.payload);
}

/** Plans Enable, Disable or Send Test: one write for each action, however many items name it. */
export function planWrites(
	kind: 'disable' | 'enable' | 'test',
	choices: readonly ActionChoice[],
	actions: readonly Action[],
): AlertingPlan {
	const plan: AlertingPlan = emptyPlan();
	const changes = new Map<string, ActionChange>();
	for (const { item, id } of choices) {
		const write: ActionWrite = { kind, id };
		const action = wordsFor(write);
		const part = { item, subject: id };
		try {
			const current = findAction(actions, id);
			if (kind !== 'test' && isEnabled(current, kind) === (kind === 'enable')) {
				const result = { action: current };
				plan.settled.push({ ...part, outcome: { status: 'unchanged', action }, result });
			} else addChange(changes, actionChange(write, item));
		} catch (error) {
			plan.settled.push({ ...part, outcome: failureOf(action, error) });
		}
	}
	plan.changes.push(...changes.values());
	return plan;
}

/**
 * @throws InputError where the list does not tell: such a service would take the address for that of an action named
 * "enable" (test/contract/interface.md 1.6)
 */
function isEnabled({ enabled }: Action, verb: string): boolean {
	if (enabled === undefined) throw notOffered(`${verb} actions`);
	return enabled;
}

/**
 * Plans Delete. An action that monitors use is refused, naming them, or is detached from all of them first.
 * @param detaching the rules for editing monitors when actions are to be detached first
 */
export function planDeletes(
	choices: readonly ActionChoice[],
	usage: ActionUsage,
	actions: readonly Action[],
	detaching: MonitorRules | undefined,
): AlertingPlan {
	const known = new Set(actions.map(({ id }) => id));
	const used = choices.filter(({ id }) => known.has(id) && (usage.get(id)?.length ?? 0) > 0);
	const detach =
		detaching === undefined
			? emptyPlan<never, never>()
			: planMonitors(
					used.map(({ item, id }) => ({
						item,
						modelIds: [...new Set(usage.get(id)?.map(({ model }) => model))],
						selection: { by: 'all' as const },
						edit: { kind: 'detach' as const, targets: [id] },
						mayMatchNone: true,
					})),
					detaching,
				);
	// What is detached already needs no word of its own.
	const undetached = detach.settled.filter(({ outcome }) => outcome.status === 'failed');
	const plan: AlertingPlan = { ...detach, changes: [...detach.changes], settled: [...undetached] };
	const failed = new Set(undetached.map(({ item }) => item));
	const changes = new Map<string, ActionChange>();
	for (const { item, id } of choices) {
		const write: ActionWrite = { kind: 'delete', id };
		const action = wordsFor(write);
		const settle = (outcome: Outcome) => plan.settled.push({ item, subject: id, outcome });
		const references = usage.get(id) ?? [];
		if (!known.has(id)) {
			settle(
				id === DEFAULT_EMAIL_TARGET
					? failureOf(action, defaultEmail())
					: { status: 'unchanged', action, reason: 'there is no such action' },
			);
		} else if (references.length > 0 && detaching === undefined) {
			settle(failureOf(action, inUse(id, references)));
		} else if (failed.has(item)) {
			const reason = 'it could not be detached from all monitors first';
			settle({ status: 'failed', action, reason });
		} else {
			const own = detach.changes.filter(({ items }) => items.includes(item));
			const restsOn = own.map(({ key }) => ({ on: 'change' as const, key }));
			addChange(changes, actionChange(write, item, { restsOn }));
		}
	}
	plan.changes.push(...changes.values());
	return plan;
}

/**
 * Finds an action in the list of actions.
 * @returns the action.
 * @throws InputError that names those that exist, and for the default email action
 */
export function findAction(actions: readonly Action[], id: string): Action {
	const action = actions.find((candidate) => candidate.id === id);
	if (action !== undefined) return action;
	if (id === DEFAULT_EMAIL_TARGET) throw defaultEmail();
	const names = actions.slice(0, 20).map((candidate) => shown(candidate.id));
	throw new InputError(
		`There is no action ${shown(id)}`,
		names.length === 0
			? 'The organization has no actions of its own.'
			: `The organization has: ${names.join(', ')}${actions.length > names.length ? ', …' : ''}.`,
	);
}

/** Without an entry in the list there is nothing to read or to change (test/contract/interface.md 1.6). */
function defaultEmail(): InputError {
	return new InputError(
		'"email" is the default email action of the organization',
		"Its address is in the organization's settings. Choose another ID for an action of your own. If the service refuses monitors that name it, because it does not exist, create it with Allow Default Email.",
	);
}

/** Makes the error of an action that monitors use. */
export function inUse(id: string, references: readonly MonitorReference[]): InputError {
	const names = references
		.slice(0, 20)
		.map(({ model, monitor }) => `${shown(monitor)} (model ${shown(model)})`);
	const rest = references.length - names.length;
	return new InputError(
		`Action ${id} is used by ${references.length === 1 ? 'a monitor' : `${references.length} monitors`}: ${names.slice(0, 3).join(', ')}${references.length > 3 ? ', …' : ''}`,
		`Detach it first, or turn on Detach First. Used by: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
	);
}

/** Makes the error of a write that the service does not offer. */
export function notOffered(what: string): InputError {
	return new InputError(
		`This service cannot ${what}`,
		'Its documented interface can only create, change and list actions.',
	);
}

function otherKind({ id, type }: Action, wanted: string): InputError {
	return new InputError(
		`Action ${id} is of kind ${shown(type)}, not ${wanted}`,
		'Choose another ID, or turn on Allow Changing Kind: monitors that use it would then deliver elsewhere.',
	);
}

function contradiction(first: number, second: number, id: string): InputError {
	return new InputError(
		`Items ${first} and ${second} want different things of action ${id}`,
		'Set up the action in one item only.',
	);
}
