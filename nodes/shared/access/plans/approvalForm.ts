import type { IDataObject } from 'n8n-workflow';

import { formJson, type Question, readFormAnswer, subjectOf, unknownLine } from '../../run';
import type { Traits } from '../../scim';
import { addTo, InputError, isObject, toldApart } from '../../util';
import { gained, isValue, kindOf, lost, nameOf, type Change, orderOf } from '../changes';
import { RISKS } from '../guards';
import type { Plan, PlannedChange } from './sealedPlan';
import { gives, isOfAccess } from './stale';
import { countsOf, formText, lineOf } from './summary';

/** Changes that have a line of their own; all beyond have one together. */
const MOST_LINES = 500;
const APPROVAL_OF = 'approvalOf';
const EXCESS = 'Approved Excess';
/** In a form made by fields, such as that of Wait, which takes no JSON. */
const DECISION = 'Approve these changes?';
const NOT_APPROVED = 'not approved';

type FormFields = Readonly<Record<string, unknown>>;

type FormPlan = Pick<Plan, 'changes' | 'excess' | 'seal'>;
type NameOf = Parameters<typeof lineOf>[1];

/** The form that asks for an approval of each change of a plan. @param nameOfPlace the name of an organization */
export function approvalForm(plan: FormPlan, nameOfPlace: NameOf): string {
	const { excess, seal } = plan;
	const kinds = excess.map(({ kind }) => RISKS[kind].name);
	return formJson(APPROVAL_OF, seal, [
		...questionsOf(plan, nameOfPlace),
		...(kinds.length > 0 ? [{ label: EXCESS, lines: kinds }] : []),
	]);
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
 * One question per person with what happens to each; or, where those are fewer, one per what happens with whom it happens to:
 * such as who leaves a group. All changes beyond the most lines are one.
 */
function questionsOf({ changes }: Pick<Plan, 'changes'>, nameOfPlace: NameOf): ChangesQuestion[] {
	const sorted = [...byPerson(changes).values()].flat();
	const [own, others] = [sorted.slice(0, MOST_LINES), sorted.slice(MOST_LINES)];
	const who = (one: PlannedChange) => ({
		name: formText(nameOf(one.person)),
		id: formText(one.person.id ?? 'new'),
	});
	const what = (one: PlannedChange) => ({
		name: lineOf(one, nameOfPlace),
		id: formText(groupIdsOf(one)),
	});
	const people = [...byPerson(own).values()];
	const places = [...grouped(own, (one) => `${what(one).name}\n${what(one).id}`).values()];
	const [questions, label, line] =
		places.length < people.length ? [places, what, who] : [people, who, what];
	const labels = toldApart(questions.map(([one]) => label(one)));
	return numbered([
		...questions.map((all, index) => ({
			...{ label: labels[index], lines: toldApart(all.map(line)) },
			changes: all.map((one) => [one]),
		})),
		...(others.length > 0
			? [{ label: 'All others', lines: [countsOf(others)], changes: [others] }]
			: []),
	]);
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

/** What an answer of the form approves. */
export interface Approved {
	/** Keys of changes. */
	changes: ReadonlySet<string>;
	/** Kinds of change that may exceed limits, by name. */
	excess: readonly string[];
}

/**
 * Reads what is ticked in the answer of a plan's form, or whether all of it is approved in a form by fields.
 * @throws InputError for no answer, a no, an answer of another plan, one that ticks nothing, and one with an unknown line
 */
export function readApproved(
	value: unknown,
	parameter: string,
	plan: FormPlan,
	nameOfPlace: NameOf,
): Approved {
	const answer = readFormAnswer(value, parameter);
	const { fields, ticked } = answer;
	const excess = ticked.get(EXCESS) ?? [];
	refuseDeclined(fields);
	if (isDecision(fields) && fields[APPROVAL_OF] === undefined)
		return { changes: new Set(plan.changes.map(({ key }) => key)), excess };
	if (subjectOf(answer, APPROVAL_OF, parameter) !== plan.seal) {
		throw new InputError(
			`${parameter} is the answer of another plan`,
			'Use the plan whose form was answered. Nothing was sent.',
		);
	}
	const known = new Map(
		questionsOf(plan, nameOfPlace).flatMap(({ lines, changes }) =>
			lines.map((line, index) => [line, changes[index]] as const),
		),
	);
	const lines = [...ticked].flatMap(([label, own]) => (label === EXCESS ? [] : own));
	const approved = lines.flatMap((line) => {
		const changes = known.get(line);
		if (changes !== undefined) return changes;
		throw unknownLine(parameter, line);
	});
	// Where access is taken alone, as in a review, a form without a tick says that all of it stays.
	if (approved.length === 0 && plan.changes.some(({ change }) => change !== 'revoked')) {
		throw new InputError(
			'No change was approved: no line of the form is ticked',
			'Nothing was sent. Tick the changes that are to be made, or make a new plan.',
		);
	}
	return { changes: new Set(approved.map(({ key }) => key)), excess };
}

/**
 * Whether an item is the answer of a form, which alone says what is approved.
 * @throws InputError for an answer that declines, whatever else it says
 */
export function isApproval(json: IDataObject): boolean {
	const fields = isObject(json.data) ? json.data : json;
	refuseDeclined(fields);
	return DECISION in fields || APPROVAL_OF in fields;
}

/** Whether it says yes or no to the whole: n8n's own approval, or a form with that question. */
function isDecision(fields: FormFields): boolean {
	return fields.approved === true || DECISION in fields;
}

/** @throws InputError for anything but a Yes to the question, n8n's own No, and a form of any kind with a No */
function refuseDeclined(fields: FormFields): void {
	const isForm = 'submittedAt' in fields || 'formMode' in fields;
	const no = Object.entries(fields).find(([name, value]) => {
		if (name === DECISION) return value !== 'Yes';
		return name === 'approved' ? value === false : isForm && value === 'No';
	});
	if (no === undefined) return;
	throw new InputError(
		`The plan was not approved: "${no[0]}" was not answered with Yes`,
		'Nothing was sent. Make a new plan to ask again.',
	);
}

/**
 * Changes of a plan that are left out, by key, and why: those that are not approved, and what depends on them.
 */
export function leftOut(
	changes: readonly PlannedChange[],
	approved: ReadonlySet<string>,
	traits: Traits,
): ReadonlyMap<string, string> {
	const order = orderOf(changes, traits);
	const people = byPerson(changes);
	const reasons = new Map<string, string>();
	for (const { key } of changes) if (!approved.has(key)) reasons.set(key, NOT_APPROVED);
	const isOut = ({ key }: Change) => reasons.has(key);
	const missingOf = (change: PlannedChange): Change | undefined => {
		const first = order
			.get(change)
			?.flat()
			.find((one) => one.must && isOut(one.change));
		if (first !== undefined) return first.change;
		const own = people.get(change.person.key) ?? [];
		const gains = own.filter(gives);
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
