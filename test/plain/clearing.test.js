'use strict';

require('../support/noWaiting');
const { email, idOf, locator, person, play, serviceWith } = require('../support/modelGroupsPlay');

// What User: Update, and Create or Update, clear by a path in Other Attributes: it is sent as PATCH remove (RFC 7644
// section 3.5.2.2) and seen gone, or refused. Nothing that is still there is called unchanged.

const BADGE = 'urn:example:params:2.0:Badge';
const WORK = { value: email('ana'), type: 'work', primary: true };
const HOME = { value: 'ana@home.test', type: 'Home' };
const ANA = person('ana', [], {
	emails: [WORK, HOME],
	name: { givenName: 'Ana', familyName: 'Silva' },
	[BADGE]: { level: 'L1', color: 'C1' },
});
const start = (switches) => serviceWith({ people: [ANA], ...switches });
const attributesOf = (service) => service.users.get(idOf('ana')).attributes;
const operationsIn = (service) =>
	service.requests.flatMap(({ method, body }) =>
		method === 'PATCH' ? JSON.parse(body).Operations : [],
	);

const OPERATIONS = {
	update: (attributesJson) => ({
		user: locator('id', idOf('ana')),
		updateFields: { attributesJson },
	}),
	upsert: (attributesJson) => ({ userName: email('ana'), additionalFields: { attributesJson } }),
};
async function run(service, operation, attributes, options = {}) {
	const parameters = { ...OPERATIONS[operation](JSON.stringify(attributes)), options };
	const [item] = await play(service, operation, parameters, [{}], { resource: 'user' });
	return item;
}

describe.each(Object.keys(OPERATIONS))('%s', (operation) => {
	test.each([
		['emails[type eq "work"]', { emails: [HOME] }],
		['emails[type eq "home"]', { emails: [WORK] }],
		['emails[primary eq true]', { emails: [HOME] }],
		['emails[type eq "work"].primary', { emails: [{ ...WORK, primary: undefined }, HOME] }],
		['name.givenName', { name: { familyName: 'Silva' } }],
		[`${BADGE}:level`, { [BADGE]: { color: 'C1' } }],
	])('%s', async (path, after) => {
		const service = start();
		const item = await run(service, operation, { [path]: null });
		expect(item).toMatchObject({ status: 'done', reason: null });
		expect(operationsIn(service)).toEqual([{ op: 'remove', path }]);
		expect(JSON.parse(JSON.stringify(attributesOf(service)))).toMatchObject(
			JSON.parse(JSON.stringify(after)),
		);
		const again = service.again();
		expect(await run(again, operation, { [path]: null })).toMatchObject({ status: 'unchanged' });
		expect(again.written()).toStrictEqual([]);
	});

	test('an extension as a whole: by its attributes, since no path leads to it', async () => {
		const service = start();
		expect(await run(service, operation, { [BADGE]: null })).toMatchObject({ status: 'done' });
		expect(operationsIn(service)).toEqual([
			{ op: 'remove', path: `${BADGE}:level` },
			{ op: 'remove', path: `${BADGE}:color` },
		]);
		expect(attributesOf(service)[BADGE]).toEqual({});
	});

	test('what is not there is unchanged', async () => {
		const service = start();
		for (const path of ['emails[type eq "other"]', 'nickName', 'name.middleName', `${BADGE}:x`]) {
			expect(await run(service, operation, { [path]: null })).toMatchObject({
				status: 'unchanged',
			});
		}
		expect(service.written()).toStrictEqual([]);
	});

	test.each([
		'emails[type ne "work"]',
		'emails[type eq "a" or type eq "b"]',
		'emails[type eq "\\q"]',
	])('%s cannot be seen gone: an error, and nothing is sent', async (path) => {
		const service = start();
		expect(await run(service, operation, { [path]: null, title: 'Boss' })).toMatchObject({
			status: 'failed',
			reason: expect.stringContaining(`${path} cannot be cleared`),
		});
		expect(service.written()).toStrictEqual([]);
	});

	test('a removal that a service passes over is no success', async () => {
		const service = start({ skipsRemove: true });
		const item = await run(service, operation, { 'emails[type eq "work"]': null });
		expect(item.status).toBe('unverified');
	});
});

test('a value by a filter that is so already is not sent', async () => {
	const service = start();
	const wanted = { 'emails[type eq "work"].value': email('ANA') };
	expect(await run(service, 'update', wanted)).toMatchObject({ status: 'unchanged' });
	expect(service.written()).toStrictEqual([]);
});

test('a whole user has no paths with a filter: an error, and nothing is sent', async () => {
	for (const value of [null, 'x@example.com']) {
		const service = start();
		const wanted = { 'emails[type eq "work"].value': value };
		const { status, reason } = await run(service, 'update', wanted, { updateWith: 'put' });
		expect(status).toBe('failed');
		expect(reason).toContain('chooses among values');
		expect(service.written()).toStrictEqual([]);
	}
});
