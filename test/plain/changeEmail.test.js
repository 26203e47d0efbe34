'use strict';

require('../support/noWaiting');
const {
	email,
	errorsIn,
	idOf,
	locator,
	membersIn,
	play,
	serviceWith,
} = require('../support/modelGroupsPlay');

const NEW = 'ana.silva@example.com';
const changeEmail = async (service, user, newEmail = NEW, options = {}) =>
	await play(service, 'changeEmail', { user, newEmail, options });
const byEmail = (name) => locator('email', email(name));
const byId = (name) => locator('id', idOf(name));

describe.each([
	['email', byEmail],
	['ID', byId],
])('where user names can change, by %s', (_by, pick) => {
	test('one PATCH changes the user name and the entry of the old email', async () => {
		const service = serviceWith();
		const before = membersIn(service);
		const items = await changeEmail(service, pick('ana'));
		expect(errorsIn(items)).toStrictEqual([]);
		expect(items.every(({ status }) => status === 'done')).toBe(true);
		expect(service.written()).toEqual([`PATCH /Users/${idOf('ana')}`]);
		expect(service.users.get(idOf('ana'))).toMatchObject({
			userName: NEW,
			active: true,
			attributes: { emails: [{ value: NEW, type: 'work', primary: true }] },
		});
		expect(Object.values(membersIn(service)).flat()).toHaveLength(
			Object.values(before).flat().length,
		);
	});
});

test('what is not seen afterwards is unverified, and no new account is made', async () => {
	const service = serviceWith({ lagReads: 50 });
	const items = await changeEmail(service, byId('ana'));
	expect(items.map(({ status }) => status)).toEqual(['unverified']);
	expect(service.written().filter((line) => line.startsWith('POST'))).toStrictEqual([]);
});

test('where the change is refused nothing else is tried', async () => {
	const service = serviceWith({ userNames: 'refused' });
	const before = service.users.size;
	expect(errorsIn(await changeEmail(service, byId('ana')))).toHaveLength(1);
	expect(service.users.size).toBe(before);
	expect(service.users.get(idOf('ana')).userName).toBe(email('ana'));
});

test('a new name that somebody else has is no change of anybody', async () => {
	const service = serviceWith();
	const items = await changeEmail(service, byEmail('ana'), email('ben'));
	expect(errorsIn(items)).toHaveLength(1);
	expect(service.written()).toStrictEqual([]);
});

test('old email unknown and new one known: the ID is asked for', async () => {
	const service = serviceWith();
	const [error] = errorsIn(
		await changeEmail(service, locator('email', email('gone')), email('ben')),
	);
	expect(error).toMatch(/\bID\b/);
	expect(service.written()).toStrictEqual([]);
});

test('named by ID, and this ID has the new user name: unchanged', async () => {
	const service = serviceWith();
	const items = await changeEmail(service, byId('ana'), email('ana'));
	expect(items).toMatchObject([{ change: 'none', status: 'unchanged', userId: idOf('ana') }]);
	expect(service.written()).toStrictEqual([]);
});

test('a second run by ID sends nothing', async () => {
	const service = serviceWith();
	await changeEmail(service, byId('ana'));
	const again = service.again();
	expect(await changeEmail(again, byId('ana'))).toMatchObject([{ status: 'unchanged' }]);
	expect(again.written()).toStrictEqual([]);
});
