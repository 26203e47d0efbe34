import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { attemptSync, InputError } from '../../../shared/util';
import {
	failureOf,
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import {
	type Access,
	assignmentsOf,
	planRoles,
	type ProvisioningPlan,
	settledAccess,
	type WantedRole,
} from '../../../shared/access';
import { changedAccess } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { notFound } from '../../fields/ifNotFound';
import { assignmentFields, readAssignments } from '../../fields/assignments';
import { safetyLimitsOption } from '../../fields/guards';
import { peopleField } from '../../fields/members';
import { findPeople, type FoundPerson } from '../../fields/people';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { runChange, type Surroundings } from '../../road';

/** All that a person has to have. */
interface WantedExactly {
	item: number;
	reference: PersonReference;
	hold: string[];
}

/** Makes a person's roles exactly a list (mover); the account organization is left alone unless the list names it. */
export const setAccess: Operation = {
	fields: showFor('access', 'set', [
		peopleField,
		...assignmentFields,
		previewField,
		optionsField([
			{
				displayName: 'Allow Empty',
				name: 'allowEmpty',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether an empty list takes every role away; otherwise it is refused',
			},
			{
				displayName: 'Reactivate',
				name: 'reactivate',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether to activate people who are inactive; otherwise their items fail',
			},
			safetyLimitsOption(),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		return await runChange<WantedExactly>(context, {
			needsOrganizations: true,
			collect(item, surroundings) {
				const people = readPeopleField(
					context.getNodeParameter('people', item),
					surroundings.client.profile,
				);
				const hold = readAssignments(context, item, surroundings);
				if (hold.length === 0 && options.allowEmpty !== true) {
					throw new InputError(
						'The list of assignments is empty, which would take every role away',
						'Turn on Allow Empty under Options, if this is meant.',
					);
				}
				return people.map((reference) => ({ item, reference, hold }));
			},
			async plan(wanted, surroundings, refused) {
				const access = await settledAccess(surroundings);
				const { known, settled } = await exactly(wanted, refused, access, context, surroundings);
				const plan = planRoles(known, options.reactivate === true, rulesFor(access, surroundings));
				const blockedBy = accountUnknown(plan, surroundings);
				return { plan: { ...plan, blockedBy, settled: [...settled, ...plan.settled] }, access };
			},
			output: changedAccess,
		});
	},
};

/** Access to the account organization is only safe from being taken when it is known which one that is. */
function accountUnknown(
	{ losses }: ProvisioningPlan,
	{ client, accountOrganization }: Surroundings,
): string[] {
	const takes = losses.some(({ newRole }) => newRole === undefined);
	return takes && accountOrganization === '' && client.profile.organizationIdPrefix !== undefined
		? [
				'It is not known which organization manages the account, so its roles could be taken away. Enter the Account Organization ID in the credential.',
			]
		: [];
}

/**
 * What everybody has to have and to lose. Two items that want different access for one person fail both. An item that
 * cannot be used holds back every removal from the people it names, or from everybody when it names nobody.
 */
async function exactly(
	wanted: readonly WantedExactly[],
	refused: ReadonlyMap<number, unknown>,
	access: Access,
	context: IExecuteFunctions,
	surroundings: Surroundings,
): Promise<{ known: WantedRole[]; settled: ProvisioningPlan['settled'] }> {
	const { ids } = surroundings;
	const bad = [...refused.keys()].map((item) => ({
		item,
		people: peopleOf(context, item, surroundings),
	}));
	const references = [
		...wanted.map(({ reference }) => reference),
		...bad.flatMap(({ people }) => people),
	];
	const find = await findPeople(
		references,
		access,
		surroundings,
		!surroundings.client.profile.deactivationDropsMemberships,
	);

	const heldBack = new Map<string, number>();
	let allHeldBack: number | undefined;
	for (const { item, people } of bad) {
		if (people.length === 0) allHeldBack ??= item;
		for (const reference of people) {
			const found = find(reference);
			if (found.ok) heldBack.set(found.value.key, item);
			else allHeldBack ??= item;
		}
	}

	const settled: ProvisioningPlan['settled'] = [];
	const byPerson = new Map<string, Array<{ want: WantedExactly; person: FoundPerson }>>();
	for (const want of wanted) {
		const found = find(want.reference);
		if (!found.ok) settled.push(notFound(want.item, want.reference, found.error));
		else {
			const entry = { want, person: found.value };
			const same = byPerson.get(found.value.key);
			if (same === undefined) byPerson.set(found.value.key, [entry]);
			else same.push(entry);
		}
	}

	const known: WantedRole[] = [];
	for (const [key, entries] of byPerson) {
		const [{ want: first }] = entries;
		const other = entries.find(({ want }) => !sameGroups(want.hold, first.hold, ids.key));
		if (other !== undefined) {
			for (const { want, person } of entries) {
				const who = person.userName ?? person.id;
				const error = new InputError(
					`Items ${first.item} and ${other.want.item} want different access for ${who}`,
					'Send one list per person. Nothing was changed for this person.',
				);
				settled.push({
					item: want.item,
					subject: key,
					outcome: failureOf(`set the access of ${who}`, error),
				});
			}
			continue;
		}
		const badItem = heldBack.get(key) ?? allHeldBack;
		for (const { want, person } of entries) {
			const { user, ...member } = person;
			known.push({
				kind: 'known',
				item: want.item,
				person: member,
				hold: want.hold,
				drop: surplus(want.hold, person.id, access, surroundings),
				...(user && { user }),
				...(badItem !== undefined && {
					dropsHeldBack: `nothing is taken away while item ${badItem} cannot be used`,
				}),
			});
		}
	}
	return { known, settled };
}

/** Groups that a person has beyond the wanted ones; the account organization only when it is wanted too. */
function surplus(
	hold: readonly string[],
	userId: string,
	access: Access,
	{ ids, accountOrganization }: Surroundings,
): string[] {
	const wanted = new Set(hold.map(ids.key));
	const namesAccount = hold.some((id) => ids.parse(id)?.organization === accountOrganization);
	return assignmentsOf(access, userId, ids)
		.filter(
			({ key, organization }) =>
				!wanted.has(key) && (organization !== accountOrganization || namesAccount),
		)
		.map(({ groupId }) => groupId);
}

function peopleOf(
	context: IExecuteFunctions,
	item: number,
	{ client }: Surroundings,
): PersonReference[] {
	const read = () => readPeopleField(context.getNodeParameter('people', item), client.profile);
	return attemptSync(read) ?? [];
}

function sameGroups(
	a: readonly string[],
	b: readonly string[],
	key: (id: string) => string,
): boolean {
	const keys = new Set(a.map(key));
	return keys.size === new Set(b.map(key)).size && b.every((id) => keys.has(key(id)));
}
