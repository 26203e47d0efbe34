import { parameterJson } from '../../run';
import { InputError, isObject, shown } from '../../util';

/** The hidden field of the form of a plan, which says of which. */
export const APPROVAL_OF = 'approvalOf';
/** The question of any other form. */
export const DECISION = 'Approve these changes?';
/** What the buttons of n8n's Send and Wait answer. */
const BUTTON = 'approved';
const YES = 'Yes';
const NO = 'No';

type Fields = Readonly<Record<string, unknown>>;
const NO_FIELDS: Fields = {};

/** What somebody who was asked answered: nothing that is an answer; no; yes to the whole; or lines of the form of the plan. */
export interface Answer {
	says: 'nothing' | 'no' | 'yes' | 'lines';
	fields: Fields;
	/** Why it can be taken for neither yes nor no. */
	unclear?: InputError;
}

/**
 * Reads an answer from an item, as the Form page, Wait, and Send and Wait return it. A no counts whatever stands beside it. What
 * has a label of this node is never overruled by another field.
 * @param name of what holds it, for the error
 * @throws InputError for what is nested too deeply
 */
export function readAnswer(value: unknown, name: string): Answer {
	const given = parameterJson(value, name);
	const all = isObject(given) ? [given, given.data].filter(isObject) : [];
	// Whoever has the address of a Wait can make up what it returns: a no counts there, a yes does not.
	const told = isObject(given) ? [given.query, given.body].filter(isObject) : [];
	if ([...all, ...told].some(declines)) return { says: 'no', fields: {} };
	const fields = all.find(hasLines) ?? all.find(hasLabel) ?? all.find(isOfForm) ?? bare(given);
	const unclear = unclearIn(fields, isOfForm(fields) || fields === bare(given));
	const says = hasLines(fields) ? 'lines' : approves(fields) ? 'yes' : 'nothing';
	return { says, fields, ...(unclear && { unclear }) };
}

/** @throws InputError for no answer, such as the input that n8n passes on after the time limit, and an unclear one */
export function requireAnswer({ says, unclear }: Answer, name: string): void {
	if (unclear !== undefined) throw unclear;
	if (says !== 'nothing') return;
	throw new InputError(
		`${name} is not the answer to the form`,
		`Nobody answered in time, or the step before returned something else. Use {{ $json }} right behind the node that asks; a question of your own has exactly the label "${DECISION}", and the choices ${YES} and ${NO}. To apply a plan without asking, set Changes to All, Without an Approval. Nothing was sent.`,
	);
}

function declines({ [BUTTON]: button, [DECISION]: decision }: Fields): boolean {
	// A node between may have made text of it.
	const isFalse = typeof button === 'string' && button.trim().toLowerCase() === 'false';
	return button === false || isFalse || isWord(decision, NO);
}

function approves(fields: Fields): boolean {
	return fields[BUTTON] === true || isWord(fields[DECISION], YES);
}

function hasLines(fields: Fields): boolean {
	return APPROVAL_OF in fields;
}

function hasLabel(fields: Fields): boolean {
	return fields[BUTTON] === true || DECISION in fields;
}

/** What the Form page and Wait add to an answer, and Send and Wait in their place. */
const MARKS = ['submittedAt', 'formMode', 'respondedAt'];

function isOfForm(fields: Fields): boolean {
	return MARKS.some((name) => name in fields);
}

/** The answer to a form of older versions of Send and Wait, which is all of its item and has no marks. */
function bare(given: unknown): Fields {
	const [[name, data] = [], ...others] = isObject(given) ? Object.entries(given) : [];
	return name === 'data' && others.length === 0 && isObject(data) ? data : NO_FIELDS;
}

/** The one choice of a dropdown, which is a list where several may be chosen. */
function oneOf(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

/** Whether a choice is the word, or a text is, whatever its case. */
function isWord(value: unknown, word: string): boolean {
	const said = oneOf(value);
	return typeof said === 'string' && said.trim().toLowerCase() === word.toLowerCase();
}

function unclearIn(fields: Fields, isForm: boolean): InputError | undefined {
	if (approves(fields)) return undefined;
	const isAsked = DECISION in fields;
	const name = isAsked
		? DECISION
		: Object.keys(fields).find((one) => isForm && isWord(fields[one], NO));
	if (name === undefined) return undefined;
	const said = isAsked ? 'answered with neither Yes nor No' : 'answered No';
	return new InputError(
		`The answer is unclear: "${shown(name)}" was ${said}`,
		`A form declines or approves a plan with a question that has exactly the label "${DECISION}", and the choices ${YES} and ${NO}. Nothing was sent.`,
	);
}
