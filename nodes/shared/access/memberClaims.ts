import { hasStatus, RequestError } from '../http';
import { isValue, nameOf, type EntitlementChange } from './change';
import { overwriteWarnings } from './planUsers';
import { actionOfEntry, warningsOf } from './requests';
import { whoIs, type ProvisioningResult } from './result';
import type { Entry } from './schedule';
import {
	idOf,
	noteIn,
	withoutMembers,
	type Claim,
	type State,
	type Verdict,
	type World,
} from './world';

/** What is known of a membership, and what is to be said of it. */
export function claimOfMember(
	entry: Entry,
	change: EntitlementChange,
	state: State,
	world: World,
): Claim {
	const gives = entry.gives === true;
	const { is, error, isHidden } = membershipOf(entry, change, state, world);
	const key = entry.entitlement?.key ?? '';
	const isRead = is !== undefined || world.evidence.group(key, state.since) !== undefined;
	const cannotShow = gives ? isHidden === true && !world.client.showsMembers() : is === undefined;
	const missing = { ...notMember(gives), ...(cannotShow && { hidden: true }) };
	return {
		action: actionOfEntry(entry, world.label),
		warnings: warningsFor(entry, state),
		result: resultOf(entry, change, world),
		...(isRead && { seen: error === undefined ? { ok: true, value: is } : { ok: false, error } }),
		...(is !== gives && { missing }),
		mayBePartial: true,
		refusal: (refused) => refusalOfMember(entry, change, refused, world),
	};
}

function membershipOf(
	entry: Entry,
	change: EntitlementChange,
	{ since }: State,
	world: World,
): ReturnType<World['evidence']['membership']> {
	const id = idOf(change.person, world) ?? '';
	const key = entry.entitlement?.key ?? '';
	return world.evidence.membership(key, id, since, wasHidden(entry, world));
}

/** Whether a group showed nobody before, so that nobody in it afterwards proves nothing. */
export function wasHidden({ entitlement, gives }: Entry, { access, client }: World): boolean {
	const group = access?.groups.get(entitlement?.key ?? '');
	const isEmpty = (group?.members ?? []).length === 0 && group?.byFilter !== true;
	return gives !== true && isEmpty && client.profile.groupsShowMembers !== 'yes';
}

function resultOf(entry: Entry, change: EntitlementChange, world: World): ProvisioningResult {
	const { entitlement } = entry;
	const key = entitlement?.key ?? '';
	const read = world.evidence.group(key);
	const group = (read?.ok === true ? read.value : undefined) ?? world.access?.groups.get(key);
	const { person } = change;
	return {
		...(group && { group: withoutMembers(group) }),
		who: whoIs({ ...person, id: idOf(person, world) }),
	};
}

function warningsFor(entry: Entry, { isUntagged }: State): string[] {
	return [...warningsOf(entry), ...(isUntagged ? overwriteWarnings(undefined) : [])];
}

/** Notes who was added: reads may be older than that. */
export function noteAdded(entry: Entry, { outcome }: Verdict, world: World): void {
	const { change, entitlement, gives } = entry;
	if (change.about !== 'entitlement' || entitlement === undefined || isValue(entitlement)) return;
	const { organization } = entitlement;
	if (organization === undefined || gives !== true || outcome.status !== 'done') return;
	noteIn(world.learned.added, organization, idOf(change.person, world) ?? '');
}

/** Why a membership is not as it is to be. @param error what went wrong with the look */
export function notMember(gives: boolean, error?: unknown): { reason: string; error?: unknown } {
	if (error !== undefined)
		return { reason: error instanceof Error ? error.message : String(error), error };
	const reason = gives
		? 'neither the group nor the user shows it'
		: 'the service still shows it, or does not show members at all';
	return { reason };
}

/** What is said of a refusal. */
export function refusalOfMember(
	{ entitlement, gives }: Entry,
	{ person }: EntitlementChange,
	error: unknown,
	{ client }: World,
): unknown {
	if (!(error instanceof RequestError)) return error;
	const { message, facts } = error;
	if (gives === true && hasStatus(error, 400)) {
		const groupId = entitlement && !isValue(entitlement) ? entitlement.groupId : '';
		const detail = facts.detail ? `: ${facts.detail}` : '';
		return new RequestError(
			`The service does not accept ${nameOf(person)} as a member of group ${groupId}${detail}`,
			'Check that the user exists in this account and that the organization allows the email domain. The others of the request were not affected.',
			facts,
		);
	}
	const isOfForm = client.profile.memberRemoval === 'filterPath' && hasStatus(error, 400, 501);
	if (gives === true || !isOfForm) return error;
	return new RequestError(
		message,
		'The service may not know this form of removal. Try Member Removal: List of Values in the credential, with a group that has nobody else in it: some services then remove everybody.',
		facts,
	);
}
