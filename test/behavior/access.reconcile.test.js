'use strict';

const { Account, Groups, email, emails, locator, play, table } = require('../support/behavior');

const ALL = { preview: false, unwanted: 'revoke' };
const json = (rows, fields) => () => ({ ...ALL, wantedFrom: 'json', wantedJson: rows, ...fields });
const items = (rows, fields) => ({
	...ALL,
	wantedFrom: 'items',
	items: rows.map((one) => ({ json: one })),
	...fields,
});
/** Rows from a list, or as items. */
const FROM = { json, items: (rows, fields) => () => items(rows, fields) };

describe('on the account', () => {
	const PEOPLE = { ana: 'a:viewer acct:admin', bob: 'a:admin b:admin', cid: 'b:member', dan: '' };
	const account = (more, switches) => () => new Account({ ...PEOPLE, ...more }, switches);
	/** A row for each word: `row('bob', 'a:admin', 'b:admin')`. */
	const row = (name, ...words) =>
		words.map((word) => {
			const [organization, role] = word.split(':');
			return { email: email(name), organization: `org-${organization}`, role };
		});
	const BOB = row('bob', 'a:admin', 'b:admin');
	const ANA = row('ana', 'a:viewer');
	const CID = row('cid', 'b:member');
	const IN_A_AND_B = { accessBy: 'organizationAndRole', scopeOrganizations: 'org-a, org-b' };
	const wish = (rows, fields) => json(rows, { ...IN_A_AND_B, ...fields });
	/** Rows on that account, unless they say otherwise. */
	const reconcile = (rows) =>
		table(
			'access',
			'reconcile',
			rows.map((one) => ({ on: account(), ...one })),
		);
	const DEACTIVATES = { options: { deactivatesEmpty: true } };

	reconcile([
		{
			it: 'grants, moves and revokes; access outside of the scope stays; others come out as items of their own',
			wish: () => items([...row('ANA', 'a:Member'), ...BOB, ...row('dan', 'b:viewer')], IN_A_AND_B),
			items: [
				'moved ANA a viewer>member done',
				'none bob a:admin unchanged',
				'none bob b:admin unchanged',
				'granted dan b:viewer done',
				{
					change: 'revoked',
					userName: email('cid'),
					roleBefore: 'member',
					role: null,
					text: 'cid@example.com was removed from org-b.',
				},
			],
			from: [0, 1, 2, 3, [0, 1, 2, 3]],
			ends: { ana: 'a:member acct:admin', dan: 'b:viewer', cid: '' },
		},
		{
			it: 'a list that is so already costs the lists of groups and of users',
			wish: wish([...BOB, ...ANA, ...CID]),
			items: [{ change: 'none', status: 'unchanged', userId: null }],
			reads: 2,
		},
		{
			it: 'rows outside of the scope fail; a role that is not ours is never moved away',
			wish: () =>
				items(
					[
						...row('dan', 'b:member'),
						...row('bob', 'a:viewer'),
						...row('ana', 'a:admin'),
						...row('dan', 'a:viewer'),
					],
					{ ...IN_A_AND_B, scopeOrganizations: 'org-a', scopeRoles: 'Member, viewer' },
				),
			fails: [
				'member in org-b is not in scope',
				'bob@example.com is admin in org-a, which is not in scope',
				'admin in org-a is not in scope',
			],
			sends: ['PATCH a:viewer'],
			ends: { dan: 'a:viewer' },
		},
		{
			it: 'what an inactive user has outside of the scope holds nothing back inside',
			on: account({ gone: 'inactive a:viewer b:member' }),
			wish: () =>
				items([...row('gone', 'b:member'), ...ANA], {
					...IN_A_AND_B,
					scopeOrganizations: 'org-a',
					scopeRoles: 'viewer',
				}),
			fails: ['member in org-b is not in scope'],
			sends: ['PATCH a:viewer'],
			ends: { gone: 'inactive b:member' },
		},
		{
			it: 'Keep leaves access that no row wants alone',
			wish: wish(ANA, { unwanted: 'keep' }),
			items: [{ change: 'none', status: 'unchanged' }],
		},
		{
			it: 'Report lists it, for people in rows with the item of the person',
			wish: () => items([...CID, ...row('bob', 'a:admin')], { ...IN_A_AND_B, unwanted: 'report' }),
			items: [
				'none cid b:member unchanged',
				{ organization: 'org-b', status: 'skipped', reason: 'no row wants it' },
				'none bob a:admin unchanged',
				{
					userName: email('ana'),
					organization: 'org-a',
					status: 'skipped',
					reason: 'no row wants any access for the person',
				},
			],
			from: [0, 1, 1, [0, 1]],
		},
		{
			it: 'a row that cannot be used holds back removals in its organization, grants go on',
			wish: wish([...BOB, ...row('dan', 'b:member'), ...row('cid', 'b:owner')]),
			fails: ['"owner" is not a role'],
			ends: { dan: 'b:member', ana: 'acct:admin' },
		},
		{
			it: 'missing people are created, people who end with nothing are deactivated',
			wish: wish([...ANA, ...BOB, ...row('new', 'b:member', 'a:viewer')], {
				createMissing: true,
				...DEACTIVATES,
			}),
			sends: ['POST Users', 'PATCH b:member', 'PATCH a:viewer', 'PATCH cid'],
			sets: { cid: { displayName: undefined } },
			ends: { cid: 'inactive', new: 'a:viewer b:member' },
		},
		{
			it: 'an organization in scope without any row is an error that names it',
			wish: wish(row('bob', 'a:admin')),
			fails: ['No row wants access in org-b'],
		},
		...[
			['an empty list', json([], IN_A_AND_B)],
			[
				'only rows that say nothing',
				() => items([{ email: '', organization: '', role: '' }], IN_A_AND_B),
			],
			['what Always Output Data gives of no rows', () => items([{}], IN_A_AND_B)],
		].map(([it, empty]) => ({
			it: `${it} is an error`,
			wish: empty,
			fails: ['Desired Access is empty'],
		})),
		{
			it: 'the last admin goes once a new one was seen, whichever of the newcomers that is',
			on: account({ eva: 'inactive' }),
			wish: () =>
				items([...row('eva', 'b:admin'), ...row('new', 'b:admin')], {
					...IN_A_AND_B,
					scopeOrganizations: 'org-b',
					scopeRoles: 'admin',
					createMissing: true,
				}),
			items: [
				expect.objectContaining({ status: 'skipped', reason: 'inactive' }),
				...[expect.anything(), expect.anything(), expect.anything()],
			],
			sends: ['POST Users', 'PATCH b:admin', 'PATCH b:admin'],
			ends: { new: 'b:admin', bob: 'a:admin' },
		},
		{
			it: 'rows of an inactive user that contradict each other are wrong, not skipped',
			on: account({ eva: 'inactive' }),
			wish: () =>
				items([...row('eva', 'b:viewer'), ...row('eva', 'b:member')], {
					...IN_A_AND_B,
					unwanted: 'keep',
				}),
			fails: Array(2).fill(/want two roles for/),
			sends: [],
		},
		{
			it: 'an inactive user of whom only the answer to a create tells is skipped as well',
			on: account({ eva: 'inactive' }),
			wish: () =>
				items(row('eva', 'b:viewer'), { ...IN_A_AND_B, unwanted: 'keep', createMissing: true }),
			items: Array(2).fill({ status: 'skipped', reason: 'inactive' }),
			...{ sends: ['POST Users 409'], once: true },
		},
		{
			it: 'who was given a role while inactive is let in with Reactivate, from one list of users',
			on: () => {
				const people = { bob: 'b:admin', cid: 'inactive', dan: 'b:viewer', eva: 'b:viewer' };
				const w = new Account(people);
				w.put({ cid: 'b:member' });
				return w;
			},
			wish: wish(
				[...row('bob', 'b:admin'), ...CID, ...row('dan', 'b:viewer'), ...row('eva', 'b:viewer')],
				{ scopeOrganizations: 'org-b', options: { reactivate: true } },
			),
			sends: ['PATCH cid'],
			reads: 2,
			sets: { cid: { displayName: undefined } },
			ends: { cid: 'b:member' },
		},
	]);

	describe('a row that cannot be used', () => {
		const FOREIGN = 'sam@example.net';
		const foreign = { email: FOREIGN, organization: 'org-a', role: 'member' };
		/** Holds removals back in org-c alone, so that ana and cid lose all that they have in scope. */
		const badIn = (more) => ({ organization: 'org-c', role: 'owner', ...more });
		const LEAN = { ana: 'a:viewer', bob: 'a:admin b:admin', cid: 'b:member', dan: '' };
		const withForeign = (people, more) => () => {
			const w = new Account(people, more);
			w.service.foreign.add(FOREIGN);
			return w;
		};
		const lean = withForeign(LEAN, { groups: ['c'] });
		/** The end of ana and cid, who lose what they have in scope; the account forgets a display name. */
		const LOST = { ana: 'a:viewer', cid: 'b:member' };
		const endOf = (inactive) => ({
			ends: { ana: '', cid: '', ...Object.fromEntries(inactive.map((name) => [name, 'inactive'])) },
			sets: Object.fromEntries(inactive.map((name) => [name, { displayName: undefined }])),
		});

		for (const from of ['items', 'json']) {
			reconcile([
				...[
					{ mail: email('cid'), team: 'org-b', level: 'member' },
					{ email: '', organization: '', role: '', note: 'ask Cid' },
					{ email: '', organization: null, role: [], left: 0 },
				].map((bad) => ({
					it: `of ${from}, ${JSON.stringify(bad)}: nobody loses anything`,
					wish: FROM[from]([...BOB, bad], IN_A_AND_B),
					fails: ['Row 3 has no person'],
				})),
				{
					it: `of ${from}, without a person: nobody loses anything where it is about`,
					wish: FROM[from]([...BOB, { ...CID[0], email: ' ' }], IN_A_AND_B),
					fails: ['Row 3 has no person'],
					ends: { ana: 'acct:admin' },
				},
				...[
					{},
					{ email: '', organization: null, role: ' ' },
					{ row_number: 7, email: '', other: '', tags: [] },
				].map((blank) => ({
					it: `of ${from}, ${JSON.stringify(blank)} is blank and holds nothing back`,
					wish: FROM[from]([...BOB, ...CID, blank], IN_A_AND_B),
					sends: ['PATCH a:viewer'],
					ends: { ana: 'acct:admin' },
				})),
			]);
		}

		reconcile([
			...['cid@example.com,org-b,member', ['cid@example.com'], [], 7, '', null].map((bad) => ({
				it: `an entry ${JSON.stringify(bad)} of a list: nobody loses anything`,
				wish: wish([...BOB, bad]),
				fails: ['Row 3 is not an object with fields'],
			})),
			{
				it: 'about an organization that is not there: nobody loses anything',
				wish: wish([...BOB, ...row('cid', 'bb:member')]),
				fails: ['There is no organization org-bb'],
			},
			{
				it: 'for a user of another account, found by filter only: no one loses access',
				on: withForeign(PEOPLE),
				wish: wish([...BOB, foreign]),
				fails: ['belongs to another account'],
			},
			{
				it: 'the same with Create Missing Users',
				on: withForeign(PEOPLE),
				wish: wish([...BOB, foreign], { createMissing: true, ...DEACTIVATES }),
				fails: ['belongs to another account'],
			},
			...[
				['whom it names stays active', badIn({ email: 'CID@example.com' }), ['ana']],
				['also in another field', badIn({ email: email('ana'), note: '<cid@example.com>' }), []],
				['who has nothing stays, the others go', badIn({ email: email('dan') }), ['ana', 'cid']],
				...[
					badIn({ email: 'cyd@example.com' }),
					badIn({ email: email('ana'), mail: 'cyd@example.com' }),
					badIn({ userId: 'user-0' }),
					badIn({ email: 'user-0' }),
					badIn({ email: '' }),
					badIn({ email: 'cid@' }),
					{ ...foreign, organization: 'org-c' },
					row('cyd', 'c:member')[0],
				].map((bad) => [
					`nobody is deactivated who may be meant by ${JSON.stringify(bad)}`,
					bad,
					[],
				]),
			].map(([it, bad, inactive]) => ({
				it,
				on: lean,
				wish: wish([...BOB, bad], DEACTIVATES),
				fails: [/./],
				...endOf(inactive),
			})),
			...['userId', 'person'].map((key) => ({
				it: `a user it names by ${key} stays active, and comes out so`,
				on: lean,
				wish: (w) => wish([...BOB, badIn({ [key]: w.user('cid').value })], DEACTIVATES)(),
				fails: ['"owner" is not a role'],
				items: [
					{ status: 'failed' },
					{
						reason: expect.stringMatching(
							/^row 3 \(user-.+\) cannot be used, and may mean the person$/,
						),
					},
					'deactivated ana done',
					'revoked cid b:member done',
				],
				...endOf(['ana']),
			})),
			{
				it: 'an email in another field of a row without a person may be anybody: nobody is deactivated',
				on: lean,
				wish: wish(
					[...BOB, { email: '', organization: 'org-a', role: 'member', manager: email('bob') }],
					DEACTIVATES,
				),
				fails: ['Row 3 has no person'],
				ends: { cid: '' },
			},
		]);
	});

	describe('Preview', () => {
		const AS_IT_IS = [...BOB, ...ANA, ...CID];
		const INACTIVE = { dan: 'inactive' };
		/** The item of a preview; its texts without the signs that keep chats from making links of names. */
		const previewOf = async (w, rows, fields) => {
			const lists = Array.isArray(rows[0]) ? rows.map((list) => ({ wantedJson: list })) : undefined;
			const given = { ...wish(rows, fields)(), preview: true };
			if (lists) delete given.wantedJson;
			const [item, ...more] = await play(w, ['access', 'reconcile'], given, lists);
			expect(more).toStrictEqual([]);
			expect(w.service.written()).toStrictEqual([]);
			return { ...item, text: item.summary.replaceAll('\u200B', '') };
		};
		const lineOf = ({ change, person }) => `${change} ${person.userName.split('@')[0]}`;
		const changesIn = ({ plan }) => plan.changes.map(lineOf).sort();
		const applied = async (w, item, fields) =>
			await play(w, ['access', 'applyPlan'], { changes: 'all', plan: item, ...fields });

		test.each([
			['a row that cannot be read', { mail: email('cid') }, 'has no person'],
			['an unknown user', row('cyd', 'b:member')[0], 'No user has the user name'],
			[
				'two roles',
				row('cid', 'b:viewer')[0],
				'Rows 4 (cid@example.com) and 5 (cid@example.com) want two roles',
			],
			['a role outside of the scope', row('bob', 'c:admin')[0], 'admin in org-c is not in scope'],
			[
				'an inactive user',
				row('dan', 'b:viewer')[0],
				'row 5 (dan@example.com): dan@example.com is inactive',
				INACTIVE,
			],
			[
				'protection',
				row('dan', 'a:member')[0],
				'row 5 (dan@example.com): dan@example.com is protected',
				{},
				{ options: { protectedUsers: email('dan') } },
			],
		])('names the row, and does not say that access matches: %s', async (...given) => {
			const [, bad, reason, more, fields] = given;
			const w = new Account({ ...PEOPLE, ...more }, { groups: ['c'] });
			const { requests, text } = await previewOf(w, [...AS_IT_IS, bad], fields);
			expect(text).not.toContain('Access matches');
			for (const words of ['row 5', reason]) expect(text).toContain(words);
			expect(requests).toStrictEqual([]);
		});

		test('a blank row changes nothing: access is as wanted', async () => {
			const { text } = await previewOf(account()(), [...AS_IT_IS, {}]);
			expect(text).toContain('Access matches what is wanted.');
			expect(text).not.toContain('cannot be used');
		});

		test.each([
			['no row', []],
			['only blank rows', [{}, { email: '' }]],
			[
				'only blank rows, which may be',
				[{}, { email: '' }],
				{ options: { allowEmptyOrganizations: true } },
			],
			['only rows that cannot be used', [{ mail: email('cid') }]],
		])('nothing was compared: %s', async (...given) => {
			const [, rows, fields] = given;
			const { text } = await previewOf(account()(), rows, { unwanted: 'keep', ...fields });
			expect(text).not.toContain('Access matches');
			expect(text).toContain('Nothing was compared');
		});

		test('a list that is none is named, too, and of several a row with its item', async () => {
			const none = await previewOf(account()(), [AS_IT_IS, 'none'], { unwanted: 'keep' });
			expect(none.text).not.toContain('Access matches');
			expect(none.text).toContain('Desired Access (JSON) is not a list');
			const several = await previewOf(account()(), [BOB, [...ANA, 'cid']]);
			expect(several.text).toContain('row 2 of item 1 cannot be used');
		});

		test('limits on creates and deactivations are counted', async () => {
			const rows = [...BOB, ...row('x', 'b:member'), ...row('y', 'b:member')];
			const options = {
				maxCreates: 1,
				deactivatesEmpty: true,
				maxPeopleAffected: 0,
				maxPercentAffected: 0,
			};
			const { plan } = await previewOf(account()(), rows, { createMissing: true, options });
			expect(plan.excess).toEqual(
				expect.arrayContaining([
					{ kind: 'creates', people: 2, limit: 1 },
					{ kind: 'deactivations', people: 1, limit: 0 },
				]),
			);
		});

		const WANTED = [...row('ana', 'a:member'), ...BOB, ...row('new', 'b:member')];
		const NEW = { createMissing: true };
		const END = { ...PEOPLE, ana: 'a:member acct:admin', cid: '', new: 'b:member' };

		test('the plan is data with a summary; Apply Plan carries it out, once', async () => {
			const w = account()();
			const item = await previewOf(w, WANTED, { ...NEW, preview: undefined });
			expect(item.blockedBy).toStrictEqual([]);
			expect(item.requests).toHaveLength(3);
			expect(changesIn(item)).toEqual(['created new', 'granted new', 'moved ana', 'revoked cid']);
			expect(item.summary).toContain('1 revocation, 1 move, 1 new user, 1 grant; 3 requests.');
			expect(w.service.requests).toHaveLength(3);
			// What stands in the input as requests is never sent.
			for (const request of item.requests) request.path = '/scim/Groups/org-b:admin';
			await applied(w, item);
			expect(w.shape()).toEqual(END);
			const sent = w.service.written().length;
			await applied(w, item);
			expect(w.service.written()).toHaveLength(sent);
		});

		test.each([
			['maxCreates', '1 people would be created'],
			['maxPeopleAffected', '1 people would lose access'],
		])('the guards hold again: %s', async (limit, message) => {
			const w = account()();
			const item = await previewOf(w, WANTED, NEW);
			const items = await applied(w, item, { options: { [limit]: 0, maxPercentAffected: 0 } });
			expect(items.map(({ error }) => String(error)).join()).toContain(message);
			expect(w.service.written()).toStrictEqual([]);
		});

		test('protected people are no part of a plan', async () => {
			const w = account()();
			const item = await previewOf(w, WANTED, {
				...NEW,
				options: { protectedUsers: 'ana@*, cid@*, new@*' },
			});
			expect(changesIn(item)).toStrictEqual([]);
			for (const words of ['row 1 (', 'row 4 (', 'Left alone', 'is protected'])
				expect(item.text).toContain(words);
			await applied(w, item);
			expect(w.shape()).toEqual(w.before);
		});

		test('an inactive user is activated by Apply Plan, too, and not planned at all without Reactivate', async () => {
			const w = account(INACTIVE)();
			const rows = [...AS_IT_IS, ...row('dan', 'b:viewer')];
			expect(changesIn(await previewOf(w, rows))).toStrictEqual([]);
			const item = await previewOf(w, rows, { options: { reactivate: true } });
			expect(changesIn(item)).toEqual(['activated dan', 'granted dan']);
			await applied(w, item);
			expect(w.shape()).toEqual({ ...PEOPLE, dan: 'b:viewer' });
		});
	});
});
