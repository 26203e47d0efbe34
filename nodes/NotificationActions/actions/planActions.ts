import { failureOf } from '../../shared/run';
import { InputError } from '../../shared/util';
import { isSamePayload, maskPayload, type Action, type MonitorReference } from './action';
import { DEFAULT_EMAIL_TARGET } from './actionKinds';
import { actionsPath } from './alertingClient';
import { type MonitorRules, planMonitors } from '../configurations';
import { emptyAlertingPlan, type AlertingPlan, type AlertingStep } from './step';

/** An action as an item wants it. */
export interface WantedAction {
	item: number;
	id: string;
	/** The kind as the service names it. */
	segment: string;
	payload: Readonly<Record<string, unknown>>;
	allowsChangingKind: boolean;
	warnings: readonly string[];
}

/** An action that an item names. */
export interface NamedAction {
	item: number;
	id: string;
}

export interface ActionRules {
	organizationId: string;
	actions: readonly Action[];
}

/** Plans Create or Update: nothing for an action that is as wanted. */
export function planActions(wanted: readonly WantedAction[], rules: ActionRules): AlertingPlan {
	const plan = emptyAlertingPlan();
	const byId = new Map(rules.actions.map((action) => [action.id, action]));
	const steps = new Map<string, Extract<AlertingStep, { kind: 'putAction' }>>();
	const unchanged = new Map<string, WantedAction>();
	for (const want of wanted) {
		const { item, id, segment, payload, allowsChangingKind } = want;
		const current = byId.get(id);
		const same = steps.get(id);
		const asItIs = unchanged.get(id);
		const action = `save action ${id}`;
		const fail = (error: unknown) =>
			plan.settled.push({ item, subject: id, outcome: failureOf(action, error) });
		if (same !== undefined) {
			if (isSameAction(same, want)) {
				same.parts.push({ item, subject: id });
			} else fail(contradiction(same.parts[0].item, item, id));
		} else if (asItIs !== undefined && !isSameAction(asItIs, want)) {
			fail(contradiction(asItIs.item, item, id));
		} else if (current !== undefined && current.type !== segment && !allowsChangingKind) {
			fail(otherKind(current, segment));
		} else if (current === undefined && id === DEFAULT_EMAIL_TARGET) {
			fail(defaultEmail());
		} else if (current?.type === segment && isSamePayload(current.payload, payload)) {
			unchanged.set(id, want);
			const outcome = { status: 'unchanged' as const, action, warnings: [...want.warnings] };
			plan.settled.push({ item, subject: id, outcome, result: { action: current } });
		} else {
			steps.set(id, {
				id: `save action ${id}`,
				action: `${current === undefined ? 'create' : 'update'} action ${id}`,
				kind: 'putAction',
				actionId: id,
				isNew: current === undefined,
				segment,
				payload,
				parts: [{ item, subject: id }],
				warnings: [...want.warnings],
				request: {
					method: 'PUT',
					path: [...actionsPath(rules.organizationId), segment, id],
					body: payload,
					shown: maskPayload(payload),
				},
			});
		}
	}
	plan.steps.push(...steps.values());
	return plan;
}

type Delivery = Pick<WantedAction, 'segment' | 'payload'>;

function isSameAction(one: Delivery, other: Delivery): boolean {
	return one.segment === other.segment && isSamePayload(one.payload, other.payload);
}

/** Plans Enable or Disable. */
export function planEnabled(
	wanted: readonly NamedAction[],
	enabled: boolean,
	rules: ActionRules,
): AlertingPlan {
	const verb = enabled ? 'enable' : 'disable';
	return planNamed(wanted, verb, rules, (current) => {
		// Where the list does not tell, the address would be that of an action named "enable" (docs/interface.md 1.6).
		if (current.enabled === undefined) throw notOffered(`${verb} actions`);
		if (current.enabled === enabled) return undefined;
		return {
			kind: 'setEnabled',
			enabled,
			request: {
				method: 'PUT',
				path: [...actionsPath(rules.organizationId), current.id, verb],
			},
		};
	});
}

/** Plans Send Test: one test for each action, however many items name it. */
export function planTests(wanted: readonly NamedAction[], rules: ActionRules): AlertingPlan {
	return planNamed(wanted, 'send a test to', rules, ({ id }) => ({
		kind: 'sendTest',
		request: { method: 'POST', path: [...actionsPath(rules.organizationId), id, 'test'] },
	}));
}

/** The monitors that use an action; undefined: not known. */
export type Users = ReadonlyMap<string, readonly MonitorReference[] | undefined>;

/**
 * Plans Delete. An action that monitors use is refused, naming them, or is detached from all of them first.
 * @param detaching the rules for editing monitors when actions are to be detached first
 */
export function planDeletes(
	wanted: readonly NamedAction[],
	users: Users,
	rules: ActionRules,
	detaching: MonitorRules | undefined,
): AlertingPlan {
	const known = new Set(rules.actions.map(({ id }) => id));
	const plan = emptyAlertingPlan();
	const used = wanted.filter(({ id }) => known.has(id) && (users.get(id)?.length ?? 0) > 0);
	const detach =
		detaching === undefined
			? emptyAlertingPlan()
			: planMonitors(
					used.map(({ item, id }) => ({
						item,
						modelIds: [...new Set(users.get(id)?.map(({ model }) => model))],
						selection: { by: 'all' as const },
						change: { kind: 'detach' as const, targets: [id] },
						mayMatchNone: true,
					})),
					detaching,
				);
	const failed = new Set(
		detach.settled.flatMap(({ item, outcome }) => (outcome.status === 'failed' ? [item] : [])),
	);
	const seen = new Map<string, AlertingStep>();
	for (const { item, id } of wanted) {
		const action = `delete action ${id}`;
		const settle = (outcome: AlertingPlan['settled'][number]['outcome']) =>
			plan.settled.push({ item, subject: id, outcome });
		const references = users.get(id) ?? [];
		const same = seen.get(id);
		if (!known.has(id) && id === DEFAULT_EMAIL_TARGET) {
			settle(failureOf(action, defaultEmail()));
		} else if (!known.has(id)) {
			settle({ status: 'unchanged', action, reason: 'there is no such action' });
		} else if (references.length > 0 && detaching === undefined) {
			settle(failureOf(action, inUse(id, references)));
		} else if (failed.has(item)) {
			const reason = 'it could not be detached from all monitors first';
			settle({ status: 'failed', action, reason });
		} else {
			const needs = detach.steps.flatMap(({ id: step, parts }) =>
				parts.filter((part) => part.item === item).map(({ subject }) => ({ step, subject })),
			);
			const part = { item, subject: id, ...(needs.length > 0 && { needs }) };
			if (same !== undefined) {
				same.parts.push(part);
				continue;
			}
			seen.set(id, {
				id: action,
				action,
				kind: 'deleteAction',
				actionId: id,
				parts: [part],
				warnings: [],
				request: { method: 'DELETE', path: [...actionsPath(rules.organizationId), id] },
			});
		}
	}
	// What is detached already needs no word of its own.
	const settled = detach.settled.filter(({ outcome }) => outcome.status === 'failed');
	return {
		...plan,
		steps: [...detach.steps, ...seen.values()],
		settled: [...settled, ...plan.settled],
		configurations: detach.configurations,
	};
}

/** @returns the action. @throws InputError that names those that exist, and for the default e-mail action */
export function actionNamed(actions: readonly Action[], id: string): Action {
	const action = actions.find((candidate) => candidate.id === id);
	if (action !== undefined) return action;
	if (id === DEFAULT_EMAIL_TARGET) throw defaultEmail();
	const names = actions.slice(0, 20).map((candidate) => candidate.id);
	throw new InputError(
		`There is no action ${id}`,
		names.length === 0
			? 'The organization has no actions of its own.'
			: `The organization has: ${names.join(', ')}${actions.length > names.length ? ', …' : ''}.`,
	);
}

/** Without an entry in the list there is nothing to read or to change (docs/interface.md 1.6). */
function defaultEmail(): InputError {
	return new InputError(
		'"email" is the default e-mail action of the organization',
		'Its address stands in the settings of the organization. Choose another ID for an action of your own.',
	);
}

export function inUse(id: string, references: readonly MonitorReference[]): InputError {
	const names = references.slice(0, 20).map(({ model, monitor }) => `${monitor} (model ${model})`);
	const rest = references.length - names.length;
	return new InputError(
		`Action ${id} is used by ${references.length === 1 ? 'a monitor' : `${references.length} monitors`}: ${names.slice(0, 3).join(', ')}${references.length > 3 ? ', …' : ''}`,
		`Detach it first, or turn on Detach First. Used by: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
	);
}

export function notOffered(what: string): InputError {
	return new InputError(
		`This service does not offer to ${what}`,
		'Only creating, changing and listing actions is part of its documented interface.',
	);
}

/** One step for each action that is named. @param stepFor undefined when the action is as wanted */
function planNamed(
	wanted: readonly NamedAction[],
	verb: string,
	{ actions }: ActionRules,
	stepFor: (
		current: Action,
	) =>
		| Pick<Extract<AlertingStep, { kind: 'sendTest' }>, 'kind' | 'request'>
		| Pick<Extract<AlertingStep, { kind: 'setEnabled' }>, 'kind' | 'request' | 'enabled'>
		| undefined,
): AlertingPlan {
	const plan = emptyAlertingPlan();
	const steps = new Map<string, AlertingStep>();
	for (const { item, id } of wanted) {
		const action = `${verb} action ${id}`;
		const part = { item, subject: id };
		const same = steps.get(id);
		if (same !== undefined) {
			same.parts.push(part);
			continue;
		}
		try {
			const current = actionNamed(actions, id);
			const step = stepFor(current);
			if (step === undefined) {
				const outcome = { status: 'unchanged' as const, action };
				plan.settled.push({ ...part, outcome, result: { action: current } });
			} else {
				steps.set(id, { id: action, action, actionId: id, parts: [part], warnings: [], ...step });
			}
		} catch (error) {
			plan.settled.push({ ...part, outcome: failureOf(action, error) });
		}
	}
	plan.steps.push(...steps.values());
	return plan;
}

function otherKind({ id, type }: Action, segment: string): InputError {
	return new InputError(
		`Action ${id} is of kind ${type}, not ${segment}`,
		'Choose another ID, or turn on Allow Changing Kind: monitors that use it would then deliver elsewhere.',
	);
}

function contradiction(first: number, second: number, id: string): InputError {
	return new InputError(
		`Items ${first} and ${second} want different things of action ${id}`,
		'Let one item say what the action is to be.',
	);
}
