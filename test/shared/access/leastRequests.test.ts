import { leastRequests } from '../../../nodes/shared/access/leastRequests';
import type { ProvisioningStep } from '../../../nodes/shared/access/step';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { fakePatience, FRESH } from '../../support/fakeTransport';
import { ACCOUNT, ids } from '../../support/plans';

const OLD = { at: 0, pauses: 0 };
const person = { id: 'ana' };
const HIDDEN: Traits = { ...ACCOUNT, groupsShowMembers: 'no' };

/** Only what decides about requests. */
const step = (kind: ProvisioningStep['kind'], more: object = {}) =>
	({ kind, ...more }) as ProvisioningStep;
const onlyWith = (readAt: object) => ({ person, onlyWith: { readAt } });
const members = (more: object) => ({ groupId: 'org-1:admin', remove: [], readAt: OLD, ...more });
const REMOVED = { remove: [{}] };

const readsFor = (steps: ProvisioningStep[], profile = ACCOUNT) =>
	leastRequests(steps, { profile, patience: fakePatience() }, ids).reads;

it.each([
	['an update', 0, step('updateUser', { person, readAt: OLD, attributes: { title: 'x' } })],
	['an update of a user name', 1, step('updateUser', { person, attributes: { userName: 'x' } })],
	['a PUT of a fresh user', 0, step('replaceUser', { person, readAt: FRESH, attributes: {} })],
	['a PUT of an old read', 1, step('replaceUser', { person, readAt: OLD, attributes: {} })],
	['an activation', 0, step('setActive', { person })],
	['a deactivation of whoever has nothing else, just read', 0, step('setActive', onlyWith(FRESH))],
	['the same, read long ago', 1, step('setActive', onlyWith(OLD))],
	['values, just read', 1, step('changeValues', { person, readAt: FRESH })],
	['values, read long ago', 2, step('changeValues', { person, readAt: OLD })],
	['a deletion', 1, step('deleteUser', { person })],
	['adds to a group', 0, step('changeMembers', members({}))],
	['removals from it, just read', 0, step('changeMembers', members({ ...REMOVED, readAt: FRESH }))],
	['removals from it, read long ago', 1, step('changeMembers', members(REMOVED))],
	['a whole group, read long ago', 1, step('replaceMembers', members({}))],
	['the deletion of a group', 1, step('deleteGroup', { groupId: 'org-1:admin' })],
	['the creation of one', 0, step('createGroup')],
])('%s takes at least %d reads', (_, reads, one) => {
	expect(readsFor([one])).toBe(reads);
});

it('members that no group shows are looked up one by one', () => {
	expect(readsFor([step('changeMembers', members({}))], HIDDEN)).toBe(1);
	expect(readsFor([step('replaceMembers', members({}))], HIDDEN)).toBe(2);
});

it('steps on the same group, however its ID is written, share what is read; each is a write', () => {
	const steps = ['org-1:admin', 'whylabs-org-1:admin', 'org-1:member'].map((groupId) =>
		step('changeMembers', members({ ...REMOVED, groupId })),
	);
	const client = { profile: HIDDEN, patience: fakePatience() };
	expect(leastRequests(steps, client, ids)).toEqual({ reads: 4, writes: 3 });
	expect(leastRequests([], client, ids)).toEqual({ reads: 0, writes: 0 });
});
