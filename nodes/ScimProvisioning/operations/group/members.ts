import type { GroupReference } from '../../../shared/access';
import { optionsField, previewField, type Offer } from '../../../shared/run';
import { accessItems } from '../../fields/accessItem';
import { membersOf, planNamed } from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import { safetyLimitsOption } from '../../fields/guards';
import { matchUsersByOption } from '../../fields/matchUsers';
import { peopleField } from '../../fields/members';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { readState } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import { scimWrite, type ScimOperation } from '../../runWrite';

/** A person whom an item wants in or out of a group. */
interface NamedMember {
	item: number;
	group: GroupReference;
	reference: PersonReference;
}

/** Add Members and Remove Members, which differ in the direction. @param offer with the options of one alone as its fields */
export function membersOperation(
	operation: 'addMembers' | 'removeMembers',
	direction: 'hold' | 'drop',
	{ fields, ...offer }: Offer,
): ScimOperation {
	return scimWrite<NamedMember>({
		...offer,
		fields: [
			...groupFields,
			peopleField,
			previewField,
			optionsField([...fields, matchUsersByOption, safetyLimitsOption(), ...writeOptions]),
		],
		items: accessItems,
		plans: { operation },
		collect(item, run) {
			const group = readGroupFields(run.context, item, run);
			const people = run.context.getNodeParameter('people', item);
			return readPeopleField(people, run).map((reference) => ({ item, group, reference }));
		},
		async plan(wanted, run) {
			const groups = wanted.map(({ group }) => group);
			const people = wanted.map(({ reference }) => reference);
			const state = await readState({ groups, people, removes: direction === 'drop' }, run);
			const wishes = wanted.map(({ item, reference, group }) => ({
				...{ item, reference, hold: [], drop: [], skipsOtherRole: true },
				[direction]: [group],
			}));
			const planned = planNamed(wishes, state, run, { membersOnly: true, itemByItem: true });
			const groupIds = groups.map(state.group).flatMap((group) => (group.ok ? group.value : []));
			return { ...planned, among: membersOf(groupIds, state.access, run) };
		},
	});
}
