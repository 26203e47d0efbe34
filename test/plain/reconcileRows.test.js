'use strict';

require('../support/noWaiting');
const {
	ID,
	PEOPLE,
	email,
	errorsIn,
	idOf,
	membersIn,
	person,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Reconciles rows that are items or a list; unless said otherwise without a guard in the way. */
const reconcile = async (service, wanted, { from = 'json', limits = {}, ...more } = {}) => {
	const { options, ...parameters } = more;
	return await play(
		service,
		'reconcile',
		{
			preview: false,
			wantedFrom: from,
			wantedJson: wanted,
			unwanted: 'revoke',
			...parameters,
			options: {
				allowEmptyGroups: true,
				maxPeopleAffected: 1000,
				...limits,
				...options,
			},
		},
		from === 'items' ? wanted.map((json) => ({ json })) : [{}],
	);
};

const inVpn = { scopeGroups: rows('VPN'), unwanted: 'keep' };

describe.each(['items', 'json'])('rows from %s', (from) => {
	test('what items of this package say beside person and group is no attribute', async () => {
		const service = serviceWith();
		const [made] = await reconcile(service, [{ email: email('dan'), group: 'VPN' }], {
			...{ from, ...inVpn },
		});
		const { userId, userName, ...rest } = made;
		const own = { ...rest, roleBefore: 'x', organizationName: 'y', reason: 'z', warnings: ['w'] };
		const row = { ...own, userName: email('new'), error: 'e', assignments: [{ group: 'VPN' }] };
		const more = { title: 'Dr', attributes: { nickName: 'N', status: 'own' } };
		const items = await reconcile(service, [{ ...row, ...more }], {
			...{ from, ...inVpn, createMissing: true },
			accessColumns: {
				attributes: [...Object.keys(row), ...Object.keys(more)].join(),
			},
		});
		expect(errorsIn(items)).toStrictEqual([]);
		const sent = service.requests.find(({ method }) => method === 'POST');
		const { schemas, emails, ...attributes } = JSON.parse(sent.body);
		expect(attributes).toEqual({
			...{ userName: email('new'), active: true, title: 'Dr' },
			...{ nickName: 'N', status: 'own' },
		});
	});

	test.each([
		['an email, which is the default', undefined, { email: email('dan') }],
		['a name in another case', undefined, { Email: email('dan') }],
		['the address in a name and address', undefined, { email: 'Dan <dan@example.com>' }],
		['person: an ID', undefined, { person: idOf('dan') }],
		['person: an email', undefined, { person: email('dan') }],
		['userId', undefined, { userId: idOf('dan') }],
		['userName', undefined, { userName: 'DAN@example.com' }],
		['any column with an email', 'E-Mail', { 'E-Mail': email('dan') }],
		['any column with an ID', 'Account', { Account: idOf('dan') }],
		['a user name', 'userName', { userName: 'DAN@example.com', email: 'other@example.com' }],
		['an ID', 'userId', { userId: idOf('dan'), email: 'other@example.com' }],
		['a field in a field', 'fields.Mail', { fields: { Mail: email('dan') } }],
	])('the person as %s', async (_name, column, who) => {
		const service = serviceWith();
		const items = await reconcile(service, [{ ...who, group: 'vpn' }], {
			...{ from, ...inVpn },
			...(column && { accessColumns: { person: column } }),
		});
		expect(items).toMatchObject([
			{ change: 'granted', status: 'done', userId: idOf('dan'), group: 'VPN', groupId: ID.vpn },
		]);
		expect(membersIn(service).vpn).toContain('dan');
	});

	test.each([
		['group: a name', 'group', { group: 'VPN' }],
		['group: an ID', 'group', { group: ID.everyone }, 'everyone'],
		['groupId, which counts alone', 'group', { groupId: ID.vpn, group: 'Engineering' }],
		['any column', 'Team', { team: 'VPN', group: 'Engineering', groupId: ID.eng }],
	])('the group as %s', async (_name, column, group, word = 'vpn') => {
		const service = serviceWith();
		const scope = { scopeGroups: rows('VPN', 'Everyone'), unwanted: 'keep' };
		const items = await reconcile(service, [{ email: email('dan'), ...group }], {
			...{ from, ...scope, accessColumns: { group: column } },
		});
		expect(errorsIn(items)).toStrictEqual([]);
		expect(membersIn(service)[word]).toContain('dan');
	});

	test.each([
		['an email that is none', { email: 'dan' }, '"dan" is not an email'],
		['no person', {}, 'Row 1 has no person'],
		['an email that is no text', { email: [email('dan')] }, 'neither text nor a number'],
		['no group', { email: email('dan'), group: '' }, 'Row 1 (dan@example.com) has no group'],
		[
			'organization and role of a service that has none',
			{ email: email('dan'), group: null, organization: 'sales', role: 'admin' },
			'The credential does not say which organization and role a group stands for',
		],
	])('%s: an error, and nothing is sent', async (_name, row, message) => {
		const service = serviceWith();
		const items = await reconcile(service, [{ group: 'VPN', ...row }], { from, ...inVpn });
		expect(items).toMatchObject([{ change: 'none', status: 'failed' }]);
		expect(items[0].error).toContain(message);
		expect(service.written()).toStrictEqual([]);
	});

	test('a column that Attribute Columns names is an attribute of somebody who is created', async () => {
		const service = serviceWith();
		const row = {
			...{ userName: email('gil'), email: 'gil@home.example', group: 'VPN', row_number: 2 },
			...{ 'name.givenName': 'Gil', 'Name.familyName': 'Rey', title: 'Engineer', nickName: ' ' },
			...{ [`${ENTERPRISE}:department`]: 'Sales', [ENTERPRISE]: { division: 'South' } },
			...{ 'urn:example:2.0:User:badge': 'B-17', active: false },
			attributes: { title: 'Clerk', externalId: 'HR-1' },
		};
		const items = await reconcile(service, [row], {
			...{ from, ...inVpn, createMissing: true },
			accessColumns: { attributes: Object.keys(row).join() },
		});
		expect(errorsIn(items)).toStrictEqual([]);
		expect(items.map(({ change, status }) => [change, status])).toEqual([
			['created', 'done'],
			['granted', 'done'],
		]);
		const { id: _, email: __, ...created } = service.users.get(idOf('gil'));
		expect(created).toEqual({
			userName: email('gil'),
			active: true,
			attributes: {
				emails: [{ value: 'gil@home.example', type: 'work', primary: true }],
				name: { givenName: 'Gil', familyName: 'Rey' },
				title: 'Engineer',
				externalId: 'HR-1',
				[ENTERPRISE]: { department: 'Sales', division: 'South' },
				'urn:example:2.0:User': { badge: 'B-17' },
			},
		});
	});

	test('two rows for one new person complete each other, and make one account', async () => {
		const service = serviceWith();
		const accessColumns = { attributes: '["title"], displayName' };
		const wanted = [
			{ email: email('gil'), group: 'VPN', title: 'Engineer' },
			{ email: 'GIL@example.com', group: 'Engineering', displayName: 'Gil' },
		];
		const scopeGroups = rows('VPN', 'Engineering');
		const parameters = { scopeGroups, unwanted: 'keep', createMissing: true, accessColumns };
		await reconcile(service, wanted, { from, ...parameters });
		expect(service.written().filter((request) => request.startsWith('POST'))).toHaveLength(1);
		expect(service.users.get(idOf('gil')).attributes).toEqual({
			title: 'Engineer',
			displayName: 'Gil',
		});
	});
});

describe('rows that are not planned', () => {
	const preview = async (list, more) =>
		(await reconcile(serviceWith(), list, { ...inVpn, preview: true, ...more }))[0];

	test('are warnings of Preview with advice, the same reason once', async () => {
		const team = (name) => ({ 'E-Mail': email(name), Team: 'VPN' });
		const item = await preview([team('ana'), team('ben'), team('cleo')]);
		expect(item.warnings).toEqual([
			'Row 1 has no person. Its columns: E-Mail, Team. Set Person to E-Mail. The same is true of 2 more.',
		]);
	});

	test.each([
		[
			'an email',
			{ name: 'Ana', team: 'VPN' },
			'Its columns: name, team. Set Person to one of them.',
		],
		[
			'a cell',
			{ email: ' ', group: 'VPN' },
			'Its column email is empty: fill it in, or leave the row out.',
		],
		[
			'a group',
			{ email: email('ana'), Team: 'VPN' },
			'Its columns: email, Team. Set Group to Team.',
		],
	])('without %s', async (_name, row, advice) => {
		const { warnings } = await preview([row, { email: email('dan'), group: 'VPN' }]);
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toContain(advice);
	});

	test('for one reason that names two people are one warning', async () => {
		const list = ['x', 'y', 'z'].map((name) => ({ email: email(name), group: 'VPN' }));
		const { warnings } = await preview(list);
		expect(warnings).toEqual([
			'No user has the user name x@example.com, and Create Missing Users is off. Check the spelling, or turn it on. If the user was just created, run again in a moment. If user names are not emails here, set Match Users By to Email. The same is true of 2 more.',
		]);
	});

	test('are not named where a column of Person cannot be what users are matched by', async () => {
		const service = serviceWith();
		const items = await reconcile(service, [{ externalId: 'HR-1', group: 'VPN' }], {
			...{ ...inVpn, accessColumns: { person: 'externalId' } },
		});
		expect(errorsIn(items).join()).toContain(
			'The column of Person is externalId, but users are matched by user name',
		);
		expect(service.written()).toStrictEqual([]);
	});

	test('a person in a column of its own counts before an ID beside it, and both must be one', async () => {
		const accessColumns = { person: 'Login' };
		const row = { Login: email('dan'), group: 'VPN' };
		const service = serviceWith();
		await reconcile(service, [{ ...row, userId: idOf('dan') }], { ...inVpn, accessColumns });
		expect(membersIn(service).vpn).toContain('dan');
		const other = serviceWith();
		const items = await reconcile(other, [{ ...row, userId: idOf('ana') }], {
			...{ ...inVpn, accessColumns },
		});
		expect(errorsIn(items).join()).toContain(email('ana'));
		expect(other.written()).toStrictEqual([]);
	});
});

describe('what comes out', () => {
	const same = [
		{ email: email('ana'), group: 'Engineering' },
		{ email: email('ben'), group: 'VPN' },
		{ email: email('ben'), group: 'VPN' },
		{},
	];
	const scope = { scopeGroups: rows('Engineering', 'VPN'), unwanted: 'keep' };

	test('items: at least one each', async () => {
		const items = await reconcile(serviceWith(), same, { from: 'items', ...scope });
		expect(items.map(({ change, status }) => [change, status])).toEqual([
			['none', 'unchanged'],
			['none', 'unchanged'],
			['none', 'unchanged'],
			['none', 'skipped'],
		]);
	});

	test('a list that differs nowhere: one in all', async () => {
		const items = await reconcile(serviceWith(), same, scope);
		expect(items).toMatchObject([{ change: 'none', status: 'unchanged', userId: null }]);
	});

	test('a list where only others differ: those alone', async () => {
		const items = await reconcile(serviceWith(), same, { ...scope, unwanted: 'revoke' });
		expect(items).toMatchObject([
			{ change: 'revoked', status: 'done', userName: email('eve'), group: 'VPN' },
		]);
	});

	test('Report lists extra access and takes none of it', async () => {
		const service = serviceWith();
		const items = await reconcile(service, same, { ...scope, unwanted: 'report' });
		expect(items).toMatchObject([
			{
				...{ change: 'none', status: 'skipped', reason: 'no row wants any access for the person' },
				...{ userName: email('eve'), groupId: ID.vpn },
			},
		]);
		expect(service.written()).toStrictEqual([]);
	});
});

test('a removal that somebody else has made meanwhile comes out, though all rows are so already', async () => {
	const service = serviceWith({
		people: [person('ana', ['eng']), person('ben', ['vpn'])],
		faults: [{ path: '/Users', nth: 1, kind: 429 }],
		onRequest: (_nth, { path }) => {
			if (path.startsWith('/Users')) service.groups.set(ID.vpn, []);
		},
	});
	const items = await reconcile(service, [{ email: email('ana'), group: 'Engineering' }], {
		scopeGroups: rows('Engineering', 'VPN'),
		options: { maxWait: 5, verifyTime: 0 },
	});
	expect(items).toMatchObject([
		{ change: 'none', userId: idOf('ben'), groupId: ID.vpn, status: 'unchanged' },
	]);
});

describe('the scope', () => {
	const wanted = [{ email: email('dan'), group: 'Engineering' }];

	test.each([
		['a name that no group has', ['Engineering', 'Marketing'], 'There is no group "Marketing"'],
		['nearly a name', ['Enginering'], '"Enginering" (did you mean Engineering or engineering?)'],
		['a name of two groups', ['Engineering', 'Support'], 'More than one group is named "Support"'],
		['no row at all', [], 'No group is in scope'],
	])('%s: an error of the run, before anything is sent', async (_name, entries, message) => {
		const service = serviceWith();
		const items = await reconcile(service, wanted, { scopeGroups: rows(...entries) });
		expect(errorsIn(items).join()).toContain(message);
		expect(service.written()).toStrictEqual([]);
	});

	test('a pattern without a match is a warning', async () => {
		const parameters = { scopeGroups: rows('Engineering', 'app-*'), preview: true };
		const [item] = await reconcile(serviceWith(), wanted, parameters);
		expect(item.warnings).toContain('No group matches app-* in Groups in Scope.');
		expect(item.blockedBy).toStrictEqual([]);
	});

	test.each([
		['a group in scope without any row', ['Engineering', 'VPN'], 'No row wants access in VPN'],
		[
			'a pattern none of whose groups has a row',
			['Engineering', 'V*'],
			'No row wants access in V*',
		],
		['a pattern with a row for one of its groups', ['E*'], undefined],
		['a group in scope where nobody is', ['Engineering', ID.support1], undefined],
	])('%s', async (_name, entries, message) => {
		const service = serviceWith();
		const items = await reconcile(service, wanted, {
			scopeGroups: rows(...entries),
			limits: { allowEmptyGroups: false },
		});
		if (message === undefined) expect(errorsIn(items)).toStrictEqual([]);
		else expect(errorsIn(items).join()).toContain(message);
		expect(service.written().length > 0).toBe(message === undefined);
	});

	test('a row that cannot be used holds back removals from its group, or everywhere', async () => {
		const scopeGroups = rows('Engineering', 'VPN');
		const ofVpn = serviceWith();
		await reconcile(ofVpn, [...wanted, { group: 'VPN' }], { scopeGroups });
		expect(membersIn(ofVpn)).toMatchObject({ eng: ['dan'], vpn: ['ben', 'eve'] });
		const ofAny = serviceWith();
		await reconcile(ofAny, [...wanted, { email: email('cleo'), group: 'Marketing' }], {
			scopeGroups,
		});
		expect(membersIn(ofAny)).toMatchObject({ eng: ['ana', 'dan'], vpn: ['ben', 'eve'] });
	});
});

describe('groups that stand for organizations and roles by their names', () => {
	const named = (...names) => names.map((name, index) => ({ id: `g-${index}`, displayName: name }));
	const service = () =>
		serviceWith({
			groups: named('app-sales-Auditor', 'app-sales-writer', 'app-it-writer', 'Everyone'),
			people: [
				{ userName: email('ana'), groups: ['g-0', 'g-3'] },
				{ userName: email('ben'), groups: ['g-1', 'g-2'] },
				{ userName: email('dan'), groups: [] },
			],
		});
	const credential = {
		...{ serviceProfile: 'generic', groupsStandFor: 'organizationAndRole' },
		...{ groupPattern: 'app-{organization}-{role}', groupPatternOn: 'displayName' },
	};
	const run = async (model, parameters) =>
		await play(
			model,
			'reconcile',
			{
				...{ preview: false, wantedFrom: 'json', unwanted: 'revoke', ...parameters },
				options: { allowEmptyGroups: true },
			},
			[{}],
			{ credential },
		);
	const membersOf = (model) => [0, 1, 2, 3].map((index) => model.membersOf(`g-${index}`).length);

	test('roles are free text, in any case; other roles and plain groups are left alone', async () => {
		const model = service();
		const items = await run(model, {
			accessBy: 'organizationAndRole',
			...{ scopeOrganizations: 'sales', scopeRoles: 'AUDITOR' },
			wantedJson: [{ email: email('dan'), organization: 'Sales', role: 'auditor' }],
		});
		expect(errorsIn(items)).toStrictEqual([]);
		expect(items.map(({ change, userName, role }) => [change, userName, role]).sort()).toEqual([
			['granted', email('dan'), 'Auditor'],
			['revoked', email('ana'), null],
		]);
		expect(membersOf(model)).toEqual([1, 1, 1, 1]);
	});

	test('without a role every role is in scope; rows may name the group', async () => {
		const model = service();
		await run(model, {
			...{ accessBy: 'organizationAndRole', scopeOrganizations: 'SALES' },
			wantedJson: [{ email: email('dan'), group: 'app-sales-writer' }],
		});
		expect(membersOf(model)).toEqual([0, 1, 1, 1]);
		expect(model.membersOf('g-1')).toEqual([idOf('dan')]);
	});

	test('a scope of groups takes rows with organization and role', async () => {
		const model = service();
		await run(model, {
			...{ accessBy: 'group', scopeGroups: rows('app-sales-*') },
			wantedJson: [{ email: email('dan'), organization: 'sales', role: 'writer' }],
		});
		expect(membersOf(model)).toEqual([0, 1, 1, 1]);
	});

	test('an organization that there is not: an error of the run', async () => {
		const model = service();
		const items = await run(model, {
			...{ accessBy: 'organizationAndRole', scopeOrganizations: 'sales, hr', wantedJson: [] },
		});
		expect(errorsIn(items).join()).toContain('There is no organization hr');
		expect(model.written()).toStrictEqual([]);
	});
});

describe('Deactivate Users Without Access', () => {
	const isActive = (service, name) => service.users.get(idOf(name)).active;
	const run = async (service, scope, options) =>
		await reconcile(service, [{ email: email('dan'), group: 'VPN' }], {
			scopeGroups: rows(...scope),
			options: { deactivatesEmpty: true, ...options },
		});

	test('whoever was only in ignored groups had no access before', async () => {
		const service = serviceWith();
		await run(service, ['*'], { ignoreGroups: rows('Everyone') });
		expect(membersIn(service)).toEqual({ vpn: ['dan'] });
		expect(['ana', 'ben', 'cleo'].map((name) => isActive(service, name))).toEqual([
			...[false, false, true],
		]);
	});

	test('whoever is inactive already is not deactivated once more', async () => {
		const service = serviceWith();
		const items = await run(service, ['VPN'], { ignoreGroups: rows('Everyone') });
		const ofEve = items.filter(({ userId }) => userId === idOf('eve'));
		expect(ofEve).toMatchObject([{ change: 'revoked', status: 'done' }]);
	});

	test('a group that only the user shows counts as access', async () => {
		const service = serviceWith({ unlistedGroups: [ID.everyone] });
		const items = await run(service, ['VPN', 'Sales*', 'Engineering']);
		expect(membersIn(service)).toMatchObject({
			vpn: ['dan'],
			everyone: ['ana', 'ben', 'cleo', 'eve'],
		});
		expect(isActive(service, 'ben')).toBe(true);
		const ofBen = items.filter(({ userId }) => userId === idOf('ben'));
		expect(ofBen.map(({ change, groupId, status }) => [change, groupId, status]).sort()).toEqual([
			['none', null, 'skipped'],
			['revoked', ID.sales, 'done'],
			['revoked', ID.vpn, 'done'],
		]);
		expect(ofBen.find(({ status }) => status === 'skipped').reason).toContain(ID.everyone);
	});

	test.each([[{}], [{ emptyUserGroups: true }]])(
		'who joins a group while the service makes us wait stays active, only groups show it %j',
		async (ways) => {
			const people = [person('ana', ['eng']), person('ben', ['vpn'])];
			const service = serviceWith({
				...{ membersShownOn: 'groups', people, ...ways },
				faults: [{ method: 'PATCH', nth: 1, kind: 429 }],
				onRequest(_nth, { method }) {
					if (method === 'PATCH') service.groups.set(ID.sales, [idOf('ben')]);
				},
			});
			const items = await reconcile(service, [{ email: email('ana'), group: 'Engineering' }], {
				scopeGroups: rows('Engineering', 'VPN'),
				options: { deactivatesEmpty: true, maxWait: 5, verifyTime: 0 },
			});
			expect(isActive(service, 'ben')).toBe(true);
			expect(errorsIn(items).join()).toContain('ben@example.com is member of group Sales, EMEA');
		},
	);

	test('a group that Ignore Groups names and that there is not: an error of the run', async () => {
		const service = serviceWith();
		const items = await run(service, ['VPN'], { ignoreGroups: rows('Everybody') });
		expect(errorsIn(items).join()).toContain('There is no group "Everybody"');
		expect(service.written()).toStrictEqual([]);
	});
});

describe('a service that shows memberships nowhere', () => {
	const hidden = { membersShownOn: 'nowhere' };

	test('grants are sent and unverified; nothing is taken away, and it says so', async () => {
		const service = serviceWith(hidden);
		const wanted = [{ email: email('ana'), group: 'Engineering' }];
		const items = await reconcile(service, wanted, { scopeGroups: rows('Engineering', 'VPN') });
		expect(items.map(({ change, status }) => [change, status])).toEqual([
			['granted', 'unverified'],
			['none', 'skipped'],
		]);
		expect(items[1].reason).toContain('so access is unknown');
		expect(service.written()).toEqual([`PATCH /Groups/${ID.eng}`]);
	});

	test('an empty list is not called unchanged', async () => {
		const items = await reconcile(serviceWith(hidden), [], { scopeGroups: rows('VPN') });
		expect(items.map(({ change, status }) => [change, status])).toEqual([['none', 'skipped']]);
	});
});

test('somebody inactive who is wanted is named with Reactivate, and keeps what else there is', async () => {
	const people = [...PEOPLE.filter(({ userName }) => userName !== email('eve'))];
	const eve = person('eve', ['vpn', 'eng'], { active: false });
	const run = async (reactivate) => {
		const service = serviceWith({ people: [...people, eve] });
		const items = await reconcile(service, [{ email: email('eve'), group: 'VPN' }], {
			scopeGroups: rows('Engineering', 'VPN'),
			options: { reactivate },
		});
		return { service, items };
	};
	const refused = await run(false);
	expect(errorsIn(refused.items).join()).toContain('eve@example.com is inactive');
	expect(membersIn(refused.service)).toMatchObject({ eng: ['eve'], vpn: ['eve'] });
	const made = await run(true);
	expect(errorsIn(made.items)).toStrictEqual([]);
	expect(made.service.users.get(idOf('eve')).active).toBe(true);
	expect(membersIn(made.service).eng).toBeUndefined();
});

// Filters that mind case or miss people: test/servers/results.md, test/vendors.md. A create is then answered with 409.
describe.each([
	['that minds case', { filter: 'exactCase' }],
	['that misses the person', { filterMisses: (value) => /^ana@/i.test(value) }],
])('a user name in another case, and a filter %s', (_name, ways) => {
	const ana = (userName, more) => ({ ...person('ana', ['vpn']), userName, ...more });
	const scope = { scopeGroups: rows('VPN', 'Engineering'), createMissing: true };
	const inCapitals = (group) => [
		{ email: 'ANA@EXAMPLE.COM', group },
		{ email: 'aNA@example.com', group },
	];
	const one = (more) =>
		serviceWith({ people: [ana('Ana@example.com'), person('ben', [])], ...ways, ...more });

	test('whoever the row means is found, once, and loses nothing', async () => {
		const service = one();
		const wanted = inCapitals('VPN');
		const limits = { allowEmptyGroups: false };
		expect(await reconcile(service, wanted, { ...scope, limits })).toMatchObject([
			{ change: 'none', status: 'unchanged' },
		]);
		expect(service.written()).toStrictEqual([]);
		expect(membersIn(service)).toEqual({ vpn: ['Ana'] });
	});

	test('is given the access of the rows in place of what no row wants, and stays active', async () => {
		const service = one();
		const items = await reconcile(service, inCapitals('Engineering'), {
			...scope,
			options: { deactivatesEmpty: true },
		});
		expect(items).toMatchObject([
			{ change: 'granted', status: 'done', userId: idOf('ana'), group: 'Engineering' },
			{ change: 'revoked', status: 'done', userId: idOf('ana'), group: 'VPN' },
		]);
		expect(membersIn(service)).toEqual({ eng: ['Ana'] });
		expect(service.users.get(idOf('ana')).active).not.toBe(false);
		expect(service.written().filter((request) => request.startsWith('POST'))).toStrictEqual([]);
	});

	test('of two whom the row could mean: an error that names both, and nobody loses anything', async () => {
		const people = [ana('Ana@example.com', { id: 'a-1' }), ana('anA@example.com', { id: 'a-2' })];
		const service = serviceWith({ people, ...ways, namesMayDifferInCase: true });
		const items = await reconcile(service, inCapitals('VPN').slice(0, 1), scope);
		expect(errorsIn(items).join()).toMatch(/More than one user .* \(IDs a-1, a-2\)/);
		expect(service.written()).toStrictEqual([]);
	});

	test('whoever cannot be read may be the one: nothing is sent', async () => {
		const fault = { method: 'GET', path: `/Users/${idOf('ana')}`, kind: 'status', status: 403 };
		const service = one({ faults: [fault] });
		const items = await reconcile(service, inCapitals('VPN'), scope);
		expect(errorsIn(items).join()).toContain(`Could not get user ${idOf('ana')}`);
		expect(service.written()).toStrictEqual([]);
	});
});

test.each([
	['person', { person: 'Login' }, { Login: '', email: email('dan'), group: 'VPN' }],
	['group', { group: 'Team' }, { email: email('dan'), Team: '', groupId: ID.eng, group: 'VPN' }],
])(
	'a row that is blank in the column of its %s is of nobody and nothing else, and holds removals back',
	async (what, accessColumns, row) => {
		const service = serviceWith();
		const before = membersIn(service);
		const items = await reconcile(service, [row, { email: email('ben'), group: 'VPN' }], {
			...{ accessColumns, scopeGroups: rows('VPN'), unwanted: 'revoke' },
		});
		expect(errorsIn(items).join()).toContain(`has no ${what}`);
		expect(membersIn(service)).toEqual(before);
	},
);
