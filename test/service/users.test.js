'use strict';

const { byEmail } = require('../support/node');
const { rolesOf, withService } = require('../support/service');

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** One organization whose only admin is the boss. */
const SEED = {
	organizations: [
		{ id: 'org-acct1', name: 'Account' },
		{ id: 'org-a', name: 'A' },
	],
	users: ['boss@example.com', 'ana@example.com'].map((userName) => ({ userName })),
	memberships: [{ userName: 'boss@example.com', organization: 'org-a', role: 'admin' }],
};

const userOf = (service, userName) =>
	service.state.table().people.find((person) => person.userName === userName);

const writes = (service) => service.log.requests.filter(({ method }) => method !== 'GET');

describe('an attribute is the same with and without the URN of its schema, in any case', () => {
	const other = (attributes) => ({ attributesJson: JSON.stringify(attributes) });

	test.each([
		'active',
		'Active',
		'ACTIVE',
		' active ',
		`${CORE}:active`,
		`${CORE}:ACTIVE`,
		`${CORE.toUpperCase()}:Active`,
	])('Update and Create or Update: %s is guarded', async (name) => {
		await withService({ seed: SEED }, async (service, scim) => {
			const off = other({ [name]: false });
			const boss = byEmail('boss@example.com');
			const updated = await scim('user', 'update', { user: boss, updateFields: off });
			expect(updated.error.message).toContain('without an active admin');
			const upserted = await scim('user', 'upsert', {
				userName: 'boss@example.com',
				additionalFields: off,
			});
			expect(upserted.error.message).toContain('without an active admin');
			expect(writes(service)).toEqual([]);
			expect(rolesOf(service, 'boss@example.com')).toEqual({ 'org-a': 'admin' });
		});
	});

	test('it is set by its URN where no guard forbids it', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { json } = await scim('user', 'update', {
				user: byEmail('ana@example.com'),
				updateFields: other({ [`${CORE}:active`]: false }),
			});
			expect(json[0].outcome.status).toBe('done');
			expect(userOf(service, 'ana@example.com').active).toBe(false);
		});
	});

	test.each([
		`${CORE}:groups`,
		`${CORE.toUpperCase()}:GROUPS`,
		'groups[type eq "direct"]',
		'groups.value',
		`${CORE}:id`,
		`${CORE}:meta`,
		`${CORE}:schemas`,
		'active[value eq "x"]',
		'active.value',
		CORE,
	])('%s is never sent, and that is said', async (name) => {
		await withService({ seed: SEED }, async (service, scim) => {
			for (const [operation, parameters] of [
				['update', { user: byEmail('boss@example.com'), updateFields: {} }],
				['upsert', { userName: 'boss@example.com', additionalFields: {} }],
				['create', { userName: 'new@example.com', additionalFields: {} }],
			]) {
				const fields = parameters.updateFields ?? parameters.additionalFields;
				Object.assign(fields, other({ [name]: [], externalId: 'HR-1' }));
				const { json } = await scim('user', operation, parameters);
				expect(json[0].outcome.warnings).toContain(`Left out of Other Attributes: ${name}.`);
			}
			expect(writes(service).length).toBeGreaterThan(0);
			for (const { body } of writes(service)) expect(JSON.stringify(body)).not.toContain('[]');
			expect(rolesOf(service, 'boss@example.com')).toEqual({ 'org-a': 'admin' });
		});
	});

	test('a user name by its URN is refused like the user name', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { error } = await scim('user', 'update', {
				user: byEmail('ana@example.com'),
				updateFields: other({ [`${CORE}:userName`]: 'other@example.com' }),
			});
			expect(error.message).toContain('cannot be changed to other@example.com');
			expect(writes(service)).toEqual([]);
		});
	});

	test('a password by its URN is masked', async () => {
		await withService({ seed: SEED }, async (service, scim) => {
			const { json } = await scim('user', 'create', {
				userName: 'new@example.com',
				additionalFields: other({ [`${CORE}:Password`]: 'hunter2-secret' }),
				preview: true,
			});
			expect(json[0].steps[0].request.body).toMatchObject({ password: '***' });
			expect(JSON.stringify(json)).not.toContain('hunter2');
		});
	});
});
