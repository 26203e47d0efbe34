import type { IDataObject } from 'n8n-workflow';

import type { GroupReference } from '../../../shared/access';
import { optionsField, previewField, showFor, type Operation } from '../../../shared/run';
import { attribute } from '../../../shared/scim';
import { InputError } from '../../../shared/util';
import { NO_CHANGE, changedAccess } from '../../fields/accessItem';
import { planNamed, rulesFor } from '../../fields/accessPlan';
import { accessExtras } from '../../fields/accessPreview';
import { assignmentFields, noAssignments, readAssignments } from '../../fields/assignments';
import { maxCreates, safetyLimitsOption } from '../../fields/guards';
import type { CollectedAttributes } from '../../fields/jsonAttributes';
import { managedGroupsOption, readManagedGroups } from '../../fields/managedGroups';
import { matchUsersByOption } from '../../fields/matchUsers';
import { peopleField } from '../../fields/members';
import { offerToCreate } from '../../fields/people';
import { readPeopleField, withMatch, type PersonReference } from '../../fields/person';
import { reactivateOption } from '../../fields/reactivate';
import { readState } from '../../fields/state';
import { newcomerFields, readUserAttributes } from '../../fields/userAttributes';
import { writeOptions } from '../../fields/writeOptions';
import { runScimWrite } from '../../runWrite';

/** A person whom an item wants to have access. */
interface NamedAccess {
	item: number;
	reference: PersonReference;
	hold: GroupReference[];
	newcomer: CollectedAttributes;
}

/** Gives people access, and creates who is missing; a move is one add where the service moves by itself. */
export const assign: Operation = {
	fields: showFor('access', 'assign', [
		peopleField,
		...assignmentFields,
		{
			displayName: 'Create Missing Users',
			name: 'createMissing',
			type: 'boolean',
			noDataExpression: true,
			default: true,
			description:
				'Whether to create a user if none matches. Not possible if users are matched by External ID.',
		},
		{
			displayName: 'Attributes of New Users',
			name: 'newUserFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			displayOptions: { show: { createMissing: [true] } },
			options: newcomerFields,
		},
		previewField,
		optionsField([
			managedGroupsOption,
			matchUsersByOption,
			reactivateOption,
			safetyLimitsOption(maxCreates),
			...writeOptions,
		]),
	]),

	blank: () => NO_CHANGE,

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const createMissing = context.getNodeParameter('createMissing', 0, false) === true;
		const reactivate = options.reactivate === true;
		return await runScimWrite<NamedAccess>(context, {
			collect(item, operation) {
				const people = context.getNodeParameter('people', item);
				const references = readPeopleField(people, operation);
				const hold = readAssignments(context, item, operation, noAssignments);
				const fields = context.getNodeParameter('newUserFields', item, {}) as IDataObject;
				const newcomer = createMissing
					? readUserAttributes(fields, ['userName', 'active'])
					: { attributes: {}, warnings: [] };
				requireOneEach(references, newcomer);
				return references.map((reference) => ({
					...{ item, reference, hold, newcomer: withMatch(reference, newcomer) },
				}));
			},
			async plan(wanted, operation) {
				const read = await readState(
					{
						people: wanted.map(({ reference }) => reference),
						groups: wanted.flatMap(({ hold }) => hold),
						managed: readManagedGroups(context, true),
						readsUsers: true,
						...(createMissing && {
							creates: operation.previews ? ('looksFirst' as const) : ('asksLater' as const),
						}),
					},
					operation,
				);
				const state = createMissing ? read : offerToCreate(read);
				const rules = rulesFor(state.access, operation, { reactivate });
				const wishes = wanted.map((want) => ({ ...want, drop: [] }));
				return accessExtras('assign', planNamed(wishes, state, rules), operation);
			},
			blank: NO_CHANGE,
			output: changedAccess,
		});
	},
};

/** @throws InputError for what tells people apart, when several new people of an item would all get it */
function requireOneEach(
	people: readonly PersonReference[],
	{ attributes }: CollectedAttributes,
): void {
	const name = ['externalId', 'emails'].find((one) => (attribute(attributes, one) ?? '') !== '');
	if (people.length < 2 || name === undefined) return;
	throw new InputError(
		`${name} would be the same for ${people.length} people`,
		'Use an item for each person, or remove it from Attributes of New Users.',
	);
}
