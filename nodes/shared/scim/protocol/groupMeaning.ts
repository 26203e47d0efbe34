import { InputError, nameKey } from '../../util';

/** The organization and role that a group stands for. */
export interface OrganizationRole {
	organization: string;
	role: string;
}

/** How groups spell the organization and role that they stand for. */
export interface GroupPattern {
	/** `{organization}` and `{role}` once each with text between them, e.g. `app-{organization}-{role}`. */
	text: string;
	/** What follows the pattern. */
	on: 'id' | 'displayName';
	/** Roles by which a text is read that can be read in more than one way. */
	roles: readonly string[];
}

/** What the groups of a service stand for beside themselves. */
export interface GroupMeaning {
	/** What tells the organization and role of a group. */
	readonly standsFor: 'nothing' | 'id' | 'displayName';
	/** Equal for two that read all groups alike. */
	readonly spelling: string;
	/** Undefined when the group stands for itself alone: outside the pattern, or without exactly one reading. */
	parse(id: string, displayName?: string): OrganizationRole | undefined;
	/** Every way to read a group after the pattern; several without one that Roles decides for make a plain group. */
	readings(id: string, displayName?: string): OrganizationRole[];
	/** @throws InputError when groups stand for no organizations */
	requirePattern(): void;
	/** The id or the display name of the group, whichever the pattern is on. @throws InputError without a pattern */
	format(place: OrganizationRole): string;
	/** The role that a text names; undefined for none. */
	role(text: string): string | undefined;
	/** Whether a text can be the ID of an organization, so that it needs no name. */
	isOrganization(text: string): boolean;
	/** Equal for two ids of the same group: ids are compared by this only. */
	key(id: string): string;
	/** Equal for two spellings of one organization and role. */
	placeKey(place: OrganizationRole): string;
}

// Answers carry this in front of the organization, requests may leave it out (test/contract/interface.md 2.3).
const CANONICAL_PREFIX = /^whylabs-(?=org-)/i;

/** A name that can be cut in more places is read by Roles alone: whoever may name groups decides how many there are. */
const MOST_READINGS = 20;

/** An organization id as people write it, without the prefix that answers carry. */
export function normalizeOrganization(id: string): string {
	return id.trim().replace(CANONICAL_PREFIX, '');
}

/**
 * @param pattern undefined where groups stand for themselves alone
 * @throws InputError for a text that is no pattern
 */
export function groupMeaning(pattern?: GroupPattern): GroupMeaning {
	if (pattern === undefined) return plainGroups;
	const { on, roles } = pattern;
	const parts = split(pattern);
	const [before, first, between, , after] = parts;
	const isOrganizationFirst = first === '{organization}';
	const known = new Set(roles.map(nameKey));
	// Composed and in lower case it may be shorter.
	const longestRole = 3 * Math.max(0, ...roles.map(({ length }) => length));

	const placeKey = (place: OrganizationRole) => {
		const organization = normalizeOrganization(place.organization);
		return `${on === 'id' ? organization : nameKey(organization)}\n${nameKey(place.role)}`;
	};

	/** @returns the readings, and whether they are all there are */
	const read = (id: string, displayName?: string) => {
		const text = on === 'id' ? id.trim() : displayName?.trim().normalize('NFC');
		// Names are compared ignoring case, ids are not.
		const same = (part: string, wanted: string) =>
			on === 'id' ? part === wanted : nameKey(part) === nameKey(wanted);
		const none = { readings: [], areAll: true };
		if (text === undefined) return none;
		const end = text.length - after.length;
		if (!same(text.slice(0, before.length), before) || !same(text.slice(end), after)) return none;
		const middle = text.slice(before.length, end);
		const found = new Map<string, OrganizationRole>();
		let [cuts, areAll] = [0, true];
		for (let at = 1; at + between.length < middle.length; at++) {
			if (!same(middle.slice(at, at + between.length), between)) continue;
			cuts += 1;
			const roleLength = isOrganizationFirst ? middle.length - at - between.length : at;
			if (cuts > MOST_READINGS && roleLength > longestRole) {
				areAll = false;
				continue;
			}
			const sides = [middle.slice(0, at), middle.slice(at + between.length)];
			const [left, right] = isOrganizationFirst ? sides : sides.toReversed();
			const organization = normalizeOrganization(left);
			const role = on === 'id' ? right : right.trim();
			if (organization === '' || role === '') continue;
			found.set(placeKey({ organization, role }), { organization, role });
		}
		return { readings: [...found.values()], areAll };
	};

	const parse = (id: string, displayName?: string) => {
		const { readings, areAll } = read(id, displayName);
		const isOne = areAll && readings.length === 1;
		const decided = isOne ? readings : readings.filter(({ role }) => known.has(nameKey(role)));
		return decided.length === 1 ? decided[0] : undefined;
	};

	return {
		standsFor: on,
		spelling: JSON.stringify(pattern),
		parse,
		readings: (id, displayName) => read(id, displayName).readings,
		requirePattern() {},
		format({ organization, role }) {
			const place: Record<string, string> = {
				'{organization}': normalizeOrganization(organization),
				'{role}': role.trim(),
			};
			return parts.map((part) => place[part] ?? part).join('');
		},
		role: anyRole,
		isOrganization: () => true,
		key: ownId,
		placeKey,
	};
}

/** Two ids are two groups, however little they differ (RFC 7643 section 3.1). */
const ownId = (id: string) => id.trim();

const anyRole = (text: string) => text.trim() || undefined;

const plainGroups: GroupMeaning = {
	standsFor: 'nothing',
	spelling: '',
	parse: () => undefined,
	readings: () => [],
	requirePattern: refuse,
	format: refuse,
	role: anyRole,
	isOrganization: () => true,
	key: ownId,
	placeKey: refuse,
};

function refuse(): never {
	throw new InputError(
		'The credential does not say which organization and role a group stands for',
		'If the ID or the name of each group spells them, set What a Group Means in the credential to Organization and Role. Otherwise choose by group, not by organization and role.',
	);
}

/** Before, one placeholder, between, the other placeholder, after. @throws InputError when it is no pattern */
function split({ text, on }: GroupPattern): string[] {
	const parts = (on === 'id' ? text : text.normalize('NFC')).split(/(\{organization\}|\{role\})/);
	if (parts.length !== 5 || parts[1] === parts[3] || parts[2] === '') {
		throw new InputError(
			`"${text}" is not a group pattern`,
			'Enter a Pattern in the credential with {organization} and {role} once each and text between them, e.g. app-{organization}-{role}.',
		);
	}
	return parts;
}
