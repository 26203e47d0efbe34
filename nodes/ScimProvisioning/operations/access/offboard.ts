import type { IExecuteFunctions } from 'n8n-workflow';

import {
	diff,
	membershipsOf,
	nameOf,
	type GroupSelection,
	type Settled,
	type Wish,
} from '../../../shared/access';
import { optionsField, previewField } from '../../../shared/run';
import { rulesFor } from '../../fields/accessPlan';
import { allowPermanentRemoval, safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption, notFound, treatsAsGone } from '../../fields/ifNotFound';
import {
	keepMembershipsOption,
	readKeepMembershipsIn,
	readKeptGroups,
} from '../../fields/keepMemberships';
import { matchUsersByOption } from '../../fields/matchUsers';
import { leaverItems, proofReads, proveGone } from '../../fields/leaverProof';
import { peopleField } from '../../fields/members';
import { labelOf, readPeopleField, type PersonReference } from '../../fields/person';
import { readState, type State } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import type { OperationContext } from '../../context';
import type { Planned } from '../../planned';
import { scimWrite } from '../../runWrite';

interface NamedLeaver {
	item: number;
	reference: PersonReference;
}

/** Takes everything from people who leave, and proves it from users and groups (docs/interface.md 1.2, 2.3). */
export const offboard = scimWrite<NamedLeaver>({
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
		optionsField([
			ifNotFoundOption,
			keepMembershipsOption,
			matchUsersByOption,
			safetyLimitsOption(allowPermanentRemoval),
			...writeOptions,
		]),
	],

	items: (context) => leaverItems(deletes(context)),
	plans: { operation: 'offboard' },
	collect(item, operation) {
		operation.requireUndoable(deletes(operation.context) ? 'delete' : 'deactivate');
		const people = readPeopleField(operation.context.getNodeParameter('people', item), operation);
		return people.map((reference) => ({ item, reference }));
	},
	async plan(wanted, operation) {
		const entries = readKeepMembershipsIn(operation.context);
		const people = wanted.map(({ reference }) => reference);
		const need = { people, groups: [], everything: true, readsUsers: true };
		const state = await readState(need, operation);
		const kept = await readKeptGroups(entries, state.access, operation);
		const planned = planLeavers(wanted, kept.includes, state, operation);
		const unmatched = kept.unmatched.map(
			(entry) => `No group matches ${entry} in Keep Memberships In.`,
		);
		return {
			...planned,
			warnings: [...unmatched, ...planned.warnings],
			settings: { method: methodOf(operation.context) },
			conclude: async (applied, plan) => await proveGone(applied, operation, plan, kept.includes),
		};
	},
});

function methodOf(context: IExecuteFunctions): string {
	return String(context.getNodeParameter('method', 0, 'deactivate'));
}

function deletes(context: IExecuteFunctions): boolean {
	return methodOf(context) === 'delete';
}

function planLeavers(
	wanted: readonly NamedLeaver[],
	keeps: GroupSelection['includes'],
	{ access, person }: State,
	operation: OperationContext,
): Planned {
	const { deactivationDropsMemberships, deactivationRemoves } = operation.client.profile;
	const isDeleted = deletes(operation.context);
	const wishes: Wish[] = [];
	const warnings: string[] = [];
	const unknown: Settled[] = [];
	for (const { item, reference } of wanted) {
		const found = person(reference);
		if (!found.ok) {
			const action = `offboard ${labelOf(reference)}`;
			unknown.push(notFound(item, reference, found.error, action, treatsAsGone(operation.options)));
			continue;
		}
		const { user, ...who } = found.value;
		// What goes with the account needs no request of its own.
		const goAlong = deactivationDropsMemberships && (isDeleted || user?.active !== false);
		const held = membershipsOf(access, who.id).map(({ groupId }) => groupId);
		const drop = goAlong ? [] : held.filter((groupId) => !keeps(groupId));
		if ((goAlong || isDeleted) && held.some(keeps)) {
			// Most services forget where a deleted user was, whatever a deactivation does.
			const loses = goAlong ? 'loses' : 'may lose';
			warnings.push(`${nameOf(who)} ${loses} kept memberships, too: they go with the account.`);
		}
		const account = isDeleted ? 'gone' : 'inactive';
		// Where there is no user left, there is no value either.
		const values = deactivationRemoves ? [] : (access.values.get(who.id) ?? []);
		const less = [...drop, ...values];
		wishes.push({ item, person: who, hold: [], drop: less, account, ...(user && { user }) });
	}
	const planned = diff(wishes, rulesFor(access, operation));
	return {
		...planned,
		warnings: [...warnings, ...planned.warnings],
		settled: [...unknown, ...planned.settled],
		access,
		people: wishes.map((wish) => wish.person),
		proofReads: proofReads(new Set(wishes.map(({ person }) => person.id ?? '')), access, operation),
	};
}
