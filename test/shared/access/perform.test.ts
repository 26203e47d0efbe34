import { Directory } from '../../../nodes/shared/access/directory';
import { performStep } from '../../../nodes/shared/access/perform';
import type { Identities } from '../../../nodes/shared/access/performCommon';
import { meetExistingUsers } from '../../../nodes/shared/access/performUsers';
import {
	planActive,
	planDeletions,
	planPatches,
	planUsers,
} from '../../../nodes/shared/access/planUsers';
import type {
	AppliedPart,
	IfUserExists,
	ProvisioningPlan,
} from '../../../nodes/shared/access/step';
import { verify } from '../../../nodes/shared/access/verify';
import {
	broken,
	clientOver,
	fakePatience,
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
import { ACCOUNT, ids, planOf, rulesOf, want, wantNew, withSteps } from '../../support/plans';

// One step, sent and looked after: what leaves, and what is said of it afterwards.

const IN_NO_ORDER = { ...ACCOUNT, addsStopAtRefused: false };
const ANA = 'ana@example.com';
const PERSON = {
	label: ANA,
	person: { id: 'user-1', userName: ANA },
	attributes: {},
	warnings: [],
};

async function carryOut(
	plan: ProvisioningPlan,
	answer: Answerer,
	identities: Identities = new Map(),
	profile = ACCOUNT,
) {
	const transport = fakeTransport(answer);
	const patience = fakePatience(1_000);
	const client = clientOver(transport, profile, patience, { maxWaitMs: 2_000 });
	const directory = new Directory(client, ids, 100, 5);
	const sent = await performStep(plan.steps[0], client, directory, identities, {
		refusedDomains: new Map(),
		added: new Map(),
		looked: new Map(),
	});
	const met = await meetExistingUsers(sent, client, directory, identities, 5, () => undefined);
	const parts = await verify(met, client, directory, ids, 5);
	return { parts, requests: transport.sent, waits: patience.waits, transport };
}

/** The error with which a step did not happen. */
async function failureOf(plan: ProvisioningPlan, answer: Answerer): Promise<Error> {
	return await carryOut(plan, answer).then(
		({ parts }) => {
			const { outcome } = parts[0];
			if (statuses(parts)[0] === '0 failed' && 'error' in outcome && outcome.error instanceof Error)
				return outcome.error;
			throw new Error(`did not fail but was ${statuses(parts).join()}`);
		},
		(error: Error) => error,
	);
}

const statuses = (parts: AppliedPart[]) =>
	parts.map(({ item, outcome }) => `${item} ${outcome.status}`);
const posts = (requests: string[]) => requests.filter((request) => request.startsWith('POST'));
const on =
	(method: string, reply: (request: Received, nth: number) => Reply | undefined) =>
	(request: Received, nth: number) => (request.method === method ? reply(request, nth) : undefined);

const create = (ifExists: IfUserExists, attributes = {}, userName = ANA) =>
	withSteps(
		planUsers([{ item: 0, userName, attributes, warnings: [] }], ifExists, undefined, ACCOUNT),
	);

describe('create', () => {
	it('201 with the user is done: one request', async () => {
		const { parts, requests } = await carryOut(
			create('fail'),
			service([], [], () => ({ status: 201, json: user('user-1', { userName: ANA }) })),
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(parts[0].result?.who).toMatchObject({ user: { id: 'user-1' } });
		expect(requests).toEqual(['POST /scim/Users']);
	});

	it('201 without id, seen a moment later: done', async () => {
		const { parts, requests } = await carryOut(
			create('fail'),
			service([], [], (request, nth) =>
				request.method === 'POST'
					? { status: 201, json: {} }
					: request.query.has('filter')
						? { json: listBody(nth > 3 ? [user('user-1', { userName: ANA })] : []) }
						: { json: user('user-1', { userName: ANA }) },
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(posts(requests)).toHaveLength(1);
	});

	it('201 without id, of somebody whom the filter misses: done all the same', async () => {
		const odd = "o'neil+x@example.com";
		const { parts } = await carryOut(
			create('fail', {}, odd),
			service([user('user-odd', { userName: odd })], [], (request) =>
				request.method === 'POST'
					? { status: 201 }
					: filteredName(request) === odd
						? { json: listBody([]) }
						: undefined,
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
	});

	it('201 without id, never seen: unverified, posted once', async () => {
		const { parts, requests } = await carryOut(
			create('fail'),
			service(
				[],
				[],
				on('POST', () => ({ status: 201 })),
			),
		);
		expect(statuses(parts)).toEqual(['0 unverified']);
		expect(posts(requests)).toHaveLength(1);
	});

	it('201 without id, and reads fail: unverified, since it was created', async () => {
		const { parts } = await carryOut(create('fail'), (request) =>
			request.method === 'POST' ? { status: 201 } : scimError(500, 'down'),
		);
		expect(statuses(parts)).toEqual(['0 unverified']);
	});

	it.each<[string, Reply]>([
		['nobody is seen', { json: listBody([]) }],
		['reads fail', scimError(500, 'down')],
	])(
		'answers lost to the end, and %s: unverified, with what the service said',
		async (_, reads) => {
			const { parts } = await carryOut(create('fail'), (request) =>
				request.method === 'POST' ? scimError(500, 'gateway') : reads,
			);
			expect(parts[0].outcome).toMatchObject({
				status: 'unverified',
				action: `create user ${ANA}`,
				error: {
					message: `Could not create user ${ANA}: the service answered 500, gateway`,
					description: expect.stringMatching(/may have worked/),
					facts: { mayHaveWorked: true },
				},
			});
		},
	);

	it('answers lost to the end, of somebody whom only the list shows: done', async () => {
		const odd = "o'neil+x@example.com";
		const { parts } = await carryOut(
			create('fail', { externalId: '7' }, odd),
			service([user('user-odd', { userName: odd, externalId: '7' })], [], (request) =>
				request.method === 'POST'
					? scimError(500, 'gateway')
					: filteredName(request) === odd
						? { json: listBody([]) }
						: undefined,
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
	});

	it.each([
		['shows the name', { name: { givenName: 'Ana' } }, 'done'],
		['shows the name, and another title', { name: { givenName: 'Ana' }, title: 'x' }, 'unverified'],
		['shows the title alone', { title: 'Boss' }, 'unverified'],
		['may have been there before, without what was wanted', {}, 'unverified'],
	])('answers lost to the end, and whoever is seen %s', async (_, shown, status) => {
		const { parts } = await carryOut(
			create('fail', { name: { givenName: 'Ana' }, title: 'Boss' }),
			service([user('user-1', { userName: ANA, ...shown })], [], (request) =>
				request.method === 'POST' ? scimError(500, 'gateway') : undefined,
			),
		);
		expect(statuses(parts)).toEqual([`0 ${status}`]);
	});

	it('tells the steps that follow who the new person is', async () => {
		const identities: Identities = new Map();
		await carryOut(
			create('adopt'),
			service([], [], () => ({ status: 201, json: user('user-1', { userName: ANA }) })),
			identities,
		);
		expect([...identities]).toEqual([[ANA, 'user-1']]);
	});

	it('never sent: not done', async () => {
		const error = await failureOf(create('fail'), () => {
			throw broken('ECONNREFUSED');
		});
		expect(error.message).toBe(`Could not create user ${ANA}: the connection was refused`);
	});

	it('400: not done, with what the service says', async () => {
		const error = await failureOf(
			create('fail'),
			service([], [], () => scimError(400, 'bad name', { scimType: 'invalidValue' })),
		);
		expect(error.message).toMatch(/400, bad name \(invalidValue\)/);
	});
});

describe('create: 409', () => {
	const there = (more: object = {}) =>
		service(
			[user('user-7', { userName: ANA, ...more })],
			[],
			on('POST', () => scimError(409, 'x')),
		);

	it('fail: names the id, and the way out', async () => {
		const error = await failureOf(create('fail'), there());
		expect(error.message).toBe(`User ${ANA} exists already (ID user-7)`);
		expect(error).toMatchObject({ description: expect.stringMatching(/Create or Update/) });
	});

	it('fail: an inactive one is told of', async () => {
		const error = await failureOf(create('fail'), there({ active: false }));
		expect(error.message).toBe(`User ${ANA} exists already (ID user-7 and inactive)`);
		expect(error).toMatchObject({ description: expect.stringMatching(/Activate/) });
	});

	it('return: the user comes out, already so', async () => {
		const { parts, requests } = await carryOut(create('return'), there());
		expect(statuses(parts)).toEqual(['0 unchanged']);
		expect(parts[0].result?.who).toMatchObject({ user: { id: 'user-7' } });
		expect(posts(requests)).toHaveLength(1);
	});

	it('and nobody to be seen: says that this credential cannot see the user', async () => {
		const error = await failureOf(
			create('return'),
			service(
				[],
				[],
				on('POST', () => scimError(409, 'x')),
			),
		);
		expect(error.message).toMatch(/belongs to another account: this credential cannot see/);
	});

	it('and a list that is incomplete: says that, never that nobody is there', async () => {
		const error = await failureOf(
			create('return'),
			service([], [], (request) =>
				request.method === 'POST'
					? scimError(409, 'x')
					: request.query.has('filter')
						? scimError(400, 'no filter')
						: { json: { ...listBody([]), totalResults: 9 } },
			),
		);
		expect(error.message).toMatch(/list of users is incomplete/);
	});
});

describe('activate and deactivate', () => {
	const deactivate = withSteps(planActive([{ ...PERSON, item: 0 }], false, ACCOUNT));

	it('an answer that shows it is enough', async () => {
		const { parts, requests } = await carryOut(
			deactivate,
			service([], [], () => ({ json: user('user-1', { active: 'False' }) })),
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(requests).toEqual(['PATCH /scim/Users/user-1']);
	});

	it('204 is read back', async () => {
		const { parts, requests } = await carryOut(
			deactivate,
			service([user('user-1', { active: false })]),
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(requests).toEqual(['PATCH /scim/Users/user-1', 'GET /scim/Users/user-1']);
	});

	it('a stale answer is read back until it shows', async () => {
		const stale = user('user-1', { active: true });
		let reads = 0;
		const { parts, waits } = await carryOut(
			deactivate,
			service([], [], (request) => ({
				json: request.method === 'GET' && ++reads > 2 ? user('user-1', { active: false }) : stale,
			})),
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(waits).toEqual([250, 500]);
	});

	it('204 to an unknown user (docs/interface.md 2.1) is never done', async () => {
		const { parts } = await carryOut(deactivate, service([]));
		expect(statuses(parts)).toEqual(['0 unverified']);
		expect(parts[0].outcome.reason).toBe('there is no such user');
	});

	it('200 and nothing changed is never done', async () => {
		const same: FakeUser = user('user-1', { active: true });
		const { parts } = await carryOut(
			deactivate,
			service(
				[same],
				[],
				on('PATCH', () => ({ json: same })),
			),
		);
		expect(statuses(parts)).toEqual(['0 unverified']);
		expect(parts[0].outcome.reason).toBe('the service shows active true');
	});

	it('answers lost to the end, but it worked: done', async () => {
		const { parts } = await carryOut(
			deactivate,
			service(
				[user('user-1', { active: false })],
				[],
				on('PATCH', () => scimError(500, 'x')),
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
	});

	it('404 is not done', async () => {
		const error = await failureOf(
			deactivate,
			service(
				[],
				[],
				on('PATCH', () => scimError(404, 'x')),
			),
		);
		expect(error.message).toMatch(/404/);
	});
});

describe('update', () => {
	it('the answer that does not show what was wanted is read back', async () => {
		const plan = withSteps(
			planPatches([{ ...PERSON, item: 0, attributes: { active: true } }], ACCOUNT),
		);
		const { parts } = await carryOut(plan, service([user('user-1')]));
		expect(statuses(parts)).toEqual(['0 done']);
	});

	it('what the service never shows is no failure, and is told', async () => {
		const plan = withSteps(
			planPatches([{ ...PERSON, item: 0, attributes: { externalId: '7' } }], ACCOUNT),
		);
		const { parts } = await carryOut(plan, service([user('user-1')]));
		expect(statuses(parts)).toEqual(['0 done']);
		expect(parts[0].outcome.warnings?.join()).toMatch(/does not show externalId/);
	});
});

describe('delete', () => {
	const plan = withSteps(planDeletions([{ ...PERSON, item: 0 }], ACCOUNT));

	it('204 and gone: done, proven by a read', async () => {
		const { parts, requests } = await carryOut(plan, service([]));
		expect(statuses(parts)).toEqual(['0 done']);
		expect(requests).toEqual(['DELETE /scim/Users/user-1', 'GET /scim/Users/user-1']);
	});

	it('204 and still there: unverified', async () => {
		const { parts } = await carryOut(plan, service([user('user-1')]));
		expect(parts[0].outcome).toMatchObject({
			status: 'unverified',
			reason: 'the user is still there',
		});
	});

	it('404: already so', async () => {
		const { parts } = await carryOut(
			plan,
			service(
				[],
				[],
				on('DELETE', () => scimError(404, 'x')),
			),
		);
		expect(statuses(parts)).toEqual(['0 unchanged']);
	});
});

/** Changes of one group: who is to be in, who is to be out, and who is a member now. */
function membersPlan(
	add: string[],
	remove: string[],
	now: string[] = remove,
	profile = ACCOUNT,
): ProvisioningPlan {
	const wanted = [
		...add.map((id, index) => want(index, id, [G])),
		...remove.map((id, index) => want(add.length + index, id, [], [G])),
	];
	return planOf(wanted, rulesOf({ [G]: now }, { profile }));
}

const G = 'whylabs-org-1:member';
const group = (...members: string[]) => ({ id: G, members: members.map((value) => ({ value })) });

describe('add members', () => {
	const add = (...people: string[]) => membersPlan(people, []);

	it('an answer that shows them is enough', async () => {
		const { parts, requests } = await carryOut(
			add('a', 'b'),
			service([], [], () => ({ json: group('a', 'b') })),
		);
		expect(statuses(parts)).toEqual(['0 done', '1 done']);
		expect(requests).toHaveLength(1);
	});

	it('204 is read back: from the group, once for all', async () => {
		const { parts, requests } = await carryOut(add('a', 'b'), service([], [group('a', 'b')]));
		expect(statuses(parts)).toEqual(['0 done', '1 done']);
		expect(requests).toEqual([`PATCH /scim/Groups/${G}`, `GET /scim/Groups/${G}`]);
	});

	it('a group that never shows members: from the users', async () => {
		const people = [
			user('a', { groups: [{ value: 'org-1:MEMBER' }] }),
			user('b', { groups: [{ value: 'org-1:viewer' }] }),
		];
		const { parts } = await carryOut(add('a', 'b'), service(people, [group()]));
		expect(statuses(parts)).toEqual(['0 done', '1 unverified']);
		expect(parts[1].outcome.reason).toBe('neither the group nor the user shows it');
	});

	it('400, but the valid ones were added: only the culprit fails, nothing is sent twice', async () => {
		const { parts, requests } = await carryOut(
			add('a', 'ghost', 'c'),
			service(
				[],
				[group('a', 'c')],
				on('PATCH', () => scimError(400, 'unknown id')),
			),
		);
		expect(statuses(parts)).toEqual(['0 done', '1 failed', '2 done']);
		expect(parts[1].outcome.reason).toBe(
			`The service does not accept ghost@example.com as a member of group ${G}: unknown id`,
		);
		// One look for what was added, then looks at the culprit alone: a read may lag behind the write.
		expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
		expect(requests.slice(0, 2)).toEqual([`PATCH /scim/Groups/${G}`, `GET /scim/Groups/${G}`]);
		expect(parts[1].outcome).toMatchObject({ error: { facts: { status: 400 } } });
	});

	it('400 and none was added, where adds come in no order: each alone, so that one culprit does not hold the others', async () => {
		const { parts } = await carryOut(
			membersPlan(['a', 'ghost'], [], [], IN_NO_ORDER),
			service([], [group()], (request) => {
				if (request.method !== 'PATCH') return undefined;
				const text = JSON.stringify(request.body);
				return text.includes('ghost') ? scimError(400, 'unknown id') : { json: group('a') };
			}),
			new Map(),
			IN_NO_ORDER,
		);
		expect(statuses(parts)).toEqual(['0 done', '1 failed']);
	});

	it('400, and the group lags behind: who was added is not taken for a culprit', async () => {
		const { parts } = await carryOut(
			add('late', 'ghost', 'c'),
			service([], [], ({ method, body }) => {
				if (method === 'GET') return { json: group('c') };
				const isKnown = !JSON.stringify(body).includes('ghost');
				return isKnown ? { json: group('late', 'c') } : scimError(400, 'unknown id');
			}),
		);
		expect(statuses(parts)).toEqual(['0 done', '1 failed', '2 done']);
	});

	it('400 and the group cannot be read: unverified, since some may have been added', async () => {
		const { parts } = await carryOut(
			add('a', 'ghost'),
			service([], [], (request) =>
				request.method === 'PATCH' ? scimError(400, 'unknown id') : scimError(500, 'down'),
			),
		);
		expect(statuses(parts)).toEqual(['0 unverified', '1 unverified']);
	});

	it('answers lost to the end, but it worked: done', async () => {
		const { parts } = await carryOut(
			add('a'),
			service(
				[],
				[group('a')],
				on('PATCH', () => scimError(500, 'x')),
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
	});
});

describe('remove members', () => {
	const out = (...people: string[]) => membersPlan([], people, [...people, 'z']);
	const remove = (...values: string[]) => ({
		Operations: [{ op: 'remove', path: 'members', value: values.map((value) => ({ value })) }],
	});

	it('an answer that shows the others is enough', async () => {
		const { parts, transport } = await carryOut(
			out('a', 'b'),
			service([], [], () => ({ json: group('z') })),
		);
		expect(statuses(parts)).toEqual(['0 done', '1 done']);
		expect(transport.received).toHaveLength(1);
		expect(transport.received[0].body).toMatchObject(remove('a', 'b'));
	});

	it('204 is read back, and a group that still shows the person is not done', async () => {
		const { parts } = await carryOut(out('a', 'b'), service([], [group('b', 'z')]));
		expect(statuses(parts)).toEqual(['0 done', '1 unverified']);
	});

	it('404, because one was out already: planned again from what the group shows', async () => {
		let members = ['b', 'z'];
		const { parts, transport } = await carryOut(
			out('a', 'b'),
			service([], [], (request) => {
				if (request.method === 'GET') return { json: group(...members) };
				const text = JSON.stringify(request.body);
				if (text.includes('"a"')) return scimError(404, 'a is no member');
				members = ['z'];
				return { json: group('z') };
			}),
		);
		expect(statuses(parts)).toEqual(['0 unchanged', '1 done']);
		const patches = transport.received.filter(({ method }) => method === 'PATCH');
		expect(patches).toHaveLength(2);
		expect(patches[1].body).toMatchObject(remove('b'));
	});

	it('an answer lost: never repeated unseen, the group decides', async () => {
		const { parts, requests } = await carryOut(
			out('a'),
			service(
				[],
				[group('z')],
				on('PATCH', () => scimError(500, 'x')),
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(requests).toEqual([`PATCH /scim/Groups/${G}`, `GET /scim/Groups/${G}`]);
	});

	it('an answer lost and still a member: sent again a few times, then unverified', async () => {
		const { parts, requests } = await carryOut(
			out('a'),
			service(
				[],
				[group('a', 'z')],
				on('PATCH', () => scimError(500, 'x')),
			),
		);
		expect(statuses(parts)).toEqual(['0 unverified']);
		expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(3);
	});

	it('an unknown id among the adds of the same request: the removal is done, the culprit named', async () => {
		let members = ['old', 'z'];
		const { parts } = await carryOut(
			membersPlan(['new', 'ghost'], ['old'], ['old', 'z']),
			service([], [], (request) => {
				if (request.method === 'GET') return { json: group(...members) };
				const text = JSON.stringify(request.body);
				if (text.includes('ghost')) {
					members = ['old', 'z', 'new'];
					return scimError(400, 'unknown id', { scimType: 'invalidValue' });
				}
				members = ['z', 'new'];
				return { json: group(...members) };
			}),
		);
		expect(statuses(parts)).toEqual(['0 done', '1 failed', '2 done']);
	});

	it('403: not done, with the error', async () => {
		const { parts, requests } = await carryOut(
			out('a'),
			service(
				[],
				[group('a', 'z')],
				on('PATCH', () => scimError(403, 'no')),
			),
		);
		expect(parts[0].outcome).toMatchObject({
			status: 'failed',
			error: { facts: { status: 403 } },
		});
		expect(requests).toEqual([`PATCH /scim/Groups/${G}`]);
	});
});

describe('a removal that waits for an add', () => {
	const MOVES_BY_HAND = {
		...ACCOUNT,
		addMovesWithinOrganization: false,
		removalIsRoleBlind: false,
	};
	const OLD = 'whylabs-org-1:viewer';
	const rules = rulesOf({ [G]: [], [OLD]: ['a', 'z'] }, { profile: MOVES_BY_HAND });
	const { steps } = planOf([want(0, 'a', [G])], rules);
	const removal = { ...membersPlan([], []), steps: [steps[1]] };

	it('looks first: whom the service has moved by itself is not removed, which could take the new role', async () => {
		const { parts, requests } = await carryOut(
			removal,
			service([], [{ id: OLD, members: [{ value: 'z' }] }]),
			new Map(),
			MOVES_BY_HAND,
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(requests).toEqual([`GET /scim/Groups/${OLD}`]);
	});

	it('who is still there is removed', async () => {
		const { requests } = await carryOut(
			removal,
			service([], [{ id: OLD, members: [{ value: 'a' }, { value: 'z' }] }]),
			new Map(),
			MOVES_BY_HAND,
		);
		expect(requests.slice(0, 2)).toEqual([`GET /scim/Groups/${OLD}`, `PATCH /scim/Groups/${OLD}`]);
	});
});

describe('members who were created by the same execution', () => {
	const plan = (): ProvisioningPlan => {
		const { steps, ...rest } = planOf(
			['ana', 'ben'].map((name, item) => wantNew(item, name, [G])),
			rulesOf({ [G]: [] }),
		);
		return { ...rest, steps: steps.filter(({ kind }) => kind === 'changeMembers') };
	};

	it('are added by the id that they got', async () => {
		const { parts, transport } = await carryOut(
			plan(),
			service([], [], () => ({ json: group('user-1', 'user-2') })),
			new Map([
				['ana', 'user-1'],
				['ben', 'user-2'],
			]),
		);
		expect(statuses(parts)).toEqual(['0 done', '1 done']);
		expect(transport.received[0].body).toMatchObject({
			Operations: [{ op: 'add', value: [{ value: 'user-1' }, { value: 'user-2' }] }],
		});
	});

	it('whose id is not known are not added; the others are', async () => {
		const { parts, transport } = await carryOut(
			plan(),
			service([], [], () => ({ json: group('user-2') })),
			new Map([['ben', 'user-2']]),
		);
		expect(statuses(parts)).toEqual(['0 failed', '1 done']);
		expect(transport.received[0].body).toMatchObject({
			Operations: [{ op: 'add', value: [{ value: 'user-2' }] }],
		});
	});

	it('only the parts that may be done are sent', async () => {
		const whole = plan();
		const [step] = whole.steps;
		const some = { ...whole, steps: [{ ...step, parts: step.parts.slice(1) }] };
		const { parts, transport } = await carryOut(
			some,
			service([], [], () => ({ json: group('user-2') })),
			new Map([
				['ana', 'user-1'],
				['ben', 'user-2'],
			]),
		);
		expect(statuses(parts)).toEqual(['1 done']);
		expect(transport.received[0].body).toMatchObject({
			Operations: [{ op: 'add', value: [{ value: 'user-2' }] }],
		});
	});
});

describe('adopting somebody who exists', () => {
	const there = (
		active: boolean,
		own: (request: Received) => Reply | undefined = () => undefined,
	) =>
		service([user('user-7', { userName: ANA, active })], [], (request) =>
			request.method === 'POST' ? scimError(409, 'x') : own(request),
		);

	it('an active user is taken, and known to the steps that follow', async () => {
		const identities: Identities = new Map();
		const { parts } = await carryOut(create('adopt'), there(true), identities);
		expect(statuses(parts)).toEqual(['0 unchanged']);
		expect(identities.get(ANA)).toBe('user-7');
	});

	it('an inactive one is refused: a role would let nobody in', async () => {
		const error = await failureOf(create('adopt'), there(false));
		expect(error.message).toMatch(/inactive/);
	});

	it('or activated where that is wanted', async () => {
		const { parts, requests } = await carryOut(
			create('adoptAndActivate'),
			there(false, ({ method }) =>
				method === 'PATCH' ? { json: user('user-7', { userName: ANA }) } : undefined,
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
		expect(requests.at(-1)).toBe('PATCH /scim/Users/user-7');
	});
});
