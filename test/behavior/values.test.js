'use strict';

// Roles, entitlements and other values on the user are access, as groups are.

const { Groups, email, emails, listed, play, table } = require('../support/behavior');
const { mapped } = require('../support/node');
const { sealed } = require('../support/modelGroupsPlay');

const EXTENSION = 'urn:example:params:scim:schemas:extension:app:2.0:User';
const TIER = `${EXTENSION}:tier`;
const values = (...texts) => texts.map((value) => ({ value }));
const row = (action, attribute, value) => ({ action, attribute, value });
const add = (value, attribute = 'roles') => row('add', attribute, value);
const remove = (value, attribute = 'roles') => row('remove', attribute, value);
const single = (...rows) => ({ accessValues: { value: rows } });
const json = (attributes) => ({ options: { attributesJson: JSON.stringify(attributes) } });
const withOptions = (wish, options) => ({ ...wish, options: { ...wish.options, ...options } });
const named = (name) => ({ user: { __rl: true, mode: 'email', value: email(name) } });
const UPDATE = ['user', 'update'];
const ALSO = { credential: { overrideProfile: true, deletionIsFinal: 'no' } };
/** All users of a service have these attributes. */
function holding(attributes, world) {
	for (const user of world.service.users.values())
		world.service.store({ ...user, attributes: { ...user.attributes, ...attributes } });
	world.attributesBefore = world.attributes();
	return world;
}
/** Ana is in one group and Ben in none. */
const on =
	(attributes, { accessAttributes, ...switches } = {}) =>
	() => {
		const credential = { ...ALSO.credential, ...(accessAttributes && { accessAttributes }) };
		return holding(attributes, new Groups({ ana: 'eng', ben: '' }, { ...switches, credential }));
	};
/** A row in which Ana's values change; `after`: her attributes then. */
const changes = (it, attributes, wish, after, { switches, ...more } = {}) => ({
	...{ it, on: on(attributes, switches), wish: () => ({ ...named('ana'), ...wish }) },
	...(after && { sets: { ana: after } }),
	...more,
});
const held = { roles: values('Reader', 'writer') };
const bodiesOf = ({ service }) =>
	service.requests.flatMap(({ body }) => (body ? [JSON.parse(body).Operations] : []));

describe('User: Update', () => {
	const tier = { switches: { accessAttributes: 'tier' } };
	const changed = (change, value, status = 'done') => ({
		change,
		attribute: 'roles',
		value,
		status,
	});
	const two = single(add('x'), remove('writer'));
	const same = ['reader', 'x'].map((value) => changed('none', value, 'unchanged'));
	const operations = [{ op: 'remove', path: 'roles[value eq "writer"]' }];
	const body = expect.objectContaining({ Operations: operations });
	const guarded = { ...single(remove('writer')), options: { protectedUsers: email('ana') } };
	const has = { [EXTENSION]: { y: 1 } };
	const gets = { [EXTENSION]: { y: 1, tier: 'x' } };
	const gives = single(add('b', 'tier'), remove('a', 'tier'));
	table(...UPDATE, [
		changes(
			'adds and removes',
			held,
			two,
			{ roles: values('Reader', 'x') },
			{
				items: [
					{
						...{ status: 'done', text: 'ana (ana@example.com) was updated.' },
						accessChanges: [changed('granted', 'x'), changed('revoked', 'writer')],
						values: ['Reader', 'x'].map((value) => ({ attribute: 'roles', value })),
					},
				],
				reads: 2,
			},
		),
		changes('what is so already', held, single(add('reader'), remove('x')), undefined, {
			items: [{ text: 'ana (ana@example.com) was already up to date.', accessChanges: same }],
		}),
		changes('another case', held, single(remove('READER')), { roles: values('writer') }),
		changes('a first value', {}, single(add('x')), { roles: values('x') }),
		changes('plain texts', { roles: ['a'] }, single(add('x')), { roles: ['a', 'x'] }),
		changes('an extension', has, single(add('x', TIER)), gets, {
			switches: { accessAttributes: TIER },
		}),
		changes('one value stays', { tier: 'a' }, single(add('b', 'tier')), undefined, {
			...{ ...tier, fails: ['has one value, which is "a"'] },
		}),
		changes('one value gives way', { tier: 'a' }, gives, { tier: 'b' }, tier),
		changes('a preview', held, { ...single(remove('writer')), preview: true }, undefined, {
			items: [{ requests: [expect.objectContaining({ body })] }],
		}),
		changes('protected users', held, guarded, undefined, { fails: [/is protected/] }),
		...[
			[single(add('x', 'groups')), 'is not an access attribute'],
			[single(add('')), 'row 1: the value is empty'],
			[single(row('drop', 'roles', 'x')), 'the action is "drop"'],
			[{ ...single(add('x')), ...json({ roles: ['x'] }) }, 'also among the attributes to update'],
			[single(add('x'), remove('X')), 'different: "x" added, "X" removed'],
			[single(), 'nothing to update'],
			[single(add('x')), 'is not an access attribute', 'none'],
			[single(add('x')), '"active", which is no attribute that holds access', 'roles, active'],
		].map(([wish, message, accessAttributes]) =>
			changes(message, held, wish, undefined, { switches: { accessAttributes }, fails: [message] }),
		),
		{
			it: 'two items that contradict each other',
			on: on(held),
			wish: () => ({ ...named('ana'), items: [single(add('x')), single(remove('x'))] }),
			fails: [/different/, /different/],
		},
		...[0, 1].map((first) => ({
			it: `single values in one item, and the whole attribute in another (${first})`,
			on: on(held),
			wish: () => {
				// Options hold for all items; those of one item are where saved workflows have them.
				const whole = {
					...{ updateFields: json({ roles: ['y'] }).options },
					...single(add('x', 'entitlements')),
				};
				const [one, other] = [whole, single(add('x'))];
				const both = first === 0 ? [one, other] : [other, one];
				return { ...named('ana'), items: [...both, { ...named('ben'), ...single(add('x')) }] };
			},
			fails: Array(2).fill(/Items 0 and 1 .*roles of ana@/),
			...{ sends: ['PATCH ben'], sets: { ben: { roles: values('Reader', 'writer', 'x') } } },
		})),
		...[
			['is given nothing', single(add('x')), [/is inactive/]],
			['keeps what is there', single(add('Reader')), []],
			['loses it', single(remove('writer')), [], values('Reader')],
			[
				'is given it once let in',
				{ ...single(add('x')), ...mapped({ active: true }) },
				[],
				values('Reader', 'writer', 'x'),
				'',
			],
		].map(([it, wish, fails, roles, has]) => ({
			it: `an inactive user ${it}`,
			on: () => holding(held, new Groups({ ana: 'inactive' }, ALSO)),
			wish: () => ({ ...named('ana'), ...wish }),
			...{ fails, sends: roles ? (has === '' ? ['PATCH ana', 'PATCH ana'] : ['PATCH ana']) : [] },
			...(roles && { sets: { ana: { roles } }, ends: { ana: has ?? 'inactive' } }),
		})),
	]);

	test('other attributes change first, and both come out as one item', async () => {
		const world = on(held)();
		const wish = { ...named('ana'), ...single(add('x')), ...mapped({ displayName: 'Ana' }) };
		expect(await play(world, UPDATE, wish)).toMatchObject([{ status: 'done', displayName: 'Ana' }]);
		expect(bodiesOf(world).map(([{ path }]) => path)).toEqual(['displayName', 'roles']);
	});

	test('the mapper sends no password, whatever schema has it', async () => {
		const world = on({})();
		const names = ['password', 'urn:x:User:passWord', 'urn:x:User:login.password'];
		const secrets = Object.fromEntries(names.map((name) => [name, 'secret-1']));
		const wish = { ...named('ana'), ...mapped({ title: 'Boss', ...secrets }) };
		const [item] = await play(world, UPDATE, wish);
		expect(item.warnings.join()).toContain(`Left out of Attributes: ${names.join(', ')}`);
		expect(JSON.stringify(world.service.requests)).not.toContain('secret-1');
	});
});

describe('exactly one value goes, however the service keeps them', () => {
	const AB = { roles: values('a', 'b') };
	const B = { roles: values('b') };
	table(
		...UPDATE,
		[
			['a list of objects', AB, {}, 'roles', B],
			['plain texts', { roles: ['a', 'b'] }, {}, 'roles', { roles: ['b'] }],
			['no filter in paths: 400', AB, { refusesFilterPath: 400 }, 'roles', B, 400],
			['no filter in paths: 501', AB, { refusesFilterPath: 501 }, 'roles', B, 501],
			['a removal changes nothing', AB, { skipsRemove: true }, 'roles', B, ''],
			['one object', { roles: { value: 'a', type: 'x' } }, {}, 'roles', { roles: [] }],
			['answers without a body', AB, { patchAnswers: '204' }, 'roles', B],
			['old answers', AB, { patchAnswers: 'stale' }, 'roles', B],
			[
				'an extension',
				{ [EXTENSION]: { tier: values('a', 'b') } },
				{},
				TIER,
				{ [EXTENSION]: { tier: values('b') } },
			],
			['one value', { [EXTENSION]: { tier: 'a', x: 1 } }, {}, TIER, { [EXTENSION]: { x: 1 } }],
			[
				'no value',
				{ teams: [{ team: 'a' }, { team: 'b' }] },
				{},
				'teams',
				{ teams: [{ team: 'b' }] },
			],
			['names in other case', AB, { names: 'upper' }, 'roles', B],
			['quotes', { roles: values('a', 'say "b"') }, {}, 'roles', { roles: values('say "b"') }],
		].map(([it, attributes, switches, attribute, after, refused]) =>
			changes(it, attributes, single(remove('a', attribute), remove('other', attribute)), after, {
				switches: { accessAttributes: attribute, ...switches },
				items: [{ status: 'done' }],
				...(refused !== undefined && { sends: [`PATCH ana ${refused}`.trim(), 'PATCH ana'] }),
			}),
		),
	);
});

describe('a part of an attribute that is access, or what it is in: an error, and no request', () => {
	const has = { roles: values('admin', 'x'), [EXTENSION]: { tier: 'gold', note: 'n' } };
	const switches = { accessAttributes: `roles, ${TIER}` };
	describe.each(['patch', 'put'])('by %s', (updateWith) => {
		const options = { updateWith };
		table(...UPDATE, [
			...[
				[TIER, json({ [EXTENSION]: null })],
				[TIER, json({ [EXTENSION.toUpperCase()]: '' })],
				[TIER, json({ [`${EXTENSION}.tier`]: 'x' })],
				[TIER, json({ [`${TIER}[value eq "gold"]`]: null })],
				['roles', json({ 'roles[value eq "admin"]': null })],
				['roles', json({ 'Roles[value eq "a].b"].value': 'x' })],
				['roles', json({ 'roles.value': 'z' })],
				['roles', mapped({ 'roles.value': 'z' })],
				['roles', mapped({ 'roles[value eq "admin"].value': 'z' })],
			].map(([attribute, wish]) =>
				changes(JSON.stringify(wish), has, withOptions(wish, options), undefined, {
					...{ switches, fails: [`${attribute} is access`] },
				}),
			),
			changes(
				'what is beside it in an extension changes alone',
				has,
				withOptions(json({ [EXTENSION]: { note: 'y' } }), options),
				{ [EXTENSION]: { tier: 'gold', note: 'y' } },
				{ switches, sends: [`${updateWith.toUpperCase()} ana`], once: updateWith === 'put' },
			),
		]);
	});
	table(...UPDATE, [
		changes(
			'a list whose entries have it is set as a whole',
			{ teams: [{ role: 'a' }, { role: 'b' }] },
			json({ teams: [{ role: 'a' }] }),
			{ teams: [{ role: 'a' }] },
			{ switches: { accessAttributes: 'teams.role' } },
		),
	]);
	table(
		'user',
		'reconcile',
		[{ [`${EXTENSION}.tier`]: 'x' }, { [EXTENSION]: null }].map((wanted) => ({
			...{ it: `rows of Reconcile: ${JSON.stringify(wanted)}`, on: on(has, switches) },
			wish: () => ({
				...{ preview: false, usersFrom: 'json', options: { emptyCells: 'clear' } },
				usersJson: [{ userName: email('ana'), ...wanted }],
			}),
			fails: [`has ${TIER}, which is access`],
		})),
	);
});

describe('a request that has to be sent again is made of what is there by then', () => {
	describe.each([
		['plain texts', (...texts) => texts],
		['objects', values],
	])('%s', (_, form) => {
		test.each(['429', '500-html', '500-after', 'reset-after', 'reset-before'])(
			'%s',
			async (kind) => {
				const world = on(
					{ roles: form('a', 'b') },
					{ faults: [{ method: 'PATCH', nth: 1, kind }] },
				)();
				const { service } = world;
				let isGiven = false;
				service.given.onRequest = (__, { method }) => {
					const [last] = service.requests.slice(-2);
					if (isGiven || last?.method !== 'PATCH' || method !== 'GET') return;
					isGiven = true;
					const user = service.users.get(world.user('ana').value);
					const roles = [...user.attributes.roles, ...form('c')];
					service.store({ ...user, attributes: { ...user.attributes, roles } });
				};
				const options = { maxWait: 60 };
				const wish = { ...named('ana'), ...single(remove('a'), add('x')), options };
				const [item] = await play(world, UPDATE, wish);
				expect(item.status).toBe('done');
				const now = world.attributes().ana.roles.map((one) => one.value ?? one);
				expect(now.sort()).toEqual(['b', 'c', 'x']);
			},
		);
	});

	test('what was taken and is not seen has not failed for a second form that is not accepted', async () => {
		const faults = [
			{ method: 'PATCH', nth: 1, kind: 'dropped' },
			{ method: 'PATCH', kind: 'status', status: 401 },
		];
		const world = on({ roles: values('a', 'b') }, { faults })();
		const [item] = await play(world, UPDATE, { ...named('ana'), ...single(remove('a')) });
		expect(item).toMatchObject({ status: 'unverified', reason: expect.stringContaining('a') });
		expect(world.service.written()).toHaveLength(2);
	});

	table(
		...UPDATE,
		[
			[2, 1],
			[8, 2],
		].map(([lagReads, times]) =>
			changes(
				`reads that show a write ${lagReads} reads late`,
				{ roles: values('a', 'b') },
				{
					...single(remove('a'), add('x')),
					options: { verifyTime: 30, maxWait: 60 },
				},
				{ roles: values('b', 'x') },
				{
					sends: Array(times).fill('PATCH ana'),
					switches: { lagReads },
					items: [{ status: 'done', values: expect.any(Array) }],
					once: true,
				},
			),
		),
	);
});

// An attribute with one value takes no second one: a late request would overwrite what another client gave.
for (const moment of ['late', 'again']) {
	const taken = { tier: 'c' };
	table(...UPDATE, [
		changes(
			`a value that another client gave stays, ${moment}`,
			{},
			single(add('b', 'tier')),
			taken,
			{
				...{ switches: { accessAttributes: 'tier' }, fails: [/has one value, which is "c"/] },
				[moment]: (scim, w) => {
					const user = scim.users.get(w.userId('ana'));
					scim.store({ ...user, attributes: { ...user.attributes, ...taken } });
				},
			},
		),
	]);
}

describe('a removal that takes other values along', () => {
	const both = (it, texts, more) => ({
		it,
		on: on({ roles: values(...texts) }, { removesEverybody: ['filterPath'] }),
		wish: () => ({ ...single(remove('a')), items: [named('ana'), named('ben')] }),
		...more,
	});
	const none = { roles: undefined };
	table(...UPDATE, [
		both('is unverified and named, and no other is sent', ['a', 'b', 'c'], {
			fails: [
				/no longer has roles "b", roles "c", which nobody asked to remove/,
				/Nothing was sent, since a removal took other values along/,
			],
			sets: { ana: none },
		}),
		both('with nothing beside it there is nothing to take', ['a'], {
			sets: { ana: none, ben: none },
		}),
	]);
});

describe('safety limits', () => {
	const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
	const people = Object.fromEntries(names.map((name) => [name, '']));
	const crowd = () => holding({ roles: values('a', 'b') }, new Groups(people, ALSO));
	const blocked = { fails: names.map(() => /12 people would lose access/) };
	const all = (it, wish, more) => ({
		...{ it, on: crowd, wish: () => ({ ...wish, items: names.map(named) }) },
		...(more ?? blocked),
	});
	const more = { roles: values('b', 'a', 'c') };
	table(...UPDATE, [
		all('count single values', single(remove('a'))),
		all('count a whole attribute', json({ roles: values('a') })),
		all('count an empty one', json({ roles: [] })),
		all('count PUT', withOptions(json({ roles: [] }), { updateWith: 'put' })),
		all('do not count who gets more', json(more), {
			sets: Object.fromEntries(names.map((name) => [name, more])),
		}),
	]);
	table('user', 'upsert', {
		...{ it: 'count Create or Update with fewer values', on: crowd },
		wish: () => ({
			additionalFields: { attributesJson: JSON.stringify({ roles: values('a') }) },
			options: { maxPeopleAffected: 11 },
			items: names.map((name) => ({ userName: email(name) })),
		}),
		...blocked,
	});
});

/** A plan that grants Ben a group, and changes values of Ana, as older versions may have sealed it. */
async function planOfValues(world, ...changesOf) {
	const wanted = { people: emails('ben'), ...listed('eng'), preview: true };
	const [{ plan }] = await play(world, ['access', 'assign'], wanted);
	const [grant] = plan.changes;
	const id = world.user('ana').value;
	const role = (value) => ({ key: `value\nroles\n${value}`, attribute: 'roles', value });
	const all = changesOf.map(([before, after, waits]) => ({
		...{ ...grant, key: `${[...before, ...after].join()} of ana` },
		...{ before: before.map(role), after: after.map(role) },
		restsOn: waits ? [{ on: 'change', key: grant.key }] : [],
		person: { key: id, id, userName: email('ana') },
	}));
	return { changes: 'all', plan: sealed({ ...plan, changes: [grant, ...all] }) };
}

test('a removal that waits for another person in vain is not sent along with what does not wait', async () => {
	const faults = [{ method: 'PATCH', path: /Groups/, kind: 'html-403' }];
	const world = on({ roles: values('old', 'keep') }, { faults })();
	const apply = await planOfValues(world, [[], ['new']], [['old'], [], true]);
	const items = await play(world, ['access', 'applyPlan'], apply);
	expect(items.map(({ error }) => error).join()).toContain('it needs a step that did not succeed');
	expect(world.attributes().ana.roles).toEqual(values('old', 'keep', 'new'));
});

test('a removal of a value that no read shows by then fails, and is not taken for made', async () => {
	const world = on({})();
	const apply = await planOfValues(world, [['old'], []]);
	const items = await play(world, ['access', 'applyPlan'], apply);
	const ofAna = items.filter(({ userId }) => userId === world.userId('ana'));
	const error = expect.stringContaining('What the user has in roles is unknown');
	expect(ofAna).toMatchObject([{ change: 'revoked', status: 'failed', error }]);
});
