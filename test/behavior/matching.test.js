'use strict';

// How people are found and told apart by what Match Users By names, where user names are no emails.

const { Groups, email, emails, locator, play, table } = require('../support/behavior');
const { inPagesOf } = require('../support/pages');
const { matchOn } = require('../support/columns');
const { DIALECTS } = require('../../demo/service/scim/dialects');

const mails = (...list) => ({
	emails: list.map(([value, primary]) => ({ value, ...(primary && { primary }) })),
});
/** A user name that is no email, as Weights & Biases and Slack have them. */
const account = (userName, more = {}) => ({ has: '', userName, ...more });
const PEOPLE = {
	ana: account('ana', { externalId: 'HR-1' }),
	ben: account('ben', { externalId: 'hr-1', ...mails(['b@example.com'], [email('ana'), false]) }),
	cleo: account('cleo', mails([email('old')], [email('cleo'), true])),
	twin1: account('twin1', mails([email('twin')])),
	twin2: account('twin2', mails(['TWIN@example.com'])),
	mute: account('mute', { emails: undefined }),
	both: account('both', mails([email('one')], [email('two')])),
};
const on =
	(more, people = PEOPLE) =>
	() =>
		new Groups(people, { groups: ['vpn'], ...more });
const by = (matchUsersBy, more) => ({ options: { matchUsersBy, ...more } });
const vpn = (people, more) => (w) => ({ people, ...w.groups('vpn'), ...more });
const item = (userName, attributesJson) => ({ userName, additionalFields: { attributesJson } });
const inVpn = { sends: ['PATCH vpn'], once: true };
/** An error names the IDs of these, and has these words. */
const naming = (names, words = '') => {
	const ids = names.map((name) => new Groups(PEOPLE).userId(name));
	return new RegExp([words, ...ids].map((text) => `(?=[^]*${text})`).join(''));
};

afterEach(() => jest.restoreAllMocks());

describe.each(['on', 'exactCase', 'ignored', 'off'])('where the filter is %s', (filter) => {
	const start = on({ filter });
	table('access', 'assign', [
		{
			it: 'by email: the main one, in any case',
			...{ on: start, wish: vpn('ANA@example.com, cleo@example.com', by('email')) },
			...{ items: ['granted ana vpn done', 'granted cleo vpn done'], ...inVpn },
			ends: { ana: 'vpn', cleo: 'vpn' },
		},
		{
			it: 'by email: no other one, none of many, and none that is not unique',
			on: start,
			wish: (w) => ({
				...{ ...w.groups('vpn'), ...by('email'), createMissing: false },
				items: ['old', 'one', 'twin'].map((name) => ({ people: email(name) })),
			}),
			fails: [
				'No user has the email old@example.com',
				'No user has the email one@example.com',
				naming(['twin1', 'twin2'], 'More than one user has the email'),
			],
		},
		{
			it: 'by external ID: its case counts',
			...{ on: start, wish: vpn('hr-1', by('externalId')), items: ['granted ben vpn done'] },
			...{ ...inVpn, ends: { ben: 'vpn' } },
		},
		{
			it: 'by external ID: nobody has it in that case',
			...{ on: start, wish: vpn('Hr-1', by('externalId')) },
			fails: ['No user has the external ID Hr-1'],
		},
	]);
	const HR_1 = { user: locator('email', 'HR-1'), ...by('externalId') };
	const row = (more) => [{ it: 'by external ID', on: start, wish: HR_1, ...more }];
	const title = { ...HR_1, options: { ...HR_1.options, attributesJson: { title: 'Engineer' } } };
	table('user', 'get', row({ items: [{ userName: 'ana' }] }));
	table('access', 'get', row({ items: [{ userName: 'ana' }] }));
	table('user', 'deactivate', row({ ends: { ana: 'inactive' } }));
	const credential = { overrideProfile: true, deletionIsFinal: 'no' };
	table('user', 'delete', [
		...row({
			on: on({ filter, credential }),
			...{ ends: { ana: undefined }, once: true },
		}),
	]);
	table('user', 'update', [
		...row({
			wish: title,
			sets: { ana: { title: 'Engineer' } },
		}),
	]);
});

test.each(['email', 'externalId'])('a hit in a list that is not whole is none: %s', async (key) => {
	inPagesOf(2);
	const world = on({ filter: 'off', ignoresStart: true, pageCap: 2 })();
	const user = locator('email', key === 'email' ? email('ana') : 'HR-1');
	const [{ error }] = await play(world, ['user', 'deactivate'], { user, ...by(key) });
	expect(error).toContain('the list of users is incomplete');
	expect(world.service.written()).toStrictEqual([]);
});

describe('Create or Update, and Create', () => {
	const LINK = by('externalId', { linkByUserName: true });
	const linked = { sets: { cleo: { externalId: 'HR-9' } } };
	const two = { a: account('Cleo', { id: 'u-1' }), b: account('cleo', { id: 'u-2' }) };
	const bert = { bert: account('bert', { externalId: 'HR-2' }) };
	table('user', 'upsert', [
		{
			it: 'by external ID: the one is updated, also in the user name',
			on: on(),
			wish: { ...item('ana.new', { externalId: 'HR-1', title: 'Boss' }), ...by('externalId') },
			items: [{ status: 'done', userName: 'ana.new' }],
			ends: { ana: undefined, 'ana.new': '' },
			sets: { 'ana.new': { title: 'Boss', externalId: 'HR-1' } },
		},
		{
			it: 'by email: a user name of the service stays',
			on: on(),
			wish: { ...item(email('ana'), { ...mails([email('ana')]), title: 'Boss' }), ...by('email') },
			items: [{ status: 'done', userName: 'ana' }],
			sets: { ana: { title: 'Boss' } },
		},
		{
			it: 'Link by User Name writes the external ID to a user without one',
			...{ on: on(), wish: { ...item('CLEO', { externalId: 'HR-9' }), ...LINK } },
			...{ items: [{ status: 'done', userName: 'cleo' }], ...linked },
		},
		{
			it: 'and its preview shows it',
			...{ on: on(), wish: { ...item('CLEO', { externalId: 'HR-9' }), ...LINK, preview: true } },
			items: [{ requests: [expect.objectContaining({ body: expect.anything() })] }],
		},
		{
			it: 'it takes nobody with another key',
			...{ on: on(), wish: { ...item('ben', { externalId: 'HR-9' }), ...LINK } },
			fails: ['is taken by'],
		},
		{
			it: 'and none of two',
			on: on({ namesMayDifferInCase: true }, two),
			...{ wish: { ...item('CLEO', { externalId: 'HR-9' }), ...LINK }, fails: ['is taken by'] },
		},
		{
			it: 'a link that the service does not keep is unverified',
			on: on({ faults: [{ method: 'PATCH', kind: 'status', status: 204 }] }),
			wish: { ...item('cleo', { externalId: 'HR-9' }), ...LINK },
			...{ items: [{ status: 'unverified' }], fails: [/^Could not confirm/] },
			sends: ['PATCH cleo'],
		},
		...[
			['email', {}],
			['email', mails([email('a')], [email('b')])],
			['externalId', {}],
		].map(([key, attributes]) => ({
			it: `by ${key} without one: ${JSON.stringify(attributes)}`,
			...{ on: on(), wish: { ...item('zoe', attributes), ...by(key) } },
			...{ fails: ['to be matched by'], reads: 0 },
		})),
		{
			it: 'the user name of another user is given to no one',
			...{ on: on(), wish: { ...item('cleo', { externalId: 'HR-1' }), ...by('externalId') } },
			fails: [naming(['cleo'], 'belongs to another user')],
		},
		{
			it: 'no second account with one external ID',
			on: on({}, { ana: PEOPLE.ana }),
			wish: {
				...by('externalId'),
				items: [item('z', { externalId: 'HR-1' }), item('z', { externalId: 'HR-7' })],
			},
			fails: ['want different values of externalId'],
			...{ ends: { ana: undefined, z: '' }, sets: { z: { externalId: 'HR-1' } } },
		},
	]);
	for (const operation of ['upsert', 'create']) {
		table('user', operation, [
			...[
				['ben', 'externalId', { externalId: 'HR-9' }, 'has the external ID hr-1'],
				['cleo', 'externalId', { externalId: 'HR-9' }, 'has no external ID'],
				['mute', 'email', mails([email('new')]), 'has no email'],
				['twin1', 'email', mails([email('new')]), 'has the email twin@example.com'],
			].map(([name, key, attributes, words]) => ({
				it: `${operation}: no twin beside ${name} by ${key}`,
				...{ on: on(), wish: { ...item(name, attributes), ...by(key) } },
				fails: [naming([name], `(?!.*exists already).*${words}`)],
			})),
			{
				it: `${operation}: two items with one key and two user names`,
				on: on({}, { ana: PEOPLE.ana }),
				wish: {
					...by('externalId'),
					items: ['zoe', 'zoe.two'].map((name) => item(name, { externalId: 'HR-9' })),
				},
				fails: ['have the external ID HR-9, but not the same user name'],
				ends: { zoe: '' },
			},
			{
				it: `${operation}: one user name with two keys touches nobody else`,
				on: on({}, bert),
				wish: {
					...by('externalId'),
					items: [
						item('x', { externalId: 'HR-1', active: false }),
						item('x', { externalId: 'HR-2' }),
					],
				},
				...{ fails: ['Items 0 and 1'], ends: { x: 'inactive' } },
			},
		]);
	}
});

describe('what only looks like one person', () => {
	const shared = { has: 'vpn', ...mails(['s@example.com']) };
	const several = { ana: { ...account('ana', mails(['x@b.co'], ['y@b.co'])), has: 'vpn' } };
	table('access', 'offboard', [
		{
			it: 'a page of a filter that is not all of it hides nobody',
			on: on(
				{ pageCap: 1 },
				{ ana: { ...shared, userName: 'ana' }, ben: { ...shared, userName: 'ben' } },
			),
			...{ wish: { people: 's@example.com', ...by('email') }, fails: ['More than one user'] },
		},
		{
			it: 'who has the email among others is not gone',
			on: on({}, several),
			wish: { people: 'x@b.co', ...by('email', { ifNotFound: 'alreadyGone' }) },
			fails: ['ana'],
		},
	]);
	table('access', 'assign', [
		{
			it: 'and gets no second account',
			...{ on: on({}, several), wish: vpn('x@b.co', { ...by('email'), createMissing: true }) },
			fails: ['ana'],
		},
	]);
});

describe('a service that changes user names', () => {
	const converting = (more) => on({ nameLength: 21, ...more }, { ana: account('ana') });
	const creating = { createMissing: true };
	const post = (kind) => ({ faults: [{ method: 'POST', nth: 1, kind }] });
	const changed = /changed the user name \w+@example.com to \w+.*Match Users By/;
	const { rateLimit: _, ...slack } = DIALECTS.slack.switches;
	const SLACK = { credential: { serviceProfile: 'slack' } };
	table('access', 'assign', [
		{
			it: 'by user name: the first that is seen ends it, naming Match Users By',
			...{ on: converting(), wish: vpn(emails('ben cleo dan'), creating) },
			fails: [
				changed,
				...[0, 1].map(() => /^No more users are created.*Match Users By/),
				...[0, 1, 2].map(() => /./),
			],
			...{ sends: ['POST Users'], ends: { ben: '' } },
		},
		{
			it: 'by email: all are created, given access, and found again',
			...{ on: converting(), wish: vpn(emails('ben cleo dan'), { ...creating, ...by('email') }) },
			ends: { ben: 'vpn', cleo: 'vpn', dan: 'vpn' },
		},
		...['reset-after', '500-after'].map((kind) => ({
			it: `by email: created once where the answer is lost: ${kind}`,
			...{ on: converting(post(kind)), wish: vpn(email('ben'), { ...creating, ...by('email') }) },
			...{ sends: ['POST Users', 'PATCH vpn'], ends: { ben: 'vpn' } },
		})),
		{
			it: 'with the Slack preset by email: onboarded',
			on: converting({ ...slack, ...SLACK }),
			wish: vpn(email('ben'), { ...creating, ...by('email') }),
			items: ['created ben done', 'granted ben vpn done'],
			ends: { ben: 'vpn' },
		},
	]);
	table('access', 'offboard', [
		{
			it: 'with the Slack preset by email: offboarded',
			on: on({ ...slack, ...SLACK }, { ana: { ...account('ana'), has: 'vpn' } }),
			wish: { people: email('ana'), ...by('email') },
			ends: { ana: 'inactive' },
		},
	]);

	// No page tells of such a service: it is what one could do that gives each its own name.
	describe('and makes them unique, so that no 409 tells of a second account', () => {
		const numbering = (faults, more) => () => {
			let last = 0;
			const onWrite = ({ method, body }) => {
				if (method === 'POST') body.userName = `${body.userName.split('@')[0]}${++last}`;
			};
			return new Groups({ ana: account('ana', more) }, { onWrite, ...faults });
		};
		const wish = item(email('ben'), { externalId: 'HR-9' });
		for (const operation of ['create', 'upsert']) {
			table('user', operation, [
				...['reset-after', '500-after'].map((kind) => ({
					it: `${operation}, ${kind}: the external ID shows who is there, and nobody is created twice`,
					...{ on: numbering(post(kind)), wish },
					...{ items: [{ status: 'unverified', userId: expect.any(String) }], fails: ['ben1'] },
					...{ sends: ['POST Users'], ends: { ben1: '' } },
				})),
			]);
		}
		table('user', 'create', [
			{
				it: 'not carried out: created by the second request',
				...{ on: on(post('reset-before'), { ana: account('ana') }), wish },
				items: ['created ben done'],
				...{ ends: { ben: '' }, once: true },
			},
		]);
		table('user', 'upsert', [
			{
				it: 'another user with the external ID is not the new one, and no second one is created',
				...{ on: numbering(post('500-html'), { externalId: 'HR-9', title: 'Boss' }), wish },
				...{ items: [{ status: 'unverified' }], fails: [/./], sends: ['POST Users'] },
			},
		]);
	});

	const JSON_OF = (row) => ({
		usersFrom: 'json',
		wantedFrom: 'json',
		wantedJson: row,
		usersJson: row,
	});
	test.each([
		['assign', 'access', { people: email('ana'), groups: { group: [{ group: 'vpn' }] } }],
		['offboard', 'access', { people: email('ana') }],
		['create', 'user', { userName: email('zoe') }],
		['upsert', 'user', { userName: email('zoe') }],
		['get', 'user', { user: locator('email', email('ana')) }],
		['changeEmail', 'access', { user: locator('id', 'x'), newEmail: email('zoe') }],
		['reconcile', 'user', JSON_OF([{ userName: email('ana') }])],
		[
			...['reconcile', 'access'],
			{
				...JSON_OF([{ userName: 'ana', group: 'vpn' }]),
				scopeGroups: { group: [{ group: 'vpn' }] },
			},
		],
	])(
		'with the Slack preset nothing is sent by user name: %s',
		async (operation, resource, wish) => {
			const world = converting(SLACK)();
			const [{ error }] = await play(world, [resource, operation], {
				...{ preview: false, accessBy: 'group', ...wish },
			}).catch(({ message }) => [{ error: message }]);
			expect(error).toMatch(/this service changes the user names it is given/);
			expect(world.service.requests).toStrictEqual([]);
		},
	);
});

describe('Access: Reconcile by external ID', () => {
	const hr = (externalId, has = 'vpn') => ({ has, externalId });
	const PERSONNEL = Object.fromEntries(
		Object.entries({
			...{ ana: hr('HR-1'), ben: hr('HR-2'), nokey: hr(undefined), same1: hr('HR-7') },
			...{ same2: hr('HR-7'), cleo: hr('HR-3', '') },
		}).map(([userName, one]) => [userName, { ...one, userName }]),
	);
	const want = (externalId, more) => ({ externalId, group: 'vpn', ...more });
	const listing = (list, more) => ({
		...{ preview: false, accessBy: 'group', wantedFrom: 'json', wantedJson: JSON.stringify(list) },
		...{ scopeGroups: { group: [{ group: 'vpn' }] }, createMissing: true },
		accessColumns: { attributes: 'displayName' },
		...by('externalId', { deactivatesEmpty: true, maxPeopleAffected: 1000 }),
		...more,
	});
	const dan = want('HR-4', { userName: 'dan', displayName: 'Dan' });
	const keyless = ['nokey', 'same1', 'same2'].map((name) =>
		expect.objectContaining({ userName: name, status: 'skipped' }),
	);
	const kept = [want('HR-1'), want('HR-2')];
	table('access', 'reconcile', [
		{
			it: 'a user without a key keeps everything, and is listed; an absent user goes',
			...{ on: on({}, PERSONNEL), wish: listing([want('HR-1'), want('HR-3')]) },
			items: expect.arrayContaining(keyless),
			ends: { ben: 'inactive', cleo: 'vpn' },
		},
		{
			it: 'a user without a key is in the summary, in scope or not',
			on: on({}, { ana: PERSONNEL.ana, nokey: { ...PERSONNEL.nokey, has: '' } }),
			wish: listing([want('HR-1')], { preview: true }),
			items: [{ summary: expect.stringMatching(/Cannot be matched[^]*nokey/) }],
		},
		{
			it: 'a new user needs a user name, and is found again by the key',
			...{ on: on({}, PERSONNEL), wish: listing([...kept, dan]) },
			ends: { dan: 'vpn' },
			sets: { dan: { externalId: 'HR-4' } },
		},
		{
			it: 'a user name that another key has is an error, and nothing is taken away',
			on: on({}, PERSONNEL),
			wish: listing([want('HR-1'), want('HR-4', { userName: 'cleo' })]),
			fails: ['has the external ID HR-3'],
		},
		{
			it: 'one user name for two keys is an error, and nothing is taken away',
			on: on({}, PERSONNEL),
			wish: listing([want('HR-1'), dan, { ...dan, externalId: 'HR-5' }]),
			...{ fails: ['for two users (HR-4 and HR-5)'], sends: ['POST Users', 'PATCH vpn'] },
			ends: { dan: 'vpn' },
		},
	]);

	test('a plan creates no second account beside one that has come meanwhile', async () => {
		const world = on({}, PERSONNEL)();
		const [plan] = await play(
			...[world, ['access', 'reconcile'], listing([...kept, dan], { preview: true })],
		);
		world.service.create('dan.s', { externalId: 'HR-4' });
		await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(Object.keys(world.shape()).filter((name) => name.startsWith('dan'))).toEqual(['dan.s']);
	});
});

describe('Protected Users as emails, where user names are none', () => {
	for (const entry of [email('ana'), '*@example.com']) {
		const row = {
			it: `${entry} is protected`,
			...{ on: on({}, { ana: { ...PEOPLE.ana, has: 'vpn' } }), fails: ['protected'] },
		};
		const options = { matchUsersBy: 'email', protectedUsers: entry };
		table('access', 'offboard', [{ ...row, wish: { people: email('ana'), options } }]);
		table('user', 'reconcile', [
			{
				...row,
				wish: {
					...{ preview: false, usersFrom: 'json', options, ...matchOn('email') },
					usersJson: JSON.stringify([{ email: email('ana'), active: false }]),
				},
			},
		]);
	}
});
