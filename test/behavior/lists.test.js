'use strict';

// The lists of the editor. What services do to a client that reads lists is in paging.test.js.

const { waited } = require('../support/noWaiting');
const { Account, Groups, email } = require('../support/behavior');
const { Alerting } = require('../support/alertBehavior');
const { KEY } = require('../support/alertingInMemory');
const { openAlertList, openList, scrollList } = require('../support/lists');

const crowd = (count) =>
	Array.from({ length: count }, (_, at) => ({ id: `u${at + 1}`, userName: `p${at + 1}@x.io` }));
const MARKETING = { name: 'Marketing', id: 'org-a' };
const SALES = { name: 'Sales', id: 'org-s' };
const NAMED = { organizationNames: { organization: [MARKETING] } };
const aws = { credential: { serviceProfile: 'awsIdentityCenter' } };

/** A service that answers as it is told, and what left. */
function answering(answer) {
	const sent = [];
	const exchange = async ({ url }) => {
		const { pathname, searchParams } = new URL(url);
		sent.push(`${pathname}?${decodeURIComponent(searchParams).replaceAll('+', ' ')}`);
		const [status, body] = answer(Object.fromEntries(searchParams), pathname);
		return { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
	};
	return { service: { exchange }, sent };
}
const sliceOf = (all, start) => all.slice(start - 1, start + 99);
const page = (Resources, more) => [200, { Resources, totalResults: Resources.length, ...more }];
/** A list by startIndex; `co` is carried out as RFC 7644 has it, where `filters` is on. */
const byIndex =
	(all, attribute = 'userName', filters = true) =>
	({ filter, startIndex }) => {
		const text = /" ?(.*)"|co "(.*)"/.exec(filter ?? '')?.[2]?.toLowerCase();
		const hits =
			filters && text ? all.filter((one) => one[attribute].toLowerCase().includes(text)) : all;
		return page(sliceOf(hits, Number(startIndex)), { totalResults: hits.length, startIndex });
	};
const ALL = crowd(250).map(({ id }) => id);

/** Shows what was received, and why no more comes, once the user has come to its end. */
async function breaksOff(world, how, shown, why) {
	let token;
	const received = [];
	while (received.length < shown) {
		const { results, paginationToken } = await openList(world, { ...how, token });
		for (const { value } of results) received.push(value);
		token = paginationToken;
	}
	expect(received).toEqual(ALL.slice(0, shown));
	await expect(openList(world, { ...how, token })).rejects.toThrow(
		`The list of users is incomplete: ${why}`,
	);
}

describe('SCIM Provisioning', () => {
	const roles = () => new Account({ ana: 'a:member', bob: 'b:admin', eve: 'inactive' });
	const ROLES = ['admin', 'member', 'viewer'].map((role) => `Marketing: ${role}`);
	const groups = { method: 'searchGroups' };
	const organizations = { method: 'searchOrganizations' };
	const spelled = {
		...{ groupsStandFor: 'organizationAndRole', groupPattern: 'app-{organization}-{role}' },
		...{ groupPatternOn: 'displayName' },
		organizationNames: { organization: [{ name: 'Sales Team', id: 'sales' }] },
	};
	const vpn = (credential) => () =>
		new Groups(
			{},
			{
				credential,
				groups: ['VPN', 'VPN', 'app-Sales-admin', 'app-sales-member'].map((displayName, at) => ({
					...{ id: `g${at}`, displayName },
				})),
			},
		);
	test.each([
		[
			'inactive users are marked',
			roles,
			{},
			[email('ana'), email('bob'), `${email('eve')} (inactive)`],
		],
		['a user by a part of the name', roles, { filter: ' BO ' }, [email('bob')]],
		['a user by a part with an @', roles, { filter: 'ana@exa' }, [email('ana')]],
		['a user by a whole email', roles, { filter: email('ana') }, [email('ana')]],
		[
			'groups by organization and role',
			roles,
			{ ...groups, credential: NAMED },
			[...ROLES, ...['admin', 'member', 'viewer'].map((role) => `org-b: ${role}`)],
		],
		[
			'a group by the name of the organization',
			roles,
			{ ...groups, filter: 'market', credential: NAMED },
			ROLES,
		],
		['a group by its ID', roles, { ...groups, filter: 'ORG-A:', credential: NAMED }, ROLES],
		[
			'organizations',
			roles,
			{ ...organizations, credential: { organizationNames: { organization: [SALES, MARKETING] } } },
			['Marketing (org-a)', 'org-b', 'Sales (org-s)'],
		],
		[
			'an organization by its name',
			roles,
			{ ...organizations, filter: 'market', credential: NAMED },
			['Marketing (org-a)'],
		],
		[
			'groups of one name are told apart',
			vpn(),
			groups,
			['VPN (g0)', 'VPN (g1)', 'app-Sales-admin (g2)', 'app-sales-member (g3)'],
		],
		[
			'groups whose names spell a role',
			vpn(spelled),
			groups,
			['VPN (g0)', 'VPN (g1)', 'Sales: admin', 'Sales Team: member'],
		],
		[
			'organizations of such groups, each once',
			vpn(spelled),
			organizations,
			['Sales Team (sales)'],
		],
	])('%s', async (_, world, how, names) => {
		const { results } = await openList(world(), how);
		expect(results.map(({ name }) => name)).toEqual(names);
	});

	const anyway = (all) => byIndex(all, 'userName', false);
	const refusing = (all) => (query) => (query.filter ? [400, {}] : anyway(all)(query));
	const noHits = (all) => (query) => (query.filter ? page([]) : anyway(all)(query));
	test.each([
		['the service searches', byIndex(crowd(2_000)), 'P19', 111, true],
		...Object.entries({ refusing, anyway, noHits }).map(([name, way]) => [
			...[`the list is looked through: ${name}`, way(crowd(750)), 'u720', 1, false],
		]),
	])('%s', async (_, answer, filter, count, byService) => {
		const world = answering(answer);
		const found = await scrollList(world, { filter });
		expect(found.flat()).toHaveLength(count);
		// No user of the editor scrolls over many pages without a hit.
		expect(found.findIndex((hits) => hits.length > 0)).toBeLessThan(2);
		expect(world.sent.filter((request) => !request.includes(' co ')).length > 0).toBe(!byService);
	});

	test('people are found in a long list of small pages without asking for all of it again and again', async () => {
		const world = answering(anyway(crowd(5_000)));
		expect((await scrollList(world, { filter: 'u4999' })).flat()).toEqual(['u4999']);
		expect(world.sent.length).toBeLessThan(4 * 50);
	});

	test('a whole email is asked for directly', async () => {
		const world = roles();
		await openList(world, { filter: ` ${email('ana')} ` });
		const asked = world.service.requests.map(({ query }) => query.filter);
		expect(asked).toStrictEqual([`userName eq "${email('ana')}"`]);
	});

	test('users without an ID are left out', async () => {
		const world = answering(() => page([{ userName: 'x' }, ...crowd(1)]));
		expect(await scrollList(world)).toEqual([['u1']]);
	});

	test('an editor that was open through an update begins anew', async () => {
		const token = JSON.stringify({ place: { startIndex: 101, total: 250 }, isByService: false });
		const { results } = await openList(answering(byIndex(crowd(250))), { token });
		expect(results.map(({ value }) => value)).toEqual(ALL.slice(0, 100));
	});

	test.each([
		['with an empty page', { Resources: [], totalResults: 250 }],
		['with an empty page that says 0', { Resources: [], totalResults: 0 }],
		['with their first page again', { Resources: crowd(30), totalResults: 250 }],
	])('lists that end before their total are an error: %s', async (_, rest) => {
		const first = { Resources: crowd(30), totalResults: 250 };
		const world = answering(({ startIndex }) => [200, startIndex === '1' ? first : rest]);
		await breaksOff(world, {}, 30, 'the service showed 30 of 250 entries');
	});
});

describe('lists that go on by cursor (RFC 9865)', () => {
	const CURSORS = ['', 'two', 'the third'];
	/** 250 people in three pages, where `accepts` takes the cursor. */
	const pages =
		(accepts = () => true) =>
		({ cursor = '' }) => {
			const at = CURSORS.indexOf(cursor);
			if (!accepts(cursor)) return [400, { scimType: 'expiredCursor' }];
			return [200, { Resources: sliceOf(crowd(250), at * 100 + 1), nextCursor: CURSORS[at + 1] }];
		};
	const byCursor = { credential: { overrideProfile: true, paging: 'cursor' } };
	const once = () => {
		let refused = 0;
		return (cursor) => cursor !== 'the third' || ++refused > 1;
	};
	/** The third page is refused once, and pages have another size from then on. */
	const resized = () => {
		let size = 100;
		return ({ cursor = '' }) => {
			const from = Number(cursor) + size;
			const page = { Resources: crowd(250).slice(from - size, from) };
			if (from < 300 || size > 100)
				return [200, { ...page, ...(from < 250 && { nextCursor: `${from}` }) }];
			size = 125;
			return [400, { scimType: 'expiredCursor' }];
		};
	};
	const circleOnce = () => {
		let count = 0;
		return (query) => {
			const [status, body] = pages()(query);
			return [status, ++count === 3 ? { ...body, nextCursor: 'two' } : body];
		};
	};
	test.each([
		['a page at a time', pages(), aws],
		['when the first page names a cursor', pages(), {}],
		['once more where a cursor has expired', pages(once()), aws],
		['once more, in pages of another size', resized(), aws],
		['after they went round in a circle once', circleOnce(), aws],
		[
			'by startIndex where the service knows no cursors',
			({ startIndex = '1' }) => byIndex(crowd(250))({ startIndex: Number(startIndex) }),
			byCursor,
		],
	])('come whole, and once: %s', async (_, answer, how) => {
		const shown = await scrollList(answering(answer), how);
		expect(shown.flat()).toEqual(ALL);
		expect(shown[0]).toHaveLength(100);
	});

	test.each([
		['beyond their first page', pages(), { ...aws, filter: 'u222' }, ['u222']],
		[
			'over an empty page',
			({ cursor = '' }) => {
				const at = CURSORS.indexOf(cursor);
				return [200, { Resources: at === 1 ? [] : [crowd(3)[at]], nextCursor: CURSORS[at + 1] }];
			},
			...[{ filter: 'u' }, ['u1', 'u3']],
		],
		[
			'where each page has one entry, whose ID is the next cursor',
			({ cursor }) => {
				const at = crowd(3).findIndex(({ id }) => id === cursor) + 1;
				return [200, { Resources: [crowd(3)[at]], nextCursor: crowd(2)[at]?.id }];
			},
			...[aws, ['u1', 'u2', 'u3']],
		],
	])('are searched, and go on %s', async (_, answer, how, ids) => {
		expect((await scrollList(answering(answer), how)).flat()).toEqual(ids);
	});

	const bad = (Resources, nextCursor, totalResults) => [
		200,
		{ Resources, totalResults, nextCursor },
	];
	test.each([
		[
			'end before their total',
			() => bad(crowd(3), undefined, 250),
			...[3, 'the service showed 3 of 250 entries'],
		],
		[
			'end before the total of their first page',
			({ cursor }) =>
				cursor === '' ? bad(crowd(3), 'two', 250) : bad(crowd(5).slice(3), undefined, 2),
			...[5, 'the service showed 5 of 250 entries'],
		],
		[
			'go round in a circle',
			({ cursor }) => {
				const at = ['', 'a', 'b'].indexOf(cursor) * 10;
				return bad(crowd(30).slice(at, at + 10), at === 10 ? 'b' : 'a');
			},
			...[30, 'the service names the same next page twice'],
		],
		[
			'show the same entries under fresh cursors',
			({ cursor }) => bad(crowd(2), `${cursor}x`),
			...[2, 'the service shows the same entries on another page'],
		],
		[
			'go on over empty pages for ever',
			({ cursor }) => bad([], `${cursor}x`),
			...[0, 'the service names another page after 11 empty ones'],
		],
		[
			'cannot be read to their end',
			pages((cursor) => cursor !== 'the third'),
			...[200, 'the service does not accept its own cursor'],
		],
	])('that %s: what came, then an error', async (_, answer, shown, why) => {
		await breaksOff(answering(answer), aws, shown, why);
	});
});

describe('Notification Actions', () => {
	const EMAIL = 'email (default address of the organization)';
	const OWN = ['chat (SLACK)', 'hook (WEBHOOK, disabled)', 'mail (EMAIL)', 'pager (PAGER_DUTY)'];
	const actions = { method: 'searchActions' };
	const models = { method: 'searchModels' };
	const own = { ...actions, parameters: { resource: 'action' } };
	const monitors = (parameters, filter) => ({ method: 'searchMonitors', parameters, filter });
	const m = { model: { __rl: true, mode: 'id', value: ' m ' } };
	const listing = (items) => () =>
		new Alerting(undefined, { faults: [{ kind: 'status', status: 200, body: items }] });
	const MODELS = [
		{ id: 'm2', name: 'Uplift' },
		{ id: 'm1', name: 'Churn' },
		{ id: 'm0' },
		{ name: 'x' },
	];
	const named = () => new Alerting({ m: { drift: { displayName: 'Drift of it' }, schema: '' } });
	const stored = { email: { type: 'EMAIL', payload: { email: 'a@example.com' } } };
	const base = () => new Alerting();
	test.each([
		['actions by name, with their kind', base, own, OWN],
		['actions for monitors, the default one first', base, actions, [EMAIL, ...OWN]],
		[
			'a stored one named email once',
			() => new Alerting(undefined, { actions: stored }),
			actions,
			['email (EMAIL)'],
		],
		[
			'an action by a part of its name',
			base,
			{ ...actions, filter: ' PAG ' },
			['pager (PAGER_DUTY)'],
		],
		['an action by its kind', base, { ...actions, filter: 'slack' }, ['chat (SLACK)']],
		[
			'models in an envelope',
			listing({ items: MODELS }),
			models,
			['Churn (m1)', 'm0', 'Uplift (m2)'],
		],
		['models in a list', listing(MODELS), models, ['Churn (m1)', 'm0', 'Uplift (m2)']],
		[
			'monitors of the model',
			named,
			monitors(m),
			['Drift of it (drift-monitor)', 'schema-monitor'],
		],
		['a monitor by its name', named, monitors(m, 'of it'), ['Drift of it (drift-monitor)']],
		[
			'monitors of one ID',
			named,
			monitors({ models: 'ids', modelIds: 'm' }, 'schema'),
			['schema-monitor'],
		],
	])('%s', async (_, world, how, names) => {
		expect((await openAlertList(world(), how)).results.map(({ name }) => name)).toEqual(names);
	});

	test('another organization', async () => {
		const world = new Alerting();
		const parameters = { options: { organizationId: ' org-1 ' } };
		await expect(openAlertList(world, { ...actions, parameters })).rejects.toThrow('403');
		expect(world.requests[0].path).toContain('/org-1/');
	});

	const id = (value) => ({ models: 'one', model: { __rl: true, mode: 'id', value } });
	test.each([
		['no model', monitors({}), /Select one model/, 0],
		['several models', monitors({ models: 'ids', modelIds: 'm, n' }), /Select one model/, 0],
		['all models', monitors({ ...m, models: 'all' }), /Select one model/, 0],
		[
			'an empty model',
			monitors(id('')),
			/The model has no value yet: execute the previous nodes/,
			0,
		],
		['no value yet', monitors(id()), /The model has no value yet: execute the previous nodes/, 0],
		['a model that is not there', monitors(id('x')), /the service answered 404/, 1],
	])('%s', async (_, how, message, requests) => {
		const world = new Alerting();
		await expect(openAlertList(world, how)).rejects.toThrow(message);
		expect(world.requests).toHaveLength(requests);
	});

	test.each([404, 405, 501])('a service without a list of models (%s)', async (status) => {
		const world = new Alerting(undefined, { faults: [{ kind: 'missing', status }] });
		await expect(openAlertList(world, models)).rejects.toMatchObject({
			message: 'This service does not list its models',
			description: 'Enter the IDs of the models instead.',
		});
	});
});

describe.each([
	...['searchUsers', 'searchGroups', 'searchOrganizations'].map((method) => [
		...[method, openList, 'token-of-the-account:org-acct', /account-management scope/],
		(faults) => new Account({ ana: 'a:member' }, { faults }),
	]),
	...['searchActions', 'searchModels', 'searchMonitors'].map((method) => [
		...[method, openAlertList, KEY, /access-token settings/],
		(faults) => new Alerting(undefined, { faults }),
	]),
])('%s', (method, open, secret, advice, world) => {
	const how = {
		...{ method, parameters: { model: { __rl: true, mode: 'id', value: 'm' } } },
		...(open === openList && { credential: { accountApiToken: secret } }),
	};
	const failing = async (fault, more) =>
		await open(world(fault ? [fault] : []), { ...how, ...more });

	test('says what is wrong with the key, without the key', async () => {
		const body = { error: `Key ${secret} denied`, message: `Key ${secret} denied` };
		const error = await failing({ kind: 'status', status: 403, body }).catch((thrown) => thrown);
		expect(error).toMatchObject({
			...{
				name: 'NodeApiError',
				httpCode: '403',
				message: expect.stringContaining('Key *** denied'),
			},
			description: expect.stringMatching(advice),
		});
		expect(JSON.stringify(error)).not.toContain(secret);
	});

	test('says what is wrong with the credential', async () => {
		const credential = { baseUrl: 'scim.test' };
		await expect(failing(undefined, { credential })).rejects.toMatchObject({
			...{ name: 'NodeApiError' },
			message: 'The Base URL does not start with http:// or https://',
		});
	});

	test('keeps no user of the editor waiting', async () => {
		await expect(failing({ kind: '429', retryAfter: 60 })).rejects.toMatchObject({
			httpCode: '429',
		});
		expect(waited()).toBe(0);
	});
});

test('where nothing is found, the Service Profile may be wrong', async () => {
	const world = new Account({}, { faults: [{ kind: 'missing' }] });
	await expect(openList(world)).rejects.toMatchObject({
		description: expect.stringMatching(
			/^There is no \/scim\/Users\. Check the Service Profile, the Base URL/,
		),
	});
});
