import { failureOf, type Outcome } from '../run';
import {
	type AccessValue,
	attribute,
	compareUser,
	findValues,
	type MatchAttribute,
	matchingBy,
	type User,
	valueLabel,
	valuesOf,
} from '../scim';
import { InputError, nameKey } from '../util';
import type { Access } from './access';
import type { Change } from './change';
import { protectedPerson } from './diff';
import {
	groupsOfPerson,
	isActive,
	rolesBefore,
	type ChangeKind,
	type PlannedChange,
} from './plannedChange';
import { existingUser, isProof, planPatches } from './planUsers';
import type { Plan } from './sealedPlan';
import { nameOf, whoIs, type Intent, type KnownAccess, type Member, type Settled } from './step';
import type { AccessRules, WantedUser, Wish } from './wish';

/** Who is behind an ID or a user name of a plan now. */
export type PresentPerson =
	| { kind: 'found'; person: Member & { id: string }; user?: User }
	| { kind: 'absent' }
	| { kind: 'unknown'; error: unknown };

export interface PlanRules extends AccessRules {
	/** Of whoever is to be activated the user as well, where there is one. */
	present(who: Pick<PlannedChange, 'id' | 'userName'>): PresentPerson;
	/** Whether somebody to be created who is there now, with all that was wanted, is taken to be the one. */
	takesEqual: boolean;
	/** How users are compared with the attributes that a plan gives them. */
	compare: typeof compareUser;
	/** By what people are known. */
	matchBy: MatchAttribute;
	/** Who has an external ID. */
	holderOf(key: string): PresentPerson;
	/** Whether people are deactivated for ending without any access, which they then must not have by that time. */
	endsEmpty: boolean;
	/** Whether a group is among those that the plan compares. */
	isCompared(groupId: string): boolean;
	/** Groups that are no access. */
	isIgnored(groupId: string): boolean;
}

/** What is left to do of a plan. */
export interface PlanWishes {
	wishes: Wish[];
	/** Of the attributes of users. */
	changes: Change[];
	/** What is made already, and what cannot be made any more. */
	settled: Settled[];
	/** Everybody of the plan who is there. */
	people: Member[];
}

/** The key of a change that needs no request, by its position in the plan. */
export function plannedKey(index: number): string {
	return `planned\n${index}`;
}

/**
 * Turns a plan into wishes. What is made already is unchanged. Where the access or `active` of a person is neither as it
 * was nor as the plan makes it, all changes of the person fail; where a group is another than in the plan, its changes do.
 * @param item the input item with the plan
 */
export function planWishes(
	plan: Pick<Plan, 'changes' | 'people'>,
	item: number,
	rules: PlanRules,
): PlanWishes {
	const made: PlanWishes = { wishes: [], changes: [], settled: [], people: [] };
	const entries = entriesOf(plan, rules);
	const byName = new Map<string, Entry>();
	for (const entry of entries) {
		entry.fault ??= faultOf(entry, rules);
		if (entry.kind === 'found') made.people.push(entry.person);
		for (const { id, userName } of entry.changes) {
			if (id !== null) byName.set(id, entry);
			else if (userName !== null) byName.set(nameKey(userName), entry);
		}
	}
	const find = (name: string) => byName.get(name) ?? byName.get(nameKey(name));
	for (const entry of entries) new PersonWishes(entry, item, find, rules, made).make();
	return made;
}

/** A change with its position in the plan. */
type NumberedChange = PlannedChange & { index: number };

/** All that a plan says of one person. */
interface Entry {
	kind: PresentPerson['kind'];
	person: Member;
	user?: User;
	changes: NumberedChange[];
	/** Why none of it can be made. */
	fault?: unknown;
}

function entriesOf(
	{ changes, people = [] }: Pick<Plan, 'changes' | 'people'>,
	rules: PlanRules,
): Entry[] {
	const entries = new Map<string, Entry>();
	const entryOf = (who: Pick<PlannedChange, 'id' | 'userName'>): Entry => {
		const present = rules.present(who);
		const { id, userName } = who;
		const key = present.kind === 'found' ? present.person.key : (id ?? nameKey(userName ?? ''));
		const entry: Entry = entries.get(key) ?? {
			kind: present.kind,
			person: {
				key,
				...(id !== null && { id }),
				...(userName !== null && { userName }),
				// Protection goes by what the service shows, which a plan need not say.
				...(present.kind === 'found' && present.person),
			},
			...(present.kind === 'found' && present.user && { user: present.user }),
			...(present.kind === 'unknown' && { fault: present.error }),
			changes: [],
		};
		entries.set(key, entry);
		return entry;
	};
	changes.forEach((change, index) => entryOf(change).changes.push({ ...change, index }));
	people.forEach(entryOf);
	return [...entries.values()];
}

const isGrant = ({ change }: PlannedChange) => change === 'granted' || change === 'moved';
const TAKEN_AWAY = new Set<PlannedChange['change']>(['revoked', 'deactivated', 'deleted']);

/** Why nothing of it can be made; undefined where it is as it was, or as the plan makes it. */
function faultOf(entry: Entry, rules: PlanRules): InputError | undefined {
	const { kind, person, user, changes } = entry;
	const created = changes.find(({ change }) => change === 'created');
	// A group may keep somebody who is no user any more: nobody can be let in there.
	const isGhost = user === undefined && changes.some(({ change }) => change === 'activated');
	if (kind === 'absent' || isGhost) {
		if (person.id === undefined && created !== undefined) return undefined;
		if (changes.every(({ change }) => TAKEN_AWAY.has(change))) return undefined;
		return stale(`${nameOf(person)} is no longer there, but was`);
	}
	if (created !== undefined && !rules.adopts && user !== undefined) {
		const wanted = { ...created.attributes, userName: created.userName };
		const isIt = rules.takesEqual
			? compareUser(wanted, user, rules.profile).different.length === 0
			: isProof(wanted, user, rules.profile);
		if (!isIt) return existingUser(user.userName, user);
	}
	const difference =
		nameDifference(entry) ??
		matchDifference(entry, rules) ??
		activeDifference(entry, rules) ??
		valuesDifference(entry, rules) ??
		rolesDifference(entry, rules) ??
		groupsDifference(entry, rules) ??
		keyDifference(entry, rules);
	return difference === undefined
		? (nameTaken(entry, rules) ?? keyTaken(entry, rules))
		: stale(difference);
}

/** Somebody else has the user name that an update gives. */
function nameTaken({ person, changes }: Entry, rules: PlanRules): InputError | undefined {
	for (const userName of changes.flatMap(newNameOf)) {
		const other = rules.present({ id: null, userName });
		if (other.kind !== 'found' || other.person.id === person.id) continue;
		return new InputError(
			`The user name ${userName} belongs to another user (ID ${other.person.id})`,
			'Nothing was sent for this person. Make a new plan and get it approved.',
		);
	}
	return undefined;
}

/** Somebody else has the external ID that an update writes. */
function keyTaken({ person, changes }: Entry, rules: PlanRules): InputError | undefined {
	for (const key of changes.flatMap((change) => newKeyOf(change, rules.matchBy))) {
		const other = rules.holderOf(key);
		if (other.kind === 'absent') continue;
		if (other.kind === 'found' && other.person.id === person.id) continue;
		return new InputError(
			other.kind === 'found'
				? `The external ID ${key} belongs to another user (ID ${other.person.id})`
				: `Could not find out who has the external ID ${key}`,
			'Nothing was sent for this person. Make a new plan and get it approved.',
		);
	}
	return undefined;
}

/** Somebody who was to get a first external ID has another one. */
function keyDifference({ person, user, changes }: Entry, rules: PlanRules): string | undefined {
	const { keyOf } = matchingBy('externalId');
	const now = user === undefined ? '' : keyOf(user);
	const keys = changes.flatMap((change) => newKeyOf(change, rules.matchBy));
	return now === '' || keys.every((key) => key === now)
		? undefined
		: `${nameOf(person)} has the external ID ${now}, but had none`;
}

function nameDifference({ person, user, changes }: Entry): string | undefined {
	const planned = changes.flatMap(({ userName }) => userName ?? []);
	const shown = user?.userName ?? person.userName;
	const allowed = [...planned, ...changes.flatMap(newNameOf)].map(nameKey);
	if (shown === undefined || planned.length === 0 || allowed.includes(nameKey(shown)))
		return undefined;
	return `The user with the ID ${person.id} is ${shown}, but was ${planned[0]}`;
}

/** By email or external ID somebody is another person now, unless the plan has made it so. */
function matchDifference({ person, user, changes }: Entry, rules: PlanRules): string | undefined {
	const { keyOf, fold, label } = matchingBy(rules.matchBy);
	const planned = changes.flatMap(({ key }) => key ?? []);
	if (user === undefined || planned.length === 0) return undefined;
	const given = changes.map(({ attributes = {} }) => keyOf({ userName: '', attributes }));
	const now = keyOf(user);
	const allowed = [...planned, ...given.filter((key) => key !== '')];
	if (allowed.map(fold).includes(fold(now))) return undefined;
	return `${nameOf(person)} has the ${label} ${now || '(none)'}, and had ${planned[0]}`;
}

/** Whether attributes of somebody who is there change, be it that this lets the person in or out. */
function isUpdate({ change, attributes }: PlannedChange): boolean {
	return attributes !== undefined && change !== 'created';
}

/** The first external ID that an update gives: where people are matched by it, no other update does. */
export function newKeyOf(change: PlannedChange, by: MatchAttribute): string[] {
	if (by !== 'externalId' || !isUpdate(change)) return [];
	const key = attribute(change.attributes, 'externalId');
	return typeof key === 'string' ? [key] : [];
}

/** The user name that an update gives. */
export function newNameOf(change: PlannedChange): string[] {
	const name = isUpdate(change) ? change.attributes?.userName : undefined;
	return typeof name === 'string' ? [name] : [];
}

function activeDifference({ person, user, changes }: Entry, rules: PlanRules): string | undefined {
	const before = changes.flatMap(({ activeBefore }) => activeBefore ?? []);
	const now = isActive(person.id ?? '', user?.active, rules);
	if (now === undefined || before.length === 0 || before.includes(now)) return undefined;
	const kinds = new Set(changes.map(({ change }) => change));
	const isMade = now ? kinds.has('activated') : kinds.has('deactivated') || kinds.has('deleted');
	return isMade
		? undefined
		: `${nameOf(person)} is ${now ? 'active' : 'inactive'}, but was ${now ? 'inactive' : 'active'}`;
}

/** Roles other than before and after, where a person has one per organization. */
function rolesDifference({ person, changes }: Entry, rules: PlanRules): string | undefined {
	const { access, profile } = rules;
	if (!profile.oneRolePerOrganization) return undefined;
	const known = new Map<string, { before: string[]; after: string[] }>();
	for (const change of changes) {
		const { organization, role } = change;
		if (organization === null || change.groupId === null) continue;
		const same = known.get(organization) ?? { before: [], after: [] };
		known.set(organization, same);
		same.before.push(...rolesBefore(change));
		if (role !== null) same.after.push(role);
	}
	for (const [organization, { before, after }] of known) {
		const now = rolesIn(organization, person, access);
		const isAsBefore = now.length === 0 && before.length === 0;
		const isAsAfter = now.length === 0 && after.length === 0;
		const isKnown = now.length > 0 && now.every((role) => [...before, ...after].includes(role));
		if (isAsBefore || isAsAfter || isKnown) continue;
		return `${nameOf(person)} is ${rolesText(now)} in ${organization}, but was ${rolesText(before)}`;
	}
	return undefined;
}

function rolesIn(
	organization: string,
	{ id = '' }: Member,
	{ held, groups, placeOf }: Access,
): string[] {
	return [...(held.get(id) ?? [])].flatMap((key) => {
		const place = placeOf(groups.get(key)?.id ?? key);
		return place?.organization === organization ? [place.role] : [];
	});
}

function rolesText(roles: readonly string[]): string {
	return roles.length === 0 ? 'without a role' : roles.join(' and ');
}

/** Of people who are deactivated for having no access: any value. */
function valuesDifference({ person, user, changes }: Entry, rules: PlanRules): string | undefined {
	if (!rules.endsEmpty || user === undefined || user.active === false) return undefined;
	if (!changes.some(({ change }) => change === 'deactivated')) return undefined;
	const [value] = valuesOf(user, rules.profile);
	return value && `${nameOf(person)} has ${valueLabel(value)}, but did not have it`;
}

/** Of people all of whose access is decided: other groups than before. */
function groupsDifference({ person, user, changes }: Entry, rules: PlanRules): string | undefined {
	const { access, ids, label, isCompared } = rules;
	const before = groupsBeforeIn(changes);
	if (before === undefined) {
		const endsEmpty = rules.endsEmpty && changes.some(({ change }) => change === 'deactivated');
		return endsEmpty ? `The plan does not say in which groups ${nameOf(person)} was` : undefined;
	}
	const all = groupsOfPerson(access, person.id ?? '');
	if (all === undefined) return `The service no longer shows in which groups ${nameOf(person)} is`;
	const keys = (own: readonly string[]) => new Set(own.map(ids.key));
	const [had, has] = [keys(before), keys(all)];
	const now = all.filter(isCompared);
	const given = keys(groupsOf(changes, isGrant));
	const taken = keys(groupsOf(changes, ({ change }) => change === 'revoked'));
	const more = now.find((id) => !had.has(ids.key(id)) && !given.has(ids.key(id)));
	if (more !== undefined) return `${nameOf(person)} is ${label(more)}, but was not`;
	const ends = changes.some(({ change }) => change === 'deactivated' || change === 'deleted');
	// Whoever is inactive now has lost the groups by that.
	if (ends && user !== undefined && isActive(user.id, user.active, rules) !== true)
		return undefined;
	const replaced = new Set(
		changes.flatMap((one) => (isGrant(one) ? (one.organization ?? []) : [])),
	);
	const isMeant = (id: string) =>
		taken.has(ids.key(id)) || replaced.has(access.placeOf(id)?.organization ?? '');
	const less = before.find((id) => !has.has(ids.key(id)) && !isMeant(id));
	return less === undefined ? undefined : `${nameOf(person)} is not ${label(less)}, but was`;
}

function groupsBeforeIn(changes: readonly PlannedChange[]): string[] | undefined {
	return changes.flatMap(({ groupsBefore: all }) => (all === null ? [] : [all])).at(0);
}

function stale(difference: string): InputError {
	return new InputError(
		`${difference} when this was planned`,
		'Nothing was sent for this person. Make a new plan and get it approved.',
	);
}

/** The wishes of one person. */
class PersonWishes {
	constructor(
		private readonly entry: Entry,
		private readonly item: number,
		private readonly find: (name: string) => Entry | undefined,
		private readonly rules: PlanRules,
		private readonly made: PlanWishes,
	) {}

	make(): void {
		const { kind, changes, fault } = this.entry;
		const waitsFor = this.brokenBefore();
		if (fault !== undefined) {
			this.settleAll((action) => failureOf(action, fault));
		} else if (waitsFor !== undefined) {
			const reason = `the changes of ${waitsFor}, which come first, cannot be made`;
			this.settleAll((action) => ({ status: 'skipped', action, reason }));
		} else if (kind === 'absent' && !changes.some(({ change }) => change === 'created')) {
			this.settleAll((action) => ({ status: 'unchanged', action, reason: 'the user is gone' }));
		} else {
			const left = changes.filter((change) => this.isLeft(change));
			// As the operation made them: what it wanted for one reason was one wish. A creation goes with all of them.
			const others = left.filter(({ change }) => change !== 'created');
			for (const why of new Set(others.map((change) => change.why))) {
				this.wish(others.filter((change) => change.why === why));
			}
			const isAlone = left.length > 0 && others.length === 0;
			if (changes.length === 0 || isAlone) this.wish(left);
		}
	}

	/** Somebody whose changes come first and cannot all be made. */
	private brokenBefore(): string | undefined {
		return this.entry.changes
			.flatMap(({ after = [] }) => after)
			.find((name) => {
				const other = this.find(name);
				return (
					other === undefined ||
					other.fault !== undefined ||
					other.changes.some((change) => isGrant(change) && this.groupFault(change) !== undefined)
				);
			});
	}

	/** Whether a change is still to be made; settles it otherwise. */
	private isLeft(change: NumberedChange): boolean {
		const fault = this.groupFault(change);
		const isMade = this.isMade(change);
		const letsIn = change.change === 'created' || change.change === 'activated';
		const isForNothing = letsIn && !isMade && this.givesNothing();
		if (fault === undefined && !isMade && !isForNothing) return true;
		const action = this.actionOf(change);
		const reason = 'the access that it is for cannot be given';
		this.settle(
			change,
			fault
				? failureOf(action, fault)
				: isForNothing
					? { status: 'skipped', action, reason }
					: { status: 'unchanged', action },
		);
		return false;
	}

	/** An account is made or activated for what can be given to it. */
	private givesNothing(): boolean {
		const grants = this.entry.changes.filter(isGrant);
		const isGone = ({ groupId }: PlannedChange) =>
			groupId !== null && !this.rules.access.groups.has(this.rules.ids.key(groupId));
		return (
			grants.length > 0 &&
			grants.every((grant) => isGone(grant) || this.groupFault(grant) !== undefined)
		);
	}

	private isMade(planned: PlannedChange): boolean {
		const { change, groupId } = planned;
		const { kind, person, user } = this.entry;
		// The attributes are compared again.
		if (isUpdate(planned)) return false;
		const value = valueOf(planned);
		if (value !== undefined) {
			const held = user === undefined ? [] : valuesOf(user, this.rules.profile);
			return findValues(held, value).length > 0 === (change === 'granted');
		}
		const { access, ids } = this.rules;
		const { id = '' } = person;
		switch (change) {
			case 'created':
				return kind === 'found';
			case 'activated':
				return isActive(id, user?.active, this.rules) === true;
			case 'deactivated':
				return user?.active === false;
			case 'revoked': {
				const isHeld = access.held.get(id)?.has(ids.key(groupId ?? '')) === true;
				return !isHeld && access.knows(id, groupId ?? '');
			}
			default:
				return false;
		}
	}

	/** A group that is called otherwise now, or stands for something else; or an attribute that is none of access. */
	private groupFault(planned: PlannedChange): InputError | undefined {
		const { attribute } = planned;
		if (attribute !== undefined && !this.rules.profile.accessAttributes.includes(attribute)) {
			return new InputError(
				`${attribute} is not one of the Access Attributes in the credential`,
				'Nothing was sent for it. Make a new plan and get it approved.',
			);
		}
		const { access, ids } = this.rules;
		const { group, groupId, organization } = planned;
		const found = groupId === null ? undefined : access.groups.get(ids.key(groupId));
		// That there is no such group is said by the diff.
		if (found === undefined) return undefined;
		const place = access.placeOf(found.id);
		const role = planned.change === 'revoked' ? planned.roleBefore : planned.role;
		const isNamed = group === null || found.displayName === group;
		const [now, before] = [
			placeText(place?.organization, place?.role),
			placeText(organization ?? undefined, role ?? undefined),
		];
		if (isNamed && now === before) return undefined;
		return new InputError(
			isNamed
				? `The group "${found.displayName}" stands for ${now}, but stood for ${before} when this was planned`
				: `The group ${found.id} is named "${found.displayName}", but was named "${group}" when this was planned`,
			'Nothing was sent for this group. Make a new plan and get it approved.',
		);
	}

	private wish(left: readonly NumberedChange[]): void {
		const { item, made, rules } = this;
		const { person, user, changes } = this.entry;
		const has = (kind: ChangeKind, own = left) =>
			own.some((one) => one.change === kind && !isUpdate(one));
		const hold = groupsOf(left, isGrant);
		const created = changes.find(({ change }) => change === 'created');
		const comesBack =
			!this.givesNothing() && has('activated', hold.length > 0 ? changes : undefined);
		const account = has('deleted')
			? 'gone'
			: has('deactivated')
				? 'inactive'
				: comesBack
					? 'active'
					: undefined;
		const lacks = changes.some((change) => isGrant(change) && this.groupFault(change));
		const after = changes.flatMap((change) => change.after ?? []);
		const groupsBefore = groupsBeforeIn(changes);
		for (const change of left) if (isUpdate(change)) this.update(change);
		if (left.length > 0 && left.every(isUpdate)) return;
		made.wishes.push({
			...{ item, person, hold, why: left[0]?.why ?? '' },
			drop: groupsOf(left, ({ change }) => change === 'revoked'),
			holdValues: valuesIn(left, 'granted'),
			dropValues: valuesIn(left, 'revoked'),
			...(user && { user }),
			...(account && { account }),
			...(person.id === undefined && created && { newcomer: this.newcomer(created) }),
			...(after.length > 0 && {
				after: after.flatMap((name) => this.find(name)?.person.key ?? []),
			}),
			...(lacks && { dropsHeldBack: 'the replacement cannot be granted' }),
			...(account === 'inactive' && rules.endsEmpty && groupsBefore
				? { onlyWith: this.onlyWith(groupsBefore) }
				: {}),
		});
	}

	private newcomer({ userName, attributes = {} }: PlannedChange): WantedUser {
		const { matchBy } = this.rules;
		const own = { item: this.item, userName: userName ?? '', attributes, warnings: [] };
		return { ...own, ...(matchBy !== 'userName' && { matchBy }) };
	}

	private onlyWith(groupsBefore: readonly string[]): KnownAccess {
		const { access, ids, isIgnored, label } = this.rules;
		const before = new Set(groupsBefore.map(ids.key));
		const includes = (groupId: string) => before.has(ids.key(groupId)) || isIgnored(groupId);
		return { readAt: access.readAt, includes, label };
	}

	private update(change: NumberedChange): void {
		const { item, rules } = this;
		const { person, user } = this.entry;
		const { id = '', userName } = person;
		const names = [person, ...newNameOf(change).map((name) => ({ key: name, userName: name }))];
		if (names.some(rules.isProtected)) {
			this.settle(change, failureOf(this.actionOf(change), protectedPerson(nameOf(person))));
			return;
		}
		const wanted = {
			...{ item, label: nameOf(person), person: { id, userName } },
			...{ attributes: change.attributes ?? {}, warnings: [] },
			...(user && { current: user }),
		};
		const { changes, settled } = planPatches([wanted], rules.profile, rules.compare);
		const { activeBefore: before } = change;
		const more = { why: change.why, ...(before !== null && { activeBefore: before }) };
		this.made.changes.push(...changes.map((one) => ({ ...one, ...more })));
		this.made.settled.push(...settled);
	}

	/** The same for all changes; once for a person without any. */
	private settleAll(outcomeOf: (action: string) => Outcome): void {
		const { changes } = this.entry;
		for (const change of changes) this.settle(change, outcomeOf(this.actionOf(change)));
		if (changes.length === 0) this.settle(undefined, outcomeOf(this.actionOf(undefined)));
	}

	private settle(change: NumberedChange | undefined, outcome: Outcome): void {
		const { kind, person, user } = this.entry;
		const { access, ids } = this.rules;
		const group = access.groups.get(ids.key(change?.groupId ?? ''));
		this.made.settled.push({
			...{ item: this.item, subject: person.key, outcome },
			...(change && { change: plannedKey(change.index) }),
			result: {
				who:
					kind === 'absent' && outcome.status === 'unchanged'
						? { kind: 'gone', person }
						: whoIs(person, user),
				intent: change === undefined ? 'none' : INTENTS[change.change],
				...(group && { group }),
				...(change && { value: valueOf(change) }),
			},
		});
	}

	private actionOf(change: PlannedChange | undefined): string {
		const who = nameOf(this.entry.person);
		const label = this.rules.label(change?.groupId ?? '');
		if (change === undefined) return `change the access of ${who}`;
		const value = valueOf(change);
		if (value !== undefined) {
			return change.change === 'granted'
				? `give ${who} ${valueLabel(value)}`
				: `remove ${valueLabel(value)} from ${who}`;
		}
		if (isGrant(change)) return `make ${who} ${label}`;
		if (change.change === 'revoked') return `remove ${who} as ${label}`;
		return `${INTENTS[change.change]} user ${who}`;
	}
}

const INTENTS: Readonly<Record<ChangeKind, Intent>> = {
	created: 'create',
	updated: 'update',
	activated: 'activate',
	deactivated: 'deactivate',
	deleted: 'delete',
	granted: 'grant',
	moved: 'grant',
	revoked: 'revoke',
};

function groupsOf(
	changes: readonly PlannedChange[],
	test: (change: PlannedChange) => boolean,
): string[] {
	return [...new Set(changes.flatMap((one) => (test(one) ? (one.groupId ?? []) : [])))];
}

/** The value on the user that a change is about. */
function valueOf({ attribute, role }: PlannedChange): AccessValue | undefined {
	return attribute === undefined || role === null ? undefined : { attribute, value: role };
}

function valuesIn(changes: readonly PlannedChange[], kind: ChangeKind): AccessValue[] {
	return changes.flatMap((one) => (one.change === kind ? (valueOf(one) ?? []) : []));
}

function placeText(organization: string | undefined, role: string | undefined): string {
	return organization === undefined ? 'no organization' : `${role ?? 'no role'} in ${organization}`;
}
