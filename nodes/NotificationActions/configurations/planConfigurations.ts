import { type Attempt, checkDepth, InputError } from '../../shared/util';
import { failureOf, type Outcome } from '../../shared/run';
import { type ConfigurationPlan, emptyPlan, monitorSubject } from './change';
import { compareConfigurations, isSame } from './compareConfigurations';
import { type Configuration, documentOf, readConfiguration } from './configuration';
import type { Snapshot } from './saveConfiguration';

/** A whole configuration as an item wants it. */
export interface ConfigurationWish {
	item: number;
	modelId: string;
	/** The exact text to be sent. */
	text: string;
}

export interface ConfigurationRules {
	configurations: ReadonlyMap<string, Attempt<Snapshot>>;
	/** More monitors and analyzers than this are not removed, unless allowed. */
	maxRemovals: number;
	allowsRemovals: boolean;
	/** Whether a newer configuration than the wanted one was made from may be overwritten, and one of unknown age. */
	overwritesNewer: boolean;
}

/**
 * Checks a whole document before it is sent in the place of another.
 * @param value JSON text, or the document itself
 * @returns the exact text to be sent
 * @throws InputError for anything without lists of monitors and analyzers: the service would delete all of them
 */
export function checkDocument(value: unknown): string {
	const text =
		typeof value === 'string' ? value : JSON.stringify(checkDepth(value, 'The configuration'));
	const document = documentOf(text);
	if (document === undefined) {
		throw new InputError(
			'The configuration is not a JSON object',
			'Provide the whole document as Get returned it, changed.',
		);
	}
	for (const name of ['monitors', 'analyzers']) {
		if (Array.isArray(document[name])) continue;
		throw new InputError(
			`The configuration has no list of ${name}`,
			`The service would delete all ${name}. Provide the whole document, with an empty list to have none.`,
		);
	}
	return text;
}

/** Plans Update: the document in the place of the one that is there. */
export function planConfigurations(
	wishes: readonly ConfigurationWish[],
	rules: ConfigurationRules,
): ConfigurationPlan {
	const plan: ConfigurationPlan = emptyPlan();
	const items = new Map<string, number>();
	for (const { item, modelId, text } of wishes) {
		const action = `update the monitor configuration of model ${modelId}`;
		const settle = (outcome: Outcome, configuration?: Configuration) =>
			plan.settled.push({
				item,
				subject: monitorSubject(modelId),
				outcome,
				...(configuration !== undefined && { result: { configuration } }),
			});
		const read = rules.configurations.get(modelId);
		const other = items.get(modelId);
		if (other !== undefined) {
			settle(failureOf(action, twice(other, item, modelId)));
			continue;
		}
		items.set(modelId, item);
		if (read?.ok !== true) {
			settle(failureOf(action, read?.error));
			continue;
		}
		const { configuration } = read.value;
		const touched = compareConfigurations(
			documentOf(configuration.text) ?? {},
			documentOf(text) ?? {},
		);
		if (isSame(touched)) {
			settle({ status: 'unchanged', action }, configuration);
			continue;
		}
		const mayBeNewer = whyNewer(configuration, text);
		if (mayBeNewer !== undefined && !rules.overwritesNewer) {
			settle(failureOf(action, mayBeNewer));
			continue;
		}
		const { monitors, analyzers, otherKeys } = touched;
		const removed = monitors.removed.length + analyzers.removed.length;
		if (removed > rules.maxRemovals && !rules.allowsRemovals) {
			plan.blockedBy.push(
				`${removed} monitors and analyzers of model ${modelId} would be removed, more than Max Removals (${rules.maxRemovals}). Check the document, or turn on Allow Removals.`,
			);
		}
		const keys = otherKeys.join(', ');
		plan.changes.push({
			...{ about: 'document', key: action, action, subject: monitorSubject(modelId) },
			...{ model: modelId, text, items: [item], restsOn: [] },
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

/** Why the stored document is newer than the one that the wanted was made from, or may be. */
function whyNewer({ version }: Configuration, text: string): InputError | undefined {
	if (version === undefined) return undefined;
	const madeFrom = readConfiguration(text).version;
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

function twice(first: number, second: number, modelId: string): InputError {
	return new InputError(
		`Items ${first} and ${second} both provide the configuration of model ${modelId}`,
		'Provide it in one item.',
	);
}
