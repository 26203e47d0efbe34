import { accessDenied, ANA, BEN, group, list, listOf, lookUpOf, user } from '../../support/answers';
import { TOKEN } from '../../support/node';
import { search, wire, type Answer } from '../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const GROUPS = 'GET /scim/Groups';
const FIRST_PAGE = 'GET /scim/Users?startIndex=1&count=100';

const names = { organizationNames: { organization: [{ name: 'Marketing', id: 'org-1' }] } };
const generic = { serviceProfile: 'generic' };
const crowd = (count: number) =>
	Array.from({ length: count }, (_, index) =>
		user(`user-${index + 1}`, `p${index + 1}@example.com`),
	);

describe('users', () => {
	it('come a page at a time', async () => {
		api.always(USERS, listOf(crowd(150)));

		const first = await search('searchUsers');
		const second = await search('searchUsers', { paginationToken: String(first.paginationToken) });

		expect(first.results).toHaveLength(100);
		expect(first.results[0]).toEqual({ name: 'p1@example.com', value: 'user-1' });
		expect(second.results).toHaveLength(50);
		expect(second.paginationToken).toBeUndefined();
		expect(api.sent()).toEqual([FIRST_PAGE, 'GET /scim/Users?startIndex=101&count=100']);
	});

	it('who are inactive are marked', async () => {
		api.always(USERS, listOf([user('user-1', ANA, { active: 'False' })]));

		const { results } = await search('searchUsers');

		expect(results).toEqual([{ name: `${ANA} (inactive)`, value: 'user-1' }]);
	});

	it('are found by a part of the name or id, further on in the list', async () => {
		api.always(USERS, listOf(crowd(450)));

		const { results } = await search('searchUsers', { filter: 'P333' });

		expect(results).toEqual([{ name: 'p333@example.com', value: 'user-333' }]);
	});

	it('are asked for directly by a whole email', async () => {
		api.answer(USERS, listOf([user('user-2', BEN), user('user-1', ANA)]));

		const { results } = await search('searchUsers', { filter: ` ${ANA} ` });

		expect(api.sent()).toEqual([lookUpOf(ANA)]);
		expect(results).toEqual([{ name: ANA, value: 'user-1' }]);
	});

	it('are found by a part with an @, or where there is no filter', async () => {
		api.always(USERS, listOf([user('user-1', ANA), user('user-2', BEN)], { filter: false }));

		const { results } = await search('searchUsers', { filter: 'ana@exa' });

		expect(results).toEqual([{ name: ANA, value: 'user-1' }]);
	});

	it('without id are left out', async () => {
		api.always(USERS, [200, list([{ userName: BEN }, user('user-1', ANA)])]);

		const { results } = await search('searchUsers');

		expect(results).toEqual([{ name: ANA, value: 'user-1' }]);
	});
});

describe('groups', () => {
	const groups = [
		group('whylabs-org-1:member'),
		group('whylabs-org-2:admin'),
		{ id: 'g-17', displayName: 'Everybody' },
	];

	it('are called by organization and role', async () => {
		api.always(GROUPS, [200, list(groups)]);

		const { results } = await search('searchGroups', {}, names);

		expect(api.sent()).toEqual(['GET /scim/Groups?startIndex=1&count=100']);
		expect(results).toEqual([
			{ name: 'Marketing: member', value: 'whylabs-org-1:member' },
			{ name: 'org-2: admin', value: 'whylabs-org-2:admin' },
			{ name: 'Everybody (g-17)', value: 'g-17' },
		]);
	});

	it('are found by name and by id', async () => {
		api.always(GROUPS, [200, list(groups)]);

		const byName = await search('searchGroups', { filter: 'market' }, names);
		const byId = await search('searchGroups', { filter: 'ORG-1:' }, names);

		expect(byName.results).toHaveLength(1);
		expect(byId.results).toEqual(byName.results);
	});
});

describe('organizations', () => {
	it('are those of the groups and of the credential, each once, by name', async () => {
		const ids = ['org-2:admin', 'whylabs-org-2:member', 'whylabs-org-1:member'];
		api.always(GROUPS, listOf(ids.map((id) => group(id))));

		const { results } = await search(
			'searchOrganizations',
			{},
			{
				organizationNames: {
					organization: [
						{ name: 'Marketing', id: 'whylabs-org-1' },
						{ name: 'Sales', id: 'org-7' },
					],
				},
			},
		);

		expect(results).toEqual([
			{ name: 'Marketing (org-1)', value: 'org-1' },
			{ name: 'org-2', value: 'org-2' },
			{ name: 'Sales (org-7)', value: 'org-7' },
		]);
	});

	it('are found by a part of the name', async () => {
		api.always(GROUPS, listOf([group('whylabs-org-1:member'), group('whylabs-org-2:member')]));

		const { results } = await search('searchOrganizations', { filter: 'market' }, names);

		expect(results).toEqual([{ name: 'Marketing (org-1)', value: 'org-1' }]);
	});
});

describe('on a generic service', () => {
	const byPart = (attribute: string, text: string, start = 1) =>
		`filter=${attribute} co "${text}"&startIndex=${start}&count=100`;

	/** Answers `co` as RFC 7644 has it; anything else comes whole. */
	const searchable =
		(resources: object[], attribute: string): Answer =>
		(request) => {
			const { filter } = request.query;
			const text = new RegExp(`^${attribute} co "(.*)"$`).exec(filter ?? '')?.[1].toLowerCase();
			const valueOf = (resource: object) =>
				String((resource as Record<string, unknown>)[attribute]).toLowerCase();
			const hits = resources.filter((resource) => valueOf(resource).includes(text ?? ''));
			const start = Number(request.query.startIndex ?? 1) - 1;
			return [200, list(hits.slice(start, start + 100), { totalResults: hits.length })];
		};

	it('the service searches, and pages through what it finds', async () => {
		api.always('GET /Users', searchable(crowd(2_000), 'userName'));

		const first = await search('searchUsers', { filter: 'P19' }, generic);
		const { paginationToken } = first;
		const second = await search(
			'searchUsers',
			{ filter: 'P19', paginationToken: String(paginationToken) },
			generic,
		);

		expect(first.results).toHaveLength(100);
		// p19, p190 to p199, p1900 to p1999.
		expect(second.results).toHaveLength(11);
		expect(second.paginationToken).toBeUndefined();
		expect(api.sent()).toEqual([
			`GET /Users?${byPart('userName', 'P19')}`,
			`GET /Users?${byPart('userName', 'P19', 101)}`,
		]);
	});

	it('groups by their names', async () => {
		const groups = [
			{ id: 'g-1', displayName: 'Designers' },
			{ id: 'g-2', displayName: 'Sales' },
		];
		api.always('GET /Groups', searchable(groups, 'displayName'));

		const { results } = await search('searchGroups', { filter: 'sal' }, generic);

		expect(results).toEqual([{ name: 'Sales (g-2)', value: 'g-2' }]);
		expect(api.sent()).toEqual([`GET /Groups?${byPart('displayName', 'sal')}`]);
	});

	it('groups of one name are told apart, and organizations are read off display names', async () => {
		const groups = [
			{ id: '8f14', displayName: 'VPN' },
			{ id: 'c9f0', displayName: 'VPN' },
			{ id: '45c4', displayName: 'app-Sales-admin' },
			{ id: 'd3d9', displayName: 'app-sales-member' },
			{ id: '6512', displayName: 'app-SALES-viewer' },
		];
		api.always('GET /Groups', searchable(groups, 'displayName'));
		const pattern = {
			...generic,
			groupsStandFor: 'organizationAndRole',
			groupPattern: 'app-{organization}-{role}',
			groupPatternOn: 'displayName',
			organizationNames: { organization: [{ name: 'Sales Team', id: 'sales' }] },
		};

		const plain = await search('searchGroups', {}, generic);
		const named = await search('searchGroups', {}, pattern);
		const organizations = await search('searchOrganizations', {}, pattern);

		expect(plain.results.map(({ name }) => name)).toEqual([
			'VPN (8f14)',
			'VPN (c9f0)',
			'app-Sales-admin (45c4)',
			'app-sales-member (d3d9)',
			'app-SALES-viewer (6512)',
		]);
		expect(named.results.map(({ name }) => name)).toEqual([
			'VPN (8f14)',
			'VPN (c9f0)',
			'Sales: admin',
			'Sales Team: member',
			'SALES: viewer',
		]);
		expect(organizations.results).toEqual([{ name: 'Sales Team (sales)', value: 'sales' }]);
	});

	it.each<[string, (people: object[]) => Answer]>([
		['refuses such a filter', (people) => listOf(people, { filter: false })],
		[
			'ignores it',
			(people) => (request) => {
				const start = Number(request.query.startIndex) - 1;
				return [200, list(people.slice(start, start + 100))];
			},
		],
		[
			'finds nobody by it, as for an id',
			(people) => (request) =>
				request.query.filter === undefined
					? [200, list(people.slice(Number(request.query.startIndex) - 1).slice(0, 100))]
					: [200, list([])],
		],
	])('the list is looked through where the service %s', async (_what, answer) => {
		api.always('GET /Users', answer(crowd(150)));

		const { results } = await search('searchUsers', { filter: 'user-120' }, generic);

		expect(results).toEqual([{ name: 'p120@example.com', value: 'user-120' }]);
		expect(api.sent()).toEqual([
			`GET /Users?${byPart('userName', 'user-120')}`,
			'GET /Users?startIndex=1&count=100',
			'GET /Users?startIndex=101&count=100',
		]);
	});
});

describe('lists that go on by cursor (RFC 9865)', () => {
	const aws = { serviceProfile: 'awsIdentityCenter' };
	const CURSORS = ['', 'two', 'the third'];
	const ROUTE = 'GET /Users';
	/** 250 people in three pages, where `accepts` takes the cursor. */
	const pages =
		(accepts: (cursor: string) => boolean = () => true) =>
		({ query }: { query: Record<string, string> }): [number, object] => {
			const page = CURSORS.indexOf(query.cursor ?? '');
			if (!accepts(query.cursor ?? '')) return [400, { scimType: 'expiredCursor' }];
			const Resources = crowd(250).slice(page * 100, page * 100 + 100);
			return [200, { Resources, nextCursor: CURSORS[page + 1] }];
		};
	const asked = (cursor: string) => `${ROUTE}?cursor=${cursor}&count=100`;
	/** All that the editor shows, as somebody scrolls down. */
	async function scroll(credential: Parameters<typeof search>[2], filter?: string) {
		const [shown, tokens] = [[] as string[], new Set<string>()];
		for (let paginationToken: string | undefined, more = true; more;) {
			const page = await search('searchUsers', { filter, paginationToken }, credential);
			shown.push(...page.results.map(({ value }) => String(value)));
			paginationToken = page.paginationToken as string | undefined;
			more = paginationToken !== undefined;
			if (tokens.has(String(paginationToken))) throw new Error('scrolls for ever');
			tokens.add(String(paginationToken));
		}
		return shown;
	}
	const EVERYBODY = crowd(250).map(({ id }) => id);

	it('come a page at a time', async () => {
		api.always(ROUTE, pages());
		expect(await scroll(aws)).toEqual(EVERYBODY);
		expect(api.sent()).toEqual(CURSORS.map(asked));
	});

	it('and so do those whose first page names a cursor', async () => {
		api.always(ROUTE, pages());
		expect(await scroll(generic)).toEqual(EVERYBODY);
		expect(api.sent()).toEqual([`${ROUTE}?startIndex=1&count=100`, ...CURSORS.slice(1).map(asked)]);
	});

	it('are searched beyond their first page', async () => {
		api.always(ROUTE, pages());
		const { results } = await search('searchUsers', { filter: 'user-222' }, aws);
		expect(results.map(({ value }) => value)).toEqual(['user-222']);
	});

	it('begin once more where a cursor has expired, and show nobody twice', async () => {
		let expired = 0;
		api.always(
			ROUTE,
			pages((cursor) => cursor !== 'the third' || ++expired > 1),
		);
		expect(await scroll(aws)).toEqual(EVERYBODY);
		expect(api.sent()).toEqual([...CURSORS, ...CURSORS].map(asked));
	});

	it('that cannot be read to their end are an error', async () => {
		api.always(
			ROUTE,
			pages((cursor) => cursor !== 'the third'),
		);
		await expect(scroll(aws)).rejects.toThrow('the service answered 400');
		expect(api.sent()).toHaveLength(6);
	});

	it('of a service that knows no cursors go on by startIndex', async () => {
		const byCursor = { ...generic, overrideProfile: true, paging: 'cursor' };
		api.always(ROUTE, listOf(crowd(250), { filter: false }));
		expect(await scroll(byCursor)).toEqual(EVERYBODY);
		expect(api.sent().slice(0, 2)).toEqual([asked(''), `${ROUTE}?startIndex=101&count=100`]);
		const { results } = await search('searchUsers', { filter: 'user-222' }, byCursor);
		expect(results.map(({ value }) => value)).toEqual(['user-222']);
	});

	it('of which each page has one entry, whose ID is the next cursor', async () => {
		const people = crowd(3);
		api.always(ROUTE, ({ query }) => {
			const at = people.findIndex(({ id }) => id === query.cursor) + 1;
			return [200, { Resources: [people[at]], nextCursor: people.slice(0, -1)[at]?.id }];
		});
		expect(await scroll(aws)).toEqual(people.map(({ id }) => id));
	});

	it('that the service searches go on over an empty page', async () => {
		api.always(ROUTE, ({ query }) => {
			const page = CURSORS.indexOf(query.cursor ?? '');
			const Resources = page === 1 ? [] : [crowd(3)[page]];
			return [200, { Resources, nextCursor: CURSORS[page + 1] }];
		});
		expect(await scroll(generic, 'user-')).toEqual(['user-1', 'user-3']);
	});

	it.each<[string, Answer, string, number]>([
		[
			'end before their total',
			[200, { Resources: crowd(3), totalResults: 250 }],
			'the service showed 3 of 250 entries',
			2,
		],
		[
			'end before the total of their first page',
			({ query: { cursor } }) =>
				cursor === ''
					? [200, { Resources: crowd(3), totalResults: 250, nextCursor: 'two' }]
					: [200, { Resources: crowd(5).slice(3), totalResults: 2 }],
			'the service showed 5 of 250 entries',
			4,
		],
		[
			'go round in a circle',
			({ query: { cursor } }) => {
				const page = ['', 'a', 'b'].indexOf(cursor ?? '');
				const Resources = crowd(30).slice(page * 10, page * 10 + 10);
				return [200, { Resources, nextCursor: page === 1 ? 'b' : 'a' }];
			},
			'the service names the same next page twice',
			6,
		],
		[
			'show the same entries under fresh cursors',
			({ query: { cursor } }) => [200, { Resources: crowd(2), nextCursor: `${cursor}x` }],
			'the service shows the same entries on another page',
			4,
		],
		[
			'go on over empty pages for ever',
			({ query: { cursor } }) => [200, { Resources: [], nextCursor: `${cursor}x` }],
			'the service names another page after 11 empty ones',
			22,
		],
	])(
		'that %s: once more from the beginning, then an error',
		async (_what, answer, why, requests) => {
			api.always(ROUTE, answer);
			await expect(scroll(aws)).rejects.toThrow(`The list of users is incomplete: ${why}`);
			expect(api.sent()).toHaveLength(requests);
		},
	);

	it('that went round in a circle once are whole', async () => {
		let asked = 0;
		api.always(ROUTE, (request) => {
			const [status, body] = pages()(request);
			return [status, ++asked === 3 ? { ...body, nextCursor: 'two' } : body];
		});
		expect(await scroll(aws)).toEqual(EVERYBODY);
	});
});

describe('lists by startIndex that end before their total are an error', () => {
	it.each<[string, Answer]>([
		[
			'with an empty page',
			({ query }) => [200, list(query.startIndex === '1' ? crowd(30) : [], { totalResults: 250 })],
		],
		[
			'with an empty page that says 0',
			({ query }) => {
				const isFirst = query.startIndex === '1';
				return [200, list(isFirst ? crowd(30) : [], { totalResults: isFirst ? 250 : 0 })];
			},
		],
		['with their first page again', [200, list(crowd(30), { totalResults: 250 })]],
	])('%s', async (_what, answer) => {
		api.always(USERS, answer);
		const { paginationToken } = await search('searchUsers');
		await expect(
			search('searchUsers', { paginationToken: String(paginationToken) }),
		).rejects.toThrow('The list of users is incomplete: the service showed 30 of 250 entries');
	});
});

describe.each(['searchUsers', 'searchGroups', 'searchOrganizations'])('%s', (method) => {
	const route = method === 'searchUsers' ? USERS : GROUPS;

	it('says what is wrong with the token, without the token', async () => {
		api.answer(route, accessDenied(403));

		const error = await search(method).catch((thrown: Error) => thrown);

		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('Access denied'),
			description: expect.stringContaining('account-management scope'),
			httpCode: '403',
		});
		expect(JSON.stringify(error)).not.toContain(TOKEN);
	});

	it('where nothing is found, the Service Profile may be wrong', async () => {
		api.answer(route, [404, 'Not Found']);

		await expect(search(method)).rejects.toMatchObject({
			description: expect.stringContaining('check the Service Profile, the Base URL'),
		});
	});

	it('says what is wrong with the credential before anything is sent', async () => {
		await expect(search(method, {}, { baseUrl: 'scim.test' })).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The Base URL does not start with http:// or https://',
			description: expect.stringContaining('Enter'),
		});
		expect(api.sent()).toStrictEqual([]);
	});
});
