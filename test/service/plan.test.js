'use strict';

require('../support/noWaiting');
const { inGroup, person, withServer } = require('../wild/play');
const { byId } = require('../support/node');
const { requestsOf, rolesOf, withService } = require('../support/service');
const { fromExpression, oneRole, someGroups } = require('../support/accessRows');

// Apply Plan takes only what Preview returned, checks each change against the service, and makes what is left.

const email = (name) => `${name}@example.com`;
const seed = {
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-b', 'org-c'].map((id) => ({ id, name: id })),
	users: ['ana', 'bob', 'cid', 'dan'].map((name) => ({ userName: email(name) })),
	memberships: [
		{ userName: email('ana'), organization: 'org-a', role: 'admin' },
		{ userName: email('ana'), organization: 'org-b', role: 'admin' },
		{ userName: email('bob'), organization: 'org-a', role: 'admin' },
		{ userName: email('bob'), organization: 'org-b', role: 'member' },
		{ userName: email('cid'), organization: 'org-a', role: 'viewer' },
	],
};
const ALL = { bob: { 'org-a': 'admin', 'org-b': 'member' }, cid: { 'org-a': 'viewer' } };
const idOf = (service, name) => service.state.userByName(email(name)).id;
const writesOf = (service) => requestsOf(service).filter((line) => !line.startsWith('GET'));

const revokesAll = (...names) => ({ people: names.map(email).join(', '), revokeIn: 'all' });

async function preview(scim, operation, parameters, more) {
	const { json, error } = await scim('access', operation, { ...parameters, preview: true }, more);
	expect(error).toBeUndefined();
	return JSON.parse(JSON.stringify(json[0]));
}

/** Error items as the node returns them: n8n keeps of them only the error. */
async function apply(scim, item, parameters = {}, more = {}) {
	const { json, returned } = await scim('access', 'applyPlan', parameters, {
		...{ items: [].concat(item), onError: 'continueErrorOutput' },
		...more,
	});
	return { json, errorJson: returned.filter(({ error }) => error !== undefined) };
}

const EDITED = 'The plan was edited after it was made';
const ROTATED = "The credential's secret has changed since the plan was made";

/** Seven people in one place, and nobody in the other, on both kinds of services. */
const CROWD = [1, 2, 3, 4, 5, 6, 7].map((number) => person(number));
const namesOf = (...numbers) => numbers.map((number) => CROWD[number - 1].userName).join(', ');
const KINDS = {
	async 'account organizations'(work) {
		const memberships = CROWD.map(({ userName }) => ({
			...{ userName, organization: 'org-a', role: 'member' },
		}));
		const users = CROWD.map(({ userName }) => ({ userName }));
		await withService({ seed: { ...seed, users, memberships } }, async (service, scim) => {
			await work({
				scim,
				idOf: (number) => service.state.userByName(namesOf(number)).id,
				full: { organization: byId('org-a'), ...oneRole(byId('org-a'), 'member') },
				empty: oneRole(byId('org-b'), 'viewer'),
				otherGroup: 'whylabs-org-a:member',
				otherToken: service.accountToken.replace(/^[^:]*/, 'another-key'),
				requests: () => requestsOf(service),
				state: () => service.state.table(),
			});
		});
	},
	async 'plain groups'(work) {
		const groups = [
			{ id: 'g-1', displayName: 'VPN', members: CROWD.map(({ id }) => id) },
			{ id: 'g-2', displayName: 'Engineering' },
		];
		await withServer({ users: CROWD, groups }, async (server, scim) => {
			await work({
				scim,
				idOf: (number) => CROWD[number - 1].id,
				full: { accessBy: 'group', ...someGroups(byId('g-1')) },
				empty: { accessBy: 'group', ...someGroups(byId('g-2')) },
				otherGroup: 'g-1',
				otherToken: 'another-key',
				requests: () => server.requests.map(({ method, path }) => `${method} ${path}`),
				state: () => structuredClone([server.users, server.groups]),
			});
		});
	},
};

describe.each(Object.keys(KINDS))('%s: a plan that is not as Preview returned it', (kind) => {
	const whole = (change) => (plan, own) => Object.assign(plan, change(plan, own));
	const guards = (change) => (plan) => Object.assign(plan.guards, change);
	const first = (change) => (plan, own) =>
		Object.assign(plan.changes[0], change(plan.changes[0], own));
	const person = (change) => (plan, own) =>
		Object.assign(plan.changes[0].person, change(plan, own));
	const given = (change) => (plan, own) =>
		Object.assign(plan.changes[0].after[0], change(plan, own));
	/** The plan makes the first two people members of the empty place. */
	const EDITS = {
		person: person((_, { idOf }) => ({ id: idOf(3), userName: namesOf(3) })),
		'ID of the person': person((_, { idOf }) => ({ id: idOf(3) })),
		'name of the person': person(() => ({ userName: namesOf(3) })),
		group: given((_, { otherGroup }) => ({ groupId: otherGroup })),
		role: given(() => ({ role: 'admin' })),
		'what is before': first(({ after }) => ({ before: after })),
		kind: first(() => ({ change: 'revoked' })),
		'what it rests on': first(() => ({ restsOn: [{ on: 'access', groups: [] }] })),
		attributes: first(() => ({ attributes: { active: true } })),
		reason: first(() => ({ why: 'asked for by the boss' })),
		'a change less': ({ changes }) => changes.pop(),
		'order of changes': ({ changes }) => changes.reverse(),
		'limit by volume': guards({ maxPeopleAffected: 500 }),
		'what is beyond it': whole(() => ({ excess: [{ kind: 'creates', people: 7, limit: 5 }] })),
		'protected users': guards({ protectedUsers: [] }),
		setting: ({ settings }) => Object.assign(settings, { reactivate: true }),
		time: whole(({ time }) => ({ time: time.replace('T', 't') })),
		operation: whole(() => ({ operation: 'revoke' })),
		people: whole(({ changes: [{ id, userName }] }) => ({ people: [{ id, userName }] })),
		seal: whole(({ seal }) => ({ seal: seal.toUpperCase() })),
		'seal, longer': whole(({ seal }) => ({ seal: `${seal}00` })),
		'no seal': whole(() => ({ seal: '' })),
	};
	const ELSEWHERE = {
		service: ['made for another service', whole(() => ({ service: 'http://other.test' }))],
		account: [
			'made for another account',
			whole(({ account }) => ({ account: account === '' ? 'org-acct' : '' })),
		],
		format: ['has format 1', whole(() => ({ version: 1 }))],
		'unknown operation': ['which this version does not have', whole(() => ({ operation: 'x' }))],
		'unknown field': ['This is not a plan', whole(() => ({ acceptEdited: true }))],
	};

	/** @param edit gives the credential of Apply Plan, where it is another */
	const refuses = async (edit, error) =>
		await KINDS[kind](async (own) => {
			const { scim, empty, requests, state } = own;
			const options = { protectedUsers: email('root') };
			const item = await preview(scim, 'assign', { people: namesOf(1, 2), ...empty, options });
			const [before, sent] = [state(), requests().length];
			const credential = edit(item.plan, own);
			const { json, errorJson } = await apply(scim, item, {}, { credential });
			expect(json).toStrictEqual([]);
			expect(errorJson).toEqual([
				expect.objectContaining({ error: expect.stringContaining(error), status: 'failed' }),
			]);
			expect(requests().slice(sent)).toStrictEqual([]);
			expect(state()).toEqual(before);
		});

	test.each(Object.keys(EDITS))('is refused before anything is asked: %s', async (name) => {
		await refuses((plan, own) => void EDITS[name](plan, own), EDITED);
	});

	test('is refused before anything is asked: a token that was changed since', async () => {
		await refuses((_, { otherToken }) => ({ accountApiToken: otherToken }), ROTATED);
	});

	test.each(Object.keys(ELSEWHERE))('is refused by name: %s', async (name) => {
		const [error, edit] = ELSEWHERE[name];
		await refuses((plan) => void edit(plan), error);
	});
});

describe('a plan of somewhere else', () => {
	test('another service', async () => {
		await withService({ seed }, async (_, there) => {
			const item = await preview(there, 'revoke', revokesAll('cid'));
			await withService({ seed }, async (service, scim) => {
				const { errorJson } = await apply(scim, item);
				expect(errorJson[0].error).toContain('The plan was made for another service');
				expect(requestsOf(service)).toStrictEqual([]);
			});
		});
	});

	test('another account', async () => {
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'revoke', revokesAll('cid'));
			service.log.requests.length = 0;
			const credential = { accountOrganizationId: 'org-b' };
			const { errorJson } = await apply(scim, item, {}, { credential });
			expect(errorJson[0].error).toContain('The plan was made for another account');
			expect(requestsOf(service)).toStrictEqual([]);
		});
	});

	test('the secret is in no item', async () => {
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'revoke', revokesAll('cid'));
			const { json } = await apply(scim, item);
			const secret = service.accountToken.split(':')[0];
			expect(JSON.stringify([item, json])).not.toContain(secret);
		});
	});
});

describe('a plan that cannot be used', () => {
	const refused = async (make, error) =>
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'revoke', revokesAll('cid'));
			const { items = item, ...parameters } = make(item);
			const { json, errorJson } = await apply(scim, items, parameters);
			expect(json).toStrictEqual([]);
			expect(errorJson[0].error).toContain(error);
			expect(writesOf(service)).toStrictEqual([]);
		});

	test('is none', async () => {
		await refused(() => ({ items: { any: 'thing' } }), 'This is not a plan');
		await refused(() => ({ items: { any: 'thing' }, preview: true }), 'This is not a plan');
	});

	test('is one of several', async () => {
		await refused((item) => ({ items: [item, item] }), 'More than one plan came in');
	});

	test('is too old', async () => {
		await refused(() => ({ options: { maxAge: 0 } }), 'The plan is too old');
	});

	test('is blocked, also when the reasons are taken out', async () => {
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'revoke', revokesAll('ana', 'bob'));
			expect(item.blockedBy).toHaveLength(1);
			expect(item.plan.blockedBy).toEqual(item.blockedBy);
			expect(item.summary).toContain('**Blocked: ');
			const blocked = await apply(scim, item);
			expect(blocked.errorJson[0].error).toContain('The plan is blocked');
			item.plan.blockedBy = [];
			expect((await apply(scim, item)).errorJson[0].error).toBe(EDITED);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});

	test('who is protected in the limits of the node is not touched', async () => {
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'revoke', revokesAll('cid'));
			const protectedUsers = email('cid');
			const { errorJson } = await apply(scim, item, { options: { protectedUsers } });
			expect(errorJson).toEqual([
				expect.objectContaining({
					...{ change: 'revoked', userName: email('cid'), status: 'failed' },
					error: expect.stringContaining('is protected'),
				}),
			]);
			expect(rolesOf(service, email('cid'))).toEqual(ALL.cid);
		});
	});

	test('its limits can be made stricter, not laxer', async () => {
		await withService({ seed }, async (service, scim) => {
			const lax = { maxPeopleAffected: 50 };
			const item = await preview(scim, 'revoke', revokesAll('bob', 'cid'));
			const strict = { maxPeopleAffected: 1, maxPercentAffected: 0 };
			const { errorJson } = await apply(scim, item, { options: strict });
			expect(errorJson[0].error).toContain('2 people would lose access');
			expect(writesOf(service)).toStrictEqual([]);
			const last = await preview(scim, 'revoke', revokesAll('ana', 'bob'));
			const { errorJson: still } = await apply(scim, last, {
				options: { ...lax, allowRemovingLastAdmin: true },
			});
			expect(still[0].error).toContain('The plan is blocked');
		});
	});
});

describe('checked against the service first', () => {
	test('a person with another role: all changes of the person fail, the others are made', async () => {
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'revoke', revokesAll('bob', 'cid'));
			service.state.directory.setRole(idOf(service, 'bob'), 'org-b', 'viewer');
			const { json, errorJson } = await apply(scim, item);
			expect(json).toEqual([
				expect.objectContaining({ change: 'revoked', userName: email('cid'), status: 'done' }),
			]);
			expect(errorJson.map(({ change, organization }) => [change, organization])).toEqual([
				['revoked', 'org-a'],
				['revoked', 'org-b'],
			]);
			for (const { error } of errorJson) {
				expect(error).toBe(
					'bob@example.com is viewer in org-b, but was member when this was planned',
				);
			}
			expect(rolesOf(service, email('bob'))).toEqual({ 'org-a': 'admin', 'org-b': 'viewer' });
		});
	});

	test('a person who is inactive by now', async () => {
		await withService({ seed }, async (service, scim) => {
			const grant = oneRole(byId('org-c'), 'member');
			const item = await preview(scim, 'assign', {
				people: `${email('dan')}, ${email('cid')}`,
				...grant,
			});
			service.state.directory.setActive(idOf(service, 'dan'), false);
			const { json, errorJson } = await apply(scim, item);
			expect(json.map(({ userName }) => userName)).toEqual([email('cid')]);
			expect(errorJson.map(({ error }) => error)).toEqual([
				'dan@example.com is inactive, but was active when this was planned',
			]);
			expect(rolesOf(service, email('dan'))).toEqual({});
		});
	});

	test('a leaver who has got more since', async () => {
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'offboard', { people: `${email('bob')}, ${email('cid')}` });
			service.state.directory.setRole(idOf(service, 'cid'), 'org-c', 'member');
			const { json, errorJson } = await apply(scim, item);
			expect(json.map(({ userName, status }) => [userName, status])).toEqual([
				[email('bob'), 'done'],
			]);
			expect(errorJson[0]).toMatchObject({ userName: email('cid'), status: 'failed' });
			expect(errorJson[0].error).toBe(
				'cid@example.com is member in org-c, but was not when this was planned',
			);
			expect(service.state.userByName(email('cid')).active).toBe(true);
		});
	});

	test('what is made already is unchanged, and nothing is sent', async () => {
		await withService({ seed }, async (service, scim) => {
			const wanted = [{ organization: 'org-a', role: 'viewer' }];
			const item = await preview(scim, 'set', {
				people: email('bob'),
				...fromExpression(wanted),
			});
			const first = await apply(scim, item);
			expect(first.json.map(({ change, status }) => [change, status])).toEqual([
				['moved', 'done'],
				['revoked', 'done'],
			]);
			service.log.requests.length = 0;
			const again = await apply(scim, item);
			expect(again.errorJson).toStrictEqual([]);
			expect(again.json.map(({ change, status }) => [change, status])).toEqual([
				['none', 'unchanged'],
				['none', 'unchanged'],
			]);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});

	test('somebody who is gone can lose what is left, and get nothing', async () => {
		await withService({ seed }, async (service, scim) => {
			const revoked = await preview(scim, 'revoke', revokesAll('cid'));
			const granted = await preview(scim, 'assign', {
				...{ people: email('cid'), ...oneRole(byId('org-c'), 'member') },
			});
			service.state.directory.delete(idOf(service, 'cid'));
			const { json, errorJson } = await apply(scim, revoked);
			expect(errorJson).toStrictEqual([]);
			expect(json).toEqual([
				expect.objectContaining({ status: 'unchanged', reason: 'the user is gone' }),
			]);
			const other = await apply(scim, granted);
			expect(other.errorJson[0].error).toBe(
				'cid@example.com is no longer there, but was when this was planned',
			);
			expect(writesOf(service)).toStrictEqual([]);
		});
	});

	test('a plan without changes comes out as one item', async () => {
		await withService({ seed }, async (service, scim) => {
			const item = await preview(scim, 'revoke', {
				...{ people: email('dan'), organization: byId('org-a') },
			});
			expect(item.plan.changes).toStrictEqual([]);
			const { json, errorJson } = await apply(scim, item);
			expect(errorJson).toStrictEqual([]);
			expect(json).toEqual([expect.objectContaining({ change: 'none', status: 'unchanged' })]);
			expect(requestsOf(service).filter((line) => !line.startsWith('GET'))).toStrictEqual([]);
		});
	});
});

describe('plain groups', () => {
	const USERS = [person(1), person(2), person(3, { active: false })];
	const GROUPS = [
		{ id: 'g-1', displayName: 'Everyone', members: ['user-1', 'user-2'] },
		{ id: 'g-2', displayName: 'VPN', members: ['user-1'] },
		{ id: 'g-3', displayName: 'Engineering', members: ['user-2'] },
	];
	const rows = (...names) => ({ group: names.map((group) => ({ group })) });
	const set = {
		...{ people: 'user-1', accessBy: 'group', groups: rows(byId('g-3')) },
		managedGroups: rows('VPN', 'Engineering'),
	};
	const ROLES = {
		...{ groupsStandFor: 'organizationAndRole', groupPattern: 'app-{organization}-{role}' },
		groupPatternOn: 'displayName',
	};
	const start = async (work, switches = {}) =>
		await withServer({ users: USERS, groups: GROUPS, ...switches }, work);

	test('a renamed group: its changes fail naming both, and nobody loses what was to be replaced', async () => {
		await start(async (server, scim) => {
			const item = await preview(scim, 'set', set);
			server.scim.about.set('g-3', { displayName: 'Owners' });
			const { json, errorJson } = await apply(scim, item);
			expect(errorJson).toEqual([
				expect.objectContaining({
					...{ change: 'granted', groupId: 'g-3', status: 'failed' },
					error:
						'The group g-3 is named "Owners", but was named "Engineering" when this was planned',
				}),
			]);
			expect(json).toEqual([expect.objectContaining({ groupId: 'g-2', status: 'skipped' })]);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('a renamed group: the changes of other groups are made', async () => {
		await start(async (server, scim) => {
			const revoke = { people: 'user-1', accessBy: 'group' };
			const item = await preview(scim, 'revoke', { ...revoke, groups: rows('VPN', 'Everyone') });
			server.scim.about.set('g-1', { displayName: 'All' });
			const { json, errorJson } = await apply(scim, item);
			expect(errorJson.map(({ groupId }) => groupId)).toEqual(['g-1']);
			expect(json.map(({ groupId, status }) => [groupId, status])).toEqual([['g-2', 'done']]);
			expect(server.membersOf('g-1')).toEqual(['user-1', 'user-2']);
		});
	});

	test('a group that stands for another role by now', async () => {
		const groups = ['viewer', 'admin'].map((role) => ({
			...{ id: `g-${role}`, displayName: `app-sales-${role}`, members: ['user-2'] },
		}));
		const credential = ROLES;
		await withServer({ users: USERS, groups }, async (server, scim) => {
			const grant = { people: 'user-1', ...oneRole(byId('sales'), 'viewer') };
			const item = await preview(scim, 'assign', grant, { credential });
			expect(item.plan.changes[0].after).toMatchObject([{ groupId: 'g-viewer', role: 'viewer' }]);
			server.scim.about.set('g-admin', { displayName: 'app-sales-owner' });
			server.scim.about.set('g-viewer', { displayName: 'app-sales-admin' });
			const { json, errorJson } = await apply(scim, item, {}, { credential });
			expect(json).toStrictEqual([]);
			expect(errorJson[0].error).toContain('"app-sales-admin"');
			expect(errorJson[0].error).toContain('"app-sales-viewer"');
			expect(server.written()).toStrictEqual([]);
		});
	});

	test.each([
		['a group', {}, { accessBy: 'group', ...someGroups(byId('g-viewer')) }],
		['a role', ROLES, oneRole(byId('sales'), 'viewer')],
	])('somebody to be activated who is gone, and still in %s', async (_, credential, grant) => {
		const viewers = { id: 'g-viewer', displayName: 'app-sales-viewer', members: ['user-3'] };
		await withServer({ users: USERS, groups: [viewers] }, async (server, scim) => {
			const reactivates = { people: 'user-3', options: { reactivate: true } };
			const item = await preview(scim, 'assign', { ...grant, ...reactivates }, { credential });
			expect(item.plan.changes.map(({ change }) => change)).toEqual(['activated']);
			server.scim.users.delete('user-3');
			const { json, errorJson } = await apply(scim, item, {}, { credential });
			expect(json).toStrictEqual([]);
			expect(errorJson.map(({ error }) => error)).toEqual([
				'person3@example.com is no longer there, but was when this was planned',
			]);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('a run that was cut off is completed by the same plan', async () => {
		const credential = { overrideProfile: true, userNameCanChange: 'no' };
		const faults = [{ on: 'PATCH /Groups/g-2', status: 403, body: 'not now', times: 1 }];
		await start(
			async (server, scim) => {
				const name = { givenName: 'Ona', familyName: 'One' };
				server.scim.store({ ...server.scim.users.get('user-1'), attributes: { name } });
				const item = await preview(
					scim,
					'changeEmail',
					{ user: byId('user-1'), newEmail: 'one@example.com' },
					{ credential },
				);
				const first = await apply(scim, item, {}, { credential });
				expect(first.errorJson).not.toStrictEqual([]);
				expect(server.users.get('user-1').active).toBe(true);
				const again = await apply(scim, item, {}, { credential });
				expect(again.errorJson).toStrictEqual([]);
				const [created] = server.named('one@example.com');
				expect(server.membersOf('g-1')).toEqual(['user-2', created.id]);
				expect(server.membersOf('g-2')).toEqual([created.id]);
				expect(server.users.get('user-1').active).toBe(false);
				expect(server.named('one@example.com')).toHaveLength(1);
			},
			{ faults },
		);
	});

	test('a new account that is somebody else by now: the old one is left alone', async () => {
		const credential = { overrideProfile: true, userNameCanChange: 'no' };
		await start(async (server, scim) => {
			const change = { user: byId('user-1'), newEmail: 'one@example.com' };
			const item = await preview(scim, 'changeEmail', change, { credential });
			server.scim.create('one@example.com', {}, true, 'user-9');
			const { json, errorJson } = await apply(scim, item, {}, { credential });
			expect(errorJson[0].error).toContain('one@example.com exists already');
			expect(json.every(({ status }) => status === 'skipped')).toBe(true);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('leavers without a change are looked at, and come out with proof', async () => {
		await start(async (server, scim) => {
			const item = await preview(scim, 'offboard', { people: 'user-1, user-3' });
			expect(item.plan.people.map(({ id }) => id)).toEqual(['user-1', 'user-3']);
			expect(item.plan.changes.map(({ person }) => person.id)).not.toContain('user-3');
			const { json, errorJson } = await apply(scim, item);
			expect(errorJson).toStrictEqual([]);
			const proven = { accessRemaining: [], provenAt: expect.any(String) };
			expect(json.sort((one, other) => one.userId.localeCompare(other.userId))).toEqual([
				expect.objectContaining({ userId: 'user-1', status: 'done', ...proven }),
				expect.objectContaining({ userId: 'user-3', status: 'unchanged', ...proven }),
			]);
		});
	});

	test('a leaver without a change who has something by now is unverified', async () => {
		await start(async (server, scim) => {
			const item = await preview(scim, 'offboard', { people: 'user-1, user-3' });
			server.scim.add('g-2', 'user-3');
			const { json, errorJson } = await apply(scim, item);
			expect(json.map(({ userId, status }) => [userId, status])).toEqual([['user-1', 'done']]);
			expect(errorJson).toEqual([
				expect.objectContaining({
					...{ userId: 'user-3', status: 'unverified' },
					accessRemaining: [expect.objectContaining({ groupId: 'g-2' })],
				}),
			]);
		});
	});

	test('kept memberships are kept as it was planned', async () => {
		await start(async (server, scim) => {
			const options = { keepMembershipsIn: rows('Every*') };
			const item = await preview(scim, 'offboard', { people: 'user-1', options });
			const { json, errorJson } = await apply(scim, item);
			expect(errorJson).toStrictEqual([]);
			expect(json[0]).toMatchObject({ status: 'done', accessRemaining: [{ groupId: 'g-1' }] });
		});
	});

	test('the text of a plan and its inner part are as good as the item', async () => {
		await start(async (server, scim) => {
			const add = { people: 'user-1', ...inGroup('g-3'), preview: true };
			const [item] = (await scim('group', 'addMembers', add)).json;
			const plan = JSON.stringify(item.plan);
			const text = await apply(scim, { any: 'thing' }, { plan });
			expect(text.json[0]).toMatchObject({ change: 'granted', status: 'done' });
			const inner = await apply(scim, item.plan);
			expect(inner.json[0]).toMatchObject({ change: 'none', status: 'unchanged' });
		});
	});

	test('a plan holds no passwords, and says so', async () => {
		await start(async (server, scim) => {
			const row = { email: 'new@example.com', group: 'VPN', password: 'p4ss-w0rd', title: 'Dr' };
			const { json } = await scim('access', 'reconcile', {
				...{ accessBy: 'group', scopeGroups: rows('VPN'), unwanted: 'keep', createMissing: true },
				...{ preview: true, wantedFrom: 'json', wantedJson: JSON.stringify([row]) },
				accessColumns: { attributes: 'title, password' },
			});
			expect(JSON.stringify(json)).not.toContain('p4ss-w0rd');
			expect(json[0].warnings).toContain(
				'A plan holds no passwords: Apply Plan creates new@example.com without one.',
			);
			const { errorJson } = await apply(scim, json[0]);
			expect(errorJson).toStrictEqual([]);
			const [created] = server.named('new@example.com');
			expect(created).toMatchObject({ title: 'Dr' });
			expect(created).not.toHaveProperty('password');
		});
	});
});
