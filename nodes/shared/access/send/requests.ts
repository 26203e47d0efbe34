import type { Part, PlannedRequest } from '../../run';
import {
	memberEntry,
	patchBody,
	patchValues,
	replaceAttributes,
	requests,
	SCHEMA,
	versionOf,
	withCanonicalNames,
	type AccessValue,
	type Attributes,
	type Group,
	type KeptOfGroup,
	type ServiceProfile,
	type Traits,
	type User,
} from '../../scim';
import { peopleIn, type Access } from '../facts';
import {
	endingOf,
	isValue,
	nameOf,
	subjectOf,
	type AccountChange,
	type Change,
	type GroupChange,
	type HeldValue,
	type Person,
	fullBody,
	overwriteWarnings,
	withoutNulls,
	type AccessRules,
} from '../changes';
import {
	groupOf,
	type Entry,
	type ProvisioningStep,
	type Request,
	type Schedule,
} from './schedule';

type Rules = Pick<AccessRules, 'ids' | 'profile' | 'label'> & { access?: Access };

/** Describes the requests of the schedule: what each does, for which items, and what is sent. */
export function stepsOf({ rounds }: Schedule, rules: Rules): ProvisioningStep[] {
	return rounds.flat().map((request): ProvisioningStep => {
		const { id, entries, after, isWhole } = request;
		const warnings = entries.flatMap(warningsOf);
		const version = isWhole === true ? wholeListOf(request, rules).kept.version : undefined;
		return {
			...{ id, entries, parts: partsOf(entries) },
			action: actionOf(request, rules),
			warnings: [
				...new Set([...warnings, ...(isWhole === true ? overwriteWarnings(version) : [])]),
			],
			request: plannedRequest(request, rules),
			...(after.length > 0 && { after }),
		};
	});
}

/** Makes one part for each item that wants it. */
function partsOf(entries: readonly Entry[]): Part[] {
	return entries.flatMap(({ change }) =>
		change.items.map((item) => ({ item, subject: subjectOf(change), change: change.key })),
	);
}

/** Returns the warnings of an entry: what a move takes goes without those of what it gives. */
export function warningsOf({ change, isSecondStage }: Entry): readonly string[] {
	return isSecondStage === true ? [] : change.warnings;
}

/** Says what one entry does, in words that finish the sentence "could not …". */
export function actionOfEntry(entry: Entry, label: AccessRules['label']): string {
	const { change, gives, isFirstStage } = entry;
	const group = groupOf({ entries: [entry] });
	if (change.about !== 'entitlement' || group === undefined) return change.action;
	if (isFirstStage === true) return `make ${nameOf(change.person)} ${label(group.groupId)}`;
	const isPart = gives !== true && (change.before.length > 1 || change.after.length > 0);
	return isPart ? `remove ${nameOf(change.person)} from ${label(group.groupId)}` : change.action;
}

function actionOf(request: Request, { label }: Rules): string {
	const { entries, isWhole } = request;
	const [first] = entries;
	const group = groupOf(request);
	if (group !== undefined) {
		if (isWhole === true) return `replace the members of group ${group.groupId}`;
		return entries.length === 1
			? actionOfEntry(first, label)
			: `change ${entries.length} members of group ${group.groupId}`;
	}
	return entries.length === 1 || first.change.about !== 'entitlement'
		? first.change.action
		: `change ${entries.length} values of ${nameOf(first.change.person)}`;
}

function plannedRequest(request: Request, rules: Rules): PlannedRequest {
	const { profile } = rules;
	const [{ change }] = request.entries;
	if (change.about === 'account') return userRequest(change, profile);
	if (change.about === 'group') return groupRequest(change, profile);
	const group = groupOf(request);
	if (group === undefined) {
		const user = userOfValues(change.person, change.evidence?.user);
		const operations = patchValues(user, valuesIn(request.entries));
		return requests.patchUser(profile, user.id, patchBody(operations));
	}
	if (request.isWhole === true) {
		const { staying, added, kept } = wholeListOf(request, rules);
		const names = new Map(request.entries.flatMap(({ change }) => shownMember(change)));
		const entries = [...staying, ...added].map((id) =>
			memberEntry(id, kept.displays.get(id) ?? names.get(id)),
		);
		return requests.replaceMembers(profile, group.groupId, entries, kept);
	}
	const shown = (gives: boolean) =>
		request.entries.flatMap((entry) => (entry.gives === gives ? shownMember(entry.change) : []));
	return requests.changeMembers(
		profile,
		group.groupId,
		shown(true).map(([id, userName]) => memberEntry(id, userName)),
		shown(false).map(([id]) => id),
	);
}

/** Shows the ID and user name; in a plan that is shown, something stands for the ID of a person who is yet to be created. */
function shownMember(change: Change): Array<[string, string | undefined]> {
	if (change.about === 'group') return [];
	const { id, userName, key } = change.person;
	return [[id ?? `{id of ${userName ?? key}}`, userName]];
}

/** Describes what is sent of a change of an account. */
function userRequest(change: AccountChange, profile: ServiceProfile): PlannedRequest {
	const { person, before, after, attributes, whole } = change;
	const { id = '' } = person;
	if (before === 'absent') return requests.createUser(profile, newUser(change));
	if (after === 'absent') return requests.deleteUser(profile, id);
	if (whole !== undefined) return requests.replaceUser(profile, id, whole.planned.body);
	const sent = attributes ?? { active: after === 'active' };
	return requests.patchUser(profile, id, patchBody(replaceAttributes(sent)));
}

/** Returns the user that a create asks for. The name is composed, so that the service keeps one spelling of it. */
export function newUser({ person, attributes = {} }: AccountChange): Attributes {
	const { userName = person.key } = person;
	return fullBody(
		withoutNulls({ active: true, ...attributes, userName: userName.normalize('NFC') }),
	);
}

function groupRequest(change: GroupChange, profile: Traits): PlannedRequest {
	const { attributes = {}, groupId, after } = change;
	if (groupId === undefined)
		return requests.createGroup(profile, { schemas: [SCHEMA.group], ...attributes });
	if (after === 'absent') return requests.deleteGroup(profile, groupId);
	return requests.patchGroup(profile, groupId, patchBody(replaceAttributes(attributes)));
}

/** Returns the user whose values change, as the plan has read it. */
export function userOfValues({ id = '', userName = '' }: Person, user?: User): User {
	return user ?? { id, userName, attributes: {} };
}

/** Returns the values that entries give and take. */
export function valuesIn(entries: readonly Entry[]): { add: AccessValue[]; remove: AccessValue[] } {
	const of = (wanted: boolean) =>
		entries.flatMap(({ entitlement, gives }) =>
			entitlement !== undefined && isValue(entitlement) && gives === wanted
				? [valueOf(entitlement)]
				: [],
		);
	return { add: of(true), remove: of(false) };
}

/** Returns the value of an entitlement without its key. */
export function valueOf({ attribute, value, display }: HeldValue): AccessValue {
	return { attribute, value, ...(display !== undefined && { display }) };
}

/**
 * A group as a PUT sends it (test/contract/interface.md 1.5: members become exactly the list). It replaces the whole group (RFC 7644
 * section 3.5.1), so everything beside the members goes back as it was read; a service that makes its groups itself takes the
 * members alone.
 */
export function wholeListOf(
	request: Pick<Request, 'entries'>,
	{ access, ids, profile }: Pick<Rules, 'access' | 'ids' | 'profile'>,
): { staying: string[]; added: string[]; kept: KeptOfGroup } {
	const key = groupOf(request)?.key ?? '';
	const peopleOf = (gives: boolean) =>
		request.entries.flatMap((entry) =>
			entry.gives === gives && entry.change.about !== 'group' ? (entry.change.person.id ?? []) : [],
		);
	const removed = new Set(peopleOf(false));
	return {
		staying: access === undefined ? [] : peopleIn(access, key).filter((id) => !removed.has(id)),
		added: peopleOf(true),
		kept: keptOf(access?.groups.get(ids.key(key)), profile),
	};
}

/** Returns what a PUT of a group sends back as it was read. */
export function keptOf(group: Group | undefined, profile: ServiceProfile): KeptOfGroup {
	const { attributes = {}, nested = [], members = [] } = group ?? {};
	const version = group && versionOf(group);
	const own = Object.entries(withCanonicalNames(attributes));
	const displays = members.flatMap(({ id, display }) => (display ? [[id, display] as const] : []));
	return {
		attributes: profile.groupsAreFixed
			? {}
			: Object.fromEntries(own.filter(([name]) => !NEVER_SENT.has(name))),
		nested,
		...(group?.others && {
			others: [...group.others]
				.filter(([id]) => !members.some((one) => one.id === id))
				.map(([, entry]) => entry),
		}),
		displays: new Map(displays),
		...(version !== undefined && { version }),
	};
}

/** Attributes that the service alone sets, and the members, which are the change. */
const NEVER_SENT = new Set(['schemas', 'id', 'meta', 'members']);

/**
 * How many reads the requests take, at the least: what no answer shows is read back once, and what takes away is looked at
 * first. The first answer of each form is read back as well.
 * @param isLate whether what the plan was made of was read some time ago
 * @param people how many reads it takes to look at so many users, and who of them was shown when this was planned
 * @param isProven whether a proof reads all that was sent
 */
export function readsOf(
	{ rounds }: Schedule,
	{ groupsShowMembers, answersAreKnown }: ServiceProfile,
	isLate: boolean,
	people: { cost(users: number): number; isKnown(id: string): boolean },
	isProven: boolean,
): number {
	const [looks, proofs, ended] = [new Set<string>(), new Set<string>(), new Set<string>()];
	const [forms, identified] = [new Set<string>(), new Set<string>()];
	for (const request of rounds.flat()) {
		const [{ change, target }] = request.entries;
		const group = groupOf(request);
		const isHidden =
			group !== undefined
				? groupsShowMembers === 'no'
				: change.about === 'entitlement' ||
					change.after === 'absent' ||
					(change.about === 'account' && change.attributes?.userName !== undefined);
		if (isHidden) proofs.add(group?.key ?? target);
		else if (endingOf(change) === 'deactivate' && !answersAreKnown) ended.add(target);
		else if (change.before !== 'absent' && !answersAreKnown) forms.add(change.about);
		const looksFirst =
			group !== undefined ||
			change.about === 'entitlement' ||
			(change.about === 'account' && change.whole !== undefined) ||
			change.restsOn.some(({ on }) => on === 'nothingElse');
		if (isLate && looksFirst) looks.add(group?.key ?? target);
		for (const { change: own } of isLate && group !== undefined ? request.entries : []) {
			const id = own.about === 'group' ? undefined : own.person.id;
			if (id !== undefined && people.isKnown(id)) identified.add(id);
		}
	}
	const read = isProven ? 0 : forms.size + people.cost(ended.size);
	return looks.size + proofs.size + read + people.cost(identified.size);
}
