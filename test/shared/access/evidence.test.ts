import { Evidence, idsIn } from '../../../nodes/shared/access/facts/evidence';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';
import type { Group, User } from '../../../nodes/shared/scim/protocol/resource';
import type { Attempt } from '../../../nodes/shared/util/attempt';
import { fakePatience } from '../../support/fakeTransport';
import { ids } from '../../support/plans';

const [GROUP, KEY, ANA, BEN] = ['org-1:admin', ids.key('org-1:admin'), 'ana', 'ben'];
const DOWN: Attempt<undefined> = { ok: false, error: 'the service is down' };
const GONE: Attempt<undefined> = { ok: true, value: undefined };

const group = (members?: readonly string[], more: Partial<Group> = {}): Attempt<Group> => ({
	ok: true,
	value: {
		...{ id: GROUP, displayName: GROUP, attributes: {} },
		...(members !== undefined && { members: members.map((id) => ({ id })) }),
		...more,
	},
});

const user = (...groupIds: string[]): Attempt<User> => ({ ok: true, value: { ...BARE, groupIds } });
const BARE = { id: ANA, userName: ANA, attributes: {} } as User;
const SILENT_USER: Attempt<User> = { ok: true, value: BARE };

const others = (count: number) => Array.from({ length: count }, (_, number) => `${number}`);

interface Service {
	groupsShowMembers?: 'yes';
	filtersFound?: boolean;
}

function evidenceOf({ groupsShowMembers, filtersFound = true }: Service = {}) {
	let paused = 0;
	const profile = { ...PROFILES.generic, ...(groupsShowMembers && { groupsShowMembers }) };
	const client = { profile, filtersFound: () => filtersFound, showsMembers: () => true };
	const patience = { ...fakePatience(), pauses: () => paused };
	const evidence = new Evidence(client as never, ids, patience);
	return {
		evidence,
		pause: () => (paused += 1),
		/** Shows these one after the other. */
		show(
			...seen: Array<{ group: Attempt<Group | undefined> } | { user: Attempt<User | undefined> }>
		) {
			for (const one of seen) {
				if ('group' in one) evidence.seeGroup(GROUP, one.group, evidence.leaving());
				else evidence.seeUser(ANA, one.user, evidence.leaving());
			}
		},
	};
}

const OUT = { is: false, isHidden: true };
const OUT_FOR_SURE = { is: false, isHidden: false };
const HIDDEN = { isHidden: true };
const SHOWS: Service = { groupsShowMembers: 'yes' };

describe('whether a user is in a group', () => {
	type Shown = Parameters<ReturnType<typeof evidenceOf>['show']>;
	const [IN, ERROR] = [{ is: true }, { error: 'the service is down' }];
	const byFilter = (members?: string[]) => ({ group: group(members, { byFilter: true }) });
	const askedOf = (id: string) => ({ group: group([BEN], { of: new Set([id]) }) });
	const [FULL, EMPTY, MUTE] = [[BEN], [], undefined].map((members) => ({ group: group(members) }));
	const [SAYS, ELSEWHERE] = [[GROUP], ['org-2:admin']].map((own) => ({
		user: user(...own),
	}));

	it.each<[string, Service, Shown, object]>([
		['nothing was shown', {}, [], {}],
		['the group shows it', {}, [{ group: group([BEN, ANA]) }], IN],
		['the group shows nobody', {}, [EMPTY], OUT],
		['the group, which always shows them, shows no members', SHOWS, [MUTE], OUT],
		['filters found nobody', {}, [byFilter([])], OUT_FOR_SURE],
		['filters never found anybody', { filtersFound: false }, [byFilter([])], { isHidden: false }],
		['filters tell no members', {}, [byFilter()], { isHidden: false }],
		['it was asked of others', {}, [askedOf(BEN)], HIDDEN],
		['it was asked of others, where groups always show members', SHOWS, [askedOf(BEN)], HIDDEN],
		['it was asked of the person', {}, [askedOf(ANA)], OUT],
		['the group shows 100 others, maybe a page', {}, [{ group: group(others(100)) }], HIDDEN],
		['the group shows 200 others, maybe a page', {}, [{ group: group(others(200)) }], HIDDEN],
		['the group shows 1,000 others, maybe a page', {}, [{ group: group(others(1_000)) }], HIDDEN],
		['the group shows 101 others', {}, [{ group: group(others(101)) }], OUT],
		['the group always shows all of its 100', SHOWS, [{ group: group(others(100)) }], OUT],
		['there is no such group', {}, [{ group: GONE }], HIDDEN],
		['the group was not read', {}, [{ group: DOWN }], ERROR],
		['the person was not read', {}, [{ user: DOWN }], ERROR],
		['the person shows it', {}, [{ user: user('org-2:admin', GROUP) }], IN],
		['the person shows it in another spelling', {}, [{ user: user('whylabs-org-1:ADMIN') }], IN],
		['the person shows another group', {}, [ELSEWHERE], OUT_FOR_SURE],
		['the person does not show groups', {}, [{ user: SILENT_USER }], {}],
		['the person is gone', {}, [{ user: GONE }], OUT],
		['the person shows it, then the group another one', {}, [SAYS, FULL], OUT],
		['the group shows another one, then the person shows it', {}, [FULL, SAYS], IN],
		['the person is gone, then the group cannot tell', {}, [{ user: GONE }, MUTE], HIDDEN],
		['the group cannot tell, then the person is gone', {}, [MUTE, { user: GONE }], OUT],
	])('%s', (_, service, seen, known) => {
		const { evidence, show } = evidenceOf(service);
		show(...seen);
		expect(evidence.membership(KEY, ANA, 0)).toEqual(known);
	});

	it.each([
		['nobody', [], HIDDEN],
		['another one', [BEN], OUT],
	])('a group that hid its members before shows %s', (_, members, known) => {
		const { evidence, show } = evidenceOf();
		show({ group: group(members) });
		expect(evidence.membership(KEY, ANA, 0, true)).toEqual(known);
	});

	it('only what left since counts', () => {
		const { evidence, show } = evidenceOf();
		show({ group: group([ANA]) }, { user: user(GROUP) });
		expect(evidence.membership(KEY, ANA, 1)).toEqual({ is: true });
		expect(evidence.membership(KEY, ANA, 2)).toEqual({ is: true });
		expect(evidence.membership(KEY, ANA, 3)).toEqual({});
	});
});

describe('what was shown last', () => {
	it('is what left last, whenever it came', () => {
		const { evidence } = evidenceOf();
		const [first, second] = [evidence.leaving(), evidence.leaving()];
		evidence.seeGroup(GROUP, group([ANA]), second);
		evidence.seeGroup(GROUP, group([]), first);
		evidence.seeUser(ANA, user(GROUP), second);
		evidence.seeUser(ANA, GONE, first);
		expect(evidence.group(KEY)).toEqual(group([ANA]));
		expect(evidence.user(ANA)).toEqual(user(GROUP));
		evidence.seeGroup(GROUP, group([BEN]), second);
		evidence.seeUser(ANA, GONE, second);
		expect(evidence.group(KEY)).toEqual(group([BEN]));
		expect(evidence.user(ANA)).toEqual(GONE);
	});

	it('an answer counts from when it came, and is as old as its request', () => {
		const { evidence, pause } = evidenceOf();
		const left = evidence.leaving();
		const look = evidence.leaving();
		pause();
		const answered = evidence.answeredTo(left);
		expect(answered).toEqual({ ...left, number: look.number + 1 });
		evidence.seeUser(ANA, user(GROUP), answered, true);
		evidence.seeUser(ANA, GONE, look);
		expect(evidence.user(ANA)).toEqual(user(GROUP));
		expect(evidence.isAnswerOf(ANA)).toBe(true);
		expect(evidence.isFreshUser(ANA)).toBe(false);
	});

	it('was an answer or a look', () => {
		const { evidence, show } = evidenceOf();
		expect(evidence.isAnswerOf(ANA)).toBe(false);
		show({ user: user() });
		expect(evidence.isAnswerOf(ANA)).toBe(false);
	});
});

describe('what was seen a moment ago', () => {
	it.each<[string, Attempt<Group | undefined>, string[], boolean]>([
		['of everybody', group([]), [ANA, BEN], true],
		['of these people', group([], { of: new Set([ANA, BEN]) }), [ANA, BEN], true],
		['of one of them', group([], { of: new Set([BEN]) }), [ANA, BEN], false],
		['and was not read', DOWN, [], false],
		['and is gone', GONE, [ANA], false],
	])('a group that was asked %s', (_, read, people, isFresh) => {
		const { evidence, show } = evidenceOf();
		show({ group: read });
		expect(evidence.freshGroup(KEY, people)).toEqual(isFresh && read.ok ? read.value : undefined);
	});
});

it.each<[string, Parameters<ReturnType<typeof evidenceOf>['show']>, boolean]>([
	['nothing was shown', [], false],
	['the group shows it', [{ group: group([BEN, ANA]) }], true],
	['the person shows it', [{ group: group([BEN]) }, { user: user(GROUP) }], true],
	['neither shows it', [{ group: group([BEN]) }, { user: user('org-2:admin') }], false],
	['the person was not read', [{ user: DOWN }], false],
])('a user was shown in a group a moment ago: %s', (_, seen, isThere) => {
	const { evidence, show, pause } = evidenceOf();
	show(...seen);
	expect(evidence.showedMember(KEY, ANA)).toBe(isThere);
	pause();
	expect(evidence.showedMember(KEY, ANA)).toBe(false);
});

describe('people who were taken out of a group', () => {
	it('are known until it is told what that did to the others', () => {
		const { evidence } = evidenceOf();
		expect(evidence.removalFrom(KEY)).toBeUndefined();
		expect(evidence.isUnreadAfterRemoval(KEY)).toBe(false);
		evidence.noteRemoval(KEY, [ANA], evidence.leaving());
		const later = evidence.leaving();
		evidence.noteRemoval(KEY, [BEN], later);
		const removed = new Set([ANA, BEN]);
		expect(evidence.removalFrom(KEY)).toEqual({ removed, since: later.number });
		evidence.forgetRemoval(KEY);
		expect(evidence.removalFrom(KEY)).toBeUndefined();
	});

	it('are looked for until a read that left later has come, of whatever kind', () => {
		const { evidence } = evidenceOf();
		const before = evidence.leaving();
		const removal = evidence.leaving();
		evidence.noteRemoval(KEY, [ANA], removal);
		expect(evidence.isUnreadAfterRemoval(KEY)).toBe(true);
		evidence.seeGroup(GROUP, group([BEN]), before);
		expect(evidence.isUnreadAfterRemoval(KEY)).toBe(true);
		evidence.seeGroup(GROUP, group([BEN]), removal, true);
		expect(evidence.isUnreadAfterRemoval(KEY)).toBe(true);
		evidence.seeGroup(GROUP, DOWN, removal);
		expect(evidence.isUnreadAfterRemoval(KEY)).toBe(false);
	});
});

it.each<[string, Attempt<Group | undefined>, boolean]>([
	['shows nobody', group([]), true],
	['shows no members', group(), true],
	['shows a member', group([BEN]), false],
	['shows what may be a page', group(others(200)), true],
	['was asked by filter', group([], { byFilter: true }), false],
	['is gone', GONE, true],
])('people are asked where a group %s: %j', (_, read, isSilent) => {
	const { evidence, show } = evidenceOf();
	expect(evidence.isSilent(KEY, 0)).toBe(false);
	show({ group: read });
	expect(evidence.isSilent(KEY, 1)).toBe(isSilent);
	expect(evidence.isSilent(KEY, 2)).toBe(false);
});

it('the ids in a group, which may show no members', () => {
	const shown = [group([ANA, BEN]), group()].map((read) => read.ok && [...idsIn(read.value)]);
	expect(shown).toStrictEqual([[ANA, BEN], []]);
});
