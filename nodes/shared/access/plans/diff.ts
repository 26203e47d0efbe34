import { failureOf, partKey, type Outcome } from '../../run';
import {
	findValues,
	type Group,
	type User,
	usersSaidIn,
	valueLabel,
	valuesOf,
	shownActivity,
} from '../../scim';
import {
	addTo,
	type Attempt,
	type InputError,
	cachedPerObject,
	memoized,
	messageOf,
	shown,
} from '../../util';
import { AbsentError, doubleRoles, placeOfOrganization, type Membership } from '../facts';
import {
	accountKey,
	accountOf,
	accountShown,
	activationWarnings,
	deactivationWarnings,
	entitlementKey,
	findContradictions,
	findWholeClashes,
	heldValue,
	isLower,
	isOfValue,
	isValue,
	kindOf,
	lost,
	NO_PRECONDITIONS,
	otherOwner,
	roleOf,
	subjectOf,
	takesUserName,
	whoIs,
	type AccessRules,
	type AccountChange,
	type Change,
	type ClashOf,
	type Diff,
	type Entitlement,
	type EntitlementChange,
	type Intent,
	type NamedEntitlement,
	type Precondition,
	nameOf,
	type Person,
	type Settled,
	type WantedUser,
	type Wish,
} from '../changes';
import {
	activityIn,
	activityShown,
	judge,
	NOT_GIVEN,
	type Refusal,
	unknownGroup,
	whyNoGain,
} from '../guards';
import { planUpdates, planUsers, type AccountPlan } from './planUsers';

/**
 * The one difference between what is wanted and what is there, of accounts, memberships and values. Everything that is so
 * already is left alone, two items that want the same make one change, and the rules of the service are kept
 * (test/contract/interface.md 1.5, 2.3): where people have one role per organization, what they have there is one fact. What comes
 * before what is for the order to say. Linear in wishes.
 */
export function diff(wishes: readonly Wish[], rules: AccessRules): Diff {
	return new Differ(wishes, rules).result();
}

/** What a person is to have, as far as it decides about removals. */
interface Instead {
	/** Keys of the changes that give it. */
	gains: Set<string>;
	/** Why one of them cannot be made. */
	refused?: string;
	/** The organizations in which it is. */
	organizations: Set<string | undefined>;
}

/** What is known of a group or a value: thousands of people have the same few. */
interface About {
	/** Equal for what excludes each other: groups of one organization, where one role is the rule. */
	place: string;
	/** By itself, to be shared. */
	only: readonly Entitlement[];
	entitlement: Entitlement;
	/** Undefined for a value, and for a group that there is not. */
	group?: Group;
	organization?: string;
	role?: string;
	warnings: readonly string[];
}

/** Beside creates: what goes for being in no row. */
const WHOLE_LIST: readonly Precondition[] = [{ on: 'wholeList' }];
const IS_GROUP = 'it is a group, and no person';
const NO_KEYS: ReadonlySet<string> = new Set();
const NOTHING: readonly Entitlement[] = [];
const NO_WARNINGS: readonly string[] = [];
/** In more groups than these a person is not looked through for each wish. */
const FEW = 8;

class Differ {
	private readonly changes = new Map<string, Change>();

	private readonly settled: Settled[] = [];

	private readonly clashOf: ClashOf;

	/** Keys of the people from whom something is to be taken, or for whom others wait. */
	private readonly decisive: ReadonlySet<string>;

	/** Of these, by person. */
	private readonly instead = new Map<string, Instead>();

	/** By person, the creation or activation that a membership waits for. */
	private readonly entry = new Map<string, string>();

	private takesNames = false;

	/** Keys of the people that new attributes make active. */
	private readonly activatedByUpdate = new Set<string>();

	private readonly refused = new Set<Wish>();

	/** IDs of people whose account decides, and was not read. */
	private readonly unread = new Set<string>();

	private readonly strangers = new Set<string>();

	/** Keys of the people with a refused wish. */
	private readonly refusedPeople = new Set<string>();

	private readonly aboutGroup = memoized((groupId): About => {
		const { access, ids, profile } = this.rules;
		const key = ids.key(groupId);
		const membership = access.membershipIn(key);
		const place = access.placeOf(groupId);
		const group = access.groups.get(key);
		// As the item writes it, where the group was not read.
		const entitlement: Membership = group ? membership : { ...membership, groupId, ...place };
		// Of a group that no list shows only a user tells: it stands for itself.
		const isOne = profile.oneRolePerOrganization && place !== undefined && group !== undefined;
		return {
			place: isOne ? `role in ${placeOfOrganization(place.organization, ids)}` : key,
			...{ entitlement, only: [entitlement] },
			...place,
			...(group && { group }),
			warnings: accountOrganizationWarning(group?.id ?? groupId, this.rules),
		};
	});

	private readonly valuesOf = cachedPerObject((user: User) => valuesOf(user, this.rules.profile));

	/** Of who is in many groups: each wish of the person asks for one place. */
	private readonly byPlace = cachedPerObject((held: ReadonlySet<string>) => {
		const places = new Map<string, Entitlement[]>();
		for (const key of held) {
			const one = this.rules.access.membershipIn(key);
			addTo(places, this.aboutGroup(one.groupId).place, one);
		}
		return places;
	});

	private readonly waitFor = memoized((key): Precondition => ({ on: 'change', key }));

	/** From one role to another, in words that follow a name. */
	private readonly moveWords = memoized((from) => memoized((to) => ` from ${from} to ${to}`));

	constructor(
		wishes: readonly Wish[],
		private readonly rules: AccessRules,
	) {
		this.clashOf = rules.clashOf ?? findContradictions(wishes, rules);
		this.decisive = new Set(
			wishes.flatMap(({ person, drop, after = NO_WARNINGS }) =>
				drop.length > 0 ? [person.key, ...after] : after,
			),
		);
		const wholeClashOf = findWholeClashes(wishes, rules.profile);
		for (const wish of wishes) {
			const fault = wholeClashOf(wish.person);
			if (fault === undefined) continue;
			const action = `update user ${nameOf(wish.person)}`;
			this.leaveOut(wish);
			this.settle(wish, undefined, 'updated', failureOf(action, fault));
		}
		this.set(wishes);
		this.prepare(wishes);
		for (const wish of wishes) this.hold(wish);
		for (const wish of wishes) this.drop(wish);
		for (const wish of wishes) this.end(wish);
	}

	result(): Diff {
		const { settled } = this;
		const asked = { unread: [...this.unread], strangers: [...this.strangers] };
		return { changes: [...this.changes.values()], settled, ...asked };
	}

	/** What attributes are to be; a person that they activate may be given access. */
	private set(wishes: readonly Wish[]): void {
		const wanted = wishes.flatMap((wish) => {
			const { attributes, warnings = [] } = wish;
			return attributes === undefined || this.refused.has(wish)
				? []
				: [{ ...wish, attributes, warnings }];
		});
		this.takeIn(planUpdates(wanted, this.rules), wanted);
	}

	/** What was planned of the accounts of wishes; nothing of those that are there and protected. */
	private takeIn({ changes, settled }: AccountPlan, wishes: readonly Wish[]): void {
		const refused = new Map<string, unknown>();
		for (const change of changes) {
			const { key, person, before, after } = change;
			const refusal = before === 'absent' ? undefined : this.protection(person);
			if (refusal === undefined) {
				this.changes.set(key, change);
				this.takesNames ||= takesUserName(change);
				if (before === 'absent') this.entry.set(person.key, key);
				else if (after === 'active') this.activatedByUpdate.add(person.key);
			} else {
				const subject = subjectOf(change);
				for (const item of change.items) refused.set(partKey({ item, subject }), refusal);
			}
		}
		for (const wish of wishes) {
			const error = refused.get(partKey({ item: wish.item, subject: wish.person.key }));
			const action = `update user ${nameOf(wish.person)}`;
			if (error) this.settle(wish, undefined, 'updated', failureOf(action, error));
		}
		this.settled.push(...settled);
	}

	/** The account first: a new person is created, an inactive one comes back, and where that is not possible the wish is refused. */
	private prepare(wishes: readonly Wish[]): void {
		const wanted: WantedUser[] = [];
		for (const wish of wishes) {
			const { person, newcomer, hold, account } = wish;
			if (newcomer !== undefined) {
				// An account is made only for what can be given to it.
				// Where it was looked who is there, what changes is protected.
				const reserved = this.rules.found === undefined ? this.protection(person) : undefined;
				const fault = reserved ?? this.firstImpossible(wish);
				if (fault === undefined) wanted.push(newcomer);
				else this.refuse(wish, fault);
			} else if (account === 'active' || hold.length > 0) this.admit(wish);
		}
		this.create(wanted, wishes);
	}

	/**
	 * Sees to the account of a person who is to have access, or is to be active.
	 *
	 * | Account    | Access gained         | Reactivate, or to be active | Comes to                                    |
	 * | ---------- | --------------------- | --------------------------- | ------------------------------------------- |
	 * | unreadable | some                  |                             | refused with its error                      |
	 * | inactive   | some                  | no                          | refused                                     |
	 * | not told   | some                  | no                          | refused                                     |
	 * | inactive   | none, or a lower role | no                          | goes on: no one is let in                   |
	 * | inactive   |                       | yes                         | activated first; a protected one is refused |
	 * | not told   | some, or to be active | yes                         | the same, and a protected one goes on       |
	 * | any other  |                       |                             | goes on                                     |
	 */
	private admit(wish: Wish): void {
		const { person, hold, account } = wish;
		const { reactivate, membersOnly } = this.rules;
		const isAsked = account === 'active';
		const missing = this.missingOf(wish);
		const gains = !isAsked && this.gives(wish, missing);
		const toReactivate = reactivate || missing.length < hold.length;
		const isDecisive = gains || (toReactivate && membersOnly !== true);
		if (isDecisive && person.id !== undefined) this.unread.add(person.id);
		const isLetIn = this.activatedByUpdate.has(person.key);
		const read = this.readOf(wish);
		const isOpen = isAsked || reactivate;
		const refusal =
			gains && !isLetIn ? whyNoGain(person, read, activityIn(this.rules), 'plan') : undefined;
		if (gains && read?.ok === false) this.refuse(wish, refusal ?? read.error);
		else if (this.isUntold(wish) && (isAsked || gains) && isOpen && !this.protection(person))
			this.entry.set(person.key, this.flip(wish, 'activate').key);
		else if (!this.isInactive(wish)) {
			if (refusal !== undefined) this.refuse(wish, refusal);
			else if (isAsked && hold.length === 0) this.note(wish, 'activated');
		} else if (!isOpen) {
			// What contradicts itself is wrong, whoever it is about.
			if (refusal !== undefined) this.refuse(wish, this.firstImpossible(wish) ?? refusal);
		} else {
			// No person is activated for access that cannot be given.
			const fault =
				this.protection(person) ??
				this.anotherOwner(wish) ??
				(isAsked ? undefined : this.firstImpossible(wish));
			if (fault !== undefined) this.refuse(wish, fault);
			else this.entry.set(person.key, this.flip(wish, 'activate').key);
		}
	}

	/** The account of a wish as this run has read it, or why it could not be read. */
	private readOf({ person, user }: Wish): Attempt<User> | undefined {
		return this.rules.account(person.id ?? '') ?? (user && { ok: true, value: user });
	}

	/** Whether it is not told if the person is active, and no new attributes make it so. */
	private isUntold(wish: Wish): boolean {
		if (this.activatedByUpdate.has(wish.person.key)) return false;
		const isToldOfOthers = activityShown(wish, this.rules) === 'not told';
		const isAsked = wish.account === 'active';
		return isToldOfOthers || (isAsked && accountOf(this.shownAccount(wish)) === 'there');
	}

	private shownAccount(wish: Wish): User | undefined {
		const read = this.rules.account(wish.person.id ?? '');
		return read?.ok ? read.value : undefined;
	}

	/**
	 * Whether the person gains access. What is there already counts as gained, since an inactive person has no use of it; a
	 * lower role does not.
	 */
	private gives(wish: Wish, missing: readonly NamedEntitlement[]): boolean {
		if (missing.length === 0) {
			// Where a higher role beside it goes, what is left is less.
			const isLess = wish.hold.some((named) => this.heldAt(wish, this.about(named)).length > 1);
			return this.rules.membersOnly !== true && !isLess;
		}
		return missing.some((named) => {
			const about = this.about(named);
			return !isLower(about.role, this.heldAt(wish, about).map(roleOf));
		});
	}

	private isInactive(wish: Wish): boolean {
		return (
			activityShown(wish, this.rules) === 'inactive' && !this.activatedByUpdate.has(wish.person.key)
		);
	}

	private anotherOwner(wish: Wish): InputError | undefined {
		const { identifiedBy, person, user } = wish;
		const read = this.rules.account(person.id ?? '');
		const shown = read?.ok ? read.value : user;
		return identifiedBy && shown && otherOwner(shown, identifiedBy);
	}

	private missingOf(wish: Wish): readonly NamedEntitlement[] {
		return wish.hold.filter((named) => this.meantBy(wish, named, this.about(named)).length === 0);
	}

	private create(wanted: readonly WantedUser[], wishes: readonly Wish[]): void {
		if (wanted.length === 0) return;
		const { reactivate, ifExists, found } = this.rules;
		const adopts = ifExists === 'adopt' && reactivate ? 'adoptAndActivate' : ifExists;
		const made = planUsers(wanted, adopts, found, this.rules);
		this.takeIn(made, wishes);
		const out = new Set(made.settled.map(partKey));
		for (const wish of wishes) {
			const { item, person, copiedFrom } = wish;
			if (out.has(partKey({ item, subject: person.key }))) this.leaveOut(wish);
			// Its attributes hold values that give access.
			const creation = this.changes.get(accountKey('create', person));
			if (copiedFrom && creation?.about === 'account') addPreconditions(creation, [copiedFrom]);
		}
	}

	private flip(wish: Wish, verb: 'activate' | 'deactivate'): AccountChange {
		const { person, onlyWith } = wish;
		const { profile } = this.rules;
		const isLeaving = verb === 'deactivate';
		const user = isLeaving ? wish.user : accountShown(wish, this.rules);
		return this.accountChange(wish, verb, {
			before: accountOf(user, this.rules.access.held.has(person.id ?? '')),
			after: isLeaving ? 'inactive' : 'active',
			warnings: isLeaving ? deactivationWarnings(user, profile) : activationWarnings(profile),
			restsOn: isLeaving && onlyWith ? [onlyWith] : NO_PRECONDITIONS,
		});
	}

	private hold(wish: Wish): void {
		const { person, user } = wish;
		if (this.refused.has(wish)) return;
		if (wantsNothing(wish) && !this.entry.has(person.key)) this.note(wish, 'none');
		const instead = this.decisive.has(person.key) ? this.insteadOf(person.key) : undefined;
		for (const named of wish.hold) {
			if (!isGroupId(named) && user === undefined) continue;
			const about = this.about(named);
			const there = this.heldAt(wish, about);
			// Another role beside it is taken away.
			const isSo = isGroupId(named)
				? there.length === 1 && there[0].key === about.entitlement.key
				: there.length > 0;
			const refusal =
				this.impossible(person, named) ??
				(isSo ? undefined : this.judge(wish, about, there, { gives: about.only })?.error);
			instead?.organizations.add(about.organization);
			if (refusal !== undefined) {
				this.settle(wish, named, 'granted', failureOf(this.toGive(person, about), refusal));
				if (instead) instead.refused ??= NOT_GIVEN;
			} else if (isSo) {
				const action = this.toGive(person, about);
				const shutOut = this.shutOut(wish);
				const outcome =
					shutOut === undefined
						? { status: 'unchanged' as const, action }
						: failureOf(action, shutOut);
				this.settle(wish, named, 'granted', outcome, this.entry.get(person.key));
			} else {
				const change = this.give(wish, about, there);
				if (instead && kindOf(change) !== 'revoked') instead.gains.add(change.key);
			}
		}
	}

	/** A membership alone does not let an inactive person in: what is there is of no use then. */
	private shutOut(wish: Wish): unknown {
		const { person } = wish;
		const isOpen = this.rules.membersOnly === true || this.entry.has(person.key);
		return isOpen || !this.isInactive(wish)
			? undefined
			: whyNoGain(person, this.readOf(wish), activityIn(this.rules), 'plan');
	}

	/** What the rules say of one thing that a person is to have, or not to have. */
	private judge(
		wish: Wish,
		{ group, organization }: About,
		there: readonly Entitlement[],
		{
			gives = NOTHING,
			takes = NOTHING,
		}: { gives?: readonly Entitlement[]; takes?: readonly Entitlement[] },
	): Refusal | undefined {
		const { person, user, drop } = wish;
		const isValueOf = gives.some(isValue) || takes.some(isValue);
		return judge(
			{
				moment: 'plan',
				person,
				gives,
				takes,
				there,
				organization: group === undefined ? undefined : organization,
				// A value is judged by the user that it was read from.
				read: isValueOf && user ? { ok: true, value: user } : this.readOf(wish),
				isLetIn:
					this.rules.membersOnly === true ||
					this.entry.has(person.key) ||
					this.activatedByUpdate.has(person.key),
				takesValue: (value) =>
					drop.some((one) => !isGroupId(one) && findValues([value], one).length > 0),
			},
			this.rules,
		);
	}

	private drop(wish: Wish): void {
		const { person, user, dropsHeldBack } = wish;
		if (wish.drop.length === 0 || this.refused.has(wish)) return;
		// That a leaver is protected is said once, of the account.
		if (endsAccount(wish) && !wish.unlisted && this.rules.isProtected(person)) return;
		const instead = this.insteadOf(person.key);
		const before = this.before(wish);
		const heldBack = dropsHeldBack ?? instead.refused ?? before.refused;
		for (const named of wish.drop) {
			if (!isGroupId(named) && user === undefined) continue;
			const about = this.about(named);
			const meant = this.meantBy(wish, named, about);
			const action = this.toTake(person, about);
			const isHeld = meant.length > 0;
			const impossible = isHeld && isGroupId(named) ? undefined : this.impossible(person, named);
			const ruling = this.judge(wish, about, this.thereFor(wish, about, meant), {
				takes: isHeld ? meant : about.only,
			});
			const isProtected = ruling?.rule === 'protected';
			const refusal = impossible ?? (isProtected ? undefined : ruling?.error);
			const stranger = this.whyLeftAlone(wish, about);
			const settle = (outcome: Outcome) => this.settle(wish, named, 'revoked', outcome);
			const skip = (reason: string) => settle({ status: 'skipped', action, reason });
			if (refusal !== undefined) settle(failureOf(action, refusal));
			else if (meant.length === 0) settle(this.notHeld(wish, action, about));
			else if (heldBack !== undefined) skip(heldBack);
			else if (this.isUnfound(named, about)) settle(noSuchGroupNow(action, named, person));
			else if (stranger === 'group') skip(IS_GROUP);
			else if (stranger !== undefined) settle(failureOf(action, stranger));
			else if (isProtected) {
				if (wish.unlisted) skip(messageOf(ruling.error));
				else settle(failureOf(action, ruling.error));
			} else if (this.isReplaced(about, instead.organizations)) {
				// The item's own new role has an outcome of its own.
				if (!this.isReplaced(about, this.organizationsOf(wish.hold)))
					skip('the person gets another role there');
			} else
				for (const one of meant) this.take(wish, one, about, before.rests, this.ghostWarning(wish));
		}
	}

	/** Whether a user shows to be in a group that no list shows, nor a read by its ID: nothing can be taken there. */
	private isUnfound(named: NamedEntitlement, { group }: About): boolean {
		return isGroupId(named) && group === undefined && this.rules.isUnfound?.(named) === true;
	}

	/**
	 * Rule of evidence, "what a member is": whoever a list is to remove, does not say to be a user and was not shown as one is
	 * read first. By an ID that no user has it may be a group, which stays; a deleted user goes.
	 */
	private whyLeftAlone({ unlisted, person }: Wish, { group }: About): unknown {
		const { account, profile, isGroup } = this.rules;
		const { id = '' } = person;
		if (unlisted !== true || group === undefined || profile.knowsPeopleByLogin) return undefined;
		if (usersSaidIn(group).has(id)) return undefined;
		const read = account(id);
		if (read === undefined) this.strangers.add(id);
		if (read?.ok !== false) return undefined;
		if (!(read.error instanceof AbsentError)) return read.error;
		const told = isGroup?.(id);
		return told?.ok === false ? told.error : told?.value === true ? 'group' : undefined;
	}

	/** What a person has in the place of what goes; most have one role there, and nothing is looked for then. */
	private thereFor(
		wish: Wish,
		about: About,
		meant: readonly Entitlement[],
	): readonly Entitlement[] {
		return this.hasSeveral(wish.person, about.organization) ? this.heldAt(wish, about) : meant;
	}

	/**
	 * Deactivations and deletions. Who leaves and is to be deleted is shut out first, where anything is taken before.
	 */
	private end(wish: Wish): void {
		const { person, account, user } = wish;
		if (this.refused.has(wish) || !endsAccount(wish)) return;
		const verb = account === 'gone' ? 'delete' : 'deactivate';
		const intent = `${verb}d` as const;
		const before = this.before(wish);
		const heldBack = wish.dropsHeldBack ?? before.refused;
		const refusal = this.protection(person);
		const action = `${verb} user ${nameOf(person)}`;
		if (refusal !== undefined) {
			this.settle(wish, undefined, intent, failureOf(action, refusal));
			return;
		}
		if (heldBack !== undefined) {
			this.settle(wish, undefined, intent, { status: 'skipped', action, reason: heldBack });
			return;
		}
		const isInactive = shownActivity(user) === 'inactive';
		if (verb === 'deactivate' && isInactive) this.note(wish, 'deactivated');
		const shutsOut = !isInactive && (verb === 'deactivate' || this.takesAny(wish));
		if (shutsOut) addPreconditions(this.flip(wish, 'deactivate'), before.rests);
		if (verb === 'deactivate') return;
		const removal = this.accountChange(wish, 'delete', {
			// A user that this run deactivates is no proof that the service deactivates instead of deleting.
			before: shutsOut ? 'inactive' : accountOf(user, true),
			after: 'absent',
			warnings: NO_WARNINGS,
			restsOn: NO_PRECONDITIONS,
		});
		addPreconditions(removal, before.rests);
	}

	private takesAny(wish: Wish): boolean {
		return wish.drop.some((named) =>
			this.meantBy(wish, named, this.about(named)).some((one) =>
				this.changes.has(entitlementKey(wish.person, this.placeOf(one))),
			),
		);
	}

	/** What has to be seen of other people before anything is taken from this one. */
	private before({ after = [], unlisted }: Wish): { rests: Precondition[]; refused?: string } {
		const keys = after.flatMap((key) =>
			[this.entry.get(key) ?? [], ...this.insteadOf(key).gains].flat(),
		);
		const [refused] = after.flatMap((key) =>
			this.refusedPeople.has(key) ? NOT_GIVEN : (this.insteadOf(key).refused ?? []),
		);
		const list = unlisted === true && this.takesNames ? WHOLE_LIST : NO_PRECONDITIONS;
		return { rests: [...keys.map(this.waitFor), ...list], refused };
	}

	private organizationsOf(entitlements: readonly NamedEntitlement[]): Set<string | undefined> {
		return new Set(entitlements.map((one) => this.about(one).organization));
	}

	/** Another role in the same organization replaces this one, whichever item wants it: a removal would take that too. */
	private isReplaced(
		{ organization }: About,
		organizations: ReadonlySet<string | undefined>,
	): boolean {
		return (
			this.rules.profile.oneRolePerOrganization &&
			organization !== undefined &&
			organizations.has(organization)
		);
	}

	/** @param there what the person has in its place */
	private give(wish: Wish, about: About, there: readonly Entitlement[]): EntitlementChange {
		const { person } = wish;
		const { entitlement, only, place, warnings } = about;
		const others = there.filter(({ key }) => key !== entitlement.key);
		const to = this.labelOf(entitlement);
		const from = others.map((one) => this.labelOf(one));
		const isNew = others.length === there.length;
		const action = !isNew
			? `remove ${nameOf(person)} from ${from.join(', ')}`
			: others.length > 0
				? `change ${nameOf(person)}${this.moveWords(from.join(', '))(to)}`
				: this.toGive(person, about);
		const change = this.entitlementChange(wish, place, there, only, action, warnings);
		if (wish.copiedFrom !== undefined) addPreconditions(change, [wish.copiedFrom]);
		return change;
	}

	/** No user and no group has the ID of whom a list is to remove: a deleted user, or no person at all. */
	private ghostWarning({ unlisted, person }: Wish): readonly string[] {
		const read = unlisted === true ? this.rules.account(person.id ?? '') : undefined;
		const isGhost = read?.ok === false && read.error instanceof AbsentError;
		return isGhost
			? [
					`No user and no group has the ID ${person.id}: a deleted user, or no person. Check it if this was not intended.`,
				]
			: NO_WARNINGS;
	}

	private take(
		wish: Wish,
		one: Entitlement,
		about: About,
		rests: readonly Precondition[],
		warnings: readonly string[],
	): void {
		const place = this.placeOf(one);
		const there = this.thereFor(wish, about, [one]);
		const action = this.toTake(wish.person, about);
		const change = this.entitlementChange(wish, place, there, there, action, warnings);
		change.after = change.after.filter(({ key }) => key !== one.key);
		const taken = lost(change).map((other) => this.labelOf(other));
		if (taken.length > 1) change.action = `remove ${nameOf(wish.person)} from ${taken.join(', ')}`;
		addPreconditions(change, rests);
	}

	/** The change of that place, wanted by one item more. Most changes are memberships: made without copies, which take longer than all the rest. */
	private entitlementChange(
		wish: Wish,
		place: string,
		before: readonly Entitlement[],
		after: readonly Entitlement[],
		action: string,
		warnings: readonly string[],
	): EntitlementChange {
		const { person, item, user, why = '' } = wish;
		const key = entitlementKey(person, place);
		const known = this.changes.get(key);
		if (known?.about === 'entitlement') {
			if (!known.items.includes(item)) known.items.push(item);
			// Two items may want the same removal: then the one that is stricter about another role counts.
			known.skipsOtherRole &&= wish.skipsOtherRole === true;
			return known;
		}
		const change: EntitlementChange = {
			about: 'entitlement',
			key,
			person,
			before,
			after,
			action,
			why,
			items: [item],
			restsOn: NO_PRECONDITIONS,
			warnings,
		};
		if (wish.skipsOtherRole) change.skipsOtherRole = true;
		if (user !== undefined && isOfValue(change)) {
			change.evidence = { user, readAt: this.rules.access.readAt };
		}
		this.changes.set(key, change);
		return change;
	}

	private accountChange(
		{ person, item, why = '' }: Wish,
		verb: 'activate' | 'deactivate' | 'delete',
		own: Pick<AccountChange, 'before' | 'after' | 'warnings' | 'restsOn'>,
	): AccountChange {
		const key = accountKey(verb, person);
		const known = this.changes.get(key);
		if (known?.about === 'account') {
			if (!known.items.includes(item)) known.items.push(item);
			return known;
		}
		const action = `${verb} user ${nameOf(person)}`;
		const change: AccountChange = {
			about: 'account',
			key,
			person,
			action,
			why,
			items: [item],
			...own,
		};
		this.changes.set(key, change);
		return change;
	}

	private about(named: NamedEntitlement): About {
		if (isGroupId(named)) return this.aboutGroup(named);
		const entitlement = heldValue(named);
		return { place: entitlement.key, entitlement, only: [entitlement], warnings: NO_WARNINGS };
	}

	/** The place of something that a person has. */
	private placeOf(entitlement: Entitlement): string {
		return isValue(entitlement) ? entitlement.key : this.aboutGroup(entitlement.groupId).place;
	}

	/** What a person has in the place of something. */
	private heldAt(
		{ person, user }: Wish,
		{ entitlement, place, only }: About,
	): readonly Entitlement[] {
		if (isValue(entitlement)) {
			return user ? findValues(this.valuesOf(user), entitlement).map(heldValue) : NOTHING;
		}
		const held = this.heldBy(person);
		if (place === entitlement.key) return held.has(place) ? only : NOTHING;
		if (held.size > FEW) return this.byPlace(held).get(place) ?? NOTHING;
		let there = NOTHING;
		for (const key of held) {
			const one = this.rules.access.membershipIn(key);
			const other = this.aboutGroup(one.groupId);
			// Most have one thing there, in a list that is shared.
			if (other.place === place) there = there.length === 0 ? other.only : [...there, one];
		}
		return there;
	}

	/** Of what a person has, the named: of values those that differ in spelling alone. */
	private meantBy(wish: Wish, named: NamedEntitlement, about: About): readonly Entitlement[] {
		if (!isGroupId(named)) return this.heldAt(wish, about);
		return this.heldBy(wish.person).has(about.entitlement.key) ? about.only : NOTHING;
	}

	private toGive(person: Person, { entitlement }: About): string {
		return isValue(entitlement)
			? `give ${nameOf(person)} ${valueLabel(entitlement)}`
			: `make ${nameOf(person)} ${this.labelOf(entitlement)}`;
	}

	private toTake(person: Person, { entitlement }: About): string {
		return isValue(entitlement)
			? `remove ${valueLabel(entitlement)} from ${nameOf(person)}`
			: `remove ${nameOf(person)} as ${this.labelOf(entitlement)}`;
	}

	private labelOf(entitlement: Entitlement): string {
		return isValue(entitlement) ? valueLabel(entitlement) : this.rules.label(entitlement.groupId);
	}

	private insteadOf(key: string): Instead {
		const instead = this.instead.get(key) ?? { gains: new Set(), organizations: new Set() };
		this.instead.set(key, instead);
		return instead;
	}

	/** What is wrong with the wish itself: it contradicts another one, or there is no such group. */
	private impossible(person: Person, named: NamedEntitlement): InputError | undefined {
		const clash = this.clashOf(person, named);
		if (clash !== undefined || !isGroupId(named)) return clash;
		return this.aboutGroup(named).group ? undefined : unknownGroup(named, this.rules);
	}

	private firstImpossible({ person, hold }: Wish): InputError | undefined {
		return hold.map((named) => this.impossible(person, named)).find(Boolean);
	}

	private hasSeveral({ id = '' }: Person, organization = ''): boolean {
		return doubleRoles(this.rules.access).get(id)?.has(organization) === true;
	}

	/** What the rules say of any change of the account of a person. */
	private protection(person: Person): unknown {
		const asked = { person, gives: NOTHING, takes: NOTHING, there: NOTHING, isLetIn: false };
		return judge({ moment: 'plan', ...asked }, this.rules)?.error;
	}

	/** Keys of the groups that a person is in. */
	private heldBy({ id }: Person): ReadonlySet<string> {
		return (id && this.rules.access.held.get(id)) || NO_KEYS;
	}

	private notHeld(wish: Wish, action: string, about: About): Outcome {
		const others = this.heldAt(wish, about).map((one) => this.labelOf(one));
		return others.length > 0
			? { status: 'skipped', action, reason: `the person is ${others.join(', ')} instead` }
			: { status: 'unchanged', action, reason: 'the person does not have it' };
	}

	/** Nothing is done for the wish: each group that it wants fails, or the person where it wants none. */
	private refuse(wish: Wish, error: unknown): void {
		this.leaveOut(wish);
		const { person, hold, newcomer } = wish;
		const [verb, intent]: [string, Intent] =
			newcomer !== undefined
				? ['create', 'created']
				: hold.length > 0
					? ['give access to', 'granted']
					: ['activate user', 'activated'];
		const action = `${verb} ${nameOf(person)}`;
		// Each list of members stands for itself: one that a person cannot join keeps no membership in another.
		if (this.rules.membersOnly !== true) this.insteadOf(person.key).refused ??= NOT_GIVEN;
		for (const named of hold.length > 0 ? hold : [undefined]) {
			this.settle(wish, named, named === undefined ? intent : 'granted', failureOf(action, error));
		}
	}

	private leaveOut(wish: Wish): void {
		this.refused.add(wish);
		this.refusedPeople.add(wish.person.key);
	}

	/** That an account is so already, or that nothing is wanted. */
	private note(wish: Wish, intent: 'activated' | 'deactivated' | 'none'): void {
		const who = nameOf(wish.person);
		const verb = intent === 'activated' ? 'activate' : 'deactivate';
		const action = intent === 'none' ? `change the access of ${who}` : `${verb} user ${who}`;
		this.settle(wish, undefined, intent, { status: 'unchanged', action });
	}

	private settle(
		{ item, person, user, source }: Wish,
		named: NamedEntitlement | undefined,
		intent: Intent,
		outcome: Outcome,
		need?: string,
	): void {
		const group = isGroupId(named) ? this.aboutGroup(named).group : undefined;
		const who = whoIs(person, isGroupId(named) ? undefined : user);
		const value = isGroupId(named) ? undefined : named;
		const result = { who, intent, source, group, value };
		const settled: Settled = { item, subject: person.key, outcome, result };
		if (need !== undefined) settled.needs = [{ step: need, subject: person.key }];
		this.settled.push(settled);
	}
}

function isGroupId(named: NamedEntitlement | undefined): named is string {
	return typeof named === 'string';
}

function addPreconditions(
	change: AccountChange | EntitlementChange,
	rests: readonly Precondition[],
): void {
	if (rests.length > 0) change.restsOn = [...new Set([...change.restsOn, ...rests])];
}

function wantsNothing({ hold, drop, account, attributes, newcomer }: Wish): boolean {
	const isOfUser = account !== undefined || attributes !== undefined || newcomer !== undefined;
	return hold.length + drop.length === 0 && !isOfUser;
}

function endsAccount({ account }: Wish): boolean {
	return account === 'inactive' || account === 'gone';
}

function noSuchGroupNow(action: string, group: NamedEntitlement, person: Person): Outcome {
	return {
		...{ status: 'unchanged', action, reason: 'the service has no such group' },
		warnings: [
			`${nameOf(person)} shows group ${String(group)}, which the service does not have by its ID: it was deleted, or is hidden from this credential. Nothing was sent for it.`,
		],
	};
}

/** The account organization is for account management only (test/contract/interface.md 1.1). */
function accountOrganizationWarning(
	groupId: string,
	{ access, accountOrganization }: AccessRules,
): readonly string[] {
	const place = access.placeOf(groupId);
	return place?.organization === accountOrganization && place.role !== 'admin'
		? [
				`${groupId} belongs to the account organization, whose ${shown(place.role)} group should stay empty: it is for account management only.`,
			]
		: NO_WARNINGS;
}
