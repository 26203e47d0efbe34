import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inOrder, optionNumber } from '../../run';
import type { AffectedBase } from '../facts';
import { RISK_KINDS, RISKS, type RiskKind, type Risky } from './risks';

const DEFAULT_MOST_PEOPLE = 5;
const DEFAULT_MOST_PERCENT = 10;
const DEFAULT_MOST_CREATES = 100;

const WHOLE = 100;
/** A share of many is no small number. */
const MOST_BY_PERCENT = 100;

/** The limits by volume while nobody sets them, in words. */
export const DEFAULT_LIMITS = `${DEFAULT_MOST_PEOPLE} people or ${DEFAULT_MOST_PERCENT} %, whichever is more, ${MOST_BY_PERCENT} at most`;

/** How many may be affected in one run before it looks like a broken source; settable in the nodes. */
export interface VolumeLimits {
	/** So many people for each kind of change, whatever share of all they are. */
	maxPeopleAffected: number;
	/** Percentage of those the change is about, for each kind of change. */
	maxPercentAffected: number;
	/** So many users are created. */
	maxCreates: number;
}

/** One kind of change that concerns more people than a limit allows. */
export interface Excess {
	kind: RiskKind;
	people: number;
	limit: number;
}

/** The Safety Limits collection, with the two that go for every kind of change. @param when such as "per run" */
export function safetyLimitsWith(when: string, limits: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Safety Limits',
		name: 'safetyLimits',
		type: 'collection',
		placeholder: 'Add Limit',
		default: {},
		description: 'Which changes are blocked because they look wrong',
		options: inOrder([
			{
				displayName: 'Max People Affected',
				name: 'maxPeopleAffected',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, numberPrecision: 0 },
				default: 5,
				description: `Most people ${when} for each kind of change. The higher of both limits applies.`,
			},
			{
				displayName: 'Max Percent Affected',
				name: 'maxPercentAffected',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, maxValue: 100 },
				default: 10,
				description: `Largest share of people ${when} for each kind of change, and never more than 100`,
			},
			...limits,
		]),
	};
}

/** @param set the Safety Limits collection. @throws InputError for a number out of range */
export function readVolumeLimits(set: IDataObject): VolumeLimits {
	const number = (displayName: string, value: unknown) => optionNumber(displayName, value, 0);
	return {
		maxPeopleAffected: number('Max People Affected', set.maxPeopleAffected ?? DEFAULT_MOST_PEOPLE),
		maxPercentAffected: number(
			'Max Percent Affected',
			set.maxPercentAffected ?? DEFAULT_MOST_PERCENT,
		),
		maxCreates: number('Max Creates', set.maxCreates ?? DEFAULT_MOST_CREATES),
	};
}

/** Kinds of which no share of all people is allowed, but a number. */
type CountedKind = Extract<RiskKind, 'creates' | 'membersAdded'>;

function isCounted(kind: RiskKind): kind is CountedKind {
	return kind === 'creates' || kind === 'membersAdded';
}

/** Whether no share of all people decides, so that they need not be counted. */
export function withinNumber(risky: Risky, { maxPeopleAffected }: VolumeLimits): boolean {
	return [...risky].every(([kind, people]) => isCounted(kind) || people.size <= maxPeopleAffected);
}

/** How many may be affected. @param base undefined where it is not known */
export function mostAffected(
	base: AffectedBase | undefined,
	{ maxPeopleAffected, maxPercentAffected }: Omit<VolumeLimits, 'maxCreates'>,
): Most {
	if (base === undefined) {
		return {
			people: maxPeopleAffected,
			words: `the limit of ${maxPeopleAffected} people (Max Percent Affected does not count, since the number of people with access is unknown)`,
		};
	}
	const share = Math.floor((base.people * maxPercentAffected) / WHOLE);
	const people = Math.max(maxPeopleAffected, Math.min(share, MOST_BY_PERCENT));
	const atMost = share > MOST_BY_PERCENT ? `, at most ${MOST_BY_PERCENT}` : '';
	return {
		people,
		words: `the limit of ${people} (the greater of ${maxPeopleAffected} people and ${maxPercentAffected} % of the ${base.people} ${base.are}${atMost})`,
	};
}

/** How many people a limit allows, and the limit in words. */
export interface Most {
	people: number;
	words: string;
}

/**
 * Each kind of change that concerns too many people, with the limit in words.
 * @param own limits of a kind that are lower in this run
 */
export function excessIn(
	risky: Risky,
	base: AffectedBase | undefined,
	limits: VolumeLimits,
	own: ReadonlyMap<RiskKind, Most> = new Map(),
): Array<Excess & { words: string }> {
	const affected = mostAffected(base, limits);
	const counted: Record<CountedKind, number> = {
		creates: limits.maxCreates,
		membersAdded: limits.maxPeopleAffected,
	};
	const setBy: Record<CountedKind, string> = {
		creates: 'Max Creates',
		membersAdded: 'Max People Affected; no percentage counts here',
	};
	return RISK_KINDS.flatMap((kind) => {
		const people = risky.get(kind)?.size ?? 0;
		const usual = isCounted(kind)
			? { people: counted[kind], words: `the limit of ${counted[kind]} (${setBy[kind]})` }
			: affected;
		const limit = [usual, own.get(kind) ?? usual].reduce((one, other) =>
			other.people < one.people ? other : one,
		);
		return people > limit.people ? [{ kind, people, limit: limit.people, words: limit.words }] : [];
	});
}

/** What an excess is, such as "12 people would become admin". */
export function excessWords({ kind, people }: Pick<Excess, 'kind' | 'people'>): string {
	return `${people} people ${RISKS[kind].words}`;
}

/** What its approver decides on, such as "More than 5 people would lose access". */
export function beyondWords({ kind, limit }: Pick<Excess, 'kind' | 'limit'>): string {
	const people = limit === 1 ? 'person' : 'people';
	return `More than ${limit.toLocaleString('en-US')} ${people} ${RISKS[kind].words}`;
}
