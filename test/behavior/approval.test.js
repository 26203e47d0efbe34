'use strict';

const { answerOf, questionsOf, ticksAll } = require('../support/form');
const {
	Account,
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	locator,
	play,
	rows,
} = require('../support/behavior');

// Preview returns a form with one line per change; Apply Plan makes what is ticked in its answer, and nothing else.

const NOT_APPROVED = 'not approved';
const NO_ANSWER = 'Approved Changes is not the answer to the form';
const PEOPLE = {
	ana: 'all eng',
	ben: 'all sales vpn',
	cleo: 'all',
	dan: '',
	eve: 'inactive all vpn',
};
const start = (people = PEOPLE, more) => new Groups(people, { credential: UNDOABLE, ...more });
const idOf = (world, name) => world.user(name).value;
const access = (operation) => ['access', operation];

const previewOf = async (world, what, fields) =>
	(await play(world, what, { ...fields, preview: true }))[0];
const apply = async (world, plan, approvedChanges, { came, ...more } = {}) => {
	const fields = { plan, changes: 'approved', approvedChanges, ...more };
	return await play(world, access('applyPlan'), fields, [came === undefined ? {} : { json: came }]);
};

async function approve(world, [what, fields], tick, { meanwhile, ...more } = {}) {
	const { plan, approvalForm } = await previewOf(world, what, fields);
	meanwhile?.(world.service, world);
	const before = world.shape();
	const items = await apply(world, plan, answerOf(approvalForm, tick), more);
	return { items, before, questions: questionsOf(approvalForm) };
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

const grant = (names, ...groups) => [
	access('assign'),
	{ people: emails(names), accessBy: 'group', groups: rows(...groups) },
];
const SWAP = [access('set'), { ...grant('ben', 'eng')[1], managedGroups: rows('vpn', 'eng') }];
const REHIRE = [access('assign'), { ...grant('eve dan', 'eng')[1], options: { reactivate: true } }];
const DELETION = [access('offboard'), { people: email('ben'), method: 'delete' }];

test('the form has one line per change, by person, with the name and the address', async () => {
	const managedGroups = rows('vpn', 'eng', 'sales*');
	const fields = { ...grant('ana ben', locator('id', 'vpn'))[1], managedGroups };
	const { approvalForm } = await previewOf(start(), access('set'), fields);
	expect(questionsOf(approvalForm)).toEqual([
		[
			'1. ana (ana@example.com)',
			['1. all of these', '2. gets group "vpn"', '3. loses group "eng"'],
		],
		['2. ben (ben@example.com)', ['4. loses group "sales"']],
	]);
});

test.each([
	['who is new, by what is created', { dan: '' }, 'new@example.com', '1. New (new@example.com)'],
	[
		'who has no name but the address',
		{ ben: { has: '', displayName: email('ben'), name: {} } },
		'ben',
		'1. ben@example.com',
	],
	[
		'who has a number for a user name',
		{ u17: { has: '', userName: 'u17', displayName: 'Ana' } },
		'u17',
		'1. Ana (u17@example.com)',
	],
	[
		'who is called as somebody else',
		{ ben: { has: '', displayName: 'boss@example.com' } },
		'ben',
		'1. boss@example.com (ben@example.com)',
	],
])('a form calls %s', async (_, people, who, label) => {
	const world = start(people, { groups: ['eng'] });
	const fields = {
		...{ ...grant('', 'eng')[1], people: who.includes('@') ? who : idOf(world, who) },
		...{ createMissing: true, newUserFields: { attributesJson: '{"displayName":"New"}' } },
	};
	const { approvalForm } = await previewOf(world, access('assign'), fields);
	expect(questionsOf(approvalForm)[0][0]).toBe(label);
});

test('one line stands for all of a person, and who leaves one group is asked by that', async () => {
	const world = start();
	const fields = { people: '', options: { allowEmptying: true } };
	const leave = [
		['group', 'setMembers'],
		{ ...fields, chooseGroupBy: 'group', group: locator('id', 'vpn') },
	];
	const { items, questions } = await approve(world, leave, ticksAll);
	expect(questions).toEqual([
		[
			'1. loses group "vpn"',
			['1. all of these', '2. ben (ben@example.com)', '3. eve (eve@example.com)'],
		],
	]);
	expect(items.map(({ status }) => status)).toEqual(['done', 'done']);
});

const waits = (action) => `${NOT_APPROVED}: it depends on "${action}"`;
const GRANT = 'make ben@example.com member of group eng';

/** By what is ticked: what becomes of each change, and who has what then. */
test.each([
	['everything', SWAP, all, ['granted', 'revoked'], { ben: 'all eng sales' }],
	[
		'all but a removal',
		SWAP,
		but('loses'),
		[NOT_APPROVED, 'granted'],
		{ ben: 'all eng sales vpn' },
	],
	['all but a replacement', SWAP, but('gets'), [NOT_APPROVED, waits(GRANT)], {}],
	[
		'all but an activation',
		...[REHIRE, but('reactivated')],
		[NOT_APPROVED, waits('activate user eve@example.com'), 'granted'],
		{ dan: 'eng' },
	],
	[
		'an activation without the access that it is for',
		...[REHIRE, only('reactivated')],
		[waits('make eve@example.com member of group eng'), NOT_APPROVED, NOT_APPROVED],
		{},
	],
	[
		'one of two people',
		...[REHIRE, only('eve@'), ['activated', 'granted', NOT_APPROVED]],
		{ eve: 'all eng vpn' },
	],
	[
		'a deletion without one of the removals that it brings along',
		...[DELETION, but('vpn'), undefined, { ben: 'inactive vpn' }],
	],
])('ticked: %s', async (_, change, tick, expected, ends) => {
	const world = start();
	const { items, before } = await approve(world, change, tick);
	expect(errorsIn(items)).toStrictEqual([]);
	const outcomes = items.map(({ change: own, status, reason }) =>
		status === 'skipped' ? reason : own,
	);
	if (expected) expect(outcomes.sort()).toEqual(expected.sort());
	expect(world.shape()).toEqual({ ...before, ...ends });
});

test('who is deactivated for having nothing else stays where the removal is not approved', async () => {
	const world = start({ ana: 'eng', ben: 'vpn' });
	const fields = {
		...{ wantedFrom: 'json', wantedJson: [{ email: email('ana'), group: 'eng' }] },
		...{ accessBy: 'group', scopeGroups: rows('eng', 'vpn'), unwanted: 'revoke' },
		options: { deactivatesEmpty: true, allowEmptyGroups: true, maxPeopleAffected: 9 },
	};
	const { items, questions } = await approve(world, [access('reconcile'), fields], but('loses'));
	expect(questions.flatMap(([, lines]) => lines)).toHaveLength(3);
	expect(items.map(({ status, reason }) => [status, reason.split(':')[0]])).toEqual([
		...Array(2).fill(['skipped', NOT_APPROVED]),
	]);
	expect(world.service.written()).toStrictEqual([]);
});

test.each([
	['one group', only('vpn'), 'removed from vpn', { ben: 'all sales' }, ['vpn']],
	[
		'all but the account',
		but('is deactivated'),
		'removed from all, sales, vpn',
		{ ben: '' },
		['all', 'sales', 'vpn'],
	],
])(
	'Offboard of which %s was approved says what was done',
	async (_, tick, words, ends, removed) => {
		const world = start();
		const { items, before } = await approve(
			world,
			[access('offboard'), { people: email('ben') }],
			tick,
		);
		expect(items).toHaveLength(1);
		const [{ text, reason, accessRemoved, ...item }] = items;
		expect(item).toMatchObject({ change: 'revoked', status: 'done', active: true, provenAt: null });
		expect(text).toContain(`ben (ben@example.com) was ${words}. Left out: `);
		expect(reason).toMatch(/^left out: .*deactivate user ben@example\.com \(not approved/);
		expect(accessRemoved.map(({ groupId }) => groupId).sort()).toEqual(removed);
		expect(world.shape()).toEqual({ ...before, ...ends });
	},
);

test('Offboard: who is not approved is left alone, and nothing is proved of them', async () => {
	const world = start();
	const offboard = [access('offboard'), { people: emails('ben cleo') }];
	const { items, before } = await approve(world, offboard, only('ben@'));
	expect(items).toMatchObject([
		{ userName: email('cleo'), status: 'skipped', reason: NOT_APPROVED, provenAt: null },
		{ userName: email('ben'), status: 'done', active: false, accessRemaining: [] },
	]);
	expect(world.shape()).toEqual({ ...before, ben: 'inactive' });
});

describe('a second writer between the form and Apply Plan', () => {
	const join = (name) => (scim, world) => scim.add('eng', idOf(world, name));
	const end = (name) => (scim, world) => scim.setActive(idOf(world, name), false);
	test.each([
		['has made what is ticked', join('ben'), ['unchanged', NOT_APPROVED, 'done']],
		['has made what is not', join('cleo'), ['done', NOT_APPROVED, 'done']],
		['has deactivated who is not ticked', end('cleo'), ['done', NOT_APPROVED, 'done']],
		['has deactivated who is', end('ben'), ['failed', NOT_APPROVED, 'done']],
	])('%s', async (_, meanwhile, expected) => {
		const world = start();
		const change = grant('ben cleo dan', 'eng');
		const { items } = await approve(world, change, but('cleo@'), { meanwhile });
		const outcomeOf = (name) => {
			const { status, reason } = items.find(({ userName }) => userName === email(name));
			return status === 'skipped' ? reason : status;
		};
		expect(['ben', 'cleo', 'dan'].map(outcomeOf)).toEqual(expected);
		expect(world.service.written()).toHaveLength(1);
	});
});

describe('lines that look the same', () => {
	test('groups of one name are told apart by their IDs', async () => {
		const world = start(PEOPLE, {
			groups: ['s-1', 's-2'].map((id) => ({ id, displayName: 'Support' })),
		});
		const change = grant('dan', locator('id', 's-1'), locator('id', 's-2'));
		const { items, questions } = await approve(world, change, only('s-2'));
		expect(questions[0][1]).toEqual([
			...['1. all of these', '2. gets group "Support" (s-1)', '3. gets group "Support" (s-2)'],
		]);
		expect(items.map((item) => world.itemOf(item))).toContain('granted dan s-2 done');
		expect(world.shape().dan).toBe('s-2');
	});

	test('so are people of one address', async () => {
		const world = start(PEOPLE, { groups: ['free'] });
		const [ana, ben] = ['ana', 'ben'].map((name) => idOf(world, name));
		world.service.store({ ...world.service.users.get(ben), userName: email('ana') });
		const [what, fields] = grant('', 'free');
		const change = [what, { ...fields, people: `${ana}, ${ben}` }];
		const { questions } = await approve(world, change, only('ben ('));
		expect(questions.map(([label]) => label)).toEqual([
			...['1. ana (ana@example.com)', '2. ben (ana@example.com)'],
		]);
		expect(world.service.groups.get('free')).toEqual([ben]);
	});

	test('whatever a group is called, its line comes back from the form', async () => {
		const worst = `$& <b>$'$$ {{ $json }}</b> "x", '\\n & y`;
		const world = start({ ana: '' }, { groups: [{ id: 'g-1', displayName: worst }] });
		const { items, questions } = await approve(world, grant('ana', locator('id', 'g-1')), all);
		expect(questions[0][1][0]).toBe(`1. gets group "$& ‹b›$'$$ {{ $json }}‹/b› 'x', '\\n & y"`);
		expect(items).toMatchObject([{ status: 'done' }]);
	});
});

describe('more than five hundred changes', () => {
	const names = Array.from({ length: 501 }, (_, at) => `p${at}`);
	const many = async (tick) => {
		const people = Object.fromEntries(names.map((name) => [name, '']));
		const world = start(people, { groups: ['vpn'] });
		const { questions } = await approve(world, grant(names.join(' '), 'vpn'), tick);
		const got = Object.entries(world.shape()).filter(([, has]) => has === 'vpn');
		return { questions, got: got.map(([name]) => name) };
	};

	test('the first five hundred have a line each, all others one together', async () => {
		const { questions, got } = await many(but('All others'));
		expect(questions.map(([, lines]) => lines.length)).toEqual(Array(501).fill(1));
		expect(questions.at(-1)).toEqual(['501. All others', ['501. 1 grant']]);
		expect(got).toEqual(names.slice(0, 500));
	});

	test('which is ticked by itself', async () => {
		expect((await many(only('All others'))).got).toEqual(['p500']);
	});
});

describe('the answer', () => {
	const planned = async (world) => await previewOf(world, ...grant('ben dan', 'eng'));
	const inEng = (world) =>
		Object.entries(world.shape()).flatMap(([name, has]) => (/\beng/.test(has) ? name : []));
	const ticked = ({ approvalForm }) => answerOf(approvalForm, only('dan@'));
	const yes = { 'Approve these changes?': 'Yes', submittedAt: '2026-01-01' };

	test.each([
		['of the Form page', ticked, ['ana', 'dan']],
		[
			'of Send and Wait',
			(item) => ({ data: { ...ticked(item), respondedAt: 'x' } }),
			['ana', 'dan'],
		],
		['as JSON text', (item) => JSON.stringify(ticked(item)), ['ana', 'dan']],
		['Yes of a form by fields, of Wait', () => yes, ['ana', 'ben', 'dan']],
		['Yes, of Send and Wait', () => ({ data: yes }), ['ana', 'ben', 'dan']],
		['a typed yes', () => ({ 'Approve these changes?': ' yes' }), ['ana', 'ben', 'dan']],
		['a typed NO', () => ({ 'Approve these changes?': 'NO' }), ['ana']],
		['the approval of Send and Wait', () => ({ data: { approved: true } }), ['ana', 'ben', 'dan']],
		[
			'lines beside a Yes',
			(item) => ({ ...ticked(item), 'Approve these changes?': 'Yes' }),
			['ana', 'dan'],
		],
	])('%s', async (_, answer, expected) => {
		const world = start();
		const item = await planned(world);
		await apply(world, item.plan, answer(item));
		expect(inEng(world)).toEqual(expected);
	});

	test.each([
		['is missing', () => undefined, NO_ANSWER],
		['is empty text', () => '', NO_ANSWER],
		['is null', () => null, NO_ANSWER],
		['has no fields', () => ({}), NO_ANSWER],
		[
			'is the preview: nobody answered in time',
			({ item }) => item,
			'is not the answer to the form',
		],
		['leaves it open', () => ({ 'Approve these changes?': null }), 'The answer is unclear'],
		['is neither', () => ({ data: { approved: 'maybe' } }), NO_ANSWER],
		['ticks nothing', ({ none }) => none, 'No change was approved'],
		['is of another plan', ({ other }) => other, 'Approved Changes is the answer of another plan'],
		[
			'is of another plan, with a Yes',
			({ other }) => ({ ...other, ...yes }),
			'Approved Changes is the answer of another plan',
		],
		[
			'has an unknown line',
			({ whole }) => ({ ...whole, '1. ben@example.com': ['1. gets group "vpn"'] }),
			'Approved Changes has a line that is not in the form',
		],
	])('that %s is an error, and nothing is sent', async (_, answerFrom, message) => {
		const world = start();
		const item = await planned(world);
		const { approvalForm: another } = await planned(world);
		const answer = answerFrom({
			item,
			none: answerOf(item.approvalForm, () => false),
			whole: answerOf(item.approvalForm, all),
			other: answerOf(another, all),
		});
		expect(errorsIn(await apply(world, item.plan, answer))[0]).toContain(message);
		expect(world.service.written()).toStrictEqual([]);
	});
});

/** The item that comes in, beside an answer that approves: what becomes of the plan, whatever Changes says. */
describe('what comes in', () => {
	const form = { submittedAt: '2026-01-01', formMode: 'production' };
	const no = { 'Approve these changes?': 'No' };
	const unclear = (name) => `The answer is unclear: "${name}" was answered No`;
	test.each([
		['n8n’s own approval', () => ({ data: { approved: true } }), 'done done'],
		['n8n’s own No', () => ({ data: { approved: false } }), 'declined'],
		['the same, flat', () => ({ approved: false }), 'declined'],
		['the same as text, of a node between', () => ({ data: { approved: ' False ' } }), 'declined'],
		// Wait, On Webhook Call, returns `headers`, `params`, `query` and `body`.
		[
			'a No in a link that the workflow made',
			() => ({ headers: {}, params: {}, query: { approved: 'false' }, body: {} }),
			'declined',
		],
		['a No that a system posted', () => ({ query: {}, body: { approved: false } }), 'declined'],
		['a No beside other data', () => ({ approved: false, data: { rows: 3 } }), 'declined'],
		['a No of a form', () => ({ ...form, ...no }), 'declined'],
		['a No of Send and Wait', () => ({ data: { ...form, ...no } }), 'declined'],
		['a No beside ticked lines', (whole) => ({ ...whole, ...no }), 'declined'],
		['a No in the preview, merged', (_, item) => ({ ...item, approved: false }), 'declined'],
		['another question of a form', () => ({ ...form, 'Urgent?': 'No' }), unclear('Urgent?')],
		[
			'the same of Send and Wait, which marks it otherwise',
			() => ({ data: { 'Approve?': 'No', respondedAt: '2026-01-01' } }),
			unclear('Approve?'),
		],
		[
			'the same of an older one, which does not mark it',
			() => ({ data: { 'Approve?': 'No' } }),
			unclear('Approve?'),
		],
		[
			'a No as free text',
			() => ({ data: { text: 'No', respondedAt: '2026-01-01' } }),
			unclear('text'),
		],
		[
			'the same of Send and Wait',
			() => ({ data: { ...form, 'Approve?': 'No' } }),
			unclear('Approve?'),
		],
		[
			'another question beside a Yes',
			() => ({ ...form, 'Approve these changes?': 'Yes', 'Urgent?': 'No' }),
			'done done',
		],
		[
			'another question beside a button',
			() => ({ data: { approved: true, ...form, 'Urgent?': 'No' } }),
			'done done',
		],
		['another form that says Yes', () => ({ ...form, 'Everything right?': 'Yes' }), 'done done'],
		['a row with such columns', () => ({ VIP: 'No', approved: 'no' }), 'done done'],
	])('%s', async (_, inputOf, expected) => {
		for (const changes of ['all', 'approved']) {
			const world = start();
			const item = await previewOf(world, ...grant('ben dan', 'eng'));
			const whole = answerOf(item.approvalForm, all);
			world.service.requests.length = 0;
			const fields = { plan: item.plan, changes, approvedChanges: whole };
			const items = await play(world, access('applyPlan'), fields, [
				{ json: inputOf(whole, item) },
			]);
			if (expected === 'declined') {
				expect(errorsIn(items)).toStrictEqual([]);
				expect(items).toMatchObject(
					['ben', 'dan'].map((name) => ({
						...{ change: 'none', status: 'skipped', reason: 'declined' },
						...{ userName: email(name), group: 'eng', groupId: 'eng' },
					})),
				);
				expect(world.service.requests).toStrictEqual([]);
			} else if (expected === 'done done') {
				expect(items.map(({ status }) => status).join(' ')).toBe(expected);
			} else expect(errorsIn(items)[0]).toContain(expected);
			expect(world.service.written()).toHaveLength(expected === 'done done' ? 1 : 0);
		}
	});

	test('a No in Approved Changes declines, whatever came in', async () => {
		const world = start();
		const { plan } = await previewOf(world, ...grant('ben', 'eng'));
		const fields = { plan, changes: 'approved', approvedChanges: { data: { approved: false } } };
		const items = await play(world, access('applyPlan'), fields, [{ json: { approved: true } }]);
		expect(items).toMatchObject([{ status: 'skipped', reason: 'declined' }]);
		expect(world.service.written()).toStrictEqual([]);
	});

	test.each([['that is too old', { safetyLimits: { maxAge: 0 } }]])(
		'a plan %s is declined all the same',
		async (_, more) => {
			const world = start();
			const { plan } = await previewOf(world, access('offboard'), { people: emails('ana ben') });
			await new Promise((done) => setTimeout(done, 2));
			world.service.requests.length = 0;
			const items = await apply(world, plan, { approved: false }, more);
			expect(items).toMatchObject([
				{ userName: email('ana'), status: 'skipped', reason: 'declined' },
				{ userName: email('ben'), status: 'skipped', reason: 'declined' },
			]);
			expect(world.service.requests).toStrictEqual([]);
		},
	);

	test('a plan that was edited is no plan, also where it was declined', async () => {
		const world = start();
		const { plan } = await previewOf(world, ...grant('ben', 'eng'));
		const edited = { ...plan, changes: [...plan.changes, { person: {} }] };
		expect(errorsIn(await apply(world, edited, { approved: false }))[0]).toContain('was edited');
	});

	test.each([
		['by default', {}, 'Approved Changes is not the answer to the form'],
		['without an approval, where that is chosen', { changes: 'all' }, undefined],
	])('a preview that a wait passed on, %s', async (_, fields, message) => {
		const world = start();
		const item = await previewOf(world, ...grant('ben', 'eng'));
		const items = await play(
			world,
			access('applyPlan'),
			{ ...fields, plan: item.plan, approvedChanges: item },
			[{ json: item }],
		);
		if (message === undefined) expect(items).toMatchObject([{ status: 'done' }]);
		else expect(errorsIn(items)[0]).toContain(message);
		expect(world.service.written()).toHaveLength(message === undefined ? 1 : 0);
	});

	test.each([
		['where no approval is asked for', {}],
		['beside a button that stands outside of them', { approved: true }],
	])('lines that come in count, also %s', async (_, beside) => {
		const world = start();
		const { plan, approvalForm } = await previewOf(world, ...grant('ben dan', 'eng'));
		const json = { ...beside, data: answerOf(approvalForm, only('dan@')) };
		const items = await play(world, access('applyPlan'), { changes: 'all', plan }, [{ json }]);
		expect(items.map(({ reason }) => reason).sort()).toEqual([null, NOT_APPROVED].sort());
		expect(world.shape().dan).toBe('eng');
	});
});

describe('beyond a limit', () => {
	test.each(['summary', 'summaryText', 'summaryHtml'])(
		'%s begins with what a button does not approve',
		async (form) => {
			const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, 'vpn']));
			const fields = {
				people: emails('p0 p1 p2 p3 p4 p5'),
				accessBy: 'group',
				groups: rows('vpn'),
			};
			const item = await previewOf(start(many), access('revoke'), fields);
			expect(item[form].replace(/^(\*\*|<b>)/, '')).toMatch(
				/^More than 5 people would lose access: tick it in the approval form, a button cannot approve it/,
			);
		},
	);

	const options = { maxPeopleAffected: 1, maxPercentAffected: 1 };
	const offboard = [access('offboard'), { people: emails('ana ben'), options }];
	const kinds = ['Deactivations', 'Losses of Access'];
	const asked = 'tick Deactivations under Allow More Than the Limit For';
	const without = (_line, label) => label !== 'Allow More Than the Limit For';
	const button = { data: { approved: true } };
	const byFields = { 'Approve these changes?': 'Yes', 'Allow More Than the Limit For': kinds };
	test.each([
		['what is ticked counts', all, {}, ['done', 'done']],
		['without the kinds nothing is sent', without, {}, asked],
		['also where the node names them', without, { approvedExcess: kinds }, asked],
		['what is not approved does not count', only('ana@'), {}, ['done', 'skipped']],
		['a button does not approve them', all, { approvedChanges: button }, asked],
		[
			'nor does it where the node names them',
			all,
			{ approvedChanges: button, changes: 'all', approvedExcess: kinds, came: button },
			asked,
		],
		['nor a Yes', all, { approvedChanges: { 'Approve these changes?': 'Yes' } }, asked],
		['a form by fields that names them does', all, { approvedChanges: byFields }, ['done', 'done']],
	])('%s', async (_, tick, more, expected) => {
		const world = start();
		const { items, questions } = await approve(world, offboard, tick, more);
		expect(questions.at(-1)).toEqual([
			'Allow More Than the Limit For',
			[
				'More than 1 person would be deactivated: intended',
				'More than 1 person would lose access: intended',
			],
		]);
		if (Array.isArray(expected)) expect(items.map(({ status }) => status).sort()).toEqual(expected);
		else {
			expect(errorsIn(items)[0]).toContain(expected);
			expect(world.service.written()).toStrictEqual([]);
		}
	});
});

test.each([
	[
		'a new name and email',
		access('changeEmail'),
		{ user: locator('email', email('ben')), newEmail: email('ben2') },
	],
	[
		'several attributes',
		['user', 'reconcile'],
		{
			usersFrom: 'json',
			usersJson: [{ userName: email('ana'), title: 'Dr', displayName: 'Ana', nickName: 'A' }],
		},
	],
])('%s of one person are one line, whatever their order', async (_, what, fields) => {
	const world = start();
	const { plan, approvalForm } = await previewOf(world, what, fields);
	const items = await apply(
		...[world, JSON.parse(JSON.stringify(plan)), answerOf(approvalForm, all)],
	);
	expect(items.map(({ status }) => status)).toEqual(['done']);
});

/** What would block the whole is no reason against a part; what lies in the list itself is. */
describe('a plan that is blocked as a whole', () => {
	const admins = () => new Account({ ana: 'a:admin', bob: 'a:admin', cid: 'a:viewer' });
	const leave = [
		['group', 'setMembers'],
		{
			...{ chooseGroupBy: 'group', group: locator('id', 'whylabs-org-a:admin'), people: '' },
			options: { allowEmptying: true },
		},
	];
	const final = () => new Groups(PEOPLE, { credential: {} });
	test.each([
		['the last admins, one of them', admins, leave, only('bob@'), { bob: '' }],
		['the last admins, all', admins, leave, all, 'without an active admin'],
		['a permanent removal, what goes before', final, DELETION, only('vpn'), { ben: 'all sales' }],
		['a permanent removal, whole', final, DELETION, all, 'Allow Permanent Removal'],
	])('%s', async (_, on, [what, fields], tick, expected) => {
		const world = on();
		const { plan, blockedBy, approvalForm } = await previewOf(world, what, fields);
		expect(blockedBy).toHaveLength(1);
		expect(plan.blockedBy).toStrictEqual([]);
		const items = await apply(world, plan, answerOf(approvalForm, tick));
		if (typeof expected === 'string') {
			expect(errorsIn(items)[0]).toContain(expected);
			expect(world.service.written()).toStrictEqual([]);
		} else {
			expect(errorsIn(items)).toStrictEqual([]);
			expect(world.shape()).toEqual({ ...world.before, ...expected });
		}
	});

	test('an empty list is', async () => {
		const world = start();
		const fields = {
			...{ wantedFrom: 'json', wantedJson: [], accessBy: 'group', scopeGroups: rows('vpn') },
			unwanted: 'revoke',
		};
		const { plan, blockedBy } = await previewOf(world, access('reconcile'), fields);
		expect(plan.blockedBy).toEqual(blockedBy);
		const items = await apply(world, plan, { approved: true });
		expect(errorsIn(items)[0]).toContain('The plan is blocked');
		expect(world.service.written()).toStrictEqual([]);
	});
});
