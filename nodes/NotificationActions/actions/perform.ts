import { attempt, poll } from '../../shared/util';
import { failureOf, isFailure, type Outcome } from '../../shared/run';
import { hasStatus, RequestError } from '../../shared/http';
import { configurationPerformer, isMissingRoute, unverified } from '../configurations';
import { type Action, type MonitorReference, showsPayload } from './action';
import type { ActionWrite, AlertingClient } from './alertingClient';
import { inUse, notOffered } from './planActions';
import type { ActionStep, AlertingPart, AlertingStep } from './step';

/**
 * Makes the one function that sends a step and says what happened to each of its parts.
 * @param maxWaitMs as of `configurationSaver`
 * @param usageOf the monitors that use an action, read again; undefined when that cannot be found out
 */
export function performer(
	client: AlertingClient,
	maxWaitMs: number,
	usageOf: (actionId: string) => Promise<readonly MonitorReference[] | undefined>,
): (step: AlertingStep) => Promise<AlertingPart[]> {
	const saveConfiguration = configurationPerformer(client, maxWaitMs);
	return async (step) => {
		if (step.kind === 'saveConfiguration') return await saveConfiguration(step);
		const { action, write, warnings } = step;
		const sent = await attempt(async () => await client.writeAction(write));
		const outcome = sent.ok
			? doneOutcome(step)
			: isUncertain(sent.error)
				? unverified(action, sent.error)
				: failureOf(action, await explain(sent.error, write, usageOf));
		const warned = { ...outcome, ...(warnings.length > 0 && { warnings }) };
		return step.parts.map((part) => ({ ...part, outcome: warned }));
	};
}

/** That a test was delivered is seen only where it arrives. */
function doneOutcome({ action, write }: ActionStep): Outcome {
	return {
		status: 'done',
		action,
		...(write.kind === 'test' && { reason: 'the service accepted it' }),
	};
}

/**
 * Looks in the list of actions, once for all, whether it shows what was written; again while it does not and patience
 * lasts. A write for which the service has no route comes out as such.
 */
export async function verifyActions(
	applied: AlertingPart[],
	steps: readonly AlertingStep[],
	client: AlertingClient,
): Promise<AlertingPart[]> {
	const writes = new Map(
		steps.flatMap((step) =>
			step.kind === 'writeAction' && step.write.kind !== 'test'
				? [[step.write.id, step.write] as const]
				: [],
		),
	);
	const written = applied.filter(({ outcome, subject }) => isOpen(outcome, writes.get(subject)));
	if (written.length === 0) return applied;
	let actions = new Map<string, Action>();
	const isShown = ({ subject }: AlertingPart) => shows(writes.get(subject), actions.get(subject));
	const listed = await attempt(
		async () =>
			await poll(client.patience, async () => {
				actions = new Map((await client.listActions()).map((action) => [action.id, action]));
				return written.filter(isDone).every(isShown) ? true : undefined;
			}),
	);
	return applied.map((part) => {
		if (!written.includes(part)) return part;
		const { outcome, subject } = part;
		const action = actions.get(subject);
		const result = action === undefined ? {} : { result: { action } };
		if (!listed.ok) return { ...part, outcome: unverified(outcome.action, listed.error) };
		if (isShown(part)) return { ...part, ...result, outcome: { ...outcome, status: 'done' } };
		if (lacksRoute(outcome, writes.get(subject))) {
			return { ...part, outcome: failureOf(outcome.action, notOffered(outcome.action)) };
		}
		if (outcome.status === 'failed') return part;
		const reason = 'the list of actions does not show it';
		return { ...part, ...result, outcome: { ...outcome, status: 'unverified', reason } };
	});
}

/** Whether the list can tell more: of what was sent, and of a route that the service does not seem to have. */
function isOpen(outcome: Outcome, write: ActionWrite | undefined): boolean {
	if (write === undefined) return false;
	return isDone({ outcome }) || outcome.status === 'unverified' || lacksRoute(outcome, write);
}

/** Creating is documented; of the others a 404 may mean that the service does not have them (docs/interface.md 2.4). */
function lacksRoute(outcome: Outcome, write: ActionWrite | undefined): boolean {
	if (!isFailure(outcome) || write?.kind === 'put') return false;
	return isMissingRoute(outcome.error) && !isConstraint(outcome.error);
}

function isDone({ outcome }: Pick<AlertingPart, 'outcome'>): boolean {
	return outcome.status === 'done';
}

function shows(write: ActionWrite | undefined, action: Action | undefined): boolean {
	switch (write?.kind) {
		case 'put':
			return action?.type === write.type && showsPayload(action.payload, write.payload);
		case 'delete':
			return action === undefined;
		case 'disable':
			return action?.enabled === false;
		case 'enable':
			return action?.enabled === true;
		default:
			return false;
	}
}

/** The better reason for a write that was refused, where there is one. */
async function explain(
	error: unknown,
	write: ActionWrite,
	usageOf: (actionId: string) => Promise<readonly MonitorReference[] | undefined>,
): Promise<unknown> {
	switch (write.kind) {
		case 'put':
			return hasStatus(error, 404, 409) ? refusalOf(error, write) : error;
		case 'delete': {
			if (!isConstraint(error)) return error;
			const usage = await attempt(async () => await usageOf(write.id));
			const named = usage.ok ? (usage.value ?? []) : [];
			return named.length > 0 ? inUse(write.id, named) : error;
		}
		case 'test':
			// The action is in the list, so it is the route that is missing.
			return isMissingRoute(error) ? notOffered('send tests') : error;
		default:
			return error;
	}
}

/** The id of a deleted action is gone permanently (docs/interface.md 2.4); that of one that is there is not. */
function refusalOf(
	error: RequestError,
	{ id, isNew, type }: Extract<ActionWrite, { kind: 'put' }>,
): RequestError {
	return isNew
		? new RequestError(
				`The ID ${id} cannot be used: an action with it was deleted before`,
				`The service never accepts the ID of a deleted action again. Choose another one. If none was deleted, the service does not know the kind ${type}.`,
				error.facts,
			)
		: new RequestError(
				error.message,
				`The service does not know the kind ${type}, or someone has deleted the action just now; its ID can then never be used again.`,
				error.facts,
			);
}

function isUncertain(error: unknown): boolean {
	return error instanceof RequestError && error.facts.mayHaveWorked;
}

function isConstraint(error: unknown): error is RequestError {
	return error instanceof RequestError && error.facts.errorType === 'ResourceConstraint';
}
