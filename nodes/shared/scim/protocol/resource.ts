import { attemptSync, isObject, DEEPEST, isSecret } from '../../util';

/** The parts of SCIM resources that this package reads; every other attribute is kept as it came. */

export const SCHEMA = {
	user: 'urn:ietf:params:scim:schemas:core:2.0:User',
	group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
	/** RFC 7643 section 4.3. */
	enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
	patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const;

export type ResourceType = 'Users' | 'Groups';

export type Attributes = Record<string, unknown>;

/** A resource as the service sent it, with its id read out. */
export interface Resource {
	id: string;
	/** All attributes exactly as they came. */
	attributes: Attributes;
}

/** RFC 7643 section 4.1. */
export interface User extends Resource {
	userName: string;
	/** Undefined when the service does not say. */
	active?: boolean;
	/** Ids of the groups as sent, indirect ones left out; undefined when the service does not show groups on users. */
	groupIds?: string[];
	/** Ids of those that the user is in by way of another group; missing where there are none. */
	indirectIds?: string[];
	/** What entries of `groups` call themselves that name no group; missing where there are none. */
	unread?: string[];
	/** Whether `active` is there, and means nothing known. */
	isUnclear?: boolean;
}

/** RFC 7643 section 4.2. */
export interface Group extends Resource {
	displayName: string;
	/** One entry per person; undefined when the service does not show members. */
	members?: Member[];
	/** Whether filters have told the members, so that none means none. */
	byFilter?: boolean;
	/** The users whose membership alone is known; missing where that of all is. */
	of?: ReadonlySet<string>;
	/** Ids of groups that are members of this one; missing where there are none. Nothing is done to them. */
	nested?: string[];
	/** Members of which it is not said, or not understood, what they are, by ID. Nothing is done to them either. */
	others?: ReadonlyMap<string, unknown>;
	/** How many entries of `members` name nobody, or nobody for sure. */
	unread?: number;
}

interface Member {
	id: string;
	/** The userName of the person on account organizations (test/contract/interface.md 1.3). */
	display?: string;
	/** Whether it says to be a user. */
	isUser?: boolean;
}

/**
 * The value of an attribute, its name ignoring case (RFC 7643 section 2.1 makes names case-insensitive).
 * Only own properties count, so a service cannot reach into prototypes.
 */
export function attribute(object: unknown, name: string): unknown {
	if (!isObject(object)) return undefined;
	if (Object.hasOwn(object, name)) return object[name];
	// Looked for in every row and member: a list of the names would be made each time.
	for (const key in object) {
		const isSame = key.length === name.length && key.toLowerCase() === name.toLowerCase();
		if (isSame && Object.hasOwn(object, key)) return object[key];
	}
	return undefined;
}

/** The ETag of a resource as it was read (RFC 7643 section 3.1). What no header can carry is none (RFC 9110 section 5.5). */
export function versionOf({ attributes }: Pick<Resource, 'attributes'>): string | undefined {
	const version = readText(attribute(attribute(attributes, 'meta'), 'version'));
	return version !== undefined && /^[\t\x20-\x7e\x80-\xff]+$/.test(version) ? version : undefined;
}

/** RFC 7643 section 2.1, with one sub-attribute at the most; or an extension, with or without an attribute of it. */
const ATTRIBUTE_NAME = /^(?:urn:[^\s"[\]]+|[a-z][\w$-]*(?:\.[\w$-]+)?)$/i;

/** Whether a text may be the name of an attribute, as `valueAt` takes it. */
export function isAttributeName(text: string): boolean {
	return ATTRIBUTE_NAME.test(text);
}

/** The path of a part of an attribute, and the operations of a PATCH. */
const KEPT_OF_PATCH = /^(?!urn:)[^:]*[.[]|^operations$/i;

/**
 * Leaves out of a resource as read what is no attribute: some services keep the path of a PATCH (pranems/SCIMServer), or
 * its operations (keystone), beside the attributes.
 */
export function attributesAlone(attributes: Attributes): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).filter(([name]) => !KEPT_OF_PATCH.test(name)),
	);
}

/**
 * The value of an attribute, of a part of one, or of an attribute of an extension; of a list, that of each entry. Lists in lists
 * (RFC 7643 section 2.4 knows none) have no parts.
 */
export function valueAt(holder: unknown, name: string): unknown {
	if (Array.isArray(holder))
		return holder.map((entry) => (Array.isArray(entry) ? undefined : valueAt(entry, name)));
	const whole = attribute(holder, name);
	// Most names are of whole attributes, and are looked for in every row.
	if (whole !== undefined || !isObject(holder) || !/[.:]/.test(name)) return whole;
	const lower = name.toLowerCase();
	const outer = lower.startsWith('urn:')
		? Object.keys(holder)
				.map((one) => one.toLowerCase())
				.find((urn) => urn.startsWith('urn:') && lower.startsWith(`${urn}:`))
		: name.split('.', 1)[0];
	if (outer === undefined || outer === name) return undefined;
	return valueAt(attribute(holder, outer), name.slice(outer.length + 1));
}

/** Names as RFC 7643 sections 3.1, 4.1 and 4.2 write them. */
const CANONICAL_NAMES = new Map(
	[
		...[
			'schemas',
			'id',
			'externalId',
			'meta',
			'userName',
			'name',
			'displayName',
			'nickName',
			'profileUrl',
		],
		...[
			'title',
			'userType',
			'preferredLanguage',
			'locale',
			'timezone',
			'active',
			'password',
			'emails',
		],
		...[
			'phoneNumbers',
			'ims',
			'photos',
			'addresses',
			'groups',
			'entitlements',
			'roles',
			'x509Certificates',
		],
		'members',
	].map((name) => [name.toLowerCase(), name]),
);

/** Spells the known names of attributes in their usual case, so that one attribute is there once only. */
export function withCanonicalNames(attributes: Attributes): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).map(([name, value]) => [
			CANONICAL_NAMES.get(name.toLowerCase()) ?? name,
			value,
		]),
	);
}

/**
 * Reads a user from any answer body.
 * @returns undefined for anything without an id: only a resource with an id is one
 */
export function readUser(body: unknown): User | undefined {
	const id = readId(body);
	if (id === undefined || !isObject(body)) return undefined;
	const groups = attribute(body, 'groups');
	const said = attribute(body, 'active');
	const active = readBoolean(said);
	return {
		id,
		userName: readText(attribute(body, 'userName')) ?? '',
		...(active !== undefined && { active }),
		...(active === undefined && said !== undefined && said !== null && { isUnclear: true }),
		...(groups !== undefined && groupsIn(groups)),
		attributes: body,
	};
}

/** A user that is older than this when a create is answered was not made by it, nor by an earlier try. */
const NEW_MS = 5 * 60_000;

/** No time is written with more characters. */
const LONGEST_TIME = 50;

/**
 * Whether a user was there before a create that met the user: created long ago, or, where that is not shown, in a group.
 * @param now by the clock of the service, in milliseconds; undefined where it does not tell
 * @param wasMissing whether the user was looked for before: then groups are what the service gives to whoever is new
 */
export function wasThereBefore(
	{ attributes, groupIds = [] }: User,
	now: number | undefined,
	wasMissing = false,
): boolean {
	const text = readText(attribute(attribute(attributes, 'meta'), 'created')) ?? '';
	// Without a zone it may be the time of any.
	const isTold = text.length <= LONGEST_TIME && /:\S*(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
	const created = isTold ? Date.parse(text) : Number.NaN;
	if (now === undefined || Number.isNaN(created)) return groupIds.length > 0 && !wasMissing;
	return now - created > NEW_MS;
}

/** Reads a group from any answer body; members named twice are read once, groups among them apart (RFC 7643 section 4.2). */
export function readGroup(body: unknown): Group | undefined {
	const id = readId(body);
	if (id === undefined || !isObject(body)) return undefined;
	const listed = attribute(body, 'members');
	const members = new Map<string, Member>();
	const nested = new Set<string>();
	const others = new Map<string, unknown>();
	let unread = 0;
	for (const entry of entriesOf(listed)) {
		const { id: member, isSure } = referenceIn(entry);
		if (!isSure) unread += 1;
		if (member === undefined) continue;
		const kind = kindOf(entry);
		if (kind === 'group') nested.add(member);
		else if (kind === 'other') others.set(member, entry);
		else {
			const display = readText(attribute(entry, 'display'));
			members.set(member, {
				id: member,
				...(display !== undefined && { display }),
				...(kind === 'user' && { isUser: true }),
			});
		}
	}
	return {
		id,
		displayName: readText(attribute(body, 'displayName')) ?? id,
		...(listed !== undefined && listed !== null && { members: [...members.values()] }),
		...(nested.size > 0 && { nested: [...nested] }),
		...(others.size > 0 && { others }),
		...(unread > 0 && { unread }),
		attributes: body,
	};
}

function readId(body: unknown): string | undefined {
	const id = readText(attribute(body, 'id'));
	return id === undefined || !isId(id) ? undefined : id;
}

/** No ID is longer: it stands in URLs, and in messages. */
const LONGEST_ID = 1_000;

function isId(text: string): boolean {
	return text.trim() !== '' && text.length <= LONGEST_ID && !/\p{Cc}/u.test(text);
}

/** `[{value, display}]`, one object instead of a list, or bare ids. */
function entriesOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** Whom or what an entry names; not for sure where only its address does, which may end in another name than the ID. */
function referenceIn(entry: unknown): { id?: string; isSure: boolean } {
	const id = isObject(entry) ? readText(attribute(entry, 'value')) : readText(entry);
	if (id !== undefined && isId(id)) return { id, isSure: !/^https?:/i.test(id) };
	// Services were seen that leave entries of nulls behind.
	if (isObject(entry) && Object.values(entry).every((value) => value === null))
		return { isSure: true };
	const { id: last } = addressIn(entry);
	return { ...(last !== undefined && isId(last) && { id: last }), isSure: false };
}

/** What a `$ref` is of, by its last but one segment, and its last one (RFC 7643 section 2.4: it may be relative). */
function addressIn(entry: unknown): { of?: string; id?: string } {
	const ref = readText(attribute(entry, '$ref')) ?? '';
	const segments = ref.split(/[?#]/, 1)[0].split('/').filter(Boolean);
	if (segments.length < 2) return {};
	const [of, id] = segments.slice(-2);
	return { of: of.toLowerCase(), id: decoded(id) };
}

function decoded(segment: string): string {
	return attemptSync(() => decodeURIComponent(segment)) ?? segment;
}

/** A user, unless it is said that it is something else; what that is may not be understood. */
function kindOf(entry: unknown): 'user' | 'group' | 'other' | 'unsaid' {
	const type = typeOf(entry) ?? '';
	const { of = '' } = addressIn(entry);
	if (type === 'group' || /^groups?$/.test(of)) return 'group';
	if (type === 'user' || /^users?$/.test(of)) return 'user';
	return type === '' && of === '' ? 'unsaid' : 'other';
}

function typeOf(entry: unknown): string | undefined {
	return readText(attribute(entry, 'type'))?.toLowerCase();
}

/** Text or a number as text; undefined for anything else, which `String` might throw at. */
export function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	return typeof value === 'number' ? String(value) : undefined;
}

/** Words that services were seen to send for a boolean; any other, such as "undefined", says nothing. */
const BOOLEANS: Readonly<Record<string, boolean>> = {
	...{ true: true, '1': true, active: true },
	...{ false: false, '0': false, inactive: false, disabled: false },
};

export function readBoolean(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const text = readText(value)?.trim().toLowerCase() ?? '';
	return Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
}

/** Groups that the user is in by way of another group are not the user's own (RFC 7643 section 4.1.2). */
function groupsIn(groups: unknown): Pick<User, 'groupIds' | 'indirectIds' | 'unread'> {
	const [direct, indirect] = [new Set<string>(), new Set<string>()];
	const unread: string[] = [];
	for (const entry of entriesOf(groups)) {
		const { id, isSure } = referenceIn(entry);
		if (!isSure) unread.push(readText(attribute(entry, 'display')) ?? id ?? '');
		if (id !== undefined) (typeOf(entry) === 'indirect' ? indirect : direct).add(id);
	}
	const inherited = [...indirect].filter((id) => !direct.has(id));
	return {
		groupIds: [...direct],
		...(inherited.length > 0 && { indirectIds: inherited }),
		...(unread.length > 0 && { unread }),
	};
}

/** What stands for a secret. */
export const MASK = '***';

/**
 * The secrets of users in a body that is sent, as an attribute or as the value of a PATCH operation, because a service may
 * repeat what it refuses.
 */
export function secretsIn(body: unknown, depth = 0): string[] {
	if (depth > DEEPEST) return [];
	if (Array.isArray(body)) return body.flatMap((entry) => secretsIn(entry, depth + 1));
	if (!isObject(body)) return [];
	const path = typeof body.path === 'string' ? body.path : '';
	return Object.entries(body).flatMap(([name, value]) =>
		isSecret(name, value) || (name === 'value' && isSecret(path, value))
			? textsIn(value, depth)
			: secretsIn(value, depth + 1),
	);
}

function textsIn(value: unknown, depth: number): string[] {
	if (depth > DEEPEST) return [];
	if (typeof value === 'object' && value !== null)
		return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
	return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Returns the attributes as JSON without secrets, at any depth: plans are stored and sent to chats. */
export function withoutSecrets(attributes: Attributes): Attributes {
	return replaceSecrets(attributes, () => undefined);
}

/** Returns the attributes with secrets masked, at any depth. */
export function withMaskedSecrets(attributes: Attributes): Attributes {
	return replaceSecrets(attributes, () => MASK);
}

/** The names of the secrets among attributes, at any depth, each once. */
export function secretNamesIn(attributes: Attributes): string[] {
	const names = new Set<string>();
	replaceSecrets(attributes, (name) => void names.add(name));
	return [...names];
}

function replaceSecrets(
	attributes: Attributes,
	instead: (name: string) => string | undefined,
): Attributes {
	const text = JSON.stringify(attributes, (name, value: unknown) =>
		isSecret(name, value) ? instead(name) : value,
	);
	return JSON.parse(text) as Attributes;
}
