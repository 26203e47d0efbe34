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
		expect(service.written()).toEqual([]);
	});
});
