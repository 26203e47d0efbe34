'use strict';

// Another client changes a group or a person between Preview and Apply Plan: what becomes of a grant, a removal and the end of
// an account, each by what people are matched by. What a plan says of somebody else is made. And a person who is gone by the
// time that a request leaves, late or again.

const {
	Groups,
	UNDOABLE,
	email,
	emails,
	listed,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');

const PEOPLE = {
	ana: { has: 'eng vpn', externalId: 'hr-1' },
	ben: { has: 'eng vpn', externalId: 'hr-2' },
	cid: { has: 'eng vpn sales', externalId: 'hr-3' },
};
const KEYS = {
	userName: email,
	externalId: (name) => PEOPLE[name].externalId,
	email,
};
const by = (key, more) => ({ options: { matchUsersBy: key, maxPeopleAffected: 9, ...more } });
const ofBoth = (key) => ({ people: ['ana', 'ben'].map(KEYS[key]).join(), ...by(key) });
/** What each does to both: the items of Ana by what they change, and what Ben has then. */
const WAYS = {
	'a grant': [
		'assign',
		(key) => ({ ...ofBoth(key), ...listed('sales') }),
		['granted sales'],
		'eng sales vpn',
	],
	'a removal': ['revoke', (key) => ({ ...ofBoth(key), ...listed('vpn') }), ['revoked vpn'], 'eng'],
	'a removal of everything': [
		'revoke',
		(key) => ({ ...ofBoth(key), accessBy: 'group', revokeIn: 'all' }),
		...[['revoked eng', 'revoked vpn'], ''],
	],
	'a set': [
		'set',
		(key) => ({ ...ofBoth(key), ...listed('vpn', 'sales'), managedGroups: rows('*') }),
		...[['granted sales', 'revoked eng'], 'sales vpn'],
	],
	'a leaver': ['offboard', ofBoth, ['deactivated'], 'inactive'],
	'a leaver who is deleted': [
		'offboard',
		(key) => ({ ...ofBoth(key), method: 'delete' }),
		...[['deleted'], undefined],
	],
	'the end of who has no access any more': [
		'reconcile',
		(key) => ({
			...{ scopeGroups: rows('eng', 'vpn'), ...by(key, { deactivatesEmpty: true }) },
			...wanted(['eng', 'vpn'].map((group) => ({ [key]: KEYS[key]('cid'), group }))),
		}),
		...[['deactivated', 'revoked eng', 'revoked vpn'], 'inactive'],
	],
};
const store = (more) => (scim, w) => {
	const user = scim.users.get(w.userId('ana'));
	const { attributes, ...others } = more;
	scim.store({ ...user, ...others, attributes: { ...user.attributes, ...attributes } });
};
const OTHER = email('other');

/** @returns what came of a plan that is applied after another client has acted: the world, as it was then, and the items of Ana */
async function applied(way, key, act) {
	const world = new Groups(PEOPLE, { credential: UNDOABLE });
	const [operation, wish] = WAYS[way];
	const fields = { ...wish(key), preview: true };
	const [{ plan }] = await play(world, ['access', operation], fields);
	act(world.service, world);
	const before = world.shape();
	const apply = { changes: 'all', plan, ...by(key) };
	const items = await play(world, ['access', 'applyPlan'], apply);
	const ofAna = items.filter(({ userId }) => userId === world.userId('ana'));
	return { world, before, ofAna };
}
const lineOf = ({ change, groupId, status }) => [change, groupId, status].filter(Boolean).join(' ');

// By what a person is another one than the plan means: the user name always, a key where people are matched by it.
describe.each([
	[
		'a new user name',
		store({ userName: OTHER }),
		Object.keys(KEYS),
		`is ${OTHER}, but was ${email('ana')}`,
	],
	[
		'a new email',
		store({ attributes: { emails: [{ value: OTHER, primary: true }] } }),
		...[['email'], `has the email ${OTHER}, and had ${email('ana')}`],
	],
	[
		'a new external ID',
		store({ attributes: { externalId: 'hr-9' } }),
		...[['externalId'], 'has the external ID hr-9, and had hr-1'],
	],
	[
		'no external ID any more',
		store({ attributes: { externalId: undefined } }),
		...[['externalId'], 'has the external ID (none), and had hr-1'],
	],
])('a person with %s', (_, act, keys, says) => {
	const cases = Object.keys(KEYS).flatMap((key) => Object.keys(WAYS).map((way) => [key, way]));
	test.each(cases)('matched by %s: %s', async (key, way) => {
		const [, , changes, ben] = WAYS[way];
		const { world, before, ofAna } = await applied(way, key, act);
		const isOther = keys.includes(key);
		const ana = before.other === undefined ? 'ana' : 'other';
		const ends = isOther ? { ben } : { [ana]: ben, ben };
		expect(world.shape()).toEqual(
			Object.fromEntries(
				Object.entries({ ...before, ...ends }).filter(([, has]) => has !== undefined),
			),
		);
		const status = isOther ? 'failed' : 'done';
		expect(ofAna.map(lineOf).sort()).toEqual(changes.map((change) => `${change} ${status}`));
		for (const { error } of isOther ? ofAna : [])
			expect(error).toContain(`${says} when this was planned`);
	});
});

describe('a person who is gone', () => {
	const remove = (scim, w) => scim.delete(w.userId('ana'));
	test.each(Object.keys(WAYS))('%s', async (way) => {
		const [, , changes, ben] = WAYS[way];
		const { world, ofAna } = await applied(way, 'userName', remove);
		const gives = changes.some((change) => change.startsWith('granted'));
		for (const { change, status, reason } of ofAna) {
			if (gives) expect([change === 'none', status]).toEqual([false, 'failed']);
			else expect([change, status, reason]).toEqual(['none', 'unchanged', 'the user is gone']);
			if (gives) expect(reason).toContain('ana@example.com is no longer there');
		}
		expect(ofAna).toHaveLength(changes.length);
		expect(world.shape().ben).toBe(ben);
		expect(world.service.written().filter((line) => line.includes(world.userId('ana')))).toEqual(
			[],
		);
	});
});

describe('groups that were renamed', () => {
	const rename = (scim) =>
		['sales', 'vpn'].forEach((id) => scim.about.set(id, { displayName: `${id} 2` }));
	test.each([
		['a grant', ['granted sales failed'], 'eng vpn'],
		['a removal', ['revoked vpn failed'], 'eng vpn'],
		['a removal of everything', ['revoked eng done', 'revoked vpn failed'], 'vpn'],
		['a set', ['granted sales failed', 'none eng skipped'], 'eng vpn'],
		['a leaver', ['deactivated failed'], 'inactive vpn'],
		['a leaver who is deleted', ['deleted done'], undefined],
	])('%s', async (way, lines, has) => {
		const { world, ofAna } = await applied(way, 'userName', rename);
		expect(ofAna.map(lineOf).sort()).toEqual(lines);
		expect(world.shape()).toEqual({
			...(has !== undefined && { ana: has, ben: has }),
			cid: 'eng sales vpn',
		});
		for (const { error, status } of ofAna)
			if (status === 'failed') expect(error).toMatch(/is named "(\w+) 2", but was named "\1"/);
	});
});

test('a group that stands for something else by a new pattern in the credential', async () => {
	const by = (groupPattern) =>
		new Groups(
			{ ana: 'a:member', ben: 'a:viewer' },
			{ credential: { groupsStandFor: 'organizationAndRole', groupPattern } },
		);
	const before = by('{organization}:{role}');
	const wish = { people: email('ana'), ...listed('a:viewer'), preview: true };
	const [{ plan }] = await play(before, ['access', 'assign'], wish);
	const world = by('{role}:{organization}');
	const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
	const error =
		'The group "a:viewer" stands for a in viewer, but stood for viewer in a when this was planned';
	expect(items).toMatchObject([{ status: 'failed', error }]);
	expect(world.service.written()).toStrictEqual([]);
});

describe('an account is neither created nor activated for a group that cannot be joined', () => {
	test.each([
		['is gone', (scim) => scim.groups.delete('eng')],
		['was renamed', (scim) => scim.about.set('eng', { displayName: 'eng 2' })],
	])('the group %s', async (_, act) => {
		const world = new Groups({ ana: 'inactive', ben: '' }, { groups: ['eng'] });
		const [{ plan }] = await play(world, ['access', 'assign'], {
			...{ people: emails('ana new'), ...listed('eng'), preview: true, createMissing: true },
			options: { reactivate: true },
		});
		act(world.service);
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		const reason = 'the access that it is for cannot be given';
		const ofOne = [
			{ change: 'none', status: 'skipped', reason },
			{ change: 'granted', status: 'failed', groupId: 'eng' },
		];
		expect(items).toMatchObject([...ofOne, ...ofOne]);
		expect(world.service.written()).toStrictEqual([]);
	});
});

describe('a leaver who was inactive, and is active by then', () => {
	test.each([
		['has nothing', '', 'none', 'is active, and the plan does not change that'],
		['is in a group', 'vpn', 'revoked', 'is active, but was inactive when this was planned'],
	])('who %s', async (_, has, change, says) => {
		const world = new Groups({ ana: `inactive ${has}`, ben: 'eng' }, { credential: UNDOABLE });
		const wish = { people: emails('ana ben'), preview: true };
		const [{ plan }] = await play(world, ['access', 'offboard'], wish);
		world.service.setActive(world.userId('ana'), true);
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(items).toMatchObject([
			{ change, status: 'failed', reason: `ana@example.com ${says}` },
			{ change: 'deactivated', status: 'done' },
		]);
		expect(world.shape()).toEqual({ ana: has, ben: 'inactive' });
	});
});

describe('a person who is inactive by then, where the service takes no inactive user out of a group', () => {
	const ofBoth = { people: emails('ana ben') };
	const says = 'ana@example.com is inactive and still member of group vpn';
	test.each([
		['revoke', { ...ofBoth, ...listed('vpn') }],
		['set', { ...ofBoth, ...listed('eng'), managedGroups: rows('*') }],
	])('%s', async (operation, wish) => {
		const world = new Groups(PEOPLE, {
			...{ credential: { serviceProfile: 'launchDarkly' }, inactiveRefuses: true },
		});
		const [{ plan }] = await play(world, ['access', operation], { ...wish, preview: true });
		world.service.setActive(world.userId('ana'), false);
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(items).toMatchObject([
			{ userName: email('ana'), status: 'failed', reason: expect.stringContaining(says) },
			{ userName: email('ben'), status: 'done' },
		]);
		expect(world.shape()).toMatchObject({ ana: 'inactive eng vpn', ben: 'eng' });
	});
});

describe.each(['late', 'again'])(
	'a person who is gone by the time that the request leaves, %s',
	(moment) => {
		const on = () => new Groups(PEOPLE, { credential: UNDOABLE });
		const remove = { on, [moment]: (scim, w) => scim.delete(w.userId('ana')) };
		const ofUsers = (w) => ({
			items: ['ana', 'ben'].map((name) => ({ user: w.user(name) })),
			options: { maxPeopleAffected: 9 },
		});
		// What left before may have taken it, so that only a first request knows that it was gone.
		const isOut = expect.objectContaining({
			userId: on().userId('ana'),
			status: moment === 'late' ? 'unchanged' : expect.stringMatching(/^(done|unchanged)$/),
		});
		const ended = expect.objectContaining({
			userId: on().userId('ana'),
			status: expect.stringMatching(/^(done|unchanged)$/),
		});
		const wishOf = (way) => ({ preview: false, ...WAYS[way][1]('userName') });
		table('access', 'assign', {
			...{ ...remove, it: 'a grant', wish: wishOf('a grant') },
			items: ['granted ana sales failed', 'granted ben sales done'],
			fails: [/ana@example.com is gone now, so no access was given/],
			ends: { ana: undefined, ben: 'eng sales vpn' },
		});
		table('access', 'revoke', [
			{
				...{ ...remove, it: 'a removal', wish: wishOf('a removal') },
				...{ items: [isOut, 'revoked ben vpn done'], ends: { ana: undefined, ben: 'eng' } },
			},
			{
				...{ ...remove, it: 'a removal of everything', wish: wishOf('a removal of everything') },
				items: [isOut, 'revoked ben eng done', isOut, 'revoked ben vpn done'],
				ends: { ana: undefined, ben: '' },
			},
		]);
		table('access', 'offboard', [
			{
				...{ ...remove, it: 'a leaver', wish: wishOf('a leaver') },
				...{ items: [ended, 'deactivated ben done'], ends: { ana: undefined, ben: 'inactive' } },
			},
			{
				...{ ...remove, it: 'a leaver who is deleted', wish: wishOf('a leaver who is deleted') },
				...{ items: [ended, 'deleted ben done'], ends: { ana: undefined, ben: undefined } },
			},
		]);
		table('user', 'deactivate', {
			...{ ...remove, it: 'a deactivation', wish: ofUsers },
			...{
				items: [ended, 'deactivated ben done'],
				ends: { ana: undefined, ben: 'inactive eng vpn' },
			},
		});
		table('user', 'delete', {
			...{ ...remove, it: 'a deletion', wish: ofUsers },
			...{ items: [ended, 'deleted ben done'], ends: { ana: undefined, ben: undefined } },
		});
		table('access', 'reconcile', {
			...{ ...remove, it: 'the end of who has no access any more' },
			wish: wishOf('the end of who has no access any more'),
			...{ items: expect.arrayContaining([ended]), ends: { ana: undefined, ben: 'inactive' } },
		});
	},
);
