'use strict';

require('../support/noWaiting');
const { byId, fieldsOf, mapped } = require('../support/node');
const { CORE, ENTERPRISE, USER_SCHEMAS, discovered } = require('../support/schemas');
const { person, withServer } = require('./play');

// Attributes of Create, Create or Update and Update, as n8n's resource mapper: what it offers, and what becomes of values.

const DESCRIBED = { discovery: discovered(USER_SCHEMAS) };
const generic = (server) => ({ baseUrl: server.url, serviceProfile: 'generic' });
const idsOf = (fields) => fields.map(({ id }) => id);
const askedIn = (server) => server.came('GET').filter((one) => one.includes('/Schemas'));

/** What the editor saves once each field was added, and given a value. */
const saved = (fields, value) => ({
	attributes: {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: fields.map((field) => ({ ...field, removed: !(field.id in value) })),
	},
});

const VALUES = {
	displayName: 'Ana',
	externalId: 'HR-1',
	'name.givenName': 'Ana',
	'name.familyName': 'Silva',
	title: 'Boss',
	emails: '[{"value": "ana@example.com"}]',
	vip: false,
	floor: '3',
	share: 0.5,
	started: '2026-01-31T08:00:00Z',
	profileUrl: 'https://example.com/ana',
	badge: '{"color": "red"}',
	[`${ENTERPRISE}:department`]: 'Marketing',
	[`${ENTERPRISE}:manager.value`]: 'user-9',
};
/** What few people set is left to Other Attributes (JSON); a workflow that has it in the mapper still sends it. */
const OFFERED = Object.keys(VALUES).filter((name) => name !== 'profileUrl');
const KEPT = {
	displayName: 'Ana',
	externalId: 'HR-1',
	name: { givenName: 'Ana', familyName: 'Silva' },
	title: 'Boss',
	emails: [{ value: 'ana@example.com', primary: true }],
	vip: false,
	floor: 3,
	share: 0.5,
	started: '2026-01-31T08:00:00Z',
	profileUrl: 'https://example.com/ana',
	badge: { color: 'red' },
	[ENTERPRISE]: { department: 'Marketing', manager: { value: 'user-9' } },
};

describe('the fields', () => {
	test('an extension is one of users where the resource types say so, whatever its URN is called', async () => {
		const [own, others] = ['urn:example:ext:2.0:Badge', 'urn:example:ext:2.0:UserOfGroups'];
		const schemas = [own, others, ENTERPRISE].map((id) => ({
			id,
			attributes: [{ name: 'color', type: 'string', multiValued: false }],
		}));
		const types = [
			{ schema: CORE, schemaExtensions: [{ schema: own, required: false }] },
			{
				schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
				schemaExtensions: [{ schema: others }],
			},
		];
		const discovery = {
			...discovered([...USER_SCHEMAS.filter(({ id }) => id === CORE), ...schemas]),
			ResourceTypes: { totalResults: types.length, Resources: types },
		};
		await withServer({ discovery }, async (server) => {
			const ids = idsOf(await fieldsOf('update', {}, generic(server)));
			expect(ids.filter((id) => id.startsWith('urn:'))).toEqual([`${own}:color`]);
		});
	});

	test.each(['create', 'upsert'])(
		'%s: what a client can set, required first',
		async (operation) => {
			await withServer(DESCRIBED, async (server) => {
				const fields = await fieldsOf(operation, {}, generic(server));
				expect(idsOf(fields).slice(0, 2)).toEqual(['name.familyName', 'emails']);
				expect(new Set(idsOf(fields))).toEqual(new Set(OFFERED));
				expect(fields.filter(({ required }) => required)).toHaveLength(2);
				expect(fields.filter(({ removed }) => !removed)).toHaveLength(2);
				const types = Object.fromEntries(fields.map(({ id, type }) => [id, type]));
				expect(types).toMatchObject({
					...{ emails: 'array', vip: 'boolean', floor: 'number', share: 'number' },
					...{ started: 'dateTime', badge: 'object', title: 'options' },
				});
				expect(fields.find(({ id }) => id === 'title').options).toEqual([
					{ name: 'Boss', value: 'Boss' },
					{ name: 'Engineer', value: 'Engineer' },
				]);
				expect(askedIn(server)).toEqual(['GET /Schemas 200']);
				expect(server.requests).toHaveLength(2);
			});
		},
	);

	test('what most people have comes first', async () => {
		const fields = idsOf(await fieldsOf('update', {}, null));
		expect(fields.slice(0, 9)).toEqual([
			...['userName', 'name.givenName', 'name.familyName', 'displayName', 'emails', 'externalId'],
			...['title', `${ENTERPRISE}:department`, `${ENTERPRISE}:manager.value`],
		]);
		for (const rare of ['ims', 'photos', 'x509Certificates', 'profileUrl'])
			expect(fields).not.toContain(rare);
	});

	test.each(['create', 'update'])(
		'%s: what a saved workflow maps stays, or the editor would drop its value',
		async (operation) => {
			for (const rare of ['ims', 'photos', 'x509Certificates', 'profileUrl']) {
				const attributes = { mappingMode: 'defineBelow', value: { [rare]: '={{ $json.own }}' } };
				const ids = idsOf(await fieldsOf(operation, { attributes }, null));
				const others = idsOf(await fieldsOf(operation, {}, null));
				expect(ids.filter((id) => !others.includes(id))).toEqual([rare]);
			}
		},
	);

	test('what the service requires is offered, rare or not', async () => {
		const attributes = [{ name: 'photos', multiValued: true, required: true }];
		const discovery = discovered([{ id: CORE, attributes }]);
		await withServer({ discovery }, async (server) => {
			expect(idsOf(await fieldsOf('create', {}, generic(server)))).toContain('photos');
		});
	});

	test('Update: the user name, too, and nothing is required', async () => {
		await withServer(DESCRIBED, async (server) => {
			const fields = await fieldsOf('update', {}, generic(server));
			expect(new Set(idsOf(fields))).toEqual(new Set(['userName', ...OFFERED]));
			expect(fields.filter(({ required, removed }) => required || !removed)).toStrictEqual([]);
		});
	});

	test('names that tell them apart, the extension behind them', async () => {
		const twin = { ...USER_SCHEMAS[1], id: ENTERPRISE.replace('2.0', '1.0') };
		await withServer({ discovery: discovered([...USER_SCHEMAS, twin]) }, async (server) => {
			const names = (await fieldsOf('create', {}, generic(server))).map((one) => one.displayName);
			expect(names).toEqual(
				expect.arrayContaining([
					...['Name: Given Name', 'External ID', 'Department (Enterprise)'],
					...['Manager: Value (Enterprise)'],
				]),
			);
			expect(new Set(names).size).toBe(names.length);
		});
	});

	test('required is what the service profile says', async () => {
		await withServer({}, async (server) => {
			const fields = await fieldsOf(
				'create',
				{},
				{
					...generic(server),
					serviceProfile: 'awsIdentityCenter',
				},
			);
			expect(fields.filter(({ required }) => required).map(({ id }) => id)).toEqual([
				'name.givenName',
				'name.familyName',
				'displayName',
			]);
		});
	});

	test.each([true, false])(
		'what an extension requires, where users must have it: %p',
		async (isRequired) => {
			const badge = 'urn:example:ext:2.0:Badge';
			const attributes = [{ name: 'level', required: true }, { name: 'color' }];
			const type = { schema: CORE, schemaExtensions: [{ schema: badge, required: isRequired }] };
			const discovery = {
				...discovered([
					{ id: CORE, attributes: [] },
					{ id: badge, attributes },
				]),
				ResourceTypes: { totalResults: 1, Resources: [type] },
			};
			await withServer({ discovery }, async (server) => {
				const fields = await fieldsOf('create', {}, generic(server));
				const required = fields.filter((field) => field.required);
				expect(idsOf(required)).toEqual(isRequired ? [`${badge}:level`] : []);
				expect(server.requests).toHaveLength(2);
			});
		},
	);

	test('thousands of attributes', async () => {
		const attributes = Array.from({ length: 5_000 }, (_, index) => ({ name: `a${index}` }));
		await withServer({ discovery: discovered([{ id: CORE, attributes }]) }, async (server) => {
			expect(await fieldsOf('update', {}, generic(server))).toHaveLength(5_002);
		});
	});

	describe('of a service that does not say', () => {
		const USUAL = ['name.givenName', 'emails', 'externalId', `${ENTERPRISE}:department`];
		const secret = 'key-of-the-account';

		test.each([
			['has no schemas', {}, (server) => generic(server)],
			['fails', { faults: [{ on: 'GET /Schemas', status: 500 }] }, (server) => generic(server)],
			['answers no JSON', { faults: [{ on: 'GET /Schemas', status: 200, body: '<' }] }, generic],
			['refuses the token', { token: 'another' }, (server) => generic(server)],
			['is not there', {}, () => ({ baseUrl: 'http://127.0.0.1:1', serviceProfile: 'generic' })],
			['has no address', {}, () => ({ baseUrl: 'nowhere' })],
			['has no credential', {}, () => null],
		])('it %s: those of RFC 7643', async (_, switches, credential) => {
			await withServer(switches, async (server) => {
				const fields = await fieldsOf('create', {}, credential(server));
				expect(idsOf(fields)).toEqual(expect.arrayContaining(USUAL));
				expect(JSON.stringify(fields)).not.toContain(secret);
			});
		});

		test('fields that were there stay while it fails, or the editor would drop their values', async () => {
			await withServer(DESCRIBED, async (server) => {
				const before = await fieldsOf('create', {}, generic(server));
				server.is.discovery = {};
				const parameters = saved(before, { vip: true });
				const { schema } = parameters.attributes;
				expect(idsOf(await fieldsOf('create', parameters, generic(server)))).not.toContain('vip');
				server.is.token = 'another';
				expect(await fieldsOf('create', parameters, generic(server))).toEqual(schema);
			});
		});
	});
});

describe('values', () => {
	const user = byId('user-1');
	const userName = 'person1@example.com';

	test.each(['create', 'upsert', 'update'])(
		'%s: every field that is offered',
		async (operation) => {
			const users = operation === 'create' ? [] : [person(1)];
			await withServer({ ...DESCRIBED, users }, async (server, scim) => {
				const fields = await fieldsOf(operation, {}, generic(server));
				const who = operation === 'update' ? { user } : { userName };
				const { json, error } = await scim('user', operation, { ...who, ...saved(fields, VALUES) });
				expect(error).toBeUndefined();
				expect(json[0]).toMatchObject({ status: 'done', reason: null });
				expect(server.users.get('user-1')).toMatchObject(KEPT);
				expect(server.written()).toHaveLength(1);
			});
		},
	);

	const update = async (server, scim, attributes, more) =>
		await scim('user', 'update', { user, attributes }, more);
	const bodyOf = (server) => server.requests.find(({ method }) => method === 'PATCH')?.body;

	test('what has no value or was removed is not sent', async () => {
		await withServer({ users: [person(1, { title: 'Boss' })] }, async (server, scim) => {
			const { error } = await update(server, scim, {
				mappingMode: 'defineBelow',
				value: {
					title: '={{ "" }}',
					profileUrl: 'x',
					displayName: '={{ $json.nothing }}',
					nickName: null,
					'name.givenName': 'Ana',
				},
				schema: [{ id: 'name.givenName', type: 'string', removed: true }],
			});
			expect(error).toBeUndefined();
			expect(bodyOf(server).Operations).toEqual([
				{ op: 'replace', path: 'profileUrl', value: 'x' },
			]);
		});
	});

	test('a path in other case, and one below the URN of its schema', async () => {
		await withServer({ users: [person(1)] }, async (server, scim) => {
			const value = { 'NAME.givenname': 'Ana', [`${CORE}:title`]: 'Boss', 'urn:x:2.0:User:a.b': 7 };
			const { error } = await update(server, scim, mapped(value).attributes);
			expect(error).toBeUndefined();
			expect(server.users.get('user-1')).toMatchObject({
				name: { givenName: 'Ana' },
				title: 'Boss',
				'urn:x:2.0:User': { a: { b: 7 } },
			});
		});
	});

	test('an expression may give all values', async () => {
		await withServer({ users: [person(1)] }, async (server, scim) => {
			const attributes = { mappingMode: 'defineBelow', value: '={{ $json }}' };
			const items = [{ 'name.familyName': 'Silva' }];
			const { error } = await update(server, scim, attributes, { items });
			expect(error).toBeUndefined();
			expect(server.users.get('user-1').name).toEqual({ familyName: 'Silva' });
		});
	});

	test('what the mapper never offers is not taken from it either, and that is said', async () => {
		await withServer({ users: [person(1)] }, async (server, scim) => {
			const never = { groups: [], id: 'user-2', password: 'hunter2-secret', [`${CORE}:meta`]: {} };
			const value = { ...never, title: 'Boss' };
			const { json } = await update(server, scim, mapped(value).attributes);
			expect(json[0].warnings).toContain(
				`Left out of Attributes: groups, id, password, ${CORE}:meta.`,
			);
			expect(bodyOf(server).Operations).toEqual([{ op: 'replace', path: 'title', value: 'Boss' }]);
			const created = await scim('user', 'create', {
				userName: 'new@example.com',
				...mapped({ userName: 'other@example.com' }),
			});
			expect(created.json[0].warnings).toContain('Left out of Attributes: userName.');
			expect(server.named('other@example.com')).toStrictEqual([]);
		});
	});

	test.each([
		['vip', 'boolean', ['yes', 1, {}], 'true or false'],
		['floor', 'number', ['x', true, '12345678901234567890', []], 'a number'],
		['started', 'dateTime', ['31.1.2026', '2026-01-31', 7], 'a date and time'],
		['emails', 'array', ['ana@example.com', '{"value": 1}', 7, {}], 'a list'],
		['badge', 'object', ['red', '[]', 7, []], 'an object'],
		['title', 'string', [{}, ['Boss']], 'text'],
		['active', undefined, ['no', 7], 'true or false'],
	])('%s of a wrong type: the item fails alone', async (id, type, values, wanted) => {
		await withServer({ users: [person(1)] }, async (server, scim) => {
			const attributes = {
				mappingMode: 'defineBelow',
				value: { displayName: 'Ana', [id]: '={{ $json.value }}' },
				schema: [{ id, type }],
			};
			const items = values.map((value) => ({ value }));
			const onError = 'continueErrorOutput';
			const { errorOutput, json } = await update(server, scim, attributes, { items, onError });
			expect(json).toStrictEqual([]);
			expect(errorOutput).toHaveLength(items.length);
			for (const [index, { error }] of errorOutput.entries()) {
				expect(error.message.toLowerCase()).toMatch(new RegExp(`^${id} is ".*", not ${wanted}`));
				expect(error.context).toMatchObject({ itemIndex: index });
			}
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each([
		[{ mappingMode: 'autoMapInputData', value: null }],
		[{ mappingMode: 'defineBelow', value: 'Ana' }],
		['={{ $json }}'],
	])('%j is no mapping: said, and nothing is sent', async (attributes) => {
		await withServer({ users: [person(1)] }, async (server, scim) => {
			const { error } = await update(server, scim, attributes);
			expect(error.message).toBe('Attributes are not mapped one by one');
			expect(server.requests).toStrictEqual([]);
		});
	});
});
