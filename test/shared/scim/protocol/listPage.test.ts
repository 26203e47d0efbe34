import { readListPage } from '../../../../nodes/shared/scim/protocol/listPage';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

describe('readListPage', () => {
	it.each([
		['as RFC 7644 has it', { schemas: [LIST], totalResults: 1, Resources: [{ id: 'a' }] }, 1],
		['names in other case', { TOTALRESULTS: 1, resources: [{ id: 'a' }] }, 1],
		['totalResults as text', { totalResults: '1', Resources: [{ id: 'a' }] }, 1],
		['only Resources (docs/interface.md 1.4)', { Resources: [{ id: 'a' }] }, undefined],
		['one object instead of a list', { totalResults: 1, Resources: { id: 'a' } }, 1],
		['a bare list', [{ id: 'a' }], undefined],
		['totalResults of no use', { totalResults: 'many', Resources: [{ id: 'a' }] }, undefined],
		['totalResults below zero', { totalResults: -1, Resources: [{ id: 'a' }] }, undefined],
		['totalResults empty', { totalResults: '', Resources: [{ id: 'a' }] }, undefined],
		[
			'totalResults an object',
			{ totalResults: { toString: 1 }, Resources: [{ id: 'a' }] },
			undefined,
		],
		['totalResults null', { totalResults: null, Resources: [{ id: 'a' }] }, undefined],
	])('%s', (_, body, totalResults) => {
		const page = readListPage(body);
		expect(page?.entries).toEqual([{ id: 'a' }]);
		expect(page?.totalResults).toBe(totalResults);
	});

	it.each([
		['an empty page', { totalResults: 0, Resources: [] }],
		['Resources absent at zero hits', { schemas: [LIST], totalResults: 0 }],
		['Resources null at zero hits', { totalResults: 0, Resources: null }],
		['Resources null alone', { Resources: null }],
		['schemas alone', { schemas: [LIST] }],
	])('%s is an empty list', (_, body) => {
		expect(readListPage(body)?.entries).toEqual([]);
	});

	it.each([undefined, null, 'text', 7, {}, { id: 'user-1' }, { error: 'x' }])(
		'%j is no list',
		(body) => {
			expect(readListPage(body)).toBeUndefined();
		},
	);
});
