import {
	countPeople,
	membershipsOf,
	type Access,
	type Membership,
} from '../../../shared/access/facts';
import { locatorValue, optionsField, parameterText, previewField } from '../../../shared/run';
import { memoized, type InputError } from '../../../shared/util';
import { accessItems } from '../../fields/accessItem';
import { membersOfNamed, planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import {
	accessByField,
	groupsField,
	isByGroup,
	noAssignments,
	readAssignments,
} from '../../fields/assignments';
import { checkRole, organizationField, ROLES } from '../../fields/group';
import { safetyLimitsFields, matchUsersByOption, peopleField } from '../../fields/options';
import { ifNotFoundOption, readPeopleField } from '../../fields/person';
import { managedGroupsOption, readManagedGroups } from '../../fields/groupRows';
import type { State } from '../../fields/state';
import { returnOption } from '../../fields/item';
import type { OperationContext } from '../../context';
import type { Basis } from '../../../shared/access/write';
import { scimWrite } from '../../runWrite';
import { unknownOrganization } from '../../../shared/access/guards';

const ANY_ROLE = 'any';

interface Revocation extends NamedWish {
	/** The organization of which access is taken; undefined for all. */
	organization?: string;
}

const showOne = { revokeIn: ['one'] };

/** Takes access from people, after looking what they have: removal is role-blind (test/contract/interface.md 2.3). */
export const revoke = scimWrite<Revocation>({
	name: 'Revoke',
	action: 'Revoke access from users',
	description: 'Remove groups or roles from users',
	fields: [
		peopleField,
		accessByField,
		{
			displayName: 'What to Revoke',
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
		...safetyLimitsFields(),
		optionsField([ifNotFoundOption, managedGroupsOption, matchUsersByOption, returnOption]),
	],

	items: accessItems,
	plans: { operation: 'revoke' },
	collect(item, operation) {
		const { context, organizations } = operation;
		const people = readPeopleField(operation, item);
		const all = context.getNodeParameter('revokeIn', item) === 'all';
		if (isByGroup(context)) {
			const drop = all
				? held(() => true)
				: readAssignments(context, item, operation, noAssignments);
			return people.map((reference) => ({ item, reference, drop }));
		}
		const given = String(context.getNodeParameter('roleHeld', item, ANY_ROLE));
		const role = given === ANY_ROLE ? undefined : checkRole(given, operation);
		const organization = all
			? undefined
			: organizations.idOf(
					parameterText(locatorValue(context.getNodeParameter('organization', item))),
				);
		const isRole = (one: string | undefined) =>
			one !== undefined && (role === undefined || one.toLowerCase() === role.toLowerCase());
		const drop: NamedWish['drop'] =
			organization !== undefined && role !== undefined
				? [{ by: 'place', organization, role }]
				: held(
						(one) =>
							isRole(one.role) &&
							(organization === undefined || isIn(one.organization, organization, operation)),
					);
		return people.map((reference) => ({
			...{ item, reference, organization, drop, skipsOtherRole: role !== undefined },
		}));
	},
	async plan(wanted, operation) {
		const { context } = operation;
		const byGroup = isByGroup(context);
		if (!byGroup) operation.ids.requirePattern();
		const managed = readManagedGroups(context, true);
		const state = await readNamed(wanted, operation, { managed, readsUsers: byGroup });
		const all = context.getNodeParameter('revokeIn', 0) === 'all';
		const faultOf = unknownPlace(state, operation);
		const planned = planNamed(wanted, state, operation, { faultOf });
		return {
			...planned,
			basis: {
				...planned.basis,
				...(byGroup && wanted.some(({ drop }) => typeof drop !== 'function')
					? { among: membersOfNamed(wanted, state, operation) }
					: peopleOfOrganizations(wanted, state.access, operation)),
				...(all && { compares: { includes: state.managed.includes, managed } }),
			},
		};
	},
});

/** What a person has of a kind, within what is managed. */
function held(matches: (membership: Membership) => boolean): NamedWish['drop'] {
	return ({ id = '' }, { access, managed }) =>
		membershipsOf(access, id)
			.filter((one) => matches(one) && managed.includes(one.groupId))
			.map(({ groupId }) => groupId);
}

/** No user can have access in an organization without groups. */
function unknownPlace(
	{ access }: State,
	operation: OperationContext,
): (want: Revocation) => InputError | undefined {
	const groups = [...access.groups.values()];
	const isThere = memoized((organization) =>
		groups.some(({ id }) => isIn(access.placeOf(id)?.organization, organization, operation)),
	);
	return ({ organization, drop }) =>
		typeof drop !== 'function' || organization === undefined || isThere(organization)
			? undefined
			: unknownOrganization(operation.organizations.nameOf(organization), access);
}

/** Whether two spellings mean one organization. */
function isIn(one: string | undefined, organization: string, { ids }: OperationContext): boolean {
	const key = (of: string) => ids.placeKey({ organization: of, role: '' });
	return one !== undefined && key(one) === key(organization);
}

/** The people that the affected are a share of; nothing when access is revoked everywhere. */
function peopleOfOrganizations(
	wanted: readonly Revocation[],
	access: Access,
	operation: OperationContext,
): Pick<Basis, 'among'> {
	if (wanted.some(({ organization }) => organization === undefined)) return {};
	const named = new Set(wanted.map(({ organization = '' }) => organization));
	const people = countPeople(access, (id) =>
		[...named].some((one) => isIn(access.placeOf(id)?.organization, one, operation)),
	);
	const are = `people with access in the named organization${named.size > 1 ? 's' : ''}`;
	return { among: { people, are } };
}
