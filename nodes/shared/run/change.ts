/** Another change that has to be seen first. */
export interface RestOnChange {
	on: 'change';
	key: string;
}

/** One difference between what is wanted and what is there, as plain data. `R`: what else a change may rest on. */
export interface ChangeBase<R extends { on: string }> {
	/** Equal for two wishes of the same change; the id of its step, or of a part of one. */
	key: string;
	/** What it does, in words that finish the sentence "could not …". */
	action: string;
	/** Why, for the reader of a plan. */
	why: string;
	/** The items that want it. */
	items: number[];
	/** Which of an item's parts it is, where what it is about does not tell. */
	subject?: string;
	/** What else has to be so for it to be made, beside what its own place shows. */
	restsOn: ReadonlyArray<RestOnChange | R>;
	warnings: readonly string[];
}

/** What is in one place before and afterwards. */
interface Difference<E> {
	before: readonly E[];
	after: readonly E[];
}

/** What is there afterwards and not before. */
export function gained<E extends { key: string }>({ before, after }: Difference<E>): readonly E[] {
	return before.length === 0 ? after : after.filter(({ key }) => !has(before, key));
}

/** What is there before and not afterwards. */
export function lost<E extends { key: string }>({ before, after }: Difference<E>): readonly E[] {
	return after.length === 0 ? before : before.filter(({ key }) => !has(after, key));
}

function has(entries: ReadonlyArray<{ key: string }>, key: string): boolean {
	return entries.some((one) => one.key === key);
}

/** What kind of change of one place it is. */
export function kindOfDifference(
	difference: Difference<{ key: string }>,
): 'granted' | 'moved' | 'revoked' {
	if (gained(difference).length === 0) return 'revoked';
	return lost(difference).length > 0 ? 'moved' : 'granted';
}
