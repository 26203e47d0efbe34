'use strict';

// How services take what is written: each request that leaves, and what is there then.

const { Account, Groups, email, emails, play, putLate, table } = require('../support/behavior');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { byEmail, mapped } = require('../support/node');
const { ONE_AT_A_TIME } = require('../support/options');
const { people, withServer } = require('../support/serverPlay');

const PEOPLE = { p1: 'g', p2: 'g', p3: '' };
const on =
	(switches, people = PEOPLE) =>
	() =>
		new Groups(people, { groups: ['g'], ...switches });
const dialect = (name, switches, people) => on({ ...DIALECTS[name].switches, ...switches }, people);
const crowd = (count, has = '') =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at + 1}`, has]));
const names = (count) => Object.keys(crowd(count)).join(' ');
const inG = (w, people, more) => ({
	...{ chooseGroupBy: 'group', group: w.group('g'), people: emails(people) },
	...more,
});
const to = (people, more) => (w) => inG(w, people, more);
const WHOLE_LIST = { options: { replaceWith: 'wholeList' } };
const member = (name) => ({ value: expect.any(String), display: email(name) });
const P3_IN = { ends: { p3: 'g' } };
const P2_OUT = { ends: { p2: '', p3: 'g' } };
const each = (w) => ({ items: ['p1', 'p2', 'p3'].map((name) => ({ user: w.user(name) })) });
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ALL_OFF = { ends: { p1: 'inactive g', p2: 'inactive g', p3: 'inactive' } };

describe('members are sent with their user names', () => {
	table('group', 'addMembers', [
		...['wso2', 'generic'].map((name) => ({
			it: `in a PATCH: ${name}`,
			...{ on: name === 'generic' ? on() : dialect(name), wish: to('p3'), sends: ['PATCH g'] },
			...{ ops: [{ op: 'add', path: 'members', value: [member('p3')] }], ...P3_IN },
		})),
	]);
	table('access', 'assign', [
		{
			it: 'of people who were just created, too: wso2',
			on: dialect('wso2'),
			wish: (w) => ({ people: emails('p4 p5'), createMissing: true, ...w.groups('g') }),
			...{ sends: ['POST Users', 'POST Users', 'PATCH g'], ends: { p4: 'g', p5: 'g' } },
		},
	]);
	table('group', 'setMembers', [
		{
			it: 'in a PUT, which has the ID: infisical',
			...{ on: dialect('infisical'), wish: to('p1 p3', WHOLE_LIST), sends: ['PUT g'] },
			bodies: [
				expect.objectContaining({
					id: 'g',
					members: [expect.objectContaining(member('p1')), expect.objectContaining(member('p3'))],
				}),
			],
			...{ ...P2_OUT, once: true },
		},
	]);
	table('user', 'update', [
		{
			it: 'a PUT of a user has the ID: keycloak',
			on: dialect('keycloak'),
			wish: (w) => ({
				...{ user: w.user('p1'), ...mapped({ nickName: 'New' }) },
				options: { updateWith: 'put' },
			}),
			...{ sends: ['PUT p1'], sets: { p1: { nickName: 'New' } }, once: true },
		},
	]);
});

describe('a PUT sends attributes alone: no entry without a value, nothing of a PATCH that was kept', () => {
	const odd = { 'name.givenName': 'Old', Operations: [{ op: 'replace' }], schemas: [PATCH_SCHEMA] };
	const none = [null, { value: null, type: 'work', primary: true }];
	const put = (w) => ({
		...{ user: w.user('p1'), ...mapped({ title: 'Lead' }) },
		options: { updateWith: 'put' },
	});
	table('user', 'update', [
		{
			it: 'of a user without an email: scimitar',
			on: dialect('scimitar', {}, { p1: { has: '', emails: none.slice(1) } }),
			...{ wish: put, sends: ['PUT p1'], sets: { p1: { title: 'Lead' } }, once: true },
		},
		{
			it: 'of a user with what a service has kept of a PATCH',
			on: on({}, { p1: { has: '', ...odd, phoneNumbers: [...none, { value: '1' }] } }),
			...{ wish: put, sends: ['PUT p1'] },
			bodies: [
				{
					...{ schemas: [USER_SCHEMA], id: expect.any(String), userName: email('p1') },
					...{ emails: [{ value: email('p1'), primary: true }], displayName: 'p1', active: true },
					...{ name: { givenName: 'p1', familyName: 'X' }, phoneNumbers: [{ value: '1' }] },
					title: 'Lead',
				},
			],
			sets: {
				p1: {
					...{ title: 'Lead', phoneNumbers: [{ value: '1' }] },
					...{ 'name.givenName': undefined, Operations: undefined, schemas: undefined },
				},
			},
			once: true,
		},
	]);
	table('group', 'setMembers', [
		{
			it: 'of a group',
			on: () => new Groups(PEOPLE, { groups: [{ id: 'g', displayName: 'G', ...odd }] }),
			...{ wish: to('p1 p3', WHOLE_LIST), sends: ['PUT g'], ...P2_OUT, once: true },
			bodies: [
				{
					...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], id: 'g' },
					...{ displayName: 'G', members: [expect.anything(), expect.anything()] },
				},
			],
		},
	]);
});

describe('a whole list that is refused blames nobody', () => {
	const ASKED = { usersShowGroups: 'all', showsMembers: 'all' };
	table('group', 'setMembers', [
		{
			it: 'the difference is sent instead: keycloak',
			...{ on: dialect('keycloak', ASKED), wish: to('p1 p3', WHOLE_LIST) },
			...{ sends: ['PUT g 400', 'PATCH g'], ...P2_OUT },
		},
		{
			it: 'not even the only one: keycloak',
			...{ on: dialect('keycloak', ASKED), wish: to('p1 p2 p3', WHOLE_LIST) },
			...{ sends: ['PUT g 400', 'PATCH g'], ...P3_IN },
		},
		{
			it: 'nor where the look after it breaks off: that is what is said',
			on: dialect('keycloak', {
				...ASKED,
				faults: [
					{ method: 'PUT', kind: 'missing', status: 400 },
					{ method: 'GET', path: /Groups.g/, nth: 2, kind: 'html-403' },
				],
			}),
			...{ wish: to('p1 p2 p3', WHOLE_LIST), sends: ['PUT g'] },
			fails: ['the service answered 403'],
		},
		...['aws', 'sentry'].map((name) => ({
			it: `no PUT of groups: ${name}`,
			on: dialect(name, { credential: { serviceProfile: DIALECTS[name].preset } }),
			...{ wish: to('p1 p2 p3', WHOLE_LIST), sends: ['PUT g 405', 'PATCH g'], ...P3_IN },
		})),
	]);
});

describe.each(['zitadel', 'authentik2024'])('%s has no PATCH of groups', (name) => {
	const refusal = `PATCH g ${DIALECTS[name].switches.withoutAnswers ?? 405}`;
	const sends = [refusal, 'PUT g'];
	table('group', 'addMembers', [
		{
			it: 'added by PUT of what was just read, which is said',
			...{ on: dialect(name), wish: to('p3'), warns: ['A PUT may overwrite'], sends, ...P3_IN },
		},
		{
			it: 'learned once: three groups take one refusal',
			on: dialect(
				name,
				{ groups: ['g', 'h', 'i'], credential: ONE_AT_A_TIME },
				{ p1: 'g h i', p3: '' },
			),
			wish: (w) => ({
				items: ['g', 'h', 'i'].map((id) => ({ ...inG(w, 'p3'), group: w.group(id) })),
			}),
			...{ sends: [refusal, 'PUT g', 'PUT h', 'PUT i'], ends: { p3: 'g h i' } },
		},
		...[0, 50, 100].map((count) => ({
			it: `a group that shows ${count}, and may have more, is not sent: a PUT would remove who is hidden`,
			on: dialect(
				name,
				{ showsMembers: 'whenAny', ignoresCount: false, pageCap: Infinity, overlap: 0 },
				{ ...crowd(count, 'g'), last: '' },
			),
			...{ wish: to('last'), fails: ['The service has no PATCH of groups'], sends: [refusal] },
		})),
		{
			it: 'an empty one is, where the credential says that groups show their members',
			on: dialect(
				name,
				{ credential: { overrideProfile: true, groupsShowMembers: 'yes' } },
				{ p3: '' },
			),
			...{ wish: to('p3'), sends, ...P3_IN },
		},
		{
			it: 'who joins between the look and the PUT stays where there are ETags',
			...{ on: dialect(name, { etags: 'strong' }, { p1: 'g', p2: '', p3: '' }), wish: to('p3') },
			meanwhile: ['PUT g', (scim, w) => scim.modify('g', [{ op: 'add', ids: [w.userId('p2')] }])],
			...{ sends: [refusal, 'PUT g 412', 'PUT g'], ends: { p2: 'g', p3: 'g' } },
		},
	]);
	table('group', 'addMembers', [
		{
			it: 'after a refused PUT each is sent alone, and looked at again where that takes its time',
			on: dialect(
				name,
				{ faults: [{ method: 'PUT', nth: 1, kind: 'missing', status: 400 }] },
				{ p1: 'g', p3: '', p4: '' },
			),
			wish: to('p3 p4'),
			meanwhile: [
				'GET g',
				(scim, w) => {
					putLate({})(scim, w);
					scim.setActive(w.userId('p4'), false);
				},
				4,
			],
			fails: ['p4@example.com is inactive now, so no access was given'],
			...{ sends: [refusal, 'PUT g', refusal, 'PUT g'], ends: { p3: 'g', p4: 'inactive' } },
		},
	]);
	table('group', 'removeMembers', [
		{
			it: 'who is removed goes, and nobody else',
			...{ on: dialect(name), wish: to('p1'), sends, ends: { p1: '' } },
		},
	]);
	table('group', 'setMembers', [
		{ it: 'Set Members is one PUT', on: dialect(name), wish: to('p1 p3'), sends, ...P2_OUT },
	]);
	table('group', 'update', [
		{
			it: 'Group: Update keeps its members',
			...{ on: dialect(name), wish: to('', { updateFields: { displayName: 'New' } }), sends },
			...{ items: [{ displayName: 'New', status: 'done' }], once: true },
		},
	]);
});

describe('no PATCH of users: authentik2024', () => {
	const put = { sends: ['PATCH p1 405', 'PUT p1'] };
	const roles = ['reader', 'editor', 'owner'].map((value) => ({ value }));
	table('user', 'update', [
		{
			it: 'a PUT of the whole user',
			on: dialect('authentik2024'),
			...{ wish: (w) => ({ user: w.user('p1'), ...mapped({ 'name.givenName': 'Zoe' }) }), ...put },
			sets: { p1: { name: { givenName: 'Zoe', familyName: 'X' } } },
		},
		{
			it: 'not of what chooses among values, which is no attribute: it is refused',
			on: dialect('authentik2024', { credential: ONE_AT_A_TIME }),
			wish: (w) => ({
				items: [
					{ user: w.user('p1'), ...mapped({ title: 'Lead' }) },
					{ user: w.user('p2'), ...mapped({ 'emails[type eq "work"].value': email('new') }) },
				],
			}),
			...{ sends: ['PATCH p1 405', 'PUT p1', 'PATCH p2 405'], fails: ['the service answered 405'] },
			sets: { p1: { title: 'Lead' } },
		},
		{
			it: 'a value is given and another taken',
			on: dialect('authentik2024', {}, { p1: { has: '', entitlements: roles.slice(0, 2) } }),
			wish: (w) => ({
				user: w.user('p1'),
				accessValues: {
					value: [
						{ action: 'remove', attribute: 'entitlements', value: 'editor' },
						{ action: 'add', attribute: 'entitlements', value: 'owner' },
					],
				},
			}),
			sends: ['PATCH p1 405', 'PATCH p1 405', 'PUT p1'],
			sets: { p1: { entitlements: [roles[0], roles[2]] } },
		},
	]);
	table('user', 'deactivate', [
		{
			it: 'three people take one refusal',
			...{ on: dialect('authentik2024', { credential: ONE_AT_A_TIME }), wish: each },
			...{ sends: ['PATCH p1 405', 'PUT p1', 'PUT p2', 'PUT p3'], ...ALL_OFF },
		},
	]);
});

describe('a PATCH of users that changes nothing: keystone', () => {
	const OTHERS = { schemas: expect.anything(), Operations: expect.anything() };
	const off = (w) => ({ user: w.user('p1') });
	const tried = ['PATCH p1', 'PATCH p1', 'PUT p1'];
	const kept = (sets) => ({ p1: { ...OTHERS, ...sets } });
	const still = 'the service shows active true';
	const byEmailOf = (name) => () => ({ user: byEmail(email(name)) });
	const shownById = ({ path }) => {
		const [, id] = /Users\/(.*)/.exec(path);
		return { schemas: [USER_SCHEMA], id, userName: email('p1'), active: true };
	};
	const withTitle = { p1: { has: 'g', title: 'Clerk' } };
	table('user', 'deactivate', [
		{
			it: 'a PUT of the whole user is tried by one, then by all, and has nothing of the PATCH in it',
			...{ on: dialect('keystone', { credential: ONE_AT_A_TIME }), wish: each },
			sends: [...tried, 'PATCH p2', 'PUT p2', 'PATCH p3', 'PUT p3'],
			bodies: expect.arrayContaining([
				{
					...{ schemas: [USER_SCHEMA], id: expect.any(String), userName: email('p2') },
					...{ emails: [{ value: email('p2'), primary: true }], displayName: 'p2', active: false },
					name: { givenName: 'p2', familyName: 'X' },
				},
			]),
			warns: Array(3).fill('A PUT may overwrite'),
			...{ ...ALL_OFF, sets: { p1: OTHERS, p2: OTHERS, p3: OTHERS } },
		},
		{
			it: 'an ETag that no header can carry is none',
			...{ on: dialect('keystone', { etags: 'unsendable' }), wish: off },
			sends: ['PATCH p1', 'PATCH p1', 'PUT p1'],
			warns: ['A PUT may overwrite'],
			...{ ends: { p1: 'inactive g' }, sets: kept({}) },
		},
		{
			it: 'what others change at the same moment stays where there are ETags',
			...{ on: dialect('keystone', { etags: 'strong' }), wish: off },
			meanwhile: [
				'PUT p1',
				(scim, w) => {
					const user = scim.users.get(w.userId('p1'));
					scim.store({ ...user, attributes: { ...user.attributes, title: 'Lead' } });
				},
			],
			sends: ['PATCH p1', 'PATCH p1', 'PUT p1 412', 'PUT p1'],
			...{ ends: { p1: 'inactive g' }, sets: kept({ title: 'Lead' }) },
		},
		{
			it: 'one that is refused is tried by one alone, and what is said is what the PATCH has left',
			on: dialect('keystone', { without: ['PUT Users', 'PUT Groups'], credential: ONE_AT_A_TIME }),
			...{ wish: each, fails: Array(3).fill(still) },
			sends: ['PATCH p1', 'PATCH p1', 'PUT p1 405', 'PATCH p2', 'PATCH p3'],
			sets: { p1: OTHERS, p2: OTHERS, p3: OTHERS },
		},
		{
			it: 'none where a read by ID lacks what a filter has shown: the PUT would clear it',
			on: dialect(
				'keystone',
				{
					faults: [
						{ method: 'GET', path: /Users\/./, kind: 'status', status: 200, body: shownById },
					],
				},
				withTitle,
			),
			...{ wish: byEmailOf('p1'), sends: ['PATCH p1', 'PATCH p1'], fails: [still] },
			sets: kept(),
		},
		{
			it: 'none where the answer does not show the user, as reads may lag behind',
			on: dialect('keystone', { patchAnswers: '204' }),
			...{ wish: off, sends: ['PATCH p1', 'PATCH p1'], fails: [still], sets: kept() },
		},
		{
			it: 'none where the answer shows what was sent, and reads lag behind',
			...{ on: on({ lagReads: 50 }), wish: off, sends: ['PATCH p1', 'PATCH p1'] },
			...{ fails: [still], ends: { p1: 'inactive g' } },
		},
		{
			it: 'none where what the user has in roles is not understood',
			on: dialect('keystone', {}, { p1: { has: 'g', roles: [{ $ref: 'other' }] } }),
			...{ wish: off, sends: ['PATCH p1', 'PATCH p1'], fails: [still], sets: kept() },
		},
	]);
	table('user', 'update', [
		{
			it: 'a name, which is tried as a whole first',
			on: dialect('keystone'),
			wish: (w) => ({ user: w.user('p1'), ...mapped({ 'name.givenName': 'Zoe' }) }),
			...{ sends: tried, sets: kept({ name: { givenName: 'Zoe', familyName: 'X' } }) },
		},
		{
			it: 'text, at once',
			on: dialect('keystone', {}, withTitle),
			wish: (w) => ({ user: w.user('p1'), ...mapped({ title: 'Lead' }) }),
			...{ sends: tried.slice(1), sets: kept({ title: 'Lead' }) },
		},
		{
			it: 'a name and `active`, in three requests',
			on: dialect('keystone'),
			wish: (w) => ({ user: w.user('p1'), ...mapped({ 'name.givenName': 'Zoe', active: false }) }),
			...{ sends: tried, ends: { p1: 'inactive g' } },
			sets: kept({ name: { givenName: 'Zoe', familyName: 'X' } }),
		},
		{
			it: 'what others show, of a user who has none',
			on: dialect('keystone', { credential: ONE_AT_A_TIME }, { ...withTitle, p2: '' }),
			wish: (w) => ({
				items: ['p1', 'p2'].map((who) => ({ user: w.user(who), ...mapped({ title: 'Lead' }) })),
			}),
			sends: ['PATCH p1', 'PATCH p2', 'PUT p1', 'PUT p2'],
			sets: { p1: { ...OTHERS, title: 'Lead' }, p2: { ...OTHERS, title: 'Lead' } },
		},
		{
			it: 'none of what nobody shows, which may be hidden',
			...{ on: dialect('keystone'), sends: ['PATCH p1'], fails: ['the wanted title'] },
			wish: (w) => ({ user: w.user('p1'), ...mapped({ title: 'Lead' }) }),
			sets: kept(),
		},
		{
			it: 'none where a PATCH has an effect: it is this attribute that does not change',
			on: on(
				{
					credential: ONE_AT_A_TIME,
					onWrite({ body }) {
						for (const one of body?.Operations ?? [])
							if (one.path === 'title') Object.assign(one, { path: 'elsewhere' });
					},
				},
				{ p1: { has: '', title: 'Clerk' }, p2: '' },
			),
			wish: (w) => ({
				items: [
					{ user: w.user('p1'), ...mapped({ title: 'Lead' }) },
					{ user: w.user('p2'), ...mapped({ displayName: 'Bo' }) },
				],
			}),
			...{ sends: ['PATCH p1', 'PATCH p2'], fails: ['the wanted title'] },
			sets: { p1: { elsewhere: 'Lead' }, p2: { displayName: 'Bo' } },
		},
		...[{}, { patchAnswers: 'stale' }].map((switches) => ({
			it: `none where the service keeps the value in its own way: ${JSON.stringify(switches)}`,
			on: on(
				{
					...switches,
					onWrite({ body }) {
						for (const one of body?.Operations ?? []) Object.assign(one, { value: 'Chief' });
					},
				},
				{ p1: { has: '', title: 'Clerk' } },
			),
			wish: (w) => ({ user: w.user('p1'), ...mapped({ title: 'Lead' }) }),
			...{ sends: ['PATCH p1'], sets: { p1: { title: 'Chief' } } },
			...{ warns: ['The service shows title "Chief" instead of "Lead" for '], once: true },
		})),
	]);
	table('access', 'changeEmail', [
		{
			it: 'a rename',
			on: dialect('keystone'),
			wish: (w) => ({ user: w.user('p1'), newEmail: email('q1') }),
			...{ sends: tried.slice(1), ends: { p1: undefined, q1: 'g' }, once: true },
		},
	]);
	table('access', 'offboard', [
		{
			it: 'a leaver',
			...{ on: dialect('keystone'), wish: () => ({ people: emails('p1') }) },
			...{ sends: [...tried, 'PATCH g'], ends: { p1: 'inactive' }, sets: kept() },
		},
	]);
});

describe('`active` without a path', () => {
	const sent = (status, ...names) => names.map((name) => `PATCH ${name}${status}`);
	const elsewhere = (only) => ({
		onWrite({ body }) {
			for (const one of body?.Operations ?? [])
				if (!only || one.path === only) Object.assign(one, { path: 'elsewhere' });
		},
	});
	const off = (name) => ({ [name]: { elsewhere: false } });
	table('user', 'deactivate', [
		{
			it: 'is tried after a refusal, and kept for the run: django-scim2',
			...{ on: dialect('djangoScim2', { credential: ONE_AT_A_TIME }), wish: each },
			sends: ['PATCH p1 501', ...sent('', 'p1', 'p2', 'p3')],
			ops: [
				{ op: 'replace', path: 'active', value: false },
				...Array(3).fill({ op: 'replace', value: { active: false } }),
			],
			...ALL_OFF,
		},
		{
			it: 'is tried where the change was taken and is not seen: by one, then by all',
			...{ on: on(elsewhere('active')), wish: each },
			...{ sends: sent('', 'p1', 'p1', 'p2', 'p2', 'p3', 'p3'), ...ALL_OFF },
			sets: { ...off('p1'), ...off('p2'), ...off('p3') },
		},
		{
			it: 'is tried once where it does not help',
			on: on({ ...elsewhere(), without: ['PUT Users'] }),
			...{ wish: each, fails: Array(3).fill('Could not confirm') },
			sends: [...sent('', 'p1', 'p1', 'p2', 'p3'), expect.stringMatching(/^PUT p\d 405$/)],
			sets: { p1: { elsewhere: { active: false } }, ...off('p2'), ...off('p3') },
		},
		{
			it: 'is tried once where something else is refused',
			...{ on: on({ patchTakes: ['title'], credential: ONE_AT_A_TIME }), wish: each },
			fails: Array(3).fill('PATCH takes title alone'),
			sends: sent(' 400', 'p1', 'p1', 'p2', 'p3'),
		},
	]);
});

describe('other forms', () => {
	const name = { givenName: 'Zoe', familyName: 'X' };
	const NAMELESS = { p1: { has: '', name: undefined }, p2: { has: '', name: undefined } };
	const zoe = (who) => (w) => ({ user: w.user(who), ...mapped({ 'name.givenName': 'Zoe' }) });
	const elsewhere = {
		onWrite({ body }) {
			for (const one of body?.Operations ?? [])
				if (one.path === 'name.givenName') Object.assign(one, { path: 'elsewhere' });
		},
	};
	table('user', 'update', [
		{
			it: 'a name goes as a whole, with the parts that were read: pranems',
			on: dialect('pranems'),
			wish: (w) => ({ user: w.user('p1'), ...mapped({ 'name.givenName': 'Zoe' }) }),
			sends: ['PATCH p1', 'PATCH p1'],
			ops: [
				{ op: 'replace', path: 'name.givenName', value: 'Zoe' },
				{ op: 'replace', path: 'name', value: name },
			],
			sets: { p1: { name, 'name.givenName': 'Zoe' } },
		},
		{
			it: 'a name that is not there is sent as a whole, too: pranems',
			on: dialect('pranems', {}, NAMELESS),
			wish: zoe('p1'),
			sends: ['PATCH p1', 'PATCH p1'],
			ops: [
				{ op: 'replace', path: 'name.givenName', value: 'Zoe' },
				{ op: 'replace', path: 'name', value: { givenName: 'Zoe' } },
			],
			sets: { p1: { name: { givenName: 'Zoe' }, 'name.givenName': 'Zoe' } },
		},
		{
			it: 'so it goes where the path is refused, and by all after that',
			on: on({ patchTakes: ['name', 'displayName'], credential: ONE_AT_A_TIME }),
			wish: (w) => ({ items: ['p1', 'p2'].map((who) => zoe(who)(w)) }),
			sends: ['PATCH p1 400', 'PATCH p1', 'PATCH p2'],
			sets: { p1: { name }, p2: { name } },
		},
		{
			it: 'and is not guessed at where the value is refused',
			on: on({ patchTakes: ['displayName'], credential: ONE_AT_A_TIME }),
			wish: (w) => ({ items: ['p1', 'p2'].map((who) => zoe(who)(w)) }),
			...{ sends: ['PATCH p1 400', 'PATCH p1 400', 'PATCH p2 400'], fails: Array(2).fill('alone') },
		},
		{
			it: 'it is tried by one, then by all',
			on: dialect('pranems', {}, NAMELESS),
			wish: (w) => ({ items: ['p1', 'p2'].map((one) => zoe(one)(w)) }),
			sends: ['PATCH p1', 'PATCH p1', 'PATCH p2', 'PATCH p2'],
			sets: Object.fromEntries(
				['p1', 'p2'].map((one) => [one, { name: { givenName: 'Zoe' }, 'name.givenName': 'Zoe' }]),
			),
		},
		{
			it: 'a path that changes nothing without a word, where others show a name',
			on: on({ ...elsewhere, credential: ONE_AT_A_TIME }, { ...NAMELESS, p3: '' }),
			wish: (w) => ({ items: ['p3', 'p1'].map((one) => zoe(one)(w)) }),
			sends: ['PATCH p3', 'PATCH p3', 'PATCH p1', 'PATCH p1'],
			sets: {
				p1: { name: { givenName: 'Zoe' }, elsewhere: 'Zoe' },
				p3: { name, elsewhere: 'Zoe' },
			},
		},
		{
			it: 'a name that nobody shows may be hidden: as a whole it would lose its other parts',
			on: on({ keepsAlone: ['displayName'] }, { p1: { ...NAMELESS.p1, emails: undefined } }),
			...{ wish: zoe('p1'), sends: ['PATCH p1'], fails: ['the wanted name.givenName'] },
		},
	]);
	table('group', 'removeMembers', [
		{
			it: 'a removal has none, and the error names Member Removal: django-scim2',
			...{ on: dialect('djangoScim2'), wish: to('p1 p2') },
			fails: Array(2).fill('see Member Removal in the credential'),
			sends: Array(3).fill('PATCH g 501'),
		},
	]);
	table('group', 'setMembers', [
		{
			it: 'nothing else is sent where a PATCH was taken before: django-scim2',
			...{ on: dialect('djangoScim2'), wish: to('p1 p3') },
			items: [expect.anything(), expect.anything(), expect.anything()],
			fails: ['see Member Removal in the credential'],
			...{ sends: ['PATCH g 501', 'PATCH g', 'PATCH g 501'], ...P3_IN },
		},
	]);
	const taken = (otherForms, people) => on({ otherForms }, people);
	for (const otherForms of ['refused', 'ignored']) {
		const row = {
			it: `one object instead of an array, a missing path, a URN-prefixed path: ${otherForms}`,
		};
		const rows = (wish, sends, more) => [{ ...row, on: taken(otherForms), wish, sends, ...more }];
		const p1 = (w) => ({ user: w.user('p1') });
		table(
			'user',
			'update',
			rows(
				(w) => ({ ...p1(w), ...mapped({ 'name.givenName': 'Zoe', displayName: 'Zoe' }) }),
				['PATCH p1'],
				{ sets: { p1: { name, displayName: 'Zoe' } } },
			),
		);
		table('user', 'deactivate', rows(p1, ['PATCH p1'], { ends: { p1: 'inactive g' } }));
		table('group', 'addMembers', rows(to('p3'), ['PATCH g'], P3_IN));
		table('group', 'removeMembers', rows(to('p1'), ['PATCH g'], { ends: { p1: '' } }));
		table('group', 'setMembers', rows(to('p1 p3'), ['PATCH g'], P2_OUT));
	}
});

describe('a rename by path that fails is looked at, and sent once without a path', () => {
	const FAILS = { failsAtTextPaths: true };
	/** A request that fails is sent again, as often as any. */
	const failing = (line) => Array(5).fill(`${line} 500`);
	const renamed = { ends: { p1: undefined, q1: 'g' } };
	const user = (w) => ({ user: w.user('p1'), ...mapped({ userName: email('q1') }) });
	const group = to('', { updateFields: { displayName: 'New' } });
	const done = { items: [{ displayName: 'New', status: 'done' }], once: true };
	const failed = { fails: [/wanted displayName.*500/] };
	const shownWithMembers = { sends: [...failing('PATCH g'), 'PATCH g'] };
	table('user', 'update', [
		{
			it: 'a user',
			...{ on: on(FAILS), wish: user, sends: [...failing('PATCH p1'), 'PATCH p1'], ...renamed },
			ops: [
				...Array(5).fill({ op: 'replace', path: 'userName', value: email('q1') }),
				{ op: 'replace', value: { userName: email('q1') } },
			],
			once: true,
		},
		{
			it: 'by one, then by all',
			on: on({ ...FAILS, credential: ONE_AT_A_TIME }),
			wish: (w) => ({
				items: [1, 2].map((at) => ({
					...{ user: w.user(`p${at}`), ...mapped({ userName: email(`q${at}`) }) },
				})),
			}),
			sends: [...failing('PATCH p1'), 'PATCH p1', ...failing('PATCH p2'), 'PATCH p2'],
			...{ ends: { p1: undefined, p2: undefined, q1: 'g', q2: 'g' }, once: true },
		},
		{
			it: 'not where the look shows that it was made',
			on: on({ faults: [{ method: 'PATCH', kind: '500-after' }] }),
			...{ wish: user, sends: Array(5).fill('PATCH p1'), ...renamed, once: true },
		},
		{
			it: 'nor where nothing shows whether it was made',
			on: on({
				faults: [
					{ method: 'PATCH', kind: '500-html' },
					{ method: 'GET', path: /Users./, from: 2, kind: 'html-403' },
				],
			}),
			...{ wish: user, sends: Array(5).fill('PATCH p1'), fails: ['Could not confirm'] },
		},
		{
			it: 'once where that fails, too',
			on: on({ faults: [{ method: 'PATCH', kind: '500-html' }], credential: ONE_AT_A_TIME }),
			wish: (w) => ({
				items: [1, 2].map((at) => ({
					...{ user: w.user(`p${at}`), ...mapped({ userName: email(`q${at}`) }) },
				})),
			}),
			sends: [...Array(10).fill('PATCH p1'), ...Array(5).fill('PATCH p2')],
			fails: Array(2).fill(/wanted userName.*500/),
		},
		{
			it: 'not after 502, which is no matter of form',
			on: on({ faults: [{ method: 'PATCH', kind: 'status', status: 502 }] }),
			...{ wish: user, sends: Array(5).fill('PATCH p1'), fails: [/wanted userName.*502/] },
		},
		{
			it: 'not what is no rename',
			...{ on: on(FAILS), wish: (w) => ({ user: w.user('p1'), ...mapped({ title: 'Lead' }) }) },
			...{ sends: failing('PATCH p1'), fails: ['500'] },
		},
	]);
	table('access', 'changeEmail', [
		{
			it: 'the email with it',
			...{ on: on(FAILS), wish: (w) => ({ user: w.user('p1'), newEmail: email('q1') }) },
			...{ sends: [...failing('PATCH p1'), 'PATCH p1'], ...renamed, once: true },
			sets: { q1: { emails: [{ value: email('q1'), primary: true }] } },
		},
		{
			it: 'not where the rename was made, and the email was not',
			on: on({
				faults: [{ method: 'PATCH', kind: '500-after' }],
				onWrite: ({ body }) => void body.Operations.pop(),
			}),
			wish: (w) => ({ user: w.user('p1'), newEmail: email('q1') }),
			...{ sends: Array(5).fill('PATCH p1'), fails: [/wanted emails.*500/], ...renamed },
			sets: { q1: { emails: [{ value: email('p1'), primary: true }] } },
		},
	]);
	table('group', 'update', [
		{ it: 'a group', ...{ on: on(FAILS), wish: group, ...shownWithMembers, ...done } },
		{
			it: 'not of a group that may not show all its members, of whom a loss would not be seen',
			...{ on: on({ ...FAILS, showsMembers: 'empty' }), wish: group, ...failed },
			sends: failing('PATCH g'),
		},
		{
			it: 'members who are lost by it are named',
			...{ on: on({ ...FAILS, emptiesWithoutPath: true }), wish: group, ...shownWithMembers },
			...{ fails: ['group g lost p1@example.com, p2@example.com with it'] },
			ends: { p1: '', p2: '' },
		},
		{
			it: 'once where that fails, too',
			...{ on: on({ faults: [{ method: 'PATCH', kind: '500-html' }] }), wish: group, ...failed },
			sends: Array(10).fill('PATCH g'),
		},
		{
			it: 'nor is one that is not accepted for its credential',
			on: on({
				faults: [
					{ method: 'PATCH', kind: '500-html', times: 5 },
					{ method: 'PATCH', kind: 'status', status: 401 },
				],
			}),
			...{ wish: group, sends: Array(6).fill('PATCH g'), fails: [/^Could not confirm: .*500/] },
		},
		{
			it: 'one that is refused is not what is said',
			on: on({ ...FAILS, otherForms: 'refused' }),
			...{ wish: group, ...failed, sends: [...failing('PATCH g'), 'PATCH g 400'] },
		},
	]);
});

describe('people who are refused', () => {
	/** A service that refuses each request that adds one of these. */
	const refusing = (isBad) => ({
		unknownMembers: 'refused',
		onWrite({ body, method }, scim) {
			const ids = (body?.Operations ?? []).flatMap(({ value }) => value ?? []);
			const isRefused = ({ value }) =>
				isBad(Number(scim.users.get(value)?.attributes.displayName.slice(1)));
			if (method !== 'PATCH' || !ids.some(isRefused)) return;
			for (const operation of body.Operations) operation.value = [{ value: 'nobody' }];
		},
	});
	const play100 = async (
		isBad,
		parameters,
		operation = ['group', 'addMembers'],
		groups = ['g'],
	) => {
		const world = new Groups(crowd(100), { groups, ...refusing(isBad) });
		const items = await play(world, operation, parameters(world));
		const { requests } = world.service;
		return {
			errors: items.flatMap(({ error }) => error ?? []),
			writes: requests.filter(({ method }) => method === 'PATCH').length,
			requests: requests.length,
			members: world.service.now().groups.get('g').length,
		};
	};
	const everybody = to(names(100));

	test('one bad entry of 100: one look and a request for each, and nobody else is blamed', async () => {
		const { errors, writes, members } = await play100((at) => at === 38, everybody);
		expect(errors).toEqual([expect.stringContaining('does not accept p38@example.com')]);
		expect(members).toBe(99);
		expect(writes).toBe(1 + 100);
	});

	test('everybody: each is sent alone, and named', async () => {
		const { errors, writes, requests, members } = await play100(() => true, everybody);
		const alone = errors.filter((error) => error.includes('does not accept'));
		expect([errors.length, alone.length, members]).toEqual([100, 100, 0]);
		expect(errors.join()).not.toContain('email domain');
		expect(writes).toBe(1 + 100);
		expect(requests).toBeLessThan(1 + 100 + 20);
	});

	test('two thirds: those who can get in do', async () => {
		const { errors, members } = await play100((at) => at <= 66, everybody);
		expect([errors.length, members]).toEqual([66, 34]);
	});
});

describe('`remove`, `path: "members"`, `value: [...]` removes **every** member on two of six servers: removal form is a setting: value list (this service), or `members[value eq "id"]` one operation per user (works on all); check the members afterwards', () => {
	const EMPTIES = { removesEverybody: ['valueList'] };
	const four = { p1: 'g', p2: 'g', p3: 'g', p4: 'g' };
	const out = { ends: { p1: '', p3: '' } };
	table('group', 'removeMembers', [
		{
			it: 'the generic profile does not use the form',
			...{ on: on(EMPTIES, four), wish: to('p1 p3'), sends: ['PATCH g'] },
			ops: [1, 2].map(() => ({
				op: 'remove',
				path: expect.stringMatching(/^members\[value eq "/),
			})),
			...out,
		},
		{
			it: 'the account profile does: one operation for all',
			on: () => new Account({ p1: 'a:viewer', p2: 'a:viewer', p3: 'a:viewer', bob: 'a:admin' }),
			wish: (w) => ({ ...inG(w, 'p1 p3'), group: w.group('a:viewer') }),
			sends: ['PATCH a:viewer'],
			ops: [{ op: 'remove', path: 'members', value: [expect.anything(), expect.anything()] }],
			...out,
		},
		{
			it: 'set to the wrong form: the members are looked at afterwards, and named',
			on: on(
				{ ...EMPTIES, credential: { overrideProfile: true, memberRemoval: 'valueList' } },
				four,
			),
			wish: to('p1 p3'),
			fails: ['lost 2 more than this run removed', 'lost 2 more than this run removed'],
			...{ sends: ['PATCH g'], ends: { p1: '', p2: '', p3: '', p4: '' } },
		},
		{
			it: 'a service without the other form: said, and nobody is out',
			...{ on: on({ refusesFilterPath: 400 }), wish: to('p1'), fails: ['Bad path'] },
			sends: ['PATCH g 400'],
		},
	]);
});

describe('members: what is there already, what is answered, how many', () => {
	const dropped = { faults: [{ method: 'PATCH', kind: 'dropped' }] };
	const limited = (mostMembers) => on({ mostMembers }, crowd(mostMembers * 2 + 50));
	table('group', 'addMembers', [
		{
			it: 'adding a member twice stores it twice: who is a member is not added again',
			on: on({ storesTwice: true }),
			wish: (w) => ({ items: ['p1 p1', 'p3 p3', 'p3'].map((who) => inG(w, who)) }),
			items: ['none p1 g unchanged', 'granted p3 g done', 'granted p3 g done'],
			...{ sends: ['PATCH g'], ...P3_IN },
		},
		...[
			{ patchAnswers: '204' },
			{ patchAnswers: 'both' },
			{ patchAnswers: 'stale' },
			{ faults: [{ on: 'PATCH', kind: 'status', status: 200, body: {}, write: true }] },
		].map((switches) => ({
			it: `PATCH answers 200, 204, or both from one server: ${JSON.stringify(switches)}`,
			...{ on: on(switches), wish: to('p3'), sends: ['PATCH g'], ...P3_IN },
		})),
		{
			it: 'many people by ID are two lists and one write, on the account',
			on: () => new Account({ ...crowd(30), bob: 'a:admin' }),
			wish: (w) => ({
				...{ chooseGroupBy: 'group', group: w.group('a:viewer') },
				items: Object.keys(crowd(30)).map((name) => ({ people: w.userId(name) })),
			}),
			...{ sends: ['PATCH a:viewer'], reads: 2, ends: crowd(30, 'a:viewer') },
		},
		...['upper', 'lower'].map((names) => ({
			it: `names of attributes in ${names} case`,
			...{ on: on({ names }), wish: to('p1 p3'), sends: ['PATCH g'], ...P3_IN },
			items: ['none p1 g unchanged', 'granted p3 g done'],
		})),
		{
			it: '200 and nothing changed: an error',
			...{ on: on(dropped), wish: to('p3'), fails: [/^Could not confirm: /], sends: ['PATCH g'] },
		},
		{
			it: 'limits on one PATCH: 100 members',
			...{ on: limited(100), wish: to(names(250)), sends: Array(3).fill('PATCH g') },
			ends: crowd(250, 'g'),
		},
		{
			it: 'more members, as set in the credential',
			on: on(
				{ mostMembers: 250, credential: { overrideProfile: true, membersPerRequest: 250 } },
				crowd(251),
			),
			...{ wish: to(names(251)), sends: Array(2).fill('PATCH g'), ends: crowd(251, 'g') },
		},
		{
			it: '1 MB: Lower Members Per Request',
			on: on(
				{ mostBytes: 5000, credential: { overrideProfile: true, membersPerRequest: 300 } },
				crowd(300),
			),
			...{ wish: to(names(300)), fails: Array(300).fill('the service answered 413') },
			sends: ['PATCH g 413'],
		},
	]);
	table('group', 'removeMembers', [
		{
			it: '200 and nothing changed: an error',
			...{ on: on(dropped), wish: to('p1'), fails: [/^Could not confirm: /], sends: ['PATCH g'] },
		},
		{
			it: 'limits on one PATCH: 100 members',
			on: on({ mostMembers: 100 }, crowd(250, 'g')),
			wish: to(names(250), { options: { maxPeopleAffected: 250 } }),
			...{ sends: Array(3).fill('PATCH g'), ends: crowd(250) },
		},
	]);
	table('group', 'get', [
		{
			it: 'stored twice already: read once',
			on: () => {
				const world = on()();
				const { groups } = world.service;
				groups.set('g', [...groups.get('g'), ...groups.get('g')]);
				world.before = world.shape();
				return world;
			},
			wish: to(''),
			items: [
				{
					members: ['p1', 'p2'].map((one) => ({ userId: expect.any(String), display: email(one) })),
				},
			],
		},
	]);
});

describe('groups that never show members (`members: []` always): verify through the user\'s `groups`; say "unverified" when neither shows it', () => {
	for (const showsMembers of ['empty', 'absent']) {
		const hidden = on({ showsMembers, usersShowGroups: 'absent' });
		table('group', 'addMembers', [
			{
				it: `members ${showsMembers}, users show their groups`,
				...{ on: on({ showsMembers }), wish: to('p3'), items: ['granted p3 g done'] },
				...{ sends: ['PATCH g'], ...P3_IN },
			},
			{
				it: `members ${showsMembers}, users do not either`,
				...{ on: hidden, wish: to('p3') },
				fails: [
					/^Could not confirm: make p3@example.com member of group g: neither the group nor the user shows it$/,
				],
				...{ sends: ['PATCH g'], ...P3_IN },
			},
		]);
		table('group', 'removeMembers', [
			{
				it: `members ${showsMembers}: a removal is told by users`,
				...{ on: on({ showsMembers }), wish: to('p1'), items: ['revoked p1 g done'] },
				...{ sends: ['PATCH g'], ends: { p1: '' } },
			},
			{
				it: `members ${showsMembers}, users do not either: nobody is removed`,
				...{ on: hidden, wish: to('p1'), fails: ['The members of group'] },
			},
		]);
	}
});

describe('a text that is none sends nothing', () => {
	const nothing = (it, wish, ...fails) => ({ it, on: on(), wish, fails });
	const texts = [{ first: 'Ana' }, ['Ana', 'Ben']];
	const refused = (name) => [
		`${name} is "{"first":"Ana"}", not text`,
		`${name} is "["Ana","Ben"]", not text`,
	];
	const perItem = texts.map((displayName) => ({ displayName }));
	table('group', 'create', [
		nothing('the name of a group', { items: perItem }, ...refused('displayName')),
	]);
	table('group', 'update', [
		nothing(
			'the new name of a group',
			(w) => ({ items: perItem.map((updateFields) => inG(w, '', { updateFields })) }),
			...refused('displayName'),
		),
		...['', ' '].map((displayName) =>
			nothing(
				`a group keeps its name where the new one is "${displayName}"`,
				to('', { updateFields: { displayName } }),
				'The display name is missing',
			),
		),
	]);
	table('access', 'assign', [
		nothing(
			'an attribute of a new user',
			(w) => ({
				...{ people: email('new'), createMissing: true, ...w.groups('g') },
				items: texts.map((givenName) => ({ newUserFields: { givenName } })),
			}),
			...refused('givenName'),
		),
	]);
});

// n8n hands over the text of an expression where a field takes none, and empties an option that it cannot read.
describe('a workflow that was not made in the editor sends nothing', () => {
	const REVOKE = { accessBy: 'group', revokeIn: 'all' };
	const ASSIGN = { accessBy: 'group', groups: { group: [{ group: 'g' }] } };
	const RECONCILE = {
		...{ accessBy: 'group', wantedFrom: 'json', preview: false, people: undefined },
		wantedJson: JSON.stringify([{ email: 'person1@example.com', group: 'g' }]),
		scopeGroups: { group: [{ group: '*' }] },
	};
	const options = (name, value) => ({ options: { [name]: value } });

	test.each([
		...['={{ true }}', 'true', 1, null].map((preview) => [
			...['Preview is neither on nor off', 'revoke', { ...REVOKE, preview }],
		]),
		...['={{ "keep" }}', 'KEEP'].map((unwanted) => [
			...['Access Not in the List is none of its options', 'reconcile', { ...RECONCILE, unwanted }],
		]),
		['Account Action is none of its options', 'offboard', { method: 'DELETE' }],
		[
			...['Match Users By is none of its options', 'revoke'],
			{ ...REVOKE, ...options('matchUsersBy', '={{ "externalId" }}') },
		],
		[
			...['Allow Removing Last Admin is neither on nor off', 'revoke'],
			{ ...REVOKE, ...options('allowRemovingLastAdmin', '={{ "no" }}') },
		],
		...['VPN', ['VPN'], '={{ ["VPN"] }}', {}].flatMap((value) => [
			['Only These Groups is empty', 'revoke', { ...REVOKE, ...options('managedGroups', value) }],
			['Only These Groups is empty', 'assign', { ...ASSIGN, ...options('managedGroups', value) }],
			['Keep Memberships In is empty', 'offboard', options('keepMembershipsIn', value)],
		]),
	])('%s: %s %j', async (says, operation, parameters) => {
		const groups = [{ id: 'g', members: ['user-1'] }];
		await withServer({ users: people(2), groups }, async (server, scim) => {
			const { error } = await scim('access', operation, { people: 'user-1', ...parameters });
			expect(error.message).toContain(says);
			expect(server.written()).toStrictEqual([]);
		});
	});
});
