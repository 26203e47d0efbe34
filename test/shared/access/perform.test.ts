import { Directory } from '../../../nodes/shared/access/directory';
import { performStep } from '../../../nodes/shared/access/perform';
import type { Identities } from '../../../nodes/shared/access/performCommon';
import { planUsers } from '../../../nodes/shared/access/planUsers';
import type { AppliedPart, ProvisioningPlan } from '../../../nodes/shared/access/step';
import { verify } from '../../../nodes/shared/access/verify';
import {
	clientOver,
	fakePatience,
	fakeTransport,
	scimError,
	service,
	user,
	type Answerer,
} from '../../support/fakeService';
import { ACCOUNT, ids, planOf, rulesOf, want, wantNew, withSteps } from '../../support/plans';

// One step, sent and looked after: what leaves, and what is said of it afterwards.

const ANA = 'ana@example.com';

async function carryOut(
	{ steps }: ProvisioningPlan,
	answer: Answerer,
	identities: Identities = new Map(),
) {
	const transport = fakeTransport(answer);
	const client = clientOver(transport, ACCOUNT, fakePatience(1_000), { maxWaitMs: 2_000 });
	const directory = new Directory(client, ids, 100, 5);
	const sent = await performStep(steps[0], client, directory, identities, {
		refusedDomains: new Map(),
		added: new Map(),
		looked: new Map(),
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
			service([user('user-1', { userName: ANA, ...shown })], [], (request) =>
				request.method === 'POST' ? scimError(500, 'gateway') : undefined,
			),
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
const group = (...members: string[]) => ({ id: G, members: members.map((value) => ({ value })) });

describe('add members', () => {
	const add = (...people: string[]) => membersPlan(people, []);

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
			service([], [group('a')], ({ method }) =>
				method === 'PATCH' ? scimError(500, 'x') : undefined,
			),
		);
		expect(statuses(parts)).toEqual(['0 done']);
	});
});

it('removals answered 404, because one was out already: planned again from what the group shows', async () => {
	let members = ['b', 'z'];
	const { parts, transport } = await carryOut(
		membersPlan([], ['a', 'b'], ['a', 'b', 'z']),
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
	expect(patches[1].body).toMatchObject({
		Operations: [{ op: 'remove', path: 'members', value: [{ value: 'b' }] }],
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
