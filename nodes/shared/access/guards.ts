import { wildcard } from '../util';
import type { Part } from '../run';
import type { GroupIds, ServiceProfile } from '../scim';
import { assignmentsOf, type Access } from './access';
import { memberRequest } from './planAccess';
import type { Loss, Member, Person, ProvisioningPlan, ProvisioningStep } from './step';

const ADMIN = 'admin';
const WHOLE = 100;

/** How many may lose access before it looks like a broken source; settable in the nodes. */
export interface LossLimits {
	/** So many people may lose access in one run, whatever share of all they are. */
	maxUsersLosingAccess: number;
	/** Percentage of those whom the change is about that may lose access in one run. */
	maxPercentLosingAccess: number;
}

/** Those against whom losses count. */
export interface LossBase {
	people: number;
	/** Who they are, in words that go after their number, such as "people with access in scope". */
	are: string;
}

/** What guards allow; settable in the node. */
export interface GuardSettings extends LossLimits {
	/** IDs, user names, or patterns of them with `*`. */
	protectedUsers: readonly string[];
	allowRemovingLastAdmin: boolean;
}

/** Whether a person must not be touched: matched by id and by e-mail. */
export function protection(patterns: readonly string[]): (person: Member) => boolean {
	const tests = patterns.map(wildcard);
	return ({ id, userName }) =>
		[id, userName].some((text) => text !== undefined && tests.some((matches) => matches(text)));
}

/** What has to be known of everybody before it can be told who is protected. */
export interface ProtectsBy {
	names: boolean;
	ids: boolean;
}

/** A text without `@` may be an ID as well as a user name; one with it is a user name. */
export function protectsBy(patterns: readonly string[]): ProtectsBy {
	return { names: patterns.length > 0, ids: patterns.some((pattern) => !pattern.includes('@')) };
}

/** The person who loses all access by a step, if it is such a step: a deletion, or one that makes inactive. */
export function leaver(step: ProvisioningStep): Person | undefined {
	switch (step.kind) {
		case 'deleteUser':
			return step.person;
		case 'setActive':
			return step.active ? undefined : step.person;
		case 'updateUser':
		case 'replaceUser':
			return step.attributes.active === false ? step.person : undefined;
		default:
			return undefined;
	}
}

/** What people lose who are deactivated or deleted: every role, or access as such where no role is known. */
export function lossesOf(
	leavers: readonly Person[],
	access: Access | undefined,
	ids: GroupIds,
): Loss[] {
	return leavers.flatMap((person): Loss[] => {
		const member = { ...person, key: person.id };
		const assignments = access === undefined ? [] : assignmentsOf(access, person.id, ids);
		return assignments.length === 0
			? [{ person: member }]
			: assignments.map(({ organization, role }) => ({ person: member, organization, role }));
	});
}

/** An organization whose admins would be fewer, with the admins it would have left. */
export interface AdminQuestion {
	organization: string;
	/** Ids of those who stay admin; whether they are active has to be looked up. */
	staying: string[];
	/** Who becomes admin in the same plan; without id somebody who is created. */
	coming: Member[];
}

/** Organizations in which the plan takes the admin role from somebody. */
export function adminQuestions(
	plan: ProvisioningPlan,
	access: Access,
	ids: GroupIds,
): AdminQuestion[] {
	const losers = new Map<string, Set<string>>();
	for (const { person, organization, role } of plan.losses) {
		if (!isAdmin(role) || organization === undefined) continue;
		const same = losers.get(organization) ?? new Set<string>();
		losers.set(organization, same.add(person.key));
	}
	const gains = plan.gains.filter(({ role }) => isAdmin(role));
	const questions: AdminQuestion[] = [];
	for (const group of access.groups.values()) {
		const parsed = ids.parse(group.id);
		if (parsed === undefined || !isAdmin(parsed.role)) continue;
		const leaving = losers.get(parsed.organization);
		if (leaving === undefined) continue;
		questions.push({
			organization: parsed.organization,
			staying: (group.members ?? []).map(({ id }) => id).filter((id) => !leaving.has(id)),
			coming: gains
				.filter(({ organization }) => organization === parsed.organization)
				.map(({ person }) => person),
		});
	}
	return questions;
}

type MemberStep = Extract<ProvisioningStep, { kind: 'changeMembers' }>;

/** The organization whose admins a step changes. */
function adminGroupOf({ groupId }: MemberStep, ids: GroupIds): string | undefined {
	const parsed = ids.parse(groupId);
	return isAdmin(parsed?.role) ? parsed?.organization : undefined;
}

function isAdmin(role: string | undefined): boolean {
	return role?.toLowerCase() === ADMIN;
}

/**
 * The plan with whoever stops being admin waiting until the new admin of the organization was seen: the service may
 * refuse that one, and then nobody would be left.
 * @param newAdmins the person on whom an organization then depends, by organization
 */
export function newAdminsFirst(
	plan: ProvisioningPlan,
	newAdmins: ReadonlyMap<string, Member>,
	ids: GroupIds,
	profile: ServiceProfile,
): ProvisioningPlan {
	if (newAdmins.size === 0) return plan;
	const isNewAdmin = (step: ProvisioningStep, organization: string) =>
		step.kind === 'changeMembers' &&
		adminGroupOf(step, ids) === organization &&
		step.add.some(({ person }) => person.key === newAdmins.get(organization)?.key);
	const needs = new Map(
		[...newAdmins].flatMap(([organization, { key }]) => {
			const step = plan.steps.find((candidate) => isNewAdmin(candidate, organization));
			return step === undefined ? [] : [[organization, { step: step.id, subject: key }] as const];
		}),
	);
	const organizationsOfLosers = new Map<string, string[]>();
	for (const { person, organization, role } of plan.losses) {
		if (!isAdmin(role) || organization === undefined || !needs.has(organization)) continue;
		const same = organizationsOfLosers.get(person.key);
		if (same === undefined) organizationsOfLosers.set(person.key, [organization]);
		else same.push(organization);
	}
	/** The parts with what they have to wait for, when they take the admin role from somebody. */
	const waiting = (step: ProvisioningStep, parts: readonly Part[]) =>
		parts.map((part) => {
			const own =
				step.kind === 'changeMembers' || step.kind === 'replaceMembers'
					? [ids.parse(step.groupId)?.organization ?? '']
					: undefined;
			const waits = (organizationsOfLosers.get(part.subject) ?? [])
				.filter((organization) => own?.includes(organization) ?? leaver(step) !== undefined)
				.flatMap((organization) => needs.get(organization) ?? [])
				.filter((need) => need.step !== step.id);
			return waits.length === 0 ? part : { ...part, needs: [...(part.needs ?? []), ...waits] };
		});
	const steps: ProvisioningStep[] = [];
	const leaving = new Map<string, MemberStep[]>();
	/** Removals that went into a step of their own, by the step that they were in. */
	const moved = new Map<string, string>();
	for (const step of plan.steps) {
		const organization = step.kind === 'changeMembers' ? adminGroupOf(step, ids) : undefined;
		if (step.kind !== 'changeMembers' || organization === undefined || !needs.has(organization)) {
			steps.push({ ...step, parts: waiting(step, step.parts) });
			continue;
		}
		const gone = new Set(step.remove.map(({ person }) => person.key));
		const [staying, last] = [
			step.parts.filter(({ subject }) => !gone.has(subject)),
			step.parts.filter(({ subject }) => gone.has(subject)),
		];
		if (step.add.length > 0) {
			const request = memberRequest(step.groupId, step.add, [], profile);
			steps.push({ ...step, remove: [], parts: staying, request });
		}
		const same = leaving.get(organization) ?? [];
		leaving.set(organization, same);
		same.push({ ...step, id: leavingOf(step.id), add: [], parts: last });
	}
	for (const chunks of leaving.values()) {
		const together = chunks.flatMap(({ remove }) => remove);
		const parts = chunks.flatMap((step) => waiting(step, step.parts));
		for (let at = 0; at < together.length; at += profile.membersPerRequest) {
			const remove = together.slice(at, at + profile.membersPerRequest);
			const keys = new Set(remove.map(({ person }) => person.key));
			const step = chunks[at / profile.membersPerRequest];
			for (const chunk of chunks) {
				for (const { person } of chunk.remove) {
					if (keys.has(person.key)) moved.set(`${chunk.id}\n${person.key}`, step.id);
				}
			}
			steps.push({
				...step,
				remove,
				parts: parts.filter(({ subject }) => keys.has(subject)),
				request: memberRequest(step.groupId, [], remove, profile),
			});
		}
	}
	const followed = steps.map((step) => ({
		...step,
		parts: step.parts.map((part) => ({
			...part,
			...(part.needs && {
				needs: part.needs.map((need) => ({
					...need,
					step: moved.get(`${leavingOf(need.step)}\n${need.subject}`) ?? need.step,
				})),
			}),
		})),
	}));
	return { ...plan, steps: followed };
}

function leavingOf(stepId: string): string {
	return `${stepId} (leaving)`;
}

/** How many people would lose access; who changes from one role to another does not. */
export function losingPeople({ losses }: ProvisioningPlan): number {
	return new Set(
		losses.filter(({ newRole }) => newRole === undefined).map(({ person }) => person.key),
	).size;
}

/**
 * Marks the plan as blocked where it would take away what must not be taken; never throws.
 * @param withoutAdmin organizations that would have no active admin left
 * @param base undefined where it is not known; it does not matter while `withinNumber`
 */
export function guard(
	plan: ProvisioningPlan,
	withoutAdmin: readonly string[],
	base: LossBase | undefined,
	settings: GuardSettings,
): ProvisioningPlan {
	const blockedBy = [...plan.blockedBy];
	if (withoutAdmin.length > 0 && !settings.allowRemovingLastAdmin) {
		blockedBy.push(
			`${withoutAdmin.join(', ')} would be left without an active admin. Make somebody else admin first, or allow it with Allow Removing Last Admin.`,
		);
	}
	const losing = losingPeople(plan);
	const exceeded = exceededLimit(losing, base, settings);
	if (exceeded !== undefined) {
		blockedBy.push(
			`${losing} people would lose access, more than ${exceeded}. Check the source, or raise the limit under Options.`,
		);
	}
	return { ...plan, blockedBy };
}

/** Whether so many may lose access whatever share of all they are, so that nobody has to be counted. */
export function withinNumber(
	losing: number,
	{ maxUsersLosingAccess, maxPercentLosingAccess }: LossLimits,
): boolean {
	return losing <= maxUsersLosingAccess || maxPercentLosingAccess >= WHOLE;
}

/** The limit that so many people who lose access are beyond, in words; undefined when they are not. */
export function exceededLimit(
	losing: number,
	base: LossBase | undefined,
	limits: LossLimits,
): string | undefined {
	const { maxUsersLosingAccess: people, maxPercentLosingAccess: percent } = limits;
	if (withinNumber(losing, limits)) return undefined;
	if (base === undefined) {
		return `the limit of ${people} people (Max Percent Losing Access does not count, since it is not known how many have access)`;
	}
	const limit = Math.max(people, Math.floor((base.people * percent) / WHOLE));
	return losing > limit
		? `the limit of ${limit} (the greater of ${people} people and ${percent} % of the ${base.people} ${base.are})`
		: undefined;
}
