import { attempt, InputError } from '../../shared/util';
import { pauseBeforeRepeat, RequestError } from '../../shared/http';
import type { AlertingClient } from '../actions';
import {
	compareConfigurations,
	isSame,
	isSameLists,
	type Difference,
} from './compareConfigurations';
import type { Configuration } from './configuration';
import { parsed } from './planConfigurations';
import {
	isFresh,
	isUncertain,
	jitter,
	type ReadConfiguration,
	type SaveSettings,
} from './saveConfiguration';

export interface Replaced {
	/** The configuration as it was seen last. */
	configuration: Configuration;
	/** Whether the wanted monitors and analyzers were seen there. */
	seen: boolean;
	mayHaveWorked: boolean;
	error?: unknown;
	warnings: string[];
}

/**
 * Puts a whole document in the place of the one that was read, and looks. It is sent again only while the old one is
 * still there, unchanged: whatever somebody else has written meanwhile is not overwritten. Never throws.
 */
export async function replaceConfiguration(
	client: AlertingClient,
	modelId: string,
	read: ReadConfiguration,
	text: string,
	{ mostTries, settleMs, maxWaitMs }: SaveSettings,
): Promise<Replaced> {
	const wanted = parsed(text) ?? {};
	const { configuration } = read;
	if (!isFresh(read)) {
		const again = await attempt(async () => await client.readConfiguration(modelId));
		const error = again.ok ? changedSince(modelId) : again.error;
		if (!again.ok || again.value.text !== configuration.text)
			return { configuration, seen: false, mayHaveWorked: false, warnings: [], error };
	}
	const before = parsed(configuration.text) ?? {};
	const asked = compareConfigurations(before, wanted);
	let [mayHaveWorked, waitedMs] = [false, 0];
	for (let tries = 1; ; tries++) {
		const put = await attempt(async () => await client.putConfiguration(modelId, text));
		mayHaveWorked ||= put.ok || isUncertain(put.error);
		let isLast = tries >= mostTries;
		const outcome = { configuration, seen: false, mayHaveWorked, warnings: [] as string[] };
		if (!put.ok) {
			const pause =
				put.error instanceof RequestError && !isLast
					? pauseBeforeRepeat(put.error, tries - 1, waitedMs, maxWaitMs, Math.random())
					: undefined;
			if (pause === undefined && !isUncertain(put.error)) return { ...outcome, error: put.error };
			// What may have worked is looked for, also when it is not sent again.
			isLast ||= pause === undefined;
			await client.patience.wait(pause ?? 0);
			waitedMs += pause ?? 0;
		} else if (settleMs > 0) await client.patience.wait(settleMs);

		const back = await attempt(async () => await client.readConfiguration(modelId));
		if (!back.ok) return { ...outcome, error: put.ok ? back.error : put.error };
		const now = parsed(back.value.text) ?? {};
		const left = compareConfigurations(now, wanted);
		const moved = (back.value.version ?? 0) - (configuration.version ?? 0);
		const isShown = showsWrite(asked, left);
		if (isSameLists(left) && !isShown && put.ok && moved > 0) {
			const error = new InputError(
				ignored(left.otherKeys),
				'Only monitors and analyzers can be changed this way.',
			);
			return { ...outcome, configuration: back.value, mayHaveWorked: false, error };
		}
		if (isSameLists(left) && isShown) {
			const jumped = moved > 1;
			return {
				...outcome,
				configuration: back.value,
				seen: true,
				warnings: [
					...(left.otherKeys.length > 0 ? [ignored(left.otherKeys)] : []),
					...(jumped && configuration.version !== undefined
						? [
								'Somebody else wrote this configuration at the same time: that change is overwritten',
							]
						: []),
				],
			};
		}
		if (!isSame(compareConfigurations(before, now))) {
			return { ...outcome, configuration: back.value, error: changedSince(modelId) };
		}
		if (isLast || client.patience.cancelled()) {
			const unsent = put.ok ? {} : { error: put.error };
			return { ...outcome, configuration: back.value, ...unsent };
		}
		if (put.ok) await client.patience.wait(jitter());
	}
}

/** Whether something that was asked for is there: lists that were right before prove nothing. */
function showsWrite(asked: Difference, left: Difference): boolean {
	return !isSameLists(asked) || asked.otherKeys.some((key) => !left.otherKeys.includes(key));
}

function ignored(keys: readonly string[]): string {
	return `The service ignores what was changed in ${keys.join(', ')}`;
}

function changedSince(modelId: string): InputError {
	return new InputError(
		`Somebody else has written the configuration of model ${modelId} meanwhile`,
		'Get it again and make the change there.',
	);
}
