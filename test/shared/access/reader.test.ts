import { InputError } from '../../../nodes/shared/util/inputError';
import { AbsentError, foundUser, type Found } from '../../../nodes/shared/access/found';
import type { People, Question } from '../../../nodes/shared/access/people';
import { createReader } from '../../../nodes/shared/access/reader';
import { matchingBy } from '../../../nodes/shared/scim/protocol/matching';
import * as sizes from '../../../nodes/shared/scim/client/pageSizes';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { broken, clientOver, transportTo } from '../../support/fakeTransport';
import { ACCOUNT, MemoryService, type Seed, type Switches } from '../../support/memoryService';

const ids = PROFILES.accountOrganizations.groups();

function readerOf(
	{ people, groups, ...seed }: Omit<Seed, 'groups'> & { groups?: string[] } = {},
	switches: Switches = {},
	profile = PROFILES.accountOrganizations,
) {
	const service = new MemoryService(
		{ ...seed, people, groups: groups?.map((id) => ({ id })) },
		{ prefix: profile === PROFILES.generic ? '' : '/scim', showsMembers: 'whenAny', ...switches },
	);
	const transport = transportTo(service);
	const client = clientOver(transport, profile, undefined, { maxWaitMs: 0 });
	return { reader: createReader(client, ids), transport, service };
}

/** As if services gave no more on a page. */
function inPagesOf(size: number): void {
	jest.replaceProperty(sizes, 'FIRST_PAGE', size as never);
	jest.replaceProperty(sizes, 'LARGE_PAGE', size as never);
}
afterEach(() => jest.restoreAllMocks());

const BY_NAME = matchingBy('userName');
const MET: Question = { fresh: true, absence: 'expected' };
const QUICK: Question = { fresh: true, absence: 'refusable' };
const findOne = async (people: People, name: string, question: Question = {}) =>
	(await people.find([name], question)).get(name);
const keyed = (...keys: string[]) => keys.map((key) => ({ key }));
const named = (id: string, userName = `${id}@example.com`) => ({ id, userName });
const numbered = (count: number) =>
	Array.from({ length: count }, (_, index) => named(`user-${index}`));
const namesOf = (count: number) => numbered(count).map(({ userName }) => userName);
const filters = (sent: string[]) => sent.filter((request) => request.includes('filter='));
const lists = (sent: string[]) => sent.filter((request) => request.includes('startIndex='));
const failing = (kind: string, path?: string) => ({ faults: [{ kind, path }] });

describe('finding a user: no filter at all', () => {
	it.each([
		['400', 400],
		['403', 403],
		['501', 501],
		['ignored, with all users returned', 'ignored'],
	])('%s: listed once per execution, not once per item', async (_, filter) => {
		const { reader, transport } = readerOf({ people: numbered(150) }, { filter });
		expect(await findOne(reader.people, 'user-7@example.com')).toMatchObject({
			kind: 'found',
			user: { id: 'user-7' },
		});
		expect(await findOne(reader.people, 'user-149@example.com')).toMatchObject({
			kind: 'found',
			user: { id: 'user-149' },
		});
		// A list does not show the logins by which the account knows people.
		expect((await findOne(reader.people, 'nobody@example.com'))?.kind).toBe('unknown');
		expect(filters(transport.sent)).toHaveLength(1);
		expect(lists(transport.sent)).toEqual([
			'GET /scim/Users?startIndex=1&count=100',
			'GET /scim/Users?startIndex=101&count=100',
		]);
	});
});

describe('finding a user: with a filter', () => {
	it('whether the user is ours: 404 says no, 400 may pass and is asked again', async () => {
		const path = '/scim/Users/user-1';
		const busy = { faults: [{ path, kind: 'status', status: 400, times: 3 }] };
		const { reader, transport } = readerOf({ people: numbered(3) }, busy);
		const found = await findOne(reader.people, 'user-1@example.com');
		expect(found).toMatchObject({ kind: 'found', user: { id: 'user-1' } });
		expect(transport.sent).toHaveLength(1 + 4);

		const elsewhere = readerOf({ foreignUsers: ['user-2@example.com'] }, ACCOUNT);
		expect(await findOne(elsewhere.reader.people, 'user-2@example.com')).toEqual({
			kind: 'foreign',
		});
	});

	it('100 names of a long list: look-ups, after one page that told how long it is', async () => {
		inPagesOf(10);
		const { reader, transport } = readerOf({ people: numbered(1_001) });
		const found = await reader.people.find(namesOf(100));
		expect([...found.values()].every(({ kind }) => kind === 'found')).toBe(true);
		expect(lists(transport.sent)).toEqual(['GET /scim/Users?startIndex=1&count=10']);
		expect(filters(transport.sent)).toHaveLength(100);
	});

	it('100 names of a short list: the listing is cheaper', async () => {
		const { reader, transport } = readerOf({ people: numbered(250) });
		const found = await reader.people.find([...namesOf(100), 'no@example.com']);
		expect(found.get('no@example.com')).toEqual({ kind: 'absent' });
		// Whoever is in no list may be a user of another account, of whom only a filter tells.
		expect(transport.sent).toHaveLength(3);
		expect(filters(transport.sent)).toEqual([
			expect.stringContaining('userName eq "no@example.com"'),
		]);
	});

	it('the same name in many items, in any case, is looked up once', async () => {
		const { reader, transport } = readerOf({ people: numbered(500) });
		const name = 'user-7@example.com';
		const found = await reader.people.find([name, name.toUpperCase(), name, name]);
		expect(found.size).toBe(2);
		expect(transport.sent).toHaveLength(2);
	});

	it('no names: no request', async () => {
		const { reader, transport } = readerOf();
		expect((await reader.people.find([])).size).toBe(0);
		expect(transport.sent).toStrictEqual([]);
	});
});

describe('finding a user: the filter misses', () => {
	const ODD = "o'neil+x@example.com";
	const people = [...numbered(3), named('user-odd', ODD)];
	const missing = { filterMisses: () => true };

	it('several names missed cost one listing', async () => {
		const { reader, transport } = readerOf({ people }, missing);
		const found = await reader.people.find([ODD, 'user-1@example.com']);
		expect([...found.values()].map(({ kind }) => kind)).toEqual(['found', 'found']);
		expect(lists(transport.sent)).toHaveLength(1);
	});

	it('before a create nobody is enough, because the 409 will tell', async () => {
		const { reader, transport } = readerOf({ people }, missing);
		expect(await findOne(reader.people, ODD, QUICK)).toEqual({ kind: 'absent' });
		expect(transport.sent).toHaveLength(1);
	});

	it('after the 409: listed once for all, then decided', async () => {
		const { reader, transport } = readerOf({ people }, missing);
		const names = [ODD, 'user-1@example.com', 'else@example.com'];
		const found = await reader.people.match(keyed(...names), BY_NAME, MET);
		expect([...found.values()]).toMatchObject([
			{ user: { id: 'user-odd' } },
			{ user: { id: 'user-1' } },
			{ kind: 'absent' },
		]);
		expect(lists(transport.sent)).toHaveLength(1);
	});

	it('after the 409s of a few in a big directory: each is asked for', async () => {
		inPagesOf(100);
		const { reader, transport } = readerOf({ people: numbered(1_000) });
		const found = await reader.people.match(keyed(...namesOf(3)), BY_NAME, MET);
		expect([...found.values()].every(({ kind }) => kind === 'found')).toBe(true);
		// The first page of a listing says that it would take ten.
		expect(transport.sent).toHaveLength(1 + 2 * 3);
	});

	it('after the 409s of many, whom a late listing lacks is asked for', async () => {
		const { reader, transport } = readerOf(
			{ people: numbered(150) },
			// After the two pages of the listing.
			{ onList: (nth, service) => nth === 3 && service.create(ODD) },
		);
		const found = await reader.people.match(keyed(ODD, ...namesOf(5)), BY_NAME, MET);
		expect(found.get(ODD)).toMatchObject({ user: { userName: ODD } });
		expect(transport.sent).toHaveLength(2 + 2);
	});

	it('after the 409s while lists cannot be read: the filter still answers', async () => {
		const onRequest: Switches['onRequest'] = (_, { path, query }) => {
			if (path === '/scim/Users' && !query.filter) throw broken('ECONNRESET');
		};
		const { reader } = readerOf({ people: numbered(10) }, { onRequest });
		const found = await reader.people.match(
			keyed('ghost@example.com', ...namesOf(8)),
			BY_NAME,
			MET,
		);
		expect([...found.values()].map(({ kind }) => kind)).toEqual([
			'unknown',
			...namesOf(8).map(() => 'found'),
		]);
	});

	it('after the 409 with an incomplete list: unknown, never absent', async () => {
		const { reader } = readerOf(
			{ people: [...numbered(100), named('user-odd', ODD)] },
			{ ...missing, ignoresStart: true },
		);
		expect((await reader.people.match(keyed(ODD), BY_NAME, MET)).get(ODD)?.kind).toBe('unknown');
	});

	it('looking after a write of ours: a quick look trusts the filter, the last one does not', async () => {
		const { reader, transport } = readerOf({ people }, missing);
		expect(await findOne(reader.people, ODD, QUICK)).toEqual({ kind: 'absent' });
		expect(transport.sent).toHaveLength(1);
		const found = await reader.people.match(keyed(ODD), BY_NAME, MET);
		expect(found.get(ODD)).toMatchObject({ user: { id: 'user-odd' } });
	});
});

describe('finding a user: errors', () => {
	it('of the listing are unknown for all, not absence', async () => {
		const { reader } = readerOf({}, failing('500-html'));
		const found = await reader.people.find(['a@x.com', 'b@x.com', 'c@x.com']);
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
		const { reader, transport } = readerOf({ people: numbered(2) });
		const read = await reader.people.read(['user-0', 'user-9', 'user-0'], {
			fresh: true,
			alone: true,
		});
		expect(read.get('user-0')).toMatchObject({ ok: true, value: { id: 'user-0' } });
		expect(read.get('user-9')).toMatchObject({ ok: false });
		expect(transport.sent).toHaveLength(2);
	});

	it('who cannot be read is an error of that one alone, never absence', async () => {
		const { reader } = readerOf({ people: numbered(3) }, failing('html-403', '/scim/Users/user-1'));
		const read = await reader.people.readThere(['user-0', 'user-1', 'user-2'], {
			fresh: true,
			alone: true,
		});
		expect([...read.values()].map(({ ok }) => ok)).toEqual([true, false, true]);
	});

	it('many are read from a listing when that is known to take fewer requests, and anew', async () => {
		const people = numbered(50);
		const { reader, transport, service } = readerOf({ people });
		await reader.people.find(namesOf(50));
		service.setActive('user-3', false);
		const read = await reader.people.readThere(
			people.map(({ id }) => id),
			{ fresh: true },
		);
		expect(read.get('user-3')).toMatchObject({ ok: true, value: { active: false } });
		expect(transport.sent).toHaveLength(2);
	});

	it('after a listing that failed: still by id', async () => {
		const { reader } = readerOf({ people: numbered(2) }, failing('html-403', '/scim/Users'));
		expect((await reader.people.find(['user-1@example.com'])).get('user-1@example.com')?.kind).toBe(
			'unknown',
		);
		expect(
			(await reader.people.readThere(['user-0'], { fresh: true })).get('user-0'),
		).toMatchObject({
			ok: true,
			value: { id: 'user-0' },
		});
	});
});

describe('whether anybody is active', () => {
	const people = [
		{ ...named('user-0'), active: false },
		{ ...named('user-1'), active: 'True' },
		named('user-2'),
	];

	it('asks one after the other and stops at the first who is', async () => {
		const { reader, transport } = readerOf({ people });
		expect(await reader.people.anyActive(['user-0', 'user-1', 'user-2'])).toBe(true);
		expect(transport.sent).toEqual(['GET /scim/Users/user-0', 'GET /scim/Users/user-1']);
	});

	it('nobody: no request; who is gone or inactive does not count', async () => {
		const { reader, transport } = readerOf({ people });
		expect(await reader.people.anyActive([])).toBe(false);
		expect(transport.sent).toStrictEqual([]);
		expect(await reader.people.anyActive(['user-9', 'user-0'])).toBe(false);
	});

	it('somebody who cannot be read is no answer', async () => {
		const { reader } = readerOf({}, failing('500-html'));
		await expect(reader.people.anyActive(['user-0'])).rejects.toThrow(/500/);
	});
});

describe('who is in which group', () => {
	const seed = {
		people: [
			{ ...named('user-0'), groups: ['whylabs-org-1:admin', 'whylabs-org-2:admin'] },
			{ ...named('user-1'), groups: ['whylabs-org-2:admin'] },
		],
		groups: ['whylabs-org-1:admin', 'whylabs-org-1:member', 'whylabs-org-2:admin'],
	};

	it('all groups in one request that says nothing of pages, once per execution', async () => {
		const { reader, transport } = readerOf(seed);
		const access = await reader.memberships.read();
		expect(await reader.memberships.read()).toBe(access);
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
		const { reader, transport } = readerOf(seed);
		await reader.memberships.read();
		const now = await reader.memberships.read({ fresh: true });
		expect(await reader.memberships.read()).toBe(now);
		expect(transport.sent).toEqual(['GET /scim/Groups', 'GET /scim/Groups']);
	});

	it.each([
		['leaves out one by one', 'whenAny', ['GET /Groups/g1', 'GET /Groups/g2', 'GET /Groups/g3']],
		['shows', 'all', ['GET /Groups/g3']],
	])(
		'in pages on other services, and groups whose members the list %s',
		async (_, showsMembers, read) => {
			inPagesOf(2);
			const { reader, transport } = readerOf(
				{ people: [{ ...named('a'), groups: ['g3'] }], groups: ['g1', 'g2', 'g3'] },
				{ showsMembers },
				PROFILES.generic,
			);
			const access = await reader.memberships.read();
			expect(access.groups.size).toBe(3);
			expect(transport.sent).toContain('GET /Groups?startIndex=1&count=2');
			const byId = transport.sent.filter((line) => /Groups\/g/.test(line));
			// g3 is the witness that the list is right about members.
			expect(byId.sort()).toEqual(read);
		},
	);

	it('by users alone: the list then answers for people, too', async () => {
		const { reader, transport } = readerOf(
			{ people: [{ ...named('a'), groups: ['g1'] }, named('b')], groups: ['g1'] },
			{ showsMembers: 'empty', usersShowGroups: 'all' },
			PROFILES.generic,
		);
		await reader.memberships.read();
		const before = transport.sent.length;
		expect(await findOne(reader.people, 'b@example.com')).toMatchObject({ kind: 'found' });
		await reader.people.read(['a']);
		expect(transport.sent.slice(before)).toStrictEqual([]);
	});

	it('single groups for services whose groups stand for themselves: each once, gone ones left out', async () => {
		const { generic } = PROFILES;
		const { reader, transport } = readerOf({ groups: ['g1'] }, {}, generic);
		const access = await reader.memberships.read({ groups: ['g1', 'g9', 'g1'] });
		expect([...access.groups.keys()]).toEqual([ids.key('g1')]);
		// g1 shows nobody: it is asked once by name, and `/Schemas` whether that is of use.
		expect(transport.sent.sort()).toEqual([
			'GET /Groups/g1',
			'GET /Groups/g1?attributes=id,displayName,externalId,members',
			'GET /Groups/g9',
			'GET /Schemas',
		]);
		const down = readerOf({}, failing('500-html'));
		await expect(down.reader.memberships.read({ groups: ['g1'] })).rejects.toThrow(/500/);
	});
});
