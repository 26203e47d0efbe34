import { createHash } from 'node:crypto';

import {
	ACCOUNT,
	type Coverage,
	type Fact,
	type FactsOfUser,
	holdingsIn,
	isHolding,
	type Look,
	seenGroup,
	seenValue,
	WATCHED,
} from '../shared/access/facts';
import type { GroupMeaning } from '../shared/scim';
import { attemptSync, isObject, parseJson } from '../shared/util';

/** Another format starts over. */
const FORMAT = 5;

/** Whether a user has an account, as kept: the value of `active`, or that the service does not say. */
const NO_ACCOUNT = 0;

/** What is kept of a user: name, account, numbers of groups and values, mark. */
type Kept = [string | null, boolean | null | typeof NO_ACCOUNT, number[], string?];

interface Memory {
	format: typeof FORMAT;
	source: string;
	covers: Coverage;
	people: Record<string, Kept>;
	/** ID and name; or a value, nothing, and its attribute. */
	groups: Array<[string, string, string?]>;
}

/** What was edited or cut is told from what was written: taken for a look, it would end each check, or make up events. */
function checksumOf(memory: object): string {
	return createHash('sha256').update(JSON.stringify(memory)).digest('base64url').slice(0, 16);
}

/** Writes a look as a text to be kept until the next one. @param source which service it is of */
export function writeMemory({ facts, covers, groups, names }: Look, source: string): string {
	// Groups by number: their ids are long, and many people are in one. An empty group has no member to lose.
	const numbers = new Map<string, number>();
	const numberOf = (key: string) => {
		const number = numbers.get(key) ?? numbers.size;
		numbers.set(key, number);
		return number;
	};
	const people = [...facts].map(([id, own]): [string, Kept] => {
		const account = own.get(ACCOUNT);
		const watched = own.get(WATCHED);
		const held = [...own.values()].flatMap((fact) => (isHolding(fact) ? fact.keys : []));
		const active = account?.of === 'account' ? (account.active ?? null) : NO_ACCOUNT;
		const kept: Kept = [names.get(id) ?? null, active, held.map(numberOf)];
		if (watched?.of === 'watched') kept.push(watched.mark);
		return [id, kept];
	});
	const memory: Memory = {
		format: FORMAT,
		...{ source, covers },
		people: Object.fromEntries(people),
		groups: [...numbers.keys()].map((key) => {
			const { id, displayName, attribute } = groups.get(key) ?? { id: key, displayName: key };
			return attribute === undefined ? [id, displayName] : [id, '', attribute];
		}),
	};
	return JSON.stringify({ ...memory, checksum: checksumOf(memory) });
}

/**
 * Reads the look that was kept; undefined for no text, and for one of another service or format, or that is damaged.
 * @param isOurs whether it is of the service
 */
export function readMemory(
	text: unknown,
	isOurs: (source: string) => boolean,
	ids: GroupMeaning,
): Look | undefined {
	const kept = typeof text === 'string' ? parseJson(text) : undefined;
	if (!isObject(kept)) return undefined;
	const { checksum, ...memory } = kept;
	if (checksum !== attemptSync(() => checksumOf(memory))) return undefined;
	const { format, source, people, covers, groups: named } = memory as unknown as Memory;
	if (format !== FORMAT || !isOurs(source)) return undefined;
	const seen = named.map(([id, displayName, attribute]) =>
		attribute === undefined
			? { key: ids.key(id), ...seenGroup(id, displayName, ids) }
			: seenValue({ attribute, value: id }),
	);
	const groups = new Map(seen.map(({ key, ...group }) => [key, group]));
	const holdings = holdingsIn(groups);
	const names = new Map<string, string>();
	const facts = new Map<string, FactsOfUser>();
	for (const [id, [name, active, numbers, mark]] of Object.entries(people)) {
		if (name !== null) names.set(id, name);
		const own = new Map<string, Fact>();
		if (active !== NO_ACCOUNT) own.set(ACCOUNT, { of: 'account', active: active ?? undefined });
		if (mark !== undefined) own.set(WATCHED, { of: 'watched', mark });
		const keys = numbers.map((number) => seen[number].key);
		for (const [place, holding] of holdings(keys)) own.set(place, holding);
		facts.set(id, own);
	}
	// Whether one role is the rule is a matter of looks alone.
	return { facts, groups, names, covers, oneRole: false };
}
