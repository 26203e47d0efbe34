import { shownActivity } from '../../../shared/scim';
import type { IExecuteFunctions } from 'n8n-workflow';

import { membershipsOf, type Access, type GroupSelection } from '../../../shared/access/facts';
import { nameOf, type NamedEntitlement } from '../../../shared/access/changes';
import { proofReads, proveGone } from '../../../shared/access/send';
import { optionsField, previewField } from '../../../shared/run';
import { planNamed, readNamed, type NamedWish } from '../../fields/accessPlan';
import {
	allowPermanentRemoval,
	safetyLimitsFields,
	matchUsersByOption,
	peopleField,
} from '../../fields/options';
import { ifNotFoundOption, readPeopleField } from '../../fields/person';
import {
	keepMembershipsOption,
	readKeepMembershipsIn,
	readKeptGroups,
} from '../../fields/groupRows';
import { leaverItems } from '../../fields/accessItem';
import type { FoundPerson, KnownPerson } from '../../fields/people';
import { foundIn } from '../../fields/state';
import { returnOption } from '../../fields/item';
import { undoOption } from '../../fields/undo';
import type { OperationContext } from '../../context';
import { scimWrite } from '../../runWrite';

/** Takes everything from people who leave, and proves it from users and groups (test/contract/interface.md 1.2, 2.3). */
export const offboard = scimWrite<NamedWish>({
	name: 'Offboard',
	action: 'Offboard users',
	description: 'Deactivate or delete users who leave, remove all their access, and verify it',
	fields: [
		peopleField,
		{
			displayName: 'Account Action',
			name: 'method',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Deactivate',
					value: 'deactivate',
					description: 'The user stays, inactive and without access. You can undo this.',
				},
				{ name: 'Delete', value: 'delete', description: 'The user is deleted permanently' },
			],
			default: 'deactivate',
			description: 'What to do with the user',
		},
		previewField,
		...safetyLimitsFields(allowPermanentRemoval),
		optionsField([
			ifNotFoundOption,
			keepMembershipsOption,
			matchUsersByOption,
			returnOption,
			undoOption,
		]),
	],

	items: (context) => leaverItems(deletes(context)),
	plans: { operation: 'offboard' },
	collect(item, operation) {
		const isDeleted = deletes(operation.context);
		operation.requireUndoable(isDeleted ? 'delete' : 'deactivate');
		const people = readPeopleField(operation, item);
		const account = isDeleted ? 'gone' : 'inactive';
		return people.map((reference) => ({ item, reference, account }));
	},
	async plan(wanted, operation) {
		const entries = readKeepMembershipsIn(operation.context);
		const takesValues = operation.client.profile.deactivation !== 'removes';
		const need = { everything: true, readsUsers: true, takesValues };
		const state = await readNamed(wanted, operation, need);
		const { access } = state;
		const kept = await readKeptGroups(entries, access, operation);
		const drop = (person: KnownPerson) => leaves(person, access, kept.includes, operation);
		const wishes = wanted.map((want) => ({ ...want, drop }));
		const planned = planNamed(wishes, state, operation, { verb: 'offboard' });
		const leavers = foundIn(
			wanted.map(({ reference }) => reference),
			state,
		);
		const unmatched = kept.unmatched.map(
			(entry) => `No group matches ${entry} in Keep Memberships In.`,
		);
		const losing = leavers.flatMap((one) => losesKept(one, access, kept.includes, operation));
		return {
			...planned,
			warnings: [...unmatched, ...losing],
			basis: { ...planned.basis, people: leavers },
			settings: { method: methodOf(operation.context) },
			proofReads: proofReads(new Set(leavers.map(({ id }) => id)), access, operation),
			conclude: async (applied, plan) => await proveGone(applied, plan, operation, kept.includes),
		};
	},
});

function methodOf(context: IExecuteFunctions): string {
	return String(context.getNodeParameter('method', 0, 'deactivate'));
}

function deletes(context: IExecuteFunctions): boolean {
	return methodOf(context) === 'delete';
}

/** Whether memberships go with the account, without a request of their own. */
function goAlong({ user }: KnownPerson, { client, context }: OperationContext): boolean {
	return (
		client.profile.deactivation === 'drops' &&
		(deletes(context) || shownActivity(user) !== 'inactive')
	);
}

/** What is taken from a leaver by requests of its own: memberships that are not kept, and values. */
function leaves(
	person: KnownPerson,
	access: Access,
	keeps: GroupSelection['includes'],
	operation: OperationContext,
): NamedEntitlement[] {
	const { id = '' } = person;
	const held = goAlong(person, operation) ? [] : membershipsOf(access, id);
	// Where there is no user left, there is no value either.
	const isRemoved = operation.client.profile.deactivation === 'removes';
	const values = isRemoved ? [] : (access.values.get(id) ?? []);
	return [...held.map(({ groupId }) => groupId).filter((one) => !keeps(one)), ...values];
}

/** The warning of a leaver whose kept memberships cannot stay. */
function losesKept(
	person: FoundPerson,
	access: Access,
	keeps: GroupSelection['includes'],
	operation: OperationContext,
): string[] {
	const isCertain = goAlong(person, operation);
	// Most services forget where a deleted user was, whatever a deactivation does.
	if (!isCertain && !deletes(operation.context)) return [];
	if (!membershipsOf(access, person.id).some(({ groupId }) => keeps(groupId))) return [];
	const loses = isCertain ? 'loses' : 'may lose';
	return [`${nameOf(person)} ${loses} kept memberships, too: they go with the account.`];
}
