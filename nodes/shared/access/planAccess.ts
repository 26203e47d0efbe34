import { failureOf, type Outcome, type Part } from '../run';
import { InputError } from '../util';
import { changeMembers, type GroupIds, resourcePath, type ServiceProfile } from '../scim';
import { doubleRoles, type Access } from './access';
import {
	emptyProvisioningPlan,
	type Member,
	type MemberChange,
	type NamedGroupOf,
	type ProvisioningPlan,
} from './step';

/** What one item wants of one person's group memberships. */
export interface WantedAccess {
	item: number;
	person: Member;
	/** Ids of the groups that the person has to be in. */
	hold: readonly string[];
	/** Ids of the groups that the person must not be in. */
	drop: readonly string[];
	/** True for people whom no item names, such as members that are not on a list: protected ones are then left alone. */
	incidental?: boolean;
	/** Whoever has another role by the time of a removal is left alone; otherwise that is a failure. */
	skipsOtherRole?: boolean;
	/** Why nothing may be taken away here; grants go on. */
	dropsHeldBack?: string;
	/** Steps that first have to make the person able to be a member. */
	needs?: Part['needs'];
	warnings?: string[];
}

/** What planning has to know beside the wanted access. */
export interface AccessRules {
	access: Access;
	ids: GroupIds;
	profile: ServiceProfile;
	/** Id of the organization that manages the account; empty when not known. */
	accountOrganization: string;
	/** A group as people call it, e.g. "member in Marketing". */
	label(groupId: string): string;
	isProtected(person: Member): boolean;
}

interface Change {
	change: MemberChange;
	parts: Part[];
	/**
	 * Changes of one group go in up to three requests: what waits for nothing in groups, removals that wait for an add,
	 * and adds that wait for a removal.
	 */
	turn: 0 | 1 | 2;
}

/** Adds and removals of one group, each person once. */
interface GroupChanges {
	groupId: string;
	add: Map<string, Change>;
	remove: Map<string, Change>;
	warnings: Set<string>;
}

/**
 * Plans membership changes: everything that is so already is left alone, many items become one request per group and
 * chunk, and the rules of the service are kept (docs/interface.md 1.5, 2.3): where an add moves the person out of the
 * organization's other group it is never followed by a remove; elsewhere the remove waits until the add was seen.
 * Whoever is to have something else instead loses nothing before that was seen.
 */
export function planAccess(wanted: readonly WantedAccess[], rules: AccessRules): ProvisioningPlan {
	const planner = new AccessPlanner(wanted, rules);
	for (const want of wanted) planner.hold(want);
	for (const want of wanted) planner.drop(want);
	return planner.finish();
}

class AccessPlanner {
	private readonly plan = emptyProvisioningPlan();

	private readonly groups = new Map<string, GroupChanges>();

	private readonly clashes: Map<string, InputError>;

	/** What each person is to have first, by person: the adds, or the reason why one of them cannot be. */
	private readonly instead = new Map<string, Instead>();

	/** Keys of the groups that each person is to be out of. */
	private readonly dropped = new Map<string, Set<string>>();

	constructor(
		wanted: readonly WantedAccess[],
		private readonly rules: AccessRules,
	) {
		this.clashes = contradictions(wanted, rules);
		for (const { person, drop } of rules.profile.removalIsRoleBlind ? wanted : []) {
			const keys = this.dropped.get(person.key) ?? new Set();
			this.dropped.set(person.key, keys);
			for (const groupId of drop) keys.add(rules.ids.key(groupId));
		}
	}

	hold(want: WantedAccess): void {
		const { person } = want;
		if (want.hold.length + want.drop.length === 0) {
			this.settle(want, '', {
				status: 'unchanged',
				action: `change the access of ${nameOf(person)}`,
			});
		}
		const instead = this.instead.get(person.key) ?? { needs: [], organizations: new Set() };
		this.instead.set(person.key, instead);
		for (const groupId of want.hold) {
			const action = `make ${nameOf(person)} ${this.rules.label(groupId)}`;
			const group = this.rules.access.groups.get(this.rules.ids.key(groupId));
			const isHeld = this.held(person).has(this.rules.ids.key(groupId));
			const others = isHeld ? otherRoles(groupId, this.held(person), this.rules) : [];
			// What is so already touches nobody, protected or not.
			const refusal =
				this.contradiction(want, groupId) ?? (isHeld ? undefined : this.protection(person));
			const organization = this.rules.ids.parse(groupId)?.organization;
			if (organization !== undefined) instead.organizations.add(organization);
			if (refusal !== undefined || group === undefined) {
				this.settle(want, groupId, failureOf(action, refusal));
				instead.refused ??= 'what the person is to have instead cannot be given';
			} else if (isHeld && !(others.length > 0 && this.rules.profile.removalIsRoleBlind)) {
				this.settle(want, groupId, { status: 'unchanged', action });
				for (const old of others) {
					this.noteLoss(person, old, this.rules.ids.parse(groupId)?.role);
					this.remove(want, old, this.takeOut(person, old));
				}
			} else {
				this.add(want, group.id, action);
				const step = stepId(group.id);
				// Once, however many items want it: every removal of every item waits for all of them.
				if (!instead.needs.some((need) => need.step === step)) {
					instead.needs.push({ step, subject: person.key });
				}
			}
		}
	}

	drop(want: WantedAccess): void {
		const { person, dropsHeldBack } = want;
		const instead = this.instead.get(person.key);
		for (const groupId of want.drop) {
			const action = `remove ${nameOf(person)} as ${this.rules.label(groupId)}`;
			const heldBack = dropsHeldBack ?? instead?.refused;
			const refusal =
				this.contradiction(want, groupId) ??
				this.protection(person) ??
				this.takenAlong(person, groupId);
			if (this.rules.access.groups.get(this.rules.ids.key(groupId)) === undefined) {
				this.settle(want, groupId, failureOf(action, unknownGroup(groupId, this.rules)));
			} else if (!this.rules.access.showsMembers) {
				this.settle(want, groupId, failureOf(action, hiddenMembers(groupId)));
			} else if (!this.held(person).has(this.rules.ids.key(groupId))) {
				this.settle(want, groupId, notHeld(action, groupId, this.held(person), this.rules));
			} else if (heldBack !== undefined) {
				this.settle(want, groupId, { status: 'skipped', action, reason: heldBack });
			} else if (refusal !== undefined) {
				const left: Outcome = { status: 'skipped', action, reason: refusal.message };
				this.settle(want, groupId, want.incidental ? left : failureOf(action, refusal));
			} else if (this.isReplaced(groupId, instead)) {
				// The item's own new role has an outcome of its own.
				if (!this.isReplaced(groupId, this.ownWishes(want))) {
					const reason = 'the person gets another role there instead';
					this.settle(want, groupId, { status: 'skipped', action, reason });
				}
			} else {
				this.remove(want, groupId, action, instead?.needs);
				this.noteLoss(person, groupId);
			}
		}
	}

	/** A removal that would take another role along which nobody wants taken (docs/interface.md 2.3). */
	private takenAlong(person: Member, groupId: string): InputError | undefined {
		const { access, ids, label, profile } = this.rules;
		const organization = ids.parse(groupId)?.organization;
		if (!profile.removalIsRoleBlind || organization === undefined) return undefined;
		const kept = [...this.held(person)].flatMap((key) => {
			const other = access.groups.get(key)?.id ?? '';
			const isTaken = key === ids.key(groupId) || this.dropped.get(person.key)?.has(key) === true;
			return !isTaken && ids.parse(other)?.organization === organization ? [label(other)] : [];
		});
		return kept.length === 0
			? undefined
			: new InputError(
					`${nameOf(person)} is ${kept.join(' and ')} too, which this service would take along`,
					'Take both roles away, or set the one to keep with Assign.',
				);
	}

	finish(): ProvisioningPlan {
		const { removalIsRoleBlind, addMovesWithinOrganization } = this.rules.profile;
		const siblings =
			removalIsRoleBlind || addMovesWithinOrganization ? byOrganization(this.rules) : NO_SIBLINGS;
		for (const changes of this.groups.values()) {
			addSteps(this.plan, changes, siblings, this.rules);
		}
		chainChunks(this.plan);
		return this.plan;
	}

	private ownWishes({ hold }: WantedAccess): Instead {
		const organizations = hold.flatMap((id) => this.rules.ids.parse(id)?.organization ?? []);
		return { needs: [], organizations: new Set(organizations) };
	}

	/** Another role in the same organization replaces this one, whichever item wants it: a removal would take that too. */
	private isReplaced(groupId: string, instead: Instead | undefined): boolean {
		const organization = this.rules.ids.parse(groupId)?.organization;
		return (
			this.rules.profile.oneRolePerOrganization &&
			organization !== undefined &&
			instead?.organizations.has(organization) === true
		);
	}

	private add(want: WantedAccess, groupId: string, action: string): void {
		const { person, item, needs, warnings = [] } = want;
		const { ids, profile, label } = this.rules;
		const from = otherRoles(groupId, this.held(person), this.rules);
		const move = `change ${nameOf(person)} from ${from.map(label).join(', ')} to ${label(groupId)}`;
		const changes = this.changesOf(groupId);
		const entry: Change = changes.add.get(person.key) ?? {
			change: { person, action: from.length > 0 ? move : action, mayBeGone: false },
			parts: [],
			turn: 0,
		};
		changes.add.set(person.key, entry);
		entry.parts.push({ item, subject: person.key, ...(needs && { needs }) });
		for (const warning of [...warnings, ...accountOrganizationWarning(groupId, this.rules)]) {
			changes.warnings.add(warning);
		}
		const gained = ids.parse(groupId);
		if (gained !== undefined) this.plan.gains.push({ person, ...gained });
		for (const old of from) {
			this.plan.warnings.push(`${nameOf(person)} is ${label(old)} and becomes ${label(groupId)}`);
			this.noteLoss(person, old, gained?.role);
			if (profile.addMovesWithinOrganization) continue;
			if (profile.removalIsRoleBlind) {
				this.remove(want, old, this.takeOut(person, old), [...(needs ?? [])], false, 0);
				this.replace(want, groupId, entry.change.action, old);
				continue;
			}
			const seen = [{ step: stepId(groupId), subject: person.key }];
			this.remove(want, old, this.takeOut(person, old), seen, true);
		}
	}

	/** Where a removal would take the new role, too, the add waits for it, and gives the old role back when refused. */
	private replace(
		{ item, person }: WantedAccess,
		groupId: string,
		action: string,
		old: string,
	): void {
		const changes = this.changesOf(groupId);
		const entry: Change = changes.add.get(person.key) ?? {
			change: { person, action, mayBeGone: false },
			parts: [],
			turn: 2,
		};
		changes.add.set(person.key, entry);
		entry.turn = 2;
		entry.change.replaces ??= [];
		if (!entry.change.replaces.some(({ groupId: known }) => known === old))
			entry.change.replaces.push({ groupId: old, label: this.rules.label(old) });
		const needs = [{ step: stepId(old), subject: person.key }];
		const own = entry.parts.find((part) => part.item === item);
		if (own === undefined) entry.parts.push({ item, subject: person.key, needs });
		else own.needs = [...(own.needs ?? []), ...needs];
	}

	private takeOut(person: Member, groupId: string): string {
		return `take ${nameOf(person)} out of ${this.rules.label(groupId)}`;
	}

	/** @param mayBeGone whether the adds that come first may have taken the person out already */
	private remove(
		{ item, person, skipsOtherRole }: WantedAccess,
		groupId: string,
		action: string,
		needs: Needs = [],
		mayBeGone = false,
		turn: Change['turn'] = needs.length > 0 ? 1 : 0,
	): void {
		const changes = this.changesOf(groupId);
		const { members = [] } = this.rules.access.groups.get(this.rules.ids.key(groupId)) ?? {};
		const hidden = members.length === 0 && this.rules.profile.groupsShowMembers !== 'yes';
		const entry: Change = changes.remove.get(person.key) ?? {
			change: {
				...{ person, action, mayBeGone },
				...(hidden && { hidden }),
				...(skipsOtherRole && { skipsOtherRole }),
			},
			parts: [],
			turn,
		};
		changes.remove.set(person.key, entry);
		// Two items may want the same removal: then the one that is stricter about another role counts.
		if (!skipsOtherRole) delete entry.change.skipsOtherRole;
		entry.parts.push({ item, subject: person.key, ...(needs.length > 0 && { needs }) });
	}

	private changesOf(groupId: string): GroupChanges {
		const key = this.rules.ids.key(groupId);
		const known = this.groups.get(key);
		if (known !== undefined) return known;
		const id = this.rules.access.groups.get(key)?.id ?? groupId;
		const changes = { groupId: id, add: new Map(), remove: new Map(), warnings: new Set<string>() };
		this.groups.set(key, changes);
		return changes;
	}

	/** What is wrong with the wish itself, or with what was read. */
	private contradiction({ person }: WantedAccess, groupId: string): InputError | undefined {
		const { access, ids } = this.rules;
		const key = ids.key(groupId);
		return (
			this.clashes.get(`${person.key}\n${key}`) ??
			(access.groups.has(key) ? undefined : unknownGroup(groupId, this.rules)) ??
			staleRead(person, groupId, this.rules)
		);
	}

	private protection(person: Member): InputError | undefined {
		return this.rules.isProtected(person) ? protectedPerson(nameOf(person)) : undefined;
	}

	private held(person: Member): ReadonlySet<string> {
		return (person.id && this.rules.access.held.get(person.id)) || NO_GROUPS;
	}

	private settle(
		{ item, person, warnings = [] }: WantedAccess,
		groupId: string,
		outcome: Outcome,
	): void {
		const group = this.rules.access.groups.get(this.rules.ids.key(groupId));
		this.plan.settled.push({
			item,
			subject: person.key,
			outcome: { ...outcome, ...(warnings.length > 0 && { warnings: [...warnings] }) },
			result: { person, ...(group && { group }) },
		});
	}

	private noteLoss(person: Member, groupId: string, newRole?: string): void {
		const lost = this.rules.ids.parse(groupId);
		this.plan.losses.push({ person, ...lost, ...(newRole !== undefined && { newRole }) });
	}
}

const NO_GROUPS: ReadonlySet<string> = new Set();

/** What a person is to have, as far as it decides about removals. */
interface Instead {
	needs: Needs;
	organizations: Set<string>;
	refused?: string;
}

type Needs = Array<{ step: string; subject: string }>;

/** Of the first chunk; see chainChunks for the others. */
function stepId(groupId: string): string {
	return `members of ${groupId}`;
}

function nameOf({ userName, id, key }: Member): string {
	return userName ?? id ?? key;
}

/** What goes in the same turn goes together, chunk by chunk. */
function addSteps(
	plan: ProvisioningPlan,
	changes: GroupChanges,
	siblings: Siblings,
	{ access, ids, profile }: AccessRules,
): void {
	const entries = [...changes.add.values(), ...changes.remove.values()];
	const chunks = [0, 1, 2].flatMap((turn) =>
		chunked(
			entries.filter((entry) => entry.turn === turn),
			profile.membersPerRequest,
		),
	);
	const organization = ids.parse(changes.groupId)?.organization;
	const others = siblings.get(organization ?? '') ?? [];
	chunks.forEach((chunk, index) => {
		const pick = (from: ReadonlyMap<string, Change>): MemberChange[] =>
			chunk.flatMap((entry) => (from.get(entry.change.person.key) === entry ? [entry.change] : []));
		const [add, remove] = [pick(changes.add), pick(changes.remove)];
		plan.steps.push({
			id: `${stepId(changes.groupId)}${index === 0 ? '' : ` (${index + 1})`}`,
			kind: 'changeMembers',
			action:
				chunk.length === 1
					? chunk[0].change.action
					: `change ${chunk.length} members of group ${changes.groupId}`,
			parts: chunk.flatMap(({ parts }) => parts),
			warnings: [...changes.warnings],
			groupId: changes.groupId,
			add,
			remove,
			siblings: others.filter(({ groupId }) => ids.key(groupId) !== ids.key(changes.groupId)),
			readAt: access.readAt,
			...(organization !== undefined && { organization }),
			request: memberRequest(changes.groupId, add, remove, profile),
		});
	});
}

/** Changes that wait for another one name the first chunk of that group; the other may stand in a later one. */
function chainChunks(plan: ProvisioningPlan): void {
	const stepOf = new Map<string, string>();
	for (const step of plan.steps) {
		if (step.kind !== 'changeMembers') continue;
		for (const { person } of [...step.remove, ...step.add])
			stepOf.set(`${stepId(step.groupId)}\n${person.key}`, step.id);
	}
	for (const step of plan.steps) {
		step.parts = step.parts.map((part) => ({
			...part,
			...(part.needs && {
				needs: part.needs.map((need) => ({
					...need,
					step: stepOf.get(`${need.step}\n${need.subject}`) ?? need.step,
				})),
			}),
		}));
	}
}

function chunked<T>(entries: readonly T[], size: number): T[][] {
	const chunks: T[][] = [];
	for (let at = 0; at < entries.length; at += size) chunks.push(entries.slice(at, at + size));
	return chunks;
}

/** The request of one step on a group (RFC 7644 section 3.5.2). */
export function memberRequest(
	groupId: string,
	add: readonly MemberChange[],
	remove: readonly MemberChange[],
	profile: ServiceProfile,
) {
	return {
		method: 'PATCH' as const,
		path: resourcePath(profile.prefix, 'Groups', groupId),
		body: changeMembers(add.map(shownId), remove.map(shownId), profile.memberRemoval),
	};
}

/** What stands for the id of somebody who is yet to be created, in a plan that is shown. */
function shownId({ person }: MemberChange): string {
	return person.id ?? `{id of ${person.userName ?? person.key}}`;
}

type Siblings = ReadonlyMap<string, readonly NamedGroupOf[]>;

const NO_SIBLINGS: Siblings = new Map();

/** The groups of each organization. */
function byOrganization({ access, ids, label }: AccessRules): Siblings {
	const siblings = new Map<string, NamedGroupOf[]>();
	for (const { id } of access.groups.values()) {
		const organization = ids.parse(id)?.organization;
		if (organization === undefined) continue;
		const same = siblings.get(organization) ?? [];
		siblings.set(organization, same);
		same.push({ groupId: id, label: label(id) });
	}
	return siblings;
}

/** Groups of the same organization that the person is in, where one role per organization is the rule. */
function otherRoles(
	groupId: string,
	held: ReadonlySet<string>,
	{ access, ids, profile }: AccessRules,
): string[] {
	const organization = ids.parse(groupId)?.organization;
	if (!profile.oneRolePerOrganization || organization === undefined) return [];
	return [...held].flatMap((key) => {
		const other = access.groups.get(key)?.id ?? '';
		return key !== ids.key(groupId) && ids.parse(other)?.organization === organization
			? [other]
			: [];
	});
}

/**
 * Wishes that contradict each other: two roles for one person in one organization where one is the rule. None of them
 * is sent.
 * @returns the error by person and group
 */
function contradictions(
	wanted: ReadonlyArray<Pick<WantedAccess, 'item' | 'person' | 'hold'>>,
	{ ids, profile, label }: AccessRules,
): Map<string, InputError> {
	const first = new Map<string, { item: number; groupId: string; hold: boolean }>();
	const errors = new Map<string, InputError>();
	const meet = (item: number, person: Member, groupId: string, hold: boolean) => {
		const key = ids.key(groupId);
		const organization =
			profile.oneRolePerOrganization && hold ? ids.parse(groupId)?.organization : undefined;
		const scope = `${person.key}\n${organization === undefined ? key : `one role\n${organization}`}`;
		const before = first.get(scope);
		if (before === undefined) {
			first.set(scope, { item, groupId, hold });
			return;
		}
		if (ids.key(before.groupId) === key && before.hold === hold) return;
		const who = person.userName ?? person.id ?? person.key;
		const error = new InputError(
			`${before.item === item ? `Item ${item} wants` : `Items ${before.item} and ${item} want`} two roles for ${who} in one organization: ${label(before.groupId)} and ${label(groupId)}`,
			'A person has one role per organization. Decide for one of them; none of the two was sent.',
		);
		errors.set(`${person.key}\n${ids.key(before.groupId)}`, error);
		errors.set(`${person.key}\n${key}`, error);
	};
	for (const { item, person, hold } of wanted) {
		for (const groupId of hold) meet(item, person, groupId, true);
	}
	return errors;
}

/**
 * Finds wishes that no answer of the service could make possible: a group that there is not, or two roles where one is
 * the rule.
 * @returns for each wish the first reason, undefined for one that can be tried
 */
export function impossibleWishes(
	wanted: ReadonlyArray<Pick<WantedAccess, 'item' | 'person' | 'hold'>>,
	rules: AccessRules,
): Array<InputError | undefined> {
	const clashes = contradictions(wanted, rules);
	const faultOf = (person: Member, groupId: string) => {
		const key = rules.ids.key(groupId);
		return (
			clashes.get(`${person.key}\n${key}`) ??
			(rules.access.groups.has(key) ? undefined : unknownGroup(groupId, rules))
		);
	};
	return wanted.map(({ person, hold }) => {
		const groupId = hold.find((id) => faultOf(person, id) !== undefined);
		return groupId === undefined ? undefined : faultOf(person, groupId);
	});
}

function staleRead(
	person: Member,
	groupId: string,
	{ access, ids, profile }: AccessRules,
): InputError | undefined {
	const organization = ids.parse(groupId)?.organization;
	if (person.id === undefined || organization === undefined || !profile.oneRolePerOrganization) {
		return undefined;
	}
	// Where an add does not move, two roles are a move that was cut off: it is completed.
	if (!profile.addMovesWithinOrganization) {
		return undefined;
	}
	return doubleRoles(access, person.id, ids).includes(organization)
		? new InputError(
				`The service shows two roles for ${nameOf(person)} in ${organization}, which is an old read: nothing was changed there`,
				'Run again in a moment, or raise Verification Time under Options.',
			)
		: undefined;
}

/** The person is on the list of those who are never touched. */
export function protectedPerson(who: string): InputError {
	return new InputError(
		`${who} is protected: nothing was changed`,
		'Take the person out of Protected Users under Options, if this is meant.',
	);
}

/** Nobody can be removed where it is not known who is a member, and saying that somebody is none would be a guess. */
export function hiddenMembers(groupId: string): InputError {
	return new InputError(
		`It is not known who is in group ${groupId}: no group of this service shows a member`,
		'Some services never show them, and then nobody can be removed here. Look at the service itself.',
	);
}

/** No group has this id. */
export function unknownGroup(groupId: string, { access, ids }: AccessRules): InputError {
	const wanted = ids.parse(groupId);
	const organizations = new Set<string>();
	for (const group of access.groups.values()) {
		const parsed = ids.parse(group.id);
		if (parsed !== undefined) organizations.add(parsed.organization);
	}
	const known = [...organizations].sort().slice(0, 30).join(', ');
	return wanted === undefined || known === ''
		? new InputError(
				`There is no group ${groupId}`,
				'Check the ID, or pick the group from the list.',
			)
		: new InputError(
				organizations.has(wanted.organization)
					? `Organization ${wanted.organization} has no role ${wanted.role}`
					: `There is no organization ${wanted.organization}`,
				`The account has: ${known}.`,
			);
}

function notHeld(
	action: string,
	groupId: string,
	held: ReadonlySet<string>,
	rules: AccessRules,
): Outcome {
	const others = otherRoles(groupId, held, rules);
	return {
		status: 'skipped',
		action,
		reason:
			others.length > 0
				? `the person is ${others.map(rules.label).join(', ')} instead`
				: 'the person does not have it',
	};
}

/** The account organization is for account management only (docs/interface.md 1.1). */
function accountOrganizationWarning(
	groupId: string,
	{ ids, accountOrganization }: AccessRules,
): string[] {
	const parsed = ids.parse(groupId);
	return parsed?.organization === accountOrganization && parsed.role !== 'admin'
		? [
				`${groupId} belongs to the account organization, whose ${parsed.role} group should stay empty: it is for account management only.`,
			]
		: [];
}
