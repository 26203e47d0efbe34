'use strict';

// Protected users when a plan is applied, and where only a create meets them. When a plan is made: access.set and limits.

const {
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	listed,
	locator,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');
const { mapped } = require('../support/node');

const PEOPLE = {
	ana: { has: 'eng vpn', emails: [{ value: 'ceo@partner.com' }], userName: email('ana') },
	ben: 'eng vpn',
	cid: '',
	eve: 'inactive',
	zoe: 'eng vpn sales',
};
const start = (more) => new Groups(PEOPLE, { credential: UNDOABLE, ...more });
const PROTECTING = {
	'by ID': (w) => w.userId('ana'),
	'by user name': () => email('ANA'),
	'by pattern': () => 'an?@example.com, *@partner.com',
	'by another email': () => 'ceo@partner.com',
	'by a part of a pattern': () => 'an*',
};

describe('when a plan is applied', () => {
	const ofBoth = { people: emails('ana ben') };
	const inEng = { chooseGroupBy: 'group', group: locator('id', 'eng') };
	/** What each does to both, and what Ben has then. */
	const WAYS = {
		'access assign': [() => ({ ...ofBoth, ...listed('sales') }), 'eng sales vpn'],
		'access set': [() => ({ ...ofBoth, ...listed('sales'), managedGroups: rows('*') }), 'sales'],
		'access revoke': [() => ({ ...ofBoth, ...listed('eng') }), 'vpn'],
		'access reconcile': [
			() => ({
				...{ preview: false, scopeGroups: rows('eng') },
				...wanted([{ email: email('zoe'), group: 'eng' }]),
			}),
			'vpn',
		],
		'access offboard': [() => ofBoth, 'inactive'],
		'access offboard by delete': [() => ({ ...ofBoth, method: 'delete' }), undefined],
		'group removeMembers': [() => ({ ...inEng, ...ofBoth }), 'vpn'],
		'group setMembers': [() => ({ ...inEng, people: emails('zoe') }), 'vpn'],
		'user reconcile': [
			() => ({
				...{ preview: false, usersFrom: 'json' },
				usersJson: JSON.stringify(
					['ana', 'ben'].map((name) => ({ userName: email(name), active: false })),
				),
			}),
			'inactive eng vpn',
		],
	};
	const cases = Object.keys(WAYS).flatMap((way) => Object.keys(PROTECTING).map((by) => [way, by]));
	test.each(cases)('%s, protected %s when it is applied', async (way, by) => {
		const world = start();
		const [wish, ben] = WAYS[way];
		const [{ plan }] = await play(world, way.split(' ').slice(0, 2), { ...wish(), preview: true });
		const options = { protectedUsers: PROTECTING[by](world), maxPeopleAffected: 9 };
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan, options });
		const errors = errorsIn(items);
		expect(errors.length).toBeGreaterThan(0);
		for (const error of errors) expect(error).toContain('ana@example.com is protected');
		const { ana, ben: now, ...others } = world.shape();
		expect([ana, now]).toEqual(['eng vpn', ben]);
		expect(others).toEqual({ cid: '', eve: 'inactive', zoe: 'eng sales vpn' });
	});

	test.each(Object.keys(WAYS))(
		'%s, protected by the plan alone: a user who has that email by then',
		async (way) => {
			const world = start();
			const [wish] = WAYS[way];
			const { options, ...fields } = wish();
			const protecting = { ...options, protectedUsers: email('nobody') };
			const what = way.split(' ').slice(0, 2);
			const [{ plan }] = await play(world, what, { ...fields, options: protecting, preview: true });
			// Ana gets that name after the plan was made.
			const ana = world.service.byName(email('ana'));
			world.service.store({
				...ana,
				attributes: { ...ana.attributes, emails: [{ value: email('nobody') }] },
			});
			const apply = { changes: 'all', plan, options: { protectedUsers: '', maxPeopleAffected: 9 } };
			const errors = errorsIn(await play(world, ['access', 'applyPlan'], apply));
			expect(errors.length).toBeGreaterThan(0);
			for (const error of errors) expect(error).toContain('ana@example.com is protected');
			expect(world.shape().ana).toBe('eng vpn');
		},
	);
});

// No look-up shows Ana, so that the 409 of a create is the first sign of her.
describe.each(['by ID', 'by another email'])('met by a create, and protected %s', (by) => {
	const hidden = () => start({ filterMisses: (value) => /ana/.test(value), pageCap: 1 });
	const protecting = (w) => ({ options: { protectedUsers: PROTECTING[by](w) } });
	const met = { on: hidden, sends: ['POST Users 409'] };
	const NEEDS = 'it needs a step that did not succeed';
	table('access', 'assign', {
		...{ ...met, it: 'Assign' },
		wish: (w) => ({
			people: email('ana'),
			...listed('sales'),
			createMissing: true,
			...protecting(w),
		}),
		fails: ['ana@example.com is protected', NEEDS],
	});
	table('access', 'assign', {
		...{ ...met, it: 'Assign that lets people in again' },
		wish: (w) => ({
			...{ people: email('ana'), ...listed('sales'), createMissing: true },
			options: { ...protecting(w).options, reactivate: true },
		}),
		fails: ['ana@example.com is protected', NEEDS],
	});
	table('access', 'reconcile', {
		...{ ...met, it: 'Reconcile' },
		wish: (w) => ({
			...{ preview: false, unwanted: 'keep', scopeGroups: rows('sales'), createMissing: true },
			...{ ...wanted([{ email: email('ana'), group: 'sales' }]), ...protecting(w) },
		}),
		fails: ['ana@example.com is protected', NEEDS],
	});
	table('user', 'upsert', {
		...{ ...met, it: 'Create or Update' },
		wish: (w) => ({ userName: email('ana'), ...mapped({ title: 'Boss' }), ...protecting(w) }),
		fails: ['ana@example.com is protected'],
	});
	table('user', 'create', {
		...{ ...met, it: 'Create of who is there already, where nothing changes', once: true },
		wish: (w) => ({
			userName: email('ana'),
			options: { ...protecting(w).options, ifUserExists: 'return' },
		}),
		items: ['none ana unchanged'],
	});
	test('by a plan', async () => {
		const world = hidden();
		const { users } = world.service;
		const wish = { people: email('ana'), ...listed('sales'), createMissing: true };
		const [{ plan }] = await play(world, ['access', 'assign'], { ...wish, preview: true });
		const apply = { changes: 'all', plan, ...protecting(world) };
		const items = await play(world, ['access', 'applyPlan'], apply);
		expect(errorsIn(items)[0]).toContain('ana@example.com is protected');
		expect(world.shape()).toEqual(world.before);
		expect(users.size).toBe(5);
	});
});

describe.each(['late', 'again'])('an email that is protected came meanwhile, %s', (moment) => {
	const protectedUsers = 'ceo@partner.com';
	const emailsOf = [{ value: protectedUsers }];
	table('access', 'assign', {
		it: 'nothing is given',
		on: () => new Groups({ ana: 'eng', ben: 'eng sales' }),
		wish: { people: email('ana'), ...listed('sales'), options: { protectedUsers } },
		[moment]: (scim, w) => {
			const user = scim.users.get(w.userId('ana'));
			scim.store({ ...user, attributes: { ...user.attributes, emails: emailsOf } });
		},
		...{ fails: ['ana@example.com is protected'], sets: { ana: { emails: emailsOf } } },
	});
});
