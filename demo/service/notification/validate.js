'use strict';

const { ExactNumber } = require('../exactJson');
const { invalid } = require('./messages');

const MAX_ITEMS = 1000;
const MAX_ACTIONS = 100;
const MAX_TARGET = 100;
const MODES = ['EVERY_ANOMALY', 'DIGEST'];
const SCHEDULES = ['fixed', 'cron', 'immediate'];
const ID = /^[0-9a-zA-Z_-]+$/;

const MIN_NAME = 10;
const MAX_NAME = 256;

/** Each optional field of a monitor: [name, what it must be, test]. test/contract/interface.md 2.5. */
const OPTIONAL = [
	['displayName', `a text of ${MIN_NAME} to ${MAX_NAME} characters`, isName],
	['severity', 'a number', (value) => value instanceof ExactNumber],
	['disabled', 'a boolean', (value) => typeof value === 'boolean'],
	['tags', 'a list of texts', isTextList],
];
/** The same for those that have to be there. */
const REQUIRED = [
	['analyzerIds', 'a list of at most one text', (value) => isTextList(value) && value.length <= 1],
	['actions', 'a list', Array.isArray],
];

function isName(value) {
	return typeof value === 'string' && value.length >= MIN_NAME && value.length <= MAX_NAME;
}

function isTextList(value) {
	return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/**
 * Checks a whole configuration the way the service does on every write.
 * @param {Map<string, unknown>} document
 * @param {(target: string) => boolean} targetExists
 * @throws {import('../answer').Refusal} 400 that names the place
 */
function validateConfiguration(document, targetExists) {
	for (const name of ['analyzers', 'monitors']) checkItems(document.get(name), name);
	const names = new Set();
	for (const [i, monitor] of document.get('monitors').entries()) {
		const place = `monitors[${i}]`;
		checkMonitor(monitor, place, targetExists);
		const name = monitor.get('displayName');
		if (names.has(name)) {
			throw invalid(`monitors has the displayName ${name} twice`, `${place}.displayName`);
		}
		if (name !== undefined) names.add(name);
	}
}

function checkItems(items, name) {
	if (!Array.isArray(items)) throw invalid(`${name} is not a list`, name);
	if (items.length > MAX_ITEMS) throw invalid(`${name} has more than ${MAX_ITEMS} items`, name);
	const ids = new Set();
	for (const [i, item] of items.entries()) {
		const place = `${name}[${i}]`;
		if (!(item instanceof Map)) throw invalid(`${place} is not an object`, place);
		const id = item.get('id');
		if (typeof id !== 'string' || !ID.test(id))
			throw invalid(`${place} has no valid id`, `${place}.id`);
		if (ids.has(id)) throw invalid(`${name} has the id ${id} twice`, `${place}.id`);
		ids.add(id);
	}
}

function checkMonitor(monitor, place, targetExists) {
	const { length } = monitor.get('id');
	if (length < 10 || length > 128) {
		throw invalid('The id of a monitor has 10 to 128 characters', `${place}.id`);
	}
	const present = OPTIONAL.filter(([name]) => monitor.has(name));
	for (const [name, what, fits] of [...present, ...REQUIRED]) {
		if (!fits(monitor.get(name))) {
			throw invalid(`${place}.${name} is not ${what}`, `${place}.${name}`);
		}
	}
	for (const [name, types] of [
		['mode', MODES],
		['schedule', SCHEDULES],
	]) {
		const value = monitor.get(name);
		if (!(value instanceof Map) || !types.includes(value.get('type'))) {
			throw invalid(`${place}.${name} is missing or of no known type`, `${place}.${name}`);
		}
	}
	checkActions(monitor.get('actions'), `${place}.actions`, targetExists);
}

// The same target twice is let through: so does the service (test/contract/interface.md 2.5).
function checkActions(actions, place, targetExists) {
	if (actions.length > MAX_ACTIONS) throw invalid(`More than ${MAX_ACTIONS} actions`, place);
	for (const [i, action] of actions.entries()) {
		const here = `${place}[${i}]`;
		if (!(action instanceof Map) || action.get('type') !== 'global') {
			throw invalid('The type of an action must be global', `${here}.type`);
		}
		const target = action.get('target');
		if (typeof target !== 'string' || target.length > MAX_TARGET || !targetExists(target)) {
			throw invalid(`Action ${target} does not exist`, `${here}.target`);
		}
	}
}

module.exports = { validateConfiguration };
