'use strict';

const { setClock } = require('../support/clock');
const { runOnModel } = require('../support/modelNode');
const { defaultsOf } = require('../support/modelGroupsPlay');
const behavior = require('../support/behavior');

const { Account, Groups, UNDOABLE, email, errorsIn, play, playWhole, rows, table } = behavior;

// Dates of rows: what starts later gives and takes nothing, what has ended is as if it were missing.

const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const [PAST, FUTURE] = [day(-9), day(9)];
const DATES = { startsOn: 'from', endsOn: 'to', hold: 'hold' };
const on = (people, more) => () => new Groups(people, { groups: ['eng', 'vpn'], ...more });
/** Rows as `ana eng from=… to=…`; a row without a date has an empty cell. */
const rowsOf = (lines, keys = ['group']) =>
	lines.map((line) => {
		if (typeof line === 'object') return line;
		const [name, ...cells] = line.split(' ');
		const [named, plain] = [true, false].map((is) =>
			cells.filter((one) => one.includes('=') === is),
		);
		return {
			...{ email: email(name), from: '', to: '', hold: '' },
			...Object.fromEntries(plain.map((cell, at) => [keys[at], cell])),
			...Object.fromEntries(named.map((cell) => cell.split('='))),
		};
	});
const json = (all, from, name) => ({ [from]: 'json', [name]: JSON.stringify(all) });
const access = (lines, more) => ({
	...{ accessBy: 'group', scopeGroups: rows('eng', 'vpn'), preview: false, dates: DATES },
	...json(rowsOf(lines), 'wantedFrom', 'wantedJson'),
	...more,
});
/** With somebody who stays, so that no group is empty. */
const reconcile = (lines, more) => access(['zoe eng', 'zoe vpn', ...lines], more);
const PEOPLE = { ana: 'eng', ben: '', zoe: 'eng vpn' };
const starts = (when) => ({ status: 'skipped', reason: `starts on ${when}` });
const STARTS = expect.objectContaining(starts(FUTURE));
const REVOKED = { items: ['revoked ana eng done'], sends: ['PATCH eng'], ends: { ana: '' } };
const previewOf = async (fields, world = on(PEOPLE)(), what = 'access') =>
	(await play(world, [what, 'reconcile'], { ...fields, preview: true }))[0];

describe('Access: Reconcile', () => {
	table('access', 'reconcile', [
		{
			it: 'a row that counts, with and without an end, on its first and on its last day',
			on: on({ ...PEOPLE, cid: '' }),
			wish: () =>
				reconcile([
					`ana eng from=${PAST} to=${FUTURE}`,
					`ben vpn from=${PAST}`,
					'cid vpn to=9999-12-31',
				]),
			items: ['granted ben vpn done', 'granted cid vpn done'],
			...{ sends: ['PATCH vpn'], ends: { ben: 'vpn', cid: 'vpn' } },
		},
		{
			it: 'a row that starts later grants nothing, and creates nobody',
			on: on(PEOPLE),
			wish: () =>
				reconcile(['ana eng', `ben vpn from=${FUTURE}`, `new vpn from=${FUTURE}`], {
					createMissing: true,
				}),
			items: [STARTS, STARTS],
		},
		{
			it: 'whoever has only rows that start later keeps all there is',
			on: on(PEOPLE),
			wish: () => reconcile([`ana vpn from=${FUTURE}`]),
			items: [STARTS],
		},
		{
			it: 'who has been given it early keeps it beside a row that counts, and loses the rest',
			on: on({ ana: 'vpn eng', zoe: 'eng vpn lab' }, { groups: ['lab'] }),
			wish: () =>
				reconcile(['ana lab', 'zoe lab', `ana vpn from=${FUTURE}`], {
					scopeGroups: rows('eng', 'vpn', 'lab'),
				}),
			items: ['none ana vpn skipped', 'granted ana lab done', 'revoked ana eng done'],
			ends: { ana: 'lab vpn' },
		},
		{
			it: 'a row that has ended takes what it gave, as a missing one, and says which it was',
			on: on(PEOPLE),
			wish: () => reconcile([`ana eng to=${PAST}`]),
			...REVOKED,
		},
		{
			it: 'the last row of a group that ends does not make the list look broken',
			on: on({ ana: 'eng', zoe: 'vpn' }),
			wish: () => access(['zoe vpn', `ana eng to=${PAST}`]),
			...REVOKED,
		},
		{
			it: 'who has ended and starts again later keeps nothing of it in between',
			on: on(PEOPLE),
			wish: () => reconcile([`ana eng to=${PAST}`, `ana eng from=${FUTURE}`]),
			...REVOKED,
			items: [STARTS, 'revoked ana eng done'],
		},
		{
			it: 'the same, named by email in one row and by ID in the other',
			on: on(PEOPLE),
			wish: (w) => {
				const all = rowsOf(['zoe eng', 'zoe vpn', `ana eng to=${PAST}`]);
				const later = { userId: w.userId('ana'), group: 'eng', from: FUTURE };
				return access([], json([...all, later], 'wantedFrom', 'wantedJson'));
			},
			...REVOKED,
			items: [STARTS, 'revoked ana eng done'],
		},
		{
			it: 'what has ended is taken, and what was given early for another start stays',
			on: on({ ...PEOPLE, ana: 'eng vpn' }),
			wish: () => reconcile([`ana eng to=${PAST}`, `ana vpn from=${FUTURE}`]),
			...REVOKED,
			items: [STARTS, 'revoked ana eng done'],
			ends: { ana: 'vpn' },
		},
		{
			it: 'a row whose date is mistyped cannot be used: nothing is taken in its group, and grants go on',
			on: on(PEOPLE),
			wish: () => reconcile([`ana eng to=31.12.2026`, `ben vpn`]),
			fails: ['Row 3 (ana@example.com) has 31.12.2026 in to, which is not a date'],
			...{ sends: ['PATCH vpn'], ends: { ben: 'vpn' } },
		},
		{
			it: 'so is a start after the end',
			on: on(PEOPLE),
			wish: () => reconcile([`ana eng from=${FUTURE} to=${PAST}`]),
			fails: [`Row 3 (ana@example.com) starts on ${FUTURE}, after its end on ${PAST}`],
		},
		{
			it: 'an ambiguous person who starts later holds removals back like any row that cannot be used',
			on: on({ ...PEOPLE, twin: { has: '', emails: [{ value: email('ben'), primary: true }] } }),
			wish: () => reconcile([`ben vpn from=${FUTURE}`], { options: { matchUsersBy: 'email' } }),
			fails: [/ben@example.com/],
		},
		{
			it: 'access that is only reported says which row has ended',
			on: on(PEOPLE),
			wish: () => reconcile([`ana eng to=${PAST}`], { unwanted: 'report' }),
			items: [expect.objectContaining({ status: 'skipped', reason: `row 3 ended on ${PAST}` })],
		},
	]);

	test('leavers of ten years, whose groups are gone as well, cost no request and are no error', async () => {
		const requestsOf = async (ended) => {
			const world = on(PEOPLE)();
			const fields = reconcile(['ana eng', `new eng from=${FUTURE}`, ...ended]);
			expect(await play(world, ['access', 'reconcile'], fields)).toEqual([STARTS]);
			return world.service.requests.map((one) => [world.lineOf(one), one.query]);
		};
		const nobody = { email: '', group: 'eng', to: PAST };
		const ended = [`gone eng to=${PAST}`, `lost old to=${PAST}`, `a@@b eng to=${PAST}`, nobody];
		expect(await requestsOf(ended)).toEqual(await requestsOf([]));
	});

	table('access', 'reconcile', {
		it: 'who is there under another spelling loses nothing for a row that comes behind one that waits',
		on: on(
			{ Ana: { has: 'vpn', userName: 'Ana@example.com' }, zoe: 'eng vpn' },
			{ filter: 'exactCase' },
		),
		wish: () =>
			reconcile([`ANA@EXAMPLE.COM eng from=${FUTURE}`, 'ANA@EXAMPLE.COM vpn'], {
				createMissing: true,
			}),
		items: [STARTS],
	});

	const HELD = expect.objectContaining({ change: 'none', status: 'skipped', reason: 'on hold' });
	table('access', 'reconcile', [
		{
			it: 'on hold: nothing is given, nothing taken and nobody reactivated, whatever other rows say',
			on: on({ ...PEOPLE, ana: 'inactive eng' }),
			wish: () =>
				reconcile(
					['ana vpn hold=true', 'ana eng', `ana eng to=${PAST}`, `ana vpn from=${FUTURE}`],
					{
						options: { reactivate: true, deactivatesEmpty: true },
					},
				),
			items: [HELD, HELD],
		},
		{
			it: 'not after the end of the row either, nor with a date that cannot be read',
			on: on({ ...PEOPLE, ben: 'vpn' }),
			wish: () => reconcile([`ana eng hold=TRUE to=${PAST}`, 'ben eng hold=true to=never']),
			items: [HELD, HELD],
		},
		{
			it: 'a role is not moved',
			on: () => new Account({ ana: 'a:viewer', zoe: 'a:admin' }),
			wish: () => roles(['zoe org-a admin', 'ana org-a admin', 'ana org-a member hold=true']),
			items: [HELD, HELD],
		},
		{
			it: 'nobody is created, and nothing is removed while the person may have another name',
			on: on({ ...PEOPLE, ben: 'vpn' }),
			wish: () => reconcile(['ana eng', 'new eng hold=true', 'new vpn'], { createMissing: true }),
			fails: ['Row 4 (new@example.com) is on hold, and no user matches it'],
		},
		{
			it: 'who is not there may have another name: nothing is removed',
			on: on({ ...PEOPLE, ben: 'vpn' }),
			wish: () => reconcile(['ana eng', 'new eng hold=true']),
			fails: ['No user has the user name new@example.com'],
		},
		{
			it: 'false and empty are not on hold',
			on: on(PEOPLE),
			wish: () => reconcile(['ana vpn hold=false', 'ben vpn hold=']),
			items: ['granted ana vpn done', 'granted ben vpn done', 'revoked ana eng done'],
			ends: { ana: 'vpn', ben: 'vpn' },
		},
		...['maybe', 'yes', '1'].map((cell) => ({
			it: `what is neither true nor false, such as ${cell}: nothing is taken from anybody, and grants go on`,
			on: on({ ...PEOPLE, ana: 'eng vpn', cid: 'vpn' }),
			wish: () => reconcile([`ana eng hold=${cell}`, 'ben vpn']),
			fails: [`hold of row 3 (ana@example.com) is "${cell}", not true or false`],
			...{ sends: ['PATCH vpn'], ends: { ben: 'vpn' } },
		})),
	]);

	const leaver = (more) => () =>
		reconcile([`ana eng to=${PAST}`, `ana vpn to=${day(-20)}`], {
			options: { deactivatesEmpty: true },
			...more,
		});
	table('access', 'reconcile', [
		{
			it: 'whose last access ended is deactivated, if that is asked for',
			on: on({ ...PEOPLE, ana: 'eng vpn' }, { credential: UNDOABLE }),
			wish: leaver(),
			items: ['deactivated ana done', 'revoked ana eng done', 'revoked ana vpn done'],
			ends: { ana: 'inactive' },
		},
	]);
});

const ROLES = {
	...{ accessBy: 'organizationAndRole', scopeOrganizations: 'org-a', preview: false, dates: DATES },
};
const roles = (lines) => ({
	...ROLES,
	...json(rowsOf(lines, ['organization', 'role']), 'wantedFrom', 'wantedJson'),
});
table('access', 'reconcile', [
	{
		it: 'a promotion that starts later moves nobody yet, and contradicts nothing',
		on: () => new Account({ ana: 'a:viewer', zoe: 'a:admin' }),
		wish: () => roles(['zoe org-a admin', 'ana org-a viewer', `ana org-a admin from=${FUTURE}`]),
		items: ['none ana a:admin skipped'],
	},
	{
		it: 'one that has started moves',
		on: () => new Account({ ana: 'a:viewer', zoe: 'a:admin' }),
		wish: () =>
			roles(['zoe org-a admin', `ana org-a viewer to=${PAST}`, `ana org-a member from=${PAST}`]),
		items: ['moved ana a viewer>member done'],
		...{ sends: ['PATCH a:member'], ends: { ana: 'a:member' } },
	},
	{
		it: 'a role that ended before another one starts is taken in between',
		on: () => new Account({ ana: 'a:viewer', zoe: 'a:admin' }),
		wish: () =>
			roles(['zoe org-a admin', `ana org-a viewer to=${PAST}`, `ana org-a member from=${FUTURE}`]),
		items: ['none ana a:member skipped', 'revoked ana a:viewer done'],
		...{ sends: ['PATCH a:viewer'], ends: { ana: '' } },
	},
]);

describe('items of the input', () => {
	const items = (...lines) => rowsOf(lines).map((one) => ({ json: one }));
	const fields = { ...reconcile([]), wantedFrom: 'items' };
	test('a removal comes from the row that ended and says so; who had left before is skipped', async () => {
		const world = on(PEOPLE)();
		const nobody = { email: '', group: 'eng', to: PAST };
		const input = items('zoe eng', 'zoe vpn', `ana eng to=${PAST}`, `gone vpn to=${PAST}`, nobody);
		const output = await playWhole(world, ['access', 'reconcile'], fields, input);
		const made = output.filter(({ json: { status } }) => status !== 'unchanged');
		expect(
			made.map(({ json: { change, status }, pairedItem }) => [change, status, pairedItem]),
		).toEqual([
			['revoked', 'done', { item: 2 }],
			['none', 'skipped', { item: 3 }],
			['none', 'skipped', { item: 4 }],
		]);
		expect(made[1].json.reason).toBe(`ended on ${PAST}`);
		const { plan, summaryText } = await previewOf(
			access(['zoe eng', 'zoe vpn', `ana eng to=${PAST}`]),
		);
		expect(plan.changes[0].why).toBe(`row 3 ended on ${PAST}`);
		expect(summaryText).toContain(`(row 3 ended on ${PAST})`);
	});

	test('an account that a row that waits would be linked to has a row', async () => {
		const world = new Groups({ zoe: { has: '', externalId: 'z' }, ben: '', ana: '' });
		const all = rowsOf(['zoe', `ben from=${FUTURE}`]).map((row) => ({
			...{ ...row, userName: row.email, externalId: row.email[0] },
		}));
		const columns = {
			mappingMode: 'autoMapInputData',
			value: null,
			matchingColumns: ['externalId'],
		};
		const options = { linkByUserName: true };
		const fields = { ...users([], json(all, 'usersFrom', 'usersJson')), columns, options };
		const { summaryText } = await previewOf(fields, world, 'user');
		expect(summaryText).toContain('ana@example.com');
		expect(summaryText).not.toContain('ben@example.com');
	});

	test('so does one that is only reported', async () => {
		const fields = users(['zoe', `ana x to=${PAST}`], { absentUsers: 'report' });
		const items = await play(new Groups({ ana: '', zoe: '' }), ['user', 'reconcile'], fields);
		const [{ status, reason }] = items.filter(({ userName }) => userName === email('ana'));
		expect([status, reason]).toEqual(['skipped', `row 2 ended on ${PAST}`]);
	});

	test('a list of leavers who are gone matches what is there', async () => {
		const fields = access([`gone eng to=${PAST}`], { safetyLimits: { allowEmptyGroups: true } });
		const { summaryText } = await previewOf(
			fields,
			new Groups({ ana: '' }, { groups: ['eng', 'vpn'] }),
		);
		expect(summaryText).toContain('Access matches what is wanted.');
	});

	test('a deactivation does so, too', async () => {
		const world = new Groups({ ana: '', zoe: '' });
		const { plan } = await previewOf(users(['zoe', `ana x to=${PAST}`]), world, 'user');
		expect(plan.changes).toMatchObject([
			{ change: 'deactivated', items: [0], why: `row 2 ended on ${PAST}` },
		]);
	});
});

const users = (lines, more) => ({
	...json(rowsOf(lines, ['title']), 'usersFrom', 'usersJson'),
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['userName'] },
	...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*', preview: false },
	...{ dates: DATES, ...more },
});
const SOME = { ana: '', ben: '', zoe: '' };
table('user', 'reconcile', [
	{
		it: 'who ended is as who is missing, and who starts later is left alone',
		on: () => new Groups(SOME),
		wish: () =>
			users([
				...['zoe', `ana x to=${PAST}`, `ben x from=${FUTURE}`, `new x from=${FUTURE}`],
				{ email: '', title: 'x', to: PAST },
			]),
		items: [STARTS, STARTS, 'deactivated ana done'],
		...{ sends: ['PATCH ana'], ends: { ana: 'inactive' } },
	},
	{
		it: 'several contracts of one person that start later are no contradiction',
		on: () => new Groups(SOME),
		wish: () => users(['zoe', 'ana', `ben from=${FUTURE} to=${day(20)}`, `ben from=${day(30)}`]),
		items: [STARTS, expect.objectContaining(starts(day(30)))],
	},
	{
		it: 'who ended and starts again later is out in between',
		on: () => new Groups(SOME),
		wish: () => users(['zoe', 'ben', `ana to=${PAST}`, `ana from=${FUTURE}`]),
		items: [STARTS, 'deactivated ana done'],
		...{ sends: ['PATCH ana'], ends: { ana: 'inactive' } },
	},
	{
		it: 'one contract to yesterday and one from today: activated once, and no clash',
		on: () => new Groups({ ...SOME, ana: 'inactive' }),
		wish: () =>
			users(['zoe', 'ben', `ana to=${PAST} active=true`, `ana from=${day(-1)} active=true`], {
				options: { reactivate: true },
			}),
		items: ['activated ana done'],
		...{ sends: ['PATCH ana'], ends: { ana: '' } },
	},
	{
		it: 'one without dates beside one that ended: the user stays, with a warning',
		on: () => new Groups(SOME),
		wish: () => users(['zoe', 'ben', `ana to=${PAST}`, 'ana'], { preview: true }),
		warns: ['Row 4 (ana@example.com) has no dates, so what row 3 (ana@example.com) ended stays.'],
	},
	{
		it: 'on hold: no attribute changes, nobody is activated, created or deactivated, whatever other rows say',
		on: () => new Groups({ ...SOME, ana: 'inactive' }),
		wish: () =>
			users(
				[
					...['zoe', 'ana x active=true', 'ana hold=true', `ben to=${PAST}`, 'ben hold=true'],
					...['ben x active=false', 'new x', 'new hold=true'],
				],
				{ options: { reactivate: true } },
			),
		fails: ['Row 8 (new@example.com) is on hold, and no user matches it'],
	},
	{
		it: 'a list of people who start later alone is not empty, also where an ID is of nobody yet',
		on: () => new Groups(SOME),
		wish: () => {
			const later = rowsOf([`ben from=${FUTURE}`, `zoe from=${FUTURE}`, `ana from=${FUTURE}`]);
			const all = [...later, { userId: 'nobody', from: FUTURE, to: '', hold: '' }];
			return users([], json(all, 'usersFrom', 'usersJson'));
		},
		items: [STARTS, STARTS, STARTS, STARTS],
	},
	{
		it: 'what is neither true nor false keeps everybody',
		on: () => new Groups(SOME),
		wish: () => users(['zoe', 'ana hold=maybe']),
		fails: ['hold of row 2 (ana@example.com) is "maybe", not true or false'],
	},
	{
		it: 'a mistyped date keeps everybody',
		on: () => new Groups(SOME),
		wish: () => users(['zoe', `ana to=31.12.2026`]),
		fails: ['Row 2 (ana@example.com) has 31.12.2026 in to, which is not a date'],
	},
	{
		it: 'every row ended is an empty list',
		on: () => new Groups(SOME),
		wish: () => users([`ana to=${PAST}`, `ben to=${PAST}`]),
		fails: expect.arrayContaining([expect.stringContaining('Every row of Users has ended')]),
	},
]);

describe('the list as a whole', () => {
	const STAYS =
		'Row 4 (ana@example.com) has no dates, so what row 3 (ana@example.com) ended stays.';
	test('one without dates beside one that ended: access stays, and that is said', async () => {
		const item = await previewOf(reconcile([`ana eng to=${PAST}`, 'ana eng']));
		expect([item.plan.changes, behavior.warningsIn(item)]).toEqual([[], [STAYS]]);
		const other = await previewOf(
			reconcile([`ana eng to=${PAST}`, `ana eng from=${PAST}`], { createMissing: true }),
		);
		expect([other.plan.changes, behavior.warningsIn(other)]).toEqual([[], []]);
	});

	const EMPTY = `No row has an end: to is empty in all of them.`;
	test('the summary names zone, day, and how many wait and have ended', async () => {
		const fields = reconcile([
			`ben eng from=${FUTURE}`,
			`ana eng to=${PAST}`,
			`ana vpn to=${PAST}`,
			'new vpn hold=true',
		]);
		const { summaryText, summaryHtml } = await previewOf(fields);
		const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
		const said = `Dates are those of Europe/Berlin, where today is ${today}. Rows that have not started: 1. Rows that have ended: 2.`;
		expect(summaryText).toContain('Rows on hold: 1.');
		expect(summaryText).toContain(said);
		expect(summaryHtml).toContain(said);
		expect(summaryText).not.toContain(EMPTY);
	});

	test.each([
		['a date column that no row has', { endsOn: 'gone', startsOn: 'from' }, 'gone of Ends On'],
		['the other one', { endsOn: 'to', startsOn: 'gone' }, 'gone of Starts On'],
		['one of exceptions', { hold: 'gone' }, 'gone of Hold'],
	])('%s blocks', async (_, dates, message) => {
		const fields = reconcile(['ana eng', 'ben vpn'], { dates });
		expect((await previewOf(fields)).blockedBy).toEqual([
			expect.stringContaining(`No row has the column ${message}`),
		]);
		const world = on(PEOPLE)();
		expect(errorsIn(await play(world, ['access', 'reconcile'], fields)).join()).toContain(message);
		expect(world.service.written()).toStrictEqual([]);
	});

	test.each([
		['an empty list', [], {}, ['Desired Access is empty']],
		['every row ended', [`ana eng to=${PAST}`], {}, ['Every row of Desired Access has ended']],
		['every row ended, which is allowed', [`ana eng to=${PAST}`], { allowEmptyGroups: true }, []],
		['rows that wait alone', [`zoe eng from=${FUTURE}`, `zoe vpn from=${FUTURE}`], {}, []],
	])('%s', async (_, lines, safetyLimits, reasons) => {
		const { blockedBy } = await previewOf(access(lines, { safetyLimits }));
		expect(blockedBy).toEqual(reasons.map((one) => expect.stringContaining(one)));
	});

	test.each([
		['31.12.2026', 'to', "DateTime.fromFormat($json.to, 'dd.MM.yyyy').toISODate()"],
		['3/4/2026', 'to', "DateTime.fromFormat($json.to, 'M/d/yyyy').toISODate()"],
		['31/4/2026', 'to', "DateTime.fromFormat($json.to, 'd/M/yyyy').toISODate()"],
		['2026-12-31T18:00', 'to', 'DateTime.fromISO($json.to).toISO()'],
		['never', 'Last Day', `DateTime.fromFormat($json["Last Day"], 'dd.MM.yyyy').toISODate()`],
	])('no date that can be read, such as %s: one message', async (cell, column, expression) => {
		const all = rowsOf(['zoe eng', 'zoe vpn', 'ana eng']).map((row) => ({
			...row,
			[column]: cell,
		}));
		const fields = access([], {
			...json(all, 'wantedFrom', 'wantedJson'),
			dates: { endsOn: column },
		});
		const { blockedBy } = await previewOf(fields);
		expect(blockedBy).toEqual([expect.stringContaining(`{{ ${expression} }}`)]);
		expect(blockedBy[0]).toContain(`such as ${cell}`);
		const some = [{ ...all[0], [column]: '' }, ...all.slice(1)];
		const other = await previewOf({ ...fields, ...json(some, 'wantedFrom', 'wantedJson') });
		expect(other.blockedBy).toStrictEqual([]);
	});

	const back = (to, more) => ({
		...users(['zoe', 'ben', `ana active=true to=${to}`], { absentUsers: 'leave' }),
		...{ options: { reactivate: true }, ...more },
	});
	const left = () => new Groups({ ...SOME, ana: 'inactive' });
	test('Ends On that is empty in all rows: nobody comes back without an approval', async () => {
		const world = left();
		const run = errorsIn(await play(world, ['user', 'reconcile'], back('')));
		expect(run.join()).toContain('the limit of 0 (to is empty in every row)');
		expect(world.service.written()).toStrictEqual([]);
		const { plan, summaryText } = await previewOf(back(''), world, 'user');
		expect(summaryText).toContain(EMPTY);
		expect(plan.excess).toMatchObject([{ kind: 'reactivations', people: 1, limit: 0 }]);
		const apply = { plan, changes: 'all' };
		const refused = await play(world, ['access', 'applyPlan'], apply);
		expect(errorsIn(refused).join()).toContain('1 people would be reactivated');
		const approved = { ...apply, approvedExcess: ['reactivations'] };
		expect(await play(world, ['access', 'applyPlan'], approved)).toMatchObject([
			{ status: 'done' },
		]);
	});

	test('one end in the list, and it goes on', async () => {
		const items = await play(left(), ['user', 'reconcile'], back(FUTURE));
		expect(items.map(({ change, status }) => `${change} ${status}`)).toContain('activated done');
	});

	test.each([
		['none, so that it is the usual one', {}, 'America/New_York', true],
		[
			'the usual one by its own choice',
			{ timezone: 'America/New_York' },
			'America/New_York',
			false,
		],
		['another one', { timezone: 'Asia/Tokyo' }, 'Asia/Tokyo', false],
	])('the zone of the workflow is %s', async (_, settings, zone, isWarned) => {
		const { output } = await runOnModel(on(PEOPLE)().service, {
			...{ resource: 'access', operation: 'reconcile', items: [{}], settings, zone },
			credential: { serviceProfile: 'generic' },
			parameters: {
				...defaultsOf('access', 'reconcile'),
				...reconcile(['ana eng']),
				preview: true,
			},
		});
		const [{ json: item }] = output;
		expect(item.summaryText.replaceAll('\u200b', '')).toContain(
			`Dates are those of ${zone}, where`,
		);
		expect(behavior.warningsIn(item).join().includes('has no time zone of its own')).toBe(isWarned);
	});
});

describe('an end that passes before a plan is applied', () => {
	afterEach(() => setClock());
	const FRIDAY = Date.parse('2026-11-27T10:00:00Z');
	const SATURDAY = FRIDAY + 20 * 3_600_000;
	const planned = async (world, lines, what = 'access', make = reconcile) => {
		setClock(FRIDAY);
		const { plan } = await previewOf(make(lines), world, what);
		return plan;
	};
	const applied = async (world, plan, when) => {
		setClock(when);
		return await play(world, ['access', 'applyPlan'], { plan, changes: 'all' });
	};

	test.each([
		['2026-11-27', SATURDAY, 'skipped'],
		['2026-11-27T18:00:00+01:00', SATURDAY, 'skipped'],
		['2026-11-28', SATURDAY, 'done'],
		['2026-11-27', FRIDAY + 3_600_000, 'done'],
	])('until %s', async (end, when, status) => {
		const world = on(PEOPLE)();
		const plan = await planned(world, ['ana eng', `ben vpn to=${end}`]);
		const [item] = await applied(world, plan, when);
		expect(item).toMatchObject({ status });
		if (status === 'done') return;
		expect(item.reason).toMatch(/^ended on 2026-11-27/);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('what was there already by then is unchanged, and what goes otherwise goes', async () => {
		const world = on({ ...PEOPLE, ana: 'eng' })();
		const plan = await planned(world, ['ana vpn to=2026-11-27', 'ben vpn to=2026-11-27']);
		world.put({ ben: 'vpn' });
		const items = await applied(world, plan, SATURDAY);
		expect(items.map((item) => world.itemOf(item)).sort()).toEqual([
			'none ana vpn skipped',
			'none ben vpn unchanged',
			'revoked ana eng done',
		]);
	});

	test('nobody is created for what has ended', async () => {
		const world = on(PEOPLE)();
		const make = (lines) => reconcile(lines, { createMissing: true });
		const plan = await planned(world, ['ana eng', 'new vpn to=2026-11-27'], 'access', make);
		expect(plan.changes.map(({ change }) => change)).toEqual(['created', 'granted']);
		const items = await applied(world, plan, SATURDAY);
		expect(items.map(({ status }) => status)).toEqual(['skipped', 'skipped']);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('nor for what has ended beside what cannot be given any more', async () => {
		const world = on(PEOPLE)();
		const make = (lines) => reconcile(lines, { createMissing: true });
		const lines = ['ana eng', 'new vpn to=2026-11-27', 'new eng'];
		const plan = await planned(world, lines, 'access', make);
		world.service.about.set('eng', { displayName: 'eng 2' });
		await applied(world, plan, SATURDAY);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('what is taken has no end', async () => {
		const world = new Groups(SOME);
		const lines = ['zoe', 'ben', 'ana active=false to=2026-11-27'];
		const plan = await planned(world, lines, 'user', users);
		expect(await applied(world, plan, SATURDAY)).toMatchObject([{ status: 'done' }]);
		expect(world.shape().ana).toBe('inactive');
	});

	test('nor is a user updated', async () => {
		const world = new Groups(SOME);
		const plan = await planned(world, ['zoe', 'ben', 'ana x to=2026-11-27'], 'user', users);
		expect(await applied(world, plan, SATURDAY)).toMatchObject([
			{ status: 'skipped', reason: 'ended on 2026-11-27' },
		]);
		expect(world.service.written()).toStrictEqual([]);
	});

	test.each([
		['the later of two ends', ['to=2026-12-04', 'to=2026-12-06'], '2026-12-06'],
		['a day after a moment in it', ['to=2026-12-04', 'to=2026-12-04T18:00:00Z'], '2026-12-04'],
		['no end, where one row has none', ['to=2026-12-04', 'from=2026-11-01'], undefined],
	])('of two rows about one grant %s counts', async (_, ends, expected) => {
		const world = on(PEOPLE)();
		const plan = await planned(world, ['ana eng', ...ends.map((end) => `ben eng ${end}`)]);
		const untils = plan.changes.flatMap(({ restsOn }) => restsOn.map(({ until }) => until.day));
		expect([plan.changes.length, untils]).toEqual([1, expected ? [expected] : []]);
	});

	test('a site in another zone ends to the minute', async () => {
		const world = on(PEOPLE)();
		const lines = ['ana eng to=2026-11-27T17:30:00-05:00'];
		const end = Date.parse('2026-11-27T22:30:00Z');
		const changesAt = async (ms) => {
			setClock(ms);
			return (await previewOf(reconcile(lines), world)).plan.changes.length;
		};
		expect([await changesAt(end - 1), await changesAt(end)]).toEqual([0, 1]);
	});
});
