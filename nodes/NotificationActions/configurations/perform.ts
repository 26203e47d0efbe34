import { type Applied, failureOf, type Outcome } from '../../shared/run';
import type { ConfigurationClient } from './configurationClient';
import { configurationSaver, type SaveResult } from './saveConfiguration';
import { type ConfigurationResult, type ConfigurationStep, monitorOf, stateOf } from './step';

/**
 * Makes the one function that saves the change of a step and says what happened to each of its parts. Never throws.
 * @param maxWaitMs as of `configurationSaver`
 */
export function configurationPerformer(
	client: ConfigurationClient,
	maxWaitMs: number,
): (step: ConfigurationStep) => Promise<Array<Applied<ConfigurationResult>>> {
	const save = configurationSaver(client, maxWaitMs);
	return async ({ modelId, read, change, parts }) => {
		const saved = await save(modelId, read, change);
		const { configuration, warnings } = saved;
		const monitors = new Map(configuration.monitors.map((monitor) => [monitor.id, monitor]));
		return parts.map(({ action, ...part }) => {
			const id = monitorOf(part.subject)?.id;
			const outcome = outcomeOf(saved, id ?? part.subject, action);
			const monitor = monitors.get(id ?? '');
			return {
				...part,
				outcome: { ...outcome, ...(warnings.length > 0 && { warnings }) },
				...(id === undefined && { result: { configuration } }),
				...(monitor !== undefined && { result: { monitor: stateOf(modelId, monitor) } }),
			};
		});
	};
}

function outcomeOf(
	{ open, refused, sent, error }: SaveResult,
	piece: string,
	action: string,
): Outcome {
	if (refused.has(piece)) return failureOf(action, refused.get(piece));
	if (!open.has(piece)) {
		// Somebody else may have made it so before anything was sent.
		return { status: sent.has(piece) ? 'done' : 'unchanged', action };
	}
	return sent.has(piece)
		? unverified(action, error)
		: failureOf(action, error ?? 'it was not sent');
}

/** What was sent and not seen. @param error what kept it from being seen, if that is known */
export function unverified(action: string, error: unknown): Outcome {
	const reason =
		error instanceof Error ? error.message : 'the service did not show it when it was read back';
	return { status: 'unverified', action, reason, ...(error !== undefined && { error }) };
}
