import {
	countPeople,
	membershipsOf,
	unknownOrganization,
	type Access,
	type GroupReference,
	type AffectedBase,
	type Membership,
} from '../../../shared/access';
import { locatorValue, optionsField, parameterText, previewField } from '../../../shared/run';
import { memoized } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { membersOf, planNamed, type NamedWish } from '../../fields/accessPlan';
import {
	accessByField,
	groupsField,
	isByGroup,
	noAssignments,
	readAssignments,
} from '../../fields/assignments';
import { checkRole, organizationField, ROLES } from '../../fields/group';
import { safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption } from '../../fields/ifNotFound';
import { managedGroupsOption, readManagedGroups } from '../../fields/managedGroups';
import { matchUsersByOption } from '../../fields/matchUsers';
import { peopleField } from '../../fields/members';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { readState, type State } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

const ANY_ROLE = 'any';

interface WantedRevocation {
	item: number;
	reference: PersonReference;
	/** The groups to leave; undefined for those that `matches` picks of what the person has. */
	groups?: GroupReference[];
	/** Undefined for all. */
	organization?: string;
	matches(membership: Membership): boolean;
	/** Whether whoever gets another role meanwhile is left alone. */
	skipsOtherRole: boolean;
}

const showOne = { revokeIn: ['one'] };

/** Takes access from people, after looking what they have: removal is role-blind (docs/interface.md 2.3). */
export const revoke = scimWrite<WantedRevocation>({
	name: 'Revoke',
	action: 'Revoke access from users',
	description: 'Remove groups or roles from users',
	fields: [
		peopleField,
		accessByField,
		{
			displayName: 'Revoke',
			name: 'revokeIn',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'All Access',
					value: 'all',
					description:
						'All roles in organizations, or all groups, as chosen above. To remove everything, use Offboard.',
				},
				{ name: 'Chosen Access', value: 'one', description: 'The access chosen below' },
			],
			default: 'one',
			description: 'What to remove',
		},
		{
			...organizationField,
			displayOptions: { show: { ...showOne, accessBy: ['organizationAndRole'] } },
		},
		{
			displayName: 'Only If Role Is',
			name: 'roleHeld',
			type: 'options',
			options: [{ name: 'Any Role', value: ANY_ROLE }, ...ROLES],
			default: ANY_ROLE,
			displayOptions: { show: { accessBy: ['organizationAndRole'] } },
			description:
				'Skips users with another role. For a role that is not listed, use an expression.',
		},
		{ ...groupsField, displayOptions: { show: { ...showOne, accessBy: ['group'] } } },
		previewField,
		optionsField([
			ifNotFoundOption,
			managedGroupsOption,
			matchUsersByOption,
			safetyLimitsOption(),
			...writeOptions,
		]),
	],

	items: accessItems,
	plans: { operation: 'revoke' },
	collect(item, operation) {
		const { organizations } = operation;
		const people = readPeopleField(operation.context.getNodeParameter('people', item), operation);
		const all = operation.context.getNodeParameter('revokeIn', item) === 'all';
		if (isByGroup(operation.context)) {
			const groups = all
				? undefined
				: readAssignments(operation.context, item, operation, noAssignments);
			return people.map((reference) => ({
				...{ item, reference, skipsOtherRole: false, matches: () => true },
				...(groups && { groups }),
			}));
		}
		const held = String(operation.context.getNodeParameter('roleHeld', item, ANY_ROLE));
		const role = held === ANY_ROLE ? undefined : checkRole(held, operation);
		const organization = all
			? undefined
			: organizations.idOf(
					parameterText(locatorValue(operation.context.getNodeParameter('organization', item))),
				);
		const isRole = (one: string | undefined) =>
			one !== undefined && (role === undefined || one.toLowerCase() === role.toLowerCase());
		return people.map((reference) => ({
			...{ item, reference, organization, skipsOtherRole: role !== undefined },
			matches: (one) =>
				isRole(one.role) &&
				(organization === undefined || isIn(one.organization, organization, operation)),
			...(organization !== undefined &&
				role !== undefined && { groups: [{ by: 'place', organization, role }] }),
		}));
	},
	async plan(wanted, operation) {
		if (!isByGroup(operation.context)) operation.ids.requirePattern();
		const managed = readManagedGroups(operation.context, true);
		const state = await readState(
			{
				people: wanted.map(({ reference }) => reference),
				groups: wanted.flatMap(({ groups = [] }) => groups),
				managed,
				everything: wanted.some(({ groups }) => groups === undefined),
				removes: true,
				readsUsers: isByGroup(operation.context),
			},
			operation,
		);
		const { access } = state;
		const groupsRead = [...access.groups.values()];
		const isThere = memoized((organization) =>
			groupsRead.some(({ id }) => isIn(access.placeOf(id)?.organization, organization, operation)),
		);
		const planned = planNamed(
			wanted.map((want) => wishOf(want, state, operation, isThere)),
			state,
			operation,
		);
		const groups = wanted.flatMap((want) => want.groups ?? []);
		const groupIds = groups.map(state.group).flatMap((one) => (one.ok ? one.value : []));
		const among =
			isByGroup(operation.context) && groups.length > 0
				? membersOf(groupIds, access, operation)
				: peopleOfOrganizations(wanted, access, operation);
		const all = operation.context.getNodeParameter('revokeIn', 0) === 'all';
		return {
			...planned,
			...(among && { among }),
			...(all && { compares: { includes: state.managed.includes, managed } }),
		};
	},
});

function wishOf(
	{ item, reference, groups, organization, matches, skipsOtherRole }: WantedRevocation,
	{ access, managed }: State,
	{ organizations }: OperationContext,
	isThere: (organization: string) => boolean,
): NamedWish {
	const common = { item, reference, hold: [], skipsOtherRole };
	if (groups !== undefined) return { ...common, drop: groups };
	return {
		...common,
		...(organization !== undefined &&
			!isThere(organization) && {
				fault: unknownOrganization(organizations.nameOf(organization), access),
			}),
		drop: (person) =>
			membershipsOf(access, person.id)
				.filter((one) => matches(one) && managed.includes(one.groupId))
				.map(({ groupId }) => groupId),
	};
}

/** Whether two spellings mean one organization. */
function isIn(one: string | undefined, organization: string, { ids }: OperationContext): boolean {
	const key = (of: string) => ids.placeKey({ organization: of, role: '' });
	return one !== undefined && key(one) === key(organization);
}

/** Those against whom the affected count; undefined when access is revoked everywhere. */
function peopleOfOrganizations(
	wanted: readonly WantedRevocation[],
	access: Access,
	operation: OperationContext,
): AffectedBase | undefined {
	if (wanted.some(({ organization }) => organization === undefined)) return undefined;
	const named = new Set(wanted.map(({ organization = '' }) => organization));
	const people = countPeople(access, (id) =>
		[...named].some((one) => isIn(access.placeOf(id)?.organization, one, operation)),
	);
	return {
		people,
		are: `people with access in the named organization${named.size > 1 ? 's' : ''}`,
	};
}
