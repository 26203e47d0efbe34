import { type Attempt, InputError, isObject, parseJson } from '../../shared/util';
import { failureOf } from '../../shared/run';
import { type AlertingPlan, configurationPath, emptyAlertingPlan } from '../actions';
import { compareConfigurations, isSame } from './compareConfigurations';
import { readConfiguration, type Configuration } from './configuration';
import type { ReadConfiguration } from './saveConfiguration';

/** A whole configuration as an item wants it. */
export interface WantedConfiguration {
	item: number;
	modelId: string;
	/** The exact text to be sent. */
	text: string;
}

export interface ConfigurationRules {
	organizationId: string;
	configurations: ReadonlyMap<string, Attempt<ReadConfiguration>>;
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
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const document = parsed(text);
	if (document === undefined) {
		throw new InputError(
			'The configuration is not a JSON object',
			'Give the whole document as Get returned it, changed.',
		);
	}
	for (const name of ['monitors', 'analyzers']) {
		if (Array.isArray(document[name])) continue;
		throw new InputError(
			`The configuration has no list of ${name}`,
			`The service would delete all ${name}. Give the whole document; an empty list if there are to be none.`,
		);
	}
	return text;
}

/** Plans Update: the document in the place of the one that is there. */
export function planConfigurations(
	wanted: readonly WantedConfiguration[],
	rules: ConfigurationRules,
): AlertingPlan {
	const plan = emptyAlertingPlan();
	const items = new Map<string, number>();
	for (const want of wanted) {
		const { item, modelId, text } = want;
		const action = `update the monitor configuration of model ${modelId}`;
		const fail = (error: unknown) =>
			plan.settled.push({ item, subject: modelId, outcome: failureOf(action, error) });
		const read = rules.configurations.get(modelId);
		const other = items.get(modelId);
		if (other !== undefined) {
			fail(twice(other, item, modelId));
			continue;
		}
		items.set(modelId, item);
		if (read?.ok !== true) {
			fail(read?.error);
			continue;
		}
		const { configuration } = read.value;
		const difference = compareConfigurations(parsed(configuration.text) ?? {}, parsed(text) ?? {});
		if (isSame(difference)) {
			const outcome = { status: 'unchanged' as const, action };
			plan.settled.push({ item, subject: modelId, outcome, result: { configuration } });
			continue;
		}
		const mayBeNewer = whyNewer(configuration, text);
		if (mayBeNewer !== undefined && !rules.overwritesNewer) {
			fail(mayBeNewer);
			continue;
		}
		const { monitors, analyzers, otherKeys, patch } = difference;
		const removed = monitors.removed.length + analyzers.removed.length;
		if (removed > rules.maxRemovals && !rules.allowsRemovals) {
			plan.blockedBy.push(
				`${removed} monitors and analyzers of model ${modelId} would be removed, more than Max Removals (${rules.maxRemovals}). Check the document, or turn on Allow Removals.`,
			);
		}
		plan.steps.push({
			id: `update ${modelId}`,
			action,
			kind: 'putConfiguration',
			modelId,
			read: read.value,
			text,
			parts: [{ item, subject: modelId }],
			warnings:
				otherKeys.length === 0
					? []
					: [
							`The service replaces analyzers and monitors; whether it takes ${otherKeys.join(', ')} is seen when it is read back`,
						],
			request: { method: 'PUT', path: configurationPath(rules.organizationId, modelId) },
		});
		plan.configurations.push({
			model: modelId,
			touched: { monitors, analyzers, otherKeys },
			patch,
		});
	}
	return plan;
}

/** The document as an object; undefined for anything else. */
export function parsed(text: string): Record<string, unknown> | undefined {
	const document = parseJson(text);
	return isObject(document) ? document : undefined;
}

/** Why the stored document is newer than the one that the wanted was made from, or may be. */
function whyNewer({ version }: Configuration, text: string): InputError | undefined {
	if (version === undefined) return undefined;
	const madeFrom = readConfiguration(text).version;
	if (madeFrom === undefined) {
		return new InputError(
			`The given configuration has no version, so nobody can tell whether it is newer than version ${version} of the service`,
			'Get the configuration again and make the change there, with its metadata, or turn on Overwrite Newer.',
		);
	}
	if (version <= madeFrom) return undefined;
	return new InputError(
		`Somebody has changed the configuration since: it has version ${version}, the given one was made from ${madeFrom}`,
		'Get it again and make the change there, or turn on Overwrite Newer.',
	);
}

function twice(first: number, second: number, modelId: string): InputError {
	return new InputError(
		`Items ${first} and ${second} both give the configuration of model ${modelId}`,
		'Let one item give it.',
	);
}
