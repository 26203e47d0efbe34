import type { IDataObject } from 'n8n-workflow';

import {
	type Access,
	type Assignment,
	assignmentsOf,
	countPeople,
	type LossBase,
	settledAccess,
} from '../../../shared/access';
import { changedAccess } from '../../fields/accessItem';
import { planNamed } from '../../fields/accessPlan';
import { checkRole, organizationField, ROLES } from '../../fields/group';
import { safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption, treatsAsGone } from '../../fields/ifNotFound';
import { peopleField } from '../../fields/members';
import {
	locatorValue,
	type Operation,
	optionsField,
	parameterText,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { runChange, type Surroundings } from '../../road';

const ANY_ROLE = 'any';

interface WantedRevocation {
	item: number;
	reference: PersonReference;
	/** Undefined for all. */
	organization?: string;
	matches(assignment: Assignment): boolean;
	/** Whether whoever gets another role meanwhile is left alone. */
	skipsOtherRole: boolean;
	/** The group to name when the person has nothing to revoke. */
	named: string[];
}

/** Takes roles from people, after looking which they hold: removal is role-blind (docs/interface.md 2.3). */
export const revoke: Operation = {
	fields: showFor('access', 'revoke', [
		peopleField,
		{
			displayName: 'Revoke In',
			name: 'revokeIn',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'All Organizations', value: 'all', description: 'Every role that the person has' },
				{ name: 'One Organization', value: 'one', description: 'The role in one organization' },
			],
			default: 'one',
			description: 'Where the person loses the role',
		},
		{ ...organizationField, displayOptions: { show: { revokeIn: ['one'] } } },
		{
			displayName: 'Role Held',
			name: 'roleHeld',
			type: 'options',
			options: [{ name: 'Any Role', value: ANY_ROLE }, ...ROLES],
			default: ANY_ROLE,
			description: 'Only if the person has this role; otherwise the person is left alone',
		},
		previewField,
		optionsField([
			ifNotFoundOption,
			safetyLimitsOption(),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	execute: async (context) =>
		await runChange<WantedRevocation>(context, {
			needsOrganizations: true,
			collect(item, surroundings) {
				const { ids, organizations, client } = surroundings;
				const role = String(context.getNodeParameter('roleHeld', item));
				const wantedRole = role === ANY_ROLE ? undefined : checkRole(role, surroundings);
				const all = context.getNodeParameter('revokeIn', item) === 'all';
				const organization = all
					? undefined
					: organizations.idOf(
							parameterText(locatorValue(context.getNodeParameter('organization', item))),
						);
				const people = readPeopleField(context.getNodeParameter('people', item), client.profile);
				const matches = (held: Assignment) =>
					(organization === undefined || held.organization === organization) &&
					(wantedRole === undefined || held.role.toLowerCase() === wantedRole);
				const named =
					organization === undefined
						? []
						: [ids.format({ organization, role: wantedRole ?? ROLES[1].value })];
				const skipsOtherRole = wantedRole !== undefined;
				return people.map((reference) => ({
					item,
					reference,
					organization,
					matches,
					named,
					skipsOtherRole,
				}));
			},
			async plan(wanted, surroundings) {
				const access = await settledAccess(surroundings);
				const plan = await planNamed(
					wanted.map(({ item, reference, matches, named, skipsOtherRole }) => ({
						item,
						reference,
						skipsOtherRole,
						hold: () => [],
						drop(person) {
							const held = assignmentsOf(access, person.id, surroundings.ids).filter(matches);
							return held.length > 0 ? held.map(({ groupId }) => groupId) : named;
						},
					})),
					access,
					surroundings,
					treatsAsGone(context.getNodeParameter('options', 0, {}) as IDataObject),
				);
				const among = peopleOfOrganizations(wanted, access, surroundings);
				return { plan, access, ...(among && { among }) };
			},
			output: changedAccess,
		}),
};

/** Those against whom losses count; undefined when roles are revoked everywhere. */
function peopleOfOrganizations(
	wanted: readonly WantedRevocation[],
	access: Access,
	{ ids }: Surroundings,
): LossBase | undefined {
	if (wanted.some(({ organization }) => organization === undefined)) return undefined;
	const named = new Set(wanted.map(({ organization }) => organization));
	const people = countPeople(access, (groupId) => named.has(ids.parse(groupId)?.organization));
	return {
		people,
		are: `people with access in the named organization${named.size > 1 ? 's' : ''}`,
	};
}
