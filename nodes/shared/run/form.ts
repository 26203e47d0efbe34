import { InputError, isObject, shown } from '../util';
import { parameterJson } from './parameter';

/** Lines of a form that are ticked one by one, under one label. */
export interface Question {
	label: string;
	lines: readonly string[];
}

/** What a form was answered. */
export interface FormAnswer {
	fields: Readonly<Record<string, unknown>>;
	/** The lines that are ticked, by the label of their question. */
	ticked: ReadonlyMap<string, readonly string[]>;
}

/**
 * The JSON of n8n's "Define Form: Using JSON", of the Form page and of Send and Wait.
 * @param name of the hidden field that says what the form is about
 */
export function formJson(name: string, about: string, questions: readonly Question[]): string {
	const fields = [
		...questions.map(({ label, lines }) => ({
			...{ fieldLabel: label, fieldType: 'checkbox' },
			fieldOptions: { values: lines.map((option) => ({ option })) },
		})),
		{ fieldType: 'hiddenField', fieldName: name, fieldValue: about },
	];
	// n8n puts the text in by String.replace, to which a dollar sign means something.
	return JSON.stringify(fields).replaceAll('$', '\\u0024');
}

/**
 * The answer of a form, as the Form page, Wait, or Send and Wait returns it.
 * @throws InputError for anything that is no answer
 */
export function readFormAnswer(value: unknown, parameter: string): FormAnswer {
	const given = parameterJson(value, parameter);
	const fields = isObject(given) && isObject(given.data) ? given.data : given;
	if (!isObject(fields)) throw notTheAnswer(parameter);
	const ticked = Object.entries(fields).flatMap(([label, lines]) =>
		Array.isArray(lines) ? [[label, lines.map(String)] as const] : [],
	);
	return { fields, ticked: new Map(ticked) };
}

/**
 * What the hidden field of a form says that it is about.
 * @param name of the field
 * @throws InputError for anything else than that form's answer, such as the input that n8n passes on after the time limit
 */
export function subjectOf({ fields }: FormAnswer, name: string, parameter: string): string {
	const subject = fields[name];
	if (typeof subject !== 'string' || subject === '') throw notTheAnswer(parameter);
	return subject;
}

/** @param parameter that has no answer, or a part of one */
export function notTheAnswer(parameter: string): InputError {
	return new InputError(
		`${parameter} is not the answer to the form`,
		'Nobody answered in time, or the step before returned something else. Use {{ $json }} right behind the node that asks. Nothing was sent.',
	);
}

/** @param parameter with the answer */
export function unknownLine(parameter: string, line: string): InputError {
	return new InputError(
		`${parameter} has a line that is not in the form: ${shown(line)}`,
		'Use the answer as the form returned it. Nothing was sent.',
	);
}
