import {
	lossesIn,
	type Ending,
	type Gain,
	type Loss,
	type Person,
} from '../../../nodes/shared/access/changes/change';
import {
	adminQuestions,
	newAdminsFirst,
	type AdminQuestion,
} from '../../../nodes/shared/access/guards/admins';
import { permanentRemoval } from '../../../nodes/shared/access/guards/limits';
import { protection, protectsBy } from '../../../nodes/shared/access/guards/accounts';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import type { Traits } from '../../../nodes/shared/scim/protocol/traits';
import { accessOf, ACCOUNT, readChange } from '../../support/plans';

const person = (key: string) => ({ key, id: key });
const admin = <More = object>(key: string, more = {} as More) => ({
	...{ person: person(key), organization: 'org-1', role: 'admin' },
	...more,
});

describe('protection', () => {
	const emails = [{ value: 'boss@x.com' }, { value: 'b@home.example', primary: true }];
	const user = readUser({ id: '1', userName: 'b', emails });
	const seen = (id: string) => (id === '1' ? user : undefined);
	const boss = { key: 'b', id: 'user-1', userName: 'Boss@Example.com' };

	it.each<[string, Omit<Person, 'key'>, string, string]>([
		[
			...(['a person by ID and name', boss] as const),
			'user-1 boss@example.com BOSS@EXAMPLE.COM *@example.com boss@* * user-*',
			'user-10 user @example.com *@example.co boss@example b.ss@example.com (boss|ana)@example.com',
		],
		[
			'a user who was read by emails',
			{ id: '1' },
			'boss@x.com *@home.example b',
			'*@other.example',
		],
		['a user who was not read', { id: '2' }, '2', 'boss@x.com'],
		['a person without ID and name', {}, '', 'boss@x.com user-* *'],
	])('%s', (_, who, patterns, others) => {
		const all = [patterns, others].map((text) => text.split(' ').filter(Boolean));
		const protects = (pattern: string) => protection([pattern], seen)({ key: 'b', ...who });
		expect(all.flat().filter(protects)).toEqual(all[0]);
	});

	it('one of several patterns is enough; without one, no one is protected', () => {
		expect(protection(['x', 'user-1'], seen)(boss)).toBe(true);
		expect(protection([], seen)(boss)).toBe(false);
	});

	it.each([
		[[], false, false, false],
		[['boss@*'], true, false, true],
		[['a@x.com', 'user-1'], true, true, true],
		[['boss*'], true, true, true],
		[['user-1'], true, true, false],
	])('%j asks for names: %p, for IDs: %p, for emails: %p', (patterns, names, ids, asked) => {
		expect(protectsBy(patterns)).toEqual({ names, ids, emails: asked });
	});
});

it.each<[Ending, Partial<Traits>, RegExp | undefined]>([
	['deactivate', { deactivation: 'removes' }, /^Deactivating a person removes.*Permanent Removal/],
	['deactivate', { deactivation: 'drops', deletionIsFinal: true }, undefined],
	['delete', { deletionIsFinal: true }, /^Deleting a person cannot be undone.*Permanent Removal/],
	['delete', { deactivation: 'removes', deletionIsFinal: false }, undefined],
])('%s with %j is refused, unless allowed, with %p', (kind, traits, words) => {
	const refusal = (allowPermanentRemoval: boolean) =>
		permanentRemoval(kind, { ...ACCOUNT, ...traits }, { allowPermanentRemoval });
	expect(refusal(false) ?? '').toMatch(words ?? /^$/);
	expect(refusal(true)).toBeUndefined();
});

const ADMINS = { 'whylabs-org-1:admin': ['a', 'b'], 'org-1:member': ['c'], 'org-2:admin': ['a'] };

it.each<[string, Loss[], Gain[], Array<Partial<AdminQuestion>>]>([
	[
		'an organization that loses an admin, with those who stay and those who become admin there',
		[admin('a')],
		[admin('c'), admin('d', { organization: 'org-2' }), admin('e', { role: 'member' })],
		[{ leaving: new Set(['a']), staying: ['b'], coming: [person('c')] }],
	],
	[
		'one that loses all',
		[admin('a'), admin('b')],
		[],
		[{ leaving: new Set(['a', 'b']), staying: [], coming: [] }],
	],
	['none for other roles', [admin('c', { role: 'member' }), { person: person('c') }], [], []],
	['none for roles of no organization', [admin('a', { organization: undefined })], [], []],
])('adminQuestions: %s', (_, losses, gains, questions) => {
	const place = { organization: 'org-1', groupId: 'whylabs-org-1:admin' };
	expect(adminQuestions(losses, gains, accessOf({ ...ADMINS, VPN: ['a'] }))).toStrictEqual(
		questions.map((one) => ({ ...place, ...one })),
	);
});

it.each<[string, string, string[], string[], Loss[]?]>([
	[
		'those who stop being admin there',
		'new',
		[
			...['eve +admin', 'new +VPN', 'new +org-2:admin', 'new +admin', 'mia -member', 'zoe +viewer'],
			...['old -org-2:member +org-2:viewer', 'old +VPN', 'old -admin +member', 'x deactivated'],
			'zoe -org-2:admin +org-2:member',
		],
		['old -admin +member after new +admin', 'x deactivated after new +admin'],
	],
	[
		'the same, for an admin who is reactivated',
		'back',
		['old -admin', 'gone activated', 'back activated'],
		['old -admin after back activated'],
	],
	[
		'none: another admin comes, and a role changes',
		'new',
		['old -admin', 'new +viewer', 'mia +admin'],
		[],
	],
	['none: an admin who leaves is updated', 'x', ['old -admin', 'x -admin', 'x updated'], []],
	['never the new admin', 'new', ['new +admin'], [], [admin('new')]],
])('the service may refuse the new admin: waits %s', (_, key, lines, waits, more = []) => {
	const changes = lines.map(readChange);
	const held = { groupId: 'org-1:admin', organization: 'org-1', role: 'admin' };
	const losses = lossesIn(changes, () => [held]);
	newAdminsFirst(changes, new Map([['org-1', { key }]]), [...losses, ...more]);
	expect(
		changes.flatMap((change) =>
			change.restsOn.map((rest) => `${change.key} after ${'key' in rest && rest.key}`),
		),
	).toStrictEqual(waits);
});
