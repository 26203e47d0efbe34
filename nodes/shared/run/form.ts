/** Lines of a form that are ticked one by one, under one label. */
export interface Question {
	label: string;
	lines: readonly string[];
	isRequired?: boolean;
}

/**
 * Makes the JSON of n8n's "Define Form: Using JSON", of the Form page and of Send and Wait.
 * @param name of the hidden field that says what the form is about
 */
export function formJson(name: string, about: string, questions: readonly Question[]): string {
	const fields = [
		...questions.map(({ label, lines, isRequired }) => ({
			...{ fieldLabel: label, fieldType: 'checkbox' },
			fieldOptions: { values: lines.map((option) => ({ option })) },
			...(isRequired && { requiredField: true }),
		})),
		{ fieldType: 'hiddenField', fieldName: name, fieldValue: about },
	];
	// n8n puts the text in by String.replace, to which a dollar sign means something.
	return JSON.stringify(fields).replaceAll('$', '\\u0024');
}
