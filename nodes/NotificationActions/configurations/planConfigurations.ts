import { type Attempt, checkDepth, InputError, shown } from '../../shared/util';
import { failureOf, type Outcome } from '../../shared/run';
import { type ConfigurationPlan, emptyPlan, monitorSubject } from './change';
import { compareConfigurations, isSame } from './compareConfigurations';
import {
	type Configuration,
	documentOf,
	type JsonObject,
	versionOf,
	whyForeign,
	lossesIn,
	numbersIn,
} from './configuration';
import type { Snapshot } from './saveConfiguration';

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
