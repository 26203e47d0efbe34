import { formJson, type Question } from '../../run';
import type { Traits } from '../../scim';
import { addTo, InputError, shown, disambiguated } from '../../util';
import { byKind, gained, isValue, kindOf, lost, nameOf, orderOf, type Change } from '../changes';
import { beyondWords, comesAlong, gives, isOfAccess, RISKS } from '../guards';
import { APPROVAL_OF, DECISION, type Answer } from './answer';
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
