import { Directory } from '../../../nodes/shared/access/directory';
import { RequestError } from '../../../nodes/shared/http/requestError';
import { lookFor, type AppliedPart, type Check } from '../../../nodes/shared/access/step';
import { verify } from '../../../nodes/shared/access/verify';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import { clientOver, fakePatience, transportTo } from '../../support/fakeTransport';
import { MemoryService, type Seed, type Switches } from '../../support/memoryService';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);

const active = (id: string): Check => ({
	kind: 'user',
	id,
	missing: (seen) => (seen?.active === true ? undefined : { reason: 'not active' }),
});
const memberOf = (groupId: string, id: string): Check => ({
	kind: 'member',
	groupId,
	id,
	present: true,
});
const notMemberOf = (groupId: string, id: string): Check => ({
	kind: 'member',
	groupId,
	id,
	present: false,
});

const open = (item: number, check: Check): AppliedPart => ({
	item,
	subject: String(item),
	outcome: { status: 'unverified', action: `change ${item}`, reason: 'not seen', warnings: ['w'] },
	open: lookFor(check),
});

async function look(
	parts: AppliedPart[],
	{ people = [], groups = [] }: { people?: Seed['people']; groups?: string[] },
	switches: Switches = {},
	limitMs = 1_000,
	profile = PROFILES.accountOrganizations,
) {
	const seed = { people, groups: groups.map((id) => ({ id })) };
	const account = { prefix: '/scim', showsMembers: 'whenAny', usersShowGroups: 'whenAny' };
	const transport = transportTo(
		new MemoryService(seed, { ...(profile !== PROFILES.generic && account), ...switches }),
	);
	const patience = fakePatience(limitMs);
	const client = clientOver(transport, profile, patience, { maxWaitMs: 0 });
	const verified = await verify(parts, client, new Directory(client, ids, 100, 5), ids, 5);
	return {
		verified,
		statuses: verified.map(({ outcome }) => outcome.status),
		reasons: verified.map(({ outcome }) => outcome.reason),
		sent: transport.sent,
		waits: patience.waits,
	};
}

const person = (id: string, groups: string[] = [], active = true) => ({
	...{ id, groups, active },
	userName: `${id}@example.com`,
});
const down = (path: string) => ({ faults: [{ path, kind: '500-html' }] });

describe('verify', () => {
	it('asks nothing when nothing is open', async () => {
		const done: AppliedPart = {
			item: 0,
			subject: 'a',
			outcome: { status: 'done', action: 'x' },
		};
		const { verified, sent, waits } = await look([done], {});
		expect(verified).toEqual([done]);
		expect(sent).toStrictEqual([]);
		expect(waits).toStrictEqual([]);
	});

	it('what is seen is done; the warnings stay and the check goes', async () => {
		const { verified } = await look([open(0, active('user-1'))], { people: [person('user-1')] });
		expect(verified[0].outcome).toEqual({ status: 'done', action: 'change 0', warnings: ['w'] });
		expect(verified[0].open).toBeUndefined();
		expect(verified[0].result?.who).toMatchObject({ user: { id: 'user-1' } });
	});

	it('looks again only at what is still open', async () => {
		const { statuses, sent, waits } = await look(
			[open(0, active('user-1')), open(1, active('user-2'))],
			{ people: [person('user-1'), person('user-2', [], false)] },
			{ onRequest: (nth, _, service) => nth === 4 && service.setActive('user-2', true) },
		);
		expect(statuses).toEqual(['done', 'done']);
		expect(sent.filter((request) => request.endsWith('user-1'))).toHaveLength(1);
		expect(sent.filter((request) => request.endsWith('user-2'))).toHaveLength(3);
		expect(waits).toEqual([250, 500]);
	});

	it('what is never seen stays unverified, with what is missing', async () => {
		const { statuses, reasons } = await look([open(0, active('user-1'))], {
			people: [person('user-1', [], false)],
		});
		expect(statuses).toEqual(['unverified']);
		expect(reasons).toEqual(['not active']);
	});

	it('one group is read once for all its parts, in whichever way its id is written', async () => {
		const { statuses, sent } = await look(
			[open(0, memberOf('org-1:admin', 'a')), open(1, memberOf('whylabs-org-1:ADMIN', 'b'))],
			{
				people: [person('a', ['org-1:admin']), person('b', ['org-1:admin'])],
				groups: ['org-1:admin'],
			},
			{ speaks: 'gateway' },
		);
		expect(statuses).toEqual(['done', 'done']);
		expect(sent).toHaveLength(1);
	});

	it('a user who cannot be read does not hold up the others', async () => {
		const { statuses, reasons } = await look(
			[open(0, active('user-1')), open(1, active('user-2'))],
			{ people: [person('user-1'), person('user-2')] },
			down('/scim/Users/user-2'),
			0,
		);
		expect(statuses).toEqual(['done', 'unverified']);
		expect(reasons[1]).toMatch(/500/);
	});

	it('a group that cannot be read does not hold up the others', async () => {
		const { statuses } = await look(
			[open(0, memberOf('org-1:admin', 'a')), open(1, memberOf('org-2:admin', 'a'))],
			{
				people: [person('a', ['org-1:admin', 'org-2:admin'])],
				groups: ['org-1:admin', 'org-2:admin'],
			},
			down('/scim/Groups/org-2:admin'),
			0,
		);
		expect(statuses).toEqual(['done', 'unverified']);
	});

	describe('who has to be out of a group', () => {
		const groups = ['org-1:admin', 'whylabs-org-1:ADMIN', 'org-1:member'];

		it.each<[string, string[], string]>([
			['the group shows others', ['b in org-1:admin'], 'done'],
			['the group shows the person', ['a in org-1:admin'], 'unverified'],
			['an empty group means nobody', [], 'done'],
			['the user still shows it', ['a in whylabs-org-1:ADMIN'], 'unverified'],
			['the user shows another role there', ['a in org-1:member'], 'done'],
		])('%s', async (_, held, status) => {
			const heldBy = (id: string) => groups.filter((group) => held.includes(`${id} in ${group}`));
			const people = ['a', 'b'].map((id) => person(id, heldBy(id)));
			const parts = [open(0, notMemberOf('org-1:admin', 'a'))];
			const { statuses } = await look(parts, { people, groups }, {}, 0);
			expect(statuses).toEqual([status]);
		});

		it('is not believed of a service that may show no members at all', async () => {
			const lookWhere = async (usersShowGroups: string) =>
				await look(
					[open(0, notMemberOf('g', 'a'))],
					{ people: [person('a')], groups: ['g'] },
					{ showsMembers: 'absent', usersShowGroups },
					0,
					PROFILES.generic,
				);
			const silent = await lookWhere('absent');
			expect(silent.statuses).toEqual(['unverified']);
			expect(silent.reasons[0]).toMatch(/does not show members at all/);
			expect((await lookWhere('all')).statuses).toEqual(['done']);
		});

		it('is so when the user is gone', async () => {
			const parts = [open(0, notMemberOf('org-1:admin', 'a'))];
			const { statuses } = await look(parts, { groups, people: [person('b')] }, {}, 0);
			expect(statuses).toEqual(['done']);
		});
	});

	it('a group that has to be gone is gone with 404, and a group that has to be there is read', async () => {
		const gone: Check = {
			kind: 'group',
			id: 'g',
			missing: (group) => (group === undefined ? undefined : { reason: 'still there' }),
		};
		const { generic } = PROFILES;
		expect((await look([open(0, gone)], {}, {}, 0, generic)).statuses).toEqual(['done']);
		const still = await look([open(0, gone)], { groups: ['g'] }, {}, 0);
		expect(still.statuses).toEqual(['unverified']);
		expect(still.reasons).toEqual(['still there']);
	});

	describe('a request that the service refused with 400', () => {
		const refusal = new RequestError('not accepted', 'Check.', {
			kind: 'http',
			method: 'PATCH',
			status: 400,
			mayHaveWorked: false,
		});
		const refusedPart: AppliedPart = {
			...open(0, memberOf('org-1:admin', 'a')),
			outcome: { status: 'unverified', action: 'add a', reason: 'not seen', error: refusal },
			open: lookFor(memberOf('org-1:admin', 'a'), true),
		};

		const seed = {
			people: [person('a'), person('b', ['org-1:admin'])],
			groups: ['org-1:admin'],
		};

		it('and that shows to have worked a moment later is done', async () => {
			const { statuses, waits } = await look([refusedPart], seed, {
				onRequest: (nth, _, service) => nth === 3 && service.add('org-1:admin', 'a'),
			});
			expect(statuses).toEqual(['done']);
			expect(waits).toEqual([250, 500]);
		});

		it('and that nothing shows to have worked was not done, with the status', async () => {
			const { verified } = await look([refusedPart], seed);
			expect(verified[0].outcome).toMatchObject({
				status: 'failed',
				action: 'add a',
				reason: 'not accepted',
				error: refusal,
			});
		});
	});

	it('a write that was taken is unverified, not undone, when the look is refused with 400', async () => {
		const { statuses, reasons } = await look(
			[open(0, active('user-1'))],
			{},
			{ faults: [{ kind: 'status', status: 400, body: 'no such route' }] },
			0,
		);
		expect(statuses).toEqual(['unverified']);
		expect(reasons[0]).toMatch(/no such route/);
	});

	it('a read that failed once and then shows it: done', async () => {
		const { statuses } = await look(
			[open(0, active('user-1'))],
			{ people: [person('user-1')] },
			{ faults: [{ nth: 1, kind: '500-html' }] },
		);
		expect(statuses).toEqual(['done']);
	});
});
