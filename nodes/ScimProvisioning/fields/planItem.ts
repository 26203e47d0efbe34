import type { IDataObject } from 'n8n-workflow';

import {
	type AccessChange,
	type Comparison,
	differs,
	type ProvisioningPlan,
	summaryOf,
	totalsOf,
} from '../../shared/access';
import type { Surroundings } from '../road';
import type { ReconcileSettings } from './reconcileSettings';

/** What the preview of a reconcile says before its steps: summary, counts, and the changes in words of access. */
export function planExtras(
	changes: readonly AccessChange[],
	comparison: Comparison,
	{ organizations: inScope, roles, reactivate }: ReconcileSettings,
	{ organizations, baseUrl }: Surroundings,
): (plan: ProvisioningPlan) => IDataObject {
	return (plan) => {
		const counts = totalsOf(changes, plan.steps.length, comparison);
		return {
			differs: differs(changes, comparison),
			summary: summaryOf(changes, comparison, counts, plan.blockedBy, organizations.nameOf),
			counts: { ...counts },
			baseUrl,
			plannedAt: new Date().toISOString(),
			reactivate,
			scope: { organizations: inScope, roles },
			changes: changes.map(withoutSecrets) as unknown as IDataObject[],
		};
	};
}

/** A password belongs into no item, so a plan that is applied later creates people without one. */
function withoutSecrets(change: AccessChange): AccessChange {
	if (change.attributes === undefined) return change;
	const shown = Object.entries(change.attributes).filter(
		([name]) => name.toLowerCase() !== 'password',
	);
	return { ...change, attributes: Object.fromEntries(shown) };
}
