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
}

/** Equal for what one item wants of one subject. */
export function partKey({ item, subject }: Pick<Part, 'item' | 'subject'>): string {
	return `${item}\n${subject}`;
}

/** What came of a part. */
export interface Applied<R> extends Part {
	outcome: Outcome;
	/** What is known of the subject, for the output. */
	result?: R;
	/** The step that it was a part of; missing for what needed none. */
	step?: string;
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

/** A part that needs no step: it is so already, it is left alone, or it cannot be done. */
export interface Settled<R> extends Applied<R> {
	/** Without whose success it is not so either. */
	needs?: ReadonlyArray<{ step: string; subject: string }>;
}

/** What will be done, decided before anything is sent. */
export interface Plan<S extends Step, R> {
	steps: S[];
	settled: Array<Settled<R>>;
	warnings: string[];
	/** Reasons of the guards; a plan with any is not applied. */
	blockedBy: string[];
}
