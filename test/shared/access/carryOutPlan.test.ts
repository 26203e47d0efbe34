import type { Access } from '../../../nodes/shared/access/access';
import { carryOutPlan } from '../../../nodes/shared/access/carryOutPlan';
import type { Change, GroupChange } from '../../../nodes/shared/access/change';
import { createReader } from '../../../nodes/shared/access/reader';
import { planUsers } from '../../../nodes/shared/access/planUsers';
import { scheduleOf } from '../../../nodes/shared/access/schedule';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { clientOver, fakePatience, transportTo } from '../../support/fakeTransport';
import {
	ACCOUNT as AS_RECORDED,
	MemoryService,
	userIdOf,
	type Seed,
	type Switches,
} from '../../support/memoryService';
import {
	ACCOUNT,
	accessOf,
	CHANGE,
	ids,
	ofAccount,
	ofGroups,
	person,
	planOf,
	rulesOf,
	want,
	wantNew,
} from '../../support/plans';

// What leaves for a plan, what the service is like afterwards, and what is said of it.

const [ANA, BEN] = ['ana@example.com', 'ben@example.com'];
const [ADMIN, MEMBER] = ['org-1:admin', 'org-1:member'];
const { generic: GENERIC } = PROFILES;

interface Case {
	people?: Seed['people'];
	groups?: readonly string[];
	/** Beside what the account is like, or a well-behaved service of another profile. */
	switches?: Switches;
	profile?: typeof GENERIC;
	/** Who was in which group when the plan was made. */
	access?: Access;
	/** How long a request is sent again that fails. */
	maxWaitMs?: number;
}

async function carryOut(
	changes: readonly Change[],
	{
		people = [],
		groups = [MEMBER],
		switches = {},
		profile = ACCOUNT,
		access,
		maxWaitMs = 2_000,
	}: Case,
) {
	const ways = profile === ACCOUNT ? { ...AS_RECORDED, ...switches } : switches;
	const service = new MemoryService({ people, groups: groups.map((id) => ({ id })) }, ways);
	const transport = transportTo(service);
	const patience = fakePatience(1_000);
	const client = clientOver(transport, profile, patience, { maxWaitMs });
	const meaning = profile === ACCOUNT ? ids : groupMeaning();
	const parts = await carryOutPlan(scheduleOf(changes, profile), [], {
		...{
			client,
			reader: createReader(client, meaning),
			ids: meaning,
		},
		...{ admins: [], ...(access && { access }) },
		label: (groupId) => groupId,
		isProtected: () => false,
	});
	const { groups: after } = service as unknown as { groups: Map<string, string[]> };
	return {
		said: parts.map(({ item, outcome }) => `${item} ${outcome.status}`),
		reasons: parts.map(({ outcome }) => outcome.reason),
		parts,
		sent: transport.sent,
		waits: patience.waits,
		membersOf: (groupId: string) => after.get(groupId),
		/** The ids of each PATCH of members. */
		patched: transport.received.flatMap(({ method, path, body }) => {
			if (method !== 'PATCH' || !path.includes('/Groups/')) return [];
			const { Operations } = body as { Operations: Array<{ value?: Array<{ value: string }> }> };
			return [Operations.flatMap(({ value = [] }) => value.map((one) => one.value))];
		}),
	};
}

const outside = (...names: string[]) =>
	names.map((id) => ({ id, userName: `${id}@example.com`, groups: [] as string[] }));
const inside = (...names: string[]) =>
	outside(...names).map((one) => ({ ...one, groups: [MEMBER] }));
const down = (path?: string) => [{ method: 'GET', kind: '500-html', ...(path && { path }) }];

/** Whoever is to be in a group, whoever is to be out of it, and its members as the plan knows them. */
function membersCase(add: string[], remove: string[], now: string[] = remove) {
	const wanted = [
		...add.map((id, index) => want(index, id, [SPELLED])),
		...remove.map((id, index) => want(add.length + index, id, [], [SPELLED])),
	];
	const { access, ...rules } = rulesOf({ [SPELLED]: now });
	return { access, changes: planOf(wanted, { access, ...rules }).changes };
}

const SPELLED = 'whylabs-org-1:member';

it.each([
	['shows the name', { name: { givenName: 'Ana' } }, 'done'],
	['shows the name, and another title', { name: { givenName: 'Ana' }, title: 'x' }, 'unverified'],
	['shows the title alone', { title: 'Boss' }, 'unverified'],
])(
	'a create whose answers are lost to the end, and whoever is seen %s',
	async (_, shown, status) => {
		const attributes = { name: { givenName: 'Ana' }, title: 'Boss' };
		const wanted = [{ item: 0, userName: ANA, attributes, warnings: [] }];
		const { said } = await carryOut(
			planUsers(wanted, 'fail', undefined, { profile: ACCOUNT }).changes,
			{
				people: [{ id: userIdOf(ANA), userName: ANA, ...shown }],
				switches: { faults: [{ method: 'POST', kind: '500-html' }] },
			},
		);
		expect(said).toEqual([`0 ${status}`]);
	},
);

describe('adds to a group', () => {
	it('400, and the group lags behind: who was added is not taken for a culprit', async () => {
		const { changes, access } = membersCase(['late', 'ghost', 'c'], []);
		const { said, membersOf } = await carryOut(changes, {
			...{ access, people: [...outside('late'), ...inside('c')] },
			switches: { lagReads: 100 },
		});
		expect(said).toEqual(['0 done', '1 failed', '2 done']);
		expect(membersOf(MEMBER)).toEqual(['c', 'late']);
	});

	it('400 and the group cannot be read: unverified, since some may have been added', async () => {
		const { changes, access } = membersCase(['a', 'ghost'], []);
		const { said } = await carryOut(changes, {
			...{ access, people: outside('a'), switches: { faults: down() } },
		});
		expect(said).toEqual(['0 unverified', '1 unverified']);
	});

	it('answers lost to the end, but it worked: done', async () => {
		const { changes, access } = membersCase(['a'], []);
		const { said, membersOf } = await carryOut(changes, {
			...{ access, people: outside('a') },
			switches: { faults: [{ method: 'PATCH', kind: '500-after' }] },
		});
		expect(said).toEqual(['0 done']);
		expect(membersOf(MEMBER)).toEqual(['a']);
	});

	it('of one who could not be created are left out; the others leave', async () => {
		const wanted = [wantNew(0, ANA, ['g']), wantNew(1, BEN, ['g'], { title: 'Boss' })];
		const { access, ...rules } = rulesOf({ g: ['z'] }, { profile: GENERIC, ids: groupMeaning() });
		const { changes } = planOf(wanted, { access, ...rules });
		const { said, reasons, patched, membersOf } = await carryOut(changes, {
			...{ access, profile: GENERIC, groups: ['g'], switches: { requires: ['title'] } },
			people: [{ ...outside('z')[0], groups: ['g'] }],
		});
		expect(said).toEqual(['0 failed', '1 done', '0 failed', '1 done']);
		expect(reasons[2]).toBe(`it needs a step that did not succeed: create user ${ANA}`);
		expect(patched).toEqual([[userIdOf(BEN)]]);
		expect(membersOf('g')).toEqual(['z', userIdOf(BEN)]);
	});
});

it.each<[string, string[], Case, string[], string[][]]>([
	[
		'because one was out already: sent again for those whom the group shows',
		['a', 'b'],
		{ people: [...outside('a'), ...inside('b', 'z')] },
		['0 unchanged', '1 done'],
		[['a', 'b'], ['b']],
	],
	[
		'that were carried out in part, which a late read does not show',
		['ann', 'ben'],
		{ people: [...outside('ben'), ...inside('ann', 'z')], switches: { lagReads: 1 } },
		['0 done', '1 unchanged'],
		[['ann', 'ben'], ['ann']],
	],
	[
		'that name one who was no member, however late reads show the person',
		['ann', 'z-1'],
		{ people: [...outside('ann'), ...inside('z-1', 'z')], switches: { lagReads: 2 } },
		['0 unchanged', '1 done'],
		[['ann', 'z-1'], ['z-1']],
	],
	[
		'that name an ID of which another one is a part',
		['an', 'ann'],
		{ people: [...outside('ann'), ...inside('an', 'z')], switches: { lagReads: 1 } },
		['0 done', '1 unchanged'],
		[['an', 'ann'], ['an']],
	],
])('removals answered 404 %s', async (_, remove, given, statuses, requests) => {
	const { changes, access } = membersCase([], remove, [...remove, 'z']);
	const { said, patched, membersOf } = await carryOut(changes, { ...given, access });
	expect(said).toEqual(statuses);
	expect(patched).toEqual(requests);
	for (const id of remove) expect(membersOf(MEMBER)).not.toContain(id);
});

describe('looks after requests whose answers show nothing', () => {
	const SILENT = { patchAnswers: '204' };
	const deactivated = (...names: string[]) =>
		names.map((id, item) =>
			ofAccount('active', 'inactive', { key: id, items: [item], person: person(id) }),
		);
	const given = (...names: string[]) =>
		names.map((id, item) => ({ ...ofGroups([], [ADMIN], person(id)), items: [item] }));

	it('only at what is still open, with growing pauses', async () => {
		const { said, sent, waits } = await carryOut(deactivated('a', 'b'), {
			people: outside('a', 'b'),
			switches: {
				...SILENT,
				faults: [{ method: 'PATCH', path: '/scim/Users/b', kind: 'dropped' }],
				onRequest: (nth, _, service) => nth === 6 && service.setActive('b', false),
			},
		});
		expect(said).toEqual(['0 done', '1 done']);
		const looks = (id: string) => sent.filter((line) => line === `GET /scim/Users/${id}`);
		expect(looks('a')).toHaveLength(1);
		expect(looks('b')).toHaveLength(3);
		expect(waits).toEqual([250, 500]);
	});

	it('at one group once, in whichever way its id is written', async () => {
		const { said, sent, membersOf } = await carryOut(
			[...given('a'), { ...ofGroups([], ['whylabs-org-1:ADMIN'], person('b')), items: [1] }],
			{
				access: accessOf({ [ADMIN]: [] }),
				...{ people: outside('a', 'b'), groups: [ADMIN], switches: SILENT },
			},
		);
		expect(said).toEqual(['0 done', '1 done']);
		expect(sent).toEqual(['PATCH /scim/Groups/org-1:admin', 'GET /scim/Groups/org-1:admin']);
		expect(membersOf(ADMIN)).toEqual(['a', 'b']);
	});

	it('one that fails holds up no other: users', async () => {
		const { said, reasons } = await carryOut(deactivated('a', 'b'), {
			people: outside('a', 'b'),
			switches: { ...SILENT, faults: down('/scim/Users/b') },
		});
		expect(said).toEqual(['0 done', '1 unverified']);
		expect(reasons[1]).toMatch(/500/);
	});

	it('one that fails holds up no other: groups', async () => {
		const { said, reasons } = await carryOut(
			[...given('a'), { ...ofGroups([], ['org-2:admin'], person('b')), items: [1] }],
			{
				...{ people: outside('a', 'b'), groups: [ADMIN, 'org-2:admin'] },
				switches: { ...SILENT, faults: down('/scim/Groups/org-2:admin') },
			},
		);
		expect(said).toEqual(['0 done', '1 unverified']);
		expect(reasons[1]).toMatch(/500/);
	});

	it('one that fails once is made again', async () => {
		const { said } = await carryOut(deactivated('a'), {
			...{ people: outside('a'), maxWaitMs: 0 },
			switches: { ...SILENT, faults: [{ method: 'GET', nth: 1, kind: '500-html' }] },
		});
		expect(said).toEqual(['0 done']);
	});

	it('one that is refused with 400 says nothing of what was taken', async () => {
		const refused = { method: 'GET', kind: 'status', status: 400, body: 'no such route' };
		const { said, reasons } = await carryOut(deactivated('a'), {
			people: outside('a'),
			switches: { ...SILENT, faults: [refused] },
		});
		expect(said).toEqual(['0 unverified']);
		expect(reasons[0]).toMatch(/no such route/);
	});
});

describe('whoever is taken out of a group', () => {
	const [OTHER, ACCESS] = ['whylabs-org-1:ADMIN', accessOf({ [ADMIN]: ['a', 'b'] })];
	/** A service that takes every removal, and does not answer what it has done. */
	const TAKES = { speaks: 'rfc', refusesStrangers: false, roleBlindRemoval: false };
	const shown = (held: Record<string, string[]>) =>
		Object.entries(held).map(([id, groups]) => ({ ...outside(id)[0], groups }));

	it.each<[string, Record<string, string[]>, string]>([
		['where the group shows others', { a: [ADMIN], b: [ADMIN] }, 'done'],
		['and was the last one', { a: [ADMIN] }, 'done'],
		['and says to be in it still, in another spelling', { a: [ADMIN, OTHER] }, 'unverified'],
		['and has another role there', { a: [ADMIN, MEMBER] }, 'done'],
		['and is gone', {}, 'done'],
	])('%s', async (_, held, status) => {
		const { said, sent } = await carryOut([{ ...ofGroups([ADMIN], [], person('a')), items: [0] }], {
			...{ access: ACCESS, people: shown(held), groups: [ADMIN, OTHER, MEMBER] },
			switches: { ...TAKES, patchAnswers: '204' },
		});
		expect(sent[0]).toBe('PATCH /scim/Groups/org-1:admin');
		expect(said).toEqual([`0 ${status}`]);
	});

	it.each<[string, Switches, Partial<typeof GENERIC>, string]>([
		['never shows anybody', { usersShowGroups: 'absent' }, {}, 'unverified'],
		['never shows anybody, while users show it', {}, {}, 'done'],
		[
			'shows all who are in it',
			{ usersShowGroups: 'absent' },
			{ groupsShowMembers: 'yes' },
			'done',
		],
	])('is out as far as the group %s', async (_, switches, traits, status) => {
		const profile = { ...GENERIC, ...traits };
		const { said, reasons, membersOf } = await carryOut(
			[{ ...ofGroups(['g'], [], person('a')), items: [0] }],
			{
				...{ profile, access: accessOf({ g: [] }, profile, groupMeaning()) },
				...{ people: [{ ...outside('a')[0], groups: ['g'] }], groups: ['g'] },
				switches: { showsMembers: 'absent', ...switches },
			},
		);
		expect(said).toEqual([`0 ${status}`]);
		expect(membersOf('g')).toEqual([]);
		if (status === 'unverified')
			expect(reasons[0]).toBe('the service still shows it, or does not show members at all');
	});
});

it.each([
	['is gone with 404', {}, 'done', undefined],
	['is there', { faults: [{ method: 'DELETE', kind: 'dropped' }] }, 'unverified', 'still there'],
])('a group that was deleted and %s', async (_, switches, status, reason) => {
	const change: GroupChange = {
		...{ ...CHANGE, about: 'group', key: 'g', subject: '0', items: [0], groupId: 'g' },
		...{ before: 'there', after: 'absent' },
	};
	const { said, reasons } = await carryOut([change], { profile: GENERIC, groups: ['g'], switches });
	expect(said).toEqual([`0 ${status}`]);
	if (reason !== undefined) expect(reasons).toEqual([`the group is ${reason}`]);
});

describe('what was refused with 400', () => {
	const [add] = [{ ...ofGroups([], ['g'], person('a')), items: [0] }];
	const seed = {
		...{ profile: GENERIC, groups: ['g'], access: accessOf({ g: ['b'] }, GENERIC, groupMeaning()) },
		people: [...outside('a'), { ...outside('b')[0], groups: ['g'] }],
	};
	const faults = [{ method: 'PATCH', kind: 'status', status: 400 }];

	it('and shows to have worked a moment later is done', async () => {
		const { said, waits } = await carryOut([add], {
			...seed,
			switches: { faults, onRequest: (nth, _, service) => nth === 4 && service.add('g', 'a') },
		});
		expect(said).toEqual(['0 done']);
		expect(waits).toEqual([250, 500]);
	});

	it('and does not show by then was not done: nobody waits on', async () => {
		const { said, sent, waits } = await carryOut([add], { ...seed, switches: { faults } });
		expect(said).toEqual(['0 failed']);
		expect(waits).toEqual([250, 500]);
		expect(sent).toHaveLength(4);
	});
});
