import { type Access } from '../../../nodes/shared/access/facts/access';
import {
	otherMembersOf,
	isRisky,
	leavingTogether,
	lossOf,
	missingFrom,
	sparedBy,
	type AfterChange,
	type OtherMembers,
} from '../../../nodes/shared/access/send/otherMembers';
import { type Request } from '../../../nodes/shared/access/send/schedule';
import { PROFILES } from '../../../nodes/shared/scim/protocol/service';
import { Facts } from '../../../nodes/shared/scim/facts/facts';
import { idsIn } from '../../../nodes/shared/scim/facts/members';
import type { Group } from '../../../nodes/shared/scim/protocol/resource';

interface Given {
	/** OtherMembers; `ana` is removed, unless she is added. */
	before: string;
	adds?: true;
	/** Who is shown afterwards; undefined where members are not shown. */
	after?: string;
	nested?: string;
	/** Who alone was asked about. */
	of?: string;
	/** What those say who are missing. */
	member?: string;
	left?: string;
	neither?: string;
}

const words = (text = '') => text.split(' ').filter(Boolean);

function shownIn({ after, nested, of }: Given): Group {
	return {
		...{ id: 'g1', displayName: 'g1', attributes: {} },
		...(after !== undefined && { members: words(after).map((id) => ({ id })) }),
		...(nested !== undefined && { nested: words(nested) }),
		...(of !== undefined && { of: new Set(words(of)) }),
	};
}

const TWENTY_ONE = Array.from({ length: 21 }, (_, number) => `p${number}`).join(' ');

it.each<[string, Given, ReturnType<typeof sparedBy>]>([
	[
		'who was removed is still shown, and one who is missing has left the service: older',
		{ before: 'ben cleo', after: 'ana ben', left: 'cleo' },
		undefined,
	],
	[
		'who was removed is still shown, and several are missing',
		{ before: 'ben cleo', after: 'ana', neither: 'ben cleo' },
		{ lost: ['ben', 'cleo'], othersStay: false },
	],
	[
		'who was added is not shown yet: older',
		{ before: 'ben cleo', after: 'ben cleo', adds: true },
		undefined,
	],
	[
		'who was added is shown, and the others are not',
		{ before: 'ben cleo', after: 'ana', neither: 'ben cleo', adds: true },
		{ lost: ['ben', 'cleo'], othersStay: false },
	],
	['members are not shown', { before: 'ben' }, { lost: [], othersStay: true }],
	[
		'all are missing, and one of them shows the group',
		{ before: 'ben cleo', after: '', member: 'ben', neither: 'cleo' },
		{ lost: ['cleo'], othersStay: true },
	],
	[
		'only one was asked about',
		{ before: 'ben cleo', after: '', of: 'ben', neither: 'ben' },
		{ lost: ['ben'], othersStay: false },
	],
	[
		'of 21 who are missing 20 are asked',
		{ before: TWENTY_ONE, after: '' },
		{ ask: words(TWENTY_ONE).slice(0, 20) },
	],
])('%s', (_, given, told) => {
	const says: AfterChange['says'] = (id) => {
		if (words(given.member).includes(id)) return 'member';
		if (words(given.left).includes(id)) return 'left';
		return words(given.neither).includes(id) ? 'neither' : undefined;
	};
	const [otherMembers, ana] = [words(given.before), new Set(['ana'])];
	const none = new Set<string>();
	const change = given.adds ? { added: ana, removed: none } : { added: none, removed: ana };
	expect(sparedBy({ otherMembers, ...change, shown: shownIn(given), says })).toEqual(told);
});

it('names a thousand', () => {
	const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);
	expect(lossOf('g1', names(1_000), false, true).reason).toContain('p999),');
	expect(lossOf('g1', names(1_001), false, true).reason).toContain('p999, ...),');
});

describe('what may leave together', () => {
	const MEMBERS = {
		...{ small: ['ana', 'ben'], twin: ['ana', 'ben'] },
		...{ big: ['ana', 'ben', 'cleo'], alone: ['ana'] },
	};
	const request = (groupId: string, gives = false, person = 'ana') =>
		({
			id: `${groupId} ${person}`,
			entries: [
				{
					change: { about: 'entitlement', person: { key: person, id: person } },
					entitlement: { key: groupId, groupId },
					gives,
				},
			],
		}) as unknown as Request;
	const accessTo = (groups: Record<string, readonly string[]>, more: Partial<Group> = {}) =>
		({
			groups: new Map(
				Object.entries(groups).map(([id, members]) => [
					id,
					{ id, members: members.map((one) => ({ id: one })), ...more },
				]),
			),
		}) as unknown as Access;
	const OF_CLEO = { about: 'account', person: { key: 'cleo', id: 'cleo' } };
	const all = [request('big'), request('alone'), request('small'), request('big', true, 'dan')];
	const known = (requests = all, more = {}) =>
		otherMembersOf(requests, accessTo(MEMBERS, more), PROFILES.generic);
	const idsOf = (otherMembers: OtherMembers | undefined, requests = all) =>
		leavingTogether(requests, otherMembers).map(({ id }) => id);

	it('is a removal from a group of unknown size at the last', () => {
		const access = accessTo(MEMBERS);
		const hidden = { id: 'hidden', nested: ['g2'] } as unknown as Group;
		const groups = new Map([...access.groups, ['hidden', hidden]]);
		const requests = [request('hidden'), request('unread'), request('big')];
		const otherMembers = otherMembersOf(requests, { ...access, groups }, PROFILES.generic);
		otherMembers?.note('unread', ['gus']);
		expect(idsOf(otherMembers, requests)).toEqual(['big ana']);
		expect(idsOf(otherMembers, requests.slice(0, 2))).toEqual(['hidden ana']);
		expect([isRisky('none', otherMembers), otherMembers?.of('none')]).toEqual([false, []]);
	});

	it('a person changed, by the account or in the group, is no other member', () => {
		const ofGroup = { change: { about: 'group', key: 'big', subject: 'big' } };
		const more = { id: 'more', entries: [{ change: OF_CLEO }, ofGroup] } as unknown as Request;
		const otherMembers = known([...all, more], { nested: ['g2'] });
		expect(otherMembers?.of('big')).toEqual(['ben', 'g2']);
	});

	it('a removal is what takes a member out of a group, whatever else is in the request', () => {
		const user = { id: 'user', entries: [{ change: OF_CLEO }] } as unknown as Request;
		const [taken, given] = [request('big'), request('small', true, 'dan')];
		const mixed = { ...given, entries: [...given.entries, ...request('small').entries] };
		const [none, one, two] = [[user], [given], [mixed]].map((more) => known([taken, ...more]));
		expect([none, one, two].map((all) => isRisky('big', all))).toEqual([false, false, true]);
	});

	it('a person changed in another group is a other member', () => {
		expect(known([request('small')])?.of('big')).toEqual(MEMBERS.big);
	});

	it('nobody is watched without an earlier read, and where an add moves', () => {
		expect(otherMembersOf(all, undefined, PROFILES.generic)).toBeUndefined();
		const moves = { ...PROFILES.generic, addMovesWithinOrganization: true };
		expect(otherMembersOf(all, accessTo(MEMBERS), moves)).toBeUndefined();
	});
});

it('walks the members that an answer shows once, whatever is asked of them', () => {
	let walked = 0;
	const members = Array.from({ length: 1_000 }, (_, at) => ({ id: `p${at}` }));
	const counted = new Proxy(members, {
		get: (target, name) => {
			if (/^\d+$/.test(String(name))) walked += 1;
			return Reflect.get(target, name) as unknown;
		},
	});
	const shown = { id: 'g1', displayName: 'g1', attributes: {}, members: counted };
	const otherMembers = ['p1', 'p2'];
	const [added, removed] = [new Set<string>(), new Set(['gone'])];
	expect(missingFrom(shown, otherMembers)).toStrictEqual([]);
	const told = sparedBy({ otherMembers, added, removed, shown, says: () => undefined });
	expect([told, idsIn(shown).has('p9')]).toEqual([{ lost: [], othersStay: true }, true]);
	expect(walked).toBe(1_000);
});

it('notes each change of the members of a group by itself, and never all before it again', () => {
	const timing = { wait: async () => {}, stopped: () => undefined, limitMs: 0 };
	const facts = new Facts(
		PROFILES.generic,
		timing,
		(id) => id,
		() => true,
	);
	const adding = jest.spyOn(Set.prototype, 'add');
	for (let at = 0; at < 100; at++)
		facts.noteMembersChange('g1', { added: [], removed: [`p${at}`] }, facts.leaving());
	const adds = adding.mock.calls.length;
	adding.mockRestore();
	expect([adds, facts.membersChangeOf('g1')?.removed.size]).toEqual([100, 100]);
});
