'use strict';

// A change of members that takes others along (nodes/shared/access/send/otherMembers.ts): told, and never repaired.

const { Account, Groups, emails, locator, table } = require('../support/behavior');
const { ONE_AT_A_TIME } = require('../support/options');
const { userIdOf } = require('../support/memoryService');

const NAMES = ['ana', 'ben', 'cid', 'dan', 'eve'];
const idOf = (name) => userIdOf(emails(name));
const all = (has, names = NAMES) => Object.fromEntries(names.map((name) => [name, has]));
const EMPTIES = { removesEverybody: ['valueList'] };
const on =
	({ credential, ...switches } = {}, people = { ...all('g1'), fay: '' }) =>
	() =>
		new Groups(people, {
			...switches,
			credential: { overrideProfile: true, memberRemoval: 'valueList', ...credential },
		});
const inGroup = (w, id = 'g1') => ({ chooseGroupBy: 'group', group: w.group(id) });
const removeAna = (w) => ({ ...inGroup(w), people: emails('ana') });
/** Ana is removed from each. */
const fromEach =
	(...ids) =>
	(w) => ({
		people: emails('ana'),
		items: ids.map((id) => inGroup(w, id)),
	});
const lost = (group, count) => new RegExp(`Group ${group} lost ${count} more`);
const NO_OTHER = /No further change of members was sent/;
const gone = (names) => all('', names.split(' '));

describe('a removal that takes other members along', () => {
	const message =
		'Could not confirm: remove ana@example.com as member of group g1: Group g1 lost 4 more than this run removed (ben@example.com, cid@example.com, dan@example.com, eve@example.com), so no further change of members was sent. Another run may have removed them. If not, choose another Member Removal in the credential, and restore them with Access: Assign';
	const ids = (count) => Array.from({ length: count }, (_, at) => `g${at + 1}`);
	const many = (count) => Object.fromEntries(ids(count).map((name) => [name, 'g1']));
	const several = (it, switches) => ({
		...{
			it,
			on: on({ ...EMPTIES, ...switches }, all(ids(8).join(' '))),
			wish: fromEach(...ids(8)),
		},
		fails: [lost('g1', 4), ...Array(7).fill(NO_OTHER)],
		...{ sends: ['PATCH g1'], ends: all(ids(8).slice(1).join(' ')) },
	});
	table('group', 'removeMembers', [
		...['body', '204'].map((patchAnswers) => ({
			it: `answered with ${patchAnswers}: named, and nothing more is sent`,
			on: on({ ...EMPTIES, patchAnswers }),
			wish: removeAna,
			...{ fails: [message], sends: ['PATCH g1'], ends: all('') },
		})),
		...[{}, { groupsStandFor: 'organizationAndRole', groupPattern: 'x{organization}:{role}' }].map(
			(credential) => ({
				it: `an empty group leaves its members out: ${JSON.stringify(credential)}`,
				on: on(
					{
						...{ ...EMPTIES, credential, showsMembers: 'whenAny', usersShowGroups: 'absent' },
						patchAnswers: '204',
					},
					all('g1 g2 g3'),
				),
				wish: fromEach('g1', 'g2', 'g3'),
				fails: [lost('g1', 4), NO_OTHER, NO_OTHER],
				...{ sends: ['PATCH g1'], ends: all('g2 g3') },
			}),
		),
		several('one at a time', { credential: ONE_AT_A_TIME }),
		several('one at a time, 204', { credential: ONE_AT_A_TIME, patchAnswers: '204' }),
		several('side by side', {}),
		several('side by side, 204', { patchAnswers: '204' }),
		several('20 side by side', { credential: { writesPerMinute: 100_000 }, patchAnswers: '204' }),
		{
			it: 'many members go in several requests: the first one is enough to stop',
			on: on(EMPTIES, many(300)),
			wish: (w) => ({
				...{ ...inGroup(w), people: emails(ids(250).join(' ')) },
				options: { maxPeopleAffected: 2000 },
			}),
			fails: [...Array(100).fill(lost('g1', 50)), ...Array(150).fill(NO_OTHER)],
			...{ sends: ['PATCH g1'], ends: all('', ids(300)) },
		},
		{
			it: '2,000 members: the first thousand are named',
			on: on(EMPTIES, many(2000)),
			wish: (w) => ({ ...inGroup(w), people: emails('g1') }),
			fails: [/lost 1999 more.*g2@example\.com, .*, \.\.\.\), so no further/],
			...{ sends: ['PATCH g1'], ends: all('', ids(2000)) },
		},
		{
			it: 'who is removed from another group in the same run is missed here',
			on: on(EMPTIES, { ana: 'g1', ben: 'g1 g2', cid: 'g1', dan: 'g2' }),
			wish: (w) => ({
				items: [
					{ ...inGroup(w, 'g1'), people: emails('ana') },
					{ ...inGroup(w, 'g2'), people: emails('ben') },
				],
			}),
			fails: [
				'No further change of members was sent, because group g2 lost more members',
				'Group g2 lost 1 more than this run removed (dan@example.com)',
			],
			...{ sends: ['PATCH g2'], ends: { ben: 'g1', dan: '' } },
		},
		{
			it: 'a service that spares others once, and empties a group later, is stopped, too',
			on: () => {
				const world = on({ credential: ONE_AT_A_TIME }, { ...all('g0 g1 g2'), eve: 'g1 g2' })();
				world.service.given.onRequest = (_, { method }) => {
					if (method === 'PATCH' && world.service.written().length > 1)
						world.service.switches.removesEverybody = ['valueList'];
				};
				return world;
			},
			wish: fromEach('g1', 'g2', 'g0'),
			fails: [lost('g1', 4), NO_OTHER],
			sends: ['PATCH g0', 'PATCH g1'],
			ends: { ...all('g0 g2'), ana: 'g2', eve: 'g2' },
		},
		{
			it: 'one goes along, others stay: a warning',
			on: on({ alsoRemoves: [idOf('dan')] }),
			wish: removeAna,
			items: [
				{
					status: 'done',
					warnings: [
						'Group g1 lost 1 more than this run removed (dan@example.com). Another run may have done so.',
					],
				},
			],
			...{ sends: ['PATCH g1'], ends: gone('ana dan') },
		},
		{
			it: 'several go along, others stay: an alarm',
			on: on({ alsoRemoves: [idOf('cid'), idOf('dan')] }),
			wish: removeAna,
			...{ fails: [lost('g1', 2)], sends: ['PATCH g1'], ends: gone('ana cid dan') },
		},
		...[400, 501].map((refusesFilterPath) => ({
			it: `a removal by filter path is ${refusesFilterPath}: nothing else is tried`,
			on: on({ refusesFilterPath, credential: { memberRemoval: 'profile' } }),
			wish: removeAna,
			...{ fails: [/see Member Removal/], sends: [`PATCH g1 ${refusesFilterPath}`] },
		})),
	]);
	table('access', 'revoke', {
		it: 'roles are watched, too',
		on: on(
			{
				...EMPTIES,
				credential: {
					groupsStandFor: 'organizationAndRole',
					groupPattern: '{organization}:{role}',
				},
			},
			{ ana: 'a:member', ben: 'a:member', eve: 'a:admin' },
		),
		wish: () => ({
			...{ people: emails('ana'), accessBy: 'organizationAndRole', revokeIn: 'one' },
			organization: locator('id', 'a'),
		}),
		...{ fails: [lost('a:member', 1)], sends: ['PATCH a:member'], ends: gone('ana ben') },
	});
	table('group', 'delete', {
		it: 'a group that is not there is not deleted',
		on: on(),
		wish: (w) => inGroup(w, 'g7'),
		fails: ['There is no group "g7"'],
	});
});

describe('an add that takes members along', () => {
	/**
	 * A service that takes an add as the whole list, or keeps so many of those who were there (BerriAI/litellm issue 34162,
	 * tuist/tuist issue 13209).
	 */
	const keeping = (keeps, { answers = '204', ...switches } = {}) => {
		const world = on({ patchAnswers: answers, ...switches }, { ...all('g1 g2'), fay: '' })();
		const { service } = world;
		const exchange = service.exchange.bind(service);
		service.exchange = async (request) => {
			const id = request.url.split('/').at(-1);
			const before = service.groups.get(id);
			if (request.method === 'PATCH' && request.body?.includes('"op":"add"'))
				service.groups.set(id, before.slice(0, keeps));
			return await exchange(request);
		};
		return world;
	};
	const fay = (w) => ({ people: emails('fay'), ...w.groups('g1 g2') });
	table('access', 'assign', [
		...['204', 'body'].map((answers) => ({
			it: `all others: named in both groups, answered with ${answers}`,
			...{ on: () => keeping(0, { answers }), wish: fay },
			fails: [lost('g1', 5), lost('g2', 5)],
			...{ sends: ['PATCH g1', 'PATCH g2'], ends: { ...all(''), fay: 'g1 g2' } },
		})),
		{
			it: 'one group at a time: the other one keeps its members',
			on: () => keeping(0, { answers: 'body', credential: ONE_AT_A_TIME }),
			wish: fay,
			fails: [lost('g1', 5), NO_OTHER],
			...{ sends: ['PATCH g1'], ends: { ...all('g2'), fay: 'g1' } },
		},
		{
			it: 'one of several: a warning',
			on: () => keeping(4),
			wish: fay,
			items: ['g1', 'g2'].map((group) => ({
				status: 'done',
				warnings: [expect.stringMatching(`${group} lost 1 more .*eve@.*Another run may have`)],
			})),
			...{ sends: ['PATCH g1', 'PATCH g2'], ends: { eve: '', fay: 'g1 g2' } },
		},
	]);
});

describe('the last member goes, and the group leaves its members out', () => {
	const last = { patchAnswers: '204', usersShowGroups: 'absent' };
	table('group', 'removeMembers', {
		it: 'some were seen before: done',
		on: on({ ...last, showsMembers: 'whenAny' }, { ana: 'g1' }),
		wish: removeAna,
		...{ sends: ['PATCH g1'], ends: gone('ana') },
	});
});

describe('Set Members', () => {
	const three = (w) => ({ ...inGroup(w), people: emails('ana ben cid') });
	const whole = (w) => ({ ...three(w), options: { replaceWith: 'wholeList' } });
	const alarm = { fails: Array(2).fill(lost('g1', 3)), ends: all('') };
	table('group', 'setMembers', [
		{ ...alarm, it: 'Difference', on: on(EMPTIES), wish: three, sends: ['PATCH g1'] },
		...['body', '204'].map((patchAnswers) => ({
			...{ ...alarm, it: `Whole List, ${patchAnswers}`, wish: whole, sends: ['PUT g1'] },
			on: on({ removesEverybody: ['put'], patchAnswers }),
		})),
		...[three, whole].map((wish, at) => ({
			...{ it: `nothing is raised on a service that behaves (${at})`, on: on(), wish },
			...{ sends: [at === 0 ? 'PATCH g1' : 'PUT g1'], ends: gone('dan eve') },
		})),
	]);
});

describe('no alarm', () => {
	const CID = idOf('cid');
	const behaves = (it, switches, meanwhile, more) => ({
		...{ it, on: on({ credential: { memberRemoval: 'profile' }, ...switches }), wish: removeAna },
		items: ['revoked ana g1 done'],
		...{ sends: ['PATCH g1'], ends: { ana: '' } },
		...(meanwhile && { meanwhile: ['PATCH g1', meanwhile] }),
		...more,
	});
	table('group', 'removeMembers', [
		...['body', '204', 'both'].map((patchAnswers) => behaves(patchAnswers, { patchAnswers })),
		...['empty', 'absent'].map((answersMembers) =>
			behaves(`members ${answersMembers}`, { answersMembers }),
		),
		behaves(
			'another member was deleted meanwhile',
			{},
			(scim) => {
				scim.users.delete(CID);
				scim.drop('g1', CID);
			},
			{ ends: { ana: '', cid: undefined } },
		),
		behaves(
			'another member was deactivated meanwhile, and left',
			{},
			(scim) => {
				scim.setActive(CID, false);
				scim.drop('g1', CID);
			},
			{ ends: { ana: '', cid: 'inactive' } },
		),
		behaves(
			'one was deleted meanwhile and another taken along: that one is told',
			{ alsoRemoves: [CID, idOf('dan')] },
			(scim) => scim.users.delete(CID),
			{
				items: [{ warnings: [expect.stringContaining('removed (dan@example.com)')] }],
				ends: { ana: '', cid: undefined, dan: '' },
			},
		),
		{
			it: 'many groups of a service that behaves cost no look more: before, removed, read back',
			on: on({ patchAnswers: '204' }, all('g1 g2 g3')),
			wish: fromEach('g1', 'g2', 'g3'),
			...{ sends: ['PATCH g1', 'PATCH g2', 'PATCH g3'], reads: 7, ends: { ana: '' } },
		},
	]);
	table('access', 'set', {
		it: 'two moves on a service that moves by itself',
		on: () => new Account({ ana: 'a:member', ben: 'a:member', cid: 'a:viewer', eve: 'a:admin' }),
		wish: (w) => ({ people: emails('ana ben'), ...w.roles('a:viewer') }),
		...{ sends: ['PATCH a:viewer'], ends: { ana: 'a:viewer', ben: 'a:viewer' } },
	});
});
