import { leftOut } from '../../../nodes/shared/access/approvalForm';
import {
	kindOf,
	type AccountChange,
	type Entitlement,
	type EntitlementChange,
} from '../../../nodes/shared/access/change';
import type { PlannedChange } from '../../../nodes/shared/access/sealedPlan';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { CHANGE, ofAccount, person } from '../../support/plans';

// What else of a plan is left out where a change is not approved; what that does to a service is in plain/approval.

const VPN: Entitlement = { key: 'vpn', groupId: 'vpn', displayName: 'VPN' };
const planned = (key: string, change: AccountChange | EntitlementChange): PlannedChange => ({
	...change,
	...{ key, action: key, change: kindOf(change) },
});
const access = (
	key: string,
	who: string,
	[before, after]: [Entitlement[], Entitlement[]],
	...first: string[]
) =>
	planned(key, {
		...{ ...CHANGE, about: 'entitlement', person: person(who), before, after },
		restsOn: first.map((one) => ({ on: 'change' as const, key: one })),
	});
const account = (...[key, who, before, after]: [string, string, ...Parameters<typeof ofAccount>]) =>
	planned(key, ofAccount(before, after, { person: person(who) }));

const ENDS = [account('end', 'ana', 'active', 'inactive'), access('loss', 'ana', [[VPN], []])];
const ADMINS = [
	access('new admin', 'ben', [[], [VPN]]),
	access('old admin', 'ana', [[VPN], []], 'new admin'),
	access('third', 'cid', [[VPN], []], 'old admin'),
];

test.each<[string, PlannedChange[], string, keyof typeof PROFILES, string[]]>([
	['the new admin, whom others wait for', ADMINS, 'new admin', 'generic', ['old admin', 'third']],
	['the last in line', ADMINS, 'third', 'generic', []],
	['a loss, where a deactivation brings it', ENDS, 'loss', 'accountOrganizations', ['end']],
	['a loss that a deactivation leaves', ENDS, 'loss', 'generic', []],
])('without %s', (_, changes, out, profile, others) => {
	const approved = new Set(changes.map(({ key }) => key).filter((key) => key !== out));
	const reasons = leftOut(changes, approved, PROFILES[profile]);
	expect([...reasons.keys()]).toEqual([out, ...others]);
	expect(reasons.get(out)).toBe('not approved');
	if (others.length > 0) {
		expect(reasons.get(others[0])).toBe(`not approved: it depends on "${out}"`);
	}
});
