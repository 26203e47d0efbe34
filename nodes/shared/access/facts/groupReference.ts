import type { Group } from '../../scim';
import {
	cachedPerObject,
	InputError,
	nameKey,
	nearNames,
	wildcard,
	type Attempt,
	shown,
} from '../../util';
import type { Access } from './access';

/** A group as a parameter names one. */
export type GroupReference =
	/** `orName`: what no group has as its ID may be the exact name of one; the ID of one and the name of another is neither. */
	(
		| { by: 'id'; id: string; orName?: true }
		| { by: 'name'; name: string; orPlace?: Place }
		/** Text that may be either. */
		| { by: 'text'; text: string; orPlace?: Place }
		| ({ by: 'place' } & Place)
	) & {
		/** What else a row says of it: none of that may be of another group. */
		also?: AlsoOfGroup;
	};

/** More that a row says of a group, beside what decides. */
export interface AlsoOfGroup {
	/** A name or ID. */
	text?: string;
	orPlace?: Place;
	organization?: string;
	role?: string;
}

/** A role in an organization. */
interface Place {
	organization: string;
	role: string;
}

/** Equal for two references that say the same; thousands of items share one. */
export const groupReferenceKey = cachedPerObject((reference: GroupReference): string =>
	JSON.stringify(reference),
);

/** A group as people called it. */
export function groupReferenceLabel(reference: GroupReference): string {
	switch (reference.by) {
		case 'id':
			return reference.id;
		case 'name':
			return reference.name;
		case 'text':
			return reference.text;
		case 'place':
			return `${reference.role} in ${reference.organization}`;
	}
}

type NamedGroup = Pick<Group, 'id' | 'displayName'>;

/**
 * The groups of a text that may be a name or an ID: the group with that ID, and the groups with that name, an exact match
 * before one in another case.
 * @param keyOf equal for two IDs of the same group
 */
export function groupsOf<G extends NamedGroup>(
	text: string,
	groups: Iterable<G>,
	keyOf: (groupId: string) => string,
): G[] {
	const all = [...groups];
	const byId = all.filter(({ id }) => keyOf(id) === keyOf(text));
	const named = groupsNamed(text, all).filter((group) => !byId.includes(group));
	return [...byId, ...named];
}

/**
 * The groups of a name: those that are written like that, else those that differ in case alone, else those with a blank
 * before or after it, which no field keeps.
 */
export function groupsNamed<G extends NamedGroup>(name: string, groups: Iterable<G>): G[] {
	const key = nameKey(name).trim();
	const alike = [...groups].filter(({ displayName }) => nameKey(displayName).trim() === key);
	const same = alike.filter(({ displayName }) => nameKey(displayName) === nameKey(name));
	const exact = same.filter(({ displayName }) => displayName === name);
	return [exact, same, alike].find((some) => some.length > 0) ?? [];
}

/**
 * @param among all groups that are known, of which one may be meant
 * @throws InputError when there is no such group, or more than one
 */
export function onlyGroup<G extends NamedGroup>(
	found: readonly G[],
	text: string,
	among: readonly NamedGroup[] = [],
): G {
	const [group] = found;
	if (group === undefined) throw noSuchGroup(text, among);
	if (found.length === 1) return group;
	const ids = found.map(({ id }) => id).join(', ');
	const byId = found.find(({ id }) => id === text);
	throw byId
		? new InputError(
				`"${shown(text)}" is the ID of group ${shown(byId.displayName)} and the name of another one (IDs ${ids})`,
				'Select the group from the list, or name it as groupId in a row. Nothing was sent for it.',
			)
		: new InputError(
				`More than one group is named "${shown(text)}" (IDs ${ids})`,
				'Choose the group by its ID. Nothing was sent for it.',
			);
}

/** So many are named at the most where several are equally near. */
const MOST_NEAR = 3;

/** @param among all groups that are known, of which one may be meant */
export function noSuchGroup(text: string, among: readonly NamedGroup[] = []): InputError {
	const near = nearNames(
		text,
		among.map(({ displayName }) => displayName),
	);
	const meant = near.slice(0, MOST_NEAR).map(shown).join(' or ');
	return new InputError(
		`There is no group "${shown(text)}"${meant && ` (did you mean ${meant}?)`}`,
		'Check the name or ID, or select the group from the list.',
	);
}

/** The same of what stands where an ID is expected. */
export function noSuchGroupId(id: string): InputError {
	return new InputError(
		`There is no group "${shown(id)}"`,
		'If this is a name, choose By Name in Group. Otherwise check the ID.',
	);
}

/** What groups stand for. */
type KnownPlaces = Pick<Access, 'groupAt' | 'placeOf'>;

/** The same; `nameOf`: the name of an organization, or its ID. */
type Places = KnownPlaces & { nameOf(organization: string): string };

/**
 * Refuses a group of which a row says what is so of another one. A name that no group has says nothing, since groups are
 * renamed, and neither does an organization without groups.
 * @param groups all that may be meant
 * @throws InputError
 */
export function checkAlso(
	group: NamedGroup,
	also: AlsoOfGroup,
	groups: Iterable<NamedGroup>,
	places: KnownPlaces,
	keyOf: (groupId: string) => string,
): void {
	const { id, displayName } = group;
	const all = [...groups];
	const other = otherNamed(group, also, all, places, keyOf);
	const said = other === undefined ? otherPlace(group, also, all, places, keyOf) : also.text;
	if (said === undefined) return;
	const which = other === undefined ? '' : ` (ID ${other.id})`;
	throw new InputError(
		`${id} is ${shown(displayName)} (ID ${id}), and ${said} is another group${which}`,
		'Correct the row: all it says of the group must be of one. Nothing was sent for it.',
	);
}

/** The group that a second name or ID names, where that is another one. */
function otherNamed(
	{ id, displayName }: NamedGroup,
	{ text, orPlace }: AlsoOfGroup,
	all: readonly NamedGroup[],
	{ groupAt }: KnownPlaces,
	keyOf: (groupId: string) => string,
): NamedGroup | undefined {
	if (text === undefined || text === displayName || keyOf(text) === keyOf(id)) return undefined;
	const named = groupsOf(text, all, keyOf);
	const placed = orPlace && groupAt(orPlace);
	const found = named.length > 0 ? named : all.filter((one) => one.id === placed);
	return found.some((one) => keyOf(one.id) === keyOf(id)) ? undefined : found[0];
}

/** The organization and role in words, where the group stands for another one. */
function otherPlace(
	group: NamedGroup,
	{ organization, role }: AlsoOfGroup,
	all: readonly NamedGroup[],
	{ groupAt, placeOf }: KnownPlaces,
	keyOf: (groupId: string) => string,
): string | undefined {
	if (organization === undefined || placeOf(group.id) === undefined) return undefined;
	const stands = (one: NamedGroup, as = placeOf(one.id)?.role) => {
		const there = as === undefined ? undefined : groupAt({ organization, role: as });
		return there !== undefined && keyOf(there) === keyOf(one.id);
	};
	const isOther = stands(group) ? !stands(group, role) : all.some((one) => stands(one));
	if (!isOther) return undefined;
	return role === undefined ? organization : `${shown(role)} in ${shown(organization)}`;
}

/** Groups by ID or name of a whole listing, an attempt each. */
export function pickGroup(
	reference: GroupReference,
	groups: ReadonlyMap<string, NamedGroup>,
	access: Places,
	keyOf: (groupId: string) => string,
): Attempt<string> {
	try {
		const value = idOf(reference, [...groups.values()], access, keyOf);
		const group = groups.get(keyOf(value)) ?? { id: value, displayName: value };
		if (reference.also) checkAlso(group, reference.also, groups.values(), access, keyOf);
		return { ok: true, value };
	} catch (error) {
		return { ok: false, error };
	}
}

function idOf(
	reference: GroupReference,
	groups: readonly NamedGroup[],
	access: Places,
	keyOf: (groupId: string) => string,
): string {
	switch (reference.by) {
		case 'id':
			return reference.id;
		case 'name':
		case 'text': {
			const text = groupReferenceLabel(reference);
			const found =
				reference.by === 'name' ? groupsNamed(text, groups) : groupsOf(text, groups, keyOf);
			const { orPlace } = reference;
			const inPlace = found.length === 0 && orPlace ? access.groupAt(orPlace) : undefined;
			if (inPlace !== undefined) return inPlace;
			if (found.length > 0) return onlyGroup(found, text).id;
			const spell = ({ organization, role }: Place) => `${organization}: ${role}`;
			throw noSuchGroup(text, [...groups, ...asPlaces(groups, access, spell)]);
		}
		case 'place': {
			const id = access.groupAt(reference);
			if (id !== undefined) return id;
			const spell = (place: Place) => groupReferenceLabel({ by: 'place', ...place });
			throw noSuchGroup(spell(reference), asPlaces(groups, access, spell));
		}
	}
}

/** Groups that stand for a role, under the names that people may give it. */
function asPlaces(
	groups: readonly NamedGroup[],
	{ placeOf, nameOf }: Places,
	spell: (place: Place) => string,
): NamedGroup[] {
	return groups.flatMap(({ id }) => {
		const place = placeOf(id);
		if (place === undefined) return [];
		const organization = nameOf(place.organization);
		return [{ id, displayName: spell({ ...place, organization }) }];
	});
}

/** Groups that a list of names, IDs and patterns means. */
export interface GroupSelection {
	includes(groupId: string): boolean;
	/** Entries that match no group. */
	unmatched: string[];
}

/** Every group. */
export const ALL_GROUPS: GroupSelection = { includes: () => true, unmatched: [] };

/**
 * @param entries names, IDs, and patterns with `*` for any characters
 * @param keyOf equal for two IDs of the same group
 * @throws InputError for a name or ID that no group has, or more than one
 */
export function selectGroups(
	entries: readonly string[],
	groups: Iterable<NamedGroup>,
	keyOf: (groupId: string) => string,
): GroupSelection {
	const all = [...groups];
	const selection = matchGroups(entries, all, keyOf);
	const missing = selection.unmatched.find((entry) => !entry.includes('*'));
	if (missing !== undefined) throw noSuchGroup(missing, all);
	return selection;
}

/** The same where a name or ID may be that of no group. @throws InputError for one that more than one group has */
export function matchGroups(
	entries: readonly string[],
	groups: Iterable<NamedGroup>,
	keyOf: (groupId: string) => string,
): GroupSelection {
	if (entries.includes('*')) return ALL_GROUPS;
	const all = [...groups];
	const selected = new Set<string>();
	const unmatched: string[] = [];
	for (const entry of entries) {
		const named = groupsOf(entry, all, keyOf);
		const isPattern = entry.includes('*') && !named.some(({ id }) => keyOf(id) === keyOf(entry));
		const found = isPattern ? matching(entry, all) : named;
		if (found.length === 0) unmatched.push(entry);
		else if (!isPattern) onlyGroup(found, entry);
		for (const { id } of found) selected.add(keyOf(id));
	}
	return { includes: (groupId) => selected.has(keyOf(groupId)), unmatched };
}

function matching(pattern: string, groups: readonly NamedGroup[]): NamedGroup[] {
	const matches = wildcard(pattern);
	return groups.filter(({ id, displayName }) => matches(displayName) || matches(id));
}
