import type { Entry } from './schedule';
import { GROUP_FORMS, isMereAnswer, isReadAfterRemoval } from './answers';
import { lookAtGroups } from './looks';
import type { SendContext } from './world';

/** A group that is looked at, for what was sent about it. */
export interface LookedGroup {
	groupId: string;
	/** The people who have to be known of it. */
	people: string[];
	entries: Entry[];
}

/**
 * Looks at groups. Those whose answers show what was sent wait until one of each form was read: where that shows the same, the
 * answers of the others are believed.
 * @param isShown whether what is known shows an entry as requested
 */
export async function lookAtChangedGroups(
	groups: ReadonlyMap<string, LookedGroup>,
	isShown: (entry: Entry) => boolean,
	world: SendContext,
): Promise<void> {
	const isUnread = ([key, { entries }]: [string, LookedGroup]) =>
		entries.some((entry) => isMereAnswer(key, formOf(entry), world));
	const answered = [...groups].filter((one) => isUnread(one) && one[1].entries.every(isShown));
	/** Read anyway, these come first. */
	const isRead = ([key]: [string, LookedGroup]) => isReadAfterRemoval(key, world);
	answered.sort((one, other) => Number(isRead(other)) - Number(isRead(one)));
	const { facts, client, stateOf } = world;
	/** Reads that lag show the first one soon; meanwhile the answers of the others keep. */
	const isEarly = ([, { entries }]: [string, LookedGroup]) =>
		client.timing.limitMs >= LAG_MS && entries.every((one) => stateOf(one).looks < LOOKS_OF_LAG);
	const forms = new Set<string>(
		facts.doubtsAnswers
			? answered.filter(isEarly).flatMap(([, one]) => one.entries.map(formOf))
			: [],
	);
	const waiting = new Set<string>();
	for (const [key, { entries }] of answered) {
		for (const entry of entries) stateOf(entry).isAnswered = true;
		const own = entries.map(formOf);
		if (own.every((form) => forms.has(form)) && !isReadAfterRemoval(key, world)) waiting.add(key);
		for (const form of own) forms.add(form);
	}
	const readAll = async (some: ReadonlyArray<[string, LookedGroup]>) => {
		await lookAtGroups(new Map(some.map(([, one]) => [one.groupId, one.people])), world);
		for (const [key, { entries }] of some) noteAfterAnswer(key, entries, isShown, world);
	};
	await readAll([...groups].filter(([key]) => !waiting.has(key)));
	const left = answered.filter((one) => waiting.has(one[0]) && isUnread(one));
	await readAll(left.filter((one) => !(facts.doubtsAnswers && isEarly(one))));
}

/** What services lag by, most often, and how many looks that takes. */
const LAG_MS = 4_000;
const LOOKS_OF_LAG = 5;

function formOf({ change, gives }: Entry): string {
	if (change.about === 'group') return GROUP_FORMS.attributes;
	return gives === true ? GROUP_FORMS.adds : GROUP_FORMS.removes;
}

function noteAfterAnswer(
	key: string,
	entries: readonly Entry[],
	isShown: (entry: Entry) => boolean,
	{ facts, stateOf }: SendContext,
): void {
	if (facts.group(key)?.ok !== true || facts.isAnswerOfGroup(key)) return;
	for (const entry of entries.filter((one) => stateOf(one).isAnswered))
		facts.noteAfterAnswer(entry.change.key, formOf(entry), isShown(entry));
}
