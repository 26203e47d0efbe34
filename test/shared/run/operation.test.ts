import type { INodeProperties } from 'n8n-workflow';

import {
	operationProperties,
	optionsField,
	type Operation,
} from '../../../nodes/shared/run/operation';

const field = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	...{ displayName: name.toUpperCase(), name, type: 'string', default: '' },
	...more,
});
const operation = (name: string, ...fields: INodeProperties[]): Operation => ({
	...{ name, action: `${name} it`, description: `What ${name} does`, fields },
	execute: async () => [],
});

it('offers the operations of each resource by name, and shows each field for its own alone', () => {
	const advanced = field('note', {
		displayOptions: { show: { by: ['id'] }, hide: { preview: [true] } },
	});
	const properties = operationProperties(
		{
			user: { update: operation('Update', field('id'), advanced), create: operation('Create') },
			group: { get: operation('Get', field('id')) },
		},
		{ user: 'update', group: 'get' },
	);
	const offered = (resource: string) => ({
		...{ displayName: 'Operation', name: 'operation', type: 'options', noDataExpression: true },
		displayOptions: { show: { resource: [resource] } },
	});
	const option = (value: string, name: string) => ({
		...{ name, value, action: `${name} it`, description: `What ${name} does` },
	});
	const ofUpdate = { resource: ['user'], operation: ['update'] };
	expect(properties).toEqual([
		{
			...offered('user'),
			...{ options: [option('create', 'Create'), option('update', 'Update')], default: 'update' },
		},
		{ ...offered('group'), options: [option('get', 'Get')], default: 'get' },
		{
			...field('id'),
			displayOptions: { show: { resource: ['user', 'group'], operation: ['update', 'get'] } },
		},
		{
			...field('note'),
			displayOptions: { show: { by: ['id'], ...ofUpdate }, hide: { preview: [true] } },
		},
	]);
});

it('a field that operations have alike is there once, and each has its fields in its order', () => {
	const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => field(name));
	const fields = {
		one: [a, b, d],
		two: [b, c, d],
		three: [d, a],
		four: [field('b', { default: '1' }), d],
	};
	const properties = operationProperties(
		{
			user: Object.fromEntries(
				Object.entries(fields).map(([name, own]) => [name, operation(name, ...own)]),
			),
		},
		{ user: 'one' },
	).slice(1);
	const shownFor = (name: string) =>
		properties.flatMap(({ displayOptions, ...own }) =>
			displayOptions?.show?.operation?.includes(name) ? [own] : [],
		);
	for (const [name, own] of Object.entries(fields)) expect(shownFor(name)).toEqual(own);
	expect(properties.map(({ name }) => name).join('')).toBe('babcda');
});

describe('a collection that operations have is there once', () => {
	const [a, b, c] = ['a', 'b', 'c'].map((name) => field(name));
	const options = (...inside: INodeProperties[]) =>
		field('options', { type: 'collection', options: inside });
	const insideOf = (own: Record<string, Record<string, INodeProperties>>) => {
		const operations = Object.fromEntries(
			Object.entries(own).map(([resource, fields]) => [
				resource,
				Object.fromEntries(
					Object.entries(fields).map(([name, one]) => [name, operation(name, one)]),
				),
			]),
		);
		const defaults = Object.fromEntries(
			Object.entries(own).map(([resource, fields]) => [resource, Object.keys(fields)[0]]),
		);
		return operationProperties(operations, defaults)
			.filter(({ name }) => name === 'options')
			.map((one) => [
				one.displayOptions?.show,
				(one.options as INodeProperties[]).map(({ name, displayOptions }) => [
					name,
					displayOptions?.show,
				]),
			]);
	};

	it('with all that they have inside, each shown for its own', () => {
		const own = { user: { one: options(a, c), two: options(b, c) }, group: { three: options(a) } };
		expect(insideOf(own)).toEqual([
			[
				{ resource: ['user', 'group'], operation: ['one', 'two', 'three'] },
				[
					['a', { '/resource': ['user', 'group'], '/operation': ['one', 'three'] }],
					['b', { '/resource': ['user'], '/operation': ['two'] }],
					['c', { '/resource': ['user'], '/operation': ['one', 'two'] }],
				],
			],
		]);
	});

	it('unless they have another thing under one name', () => {
		const other = field('a', { default: 'other' });
		const own = { user: { one: options(a), two: options(other, b) } };
		expect(insideOf(own)).toEqual([
			[{ resource: ['user'], operation: ['one'] }, [['a', undefined]]],
			[
				{ resource: ['user'], operation: ['two'] },
				[
					['a', undefined],
					['b', undefined],
				],
			],
		]);
	});

	it('and twice where a condition would show it for another one, too', () => {
		const own = {
			user: { get: options(a), update: options(a) },
			group: { get: options(a), update: field('b') },
		};
		expect(insideOf(own)).toEqual([
			[{ resource: ['user'], operation: ['get', 'update'] }, [['a', undefined]]],
			[{ resource: ['group'], operation: ['get'] }, [['a', undefined]]],
		]);
	});
});

it('options stand in the order of what people see', () => {
	const given = [field('b'), field('a')];
	expect(optionsField(given).options).toEqual([field('a'), field('b')]);
	expect(given).toEqual([field('b'), field('a')]);
});
