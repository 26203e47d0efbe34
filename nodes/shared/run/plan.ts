import type { IHttpRequestMethods } from 'n8n-workflow';

import type { Outcome } from './outcome';

/** The item of parts that belong to none: what is touched although no item names it. */
export const NO_ITEM = -1;

/** One part of an input item that a step serves; an item that names several people has one part for each. */
export interface Part {
	item: number;
	/** Which of the item's parts, e.g. the person; the same for every item that means the same one. */
	subject: string;
	/** Key of the change that it is a part of. */
	change?: string;
	/** What has to have succeeded before this part may be done; without it only this part is left out. */
	needs?: ReadonlyArray<{ step: string; subject: string }>;
}

/** Equal for what one item wants of one subject. */
export function partKey({ item, subject }: Pick<Part, 'item' | 'subject'>): string {
	return `${item}\n${subject}`;
}

/** Equal for what one step does for one subject. */
export function stepKey(step: string | undefined, subject: string): string {
	return `${step}\n${subject}`;
}

/** A request as it will be sent, below the base URL. */
export interface PlannedRequest {
	method: IHttpRequestMethods;
	path: readonly string[];
	body?: object;
	/** The body as it may be shown, where it holds secrets. */
	shown?: object;
}

/** One write. Both nodes add to it what their own steps need to know. */
export interface Step {
	id: string;
	/** What the step does, in words that finish the sentence "could not …". */
	action: string;
	parts: Part[];
	warnings: string[];
	request: PlannedRequest;
	/** Steps that come first, whatever happens to them. */
	after?: readonly string[];
}

/** Ids of the steps without whose success a step cannot be done. */
export function forerunners({ parts }: Pick<Step, 'parts'>): string[] {
	return [...new Set(parts.flatMap(({ needs = [] }) => needs.map(({ step }) => step)))];
}

/** A part that needs no step: it is so already, it is left alone, or it cannot be done. */
export interface Settled<R> extends Part {
	outcome: Outcome;
	/** What is known of the subject, for the output. */
	result?: R;
}

/** What will be done, decided before anything is sent. */
export interface Plan<S extends Step, R> {
	steps: S[];
	settled: Array<Settled<R>>;
	warnings: string[];
	/** Reasons of the guards; a plan with any is not applied. */
	blockedBy: string[];
}

export function emptyPlan<S extends Step, R>(): Plan<S, R> {
	return { steps: [], settled: [], warnings: [], blockedBy: [] };
}
