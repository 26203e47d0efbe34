import { InputError, shown } from '../../util';
import { type Group, idsIn, type Traits } from '../../scim';
import type { Access } from '../facts';
import { isValue } from '../changes';
import { groupOf, type Request } from './schedule';

/** So many who are gone are asked one by one. */
const MOST_ASKED = 20;
/** An alarm is the only record of who lost access. */
const MOST_NAMED = 1_000;

/** Members that this run did not remove, and that are gone after a change of the members. */
export interface TakenAlong {
	groupId: string;
	/** A whole sentence without its full stop. */
	reason: string;
	/** Whether the change may have taken them along; then no other one of members is sent. */
	isAlarm: boolean;
}

/**
 * Members without a change, by the key of their group. Some services understand a removal as one of every member
 * (test/servers/results.md): until a read has shown that one spared the others, removals go one by one, so that such a service empties
 * one group and not all of them. What others have removed meanwhile looks the same, so it is told and never repaired.
 */
export interface OtherMembers {
	/** Who was in which group when the plan was made. */
	access: Access;
	/** People, and groups in the group, as far as they are known. */
	of(key: string): readonly string[];
	/** Notes the otherMembers among some members of a group that was asked about other people alone. */
	note(key: string, members: readonly string[]): void;
	/** How many requests of the run remove members. */
	removals: number;
	/** Whether a read has shown that a removal spared the others. */
	areSpared: boolean;
	losses: Map<string, TakenAlong>;
}

/**
 * Collects the other members; undefined without an earlier read, and where an add moves people, so that others leave groups
 * all the time.
 */
export function otherMembersOf(
	requests: readonly Request[],
	access: Access | undefined,
	{ addMovesWithinOrganization }: Traits,
): OtherMembers | undefined {
	if (access === undefined || addMovesWithinOrganization) return undefined;
	const touched = new Set<string>();
	for (const { change, entitlement } of requests.flatMap(({ entries }) => entries)) {
		if (change.about === 'group') continue;
		const { id = '' } = change.person;
		const isOfGroup = entitlement && !isValue(entitlement);
		touched.add(isOfGroup ? `${entitlement.key}\n${id}` : id);
	}
	const known = new Map<string, readonly string[]>();
	const note = (key: string, members: readonly string[]) => {
		const others = members.filter((id) => !touched.has(id) && !touched.has(`${key}\n${id}`));
		const all = [...others, ...(access.groups.get(key)?.nested ?? [])];
		known.set(key, all);
		return all;
	};
	return {
		...{ access, note, removals: requests.filter(removes).length },
		...{ areSpared: false, losses: new Map() },
		of: (key) =>
			known.get(key) ?? note(key, access.groups.get(key)?.members?.map(({ id }) => id) ?? []),
	};
}

/** Tells whether a group was asked about some people alone. */
export function isPartial({ access }: OtherMembers, key: string): boolean {
	return access.groups.get(key)?.of !== undefined;
}

function removes(request: Request): boolean {
	return groupOf(request) !== undefined && request.entries.some(({ gives }) => gives !== true);
}

/** Tells whether a removal from the group decides about those that come after it, and so has to be read. */
export function isRisky(key: string, otherMembers: OtherMembers | undefined): boolean {
	if (otherMembers === undefined || otherMembers.areSpared || otherMembers.removals < 2)
		return false;
	return isPartial(otherMembers, key) || otherMembers.of(key).length > 0;
}

/**
 * Picks what of a round may leave together: of the removals only the risky one of the smallest group, as long as there is
 * one.
 */
export function leavingTogether(
	requests: readonly Request[],
	otherMembers: OtherMembers | undefined,
): readonly Request[] {
	const keyOf = (request: Request) => groupOf(request)?.key ?? '';
	const size = (request: Request) =>
		otherMembers?.access.groups.get(keyOf(request))?.members?.length ?? Number.MAX_SAFE_INTEGER;
	const [first, ...others] = requests.filter(
		(request) => removes(request) && isRisky(keyOf(request), otherMembers),
	);
	if (first === undefined) return requests;
	const smallest = others.reduce((one, other) => (size(other) < size(one) ? other : one), first);
	return requests.filter((request) => request === smallest || !removes(request));
}

/** What is known of a group after a change of its members. */
export interface AfterChange {
	/** Who was in it before and is to stay. */
	otherMembers: readonly string[];
	added: ReadonlySet<string>;
	removed: ReadonlySet<string>;
	shown: Group;
	/** What a missing other member shows: the group, to have left the service, or neither; undefined until it was read. */
	says(id: string): 'member' | 'left' | 'neither' | undefined;
}

/** OtherMembers who are gone without having left, and whether others stay; or who has to be asked first. */
export type Spared = { lost: readonly string[]; othersStay: boolean } | { ask: readonly string[] };

/** Tells what a change of members has done to the others; undefined where what was shown is older than it. */
export function sparedBy({
	otherMembers,
	added,
	removed,
	shown,
	says,
}: AfterChange): Spared | undefined {
	const missing = missingFrom(shown, otherMembers);
	const there = idsIn(shown);
	const isOld =
		[...removed].some((id) => there.has(id)) ||
		[...added].some((id) => !there.has(id) && shown.of?.has(id) !== false);
	if (missing.length === 0 && isOld) return undefined;
	const asked = missing.slice(0, MOST_ASKED);
	const ask = asked.filter((id) => says(id) === undefined);
	if (ask.length > 0) return { ask };
	const isShown = asked.some((id) => says(id) === 'member');
	const lost = asked.filter((id) => says(id) === 'neither');
	// One may have left meanwhile, which says nothing of a removal that is still to be seen.
	if (isOld && lost.length < 2) return undefined;
	return {
		lost: isShown ? lost : [...lost, ...missing.slice(MOST_ASKED)],
		othersStay: isShown || toldOf(shown, otherMembers).length > missing.length,
	};
}

/** Returns the other members that a group that tells of them does not show. */
export function missingFrom(shown: Group, otherMembers: readonly string[]): string[] {
	const { members, nested = [] } = shown;
	if (members === undefined) return [];
	const [there, inside] = [idsIn(shown), new Set(nested)];
	return toldOf(shown, otherMembers).filter((id) => !there.has(id) && !inside.has(id));
}

function toldOf({ of }: Group, otherMembers: readonly string[]): readonly string[] {
	return otherMembers.filter((id) => of?.has(id) ?? true);
}

/** Lists the names of those who have lost something. */
export function listed(names: readonly string[]): string {
	return `${names.slice(0, MOST_NAMED).map(shown).join(', ')}${names.length > MOST_NAMED ? ', ...' : ''}`;
}

/**
 * Makes the loss of a group. Several who are gone, or all there were, are an alarm; one among others who stay may have been
 * removed by another run.
 */
export function lossOf(
	groupId: string,
	names: readonly string[],
	othersStay: boolean,
	isRemoval: boolean,
): TakenAlong {
	const isAlarm = names.length > 1 || !othersStay;
	const lost = `Group ${groupId} lost ${names.length} more than this run removed (${listed(names)})`;
	const cause = isRemoval
		? 'choose another Member Removal in the credential'
		: 'the service takes an add as the whole list: ask its vendor';
	const reason = isAlarm
		? `${lost}, so no further change of members was sent. Another run may have removed them. If not, ${cause}, and restore them with Access: Assign`
		: `${lost}. Another run may have done so`;
	return { groupId, isAlarm, reason };
}

/** Says why no change of members may be sent any more, if so. */
export function alarmIn(otherMembers: OtherMembers | undefined): InputError | undefined {
	const alarm = [...(otherMembers?.losses.values() ?? [])].find(({ isAlarm }) => isAlarm);
	return (
		alarm &&
		new InputError(
			`No further change of members was sent, because group ${alarm.groupId} lost more members than this run removed`,
			'Check that group, and run again.',
		)
	);
}
