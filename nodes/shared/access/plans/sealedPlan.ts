import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto';

import { NO_ITEM, parameterJson, failureOf, type Outcome } from '../../run';
import { withoutSecrets } from '../../scim';
import { attemptSync, InputError, isObject, shown, nameKey } from '../../util';
import {
	type GuardSettings,
	type Excess,
	isOfAccess,
	isUpdate,
	judgePlan,
	type PersonChange,
	type PersonOfPlan,
	type PlanRules,
	type Ruling,
} from '../guards';
import {
	kindOf,
	type AccountChange,
	type Change,
	type EntitlementChange,
	type Kind,
	type Precondition,
	gained,
	isValue,
	lost,
	nameOf,
	newManagerIn,
	withManager,
	type Person,
	whoIs,
	type Settled,
} from '../changes';
import type { AffectedBase } from '../facts';
import { planUpdates } from './planUsers';

/** The format of plans; a plan of another one is refused. */
const VERSION = 4;
const SALT = `n8n-nodes-scim-provisioning plan ${VERSION}`;
const KEY_BYTES = 32;
const ID_LENGTH = 12;
const CHANGES_AT_ONCE = 100;
const NO_CHANGES = '"changes":[]';
/** Clocks of two machines may differ. */
const MOST_AHEAD_MS = 3_600_000;

/** What plans of an operation are called, and how they are applied. */
export interface PlanTraits {
	/** In the plan. */
	operation: string;
	/** For its readers. */
	title: string;
	/** Where a whole list is compared: what, with which list. */
	compares?: Compared;
	/** Whether a create fails when the account exists already. */
	refusesExisting?: boolean;
	/** Whether users are compared whole, so that an equal one counts as created. */
	comparesUsers?: boolean;
}

/** Words for the summary of a plan that makes everything like a list. */
interface Compared {
	/** Such as "Access". */
	what: string;
	differ: string;
	match: string;
	/** The field that has the list. */
	list: string;
}

/** The guard settings a plan was made with. */
export interface PlanGuards extends Omit<GuardSettings, 'protectedUsers'> {
	protectedUsers: string[];
	/** The people that the affected are a share of; null for all with access. */
	among: AffectedBase | null;
}

/** A change as plans hold it, with its kind. */
export type PlannedChange = (AccountChange | EntitlementChange) & { change: Kind };

export interface Plan {
	version: typeof VERSION;
	/** Base URL. */
	service: string;
	/** ID of the account organization; empty where there is none. */
	account: string;
	operation: string;
	/** ISO 8601. */
	time: string;
	guards: PlanGuards;
	/** What else it takes to apply the changes, such as Reactivate. */
	settings: Record<string, unknown>;
	changes: PlannedChange[];
	/** All people of an Offboard, also those without a change. */
	people?: Array<{ id: string | null; userName: string | null }>;
	/** Keys of the groups that are no access. */
	ignored?: string[];
	/** What forms call people, by their keys; missing: by user name or ID. */
	names?: ReadonlyArray<readonly [key: string, name: string]>;
	/** Reasons that lie in the list itself. What guards say is judged again, of what is approved. */
	blockedBy: string[];
	/** What is beyond limits by volume: Apply Plan needs these kinds approved, and makes no more of them. */
	excess: Excess[];
	/** Equal for plans that were sealed with the same secret. */
	sealedWith: string;
	seal: string;
}

/** The plan with its version and a seal, without the secrets of users. @param secret the credential's long-lived secret */
export function sealPlan(
	unsealed: Omit<Plan, 'version' | 'sealedWith' | 'seal' | 'changes'> & {
		changes: readonly Change[];
	},
	secret: string,
): Plan {
	const keys = new Set(unsealed.changes.map(({ key }) => key));
	const changes = unsealed.changes.flatMap((change) => planned(change, keys) ?? []);
	const sealedWith = nameOfKey(secret);
	const plan: Plan = { version: VERSION, ...unsealed, changes, sealedWith, seal: '' };
	return { ...plan, seal: sealOf(plan, secret) };
}

/** Returns a short name of a sealed plan: the same for as long as nobody edits it. */
export function planIdOf({ seal }: Pick<Plan, 'seal'>): string {
	return seal.slice(0, ID_LENGTH);
}

/**
 * The change without what was read for it, which is read again when the plan is applied, and without rests on changes that are
 * made already.
 */
function planned(change: Change, keys: ReadonlySet<string>): PlannedChange | undefined {
	if (change.about === 'group') return undefined;
	const { action, person } = change;
	const isOpen = (rest: Precondition) => rest.on !== 'change' || keys.has(rest.key);
	const restsOn = change.restsOn.every(isOpen) ? change.restsOn : change.restsOn.filter(isOpen);
	const items = change.items.includes(NO_ITEM)
		? change.items.filter((item) => item !== NO_ITEM)
		: change.items;
	// For its reader, in this order.
	const kind = kindOf(change);
	const lead = { change: kind, action, person };
	const own: PlannedChange = Object.assign(lead, change, { change: kind, items, restsOn });
	if (own.about === 'entitlement') delete own.evidence;
	else {
		delete own.whole;
		if (own.attributes) own.attributes = withoutSecrets(own.attributes);
		if (own.was) own.was = withoutSecrets(own.was);
	}
	return own;
}

/** Where in an item a plan stands: the field of a preview, or of a run that can be undone; '' for the item itself. */
export function placeOfPlan(item: unknown): 'plan' | 'undo' | '' | undefined {
	if (!isObject(item)) return undefined;
	if ('seal' in item) return '';
	return (['plan', 'undo'] as const).find((field) => Boolean(item[field]));
}

/**
 * Reads a plan from a preview item, from its `plan`, from the item of a run that has an `undo`, or from the JSON text of any.
 * Nothing else in the item counts.
 * @throws InputError for anything that is not a plan of this format, naming the field
 */
export function readPlan(value: unknown): Plan {
	const given = parameterJson(value, 'Plan');
	const place = placeOfPlan(given);
	// What is in undo is like the item of a preview.
	if (isObject(given) && place) return readPlan(given[place]);
	const plan = attemptSync(() => JSON.parse(canonicalJson(given)) as unknown);
	if (isObject(plan) && typeof plan.seal === 'string' && plan.version !== VERSION) {
		throw new InputError(
			`The plan has format ${shown(String(plan.version))}; this node applies format ${VERSION}`,
			'Make a new plan with this version of the node.',
		);
	}
	assertPlan(plan);
	return plan;
}

/** For which account and when a plan is applied. */
export interface PlanUse {
	service: string;
	account: string;
	secret: string;
	/** Milliseconds. */
	now: number;
	maxAgeMs: number;
}

/** Whether it asks who should leave, so that nobody ticked is an answer. */
export function isReview({ settings }: Pick<Plan, 'settings'>): boolean {
	return settings.review === true;
}

/**
 * Checks whether the plan may be applied here and now.
 * @throws InputError for a plan of another service or account, one that is not as it was sealed, a blocked one, and one
 * whose time is too old or ahead
 */
export function checkPlan(plan: Plan, use: PlanUse): void {
	checkSeal(plan, use);
	if (plan.blockedBy.length > 0) {
		throw new InputError(
			`The plan is blocked: ${plan.blockedBy.join(' ')}`,
			'Fix the cause and make a new plan.',
		);
	}
	checkTime(plan.time, use);
}

/** @throws InputError for a plan of another service or account, and one that is not as it was sealed */
export function checkSeal(plan: Plan, use: PlanUse): void {
	if (plan.service !== use.service) {
		throw new InputError(
			`The plan was made for another service (${shown(plan.service)})`,
			'Use the credential it was made with, or make a new plan.',
		);
	}
	if (plan.account !== use.account) {
		throw new InputError(
			`The plan was made for another account (${shown(plan.account) || 'none'})`,
			'Use the credential it was made with, or make a new plan.',
		);
	}
	if (!isEqualText(plan.seal, sealOf(plan, use.secret))) {
		throw new InputError(
			plan.sealedWith === nameOfKey(use.secret)
				? 'The plan was edited after it was made'
				: "The credential's secret has changed since the plan was made",
			'Make a new plan and get it approved.',
		);
	}
}

/** The stricter of both for every setting; what `own` leaves out is as in the plan. */
export function stricterGuards(
	ofPlan: PlanGuards,
	own: Partial<Omit<PlanGuards, 'among'>>,
): PlanGuards {
	const { allowPermanentRemoval, allowRemovingLastAdmin, protectedUsers, among } = ofPlan;
	const both = (one: readonly string[] = [], other: readonly string[] = []) => [
		...new Set([...one, ...other]),
	];
	const groups = both(ofPlan.protectMembersOf, own.protectMembersOf);
	const smaller = (one: number, other = one) => Math.min(one, other);
	return {
		among,
		allowPermanentRemoval: allowPermanentRemoval && (own.allowPermanentRemoval ?? true),
		allowRemovingLastAdmin: allowRemovingLastAdmin && (own.allowRemovingLastAdmin ?? true),
		maxCreates: smaller(ofPlan.maxCreates, own.maxCreates),
		maxPercentAffected: smaller(ofPlan.maxPercentAffected, own.maxPercentAffected),
		maxPeopleAffected: smaller(ofPlan.maxPeopleAffected, own.maxPeopleAffected),
		protectedUsers: both(protectedUsers, own.protectedUsers),
		...(groups.length > 0 && { protectMembersOf: groups }),
	};
}

/**
 * The JSON text of a value with names in one order, so that storing a plan does not break its seal. As JSON writes it:
 * undefined names are left out, NaN and infinite numbers are null, -0 is 0, half a surrogate pair is its \u escape.
 */
export function canonicalJson(value: unknown): string {
	// By the name under which an object stands, of the one before there: most have the same names.
	const before = new Map<string, { names: readonly string[]; sorted: readonly string[] }>();
	const namesOf = (entry: object, under: string): readonly string[] => {
		const names = Object.keys(entry);
		const last = before.get(under);
		const isSame = last?.names.length === names.length;
		if (isSame && names.every((name, at) => name === last.names[at])) return last.sorted;
		const sorted = [...names].sort();
		before.set(under, { names, sorted });
		return sorted;
	};
	const ordered = (entry: unknown, under: string): unknown => {
		if (Array.isArray(entry)) return entry.map((one) => ordered(one, under));
		if (!isObject(entry)) return entry;
		if (typeof entry.toJSON === 'function') return ordered(entry.toJSON(), under);
		const copy = new Bare();
		for (const name of namesOf(entry, under)) {
			const one = entry[name];
			copy[name] = typeof one === 'object' ? ordered(one, name) : one;
		}
		return copy;
	};
	return JSON.stringify(ordered(value, ''));
}

/** An object that inherits nothing, so that each name is its own; one of `Object.create(null)` is slow. */
class Bare {
	[name: string]: unknown;
}
Object.setPrototypeOf(Bare.prototype, null);

/** Of the canonical JSON of the plan; of a long one that is never there as a whole, as it takes more than the plan. */
function sealOf(plan: Plan, secret: string): string {
	const { changes, ...rest } = plan;
	const hmac = createHmac('sha256', keyOf(secret));
	const around = canonicalJson({ ...rest, changes: [], seal: undefined });
	// What comes before has no names in it.
	const start = around.indexOf(NO_CHANGES) + NO_CHANGES.length - 1;
	hmac.update(around.slice(0, start));
	for (let at = 0; at < changes.length; at += CHANGES_AT_ONCE) {
		const some = canonicalJson(changes.slice(at, at + CHANGES_AT_ONCE)).slice(1, -1);
		hmac.update(at === 0 ? some : `,${some}`);
	}
	return hmac.update(around.slice(start)).digest('hex');
}

let latest: { secret: string; key: Buffer } | undefined;

/** A slow key, because a reader of a seal could try secrets on it; so slow that it is kept, with its secret, for the next. */
function keyOf(secret: string): Buffer {
	if (latest?.secret !== secret) latest = { secret, key: scryptSync(secret, SALT, KEY_BYTES) };
	return latest.key;
}

/** Tells two secrets apart, and nothing of either. */
function nameOfKey(secret: string): string {
	return createHmac('sha256', keyOf(secret)).update('name of the key').digest('hex').slice(0, 8);
}

function isEqualText(one: string, other: string): boolean {
	const [left, right] = [Buffer.from(one), Buffer.from(other)];
	return left.length === right.length && timingSafeEqual(left, right);
}

function checkTime(time: string, { now, maxAgeMs }: PlanUse): void {
	const age = now - Date.parse(time);
	if (age < -MOST_AHEAD_MS) {
		throw new InputError(
			`The time of the plan is in the future (${shown(time)})`,
			'Check the clock of the machine it was made on, and make a new plan.',
		);
	}
	// A limit that is no number lets nothing through.
	if (!(age <= maxAgeMs)) {
		throw new InputError(
			`The plan is too old (${shown(time)})`,
			'Make a new plan and get it approved.',
		);
	}
}

type Check = (value: unknown) => boolean;
/** A check for every field, so that no field is forgotten. */
type Shape<T> = Record<keyof T, Check>;

const isText: Check = (value) => typeof value === 'string';
const isName: Check = (value) => typeof value === 'string' && value !== '';
const listOf = (check: Check) => (value: unknown) => Array.isArray(value) && value.every(check);

const PLAN: Shape<Plan> = {
	version: (value) => value === VERSION,
	service: isName,
	account: isText,
	operation: isName,
	time: isText,
	guards: isObject,
	settings: isObject,
	changes: Array.isArray,
	people: (value) => value === undefined || Array.isArray(value),
	ignored: (value) => value === undefined || Array.isArray(value),
	names: (value) => value === undefined || Array.isArray(value),
	blockedBy: listOf(isText),
	excess: Array.isArray,
	sealedWith: isText,
	seal: isText,
};

function assertPlan(value: unknown): asserts value is Plan {
	const wrong = wrongIn(value);
	if (wrong === undefined) return;
	throw new InputError(
		'This is not a plan',
		isObject(value) && 'seal' in value
			? `Use the plan as Preview returned it. The field ${shown(wrong)} is missing, unknown, or of another type.`
			: "The step before returned something else. Use {{ $('Name of the Preview node').first().json.plan }}, or .undo of a run that is to be undone",
	);
}

/** The first field that is missing, unknown, or of another type; the seal vouches for what is in them. */
function wrongIn(value: unknown): string | undefined {
	if (!isObject(value)) return 'plan';
	const names = new Set([...Object.keys(PLAN), ...Object.keys(value)]);
	const isRight = (name: string) =>
		Object.hasOwn(PLAN, name) && PLAN[name as keyof Plan](value[name]);
	const wrong = [...names].find((name) => !isRight(name));
	return wrong === undefined ? undefined : `plan.${wrong}`;
}

/** What is left of a plan. */
interface OpenChanges {
	changes: PersonChange[];
	/** Those that are made already, and that cannot be made any more: all of them are settled. */
	withheld: PersonChange[];
	settled: Settled[];
	/** All people of the plan who are there. */
	people: Person[];
}

/**
 * What is left of an approved plan: each change by what its place shows now. As it is to be: made. As it was: open. Neither:
 * stale, and then nothing is done for the person; so it is where what a change rests on is another. What cannot be seen is
 * not stale: what gives goes on, what takes fails.
 * @param item the input item with the plan
 */
export function openChanges(
	{ changes, people = [] }: Pick<Plan, 'changes' | 'people'>,
	item: number,
	rules: PlanRules,
): OpenChanges {
	const made: OpenChanges = { changes: [], withheld: [], settled: [], people: [] };
	const persons = personsOf(changes, people, rules);
	const rulings = judgePlan(persons, rules);
	for (const one of persons) {
		const { kind, person } = one;
		if (kind === 'found') made.people.push(person);
		if (one.changes.length === 0) {
			const outcome = outcomeOf(rulings.ofUnchanged(one), `change the access of ${nameOf(person)}`);
			made.settled.push(settledOf(undefined, outcome, one, item, rules));
		}
		for (const planned of one.changes) {
			const change = withPerson(planned, one, item, rules);
			const ruling = rulings.of(change, one);
			const fate =
				ruling.is === 'open' ? leftOf(ruling.left, one, rules) : outcomeOf(ruling, change.action);
			if ('about' in fate) made.changes.push(fate);
			else {
				made.withheld.push(change);
				made.settled.push(settledOf(change, fate, one, item, rules));
			}
		}
	}
	return made;
}

function personsOf(
	changes: readonly PlannedChange[],
	people: NonNullable<Plan['people']>,
	rules: PlanRules,
): PersonOfPlan[] {
	const persons = new Map<string, PersonOfPlan>();
	const personOf = (who: Person): PersonOfPlan => {
		const present = rules.present(who);
		const key = present.kind === 'found' ? present.person.key : who.key;
		const one: PersonOfPlan = persons.get(key) ?? {
			kind: present.kind,
			// Protection goes by what the service shows, which a plan need not say.
			person: { ...who, key, ...(present.kind === 'found' && present.person) },
			...(present.kind === 'found' && present.user && { user: present.user }),
			...(present.kind === 'unknown' && { fault: present.error }),
			changes: [],
		};
		persons.set(key, one);
		return one;
	};
	for (const change of changes) personOf(change.person).changes.push(change);
	for (const { id, userName } of people) {
		personOf({
			key: id ?? nameKey(userName ?? ''),
			...(id !== null && { id }),
			...(userName !== null && { userName }),
		});
	}
	return [...persons.values()];
}

/** The change for who is there now. */
function withPerson(
	planned: PersonChange,
	{ person, user }: PersonOfPlan,
	item: number,
	{ access, present }: PlanRules,
): PersonChange {
	const change: PersonChange = { ...planned, person, items: [item] };
	const userName = change.about === 'account' ? newManagerIn(change.attributes) : undefined;
	const manager = userName === undefined ? undefined : present({ userName });
	// Someone has created the manager since.
	if (manager?.kind === 'found' && change.about === 'account' && change.attributes)
		change.attributes = withManager(change.attributes, manager.person.id);
	if (isOfAccess(change) && user) change.evidence = { user, readAt: access.readAt };
	return change;
}

/** What is said of a change of which nothing is left to do. */
function outcomeOf(ruling: Exclude<Ruling, { is: 'open' }>, action: string): Outcome {
	switch (ruling.is) {
		case 'made':
			return { status: 'unchanged', action, ...(ruling.reason && { reason: ruling.reason }) };
		case 'skipped':
			return { status: 'skipped', action, reason: ruling.reason };
		default:
			return failureOf(action, ruling.error);
	}
}

/** What is left of an open change: of an update the attributes that are not so yet. */
function leftOf(
	change: PersonChange,
	{ person, user }: PersonOfPlan,
	rules: PlanRules,
): PersonChange | Outcome {
	if (!isUpdate(change)) return change;
	const { attributes: given = {}, warnings } = change;
	const wanted = { item: 0, person, attributes: given, warnings };
	const { changes, settled } = planUpdates([{ ...wanted, ...(user && { user }) }], rules);
	const [made] = changes.filter((one) => one.about === 'account');
	if (made === undefined) return settled[0].outcome;
	const { before, after, attributes, was, lost: taken } = made;
	return { ...change, before, after, attributes, was, ...(taken && { lost: taken }) };
}

/** All changes of a plan that was declined: nothing is read for them. @param item the input item with the plan */
export function declined({ changes }: Pick<Plan, 'changes'>, item: number): Settled[] {
	return changes.map((change) => {
		const outcome = { status: 'skipped' as const, action: change.action, reason: 'declined' };
		const entry: PersonOfPlan = { kind: 'unknown', person: change.person, changes: [] };
		return settledOf(change, outcome, entry, item);
	});
}

function settledOf(
	change: PersonChange | undefined,
	outcome: Outcome,
	{ kind, person, user }: PersonOfPlan,
	item: number,
	rules?: PlanRules,
): Settled {
	const isGone = kind === 'absent' && outcome.status === 'unchanged';
	const [one] = change?.about === 'entitlement' ? [...gained(change), ...lost(change)] : [];
	const group = one && rules?.access.groups.get(one.key);
	return {
		...{ item, subject: person.key, outcome },
		...(change && { change: change.key }),
		result: {
			who: isGone ? { kind: 'gone', person } : whoIs(person, user),
			intent: change === undefined ? 'none' : kindOf(change),
			...(group && { group }),
			...(one && isValue(one) && { value: one }),
		},
	};
}
