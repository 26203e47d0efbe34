import { Directory } from '../../../nodes/shared/access/directory';
import { RequestError } from '../../../nodes/shared/http/requestError';
import { lookFor, type AppliedPart, type Check } from '../../../nodes/shared/access/step';
import { verify } from '../../../nodes/shared/access/verify';
import { groupMeaning } from '../../../nodes/shared/scim/protocol/groupMeaning';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import {
	clientOver,
	fakePatience,
	fakeTransport,
	scimError,
	service,
	user,
	type Answerer,
	type FakeUser,
} from '../../support/fakeService';

const ids = groupMeaning(PROFILES.accountOrganizations.groupPattern);

const active = (id: string): Check => ({
	kind: 'user',
	id,
	missing: (seen) => (seen?.active === true ? undefined : 'not active'),
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
	answer: Answerer,
	limitMs = 1_000,
	profile = PROFILES.accountOrganizations,
) {
	const transport = fakeTransport(answer);
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

describe('verify', () => {
	it('asks nothing when nothing is open', async () => {
		const done: AppliedPart = {
			item: 0,
			subject: 'a',
			outcome: { status: 'done', action: 'x' },
		};
		const { verified, sent, waits } = await look([done], service([]));
		expect(verified).toEqual([done]);
		expect(sent).toEqual([]);
		expect(waits).toEqual([]);
	});

	it('what is seen is done; the warnings stay and the check goes', async () => {
		const { verified } = await look([open(0, active('user-1'))], service([user('user-1')]));
		expect(verified[0].outcome).toEqual({ status: 'done', action: 'change 0', warnings: ['w'] });
		expect(verified[0].open).toBeUndefined();
		expect(verified[0].result?.who).toMatchObject({ user: { id: 'user-1' } });
	});

	it('looks again only at what is still open', async () => {
		let reads = 0;
		const { statuses, sent, waits } = await look(
			[open(0, active('user-1')), open(1, active('user-2'))],
			service([user('user-1')], [], ({ path }) =>
				path.endsWith('user-2') ? { json: user('user-2', { active: ++reads > 2 }) } : undefined,
			),
		);
		expect(statuses).toEqual(['done', 'done']);
		expect(sent.filter((request) => request.endsWith('user-1'))).toHaveLength(1);
		expect(sent.filter((request) => request.endsWith('user-2'))).toHaveLength(3);
		expect(waits).toEqual([250, 500]);
	});

	it('what is never seen stays unverified, with what is missing', async () => {
		const { statuses, reasons } = await look(
			[open(0, active('user-1'))],
			service([user('user-1', { active: false })]),
		);
		expect(statuses).toEqual(['unverified']);
		expect(reasons).toEqual(['not active']);
	});

	it('one group is read once for all its parts, in whichever way its id is written', async () => {
		const { statuses, sent } = await look(
			[open(0, memberOf('org-1:admin', 'a')), open(1, memberOf('whylabs-org-1:ADMIN', 'b'))],
			() => ({ json: { id: 'whylabs-org-1:admin', members: [{ value: 'a' }, { value: 'b' }] } }),
		);
		expect(statuses).toEqual(['done', 'done']);
		expect(sent).toHaveLength(1);
	});

	it('a user who cannot be read does not hold up the others', async () => {
		const { statuses, reasons } = await look(
			[open(0, active('user-1')), open(1, active('user-2'))],
			service([user('user-1')], [], ({ path }) =>
				path.endsWith('user-2') ? scimError(500, 'down') : undefined,
			),
			0,
		);
		expect(statuses).toEqual(['done', 'unverified']);
		expect(reasons[1]).toMatch(/down/);
	});

	it('a group that cannot be read does not hold up the others', async () => {
		const { statuses } = await look(
			[open(0, memberOf('org-1:admin', 'a')), open(1, memberOf('org-2:admin', 'a'))],
			service([], [{ id: 'org-1:admin', members: [{ value: 'a' }] }]),
			0,
		);
		expect(statuses).toEqual(['done', 'unverified']);
	});

	describe('who has to be out of a group', () => {
		const shownOn = (...groups: string[]) =>
			user('a', { groups: groups.map((value) => ({ value })) });

		it.each<[string, object, object, string]>([
			['the group shows others', { members: [{ value: 'b' }] }, user('a'), 'done'],
			['the group shows the person', { members: [{ value: 'a' }] }, user('a'), 'unverified'],
			['an empty group means nobody', {}, user('a'), 'done'],
			['the user still shows it', {}, shownOn('whylabs-org-1:ADMIN'), 'unverified'],
			['the user shows another role there', {}, shownOn('org-1:member'), 'done'],
		])('%s', async (_, group, person, status) => {
			const { statuses } = await look(
				[open(0, notMemberOf('org-1:admin', 'a'))],
				service([person as FakeUser], [{ id: 'org-1:admin', ...group }]),
				0,
			);
			expect(statuses).toEqual([status]);
		});

		it('is not believed of a service that may show no members at all', async () => {
			const generic = PROFILES.generic;
			const group = { id: 'g', displayName: 'g' };
			const open0 = [open(0, notMemberOf('g', 'a'))];
			const silent = await look(open0, service([user('a')], [group]), 0, generic);
			expect(silent.statuses).toEqual(['unverified']);
			expect(silent.reasons[0]).toMatch(/does not show members at all/);
			const told = await look(open0, service([shownOn()], [group]), 0, generic);
			expect(told.statuses).toEqual(['done']);
		});

		it('is so when the user is gone', async () => {
			const { statuses } = await look(
				[open(0, notMemberOf('org-1:admin', 'a'))],
				service([], [{ id: 'org-1:admin' }]),
				0,
			);
			expect(statuses).toEqual(['done']);
		});
	});

	it('a group that has to be gone is gone with 404, and a group that has to be there is read', async () => {
		const gone: Check = {
			kind: 'group',
			id: 'g',
			missing: (group) => (group === undefined ? undefined : 'still there'),
		};
		const { generic } = PROFILES;
		expect((await look([open(0, gone)], service([], []), 0, generic)).statuses).toEqual(['done']);
		const still = await look([open(0, gone)], service([], [{ id: 'g' }]), 0);
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

		it('and that shows to have worked a moment later is done', async () => {
			let reads = 0;
			const { statuses, waits } = await look([refusedPart], () => ({
				json: { id: 'org-1:admin', members: ++reads > 2 ? [{ value: 'a' }] : [{ value: 'b' }] },
			}));
			expect(statuses).toEqual(['done']);
			expect(waits).toEqual([250, 500]);
		});

		it('and that nothing shows to have worked was not done, with the status', async () => {
			const { verified } = await look([refusedPart], () => ({
				json: { id: 'org-1:admin', members: [{ value: 'b' }] },
			}));
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
			service([], [], () => scimError(400, 'no such route')),
			0,
		);
		expect(statuses).toEqual(['unverified']);
		expect(reasons[0]).toMatch(/no such route/);
	});

	it('a read that failed once and then shows it: done', async () => {
		const { statuses } = await look(
			[open(0, active('user-1'))],
			service([user('user-1')], [], (_, nth) => (nth === 1 ? scimError(500, 'down') : undefined)),
		);
		expect(statuses).toEqual(['done']);
	});
});
