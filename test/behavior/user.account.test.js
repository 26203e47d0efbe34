'use strict';

const { Account, Groups, email, errorsIn, locator, play, table } = require('../support/behavior');
const { mapped } = require('../support/node');
const { CORE, discovered } = require('../support/schemas');

const at = (fault) => ({ faults: [{ kind: 'status', ...fault }] });
const WARNING = {
	activate: 'Memberships that were lost by deactivation do not come back',
	deactivate: `Deactivating ${email('ana')} drops these memberships: whylabs-org-a:viewer.`,
};
const UNDOABLE = { overrideProfile: true, deletionIsFinal: 'no' };
const ana = (w) => ({ user: w.user('ana') });
const byName = { user: locator('email', email('ANA')) };
const inactive = { ends: { ana: 'inactive eng' } };
const gone = { ends: { ana: undefined } };
const service =
	(more, has = 'eng') =>
	() =>
		new Groups({ ana: has, bob: 'eng' }, { credential: UNDOABLE, ...more });
const account =
	(more, has = 'a:viewer') =>
	() =>
		new Account({ ana: has, bob: 'a:admin' }, more);

const SCIM_ERROR = {
	schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
	detail: 'No such thing',
};

describe('Deactivate', () => {
	table('user', 'deactivate', [
		...[
			ana,
			(w) => ({ user: { ...locator('list', w.userId('ana')), cachedResultName: 'Ana' } }),
		].map((wish, index) => ({
			it: `on the account all memberships go, which is said: ${['ID', 'list'][index]}`,
			...{ on: account(), wish },
			items: [
				{
					...{ active: false, groups: [], change: 'deactivated', status: 'done' },
					...{ reason: null, group: null, text: 'ana X (ana@example.com) was deactivated.' },
				},
			],
			warns: [WARNING.deactivate],
			ops: [{ op: 'replace', path: 'active', value: false }],
			...{ reads: ['GET ana', 'GET Groups'], ends: { ana: 'inactive' } },
			sets: { ana: { displayName: undefined } },
		})),
		{
			it: 'elsewhere memberships stay; a user name goes in any case',
			...{ on: service(), wish: byName, items: ['deactivated ana done'], warns: [] },
			...{ sends: ['PATCH ana'], ...inactive },
		},
		...[
			...['204', 'both', 'stale'].map((patchAnswers) => ({ patchAnswers })),
			...['upper', 'lower'].map((names) => ({ names })),
		].map((switches) => ({
			it: `done, whatever the answer is: ${JSON.stringify(switches)}`,
			...{ on: service(switches), wish: ana, items: ['deactivated ana done'] },
			...{ sends: ['PATCH ana'], ...inactive },
		})),
		...['text', 'number', 'word'].map((active) => ({
			it: `\`active\` as ${active}: read tolerantly`,
			wish: (w) => ({ items: [ana(w), { user: w.user('eve') }] }),
			...{ on: () => new Groups({ ana: 'eng', eve: 'inactive' }, { active }) },
			items: [{ active: false, status: 'done' }, { status: 'unchanged' }],
			...{ sends: ['PATCH ana'], ...inactive },
		})),
		...['undefined', 'absent'].map((active) => ({
			it: `\`active\` as "${active}": a deactivation that nobody sees is not claimed`,
			...{ on: service({ active }), wish: ana },
			fails: [
				'Could not confirm: deactivate user ana@example.com: the service shows active undefined',
			],
			...{ sends: ['PATCH ana'], ...inactive },
		})),
		...[account, service].map((on) => ({
			it: `nobody has the ID, although the PATCH would be answered with 204: ${on.name}`,
			...{ on: on(), wish: { user: locator('id', 'user-unknown') } },
			...{ fails: [/^No user has the ID user-unknown$/], reads: ['GET user-unknown 404'] },
		})),
		{
			it: '200 and nothing changed',
			on: service({ faults: ['PATCH', 'PUT'].map((method) => ({ method, kind: 'dropped' })) }),
			...{
				wish: ana,
				fails: [/^Could not confirm: /],
				sends: ['PATCH ana', 'PATCH ana', 'PUT ana'],
			},
		},
		{
			it: 'a SCIM Error within a 200',
			on: service(at({ on: 'PATCH', status: 200, body: { ...SCIM_ERROR, status: '404' } })),
			...{ wish: ana, fails: ['the service answered 404, No such thing'], sends: ['PATCH ana'] },
		},
		{
			it: '200 {} to what was done',
			...{ on: service(at({ on: 'PATCH', status: 200, body: {}, write: true })), wish: ana },
			...{ items: ['deactivated ana done'], sends: ['PATCH ana'], ...inactive },
		},
		...[404, 400].map((status) => ({
			it: `${status} although the user is there: an error, after one look`,
			...{ on: service(at({ on: 'PATCH', status })), wish: byName },
			fails: [new RegExp(`^(?!.*verify).*the service answered ${status}`)],
			sends: Array(status === 400 ? 2 : 1).fill('PATCH ana'),
			reads: ['GET Users', 'GET ana'],
		})),
	]);
});

describe('Activate', () => {
	table('user', 'activate', [
		{
			it: 'on the account memberships do not come back, which is said',
			...{ on: account({}, 'inactive'), wish: ana },
			items: [
				{
					...{ userName: email('ana'), active: true, groups: [], change: 'activated' },
					...{
						status: 'done',
						reason: null,
						group: null,
						text: 'ana X (ana@example.com) was activated.',
					},
				},
			],
			warns: [WARNING.activate],
			...{ ops: [{ op: 'replace', path: 'active', value: true }], reads: ['GET ana'] },
			...{ ends: { ana: '' }, sets: { ana: { displayName: undefined } } },
		},
		{
			it: 'elsewhere nothing is said',
			...{ on: service({}, 'inactive eng'), wish: byName, warns: [], sends: ['PATCH ana'] },
			ends: { ana: 'eng' },
		},
	]);
});

test('an update that takes an attribute along has failed, and others are not sent any more', async () => {
	const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
	const people = Object.fromEntries(names.map((name) => [name, { has: '', nickName: name }]));
	const onWrite = (_, scim) => {
		for (const { attributes } of scim.users.values()) delete attributes.nickName;
	};
	const world = new Groups(people, { onWrite });
	const items = names.map((name) => ({ user: world.user(name) }));
	const users = await play(world, ['user', 'update'], mapped({ title: 'Boss' }), items);
	expect(errorsIn(users)).toHaveLength(40);
	expect(errorsIn(users)[0]).toContain('p0@example.com no longer has nickName');
	expect(errorsIn(users)[39]).toContain('Nothing was sent');
	expect(world.service.written().length).toBeLessThan(20);
});

test('an answer that shows a part has lost nothing', async () => {
	const people = { ana: { has: '', nickName: 'An' } };
	const id = new Groups(people).user('ana').value;
	const body = { id, userName: email('ana'), title: 'Boss' };
	const world = new Groups(people, at({ on: 'PATCH', status: 200, write: true, body }));
	const wish = { ...ana(world), ...mapped({ title: 'Boss' }) };
	const [user] = await play(world, ['user', 'update'], wish);
	expect(user).toMatchObject({ status: 'done' });
	expect(world.requests ?? world.service.requests).toHaveLength(3);
});

test('what answers alone show, and the service does not describe, is a warning for each', async () => {
	const discovery = discovered([{ id: CORE, attributes: [{ name: 'displayName' }] }]);
	const world = new Groups({ ana: '', bob: '' }, { keepsAlone: ['displayName'], discovery });
	const items = ['ana', 'bob'].map((name) => ({ user: world.user(name) }));
	const users = await play(world, ['user', 'update'], mapped({ title: 'Boss' }), items);
	const warnings = ['The service does not keep title.'];
	expect(users).toMatchObject([
		{ status: 'done', warnings },
		{ status: 'done', warnings },
	]);
	const ofUsers = world.service.requests.filter(({ path }) => path.includes('/Users/'));
	expect(ofUsers).toHaveLength(6);
});

test('where reads lag behind, answers are believed again when a read has caught up', async () => {
	const world = new Groups({ ana: 'inactive', bob: 'inactive', cy: 'inactive' }, { lagReads: 3 });
	const items = ['ana', 'bob', 'cy'].map((name) => ({ user: world.user(name) }));
	const users = await play(world, ['user', 'activate'], {}, items);
	expect(users.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
});

describe('a service that answers with what was sent, and keeps ana as she was', () => {
	/** @param kept whether ana is active */
	const echoing = (kept) => () => {
		const world = new Groups({ ana: kept ? '' : 'inactive', bob: 'eng' });
		world.service.given.onRequest = (_, { method }, scim) => {
			if (method === 'GET') scim.setActive(world.user('ana').value, kept);
		};
		return world;
	};
	// The second time without a path.
	const sends = ['PATCH ana', 'PATCH ana'];
	const open = { sends, fails: [/^Could not confirm: .*shows active/] };
	table('user', 'deactivate', [
		{
			it: 'the deactivation is not done',
			...{ on: echoing(true), wish: ana, ...open, ends: { ana: '' } },
		},
	]);
	table('user', 'activate', [
		{ it: 'nor is the activation', on: echoing(false), wish: ana, ...open },
	]);
	table('access', 'offboard', [
		{
			it: 'the proof tells it',
			...{ on: echoing(true), wish: { people: email('ana') }, sends: ['PATCH ana'] },
			...{ fails: [/still active/], ends: { ana: '' } },
		},
	]);
});

const removesOn = (method) => ({
	onWrite: (request, scim) =>
		request.method === method && scim.users.delete([...scim.users.keys()][0]),
});

describe('a service that removes users it deactivates', () => {
	const off = { ...mapped({ active: false }) };
	/** It answers as if the user was still there. */
	const silent = { ...removesOn('PATCH'), ...at({ on: 'PATCH', status: 204, write: true }) };
	const removed = { sends: ['PATCH ana 404'], ...gone, once: true };
	table('user', 'deactivate', [
		{
			it: 'Deactivate is done: the user was there before',
			...{ on: service(removesOn('PATCH')), wish: byName, items: ['deactivated ana done'] },
			...{ warns: [`${email('ana')} is not there any more.`], ...removed },
			reads: ['GET Users', 'GET ana 404', 'GET Users', 'GET Users'],
		},
		...[byName, ana].map((wish) => ({
			it: 'likewise where the answer is 204',
			...{ on: service(silent), wish, items: ['deactivated ana done'] },
			...{
				warns: [
					`${email('ana')} is not there any more: after the deactivation, the service or another client removed the account.`,
				],
				...removed,
			},
		})),
	]);
	table('user', 'update', [
		{
			it: 'Update is done',
			...{ on: service(removesOn('PATCH')), wish: { ...byName, ...off } },
			...{
				items: [{ status: 'done', warnings: [`${email('ana')} is not there any more.`] }],
				...removed,
			},
		},
		{
			it: 'Update of something else is not',
			on: service(removesOn('PATCH')),
			wish: { ...byName, options: { attributesJson: '{"displayName": "A"}' } },
			...{ fails: ['the service answered 404'], ...removed },
		},
	]);
	table('user', 'upsert', [
		{
			it: 'Create or Update is done',
			on: service(removesOn('PATCH')),
			wish: { userName: email('ana'), additionalFields: { active: false } },
			...{
				items: [{ status: 'done', warnings: [`${email('ana')} is not there any more.`] }],
				...removed,
			},
		},
	]);
	table('user', 'activate', [
		...[
			[silent, 'there is no such user'],
			[removesOn('PATCH'), 'the service answered 404'],
		].map(([switches, says]) => ({
			it: `Activate is not: ${says}`,
			...{ on: service(switches, 'inactive eng'), wish: byName, fails: [says], ...removed },
		})),
	]);
});

describe('Delete', () => {
	const deleted = { sends: ['DELETE ana'], ...gone, once: true };
	const item = (more) => ({ userName: email('ana'), group: null, deleted: true, ...more });
	const SOFT = { deletesSoftly: true };
	const KEPT = `The service deactivated ${email('ana')} instead of deleting the account.`;
	table('user', 'delete', [
		{
			it: 'looks whether the user is gone, by ID and where the user was seen',
			...{ on: account(), wish: ana },
			items: [
				item({
					...{ change: 'deleted', status: 'done', reason: null },
					text: 'ana (ana@example.com) was deleted.',
				}),
			],
			...{ ...deleted, bodies: [], reads: ['GET ana', 'GET Groups', 'GET ana 404'] },
		},
		{
			it: 'a user found by name: also in the list',
			...{ on: service(), wish: byName, items: [item({ status: 'done' })], ...deleted },
			reads: ['GET Users', 'GET ana 404', 'GET Users', 'GET Users'],
		},
		...[404, 410].map((status) => ({
			it: `404 to the DELETE: ${status} to the GET is proof`,
			on: service({ ...removesOn('DELETE'), ...at({ on: 'GET /Users/', nth: 2, status }) }),
			wish: ana,
			items: [
				item({
					...{ change: 'none', status: 'unchanged', reason: 'the user was gone already' },
					text: 'ana (ana@example.com) was already gone.',
				}),
			],
			...{ ...deleted, sends: ['DELETE ana 404'] },
		})),
		{
			it: 'an answer that was lost, and 404 to the next: done, this run did it',
			on: service({ faults: [{ method: 'DELETE', kind: 'reset-after', times: 1 }] }),
			...{ wish: ana, items: [item({ status: 'done' })] },
			...{ ...deleted, sends: ['DELETE ana', 'DELETE ana 404'] },
		},
		{
			it: '200 with a body',
			...{ on: service({ deleteAnswer: 200 }), wish: ana, items: [item({ status: 'done' })] },
			...deleted,
		},
		{
			it: '204, and the user is still there',
			...{ on: service({ faults: [{ method: 'DELETE', kind: 'dropped' }] }), wish: ana },
			fails: [/^Could not confirm: delete user ana@example.com: the user is still there$/],
			sends: ['DELETE ana'],
		},
		{
			it: '404, and the user is still there',
			...{ on: service(at({ on: 'DELETE', status: 404 })), wish: ana },
			...{ fails: ['the user is still there'], sends: ['DELETE ana'] },
		},
		{
			it: 'nobody has the ID',
			...{ on: service(), wish: { user: locator('id', 'user-9') } },
			fails: [/^No user has the ID user-9$/],
		},
		{
			it: 'nobody has the ID, which counts as gone',
			on: service(),
			wish: { user: locator('id', 'user-9'), options: { ifNotFound: 'alreadyGone' } },
			items: [
				{
					...{ change: 'none', userId: 'user-9', userName: null, group: null, deleted: false },
					...{ status: 'unchanged', reason: 'no user has this email or ID' },
					text: 'user-9 was already gone.',
				},
			],
		},
		{
			it: 'a service that deactivates instead: done, and said',
			...{ on: service(SOFT), wish: byName },
			...{ items: [item({ active: false, deleted: false, status: 'done' })], warns: [KEPT] },
			...{ sends: ['DELETE ana'], ends: { ana: 'inactive' }, once: true },
		},
		{
			it: 'a service that deactivates instead a user who was inactive: not done',
			...{ on: service(SOFT, 'inactive eng'), wish: byName },
			...{ fails: ['the user is still there, inactive'], sends: ['DELETE ana'] },
			ends: { ana: 'inactive' },
		},
		{
			it: 'many: one look for each by ID, and one list for all',
			on: () => new Account({ bob: 'a:admin', p1: '', p2: '', p3: '', p4: '' }),
			wish: { items: [1, 2, 3, 4].map((nth) => ({ user: locator('email', email(`p${nth}`)) })) },
			items: Array(4).fill(expect.objectContaining({ deleted: true })),
			...{ ends: { p1: undefined, p2: undefined, p3: undefined, p4: undefined }, reads: 7 },
			once: true,
		},
	]);
	table('access', 'offboard', [
		{
			it: 'Offboard: a service that deactivates instead',
			...{ on: service(SOFT, ''), wish: { people: email('ana'), method: 'delete' } },
			items: [{ userName: email('ana'), active: false, deleted: false, status: 'done' }],
			...{ sends: ['DELETE ana'], ends: { ana: 'inactive' }, once: true },
		},
	]);
});
