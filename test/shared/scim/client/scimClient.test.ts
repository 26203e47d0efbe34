import type { RequestError } from '../../../../nodes/shared/http/requestError';
import { PROFILES } from '../../../../nodes/shared/scim/protocol/presets';
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
	type Reply,
} from '../../../support/fakeTransport';
import type { User } from '../../../../nodes/shared/scim/protocol/resource';

const ANA = 'ana@example.com';
const BODY = { schemas: ['x'], userName: ANA, active: true };
const seen = (id = 'user-1'): User => ({
	id,
	userName: ANA,
	attributes: { id, userName: ANA },
});

async function failureOf(work: Promise<unknown>): Promise<RequestError> {
	return (await work.then(
		() => {
			throw new Error('did not fail');
		},
		(error: unknown) => error,
	)) as RequestError;
}

describe('one resource', () => {
	it('404', async () => {
		const client = clientOver(fakeTransport(inTurn(scimError(404, 'not found'))));
		const error = await failureOf(client.getGroup('g'));
		expect(error.message).toBe(
			'Could not get group g: the service answered 404, not found, 4 times',
		);
		// A group of an account is never gone.
		expect(error.status).toBeUndefined();
		expect(error.description).toMatch(/Check the ID/);
	});
});

describe.each(['findUsersByFilter', 'findGroupsByFilter'] as const)('%s', (find) => {
	it('an answer that goes on by cursor tells of nobody yet', async () => {
		const transport = fakeTransport(inTurn({ json: { Resources: [], nextCursor: 'x' } }));
		expect(await clientOver(transport, PROFILES.generic)[find](ANA)).toEqual({ usable: false });
	});
});

describe('findUsersByFilter', () => {
	it.each([400, 403, 404, 405, 413, 414, 501])('refused with %i: unusable', async (status) => {
		const transport = fakeTransport(inTurn(scimError(status, 'no filter')));
		expect(await clientOver(transport).findUsersByFilter(ANA)).toEqual({ usable: false });
		expect(transport.sent).toHaveLength(1);
	});

	it('hits in other case count', async () => {
		const hit = user('user-1', { userName: 'ANA@Example.com' });
		const client = clientOver(fakeTransport(inTurn({ json: listBody([hit]) })));
		expect(await client.findUsersByFilter(ANA)).toMatchObject({
			usable: true,
			users: [{ id: 'user-1' }],
		});
	});

	it('401 and faults are no answer to the question', async () => {
		await expect(
			clientOver(fakeTransport(inTurn(scimError(401, 'no')))).findUsersByFilter(ANA),
		).rejects.toThrow(/401/);
		await expect(
			clientOver(fakeTransport(inTurn(scimError(500, 'no')))).findUsersByFilter(ANA),
		).rejects.toThrow(/500/);
	});
});

describe('createUser', () => {
	/** The same look for both ways. */
	const looking = (look: () => Promise<User | undefined>) => ({ quick: look, thorough: look });
	const never = looking(async () => {
		throw new Error('was looked up');
	});

	it('201 with the user: one request, no look', async () => {
		const transport = fakeTransport(inTurn({ status: 201, json: user('user-1') }));
		expect(await clientOver(transport).createUser(BODY, never)).toMatchObject({
			user: { id: 'user-1' },
			found: false,
		});
		expect(transport.sent).toEqual(['POST /scim/Users']);
		expect(transport.received[0].body).toEqual(BODY);
	});

	it('409 after a lost answer, and reads lag behind: looks again with back-off', async () => {
		const transport = fakeTransport(inTurn({ status: 500 }, scimError(409, 'already exists')));
		const patience = fakePatience(10_000);
		let looks = 0;
		const created = await clientOver(transport, PROFILES.accountOrganizations, patience).createUser(
			BODY,
			looking(async () => (++looks < 4 ? undefined : seen())),
		);
		expect(created.user?.id).toBe('user-1');
		expect(transport.sent).toHaveLength(2);
		expect(patience.waits).not.toStrictEqual([]);
	});

	it('409 after a connection that was refused is somebody else too', async () => {
		const transport = fakeTransport(
			inTurn(broken('ECONNREFUSED'), scimError(409, 'already exists')),
		);
		const error = await failureOf(clientOver(transport).createUser(BODY, never));
		expect(error.status).toBe(409);
	});

	it('a lost answer and a look that fails: the error tells of the create that may have worked', async () => {
		const transport = fakeTransport(inTurn({ status: 500 }));
		const error = await failureOf(
			clientOver(transport).createUser(
				BODY,
				looking(async () => {
					throw new Error('Could not list users');
				}),
			),
		);
		expect(transport.sent).toHaveLength(1);
		expect(error.message).toMatch(/Could not create user ana@example\.com/);
		expect(error.facts.mayHaveWorked).toBe(true);
	});

	it('201 without id and a look that fails: the user was created all the same', async () => {
		const transport = fakeTransport(inTurn({ status: 201 }));
		const created = await clientOver(transport).createUser(
			BODY,
			looking(async () => {
				throw new Error('Could not list users');
			}),
		);
		expect(created.user).toBeUndefined();
	});
});

describe('createUser: the two ways of looking', () => {
	const looks = (quickSees: boolean, thoroughSees: boolean) => {
		const asked: string[] = [];
		return {
			asked,
			lookUps: {
				quick: async () => {
					asked.push('quick');
					return quickSees ? seen() : undefined;
				},
				thorough: async () => {
					asked.push('thorough');
					return thoroughSees ? seen() : undefined;
				},
			},
		};
	};

	it('201 without id: the quick one again and again, the thorough one once at the end', async () => {
		const { asked, lookUps } = looks(false, true);
		const client = clientOver(fakeTransport(inTurn({ status: 201 })));
		expect((await client.createUser(BODY, lookUps)).user?.id).toBe('user-1');
		expect(asked.slice(0, -1).every((ask) => ask === 'quick')).toBe(true);
		expect(asked.at(-1)).toBe('thorough');
		expect(asked.filter((ask) => ask.startsWith('thorough'))).toHaveLength(1);
	});

	it('the thorough one is spared when the quick one sees the user', async () => {
		const { asked, lookUps } = looks(true, false);
		const client = clientOver(fakeTransport(inTurn({ status: 201 })));
		expect((await client.createUser(BODY, lookUps)).user?.id).toBe('user-1');
		expect(asked).toEqual(['quick']);
	});

	it('answers lost to the end: the thorough one decides', async () => {
		const { lookUps } = looks(false, true);
		const transport = fakeTransport(inTurn({ status: 500 }));
		const created = await clientOver(transport).createUser(BODY, lookUps);
		expect(created.user?.id).toBe('user-1');
	});
});

describe('writes', () => {
	it('PATCH is repeated, PUT never is', async () => {
		const patched = fakeTransport(inTurn({ status: 500 }, { status: 204 }));
		await clientOver(patched).patchUser('user-1', { schemas: [], Operations: [] });
		expect(patched.sent).toEqual(['PATCH /scim/Users/user-1', 'PATCH /scim/Users/user-1']);

		const put = fakeTransport(inTurn({ status: 500 }, { status: 200 }));
		const error = await failureOf(clientOver(put).replaceUser('user-1', BODY, async () => BODY));
		expect(put.sent).toEqual(['PUT /scim/Users/user-1']);
		expect(error.facts.mayHaveWorked).toBe(true);
	});

	it.each([
		['204', { status: 204 }, true],
		['200 with a body', { status: 200, json: user('user-1') }, true],
		['404: gone already', scimError(404, 'not found'), false],
		['200 with an error 404 inside', { ...scimError(404, 'gone'), status: 200 }, false],
	])('DELETE answered with %s', async (_, reply, expected) => {
		const transport = fakeTransport(inTurn(reply));
		expect(await clientOver(transport).deleteUser('user-1')).toBe(expected);
		expect(transport.sent).toEqual(['DELETE /scim/Users/user-1']);
	});

	it('DELETE: other errors pass', async () => {
		const transport = fakeTransport(inTurn(scimError(403, 'no')));
		await expect(clientOver(transport).deleteUser('user-1')).rejects.toThrow(/403/);
	});

	it('members are added in one operation, and again after a lost answer', async () => {
		const transport = fakeTransport(
			inTurn(broken('ECONNRESET'), { json: { id: 'g', members: [{ value: 'user-1' }] } }),
		);
		const group = await clientOver(transport).changeMembers(
			'org-1:admin',
			['user-1', 'user-2'],
			[],
		);
		expect(group?.members).toEqual([{ id: 'user-1' }]);
		expect(transport.sent).toHaveLength(2);
		expect(transport.received[0].url).toBe('https://api.example.com/scim/Groups/org-1%3Aadmin');
		expect(transport.received[0].body).toEqual({
			schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
			Operations: [
				{ op: 'add', path: 'members', value: [{ value: 'user-1' }, { value: 'user-2' }] },
			],
		});
	});

	it('removals are not sent again after a lost answer: they have to be planned anew', async () => {
		const transport = fakeTransport(inTurn(broken('ECONNRESET'), { status: 204 }));
		const error = await failureOf(
			clientOver(transport).changeMembers('org-1:admin', ['user-1'], ['user-2']),
		);
		expect(transport.sent).toHaveLength(1);
		expect(error.facts.mayHaveWorked).toBe(true);
		expect(transport.received[0].body).toMatchObject({
			Operations: [
				{ op: 'add', value: [{ value: 'user-1' }] },
				{ op: 'remove', value: [{ value: 'user-2' }] },
			],
		});
	});

	it('removals are sent again after a look only, and only those that it leaves', async () => {
		const people = ['user-2', 'user-3'];
		const unseen = fakeTransport(inTurn({ status: 429 }, { status: 204 }));
		await failureOf(clientOver(unseen).changeMembers('org-1:admin', [], people));
		expect(unseen.sent).toHaveLength(1);

		const transport = fakeTransport(inTurn({ status: 429 }, { status: 204 }));
		const again = async () => ({ add: [], remove: ['user-3'] });
		await clientOver(transport).changeMembers('org-1:admin', [], people, again);
		expect(JSON.stringify(transport.received[1].body)).not.toContain('user-2');
		expect(transport.sent).toHaveLength(2);
	});

	it('removals on other services name each person in a path', async () => {
		const transport = fakeTransport(inTurn({ status: 204 }));
		await clientOver(transport, PROFILES.generic).changeMembers('g', [], ['user-2']);
		expect(transport.received[0]).toMatchObject({
			path: '/Groups/g',
			body: { Operations: [{ op: 'remove', path: 'members[value eq "user-2"]' }] },
		});
	});

	it('a list of members is replaced by PUT, never without `members`: that would empty the group', async () => {
		const transport = fakeTransport(inTurn({ status: 204 }));
		await clientOver(transport).replaceMembers(
			'org-1:admin',
			[],
			{ attributes: {}, nested: [], displays: new Map() },
			async () => [],
		);
		expect(transport.received[0]).toMatchObject({
			method: 'PUT',
			body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], members: [] },
		});
	});

	it('a PUT of the members takes along what else the group has, which would be cleared otherwise', async () => {
		const transport = fakeTransport(inTurn({ status: 204 }));
		const client = clientOver(transport, PROFILES.generic);
		const extension = 'urn:example:2.0:Group';
		const kept = {
			attributes: { displayName: 'G', [extension]: { cost: 1 } },
			nested: ['g-2'],
			displays: new Map([['user-1', 'ana']]),
		};
		await client.replaceMembers('g', ['user-1', 'user-2'], kept, async () => undefined);
		expect(transport.received[0].body).toEqual({
			schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group', extension],
			id: 'g',
			displayName: 'G',
			[extension]: { cost: 1 },
			members: [
				{ value: 'user-1', display: 'ana' },
				{ value: 'user-2' },
				{ value: 'g-2', type: 'Group' },
			],
		});
	});

	it('a group is created once, changed again after a fault, and gone with 404', async () => {
		const lost = fakeTransport(inTurn({ status: 500 }, { status: 201, json: { id: 'g' } }));
		await failureOf(clientOver(lost).createGroup({ displayName: 'G' }));
		expect(lost.sent).toEqual(['POST /scim/Groups']);

		const patched = fakeTransport(inTurn({ status: 500 }, { json: { id: 'g' } }));
		const shown = await clientOver(patched).patchGroup('g', { schemas: [], Operations: [] });
		expect(shown?.id).toBe('g');
		expect(patched.sent).toHaveLength(2);

		const gone = fakeTransport(inTurn(scimError(404, 'no')));
		expect(await clientOver(gone).deleteGroup('g')).toBe(false);
		const there = fakeTransport(inTurn({ status: 204 }));
		expect(await clientOver(there).deleteGroup('g')).toBe(true);
		expect(there.sent).toEqual(['DELETE /scim/Groups/g']);
	});
});

describe('groups by name', () => {
	const SALES = 'GET /Groups?filter=displayName eq "Sales"';
	const sales = (id: string, displayName = 'Sales') => ({ id, displayName });
	const find = async (...replies: Reply[]) => {
		const transport = fakeTransport(inTurn(...replies));
		const answer = await clientOver(transport, PROFILES.generic).findGroupsByFilter('Sales');
		return { answer, sent: transport.sent.map((text) => text.replaceAll('+', ' ')) };
	};

	it('all of the name in any case', async () => {
		const json = listBody([sales('1'), sales('2', 'SALES')]);
		const { answer, sent } = await find({ json });
		expect(answer).toMatchObject({ usable: true, groups: [{ id: '1' }, { id: '2' }] });
		expect(sent).toEqual([SALES]);
	});

	it('none is an answer', async () => {
		expect((await find({ json: listBody([]) })).answer).toEqual({ usable: true, groups: [] });
	});

	it.each([
		[
			'ignored: another group came along',
			{ json: listBody([sales('1'), sales('2', 'Sales EMEA')]) },
		],
		[
			'cut off: another of the name may follow',
			{ json: { ...listBody([sales('1')]), totalResults: 2 } },
		],
		['refused with 400', scimError(400, 'no filter')],
		['refused with 403', scimError(403, 'no filter')],
		['refused with 501', scimError(501, 'no filter')],
	])('%s: nothing is known', async (_, reply) => {
		expect((await find(reply)).answer).toEqual({ usable: false });
	});

	it('a fault is no answer', async () => {
		await expect(find({ status: 401 })).rejects.toThrow('Could not list groups');
	});

	it('account organizations: a failure behind the interface is tried again, never "none"', async () => {
		const transport = fakeTransport(
			inTurn(scimError(400, 'backend'), { json: listBody([sales('1')]) }),
		);
		expect(await clientOver(transport).findGroupsByFilter('Sales')).toMatchObject({
			groups: [{ id: '1' }],
		});
	});
});

describe('the list of groups without members (RFC 7644 section 3.4.2.5)', () => {
	const WITHOUT = 'GET /Groups?excludedAttributes=members&startIndex=1&count=100';
	const engineers = { id: 'g', displayName: 'Engineers' };
	const full = { ...engineers, members: [{ value: 'user-1' }] };

	it('asks for no members, and shows none', async () => {
		const transport = fakeTransport(inTurn({ json: listBody([{ ...engineers, members: [] }]) }));
		const names = await clientOver(transport, PROFILES.generic).listGroupNames();
		expect(names.withMembers).toBe(false);
		expect(names.resources).toMatchObject([{ id: 'g', displayName: 'Engineers' }]);
		// An empty list would say that the group is empty.
		expect(names.resources[0].members).toBeUndefined();
		expect(transport.sent[0]).toBe(WITHOUT);
	});

	it('account organizations are not asked to', async () => {
		const transport = fakeTransport(inTurn({ json: listBody([full]) }));
		const names = await clientOver(transport).listGroupNames();
		expect(names).toMatchObject({
			withMembers: true,
			resources: [{ members: [{ id: 'user-1' }] }],
		});
		expect(transport.sent).toEqual(['GET /scim/Groups']);
	});

	it.each([400, 403, 501])(
		'refused with %i: the whole list, and never asked again',
		async (status) => {
			const transport = fakeTransport(({ query }) =>
				query.has('excludedAttributes') ? scimError(status, 'no') : { json: listBody([full]) },
			);
			const client = clientOver(transport, PROFILES.generic);
			const names = [await client.listGroupNames(), await client.listGroupNames()];
			for (const { withMembers, resources } of names) {
				expect(withMembers).toBe(true);
				expect(resources).toMatchObject([{ members: [{ id: 'user-1' }] }]);
			}
			expect(transport.sent.filter((text) => text.includes('excluded'))).toEqual([WITHOUT]);
		},
	);

	it('another failure is a failure', async () => {
		const transport = fakeTransport(inTurn({ status: 401 }));
		await expect(clientOver(transport, PROFILES.generic).listGroupNames()).rejects.toThrow('401');
		expect(transport.sent).toHaveLength(1);
	});

	it('is no sign that groups are empty', async () => {
		let showsMembers = true;
		const transport = fakeTransport(() => ({ json: listBody([showsMembers ? full : engineers]) }));
		const client = clientOver(transport, PROFILES.generic);
		// A service that shows members although it was asked not to, at first.
		await client.listGroups({ excludedAttributes: 'members' });
		showsMembers = false;
		const { resources } = await client.listGroups({ excludedAttributes: 'members' });
		expect(resources[0].members).toBeUndefined();
	});
});

describe('a password that the service repeats in its refusal', () => {
	const attributes = { userName: ANA, password: 'pass-word-4711' };
	const patch = {
		schemas: ['x'],
		Operations: [{ op: 'replace' as const, path: 'password', value: 'pass-word-4711' }],
	};
	const refusing = () =>
		clientOver(fakeTransport(inTurn(scimError(400, 'no: "pass-word-4711" is too weak'))));
	const nobody = { quick: async () => undefined, thorough: async () => undefined };

	it.each([
		['create', () => refusing().createUser(attributes, nobody)],
		['PATCH', () => refusing().patchUser('user-1', patch)],
		['PUT', () => refusing().replaceUser('user-1', attributes, async () => attributes)],
	])('%s: no message shows it', async (_, send) => {
		const { message, facts } = await failureOf(send());
		expect(message).toContain('"***" is too weak');
		expect(JSON.stringify(facts)).not.toContain('4711');
	});
});

describe('a total above what the page was asked for', () => {
	const pageOf = (all: ReturnType<typeof user>[], start: number, total: number, count = 2) => ({
		json: {
			totalResults: total,
			startIndex: start,
			Resources: all.slice(start - 1, start - 1 + count),
		},
	});
	const five = [...'abcde'].map((id) => user(id));

	it('ends the list of that type, and not of another, whose totals may be of the page', async () => {
		const transport = fakeTransport((request) => {
			const { startIndex = 1 } = paging(request);
			const isUsers = request.path.endsWith('Users');
			const page = pageOf(five, startIndex, 5);
			const { Resources } = page.json;
			return isUsers ? page : { json: { ...page.json, totalResults: Resources.length } };
		});
		const client = clientOver(transport, PROFILES.generic);
		expect((await client.listUsers({ count: 2 })).resources).toHaveLength(5);
		expect(transport.sent).toHaveLength(3);
		expect((await client.listGroups({ count: 2 })).resources).toHaveLength(5);
	});

	it('is not one that counts rows of the page which are then left out', async () => {
		// Of three rows that a page is asked for one is hidden.
		const transport = fakeTransport((request) => {
			const { startIndex = 1 } = paging(request);
			return pageOf(five, startIndex, 3);
		});
		const { resources } = await clientOver(transport, PROFILES.generic).listUsers({ count: 3 });
		expect(resources).toHaveLength(5);
	});
});
