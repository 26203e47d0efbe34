import {
	type AccessValue,
	attribute,
	type Attributes,
	type MatchAttribute,
	matchingBy,
	SCHEMA,
	type Traits,
	type User,
	valuesOf,
} from '../../scim';
import { addTo } from '../../util';
import {
	endingOf,
	gained,
	isValue,
	kindOf,
	lossesIn,
	lost,
	type AccountChange,
	type Change,
	type Member,
} from '../changes';

/** What has to be known beside the changes. */
export interface RiskFacts {
	profile: Pick<Traits, 'accessAttributes'>;
	/** The user as last read, before anything was sent. */
	userSeen(id: string): User | undefined;
	/** How many people are in a group beside those who joined earlier; undefined where that is not known. */
	sizeOf(groupId: string): number | undefined;
	/** Keys of those who joined a group earlier, in what counts together with these changes. @param key of the group */
	joinedEarlier(key: string): readonly string[];
}

/** Who is added to a group. */
export interface Joins {
	groupId: string;
	/** Of the group, as the changes have it. */
	key: string;
	people: readonly Member[];
}

interface Risk {
	/** As Allow More Than the Limit For lists it. */
	name: string;
	/** In words that go after a number of people. */
	words: string;
	peopleIn(changes: readonly Change[], facts: RiskFacts): Member[];
}

/** A group that more people than this join in a run is noticed when it more than doubles. */
const MOST_ADDED = 10;
const ADMIN = 'admin';

/**
 * Kinds of change that look wrong when they concern many. Guards, plans, summaries and Allow More Than the Limit For read this table. Users
 * who are created count as such, and where they become admin.
 */
const TABLE = {
	creates: {
		name: 'Creates',
		words: 'would be created',
		peopleIn: (changes) => ofAccounts(changes, (change) => kindOf(change) === 'created'),
	},
	deactivations: {
		name: 'Deactivations',
		words: 'would be deactivated',
		peopleIn: (changes) => ofAccounts(changes, (change) => endingOf(change) === 'deactivate'),
	},
	gainsOfAdmin: {
		name: 'Gains of Admin',
		words: 'would become admin',
		peopleIn: (changes, facts) =>
			changes.flatMap((change) =>
				change.about !== 'group' && givesAdmin(change, facts) ? [change.person] : [],
			),
	},
	identityChanges: {
		name: 'Identity Changes',
		words: 'would get another user name, email or external ID',
		peopleIn: (changes, { userSeen }) =>
			ofAccounts(changes, ({ attributes = {}, person }) =>
				changesIdentity(attributes, userSeen(person.id ?? '')),
			),
	},
	lossesOfAccess: {
		name: 'Losses of Access',
		words: 'would lose access',
		peopleIn: (changes) =>
			lossesIn(
				changes.filter((change) => endingOf(change) !== 'deactivate'),
				() => [],
			)
				.filter(({ newRole }) => newRole === undefined)
				.map(({ person }) => person),
	},
	membersAdded: {
		name: 'Members Added',
		words: 'would be added to groups that more than double',
		peopleIn: (changes, facts) => tooManyAdded(changes, facts).flatMap(({ people }) => people),
	},
	reactivations: {
		name: 'Reactivations',
		words: 'would be reactivated',
		peopleIn: (changes, { userSeen }) =>
			ofAccounts(changes, (change) => {
				const { before, after, person } = change;
				const wasInactive = before !== 'active' && userSeen(person.id ?? '')?.active === false;
				return kindOf(change) === 'activated' || (after === 'active' && wasInactive);
			}),
	},
	roleChanges: {
		name: 'Role Changes',
		words: 'would change roles',
		peopleIn: (changes) =>
			changes.flatMap((change) =>
				change.about === 'entitlement' && change.after.length > 0 && lost(change).length > 0
					? [change.person]
					: [],
			),
	},
} satisfies Record<string, Risk>;

function ofAccounts(
	changes: readonly Change[],
	isMeant: (change: AccountChange) => boolean,
): Member[] {
	return changes.flatMap((change) =>
		change.about === 'account' && isMeant(change) ? [change.person] : [],
	);
}

/** Those who are added to each group. */
export function joinsIn(changes: readonly Change[]): Joins[] {
	const added = new Map<string, Member[]>();
	const idOf = new Map<string, string>();
	for (const change of changes) {
		if (change.about !== 'entitlement') continue;
		for (const one of gained(change)) {
			if (isValue(one)) continue;
			addTo(added, one.key, change.person);
			if (!idOf.has(one.key)) idOf.set(one.key, one.groupId);
		}
	}
	return [...added].map(([key, people]) => ({ groupId: idOf.get(key) ?? key, key, people }));
}

/** Those who are added to groups where they, with those who joined earlier, are so many that the size decides. */
export function manyAdded(
	changes: readonly Change[],
	{ joinedEarlier }: Pick<RiskFacts, 'joinedEarlier'>,
): Joins[] {
	return joinsIn(changes).filter((joins) => countOf(joins, joinedEarlier) > MOST_ADDED);
}

/** Of these, the groups that more than double. */
export function tooManyAdded(
	changes: readonly Change[],
	{ sizeOf, joinedEarlier }: Pick<RiskFacts, 'sizeOf' | 'joinedEarlier'>,
): Joins[] {
	return manyAdded(changes, { joinedEarlier }).filter((joins) => {
		// A group without members is new, and has nobody whom it lets in beside others.
		const size = sizeOf(joins.groupId) ?? 0;
		return size > 0 && countOf(joins, joinedEarlier) > size;
	});
}

function countOf({ key, people }: Joins, joinedEarlier: RiskFacts['joinedEarlier']): number {
	return new Set([...joinedEarlier(key), ...people.map((person) => person.key)]).size;
}

export type RiskKind = keyof typeof TABLE;

export const RISKS: Readonly<Record<RiskKind, Risk>> = TABLE;
export const RISK_KINDS = Object.keys(TABLE) as RiskKind[];

/** Kinds in which people count who are created in the same run. */
const OF_NEWCOMERS: readonly RiskKind[] = ['gainsOfAdmin', 'creates'];

/** Keys of the people of changes, for each kind. */
export type Risky = ReadonlyMap<RiskKind, ReadonlySet<string>>;

/** @param before of an earlier part of the run: limits hold for the run */
export function riskyIn(changes: readonly Change[], facts: RiskFacts, before?: Risky): Risky {
	return new Map(
		RISK_KINDS.map((kind) => {
			const keys = new Set(before?.get(kind));
			for (const { id, key } of RISKS[kind].peopleIn(changes, facts))
				if (id !== undefined || OF_NEWCOMERS.includes(kind)) keys.add(key);
			return [kind, keys];
		}),
	);
}

export function isAdmin(role: string | undefined): boolean {
	return role?.toLowerCase() === ADMIN;
}

/** An entry without `value` is all its texts, such as a team and a role. */
function isAdminValue({ value, display }: AccessValue): boolean {
	return [...value.split(': '), display].some(isAdmin);
}

function givesAdmin(
	change: Exclude<Change, { about: 'group' }>,
	{ profile, userSeen }: RiskFacts,
): boolean {
	if (change.about === 'entitlement') {
		return gained(change).some((one) => (isValue(one) ? isAdminValue(one) : isAdmin(one.role)));
	}
	const { attributes = {}, person } = change;
	const isIn = (all: Attributes) =>
		valuesOf({ id: '', userName: '', attributes: all }, profile).some(isAdminValue);
	return isIn(attributes) && !isIn(userSeen(person.id ?? '')?.attributes ?? {});
}

const IDENTITY: ReadonlyMap<string, MatchAttribute> = new Map([
	['username', 'userName'],
	['emails', 'email'],
	['externalid', 'externalId'],
]);

/** Whether attributes change what people are known by; where that was not read, or only a part is set, they do. */
function changesIdentity(attributes: Attributes, before: User | undefined): boolean {
	const prefix = `${SCHEMA.user.toLowerCase()}:`;
	return Object.keys(attributes).some((name) => {
		const plain = name.toLowerCase().replace(prefix, '');
		const by = IDENTITY.get(plain.split(/[.[]/, 1)[0]);
		if (by === undefined) return false;
		if (before === undefined || name.toLowerCase() !== plain || !IDENTITY.has(plain)) return true;
		const userName = attribute(attributes, 'userName');
		const after = { userName: typeof userName === 'string' ? userName : '', attributes };
		return identity(after, by) !== identity(before, by);
	});
}

function identity(user: Pick<User, 'userName' | 'attributes'>, by: MatchAttribute): string {
	const { fold, keyOf, keysOf } = matchingBy(by);
	const keys = new Set(keysOf(user).map(fold));
	return [fold(keyOf(user)), ...[...keys].sort()].join('\n');
}
