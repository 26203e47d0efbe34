/**
 * What is known of something: that it is so, that it is not, or why nothing tells. Never a boolean: whoever asks has to say
 * what the third one comes to.
 */
export type Told = { told: 'so' } | { told: 'not so' } | NotTold;

/** Whether all is known that there is of something, such as the members of a group. */
export type Whole = { told: 'all' } | NotTold;

export interface NotTold {
	told: 'nothing';
	/** In words that follow "is unknown:". */
	why: string;
	/** What to do about it, in a sentence of its own, where something can be done. */
	advice?: string;
	/** Why a look has shown nothing. */
	error?: unknown;
}

export const SO: Told = { told: 'so' };
export const NOT_SO: Told = { told: 'not so' };
export const ALL: Whole = { told: 'all' };

export function notTold(why: string, more: Pick<NotTold, 'advice' | 'error'> = {}): NotTold {
	return { told: 'nothing', why, ...more };
}
