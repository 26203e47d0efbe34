'use strict';

require('../support/noWaiting');
const { ONE_AT_A_TIME } = require('../support/options');
const { startService } = require('../../demo/service');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { DEFAULTS: WELL_BEHAVED } = require('../../demo/service/scim/switches');
const { byId, mapped, run } = require('../support/node');
const { inGroup, people } = require('./play');

// How services take what is written (nodes/shared/scim/client/forms.ts): each request that leaves, and what is there then.

const NAMED = people(3).map((one) => ({
	...one,
	name: { givenName: 'Ana', familyName: 'Silva', middleName: 'Maria' },
	emails: [{ value: one.userName, primary: true, type: 'work' }],
}));
const GROUPS = [{ id: 'g', displayName: 'G', members: ['user-1', 'user-2'] }];
const emailsOf = (...numbers) => numbers.map((number) => `person${number}@example.com`).join(', ');

/** Runs an operation against a dialect, or another service. */
async function play(dialect, resource, operation, parameters, more = {}) {
	const { users = NAMED, groups = GROUPS, credential, onError, items, ...switches } = more;
	const service = await startService({
		...(dialect in DIALECTS ? { dialect } : { ...WELL_BEHAVED, ids: 'numbered' }),
		seed: { organizations: [], users, groups },
		...switches,
	});
	try {
		const { json, errorJson, error } = await run(
			resource,
			operation,
			{ ...parameters, options: { verifyTime: 1, ...parameters.options } },
			{
				credential: {
					baseUrl: service.url,
					accountApiToken: service.accountToken,
					serviceProfile: 'generic',
					...credential,
				},
				onError: onError ?? 'continueErrorOutput',
				...(items && { items }),
			},
		);
		const { requests } = service.log;
		const { directory } = service.state;
		return {
			...{ json, errorJson, error, requests },
			messages: (errorJson ?? []).map((item) => item.error.message ?? item.error),
			/** Methods and statuses, without the reads. */
			writes: requests
				.filter(({ method }) => method !== 'GET')
				.map(({ method, status }) => `${method} ${status}`),
			methods: requests.map(({ method }) => method).join(' '),
			bodies: requests.filter(({ method }) => method !== 'GET').map(({ body }) => body),
			members: directory.membersOf('g'),
			about: directory.about.get('g'),
			user: (id) => directory.users.get(id),
		};
	} finally {
		await service.close();
	}
}

const add = async (dialect, numbers, more) =>
	await play(
		dialect,
		'group',
		'addMembers',
		{ ...inGroup('g'), people: emailsOf(...numbers) },
		more,
	);
const remove = async (dialect, numbers, more) =>
	await play(
		dialect,
		'group',
		'removeMembers',
		{ ...inGroup('g'), people: emailsOf(...numbers) },
		more,
	);
const set = async (dialect, numbers, options = {}, more = {}) =>
	await play(
		dialect,
		'group',
		'setMembers',
		{ ...inGroup('g'), people: emailsOf(...numbers), options },
		more,
	);

describe('members are sent with their user names', () => {
	test.each(['wso2', 'generic'])('%s: one PATCH adds 100 people', async (dialect) => {
		const users = people(100);
		const groups = [{ id: 'g' }];
		const numbers = users.map((_, at) => at + 1);
		const { messages, writes, members, bodies } = await add(dialect, numbers, { users, groups });
		expect([messages, writes, members.length]).toEqual([[], ['PATCH 200'], 100]);
		expect(bodies[0].Operations[0].value[0]).toEqual({
			value: 'user-1',
			display: 'person1@example.com',
		});
	});

	test('wso2: people who were just created, too', async () => {
		const { messages, writes } = await play(
			'wso2',
			'access',
			'assign',
			{
				...{ people: emailsOf(4, 5), createMissing: true, accessBy: 'group' },
				groups: { group: [{ group: 'G' }] },
			},
			{},
		);
		expect(messages).toStrictEqual([]);
		expect(writes).toEqual(['POST 201', 'POST 201', 'PATCH 200']);
	});

	test('infisical: a PUT has the ID, and a display of everybody, as the group or the user shows it', async () => {
		const groups = [{ id: 'g', displayName: 'G', members: ['user-1', 'user-2'] }];
		const { messages, writes, bodies, members } = await set(
			'infisical',
			[1, 3],
			{ replaceWith: 'wholeList' },
			{ groups },
		);
		expect([messages, writes, members]).toEqual([[], ['PUT 200'], ['user-1', 'user-3']]);
		expect(bodies[0]).toMatchObject({
			id: 'g',
			members: [
				{ value: 'user-1', display: 'person1@example.com' },
				{ value: 'user-3', display: 'person3@example.com' },
			],
		});
	});

	test('keycloak: a PUT of a user has the ID', async () => {
		const { messages, writes } = await play('keycloak', 'user', 'update', {
			...{ user: byId('user-1'), ...mapped({ displayName: 'New' }) },
			options: { sendAs: 'put', updateWith: 'put' },
		});
		expect([messages, writes.length]).toEqual([[], 1]);
	});
});

describe('a whole list that is refused blames nobody', () => {
	test('keycloak: the difference is sent instead', async () => {
		const asked = { usersShowGroups: 'all', showsMembers: 'all' };
		const { messages, writes, members } = await set(
			'keycloak',
			[1, 3],
			{ replaceWith: 'wholeList' },
			asked,
		);
		expect([messages, members]).toEqual([[], ['user-1', 'user-3']]);
		expect(writes).toEqual(['PUT 400', 'PATCH 200']);
	});

	test('keycloak: not even the only one', async () => {
		const asked = { usersShowGroups: 'all', showsMembers: 'all' };
		const given = [[1, 2, 3], { replaceWith: 'wholeList' }, asked];
		const { messages, writes, members } = await set('keycloak', ...given);
		expect([messages, writes, members.length]).toEqual([[], ['PUT 400', 'PATCH 200'], 3]);
	});

	test.each(['aws', 'sentry'])('%s has no PUT of groups', async (dialect) => {
		const credential = { serviceProfile: DIALECTS[dialect].preset };
		const given = [[1, 2, 3], { replaceWith: 'wholeList' }, { credential }];
		const { messages, writes, members } = await set(dialect, ...given);
		expect([messages, members.length]).toEqual([[], 3]);
		expect(writes.map((one) => one.slice(0, 3)).join(' ')).toMatch(/^(PUT )?PAT$/);
	});
});

describe.each(['zitadel', 'authentik2024'])('%s has no PATCH of groups', (dialect) => {
	const refusal = `PATCH ${DIALECTS[dialect].switches.withoutAnswers ?? 405}`;

	test('who is added gets in by GET, PUT, GET', async () => {
		const { messages, methods, writes, members, json } = await add(dialect, [3]);
		expect([messages, members]).toEqual([[], ['user-1', 'user-2', 'user-3']]);
		expect(writes).toEqual([refusal, 'PUT 200']);
		expect(methods).toMatch(/PATCH GET PUT GET$/);
		expect(json[0].warnings).toEqual([expect.stringContaining('A PUT may overwrite')]);
	});

	test('who is removed goes, and nobody else', async () => {
		const { messages, writes, members } = await remove(dialect, [1]);
		expect([messages, members]).toEqual([[], ['user-2']]);
		expect(writes).toEqual([refusal, 'PUT 200']);
	});

	test('Set Members: one PUT', async () => {
		const { messages, writes, members } = await set(dialect, [1, 3]);
		expect([messages, members]).toEqual([[], ['user-1', 'user-3']]);
		expect(writes).toEqual([refusal, 'PUT 200']);
	});

	test('Group: Update keeps its members', async () => {
		const { messages, methods, members, about } = await play(dialect, 'group', 'update', {
			...{ ...inGroup('g'), updateFields: { displayName: 'New' } },
		});
		expect([messages, methods]).toEqual([[], 'PATCH GET PUT GET']);
		expect([members, about.displayName]).toEqual([['user-1', 'user-2'], 'New']);
	});

	test('it is learned once: three groups take one refusal', async () => {
		const groups = ['g', 'h', 'i'].map((id) => ({ id, displayName: id, members: ['user-1'] }));
		const { messages, writes } = await play(
			dialect,
			'group',
			'addMembers',
			{
				chooseGroupBy: 'group',
				group: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				people: emailsOf(3),
			},
			{ groups, items: groups.map(({ id }) => ({ id })), credential: ONE_AT_A_TIME },
		);
		expect([messages, writes]).toEqual([[], [refusal, 'PUT 200', 'PUT 200', 'PUT 200']]);
	});

	test.each([
		['shows nobody', []],
		['shows 50, and may have more', people(50)],
		['shows 100, and may have more', people(100)],
	])('a group that %s is not sent: a PUT would remove who is hidden', async (_, those) => {
		const users = people(101);
		const groups = [{ id: 'g', displayName: 'G', members: those.map(({ id }) => id) }];
		const { messages, writes, members } = await add(dialect, [101], {
			...{ users, groups, showsMembers: 'whenAny' },
			...{ ignoresCount: false, pageCap: Infinity, overlap: 0 },
		});
		expect(messages).toEqual([expect.stringContaining('The service has no PATCH of groups')]);
		expect([writes, members.length]).toEqual([[refusal], those.length]);
	});

	test('an empty one is, where the credential says that groups show their members', async () => {
		const credential = { overrideProfile: true, groupsShowMembers: 'yes' };
		const groups = [{ id: 'g', displayName: 'G' }];
		const { messages, members } = await add(dialect, [3], { groups, credential });
		expect([messages, members]).toEqual([[], ['user-3']]);
	});

	test('who joins between the look and the PUT stays where there are ETags', async () => {
		let isOver = false;
		const onWrite = ({ method }, service) => {
			if (method !== 'PUT' || isOver) return;
			isOver = true;
			service.modify('g', [{ op: 'add', ids: ['user-2'] }]);
		};
		const groups = [{ id: 'g', displayName: 'G', members: ['user-1'] }];
		const { messages, members, writes } = await add(dialect, [3], {
			...{ groups, etags: 'strong', onWrite },
		});
		expect([messages, members]).toEqual([[], ['user-1', 'user-2', 'user-3']]);
		expect(writes).toEqual([refusal, 'PUT 412', 'PUT 200']);
	});
});

describe('authentik2024 has no PATCH of users either', () => {
	test.each([
		['deactivate', {}, { active: false }],
		['update', mapped({ 'name.givenName': 'Zoe' }), { name: { givenName: 'Zoe' } }],
	])('%s: GET and PUT of the whole user', async (operation, more, after) => {
		const { messages, writes, user } = await play('authentik2024', 'user', operation, {
			...{ user: byId('user-1'), ...more },
		});
		expect([messages, writes]).toEqual([[], ['PATCH 405', 'PUT 200']]);
		const { active, attributes } = user('user-1');
		expect({ active, ...attributes }).toMatchObject({ emails: NAMED[0].emails, ...after });
		expect(attributes.name.familyName).toBe('Silva');
	});

	test('a value is given and another taken', async () => {
		const roles = [{ value: 'reader' }, { value: 'editor' }];
		const users = [{ ...NAMED[0], roles }];
		const value = [
			{ action: 'remove', attribute: 'roles', value: 'editor' },
			{ action: 'add', attribute: 'roles', value: 'owner' },
		];
		const { messages, writes, user } = await play(
			'authentik2024',
			'user',
			'update',
			{ user: byId('user-1'), accessValues: { value } },
			{ users },
		);
		expect(messages).toStrictEqual([]);
		expect(user('user-1').attributes).toMatchObject({
			...{ name: NAMED[0].name, roles: [{ value: 'reader' }, { value: 'owner' }] },
		});
		expect(writes.at(-1)).toBe('PUT 200');
	});

	test('three people take one refusal', async () => {
		const { messages, writes } = await play(
			'authentik2024',
			'user',
			'deactivate',
			{ user: byId('={{ $json.id }}') },
			{ items: NAMED.map(({ id }) => ({ id })), credential: ONE_AT_A_TIME },
		);
		expect([messages, writes]).toEqual([[], ['PATCH 405', 'PUT 200', 'PUT 200', 'PUT 200']]);
	});
});

describe('`active` without a path', () => {
	test('django-scim2: it is tried after the refusal, and kept for the run', async () => {
		const { messages, writes, bodies, user } = await play(
			'djangoScim2',
			'user',
			'deactivate',
			{ user: byId('={{ $json.id }}') },
			{ items: NAMED.map(({ id }) => ({ id })), credential: ONE_AT_A_TIME },
		);
		expect(messages).toStrictEqual([]);
		expect(writes).toEqual(['PATCH 501', 'PATCH 200', 'PATCH 200', 'PATCH 200']);
		expect(bodies[1].Operations).toEqual([{ op: 'replace', value: { active: false } }]);
		expect(NAMED.map(({ id }) => user(id).active)).toEqual([false, false, false]);
	});

	/** A service that takes `active` by path, and does nothing. */
	const deaf = {
		onWrite({ body }) {
			for (const operation of body?.Operations ?? [])
				if (operation.path === 'active') operation.path = 'elsewhere';
		},
	};

	test('it is tried where the change was taken and is not seen: by one, then by all', async () => {
		const { messages, writes, user } = await play(
			'generic',
			'user',
			'deactivate',
			{ user: byId('={{ $json.id }}') },
			{ ...deaf, items: NAMED.map(({ id }) => ({ id })) },
		);
		expect([messages, writes.length]).toEqual([[], 6]);
		expect(NAMED.map(({ id }) => user(id).active)).toEqual([false, false, false]);
	});

	test('it is tried once where it does not help', async () => {
		const users = people(5);
		const onWrite = ({ body }) => {
			for (const operation of body?.Operations ?? [])
				Object.assign(operation, { path: 'elsewhere', value: 'x' });
		};
		const { messages, writes } = await play(
			'generic',
			'user',
			'deactivate',
			{ user: byId('={{ $json.id }}') },
			{ users, onWrite, items: users.map(({ id }) => ({ id })) },
		);
		expect(messages).toEqual(Array(5).fill(expect.stringContaining('Could not confirm')));
		expect(writes).toEqual(Array(6).fill('PATCH 200'));
	});

	test('a refusal of something else is sent once more, and not for everybody', async () => {
		const users = people(5);
		const { messages, writes } = await play(
			'generic',
			'user',
			'deactivate',
			{ user: byId('={{ $json.id }}') },
			{
				...{ users, patchTakes: ['title'], items: users.map(({ id }) => ({ id })) },
				credential: ONE_AT_A_TIME,
			},
		);
		expect(messages).toEqual(Array(5).fill(expect.stringContaining('PATCH takes title alone')));
		expect(writes).toEqual(Array(6).fill('PATCH 400'));
	});
});

test('pranems: a name goes as a whole, with the parts that were read', async () => {
	const { messages, writes, bodies, user } = await play('pranems', 'user', 'update', {
		...{ user: byId('user-1'), ...mapped({ 'name.givenName': 'Zoe' }) },
	});
	expect([messages, writes]).toEqual([[], ['PATCH 200', 'PATCH 200']]);
	const name = { ...NAMED[0].name, givenName: 'Zoe' };
	expect(bodies[1].Operations).toEqual([{ op: 'replace', path: 'name', value: name }]);
	expect(user('user-1').attributes.name).toEqual(name);
});

describe('a removal has no other form of PATCH', () => {
	test.each(['stopWorkflow', 'continueErrorOutput'])(
		'django-scim2: the error names Member Removal (%s)',
		async (onError) => {
			const { error, messages, members } = await remove('djangoScim2', [1], { onError });
			const [said = error?.message] = messages;
			expect(said).toContain('see Member Removal in the credential');
			expect(members).toEqual(['user-1', 'user-2']);
		},
	);

	test('where a PATCH was taken before, or the answer names the path, nothing else is sent', async () => {
		const { messages, writes, members } = await set('djangoScim2', [1, 3]);
		expect(messages.join()).toContain('see Member Removal in the credential');
		expect(writes).toEqual(['PATCH 501', 'PATCH 200', 'PATCH 501']);
		expect(members).toEqual(['user-1', 'user-2', 'user-3']);
	});
});

describe('people who are refused', () => {
	const users = people(100);
	const numbers = users.map((_, at) => at + 1);
	/** A service that refuses each request that adds one of these. */
	const refusing = (isBad) => ({
		membersNeedDisplay: {},
		onWrite({ body, method }) {
			const entries = (body?.Operations ?? []).flatMap(({ value }) => value ?? []);
			if (method !== 'PATCH' || !entries.some(({ value }) => isBad(value))) return;
			for (const operation of body.Operations) operation.value = [{ value: 'nobody' }];
		},
		unknownMembers: 'refused',
	});
	const addAll = async (isBad, groups = [{ id: 'g' }]) =>
		await add('generic', numbers, { users, groups, ...refusing(isBad) });

	test('one bad entry of 100: 2 + 2 log2(n) requests, and nobody else is blamed', async () => {
		const { messages, writes, members } = await addAll((id) => id === 'user-38');
		expect(members).toHaveLength(99);
		expect(messages).toEqual([expect.stringContaining('does not accept person38@example.com')]);
		expect(writes.length).toBeLessThanOrEqual(2 + 2 * Math.ceil(Math.log2(100)));
	});

	test('everybody: nobody is blamed who was not sent alone, and it takes no request for each', async () => {
		const { messages, writes, requests, members } = await addAll(() => true);
		expect(members ?? []).toStrictEqual([]);
		expect(messages).toHaveLength(100);
		const alone = messages.filter((message) => message.includes('does not accept'));
		expect(alone).toHaveLength(16);
		expect(messages.filter((message) => message.startsWith('It was not sent'))).toHaveLength(84);
		expect(messages.join()).not.toContain('email domain');
		expect(writes).toHaveLength(23);
		expect(requests.length).toBeLessThan(70);
	});

	test('100 people and three groups, all refused: no request for each', async () => {
		const groups = ['g', 'h', 'i'].map((id) => ({ id, displayName: id }));
		const { messages, writes, requests } = await play(
			'generic',
			'access',
			'assign',
			{
				...{ people: emailsOf(...numbers), createMissing: false, accessBy: 'group' },
				groups: { group: groups.map(({ id }) => ({ group: id })) },
			},
			{ users, groups, ...refusing(() => true) },
		);
		expect(messages.length).toBeGreaterThan(0);
		expect(writes).toHaveLength(69);
		expect(requests.length).toBeLessThan(150);
	});

	test('two thirds: those who can get in do', async () => {
		const { messages, members } = await addAll((id) => Number(id.slice(5)) <= 66);
		expect(members).toHaveLength(34);
		expect(messages).toHaveLength(66);
	});
});
