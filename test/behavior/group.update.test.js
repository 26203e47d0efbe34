'use strict';

// Groups that are created, updated and deleted as a whole.

const { Account, Groups, play, table } = require('../support/behavior');

const on =
	(people = { ana: 'eng', ben: 'vpn' }, more) =>
	() =>
		new Groups(people, more);
const FIXED = 'Groups of this service cannot be deleted: they come and go with their organization';
const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, 'a:viewer']));

test.each([
	['create', { displayName: 'New' }],
	['update', { displayName: 'Eng', externalId: 'e-1' }],
])('%s: the group is as wanted, and shown so', async (operation, attributes) => {
	const w = on()();
	const { displayName, ...more } = attributes;
	const fields =
		operation === 'create'
			? { displayName, additionalFields: more }
			: { group: w.group('eng'), updateFields: attributes };
	const [item] = await play(w, ['group', operation], fields);
	expect(item).toMatchObject({ change: `${operation}d`, displayName, status: 'done' });
	expect(w.service.about.get(item.id)).toMatchObject(attributes);
	expect(w.service.written()).toEqual([
		operation === 'create' ? 'POST /Groups' : 'PATCH /Groups/eng',
	]);
	expect(w.shape()).toEqual(w.before);
});

test('an update tells what was, and what is new', async () => {
	const w = on()();
	const updateFields = { displayName: 'Eng' };
	const [item] = await play(w, ['group', 'update'], { group: w.group('eng'), updateFields });
	expect(item.attributes).toEqual({ displayName: { before: 'eng', after: 'Eng' } });
});

test('two items of one group: the second begins where the first ends', async () => {
	const w = on()();
	const wanted = ['Eng', 'Engineers'].map((displayName) => ({
		updateFields: { displayName, externalId: 'e-1' },
	}));
	const items = await play(w, ['group', 'update'], { group: w.group('eng') }, wanted);
	expect(items.map(({ attributes }) => attributes)).toEqual([
		{ displayName: { before: 'eng', after: 'Eng' }, externalId: { before: null, after: 'e-1' } },
		{ displayName: { before: 'Eng', after: 'Engineers' } },
	]);
});

test('one that is hidden from reads is updated, and what was is unknown', async () => {
	const w = on()();
	w.service.faults.add({ method: 'GET', path: '/Groups/eng', nth: 1, kind: 'status', status: 403 });
	const updateFields = { displayName: 'Eng' };
	const [item] = await play(w, ['group', 'update'], { group: w.group('eng'), updateFields });
	expect(item).toMatchObject({
		...{ status: 'done', attributes: { displayName: { before: null, after: 'Eng' } } },
	});
});

table('group', 'update', [
	{
		it: 'without any field there is nothing to update',
		on: on(),
		wish: (w) => ({ group: w.group('eng'), updateFields: {} }),
		fails: ['There is nothing to update'],
		reads: 0,
	},
]);

table('group', 'delete', [
	{
		it: 'the group is gone, and so is what it gave',
		on: on(),
		wish: (w) => ({ group: w.group('vpn') }),
		items: [{ change: 'deleted', id: 'vpn', deleted: true, status: 'done' }],
		ends: { ben: '' },
		once: true,
	},
	{
		it: 'one whose people are more than may lose access stays',
		on: on(Object.fromEntries([...'abcdef'].map((name) => [name, 'vpn']))),
		wish: (w) => ({ group: w.group('vpn') }),
		fails: ['6 people would lose access'],
	},
	{
		it: 'groups that come and go with their organization stay, whatever the limits are',
		on: () => new Account(twenty),
		wish: (w) => ({ group: w.group('a:viewer') }),
		fails: [FIXED],
	},
	{
		it: 'the same with Preview',
		on: () => new Account(twenty),
		wish: (w) => ({ group: w.group('a:viewer'), preview: true }),
		items: [{ invalid: [expect.objectContaining({ reason: FIXED })] }],
	},
]);
