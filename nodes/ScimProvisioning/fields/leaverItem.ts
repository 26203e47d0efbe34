import type { IDataObject } from 'n8n-workflow';

import {
	changeOf,
	isValue,
	kindOf,
	lost,
	nameIn,
	userIn,
	type AppliedPart,
	type Change,
	type Kind,
	WORDS,
	type Words,
} from '../../shared/access/changes';
import type { Membership } from '../../shared/access/facts';
import { isFailure, seenAt, worstOf, type Outcome, type Output } from '../../shared/run';
import { type AccessValue, shownActive } from '../../shared/scim';
import { addTo, asSentence } from '../../shared/util';
import type { OperationContext } from '../context';
import type { Guarded } from '../../shared/access/write';
import { membershipItems, valueItems } from './accessItem';
import { HEAD, isMade, kindOfPart, sentenceOf, statusOf, whoOf, type ItemForm } from './item';
import { wasDeleted } from './userItem';

/** Makes the fields of every item of Offboard, for an unknown user. */
export function noLeaver(deletes: boolean): IDataObject {
	return {
		...{ ...HEAD, userId: null, active: null, ...(deletes && { deleted: false }) },
		...{ accessRemoved: null, accessRemaining: null, provenAt: null, requests: null },
	};
}

/** Makes the items of Offboard, one per leaver. @param deletes whether the accounts are deleted */
export function leaverItems(deletes: boolean): ItemForm {
	const blank = noLeaver(deletes);
	return {
		blank: () => blank,
		output: (parts, operation, plan) => itemsOf(parts, operation, plan, blank),
	};
}

/** One flat item per person, with the worst of what was done. */
function itemsOf(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
	blank: IDataObject,
): Array<Output<AppliedPart>> {
	const rows = new Map<string, AppliedPart[]>();
	for (const part of parts) addTo(rows, part.subject, part);
	return [...rows].map(([key, own]) => {
		const part = madeInPart(own, plan);
		const outcome = part?.outcome ?? together(own.map((one) => one.outcome));
		const proof = own.find((part) => part.proof !== undefined)?.proof;
		const who = proof?.user ?? own.flatMap(({ result }) => userIn(result) ?? []).at(-1);
		const named = own.find(({ result }) => result?.who !== undefined) ?? own[0];
		const person = { ...plan.basis.personOf.get(key), ...nameIn(named.result) };
		const deleted = own.some(wasDeleted);
		const list = (of: readonly Membership[] | undefined) => of && membershipItems(of, operation);
		const warnings = [...(outcome.warnings ?? []), ...plan.warnings];
		return {
			parts: own,
			json: {
				...blank,
				change: changeIn(own, plan),
				userName: who?.userName ?? person.userName ?? null,
				text: [
					sentenceOf(whoOf(named, operation, person), part?.words ?? OFFBOARDED, outcome),
					...(part ? [asSentence(part.leftOut)] : []),
				].join(' '),
				userId: who?.id ?? person.id ?? null,
				active: deleted || proof?.isGone === true ? null : (shownActive(who) ?? null),
				...('deleted' in blank && { deleted }),
				accessRemoved: list(proof?.removed ?? part?.removed) ?? null,
				accessRemaining: list(proof?.remaining) ?? null,
				...(operation.client.profile.accessAttributes.length > 0 && {
					valuesRemoved:
						proof || part ? valueItems(proof?.valuesRemoved ?? part?.valuesRemoved ?? []) : null,
					valuesRemaining: proof ? valueItems(proof.valuesRemaining) : null,
				}),
				provenAt: isFailure(outcome) ? null : (proof?.at ?? null),
				requests: proof?.requests ?? null,
				...statusOf({ ...outcome, warnings: [...new Set(warnings)] }),
				...(part && { reason: part.reason }),
				at: seenAt([{ ...outcome, at: proof?.at ?? outcome.at }]),
			},
		};
	});
}

const OFFBOARDED: Words = ['offboarded', 'already offboarded'];

/** What came of a leaver of whom a part was left out. */
interface Part {
	/** Of what was made. */
	outcome: Outcome;
	words: Words;
	leftOut: string;
	reason: string;
	/** What was seen to be gone. */
	removed: Membership[];
	valuesRemoved: AccessValue[];
}

/** Undefined where a proof tells what is left, and for one of whom nothing was made or something failed. */
function madeInPart(parts: readonly AppliedPart[], plan: Guarded): Part | undefined {
	const made = parts.filter(({ outcome }) => isMade(outcome));
	const leftOut = parts.flatMap(({ outcome: { status, action, reason = '' } }) =>
		status === 'skipped' ? [`${action} (${reason})`] : [],
	);
	const isProved = parts.some(({ proof }) => proof !== undefined);
	if (isProved || made.length === 0 || leftOut.length === 0) return undefined;
	if (made.some(({ outcome }) => outcome.status === 'failed')) return undefined;
	const changesOf = (all: readonly AppliedPart[]) =>
		all.flatMap((part) => changeOf(part, plan) ?? []);
	const done = changesOf(made.filter(({ outcome }) => outcome.status === 'done'));
	const outcome = together(made.map((part) => part.outcome));
	const said = [...new Set(leftOut)].join('; ');
	return {
		...{ outcome, leftOut: `Left out: ${said}` },
		words: [wordsOf(changesOf(made)), ''],
		reason: [...(outcome.reason === undefined ? [] : [outcome.reason]), `left out: ${said}`].join(
			'; ',
		),
		removed: done.flatMap(membershipsLost),
		valuesRemoved: done.flatMap(valuesLost),
	};
}

function wordsOf(changes: readonly Change[]): string {
	const places = changes.flatMap(membershipsLost).map((one) => one.displayName || one.groupId);
	const values = changes
		.flatMap(valuesLost)
		.map(({ attribute, value }) => `${value} (${attribute})`);
	const others = changes.flatMap((change) =>
		change.about === 'entitlement' ? [] : WORDS[kindOf(change)][0],
	);
	return [
		...others,
		...(places.length > 0 ? [`removed from ${places.join(', ')}`] : []),
		...(values.length > 0 ? [`stripped of ${values.join(', ')}`] : []),
	].join(' and ');
}

function membershipsLost(change: Change): Membership[] {
	if (change.about !== 'entitlement') return [];
	return lost(change).flatMap((one) => (isValue(one) ? [] : [one]));
}

function valuesLost(change: Change): AccessValue[] {
	return change.about === 'entitlement' ? lost(change).filter(isValue) : [];
}

/** What was done to a leaver: to the account, else to what it had. */
function changeIn(parts: readonly AppliedPart[], plan: Guarded): Kind | 'none' {
	const kinds = parts.flatMap((part) =>
		isMade(part.outcome) ? kindOfPart(part, changeOf(part, plan)) : [],
	);
	// Where memberships outlive the account, it is deactivated before it is deleted.
	const ofAccount = (['deleted', 'deactivated'] as const).find((kind) => kinds.includes(kind));
	return ofAccount ?? kinds[0] ?? 'none';
}

/** The worst status with every reason for it, and all warnings. */
function together(outcomes: readonly Outcome[]): Outcome {
	const worst = worstOf(outcomes) ?? outcomes[0];
	const reasons = outcomes.flatMap(({ status, reason }) =>
		status === worst.status && reason !== undefined ? [reason] : [],
	);
	return {
		...worst,
		at: seenAt(outcomes) ?? undefined,
		...(reasons.length > 0 && { reason: [...new Set(reasons)].join('; ') }),
		warnings: outcomes.flatMap(({ warnings = [] }) => warnings),
	};
}
