import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { codex, ScimProvisioning } from '../../support/built';
import { hasFile } from '../../support/files';

const { description } = new ScimProvisioning();
const { properties } = description;

const shownFor = (resource: string, operation: string) =>
	properties.filter(({ displayOptions }) => {
		const { resource: resources, operation: operations } = displayOptions?.show ?? {};
		return resources?.includes(resource) && operations?.includes(operation);
	});

const operationsOf = (resource: string) => {
	const field = properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes(resource),
	);
	return (field?.options ?? []) as INodePropertyOptions[];
};

const RESOURCES = ['access', 'group', 'user'];

const everyOperation = RESOURCES.flatMap((resource) =>
	operationsOf(resource).map(({ value }) => [resource, String(value)] as const),
);

const READING = ['get', 'getAll'];
const READING_ACCESS = ['getAccess', 'getMatrix'];

/** Options of lists, which are read for each item by itself. */
const OF_ONE_ITEM = ['attributes', 'excludedAttributes', 'startIndex'];

const GUARDS = [
	'allowRemovingLastAdmin',
	'maxPeopleLosingAccess',
	'maxPercentLosingAccess',
	'protectedPeople',
];

/** Operations after which somebody may have less than before. */
const TAKING_AWAY = [
	'access applyPlan',
	'access assignRole',
	'access changeEmail',
	'access offboard',
	'access reconcile',
	'access revokeRole',
	'access setAccess',
	'group addMembers',
	'group delete',
	'group removeMembers',
	'group setMembers',
	'user deactivate',
	'user delete',
	'user update',
	'user upsert',
];

/** A field and all fields inside of it. */
const withInner = (field: INodeProperties): INodeProperties[] => [
	field,
	...(field.options ?? []).flatMap((option) => {
		if ('values' in option) return (option as INodePropertyCollection).values.flatMap(withInner);
		return 'type' in option ? withInner(option as INodeProperties) : [];
	}),
];

const everyField = properties.flatMap(withInner);

it('is the node that workflows know', () => {
	expect(description).toMatchObject({
		displayName: 'SCIM Provisioning',
		name: 'scimProvisioning',
		version: 1,
		group: ['transform'],
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'scimProvisioningApi', required: true }],
	});
});

it('has an icon for light and dark that is in the package', () => {
	const { light, dark } = description.icon as { light: string; dark: string };
	for (const icon of [light, dark]) {
		expect(icon).toMatch(/^file:.*\.svg$/);
		expect(hasFile('dist/nodes/ScimProvisioning', icon.slice('file:'.length))).toBe(true);
	}
	expect(light).not.toBe(dark);
});

it('has a codex file that names it', () => {
	expect(codex).toMatchObject({
		node: 'n8n-nodes-scim-provisioning.scimProvisioning',
		nodeVersion: '1.0',
		codexVersion: '1.0',
		categories: expect.arrayContaining(['Development']),
		alias: expect.arrayContaining(['scim', 'provisioning', 'onboarding', 'offboarding']),
		resources: {
			primaryDocumentation: [{ url: expect.stringMatching(/^https:/) }],
			credentialDocumentation: [{ url: expect.stringMatching(/^https:/) }],
		},
	});
});

it('has these operations', () => {
	const named = (resource: string) =>
		operationsOf(resource).map(({ name, value, action }) => [name, value, action]);

	expect(named('user')).toEqual([
		['Activate', 'activate', 'Activate user'],
		['Create', 'create', 'Create user'],
		['Create or Update', 'upsert', 'Create or update user'],
		['Deactivate', 'deactivate', 'Deactivate user'],
		['Delete', 'delete', 'Delete user'],
		['Get', 'get', 'Get user'],
		['Get Many', 'getAll', 'Get many users'],
		['Update', 'update', 'Update user'],
	]);
	expect(named('group')).toEqual([
		['Add Members', 'addMembers', 'Add members to group'],
		['Create', 'create', 'Create group'],
		['Delete', 'delete', 'Delete group'],
		['Get', 'get', 'Get group'],
		['Get Many', 'getAll', 'Get many groups'],
		['Remove Members', 'removeMembers', 'Remove members from group'],
		['Set Members', 'setMembers', 'Set members of group'],
		['Update', 'update', 'Update group'],
	]);
	expect(named('access')).toEqual([
		['Apply Plan', 'applyPlan', 'Apply plan of access'],
		['Assign Role', 'assignRole', 'Assign role to people'],
		['Change Email', 'changeEmail', 'Change email of user'],
		['Get Access Matrix', 'getMatrix', 'Get access matrix'],
		['Get Access of User', 'getAccess', 'Get access of user'],
		['Offboard', 'offboard', 'Offboard people'],
		['Reconcile', 'reconcile', 'Reconcile access with a list'],
		['Revoke Role', 'revokeRole', 'Revoke role from people'],
		['Set Access of User', 'setAccess', 'Set access of user'],
	]);
});

it('describes every operation', () => {
	for (const resource of RESOURCES) {
		for (const { description: text } of operationsOf(resource)) expect(text).toBeTruthy();
	}
});

it('lets no expression decide over resource and operation', () => {
	for (const { name, noDataExpression } of properties) {
		if (name === 'resource' || name === 'operation') expect(noDataExpression).toBe(true);
	}
});

describe.each(everyOperation)('%s: %s', (resource, operation) => {
	const fields = shownFor(resource, operation);

	it('ends with Options', () => {
		expect(fields.at(-1)).toMatchObject({ name: 'options', type: 'collection', default: {} });
	});

	it('has no two fields of one name that are shown together', () => {
		const names = fields.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	it('has options in the order of the alphabet', () => {
		const names = (fields.at(-1)?.options ?? []).map(
			(option) => (option as INodeProperties).displayName,
		);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	});

	const reads = READING.includes(operation);
	const writes = !reads && !READING_ACCESS.includes(operation);

	it(`has ${writes ? 'Preview' : reads ? 'Simplify' : 'neither Preview nor Simplify'}`, () => {
		const names = fields.map(({ name }) => name);
		// Reconcile is a preview unless its mode says otherwise.
		expect(names.includes('preview') || names.includes('mode')).toBe(writes);
		expect(names.includes('simplify')).toBe(reads);
	});

	it('lets no expression decide over what holds for all items', () => {
		const options = (fields.at(-1)?.options ?? []) as INodeProperties[];
		const ofExecution = fields.filter(({ name }) =>
			['preview', 'createMissing', 'method'].includes(name),
		);
		for (const { name, noDataExpression } of [...ofExecution, ...options]) {
			if (OF_ONE_ITEM.includes(name)) continue;
			expect([name, noDataExpression]).toEqual([name, true]);
		}
	});

	it.each(GUARDS)('%s: guards stand where access can be taken away', (guard) => {
		const options = (fields.at(-1)?.options ?? []) as INodeProperties[];
		const guarded = options.some(({ name }) => name === guard);
		expect(guarded).toBe(TAKING_AWAY.includes(`${resource} ${operation}`));
	});
});

it('has a limit of 50 and Return All on every list', () => {
	for (const resource of ['user', 'group']) {
		expect(shownFor(resource, 'getAll')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ name: 'returnAll', default: false }),
				expect.objectContaining({
					name: 'limit',
					default: 50,
					typeOptions: expect.objectContaining({ minValue: 1 }),
				}),
			]),
		);
	}
});

it.each(['user', 'group', 'organization'])('picks a %s from a list that exists', (name) => {
	const { listSearch } = new ScimProvisioning().methods;
	const fields = properties.filter((field) => field.name === name);
	expect(fields.length).toBeGreaterThan(0);
	for (const { type, modes } of fields) {
		expect(type).toBe('resourceLocator');
		expect(modes?.[0]).toMatchObject({ name: 'list', typeOptions: { searchable: true } });
		expect(listSearch).toHaveProperty(String(modes?.[0].typeOptions?.searchListMethod));
	}
});

it('offers the three roles', () => {
	const roles = properties.find(({ name }) => name === 'role')?.options ?? [];
	expect(roles.map((role) => (role as INodePropertyOptions).value)).toEqual([
		'admin',
		'member',
		'viewer',
	]);
});

it('explains itself: booleans start with Whether, placeholders with e.g.', () => {
	for (const { type, description: text, displayName, placeholder, name } of everyField) {
		if (type === 'boolean')
			expect([name, text]).toEqual([name, expect.stringMatching(/^Whether /)]);
		if (type === 'string' && placeholder && placeholder !== 'name@email.com') {
			expect([name, placeholder]).toEqual([name, expect.stringMatching(/^e\.g\. /)]);
		}
		expect([displayName, text ?? '']).not.toEqual([displayName, expect.stringMatching(/\.\.\.$/)]);
	}
});

it('has no emoji', () => {
	const texts = everyField.flatMap(({ description: text, displayName, hint }) =>
		[text, displayName, hint].filter(Boolean),
	);
	expect(texts.filter((text) => /\p{Extended_Pictographic}/u.test(String(text)))).toEqual([]);
});
