import type { IDataObject } from 'n8n-workflow';

import { optionsField, previewField } from '../../../shared/run';
import { attribute } from '../../../shared/scim';
import { InputError } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import { assignmentFields, noAssignments, readAssignments } from '../../fields/assignments';
import {
	maxCreates,
	safetyLimitsFields,
	matchUsersByOption,
	peopleField,
	reactivateOption,
} from '../../fields/options';
import type { CollectedAttributes } from '../../fields/attributes';
import { managedGroupsOption, readManagedGroups } from '../../fields/groupRows';
import { resolveManagers } from '../../fields/managers';
import { createsMissing, offerToCreate } from '../../fields/people';
import { readPeopleField, withMatch, type Lookup } from '../../fields/person';
import { newcomerFields, readUserAttributes } from '../../fields/userAttributes';
import { returnOption } from '../../fields/item';
import { scimWrite } from '../../runWrite';

/** Gives people access, and creates who is missing; a move is one add where the service moves by itself. */
export const assign = scimWrite<NamedWish>({
	name: 'Assign',
	action: 'Assign access to users',
	description: 'Assign groups or roles to new or existing users',
	fields: [
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
		...safetyLimitsFields(maxCreates),
		optionsField([managedGroupsOption, matchUsersByOption, reactivateOption, returnOption]),
	],

	items: accessItems,
	plans: { operation: 'assign' },
	collect(item, operation) {
		const references = readPeopleField(operation, item);
		const hold = readAssignments(operation.context, item, operation, noAssignments);
		const fields = operation.context.getNodeParameter('newUserFields', item, {}) as IDataObject;
		const newcomer = createsMissing(operation.context)
			? readUserAttributes(fields, ['userName', 'active'])
			: { attributes: {}, warnings: [] };
		requireOneEach(references, newcomer);
		return references.map((reference) => ({
			...{ item, reference, hold, newcomer: withMatch(reference, newcomer) },
		}));
	},
	async plan(wanted, operation) {
		const creates = createsMissing(operation.context);
		const state = await readNamed(wanted, operation, {
			managed: readManagedGroups(operation.context, true),
			readsUsers: true,
			...(creates && { creates: operation.previews ? 'looksFirst' : 'asksLater' }),
		});
		const newcomers = wanted.flatMap((want) => {
			const { item, reference, newcomer } = want;
			const userName = state.newName(reference);
			return newcomer && userName !== undefined ? [{ ...newcomer, item, userName, want }] : [];
		});
		const managers = await resolveManagers(
			newcomers,
			newcomers,
			({ userName }) => ({ name: userName }),
			operation,
		);
		const resolved = new Map(newcomers.map((one) => [one.want, managers.of(one)]));
		const named = wanted.map((want) => {
			const { attributes, warnings } = resolved.get(want) ?? {};
			if (attributes === undefined || warnings === undefined) return want;
			return { ...want, newcomer: { ...want.newcomer, attributes, warnings } };
		});
		const planned = planNamed(named, creates ? state : offerToCreate(state), operation);
		return { ...planned, settled: [...planned.settled, ...managers.settled] };
	},
});

/** @throws InputError for what tells people apart, when several new people of an item would all get it */
function requireOneEach(people: readonly Lookup[], { attributes }: CollectedAttributes): void {
	const name = ['externalId', 'emails'].find((one) => (attribute(attributes, one) ?? '') !== '');
	if (people.length < 2 || name === undefined) return;
	throw new InputError(
		`${name} would be the same for ${people.length} people`,
		'Use an item for each person, or remove it from Attributes of New Users.',
	);
}
