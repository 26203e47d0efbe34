'use strict';

require('../support/noWaiting');
const { itemsOf } = require('../support/items');
const { byId } = require('../support/node');
const { countsOf, requestsOf, rolesOf, withService } = require('../support/service');
const { oneRole } = require('../support/accessRows');

/** A seed whose people have roles as given, e.g. `{ 'ana@example.com': { 'org-a': 'admin' } }`. */
const seed = (people, { partners = [] } = {}) => ({
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-b'].map((id) => ({
		...{ id, name: id },
		...(partners.includes(id) ? {} : { allowedDomains: ['example.com'] }),
	})),
	users: Object.keys(people).map((userName) => ({ userName })),
	memberships: Object.entries(people).flatMap(([userName, roles]) =>
		Object.entries(roles).map(([organization, role]) => ({ userName, organization, role })),
	),
});

const inGroup = (organization, role) => ({
	chooseGroupBy: 'organizationAndRole',
	organization: byId(organization),
	role,
});
const WHOLE_LIST = { options: { replaceWith: 'wholeList' } };
const NO_LIMIT = { maxPeopleAffected: 1000 };
const statuses = (json) => json.map(({ userName, status }) => `${userName} ${status}`);
const errorsOf = (json) => json.flatMap(({ error }) => error ?? []);

/** Makes everything read so far too old when the first request like that arrives; another writer then acts. */
function later(service, isIt, act = () => {}) {
	let done = false;
	let offset = 0;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + offset);
	service.options.onRequest = (entry, state) => {
		if (done || !isIt(entry)) return;
		done = true;
		offset = 6_000;
		act(state);
	};
}
afterEach(() => jest.restoreAllMocks());

const give = (userName, organization, role) => (state) =>
	state.directory.setRole(state.userByName(userName).id, organization, role);

describe('a whole list (PUT) that is answered 400', () => {
	const people = {
		'out1@example.com': { 'org-a': 'member' },
		'out2@example.com': { 'org-a': 'member' },
		'kept@example.com': { 'org-a': 'member' },
		'new@example.com': {},
		'new@partner.org': {},
		'last@example.com': {},
	};

	test('names the one who is refused; everybody else gets and loses access as planned', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const { json, error } = await scim(
				'group',
				'setMembers',
				{
					...inGroup('org-a', 'member'),
					people: 'kept@example.com, new@example.com, new@partner.org, last@example.com',
					options: { ...WHOLE_LIST.options, ...NO_LIMIT },
				},
				{ onError: 'continueRegularOutput' },
			);
			expect(error).toBeUndefined();
			expect(errorsOf(json)).toEqual([
				expect.stringContaining('The service does not accept new@partner.org as a member of group'),
			]);
			expect(json).toHaveLength(6);
			const role = { 'org-a': 'member' };
			expect(rolesOf(service, 'kept@example.com')).toEqual(role);
			expect(rolesOf(service, 'new@example.com')).toEqual(role);
			expect(rolesOf(service, 'last@example.com')).toEqual(role);
			for (const gone of ['out1@example.com', 'out2@example.com', 'new@partner.org']) {
				expect(rolesOf(service, gone)).toEqual({});
			}
			// What is left after a refusal is sent as difference: a second list could remove whom an old read lacks.
			expect(countsOf(service)).toMatchObject({ PUT: 1, PATCH: 1 });
		});
	});
});

describe('two whole lists of one organization', () => {
	const people = {
		'mover@example.com': { 'org-a': 'member' },
		'back@example.com': { 'org-a': 'viewer' },
		'gone@example.com': { 'org-a': 'member' },
		'stay@example.com': { 'org-a': 'viewer' },
	};
	const lists = (member, viewer) => [
		{ role: 'member', people: member },
		{ role: 'viewer', people: viewer },
	];
	const setBoth = async (scim, items) =>
		await scim(
			'group',
			'setMembers',
			{
				...inGroup('org-a', '={{ $json.role }}'),
				people: '={{ $json.people }}',
				options: { ...WHOLE_LIST.options, ...NO_LIMIT },
			},
			{ items },
		);

	test.each([
		['in one order', (items) => items],
		['in the other', (items) => [...items].reverse()],
	])('people who change places end as wanted, %s', async (_, order) => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const items = lists('back@example.com', 'mover@example.com, stay@example.com');
			const { error } = await setBoth(scim, order(items));
			expect(error).toBeUndefined();
			expect(rolesOf(service, 'mover@example.com')).toEqual({ 'org-a': 'viewer' });
			expect(rolesOf(service, 'back@example.com')).toEqual({ 'org-a': 'member' });
			expect(rolesOf(service, 'stay@example.com')).toEqual({ 'org-a': 'viewer' });
			expect(rolesOf(service, 'gone@example.com')).toEqual({});
			// A move is one add: nobody was without a role in between, so nobody got an email.
			expect(service.state.mailsSent).toStrictEqual([]);
			const { method, path } = service.log.requests.at(-1);
			expect(`${method} ${path}`).toMatch(/^GET \/scim\/Groups\/whylabs-org-a/);
		});
	});

	test('whoever has moved is not moved back where a read is older than that', async () => {
		await withService({ seed: seed(people), lagReads: 1 }, async (service, scim) => {
			await setBoth(scim, lists('back@example.com', 'mover@example.com, stay@example.com'));
			expect(rolesOf(service, 'mover@example.com')).toEqual({ 'org-a': 'viewer' });
			expect(rolesOf(service, 'back@example.com')).toEqual({ 'org-a': 'member' });
		});
	});

	test('what was seen of one list and is not so in the end is no success', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			let puts = 0;
			service.options.onAnswer = ({ method }, state) => {
				if (method === 'PUT' && ++puts === 2) give('mover@example.com', 'org-a', 'admin')(state);
			};
			const items = lists('back@example.com', 'mover@example.com, stay@example.com');
			const { error } = await setBoth(scim, items);
			expect(error.message).toContain('mover@example.com');
			expect(error.message).toContain('Could not confirm');
		});
	});
});

describe('a removal whose read is older than 5 seconds', () => {
	const people = {
		'ana@example.com': { 'org-a': 'member' },
		'ben@example.com': { 'org-a': 'member' },
		'new@example.com': {},
	};
	const isCreate = ({ method }) => method === 'POST';
	const other = (service) =>
		later(
			service,
			({ method, path }) => method === 'PATCH' && path.includes('org-b'),
			(state) => {
				give('ana@example.com', 'org-a', 'admin')(state);
				state.directory.removeRole(state.userByName('ben@example.com').id, 'org-a');
			},
		);
	/** Gives ana and ben a role in org-b first, so that the removal in org-a waits for it. */
	const setAccess = async (scim, more = {}) =>
		await scim(
			'access',
			'set',
			{
				people: 'ana@example.com, ben@example.com',
				...oneRole(byId('org-b'), 'viewer'),
				options: { ...NO_LIMIT, ...more },
			},
			{ onError: 'continueErrorOutput' },
		);

	test('looks first: nobody loses a role given meanwhile, and whoever has none any more is so already', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			other(service);
			const { json, errorJson } = await setAccess(scim);
			expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'admin', 'org-b': 'viewer' });
			expect(errorsOf(errorJson)).toEqual([
				'ana@example.com is admin in org-a now, so nothing was removed there',
			]);
			expect(itemsOf(json)).toEqual([
				'granted ana@example.com org-b >viewer done',
				'granted ben@example.com org-b >viewer done',
				'none ben@example.com org-a member> unchanged',
			]);
			expect(requestsOf(service).filter((sent) => sent.includes('PATCH'))).toHaveLength(1);
		});
	});

	/** Looks up who is in no group after the groups were read, and takes its time. */
	const slowly = (service, act) => later(service, ({ path }) => path === '/scim/Users', act);

	test('Remove Members leaves whoever has another role alone, and says who is out already', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			slowly(service, (state) => {
				give('ana@example.com', 'org-a', 'viewer')(state);
				state.directory.removeRole(state.userByName('ben@example.com').id, 'org-a');
			});
			const { json, error } = await scim('group', 'removeMembers', {
				...inGroup('org-a', 'member'),
				people: 'ana@example.com, ben@example.com, new@example.com',
				options: NO_LIMIT,
			});
			expect(error).toBeUndefined();
			expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'viewer' });
			const [, ana, ben] = json;
			expect(ana).toMatchObject({
				status: 'skipped',
				reason: 'the person is viewer in org-a now',
			});
			expect(ben).toMatchObject({
				status: 'unchanged',
				reason: 'the person is not there any more',
			});
			expect(countsOf(service)).not.toHaveProperty('PATCH');
		});
	});

	test('a whole list is not sent when it would remove somebody who joined, or move somebody back', async () => {
		const emptied = (state) => {
			give('ana@example.com', 'org-a', 'admin')(state);
			state.directory.removeRole(state.userByName('ben@example.com').id, 'org-a');
		};
		for (const [act, words] of [
			[emptied, 'is admin in org-a now'],
			[give('other@example.com', 'org-a', 'member'), 'other@example.com joined it meanwhile'],
			[give('ana@example.com', 'org-a', 'admin'), 'is admin in org-a now'],
		]) {
			await withService(
				{ seed: seed({ ...people, 'other@example.com': {} }) },
				async (service, scim) => {
					slowly(service, act);
					const { error } = await scim('group', 'setMembers', {
						...inGroup('org-a', 'member'),
						people: 'ana@example.com, new@example.com',
						...WHOLE_LIST,
					});
					expect(error.message).toContain(words);
					expect(error.message).toContain('The list was not sent');
					expect(countsOf(service)).not.toHaveProperty('PUT');
					jest.restoreAllMocks();
				},
			);
		}
	});

	test('fresh, it costs no look', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			later(service, isCreate);
			await scim('group', 'removeMembers', {
				...inGroup('org-a', 'member'),
				people: 'ana@example.com',
			});
			expect(countsOf(service)).toEqual({ GET: 1, PATCH: 1 });
		});
	});
});

describe('a removal that is repeated', () => {
	const people = {
		'ana@example.com': { 'org-a': 'member' },
		'ben@example.com': { 'org-a': 'member' },
	};
	const remove = async (scim) =>
		await scim('group', 'removeMembers', {
			...inGroup('org-a', 'member'),
			people: 'ana@example.com, ben@example.com',
			options: NO_LIMIT,
		});

	test('429 after the write was carried out: it was done, and is not sent again', async () => {
		const faults = [{ method: 'PATCH', nth: 1, kind: '429-after' }];
		await withService({ seed: seed(people), faults }, async (service, scim) => {
			const { json } = await remove(scim);
			expect(statuses(json)).toEqual(['ana@example.com done', 'ben@example.com done']);
			expect(countsOf(service).PATCH).toBe(1);
		});
	});

	test('429 after the write was carried out, and the look is late: the refusal of the repeat says it', async () => {
		const faults = [{ method: 'PATCH', nth: 1, kind: '429-after' }];
		await withService({ seed: seed(people), faults, lagReads: 1 }, async (service, scim) => {
			const { json } = await remove(scim);
			expect(statuses(json)).toEqual(['ana@example.com done', 'ben@example.com done']);
			expect(countsOf(service).PATCH).toBe(2);
			expect(rolesOf(service, 'ana@example.com')).toEqual({});
		});
	});

	test('429, and one gets another role meanwhile: only the other is removed', async () => {
		const faults = [{ method: 'PATCH', nth: 1, kind: 429, retryAfter: 1 }];
		await withService({ seed: seed(people), faults }, async (service, scim) => {
			service.options.onAnswer = ({ method }, state) =>
				method === 'PATCH' && give('ana@example.com', 'org-a', 'viewer')(state);
			const { json } = await remove(scim);
			expect(statuses(json)).toEqual(['ana@example.com skipped', 'ben@example.com done']);
			expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'viewer' });
			expect(service.log.requests.at(-1).body.Operations).toEqual([
				{
					op: 'remove',
					path: 'members',
					value: [{ value: service.state.userByName('ben@example.com').id }],
				},
			]);
		});
	});

	test('429 to a whole list, and somebody joins meanwhile: the list is not sent again', async () => {
		const faults = [{ method: 'PUT', nth: 1, kind: 429, retryAfter: 1 }];
		const joins = { ...people, 'new@example.com': {} };
		await withService({ seed: seed(joins), faults }, async (service, scim) => {
			service.options.onAnswer = ({ method }, state) =>
				method === 'PUT' && give('new@example.com', 'org-a', 'member')(state);
			const { error } = await scim('group', 'setMembers', {
				...inGroup('org-a', 'member'),
				people: 'ana@example.com',
				...WHOLE_LIST,
			});
			expect(error.message).toContain('new@example.com joined it meanwhile');
			expect(rolesOf(service, 'new@example.com')).toEqual({ 'org-a': 'member' });
			expect(rolesOf(service, 'ben@example.com')).toEqual({ 'org-a': 'member' });
		});
	});
});

describe('a removal that stumbles over somebody who is out already', () => {
	test.each([
		['removeMembers', 'c@example.com skipped'],
		['revoke', undefined],
	])('%s: whoever has another role by then is not called done', async (operation, status) => {
		const people = Object.fromEntries(
			['a', 'b', 'c'].map((name) => [`${name}@example.com`, { 'org-a': 'member' }]),
		);
		await withService({ seed: seed(people) }, async (service, scim) => {
			let first = true;
			service.options.onRequest = ({ method }, state) => {
				if (method !== 'PATCH' || !first) return;
				first = false;
				state.directory.removeRole(state.userByName('b@example.com').id, 'org-a');
				give('c@example.com', 'org-a', 'admin')(state);
			};
			const isGroup = operation === 'removeMembers';
			const { json } = await scim(
				isGroup ? 'group' : 'access',
				operation,
				{
					...(isGroup
						? inGroup('org-a', 'member')
						: { revokeIn: 'one', organization: byId('org-a'), roleHeld: 'any' }),
					people: Object.keys(people).join(', '),
					options: NO_LIMIT,
				},
				{ onError: 'continueRegularOutput' },
			);
			expect(rolesOf(service, 'c@example.com')).toEqual({ 'org-a': 'admin' });
			if (status === undefined)
				expect(errorsOf(json)).toEqual([
					expect.stringContaining('c@example.com is admin in org-a now'),
				]);
			else
				expect(statuses(json)).toEqual(['a@example.com done', 'b@example.com unchanged', status]);
		});
	});
});

describe('people whom the organization refuses', () => {
	const staff = Array.from({ length: 98 }, (_, index) => `staff${index}@example.com`);
	const partners = ['one@partner.org', 'two@partner.org', 'three@other.org'];
	const people = Object.fromEntries([...staff, ...partners].map((name) => [name, {}]));
	const refusedIn = ({ json }) => errorsOf(json);
	const assign = async (scim, names) =>
		await scim(
			'access',
			'assign',
			{
				people: '={{ $json.email }}',
				...oneRole(byId('org-a'), 'member'),
			},
			{ items: names.map((email) => ({ email })), onError: 'continueRegularOutput' },
		);

	test('2 of 100 by their domain: they alone are named, with 2 requests more for each', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			const names = [...staff.slice(0, 40), partners[0], ...staff.slice(40, 60), partners[1]];
			const all = [...names, ...staff.slice(60)];
			const clean = await assign(scim, staff);
			expect(refusedIn(clean)).toStrictEqual([]);
			const base = service.log.count();
			for (const name of staff)
				service.state.directory.removeRole(service.state.userByName(name).id, 'org-a');
			service.log.clear();
			const result = await assign(scim, all);
			expect(refusedIn(result)).toHaveLength(2);
			for (const message of refusedIn(result))
				expect(message).toMatch(/accept (one|two)@partner\.org/);
			for (const name of staff) expect(rolesOf(service, name)).toEqual({ 'org-a': 'member' });
			// The two are looked up, being no members of anything; the rest is what two refusals cost.
			const reads = service.log.count({ path: /\/Users/ });
			expect(service.log.count() - reads).toBeLessThanOrEqual(base + 4);
		});
	});

	test('removals of the same request are carried out all the same', async () => {
		const mixed = {
			'old@example.com': { 'org-a': 'member' },
			'new@partner.org': {},
			'new@example.com': {},
		};
		await withService({ seed: seed(mixed) }, async (service, scim) => {
			const { json } = await scim(
				'group',
				'setMembers',
				{ ...inGroup('org-a', 'member'), people: 'new@partner.org, new@example.com' },
				{ onError: 'continueRegularOutput' },
			);
			expect(errorsOf(json)).toEqual([
				expect.stringContaining('The service does not accept new@partner.org'),
			]);
			expect(rolesOf(service, 'old@example.com')).toEqual({});
			expect(rolesOf(service, 'new@example.com')).toEqual({ 'org-a': 'member' });
		});
	});

	test.each([
		[5, 0],
		[5, 3],
		[20, 0],
	])(
		'%i of one domain beside %i others: at most 2 requests more for each',
		async (refused, others) => {
			const names = Array.from({ length: refused }, (_, index) => `p${index}@partner.org`);
			const all = [...names, ...staff.slice(0, others)];
			const known = Object.fromEntries(all.map((name) => [name, {}]));
			await withService({ seed: seed(known) }, async (service, scim) => {
				const result = await assign(scim, all);
				expect(refusedIn(result)).toHaveLength(refused);
				for (const name of staff.slice(0, others)) {
					expect(rolesOf(service, name)).toEqual({ 'org-a': 'member' });
				}
				const sent = service.log.count({ path: /\/Groups\// });
				// One look at the other roles comes before the first repeat.
				expect(sent).toBeLessThanOrEqual(1 + 2 + 2 * refused);
			});
		},
	);

	test('a whole list with more people than fit into one change: the rest goes in pieces', async () => {
		const names = Array.from({ length: 250 }, (_, index) => `q${index}@example.com`);
		const known = Object.fromEntries(['p@partner.org', ...names].map((name) => [name, {}]));
		await withService({ seed: seed(known) }, async (service, scim) => {
			const { error } = await scim('group', 'setMembers', {
				...inGroup('org-a', 'member'),
				people: Object.keys(known).join(', '),
				...WHOLE_LIST,
			});
			expect(error.message).toContain('does not accept p@partner.org');
			for (const name of names) expect(rolesOf(service, name)).toEqual({ 'org-a': 'member' });
			for (const { method, body } of service.log.requests) {
				if (method === 'PATCH') expect(body.Operations[0].value.length).toBeLessThanOrEqual(100);
			}
		});
	});

	test('once a domain was refused, others of it go last, in a request of their own', async () => {
		await withService({ seed: seed(people) }, async (service, scim) => {
			await assign(scim, [partners[0], staff[0], partners[1], partners[2], staff[1]]);
			const sent = service.log.requests
				.filter(({ method }) => method === 'PATCH')
				.map(({ body }) => body.Operations[0].value.map(({ value }) => value));
			const id = (name) => service.state.userByName(name).id;
			expect(sent).toEqual([
				[partners[0], staff[0], partners[1], partners[2], staff[1]].map(id),
				[staff[0], partners[2], staff[1]].map(id),
				[staff[1]].map(id),
				[partners[1]].map(id),
			]);
		});
	});
});
