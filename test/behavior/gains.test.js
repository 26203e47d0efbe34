'use strict';

// Who is inactive gains nothing: at each moment, by each operation that gives something, on services that show `active` and on
// those that leave it out where it is false. Somebody else in the same run gets it.

const {
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	listed,
	play,
	rows,
	wanted,
	table,
} = require('../support/behavior');

const inEng = { chooseGroupBy: 'group', group: { __rl: true, mode: 'id', value: 'eng' } };
/** What gives Ana and Ben the group eng, or Ana a role. */
const WAYS = {
	'access assign': () => ({ people: emails('ana ben'), ...listed('eng') }),
	'access set': () => ({ people: emails('ana ben'), ...listed('eng'), managedGroups: rows('*') }),
	'access reconcile': () => ({
		...{ preview: false, unwanted: 'keep', scopeGroups: rows('eng') },
		...wanted(['ana', 'ben'].map((name) => ({ email: email(name), group: 'eng' }))),
	}),
	'group addMembers': () => ({ ...inEng, people: emails('ana ben') }),
	'group setMembers': () => ({ ...inEng, people: emails('ana ben eve') }),
	'group setMembers wholeList': () => ({
		...{ ...inEng, people: emails('ana ben eve') },
		options: { replaceWith: 'wholeList' },
	}),
	'user update': (w) => ({
		accessValues: { value: [{ action: 'add', attribute: 'roles', value: 'editor' }] },
		items: ['ana', 'ben'].map((name) => ({ user: w.user(name) })),
	}),
};
const alone = (wish) => (w) => {
	const { items, ...fields } = wish(w);
	return { ...fields, items: items.slice(0, 1) };
};
const EDITOR = { roles: [{ value: 'editor' }] };
const ACTIVE = {
	shown: { says: /ana@example.com is inactive/ },
	'left out where it is false': {
		active: 'whenTrue',
		says: /whether ana@example.com is active|ana@example.com is inactive/,
	},
};
const shutOut = (scim, w) => scim.setActive(w.userId('ana'), false);

describe.each(Object.entries(ACTIVE))('active is %s', (_, { says, ...switches }) => {
	const on = (ana) => () =>
		new Groups({ ana, ben: '', eve: 'eng' }, { ...switches, credential: UNDOABLE });
	describe.each(Object.entries(WAYS))('%s', (way, wish) => {
		const [resource, operation] = way.split(' ');
		const isOfValue = operation === 'update';
		/** What these people have got. */
		const got = (names) =>
			Object.fromEntries(names.map((name) => [name, isOfValue ? EDITOR : 'eng']));
		const have = (names) => (isOfValue ? { sets: got(names) } : { ends: got(names) });
		const ends = (names) => ({ ana: 'inactive', ...(!isOfValue && got(names)) });
		// A nightly list that names an inactive user is no failure; that it is not told is one.
		const isSkipped = operation === 'reconcile' && switches.active === undefined;
		// Each user has a request of its own, and the first one that comes may be that of Ben.
		const [again, others] = isOfValue ? [alone(wish), []] : [wish, ['ben']];
		table(resource, operation, [
			{ it: 'active: gets it', ...{ on: on(''), wish, once: true }, ...have(['ana', 'ben']) },
			{
				it: 'inactive before the plan',
				...{ on: on('inactive'), wish, once: true, ...have(['ben']) },
				...(isSkipped ? { warns: [says] } : { fails: [says] }),
			},
			{
				it: 'inactive since the plan, late',
				...{ on: on(''), wish, late: shutOut, fails: [says] },
				...{ ...have(['ben']), ends: ends(['ben']) },
			},
			{
				it: 'inactive since the plan, when the request leaves again',
				...{ on: on(''), wish: again, again: shutOut, fails: [says] },
				...{ ...have(others), ends: ends(others) },
			},
		]);
		// User: Update makes no plan that can be applied later.
		if (isOfValue) return;
		test('inactive when the plan is applied', async () => {
			const world = on('')();
			const fields = { ...wish(world), preview: true };
			const [{ plan }] = await play(world, [resource, operation], fields);
			shutOut(world.service, world);
			const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
			expect(errorsIn(items)).toEqual([expect.stringMatching(says)]);
			expect(world.shape()).toEqual({ ana: 'inactive', ben: 'eng', eve: 'eng' });
		});
	});

	const member = (w, name) => ({ people: email(name), ...w.groups('eng') });
	const there = (people, more) => () =>
		new Groups({ eve: 'eng', ...people }, { ...switches, ...more, credential: UNDOABLE });
	const none = { sends: [], once: true };
	table('access', 'assign', [
		{
			it: 'who has it and is inactive is not called unchanged',
			...{ on: there({ ana: 'inactive eng', ben: 'eng' }), ...none },
			wish: (w) => ({ ...member(w, 'ana'), people: emails('ana ben') }),
			...{ items: [{ status: 'failed' }, 'none ben eng unchanged'], fails: [says] },
		},
	]);
	table('access', 'set', [
		{
			it: 'who has it and is inactive is not called unchanged, and keeps what Set would take',
			...{ on: there({ ana: 'inactive eng vpn', ben: 'eng' }), ...none },
			wish: (w) => ({ ...member(w, 'ana'), managedGroups: rows('*') }),
			fails: expect.arrayContaining([expect.stringMatching(says)]),
		},
	]);
	table('access', 'reconcile', [
		{
			it: 'who has it and is inactive is not called unchanged',
			...{ on: there({ ana: 'inactive eng', ben: 'eng' }), ...none },
			wish: WAYS['access reconcile'],
			items: [{ status: switches.active ? 'failed' : 'skipped' }],
			fails: switches.active ? [says] : [],
		},
	]);
	table('group', 'addMembers', [
		{
			it: 'who is a member and inactive stays one, and that is all that was asked',
			...{ on: there({ ana: 'inactive eng' }), ...none },
			wish: { ...inEng, people: email('ana') },
			items: ['none ana eng unchanged'],
		},
	]);
});
