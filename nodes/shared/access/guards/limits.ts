import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	type Traits,
	type AccessValue,
	attribute,
	type Attributes,
	type MatchAttribute,
	matchingBy,
	SCHEMA,
	type User,
	valuesOf,
} from '../../scim';
import { inOrder, optionNumber } from '../../run';
import { addTo } from '../../util';
import {
	type Ending,
	endingOf,
	gained,
	isValue,
	kindOf,
	lossesIn,
	lost,
	type AccountChange,
	type Change,
	type Person,
} from '../changes';
import type { AffectedBase } from '../facts';

const DEFAULT_MOST_PEOPLE = 5;
const DEFAULT_MOST_PERCENT = 10;
const DEFAULT_MOST_CREATES = 100;

const WHOLE = 100;
/** A share of many is no small number. */
const MOST_BY_PERCENT = 100;

/** The limits by volume while nobody sets them, in words. */
export const DEFAULT_LIMITS = `${DEFAULT_MOST_PEOPLE} people or ${DEFAULT_MOST_PERCENT} %, whichever is more, ${MOST_BY_PERCENT} at most`;

/** How many may be affected in one run before it looks like a broken source; settable in the nodes. */
export interface VolumeLimits {
	/** So many people for each kind of change, whatever share of all they are. */
	maxPeopleAffected: number;
	/** Percentage of those the change is about, for each kind of change. */
	maxPercentAffected: number;
	/** So many users are created. */
	maxCreates: number;
}

/** One kind of change that concerns more people than a limit allows. */
export interface Excess {
	kind: RiskKind;
	people: number;
	limit: number;
}

/** The Safety Limits collection, with the two that go for every kind of change. @param when such as "per run" */
export function safetyLimitsWith(when: string, limits: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Safety Limits',
		name: 'safetyLimits',
		type: 'collection',
		placeholder: 'Add Limit',
		default: {},
		description: 'Which changes are blocked because they look wrong',
		options: inOrder([
			{
				displayName: 'Max People Affected',
				name: 'maxPeopleAffected',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, numberPrecision: 0 },
				default: 5,
				description: `Most people ${when} for each kind of change. The higher of both limits applies.`,
			},
			{
				displayName: 'Max Percent Affected',
				name: 'maxPercentAffected',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, maxValue: 100 },
				default: 10,
				description: `Largest share of people ${when} for each kind of change, and never more than 100`,
			},
			...limits,
		]),
	};
}

/** @param set the Safety Limits collection. @throws InputError for a number out of range */
export function readVolumeLimits(set: IDataObject): VolumeLimits {
	const number = (displayName: string, value: unknown) => optionNumber(displayName, value, 0);
	return {
		maxPeopleAffected: number('Max People Affected', set.maxPeopleAffected ?? DEFAULT_MOST_PEOPLE),
		maxPercentAffected: number(
			'Max Percent Affected',
			set.maxPercentAffected ?? DEFAULT_MOST_PERCENT,
		),
		maxCreates: number('Max Creates', set.maxCreates ?? DEFAULT_MOST_CREATES),
	};
}

/** Kinds of which no share of all people is allowed, but a number. */
type CountedKind = Extract<RiskKind, 'creates' | 'membersAdded'>;

function isCounted(kind: RiskKind): kind is CountedKind {
	return kind === 'creates' || kind === 'membersAdded';
}

/** Whether no share of all people decides, so that they need not be counted. */
export function withinNumber(risky: Risky, { maxPeopleAffected }: VolumeLimits): boolean {
	return [...risky].every(([kind, people]) => isCounted(kind) || people.size <= maxPeopleAffected);
}

/** How many may be affected. @param base undefined where it is not known */
export function mostAffected(
	base: AffectedBase | undefined,
	{ maxPeopleAffected, maxPercentAffected }: Omit<VolumeLimits, 'maxCreates'>,
): Most {
	if (base === undefined) {
		return {
			people: maxPeopleAffected,
			words: `the limit of ${maxPeopleAffected} people (Max Percent Affected does not count, since the number of people with access is unknown)`,
		};
	}
	const share = Math.floor((base.people * maxPercentAffected) / WHOLE);
	const people = Math.max(maxPeopleAffected, Math.min(share, MOST_BY_PERCENT));
	const atMost = share > MOST_BY_PERCENT ? `, at most ${MOST_BY_PERCENT}` : '';
	return {
		people,
		words: `the limit of ${people} (the greater of ${maxPeopleAffected} people and ${maxPercentAffected} % of the ${base.people} ${base.are}${atMost})`,
	};
}

/** How many people a limit allows, and the limit in words. */
export interface Most {
	people: number;
	words: string;
}

/**
 * Each kind of change that concerns too many people, with the limit in words.
 * @param own limits of a kind that are lower in this run
 */
export function excessIn(
	risky: Risky,
	base: AffectedBase | undefined,
	limits: VolumeLimits,
	own: ReadonlyMap<RiskKind, Most> = new Map(),
): Array<Excess & { words: string }> {
	const affected = mostAffected(base, limits);
	const counted: Record<CountedKind, number> = {
		creates: limits.maxCreates,
		membersAdded: limits.maxPeopleAffected,
	};
	const setBy: Record<CountedKind, string> = {
		creates: 'Max Creates',
		membersAdded: 'Max People Affected; no percentage counts here',
	};
	return RISK_KINDS.flatMap((kind) => {
		const people = risky.get(kind)?.size ?? 0;
		const usual = isCounted(kind)
			? { people: counted[kind], words: `the limit of ${counted[kind]} (${setBy[kind]})` }
			: affected;
		const limit = [usual, own.get(kind) ?? usual].reduce((one, other) =>
			other.people < one.people ? other : one,
		);
		return people > limit.people ? [{ kind, people, limit: limit.people, words: limit.words }] : [];
	});
}

/** What an excess is, such as "12 people would become admin". */
export function excessWords({ kind, people }: Pick<Excess, 'kind' | 'people'>): string {
	return `${people} people ${RISKS[kind].words}`;
}

/** What its approver decides on, such as "More than 5 people would lose access". */
export function beyondWords({ kind, limit }: Pick<Excess, 'kind' | 'limit'>): string {
	const people = limit === 1 ? 'person' : 'people';
	return `More than ${limit.toLocaleString('en-US')} ${people} ${RISKS[kind].words}`;
}

/** What guards allow; settable in the node. */
export interface GuardSettings extends VolumeLimits {
	/** IDs, user names, emails, or patterns of them with `*`. */
	protectedUsers: readonly string[];
	/** Groups whose members are protected as well: names, IDs or patterns; the IDs of members are among the above. */
	protectMembersOf?: readonly string[];
	allowRemovingLastAdmin: boolean;
	/** Whether people may be deactivated or deleted where that cannot be undone. */
	allowPermanentRemoval: boolean;
}

/**
 * Why a user must not be deactivated or deleted: the service takes the account away permanently. Undefined where it may be.
 */
export function permanentRemoval(
	kind: Ending,
	{ deactivation, deletionIsFinal }: Traits,
	{ allowPermanentRemoval }: Pick<GuardSettings, 'allowPermanentRemoval'>,
): string | undefined {
	const isFinal = kind === 'deactivate' ? deactivation === 'removes' : deletionIsFinal;
	if (!isFinal || allowPermanentRemoval) return undefined;
	const what =
		kind === 'deactivate'
			? 'Deactivating a person removes the account on this service'
			: 'Deleting a person cannot be undone on this service';
	return `${what}. Allow it with Allow Permanent Removal under Safety Limits.`;
}

/** What has to be known beside the changes. */
interface RiskFacts {
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
	people: readonly Person[];
}

interface Risk {
	/** As Allow More Than the Limit For lists it. */
	name: string;
	/** In words that go after a number of people. */
	words: string;
	peopleIn(changes: readonly Change[], facts: RiskFacts): Person[];
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
): Person[] {
	return changes.flatMap((change) =>
		change.about === 'account' && isMeant(change) ? [change.person] : [],
	);
}

/** Those who are added to each group. */
export function joinsIn(changes: readonly Change[]): Joins[] {
	const added = new Map<string, Person[]>();
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
