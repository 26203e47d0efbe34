'use strict';

const { Types } = require('scimmy');
const { refusal } = require('./messages');

const invalid = (expression) =>
	refusal(400, `Filter not supported: ${expression}`, { scimType: 'invalidFilter' });

/**
 * Reads a filter of one comparison.
 * @param {string} expression
 * @returns {{ attribute: string, operator: string, value: unknown }} attribute in lower case, dotted
 * @throws {import('../answer').Refusal} 400 invalidFilter
 */
function readFilter(expression) {
	let clauses;
	try {
		clauses = [...new Types.Filter(expression)];
	} catch {
		throw invalid(expression);
	}
	const path = [];
	let comparison = clauses.length === 1 ? clauses[0] : undefined;
	while (comparison && !Array.isArray(comparison)) {
		const entries = Object.entries(comparison);
		if (entries.length !== 1) throw invalid(expression);
		path.push(entries[0][0]);
		comparison = entries[0][1];
	}
	if (!comparison) throw invalid(expression);
	return {
		attribute: path.join('.').toLowerCase(),
		operator: String(comparison[0]).toLowerCase(),
		value: comparison[1],
	};
}

/**
 * What a list is asked for.
 * @param {string | undefined} expression the `filter` of the query
 * @param {'on' | 'off' | 'ignored'} mode
 * @returns {{ attribute: string, operator: string, value: unknown } | undefined} nothing: everything
 * @throws {import('../answer').Refusal} 400 invalidFilter
 */
function filterOf(expression, mode) {
	if (expression === undefined || mode === 'ignored') return undefined;
	if (mode === 'off') throw invalid(expression);
	return readFilter(String(expression));
}

/**
 * The value of an equality with a quoted text.
 * @throws {import('../answer').Refusal} 400 invalidFilter when it is another kind of comparison
 */
function equalText({ operator, value }, expression) {
	const quoted = typeof value === 'string' && /"\s*$/.test(expression);
	if (operator !== 'eq' || !quoted) throw invalid(expression);
	return value;
}

module.exports = { filterOf, equalText, invalid };
