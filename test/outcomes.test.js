'use strict';

// What a run may never end with, seen from outside: judged by what the service holds afterwards, and by the items.
// Another client of the service acts at a named request (support/secondWriter).
// `test.failing` is what is not so yet; the comment names the rule, and the part of the core that brings it.

require('./support/noWaiting');
const {
	ID,
	email,
	errorsIn,
	locator,
	membersIn,
	person,
	play,
	rows,
	serviceWith,
} = require('./support/modelGroupsPlay');
const { later, meanwhile } = require('./support/secondWriter');
const { rolesOf, withService } = require('./support/service');

afterEach(() => jest.restoreAllMocks());

// ---- 1 ----
describe('1. Two runs at once: nobody who was removed by the other comes back', () => {
	// row 1
});

// ---- 2 ----
describe('2. 404 by ID is not gone while the service shows the user', () => {
	// row 2
});

// ---- 3 ----
describe('3. A deactivation that removes the account is done', () => {
	// row 3
});

// ---- 4 ----
describe('4. userId names a user in a row, and a bare id means nothing', () => {
	// row 4
});

// ---- 5 ----
describe('5. A row out of scope activates and creates nobody', () => {
	const outOfScope = async (service, ...wanted) =>
		await play(service, 'reconcile', {
			...{ preview: false, wantedFrom: 'json', wantedJson: wanted, unwanted: 'keep' },
			...{ scopeGroups: rows('Engineering'), createMissing: true, options: { reactivate: true } },
		});

	test.each([
		['inactive, in the group already', { email: email('eve'), group: 'VPN' }],
		['inactive', { email: email('finn'), group: 'VPN' }],
		['new', { email: email('gus'), group: 'VPN' }],
	])('somebody %s', async (_, row) => {
		const service = serviceWith();
		const items = await outOfScope(service, row);
		expect(errorsIn(items)).toEqual(['member of group VPN is not in scope']);
		expect(service.written()).toStrictEqual([]);
	});

	test('a row in scope for the same person activates', async () => {
		const service = serviceWith();
		const eve = ['VPN', 'Engineering'].map((group) => ({ email: email('eve'), group }));
		const items = await outOfScope(service, ...eve);
		expect(errorsIn(items)).toEqual(['member of group VPN is not in scope']);
		expect(service.byName(email('eve')).active).toBe(true);
		expect(membersIn(service).eng).toEqual(['ana', 'eve']);
	});
});

// ---- 6 ----
describe('6. Active is never read off a membership', () => {
	/** Everything that gives access, with how it is told to give a group to one person who has others. */
	const GIVING = {
		assign: (who, group) => ({ people: who, ...group }),
		set: (who, group) => ({ people: who, ...group, managedGroups: rows('*') }),
		reconcile: (who, _, row) => ({
			...{ preview: false, wantedFrom: 'json', wantedJson: [{ email: who, ...row }] },
			...{ unwanted: 'keep', scopeGroups: rows('*'), scopeOrganizations: 'org-a, org-b' },
		}),
		addMembers: (who, group) => ({ people: who, ...group }),
		setMembers: (who, group) => ({ people: who, ...group }),
	};
	const resourceOf = (operation) => (operation.endsWith('Members') ? 'group' : 'access');

	describe.each(Object.keys(GIVING))('%s on plain groups', (operation) => {
		const give = async (switches, options = {}) => {
			const service = serviceWith({
				people: [person('eve', ['vpn'], { active: false })],
				...switches,
			});
			const group = { chooseGroupBy: 'group', group: locator('id', ID.eng) };
			const parameters = GIVING[operation](email('eve'), group, { group: ID.eng });
			const resource = resourceOf(operation);
			const items = await play(service, operation, { ...parameters, options }, [{}], { resource });
			return { items, isIn: membersIn(service).eng !== undefined, ...service.byName(email('eve')) };
		};

		test('an inactive person gets nothing', async () => {
			const { items, isIn, active } = await give({});
			expect(errorsIn(items)).toEqual([
				expect.stringContaining('is inactive, and Reactivate is off'),
			]);
			expect([isIn, active]).toEqual([false, false]);
		});

		test('Reactivate lets the person in', async () => {
			const { items, isIn, active } = await give({}, { reactivate: true });
			expect(errorsIn(items)).toStrictEqual([]);
			expect([isIn, active]).toEqual([true, true]);
		});

		test('a service that never shows active stops nothing', async () => {
			const { items, isIn } = await give({ active: 'absent' });
			expect(errorsIn(items)).toStrictEqual([]);
			expect(isIn).toBe(true);
		});
	});

	const EVE = 'eve@example.com';
	const seed = (role, active = false) => ({
		...{ account: 'org-acct', organizations: ['org-acct', 'org-a', 'org-b'] },
		users: [{ userName: EVE, active }],
		memberships: [{ userName: EVE, organization: 'org-a', role }],
	});
	const giveRole = async (scim, operation, organization, role, options = {}) => {
		const place = { organization: locator('id', organization), role };
		const group = { chooseGroupBy: 'organizationAndRole', assignmentsFrom: 'one', ...place };
		const parameters = GIVING[operation](EVE, group, { organization, role });
		const more = { onError: 'continueErrorOutput' };
		return await scim(resourceOf(operation), operation, { ...parameters, options }, more);
	};

	describe.each(Object.keys(GIVING))('%s on an account', (operation) => {
		test.each([
			['org-a', 'admin'],
			['org-b', 'viewer'],
		])('a viewer who is inactive does not get %s %s', async (organization, role) => {
			await withService({ seed: seed('viewer') }, async (service, scim) => {
				const { errorJson } = await giveRole(scim, operation, organization, role);
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
				expect(errorJson).toEqual([
					expect.objectContaining({ error: expect.stringContaining('is inactive') }),
				]);
			});
		});

		test('Reactivate lets the person in', async () => {
			await withService({ seed: seed('viewer') }, async (service, scim) => {
				const { errorJson } = await giveRole(scim, operation, 'org-a', 'member', {
					reactivate: true,
				});
				expect(errorJson ?? []).toStrictEqual([]);
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'member' });
				expect(service.state.userByName(EVE).active).toBe(true);
			});
		});

		test('a lower role is no gain', async () => {
			await withService({ seed: seed('member') }, async (service, scim) => {
				const { errorJson } = await giveRole(scim, operation, 'org-a', 'viewer');
				expect(errorJson ?? []).toStrictEqual([]);
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
			});
		});

		test('an account that cannot be read gets nothing', async () => {
			const faults = [{ method: 'GET', path: /Users.user/, kind: '500-html' }];
			await withService({ seed: seed('viewer', true), faults }, async (service, scim) => {
				const { error, errorJson = [] } = await giveRole(scim, operation, 'org-a', 'admin');
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
				expect([error, ...errorJson].filter(Boolean)).toHaveLength(1);
			});
		});
	});

	test.each([false, true])(
		'Apply Plan, with Reactivate %s, lets nobody back',
		async (reactivate) => {
			await withService({ seed: seed('viewer', true) }, async (service, scim) => {
				const parameters = { ...GIVING.assign(EVE, {}), assignmentsFrom: 'one', preview: true };
				const place = { organization: locator('id', 'org-a'), role: 'admin' };
				const options = { reactivate };
				const planned = await scim('access', 'assign', { ...parameters, ...place, options });
				const { id } = service.state.userByName(EVE);
				service.state.directory.setActive(id, false);
				service.state.directory.setRole(id, 'org-a', 'viewer');
				await scim('access', 'applyPlan', { plan: planned.json[0] });
				expect(rolesOf(service, EVE)).toEqual({ 'org-a': 'viewer' });
				expect(service.state.userByName(EVE).active).toBe(false);
			});
		},
	);
});

// ---- 7 ----
describe('7. A renamed account is not gone', () => {
	// row 7
});

// ---- 8 ----
describe('8. What leaves late, or again, is looked at first: grants and moves too', () => {
	const [ANA, BOB, NEW] = ['ana', 'bob', 'new'].map(email);
	const org = (people) => ({
		...{ account: 'org-acct', organizations: ['org-acct', 'org-a', 'org-b'] },
		users: Object.keys(people).map((userName) => ({ userName })),
		memberships: Object.entries(people).flatMap(([userName, role]) => [
			{ userName, organization: 'org-b', role: 'viewer' },
			...(role === '' ? [] : [{ userName, organization: 'org-a', role }]),
		]),
	});
	const setRole = (userName, role) => (directory) =>
		directory.setRole(directory.byName(userName).id, 'org-a', role);
	const deactivate = (userName) => (directory) =>
		directory.setActive(directory.byName(userName).id, false);
	const inOrgA = (role) => ({ assignmentsFrom: 'one', organization: locator('id', 'org-a'), role });

	/** Another client acts before our grant of a role leaves, which a slow create or a 429 keeps from leaving at once. */
	async function assignLate(how, people, act, role = 'member') {
		const isSlow = how === 'a slow create';
		const faults = isSlow ? [] : [{ method: 'PATCH', nth: 1, kind: '429', retryAfter: 1 }];
		let outcome;
		await withService({ seed: org(people), faults }, async (service, scim) => {
			const request = isSlow ? /^POST .*Users$/ : /^PATCH .*Groups/;
			const writer = meanwhile(service, request, (directory) => {
				if (isSlow) later(6_000);
				act(directory);
			});
			const { errorJson = [] } = await scim(
				...['access', 'assign'],
				{ people: isSlow ? [ANA, NEW] : ANA, ...inOrgA(role) },
				{ onError: 'continueErrorOutput' },
			);
			expect(writer.acted).toBe(true);
			const isIn = rolesOf(service, NEW)?.['org-a'] === role;
			expect(isIn).toBe(isSlow);
			outcome = { role: rolesOf(service, ANA)?.['org-a'], errors: errorsIn(errorJson) };
		});
		return outcome;
	}

	describe.each(['a slow create', 'a 429'])('a role after %s', (how) => {
		test.each([
			['is made admin', 'viewer', setRole(ANA, 'admin'), 'admin', 'is admin in org-a'],
			['loses the role', 'viewer', setRole(ANA, ''), undefined, 'is not viewer in org-a'],
			['is given one', '', setRole(ANA, 'viewer'), 'viewer', 'is viewer in org-a'],
			['is deactivated', '', deactivate(ANA), undefined, 'is inactive'],
			['is offboarded', 'viewer', deactivate(ANA), undefined, 'is not viewer in org-a'],
			['is deleted', '', (directory) => directory.delete(directory.byName(ANA).id), undefined, ANA],
		])('whoever %s meanwhile gets nothing', async (_, before, act, after, said) => {
			const { role, errors } = await assignLate(how, { [BOB]: 'admin', [ANA]: before }, act);
			expect(role).toBe(after);
			expect(errors).toEqual([expect.stringContaining(said)]);
		});

		test('the last admin stays', async () => {
			const people = { [BOB]: 'admin', [ANA]: 'admin' };
			const { role, errors } = await assignLate(how, people, setRole(BOB, ''));
			expect(role).toBe('admin');
			expect(errors).toEqual([expect.stringContaining('left without an active admin')]);
		});

		test('nothing changed: it is given', async () => {
			const { role, errors } = await assignLate(how, { [ANA]: 'viewer' }, () => {});
			expect(errors).toStrictEqual([]);
			expect(role).toBe('member');
		});
	});

	/** So that a 429 is waited for. */
	const requests = { values: { maxWait: 60, verifyTime: 0 } };

	test.each(['assign', 'addMembers'])('%s on plain groups after a 429', async (operation) => {
		const service = serviceWith({ faults: [{ method: 'PATCH', nth: 1, kind: '429' }] });
		meanwhile(service, `PATCH /Groups/${ID.vpn}`, deactivate(email('dan')));
		const group = { assignmentsFrom: 'one', chooseGroupBy: 'group', group: locator('id', ID.vpn) };
		const given = { people: email('dan'), ...group, options: { requests } };
		const more = { resource: operation === 'assign' ? 'access' : 'group' };
		const items = await play(service, operation, given, [{}], more);
		expect(errorsIn(items)).toEqual([expect.stringContaining('is inactive')]);
		expect(membersIn(service).vpn).toEqual(['ben', 'eve']);
	});

	// Waits for "is still so": a whole list looks at who gains as well (one loop that sends, looks and judges).
	test.failing('a whole list after a 429', async () => {
		const service = serviceWith({ faults: [{ method: 'PUT', nth: 1, kind: '429' }] });
		const writer = meanwhile(service, `PUT /Groups/${ID.vpn}`, deactivate(email('dan')));
		const group = { chooseGroupBy: 'group', group: locator('id', ID.vpn) };
		const people = ['ben', 'eve', 'dan'].map(email).join();
		const options = { replaceWith: 'wholeList', requests };
		const more = { resource: 'group' };
		const items = await play(service, 'setMembers', { ...group, people, options }, [{}], more);
		expect([writer.acted, errorsIn(items).length]).toEqual([true, 1]);
		expect(membersIn(service).vpn).toEqual(['ben', 'eve']);
	});
});

// ---- 9 ----
describe('9. Change Email over a pause keeps to what is so by then', () => {
	const OLD = email('old');
	const seed = {
		...{ account: 'org-acct', organizations: ['org-acct', 'org-a', 'org-b'] },
		users: [{ userName: OLD, name: { givenName: 'Ana' } }, { userName: email('boss') }],
		memberships: [
			{ userName: OLD, organization: 'org-a', role: 'admin' },
			{ userName: email('boss'), organization: 'org-a', role: 'admin' },
		],
	};
	/** Another client acts on the old account while the new one is created. */
	async function changeEmail(act) {
		let outcome;
		await withService({ seed }, async (service, scim) => {
			const writer = meanwhile(service, /^POST .*Users$/, (directory) => {
				later(6_000);
				act(directory, directory.byName(OLD).id);
			});
			const { error } = await scim('access', 'changeEmail', {
				...{ user: locator('email', OLD), newEmail: email('new') },
			});
			expect(writer.acted).toBe(true);
			const roles = [OLD, email('new')].map((userName) => rolesOf(service, userName));
			outcome = { roles, error };
		});
		return outcome;
	}

	test('nothing changed: the access moves', async () => {
		const { roles, error } = await changeEmail(() => {});
		expect(error).toBeUndefined();
		expect(roles).toEqual([{}, { 'org-a': 'admin' }]);
	});

	// Waits for "is still so": what a change rests on is looked at again (one loop that sends, looks and judges).
	test.failing('a role given to the old account meanwhile is not lost', async () => {
		const { roles, error } = await changeEmail((directory, id) =>
			directory.setRole(id, 'org-b', 'member'),
		);
		expect(roles.flatMap((held) => held['org-b'] ?? [])).toEqual(['member']);
		expect(error).toBeDefined();
	});

	// Waits for "is still so": what a change rests on is looked at again (one loop that sends, looks and judges).
	test.failing('an admin role taken from the old account is not given to the new one', async () => {
		const { roles, error } = await changeEmail((directory, id) =>
			directory.setRole(id, 'org-a', 'viewer'),
		);
		expect(roles[1]['org-a']).not.toBe('admin');
		expect(error).toBeDefined();
	});

	// Waits for "is still so": what a change rests on is looked at again (one loop that sends, looks and judges).
	test.failing(
		'an old account offboarded meanwhile does not come back as the new one',
		async () => {
			const { roles, error } = await changeEmail((directory, id) => directory.setActive(id, false));
			expect(roles).toEqual([{}, {}]);
			expect(error).toBeDefined();
		},
	);
});

// ---- 10 ----
describe("10. A PUT overwrites nobody's change", () => {
	// row 10
});

// ---- 11 ----
describe('11. Limits by volume count each risky kind apart', () => {
	// row 11
});

// ---- 12 ----
describe('12. Keep Memberships In that matches no group stops the run', () => {
	test.each([
		['Everyone', 'VPM'],
		[ID.everyone, 'g-none'],
	])('%s and %s', async (...kept) => {
		const service = serviceWith();
		const options = { keepMembershipsIn: rows(...kept) };
		const items = await play(service, 'offboard', { people: email('ben'), options });
		expect(errorsIn(items)).toEqual([`There is no group "${kept[1]}"`]);
		expect(service.written()).toStrictEqual([]);
		expect(membersIn(service)).toMatchObject({ everyone: expect.arrayContaining(['ben']) });
	});
});

// ---- 13 ----
describe('13. An attribute that was not taken is unverified, and holds nothing else back', () => {
	// row 13
});

// ---- 14 ----
describe('14. Names that differ in composition only are two people', () => {
	// row 14
});

// ---- 15 ----
describe('15. Create is safe to run again', () => {
	// row 15
});

// ---- 16 ----
describe('16. The trigger reports no loss that only old reads show', () => {
	// row 16
});

// ---- 17 ----
describe('17. The account reached as Generic is refused before the first write', () => {
	// row 17
});

// ---- 18 ----
describe('18. Empty cells mean one thing, however a source writes them', () => {
	// row 18
});
