import {
	reactivateOption,
	matchUsersByOption,
	peopleField,
	safetyLimitsFields,
} from '../../fields/options';
import { ifNotFoundOption, readPeopleField } from '../../fields/person';
import { optionsField, previewField, type Offer } from '../../../shared/run';
import { accessItems } from '../../fields/accessItem';
import { membersOfNamed, planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import { scimWrite, type ScimOperation } from '../../runWrite';

/** Adds people to groups: PATCH with `add` on `members` (RFC 7644 section 3.5.2.1), one request for many items. */
export const addMembers = membersOperation('addMembers', 'hold', {
	name: 'Add Members',
	action: 'Add members to group',
	description:
		'Add people to a group. On account organizations this replaces their other role there.',
	fields: [reactivateOption],
});

/** Removes people from groups, if they are in that very group (test/contract/interface.md 2.3: removal is role-blind). */
export const removeMembers = membersOperation('removeMembers', 'drop', {
	name: 'Remove Members',
	action: 'Remove members from group',
	description: 'Remove people from a group. Their other groups are left alone.',
	fields: [ifNotFoundOption],
});

/** Makes Add Members or Remove Members, which differ in the direction. @param offer with the options of one alone as its fields */
function membersOperation(
	operation: 'addMembers' | 'removeMembers',
	direction: 'hold' | 'drop',
	{ fields, ...offer }: Offer,
): ScimOperation {
	return scimWrite<NamedWish>({
		...offer,
		fields: [
			...groupFields,
			peopleField,
			previewField,
			...safetyLimitsFields(),
			optionsField([...fields, matchUsersByOption]),
		],
		items: accessItems,
		plans: { operation },
		collect(item, run) {
			const group = readGroupFields(run.context, item, run);
			return readPeopleField(run, item).map((reference) => ({
				...{ item, reference, [direction]: [group], skipsOtherRole: true },
			}));
		},
		async plan(wanted, run) {
			const state = await readNamed(wanted, run);
			const planned = planNamed(wanted, state, run, { membersOnly: true });
			const among = membersOfNamed(wanted, state, run);
			return { ...planned, basis: { ...planned.basis, among } };
		},
	});
}
