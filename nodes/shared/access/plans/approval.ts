import type { Traits } from '../../scim';
import { addTo, InputError, shown, disambiguated, isObject } from '../../util';
import { parameterJson } from '../../run';
import { byKind, gained, isValue, kindOf, lost, nameOf, orderOf, type Change } from '../changes';
import { beyondWords, comesAlong, gives, isOfAccess, RISKS } from '../guards';
import { isReview, type Plan, type PlannedChange } from './sealedPlan';
import { countsOf, formText, lineOf } from './summary';

/** Changes that have a line of their own; all beyond have one together. */
const MOST_LINES = 500;
const ALL = 'all of these';
const EXCESS = 'Allow More Than the Limit For';
/** Last in a review: nobody is kept by a form that was sent unread. */
const CONFIRM = 'Confirm';
const LOOKED = 'I have looked at everybody';
const NOT_APPROVED = 'not approved';
const KEPT = 'kept';

type FormPlan = Pick<Plan, 'changes' | 'excess' | 'seal' | 'settings' | 'names'>;
type NameOf = Parameters<typeof lineOf>[1];

/** The form that asks for an approval of each change of a plan. @param nameOfPlace the name of an organization */
export function approvalForm(plan: FormPlan, nameOfPlace: NameOf): string {
	const { excess, seal } = plan;
	return formJson(APPROVAL_OF, seal, [
		...questionsOf(plan, nameOfPlace),
		...(excess.length > 0 ? [{ label: EXCESS, lines: excess.map(excessLine) }] : []),
		...(isReview(plan) ? [{ label: CONFIRM, lines: [LOOKED], isRequired: true }] : []),
	]);
}

function excessLine(excess: Plan['excess'][number]): string {
	return `${beyondWords(excess)}: intended`;
}

/** Questions with their lines numbered throughout, so that no two labels and no two lines are the same. */
function numbered(questions: readonly ChangesQuestion[]): ChangesQuestion[] {
	let number = 0;
	return questions.map((question, index) => ({
		...question,
		label: `${index + 1}. ${question.label}`,
		lines: question.lines.map((line) => `${(number += 1)}. ${line}`),
	}));
}

interface ChangesQuestion extends Question {
	/** Those of each line. */
	changes: ReadonlyArray<readonly PlannedChange[]>;
}

/**
 * One question per person with what happens; where it is who leaves one group, per what happens with whom it happens to. Each of
 * several lines begins with one for all of them; all changes beyond the most lines are one.
 */
function questionsOf(plan: FormPlan, nameOfPlace: NameOf): ChangesQuestion[] {
	const { changes, names = [] } = plan;
	const sorted = [...byPerson(changes).values()].flat();
	const [own, others] = [sorted.slice(0, MOST_LINES), sorted.slice(MOST_LINES)];
	const called = new Map(names);
	const who = ({ person }: PlannedChange) => ({
		name: formText(called.get(person.key) ?? nameOf(person)),
		id: formText(person.id ?? 'new'),
	});
	const what = (one: PlannedChange) => ({
		name: lineOf(one, nameOfPlace),
		id: formText(groupIdsOf(one)),
	});
	const asksWho = isOfOneGroup(changes);
	const whatKey = (one: PlannedChange) => `${what(one).name}\n${what(one).id}`;
	const asked = [...(asksWho ? grouped(own, whatKey) : byPerson(own)).values()];
	const [label, line] = asksWho ? [what, who] : [who, what];
	const labels = disambiguated(asked.map(([one]) => label(one))).map((text) => {
		if (!isReview(plan)) return text;
		return asksWho ? `Who should leave? Who is ticked ${text}` : `${text}: what should go?`;
	});
	return numbered([
		...asked.map((all, index) => {
			const lines = disambiguated(all.map(line));
			const each = all.map((one) => [one]);
			return all.length > 1
				? { label: labels[index], lines: [ALL, ...lines], changes: [all, ...each] }
				: { label: labels[index], lines, changes: each };
		}),
		...(others.length > 0
			? [{ label: 'All others', lines: [countsOf(byKind(others))], changes: [others] }]
			: []),
	]);
}

/** Whether all that happens is that people leave one group. */
function isOfOneGroup(changes: readonly PlannedChange[]): boolean {
	const isRemoval = changes.every(({ change }) => change === 'revoked');
	return isRemoval && new Set(changes.map(groupIdsOf)).size === 1;
}

function byPerson(changes: readonly PlannedChange[]): Map<string, PlannedChange[]> {
	return grouped(changes, ({ person }) => person.key);
}

function grouped(
	changes: readonly PlannedChange[],
	keyOf: (change: PlannedChange) => string,
): Map<string, PlannedChange[]> {
	const all = new Map<string, PlannedChange[]>();
	for (const change of changes) addTo(all, keyOf(change), change);
	return all;
}

function groupIdsOf(change: PlannedChange): string {
	if (!isOfAccess(change)) return change.key;
	return [...gained(change), ...lost(change)]
		.map((one) => (isValue(one) ? one.value : one.groupId))
		.join(', ');
}

/** What an answer approves. */
export interface Approved {
	/** Keys of changes. */
	changes: ReadonlySet<string>;
	/** Kinds of change that may exceed limits, by name. */
	excess: readonly string[];
}

/**
 * What an answer approves: all of a plan, or the lines that are ticked where it has any.
 * @param name of what holds the answer, for the error
 * @throws InputError for the answer of another plan, one that ticks nothing, one with an unknown line, and for a review that is
 * answered by anything but its own form, or not to its end
 */
export function approvedBy(
	{ says, fields }: Answer,
	name: string,
	plan: FormPlan,
	nameOfPlace: NameOf,
): Approved {
	const ticked = tickedIn(fields);
	const excess = (ticked.get(EXCESS) ?? []).map((line) => excessNamed(line, plan));
	if (says !== 'lines') {
		if (isReview(plan)) throw notByItsForm();
		return { changes: new Set(plan.changes.map(({ key }) => key)), excess };
	}
	if (fields[APPROVAL_OF] !== plan.seal) throw ofAnotherPlan(name);
	const lines = [...ticked].flatMap(([label, own]) =>
		[EXCESS, DECISION, CONFIRM].includes(label) ? [] : own,
	);
	const known = new Map(
		questionsOf(plan, nameOfPlace).flatMap((question) =>
			question.lines.map((line, index) => [line, question.changes[index]] as const),
		),
	);
	const approved = lines.flatMap((line) => {
		const changes = known.get(line);
		if (changes !== undefined) return changes;
		throw unknownLine(name, line);
	});
	if (isReview(plan)) {
		if (ticked.get(CONFIRM)?.includes(LOOKED) !== true) throw notLookedThrough();
	} else if (approved.length === 0 && plan.changes.length > 0) throw nothingTicked();
	return { changes: new Set(approved.map(({ key }) => key)), excess };
}

/** Lines that are ticked, by the label of their question. */
function tickedIn(fields: Answer['fields']): Map<string, string[]> {
	return new Map(
		Object.entries(fields).flatMap(([label, lines]) =>
			Array.isArray(lines) ? [[label, lines.map(String)] as const] : [],
		),
	);
}

/** The kind that a line of the form stands for; in a form by fields it is named. */
function excessNamed(line: string, { excess }: FormPlan): string {
	const found = excess.find((one) => excessLine(one) === line);
	return found === undefined ? line : RISKS[found.kind].name;
}

function ofAnotherPlan(name: string): InputError {
	return new InputError(
		`${name} is the answer of another plan`,
		'Use the plan whose form was answered. Nothing was sent.',
	);
}

function unknownLine(name: string, line: string): InputError {
	return new InputError(
		`${name} has a line that is not in the form: ${shown(line)}`,
		'Use the answer as the form returned it. Nothing was sent.',
	);
}

function nothingTicked(): InputError {
	return new InputError(
		'No change was approved: no line of the form is ticked',
		'Nothing was sent. Tick the changes that are to be made, or make a new plan.',
	);
}

/** One press of a button would take all that a review asks about. */
export function notByItsForm(): InputError {
	return new InputError(
		'A review is answered by its own form alone',
		'Ask with its approvalForm, and set Changes to Only What Was Approved. A button or a Yes does not say who leaves. Nothing was sent.',
	);
}

function notLookedThrough(): InputError {
	return new InputError(
		`The review was not answered to its end: "${LOOKED}" is not ticked`,
		'Answer the form again. Nothing was sent.',
	);
}

/**
 * Changes of a plan that are left out, by key, and why: those that are not approved, and what depends on them.
 * @param reviews whether it was asked who should leave
 */
export function leftOut(
	changes: readonly PlannedChange[],
	approved: ReadonlySet<string>,
	traits: Traits,
	reviews = false,
): ReadonlyMap<string, string> {
	const order = orderOf(changes, traits);
	const people = byPerson(changes);
	const reasons = new Map<string, string>();
	const why = reviews ? KEPT : NOT_APPROVED;
	for (const { key } of changes) if (!approved.has(key)) reasons.set(key, why);
	const isOut = ({ key }: Change) => reasons.has(key);
	const missingOf = (change: PlannedChange): Change | undefined => {
		const first = order
			.get(change)
			?.flat()
			.find((one) => one.must && isOut(one.change));
		if (first !== undefined) return first.change;
		const own = people.get(change.person.key) ?? [];
		const gains = own.filter((one) => gives(one) && !comesAlong(one));
		if (isOpening(change) && gains.every(isOut)) return gains[0];
		return own.find((one) => isOut(one) && isPartOfEnd(one, change, traits));
	};
	for (let size = -1; size < reasons.size;) {
		size = reasons.size;
		for (const change of changes) {
			const missing = isOut(change) ? undefined : missingOf(change);
			if (missing !== undefined)
				reasons.set(change.key, `${NOT_APPROVED}: it depends on "${missing.action}"`);
		}
	}
	return reasons;
}

/** Whether an account is made or activated, for what is given to it. */
function isOpening(change: PlannedChange): boolean {
	const kind = kindOf(change);
	return kind === 'created' || kind === 'activated';
}

/** Whether an end of an account takes along, or rests on, what another change of the person does. */
function isPartOfEnd(part: PlannedChange, end: PlannedChange, { deactivation }: Traits): boolean {
	if (kindOf(end) === 'deleted') return true;
	const takesAll = deactivation !== 'keeps' || end.restsOn.some(({ on }) => on === 'nothingElse');
	return kindOf(end) === 'deactivated' && takesAll && kindOf(part) === 'revoked';
}

/** Lines of a form that are ticked one by one, under one label. */
interface Question {
	label: string;
	lines: readonly string[];
	isRequired?: boolean;
}

/**
 * Makes the JSON of n8n's "Define Form: Using JSON", of the Form page and of Send and Wait.
 * @param name of the hidden field that says what the form is about
 */
function formJson(name: string, about: string, questions: readonly Question[]): string {
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

/** The hidden field of the form of a plan, which says of which. */
const APPROVAL_OF = 'approvalOf';
/** The question of any other form. */
const DECISION = 'Approve these changes?';
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
