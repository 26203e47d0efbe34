'use strict';

require('../support/noWaiting');
const {
	ID,
	email,
	errorsIn,
	idOf,
	listed,
	locator,
	membersIn,
	play,
	rows,
	sealed,
	serviceWith,
} = require('../support/modelGroupsPlay');

// Where deactivating removes the account (Weights & Biases, Sentry), or deleting cannot be undone (GitHub), nobody is
// deactivated or deleted unless that is allowed: nothing is asked of the service before.

const FINAL = {
	serviceProfile: 'generic',
	overrideProfile: true,
	deactivation: 'removes',
	deletionIsFinal: 'yes',
};
const ANA = { user: locator('id', idOf('ana')) };
const NEW_USER = { userName: email('ana'), additionalFields: { active: false } };

const ENDINGS = {
	'User: Deactivate': ['deactivate', ANA, 'user'],
	'User: Delete': ['delete', ANA, 'user'],
	'User: Update': ['update', { ...ANA, updateFields: { active: false } }, 'user'],
	'User: Create or Update': ['upsert', NEW_USER, 'user'],
	Offboard: ['offboard', { people: email('ana') }],
	'Offboard, deleting': ['offboard', { people: email('ana'), method: 'delete' }],
	'Change Email': [
		'changeEmail',
		{ ...ANA, newEmail: email('ana.neu') },
		'access',
		{ userNameCanChange: 'no' },
	],
	Reconcile: [
		'reconcile',
		{
			preview: false,
			wantedFrom: 'json',
			wantedJson: [
				{ email: email('ben'), group: 'VPN' },
				{ email: email('cleo'), group: 'Engineering' },
			],
			scopeGroups: rows('VPN', 'Engineering'),
			options: { deactivatesEmpty: true, ignoreGroups: rows('Everyone') },
		},
	],
};

const cases = Object.entries(ENDINGS).map(([name, [operation, parameters, resource, more]]) => {
	const run = async (service, options, others) => {
		const all = { ...parameters, ...others, options: { ...parameters.options, ...options } };
		const credential = { ...FINAL, ...more };
		return await play(service, operation, all, [{}], { resource, credential });
	};
	return { name, operation, run };
});
const allowed = { allowPermanentRemoval: true };

describe.each(cases)('$name', ({ run }) => {
	test('is refused before its first request', async () => {
		const service = serviceWith();
		const items = await run(service);
		expect(errorsIn(items).join()).toContain('Allow Permanent Removal');
		expect(service.requests).toStrictEqual([]);
	});

	test('is done where it is allowed', async () => {
		const service = serviceWith();
		expect(errorsIn(await run(service, allowed))).toStrictEqual([]);
		expect(service.users.get(idOf('ana'))?.active).not.toBe(true);
	});

	test('is blocked in Preview', async () => {
		const [plan] = await run(serviceWith(), {}, { preview: true, preview: true });
		expect(plan.blockedBy.join()).toContain('Allow Permanent Removal');
	});
});

const planned = cases.filter(({ operation }) =>
	['offboard', 'changeEmail', 'reconcile'].includes(operation),
);

describe.each(planned)('$name', ({ run }) => {
	test('is allowed by a plan that was made so, and by no other', async () => {
		const service = serviceWith();
		const [{ plan }] = await run(service, allowed, { preview: true, preview: true });
		service.requests.length = 0;
		const credential = { ...FINAL, ...ENDINGS['Change Email'][3] };
		const apply = async (changed, options) =>
			await play(service, 'applyPlan', { ...changed, options }, [{}], { credential });

		const own = { allowPermanentRemoval: false };
		expect(errorsIn(await apply({ plan }, own)).join()).toContain('Allow Permanent Removal');
		const edited = { ...plan, guards: { ...plan.guards, allowPermanentRemoval: false } };
		const strict = sealed(edited);
		expect(errorsIn(await apply({ plan: strict })).join()).toContain('Allow Permanent Removal');
		expect(service.requests).toStrictEqual([]);
		expect(errorsIn(await apply({ plan }))).toStrictEqual([]);
		expect(service.users.get(idOf('ana'))?.active).not.toBe(true);
	});
});

test.each([
	['Generic SCIM 2.0, of which nothing is known', {}, false],
	['the same where the credential says No', { overrideProfile: true, deletionIsFinal: 'no' }, true],
	['GitHub', { serviceProfile: 'github' }, false],
	['AWS IAM Identity Center', { serviceProfile: 'awsIdentityCenter' }, true],
])('a delete needs no permission: %s, %s, %s', async (_, more, isFree) => {
	const service = serviceWith();
	const credential = { serviceProfile: 'generic', ...more };
	const options = { resource: 'user', credential };
	const items = await play(service, 'delete', ANA, [{}], options);
	expect(errorsIn(items).join().includes('Allow Permanent Removal')).toBe(!isFree);
	expect(service.users.has(idOf('ana'))).toBe(!isFree);
});

test('an update that deactivates nobody is no removal', async () => {
	const service = serviceWith();
	const fields = { ...ANA, updateFields: { active: true } };
	const options = { resource: 'user', credential: FINAL };
	expect(errorsIn(await play(service, 'update', fields, [{}], options))).toStrictEqual([]);
});

describe('Accept Unverified', () => {
	const add = async (service, options) => {
		const members = { chooseGroupBy: 'group', group: locator('id', ID.vpn), people: email('dan') };
		return await play(service, 'addMembers', { ...members, options }, [{}], { resource: 'group' });
	};

	test('what the service never shows goes to the success output, as unverified', async () => {
		const hidden = { membersShownOn: 'nowhere' };
		expect(errorsIn(await add(serviceWith(hidden)))).toHaveLength(1);
		const [item] = await add(serviceWith(hidden), { acceptUnverified: true });
		expect(item).toMatchObject({ status: 'unverified', userName: email('dan') });
		expect(item).not.toHaveProperty('error');
	});

	test('what the service shows otherwise is an error still', async () => {
		const service = serviceWith({ neverAdds: [idOf('dan')] });
		const [item] = await add(service, { acceptUnverified: true });
		expect(item).toMatchObject({ status: 'unverified' });
		expect(errorsIn([item])).toHaveLength(1);
		expect(membersIn(service).vpn).not.toContain('dan');
	});

	test('an answer that was lost is an error still', async () => {
		const faults = [{ method: 'PATCH', kind: 'reset-after' }];
		const service = serviceWith({ membersShownOn: 'nowhere', faults });
		expect(errorsIn(await add(service, { acceptUnverified: true }))).toHaveLength(1);
	});

	test('a proof of Offboard that the service cannot give is one of them', async () => {
		const leave = async (options) => {
			const service = serviceWith({ membersShownOn: 'nowhere' });
			return await play(service, 'offboard', { people: email('dan'), options });
		};
		expect(errorsIn(await leave())).toHaveLength(1);
		expect(errorsIn(await leave({ acceptUnverified: true }))).toStrictEqual([]);
	});
});
