import { type Change } from '../../../nodes/shared/access/changes/change';
import { orderOf } from '../../../nodes/shared/access/changes/order';
import { orderBy } from '../../../nodes/shared/run/schedule';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { ACCOUNT, CHANGE, ofAccount, ofGroups, ofValue, person } from '../../support/plans';

const [ADMIN, MEMBER] = ['org-1:admin', 'org-1:member'];

const OF_ANA = {
	created: ofAccount('absent', 'active'),
	updated: ofAccount('active', 'active', { attributes: {} }),
	activated: ofAccount('inactive', 'active'),
	granted: ofGroups([], ['VPN']),
	given: ofValue(true),
	moved: ofGroups([ADMIN], [MEMBER]),
	deactivated: ofAccount('active', 'inactive'),
	revoked: ofGroups(['Staff'], []),
	taken: ofValue(false),
	deleted: ofAccount('inactive', 'absent'),
};
const { restsOn } = ofAccount('active', 'inactive', {
	restsOn: [{ on: 'nothingElse', groups: [] }],
});

/** What each change waits for, by its name; `!`: that has to have succeeded. */
function orderIn(changes: Record<string, Change>, traits: Partial<Traits> = {}) {
	const names = new Map(Object.entries(changes).map(([name, change]) => [change, name]));
	const order = [...orderOf(Object.values(changes), { ...ACCOUNT, ...traits })];
	return Object.fromEntries(
		order.map(([change, first]) => [
			names.get(change),
			first
				.flat()
				.map((one) => `${names.get(one.change)}${one.must ? '!' : ''}`)
				.join(' '),
		]),
	);
}

const SHUT_OUT_FIRST = {
	granted: 'created! activated! updated deactivated',
	given: 'created! activated! updated deactivated',
	moved: 'created! activated!',
	revoked: 'granted! given! moved! deactivated updated activated',
	taken: 'deactivated updated activated',
	deleted: 'deactivated revoked taken',
};

it.each<[string, Record<string, Change>, Partial<Traits>, object]>([
	['one person', OF_ANA, {}, SHUT_OUT_FIRST],
	[
		'one person, whose memberships cannot be changed once inactive',
		OF_ANA,
		{ inactiveRefusesGroupChanges: true },
		{
			...SHUT_OUT_FIRST,
			...{ granted: 'created! activated! updated', given: 'created! activated! updated' },
			...{ revoked: 'granted! given! moved! updated activated', taken: 'updated activated' },
			deactivated: 'revoked taken',
		},
	],
	[
		'one person who is deactivated for having nothing else',
		{ deactivated: { ...OF_ANA.deactivated, restsOn }, revoked: OF_ANA.revoked },
		{},
		{ revoked: 'deactivated!' },
	],
	[
		'one person who keeps a role of two, and whose account rests on another change',
		{
			deactivated: { ...OF_ANA.deactivated, restsOn: [{ on: 'change', key: 'none' }] },
			granted: OF_ANA.granted,
			revoked: ofGroups([ADMIN, MEMBER], [ADMIN]),
		},
		{},
		{ granted: 'deactivated', revoked: 'deactivated' },
	],
	[
		'changes that rest on something else, and one of them on the other',
		{
			last: {
				...ofGroups([ADMIN], [], person('ben')),
				restsOn: [
					{ on: 'access', groups: [] },
					{ on: 'change', key: OF_ANA.granted.key },
				],
			},
			granted: { ...OF_ANA.granted, restsOn: [{ on: 'access', groups: [] }] },
		},
		{},
		{ last: 'granted!' },
	],
	[
		'two people',
		{ granted: ofGroups([], ['VPN'], person('ben')), revoked: OF_ANA.revoked },
		{},
		{},
	],
	[
		'a change that rests on others, as far as they are made',
		{
			group: { ...CHANGE, about: 'group', key: 'g', subject: 'g', before: 'there', after: 'there' },
			last: {
				...ofGroups([ADMIN], [], person('ben')),
				restsOn: [OF_ANA.granted.key, 'g', 'unknown'].map((key) => ({ on: 'change', key })),
			},
			granted: OF_ANA.granted,
		},
		{},
		{ last: 'granted! group!' },
	],
])('the order of %s', (_, changes, traits, order) => {
	expect(orderIn(changes, traits)).toEqual(order);
});

it('rules are about the changes of one owner, and not about those of none', () => {
	const changes = ['one', 'other'].map((key) => ({ ...CHANGE, key }));
	const rules = [{ first: ['any'], then: ['any'], must: false }];
	const sizeFor = (owner?: string) =>
		orderBy(
			changes,
			rules,
			() => 'any',
			() => owner,
		).size;
	expect([sizeFor('ana'), sizeFor()]).toEqual([2, 0]);
});
