import { optionsField, previewField, type Offer } from '../../../shared/run';
import { accessItems } from '../../fields/accessItem';
import { membersOfNamed, planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import { safetyLimitsField } from '../../fields/safetyLimits';
import { matchUsersByOption } from '../../fields/matchUsers';
import { peopleField } from '../../fields/members';
import { readPeopleField } from '../../fields/person';
import { scimWrite, type ScimOperation } from '../../runWrite';

/** Add Members and Remove Members, which differ in the direction. @param offer with the options of one alone as its fields */
export function membersOperation(
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
			safetyLimitsField(),
			optionsField([...fields, matchUsersByOption]),
		],
		items: accessItems,
		plans: { operation },
		collect(item, run) {
			const group = readGroupFields(run.context, item, run);
			const people = run.context.getNodeParameter('people', item);
			return readPeopleField(people, run).map((reference) => ({
				...{ item, reference, [direction]: [group], skipsOtherRole: true },
			}));
		},
		async plan(wanted, run) {
			const state = await readNamed(wanted, run);
			return {
				...planNamed(wanted, state, run, { membersOnly: true }),
				among: membersOfNamed(wanted, state, run),
			};
		},
	});
}
