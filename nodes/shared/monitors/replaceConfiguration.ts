import { attempt } from '../attempt';
import { InputError } from '../inputError';
import { RequestError } from '../request/requestError';
import { pauseBeforeRepeat } from '../request/retry';
import type { AlertingClient } from './alertingClient';
import { compareConfigurations, isSameLists } from './compareConfigurations';
import type { Configuration } from './configuration';
import { parsed } from './planConfigurations';
import { isFresh, type ReadConfiguration, type SaveSettings } from './saveConfiguration';

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
	let [mayHaveWorked, waitedMs] = [false, 0];
	for (let tries = 1; ; tries++) {
		const put = await attempt(async () => await client.putConfiguration(modelId, text));
		mayHaveWorked ||=
			put.ok || (put.error instanceof RequestError && put.error.facts.mayHaveWorked);
		const outcome = { configuration, seen: false, mayHaveWorked, warnings: [] as string[] };
		if (!put.ok) {
			const pause =
				put.error instanceof RequestError && tries < mostTries
					? pauseBeforeRepeat(put.error, tries - 1, waitedMs, maxWaitMs, Math.random())
					: undefined;
			if (pause === undefined) return { ...outcome, error: put.error };
			await client.patience.wait(pause);
			waitedMs += pause;
		} else if (settleMs > 0) await client.patience.wait(settleMs);

		const back = await attempt(async () => await client.readConfiguration(modelId));
		if (!back.ok) return { ...outcome, error: back.error };
		const now = parsed(back.value.text) ?? {};
		const before = parsed(configuration.text) ?? {};
		const left = compareConfigurations(now, wanted);
		if (isSameLists(left)) {
			const jumped = (back.value.version ?? 0) - (configuration.version ?? 0) > 1;
			return {
				...outcome,
				configuration: back.value,
				seen: true,
				warnings: [
					...(left.otherKeys.length > 0
						? [`The service ignores what was changed in ${left.otherKeys.join(', ')}`]
						: []),
					...(jumped && configuration.version !== undefined
						? [
								'Somebody else wrote this configuration at the same time: that change is overwritten',
							]
						: []),
				],
			};
		}
		const isAsBefore = isSameLists(compareConfigurations(before, now));
		if (!isAsBefore) {
			return { ...outcome, configuration: back.value, error: changedSince(modelId) };
		}
		if (tries >= mostTries || client.patience.cancelled())
			return { ...outcome, configuration: back.value };
	}
}

function changedSince(modelId: string): InputError {
	return new InputError(
		`Somebody else has written the configuration of model ${modelId} meanwhile`,
		'Get it again and make the change there.',
	);
}
