import { attempt, poll } from '../../shared/util';
import { failureOf, type Outcome } from '../../shared/run';
import { hasStatus, RequestError } from '../../shared/http';
import { showsPayload, type Action, type MonitorReference } from './action';
import { isMissingRoute, type AlertingClient } from './alertingClient';
import { inUse, notOffered } from './planActions';
import {
	configurationSaver,
	monitorEditor,
	replaceConfiguration,
	type SaveSettings,
	stateOf,
} from '../configurations';
import { partKey, type AlertingPart, type AlertingStep } from './step';

/** What carrying out steps needs beside the client. */
export interface Performing {
	saving: SaveSettings;
	/** The monitors that use an action, asked for anew; undefined when that cannot be found out. */
	usersOf(actionId: string): Promise<readonly MonitorReference[] | undefined>;
}

/** Makes the one function that sends a step and says what became of each of its parts. */
export function performer(
	client: AlertingClient,
	{ saving, usersOf }: Performing,
): (step: AlertingStep) => Promise<AlertingPart[]> {
	const save = configurationSaver(client, saving);

	return async (step) => {
		const every = (outcome: Outcome) => step.parts.map((part) => ({ ...part, outcome }));
		const { action } = step;
		switch (step.kind) {
			case 'putAction': {
				const { actionId, segment, payload } = step;
				const put = await attempt(async () => await client.putAction(actionId, segment, payload));
				const outcome = sentOutcome(put, action, (error) => refused(error, step));
				const { warnings } = step;
				return every({ ...outcome, ...(warnings.length > 0 && { warnings }) });
			}
			case 'deleteAction': {
				const { actionId } = step;
				const sent = await attempt(async () => await client.deleteAction(actionId));
				if (sent.ok || !isConstraint(sent.error)) return every(sentOutcome(sent, action));
				const users = await attempt(async () => await usersOf(actionId));
				const named = users.ok && users.value !== undefined && users.value.length > 0;
				return every(failureOf(action, named ? inUse(actionId, users.value ?? []) : sent.error));
			}
			case 'setEnabled': {
				const { actionId, enabled } = step;
				const sent = await attempt(async () => await client.setActionEnabled(actionId, enabled));
				return every(sentOutcome(sent, action));
			}
			case 'sendTest':
				return every(await testOutcome(client, step.actionId, action));
			case 'editMonitors':
				return await editMonitors(step);
			case 'putConfiguration': {
				const { modelId, read, text } = step;
				const replaced = await replaceConfiguration(client, modelId, read, text, saving);
				const { configuration, seen, error, mayHaveWorked, warnings } = replaced;
				const outcome: Outcome = seen
					? { status: 'done', action, ...(warnings.length > 0 && { warnings }) }
					: failed(action, error, mayHaveWorked);
				return every(outcome).map((part) => ({ ...part, result: { configuration } }));
			}
		}
	};

	async function editMonitors(
		step: Extract<AlertingStep, { kind: 'editMonitors' }>,
	): Promise<AlertingPart[]> {
		const { modelId, read, changes, parts, words } = step;
		const edit = monitorEditor(changes);
		const saved = await save(modelId, read, edit);
		const { warnings } = saved;
		const last = edit(saved.configuration);
		const unfinished = new Set([...last.touched.map(({ monitor }) => monitor.id), ...saved.unseen]);
		const monitors = new Map(saved.configuration.monitors.map((monitor) => [monitor.id, monitor]));
		return parts.map((part) => {
			const id = part.subject.slice(modelId.length + 1);
			const monitor = monitors.get(id);
			const action = words.get(partKey(part)) ?? step.action;
			const outcome: Outcome =
				monitor === undefined
					? { status: 'failed', action, reason: `monitor ${id} is no longer there` }
					: last.refused.has(id)
						? failureOf(action, last.refused.get(id))
						: unfinished.has(id)
							? failed(action, saved.error, saved.written.has(id))
							: // Somebody else has made it so before anything was sent.
								{ status: saved.written.has(id) ? 'done' : 'unchanged', action };
			return {
				...part,
				outcome: { ...outcome, ...(warnings.length > 0 && { warnings }) },
				...(monitor !== undefined && { result: { monitor: stateOf(modelId, monitor) } }),
			};
		});
	}
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
	const byId = new Map(
		steps.flatMap((step) =>
			step.kind === 'putAction' || step.kind === 'deleteAction' || step.kind === 'setEnabled'
				? [[step.actionId, step] as const]
				: [],
		),
	);
	const written = applied.filter(({ outcome, subject }) => isOpen(outcome, byId.get(subject)));
	if (written.length === 0) return applied;
	let actions = new Map<string, Action>();
	const isShown = ({ subject }: AlertingPart) => shows(byId.get(subject), actions.get(subject));
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
		if (!listed.ok) return { ...part, outcome: unseen(outcome.action, listed.error) };
		if (isShown(part)) return { ...part, ...result, outcome: { ...outcome, status: 'done' } };
		if (lacksRoute(outcome, byId.get(subject))) {
			return { ...part, outcome: failureOf(outcome.action, notOffered(outcome.action)) };
		}
		if (outcome.status === 'failed') return part;
		const reason = 'the list of actions does not show it';
		return { ...part, ...result, outcome: { ...outcome, status: 'unverified', reason } };
	});
}

/** What a part of this kind was said to be; a reason of its own for what was refused. */
function sentOutcome(
	sent: { ok: true } | { ok: false; error: unknown },
	action: string,
	better: (error: unknown) => unknown = (error) => error,
): Outcome {
	if (sent.ok) return { status: 'done', action };
	const { error } = sent;
	const mayHaveWorked = error instanceof RequestError && error.facts.mayHaveWorked;
	return mayHaveWorked ? unseen(action, error) : failureOf(action, better(error));
}

/** Whether the list can tell more: of what was sent, and of a route that the service does not seem to have. */
function isOpen(outcome: Outcome, step: AlertingStep | undefined): boolean {
	if (step === undefined) return false;
	return isDone({ outcome }) || outcome.status === 'unverified' || lacksRoute(outcome, step);
}

/** Creating is documented; of the others a 404 may mean that the service does not have them (docs/interface.md 2.4). */
function lacksRoute({ error }: Outcome, step: AlertingStep | undefined): boolean {
	return step?.kind !== 'putAction' && isMissingRoute(error) && !isConstraint(error);
}

function isDone({ outcome }: Pick<AlertingPart, 'outcome'>): boolean {
	return outcome.status === 'done';
}

function shows(step: AlertingStep | undefined, action: Action | undefined): boolean {
	switch (step?.kind) {
		case 'putAction': {
			const { segment, payload } = step;
			return action?.type === segment && showsPayload(action.payload, payload);
		}
		case 'deleteAction':
			return action === undefined;
		case 'setEnabled':
			return action?.enabled === step.enabled;
		default:
			return false;
	}
}

/** A test is sent once; that it was delivered is seen only where it arrives. */
async function testOutcome(
	client: AlertingClient,
	actionId: string,
	action: string,
): Promise<Outcome> {
	const sent = await attempt(async () => await client.sendTest(actionId));
	if (sent.ok) return { status: 'done', action, reason: 'the service has taken it' };
	// The action is in the list, so it is the route that is missing.
	if (isMissingRoute(sent.error)) return failureOf(action, notOffered('send tests'));
	return sentOutcome(sent, action);
}

function failed(action: string, error: unknown, mayHaveWorked: boolean): Outcome {
	return mayHaveWorked ? unseen(action, error) : failureOf(action, error ?? 'it was not sent');
}

function unseen(action: string, error: unknown): Outcome {
	const reason =
		error instanceof Error ? error.message : 'the service did not show it when it was read back';
	return { status: 'unverified', action, reason, ...(error !== undefined && { error }) };
}

/** The id of a deleted action is gone for good (docs/interface.md 2.4); that of one that is there is not. */
function refused(
	error: unknown,
	{ actionId: id, isNew, segment }: Extract<AlertingStep, { kind: 'putAction' }>,
): unknown {
	if (!hasStatus(error, 404, 409)) return error;
	if (!isNew) {
		return new RequestError(
			error.message,
			`The service does not know the kind ${segment}, or somebody has deleted the action just now; its ID can then never be used again.`,
			error.facts,
		);
	}
	return new RequestError(
		`The ID ${id} cannot be used: an action with it was deleted before`,
		`The service never takes the ID of a deleted action again. Choose another one. If none was deleted, the service does not know the kind ${segment}.`,
		error.facts,
	);
}

function isConstraint(error: unknown): error is RequestError {
	return error instanceof RequestError && error.facts.errorType === 'ResourceConstraint';
}
