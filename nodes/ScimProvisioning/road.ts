import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt, InputError } from '../shared/util';
import {
	type Applied,
	applySteps,
	isFailure,
	type OtherOutput,
	type Part,
	readSettings,
	type Settings,
	stoppedByCancel,
	travel,
} from '../shared/run';
import {
	type Access,
	adminQuestions,
	type Alarm,
	type AppliedPart,
	connect,
	Directory,
	guard,
	type GuardSettings,
	type Learned,
	leaver,
	losingPeople,
	type LossBase,
	lossesOf,
	meetExistingUsers,
	type Member,
	newAdminsFirst,
	performStep,
	protection,
	protectsBy,
	type ProtectsBy,
	type ProvisioningPlan,
	type ProvisioningResult,
	type ProvisioningStep,
	putBackReplaced,
	type ScimConnection,
	verify,
	watchBystanders,
	withinNumber,
} from '../shared/access';
import type { GroupIds } from '../shared/scim';
import { readGuards } from './fields/guards';

/** What an operation may use to read and plan. */
export interface Surroundings extends ScimConnection {
	context: IExecuteFunctions;
	settings: Settings;
	guards: GuardSettings;
	directory: Directory;
	/** Whether only the plan is wanted. */
	previews: boolean;
	isProtected(person: Member): boolean;
	/** What has to be known of a person before `isProtected` can tell. */
	protectsBy: ProtectsBy;
	/** A group as people call it: "member in Marketing", or "group X". */
	label(groupId: string): string;
}

/** A plan, and who had what when it was made; without that only people are guarded, not organizations. */
export interface Planned {
	plan: ProvisioningPlan;
	access?: Access;
	/** Those against whom losses count; all who have access, unless the change is about others. */
	among?: LossBase;
	/** What the preview says beside the plan, which guards may have blocked meanwhile. */
	extras?(plan: ProvisioningPlan): IDataObject;
}

/** How one operation that writes goes the road. `W` is what one item wants. */
export interface Change<W extends { item: number }> {
	/** Whether groups have to stand for organizations and roles. */
	needsOrganizations?: boolean;
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number, surroundings: Surroundings): W[];
	/**
	 * Reads what is needed and decides.
	 * @param refused items that cannot be used, and why
	 */
	plan(
		wanted: W[],
		surroundings: Surroundings,
		refused: ReadonlyMap<number, unknown>,
	): Promise<Planned>;
	/** A second plan for what only the service's answers brought to light. */
	followUp?(applied: readonly AppliedPart[], surroundings: Surroundings): Promise<ProvisioningPlan>;
	/** A last look at everything together, e.g. the proof that nothing is left. */
	conclude?(applied: AppliedPart[], surroundings: Surroundings): Promise<AppliedPart[]>;
	/** The output of one item. */
	output(parts: readonly AppliedPart[], surroundings: Surroundings): IDataObject;
	/** Output beside that of the items, one entry per person whom no item names. */
	others?(
		parts: readonly AppliedPart[],
		surroundings: Surroundings,
	): Array<OtherOutput<AppliedPart>>;
}

/** Takes a change of people, groups or access down the road that every write goes. @throws as `travel` does */
export async function runChange<W extends { item: number }>(
	context: IExecuteFunctions,
	change: Change<W>,
): Promise<INodeExecutionData[]> {
	return await travel<W, Surroundings, Planned & { plan: ProvisioningPlan }, AppliedPart>(context, {
		...change,
		surroundings: async () => await surroundingsOf(context, change.needsOrganizations),
		async decide(wanted, surroundings, refused) {
			const made = await change.plan(wanted, surroundings, refused);
			return { ...made, plan: await guarded(made, surroundings) };
		},
		extras: ({ plan, extras }, surroundings) => ({
			...extras?.(plan),
			losses: lossItems(plan, surroundings),
		}),
		carryOut: async (decided, surroundings) => await carryOut(decided, change, surroundings),
	});
}

/** @throws InputError when the options or the credential cannot be used */
export async function surroundingsOf(
	context: IExecuteFunctions,
	needsOrganizations = false,
): Promise<Surroundings> {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const settings = readSettings(options);
	const connection = await connect(context, settings);
	if (needsOrganizations) connection.ids.requirePattern();
	const directory = new Directory(
		connection.client,
		connection.ids,
		settings.pageSize,
		settings.concurrency,
	);
	const guards = readGuards(options, connection.client.profile);
	return {
		...connection,
		context,
		settings,
		guards,
		directory,
		previews:
			context.getNodeParameter('preview', 0, false) === true ||
			context.getNodeParameter('mode', 0, 'apply') === 'preview',
		isProtected: protection(guards.protectedUsers),
		protectsBy: protectsBy(guards.protectedUsers),
		label(groupId) {
			const parsed = connection.ids.parse(groupId);
			if (parsed === undefined) return `member of group ${groupId}`;
			return `${parsed.role} in ${connection.organizations.nameOf(parsed.organization)}`;
		},
	};
}

/**
 * The plan with the reasons of the guards. Who has what is read for it only when somebody would lose all access where
 * there are admins, or when more would lose access than the number allows; whether remaining admins are active only when
 * an admin would go.
 */
async function guarded(planned: Planned, surroundings: Surroundings): Promise<ProvisioningPlan> {
	const { guards, directory, ids, organizations, client } = surroundings;
	const leavers = planned.plan.steps.flatMap((step) => leaver(step) ?? []);
	const hasOrganizations = ids.standsFor !== 'nothing';
	const access =
		planned.access ??
		(leavers.length > 0 && hasOrganizations ? await directory.access() : undefined);
	const plan: ProvisioningPlan = {
		...planned.plan,
		losses: [...planned.plan.losses, ...lossesOf(leavers, access, ids)],
	};
	const base = withinNumber(losingPeople(plan), guards)
		? undefined
		: (planned.among ?? (await allWithAccess(access, directory)));
	const withoutAdmin: string[] = [];
	const newAdmins = new Map<string, Member>();
	if (access !== undefined && !guards.allowRemovingLastAdmin) {
		const activated = new Set(
			plan.steps.flatMap((step) =>
				step.kind === 'setActive' && step.active ? [step.person.id] : [],
			),
		);
		for (const { organization, staying, coming } of adminQuestions(plan, access, ids)) {
			if (staying.some((id) => activated.has(id)) || (await directory.anyActive(staying))) continue;
			const newAdmin = await firstActive(coming, activated, directory);
			if (newAdmin === undefined) withoutAdmin.push(organizations.nameOf(organization));
			else newAdmins.set(organization, newAdmin);
		}
	}
	const ordered = newAdminsFirst(plan, newAdmins, ids, client.profile);
	return guard(ordered, withoutAdmin, base, guards);
}

/** Undefined where it cannot be known who has access. */
async function allWithAccess(
	access: Access | undefined,
	directory: Directory,
): Promise<LossBase | undefined> {
	const read = await attempt(async () => access ?? (await directory.access()));
	if (!read.ok || !read.value.showsMembers) return undefined;
	return { people: read.value.held.size, are: 'people with access' };
}

/** Somebody who is active by the time of becoming admin: created or activated in the same plan, or active already. */
async function firstActive(
	people: readonly Member[],
	activated: ReadonlySet<string>,
	directory: Directory,
): Promise<Member | undefined> {
	const back = people.find(({ id = '' }) => activated.has(id));
	if (back !== undefined) return back;
	const newcomers = people.filter(({ id }) => id === undefined);
	if (people.length === 1 && newcomers.length === 1) return newcomers[0];
	for (const person of people) {
		if (person.id !== undefined && (await directory.anyActive([person.id]))) return person;
	}
	// The create of one who is there already, but inactive, ends without an admin; of several it is worth a look.
	for (const person of newcomers) {
		const { userName = '' } = person;
		const found = (await directory.findUsersToCreate([userName])).get(userName);
		if (found?.kind === 'absent' || (found?.kind === 'found' && found.user.active !== false))
			return person;
	}
	return newcomers[0];
}

/** Who would lose what: the part of a plan that whoever approves it has to see. */
function lossItems({ losses }: ProvisioningPlan, { organizations }: Surroundings): IDataObject[] {
	return losses.map(({ person, organization, role, newRole }) => ({
		...(person.id !== undefined && { id: person.id }),
		...(person.userName !== undefined && { userName: person.userName }),
		...(organization !== undefined && {
			organization,
			organizationName: organizations.nameOf(organization),
			role,
		}),
		...(newRole !== undefined && { newRole }),
	}));
}

async function carryOut<W extends { item: number }>(
	{ plan, access }: { plan: ProvisioningPlan; access?: Access },
	change: Change<W>,
	surroundings: Surroundings,
): Promise<AppliedPart[]> {
	const applied = await apply(plan, access, surroundings);
	const next = await change.followUp?.(applied, surroundings);
	if (next === undefined) return (await change.conclude?.(applied, surroundings)) ?? applied;
	// Limits hold for the run, not for each of its plans.
	const together = { ...next, losses: [...plan.losses, ...next.losses] };
	const checked = await attempt(async () => await guarded({ plan: together }, surroundings));
	const allowed = checked.ok ? checked.value : { ...next, blockedBy: [wordsOf(checked.error)] };
	const followed =
		allowed.blockedBy.length > 0 ? refuseAll(allowed) : await apply(allowed, access, surroundings);
	const key = ({ item, subject }: Applied<unknown>) => `${item}\n${subject}`;
	const better = new Map(followed.map((part) => [key(part), part]));
	return applied.map((part) => better.get(key(part)) ?? part);
}

/** Every part of a plan that guards have blocked. */
function refuseAll({ settled, steps, blockedBy }: ProvisioningPlan): AppliedPart[] {
	const refused = steps.flatMap(({ parts, action }) =>
		parts.map((part): AppliedPart => {
			return { ...part, outcome: { status: 'failed', action, reason: blockedBy.join(' ') } };
		}),
	);
	return [...settled, ...refused];
}

async function apply(
	plan: ProvisioningPlan,
	access: Access | undefined,
	{ client: unwatched, directory, ids, settings }: Surroundings,
): Promise<AppliedPart[]> {
	const identities = new Map<string, string>();
	const learned: Learned = { refusedDomains: new Map(), added: new Map(), looked: new Map() };
	const { concurrency } = settings;
	const { client, alarms } = watchBystanders(unwatched, plan.steps, access, ids);
	const stopped = () => alarms()[0]?.reason ?? stoppedByCancel(client.patience.cancelled);
	const sent = await applySteps<ProvisioningStep, ProvisioningResult>(
		plan.steps,
		concurrency,
		stopped,
		async (step) => await performStep(step, client, directory, identities, learned),
		async (applied) => {
			const met = await meetExistingUsers(
				applied,
				client,
				directory,
				identities,
				concurrency,
				stopped,
			);
			return await verify(met, client, directory, ids, concurrency);
		},
	);
	const judged = alarmed(sent, plan, alarms(), ids);
	return [...plan.settled, ...(await putBackReplaced(judged, plan.steps, unwatched))];
}

/** After an alarm nothing that was done to that group counts as a success. */
function alarmed(
	parts: AppliedPart[],
	{ steps }: ProvisioningPlan,
	alarms: readonly Alarm[],
	ids: GroupIds,
): AppliedPart[] {
	const key = ({ item, subject }: Part) => `${item}\n${subject}`;
	return alarms.reduce((judged, { groupId, reason }) => {
		const own = new Set(
			steps.flatMap((step) =>
				'groupId' in step && ids.key(step.groupId) === ids.key(groupId) ? step.parts.map(key) : [],
			),
		);
		const error = new InputError(reason, 'Look at the members of the group at the service.');
		return judged.map((part): AppliedPart =>
			own.has(key(part)) && !isFailure(part.outcome)
				? { ...part, outcome: { ...part.outcome, status: 'unverified', reason, error } }
				: part,
		);
	}, parts);
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
