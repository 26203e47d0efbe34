import { type Attempt, attempt } from '../../shared/util';
import { carryOut, type LoopWorld, type Verdict } from '../../shared/run';
import { hasStatus, RequestError } from '../../shared/http';
import {
	configurationSaver,
	editFor,
	isMissingRoute,
	judgeSaved,
	type SaveResult,
	type Snapshot,
	unverified,
} from '../configurations';
import {
	type Action,
	type MonitorReference,
	showsPayload,
	type ActionWrite,
	type AlertingClient,
} from './action';
import {
	type ActionChange,
	type AlertingPart,
	type AlertingPlan,
	type AlertingResult,
	type Change,
	type Entry,
	scheduleOf,
	inUse,
	notOffered,
} from './planActions';

const NOT_LISTED = 'the list of actions does not show it';

/** What a plan is carried out with. */
export interface Means {
	client: AlertingClient;
	/** The configuration of a model that the plan was made from. */
	snapshotOf(model: string): Promise<Snapshot>;
	/** The monitors that use an action, read again; undefined when that cannot be found out. */
	usageOf(actionId: string): Promise<readonly MonitorReference[] | undefined>;
}

/**
 * Carries out a plan: configurations are saved by reading, editing, writing and looking, each by itself; what was done to
 * actions is looked for in one list.
 * @returns what the plan leaves as it is, then a part for each item of each change; never throws for one of them
 */
export async function carryOutPlan(
	{ changes, settled }: Pick<AlertingPlan, 'changes' | 'settled'>,
	means: Means,
): Promise<AlertingPart[]> {
	const { rounds, order } = scheduleOf(changes);
	const verdicts = await carryOut<Change, Entry, AlertingResult>(rounds, order, worldOf(means));
	const entries = rounds.flat().flatMap((request) => request.entries);
	const parts = entries.flatMap((entry) => {
		const { change, target } = entry;
		const verdict = verdicts.get(entry);
		if (verdict === undefined) return [];
		const { outcome, result } = verdict;
		// What a plan says of a document is known by then.
		const planned = change.about === 'document' ? [] : change.warnings;
		const warnings = [...planned, ...(outcome.warnings ?? [])];
		return change.items.map((item): AlertingPart => ({
			...{ item, subject: change.subject, change: change.key, step: target },
			outcome: { ...outcome, ...(warnings.length > 0 && { warnings }) },
			...(result !== undefined && { result }),
		}));
	});
	return [...settled, ...parts];
}

function worldOf(means: Means): LoopWorld<Entry, AlertingResult> {
	const { client, snapshotOf, usageOf } = means;
	const save = configurationSaver(client);
	const saves = new Map<Change, SaveResult>();
	/** What the service answered to a write of an action, where a look may tell more. */
	const answers = new Map<ActionChange, Attempt<void>>();
	/** The actions by their IDs, read after the last write of one. */
	let listed: Attempt<ReadonlyMap<string, Action>> | undefined;
	return {
		concurrency: client.concurrency,
		timing: client.timing,
		// One alone shows first what the service does with a save: it may drop what a merge does not name.
		together(requests) {
			const ofDocuments = requests.filter(({ entries }) => entries[0].change.about !== 'action');
			const later = new Set(saves.size === 0 ? ofDocuments.slice(1) : []);
			return requests.filter((request) => !later.has(request));
		},
		async send(_request, entries) {
			const [{ change }] = entries;
			if (change.about === 'action') {
				const { write } = change;
				const sent = await attempt(async () => await client.writeAction(write));
				listed = undefined;
				if (!sent.ok && !mayBeShown(sent.error, write)) {
					throw await explain(sent.error, write, usageOf);
				}
				answers.set(change, sent);
				return;
			}
			const own = entries.flatMap((entry) => (entry.change.about === 'action' ? [] : entry.change));
			const read = await snapshotOf(change.model);
			const saved = await save(change.model, read, editFor(own, read.configuration));
			for (const one of own) saves.set(one, saved);
		},
		async look() {
			listed = await attempt(
				async () => new Map((await client.listActions()).map((action) => [action.id, action])),
			);
		},
		verdictOf({ change }) {
			if (change.about === 'action') {
				const answer = answers.get(change);
				return answer && judgeAction(change, answer, listed);
			}
			const saved = saves.get(change);
			return saved && judgeSaved(change, saved);
		},
		tryOtherwise: () => false,
		unseen({ change }) {
			const answer = change.about === 'action' ? answers.get(change) : undefined;
			return {
				outcome: {
					...{ status: 'unverified', action: change.action, reason: NOT_LISTED },
					...(answer?.ok === false && { error: answer.error }),
				},
				...resultOf(listed?.ok ? listed.value.get(change.subject) : undefined),
			};
		},
	};
}

function resultOf(action: Action | undefined): { result?: AlertingResult } {
	return action === undefined ? {} : { result: { action } };
}

/** What is known of a write that was sent. @param listed the actions as they were listed since, if they were */
function judgeAction(
	{ action, write }: ActionChange,
	answer: Attempt<void>,
	listed: Attempt<ReadonlyMap<string, Action>> | undefined,
): Verdict<AlertingResult> | undefined {
	if (write.kind === 'test') {
		// That it was delivered is seen only where it arrives.
		return answer.ok
			? { outcome: { status: 'done', action, reason: 'the service accepted it' } }
			: { outcome: unverified(action, answer.error) };
	}
	if (listed === undefined) return undefined;
	if (!listed.ok) return { outcome: unverified(action, listed.error) };
	const found = listed.value.get(write.id);
	if (shows(write, found)) return { outcome: { status: 'done', action }, ...resultOf(found) };
	if (answer.ok || !lacksRoute(answer.error, write)) return undefined;
	const error = notOffered(action);
	return { outcome: { status: 'failed', action, reason: error.message, error } };
}

function shows(write: ActionWrite, action: Action | undefined): boolean {
	switch (write.kind) {
		case 'put':
			return action?.type === write.type && showsPayload(action.payload, write.payload);
		case 'delete':
			return action === undefined;
		case 'disable':
			return action?.enabled === false;
		case 'enable':
			return action?.enabled === true;
		case 'test':
			return false;
	}
}

/** Whether a look can tell more of a write that was answered with an error. */
function mayBeShown(error: unknown, write: ActionWrite): boolean {
	const mayHaveWorked = error instanceof RequestError && error.facts.mayHaveWorked;
	return mayHaveWorked || (write.kind !== 'test' && lacksRoute(error, write));
}

/** Creating is documented; of the others a 404 may mean that the service does not have them (test/contract/interface.md 2.4). */
function lacksRoute(error: unknown, { kind }: ActionWrite): boolean {
	return kind !== 'put' && isMissingRoute(error) && !isConstraint(error);
}

/** The better reason for a write that was refused, where there is one. */
async function explain(
	error: unknown,
	write: ActionWrite,
	usageOf: Means['usageOf'],
): Promise<unknown> {
	switch (write.kind) {
		case 'put':
			return hasStatus(error, 404, 409) ? refusalOf(error, write) : error;
		case 'delete': {
			if (!isConstraint(error)) return error;
			const usage = await attempt(async () => await usageOf(write.id));
			const named = usage.ok ? (usage.value ?? []) : [];
			return named.length > 0 ? inUse(write.id, named) : error;
		}
		case 'test':
			// The action is in the list, so it is the route that is missing.
			return isMissingRoute(error) ? notOffered('send tests') : error;
		default:
			return error;
	}
}

/** The id of a deleted action is gone permanently (test/contract/interface.md 2.4); that of one that is there is not. */
function refusalOf(
	error: RequestError,
	{ id, isNew, type }: Extract<ActionWrite, { kind: 'put' }>,
): RequestError {
	return isNew
		? new RequestError(
				`The ID ${id} cannot be used: an action with it was deleted before`,
				`The service never accepts the ID of a deleted action again. Choose another one. If none was deleted, the service does not know the kind ${type}.`,
				error.facts,
			)
		: new RequestError(
				error.message,
				`The service does not know the kind ${type}, or someone has deleted the action just now; its ID can then never be used again.`,
				error.facts,
			);
}

function isConstraint(error: unknown): error is RequestError {
	return error instanceof RequestError && error.facts.errorType === 'ResourceConstraint';
}
