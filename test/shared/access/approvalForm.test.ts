import {
	readAnswer,
	requireAnswer,
	approvalForm,
	approvedBy,
	leftOut,
} from '../../../nodes/shared/access/plans/approval';
import {
	kindOf,
	type AccountChange,
	type Entitlement,
	type EntitlementChange,
} from '../../../nodes/shared/access/changes/change';
import { type PlannedChange } from '../../../nodes/shared/access/plans/sealedPlan';
import { PROFILES } from '../../../nodes/shared/scim/protocol/service';
import { CHANGE, ofAccount, person } from '../../support/plans';

// What is asked and answered of a plan, and what else is left out; what that does to a service is in behavior/approval.

const VPN: Entitlement = { key: 'vpn', groupId: 'vpn', displayName: 'VPN' };
const planned = (key: string, change: AccountChange | EntitlementChange): PlannedChange => ({
	...change,
	...{ key, action: key, change: kindOf(change) },
});
const access = (
	key: string,
	who: string,
	[before, after]: [Entitlement[], Entitlement[]],
	...first: string[]
) =>
	planned(key, {
		...{ ...CHANGE, about: 'entitlement', person: person(who), before, after },
		restsOn: first.map((one) => ({ on: 'change' as const, key: one })),
	});
const account = (...[key, who, before, after]: [string, string, ...Parameters<typeof ofAccount>]) =>
	planned(key, ofAccount(before, after, { person: person(who) }));

const update = (who: string) => ({
	...account('update', who, 'there', 'there'),
	attributes: { title: 'x' },
});
const gain = (key: string, who = 'ana') =>
	access(key, who, [[], [{ ...VPN, groupId: `id-${key}` }]]);
const loss = access('loss', 'ana', [[VPN], []]);
const creation = account('new', 'ana', 'absent', 'active');
const back = account('back', 'ana', 'inactive', 'active');
const end = account('end', 'ana', 'active', 'inactive');
const succeeded = { ...end, restsOn: [{ on: 'change' as const, key: 'heir' }] };
const emptied = { ...end, restsOn: [{ on: 'nothingElse' as const, groups: [] }] };
const deletion = account('deletion', 'ana', 'inactive', 'absent');
const ADMINS = [
	access('new admin', 'ben', [[], [VPN]]),
	access('old admin', 'ana', [[VPN], []], 'new admin'),
	access('third', 'cid', [[VPN], []], 'old admin'),
];

test.each<[string, PlannedChange[], string, keyof typeof PROFILES, string[]]>([
	['the new admin others wait for', ADMINS, 'new admin', 'generic', ['old admin', 'third']],
	['the last in line', ADMINS, 'third', 'generic', []],
	['a loss, where a deactivation brings it', [end, loss], 'loss', 'accountOrganizations', ['end']],
	['a loss that a deactivation leaves', [end, loss], 'loss', 'generic', []],
	['a loss beside an end that waits for an heir', [succeeded, loss], 'loss', 'generic', []],
	['a loss after which nothing else is left', [emptied, loss], 'loss', 'generic', ['end']],
	['a gain of a user who should have nothing else', [emptied, gain('1')], '1', 'generic', []],
	['a gain beside a deactivation', [end, gain('1')], '1', 'accountOrganizations', []],
	['a loss beside an update', [update('ana'), loss], 'loss', 'accountOrganizations', []],
	['a loss of a deleted user', [loss, deletion], 'loss', 'generic', ['deletion']],
	['a deactivation of a deleted user', [end, deletion], 'end', 'generic', ['deletion']],
	['what a user is created for', [creation, gain('1')], '1', 'generic', ['new']],
	['what a user comes back for', [back, gain('1')], '1', 'generic', ['back']],
	['part of it', [creation, gain('1'), gain('2')], '1', 'generic', []],
	['a gain beside an update', [update('ana'), gain('1')], '1', 'generic', []],
	['what another is created for', [creation, gain('1', 'ben')], '1', 'generic', []],
	['an update of a user who comes back', [update('ana'), back], 'update', 'generic', []],
])('without %s', (_, changes, out, profile, others) => {
	const approved = new Set(changes.map(({ key }) => key).filter((key) => key !== out));
	const reasons = leftOut(changes, approved, PROFILES[profile]);
	expect([...reasons.keys()]).toEqual([out, ...others]);
	expect(reasons.get(out)).toBe('not approved');
	if (others.length > 0) {
		expect(reasons.get(others[0])).toBe(`not approved: it depends on "${out}"`);
	}
});

/** The form of a plan as labels with their lines. */
const formOf = (changes: PlannedChange[], ...kinds: Array<'creates'>) => {
	const excess = kinds.map((kind) => ({ kind, people: 2, limit: 1 }));
	const plan = { changes, excess, seal: 's', settings: {} };
	const fields = JSON.parse(approvalForm(plan, String)) as Array<{
		fieldLabel?: string;
		fieldOptions: { values: Array<{ option: string }> };
	}>;
	return fields.flatMap(({ fieldLabel, fieldOptions }) =>
		fieldLabel === undefined ? [] : [[fieldLabel, fieldOptions.values.map(({ option }) => option)]],
	);
};
const many = (count: number) => Array.from({ length: count }, (_, at) => gain(`g${at}`));
const named = (who: string, id?: string) => ({
	...gain('g', who),
	person: { key: who, userName: 'x', ...(id && { id }) },
});

test.each<[string, PlannedChange[], unknown[], Array<'creates'>?]>([
	[
		'people with all that is theirs',
		[update('ana'), gain('g', 'ben'), loss],
		[
			[
				'1. ana@example.com',
				[
					'1. all of these',
					expect.stringMatching(/^2\. .*title.* \(row 1\)$/i),
					'3. loses group "VPN" (row 1)',
				],
			],
			['2. ben@example.com', ['4. gets group "VPN" (row 1)']],
			['Allow More Than the Limit For', ['More than 1 person would be created: intended']],
		],
		['creates'],
	],
	[
		'people of one name, one of them new',
		[named('a', 'id-1'), named('b')],
		[
			['1. x (id-1)', ['1. gets group "VPN" (row 1)']],
			['2. x (new)', ['2. gets group "VPN" (row 1)']],
		],
	],
	[
		'who leaves one group',
		[loss, access('loss2', 'ben', [[VPN], []])],
		[
			[
				'1. loses group "VPN" (row 1)',
				['1. all of these', '2. ana@example.com', '3. ben@example.com'],
			],
		],
	],
	[
		'people who leave two groups',
		[loss, access('loss2', 'ben', [[{ ...VPN, groupId: 'g2' }], []])],
		[
			['1. ana@example.com', ['1. loses group "VPN" (row 1)']],
			['2. ben@example.com', ['2. loses group "VPN" (row 1)']],
		],
	],
	[
		'groups of one name',
		[gain('g1'), loss, gain('g3')],
		[
			[
				'1. ana@example.com',
				[
					'1. all of these',
					'2. gets group "VPN" (row 1) (id-g1)',
					'3. loses group "VPN" (row 1)',
					'4. gets group "VPN" (row 1) (id-g3)',
				],
			],
		],
	],
])('the form asks about %s', (_, changes, questions, kinds = []) => {
	expect(formOf(changes, ...kinds)).toEqual(questions);
});

const BOTH = [update('ana'), gain('g', 'ben')];
const [ANA, BEN] = [formOf(BOTH)[0], formOf(BOTH)[1]].map(([label, lines]) => ({
	[String(label)]: lines,
}));
const THREE = [gain('g1'), gain('g2'), gain('g3', 'ben')];
const read = (changes: PlannedChange[], answer: object, name = 'Answer') => {
	const said = readAnswer(answer, name);
	requireAnswer(said, name);
	const excess = [{ kind: 'creates' as const, people: 9, limit: 5 }];
	return approvedBy(said, name, { changes, excess, seal: 's', settings: {} }, String);
};
const ticked = (answer: object) => ({ approvalOf: 's', ...answer });
const byFields = (decision: unknown) => ({ 'Approve these changes?': decision });

test.each<[string, PlannedChange[], object, string[], string[]?]>([
	['one of two', BOTH, ticked({ ...ANA, '2. ben@example.com': [] }), ['update']],
	['both', BOTH, ticked({ ...ANA, ...BEN }), ['update', 'g']],
	['all of a person', THREE, ticked({ x: ['1. all of these'] }), ['g1', 'g2']],
	[
		'a kind beyond its limit',
		BOTH,
		ticked({
			...BEN,
			'Allow More Than the Limit For': ['More than 5 people would be created: intended'],
		}),
		['g'],
		['Creates'],
	],
	['nothing of no change', [], ticked({}), []],
	['Yes of a form by fields', BOTH, byFields('Yes'), ['update', 'g']],
	['Yes of a dropdown with several choices', BOTH, byFields(['Yes']), ['update', 'g']],
	[
		'a kind by name, in a form by fields',
		BOTH,
		{ ...byFields('Yes'), 'Allow More Than the Limit For': ['Creates'] },
		['update', 'g'],
		['Creates'],
	],
	['lines beside a Yes', BOTH, ticked({ ...ANA, ...byFields('Yes') }), ['update']],
	[
		'all beyond five hundred',
		many(502),
		ticked({ '2. All others': ['502. 2 grants'] }),
		['g500', 'g501'],
	],
])('an answer that ticks %s', (_, changes, answer, keys, excess = []) => {
	expect(read(changes, answer)).toEqual({ changes: new Set(keys), excess });
});

test.each([
	['of another plan', { ...ANA, approvalOf: 'other' }, 'Answer is the answer of another plan'],
	[
		'that ticks no change',
		ticked({ 'Allow More Than the Limit For': ['Creates'] }),
		'No change was approved',
	],
	['with an unknown line', ticked({ ...ANA, x: ['3. x'] }), 'a line that is not in the form: 3. x'],
])('an answer %s is an error', (_, answer, message) => {
	expect(() => read(BOTH, answer)).toThrow(message);
});

test.each([
	[500, 1],
	[501, 2],
])('%i changes of one person: %i questions', (count, questions) => {
	expect(formOf(many(count))).toHaveLength(questions);
});

const FORM = { submittedAt: '2026-01-01', formMode: 'production' };
const LABEL = 'exactly the label "Approve these changes?"';
test.each<[unknown, string, string?]>([
	[{ data: { approved: false } }, 'no'],
	[{ approved: false, data: { approved: true } }, 'no'],
	[{ approved: true, data: { approved: false } }, 'no'],
	[ticked({ ...ANA, ...byFields('No') }), 'no'],
	[byFields(['No']), 'no'],
	[{ data: { approved: true } }, 'yes'],
	[JSON.stringify({ data: { approved: true } }), 'yes'],
	[{ data: { ...FORM, approved: true, 'Urgent?': 'No' } }, 'yes'],
	[{ ...FORM, ...byFields('Yes'), 'Urgent?': 'No' }, 'yes'],
	[{ data: ticked({}) }, 'lines'],
	[{ data: 'approvalOf', title: 'x', approved: 'no', VIP: 'No' }, 'nothing'],
	[{ data: { approved: 'maybe' } }, 'nothing'],
	[{ ...FORM, 'Approve?': 'Yes' }, 'nothing'],
	[{ ...FORM, 'Approve?': 'Nein' }, 'nothing'],
	[[{ approved: true }], 'nothing'],
	[null, 'nothing'],
	['no JSON', 'nothing'],
	[{ ...FORM, 'Approve?': 'No' }, 'nothing', '"Approve?" was answered No'],
	[{ data: { ...FORM, 'Urgent?': 'No' } }, 'nothing', '"Urgent?" was answered No'],
	[ticked({ ...FORM, ...ANA, 'Urgent?': 'No' }), 'lines', '"Urgent?" was answered No'],
	[byFields(null), 'nothing', '"Approve these changes?" was answered with neither Yes nor No'],
	[byFields('Nein'), 'nothing', '"Approve these changes?" was answered with neither Yes nor No'],
])('%j says %s', (json, says, unclear = '') => {
	const answer = readAnswer(json, 'Answer');
	expect(answer.says).toBe(says);
	expect(answer.unclear?.message ?? '').toContain(unclear);
	expect(answer.unclear?.description ?? '').toContain(unclear && LABEL);
	if (unclear === '') expect(answer.unclear).toBeUndefined();
});
