import type { RequestError } from '../../../../nodes/shared/http/request';
import type { ScimClient } from '../../../../nodes/shared/scim/client/scimClient';
import type { UserLookUps } from '../../../../nodes/shared/scim/client/users';
import type { KeptOfGroup } from '../../../../nodes/shared/scim/protocol/patch';
import { PROFILES } from '../../../../nodes/shared/scim/protocol/service';
import type { User } from '../../../../nodes/shared/scim/protocol/resource';
import { attempt } from '../../../../nodes/shared/util';
import {
	broken,
	clientOver,
	fakePatience,
	fakeTransport,
	inTurn,
	listBody,
	paging,
	scimError,
	user,
	type Answerer,
	type Reply,
} from '../../../support/fakeTransport';

// What one request of the client comes to, where no operation shows it: `test/behavior` and `test/loop` hold the rest.

const { accountOrganizations: ACCOUNT, generic: GENERIC } = PROFILES;
const ANA = 'ana@example.com';
const BODY = { schemas: ['x'], userName: ANA, active: true };
const FAULT: Reply = { status: 500 };
const DONE: Reply = { status: 204 };
const TAKEN = scimError(409, 'already exists');
const [refused, reset] = [broken('ECONNREFUSED'), broken('ECONNRESET')];

/** What is asked of a client, what is answered in turn, and what comes of it: an error or what is told, and what leaves. */
interface Case {
	ask: (client: ScimClient) => Promise<unknown>;
	replies: Array<Reply | Error> | Answerer;
	profile?: typeof GENERIC;
	tells?: unknown;
	fails?: RegExp;
	mayHaveWorked?: boolean;
	sent?: number | string[];
	bodies?: object[];
}

function table(cases: Record<string, Case>) {
	it.each(Object.entries(cases))('%s', async (_, { ask, replies, profile = GENERIC, ...said }) => {
		const transport = fakeTransport(Array.isArray(replies) ? inTurn(...replies) : replies);
		const tried = await attempt(async () => await ask(clientOver(transport, profile)));
		const error = tried.ok ? undefined : (tried.error as RequestError);
		if (said.fails === undefined) expect([error, tried]).toMatchObject([undefined, { ok: true }]);
		else expect(error?.message).toMatch(said.fails);
		if ('tells' in said) expect(tried).toMatchObject({ value: said.tells });
		if (said.mayHaveWorked) expect(error?.facts).toMatchObject({ mayHaveWorked: true });
		const { sent } = transport;
		if (said.sent) expect(typeof said.sent === 'number' ? sent.length : sent).toEqual(said.sent);
		const bodies = transport.received.map(({ body }) => body);
		if (said.bodies) expect(bodies).toMatchObject(said.bodies);
	});
}

describe('a filter', () => {
	const users = async (client: ScimClient) => await client.findUsersByFilter(ANA);
	const groups = async (client: ScimClient) => await client.findGroupsByFilter('Sales');
	const sales = (id: string, displayName = 'Sales') => ({ id, displayName });
	const nothing = { usable: false };
	const goesOn = { json: { Resources: [], nextCursor: 'x' } };
	table({
		'for users that goes on by cursor tells nothing': {
			ask: users,
			replies: [goesOn],
			tells: nothing,
		},
		'for groups that goes on by cursor tells nothing': {
			...{ ask: groups, replies: [goesOn], tells: nothing },
		},
		'for users with a fault is no answer': { ask: users, replies: [FAULT], fails: /500/ },
		'for groups finds all of the name in any case': {
			...{ ask: groups, replies: [{ json: listBody([sales('1'), sales('2', 'SALES')]) }] },
			...{ tells: { usable: true, groups: [{ id: '1' }, { id: '2' }] }, sent: 1 },
		},
		'for groups finds none': {
			...{ ask: groups, replies: [{ json: listBody([]) }], tells: { usable: true, groups: [] } },
		},
		'for groups that is ignored tells nothing': {
			ask: groups,
			replies: [{ json: listBody([sales('1'), sales('2', 'Sales EMEA')]) }],
			tells: nothing,
		},
		'for groups that is cut off tells nothing': {
			ask: groups,
			replies: [{ json: { ...listBody([sales('1')]), totalResults: 2 } }],
			tells: nothing,
		},
		'for groups with a fault is no answer': {
			ask: groups,
			replies: [{ status: 401 }],
			fails: /401/,
		},
		'for groups of an account is tried again after a failure behind the interface': {
			...{ ask: groups, replies: [scimError(400, 'backend'), { json: listBody([sales('1')]) }] },
			...{ profile: ACCOUNT, tells: { groups: [{ id: '1' }] } },
		},
	});

	const statuses = [400, 403, 404, 405, 413, 414, 501];
	const refusals = statuses.map((status) => [status, scimError(status, 'no filter')] as const);
	it.each(refusals)('refused with %i tells nothing', async (_, reply) => {
		for (const ask of [users, groups]) {
			const transport = fakeTransport(inTurn(reply));
			expect(await ask(clientOver(transport, GENERIC))).toEqual(nothing);
			expect(transport.sent).toHaveLength(1);
		}
	});

	it('a group of an account is never gone', async () => {
		const client = clientOver(fakeTransport(inTurn(scimError(404, 'not found'))), ACCOUNT);
		await expect(client.getGroup('g')).rejects.toMatchObject({
			message: 'Could not get group g: the service answered 404, not found, 4 times',
			description: expect.stringContaining('Check the ID') as string,
			status: undefined,
		});
	});
});

describe('the creation of a user', () => {
	const seen: User = { id: 'u', userName: ANA, attributes: { id: 'u', userName: ANA } };
	/** Ways of looking that see the user at the given look at the earliest, and fail at 0. */
	function looking(quickAt: number, thoroughAt: number) {
		const asked: string[] = [];
		const way = (name: string, at: number) => async () => {
			asked.push(name);
			if (at === 0) throw new Error('Could not list users');
			return asked.filter((one) => one === name).length >= at ? seen : undefined;
		};
		return { asked, quick: way('quick', quickAt), thorough: way('thorough', thoroughAt) };
	}
	const create =
		(lookUps: UserLookUps): Case['ask'] =>
		async (client) =>
			await client.createUser(BODY, lookUps);
	const failing = create(looking(0, 0));

	table({
		'with an answer that shows the user needs no look': {
			...{ ask: failing, replies: [{ status: 201, json: user('u') }], bodies: [BODY] },
			tells: { user: { id: 'u' }, found: false },
		},
		'refused after a lost answer: the one that there is is ours, even where reads lag': {
			...{ ask: create(looking(4, Infinity)), replies: [FAULT, TAKEN] },
			...{ tells: { user: { id: 'u' }, found: true }, sent: 2 },
		},
		'refused after a connection that did not come about: another client': {
			...{ ask: failing, replies: [refused, TAKEN], fails: /409/, sent: 2 },
		},
		'lost, and the look fails: it may have worked, and is not sent again': {
			...{ ask: failing, replies: [FAULT], fails: /Could not create user ana@/, sent: 1 },
			mayHaveWorked: true,
		},
		'lost to the end: the thorough look decides': {
			...{ ask: create(looking(Infinity, 1)), replies: [FAULT], tells: { user: { id: 'u' } } },
		},
		'without an ID in the answer, and the look fails: created all the same': {
			...{ ask: failing, replies: [{ status: 201 }], tells: { user: undefined } },
		},
	});

	it.each([
		[
			'the quick look again and again, the thorough one once at the end',
			Infinity,
			/^(quick,){2,}thorough$/,
		],
		['the thorough look is spared where the quick one sees the user', 1, /^quick$/],
	])('without an ID in the answer: %s', async (_, quickAt, asked) => {
		const ways = looking(quickAt, 1);
		const client = clientOver(fakeTransport(inTurn({ status: 201 })));
		expect(await client.createUser(BODY, ways)).toMatchObject({ user: { id: 'u' } });
		expect(ways.asked.join()).toMatch(asked);
	});

	it('looks with growing pauses', async () => {
		const timing = fakePatience(10_000);
		const client = clientOver(fakeTransport(inTurn(FAULT, TAKEN)), ACCOUNT, timing);
		await client.createUser(BODY, looking(4, Infinity));
		expect(timing.waits.length).toBeGreaterThan(0);
	});
});

describe('a write', () => {
	const NO_PATCH = { schemas: [], Operations: [] };
	const members =
		(add: string[], remove: string[]): Case['ask'] =>
		async (client) =>
			await client.changeMembers('org-1:admin', add, remove);
	const list = (op: string, ...ids: string[]) => ({
		...{ op, path: 'members', value: ids.map((value) => ({ value })) },
	});
	const kept: KeptOfGroup = {
		attributes: { displayName: 'G', 'urn:example:2.0:Group': { cost: 1 } },
		...{ nested: ['g-2'], displays: new Map([['user-1', 'ana']]) },
	};
	const replace =
		(ids: string[], all = kept): Case['ask'] =>
		async (client) =>
			await client.replaceMembers('g', ids, all, async () => undefined);
	const NONE = { attributes: {}, nested: [], displays: new Map<string, string>() };

	table({
		'adds are sent again after a lost answer': {
			...{ ask: members(['a', 'b'], []), profile: ACCOUNT, replies: [reset, DONE] },
			bodies: Array<object>(2).fill({ Operations: [list('add', 'a', 'b')] }),
		},
		'removals are not sent again after a lost answer: they have to be planned anew': {
			...{ ask: members(['a'], ['b']), profile: ACCOUNT, replies: [reset, DONE], sent: 1 },
			...{ fails: /broke off/, mayHaveWorked: true },
			bodies: [{ Operations: [list('add', 'a'), list('remove', 'b')] }],
		},
		'nor after 429 without a look': {
			ask: members([], ['b']),
			replies: [{ status: 429 }],
			fails: /429/,
		},
		'a PUT of no members has an empty list: without one some empty the group, some leave it': {
			...{ ask: replace([], NONE), replies: [DONE], bodies: [{ members: [] }] },
		},
		'a PUT of members takes along what else the group has, which would be cleared otherwise': {
			...{ ask: replace(['user-1', 'user-2']), replies: [DONE] },
			bodies: [
				{
					schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group', 'urn:example:2.0:Group'],
					...{ id: 'g', ...kept.attributes },
					members: [
						...[{ value: 'user-1', display: 'ana' }, { value: 'user-2' }],
						{ value: 'g-2', type: 'Group' },
					],
				},
			],
		},
		'PATCH of a group is repeated': {
			ask: async (client) => await client.patchGroup('g', NO_PATCH),
			...{ replies: [FAULT, { json: { id: 'g' } }], tells: { id: 'g' }, sent: 2 },
		},
	});

	it.each([
		['204', DONE, true],
		['200 with a body', { status: 200, json: user('g') }, true],
		['404: gone already', scimError(404, 'not found'), false],
		['200 with an error 404 inside', { ...scimError(404, 'gone'), status: 200 }, false],
		['403', scimError(403, 'no'), undefined],
	])('a DELETE with %s: it was there, %s', async (_, reply, expected) => {
		for (const type of ['User', 'Group'] as const) {
			const transport = fakeTransport(inTurn(reply));
			const deleted = attempt(async () => await clientOver(transport)[`delete${type}`]('g'));
			const { ok, value } = (await deleted) as { ok: boolean; value?: boolean };
			expect([ok, value]).toEqual([expected !== undefined, expected]);
			expect(transport.sent).toEqual([`DELETE /scim/${type}s/g`]);
		}
	});

	const attributes = { userName: ANA, password: 'pass-word-4711' };
	const Operations = [{ op: 'replace' as const, path: 'password', value: 'pass-word-4711' }];
	const nobody = { quick: async () => undefined, thorough: async () => undefined };
	it.each<[string, Case['ask']]>([
		['create', async (client) => await client.createUser(attributes, nobody)],
		['PATCH', async (client) => await client.patchUser('u', { schemas: ['x'], Operations })],
		['PUT', async (client) => await client.replaceUser('u', attributes, async () => attributes)],
	])('%s: a password that the refusal repeats is in no message', async (_, ask) => {
		const replies = inTurn(scimError(400, 'no: "pass-word-4711" is too weak'));
		const tried = await attempt(async () => await ask(clientOver(fakeTransport(replies))));
		expect(JSON.stringify(tried)).not.toContain('4711');
		expect(String((tried as { error: Error }).error)).toContain('"***" is too weak');
	});
});

describe('the list of groups by name (RFC 7644 section 3.4.2.5)', () => {
	const WITHOUT = 'GET /Groups?excludedAttributes=members&startIndex=1&count=100';
	const full = { id: 'g', displayName: 'Engineers', members: [{ value: 'a' }] };
	const names = async (client: ScimClient) => await client.listGroupNames();
	const refusing =
		(status: number): Answerer =>
		({ query }) =>
			query.has('excludedAttributes') ? scimError(status, 'no') : { json: listBody([full]) };
	table({
		// An empty list would say that the group is empty.
		'asks for no members, and shows none': {
			...{
				ask: names,
				replies: [{ json: listBody([{ ...full, members: [] }]) }],
				sent: [WITHOUT, WITHOUT.replace('=1&', '=2&')],
			},
			tells: {
				withMembers: false,
				resources: [expect.not.objectContaining({ members: expect.anything() as unknown })],
			},
		},
		'asks no account to': {
			...{ ask: names, profile: ACCOUNT, replies: [{ json: listBody([full]) }] },
			tells: { withMembers: true, resources: [{ members: [{ id: 'a' }] }] },
			sent: ['GET /scim/Groups'],
		},
		'takes another failure for one': {
			ask: names,
			replies: [{ status: 401 }],
			fails: /401/,
			sent: 1,
		},
	});

	it.each([400, 403, 501])('refused with %i is whole, and never asked again', async (status) => {
		const transport = fakeTransport(refusing(status));
		const client = clientOver(transport, GENERIC);
		for (const listing of [await client.listGroupNames(), await client.listGroupNames()]) {
			expect(listing).toMatchObject({ withMembers: true, resources: [{ members: [{ id: 'a' }] }] });
		}
		expect(transport.sent.filter((text) => text === WITHOUT)).toHaveLength(1);
	});

	it('is no sign that groups are empty, although it showed members at first', async () => {
		const bare = { id: full.id, displayName: full.displayName };
		const replies = inTurn({ json: listBody([full]) }, { json: listBody([bare]) });
		const client = clientOver(fakeTransport(replies), GENERIC);
		const list = async () => await client.listGroups({ excludedAttributes: 'members' });
		await list();
		expect((await list()).resources[0].members).toBeUndefined();
	});
});

describe('a total above what the page was asked for', () => {
	const five = [...'abcde'].map((id) => user(id));
	/** Pages of five people, with this total or that of the page. */
	const pages =
		(totalOf: (type: string) => number | undefined): Answerer =>
		(request) => {
			const { startIndex = 1 } = paging(request);
			const Resources = five.slice(startIndex - 1, startIndex + 1);
			return {
				json: { totalResults: totalOf(request.path) ?? Resources.length, startIndex, Resources },
			};
		};

	it('ends the list of that type, and not of another, whose totals may be of the page', async () => {
		const transport = fakeTransport(pages((type) => (type.endsWith('Users') ? 5 : undefined)));
		const client = clientOver(transport, GENERIC);
		expect((await client.listUsers({ count: 2 })).resources).toHaveLength(5);
		expect(transport.sent).toHaveLength(3);
		expect((await client.listGroups({ count: 2 })).resources).toHaveLength(5);
	});

	it('is not one that counts rows of the page which are then left out', async () => {
		const client = clientOver(fakeTransport(pages(() => 3)), GENERIC);
		expect((await client.listUsers({ count: 3 })).resources).toHaveLength(5);
	});
});
