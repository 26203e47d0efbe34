import type { IDataObject } from 'n8n-workflow';

import { nameIn, userIn, type AppliedPart, type Membership } from '../../shared/access';
import { isFailure, worstOf, type Outcome, type Output } from '../../shared/run';
import { addTo } from '../../shared/util';
import type { OperationContext } from '../context';
import type { Guarded, ItemForm } from '../planned';
import { membershipItems, valueItems } from './accessItem';
import { statusOf, wasDeleted } from './userItem';

/** The fields of every item of Offboard, for somebody of whom nothing is known. */
export function noLeaver(deletes: boolean): IDataObject {
	return {
		...{ userId: null, userName: null, active: null, ...(deletes && { deleted: null }) },
		...{ accessRemoved: null, accessRemaining: null, provenAt: null, requests: null },
		...{ status: 'unchanged', reason: null },
	};
}

/** @param deletes whether the accounts are deleted */
export function leaverItems(deletes: boolean): ItemForm {
	const blank = noLeaver(deletes);
	return {
		blank,
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
		const outcome = together(own.map((part) => part.outcome));
		const proof = own.find((part) => part.proof !== undefined)?.proof;
		const who = proof?.user ?? own.flatMap(({ result }) => userIn(result) ?? []).at(-1);
		const named = own.find(({ result }) => result?.who !== undefined)?.result;
		const person = { ...plan.personOf.get(key), ...nameIn(named) };
		const deleted = own.flatMap((part) => wasDeleted(part) ?? []).at(-1);
		const list = (of: readonly Membership[] | undefined) => of && membershipItems(of, operation);
		const warnings = [...(outcome.warnings ?? []), ...plan.warnings];
		return {
			parts: own,
			json: {
				...blank,
				userId: who?.id ?? person.id ?? null,
				userName: who?.userName ?? person.userName ?? null,
				active: deleted === true ? null : (who?.active ?? null),
				...(deleted !== undefined && { deleted }),
				accessRemoved: list(proof?.removed) ?? null,
				accessRemaining: list(proof?.remaining) ?? null,
				...(operation.client.profile.accessAttributes.length > 0 && {
					valuesRemoved: proof ? valueItems(proof.valuesRemoved) : null,
					valuesRemaining: proof ? valueItems(proof.valuesRemaining) : null,
				}),
				provenAt: isFailure(outcome) ? null : (proof?.at ?? null),
				requests: proof?.requests ?? null,
				...statusOf({ ...outcome, warnings: [...new Set(warnings)] }),
			},
		};
	});
}

/** The worst status with every reason for it, and all warnings. */
function together(outcomes: readonly Outcome[]): Outcome {
	const worst = worstOf(outcomes) ?? outcomes[0];
	const reasons = outcomes.flatMap(({ status, reason }) =>
		status === worst.status && reason !== undefined ? [reason] : [],
	);
	return {
		...worst,
		...(reasons.length > 0 && { reason: [...new Set(reasons)].join('; ') }),
		warnings: outcomes.flatMap(({ warnings = [] }) => warnings),
	};
}
