import { InputError } from '../shared/util';
import { type AffectedBase, isHolding, type Look } from '../shared/access/facts';
import { mostAffected, type VolumeLimits } from '../shared/access/guards';
import type { Event, EventKind } from './events';
import { peopleWith } from './look';

const WHOLE = 100;

/**
 * Whether so many seem to have lost access that the service is rather not well: of all who have any, of those who have
 * some in the organizations that are watched, of all users. Events that are not to be reported count, too.
 * @param organizations those that are watched, by place; empty for all
 * @throws InputError when they are too many, or all
 */
export function checkLosses(
	events: readonly Event[],
	before: Look,
	organizations: ReadonlyMap<string, string>,
	limits: VolumeLimits,
): void {
	const losers = (kinds: readonly EventKind[], isMeant: (event: Event) => boolean) =>
		new Set(
			events.filter((event) => kinds.includes(event.kind) && isMeant(event)).map(({ id }) => id),
		).size;
	check(
		losers(['userDeactivated', 'userDeleted'], () => true),
		{ people: peopleWith(before, ({ of }) => of === 'account'), are: 'users' },
		limits,
	);
	check(
		losers(['accessRevoked'], () => true),
		{ people: peopleWith(before, isHolding), are: 'people with access' },
		limits,
	);
	if (organizations.size === 0) return;
	check(
		losers(['accessRevoked'], ({ place }) => organizations.has(place)),
		{
			people: peopleWith(before, (_, place) => organizations.has(place)),
			are: 'people with access in the organizations that are watched',
		},
		limits,
	);
}

function check(losing: number, base: AffectedBase, limits: VolumeLimits): void {
	const isEverybody = losing > 0 && losing >= base.people && limits.maxPercentAffected < WHOLE;
	const most = mostAffected(base, limits);
	if (!isEverybody && losing <= most.people) return;
	const exceeded = isEverybody ? 'Max Percent Affected allows: it is everyone' : most.words;
	throw new InputError(
		`${losing} people seem to have lost access since the last check, more than ${exceeded}. Nothing was reported`,
		'Check the service. If the change is real, raise the limit under Safety Limits. The next check then reports it.',
	);
}
