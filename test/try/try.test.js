'use strict';

const { execFile } = require('node:child_process');
const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node');
const { fieldsOf, parametersOf } = require('./fields');

/** @returns `[exit code, what was printed]`; what does not end by itself fails */
const tried = (...args) =>
	new Promise((resolve) => {
		const whole = [require.resolve('./run'), ...args];
		execFile(process.execPath, whole, { timeout: 15_000 }, (error, out, problems) =>
			resolve([error?.code ?? 0, out + problems]),
		);
	});

test('one operation, with its requests, items and members', async () => {
	const [code, out] = await tried(
		...['--dialect', 'aws', '--switch', 'deactivationDrops=true'],
		...['assign', 'people=ana@example.com,eve@example.com', 'groups=VPN,Sales'],
		...['reactivate=true', 'protectedUsers=ben@example.com'],
	);
	expect(out).toMatch(/^ {2}PATCH \/TENANT\/scim\/v2\/Groups\/g-2 204 .*"id-ana"/m);
	expect(out).toContain('"status": "done"');
	expect(out).toContain(
		'  VPN: ben@example.com -> ana@example.com, ben@example.com, eve@example.com\n' +
			'  Sales: nobody -> ana@example.com, eve@example.com\n',
	);
	expect(out).toContain('Changes of people\n  id-eve active: false -> true\n');
	expect(code).toBe(0);
});

test('a preview changes nothing, and its plan can be applied', async () => {
	const given = ['setMembers', '--preview', 'group=id:g-2', 'people=ana@example.com'];
	const [code, out] = await tried(...given);
	expect(out).not.toMatch(/^ {2}(PATCH|PUT|POST|DELETE) /m);
	expect(out).toContain('  VPN: ben@example.com\n');
	expect(code).toBe(0);
	const [{ plan }] = JSON.parse(/\nItems\n([^]*)\n\nMembers\n/.exec(out)[1]);
	const [, applied] = await tried('applyPlan', 'changes=all', `plan=${JSON.stringify(plan)}`);
	expect(applied).toContain('  VPN: ben@example.com -> ana@example.com\n');
});

test('pauses pass at once', async () => {
	const [code, out] = await tried(
		'--dialect',
		'miro',
		'group',
		'getAll',
		'--items',
		'[1,1,1,1,1,1]',
	);
	expect(out).toMatch(/ 429 /);
	expect(out).toMatch(/with pauses of [1-9]\d* s/);
	expect(code).toBe(0);
});

test('help lists the operations', async () => {
	expect(await tried()).toEqual([0, expect.stringContaining('  access: applyPlan, assign')]);
});

test('a failure is the exit code', async () => {
	const given = ['--dialect', 'account', 'offboard', 'people=zoe@example.com'];
	expect(await tried(...given)).toEqual([1, expect.stringContaining('"status": "failed"')]);
});

test('a mistake is the exit code', async () => {
	const [code, out] = await tried('create', 'userName=zoe@example.com');
	expect([code, out]).toEqual([2, 'Which operation is create? user create or group create\n']);
});

const fields = fieldsOf(new ScimProvisioning().description, 'access', 'assign');

test.each([
	[['groups', 'VPN'], { accessBy: 'group', groups: { group: [{ group: 'VPN' }] } }],
	[['roles', '{"role":[]}'], { accessBy: 'organizationAndRole', roles: { role: [] } }],
	[['maxWait', '1'], { requests: { maxWait: 1 } }],
	[
		['managedGroups', 'A, B'],
		{ options: { managedGroups: { group: [{ group: 'A' }, { group: 'B' }] } } },
	],
	[
		['newUserFields', '{"givenName":"A"}'],
		{ newUserFields: { givenName: 'A' }, createMissing: true },
	],
])('%j', (given, parameters) => {
	expect(parametersOf(fields, [given])).toEqual(parameters);
});

test('what is given stays, whatever else is shown for', () => {
	const given = [
		['groups', 'VPN'],
		['accessBy', 'organizationAndRole'],
	];
	expect(parametersOf(fields, given)).toMatchObject({ accessBy: 'organizationAndRole' });
});

test.each([
	[['peple', 'ana'], 'There is no field peple, but: people, accessBy'],
	[['options', 'x'], 'options has to be JSON, and this is none: x'],
])('%j', (given, message) => {
	expect(() => parametersOf(fields, [given])).toThrow(message);
});
