'use strict';

// Attributes of Create, Create or Update and Update, as n8n's resource mapper: what it offers, and what becomes of values.

require('../support/noWaiting');
const { byId, fieldsOf, mapped } = require('../support/node');
const { CORE, ENTERPRISE, USER_SCHEMAS, discovered } = require('../support/schemas');
const { person, withServer } = require('../support/serverPlay');

const DESCRIBED = { discovery: discovered(USER_SCHEMAS) };
const BADGE = 'urn:example:ext:2.0:Badge';
const generic = ({ url }) => ({ baseUrl: url, serviceProfile: 'generic' });
const idsOf = (fields) => fields.map(({ id }) => id);
const mapping = (value, schema = []) => ({ mappingMode: 'defineBelow', value, schema });
/** The fields that a service leads to. */
const offeredBy = async (switches, operation = 'create', parameters = {}, credential = generic) => {
	let fields;
	await withServer(switches, async (server) => {
		fields = await fieldsOf(operation, parameters, credential(server));
	});
	return fields;
};
/** What a service says of users, with an extension. */
const extended = (schemas, schemaExtensions, ...types) => ({
	discovery: {
		...discovered(schemas),
		ResourceTypes: { Resources: [{ schema: CORE, schemaExtensions }, ...types] },
	},
});

/** How the editor saves a switch. */
const CHOICE = { type: 'options', options: [{ value: true }, { value: false }] };

const VALUES = {
	...{ displayName: 'Ana', externalId: 'HR-1', 'name.givenName': 'Ana', title: 'Boss' },
	...{ 'name.familyName': 'Silva', emails: '[{"value": "ana@example.com"}]', vip: false },
	...{ floor: '3', share: 0.5, started: '2026-01-31T08:00:00Z', badge: '{"color": "red"}' },
	...{ profileUrl: 'https://example.com/ana', [`${ENTERPRISE}:department`]: 'Marketing' },
	[`${ENTERPRISE}:manager.value`]: 'user-9',
};
/** What few people set is left to Other Attributes (JSON); a workflow that has it in the mapper still sends it. */
const OFFERED = Object.keys(VALUES).filter((name) => name !== 'profileUrl');
/** They have fields of their own in Create. */
const OWN = ['name.givenName', 'name.familyName', 'emails'];
const RARE = ['ims', 'photos', 'x509Certificates', 'profileUrl'];
const KEPT = {
	...{ displayName: 'Ana', externalId: 'HR-1', title: 'Boss', vip: false, floor: 3, share: 0.5 },
	...{ name: { givenName: 'Ana', familyName: 'Silva' }, started: '2026-01-31T08:00:00Z' },
	...{ emails: [{ value: 'ana@example.com', primary: true }], badge: { color: 'red' } },
	profileUrl: 'https://example.com/ana',
	[ENTERPRISE]: { department: 'Marketing', manager: { value: 'user-9' } },
};

describe('the fields', () => {
	test.each([
		['create', [], OFFERED.filter((id) => !OWN.includes(id))],
		['upsert', ['name.familyName', 'emails'], OFFERED],
	])(
		'%s: what a client can set and has no field of its own, required first',
		async (operation, required, offered) => {
			await withServer(DESCRIBED, async (server) => {
				const fields = await fieldsOf(operation, {}, generic(server));
				expect(idsOf(fields).slice(0, required.length)).toEqual(required);
				expect(new Set(idsOf(fields))).toEqual(new Set(offered));
				for (const one of ['required', 'removed'])
					expect(fields.map((field) => field[one] === (one === 'required'))).toEqual(
						fields.map((_, at) => at < required.length),
					);
				const types = Object.fromEntries(fields.map(({ id, type }) => [id, type]));
				expect(types).toMatchObject({
					...{ vip: 'options', floor: 'number', share: 'number' },
					...(offered.includes('emails') && { emails: 'array' }),
					...{ started: 'dateTime', badge: 'object', title: 'options' },
				});
				expect(fields.find(({ id }) => id === 'title').options).toEqual(
					['Boss', 'Engineer'].map((name) => ({ name, value: name })),
				);
				expect(server.came('GET').filter((one) => one.includes('/Schemas'))).toHaveLength(1);
				expect(server.requests).toHaveLength(2);
			});
		},
	);

	// The editor fills in false for a field of type boolean, and nothing for a choice.
	test.each(['update', 'reconcile'])('%s: a switch starts empty', async (operation) => {
		const fields = await offeredBy(DESCRIBED, operation);
		expect(fields.filter(({ type }) => type === 'boolean')).toStrictEqual([]);
		const switches = fields.filter(({ id }) => id === 'vip' || id === 'active');
		expect(switches).toHaveLength(2);
		for (const { type, options } of switches)
			expect([type, options.map(({ value }) => value)]).toEqual(['options', [true, false]]);
	});

	test('Update: the user name, too, and nothing is required', async () => {
		const fields = await offeredBy(DESCRIBED, 'update');
		expect(new Set(idsOf(fields))).toEqual(new Set(['userName', ...OFFERED, 'active']));
		expect(fields.filter(({ required, removed }) => required || !removed)).toStrictEqual([]);
	});

	test('what most people have comes first, what few have not at all', async () => {
		const fields = idsOf(await fieldsOf('update', {}, null));
		expect(fields.slice(0, 9)).toEqual([
			...['userName', 'name.givenName', 'name.familyName', 'displayName', 'emails', 'externalId'],
			...['title', `${ENTERPRISE}:department`, `${ENTERPRISE}:manager.value`],
		]);
		expect(fields.filter((id) => RARE.includes(id))).toStrictEqual([]);
	});

	test.each(['create', 'update'])(
		'%s: what a saved workflow maps stays, or the editor would drop its value',
		async (operation) => {
			const others = idsOf(await fieldsOf(operation, {}, null));
			for (const rare of RARE) {
				const attributes = mapping({ [rare]: '={{ $json.own }}' });
				const ids = idsOf(await fieldsOf(operation, { attributes }, null));
				expect(ids.filter((id) => !others.includes(id))).toEqual([rare]);
			}
		},
	);

	test('what the service requires is offered, rare or not', async () => {
		const attributes = [{ name: 'photos', multiValued: true, required: true }];
		const fields = await offeredBy({ discovery: discovered([{ id: CORE, attributes }]) });
		expect(idsOf(fields)).toContain('photos');
	});

	test.each([
		['create', ['displayName']],
		['upsert', ['name.givenName', 'name.familyName', 'displayName']],
	])('%s: required is what the service profile says', async (operation, required) => {
		const fields = await offeredBy({}, operation, {}, (server) => ({
			...generic(server),
			serviceProfile: 'awsIdentityCenter',
		}));
		expect(idsOf(fields.filter((field) => field.required))).toEqual(required);
	});

	test.each(OWN)('Create: %s stays where a saved workflow maps it', async (path) => {
		const attributes = mapping({ [path]: '={{ $json.own }}' });
		const ids = idsOf(await fieldsOf('create', { attributes }, null));
		expect(ids.filter((id) => OWN.includes(id))).toEqual([path]);
	});

	test('names that tell them apart, the extension behind them', async () => {
		const twin = { ...USER_SCHEMAS[1], id: ENTERPRISE.replace('2.0', '1.0') };
		const fields = await offeredBy({ discovery: discovered([...USER_SCHEMAS, twin]) }, 'upsert');
		const names = fields.map(({ displayName }) => displayName);
		for (const name of ['Name: Given Name', 'External ID', 'Department (Enterprise)'])
			expect(names).toContain(name);
		expect(names).toContain('Manager');
		expect(new Set(names).size).toBe(names.length);
	});

	test('an extension is one of users where the resource types say so, whatever its URN is called', async () => {
		const others = 'urn:example:ext:2.0:UserOfGroups';
		const schemas = [BADGE, others, ENTERPRISE].map((id) => ({
			id,
			attributes: [{ name: 'color', type: 'string', multiValued: false }],
		}));
		const group = {
			schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
			schemaExtensions: [{ schema: others }],
		};
		const own = [{ schema: BADGE, required: false }];
		const fields = await offeredBy(extended([USER_SCHEMAS[0], ...schemas], own, group), 'update');
		expect(idsOf(fields).filter((id) => id.startsWith('urn:'))).toEqual([`${BADGE}:color`]);
	});

	test.each([true, false])(
		'what an extension requires, where users must have it: %p',
		async (must) => {
			const attributes = [{ name: 'level', required: true }, { name: 'color' }];
			const schemas = [
				{ id: CORE, attributes: [] },
				{ id: BADGE, attributes },
			];
			const fields = await offeredBy(extended(schemas, [{ schema: BADGE, required: must }]));
			const required = fields.filter((field) => field.required);
			expect(idsOf(required)).toEqual(must ? [`${BADGE}:level`] : []);
		},
	);

	test('thousands of attributes', async () => {
		const attributes = Array.from({ length: 5_000 }, (_, index) => ({ name: `a${index}` }));
		const switches = { discovery: discovered([{ id: CORE, attributes }]) };
		expect(await offeredBy(switches, 'update')).toHaveLength(5_003);
	});

	test.each([
		['has no schemas', {}, generic],
		['fails', { faults: [{ on: 'GET /Schemas', status: 500 }] }, generic],
		['answers no JSON', { faults: [{ on: 'GET /Schemas', status: 200, body: '<' }] }, generic],
		['refuses the token', { token: 'another' }, generic],
		['is not there', {}, () => ({ baseUrl: 'http://127.0.0.1:1', serviceProfile: 'generic' })],
		['has no address', {}, () => ({ baseUrl: 'nowhere' })],
		['has no credential', {}, () => null],
	])('those of RFC 7643, of a service that %s', async (_, switches, credential) => {
		const fields = await offeredBy(switches, 'upsert', {}, credential);
		const usual = ['name.givenName', 'emails', 'externalId', `${ENTERPRISE}:department`];
		expect(idsOf(fields)).toEqual(expect.arrayContaining(usual));
		expect(JSON.stringify(fields)).not.toContain('key-of-the-account');
	});

	test('fields that were there stay while it fails, or the editor would drop their values', async () => {
		await withServer(DESCRIBED, async (server) => {
			const before = await fieldsOf('create', {}, generic(server));
			server.is.discovery = {};
			const schema = before.map((field) => ({ ...field, removed: field.id !== 'vip' }));
			const parameters = { attributes: mapping({ vip: true }, schema) };
			expect(idsOf(await fieldsOf('create', parameters, generic(server)))).not.toContain('vip');
			server.is.token = 'another';
			expect(await fieldsOf('create', parameters, generic(server))).toEqual(schema);
		});
	});
});

describe('values', () => {
	const user = byId('user-1');
	const update = async (scim, attributes, more) =>
		await scim('user', 'update', { user, attributes }, more);
	/** Updates a user with the title Boss. @returns what came of it, who that is now, and the operations sent */
	const updated = async (attributes, items) => {
		let after;
		await withServer({ users: [person(1, { title: 'Boss' })] }, async (server, scim) => {
			const result = await update(scim, attributes, { ...(items && { items }) });
			const { body } = server.requests.find(({ method }) => method === 'PATCH') ?? {};
			after = { ...result, one: server.users.get('user-1'), ops: body?.Operations };
		});
		return after;
	};
	const replaced = (path, value) => ({ op: 'replace', path, value });

	test.each(['create', 'upsert', 'update'])(
		'%s: every field that is offered',
		async (operation) => {
			const users = operation === 'create' ? [person(9)] : [person(1), person(9)];
			await withServer({ ...DESCRIBED, users }, async (server, scim) => {
				const fields = await fieldsOf(operation, {}, generic(server));
				const schema = fields.map((field) => ({ ...field, removed: !(field.id in VALUES) }));
				const who = operation === 'update' ? { user } : { userName: 'person1@example.com' };
				const { json } = await scim('user', operation, {
					...who,
					attributes: mapping(VALUES, schema),
				});
				expect(json[0]).toMatchObject({ status: 'done', reason: null });
				const userName = 'person1@example.com';
				expect([...server.users.values()].find((one) => one.userName === userName)).toMatchObject(
					KEPT,
				);
				expect(server.written()).toHaveLength(1);
			});
		},
	);

	test('what has no value or was removed is not sent', async () => {
		const { ops } = await updated(
			mapping(
				{
					...{ title: '={{ "" }}', profileUrl: 'x', displayName: '={{ $json.nothing }}' },
					...{ nickName: null, 'name.givenName': 'Ana' },
				},
				[{ id: 'name.givenName', type: 'string', removed: true }],
			),
		);
		expect(ops).toEqual([replaced('profileUrl', 'x')]);
	});

	test('a path in other case, and one below the URN of its schema', async () => {
		const value = { 'NAME.givenname': 'Ana', [`${CORE}:title`]: 'Chief', 'urn:x:2.0:User:a.b': 7 };
		expect((await updated(mapping(value))).one).toMatchObject({
			...{ name: { givenName: 'Ana' }, title: 'Chief', 'urn:x:2.0:User': { a: { b: 7 } } },
		});
	});

	test('an expression may give all values', async () => {
		const { one } = await updated(mapping('={{ $json }}'), [{ 'name.familyName': 'Silva' }]);
		expect(one.name).toEqual({ familyName: 'Silva' });
	});

	test('what the mapper never offers is not taken from it either, and that is said', async () => {
		const never = { groups: [], id: 'user-2', password: 'hunter2-secret', [`${CORE}:meta`]: {} };
		const { json, ops } = await updated(mapping({ ...never, title: 'Chief' }));
		expect(json[0].warnings).toContain(
			`Left out of Attributes: groups, id, password, ${CORE}:meta.`,
		);
		expect(ops).toEqual([replaced('title', 'Chief')]);
		await withServer({}, async (server, scim) => {
			const userName = 'other@example.com';
			const created = { userName: 'new@example.com', ...mapped({ userName }) };
			const { json: items } = await scim('user', 'create', created);
			expect(items[0].warnings).toContain('Left out of Attributes: userName.');
			expect(server.named(userName)).toStrictEqual([]);
		});
	});

	// RFC 7643 section 3.3: below the URN of the extension each is another attribute.
	test('an extension may have attributes named like those that the node sets', async () => {
		const values = { active: false, groups: 'night shift', id: 'B-17' };
		const own = 'urn:example:params:2.0:User';
		const attributes = Object.entries(values).map(([name, value]) => ({
			...{ name, type: typeof value, multiValued: false },
		}));
		const core = [{ name: 'active', type: 'boolean' }, { name: 'groups' }];
		const discovery = discovered([
			{ id: CORE, attributes: core },
			{ id: own, attributes },
		]);
		const groups = [{ id: 'g', members: ['user-1'] }];
		await withServer({ users: [person(1)], groups, discovery }, async (server, scim) => {
			const ids = idsOf(await fieldsOf('update', {}, generic(server)));
			const paths = Object.keys(values).map((name) => `${own}:${name}`);
			const all = [...paths, 'active'];
			expect(ids.filter((id) => /(?:active|groups|:id)$/.test(id))).toEqual(all);
			const given = Object.fromEntries(paths.map((id) => [id, values[id.split(':').at(-1)]]));
			const { json } = await update(scim, mapping(given));
			expect(json[0]).toMatchObject({ status: 'done', active: true });
			expect(server.users.get('user-1')).toMatchObject({ active: true, [own]: values });
		});
	});

	test.each([
		['vip', 'boolean', ['yes', 1, {}], 'true or false'],
		['vip', CHOICE, ['yes', 1, {}], 'true or false'],
		['floor', 'number', ['x', true, '12345678901234567890', []], 'a number'],
		['started', 'dateTime', ['31.1.2026', '2026-01-31', 7], 'a date and time'],
		['emails', 'array', ['ana@example.com', '{"value": 1}', 7, {}], 'a list'],
		['badge', 'object', ['red', '[]', 7, []], 'an object'],
		['title', 'string', [{}, ['Boss']], 'text'],
		['active', undefined, ['no', 7], 'true or false'],
	])('%s of a wrong type: the item fails alone', async (id, type, values, wanted) => {
		await withServer({ users: [person(1)] }, async (server, scim) => {
			const value = { displayName: 'Ana', [id]: '={{ $json.value }}' };
			const { errorJson, errorPairedItems, json } = await update(
				scim,
				mapping(value, [{ id, ...(type?.options ? type : { type }) }]),
				{
					...{ items: values.map((one) => ({ value: one })), onError: 'continueErrorOutput' },
				},
			);
			expect(json).toStrictEqual([]);
			expect(errorPairedItems).toEqual([...values.keys()].map((item) => [item]));
			for (const { error } of errorJson)
				expect(error.toLowerCase()).toMatch(new RegExp(`^${id} is ".*", not ${wanted}`));
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each([
		[{ mappingMode: 'autoMapInputData', value: null }],
		[{ mappingMode: 'defineBelow', value: 'Ana' }],
		['={{ $json }}'],
	])('%j is no mapping: said, and nothing is sent', async (attributes) => {
		await withServer({ users: [person(1)] }, async (server, scim) => {
			const { error } = await update(scim, attributes);
			expect(error.message).toBe('Attributes are not mapped one by one');
			expect(server.requests).toStrictEqual([]);
		});
	});
});

const wanted = { accessBy: 'group', groups: { group: [{ group: 'g' }] } };
test.each([
	['user', 'create', { userName: 'ana@example.com' }],
	['user', 'upsert', { userName: 'ana@example.com' }],
	['group', 'setMembers', { people: 'ana@example.com', chooseGroupBy: 'group', group: 'g' }],
	['access', 'assign', { people: 'ana@example.com', ...wanted }],
	['access', 'offboard', { people: 'ana@example.com' }],
	['access', 'reconcile', { ...wanted, scopeGroups: wanted.groups }],
	['access', 'applyPlan', {}],
])('an expression that fails is an error of the items, never a success: %s %s', async (...run) => {
	await withServer({}, async (server, scim) => {
		const [resource, operation, parameters] = run;
		const options = { maxWait: "={{ $('No Such Node').first().json.wait }}" };
		const { json, errorJson } = await scim(...[resource, operation, { ...parameters, options }], {
			items: [{}, {}],
			onError: 'continueErrorOutput',
			options,
		});
		expect([json, errorJson.length]).toEqual([[], 2]);
		expect(server.requests).toStrictEqual([]);
	});
});
