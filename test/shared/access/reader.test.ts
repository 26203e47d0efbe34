import { type People, type Question } from '../../../nodes/shared/access/facts/people';
import { createReader } from '../../../nodes/shared/access/facts/memberships';
import { matchingBy } from '../../../nodes/shared/scim/protocol/matching';
import * as sizes from '../../../nodes/shared/scim/client/listing';
import { PROFILES } from '../../../nodes/shared/scim/protocol/service';
import { broken, clientOver, transportTo } from '../../support/fakeTransport';
import { MemoryService, type Seed, type Switches } from '../../support/memoryService';

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
	return { reader: createReader(client, ids, client.facts.questions), transport, service };
}

/** As if services gave no more on a page. */
function inPagesOf(size: number): void {
	jest.replaceProperty(sizes, 'FIRST_PAGE', size as never);
	jest.replaceProperty(sizes, 'LARGE_PAGE', size as never);
}
afterEach(() => jest.restoreAllMocks());

const LATE = 'late@example.com';
const BY_NAME = matchingBy('userName');
const MET: Question = { fresh: true, absence: 'expected' };
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
	it('100 names of a short list: the listing is cheaper', async () => {
		const { reader, transport } = readerOf({ people: numbered(250) });
		const found = await reader.people.find([...namesOf(100), 'no@example.com']);
		expect(found.get('no@example.com')).toMatchObject({ kind: 'absent' });
		// Users missing from the list may belong to another account, which only a filter tells.
		expect(transport.sent).toHaveLength(3);
		expect(filters(transport.sent)).toEqual([
			expect.stringContaining('userName eq "no@example.com"'),
		]);
	});

	it('after the 409s of a few in a big directory: each is asked for', async () => {
		inPagesOf(100);
		const { reader, transport } = readerOf({ people: numbered(1_000) });
		const found = await reader.people.match(keyed(...namesOf(3)), BY_NAME, MET);
		expect([...found.values()].every(({ kind }) => kind === 'found')).toBe(true);
		// The first page of a listing says that it would take ten.
		expect(transport.sent).toHaveLength(1 + 2 * 3);
	});

	it('the same name in many items, in any case, is looked up once', async () => {
		const { reader, transport } = readerOf({ people: numbered(500) });
		const name = 'user-7@example.com';
		const found = await reader.people.find([name, name.toUpperCase(), name, name]);
		expect(found.size).toBe(2);
		expect(transport.sent).toHaveLength(2);
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

	it('after many 409s, users missing from a late listing are asked for', async () => {
		const { reader, transport } = readerOf(
			{ people: numbered(150) },
			// After the two pages of the listing.
			{ onList: (nth, service) => nth === 3 && service.create(LATE) },
		);
		const found = await reader.people.match(keyed(LATE, ...namesOf(5)), BY_NAME, MET);
		expect(found.get(LATE)).toMatchObject({ user: { userName: LATE } });
		expect(transport.sent).toHaveLength(2 + 2);
	});
});

describe('reading users by id', () => {
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
});

it('whether anyone is active: a user who cannot be read is no answer', async () => {
	const { reader } = readerOf({}, failing('500-html'));
	await expect(reader.people.anyActive(['user-0'])).rejects.toThrow(/500/);
});

describe('who is in which group', () => {
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
		// g1 shows no members: it is read once by attribute name, and `/Schemas` tells whether that helps.
		const page = (start: number) =>
			`GET /Groups?excludedAttributes=members&startIndex=${start}&count=100`;
		expect(transport.sent.sort()).toEqual([
			'GET /Groups/g1',
			'GET /Groups/g1?attributes=id,displayName,externalId,members',
			'GET /Groups/g9',
			// Whether it is hidden by ID alone.
			...[1, 2].map(page),
			'GET /Schemas',
		]);
		const down = readerOf({}, failing('500-html'));
		await expect(down.reader.memberships.read({ groups: ['g1'] })).rejects.toThrow(/500/);
	});
});
