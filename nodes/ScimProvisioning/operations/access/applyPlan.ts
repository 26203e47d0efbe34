import type { IExecuteFunctions, INodeParameters, INodeProperties } from 'n8n-workflow';

import {
	AbsentError,
	accountIn,
	ALL_GROUPS,
	matchGroups,
	type Access,
	type GroupSelection,
} from '../../../shared/access/facts';
import {
	approvedBy,
	checkPlan,
	checkSeal,
	declined,
	isReview,
	leftOut,
	notByItsForm,
	openChanges,
	placeOfPlan,
	planIdOf,
	readAnswer,
	readPlan,
	requireAnswer,
	stricterGuards,
	type Answer,
	type Approved,
	type Plan,
	type PlanGuards,
	type PlanTraits,
	type PlannedChange,
} from '../../../shared/access/plans';
import {
	endingOf,
	isGain,
	isValue,
	kindOf,
	lost,
	type Person,
	type Settled,
} from '../../../shared/access/changes';
import {
	protection,
	protectsBy,
	RISK_KINDS,
	RISKS,
	sourceOf,
	type RiskKind,
	newKeyOf,
	newNameOf,
	type PresentPerson,
} from '../../../shared/access/guards';
import { proveGone } from '../../../shared/access/send';
import { optionNumber, optionsField, previewField } from '../../../shared/run';
import { hasStatus } from '../../../shared/http';
import { compareUser, compareWholeLists, type User } from '../../../shared/scim';
import {
	matchingOf,
	allowPermanentRemoval,
	maxCreates,
	safetyLimitsField,
} from '../../fields/options';
import {
	type Attempt,
	attemptSync,
	InputError,
	nameKey,
	shown,
	textList,
} from '../../../shared/util';
import { accessItems, leaverItems } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { planGuards } from '../../fields/accessPreview';
import { readKeptGroups, withProtectedMembers } from '../../fields/groupRows';
import { type ItemForm, returnOption } from '../../fields/item';
import { undoOption } from '../../fields/undo';
import type { Lookup } from '../../fields/person';
import { readState, type State } from '../../fields/state';
import type { OperationContext } from '../../context';
import type { Basis, Planned } from '../../../shared/access/write';
import { scimWrite, type ScimOperation } from '../../runWrite';

const HOUR = 3_600_000;
const DEFAULT_MAX_AGE = 24;
const APPROVED_CHANGES = 'Approved Changes';
const APPROVED_EXCESS = 'Allow More Than the Limit For';
const INPUT_ITEM = 'The input item';

const maxAge: INodeProperties = {
	displayName: 'Max Age (Hours)',
	name: 'maxAge',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 0 },
	default: 24,
	description:
		'Older plans are refused. If you raise it, set the other limits here as in the preview, too.',
};

/** The default of Plan. */
const OF_INPUT = '={{ $json }}';

interface ApprovedPlan {
	item: number;
	plan: Plan;
	traits: PlanTraits;
	guards: PlanGuards;
	approval: Omit<NonNullable<Basis['approved']>, 'guards'>;
	leftOut: ReadonlyMap<string, string>;
}

/** A plan that was answered with No. */
interface DeclinedPlan {
	item: number;
	plan: Plan;
	traits: PlanTraits;
	isDeclined: true;
}

/**
 * Applies a plan that Preview of any access operation returned, after an approval.
 * @param known how the plans of every operation are applied
 */
export function applyPlan(known: readonly PlanTraits[]): ScimOperation {
	return scimWrite<ApprovedPlan | DeclinedPlan>({
		name: 'Apply Plan',
		action: 'Apply access plan or undo a run',
		description: 'Apply a previewed plan after approval, with all its grants and removals',
		fields: [
			{
				displayName: 'Plan',
				name: 'plan',
				type: 'json',
				default: OF_INPUT,
				required: true,
				description:
					'The item of a Preview, or of a run to undo. Behind an approval it is found by itself.',
			},
			{
				displayName: 'Changes',
				name: 'changes',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'All, Without an Approval',
						value: 'all',
						description: 'All changes of the plan, also if nobody answered in time',
					},
					{
						name: 'Only What Was Approved',
						value: 'approved',
						description: 'What an answer approves: all of the plan, or the lines that are ticked',
					},
				],
				default: 'approved',
				description: 'Which changes of the plan to make. An answer that declines always counts.',
			},
			{
				displayName: APPROVED_CHANGES,
				name: 'approvedChanges',
				type: 'json',
				default: '={{ $json }}',
				required: true,
				displayOptions: { show: { changes: ['approved'] } },
				description:
					'The answer of a button, of the approvalForm, or of a form with "Approve these changes?"',
				hint: 'Use {{ $json }} right behind the node that asks. What is not ticked is skipped.',
			},
			{
				displayName: APPROVED_EXCESS,
				name: 'approvedExcess',
				type: 'multiOptions',
				options: RISK_KINDS.map((value) => ({
					...{ name: RISKS[value].name, value },
					description: `People who ${RISKS[value].words}`,
				})),
				default: [],
				displayOptions: { show: { changes: ['all'] } },
				description:
					'Kinds of change that may exceed the safety limits, by as many people as the plan says',
			},
			previewField,
			{
				...safetyLimitsField(allowPermanentRemoval, maxAge, maxCreates),
				description:
					'Once added, each limit counts if it is stricter than in the plan, even at its default.',
			},
			optionsField([returnOption, undoOption]),
		],
		items(context) {
			const plan = attemptSync(() => planIn(context, 0));
			const isDeletion = plan?.settings.method === 'delete';
			const form = plan && isOfLeavers(plan) ? leaverItems(isDeletion) : accessItems();
			return plan ? withPlanId(form, planIdOf(plan)) : form;
		},
		collect: (item, operation) => [readItem(item, known, operation)],
		async plan(wanted, operation, refused) {
			// Two plans could contradict each other, and each was approved by itself.
			if (wanted.length + refused.size > 1) throw severalPlans();
			const [one] = wanted;
			if (one === undefined) throw refused.get(0);
			if ('isDeclined' in one) return declinedPlan(one);
			const planned = await planApproved(one, operation);
			const { plan } = one;
			const { access } = planned.basis ?? {};
			if (!isOfLeavers(plan) || access === undefined) return planned;
			const { keepMembershipsIn } = plan.settings;
			const entries = isTextList(keepMembershipsIn) ? keepMembershipsIn : [];
			const kept = await readKeptGroups(entries, access, operation);
			return {
				...planned,
				async conclude(applied, made) {
					// That nothing is left is proved only where all of a person was approved.
					const partly = new Set(
						applied.flatMap((part) => (one.leftOut.has(part.change ?? '') ? part.subject : [])),
					);
					const whole = applied.filter(({ subject }) => !partly.has(subject));
					return [
						...applied.filter(({ subject }) => partly.has(subject)),
						...(await proveGone(whole, made, operation, kept.includes)),
					];
				},
			};
		},
	});
}

/**
 * Reads the field Plan. Behind an approval its default names an answer. The plan is then that of the preview before: of the one
 * node of this kind before that does not only read, which has run once. Anything else may be a plan that nobody was asked about.
 * @throws InputError for anything but a plan, and where there is more than one node that could be meant
 */
function planIn(context: IExecuteFunctions, item: number): Plan {
	const given = context.getNodeParameter('plan', item);
	const { name, parameters, type } = context.getNode();
	if (parameters.plan !== OF_INPUT || placeOfPlan(given) !== undefined) return readPlan(given);
	const before = context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter((node) => node.type === type && !node.disabled && !isRead(node.parameters))
		.map((node) => node.name);
	const { $, $items } = context.getWorkflowDataProxy(item) as unknown as DataOfNodes;
	const firstOf = (node: string) => attemptSync(() => $(node).first().json);
	// A node that failed has run, too; one with pinned data has not, and has an item.
	const hasRun = before.filter((node) => $(node).isExecuted || firstOf(node) !== undefined);
	const [one, ...others] = hasRun;
	if (one === undefined) return readPlan(given);
	// It throws for a node that has not run as often.
	const isRepeated = attemptSync(() => $items(one, 0, 1)) !== undefined;
	if (others.length > 0 || isRepeated) throw severalBefore(hasRun);
	const found = firstOf(one);
	return readPlan(placeOfPlan(found) === 'plan' ? found : given);
}

/** Tells whether an operation only reads, so that its node has no plan. */
function isRead(parameters: INodeParameters = {}): boolean {
	return /^get/.test(String(parameters.operation));
}

/** As much of n8n's data proxy as is read here. */
interface DataOfNodes {
	$: (node: string) => { isExecuted: boolean; first: () => { json: unknown } };
	$items: (node: string, output: number, run: number) => unknown;
}

/** Makes items that name the plan that was applied. */
function withPlanId({ blank, output }: ItemForm, planId: string): ItemForm {
	return {
		blank: (operation) => ({ ...blank(operation), planId: null }),
		output: (...given) =>
			output(...given).map(({ json, parts }) => ({ parts, json: { ...json, planId } })),
	};
}

/** Whether it ends accounts, and is proved and shown as Offboard does. */
function isOfLeavers({ settings }: Plan): boolean {
	return settings.method !== undefined;
}

/**
 * A plan with what is approved of it, whatever Changes says: a No counts wherever it stands.
 * @throws InputError for anything but a plan for this service; and, unless it was declined, for one that is too old or blocked,
 * and without a clear answer
 */
function readItem(
	item: number,
	known: readonly PlanTraits[],
	operation: OperationContext,
): ApprovedPlan | DeclinedPlan {
	const { context } = operation;
	const plan = planIn(context, item);
	const traits = known.find((one) => one.operation === plan.operation);
	if (traits === undefined) throw unknownOperation(plan);
	const { limits } = operation;
	const use = {
		service: operation.baseUrl,
		account: operation.accountOrganization,
		secret: operation.secret(),
		now: Date.now(),
		maxAgeMs:
			optionNumber('Max Age', limits.maxAge ?? plan.settings.maxAge ?? DEFAULT_MAX_AGE, 0) * HOUR,
	};
	const asks = context.getNodeParameter('changes', item, 'approved') !== 'all';
	const answers = readAnswers(item, asks, context);
	if (answers.some(({ says }) => says === 'no')) {
		checkSeal(plan, use);
		return { item, plan, traits, isDeclined: true };
	}
	checkPlan(plan, use);
	const own = planGuards(operation.guards);
	const set = Object.entries(own).filter(([name]) => limits[name] !== undefined);
	const guards = stricterGuards(plan.guards, Object.fromEntries(set));
	const approved = approvedIn(plan, answers, asks, operation);
	// Where somebody was asked, the answer alone approves.
	const excess = approved ? approved.excess : context.getNodeParameter('approvedExcess', item, []);
	const kinds = new Set(readKinds(excess));
	const out = approved
		? leftOut(plan.changes, approved.changes, operation.client.profile, isReview(plan))
		: new Map<string, string>();
	for (const change of plan.changes) {
		if (!out.has(change.key)) operation.requireUndoable(endingOf(change), guards);
	}
	return {
		...{ item, plan, traits, guards, approval: { excess: plan.excess, kinds } },
		leftOut: out,
	};
}

/** What the item that came in says, and what Approved Changes does; a No needs no more. */
function readAnswers(item: number, asks: boolean, context: IExecuteFunctions): Answer[] {
	const came = readAnswer(context.getInputData()[item].json, INPUT_ITEM);
	if (!asks || came.says === 'no') return [came];
	return [came, readAnswer(context.getNodeParameter('approvedChanges', item), APPROVED_CHANGES)];
}

/** What is approved; undefined where all is, and nobody answered. @throws InputError for no answer, or an unclear one */
function approvedIn(
	plan: Plan,
	[came, given]: readonly Answer[],
	asks: boolean,
	{ organizations }: OperationContext,
): Approved | undefined {
	if (came.unclear !== undefined) throw came.unclear;
	const answer = asks ? given : came;
	const name = asks ? APPROVED_CHANGES : INPUT_ITEM;
	if (asks) requireAnswer(answer, name);
	else if (isReview(plan)) throw notByItsForm();
	else if (answer.says === 'nothing') return undefined;
	return approvedBy(answer, name, plan, organizations.nameOf);
}

/** Nothing is read, and nothing is sent. */
function declinedPlan({ plan, item, traits }: DeclinedPlan): Planned {
	const { changes, time, guards, settings } = plan;
	return {
		...{ changes: [], withheld: changes },
		settled: changes.length > 0 ? declined(plan, item) : [nothingPlanned(item)],
		seal: { ...traits, made: { time, guards, settings } },
	};
}

/** By name, too, as a form offers them. @throws InputError for anything but kinds of change */
function readKinds(value: unknown): RiskKind[] {
	return textList(value, APPROVED_EXCESS).map((entry) => {
		const found = RISK_KINDS.find((kind) => [kind, RISKS[kind].name].includes(entry));
		if (found !== undefined) return found;
		throw new InputError(
			`${APPROVED_EXCESS} has ${shown(entry)}, which is no kind of change`,
			`Enter one of ${RISK_KINDS.map((kind) => RISKS[kind].name).join(', ')}. Nothing was sent.`,
		);
	});
}

async function planApproved(approved: ApprovedPlan, unguarded: OperationContext): Promise<Planned> {
	const { item, plan, traits, approval } = approved;
	const guards = await withProtectedMembers(approved.guards, unguarded);
	const { protectedUsers } = guards;
	const operation: OperationContext = {
		...unguarded,
		guards,
		isProtected: protection(protectedUsers, (id) => unguarded.client.facts.lastRead(id)),
		protectsBy: protectsBy(protectedUsers),
	};
	const { settings } = plan;
	const { refusesExisting = false, comparesUsers = false } = traits;
	const adopts = !refusesExisting;
	const referenceOf = referencesOf(plan);
	const state = await readFor(plan, referenceOf, adopts, operation);
	const { access } = state;
	const users = await usersToCompare(plan, referenceOf, state, operation);
	const ignored = new Set(plan.ignored);
	const left = openChanges(plan, item, {
		...rulesFor(access, operation, {
			reactivate: settings.reactivate === true,
			ifExists: adopts ? 'adopt' : 'fail',
		}),
		present: (who) => presentIn(state, users, referenceOf(who), operation),
		holderOf: (key) => presentIn(state, users, { by: 'externalId', key }, operation),
		matchBy: matchingOf(settings.matchUsersBy).by,
		takesEqual: comparesUsers,
		compare: comparesUsers ? compareWholeLists : compareUser,
		counts: countedGroups(plan, access, operation),
		leftOut: approved.leftOut,
	});
	const { changes, withheld, settled, people } = left;
	return {
		...{ changes, withheld },
		basis: {
			...{ access, ignored, approved: { guards, ...approval } },
			// As many as when it was planned.
			...(guards.among && { among: guards.among }),
			...(plan.people && { people }),
		},
		settled: changes.length + settled.length > 0 ? settled : [nothingPlanned(item)],
		seal: { ...traits, made: { time: plan.time, guards, settings } },
	};
}

/** Reads all users and groups of a plan. */
async function readFor(
	{ changes, people = [], settings }: Plan,
	referenceOf: ReturnType<typeof referencesOf>,
	adopts: boolean,
	operation: OperationContext,
): Promise<State> {
	const held = changes.flatMap((change) =>
		change.about === 'entitlement' ? [...change.before, ...change.after] : [],
	);
	const groupIds = new Set(held.flatMap((one) => (isValue(one) ? [] : one.groupId)));
	const newNames = changes.flatMap(newNameOf);
	const { by } = matchingOf(settings.matchUsersBy);
	const newKeys = changes.flatMap((change) => newKeyOf(change, by));
	const restsOnAll = changes.some(({ restsOn }) => restsOn.some(({ on }) => on === 'access'));
	return await readState(
		{
			people: [
				...changes.map(({ person }) => referenceOf(person)),
				...people.map(({ id, userName }) =>
					referenceOf({ id: id ?? undefined, userName: userName ?? undefined }),
				),
				...newNames.map((userName) => ({ by: 'userName' as const, userName })),
				...newKeys.map((key) => ({ by: 'externalId' as const, key })),
			],
			groups: [...groupIds].map((id) => ({ by: 'id', id })),
			everything: people.length > 0 || restsOnAll,
			removes: changes.some((change) => change.about === 'entitlement' && lost(change).length > 0),
			readsUsers: people.length > 0 || changes.some(isOfUser),
			countsAsGone: true,
			creates: adopts ? 'asksLater' : 'looksFirst',
			isPlanned: true,
		},
		operation,
	);
}

/** Whether the user has to be read: it is about the account or a value, or gives what inactive users do not get. */
function isOfUser(change: PlannedChange): boolean {
	if (change.about === 'account') return true;
	return isGain(change) || [...change.before, ...change.after].some(isValue);
}

/** How people of a plan are found now: a user to be created by what the plan matches people by. */
function referencesOf({ changes, settings }: Plan): (who: Omit<Person, 'key'>) => Lookup {
	const { by, keyOf } = matchingOf(settings.matchUsersBy);
	const keys = new Map<string, string>();
	for (const change of changes) {
		const { userName } = change.person;
		if (change.about !== 'account' || change.before !== 'absent' || userName === undefined)
			continue;
		keys.set(userName, keyOf({ userName, attributes: change.attributes ?? {} }));
	}
	return ({ id, userName = '' }) => {
		if (id !== undefined) return { by: 'id', id };
		const key = keys.get(userName) ?? '';
		return by === 'userName' || key === ''
			? { by: 'userName', userName }
			: { by, key, newName: userName };
	};
}

/**
 * Users who were inactive, or are to be activated, and are in a group: elsewhere a membership says that a user is active, here
 * it does not. And users whose attributes change, who are known to the plan by email or external ID, or whose access is copied.
 */
async function usersToCompare(
	{ changes }: Plan,
	referenceOf: ReturnType<typeof referencesOf>,
	state: State,
	{ reader }: OperationContext,
): Promise<ReadonlyMap<string, Attempt<User>>> {
	const ids = changes.flatMap((change) => {
		const isOfAccount =
			change.about === 'account' &&
			(change.before === 'inactive' ||
				change.attributes !== undefined ||
				kindOf(change) === 'activated');
		const found = state.person(referenceOf(change.person));
		if (!found.ok || found.value.user !== undefined) return [];
		// Of whom a group shows the ID alone, or a login that is not the user name, only the user tells who it is now.
		const [was, is] = [change.person.userName, found.value.userName];
		const isOpen = was !== undefined && (is === undefined || nameKey(is) !== nameKey(was));
		const isAsked = isOfAccount || change.restsOn.some(({ on }) => on === 'identity');
		return isAsked || isOpen ? [found.value.id] : [];
	});
	const sources = changes.flatMap((change) => sourceOf(change)?.id ?? []);
	return await reader.people.read([...new Set([...ids, ...sources])]);
}

/** The groups that the changes are about where they are about all that people have. */
function countedGroups(
	{ settings: { managedGroups }, ignored = [] }: Plan,
	access: Access,
	{ ids }: OperationContext,
): GroupSelection['includes'] {
	// A group that is named otherwise now is found out where it is changed.
	const { includes } = isTextList(managedGroups)
		? matchGroups(managedGroups, access.groups.values(), ids.key)
		: ALL_GROUPS;
	const left = new Set(ignored);
	return (groupId) => includes(groupId) && !left.has(ids.key(groupId));
}

function presentIn(
	state: State,
	users: ReadonlyMap<string, Attempt<User>>,
	reference: Lookup,
	{ client }: OperationContext,
): PresentPerson {
	if (state.newName(reference) !== undefined) return { kind: 'absent' };
	const found = state.person(reference);
	if (!found.ok) {
		const { error } = found;
		return error instanceof AbsentError ? { kind: 'absent' } : { kind: 'unknown', error };
	}
	const { user: seen, ...person } = found.value;
	const read = users.get(person.id) ?? accountIn(client.facts, person.id);
	const isHidden = seen === undefined && read?.ok === false && !hasStatus(read.error, 404);
	if (isHidden && !(read.error instanceof AbsentError))
		return { kind: 'unknown', error: read.error };
	const user = seen ?? (read?.ok === true ? read.value : undefined);
	return { kind: 'found', person, ...(user && { user }) };
}

function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function nothingPlanned(item: number): Settled {
	const outcome = { status: 'unchanged' as const, action: 'apply the plan' };
	return {
		...{ item, subject: 'plan' },
		outcome: { ...outcome, reason: 'the plan has no changes' },
	};
}

/** @param nodes whose names are cut nowhere, as they stand in an expression */
function severalBefore(nodes: readonly string[]): InputError {
	const of = nodes.map((node) => `$(${JSON.stringify(node)})`).join(' or ');
	return new InputError(
		'The plan may be of more than one node or run before',
		`In Plan enter the one that was approved, {{ $('Name of the node').first().json.plan }}, or .undo to take a run back. What may be meant: ${of}. Nothing was sent.`,
	);
}

function severalPlans(): InputError {
	return new InputError(
		'More than one plan came in',
		'Apply one plan at a time: send one item to the node.',
	);
}

function unknownOperation({ operation }: Plan): InputError {
	return new InputError(
		`The plan is of operation ${shown(operation)}, which this version does not have`,
		'Make a new plan, and apply it with the same version of the node.',
	);
}
