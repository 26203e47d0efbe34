import type { Forerunner, Order } from '../run';
import { addTo } from '../util';
import type { Traits } from '../scim';
import { changesByKey, isOfValue, kindOf, type Change, type Kind } from './change';

interface Rule {
	first: readonly Kind[];
	then: readonly Kind[];
	must: boolean | ((first: Change) => boolean);
	/** Where the rule holds. */
	where?(traits: Traits): boolean;
	/** Which of the later changes it is about. */
	of?(then: Traces): boolean;
}

/** What decides beside its kind what a change waits for. */
interface Traces {
	isOfValue: boolean;
	/** Whether the person keeps something in the same place. */
	keeps: boolean;
}

const refusesInactive = ({ inactiveRefusesGroupChanges }: Traits) =>
	inactiveRefusesGroupChanges === true;
const sparesInactive = (traits: Traits) => !refusesInactive(traits);

/** What comes first of the changes of one person. Where memberships outlive the account, whoever leaves is shut out first. */
const RULES: readonly Rule[] = [
	{ first: ['created', 'activated'], then: ['granted', 'moved'], must: true },
	// What the person is to have instead is seen before anything is taken. The values of a user go in one request.
	{
		first: ['granted', 'moved'],
		then: ['revoked'],
		must: true,
		of: ({ isOfValue: isValue, keeps }) => !isValue && !keeps,
	},
	{
		first: ['deactivated'],
		then: ['revoked'],
		// Who is deactivated for having nothing else must not lose it and stay active: no later run would notice.
		must: ({ restsOn }) => restsOn.some(({ on }) => on === 'nothingElse'),
		where: sparesInactive,
	},
	{ first: ['revoked'], then: ['deactivated'], must: false, where: refusesInactive },
	{ first: ['deactivated', 'revoked'], then: ['deleted'], must: false },
	// Two requests on one user go one after the other.
	{ first: ['updated', 'activated'], then: ['revoked'], must: false },
	{ first: ['updated'], then: ['granted'], must: false },
	{ first: ['deactivated'], then: ['granted'], must: false, where: sparesInactive },
];

/**
 * What each change waits for: by the rules of its person, and the changes that it rests on. Those that wait for nothing are
 * left out, those that wait for the same share one list.
 */
export function orderOf(changes: readonly Change[], traits: Traits): Order<Change> {
	const order = new Map<Change, Array<ReadonlyArray<Forerunner<Change>>>>();
	const rules = RULES.filter(({ where }) => where?.(traits) !== false);
	for (const own of severalOfPerson(changes)) {
		const byKind = new Map<Kind, Change[]>();
		for (const change of own) addTo(byKind, kindOf(change), change);
		const lists = new Map<string, ReadonlyArray<Forerunner<Change>>>();
		for (const change of own) {
			const traces = tracesOf(change);
			const same = `${kindOf(change)} ${traces.isOfValue} ${traces.keeps}`;
			const first = lists.get(same) ?? firstOf(kindOf(change), traces, byKind, rules);
			lists.set(same, first);
			if (first.length > 0) order.set(change, [first]);
		}
	}
	if (!changes.some(({ restsOn }) => restsOn.some(({ on }) => on === 'change'))) return order;
	const byKey = changesByKey(changes);
	for (const change of changes) {
		const first = change.restsOn.flatMap((rest): Array<Forerunner<Change>> => {
			const other = rest.on === 'change' ? byKey.get(rest.key) : undefined;
			return other === undefined ? [] : [{ change: other, must: true }];
		});
		if (first.length > 0) order.set(change, [...(order.get(change) ?? []), first]);
	}
	return order;
}

function tracesOf(change: Change): Traces {
	const isOfAccess = change.about === 'entitlement';
	return {
		isOfValue: isOfAccess && isOfValue(change),
		keeps: isOfAccess && change.after.length > 0,
	};
}

function firstOf(
	kind: Kind,
	traces: Traces,
	byKind: ReadonlyMap<Kind, readonly Change[]>,
	rules: readonly Rule[],
): Array<Forerunner<Change>> {
	return rules
		.filter(({ then, of }) => then.includes(kind) && of?.(traces) !== false)
		.flatMap(({ first, must }) =>
			first
				.flatMap((one) => byKind.get(one) ?? [])
				.map((change) => ({ change, must: typeof must === 'boolean' ? must : must(change) })),
		);
}

/** What waits for nothing of the same kinds. */
const GAINS: readonly Kind[] = ['granted', 'moved'];

/** The changes of each person who has several, unless all of them are gains. */
function severalOfPerson(changes: readonly Change[]): Iterable<Change[]> {
	const byPerson = new Map<string, Change[]>();
	for (const change of changes) {
		if (change.about !== 'group' && !GAINS.includes(kindOf(change)))
			byPerson.set(change.person.key, []);
	}
	for (const change of byPerson.size === 0 ? [] : changes) {
		if (change.about !== 'group') byPerson.get(change.person.key)?.push(change);
	}
	return [...byPerson.values()].filter(({ length }) => length > 1);
}
