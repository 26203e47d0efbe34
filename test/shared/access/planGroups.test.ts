import {
	planGroupCreations,
	planGroupDeletions,
	planGroupUpdates,
	type NamedGroup,
} from '../../../nodes/shared/access/plans/planGroups';
import type { IfExists } from '../../../nodes/shared/access/changes/change';
import { readAccess } from '../../../nodes/shared/access/facts/access';
import { readGroup, type Group } from '../../../nodes/shared/scim/protocol/resource';
import type { Attempt } from '../../../nodes/shared/util';
import { FRESH } from '../../support/fakeTransport';
import { ACCOUNT, ids, settledOf } from '../../support/plans';

const attributes = { displayName: 'Sales' };
const base = { about: 'group', why: '', restsOn: [], warnings: [] };

describe('creation', () => {
	const found = (...ids: string[]): Attempt<Group[]> => ({
		...{ ok: true, value: ids.map((id) => ({ id, displayName: 'Sales', attributes })) },
	});
	const failed = { ok: false as const, error: new Error('no') };
	const wanted = [0, 2].map((item) => ({ item, attributes, warnings: ['w'] }));
	const created = {
		...{ ...base, action: 'create group Sales', attributes, key: 'create group\nsales' },
		...{ before: 'absent', after: 'there', subject: 'sales', warnings: ['w'] },
	};
	const TWICE = 'Items 0 and 2 both create group Sales';
	const ONE = 'Group Sales exists already (ID a)';
	const TWO = 'More than one group is named Sales already (IDs a, b)';

	it.each<[string, IfExists, Attempt<Group[]>, number[][], string[]]>([
		['nobody has the name', 'fail', found(), [[0]], [`2 failed ${TWICE}`]],
		['the same', 'return', found(), [[0, 2]], []],
		['a group has it', 'fail', found('a'), [], [`2 failed ${TWICE}`, `0 failed ${ONE} a`]],
		['the same', 'return', found('a'), [], ['0 unchanged w a', '2 unchanged w a']],
		['two groups have it', 'return', found('a', 'b'), [], [`0 failed ${TWO}`, `2 failed ${TWO}`]],
		['the look-up fails', 'return', failed, [], ['0 failed no', '2 failed no']],
	])('%s, with %s', (_, ifExists, known, items, lines) => {
		const plan = planGroupCreations(wanted, ifExists, new Map([['Sales', known]]));
		const changes = items.map((own) => ({ ...created, ifExists, items: own }));
		expect(plan).toMatchObject({ changes });
		expect(
			plan.settled.map(({ item, outcome: { status, reason, warnings = [] }, result }) =>
				[item, status, reason, ...warnings, result?.group?.id]
					.filter((one) => one !== undefined)
					.join(' '),
			),
		).toEqual(lines);
	});

	it('a service that does not show its groups gets one, with a warning', () => {
		const warnings = ['w', expect.stringContaining('does not show its groups')];
		const { changes } = planGroupCreations(wanted, 'return', new Map());
		expect(changes).toMatchObject([{ mayExist: true, warnings }]);
	});

	it('items complete each other with Return It', () => {
		const more = [
			{ item: 0, attributes, warnings: ['a'] },
			{ item: 1, attributes: { displayName: 'SALES', externalId: 'x' }, warnings: ['a', 'b'] },
		];
		const { changes } = planGroupCreations(more, 'return', new Map([['Sales', found()]]));
		expect(changes).toEqual([
			{
				...{ ...created, ifExists: 'return', items: [0, 1], warnings: ['a', 'b'] },
				attributes: { displayName: 'Sales', externalId: 'x' },
			},
		]);
	});
});

it('updates of one group go in the order of their items, those of others beside them', () => {
	const groups = ['a', 'b', 'a', 'a'];
	const plan = planGroupUpdates(
		groups.map((groupId, item) => ({ item, groupId, attributes, warnings: [`${item}`] })),
		new Map(),
	);
	expect(plan.changes[2]).toEqual({
		...{ ...base, action: 'update group a', attributes, groupId: 'a', was: attributes },
		...{ before: 'there', after: 'there', items: [2], subject: '2', warnings: ['2'] },
		...{ key: 'update group\na\n2', restsOn: [{ on: 'change', key: 'update group\na\n0' }] },
	});
	expect(
		plan.changes.map(({ restsOn }) => restsOn.map((rest) => 'key' in rest && rest.key)),
	).toStrictEqual([[], [], ['update group\na\n0'], ['update group\na\n2']]);
	expect(plan).toMatchObject({ settled: [] });
});

describe('deletion', () => {
	const ANA = { key: 'ana', id: 'ana', userName: 'ana@example.com' };
	const NESTED = { value: 'org-1:member', type: 'Group' };
	const groups = [
		{ id: 'whylabs-org-1:admin', members: [{ value: 'ana', display: 'ana@example.com' }, NESTED] },
		// In each other, and with a group that was not read.
		{ id: 'org-1:member', members: [{ value: 'ben' }, { ...NESTED, value: 'org-1:admin' }] },
		{
			id: 'Lost',
			members: [{ ...NESTED, value: 'not read' }, { value: 'ana' }, { value: 'cy', display: 'Cy' }],
		},
		{ id: 'Empty' },
	].flatMap((group) => readGroup(group) ?? []);
	const access = readAccess({ groups, isWhole: true, readAt: FRESH }, ids, ACCOUNT);
	const deletions = (wanted: NamedGroup[], kept?: string) =>
		planGroupDeletions(wanted, access, ids, ({ userName, key }) => (userName ?? key) === kept);

	it('of one group by two items is one request', () => {
		const wanted = [
			{ item: 1, groupId: 'org-1:admin' },
			{ item: 3, groupId: 'whylabs-org-1:admin' },
		];
		const key = ids.key('org-1:admin');
		expect(deletions(wanted)).toStrictEqual({
			changes: [
				{
					...{ ...base, before: 'there', after: 'absent', key: `delete group\n${key}` },
					...{ action: 'delete group whylabs-org-1:admin', groupId: 'whylabs-org-1:admin' },
					...{ items: [1, 3], subject: key },
					warnings: ['Groups in it lose what it gives, too: org-1:member.'],
					members: [ANA, { key: 'ben', id: 'ben' }],
				},
			],
			settled: [],
		});
	});

	it.each([
		['Lost', [ANA, { key: 'cy', id: 'cy', userName: 'Cy' }]],
		['Empty', []],
	])('takes access only from people known to be in %s', (groupId, members) => {
		expect(deletions([{ item: 0, groupId }]).changes).toMatchObject([{ groupId, members }]);
	});

	it.each([
		['a group that is not there', 'Gone', undefined, 'There is no group Gone'],
		['one with protected people', 'org-1:admin', 'ana@example.com', 'ana@example.com is protected'],
		['one with them in a group within', 'org-1:admin', 'ben', 'ben is protected'],
	])('of %s fails for each item; other groups go', (_, groupId, kept, reason) => {
		const wanted = [0, 1].map((item) => ({ item, groupId }));
		const plan = deletions([...wanted, { item: 2, groupId: 'Empty' }], kept);
		const key = ids.key(groupId);
		expect(settledOf(plan)).toEqual([`0 ${key} failed`, `1 ${key} failed`]);
		expect(plan.settled[0].outcome.reason).toContain(reason);
		expect(plan.settled[0].outcome.action).toMatch(/^delete group (whylabs-org-1:admin|Gone)$/);
		expect(plan.changes).toMatchObject([{ groupId: 'Empty', warnings: [] }]);
	});
});
