import { optionsField, previewField } from '../../../shared/run';
import { addTo } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { membersOfNamed, planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import { safetyLimitsField } from '../../fields/safetyLimits';
import { ifNotFoundOption } from '../../fields/ifNotFound';
import { untickedIn, type ReviewAccess } from '../../fields/reviewForm';
import { scimWrite } from '../../runWrite';

/** What one review revokes. */
interface Revocations {
	item: number;
	wishes: NamedWish[];
}

/** Takes what managers left unticked in the forms of Get Matrix. */
export const applyReview = scimWrite<Revocations>({
	name: 'Apply Review',
	action: 'Apply access review',
	description: 'Revoke what was left unticked in a review form of Get Matrix',
	fields: [
		{
			displayName: 'Review',
			name: 'review',
			type: 'json',
			default: '',
			required: true,
			description: 'The item that Get Matrix returned, or its review',
			hint: "Use {{ $('Name of the Get Matrix node').item.json.review }}",
		},
		{
			displayName: 'Answer',
			name: 'answer',
			type: 'json',
			default: '={{ $json }}',
			required: true,
			description: 'The answer to the reviewForm of that item',
		},
		previewField,
		safetyLimitsField(),
		optionsField([ifNotFoundOption]),
	],

	items: accessItems,
	plans: { operation: 'applyReview' },
	collect(item, { context }) {
		const [review, answer] = ['review', 'answer'].map((name) =>
			context.getNodeParameter(name, item),
		);
		return [{ item, wishes: wishesOf(item, untickedIn(review, answer)) }];
	},
	async plan(wanted, operation) {
		const wishes = wanted.flatMap((one) => one.wishes);
		const state = await readNamed(wishes, operation, { readsUsers: true });
		const planned = planNamed(wishes, state, operation);
		const kept = wanted.flatMap(({ item, wishes: own }) =>
			own.length > 0 ? [] : { item, subject: 'review', outcome: NOTHING_UNTICKED },
		);
		return {
			...planned,
			settled: [...planned.settled, ...kept],
			among: membersOfNamed(wishes, state, operation),
		};
	},
});

const NOTHING_UNTICKED = {
	...{ status: 'unchanged' as const, action: 'apply the review' },
	reason: 'everything is ticked',
};

/** One wish per person. */
function wishesOf(item: number, unticked: readonly ReviewAccess[]): NamedWish[] {
	const byPerson = new Map<string, ReviewAccess[]>();
	for (const one of unticked) addTo(byPerson, one.userId, one);
	return [...byPerson].map(([id, own]) => ({
		...{ item, reference: { by: 'id', id }, skipsOtherRole: true, why: 'not ticked in the review' },
		drop: own.flatMap((one) => ('groupId' in one ? { by: 'id' as const, id: one.groupId } : [])),
		values: {
			add: [],
			remove: own.flatMap((one) =>
				'groupId' in one ? [] : { attribute: one.attribute, value: one.value },
			),
		},
	}));
}
