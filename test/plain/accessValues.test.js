'use strict';

require('../support/noWaiting');
const {
	credentialOf,
	email,
	errorsIn,
	idOf,
	locator,
	person,
	play,
	sealed,
	serviceWith,
} = require('../support/modelGroupsPlay');

// Roles, entitlements and other values on the user are access, as groups are.

const EXTENSION = 'urn:example:params:scim:schemas:extension:app:2.0:User';
const values = (...texts) => texts.map((value) => ({ value }));
/** Ana is in one group and Ben in none, and all have these attributes. */
function serviceOf(attributes, switches) {
	const service = serviceWith({ people: [person('ana', ['eng']), person('ben', [])], ...switches });
	for (const user of service.users.values())
		service.store({ ...user, attributes: { ...user.attributes, ...attributes } });
	service.record('the beginning');
	return service;
}
const BOTH = ['reader', 'editor'];
const userOf = (service, name = 'ana') => service.users.get(idOf(name))?.attributes;
const row = (action, attribute, value) => ({ action, attribute, value });
const add = (value, attribute = 'roles') => row('add', attribute, value);
const remove = (value, attribute = 'roles') => row('remove', attribute, value);
const named = (name) => locator('email', email(name));
const update = async (service, rows, { items = [{}], credential, ...parameters } = {}) =>
	await play(
		service,
		'update',
		{ user: named('ana'), accessValues: { value: rows }, ...parameters },
		items,
		{ resource: 'user', credential: { ...credentialOf(), ...credential } },
	);
const bodiesOf = (service) =>
	service.requests.flatMap(({ body }) => (body ? [JSON.parse(body).Operations] : []));

describe('User: Update', () => {
	test('adds and removes single values, and reads them back', async () => {
		const service = serviceOf({ roles: values('reader', 'writer') });
		const items = await update(service, [add('editor'), remove('writer')]);
		expect(bodiesOf(service)).toEqual([
			[
				{ op: 'add', path: 'roles', value: values('editor') },
				{ op: 'remove', path: 'roles[value eq "writer"]' },
			],
		]);
		expect(items).toMatchObject([
			{
				userName: email('ana'),
				status: 'done',
				accessChanges: [
					{ change: 'granted', attribute: 'roles', value: 'editor', status: 'done' },
					{ change: 'revoked', attribute: 'roles', value: 'writer', status: 'done' },
				],
				values: [
					{ attribute: 'roles', value: 'reader' },
					{ attribute: 'roles', value: 'editor' },
				],
			},
		]);
		expect(userOf(service).roles).toEqual(values('reader', 'editor'));
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET']);
	});

	test.each([
		['is given nothing', [add('editor')], {}, 'is inactive', ['reader']],
		['is given it once let in', [add('editor')], { updateFields: { active: true } }, '', BOTH],
		['keeps what is there', [add('reader')], {}, '', ['reader']],
		['loses it', [remove('reader')], {}, '', []],
	])('whoever is inactive %s', async (_, rows, parameters, message, left) => {
		const service = serviceOf({ roles: values('reader') });
		service.setActive(idOf('ana'), false);
		const errors = errorsIn(await update(service, rows, parameters));
		expect(errors.join()).toContain(message);
		expect(errors).toHaveLength(message === '' ? 0 : 1);
		expect(userOf(service).roles ?? []).toEqual(values(...left));
	});
});

/** How a service keeps values, what it then does to a removal, and how many PATCHes it takes. */
const FORMS = [
	['a list of objects', { roles: values('a', 'b') }, {}, 'roles', 1],
	['plain texts', { roles: ['a', 'b'] }, {}, 'roles', 1],
	['no filter in paths', { roles: values('a', 'b') }, { refusesFilterPath: 400 }, 'roles', 2],
	['no filter in paths', { roles: values('a', 'b') }, { refusesFilterPath: 501 }, 'roles', 2],
	['a removal changes nothing', { roles: values('a', 'b') }, { skipsRemove: true }, 'roles', 2],
	['one object', { roles: { value: 'a', type: 'x' } }, {}, 'roles', 1],
	['answers without a body', { roles: values('a', 'b') }, { patchAnswers: '204' }, 'roles', 1],
	['old answers', { roles: values('a', 'b') }, { patchAnswers: 'stale' }, 'roles', 1],
	['an extension', { [EXTENSION]: { tier: values('a', 'b') } }, {}, `${EXTENSION}:tier`, 1],
	['one value', { [EXTENSION]: { tier: 'a', x: 1 } }, {}, `${EXTENSION}:tier`, 1],
	['no value', { teams: [{ team: 'a' }, { team: 'b' }] }, {}, 'teams', 1],
	['names in other case', { roles: values('a', 'b') }, { names: 'upper' }, 'roles', 1],
	['quotes', { roles: values('a', 'say "b"') }, {}, 'roles', 1],
];

describe.each(FORMS)('%s: %j %j', (_, attributes, switches, attribute, patches) => {
	const credential = { accessAttributes: attribute };
	const read = async (service) => {
		const [{ values: shown }] = await play(service, 'get', { user: named('ana') }, [{}], {
			credential: { ...credentialOf(), ...credential },
		});
		return shown.map(({ value }) => value);
	};

	test('exactly one value goes', async () => {
		const service = serviceOf(attributes, switches);
		const before = await read(service);
		expect(before[0]).toBe('a');
		const [item] = await update(service, [remove('a', attribute)], { credential });
		expect(item).toMatchObject({ status: 'done', accessChanges: [{ change: 'revoked' }] });
		expect(await read(service)).toEqual(before.slice(1));
		expect(service.written()).toHaveLength(patches);
	});

	test('what is gone, or was never there, takes no request', async () => {
		const service = serviceOf(attributes, switches);
		const [item] = await update(service, [remove('other', attribute)], { credential });
		expect(item).toMatchObject({ status: 'unchanged', accessChanges: [{ change: 'none' }] });
		expect(service.written()).toStrictEqual([]);
	});
});

describe('User: Update, what is asked for', () => {
	const held = { roles: values('Reader', 'writer') };

	test('what is there already, also in another case, takes no request', async () => {
		const service = serviceOf(held);
		const [item] = await update(service, [add('reader'), remove('other')]);
		expect(item).toMatchObject({
			status: 'unchanged',
			accessChanges: [{ change: 'none' }, { change: 'none' }],
			values: [{ value: 'Reader' }, { value: 'writer' }],
		});
		expect(service.written()).toStrictEqual([]);
	});

	test('a value in another case is removed as the service writes it', async () => {
		const service = serviceOf(held);
		await update(service, [remove('READER')]);
		expect(userOf(service).roles).toEqual(values('writer'));
	});

	test.each([
		['a first value', {}, 'roles', { roles: values('x') }],
		['plain texts', { roles: ['a'] }, 'roles', { roles: ['a', 'x'] }],
		[
			'an extension',
			{ [EXTENSION]: { y: 1 } },
			`${EXTENSION}:tier`,
			{ [EXTENSION]: { y: 1, tier: 'x' } },
		],
	])('adds to %s', async (_, attributes, attribute, after) => {
		const service = serviceOf(attributes);
		const credential = { accessAttributes: attribute };
		const [item] = await update(service, [add('x', attribute)], { credential });
		expect(item.status).toBe('done');
		expect(userOf(service)).toMatchObject(after);
	});

	test('an attribute with one value gives it up only where that is asked for', async () => {
		const service = serviceOf({ tier: 'a' });
		const credential = { accessAttributes: 'tier' };
		expect(errorsIn(await update(service, [add('b', 'tier')], { credential })).join()).toContain(
			'has one value, which is "a"',
		);
		expect(service.written()).toStrictEqual([]);
		const rows = [add('b', 'tier'), remove('a', 'tier')];
		expect(await update(service, rows, { credential })).toMatchObject([{ status: 'done' }]);
		expect(userOf(service).tier).toBe('b');
	});

	test('other attributes change first, and both come out as one item', async () => {
		const service = serviceOf(held);
		const [item] = await update(service, [add('x')], {
			attributes: { mappingMode: 'defineBelow', value: { displayName: 'Ana' } },
		});
		expect(item).toMatchObject({ status: 'done', displayName: 'Ana' });
		expect(bodiesOf(service).map(([{ path }]) => path)).toEqual(['displayName', 'roles']);
	});

	test('Preview shows the request and sends none', async () => {
		const service = serviceOf(held);
		const [{ requests }] = await update(service, [remove('writer')], { preview: true });
		expect(requests).toMatchObject([
			{ body: { Operations: [{ op: 'remove', path: 'roles[value eq "writer"]' }] } },
		]);
		expect(service.written()).toStrictEqual([]);
	});

	test('protected users keep what they have', async () => {
		const service = serviceOf(held);
		const options = { protectedUsers: email('ana') };
		const items = await update(service, [remove('writer')], { options });
		expect(errorsIn(items).join()).toContain('is protected');
		expect(service.written()).toStrictEqual([]);
	});

	test.each([
		['another attribute', [add('x', 'groups')], {}, 'is not an access attribute'],
		['no value', [add('')], {}, 'row 1: the value is empty'],
		['no row', 'roles', {}, 'neither rows nor a list'],
		['another action', [row('drop', 'roles', 'x')], {}, 'the action is "drop"'],
		[
			'the same attribute as a whole',
			[add('x')],
			{ updateFields: { attributesJson: '{"roles": ["x"]}' } },
			'also among the attributes to update',
		],
		['both', [add('x'), remove('X')], {}, 'different: "x" added, "X" removed'],
		['nothing', [], {}, 'nothing to update'],
		[
			'no attribute in the credential',
			[add('x')],
			{ credential: { accessAttributes: 'none' } },
			'is not an access attribute',
		],
		[
			'a bad attribute in the credential',
			[add('x')],
			{ credential: { accessAttributes: 'roles, active' } },
			'has "active", which is no attribute that holds access',
		],
	])('%s: an error, and no request', async (_, rows, more, message) => {
		const service = serviceOf(held);
		expect(errorsIn(await update(service, rows, more)).join()).toContain(message);
		expect(service.written()).toStrictEqual([]);
	});

	test('single values in one item and the whole attribute in another', async () => {
		const service = serviceOf(held);
		const whole = { updateFields: { attributesJson: '{"roles": ["y"]}' } };
		const single = { accessValues: { value: [add('x')] } };
		const other = { user: named('ben'), ...single };
		for (const both of [
			[whole, single],
			[single, whole],
		]) {
			const out = await update(service, [], { items: [...both, other] });
			expect(errorsIn(out)).toHaveLength(2);
			for (const error of errorsIn(out)) expect(error).toMatch(/Items 0 and 1 .*roles of ana@/);
		}
		expect(service.written()).toEqual([`PATCH /Users/${idOf('ben')}`]);
	});

	test('two items that contradict each other', async () => {
		const service = serviceOf(held);
		const items = [add('x'), remove('x')].map((one) => ({ accessValues: { value: [one] } }));
		const out = await update(service, [], { items });
		expect(errorsIn(out)).toHaveLength(2);
		expect(service.written()).toStrictEqual([]);
	});
});

describe('a part of an attribute that is access, or what it is in: an error, and no request', () => {
	const tier = `${EXTENSION}:tier`;
	const held = { roles: values('admin', 'x'), [EXTENSION]: { tier: 'gold', note: 'n' } };
	const credential = { accessAttributes: `roles, ${tier}` };
	const json = (attributes) => ({ updateFields: { attributesJson: JSON.stringify(attributes) } });
	const mapped = (value) => ({ attributes: { mappingMode: 'defineBelow', value } });

	test.each([
		[tier, json({ [EXTENSION]: null })],
		[tier, json({ [EXTENSION.toUpperCase()]: '' })],
		[tier, json({ [`${EXTENSION}.tier`]: 'x' })],
		[tier, json({ [`${tier}[value eq "gold"]`]: null })],
		['roles', json({ 'roles[value eq "admin"]': null })],
		['roles', json({ 'Roles[value eq "a].b"].value': 'x' })],
		['roles', json({ 'roles.value': 'z' })],
		['roles', mapped({ 'roles.value': 'z' })],
		['roles', mapped({ 'roles[value eq "admin"].value': 'z' })],
	])('%s by %j', async (attribute, more) => {
		for (const updateWith of ['patch', 'put']) {
			const service = serviceOf(held);
			const out = await update(service, [], { ...more, credential, options: { updateWith } });
			expect(errorsIn(out).join()).toContain(`${attribute} is access`);
			expect(service.written()).toStrictEqual([]);
		}
	});

	test('what is beside it in an extension changes alone', async () => {
		for (const updateWith of ['patch', 'put']) {
			const service = serviceOf(held);
			const more = { ...json({ [EXTENSION]: { note: 'y' } }), credential, options: { updateWith } };
			expect(await update(service, [], more)).toMatchObject([{ status: 'done' }]);
			expect(userOf(service)[EXTENSION]).toEqual({ tier: 'gold', note: 'y' });
		}
	});

	test('a list whose entries have it is set as a whole', async () => {
		const service = serviceOf({ teams: [{ role: 'a' }, { role: 'b' }] });
		const teams = [{ role: 'a' }];
		const out = await update(service, [], {
			...json({ teams }),
			credential: { accessAttributes: 'teams.role' },
		});
		expect(out).toMatchObject([{ status: 'done' }]);
		expect(userOf(service).teams).toEqual(teams);
	});

	test('rows of User: Reconcile', async () => {
		for (const row of [{ [`${EXTENSION}.tier`]: 'x' }, { [EXTENSION]: null }]) {
			const service = serviceOf(held);
			const out = await play(
				service,
				'reconcile',
				{
					...{ preview: false, usersFrom: 'json', options: { emptyCells: 'clear' } },
					usersJson: [{ userName: email('ana'), ...row }],
				},
				[{}],
				{ resource: 'user', credential: { ...credentialOf(), ...credential } },
			);
			expect(JSON.stringify(out)).toContain(`has ${tier}, which is access`);
			expect(service.written()).toStrictEqual([]);
		}
	});
});

test('the mapper sends no password, whatever schema has it', async () => {
	const service = serviceOf({});
	const names = ['password', 'urn:x:User:passWord', 'urn:x:User:login.password'];
	const value = { title: 'Boss', ...Object.fromEntries(names.map((name) => [name, 'secret-1'])) };
	const [item] = await update(service, [], { attributes: { mappingMode: 'defineBelow', value } });
	expect(item.warnings.join()).toContain(`Left out of Attributes: ${names.join(', ')}`);
	expect(JSON.stringify(service.requests)).not.toContain('secret-1');
});

describe('a request that has to be sent again', () => {
	const CASES = {
		'plain texts': { roles: ['a', 'b'] },
		objects: { roles: values('a', 'b') },
	};

	test.each(Object.keys(CASES))('%s: is made of what is there by then', async (form) => {
		for (const kind of [429, '500-html', '500-after', 'reset-after', 'reset-before']) {
			const service = serviceOf(CASES[form], { faults: [{ method: 'PATCH', nth: 1, kind }] });
			let isGiven = false;
			service.given.onRequest = (_, { method }) => {
				const [last] = service.requests.slice(-2);
				if (isGiven || last?.method !== 'PATCH' || method !== 'GET') return;
				isGiven = true;
				const user = service.users.get(idOf('ana'));
				const roles = [...user.attributes.roles, ...(form === 'objects' ? values('c') : ['c'])];
				service.store({ ...user, attributes: { ...user.attributes, roles } });
			};
			const options = { verifyTime: 0, maxWait: 60 };
			const [item] = await update(service, [remove('a'), add('x')], { options });
			expect([kind, item.status]).toEqual([kind, 'done']);
			const held = userOf(service).roles.map((one) => one.value ?? one);
			expect(held.sort()).toEqual(['b', 'c', 'x']);
		}
	});
});

test.each([2, 8])('reads that show a write %i reads late', async (lagReads) => {
	const service = serviceOf({ roles: values('a', 'b') }, { lagReads });
	const options = { verifyTime: 30 };
	const [item] = await update(service, [remove('a'), add('x')], { options });
	expect(item).toMatchObject({ status: 'done', values: [{ value: 'b' }, { value: 'x' }] });
	expect(userOf(service).roles).toEqual(values('b', 'x'));
});

describe('a removal that takes other values along', () => {
	const items = ['ana', 'ben'].map((name) => ({ user: named(name) }));

	test('is unverified and named, and no other is sent', async () => {
		const service = serviceOf(
			{ roles: values('a', 'b', 'c') },
			{ removesEverybody: ['filterPath'] },
		);
		const out = await update(service, [remove('a')], { items });
		const messages = errorsIn(out).join('\n');
		expect(messages).toContain('no longer has roles "b", roles "c", which nobody asked to remove');
		expect(messages).toContain('Nothing was sent, since a removal took other values along');
		expect(service.written()).toHaveLength(1);
		expect(['ana', 'ben'].map((name) => userOf(service, name).roles?.length ?? 0).sort()).toEqual([
			0, 3,
		]);
	});

	test('with nothing beside it there is nothing to take', async () => {
		const service = serviceOf({ roles: values('a') }, { removesEverybody: ['filterPath'] });
		const out = await update(service, [remove('a')], { items });
		expect(out.map(({ status }) => status)).toEqual(['done', 'done']);
	});
});

describe('safety limits', () => {
	const people = Array.from({ length: 12 }, (_, at) => `p${at}`);
	const items = people.map((name) => ({ user: named(name) }));
	const crowd = () => {
		const service = serviceWith({ people: people.map((name) => person(name, [])) });
		for (const user of service.users.values())
			service.store({ ...user, attributes: { ...user.attributes, roles: values('a', 'b') } });
		return service;
	};

	test.each([
		['single values', [remove('a')], {}],
		['a whole attribute', [], { updateFields: { attributesJson: '{"roles": [{"value": "a"}]}' } }],
		['an empty one', [], { updateFields: { attributesJson: '{"roles": []}' } }],
		[
			'PUT',
			[],
			{ updateFields: { attributesJson: '{"roles": []}' }, options: { updateWith: 'put' } },
		],
	])('count %s', async (_, rows, more) => {
		const service = crowd();
		const out = await update(service, rows, { ...more, items });
		expect(errorsIn(out).join()).toContain('12 people would lose access');
		expect(service.written()).toStrictEqual([]);
	});

	test('count Create or Update with fewer values', async () => {
		const service = crowd();
		const items = people.map((name) => ({ userName: email(name) }));
		const out = await play(
			service,
			'upsert',
			{
				additionalFields: { attributesJson: JSON.stringify({ roles: values('a') }) },
				options: { maxPeopleAffected: 11 },
			},
			items,
			{ resource: 'user' },
		);
		expect(errorsIn(out).join()).toContain('12 people would lose access');
		expect(service.written()).toStrictEqual([]);
	});

	test('do not count who gets more', async () => {
		const service = crowd();
		const whole = JSON.stringify({ roles: values('b', 'a', 'c') });
		const out = await update(service, [], { updateFields: { attributesJson: whole }, items });
		expect(errorsIn(out)).toStrictEqual([]);
	});
});

test('a removal that waits for somebody else in vain is not sent along with what does not wait', async () => {
	const faults = [{ method: 'PATCH', path: /Groups/, kind: 'html-403' }];
	const service = serviceOf({ roles: values('old', 'keep') }, { faults });
	const wanted = { people: email('ben'), groups: { group: [{ group: 'VPN' }] } };
	const [{ plan }] = await play(service, 'assign', { ...wanted, preview: true });
	const [grant] = plan.changes;
	const ana = { key: idOf('ana'), id: idOf('ana'), userName: email('ana') };
	const role = (value) => ({ key: `value\nroles\n${value}`, attribute: 'roles', value });
	const value = (before, after, restsOn) => ({
		...{
			...grant,
			key: `${before.concat(after)[0].value} of ana`,
			person: ana,
			before,
			after,
			restsOn,
		},
	});
	plan.changes.push(
		value([], [role('new')], []),
		value([role('old')], [], [{ on: 'change', key: grant.key }]),
	);
	const items = await play(service, 'applyPlan', { plan: sealed(plan) });
	expect(errorsIn(items).join()).toContain('it needs a step that did not succeed');
	expect(userOf(service).roles).toEqual(values('old', 'keep', 'new'));
});

test('a value that is taken from a user: the user was updated', async () => {
	const service = serviceWith({ people: [person('ana', ['eng'])] });
	const { attributes, ...user } = service.users.get(idOf('ana'));
	service.store({ ...user, attributes: { ...attributes, roles: [{ value: 'reader' }] } });
	const remove = { action: 'remove', attribute: 'roles', value: 'reader' };
	const update = async () =>
		await play(
			service,
			'update',
			{ user: locator('email', email('ana')), accessValues: { value: [remove] } },
			[{}],
			{ resource: 'user' },
		);
	expect(await update()).toMatchObject([{ status: 'done', text: 'ana@example.com was updated.' }]);
	expect(await update()).toMatchObject([
		{ status: 'unchanged', text: 'ana@example.com was already up to date.' },
	]);
});
