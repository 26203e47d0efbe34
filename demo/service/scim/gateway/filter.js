'use strict';

const { refusal } = require('./messages');

const invalid = (expression) =>
	refusal(400, `Filter not supported: ${expression}`, { scimType: 'invalidFilter' });

const IN_BRACKETS = /^(.*)\[(.*) (.*) (.*)\]$/;

/**
 * What a list is asked for. The gateway splits at blanks: it knows one comparison, and takes everything
 * between the first quote and the last for its value.
 * @param {string | undefined} expression the `filter` of the query
 * @param {'on' | 'off' | 'ignored'} mode
 * @returns {{ attribute: string, value: string } | undefined} an equality; nothing: everything is asked for
 * @throws {import('../../answer').Refusal} 400 invalidFilter
 */
function filterOf(expression, mode) {
	if (!expression || mode === 'ignored') return undefined;
	if (mode === 'off') throw invalid(expression);
	const { attribute, operator, value } = comparisonIn(expression.trim()) ?? {};
	if (operator !== 'eq') throw invalid(expression);
	return { attribute, value };
}

function comparisonIn(expression) {
	const [attribute, operator, ...values] = expression.split(' ');
	const isQuoted = values[0]?.startsWith('"') && values.at(-1).endsWith('"');
	if (values.length !== 1 && !isQuoted) return undefined;
	if (!attribute.includes('[')) {
		const value = decodeURIComponent(values.join(' ').replaceAll('"', ''));
		return { attribute, operator: operator.toLowerCase(), value };
	}
	const [, list, inside, compared, text] = IN_BRACKETS.exec(expression) ?? [];
	return (
		list && { attribute: `${list}.${inside}`, operator: compared, value: text.replaceAll('"', '') }
	);
}

module.exports = { filterOf, invalid };
