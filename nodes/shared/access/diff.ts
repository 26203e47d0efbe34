import { failureOf, partKey, type Outcome } from '../run';
import {
	type AccessValue,
	findValues,
	holdsOneValue,
	type User,
	valueLabel,
	valuesOf,
} from '../scim';
import { InputError, madeOnce, memoized } from '../util';
import { doubleRoles, type Access } from './access';
import {
	isLower,
	membershipKey,
	personValueKey,
	userKey,
	type Change,
	type MembershipChange,
	type UserChange,
	type ValueChange,
} from './change';
import { findContradictions, findValueClashes } from './contradictions';
import { activationWarnings, deactivationWarnings, inactivePerson, planUsers } from './planUsers';
import { nameOf, whoIs, type Intent, type Member, type Settled } from './step';
import type { AccessRules, ClashOf, Diff, WantedUser, Wish } from './wish';

/**
 * The one difference between what is wanted and what is there. Everything that is so already is left alone, two items that
 * want the same make one change, and the rules of the service are kept (docs/interface.md 1.5, 2.3): whoever is to have
 * something instead loses nothing before that was seen, and where an add moves the person nothing is removed at all.
 * Linear in wishes.
 */
export function diff(wishes: readonly Wish[], rules: AccessRules): Diff {
	return new Differ(wishes, rules).result();
}

/** What a person is to have, as far as it decides about removals. */
interface Instead {
	/** The grants that have to be seen first. */
	needs: string[];
	/** Why one of them cannot be. */
	refused?: string;
	/** The organizations in which it is. */
	organizations: Set<string>;
}

const NOT_GIVEN = 'the replacement cannot be granted';
const NO_GROUPS: ReadonlySet<string> = new Set();
const NO_WARNINGS: readonly string[] = [];
const MOST_NAMED = 30;

class Differ {
	private readonly changes = new Map<string, Change>();

	private readonly settled: Settled[] = [];

	private readonly warnings: string[] = [];

	private readonly clashOf: ClashOf;

	private readonly valueClashOf: ReturnType<typeof findValueClashes>;

	/** By person, of those who are to be out of a group or come before others; of everybody else nobody asks. */
	private readonly instead = new Map<string, Instead>();

	/** By person, the change that makes somebody able to be in a group: the creation or activation. */
	private readonly entry = new Map<string, string>();

	private readonly refused = new Set<Wish>();

	/** Keys of the people of whom a wish was refused. */
	private readonly refusedPeople = new Set<string>();

	/** What is known of a group: thousands of people are in the same few. */
	private readonly about = memoized((groupId) => {
		const { access, ids } = this.rules;
		const key = ids.key(groupId);
		return { key, group: access.groups.get(key), place: access.placeOf(groupId) };
	});

	/** From one role to another, in words that follow a name. */
	private readonly moveWords = memoized((from) =>
		memoized((to) => ({
			action: ` from ${from} to ${to}`,
			warning: ` is ${from} and becomes ${to}`,
		})),
	);

	constructor(
		wishes: readonly Wish[],
		private readonly rules: AccessRules,
	) {
		this.clashOf = rules.clashOf ?? findContradictions(wishes, rules);
		this.valueClashOf = findValueClashes(wishes);
		for (const { person, drop, after } of wishes) {
			if (drop.length > 0) this.insteadOf(person.key);
			after?.forEach((key) => this.insteadOf(key));
		}
		this.prepare(wishes);
		const ofValues = wishes.filter(({ holdValues, dropValues }) => holdValues ?? dropValues);
		for (const wish of wishes) this.hold(wish);
		for (const wish of ofValues) this.holdValues(wish);
		for (const wish of wishes) this.drop(wish);
		for (const wish of ofValues) this.dropValues(wish);
		for (const wish of wishes) this.end(wish);
	}

	result(): Diff {
		return { changes: [...this.changes.values()], settled: this.settled, warnings: this.warnings };
	}

	/** The account first: who is new is created, who is inactive comes back, and whoever cannot is refused. */
	private prepare(wishes: readonly Wish[]): void {
		const wanted: WantedUser[] = [];
		for (const wish of wishes) {
			const { person, newcomer, hold, account } = wish;
			const who = nameOf(person);
			if (newcomer !== undefined) {
				// An account is made only for what can be given to it.
				const fault = this.protection(person) ?? this.firstImpossible(wish);
				if (fault === undefined) wanted.push(newcomer);
				else this.refuse(wish, fault);
			} else if (account === 'active' || (account === undefined && hold.length > 0)) {
				const isAsked = account === 'active';
				const comesBack = isAsked || this.rules.reactivate;
				const shown = this.rules.account(person.id ?? '');
				const isInactive = (shown?.ok ? shown.value : wish.user)?.active === false;
				const gains = !isAsked && this.gives(wish);
				if (gains && shown?.ok === false) this.refuse(wish, shown.error);
				else if (isInactive && !comesBack) {
					if (gains) this.refuse(wish, inactivePerson(who));
				} else if (isInactive && this.rules.isProtected(person)) {
					this.refuse(wish, protectedPerson(who));
				} else if (isInactive) {
					// Nobody is let in for what cannot be given.
					const fault = isAsked ? undefined : this.firstImpossible(wish);
					if (fault !== undefined) this.refuse(wish, fault);
					else this.entry.set(person.key, this.flip(wish, 'activate').key);
				} else if (isAsked && hold.length === 0) this.note(wish, 'activate', 'unchanged');
			}
		}
		this.create(wanted, wishes);
	}

	/** Whether access is given: what is there already gives some if the person may use it, a lower role gives none. */
	private gives({ person, hold }: Wish): boolean {
		const held = this.held(person);
		const missing = hold.filter((groupId) => !held.has(this.about(groupId).key));
		if (missing.length === 0) return this.rules.membersOnly !== true;
		return missing.some((groupId) => {
			const roles = this.otherRoles(groupId, held).map((id) => this.placeOf(id)?.role ?? '');
			return !isLower(this.placeOf(groupId)?.role, roles);
		});
	}

	private create(wanted: readonly WantedUser[], wishes: readonly Wish[]): void {
		if (wanted.length === 0) return;
		const { profile, reactivate, adopts, isProtected } = this.rules;
		const ifExists = !adopts ? 'fail' : reactivate === true ? 'adoptAndActivate' : 'adopt';
		const { changes, settled } = planUsers(wanted, ifExists, undefined, profile);
		for (const change of changes) {
			if (change.target !== 'user' || change.kind !== 'create') continue;
			change.refuses = ({ id, userName }) =>
				isProtected({ key: id, id, userName }) ? protectedPerson(userName) : undefined;
			this.changes.set(change.key, change);
			this.entry.set(change.person.key, change.key);
		}
		const out = new Set(settled.map(partKey));
		for (const wish of wishes) {
			if (out.has(partKey({ item: wish.item, subject: wish.person.key }))) this.leaveOut(wish);
		}
		this.settled.push(...settled);
	}

	private flip(wish: Wish, kind: 'activate' | 'deactivate'): UserChange {
		const { person, user, onlyWith } = wish;
		const seenBefore = user !== undefined || this.rules.access.held.has(person.id ?? '');
		const { profile } = this.rules;
		const base = { ...this.userBase(wish, kind), seenBefore };
		return this.change(
			wish,
			kind === 'activate'
				? { ...base, kind, warnings: activationWarnings(profile) }
				: {
						...base,
						kind,
						warnings: deactivationWarnings(user, profile),
						...(onlyWith && { onlyWith }),
					},
		);
	}

	private hold(wish: Wish): void {
		const { person } = wish;
		if (this.refused.has(wish)) return;
		if (wantsNothing(wish) && !this.entry.has(person.key)) this.note(wish, 'none', 'unchanged');
		const instead = this.instead.get(person.key);
		const held = this.held(person);
		for (const groupId of wish.hold) {
			const { key, group, place } = this.about(groupId);
			const isHeld = held.has(key);
			const others = this.otherRoles(groupId, held);
			// What is so already touches nobody, protected or not.
			const refusal =
				this.impossible(person, groupId) ??
				this.staleRead(person, groupId) ??
				(isHeld ? undefined : this.protection(person));
			if (place !== undefined) instead?.organizations.add(place.organization);
			if (refusal !== undefined || group === undefined) {
				this.settle(wish, groupId, 'grant', failureOf(this.toGrant(person, groupId), refusal));
				if (instead) instead.refused ??= NOT_GIVEN;
			} else if (isHeld) {
				const action = this.toGrant(person, groupId);
				// Membership alone lets nobody in who is inactive.
				const entry = this.entry.get(person.key);
				this.settle(wish, groupId, 'grant', { status: 'unchanged', action }, entry);
				for (const old of others) this.revoke(wish, old, [], place?.role);
			} else {
				const { key: grant } = this.grant(wish, group.id, others);
				// Once, however many items want it: every removal of every item waits for all of them.
				if (instead?.needs.includes(grant) === false) instead.needs.push(grant);
			}
		}
	}

	private drop(wish: Wish): void {
		const { person, dropsHeldBack } = wish;
		if (this.refused.has(wish) || wish.drop.length === 0) return;
		// That somebody who leaves is protected is said once, of the account.
		if (endsAccount(wish) && !wish.unlisted && this.rules.isProtected(person)) return;
		const instead = this.insteadOf(person.key);
		const before = this.before(wish);
		for (const groupId of wish.drop) {
			const action = this.toRemove(person, groupId);
			const heldBack = dropsHeldBack ?? instead.refused ?? before.refused;
			const isHeld = this.held(person).has(this.rules.ids.key(groupId));
			const refusal =
				(isHeld ? undefined : this.impossible(person, groupId)) ??
				(isHeld || this.rules.access.knows(person.id, groupId)
					? undefined
					: hiddenMembers(groupId)) ??
				this.staleRead(person, groupId) ??
				(isHeld ? this.fixedMembership(wish, groupId) : undefined);
			const reserved = this.protection(person);
			if (refusal !== undefined) {
				this.settle(wish, groupId, 'revoke', failureOf(action, refusal));
			} else if (!isHeld) {
				this.settle(wish, groupId, 'revoke', this.notHeld(action, groupId, person));
			} else if (heldBack !== undefined) {
				this.settle(wish, groupId, 'revoke', { status: 'skipped', action, reason: heldBack });
			} else if (reserved !== undefined) {
				const left: Outcome = { status: 'skipped', action, reason: reserved.message };
				this.settle(wish, groupId, 'revoke', wish.unlisted ? left : failureOf(action, reserved));
			} else if (this.isReplaced(groupId, instead.organizations)) {
				// The item's own new role has an outcome of its own.
				if (this.isReplaced(groupId, this.organizationsOf(wish.hold))) continue;
				const reason = 'the person gets another role there';
				this.settle(wish, groupId, 'revoke', { status: 'skipped', action, reason });
			} else this.revoke(wish, groupId, [...instead.needs, ...before.needs]);
		}
	}

	/** Values that the user, as it was read, is to have. */
	private holdValues(wish: Wish): void {
		const { person, user, holdValues = [] } = wish;
		if (this.refused.has(wish) || user === undefined) return;
		const held = valuesOf(user, this.rules.profile);
		const instead = this.instead.get(person.key);
		for (const value of holdValues) {
			const action = `give ${nameOf(person)} ${valueLabel(value)}`;
			const isHeld = findValues(held, value).length > 0;
			const refusal =
				this.valueClashOf(person, value) ??
				(isHeld ? undefined : (this.protection(person) ?? noRoomFor(value, wish, held)));
			if (refusal !== undefined) {
				this.settleValue(wish, value, 'grant', failureOf(action, refusal));
				if (instead) instead.refused ??= NOT_GIVEN;
			} else if (isHeld) this.settleValue(wish, value, 'grant', { status: 'unchanged', action });
			else {
				const { key } = this.changeValue(wish, value, 'grant', user, action);
				instead?.needs.push(key);
			}
		}
	}

	/** Values that the user, as it was read, is not to have. */
	private dropValues(wish: Wish): void {
		const { person, user, dropValues = [], dropsHeldBack } = wish;
		if (this.refused.has(wish) || user === undefined) return;
		// That somebody who leaves is protected is said once, of the account.
		if (endsAccount(wish) && this.rules.isProtected(person)) return;
		const held = valuesOf(user, this.rules.profile);
		const before = this.before(wish);
		const heldBack = dropsHeldBack ?? before.refused;
		for (const value of dropValues) {
			const action = `remove ${valueLabel(value)} from ${nameOf(person)}`;
			const there = findValues(held, value);
			const refusal =
				this.valueClashOf(person, value) ??
				(there.length > 0 ? this.protection(person) : undefined);
			if (refusal !== undefined) {
				this.settleValue(wish, value, 'revoke', failureOf(action, refusal));
			} else if (there.length === 0) {
				const reason = 'the person does not have it';
				this.settleValue(wish, value, 'revoke', { status: 'unchanged', action, reason });
			} else if (heldBack !== undefined) {
				const left: Outcome = { status: 'skipped', action, reason: heldBack };
				this.settleValue(wish, value, 'revoke', left);
			} else {
				for (const one of there)
					this.changeValue(wish, one, 'revoke', user, action).needs.push(...before.needs);
			}
		}
	}

	/** Those that the wish takes, as the user shows them. */
	private heldValues({ user, dropValues = [] }: Wish): AccessValue[] {
		const held = user === undefined ? [] : valuesOf(user, this.rules.profile);
		return dropValues.flatMap((value) => findValues(held, value));
	}

	private changeValue(
		wish: Wish,
		value: AccessValue,
		kind: ValueChange['kind'],
		user: User,
		action: string,
	): ValueChange {
		const base = this.base(wish, personValueKey(wish.person, value));
		const { readAt } = this.rules.access;
		return this.change<ValueChange>(wish, {
			...base,
			target: 'value',
			kind,
			value,
			user,
			readAt,
			action,
		});
	}

	private settleValue(
		{ item, person, user }: Wish,
		value: AccessValue,
		intent: Intent,
		outcome: Outcome,
	): void {
		const result = { who: whoIs(person, user), intent, value };
		this.settled.push({ item, subject: person.key, outcome, result });
	}

	/**
	 * Deactivations and deletions. Where memberships outlive the account, whoever leaves is shut out first, then loses the
	 * memberships, then the account; a membership that the service keeps stops none of it.
	 */
	private end(wish: Wish): void {
		const { person, account, user } = wish;
		if (this.refused.has(wish) || !endsAccount(wish)) return;
		const kind = account === 'gone' ? 'delete' : 'deactivate';
		const before = this.before(wish);
		const heldBack = wish.dropsHeldBack ?? before.refused;
		const refusal = this.protection(person);
		const action = `${kind} user ${nameOf(person)}`;
		if (refusal !== undefined) {
			this.settle(wish, '', kind, failureOf(action, refusal));
			return;
		}
		if (heldBack !== undefined) {
			this.settle(wish, '', kind, { status: 'skipped', action, reason: heldBack });
			return;
		}
		const leaving = [
			...wish.drop.map((groupId) => membershipKey(person, this.rules.ids.key(groupId))),
			...this.heldValues(wish).map((value) => personValueKey(person, value)),
		].flatMap((key) => this.changes.get(key) ?? []);
		const isInactive = user?.active === false;
		if (kind === 'deactivate' && isInactive) this.note(wish, 'deactivate', 'unchanged');
		const shutsOut = !isInactive && (kind === 'deactivate' || leaving.length > 0);
		const shut = shutsOut ? this.flip(wish, 'deactivate') : undefined;
		shut?.needs.push(...before.needs);
		for (const change of leaving) {
			if (shut === undefined) continue;
			if (this.rules.profile.inactiveRefusesGroupChanges) shut.after.push(change.key);
			// Who is deactivated for having nothing else must not lose it and stay active: no later run would notice.
			else if (wish.onlyWith !== undefined) change.needs.push(shut.key);
			else change.after.push(shut.key);
		}
		if (kind === 'deactivate') return;
		const removal = this.change(wish, {
			...this.userBase(wish, 'delete'),
			kind: 'delete',
			// Whom this run shuts out itself is no proof that the service deactivates instead of deleting.
			wasActive: user?.active === true && shut === undefined,
		});
		removal.needs.push(...before.needs);
		removal.after.push(...leaving.map(({ key }) => key), ...(shut ? [shut.key] : []));
	}

	/** What has to be seen of other people before anything is taken from this one. */
	private before({ after = [] }: Wish): { needs: string[]; refused?: string } {
		const needs = after.flatMap((key) => [
			...(this.entry.has(key) ? [this.entry.get(key) ?? ''] : []),
			...(this.instead.get(key)?.needs ?? []),
		]);
		const refused = after.flatMap((key) =>
			this.refusedPeople.has(key)
				? ['the replacement cannot be granted']
				: (this.instead.get(key)?.refused ?? []),
		);
		return { needs, ...(refused.length > 0 && { refused: refused[0] }) };
	}

	private organizationsOf(groupIds: readonly string[]): Set<string> {
		return new Set(groupIds.flatMap((id) => this.placeOf(id)?.organization ?? []));
	}

	/** Another role in the same organization replaces this one, whichever item wants it: a removal would take that too. */
	private isReplaced(groupId: string, organizations: ReadonlySet<string>): boolean {
		const organization = this.placeOf(groupId)?.organization;
		return (
			this.rules.profile.oneRolePerOrganization &&
			organization !== undefined &&
			organizations.has(organization)
		);
	}

	/** @param others roles in the same organization */
	private grant(wish: Wish, groupId: string, others: readonly string[]): Grant {
		const { person, user, item, why = '' } = wish;
		const { profile, label } = this.rules;
		const { key: groupKey, place } = this.about(groupId);
		const key = membershipKey(person, groupKey);
		const kind = others.length > 0 ? 'move' : 'grant';
		const before = others.map(label).join(', ');
		const action =
			kind === 'move'
				? `change ${nameOf(person)}${this.moveWords(before)(label(groupId)).action}`
				: this.toGrant(person, groupId);
		// Most changes are memberships: without copies of a base, which take longer than all the rest.
		const change = this.change<Grant>(wish, {
			target: 'membership',
			kind,
			key,
			person,
			groupId,
			place,
			action,
			why,
			activeBefore: user?.active,
			parts: [{ item, subject: person.key }],
			needs: [],
			after: [],
			from: others.map((other) => this.placeOf(other)?.role ?? ''),
			warnings: accountOrganizationWarning(groupId, this.rules),
		});
		const entry = this.entry.get(person.key);
		if (entry !== undefined && !change.needs.includes(entry)) change.needs.push(entry);
		for (const old of others) {
			const warning = `${nameOf(person)}${this.moveWords(label(old))(label(groupId)).warning}`;
			if (change.parts[0].item === item) this.warnings.push(warning);
			if (!profile.addMovesWithinOrganization)
				this.revoke(wish, old, [change.key], place?.role, true);
		}
		return change;
	}

	/** @param newRole the role that the person gets there instead. @param mayBeGone whether a grant may take it away first */
	private revoke(
		wish: Wish,
		groupId: string,
		needs: readonly string[],
		newRole?: string,
		mayBeGone = false,
	): Revocation {
		const { person, user, item, why = '', skipsOtherRole = false } = wish;
		const { access, ids, profile, label } = this.rules;
		const key = membershipKey(person, ids.key(groupId));
		const group = access.groups.get(ids.key(groupId));
		const isEmpty = (group?.members ?? []).length === 0 && group?.byFilter !== true;
		const hidden = isEmpty && profile.groupsShowMembers !== 'yes';
		const action =
			newRole === undefined
				? this.toRemove(person, groupId)
				: `remove ${nameOf(person)} from ${label(groupId)}`;
		const change = this.change<Revocation>(wish, {
			target: 'membership',
			kind: 'revoke',
			key,
			person,
			groupId: group?.id ?? groupId,
			place: this.placeOf(group?.id ?? groupId),
			action,
			why,
			activeBefore: user?.active,
			parts: [{ item, subject: person.key }],
			needs: [],
			after: [],
			warnings: [],
			newRole,
			mayBeGone,
			hidden,
			skipsOtherRole,
		});
		change.needs = [...new Set([...change.needs, ...needs])];
		// Two items may want the same removal: then the one that is stricter about another role counts.
		if (!skipsOtherRole) change.skipsOtherRole = false;
		return change;
	}

	/** The change of that key, wanted by one item more. */
	private change<C extends Change>(wish: Wish, made: C): C {
		const known = this.changes.get(made.key) as C | undefined;
		if (known === undefined) {
			this.changes.set(made.key, made);
			return made;
		}
		const isNoted = known.parts.some(({ item }) => item === wish.item);
		if (!isNoted) known.parts.push({ item: wish.item, subject: wish.person.key });
		return known;
	}

	private base({ item, person, user, why = '' }: Wish, key: string): Base {
		const parts = [{ item, subject: person.key }];
		const base: Base = { key, person, why, parts, needs: [], after: [], warnings: [] };
		if (user?.active !== undefined) base.activeBefore = user.active;
		return base;
	}

	private userBase(wish: Wish, kind: 'activate' | 'deactivate' | 'delete') {
		const { person } = wish;
		const action = `${kind} user ${nameOf(person)}`;
		return { ...this.base(wish, userKey(kind, person)), target: 'user', action } as const;
	}

	private toGrant(person: Member, groupId: string): string {
		return `make ${nameOf(person)} ${this.rules.label(groupId)}`;
	}

	private toRemove(person: Member, groupId: string): string {
		return `remove ${nameOf(person)} as ${this.rules.label(groupId)}`;
	}

	private placeOf(groupId: string) {
		return this.about(groupId).place;
	}

	private insteadOf(key: string): Instead {
		const instead = this.instead.get(key) ?? { needs: [], organizations: new Set() };
		this.instead.set(key, instead);
		return instead;
	}

	/** What is wrong with the wish itself: it contradicts another one, or there is no such group. */
	private impossible(person: Member, groupId: string): InputError | undefined {
		return (
			this.clashOf(person, groupId) ??
			(this.about(groupId).group ? undefined : unknownGroup(groupId, this.rules))
		);
	}

	private firstImpossible({ person, hold }: Wish): InputError | undefined {
		return hold.map((groupId) => this.impossible(person, groupId)).find(Boolean);
	}

	private staleRead({ id, userName, key }: Member, groupId: string): InputError | undefined {
		const { profile } = this.rules;
		const organization = this.placeOf(groupId)?.organization;
		// Where an add does not move, two roles are a move that was cut off: it is completed.
		if (id === undefined || organization === undefined || !profile.addMovesWithinOrganization)
			return undefined;
		return doubleRoles(this.rules.access).get(id)?.has(organization) === true
			? new InputError(
					`The service returned conflicting roles for ${userName ?? key} in ${organization}, so nothing was changed there`,
					'Run again in a moment, or raise Verification Time under Options > Requests.',
				)
			: undefined;
	}

	/** A membership that the service does not take from somebody who is inactive. */
	private fixedMembership({ person, user }: Wish, groupId: string): InputError | undefined {
		const { profile, label } = this.rules;
		if (!profile.inactiveRefusesGroupChanges || user?.active !== false) return undefined;
		if (this.entry.has(person.key)) return undefined;
		return new InputError(
			`${nameOf(person)} is inactive and still ${label(groupId)}, and this service does not remove inactive users from groups`,
			'Remove the membership at the service. Activating the user to remove it here lets that person in until the next run.',
		);
	}

	private protection(person: Member): InputError | undefined {
		return this.rules.isProtected(person) ? protectedPerson(nameOf(person)) : undefined;
	}

	private held({ id }: Member): ReadonlySet<string> {
		return (id && this.rules.access.held.get(id)) || NO_GROUPS;
	}

	/** Groups of the same organization that the person is in, where one role per organization is the rule. */
	private otherRoles(groupId: string, held: ReadonlySet<string>): string[] {
		const { access, profile } = this.rules;
		const { key: own, place } = this.about(groupId);
		const organization = place?.organization;
		if (!profile.oneRolePerOrganization || organization === undefined) return [];
		const others: string[] = [];
		for (const key of held) {
			const other = access.groups.get(key)?.id;
			if (other === undefined || key === own) continue;
			if (this.placeOf(other)?.organization === organization) others.push(other);
		}
		return others;
	}

	private notHeld(action: string, groupId: string, person: Member): Outcome {
		const others = this.otherRoles(groupId, this.held(person)).map(this.rules.label);
		return others.length > 0
			? { status: 'skipped', action, reason: `the person is ${others.join(', ')} instead` }
			: { status: 'unchanged', action, reason: 'the person does not have it' };
	}

	/** Nothing is done for the wish: each group that it wants fails, or the person where it wants none. */
	private refuse(wish: Wish, error: unknown): void {
		this.leaveOut(wish);
		const { person, hold, newcomer } = wish;
		const action = `${newcomer === undefined ? 'give access to' : 'create'} ${nameOf(person)}`;
		const instead = this.instead.get(person.key);
		// Each list of members stands for itself: one that a person cannot join keeps nobody in another.
		const isReplaced = hold.length > 0 && this.rules.membersOnly !== true;
		if (instead && isReplaced) instead.refused ??= NOT_GIVEN;
		for (const groupId of hold.length > 0 ? hold : ['']) {
			this.settle(wish, groupId, 'grant', failureOf(action, error));
		}
	}

	private leaveOut(wish: Wish): void {
		this.refused.add(wish);
		this.refusedPeople.add(wish.person.key);
	}

	private note(wish: Wish, intent: Intent, status: 'unchanged'): void {
		const who = nameOf(wish.person);
		const action = intent === 'none' ? `change the access of ${who}` : `${intent} user ${who}`;
		this.settle(wish, '', intent, { status, action });
	}

	private settle(
		{ item, person, user, source }: Wish,
		groupId: string,
		intent: Intent,
		outcome: Outcome,
		need?: string,
	): void {
		const { group } = this.about(groupId);
		const who = whoIs(person, groupId === '' ? user : undefined);
		// Most are of a row and a group: without copies, which take longer.
		const result: Settled['result'] =
			group && source !== undefined
				? { who, intent, source, group }
				: { who, intent, ...(source !== undefined && { source }), ...(group && { group }) };
		const settled: Settled = { item, subject: person.key, outcome, result };
		if (need !== undefined) settled.needs = [{ step: need, subject: person.key }];
		this.settled.push(settled);
	}
}

function wantsNothing({ hold, drop, holdValues, dropValues, account }: Wish): boolean {
	const groups = hold.length + drop.length;
	const values = (holdValues?.length ?? 0) + (dropValues?.length ?? 0);
	return groups + values === 0 && account === undefined;
}

function endsAccount({ account }: Wish): boolean {
	return account === 'inactive' || account === 'gone';
}

/** Why a value cannot be added to an attribute that has one value; one that the same item removes makes room. */
function noRoomFor(
	value: AccessValue,
	{ person, user, dropValues = [] }: Wish,
	held: readonly AccessValue[],
): InputError | undefined {
	const { attribute } = value;
	if (user === undefined || !holdsOneValue(user, attribute)) return undefined;
	const dropped = dropValues.flatMap((one) => findValues(held, one));
	const other = held.find((one) => one.attribute === attribute && !dropped.includes(one));
	if (other === undefined) return undefined;
	return new InputError(
		`${attribute} of ${nameOf(person)} has one value, which is "${other.value}"`,
		'Remove that value in the same item to replace it.',
	);
}

type Grant = Extract<MembershipChange, { kind: 'grant' | 'move' }>;
type Revocation = Extract<MembershipChange, { kind: 'revoke' }>;
type Base = Omit<UserChange, 'target' | 'kind' | 'action'>;

/** The person is on the list of those who are never touched. */
export function protectedPerson(who: string): InputError {
	return new InputError(
		`${who} is protected: nothing was changed`,
		'If this is intended, remove the user from Protected Users under Options > Safety Limits.',
	);
}

/** Nobody can be removed where it is not known who is a member, and saying that somebody is none would be a guess. */
export function hiddenMembers(groupId: string): InputError {
	return new InputError(
		`The members of group ${groupId} are unknown: no group of this service shows members`,
		'Some services never show members. Then nobody can be removed here. Check the service itself.',
	);
}

/** No group has this id. */
export function unknownGroup(groupId: string, { access }: Pick<AccessRules, 'access'>): InputError {
	const wanted = access.placeOf(groupId);
	const known = organizationsIn(access);
	if (wanted === undefined || known.length === 0) {
		return new InputError(
			`There is no group ${groupId}`,
			'Check the ID, or select the group from the list.',
		);
	}
	const { organization, role } = wanted;
	return known.includes(organization)
		? new InputError(`Organization ${organization} has no role ${role}`, namesOf(known))
		: unknownOrganization(organization, access);
}

/** No group stands for a role in the organization. */
export function unknownOrganization(organization: string, access: Access): InputError {
	return new InputError(
		`There is no organization ${organization}`,
		namesOf(organizationsIn(access)),
	);
}

/** Thousands of rows may name what is not there. */
const organizationsIn = madeOnce(({ groups, placeOf }: Access) => {
	const all = [...groups.values()].flatMap(({ id }) => placeOf(id)?.organization ?? []);
	return [...new Set(all)].sort();
});

function namesOf(organizations: readonly string[]): string {
	return `The account has: ${organizations.slice(0, MOST_NAMED).join(', ') || 'none'}.`;
}

/** The account organization is for account management only (docs/interface.md 1.1). */
function accountOrganizationWarning(
	groupId: string,
	{ access, accountOrganization }: AccessRules,
): readonly string[] {
	const place = access.placeOf(groupId);
	return place?.organization === accountOrganization && place.role !== 'admin'
		? [
				`${groupId} belongs to the account organization, whose ${place.role} group should stay empty: it is for account management only.`,
			]
		: NO_WARNINGS;
}
