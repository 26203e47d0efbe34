import { shown } from '../../shared/util';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { failureOf } from '../../shared/run';
import { AbsentError } from '../../shared/access/facts';
import { whoIs, type Settled } from '../../shared/access/changes';
import { labelOf, type PersonReference } from './person';

/** On everything that takes access away. */
export const ifNotFoundOption: INodeProperties = {
	displayName: 'If Not Found',
	name: 'ifNotFound',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item fails' },
		{
			name: 'Treat as Already Gone',
			value: 'alreadyGone',
			description: 'Returns the item as unchanged, without proof',
		},
	],
	default: 'fail',
	description: 'What to do when no user matches',
	hint: 'With Retry On Fail, or a list that repeats leavers, choose Treat as Already Gone',
};

/** Tells whether a user who is not found counts as gone. @param options the Options collection */
export function treatsAsGone(options: IDataObject): boolean {
	return options.ifNotFound === 'alreadyGone';
}

/**
 * Makes the outcome of a person who could not be found.
 * @param action what was asked for, such as "offboard ana@example.com"
 * @param asGone whether a user who is not found counts as gone; a look-up that went wrong never is
 */
export function notFound(
	item: number,
	reference: PersonReference,
	error: unknown,
	action = `find ${shown(labelOf(reference))}`,
	asGone = false,
): Settled {
	const subject = labelOf(reference);
	const { id, userName } = { id: undefined, userName: undefined, ...reference };
	const person = { ...(id !== undefined && { id }), ...(userName !== undefined && { userName }) };
	if (!asGone || !(error instanceof AbsentError)) {
		return { item, subject, outcome: failureOf(action, error), result: { who: whoIs(person) } };
	}
	return {
		item,
		subject,
		outcome: { status: 'unchanged', action, reason: `no user has this email or ID` },
		result: { who: { kind: 'gone', person } },
	};
}
