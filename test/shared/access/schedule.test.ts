import { isValue, type Change, type Rest } from '../../../nodes/shared/access/changes/change';
import { scheduleOf } from '../../../nodes/shared/access/send/schedule';
import type { ServiceProfile } from '../../../nodes/shared/scim/protocol/service';
import { ACCOUNT, ofAccount, ofGroups, ofValue, person } from '../../support/plans';

const [ADMIN, MEMBER, VIEWER] = ['org-1:admin', 'org-1:member', 'org-1:viewer'];
const [ben, cid, eva] = ['ben', 'cid', 'eva'].map(person);
const BY_HAND: ServiceProfile = { ...ACCOUNT, addMovesWithinOrganization: false };
const created = ofAccount('absent', 'active');
const activated = ofAccount('inactive', 'active');
const after = (...changes: Change[]) => changes.map(({ key }): Rest => ({ on: 'change', key }));

/** The requests in their order: who gets in and out, or the key of what is done else. */
const requestsOf = (changes: Change[], traits = ACCOUNT) => {
	const requests = scheduleOf(changes, traits).rounds.flat();
	expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
	return requests.map(({ entries }) => {
		const all = entries.map(({ change, entitlement, gives }) => {
			if (entitlement === undefined || change.about !== 'entitlement') return change.key;
			const what = isValue(entitlement) ? ` ${entitlement.value}` : '';
			return `${gives ? '+' : '-'}${change.person.key}${what}`;
		});
		const [{ entitlement }] = entries;
		const group = entitlement && !isValue(entitlement) ? `${entitlement.groupId}: ` : '';
		return `${group}${all.join(' ')}`;
	});
};

it.each<[string, Change[], ServiceProfile, string[]]>([
	['where an add moves', [ofGroups([MEMBER], [ADMIN])], ACCOUNT, [`${ADMIN}: +ana`]],
	[
		'from two roles',
		[ofGroups([MEMBER, VIEWER], [ADMIN])],
		BY_HAND,
		[`${ADMIN}: +ana`, `${MEMBER}: -ana`, `${VIEWER}: -ana`],
	],
	['of which the half is made', [ofGroups([MEMBER, ADMIN], [ADMIN])], BY_HAND, [`${MEMBER}: -ana`]],
])('a move %s', (_, changes, traits, requests) => {
	expect(requestsOf(changes, traits)).toEqual(requests);
});

it('one request for the values of a user and for the memberships of a group, who gets in first', () => {
	const { rounds } = scheduleOf(
		[
			ofGroups([ADMIN], []),
			...[ofValue(true), ofValue(false), ofGroups([], ['Staff'], ben)],
			...[ofGroups([], ['whylabs-org-1:ADMIN'], ben), ofGroups([], [ADMIN], cid)],
		],
		{ ...ACCOUNT, membersPerRequest: 2 },
	);
	const sent = rounds
		.flat()
		.map(({ id, entries }) => [id, entries.map(({ change }) => change.key)]);
	expect(sent).toEqual([
		['values\nana', ['', '']],
		['members\nStaff\n1', ['ben Staff']],
		[`members\n${ADMIN}\n1`, ['ben whylabs-org-1:ADMIN', `cid ${ADMIN}`]],
		[`members\n${ADMIN}\n2`, [`ana ${ADMIN}`]],
	]);
});

it('a whole list needs no order; one that does not fit into a request keeps it', () => {
	const lists = {
		isWhole: (key: string) => key === 'org-1\nadmin',
		organizationOf: () => undefined,
	};
	const comes = ofGroups([], [ADMIN], cid);
	const goes = { ...ofGroups([ADMIN], [], ben), restsOn: after(comes) };
	const sent = (changes: Change[]) =>
		scheduleOf(changes, BY_HAND, lists)
			.rounds.flat()
			.map(({ isWhole, entries }) => [
				isWhole,
				entries.map(({ change, gives }) => `${gives ? '+' : '-'}${change.key}`).join(' '),
			]);
	expect(sent([comes, goes])).toEqual([[true, `+cid ${ADMIN} -ben ${ADMIN}`]]);
	// Eva goes once she is in VPN, so the others cannot be in one list with her.
	const later = [ofGroups([ADMIN], [], eva), ofGroups([], ['VPN'], eva)];
	expect(sent([comes, goes, ...later]).map(([isWhole, what]) => `${isWhole} ${what}`)).toEqual([
		...[`false +cid ${ADMIN}`, 'false +eva VPN', `false -ben ${ADMIN} -eva ${ADMIN}`],
	]);
});

it.each<[string, Change[], ServiceProfile, string[]]>([
	[
		'removals that wait for memberships keep no others waiting',
		[ofGroups(['VPN'], []), ofGroups([], [ADMIN]), ofGroups(['VPN'], [], ben)],
		ACCOUNT,
		[`${ADMIN}: +ana`, 'VPN: -ben', 'VPN: -ana'],
	],
	[
		'later halves of moves wait for those that are later still, and removals behind them, too',
		[
			...[ofGroups([MEMBER], [ADMIN], ben), activated, ofGroups([MEMBER], [VIEWER])],
			{ ...ofGroups([MEMBER], [], eva), restsOn: after(ofGroups([MEMBER], [ADMIN], ben)) },
		],
		BY_HAND,
		[activated.key, `${ADMIN}: +ben`, `${VIEWER}: +ana`, `${MEMBER}: -ben -ana -eva`],
	],
	[
		'of two requests that wait for each other, what can leave does',
		[
			{ ...ofGroups([], ['VPN'], eva), restsOn: after({ ...ofValue(false), key: 'taken' }) },
			ofGroups([], ['VPN'], ben),
			{ ...ofValue(true), restsOn: after(ofGroups([], ['VPN'], ben)) },
			{ ...ofValue(false), key: 'taken' },
		],
		ACCOUNT,
		['-ana buyer', 'VPN: +ben', '+ana buyer', 'VPN: +eva'],
	],
	['nothing is to be done', [], ACCOUNT, []],
])('%s', (_, changes, traits, requests) => {
	expect(requestsOf(changes, traits)).toEqual(requests);
});

it('is linear in the changes', () => {
	const readsFor = (people: number) => {
		let reads = 0;
		const counted = (change: Change) =>
			new Proxy(change, {
				get: (target, name) => {
					reads += 1;
					return Reflect.get(target, name) as unknown;
				},
			});
		const changes = Array.from({ length: people }, (_, number) => {
			const one = person(`${number}`);
			const own = { ...created, key: `create ${number}`, person: one };
			const left = ofGroups([`Team ${number % 50}`], [], one);
			return [own, ofGroups([MEMBER], [ADMIN], one), left, ofGroups([], ['VPN'], one)];
		});
		const { rounds } = scheduleOf(changes.flat().map(counted), BY_HAND);
		expect(rounds.flat().flatMap(({ entries }) => entries)).toHaveLength(5 * people);
		return reads;
	};
	expect(readsFor(1_000)).toBeLessThan(10.5 * readsFor(100));
});
