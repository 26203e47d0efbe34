import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { canonicalJson, formText } from '../../shared/access/plans';
import {
	formJson,
	notTheAnswer,
	parameterJson,
	readFormAnswer,
	subjectOf,
	unknownLine,
} from '../../shared/run';
import type { AccessValue } from '../../shared/scim';
import { InputError, isObject, toldApart } from '../../shared/util';

/** Lines of one form; of what is longer there are several. */
const MOST_LINES = 100;
const REVIEW_OF = 'reviewOf';
/** Without it a form that was sent without its boxes would revoke everything. */
const CONFIRMED = 'Revoke what is not ticked above';
const CONFIRM = 'Confirm';

/** A group, or a value on the user. */
export type ReviewedAccess = { groupId: string } | AccessValue;

/** What a person has, that a review asks about. */
export type ReviewAccess = { userId: string; userName: string } & ReviewedAccess;

export interface ReviewEntry {
	/** What the form calls it. */
	name: string;
	access: ReviewAccess;
}

interface Review {
	/** ISO 8601. */
	time: string;
	/** Of the question with the lines. */
	label: string;
	lines: Array<{ line: string } & ReviewAccess>;
}

/**
 * The forms that ask whether people keep what they have, all of it ticked, each with what Apply Review needs to read the
 * answer; none where there is nothing to ask.
 * @param title what it is about
 */
export function formsOf(title: string, entries: readonly ReviewEntry[]): IDataObject[] {
	const names = toldApart(
		entries.map(({ name, access }) => ({ name: formText(name), id: formText(access.userId) })),
	);
	// n8n tells the lines that are ticked at first apart by commas.
	const all = entries.map(({ access }, index) => ({
		...{ line: `${index + 1}. ${names[index].replaceAll(',', '‚')}`, ...access },
	}));
	const parts = Math.ceil(all.length / MOST_LINES);
	return Array.from({ length: parts }, (_, part) => {
		const lines = all.slice(part * MOST_LINES, (part + 1) * MOST_LINES);
		// A group may be named like another key of the answer.
		const label = `Access: ${formText(title)}${parts > 1 ? ` (${part + 1} of ${parts})` : ''}`;
		const review: Review = { time: new Date().toISOString(), label, lines };
		return {
			reviewForm: formJson(REVIEW_OF, digestOf(review), [
				{ label, lines: lines.map(({ line }) => line), isTicked: true },
				{ label: CONFIRM, lines: [CONFIRMED], isRequired: true },
			]),
			review: review as unknown as IDataObject,
		};
	});
}

/**
 * What the answer to such a form leaves unticked.
 * @throws InputError for what is no review, an answer that is not that of its form or not confirmed, and an unknown line
 */
export function untickedIn(reviewed: unknown, answered: unknown): ReviewAccess[] {
	const review = readReview(reviewed);
	const answer = readFormAnswer(answered, 'Answer');
	const { ticked } = answer;
	if (subjectOf(answer, REVIEW_OF, 'Answer') !== digestOf(review)) {
		throw new InputError(
			'Answer is the answer to another review',
			'Use the review whose form was answered. Nothing was sent.',
		);
	}
	if (ticked.get(CONFIRM)?.includes(CONFIRMED) !== true) {
		throw new InputError(
			'The review is not confirmed, so it is unknown what stays',
			`Answer the form again, and tick "${CONFIRMED}". Nothing was sent.`,
		);
	}
	const own = ticked.get(review.label);
	if (own === undefined) throw notTheAnswer('Answer');
	const lines = new Set(own);
	const known = new Set(review.lines.map(({ line }) => line));
	const unknown = [...lines].find((line) => !known.has(line));
	if (unknown !== undefined) throw unknownLine('Answer', unknown);
	return review.lines.filter(({ line }) => !lines.has(line));
}

function readReview(value: unknown): Review {
	const given = parameterJson(value, 'Review');
	const review = isObject(given) && 'review' in given ? given.review : given;
	if (isReview(review)) return review;
	throw new InputError(
		'This is not a review',
		"The step before returned something else. Use {{ $('Name of the Get Matrix node').item.json.review }}",
	);
}

function isReview(value: unknown): value is Review {
	if (!isObject(value) || !Array.isArray(value.lines)) return false;
	if (typeof value.time !== 'string' || typeof value.label !== 'string') return false;
	const isText = (one: unknown) => typeof one === 'string' && one !== '';
	return value.lines.every(
		(one) =>
			isObject(one) &&
			isText(one.line) &&
			isText(one.userId) &&
			(isText(one.groupId) || (isText(one.attribute) && isText(one.value))),
	);
}

function digestOf(review: Review): string {
	return createHash('sha256').update(canonicalJson(review)).digest('hex');
}
