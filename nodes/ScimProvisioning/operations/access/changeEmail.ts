import type { IDataObject } from 'n8n-workflow';

import { attempt } from '../../../shared/util';
import {
	failureOf,
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import {
	clashingChanges,
	type EmailChange,
	emptyProvisioningPlan,
	foundUser,
	planChangeEmail,
	type ProvisioningPlan,
	settledAccess,
	userOf,
} from '../../../shared/access';
import type { User } from '../../../shared/scim';
import { changedAccess } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { notFound } from '../../fields/ifNotFound';
import { safetyLimitsOption } from '../../fields/guards';
import { checkUserName, readUserField, userField, type PersonReference } from '../../fields/person';
import { runChange, type Surroundings } from '../../road';

interface NamedEmailChange {
	item: number;
	reference: PersonReference;
	newEmail: string;
}

/** Moves a person to an account with another e-mail, because user names cannot be changed (docs/interface.md 1.2, 2.2). */
export const changeEmail: Operation = {
	fields: showFor('access', 'changeEmail', [
		userField,
		{
			displayName: 'New Email',
			name: 'newEmail',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'name@email.com',
			description:
				'The new e-mail. A new account is created with it, gets the roles, and the old one is deactivated.',
		},
		previewField,
		optionsField([
			{
				displayName: 'Use Existing Account',
				name: 'useExistingAccount',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether to use an account that already has the new email even if it may be another person',
			},
			safetyLimitsOption(),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const useExisting = options.useExistingAccount === true;
		return await runChange<NamedEmailChange>(context, {
			needsOrganizations: true,
			collect: (item, { client }) => [
				{
					item,
					reference: readUserField(context, item, client.profile),
					newEmail: checkUserName(context.getNodeParameter('newEmail', item), client.profile),
				},
			],
			async plan(wanted, surroundings) {
				const access = await settledAccess(surroundings);
				const { changes, settled } = await findAccounts(wanted, useExisting, surroundings);
				const plans = changes.map((change) =>
					planChangeEmail(change, rulesFor(access, surroundings)),
				);
				const plan = together(plans);
				return { plan: { ...plan, settled: [...settled, ...plan.settled] }, access };
			},
			output: changedAccess,
		});
	},
};

/** Both accounts of everybody; an item whose accounts cannot be found fails alone. */
async function findAccounts(
	wanted: readonly NamedEmailChange[],
	useExisting: boolean,
	{ directory }: Surroundings,
): Promise<{ changes: EmailChange[]; settled: ProvisioningPlan['settled'] }> {
	const read = await directory.readById(
		wanted.flatMap(({ reference }) => (reference.by === 'id' ? [reference.id] : [])),
	);
	const found = await directory.findUsers(
		wanted.flatMap(({ reference, newEmail }) =>
			reference.by === 'id' ? [newEmail] : [reference.userName, newEmail],
		),
	);
	const oldUser = (reference: PersonReference): User => {
		if (reference.by === 'userName') {
			return foundUser(found.get(reference.userName), reference.userName);
		}
		return userOf(read.get(reference.id), reference.id);
	};
	const changes: EmailChange[] = [];
	const settled: ProvisioningPlan['settled'] = [];
	for (const { item, reference, newEmail } of wanted) {
		const accounts = await attempt(() => {
			const other = found.get(newEmail);
			const old = oldUser(reference);
			return other?.kind === 'absent' ? { old } : { old, existing: foundUser(other, newEmail) };
		});
		if (accounts.ok) changes.push({ item, newEmail, useExisting, ...accounts.value });
		else settled.push(notFound(item, reference, accounts.error));
	}
	const clashes = clashingChanges(changes);
	for (const { item, old, newEmail } of changes) {
		const clash = clashes.get(item);
		if (clash === undefined) continue;
		const action = `change the e-mail of ${old.userName} to ${newEmail}`;
		settled.push({ item, subject: old.id, outcome: failureOf(action, clash) });
	}
	return { changes: changes.filter(({ item }) => !clashes.has(item)), settled };
}

/** Plans of several people as one; their steps are told apart by person. */
function together(plans: readonly ProvisioningPlan[]): ProvisioningPlan {
	const whole = emptyProvisioningPlan();
	plans.forEach((plan, index) => {
		const own = (id: string) => `${index + 1}: ${id}`;
		const steps = plan.steps.map((step) => ({
			...step,
			id: own(step.id),
			parts: step.parts.map(({ needs, ...part }) => ({
				...part,
				...(needs && { needs: needs.map((need) => ({ ...need, step: own(need.step) })) }),
			})),
		}));
		whole.steps.push(...steps);
		whole.settled.push(...plan.settled);
		whole.losses.push(...plan.losses);
		whole.gains.push(...plan.gains);
	});
	return whole;
}
