'use strict';

require('../support/noWaiting');
const { answerOf, questionsOf } = require('../support/form');
const {
	ID,
	PEOPLE,
	email,
	emails,
	errorsIn,
	idOf,
	listed,
	locator,
	membersIn,
	person,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');

// Preview returns a form with one line per change; Apply Plan makes what is ticked in its answer, and nothing else.

const NOT_APPROVED = 'not approved';
const byId = (...words) => listed(...words.map((word) => locator('id', ID[word])));

const previewOf = async (service, operation, parameters) =>
	(await play(service, operation, { ...parameters, preview: true }))[0];

const apply = async (service, plan, approvedChanges, more = {}) =>
	await play(service, 'applyPlan', { plan, changes: 'approved', approvedChanges, ...more });

/** Previews, answers the form, lets somebody else write, and applies. */
async function approve(service, [operation, parameters], tick, { meanwhile, ...more } = {}) {
	const { plan, approvalForm } = await previewOf(service, operation, parameters);
	meanwhile?.(service);
	const before = membersIn(service);
	const items = await apply(service, plan, answerOf(approvalForm, tick), more);
	return { items, before, plan, approvalForm };
}

const all = () => true;
const but =
	(...parts) =>
	(line, label) =>
		!parts.some((part) => `${label} ${line}`.includes(part));
const only =
	(...parts) =>
	(line, label) =>
		!but(...parts)(line, label);

const SWAP = [
	'set',
	{ people: email('ben'), ...listed('Engineering'), managedGroups: rows('VPN', 'Engineering') },
];
const REHIRE = [
	'assign',
	{ people: emails('eve', 'dan'), ...listed('Engineering'), options: { reactivate: true } },
];
const DELETION = ['offboard', { people: email('ben'), method: 'delete' }];

test('the form has one line per change, grouped by person', async () => {
	const service = serviceWith();
	const { approvalForm } = await previewOf(service, 'set', {
		people: emails('ana', 'ben'),
		...byId('vpn'),
		managedGroups: rows('VPN', 'Engineering', 'Sales*'),
	});
	expect(questionsOf(approvalForm)).toEqual([
		['1. ana@example.com', ['1. gets group "VPN"', '2. loses group "Engineering"']],
		['2. ben@example.com', ['3. loses group "Sales, EMEA"']],
	]);
});

const waits = (action) => `${NOT_APPROVED}: it depends on "${action}"`;
const GRANT = 'make ben@example.com member of group Engineering';

/** By what is ticked: what becomes of each change, and who is in the groups then. */
test.each([
	['everything', SWAP, all, ['granted', 'revoked'], { eng: ['ana', 'ben'], vpn: ['eve'] }],
	['all but a removal', SWAP, but('loses'), [NOT_APPROVED, 'granted'], { eng: ['ana', 'ben'] }],
	['all but a replacement', SWAP, but('gets'), [NOT_APPROVED, waits(GRANT)], {}],
	[
		'all but an activation',
		REHIRE,
		but('reactivated'),
		[NOT_APPROVED, waits('activate user eve@example.com'), 'granted'],
		{ eng: ['ana', 'dan'] },
	],
	[
		'an activation without the access that it is for',
		REHIRE,
		only('reactivated'),
		[waits('make eve@example.com member of group Engineering'), NOT_APPROVED, NOT_APPROVED],
		{},
	],
	[
		'one of two people',
		REHIRE,
		only('eve@'),
		['activated', 'granted', NOT_APPROVED],
		{ eng: ['ana', 'eve'] },
	],
	[
		'a deletion without one of the removals that it brings along',
		DELETION,
		but('VPN'),
		undefined,
		{ sales: [], everyone: ['ana', 'cleo', 'eve'] },
	],
])('ticked: %s', async (_, [operation, parameters], tick, expected, members) => {
	const service = serviceWith();
	const { items, before } = await approve(service, [operation, parameters], tick);
	expect(errorsIn(items)).toStrictEqual([]);
	const outcomes = items.map(({ change, status, reason }) =>
		status === 'skipped' ? reason : change,
	);
	if (expected) expect(outcomes.sort()).toEqual(expected.sort());
	expect(membersIn(service)).toEqual(
		Object.fromEntries(
			Object.entries({ ...before, ...members }).filter(([, names]) => names.length > 0),
		),
	);
	expect(service.users.size).toBe(PEOPLE.length);
});

test('who is deactivated for having nothing else stays where the removal is not approved', async () => {
	const service = serviceWith({ people: [person('ana', ['eng']), person('ben', ['vpn'])] });
	const reconcile = [
		'reconcile',
		{
			...{ wantedFrom: 'json', wantedJson: [{ email: email('ana'), group: 'Engineering' }] },
			...{ scopeGroups: rows('Engineering', 'VPN'), unwanted: 'revoke' },
			options: {
				deactivatesEmpty: true,
				allowEmptyGroups: true,
				maxPeopleAffected: 9,
			},
		},
	];
	const { items, approvalForm } = await approve(service, reconcile, but('loses'));
	expect(questionsOf(approvalForm).flatMap(([, lines]) => lines)).toHaveLength(2);
	expect(items.map(({ status, reason }) => [status, reason.split(':')[0]])).toEqual([
		['skipped', NOT_APPROVED],
		['skipped', NOT_APPROVED],
	]);
	expect(service.written()).toStrictEqual([]);
});

test('Offboard: who is not approved is left alone, and nothing is proved of them', async () => {
	const service = serviceWith();
	const offboard = ['offboard', { people: emails('ben', 'cleo') }];
	const { items } = await approve(service, offboard, only('ben@'));
	expect(items).toMatchObject([
		{ userName: email('cleo'), status: 'skipped', reason: NOT_APPROVED, provenAt: null },
		{ userName: email('ben'), status: 'done', active: false, accessRemaining: [] },
	]);
	expect(membersIn(service)).toEqual({
		...{ eng: ['ana'], vpn: ['eve'], everyone: ['ana', 'cleo', 'eve'] },
	});
	expect(service.users.get(idOf('cleo')).active).toBe(true);
});

describe('a second writer between the form and Apply Plan', () => {
	const assign = ['assign', { people: emails('ben', 'cleo', 'dan'), ...byId('eng') }];
	const by = (op, word, name) => (service) => service.modify(ID[word], [{ op, ids: [idOf(name)] }]);

	test.each([
		['has made what is ticked', by('add', 'eng', 'ben'), ['unchanged', NOT_APPROVED, 'done']],
		['has made what is not', by('add', 'eng', 'cleo'), ['done', NOT_APPROVED, 'done']],
		[
			'has deactivated somebody who is not ticked',
			(service) => service.store({ ...service.users.get(idOf('cleo')), active: false }),
			['done', NOT_APPROVED, 'done'],
		],
		[
			'has deactivated somebody who is',
			(service) => service.store({ ...service.users.get(idOf('ben')), active: false }),
			['failed', NOT_APPROVED, 'done'],
		],
	])('%s', async (_, meanwhile, expected) => {
		const service = serviceWith();
		const { items } = await approve(service, assign, but('cleo@'), { meanwhile });
		const outcomeOf = (name) => {
			const { status, reason } = items.find(({ userName }) => userName === email(name));
			return status === 'skipped' ? reason : status;
		};
		expect(['ben', 'cleo', 'dan'].map(outcomeOf)).toEqual(expected);
		expect(service.written()).toHaveLength(1);
	});
});

describe('lines that look the same', () => {
	test('groups of one name are told apart by their IDs', async () => {
		const service = serviceWith();
		const assign = ['assign', { people: email('dan'), ...byId('support1', 'support2') }];
		const { items, approvalForm } = await approve(service, assign, only(ID.support2));
		expect(questionsOf(approvalForm)[0][1]).toEqual([
			`1. gets group "Support" (${ID.support1})`,
			`2. gets group "Support" (${ID.support2})`,
		]);
		expect(items.map(({ groupId, status }) => [groupId, status])).toContainEqual([
			ID.support2,
			'done',
		]);
		expect(membersIn(service)).toMatchObject({ support2: ['dan'] });
		expect(membersIn(service).support1).toBeUndefined();
	});

	test('so are people of one name', async () => {
		const service = serviceWith();
		const ben = service.users.get(idOf('ben'));
		service.store({ ...ben, userName: email('ana') });
		const assign = ['assign', { people: `${idOf('ana')}, ${idOf('ben')}`, ...byId('support1') }];
		const { approvalForm } = await approve(service, assign, only(idOf('ben')));
		expect(questionsOf(approvalForm).map(([label]) => label)).toEqual([
			`1. ana@example.com (${idOf('ana')})`,
			`2. ana@example.com (${idOf('ben')})`,
		]);
		const sent = service.requests.flatMap(({ body = '' }) => body);
		expect(sent.join()).toContain(idOf('ben'));
		expect(sent.join()).not.toContain(idOf('ana'));
	});

	test('whatever a group is called, its line comes back from the form', async () => {
		const worst = `$& <b>$'$$ {{ $json }}</b> "x", '\\n & y`;
		const groups = [{ id: 'g-1', displayName: worst }];
		const service = serviceWith({ groups, people: [person('ana', [])] });
		const assign = ['assign', { people: email('ana'), ...listed(locator('id', 'g-1')) }];
		const { items, approvalForm } = await approve(service, assign, all);
		expect(questionsOf(approvalForm)[0][1][0]).toBe(
			`1. gets group "$& ‹b›$'$$ {{ $json }}‹/b› 'x', '\\n & y"`,
		);
		expect(items).toMatchObject([{ status: 'done' }]);
	});
});

describe('more than a hundred changes', () => {
	const names = Array.from({ length: 101 }, (_, at) => `p${at}`);
	const many = async (tick) => {
		const service = serviceWith({ people: names.map((name) => person(name, [])) });
		const assign = [
			'assign',
			{ people: emails(...names), ...byId('vpn'), options: { maxPeopleAffected: 1000 } },
		];
		return { service, ...(await approve(service, assign, tick)) };
	};

	test('the first hundred have a line each, all others one together', async () => {
		const { service, approvalForm } = await many(but('All others'));
		const questions = questionsOf(approvalForm);
		expect(questions).toHaveLength(101);
		expect(questions.at(-1)).toEqual(['101. All others', ['101. 1 grant']]);
		expect(membersIn(service).vpn).toHaveLength(100);
		expect(membersIn(service).vpn).not.toContain('p100');
	});

	test('which is ticked by itself', async () => {
		const { service } = await many(only('All others'));
		expect(membersIn(service).vpn).toEqual(['p100']);
	});
});

describe('the answer', () => {
	const assign = { people: emails('ben', 'dan'), ...byId('eng') };
	const planned = async (service) => await previewOf(service, 'assign', assign);
	const answered = (answer) => answer;

	test.each([
		['of the Form page', answered],
		['of Send and Wait', (answer) => ({ data: { ...answer, respondedAt: '2026-01-01' } })],
		['as JSON text', (answer) => JSON.stringify(answer)],
	])('%s', async (_, wrap) => {
		const service = serviceWith();
		const { plan, approvalForm } = await planned(service);
		await apply(service, plan, wrap(answerOf(approvalForm, only('dan@'))));
		expect(membersIn(service).eng).toEqual(['ana', 'dan']);
	});

	test.each([
		['of Wait', { 'Approve these changes?': 'Yes', submittedAt: '2026-01-01' }],
		['of Send and Wait', { data: { 'Approve these changes?': 'Yes' } }],
	])('of a form by fields %s approves all with Yes', async (_, answer) => {
		const service = serviceWith();
		const { plan } = await planned(service);
		await apply(service, plan, answer);
		expect(membersIn(service).eng).toEqual(['ana', 'ben', 'dan']);
	});

	test.each([
		['is missing', () => undefined, 'Approved Changes is not the answer to the form'],
		['is empty text', () => '', 'Approved Changes is not the answer to the form'],
		['is null', () => null, 'Approved Changes is not the answer to the form'],
		['has no fields', () => ({}), 'Approved Changes is not the answer to the form'],
		[
			'is the preview: nobody answered in time',
			({ item }) => item,
			'is not the answer to the form',
		],
		[
			'is of another plan, with a Yes',
			({ other }) => ({ ...other, 'Approve these changes?': 'Yes' }),
			'Approved Changes is the answer of another plan',
		],
		['is No', () => ({ 'Approve these changes?': 'No' }), 'The plan was not approved'],
		['leaves it open', () => ({ 'Approve these changes?': null }), 'The plan was not approved'],
		['ticks nothing', ({ none }) => none, 'No change was approved'],
		['is of another plan', ({ other }) => other, 'Approved Changes is the answer of another plan'],
		[
			'has an unknown line',
			({ whole }) => ({ ...whole, '1. ben@example.com': ['1. gets group "VPN"'] }),
			'Approved Changes has a line that is not in the form',
		],
	])('that %s is an error, and nothing is sent', async (_, answerFrom, message) => {
		const service = serviceWith();
		const item = await planned(service);
		const { approvalForm: another } = await planned(service);
		const answer = answerFrom({
			item,
			none: answerOf(item.approvalForm, () => false),
			whole: answerOf(item.approvalForm, all),
			other: answerOf(another, all),
		});
		const items = await apply(service, item.plan, answer);
		expect(errorsIn(items)[0]).toContain(message);
		expect(service.written()).toStrictEqual([]);
	});
});

test.each([
	['of a form by fields', () => ({ 'Approve these changes?': 'No' })],
	['of the form of the plan', ({ approvalForm }) => answerOf(approvalForm, all)],
	['of Send and Wait', () => ({ data: { 'Approve these changes?': 'Yes' } })],
])('an answer %s is not passed over by All', async (_, answerFrom) => {
	const service = serviceWith();
	const item = await previewOf(service, 'assign', { people: email('dan'), ...byId('eng') });
	const json = answerFrom(item);
	const items = await play(service, 'applyPlan', { plan: item.plan }, [{ json }]);
	expect(errorsIn(items)[0]).toContain('Changes is set to All');
	expect(service.written()).toStrictEqual([]);
});

describe('beyond a limit', () => {
	const offboard = [
		'offboard',
		{
			people: emails('ana', 'ben'),
			options: { maxPeopleAffected: 1, maxPercentAffected: 1 },
		},
	];

	test('the form asks for the kinds, too, and what is ticked counts', async () => {
		const service = serviceWith();
		const { items, approvalForm } = await approve(service, offboard, all);
		expect(questionsOf(approvalForm).at(-1)[0]).toBe('Approved Excess');
		expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['done']));
	});

	test.each([
		['without them', {}],
		['also where the node names them', { approvedExcess: ['Deactivations', 'Losses of Access'] }],
	])('%s nothing is sent', async (_, more) => {
		const service = serviceWith();
		const tick = (_line, label) => label !== 'Approved Excess';
		const { items } = await approve(service, offboard, tick, more);
		expect(errorsIn(items)[0]).toContain('tick Deactivations under Approved Excess');
		expect(service.written()).toStrictEqual([]);
	});

	test('what is not approved does not count', async () => {
		const service = serviceWith();
		const { items } = await approve(service, offboard, only('ana@'));
		expect(items.map(({ status }) => status).sort()).toEqual(['done', 'skipped']);
	});
});

test.each([
	[
		'a new name and email',
		['changeEmail', { user: locator('email', email('ben')), newEmail: 'ben2@example.com' }],
		{},
	],
	[
		'several attributes',
		[
			'reconcile',
			{
				usersFrom: 'json',
				usersJson: [{ userName: email('ana'), title: 'Dr', displayName: 'Ana', nickName: 'A' }],
			},
		],
		{ resource: 'user' },
	],
])('%s of one person are one line, whatever their order', async (_, [name, given], more) => {
	const service = serviceWith();
	const [preview] = await play(service, name, { ...given, preview: true }, [{}], more);
	const plan = JSON.parse(JSON.stringify(preview.plan));
	const items = await apply(service, plan, answerOf(preview.approvalForm, all));
	expect(items.map(({ status }) => status)).toEqual(['done']);
});
