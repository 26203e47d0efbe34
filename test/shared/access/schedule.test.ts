import { isValue } from '../../../nodes/shared/access/changes/change';
import {
	scheduleOf,
	type Entry,
	type WholeLists,
} from '../../../nodes/shared/access/send/schedule';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { ACCOUNT, readChange } from '../../support/plans';

const BY_HAND = { addMovesWithinOrganization: false };
/** `+ana` gets in, `+ana…` is the first half of a move, and `…-ana` the second. */
function wordsOf({ change, entitlement: one, gives, isFirstStage, isSecondStage }: Entry): string {
	if (change.about !== 'entitlement') return change.key;
	const what = one && isValue(one) ? `${one.attribute}.${one.value}` : change.person.key;
	const words = `${gives ? '+' : '-'}${what}`;
	return `${isSecondStage ? '…' : ''}${words}${isFirstStage ? '…' : ''}`;
}

/** The rounds, such as `VPN: +ana -ben | VPN 2: -eva after Staff`; a list that is sent whole has `=`. */
function roundsOf(lines: string[], traits: Partial<Traits>, lists?: WholeLists): string[] {
	const { rounds } = scheduleOf(lines.map(readChange), { ...ACCOUNT, ...traits }, lists);
	const ids = rounds.flat().map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const called = (id: string) =>
		id
			.replace(/^(members|values)\n(org-1:)?/, '')
			.replace('\n1', '')
			.replace('\n', ' ');
	return rounds.map((round) =>
		round
			.map(({ id, entries, after, isWhole }) => {
				const what = entries.map(wordsOf).join(' ');
				const name = entries[0].entitlement ? `${called(id)}${isWhole ? ' =' : ':'} ` : '';
				return `${name}${what}${after.length > 0 ? ` after ${after.map(called).join(', ')}` : ''}`;
			})
			.join(' | '),
	);
}

it.each<[string, Partial<Traits>, string[], string[]]>([
	['nothing is to be done', {}, [], []],
	['a move where an add moves', {}, ['ana -member +admin'], ['admin: +ana']],
	[
		'a move from two roles',
		BY_HAND,
		['ana -member -viewer +admin'],
		['admin: +ana…', 'member: …-ana after admin | viewer: …-ana after admin'],
	],
	['a move of which the half is made', BY_HAND, ['ana -member =admin'], ['member: -ana']],
	['a grant beside what is kept', BY_HAND, ['ana =member +admin'], ['admin: +ana']],
	[
		'one request for a user, for its values, and for members of a group: those who get in first, as many as it takes',
		{ membersPerRequest: 2 },
		[
			...['dan +VPN', 'ana -admin', 'ben +roles.buyer', 'ben -roles.seller'],
			...['ben +whylabs-org-1:ADMIN', 'cid +admin', 'dan updated'],
		],
		[
			'ben: +roles.buyer -roles.seller | dan updated | admin: +ben +cid | admin 2: -ana',
			'VPN: +dan after dan updated',
		],
	],
	[
		'removals that wait for memberships keep no others waiting',
		{},
		[
			...['ana -VPN after cid deactivated', 'ana updated', 'ana +admin', 'ben -VPN'],
			...['cid deactivated', 'cid -VPN'],
		],
		[
			'ana updated | cid deactivated',
			'admin: +ana after ana updated | VPN: -ben -cid after cid deactivated',
			'VPN 2: -ana after admin, ana updated, cid deactivated',
		],
	],
	[
		'later halves of moves wait for those that are later still, and removals behind them, too',
		BY_HAND,
		[
			...['ben -member +admin', 'ana activated'],
			...['ana -member +viewer', 'eva -member after ben -member +admin'],
		],
		[
			'ana activated | admin: +ben…',
			'viewer: +ana… after ana activated',
			'member: …-ben …-ana -eva after admin, viewer',
		],
	],
	[
		'of two requests that wait for each other, what can leave does',
		{},
		['eva +VPN after ana -roles.b', 'ben +VPN', 'ana +roles.a after ben +VPN', 'ana -roles.b'],
		['ana: -roles.b | VPN: +ben', 'ana 2: +roles.a after VPN | VPN 2: +eva after ana'],
	],
])('%s', (_, traits, changes, rounds) => {
	expect(roundsOf(changes, traits)).toEqual(rounds);
});

it.each<[string, Partial<Traits>, string[], string[]]>([
	['needs no order', BY_HAND, ['ben -admin after cid +admin', 'cid +admin'], ['admin = +cid -ben']],
	[
		'waits for what is not in it, and others wait as ever',
		BY_HAND,
		['ben +VPN', 'ben -admin', 'cid +roles.a after ana +Staff', 'ana +Staff'],
		['VPN: +ben | Staff: +ana', 'cid: +roles.a after Staff | admin = -ben after VPN'],
	],
	[
		'has all members, more than a request takes else',
		{ ...BY_HAND, membersPerRequest: 1 },
		['ana +admin', 'ben -viewer +admin', 'dan +VPN', 'eva +VPN'],
		['VPN: +dan | VPN 2: +eva | admin = +ana +ben…', 'viewer = …-ben after admin'],
	],
	[
		'of which a part has to wait is none, and keeps its order; others are whole',
		BY_HAND,
		['cid +admin', 'ben -admin after cid +admin', 'eva -admin', 'eva +VPN', 'fay -viewer'],
		['admin: +cid | VPN: +eva | viewer = -fay', 'admin 2: -ben -eva after admin, VPN'],
	],
	[
		'waits for others of its organization, where an add moves',
		{},
		[
			...['ana -viewer +admin', 'ben +viewer', 'cid +owner', 'dan +member', 'eva +guest'],
			...['fay +org-2:admin', 'gus +VPN', 'hal +Club', 'ida +Team'],
		],
		[
			'member: +dan | guest: +eva | VPN: +gus | org-2:admin = +fay | Club = +hal | Team = +ida',
			'admin = +ana after member, guest',
			'viewer = +ben after member, guest, admin',
			'owner = +cid after member, guest, admin, viewer',
		],
	],
])('a whole list %s', (_, traits, changes, rounds) => {
	const lists = {
		isWhole: (key: string) => /(\n(admin|owner|viewer)|Club|Team)$/.test(key),
		organizationOf: (key: string) =>
			traits === BY_HAND || !key.includes('\n') ? undefined : key.split('\n')[0],
	};
	expect(roundsOf(changes, traits, lists)).toEqual(rounds);
});

it('is linear in the changes', () => {
	const readsFor = (people: number) => {
		let reads = 0;
		const counted = (line: string) =>
			new Proxy(readChange(line), {
				get: (target, name) => {
					reads += 1;
					return Reflect.get(target, name) as unknown;
				},
			});
		const lines = Array.from({ length: people }, (_, at) =>
			['created', '-member +admin', `-Team${at % 50}`, '+VPN'].map((what) => `p${at} ${what}`),
		);
		const { rounds } = scheduleOf(lines.flat().map(counted), { ...ACCOUNT, ...BY_HAND });
		expect(rounds.flat().flatMap(({ entries }) => entries)).toHaveLength(5 * people);
		return reads;
	};
	expect(readsFor(1_000)).toBeLessThan(10.5 * readsFor(100));
});
