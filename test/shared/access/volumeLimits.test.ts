import {
	type RiskKind,
	type Risky,
	excessIn,
	mostAffected,
	readVolumeLimits,
	safetyLimitsWith,
	withinNumber,
	type VolumeLimits,
} from '../../../nodes/shared/access/guards/limits';
import { settingsOf } from '../../support/description';

const DEFAULTS = { maxPeopleAffected: 5, maxPercentAffected: 10, maxCreates: 100 };
const limits = (values: object) => readVolumeLimits({ ...values });

it('5 people or 10 percent are affected, and 100 created, where nothing is set', () => {
	expect(readVolumeLimits({})).toEqual(DEFAULTS);
	const shown = settingsOf([safetyLimitsWith('per run')], 'safetyLimits');
	expect(shown.map((one) => [one.name, one.default])).toEqual(Object.entries(DEFAULTS).slice(0, 2));
});

it.each([
	[{ maxPeopleAffected: 0, maxPercentAffected: 0, maxCreates: 0 }],
	[{ maxPeopleAffected: 20, maxPercentAffected: 0.5, maxCreates: 7 }],
])('limits that are set count: %p', (set) => {
	expect(limits(set)).toEqual(set);
});

it.each([
	[{ maxPeopleAffected: -1 }, 'Max People Affected is not a number from 0'],
	[{ maxPercentAffected: 'many' }, 'Max Percent Affected is not a number from 0'],
	[{ maxCreates: NaN }, 'Max Creates is not a number from 0'],
])('the limits %p are refused', (set, message) => {
	expect(() => limits(set)).toThrow(message);
});

const risky = (people: number, kind: RiskKind = 'lossesOfAccess'): Risky =>
	new Map([[kind, new Set(Array.from({ length: people }, (_, index) => `user-${index}`))]]);
const among = (people: number) => ({ people, are: 'people with access in scope' });

it.each<[number, number, Partial<VolumeLimits>, number | undefined]>([
	[5, 10, {}, undefined],
	[6, 10, {}, 5],
	[10, 100, {}, undefined],
	[11, 100, {}, 10],
	[10, 109, {}, undefined],
	[11, 109, {}, 10],
	[100, 5000, {}, undefined],
	[101, 5000, {}, 100],
	[101, 5000, { maxPercentAffected: 100 }, 100],
	[101, 5000, { maxPeopleAffected: 200 }, undefined],
	[100, 100, { maxPercentAffected: 100 }, undefined],
	[1, 1000, { maxPeopleAffected: 0, maxPercentAffected: 0 }, 0],
	[0, 1000, { maxPeopleAffected: 0, maxPercentAffected: 0 }, undefined],
	[6, 0, {}, 5],
])('%i of %i people with %o: the limit is %s', (people, all, set, limit) => {
	const excess = excessIn(risky(people), among(all), { ...DEFAULTS, ...set });
	expect(excess.map((one) => one.limit)).toEqual(limit === undefined ? [] : [limit]);
});

it.each<[number | undefined, RegExp]>([
	[
		40,
		/^the limit of 5 \(the greater of 5 people and 10 % of the 40 people with access in scope\)$/,
	],
	[1000, /^the limit of 100 .* in scope\)$/],
	[5000, /^the limit of 100 .* in scope, at most 100\)$/],
	[undefined, /^the limit of 5 people \(Max Percent Affected does not count/],
])('the share of %p people counts for a hundred at most, in words', (all, words) => {
	expect(mostAffected(all === undefined ? undefined : among(all), DEFAULTS).words).toMatch(words);
});

it('creates have a limit of their own, for which nobody is counted', () => {
	const both = new Map([...risky(101, 'creates'), ...risky(6)]);
	expect(excessIn(risky(101, 'creates'), undefined, DEFAULTS)).toMatchObject([
		{ kind: 'creates', people: 101, limit: 100, words: 'the limit of 100 (Max Creates)' },
	]);
	expect([risky(101, 'creates'), risky(5), both].map((one) => withinNumber(one, DEFAULTS))).toEqual(
		[...[true, true, false]],
	);
});
