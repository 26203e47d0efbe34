import { assignmentsOf, doubleRoles, readAccess } from '../../../nodes/shared/access/access';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { readGroup } from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeTransport';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);

const accessOf = (bodies: object[], profile = PROFILES.accountOrganizations) =>
	readAccess(
		{ groups: bodies.flatMap((body) => readGroup(body) ?? []), isWhole: true, readAt: FRESH },
		ids,
		profile,
	);

const BODIES = [
	{
		id: 'whylabs-org-2:viewer',
		members: [{ value: 'user-1', display: 'Ana@Example.com' }],
	},
	{
		id: 'whylabs-org-1:ADMIN',
		members: [{ value: 'user-1' }, { value: 'user-2', display: 'ana@example.com' }],
	},
	{ id: 'whylabs-org-1:member' },
	{ id: 'free-group', members: [{ value: 'user-1' }] },
];

describe('readAccess', () => {
	it('finds a group in whichever way its id is written', () => {
		const { groups } = accessOf(BODIES);
		expect(groups.size).toBe(4);
		expect(groups.get(ids.key('org-1:admin'))?.id).toBe('whylabs-org-1:ADMIN');
	});

	it('says who is in what; people in no group are not there', () => {
		const { held } = accessOf(BODIES);
		expect(held.get('user-2')).toEqual(new Set([ids.key('org-1:admin')]));
		expect(held.get('user-1')?.size).toBe(3);
		expect(held.has('user-3')).toBe(false);
	});

	it('knows people by name, in any case, several where names differ in case alone', () => {
		const { names, idsByName } = accessOf(BODIES);
		expect(names.get('user-1')).toBe('Ana@Example.com');
		expect(idsByName.get('ana@example.com')).toEqual(['user-1', 'user-2']);
	});

	it('does not believe names where anybody may have chosen them', () => {
		const { names, idsByName, held } = accessOf(BODIES, PROFILES.generic);
		expect(names.size).toBe(0);
		expect(idsByName.size).toBe(0);
		expect(held.size).toBe(2);
	});
});

describe('assignmentsOf', () => {
	it('in the order of the organizations, with the id that the service uses; groups without organization left out', () => {
		expect(assignmentsOf(accessOf(BODIES), 'user-1')).toEqual([
			{
				displayName: 'whylabs-org-1:ADMIN',
				organization: 'org-1',
				role: 'admin',
				groupId: 'whylabs-org-1:ADMIN',
				key: ids.key('org-1:admin'),
			},
			{
				displayName: 'whylabs-org-2:viewer',
				organization: 'org-2',
				role: 'viewer',
				groupId: 'whylabs-org-2:viewer',
				key: ids.key('org-2:viewer'),
			},
		]);
	});

	it('of somebody in no group: none', () => {
		expect(assignmentsOf(accessOf(BODIES), 'user-9')).toEqual([]);
	});

	it('none where ids of groups say nothing', () => {
		const plain = groupMeaning();
		const read = { groups: [readGroup(BODIES[0])!], isWhole: true, readAt: FRESH };
		expect(assignmentsOf(readAccess(read, plain, PROFILES.generic), 'user-1')).toEqual([]);
	});
});

describe('doubleRoles', () => {
	it('names the organizations in which somebody is shown twice', () => {
		const access = accessOf([...BODIES, { id: 'org-1:viewer', members: [{ value: 'user-1' }] }]);
		expect(doubleRoles(access, 'user-1')).toEqual(['org-1']);
		expect(doubleRoles(access, 'user-2')).toEqual([]);
	});

	it('one group written in two ways is one role', () => {
		const access = accessOf([
			{ id: 'org-1:admin', members: [{ value: 'a' }] },
			{ id: 'whylabs-org-1:ADMIN', members: [{ value: 'a' }] },
		]);
		expect(doubleRoles(access, 'a')).toEqual([]);
	});
});
