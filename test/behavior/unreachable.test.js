'use strict';

// Groups of account organizations come and go with their organization alone. Where the service cannot reach what is
// behind it, it answers 400 to the list, 404 to a group without members, or shows none: that is never "no groups".

const { Account, Groups, emails, play, table } = require('../support/behavior');
const n8n = require('n8n-workflow');
const { search } = require('../support/node');
const { withService } = require('../support/service');

const PEOPLE = { ana: 'a:viewer', bob: 'a:admin', cid: 'acct:viewer' };
const behind = (more) => ({ kind: 'behind-plugin', method: 'GET', ...more });
const LIST = { path: '/scim/Groups' };
const ONE = { path: /Groups\/./ };
const on = (rule, switches) => () =>
	new Account(PEOPLE, { ...switches, faults: rule ? [behind(rule)] : [] });
const ANA = { people: emails('ana') };

/** How long three pauses take, in milliseconds. */
const PAUSES = 250 + 500 + 1000;
const waited = () => n8n.sleep.mock.calls.reduce((sum, [ms]) => sum + ms, 0);
beforeEach(() => void jest.spyOn(n8n, 'sleep').mockResolvedValue());
afterEach(() => jest.restoreAllMocks());

const get = (w) => ({ user: w.user('ana') });
describe.each([
	['access', 'get', get],
	['access', 'getMatrix', () => ({})],
	['group', 'getAll', () => ({})],
	['access', 'assign', (w) => ({ ...ANA, ...w.roles('a:member') })],
	['access', 'revoke', () => ({ ...ANA, accessBy: 'organizationAndRole', revokeIn: 'all' })],
	['access', 'offboard', () => ANA],
])('%s %s', (resource, operation, wish) => {
	const run = async (world) => {
		const items = await play(world, [resource, operation], wish(world));
		return items.map(({ at: _, provenAt: __, requests: ___, ...item }) => item);
	};
	const lists = ({ service }) => service.requests.filter(({ path }) => path === LIST.path);

	test('400 to the list of groups: three more tries, and it goes on', async () => {
		const world = on({ ...LIST, times: 3 })();
		const usual = on()();
		expect(await run(world)).toEqual(await run(usual));
		expect(waited()).toBe(PAUSES);
		// What changes members after the pauses looks at all groups once more.
		const looks = /^(assign|revoke)$/.test(operation) ? 1 : 0;
		expect(lists(world)).toHaveLength(lists(usual).length + 3 + looks);
	});

	const nothing = new Account({ ana: '' }, {});
	test.each([
		['400', on(LIST), /^Could not list groups: the service answered 400.*, 4 times/],
		['no group', () => nothing, /^Could not list groups: the service showed no group, 4 times/],
	])('%s again and again: an error, and nothing is sent', async (_, world, message) => {
		const is = world();
		const errors = (await run(is)).map(({ error }) => error);
		expect(errors).toEqual([expect.stringMatching(message)]);
		expect(lists(is)).toHaveLength(4);
		expect(is.service.written()).toStrictEqual([]);
		is.service.requests.length = 0;
	});
});

const byFilter = (filter) => () => ({ filters: { filter } });
table('group', 'getAll', [
	{
		it: 'a filter that the service refuses is not tried again',
		on: on(),
		wish: byFilter('displayName sw "org"'),
		...{ fails: [/invalidFilter/], reads: 1 },
	},
	{
		it: 'no group is an answer to a filter',
		on: on(),
		wish: byFilter('members.value eq "user-nobody"'),
		items: [],
	},
	{ it: 'and one of a generic service', on: () => new Groups({}), wish: () => ({}), items: [] },
]);

const viewers = (w) => ({ chooseGroupBy: 'group', group: w.group('b:viewer') });
table('group', 'get', [
	{
		it: '404 to a group that the list shows: three more tries, and it is there',
		on: () => new Account({ bob: 'b:admin' }, { faults: [behind({ ...ONE, times: 3 })] }),
		wish: viewers,
		items: [{ members: [] }],
		once: true,
	},
	{
		it: '404 to it again and again: an error',
		on: () => new Account({ bob: 'b:admin' }, { faults: [behind(ONE)] }),
		wish: viewers,
		fails: [/^Could not get group .*: the service answered 404.*, 4 times$/],
	},
]);
table('group', 'removeMembers', {
	it: '404 after the last member left proves nothing: unverified, never gone',
	on: on(ONE, { patchAnswers: '204' }),
	wish: (w) => ({
		...{ people: emails('cid'), chooseGroupBy: 'group', group: w.group('acct:viewer') },
	}),
	fails: [/Could not confirm.*404/],
	...{ sends: ['PATCH acct:viewer'], ends: { cid: '' } },
});

test.each(['searchGroups', 'searchOrganizations'])(
	'%s of the editor waits as shortly',
	async (method) => {
		await withService({ faults: [behind({ ...LIST, times: 3 })] }, async (service) => {
			const credential = { baseUrl: service.url, accountApiToken: service.accountToken };
			const { results } = await search(method, {}, credential);
			expect(results.length).toBeGreaterThan(2);
			service.faults.add(behind(LIST));
			await expect(search(method, {}, credential)).rejects.toThrow(/400.*, 4 times$/);
			expect(waited()).toBe(2 * PAUSES);
		});
	},
);
