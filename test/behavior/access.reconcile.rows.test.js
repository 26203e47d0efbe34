'use strict';

// Reconcile on groups that stand for themselves: what rows say, in which columns, and which groups are in scope.

const { inPagesOf } = require('../support/pages');
const {
	Account,
	Groups,
	email,
	expression,
	play,
	put,
	table,
	wanted,
	warningsIn,
} = require('../support/behavior');

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUPS = [
	{ id: 'eng', displayName: 'Engineering' },
	{ id: 'ENG', displayName: 'engineering' },
	{ id: 'sales', displayName: 'Sales, EMEA' },
	{ id: 'vpn', displayName: 'VPN' },
	{ id: 'everyone', displayName: 'Everyone' },
	{ id: 's1', displayName: 'Support' },
	{ id: 's2', displayName: 'Support' },
];
/** Eve and Finn are inactive. */
const PEOPLE = {
	...{ ana: 'eng everyone', ben: 'vpn sales everyone', cleo: 'everyone', dan: '' },
	...{ eve: 'inactive vpn everyone', finn: 'inactive' },
};
const on =
	(switches, people = PEOPLE) =>
	() =>
		new Groups(people, { groups: GROUPS, ...switches });
const rows = (...groups) => ({ group: groups.map((group) => ({ group })) });
const idOf = (name) => on()().user(name).value;

/** Rows with these groups in scope; what no row wants is removed. */
const wish =
	(wanted, scope, { options, from = 'json', ...fields } = {}) =>
	() => ({
		...{ preview: false, unwanted: 'revoke', scopeGroups: rows(...scope), wantedFrom: from },
		...(from === 'json' ? { wantedJson: wanted } : { items: wanted.map((json) => ({ json })) }),
		...fields,
		options: { allowEmptyGroups: true, maxPeopleAffected: 1000, ...options },
	});
/** Rows on that service, unless they say otherwise. */
const reconcile = (rows) =>
	table(
		'access',
		'reconcile',
		rows.map((one) => ({ on: on(), ...one })),
	);
const row = (name, group) => ({ email: email(name), group });
const KEEP = { unwanted: 'keep' };
const inVpn = (wanted, fields) => wish(wanted, ['VPN'], { ...KEEP, ...fields });
const LOST_VPN = { ben: 'everyone sales', eve: 'inactive everyone' };

reconcile([
	{
		it: 'everybody in scope has what the rows say, and nobody else is touched',
		wish: wish(
			[
				row('dan', 'Engineering'),
				{ userId: idOf('ana'), groupId: 'vpn' },
				{ userName: email('cleo'), group: 'VPN' },
			],
			['Engineering', 'VPN'],
		),
		ends: { dan: 'eng', ana: 'everyone vpn', cleo: 'everyone vpn', ...LOST_VPN },
	},
	...[
		['keys of two people', { userId: idOf('ana'), userName: email('ben'), group: 'VPN' }, ['vpn']],
		['no group', { email: email('ana') }],
		['an unknown group', row('ana', 'Marketing')],
	].map(([it, bad]) => ({
		it: `a row with ${it} is an error of its own, grants go on, and nobody loses anything`,
		wish: wish([bad, row('dan', 'Engineering')], ['Engineering', 'VPN']),
		fails: [/./],
		ends: { dan: 'eng' },
	})),
	{
		it: 'the only one who shows a group comes late in the list of users',
		on: () => {
			inPagesOf(2);
			return on(
				{ usersShowGroups: 'whenAny', showsMembers: 'empty' },
				{ ana: '', cleo: '', dan: '', zoe: 'vpn' },
			)();
		},
		wish: wish([row('ana', 'VPN')], ['VPN']),
		items: ['granted ana vpn done', 'revoked zoe vpn done'],
		ends: { ana: 'vpn', zoe: '' },
	},
]);

describe('what comes out', () => {
	const same = [row('ana', 'Engineering'), row('ben', 'VPN'), row('ben', 'VPN'), {}];
	const scope = ['Engineering', 'VPN'];
	reconcile([
		{
			it: 'of items: at least one each',
			wish: wish(same, scope, { ...KEEP, from: 'items' }),
			items: [
				'none ana eng unchanged',
				'none ben vpn unchanged',
				'none ben vpn unchanged',
				'none skipped',
			],
		},
		{
			it: 'of a list that differs nowhere: one in all',
			wish: wish(same, scope, KEEP),
			items: [{ change: 'none', status: 'unchanged', userId: null }],
		},
		{
			it: 'of a list where only others differ: those alone',
			wish: wish(same, scope),
			items: ['revoked eve vpn done'],
			ends: { eve: 'inactive everyone' },
		},
		{
			it: 'a removal that another client has made meanwhile, though all rows are so already',
			on: on({ faults: [{ path: '/Users', nth: 1, kind: 429 }] }, { ana: 'eng', ben: 'vpn' }),
			wish: wish([row('ana', 'Engineering')], scope, { options: { maxWait: 5 } }),
			meanwhile: ['GET Users', put({ ben: '' })],
			items: ['none ben vpn unchanged'],
			ends: { ben: '' },
		},
	]);
});

const NEWCOMER = {
	...{ userName: email('gil'), email: 'gil@home.example', group: 'VPN', row_number: 2 },
	...{ 'name.givenName': 'Gil', 'Name.familyName': 'Rey', title: 'Engineer', nickName: ' ' },
	...{ [`${ENTERPRISE}:department`]: 'Sales', [ENTERPRISE]: { division: 'South' } },
	...{ 'urn:example:2.0:User:badge': 'B-17', active: false },
	attributes: { title: 'Clerk', externalId: 'HR-1' },
};
const CREATED = {
	emails: [{ value: 'gil@home.example', type: 'work', primary: true }],
	...{ name: { givenName: 'Gil', familyName: 'Rey' }, title: 'Engineer', externalId: 'HR-1' },
	[ENTERPRISE]: { department: 'Sales', division: 'South' },
	'urn:example:2.0:User': { badge: 'B-17' },
};
/** What items of this package say beside person and group. */
const SAID = {
	...{ roleBefore: 'x', organizationName: 'y', reason: 'z', warnings: ['w'], error: 'e' },
	assignments: [{ group: 'VPN' }],
};
const creates = (from, attributes) => ({
	from,
	createMissing: true,
	accessColumns: { attributes },
});

describe.each(['items', 'json'])('rows from %s', (from) => {
	reconcile([
		...[
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
		].map(([it, person, who]) => ({
			it: `the person as ${it}`,
			wish: inVpn([{ ...who, group: 'vpn' }], {
				from,
				...(person && { accessColumns: { person } }),
			}),
			items: [
				{ change: 'granted', status: 'done', userId: idOf('dan'), group: 'VPN', groupId: 'vpn' },
			],
			ends: { dan: 'vpn' },
			once: true,
		})),
		...[
			['group: a name', 'group', { group: 'VPN' }],
			['group: an ID', 'group', { group: 'everyone' }, 'everyone'],
			['groupId, with its name', 'group', { groupId: 'vpn', group: 'VPN' }],
			['any column', 'Team', { team: 'VPN', group: 'Engineering', groupId: 'eng' }],
			['a column as the summary shows its name', 'team\u200B_\u200Bname', { team_name: 'VPN' }],
		].map(([it, column, given, word = 'vpn']) => ({
			it: `the group as ${it}`,
			wish: wish([{ email: email('dan'), ...given }], ['VPN', 'Everyone'], {
				...KEEP,
				from,
				accessColumns: { group: column },
			}),
			ends: { dan: word },
		})),
		...[
			['an email that is none', { email: 'dan' }, '"dan" is not an email'],
			['no person', {}, 'Row 1 has no person'],
			['an email that is no text', { email: [email('dan')] }, 'neither text nor a number'],
			['no group', row('dan', ''), 'Row 1 (dan@example.com) has no group'],
			[
				'organization and role of a service that has none',
				{ ...row('dan', null), organization: 'sales', role: 'admin' },
				'The credential does not say which organization and role a group stands for',
			],
		].map(([it, bad, message]) => ({
			it: `${it} is an error`,
			wish: inVpn([{ group: 'VPN', ...bad }], { from }),
			items: [{ change: 'none', status: 'failed' }],
			fails: [message],
		})),
		{
			it: 'columns that Attribute Columns names are attributes of who is created',
			wish: inVpn([NEWCOMER], creates(from, Object.keys(NEWCOMER).join())),
			items: ['created gil done', 'granted gil vpn done'],
			ends: { gil: 'vpn' },
			sets: { gil: CREATED },
		},
		{
			it: 'two rows for one new person complete each other, and make one account',
			wish: wish(
				[
					{ ...row('gil', 'VPN'), title: 'Engineer' },
					{ ...row('GIL', 'Engineering'), displayName: 'Gil' },
				],
				['VPN', 'Engineering'],
				{ ...KEEP, ...creates(from, '["title"], displayName') },
			),
			ends: { gil: 'eng vpn' },
			sets: { gil: { title: 'Engineer', displayName: 'Gil' } },
		},
	]);

	test('what items of this package say beside person and group is no attribute', async () => {
		const w = on()();
		const { items, ...given } = inVpn([row('dan', 'VPN')], { from })();
		const [made] = await play(w, ['access', 'reconcile'], given, items);
		const { userId, userName, ...own } = made;
		const said = { ...own, ...SAID, userName: email('new') };
		const row_ = { ...said, title: 'Dr', attributes: { nickName: 'N', status: 'own' } };
		const { items: next, ...more } = inVpn([row_], creates(from, Object.keys(row_).join()))();
		await play(w, ['access', 'reconcile'], more, next);
		expect(w.attributes().new).toEqual({ title: 'Dr', nickName: 'N', status: 'own' });
	});
});

describe('rows that are not planned', () => {
	const warningsOf = async (wanted) =>
		(await play(on()(), ['access', 'reconcile'], inVpn(wanted, { preview: true })()))[0].warnings;
	const missing = ['x', 'y', 'z'].map((name) => row(name, 'VPN'));
	const teams = ['ana', 'ben', 'cleo'].map((name) => ({ 'E-Mail': email(name), Team: 'VPN' }));

	test.each([
		[
			'the same reason once',
			teams,
			'Row 1 has no person. Its columns: E-Mail, Team. Set Person to E-Mail. The same is true of 2 more.',
		],
		[
			'an email',
			[{ name: 'Ana', team: 'VPN' }],
			'Its columns: name, team. Set Person to one of them.',
		],
		[
			'a cell',
			[{ email: ' ', group: 'VPN' }],
			'Its column email is empty: fill it in, or leave the row out.',
		],
		[
			'a group',
			[{ email: email('ana'), Team: 'VPN' }],
			'Its columns: email, Team. Set Group to Team.',
		],
		[
			'one reason that names several people',
			missing,
			'No user has the user name x@example.com, and Create Missing Users is off. Check the spelling, or turn it on. If the user was just created, run again in a moment. If user names are not emails here, set Match Users By to Email. The same is true of 2 more.',
		],
	])('are warnings of Preview with advice: %s', async (_, bad, advice) => {
		expect(await warningsOf([...bad, row('dan', 'VPN')])).toEqual([
			expect.stringContaining(advice),
		]);
	});

	test('columns that are not sent are named, with what they may mean', async () => {
		const w = on()();
		const given = {
			...row('gil', 'VPN'),
			title: 'X',
			lastName: 'Rey',
			nickName: 'G',
			row_number: 2,
		};
		const run = inVpn([given], creates('json', 'Title'))();
		for (const { warnings } of await play(w, ['access', 'reconcile'], run))
			expect(warnings).toEqual([
				'Columns that are not sent: lastName: did you mean name.familyName?; nickName. Attribute Columns names those that new users get.',
			]);
		expect(w.attributes().gil).toEqual({ title: 'X' });
	});

	test('columns that are to be chosen for the person or the group have no second name', async () => {
		const w = on()();
		const given = { Mail: email('gil'), Team: 'VPN', lastName: 'Rey' };
		const run = { ...inVpn([given], creates('json', 'Title'))(), preview: true };
		const [item] = await play(w, ['access', 'reconcile'], run);
		expect(warningsIn(item)).toEqual([
			expect.stringMatching(
				/^Columns that are not sent: lastName: did you mean name\.familyName\?/,
			),
			'Row 1 has no person. Its columns: Mail, Team, lastName. Set Person to Mail.',
		]);
	});

	const LOGIN = { accessColumns: { person: 'Login' } };
	const login = { Login: email('dan'), group: 'VPN' };
	reconcile([
		{
			it: 'a column of Person cannot be what users are not matched by',
			wish: inVpn([{ externalId: 'HR-1', group: 'VPN' }], {
				accessColumns: { person: 'externalId' },
			}),
			fails: ['The column of Person is externalId, but users are matched by user name'],
		},
		{
			it: 'a person in a column of its own counts with an ID beside it that is the same',
			wish: inVpn([{ ...login, userId: idOf('dan') }], LOGIN),
			ends: { dan: 'vpn' },
		},
		{
			it: 'and not with the ID of another',
			wish: inVpn([{ ...login, userId: idOf('ana') }], LOGIN),
			fails: [email('ana')],
		},
		...[
			['person', LOGIN.accessColumns, { Login: '', ...row('dan', 'VPN') }],
			['group', { group: 'Team' }, { ...row('dan', 'VPN'), Team: '', groupId: 'eng' }],
		].map(([what, accessColumns, bad]) => ({
			it: `a row that is blank in the column of its ${what} is of nobody and nothing else, and holds removals back`,
			wish: wish([bad, row('ben', 'VPN')], ['VPN'], { accessColumns }),
			fails: Array(2).fill(`has no ${what}`),
		})),
	]);
});

describe('the scope', () => {
	const wanted = [row('dan', 'Engineering')];
	const STRICT = { options: { allowEmptyGroups: false } };
	const DONE = { ends: { dan: 'eng', ana: 'everyone' } };
	reconcile([
		...[
			['a name that no group has', ['Engineering', 'Marketing'], 'There is no group "Marketing"'],
			['nearly a name', ['Enginering'], '"Enginering" (did you mean engineering or Engineering?)'],
			[
				'a name of two groups',
				['Engineering', 'Support'],
				'More than one group is named "Support"',
			],
			['no group', [], 'No group is in scope'],
			['a group without any row', ['Engineering', 'VPN'], 'No row wants access in VPN', STRICT],
			[
				'a pattern none of whose groups has a row',
				['Engineering', 'V*'],
				'No row wants access in V*',
				STRICT,
			],
		].map(([it, scope, message, fields]) => ({
			it: `${it}: an error of the run`,
			wish: wish(wanted, scope, fields),
			fails: [message],
		})),
		...[
			['a pattern with a row for one of its groups', ['Eng*']],
			['a group where nobody is', ['Engineering', 's1']],
		].map(([it, scope]) => ({ it, wish: wish(wanted, scope, STRICT), ...DONE })),
		{
			it: 'a pattern without a match is a warning',
			wish: wish(wanted, ['Engineering', 'app-*'], { preview: true }),
			items: [{ blockedBy: [] }],
			warns: ['No group matches app-* in Groups in Scope.'],
		},
		{
			it: 'a row that cannot be used holds back removals from its group',
			wish: wish([...wanted, { group: 'VPN' }], ['Engineering', 'VPN']),
			fails: ['Row 2 has no person'],
			...DONE,
		},
		{
			it: 'or everywhere, where that cannot be told',
			wish: wish([...wanted, row('cleo', 'Marketing')], ['Engineering', 'VPN']),
			fails: ['Marketing'],
			ends: { dan: 'eng' },
		},
	]);
});

describe('groups that stand for organizations and roles by their names', () => {
	const groups = [
		{ id: 'auditors', displayName: 'app-sales-Auditor' },
		{ id: 'writers', displayName: 'app-sales-writer' },
		{ id: 'it', displayName: 'app-it-writer' },
		{ id: 'all', displayName: 'Everyone' },
	];
	const credential = {
		...{ serviceProfile: 'generic', groupsStandFor: 'organizationAndRole' },
		...{ groupPattern: 'app-{organization}-{role}', groupPatternOn: 'displayName' },
	};
	const PEOPLE_THERE = { ana: 'auditors all', ben: 'it writers', dan: '' };
	const there = () => new Groups(PEOPLE_THERE, { groups, credential });
	const inSales = (wanted, fields) =>
		wish(wanted, [], { accessBy: 'organizationAndRole', scopeOrganizations: 'SALES', ...fields });
	const auditor = { email: email('dan'), organization: 'Sales', role: 'auditor' };
	const writer = { email: email('dan'), organization: 'sales', role: 'writer' };
	const END = {
		ends: { dan: 'writers', ana: 'all', ben: 'it' },
	};

	reconcile([
		{
			it: 'roles are free text, in any case; other roles and plain groups are left alone',
			on: there,
			wish: inSales([auditor], { scopeRoles: 'AUDITOR' }),
			ends: { dan: 'auditors', ana: 'all' },
		},
		{
			it: 'without a role every role is in scope; rows may name the group',
			on: there,
			wish: inSales([row('dan', 'app-sales-writer')]),
			...END,
		},
		{
			it: 'a scope of groups takes rows with organization and role',
			on: there,
			wish: wish([writer], ['app-sales-*']),
			...END,
		},
		{
			it: 'an organization that there is not is an error of the run',
			on: there,
			wish: inSales([], { scopeOrganizations: 'sales, hr' }),
			fails: ['There is no organization hr'],
		},
	]);
});

describe('Deactivate Users Without Access', () => {
	const run = (scope, options) =>
		wish([row('dan', 'VPN')], scope, { options: { deactivatesEmpty: true, ...options } });
	const IGNORED = { ignoreGroups: rows('Every*') };
	const JOINS = { ana: 'eng', ben: 'vpn' };

	reconcile([
		{
			it: 'a group outside the scope counts as access, and who is inactive already is not deactivated once more',
			wish: run(['Engineering', 'VPN']),
			items: [
				'granted dan vpn done',
				'revoked ben vpn done',
				'revoked eve vpn done',
				'revoked ana eng done',
			],
			sends: ['PATCH eng', 'PATCH vpn'],
			ends: { dan: 'vpn', ana: 'everyone', ...LOST_VPN },
		},
		{
			it: 'groups of Ignore Groups do not; who had nothing in scope, or has another group, stays active',
			wish: run(['Engineering', 'VPN'], IGNORED),
			sends: ['PATCH eng', 'PATCH vpn', 'PATCH ana'],
			ends: { dan: 'vpn', ana: 'inactive everyone', ...LOST_VPN },
		},
		{
			it: 'who was only in ignored groups had no access before, and who had nothing is never deactivated',
			on: on({}, { ...PEOPLE, joe: '' }),
			wish: run(['*'], IGNORED),
			sends: ['PATCH eng', 'PATCH vpn', 'PATCH sales', 'PATCH everyone', 'PATCH ana', 'PATCH ben'],
			ends: { dan: 'vpn', ana: 'inactive', ben: 'inactive', cleo: '', eve: 'inactive' },
		},
		{
			it: 'a group that only the user shows counts as access',
			on: on({ unlistedGroups: ['everyone'] }),
			wish: run(['VPN', 'Sales*', 'Engineering']),
			items: [
				'granted dan vpn done',
				'none ana skipped',
				{ status: 'skipped', reason: expect.stringContaining('everyone') },
				'revoked ben vpn done',
				'revoked eve vpn done',
				'revoked ana eng done',
				'revoked ben sales done',
			],
			ends: { dan: 'vpn', ana: 'everyone', ben: 'everyone', eve: 'inactive everyone' },
		},
		...['absent', 'empty'].map((usersShowGroups) => ({
			it: `who joins a group while the service makes us wait stays active, groups of users ${usersShowGroups}`,
			on: on({ usersShowGroups, faults: [{ method: 'PATCH', nth: 1, kind: 429 }] }, JOINS),
			wish: wish([row('ana', 'Engineering')], ['Engineering', 'VPN'], {
				options: { deactivatesEmpty: true, maxWait: 5 },
			}),
			meanwhile: ['PATCH ben', put({ ben: 'vpn sales' })],
			fails: [
				'ben@example.com is member of group Sales, EMEA',
				'it needs a step that did not succeed',
			],
			ends: { ben: 'sales vpn' },
		})),
		{
			it: 'a group of Ignore Groups that there is not is an error of the run',
			wish: run(['VPN'], { ignoreGroups: rows('Everybody') }),
			fails: ['There is no group "Everybody"'],
		},
	]);
});

describe('a service that shows memberships nowhere', () => {
	const hidden = on({ showsMembers: 'empty', usersShowGroups: 'absent' });
	reconcile([
		{
			it: 'grants are sent and unverified; nothing is taken away, and it says so',
			on: hidden,
			wish: wish([row('cleo', 'Engineering')], ['Engineering', 'VPN']),
			items: [
				'granted cleo eng unverified',
				{
					change: 'none',
					status: 'skipped',
					reason: expect.stringContaining('so access is unknown'),
				},
			],
			fails: [/./],
			sends: ['PATCH eng'],
			ends: { cleo: 'eng everyone' },
		},
		{
			it: 'an empty list is not called unchanged',
			on: hidden,
			wish: wish([], ['VPN']),
			items: ['none skipped'],
		},
	]);
});

// A row names one person and one group, in whichever of its columns.
describe('a row that contradicts itself', () => {
	const PERSON = / is ana@example\.com .*, and .* is ben@example\.com \(ID /;
	const GROUP = /vpn is VPN \(ID vpn\), and .* is another group \(ID /;
	const there = on({}, { ...PEOPLE, ben: { has: 'vpn sales', externalId: 'HR-2' } });
	const bad = [
		['an ID and a name of two groups', { group: 'Engineering', groupId: 'vpn' }, GROUP],
		['an ID and an ID of two groups', { group: 'sales', groupId: 'vpn' }, GROUP],
		['the name of two groups, and the ID of neither', { group: 'Support', groupId: 'vpn' }, GROUP],
		['a list as the ID of a group', { groupId: ['vpn'], group: 'VPN' }, 'groupId is neither text'],
		[
			'a list as its name',
			{ groupId: 'vpn', group: ['VPN'] },
			'group is neither text nor a number',
		],
		['the external ID of another person', { group: 'VPN', externalId: 'HR-2' }, PERSON],
		['the emails of another person', { group: 'VPN', emails: [{ value: email('ben') }] }, PERSON],
		['emails as texts', { group: 'VPN', emails: [email('ben')] }, PERSON],
		[
			'emails as the JSON text of a list',
			{ group: 'VPN', emails: JSON.stringify([{ value: email('ben') }]) },
			PERSON,
		],
		['emails as one text', { group: 'VPN', emails: `as@home.test; ${email('ben')}` }, PERSON],
		[
			'an object as a key',
			{ group: 'VPN', externalId: { value: 'HR-2' } },
			'externalId is neither',
		],
	].map(([it, cells, says]) => [it, { email: email('ana'), ...cells }, says]);
	const good = [
		['an ID and its name', { group: 'VPN', groupId: 'vpn' }],
		['an ID and its name in another case', { group: 'Vpn', groupId: 'vpn' }],
		['an ID and a name that no group has any more', { group: 'Old VPN', groupId: 'vpn' }],
		[
			'an organization that says nothing here',
			{ group: 'VPN', organization: 'ACME', role: 'Boss' },
		],
		['an external ID that nobody has', { group: 'VPN', externalId: 'HR-77' }],
		['own emails', { group: 'VPN', emails: [{ value: email('ana'), primary: true }] }],
		['own emails as text', { group: 'VPN', emails: `${email('ana')}, as@home.test` }],
		['no emails', { group: 'VPN', emails: [] }],
	].map(([it, cells]) => [it, { email: email('ana'), ...cells }]);
	const inScope = (rows, more) => wish(rows, ['VPN', 'Engineering'], { ...KEEP, ...more });
	for (const from of ['json', 'items']) {
		reconcile([
			...bad.map(([it, cells, what]) => ({
				it: `${from}: ${it}`,
				...{ on: there, wish: inScope([cells], { from }), fails: [what] },
			})),
			...good.map(([it, cells]) => ({
				...{ it: `${from}: not ${it}`, on: there, wish: inScope([cells], { from }) },
				ends: { ana: 'eng everyone vpn' },
			})),
		]);
	}
	const listOf = (cells) => (w) => ({
		people: [{ userId: w.userId('ana'), ...cells }],
		...{ accessBy: 'group', groups: { group: [{ group: expression([cells]) }] } },
	});
	table('access', 'assign', [
		...bad.map(([it, { email: _, ...cells }, what]) => ({
			...{ it: `Assign: ${it}`, on: there, wish: listOf(cells), fails: [what] },
		})),
		...good.map(([it, { email: _, ...cells }]) => ({
			...{ it: `Assign: not ${it}`, on: there, wish: listOf(cells) },
			ends: { ana: 'eng everyone vpn' },
		})),
	]);
	table('access', 'revoke', [
		{
			it: 'Revoke: nothing is taken for it',
			on: there,
			wish: () => ({
				people: [{ email: email('ben') }],
				...{ accessBy: 'group', groups: { group: [{ group: expression([bad[0][1]]) }] } },
			}),
			fails: ['vpn is VPN (ID vpn), and Engineering is another group (ID eng)'],
		},
	]);
	reconcile([
		{
			it: 'blocks removals, as any row that cannot be used',
			on: there,
			wish: wish([bad[0][1]], ['VPN']),
			fails: ['vpn is VPN (ID vpn), and Engineering is another group (ID eng)'],
		},
	]);

	const account = () => new Account({ ana: 'a:viewer', ben: 'b:viewer' }, { groups: ['b:member'] });
	const ofPlaces =
		(cells, accessBy = 'group') =>
		() => ({
			...{
				preview: false,
				accessBy,
				unwanted: 'keep',
				...wanted([{ email: email('ana'), ...cells }]),
			},
			...(accessBy === 'group'
				? { scopeGroups: rows('*') }
				: { scopeOrganizations: 'org-a, org-b', scopeRoles: '' }),
		});
	const MEMBER = { group: 'whylabs-org-b:member' };
	table('access', 'reconcile', [
		...[
			[{ ...MEMBER, organization: 'org-a' }, 'another organization'],
			[{ ...MEMBER, organization: 'org-b', role: 'viewer' }, 'another role'],
			[{ groupId: MEMBER.group, organization: 'org-a', role: 'viewer' }, 'another role there'],
		].flatMap(([cells, what]) =>
			['group', 'organizationAndRole'].map((by) => ({
				...{ it: `${what} than the group, by ${by}`, on: account, wish: ofPlaces(cells, by) },
				fails: [/another group/],
			})),
		),
		...[
			[{ ...MEMBER, organization: 'org-b', role: 'Member' }, 'the same place'],
			[{ ...MEMBER, organization: 'org-b', role: null }, 'no role, as an item of a removal'],
			[{ ...MEMBER, organization: 'ACME', role: 'Boss' }, 'an organization that there is not'],
		].map(([cells, what]) => ({
			...{ it: `not ${what}`, on: account, wish: ofPlaces(cells) },
			ends: { ana: 'a:viewer b:member' },
		})),
	]);
});

describe('an inactive user who is wanted', () => {
	const there = on({}, { ana: 'eng', eve: 'inactive vpn eng' });
	const run = (reactivate) =>
		wish([row('eve', 'VPN')], ['Engineering', 'VPN'], { options: { reactivate } });
	reconcile([
		{
			it: 'is skipped without Reactivate, and keeps what there is',
			on: there,
			wish: run(false),
			items: [
				{ status: 'skipped', reason: 'inactive' },
				'none eve eng skipped',
				'revoked ana eng done',
			],
			warns: [
				'eve@example.com is inactive, and Reactivate is off: no access was given. Turn on Reactivate',
			],
			ends: { ana: '' },
		},
		{
			it: 'is an error for anything else that stands in the way',
			on: there,
			wish: wish([row('eve', 'VPN'), row('eve', 'Sales, EMEA')], ['VPN']),
			fails: ['is not in scope'],
		},
		{
			it: 'has what the rows say with it',
			on: there,
			wish: run(true),
			ends: { ana: '', eve: 'vpn' },
		},
	]);
});

// Filters that mind case or miss people: docs/servers.md, test/vendors.md. A create is then answered with 409.
describe.each([
	['that minds case', { filter: 'exactCase' }],
	['that misses the person', { filterMisses: (value) => /^ana@/i.test(value) }],
])('a user name in another case, and a filter %s', (_, ways) => {
	const ana = (userName, more) => ({ has: 'vpn', userName, ...more });
	const there = (people, more) => on({ ...ways, ...more }, people);
	const one = (more) => there({ Ana: ana('Ana@example.com'), ben: '' }, more);
	const inCapitals = (group) =>
		['ANA@EXAMPLE.COM', 'aNA@example.com'].map((name) => row(name, group));
	const run = (wanted, options) =>
		wish(wanted, ['VPN', 'Engineering'], { createMissing: true, options });

	reconcile([
		{
			it: 'named by the row is found, once, and loses nothing',
			on: one(),
			wish: run(inCapitals('VPN'), { allowEmptyGroups: false }),
			items: [{ change: 'none', status: 'unchanged' }],
		},
		{
			it: 'is given the access of the rows in place of what no row wants, and stays active',
			on: one(),
			wish: run(inCapitals('Engineering'), { deactivatesEmpty: true }),
			items: ['granted ANA@EXAMPLE.COM eng done', 'revoked ANA@EXAMPLE.COM vpn done'],
			ends: { Ana: 'eng' },
		},
		{
			it: 'one of two the row could mean: an error that names both, and no one loses access',
			on: there(
				{ one: ana('Ana@example.com', { id: 'a-1' }), two: ana('anA@example.com', { id: 'a-2' }) },
				{ namesMayDifferInCase: true },
			),
			wish: run(inCapitals('VPN').slice(0, 1)),
			fails: [/More than one user .* \(IDs a-1, a-2\)/],
		},
		{
			it: 'who cannot be read may be the one: nothing is sent',
			on: one({
				faults: [{ method: 'GET', path: `/Users/${idOf('ana')}`, kind: 'status', status: 403 }],
			}),
			wish: run(inCapitals('VPN')),
			fails: [/Could not get user/],
		},
	]);
});
