import { Directory } from '../../../nodes/shared/access/directory';
import { performStep } from '../../../nodes/shared/access/perform';
import type { Identities } from '../../../nodes/shared/access/performCommon';
import { planUsers } from '../../../nodes/shared/access/planUsers';
import type { AppliedPart, ProvisioningPlan } from '../../../nodes/shared/access/step';
import { verify } from '../../../nodes/shared/access/verify';
import { clientOver, fakePatience, transportTo } from '../../support/fakeTransport';
import {
	ACCOUNT as AS_RECORDED,
	MemoryService,
	userIdOf,
	type Seed,
	type Switches,
} from '../../support/memoryService';
import { ACCOUNT, ids, planOf, rulesOf, want, wantNew, withSteps } from '../../support/plans';

// One step, sent and looked after: what leaves, and what is said of it afterwards.

const ANA = 'ana@example.com';

async function carryOut(
	{ steps }: ProvisioningPlan,
	people: Seed['people'],
	switches: Switches = {},
	identities: Identities = new Map(),
) {
	const groups = [{ id: 'org-1:member' }];
	const transport = transportTo(
		new MemoryService({ people, groups }, { ...AS_RECORDED, ...switches }),
	);
	const client = clientOver(transport, ACCOUNT, fakePatience(1_000), { maxWaitMs: 2_000 });
	const directory = new Directory(client, ids, 100, 5);
	const sent = await performStep(steps[0], client, directory, identities, {
		refusedDomains: new Map(),
		added: new Map(),
		...{ looked: new Map(), accounts: new Map(), letIn: new Set<string>() },
		isProtected: () => false,
		values: { spares: false, queue: Promise.resolve() },
		names: { kept: true, queue: Promise.resolve() },
	});
	return { parts: await verify(sent, client, directory, ids, 5), transport };
}

const statuses = (parts: AppliedPart[]) =>
	parts.map(({ item, outcome }) => `${item} ${outcome.status}`);
it.each([
	['shows the name', { name: { givenName: 'Ana' } }, 'done'],
	['shows the name, and another title', { name: { givenName: 'Ana' }, title: 'x' }, 'unverified'],
	['shows the title alone', { title: 'Boss' }, 'unverified'],
	['may have been there before, without what was wanted', {}, 'unverified'],
])(
	'a create whose answers are lost to the end, and whoever is seen %s',
	async (_, shown, status) => {
		const attributes = { name: { givenName: 'Ana' }, title: 'Boss' };
		const wanted = [{ item: 0, userName: ANA, attributes, warnings: [] }];
		const { parts } = await carryOut(
			withSteps(planUsers(wanted, 'fail', undefined, ACCOUNT)),
			[{ id: userIdOf(ANA), userName: ANA, ...shown }],
			{ faults: [{ method: 'POST', kind: '500-html' }] },
		);
		expect(statuses(parts)).toEqual([`0 ${status}`]);
	},
);

/** Changes of one group: who is to be in, who is to be out, and who is a member now. */
function membersPlan(add: string[], remove: string[], now: string[] = remove): ProvisioningPlan {
	const wanted = [
		...add.map((id, index) => want(index, id, [G])),
		...remove.map((id, index) => want(add.length + index, id, [], [G])),
	];
	return planOf(wanted, rulesOf({ [G]: now }));
}

const G = 'whylabs-org-1:member';
const outside = (...names: string[]) =>
	names.map((id) => ({ id, userName: `${id}@example.com`, groups: [] as string[] }));
const inside = (...names: string[]) =>
	outside(...names).map((one) => ({ ...one, groups: ['org-1:member'] }));

describe('add members', () => {
	const add = (...people: string[]) => membersPlan(people, []);

	it('400, and the group lags behind: who was added is not taken for a culprit', async () => {
		const people = [...outside('late'), ...inside('c')];
		const { parts } = await carryOut(add('late', 'ghost', 'c'), people, { lagReads: 100 });
		expect(statuses(parts)).toEqual(['0 done', '1 failed', '2 done']);
	});

	it('400 and the group cannot be read: unverified, since some may have been added', async () => {
		const { parts } = await carryOut(add('a', 'ghost'), outside('a'), {
			faults: [{ method: 'GET', kind: '500-html' }],
		});
		expect(statuses(parts)).toEqual(['0 unverified', '1 unverified']);
	});

	it('answers lost to the end, but it worked: done', async () => {
		const { parts } = await carryOut(add('a'), outside('a'), {
			faults: [{ method: 'PATCH', kind: '500-after' }],
		});
		expect(statuses(parts)).toEqual(['0 done']);
	});
});

it('removals answered 404, because one was out already: planned again from what the group shows', async () => {
	const { parts, transport } = await carryOut(membersPlan([], ['a', 'b'], ['a', 'b', 'z']), [
		...outside('a'),
		...inside('b', 'z'),
	]);
	expect(statuses(parts)).toEqual(['0 unchanged', '1 done']);
	const patches = transport.received.filter(({ method }) => method === 'PATCH');
	expect(patches).toHaveLength(2);
	expect(patches[1].body).toMatchObject({
		Operations: [{ op: 'remove', path: 'members', value: [{ value: 'b' }] }],
	});
});

it('removals answered 404 that were carried out in part, which a late read does not show: done', async () => {
	const { parts, transport } = await carryOut(
		membersPlan([], ['ann', 'ben'], ['ann', 'ben', 'zoe']),
		[...outside('ben'), ...inside('ann', 'zoe')],
		{ lagReads: 1 },
	);
	expect(statuses(parts)).toEqual(['0 done', '1 unchanged']);
	expect(transport.received.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
});

it('one whom a 404 names was no member, however late reads show it; an id that it is a part of names nobody', async () => {
	const { parts } = await carryOut(
		membersPlan([], ['ann', 'user-1'], ['ann', 'user-1', 'user-12']),
		[...outside('ann'), ...inside('user-1', 'user-12')],
		{ lagReads: 2 },
	);
	expect(statuses(parts)).toEqual(['0 unchanged', '1 done']);
});

describe('members who were created by the same execution', () => {
	const plan = (): ProvisioningPlan => {
		const { steps, ...rest } = planOf(
			['ana', 'ben'].map((name, item) => wantNew(item, name, [G])),
			rulesOf({ [G]: [] }),
		);
		return { ...rest, steps: steps.filter(({ kind }) => kind === 'changeMembers') };
	};

	it('whose id is not known are not added; the others are', async () => {
		const { parts, transport } = await carryOut(
			plan(),
			outside('user-2'),
			{},
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
			outside('user-1', 'user-2'),
			{},
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
