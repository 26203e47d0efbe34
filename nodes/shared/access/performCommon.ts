import { attempt, type Attempt, type Moment } from '../util';
import type { Failure, Missing, Outcome, Part } from '../run';
import { RequestError } from '../http';
import type { Group, ScimClient, User } from '../scim';
import { overwriteWarnings } from './planUsers';
import type { Member } from './change';
import type { AppliedPart, Open, ProvisioningResult, ProvisioningStep } from './step';

export type StepOf<K extends ProvisioningStep['kind']> = Extract<ProvisioningStep, { kind: K }>;

/** Ids of people whom this execution has created or adopted, by the key that plans give them. */
export type Identities = Map<string, string>;

/** What the answers of this execution have shown of organizations, by organization. */
export interface Learned {
	/** Email domains that it has refused. */
	refusedDomains: Map<string, Set<string>>;
	/** Ids of whoever was added: reads may be older than that. */
	added: Map<string, Set<string>>;
	/** A user name that the service has changed when it created the user, so that nobody finds the user by it. */
	changedName?: { sent: string; shown: string };
	/** Creates go one after the other until one of them has kept its user name. */
	names: Turns & { kept: boolean };
	/** Groups as they were looked at before a late change, by id: many requests on one group share a look. */
	looked: Map<string, { group: Group; readAt: Moment }>;
	/** Ids of whoever was created or activated: a read that shows them otherwise is older. */
	letIn: Set<string>;
	/** Accounts of people who gain access, looked at likewise. */
	accounts: Map<string, { user: Promise<Attempt<User | undefined> | undefined>; readAt: Moment }>;
	/** Whether a person must not be touched. */
	isProtected(person: Member): boolean;
	/** Of removals of single values from users. */
	values: LearnedOfValues;
}

export interface LearnedOfValues extends Turns {
	/** Whether one was seen to spare the other values; until then they go one by one. */
	spares: boolean;
	/** What one of them took along, as a whole sentence without its full stop; then no other is sent. */
	alarm?: string;
}

/** What is done one after the other. */
export interface Turns {
	queue: Promise<unknown>;
}

/** Waits for what came before, whatever became of it. */
export async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
	const turn = turns.queue.then(work);
	turns.queue = turn.catch(() => {});
	return await turn;
}

/**
 * @param notShown what the service does not show at all
 * @param goesOn whether what builds on it may go on
 */
export function differing(
	different: readonly string[],
	notShown: readonly string[] = [],
	goesOn = false,
): Missing | undefined {
	const names = [...different, ...notShown];
	if (names.length === 0) return undefined;
	const reason = `the service does not show the wanted ${names.join(', ')}`;
	return { reason, ...(different.length === 0 && { hidden: true }), ...(goesOn && { goesOn }) };
}

/** An answer, or the error of a request that may have worked anyway; any other error is thrown. */
export async function sendOrLookLater<T>(send: () => Promise<T>): Promise<Attempt<T>> {
	const tried = await attempt(send);
	if (tried.ok) return tried;
	if (mayHaveWorked(tried.error)) return tried;
	throw tried.error;
}

export function mayHaveWorked(error: unknown): boolean {
	return error instanceof RequestError && error.facts.mayHaveWorked;
}

export function unverified(action: string, warnings: string[], tried: Attempt<unknown>): Failure {
	return {
		status: 'unverified',
		action,
		warnings,
		reason: 'the service did not show it',
		...(!tried.ok && { error: tried.error }),
	};
}

export function parts(
	step: { parts: Part[] },
	outcome: Outcome,
	result?: ProvisioningResult,
	open?: Open,
): AppliedPart[] {
	return step.parts.map((part) => ({ ...part, outcome, result, open }));
}

/** What is said of a PUT that was sent: the ETags that a service shows may have been of no use. */
export function putWarnings(
	{ warnings }: Pick<ProvisioningStep, 'warnings'>,
	client: ScimClient,
	type: 'Users' | 'Groups',
	id: string,
): string[] {
	const [mayOverwrite] = overwriteWarnings(undefined);
	const others = warnings.filter((said) => said !== mayOverwrite);
	return client.putUntagged(type, id) ? [...others, mayOverwrite] : others;
}
