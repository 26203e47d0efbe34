'use strict';

// Groups that are created and deleted as a whole.

require('../support/noWaiting');
const { ACCOUNT, MemoryService } = require('../support/memoryService');
const { runOnModel } = require('../support/modelNode');
const {
	ID,
	credentialOf,
	defaultsOf,
	errorsIn,
	locator,
	person,
	play,
	serviceWith,
} = require('../support/modelGroupsPlay');

test('a group that is there already, and is not shown: the advice is one that can be followed', async () => {
	const faults = [
		{ method: 'POST', kind: 'status', status: 409, body: { scimType: 'uniqueness' } },
	];
	const { thrown } = await runOnModel(serviceWith({ faults }), {
		...{ resource: 'group', operation: 'create', credential: credentialOf() },
		parameters: { ...defaultsOf('group', 'create'), displayName: 'Design' },
		continueOnFail: false,
	});
	expect(thrown.message).toContain('the service answered 409');
	expect(thrown.description).toBe(
		'There is a group with this name or external ID. Use Update to change it, set If Group Exists to return it, or choose another Display Name.',
	);
});

describe('where groups come and go with their organization', () => {
	const people = Array.from({ length: 20 }, (_, index) => ({
		userName: `person${index}@example.com`,
		roles: { 'org-1': 'viewer' },
	}));

	test.each([false, true])(
		'Delete says so, whatever the limits are; Preview %s',
		async (preview) => {
			const service = new MemoryService({ organizations: ['org-1'], people }, ACCOUNT);
			const items = await play(
				service,
				'delete',
				{ chooseGroupBy: 'group', group: locator('id', 'org-1:viewer'), preview },
				[{}],
				{ resource: 'group', credential: { serviceProfile: 'accountOrganizations' } },
			);
			const reasons = preview ? items[0].invalid.map(({ reason }) => reason) : errorsIn(items);
			expect(reasons).toEqual([
				'Groups of this service cannot be deleted: they come and go with their organization',
			]);
			expect(service.written()).toStrictEqual([]);
		},
	);
});

describe('where groups can be deleted', () => {
	const deleted = async (service, id) => {
		const parameters = { chooseGroupBy: 'group', group: locator('id', id) };
		return await play(service, 'delete', parameters, [{}], { resource: 'group' });
	};

	test('one is', async () => {
		const service = serviceWith();
		expect(await deleted(service, ID.support1)).toMatchObject([{ status: 'done' }]);
		expect(service.groups.has(ID.support1)).toBe(false);
	});

	test('one whose people are more than may lose access stays', async () => {
		const names = ['ana', 'ben', 'cleo', 'dan', 'eve', 'finn'];
		const service = serviceWith({ people: names.map((name) => person(name, ['vpn'])) });
		const [error] = errorsIn(await deleted(service, ID.vpn));
		expect(error).toContain('6 people would lose access');
		expect(service.written()).toStrictEqual([]);
	});
});
