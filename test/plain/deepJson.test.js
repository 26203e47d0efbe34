'use strict';

// JSON that is nested without end, in every field that takes any, and in items.

require('../support/noWaiting');
const {
	email,
	errorsIn,
	idOf,
	locator,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');
const { fromExpression } = require('../support/accessRows');

const DEPTH = 20_000;
const nested = (depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const DEEP = nested(DEPTH);
const listOf = (json) => `[${json}]`;

const USER = { user: locator('id', idOf('dan')) };
const NEW = { userName: email('gil') };
const PLAIN = { preview: false };

const FIELDS = [
	['user', 'create', { ...NEW, additionalFields: { attributesJson: DEEP } }, 'Other Attributes'],
	['user', 'upsert', { ...NEW, additionalFields: { attributesJson: DEEP } }, 'Other Attributes'],
	['user', 'update', { ...USER, updateFields: { attributesJson: DEEP } }, 'Other Attributes'],
	[
		'user',
		'create',
		{ ...NEW, attributes: { mappingMode: 'defineBelow', value: { emails: listOf(DEEP) } } },
		'emails',
	],
	['user', 'reconcile', { usersFrom: 'json', usersJson: listOf(DEEP), ...PLAIN }, 'Users (JSON)'],
	[
		'group',
		'create',
		{ displayName: 'A', additionalFields: { attributesJson: DEEP } },
		'Other Attributes',
	],
	[
		'access',
		'assign',
		{ people: email('dan'), ...fromExpression(listOf(DEEP)) },
		'Row 1 of Groups',
	],
	[
		'access',
		'assign',
		{
			...{ people: email('gil'), groups: rows('VPN') },
			newUserFields: { attributesJson: DEEP },
		},
		'Other Attributes',
	],
	[
		'access',
		'reconcile',
		{ wantedFrom: 'json', wantedJson: listOf(DEEP), scopeGroups: rows('VPN'), ...PLAIN },
		'Desired Access (JSON)',
	],
	['access', 'applyPlan', { plan: DEEP }, 'Plan'],
];

test.each(FIELDS)('%s %s', async (resource, operation, parameters, name) => {
	const service = serviceWith();
	const items = await play(service, operation, parameters, [{}], { resource });
	expect(errorsIn(items)).toEqual([`${name} has values in values, more than 50 levels deep`]);
	expect(service.written()).toStrictEqual([]);
});

const DEEP_VALUE = JSON.parse(nested(1_000));

test.each([
	['user', 'reconcile', { usersFrom: 'items', ...PLAIN }, 'The row'],
	['access', 'reconcile', { wantedFrom: 'items', scopeGroups: rows('VPN'), ...PLAIN }, 'The row'],
])('%s %s: an item', async (resource, operation, parameters, name) => {
	const service = serviceWith();
	const items = await play(service, operation, parameters, [{ json: DEEP_VALUE }], { resource });
	expect(errorsIn(items)).toEqual([`${name} has values in values, more than 50 levels deep`]);
	expect(service.written()).toStrictEqual([]);
});
