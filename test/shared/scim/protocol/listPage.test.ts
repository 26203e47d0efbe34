import { readListPage } from '../../../../nodes/shared/scim/protocol/intake';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

it.each([
	['as RFC 7644 has it', { schemas: [LIST], totalResults: 1, Resources: [{ id: 'a' }] }, 1],
	['names in other case', { TOTALRESULTS: 1, resources: [{ id: 'a' }] }, 1],
	['totalResults as text', { totalResults: '1', Resources: [{ id: 'a' }] }, 1],
	['only Resources (test/contract/interface.md 1.4)', { Resources: [{ id: 'a' }] }, undefined],
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
	expect(readListPage(body)?.entries).toStrictEqual([]);
});

it.each([
	['a page by index', { startIndex: 11 }, { startIndex: 11 }],
	['the index as text', { STARTINDEX: '11' }, { startIndex: 11 }],
	['the first index', { startIndex: 1 }, { startIndex: 1 }],
	['an index that there is not', { startIndex: 0 }, {}],
	['an index of no use', { startIndex: 'x' }, {}],
	['a page by cursor', { nextCursor: 'abc' }, { nextCursor: 'abc' }],
	['a cursor that is a number', { nextCursor: 0 }, { nextCursor: '0' }],
	['an empty cursor', { nextCursor: '' }, {}],
	['a cursor of null', { nextCursor: null }, {}],
	['a total of zero', { totalResults: 0 }, { totalResults: 0 }],
	['a total with a blank', { totalResults: ' 7' }, {}],
	['a total with a blank behind', { totalResults: '7 ' }, {}],
	['a total of several digits as text', { totalResults: '12' }, { totalResults: 12 }],
	['a total that is no whole number', { totalResults: 1.5 }, {}],
])('%s says where it stands', (_, said, read) => {
	expect(readListPage({ Resources: [], ...said })).toStrictEqual({ entries: [], ...read });
});

it.each([undefined, null, 'text', 7, {}, { id: 'user-1' }, { error: 'x' }, { totalResults: -1 }])(
	'%j is no list',
	(body) => {
		expect(readListPage(body)).toBeUndefined();
	},
);
