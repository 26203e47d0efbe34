'use strict';

require('../support/noWaiting');
const { requestsOf, withService } = require('../support/service');

// Create and Create or Update of a protected person who is there: what is so already stays so, and nothing else is changed.

const ANA = 'ana@example.com';
const seed = {
	account: 'org-acct',
	organizations: [{ id: 'org-acct', name: 'Account' }],
	users: [{ userName: ANA }],
};
const options = { protectedUsers: ANA };
const writesOf = (service) => requestsOf(service).filter((line) => !line.startsWith('GET'));

test.each([
	['upsert', {}, 'unchanged'],
	['create', { ifUserExists: 'return' }, 'unchanged'],
])('%s of what is so already', async (operation, more, status) => {
	await withService({ seed }, async (service, scim) => {
		const { json } = await scim('user', operation, {
			userName: ANA,
			options: { ...options, ...more },
		});
		expect(json).toMatchObject([{ userName: ANA, status, change: 'none' }]);
	});
});

test('what would change is refused', async () => {
	await withService({ seed }, async (service, scim) => {
		const { error } = await scim('user', 'upsert', {
			userName: ANA,
			additionalFields: { active: false },
			options,
		});
		expect(error.message).toContain('protected');
		expect(writesOf(service)).toStrictEqual([]);
	});
});
