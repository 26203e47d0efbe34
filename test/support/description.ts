import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { hasFile } from './files';
import { shownFor, withoutCondition } from './shownFor';

/** What a test asks of a node's description. */
export interface Look {
	/** The operations of a resource, as the node offers them. */
	operationsOf(resource: string): INodePropertyOptions[];
	/** The fields that are shown for an operation. */
	shownFor(resource: string, operation: string): INodeProperties[];
	/** The entries of its Options. */
	optionsOf(resource: string, operation: string): INodeProperties[];
	/** Every operation, with its resource. */
	everyOperation: Array<readonly [resource: string, operation: string]>;
	/** Every field, those inside of others too. */
	everyField: INodeProperties[];
}

export function lookAt({ description: { properties } }: INodeType): Look {
	const operationsOf = (resource: string) => {
		const field = properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		);
		return (field?.options ?? []) as INodePropertyOptions[];
	};
	const shown = (resource: string, operation: string) => shownFor(properties, resource, operation);
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	return {
		operationsOf,
		shownFor: shown,
		optionsOf: (resource, operation) => settingsOf(shown(resource, operation), 'options'),
		everyOperation: resources.flatMap((resource) => {
			const value = String((resource as INodePropertyOptions).value);
			return operationsOf(value).map((operation) => [value, String(operation.value)] as const);
		}),
		everyField: properties.flatMap(withInner),
	};
}

/** A field and all fields inside of it. */
function withInner(field: INodeProperties): INodeProperties[] {
	return [
		field,
		...(field.options ?? []).flatMap((option) => {
			if ('values' in option) return (option as INodePropertyCollection).values.flatMap(withInner);
			return 'type' in option ? withInner(option as INodeProperties) : [];
		}),
	];
}

/** What holds for the collections of every operation and of the trigger. */
export function checkCollections(fields: INodeProperties[]): void {
	for (const name of ['options', 'requests', 'safetyLimits']) {
		const entries = settingsOf(fields, name);
		const names = entries.map(({ displayName }) => displayName);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		// An entry may be there in several forms, of which the other fields show one.
		const most = name === 'options' ? 7 : entries.length;
		expect(new Set(entries.map((entry) => entry.name)).size).toBeLessThanOrEqual(most);
		if (name === 'options') continue;
		expect(entries.filter(({ noDataExpression }) => noDataExpression !== true)).toStrictEqual([]);
	}
}

/** The settings in a collection; none where it is not there. */
export function settingsOf(fields: INodeProperties[], collection: string): INodeProperties[] {
	return (fields.find(({ name }) => name === collection)?.options ?? []) as INodeProperties[];
}

/** Registers a test of the icons of a node. @param folder where it is, below `dist/nodes` */
export function checkIcons({ description }: INodeType, folder: string): void {
	it('has an icon for light and dark that is in the package', () => {
		const { light, dark } = description.icon as { light: string; dark: string };
		for (const icon of [light, dark]) {
			expect(icon).toMatch(/^file:.*\.svg$/);
			expect(hasFile(`dist/nodes/${folder}`, icon.slice('file:'.length))).toBe(true);
		}
		expect(light).not.toBe(dark);
	});
}

/** The credentials of the nodes of SCIM, by Authentication. */
export const SCIM_CREDENTIALS = Object.entries({
	scimProvisioningApi: 'apiCredential',
	scimProvisioningOAuth2Api: 'oAuth2',
}).map(([name, authentication]) => ({
	...{ name, required: true, displayOptions: { show: { authentication: [authentication] } } },
}));

/** Registers a test of the codex file of a node. */
export function checkCodex(codex: object, name: string, alias: string[]): void {
	it('has a codex file that names it', () => {
		const documentation = [{ url: expect.stringMatching(/^https:/) }];
		expect(codex).toMatchObject({
			node: `n8n-nodes-scim-provisioning.${name}`,
			...{ nodeVersion: '1.0', codexVersion: '1.0' },
			categories: expect.arrayContaining(['Development']),
			alias: expect.arrayContaining(alias),
			resources: {
				primaryDocumentation: documentation,
				credentialDocumentation: documentation,
			},
		});
	});
}

/** Registers the tests of what holds for every node of the package. @param folder where it is, below `dist/nodes` */
export function checkDescription(
	node: INodeType,
	folder: string,
	operations: Readonly<Record<string, Readonly<Record<string, { fields: INodeProperties[] }>>>>,
): void {
	const { description } = node;
	const { everyField, everyOperation, operationsOf, shownFor } = lookAt(node);

	checkIcons(node, folder);

	it('offers what it can do, and nothing else', () => {
		const offered = everyOperation.map((pair) => pair.join(' ')).sort();
		const made = Object.entries(operations).flatMap(([resource, own]) =>
			Object.keys(own).map((operation) => `${resource} ${operation}`),
		);
		expect(offered).toEqual(made.sort());
	});

	// As n8n's lint asks for it, which reads literals alone.
	it('offers operations in the order of the alphabet, in title case', () => {
		for (const resource of Object.keys(operations)) {
			const names = operationsOf(resource).map(({ name }) => name);
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
			const odd = names.filter((name) => !/^[A-Z][a-z]+( ([A-Z][a-z]+|or))*$/.test(name));
			expect(odd).toStrictEqual([]);
		}
	});

	it('gives every operation an action of its own, and a description', () => {
		const all = Object.keys(operations).flatMap(operationsOf);
		for (const { action, description: text = '', name, value } of all) {
			expect(action).toMatch(/^[A-Z][a-z]+( [a-z]+)+$/);
			expect(text).toMatch(/^[A-Z]/);
			// One sentence has no period at its end, several have.
			expect(text.endsWith('.')).toBe(text.includes('. '));
			if (value === 'getAll')
				expect([name, action]).toEqual(['Get Many', expect.stringMatching(/^Get many /)]);
		}
		expect(new Set(all.map(({ action }) => action)).size).toBe(all.length);
	});

	it('lets no expression decide over resource and operation', () => {
		for (const { name, noDataExpression } of description.properties) {
			if (name === 'resource' || name === 'operation') expect(noDataExpression).toBe(true);
		}
	});

	describe.each(everyOperation)('%s: %s', (resource, operation) => {
		const fields = shownFor(resource, operation);

		it('shows the fields that it has, in its order, and inside of them what it has', () => {
			const own = fields.map((field) => withoutCondition(field, ''));
			expect(own).toEqual(operations[resource][operation].fields);
		});

		it('ends with Safety Limits and Options, where it has them', () => {
			const collections = fields.flatMap(({ name }, at) =>
				['safetyLimits', 'options'].includes(name) ? [[name, at - fields.length]] : [],
			);
			expect([
				[],
				[['options', -1]],
				[['safetyLimits', -1]],
				[
					['safetyLimits', -2],
					['options', -1],
				],
			]).toContainEqual(collections);
		});

		const ways = ['group', 'organizationAndRole'];
		it.each(ways)('has no two fields of one name that are shown together, by %s', (way) => {
			const names = fields
				.filter(({ displayOptions }) => displayOptions?.show?.accessBy?.includes(way) ?? true)
				.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
		});

		const isList = operation === 'getAll';
		it(isList ? 'has a limit of 50 and Return All' : 'has no limit', () => {
			const limits = fields.flatMap(({ name, default: value, typeOptions }) =>
				['returnAll', 'limit'].includes(name) ? [[name, value, typeOptions?.minValue]] : [],
			);
			const both = [
				['returnAll', false, undefined],
				['limit', 50, 1],
			];
			expect(limits).toEqual(isList ? both : []);
		});

		it('has at most seven options, in the order of the alphabet', () => {
			checkCollections(shownFor(resource, operation));
		});
	});

	it('has defaults that fit their fields', () => {
		for (const { default: value, name, options = [], type } of everyField) {
			if (type === 'boolean') expect([name, typeof value]).toEqual([name, 'boolean']);
			if (type === 'number') expect([name, typeof value]).toEqual([name, 'number']);
			if (type === 'options') {
				const values = options.map((option) => (option as INodePropertyOptions).value);
				expect([name, values]).toEqual([name, expect.arrayContaining([value])]);
				expect(new Set(values).size).toBe(values.length);
			}
		}
	});

	it('picks from lists that exist', () => {
		for (const { modes, name, type } of everyField) {
			if (type !== 'resourceLocator') continue;
			expect([name, modes?.[0]]).toEqual([
				name,
				expect.objectContaining({
					name: 'list',
					typeOptions: expect.objectContaining({ searchable: true }),
				}),
			]);
			const method = String(modes?.[0].typeOptions?.searchListMethod);
			expect(Object.keys(node.methods?.listSearch ?? {})).toContain(method);
		}
	});

	it('explains itself: booleans start with Whether, placeholders with e.g.', () => {
		for (const { type, description: text, displayName, placeholder, name } of everyField) {
			if (type === 'boolean')
				expect([name, text]).toEqual([name, expect.stringMatching(/^Whether /)]);
			if (type === 'string' && placeholder && placeholder !== 'name@email.com') {
				expect([name, placeholder]).toEqual([name, expect.stringMatching(/^e\.g\. /)]);
			}
			expect([displayName, text ?? '']).not.toEqual([
				displayName,
				expect.stringMatching(/\.\.\.$/),
			]);
		}
	});

	it('says it in few plain words: no long description, no e-mail, no emoji', () => {
		const shown = everyField.flatMap((field) => [
			field,
			...((field.options ?? []) as INodePropertyOptions[]),
			...(field.modes ?? []),
		]) as Array<Partial<INodeProperties & INodePropertyOptions>>;
		const descriptions = shown.map(({ description: text = '' }) => text);
		expect(descriptions.filter(({ length }) => length > 100)).toStrictEqual([]);
		const texts = shown.flatMap(({ action, displayName, hint, name }) =>
			[action, displayName, hint, name].map(String),
		);
		const odd = /e-mail|\p{Extended_Pictographic}/iu;
		expect([...descriptions, ...texts].filter((text) => odd.test(text))).toStrictEqual([]);
	});
}
