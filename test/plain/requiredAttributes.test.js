'use strict';

require('../support/noWaiting');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { MemoryService } = require('../support/memoryService');
const {
	GROUPS,
	ID,
	email,
	listed,
	locator,
	person,
	play,
	rows,
} = require('../support/modelGroupsPlay');
const { mapped } = require('../support/node');

// A service says what new users must have: by its profile (AWS), or in /Schemas. Whoever lacks it is not sent at all,
// and nothing else is sent for that person; the others go on.

const SCHEMAS = {
	Schemas: {
		Resources: [
			{
				id: 'urn:ietf:params:scim:schemas:core:2.0:User',
				attributes: [
					{ name: 'id', required: true, mutability: 'readOnly' },
					{ name: 'userName', required: true },
					{ name: 'displayName', required: true },
					{
						name: 'name',
						required: true,
						subAttributes: [
							{ name: 'givenName', required: true },
							{ name: 'familyName', required: true },
							{ name: 'formatted', required: false },
						],
					},
					{ name: 'groups', required: true, mutability: 'readOnly' },
					{ name: 'photos', multiValued: true, subAttributes: [{ name: 'value', required: true }] },
				],
			},
		],
	},
};
const ANA = person('ana', ['eng'], {
	displayName: 'Ana',
	name: { givenName: 'A', familyName: 'S' },
});
const WHOLE = { displayName: 'Gil', givenName: 'Gil', familyName: 'Silva' };
const OTHERS = { displayName: 'Hana' };
const LACK = 'the service requires name.givenName, name.familyName';

const SERVICES = {
	'as its profile says (AWS)': [DIALECTS.aws.switches, { serviceProfile: 'awsIdentityCenter' }],
	'as /Schemas says': [
		{ requires: DIALECTS.aws.switches.requires, discovery: SCHEMAS },
		{ serviceProfile: 'generic', overrideProfile: true, userNameCanChange: 'no' },
	],
};

const json = (name, { displayName, givenName, familyName }) => ({
	email: email(name),
	group: 'VPN',
	displayName,
	...(givenName && { name: { givenName, familyName } }),
});

const byPath = ({ displayName, givenName, familyName }) => ({
	displayName,
	'name.givenName': givenName,
	'name.familyName': familyName,
});

const RUNS = {
	Create: [
		'create',
		'user',
		(name, fields) => ({ userName: email(name), ...mapped(byPath(fields)) }),
	],
	'Create or Update': [
		'upsert',
		'user',
		(name, fields) => ({ userName: email(name), ...mapped(byPath(fields)) }),
	],
	Assign: [
		'assign',
		'access',
		(name, fields) => ({
			...{ people: email(name), ...listed('VPN'), createMissing: true },
			newUserFields: fields,
		}),
	],
};

describe.each(Object.entries(SERVICES))('%s', (_, [switches, credential]) => {
	const start = () => new MemoryService({ people: [ANA], groups: Object.values(GROUPS) }, switches);
	const refusesNobody = (service) =>
		expect(service.requests.filter(({ status }) => status === 400)).toStrictEqual([]);

	test.each(Object.entries(RUNS))('%s', async (_name, [operation, resource, of]) => {
		const service = start();
		const items = [of('gil', WHOLE), of('hana', OTHERS)];
		const all = await play(service, operation, {}, items, { resource, credential });
		const ofGil = all.filter(({ userName }) => userName === email('gil'));
		expect(ofGil.map(({ status }) => status)).not.toContain('failed');
		const failed = all.filter(({ status }) => status === 'failed');
		expect(failed.length).toBeGreaterThan(0);
		for (const { reason } of failed) expect(reason).toContain(`${email('hana')} cannot be created`);
		for (const { reason } of failed) expect(reason).toContain(LACK);
		expect(service.written().filter((one) => one.startsWith('POST'))).toHaveLength(1);
		refusesNobody(service);
	});

	test('Reconcile', async () => {
		const service = start();
		const wantedJson = [json('gil', WHOLE), json('hana', OTHERS)];
		const attributes = Object.keys({ ...wantedJson[0], ...wantedJson[1] }).join();
		const scope = { scopeGroups: rows('VPN'), createMissing: true, unwanted: 'keep' };
		const parameters = { preview: false, wantedFrom: 'json', wantedJson, ...scope };
		Object.assign(parameters, { accessColumns: { attributes } });
		const items = await play(service, 'reconcile', parameters, [{}], { credential });
		const of = (name) => items.filter(({ userName }) => userName === email(name));
		expect(of('gil').map(({ status }) => status)).toEqual(['done', 'done']);
		expect(of('hana')).not.toStrictEqual([]);
		for (const { reason } of of('hana')) expect(reason).toContain(LACK);
		expect(service.groups.get(ID.vpn)).toHaveLength(1);
		refusesNobody(service);
	});
});

test('Change Email: a new account that would lack something is not made, and the old one stays as it is', async () => {
	const [switches, credential] = SERVICES['as /Schemas says'];
	const ben = person('ben', ['eng']);
	const service = new MemoryService({ people: [ben], groups: Object.values(GROUPS) }, switches);
	const before = service.now();
	const user = locator('id', [...service.users.keys()][0]);
	const parameters = { user, newEmail: email('ben.neu') };
	const items = await play(service, 'changeEmail', parameters, [{}], { credential });
	for (const { reason } of items) expect(reason).toContain('the service requires displayName');
	expect(service.written()).toStrictEqual([]);
	expect(service.now()).toEqual(before);
});

test('Create that returns who exists asks for nothing more of that person', async () => {
	const [switches, credential] = SERVICES['as /Schemas says'];
	const service = new MemoryService(
		{ people: [person('ben', ['eng'])], groups: Object.values(GROUPS) },
		switches,
	);
	const parameters = { userName: email('ben'), options: { ifUserExists: 'return' } };
	const [item] = await play(service, 'create', parameters, [{}], { resource: 'user', credential });
	expect(item).toMatchObject({ status: 'unchanged', userName: email('ben') });
});

test.each([[[{ type: 'work' }]], [['']], [[]]])('emails %j are no emails', async (emails) => {
	const service = new MemoryService({ people: [], groups: [] }, {});
	const attributesJson = JSON.stringify({ externalId: 'e-1', emails });
	const parameters = { userName: email('gil'), additionalFields: { attributesJson } };
	const credential = { serviceProfile: 'github' };
	const [item] = await play(service, 'create', parameters, [{}], { resource: 'user', credential });
	expect(item.reason).toContain('the service requires emails');
	expect(service.written()).toStrictEqual([]);
});

describe('an extension', () => {
	const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
	const BADGE = 'urn:example:params:2.0:Badge';
	const described = (isRequired) => ({
		Schemas: {
			Resources: [
				{ id: CORE, attributes: [{ name: 'userName', required: true }] },
				{ id: BADGE, attributes: [{ name: 'level', required: true }, { name: 'color' }] },
			],
		},
		ResourceTypes: {
			Resources: [{ schema: CORE, schemaExtensions: [{ schema: BADGE, required: isRequired }] }],
		},
	});
	const create = async (isRequired, values) => {
		const service = new MemoryService(
			{ people: [], groups: [] },
			{ discovery: described(isRequired) },
		);
		const parameters = { userName: email('gil'), ...mapped(values) };
		const credential = { serviceProfile: 'generic' };
		const [item] = await play(service, 'create', parameters, [{}], {
			resource: 'user',
			credential,
		});
		return { item, service };
	};
	const lack = `${email('gil')} cannot be created: the service requires ${BADGE}:level`;

	test.each([
		['that every user must have: its attributes are asked', true, {}],
		['that a new user has: the others are asked', false, { [`${BADGE}:color`]: 'red' }],
	])('%s', async (_, isRequired, values) => {
		const { item, service } = await create(isRequired, values);
		expect(item).toMatchObject({ status: 'failed', reason: expect.stringContaining(lack) });
		expect(service.written()).toStrictEqual([]);
	});

	test.each([
		['that every user must have, given', true, { [`${BADGE}:level`]: 'A' }],
		['that a new user has, whole', false, { [`${BADGE}:level`]: 'A', [`${BADGE}:color`]: 'red' }],
		['that a new user has not', false, {}],
	])('%s: created', async (_, isRequired, values) => {
		const { item, service } = await create(isRequired, values);
		expect(item).toMatchObject({ status: 'done', userName: email('gil') });
		expect(service.written()).toEqual(['POST /Users']);
	});
});
