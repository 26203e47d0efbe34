import type { IDataObject } from 'n8n-workflow';

import { InputError, nameKey } from '../../../shared/util';
import {
	type Access,
	planRoles,
	type ProvisioningPlan,
	settledAccess,
	type WantedRole,
} from '../../../shared/access';
import type { Attributes } from '../../../shared/scim';
import { changedAccess } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { notFound } from '../../fields/ifNotFound';
import { assignmentFields, readAssignments } from '../../fields/assignments';
import { safetyLimitsOption } from '../../fields/guards';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { findPeople, memberNamed } from '../../fields/people';
import { peopleField } from '../../fields/members';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { newcomerFields, readUserAttributes } from '../../fields/userAttributes';
import { runChange, type Surroundings } from '../../road';

/** A person whom an item wants to have roles. */
interface NamedRole {
	item: number;
	reference: PersonReference;
	hold: string[];
	attributes: Attributes;
	warnings: string[];
}

/** Gives people their roles in organizations, and creates who is missing; a move is one add where the service moves by itself. */
export const assign: Operation = {
	fields: showFor('access', 'assign', [
		peopleField,
		...assignmentFields,
		{
			displayName: 'Create Missing Users',
			name: 'createMissing',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether to create a user for an e-mail that nobody has yet; otherwise the item fails',
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
			{
				displayName: 'Reactivate',
				name: 'reactivate',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether to activate people who are inactive; otherwise their items fail, since a role would let nobody in',
			},
			safetyLimitsOption(),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const createMissing = context.getNodeParameter('createMissing', 0, false) === true;
		const reactivate = options.reactivate === true;
		return await runChange<NamedRole>(context, {
			needsOrganizations: true,
			collect(item, surroundings) {
				const people = readPeopleField(
					context.getNodeParameter('people', item),
					surroundings.client.profile,
				);
				const hold = readAssignments(context, item, surroundings);
				if (hold.length === 0) {
					throw new InputError(
						'There are no assignments',
						'Give at least one organization and role.',
					);
				}
				const attributes = createMissing
					? readUserAttributes(context.getNodeParameter('newUserFields', item, {}) as IDataObject, [
							'userName',
							'active',
						])
					: { attributes: {}, warnings: [] };
				return people.map((reference) => ({ item, reference, hold, ...attributes }));
			},
			async plan(wanted, surroundings) {
				const access = await settledAccess(surroundings);
				const { known, unknown } = await whoIsMeant(wanted, access, createMissing, surroundings);
				const plan = planRoles(known, reactivate, rulesFor(access, surroundings));
				return { plan: { ...plan, settled: [...unknown, ...plan.settled] }, access };
			},
			output: changedAccess,
		});
	},
};

/**
 * Who is in a group is known from the groups; somebody in none is taken for new where creating is allowed, and looked
 * up otherwise. People given by id are looked up when they are in no group, to see whether they are active.
 */
async function whoIsMeant(
	wanted: readonly NamedRole[],
	access: Access,
	createMissing: boolean,
	surroundings: Surroundings,
): Promise<{ known: WantedRole[]; unknown: ProvisioningPlan['settled'] }> {
	const { client, directory, protectsBy } = surroundings;
	/** The e-mail of somebody who is in no group, where people may be created. */
	const unseen = ({ reference }: NamedRole): string | undefined =>
		createMissing &&
		reference.by === 'userName' &&
		memberNamed(access, reference.userName) === undefined
			? reference.userName
			: undefined;
	// Where groups do not tell names, or people are protected by id, the one who exists has to be known beforehand.
	const looksFirst = !client.profile.memberDisplayIsUserName || protectsBy.ids;
	const existing = await directory.findUsersToCreate(
		looksFirst ? wanted.flatMap((want) => unseen(want) ?? []) : [],
	);
	const isNew = (want: NamedRole) => {
		const userName = unseen(want);
		return userName !== undefined && (existing.get(userName)?.kind ?? 'absent') === 'absent';
	};
	const find = await findPeople(
		wanted.filter((want) => !isNew(want)).map(({ reference }) => reference),
		access,
		surroundings,
		!client.profile.deactivationDropsMemberships,
	);
	// Somebody whom one item names by email may be there by what the ID in another one shows.
	const byName = new Map(
		wanted.flatMap(({ reference }) => {
			const found = reference.by === 'id' ? find(reference) : undefined;
			const name = found?.ok ? found.value.userName : undefined;
			return found === undefined || name === undefined ? [] : [[nameKey(name), found]];
		}),
	);
	const known: WantedRole[] = [];
	const unknown: ProvisioningPlan['settled'] = [];
	for (const want of wanted) {
		const { item, reference, hold, attributes, warnings } = want;
		const userName = isNew(want) ? unseen(want) : undefined;
		const same = byName.get(nameKey(userName ?? ''));
		if (userName !== undefined && same === undefined) {
			known.push({ kind: 'new', item, hold, userName, attributes, warnings });
			continue;
		}
		const found = same ?? find(reference);
		if (found.ok) {
			const { user, ...person } = found.value;
			known.push({ kind: 'known', item, hold, drop: [], person, ...(user && { user }) });
		} else unknown.push(notFound(item, reference, found.error));
	}
	return { known, unknown };
}
