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
});
