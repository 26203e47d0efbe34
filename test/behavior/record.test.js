'use strict';

const { later } = require('../support/secondWriter');
const {
	Account,
	Groups,
	UNDOABLE,
	email,
	emails,
	locator,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');

// What a run leaves behind: when what was seen, of which plan it is a part, the old and the new values, and all of it in
// one item.

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SEEN = expect.stringMatching(ISO);
const vpn = (names, more) => ({
	people: emails(names),
	accessBy: 'group',
	groups: rows('vpn'),
	...more,
});
const TWO = { ana: '', ben: 'vpn', eve: 'inactive' };
const on = (more) => () => new Groups(TWO, { credential: UNDOABLE, ...more });

describe('at', () => {
	table('access', 'assign', [
		{
			it: 'what was done and what was so already has the time when it was seen',
			on: on(),
			wish: () => vpn('ana ben'),
			items: [
				{ status: 'unchanged', at: SEEN },
				{ status: 'done', at: SEEN },
			],
			ends: { ana: 'vpn' },
		},
		{
			it: 'what was refused, and what was not tried, was not seen',
			on: on({ refusesAddsTo: ['vpn'] }),
			wish: () => vpn('ana eve'),
			items: [
				{ status: 'failed', at: null },
				{ status: 'failed', at: null },
			],
			fails: expect.any(Array),
			sends: ['PATCH vpn 400'],
		},
		{
			it: 'nor is there a time of what is taken and never shown',
			on: on({ showsMembers: 'absent', usersShowGroups: 'absent', membershipFilter: 'nobody' }),
			wish: () => vpn('ana'),
			items: [{ status: 'unverified', at: null }],
			fails: [/./],
			ends: { ana: 'vpn' },
			sends: ['PATCH vpn'],
		},
	]);

	test('of a leaver it is that of the proof', async () => {
		const world = on()();
		world.service.given.onRequest = (_, { method, path }) => {
			if (method === 'PATCH' && path.includes('Users')) later(60_000);
		};
		const [{ at, provenAt }] = await play(world, ['access', 'offboard'], { people: emails('ben') });
		jest.restoreAllMocks();
		expect(at).toMatch(ISO);
		expect(at).toBe(provenAt);
	});

	table('access', 'offboard', {
		it: 'of a leaver of whom something was refused there is none',
		on: on({ refusesRemovalFrom: ['vpn'] }),
		wish: { people: emails('ben') },
		items: [{ status: 'failed', at: null, provenAt: null }],
		fails: [/./],
		ends: { ben: 'inactive vpn' },
	});

	test('what was so already was seen before the run has written', async () => {
		const world = on()();
		world.service.given.onRequest = (_, { method }) => {
			if (method !== 'GET') later(60_000);
		};
		const started = Date.now();
		const [kept, done] = await play(world, ['access', 'assign'], vpn('ana ben'));
		jest.restoreAllMocks();
		expect([done.status, kept.status]).toEqual(['done', 'unchanged']);
		expect(Date.parse(done.at)).toBeGreaterThanOrEqual(started + 60_000);
		expect(Date.parse(kept.at)).toBeLessThan(started + 60_000);
	});
});

describe('planId', () => {
	const planned = async (world, names) => {
		const [item] = await play(world, ['access', 'assign'], vpn(names, { preview: true }));
		return item;
	};
	const apply = async (world, { plan }) =>
		await play(world, ['access', 'applyPlan'], { changes: 'all', plan });

	test('each item names its plan as Preview does, and another plan has another name', async () => {
		const world = on()();
		const [one, other] = [await planned(world, 'ana ben'), await planned(world, 'ana')];
		expect(one.planId).toMatch(/^[0-9a-f]{12}$/);
		expect(other.planId).not.toBe(one.planId);
		const stored = JSON.parse(JSON.stringify(one));
		for (const plan of [one, stored]) {
			const items = await apply(world, plan);
			expect(new Set(items.map(({ planId }) => planId))).toEqual(new Set([one.planId]));
		}
	});

	test('a plan that was refused was not applied', async () => {
		const world = on()();
		const item = await planned(world, 'ana');
		item.plan.time = new Date(0).toISOString();
		expect(await apply(world, item)).toMatchObject([{ status: 'failed', planId: null }]);
	});
});

describe('attributes', () => {
	const users = (all, more) => ({
		...{ usersFrom: 'json', usersJson: JSON.stringify(all), preview: false, ...more },
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['userName'] },
	});
	table('user', 'reconcile', [
		{
			it: 'an update has the old and the new values, and nothing of what is so already',
			on: () => new Groups({ ana: { has: '', title: 'Dev' } }),
			wish: users([{ userName: email('ana'), title: 'Lead', nickName: 'A', displayName: 'ana' }]),
			items: [
				{
					change: 'updated',
					attributes: {
						title: { before: 'Dev', after: 'Lead' },
						nickName: { before: null, after: 'A' },
					},
				},
			],
			sets: { ana: { title: 'Lead', nickName: 'A' } },
		},
		{
			it: 'of whom nothing is updated there are none',
			on: () => new Groups({ ana: { has: '', title: 'Dev' }, ben: '' }),
			wish: users([
				{ userName: email('ana'), title: 'Lead' },
				{ userName: email('ben'), active: false },
			]),
			items: [
				{ change: 'updated', attributes: { title: { before: 'Dev', after: 'Lead' } } },
				{ change: 'deactivated', attributes: { active: { before: true, after: false } } },
			],
			sets: { ana: { title: 'Lead' } },
			ends: { ben: 'inactive' },
		},
	]);

	test('secrets are masked, the old ones, too', async () => {
		const world = new Groups({
			ana: { has: '', 'urn:x:User': { apiKey: 'old-secret', desk: '1' } },
		});
		const attributesJson = {
			'urn:x:User': { apiKey: 'new-secret', desk: '2' },
			password: 'hunter22',
		};
		const [item] = await play(world, ['user', 'update'], {
			user: world.user('ana'),
			options: { attributesJson: JSON.stringify(attributesJson) },
		});
		expect(item.attributes).toEqual({
			'urn:x:User': {
				before: { apiKey: '***', desk: '1' },
				after: { apiKey: '***', desk: '2' },
			},
			password: { before: null, after: '***' },
		});
		expect(JSON.stringify(item.attributes)).not.toMatch(/secret|hunter/);
	});
});

describe('Return', () => {
	const one = { options: { return: 'perRun' } };
	const reconcile = (more) => ({
		...{ accessBy: 'group', scopeGroups: rows('vpn'), preview: false, ...more },
		...wanted([{ email: email('ana'), group: 'vpn' }]),
	});
	const group = (w, names) => ({
		...{ chooseGroupBy: 'group', group: w.group('vpn'), people: emails(names) },
	});
	const RECORD = ['at', 'summary', 'summaryText', 'counts', 'changes', 'undo'];

	test.each([
		['access assign', () => vpn('ana ben', one), '1 done, 1 unchanged'],
		[
			'access set',
			() => vpn('ana ben', { ...one, managedGroups: rows('vpn') }),
			'1 done, 1 unchanged',
		],
		['access revoke', () => vpn('ben', { ...one, revokeIn: 'one' }), '1 done'],
		['access offboard', () => ({ people: emails('ana ben'), ...one }), '2 done'],
		['access reconcile', () => reconcile(one), '2 done'],
		['group setMembers', (w) => ({ ...group(w, 'ana'), ...one }), '2 done'],
		[
			'user reconcile',
			() => ({
				...{ usersFrom: 'json', preview: false, ...one },
				usersJson: JSON.stringify([{ userName: email('ana'), title: 'x' }]),
				columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['userName'] },
			}),
			'1 done',
		],
	])('%s: the changes are the items of a run that returns each', async (name, wish, counted) => {
		const [world, other] = [on()(), on()()];
		const { options, ...fields } = wish(other);
		const items = await play(other, name.split(' '), fields);
		const out = await play(world, name.split(' '), { ...fields, options });
		expect(out).toHaveLength(1);
		const [{ at, changes, counts, ...record }] = out;
		expect([...Object.keys(record), 'at', 'counts', 'changes'].sort()).toEqual([...RECORD].sort());
		const timeless = (all) => all.map(({ at: _at, provenAt, ...item }) => item);
		expect(timeless(changes)).toEqual(timeless(items));
		expect(at).toMatch(ISO);
		for (const change of changes) if (change.at !== null) expect(change.at <= at).toBe(true);
		expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(items.length);
		expect(record.summaryText).toContain(`: ${counted}.`);
		expect(record.undo).toBeNull();
	});

	test('of a plan each change has its name', async () => {
		const world = on()();
		const [{ plan, planId }] = await play(
			world,
			['access', 'assign'],
			vpn('ana', { preview: true }),
		);
		const fields = { changes: 'all', plan, ...one };
		const [record] = await play(world, ['access', 'applyPlan'], fields);
		expect(record.changes).toMatchObject([{ planId, status: 'done' }]);
	});

	test('what cannot be used is in it, and what failed is said first', async () => {
		const world = new Groups({ ana: '', ben: 'vpn' });
		const items = ['nobody', 'ana', 'ben', ''].map((name) => ({ people: name && email(name) }));
		const [record, ...failed] = await play(
			...[world, ['access', 'assign'], { createMissing: false, ...vpn(''), ...one }, items],
		);
		expect(record.counts).toEqual({ failed: 2, unverified: 0, done: 1, skipped: 0, unchanged: 1 });
		expect(failed.map(({ status }) => status)).toEqual(['failed', 'failed']);
		const keys = record.changes.map((change) =>
			Object.keys(change).filter((key) => key !== 'advice'),
		);
		expect(keys).toEqual(keys.map(() => keys[0]));
		const lines = record.summaryText.split('\n').filter(Boolean);
		expect(lines).toEqual([
			...['Assign: 2 failed, 1 done, 1 unchanged.', 'Failed'],
			expect.stringContaining('nobody@example.com'),
			...['- No users specified.', 'Done', '- ana (ana@example.com) was added to vpn.'],
		]);
	});

	test('nobody makes a mention or a bold word of a name', async () => {
		const world = new Groups(
			{ ana: { has: '', displayName: '<!channel> **Boss**' } },
			{ groups: ['vpn'] },
		);
		const [{ summary }] = await play(world, ['access', 'assign'], vpn('ana', one));
		expect(summary).not.toMatch(/<!channel|\*\*Boss/);
	});

	test('what is said of the run is in the summary, and not on every change again', async () => {
		const options = { keepMembershipsIn: rows('nothing-*') };
		const people = emails('ana ben');
		const items = await play(on()(), ['access', 'offboard'], { people, options });
		const said = 'No group matches nothing-* in Keep Memberships In.';
		expect(items.map(({ warnings }) => warnings)).toEqual([[said], [said]]);
		const all = { ...options, ...one.options };
		const [record] = await play(on()(), ['access', 'offboard'], { people, options: all });
		expect(record.summaryText).toContain('- No group matches nothing-');
		expect(record.changes.map(({ warnings }) => warnings)).toEqual([null, null]);
	});

	test('where nothing was sent there is no record', async () => {
		const world = new Groups({ ana: 'vpn', ben: 'vpn' }, { credential: UNDOABLE });
		const options = { ...one.options, maxPeopleAffected: 1, maxPercentAffected: 0 };
		const items = await play(world, ['access', 'offboard'], { people: emails('ana ben'), options });
		expect(items).toMatchObject([{ status: 'failed', reason: expect.stringContaining('Nothing') }]);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('a preview is what it is', async () => {
		const world = on()();
		const [item] = await play(world, ['access', 'assign'], vpn('ana', { ...one, preview: true }));
		expect(item).toMatchObject({ preview: true, counts: { requests: 1 } });
	});
});

test('a preview counts requests beyond a thousand, and its requests leave the warnings to the summary', async () => {
	const names = Array.from({ length: 1100 }, (_, at) => `p${at}`);
	const world = new Groups(Object.fromEntries(names.map((name) => [name, ''])), {
		credential: { ...UNDOABLE, deactivation: 'drops' },
	});
	const items = names.map((name) => ({ user: locator('id', world.userId(name)) }));
	const fields = { preview: true, options: { maxPeopleAffected: 2000 } };
	const [plain] = await play(world, ['user', 'deactivate'], fields, items);
	expect(plain.counts.requests).toBe(1100);
	expect(plain.requests).toHaveLength(1000);
	// No summary holds them.
	expect(plain.requests[0].warnings).toEqual([expect.stringContaining('drops')]);
	const people = emails(names.slice(0, 3).join(' '));
	const [sealed] = await play(world, ['access', 'offboard'], { people, preview: true });
	expect(sealed.requests.map(({ warnings }) => warnings)).toEqual([
		undefined,
		undefined,
		undefined,
	]);
	expect(sealed.summaryText).toContain('Deactivation drops all memberships');
	expect(sealed.warnings).toEqual([]);
	expect(sealed.plan.changes).toHaveLength(3);
});
