'use strict';

// What n8n's Form page and Send and Wait make of the JSON of a form, and of its answer (nodes-base 2.41: Form/utils,
// n8n-workflow type-validation).

const KEYS = [
	...['fieldLabel', 'fieldType', 'fieldOptions', 'requiredField', 'fieldName', 'fieldValue'],
];

/** The fields, as n8n reads them from the expression `={{ $json.approvalForm }}`. */
function fieldsOf(json) {
	const expression = '{{ $json.approvalForm }}';
	const fields = JSON.parse(expression.replace(expression, json));
	for (const field of fields) {
		for (const [key, value] of Object.entries(field)) {
			if (!KEYS.includes(key)) throw new Error(`n8n knows no ${key}`);
			if (typeof value === 'string')
				field[key] = value.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
		}
	}
	return fields;
}

const linesOf = ({ fieldOptions }) => fieldOptions.values.map(({ option }) => option);

const ALL = 'all of these';

/** The item of an answer. @param tick whether a line is ticked, by its text and its question; one for all lines only by itself */
function answerOf(json, tick) {
	const answer = { submittedAt: '2026-01-01T00:00:00.000Z', formMode: 'production' };
	for (const field of fieldsOf(json)) {
		if (field.fieldType === 'hiddenField') answer[field.fieldName] = field.fieldValue;
		else
			answer[field.fieldLabel] = linesOf(field)
				.filter((line) => (line.endsWith(ALL) ? tick === ticksAll : tick(line, field.fieldLabel)))
				.map((line) => line.trim());
	}
	return answer;
}

/** Of each question the line for all of its lines, where it has one. */
const ticksAll = (line) => line.endsWith(ALL);

/** Labels with their lines. */
const questionsOf = (json) =>
	fieldsOf(json).flatMap((field) =>
		field.fieldType === 'checkbox' ? [[field.fieldLabel, linesOf(field)]] : [],
	);

module.exports = { answerOf, questionsOf, ticksAll };
