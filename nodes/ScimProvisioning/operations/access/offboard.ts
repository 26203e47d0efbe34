import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	diff,
	membershipsOf,
	nameOf,
	type GroupSelection,
	type Settled,
	type Wish,
} from '../../../shared/access';
import { optionsField, previewField, showFor, type Operation } from '../../../shared/run';
import { rulesFor } from '../../fields/accessPlan';
import { accessExtras } from '../../fields/accessPreview';
import { allowPermanentRemoval, safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption, notFound, treatsAsGone } from '../../fields/ifNotFound';
import {
	keepMembershipsOption,
	readKeepMembershipsIn,
	readKeptGroups,
} from '../../fields/keepMemberships';
import { matchUsersByOption } from '../../fields/matchUsers';
import { leaverItems, noLeaver, proofReads, proveGone } from '../../fields/leaverProof';
import { peopleField } from '../../fields/members';
import { labelOf, readPeopleField, type PersonReference } from '../../fields/person';
import { readState, type State } from '../../fields/state';
import { writeOptions } from '../../fields/writeOptions';
import { runScimWrite, type OperationContext, type Planned } from '../../runWrite';

interface NamedLeaver {
	item: number;
	reference: PersonReference;
}

/** Takes everything from people who leave, and proves it from users and groups (docs/interface.md 1.2, 2.3). */
export const offboard: Operation = {
	fields: showFor('access', 'offboard', [
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
	]),

	blank: blankOf,

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const deletes = context.getNodeParameter('method', 0, 'deactivate') === 'delete';
		const blank = blankOf(context);
		let keeps: GroupSelection['includes'] = () => false;
		return await runScimWrite<NamedLeaver>(context, {
			collect(item, operation) {
				operation.requireUndoable(deletes ? 'delete' : 'deactivate');
				const people = readPeopleField(context.getNodeParameter('people', item), operation);
				return people.map((reference) => ({ item, reference }));
			},
			async plan(wanted, operation) {
				const entries = readKeepMembershipsIn(context);
				const people = wanted.map(({ reference }) => reference);
				const need = { people, groups: [], everything: true, readsUsers: true };
				const state = await readState(need, operation);
				const kept = await readKeptGroups(entries, state.access, operation);
				keeps = kept.includes;
				const asGone = treatsAsGone(options);
				const planned = planLeavers(wanted, deletes, asGone, keeps, state, operation);
				const unmatched = kept.unmatched.map(
					(entry) => `No group matches ${entry} in Keep Memberships In.`,
				);
				const warnings = [...unmatched, ...planned.warnings];
				return accessExtras('offboard', { ...planned, warnings }, operation);
			},
			conclude: async (applied, operation, plan) =>
				await proveGone(applied, operation, plan, keeps),
			blank,
			output: (parts, operation, plan) => leaverItems(parts, operation, plan, blank),
		});
	},
};

function blankOf(context: IExecuteFunctions): IDataObject {
	return noLeaver(context.getNodeParameter('method', 0, 'deactivate') === 'delete');
}

/** @param asGone whether somebody who cannot be found counts as gone */
function planLeavers(
	wanted: readonly NamedLeaver[],
	deletes: boolean,
	asGone: boolean,
	keeps: GroupSelection['includes'],
	{ access, person }: State,
	operation: OperationContext,
): Planned {
	const { deactivationDropsMemberships, deactivationRemoves } = operation.client.profile;
	const wishes: Wish[] = [];
	const warnings: string[] = [];
	const unknown: Settled[] = [];
	for (const { item, reference } of wanted) {
		const found = person(reference);
		if (!found.ok) {
			const action = `offboard ${labelOf(reference)}`;
			unknown.push(notFound(item, reference, found.error, action, asGone));
			continue;
		}
		const { user, ...who } = found.value;
		// What goes with the account needs no request of its own.
		const goAlong = deactivationDropsMemberships && (deletes || user?.active !== false);
		const held = membershipsOf(access, who.id).map(({ groupId }) => groupId);
		const drop = goAlong ? [] : held.filter((groupId) => !keeps(groupId));
		if ((goAlong || deletes) && held.some(keeps)) {
			// Most services forget where a deleted user was, whatever a deactivation does.
			const loses = goAlong ? 'loses' : 'may lose';
			warnings.push(`${nameOf(who)} ${loses} kept memberships, too: they go with the account.`);
		}
		const account = deletes ? 'gone' : 'inactive';
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
