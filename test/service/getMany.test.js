'use strict';

require('../support/noWaiting');

const { withService } = require('../support/service');

// What a list is asked for: never so that the answer cannot be used, or is another list than the one that was meant.

const queriesOf = (service) => service.log.requests.map(({ query }) => query);

describe('attributes', () => {
	test.each(['user', 'group'])('of %ss: ID is always asked for', async (resource) => {
		await withService({}, async (service, scim) => {
			for (const attributes of ['displayName,userName', 'ID, userName', 'userName']) {
				const { json, error } = await scim(resource, 'getAll', { options: { attributes } });
				expect(error).toBeUndefined();
				expect(json.length).toBeGreaterThan(3);
				expect(json.every(({ id, userId }) => typeof (userId ?? id) === 'string')).toBe(true);
			}
			expect(queriesOf(service).map(({ attributes }) => attributes)).toEqual([
				'id,displayName,userName',
				'id,ID,userName',
				'id,userName',
			]);
		});
	});

	test.each(['user', 'group'])('of %ss: ID is never excluded', async (resource) => {
		await withService({}, async (service, scim) => {
			for (const excludedAttributes of ['id', 'members, Id,groups']) {
				const { json } = await scim(resource, 'getAll', { options: { excludedAttributes } });
				expect(json.length).toBeGreaterThan(3);
			}
			expect(queriesOf(service).map((query) => query.excludedAttributes)).toEqual([
				undefined,
				'members,groups',
			]);
		});
	});
});

describe('a filter of groups', () => {
	test.each([
		'externalId eq "x"',
		'DisplayName eq "org-7788:member"',
		'members eq "user-1"',
		'not (role eq "displayName eq")',
	])('%s, which the service would ignore, fails before it is sent', async (filter) => {
		await withService({}, async (service, scim) => {
			const { json, error } = await scim('group', 'getAll', { filters: { filter } });
			expect(json).toStrictEqual([]);
			expect(error.message).toContain('it would answer with all groups');
			expect(error.description).toContain('id, displayName and members.value');
			expect(service.log.requests).toStrictEqual([]);
		});
	});

	test.each(['id', 'displayName', 'members.value'])(
		'%s compared with nothing, which gives all groups, fails before it is sent',
		async (name) => {
			await withService({}, async (service, scim) => {
				const { error } = await scim('group', 'getAll', { filters: { filter: `${name} eq ""` } });
				expect(error.message).toContain('the service would answer with all groups');
				expect(service.log.requests).toStrictEqual([]);
			});
		},
	);

	test('by what the service knows is sent', async () => {
		await withService({}, async (service, scim) => {
			const { id } = service.state.directory.byName('dmitri.volkov@example.com');
			for (const [filter, groups] of [
				['displayName eq "org-7788:member"', 1],
				['id eq "org-7788:member"', 1],
				[`members.value eq "${id}"`, undefined],
			]) {
				const { json, error } = await scim('group', 'getAll', { filters: { filter } });
				expect(error).toBeUndefined();
				expect(json).toHaveLength(groups ?? json.length);
				expect(json.length).toBeGreaterThan(0);
			}
			expect(service.log.requests).toHaveLength(3);
		});
	});

	test('on a generic service is its own affair', async () => {
		await withService({}, async (service, scim) => {
			const credential = { serviceProfile: 'generic', scimPrefix: 'everyRequest' };
			const filter = 'externalId eq "x"';
			const { error } = await scim('group', 'getAll', { filters: { filter } }, { credential });
			expect(error).toBeUndefined();
			expect(queriesOf(service)[0].filter).toBe(filter);
		});
	});
});
