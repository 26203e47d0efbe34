import { InputError } from '../../../nodes/shared/util/inputError';
import {
	AbsentError,
	Directory,
	foundUser,
	type Found,
} from '../../../nodes/shared/access/directory';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import {
	clientOver,
	fakeTransport,
	filteredName,
	listBody,
	scimError,
	service,
	user,
	type Answerer,
	type FakeUser,
	type Received,
	type Reply,
} from '../../support/fakeService';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);

function directoryOf(answer: Answerer, pageSize = 100, profile = PROFILES.accountOrganizations) {
	const transport = fakeTransport(answer);
	const client = clientOver(transport, profile, undefined, { maxWaitMs: 0 });
	return { directory: new Directory(client, ids, pageSize, 5), transport };
}

const numbered = (count: number) =>
	Array.from({ length: count }, (_, index) => user(`user-${index}`));
const names = (users: readonly FakeUser[]) => users.map(({ userName }) => userName);
const isFilter = ({ query }: Received) => query.has('filter');
const filters = (sent: string[]) => sent.filter((request) => request.includes('filter='));
const lists = (sent: string[]) => sent.filter((request) => request.includes('startIndex='));

/** What one look-up finds, and what was asked for it. */
async function find(answer: Answerer, userName: string) {
	const { directory, transport } = directoryOf(answer);
	return { found: await directory.findUser(userName), sent: transport.sent };
}

describe('finding a user: no filter at all', () => {
	const people = numbered(150);

	it.each<[string, Reply]>([
		['400', scimError(400, 'no', { scimType: 'invalidFilter' })],
		['403', scimError(403, 'no')],
		['501', scimError(501, 'no')],
		['ignored, with all users returned', { json: listBody(people) }],
	])('%s: listed once per execution, not once per item', async (_, reply) => {
		const { directory, transport } = directoryOf(
			service(people, [], (request) => (isFilter(request) ? reply : undefined)),
		);
		expect(await directory.findUser('user-7@example.com')).toMatchObject({
			kind: 'found',
			user: { id: 'user-7' },
		});
		expect(await directory.findUser('user-149@example.com')).toMatchObject({
			kind: 'found',
			user: { id: 'user-149' },
		});
		expect(await directory.findUser('nobody@example.com')).toEqual({ kind: 'absent' });
		expect(filters(transport.sent)).toHaveLength(1);
		expect(lists(transport.sent)).toEqual([
			'GET /scim/Users?startIndex=1&count=100',
			'GET /scim/Users?startIndex=101&count=100',
		]);
	});
});

describe('finding a user: with a filter', () => {
	it('whether the user is ours: 404 says no, 400 may pass and is asked again', async () => {
		let refusals = 3;
		const busy = service(numbered(3), [], ({ path }) =>
			path.endsWith('/user-1') && refusals-- > 0 ? scimError(400, 'try again') : undefined,
		);
		const passing = await find(busy, 'user-1@example.com');
		expect(passing.found).toMatchObject({ kind: 'found', user: { id: 'user-1' } });
		expect(passing.sent).toHaveLength(1 + 4);

		const elsewhere = service(numbered(3), [], ({ path }) =>
			path.endsWith('/user-2') ? scimError(404, 'not here') : undefined,
		);
		expect((await find(elsewhere, 'user-2@example.com')).found).toEqual({ kind: 'foreign' });
	});

	it('100 names of a long list: look-ups, after one page that told how long it is', async () => {
		const people = numbered(20_000);
		const { directory, transport } = directoryOf(service(people));
		const found = await directory.findUsers(names(people).slice(0, 100));
		expect([...found.values()].every(({ kind }) => kind === 'found')).toBe(true);
		expect(lists(transport.sent)).toEqual(['GET /scim/Users?startIndex=1&count=100']);
		expect(filters(transport.sent)).toHaveLength(100);
	});

	it('100 names of a short list: the listing is cheaper', async () => {
		const people = numbered(250);
		const { directory, transport } = directoryOf(service(people));
		const found = await directory.findUsers([...names(people).slice(0, 100), 'no@example.com']);
		expect(found.get('no@example.com')).toEqual({ kind: 'absent' });
		// Whoever is in no list may be a user of another account, of whom only a filter tells.
		expect(transport.sent).toHaveLength(4);
		expect(filters(transport.sent)).toEqual([
			expect.stringContaining('userName eq "no@example.com"'),
		]);
	});

	it('the same name in many items, in any case, is looked up once', async () => {
		const { directory, transport } = directoryOf(service(numbered(500)));
		const name = 'user-7@example.com';
		const found = await directory.findUsers([name, name.toUpperCase(), name, name]);
		expect(found.size).toBe(2);
		expect(transport.sent).toHaveLength(2);
	});

	it('no names: no request', async () => {
		const { directory, transport } = directoryOf(service([]));
		expect((await directory.findUsers([])).size).toBe(0);
		expect(transport.sent).toEqual([]);
	});
});

describe('finding a user: the filter misses', () => {
	const ODD = "o'neil+x@example.com";
	const people = [...numbered(3), user('user-odd', { userName: ODD })];
	const missing = service(people, [], (request) =>
		isFilter(request) && filteredName(request) === ODD ? { json: listBody([]) } : undefined,
	);

	it('several names missed cost one listing', async () => {
		const { directory, transport } = directoryOf(
			service(people, [], (request) => (isFilter(request) ? { json: listBody([]) } : undefined)),
		);
		const found = await directory.findUsers([ODD, 'user-1@example.com']);
		expect([...found.values()].map(({ kind }) => kind)).toEqual(['found', 'found']);
		expect(lists(transport.sent)).toHaveLength(1);
	});

	it('before a create nobody is enough, because the 409 will tell', async () => {
		const { directory, transport } = directoryOf(missing);
		expect((await directory.findUsersToCreate([ODD])).get(ODD)).toEqual({ kind: 'absent' });
		expect(transport.sent).toHaveLength(1);
	});

	it('after the 409: listed once for all, then decided', async () => {
		const { directory, transport } = directoryOf(
			service(people, [], (request) => (isFilter(request) ? { json: listBody([]) } : undefined)),
		);
		const names = [ODD, 'user-1@example.com', 'else@example.com'];
		const found = await directory.findAfterConflicts(names);
		expect([...found.values()]).toMatchObject([
			{ user: { id: 'user-odd' } },
			{ user: { id: 'user-1' } },
			{ kind: 'absent' },
		]);
		expect(lists(transport.sent)).toHaveLength(1);
	});

	it('after the 409s of a few in a big directory: each is asked for', async () => {
		const { directory, transport } = directoryOf(service(numbered(1_000)));
		const names = numbered(3).map(({ userName }) => userName);
		const found = await directory.findAfterConflicts(names);
		expect([...found.values()].every(({ kind }) => kind === 'found')).toBe(true);
		// The first page of a listing says that it would take ten.
		expect(transport.sent).toHaveLength(1 + 2 * 3);
	});

	it('after the 409s of many, whom a late listing lacks is asked for', async () => {
		const { directory, transport } = directoryOf(
			service(numbered(150), [], (request) => {
				const latest = user('user-new', { userName: ODD });
				if (request.path.endsWith('/user-new')) return { json: latest };
				return isFilter(request) ? { json: listBody([latest]) } : undefined;
			}),
		);
		const names = [ODD, ...numbered(5).map(({ userName }) => userName)];
		const found = await directory.findAfterConflicts(names);
		expect(found.get(ODD)).toMatchObject({ user: { id: 'user-new' } });
		expect(transport.sent).toHaveLength(2 + 2);
	});

	it('after the 409s while lists cannot be read: the filter still answers', async () => {
		const { directory } = directoryOf(
			service(numbered(10), [], (request) =>
				request.path.endsWith('/Users') && !isFilter(request)
					? scimError(503, 'no lists today')
					: undefined,
			),
		);
		const found = await directory.findAfterConflicts([
			'ghost@example.com',
			...numbered(8).map(({ userName }) => userName),
		]);
		expect([...found.values()].map(({ kind }) => kind)).toEqual([
			'unknown',
			...numbered(8).map(() => 'found'),
		]);
	});

	it('after the 409 with an incomplete list: unknown, never absent', async () => {
		const { directory } = directoryOf((request) => ({
			json:
				isFilter(request) || request.query.get('startIndex') !== '1'
					? { ...listBody([]), ...(!isFilter(request) && { totalResults: 10 }) }
					: { ...listBody(numbered(2)), totalResults: 10 },
		}));
		expect((await directory.findAfterConflicts([ODD])).get(ODD)?.kind).toBe('unknown');
	});

	it('looking after a write of ours: a quick look trusts the filter, the last one does not', async () => {
		const { directory, transport } = directoryOf(missing);
		expect(await directory.lookAgain(ODD)).toBeUndefined();
		expect(transport.sent).toHaveLength(1);
		const found = await directory.findAfterConflicts([ODD]);
		expect(found.get(ODD)).toMatchObject({ user: { id: 'user-odd' } });
	});
});

describe('finding a user: errors', () => {
	it('of the listing are unknown for all, not absence', async () => {
		const { directory } = directoryOf(() => scimError(500, 'down'));
		const found = await directory.findUsers(['a@x.com', 'b@x.com', 'c@x.com']);
		expect([...found.values()].map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
	});

	it('nobody by that name is told with what to check', () => {
		expect(() => foundUser({ kind: 'absent' }, 'ana@example.com')).toThrow(InputError);
		expect(() => foundUser(undefined, 'ana@example.com')).toThrow(
			'No user has the user name ana@example.com',
		);
	});

	it('only absence is told as absence', () => {
		const thrown = (found: Found) => {
			try {
				return foundUser(found, 'ana@example.com');
			} catch (error) {
				return error;
			}
		};
		expect(thrown({ kind: 'absent' })).toBeInstanceOf(AbsentError);
		expect(thrown({ kind: 'ambiguous', ids: ['a', 'b'] })).not.toBeInstanceOf(AbsentError);
		expect(thrown({ kind: 'unknown', error: new Error('down') })).not.toBeInstanceOf(AbsentError);
	});
});

describe('reading users by id', () => {
	it('each once, errors by user', async () => {
		const { directory, transport } = directoryOf(service(numbered(2)));
		const read = await directory.readById(['user-0', 'user-9', 'user-0']);
		expect(read.get('user-0')).toMatchObject({ ok: true, value: { id: 'user-0' } });
		expect(read.get('user-9')).toMatchObject({ ok: false });
		expect(transport.sent).toHaveLength(2);
	});

	it('who cannot be read is an error of that one alone, never absence', async () => {
		const { directory } = directoryOf(
			service(numbered(3), [], ({ path }) =>
				path.endsWith('user-1') ? scimError(403, 'not this one') : undefined,
			),
		);
		const read = await directory.readUsers(['user-0', 'user-1', 'user-2']);
		expect([...read.values()].map(({ ok }) => ok)).toEqual([true, false, true]);
	});

	it('many are read from a listing when that is known to take fewer requests, and anew', async () => {
		const people = numbered(50);
		const { directory, transport } = directoryOf(service(people));
		await directory.findUsers(names(people));
		people[3].active = false;
		const read = await directory.readUsers(people.map(({ id }) => id));
		expect(read.get('user-3')).toMatchObject({ ok: true, value: { active: false } });
		expect(transport.sent).toHaveLength(2);
	});

	it('after a listing that failed: still by id', async () => {
		const { directory } = directoryOf(
			service(numbered(2), [], ({ path }) =>
				path === '/scim/Users' ? scimError(403, 'no listing') : undefined,
			),
		);
		expect(
			(await directory.findUsers(['user-1@example.com'])).get('user-1@example.com')?.kind,
		).toBe('unknown');
		expect((await directory.readUsers(['user-0'])).get('user-0')).toMatchObject({
			ok: true,
			value: { id: 'user-0' },
		});
	});
});

describe('whether anybody is active', () => {
	const people = [
		user('user-0', { active: false }),
		user('user-1', { active: 'True' }),
		user('user-2'),
	];

	it('asks one after the other and stops at the first who is', async () => {
		const { directory, transport } = directoryOf(service(people));
		expect(await directory.anyActive(['user-0', 'user-1', 'user-2'])).toBe(true);
		expect(transport.sent).toEqual(['GET /scim/Users/user-0', 'GET /scim/Users/user-1']);
	});

	it('nobody: no request; who is gone or inactive does not count', async () => {
		const { directory, transport } = directoryOf(service(people));
		expect(await directory.anyActive([])).toBe(false);
		expect(transport.sent).toEqual([]);
		expect(await directory.anyActive(['user-9', 'user-0'])).toBe(false);
	});

	it('somebody who cannot be read is no answer', async () => {
		const { directory } = directoryOf(() => scimError(500, 'down'));
		await expect(directory.anyActive(['user-0'])).rejects.toThrow(/down/);
	});
});

describe('who is in which group', () => {
	const groups = [
		{
			id: 'whylabs-org-1:admin',
			members: [{ value: 'user-0', display: 'user-0@example.com' }],
		},
		{ id: 'whylabs-org-1:member' },
		{ id: 'whylabs-org-2:admin', members: [{ value: 'user-0' }, { value: 'user-1' }] },
	];

	it('all groups in one request that says nothing of pages, once per execution', async () => {
		const { directory, transport } = directoryOf(service([], groups));
		const access = await directory.access();
		expect(await directory.access()).toBe(access);
		expect(transport.sent).toEqual(['GET /scim/Groups']);
		expect([...(access.held.get('user-0') ?? [])]).toEqual([
			ids.key('org-1:admin'),
			ids.key('org-2:admin'),
		]);
		expect(access.groups.get(ids.key('ORG-1:Member'.toLowerCase()))?.id).toBe(
			'whylabs-org-1:member',
		);
	});

	it('read anew when that is asked for, and this stays', async () => {
		const { directory, transport } = directoryOf(service([], groups));
		await directory.access();
		const now = await directory.accessNow();
		expect(await directory.access()).toBe(now);
		expect(transport.sent).toEqual(['GET /scim/Groups', 'GET /scim/Groups']);
	});

	it('in pages on other services, and groups whose members the list leaves out one by one', async () => {
		const { directory, transport } = directoryOf(
			service(
				[],
				[{ id: 'g1' }, { id: 'g2', members: [] }, { id: 'g3', members: [{ value: 'a' }] }],
			),
			2,
			PROFILES.generic,
		);
		const access = await directory.access();
		expect(access.groups.size).toBe(3);
		expect(transport.sent).toContain('GET /Groups?startIndex=1&count=2');
		// g3 is the witness that the list is right about members.
		const byId = transport.sent.filter((line) => /Groups\/g/.test(line));
		expect(byId.sort()).toEqual(['GET /Groups/g1', 'GET /Groups/g3']);
	});

	it('single groups for services whose groups stand for themselves: each once, gone ones left out', async () => {
		const { directory, transport } = directoryOf(
			service([], [{ id: 'g1', members: [{ value: 'a' }] }]),
			100,
			PROFILES.generic,
		);
		const access = await directory.accessOf(['g1', 'g9', 'g1']);
		expect([...access.groups.keys()]).toEqual([ids.key('g1')]);
		expect(transport.sent.sort()).toEqual(['GET /Groups/g1', 'GET /Groups/g9']);
		const broken = directoryOf(() => scimError(500, 'down'));
		await expect(broken.directory.accessOf(['g1'])).rejects.toThrow(/down/);
	});
});
