import { InputError } from '../shared/util';
import {
	ACCOUNT,
	agreedLook,
	ambiguousGroups,
	type Difference,
	type Fact,
	type Holding,
	holdingsIn,
	isComparable,
	isDouble,
	isHolding,
	type Look,
	seenGroup,
	seenValue,
	unsureIn,
	WATCHED,
	withFacts,
	type AffectedBase,
} from '../shared/access/facts';
import { hasStatus } from '../shared/http';
import { shownActive, valuesOf } from '../shared/scim';
import { mostAffected, type VolumeLimits } from '../shared/access/guards';
import { eventsBetween, type Event, type EventKind } from './events';
import { checkKnown, look, peopleWith, readerOf, type Watch } from './look';

/** So many who are missing from lists are asked for before the limits are looked at. */
const MOST_ASKED = 100;

/** Lists have left these people out. */
const ALONE = { alone: true };

interface Changes {
	/** What is to be remembered. */
	after: Look;
	/** What has happened, chosen or not. */
	events: Event[];
	/** What is strange about what the service shows, in words for n8n's log. */
	notes: string[];
}

/**
 * Looks what has changed since `watch.before`. Without any sign of a change one look is enough, else it takes two, and
 * users who seem to have lost something are read alone, twice as well.
 * @throws RequestError and InputError when it cannot be seen, or looks like a broken service
 */
export async function changesOf(watch: Watch): Promise<Changes> {
	const { before, limits, wish } = watch;
	const first = await look(watch);
	const unsure = unsureIn(first);
	const notes = [
		...(first.untold ?? []),
		...(unsure === undefined ? [] : [`${unsure}, so nothing is reported there`]),
	];
	// What is not to be reported is looked at as well: remembered wrongly, it would be a wrong event next time.
	const once = agreedLook(before, first, first);
	const beginning = newKinds(first, before);
	const isNew = beginning.size > 0;
	const isMarkedAnew = [...first.facts].some(
		([id, own]) => own.has(WATCHED) && before.facts.get(id)?.has(WATCHED) !== true,
	);
	if (isNew) notes.push(...ambiguousGroups(first.groups.values(), watch.connection.ids));
	if (!isNew && !isMarkedAnew && eventsBetween(before, once).length === 0) {
		return { after: once, events: [], notes };
	}
	await watch.connection.client.timing.wait(wish.confirmMs);
	const second = await look(watch);
	if (isNew) checkBeginning(first, second, beginning);
	const agreed = agreedLook(before, first, second);
	const suspected = eventsBetween(before, agreed);
	const losses = suspected.filter(isLoss);
	if (losses.length > MOST_ASKED) checkLosses(suspected, before, wish.organizations, limits);
	// One read alone may be as old as the lists: what is lost is looked at twice by itself, too.
	const likely = await proven(agreed, losses, watch);
	const after = await proven(likely, eventsBetween(before, likely).filter(isLoss), watch);
	const events = eventsBetween(before, after);
	checkLosses(events, before, wish.organizations, limits);
	const spared = suspected.length - events.length;
	if (spared > 0) {
		notes.push(`The lists of the service leave out ${spared} users or members who are still there`);
	}
	return { after, events, notes };
}

function isLoss({ kind }: Event): boolean {
	return kind === 'userDeleted' || kind === 'accessRevoked';
}

/** What a look shows for the first time. Whose attributes two looks do not show alike begins with a later one. */
function newKinds({ covers }: Look, before: Look): Set<Fact['of']> {
	const kinds = (['account', 'membership', 'value'] as const).filter(
		(of) => isComparable(of, covers, covers) && !isComparable(of, covers, before.covers),
	);
	return new Set(kinds);
}

/**
 * What is there to begin with is what later looks are measured by, so two looks have to show the same.
 * @throws InputError when they do not, show no members, or two roles where there is one
 */
function checkBeginning(first: Look, second: Look, beginning: ReadonlySet<Fact['of']>): void {
	const lacks = (of: Fact['of'], isIt: (fact: Fact) => boolean) =>
		beginning.has(of) && peopleWith(second, isIt) === 0;
	const isNobody = lacks('account', ({ of }) => of === 'account');
	if (isNobody || lacks('membership', isHolding)) {
		throw new InputError(
			`The service shows ${isNobody ? 'no users' : 'nobody in any group'}, so the trigger can't set a starting point`,
			'Check the service: are there users, and are they in groups?',
		);
	}
	const unsure = beginning.has('membership') ? unsureIn(second) : undefined;
	if (unsure !== undefined) {
		throw new InputError(
			`${unsure}, so the trigger can't set a starting point`,
			'Where users can have several roles, set One Role Per Organization to No in the credential. Otherwise remove one of the roles.',
		);
	}
	const differs = ({ before, after }: Event) => beginning.has((before ?? after)?.of ?? 'watched');
	const isSame = first.covers.memberships === second.covers.memberships;
	if (isSame && !eventsBetween(first, second).some(differs)) return;
	throw new InputError(
		"Two checks of the service differ, so the trigger can't set a starting point",
		'Something is changing right now, or the service returns old data at times. Try again in a moment.',
	);
}

/** What a user seems to have lost. */
interface Loss extends Difference {
	before: Holding;
}

/**
 * The look with all users who are missing from lists but exist: users at their own address, members in the group
 * itself, and those who say of themselves that they have another role. Lists may be older than any of these, and leave
 * people out.
 * @throws RequestError and InputError when it cannot be found out
 */
async function proven(seen: Look, losses: readonly Event[], watch: Watch): Promise<Look> {
	const { before } = watch;
	const missing = losses.flatMap(({ kind, id }) => (kind === 'userDeleted' ? [id] : []));
	const there = await stillThere(missing, seen, watch);
	const users = withFacts(
		{ ...seen, names: new Map([...namesOf(there, before), ...seen.names]) },
		[...there].flatMap(([id, account]) => [
			{ id, place: ACCOUNT, after: account },
			{ id, place: WATCHED, after: before.facts.get(id)?.get(WATCHED) },
		]),
	);
	const lost = losses.filter((event): event is Event & Loss => event.kind === 'accessRevoked');
	const asBefore = (all: readonly Loss[]) =>
		all.map(({ id, place, before: had }) => ({ id, place, after: had }));
	const values = lost.filter(({ before: { of } }) => of === 'value');
	const kept = withFacts(users, asBefore(await valuesStillThere(values, watch)));
	const revoked = lost.filter(({ before: { of } }) => of === 'membership');
	if (revoked.length === 0) return kept;
	const groupIds = revoked.flatMap(({ before: { keys } }) =>
		keys.map((key) => seen.groups.get(key)?.id ?? key),
	);
	const held =
		seen.covers.memberships === 'users'
			? new Map<string, ReadonlySet<string>>()
			: (await readerOf(watch).memberships.read({ groups: groupIds })).held;
	const isIn = ({ id, before: { keys } }: Loss) => keys.some((key) => held.get(id)?.has(key));
	const shown = withFacts(kept, asBefore(revoked.filter(isIn)));
	const hasGone = ({ id }: Loss) =>
		seen.covers.accounts && users.facts.get(id)?.has(ACCOUNT) !== true;
	const gone = revoked.filter((loss) => !isIn(loss) && !hasGone(loss));
	return await withHeldElsewhere(shown, gone, watch);
}

function namesOf(ids: ReadonlyMap<string, unknown>, { names }: Look): Array<[string, string]> {
	return [...ids.keys()].flatMap((id) => {
		const name = names.get(id);
		return name === undefined ? [] : [[id, name]];
	});
}

/**
 * Values that the list of users leaves out, and that users have at their own address.
 * @throws RequestError when a user cannot be read
 */
async function valuesStillThere(lost: readonly Loss[], watch: Watch): Promise<Loss[]> {
	const { profile } = watch.connection.client;
	const users = await readerOf(watch).people.read(
		lost.map(({ id }) => id),
		ALONE,
	);
	return lost.filter(({ id, place }) => {
		const user = users.get(id);
		if (user?.ok === false && !hasStatus(user.error, 404, 410)) throw user.error;
		return user?.ok && valuesOf(user.value, profile).some((one) => seenValue(one).place === place);
	});
}

/**
 * The look with the access of users who are missing from lists and groups, as they show it themselves: a role that
 * changed while the lists were read is in neither of them. Where that is not sure, with what they had before.
 * @throws RequestError when a user cannot be read, so that nothing is reported
 */
async function withHeldElsewhere(
	seen: Look,
	revoked: readonly Loss[],
	watch: Watch,
): Promise<Look> {
	const { ids } = watch.connection;
	const reader = readerOf(watch);
	const users = await reader.people.read(
		revoked.map(({ id }) => id),
		ALONE,
	);
	const there = revoked.filter(({ id }) => {
		const user = users.get(id);
		// A user that is gone has nothing any more.
		if (user?.ok === false && !hasStatus(user.error, 404, 410)) throw user.error;
		return user?.ok === true;
	});
	const groupsSaidBy = (id: string) => {
		const user = users.get(id);
		return user?.ok === true ? user.value.groupIds : undefined;
	};
	// Where users do not say, all groups do.
	const isSilent = there.some(({ id }) => groupsSaidBy(id) === undefined);
	const access = isSilent ? checkKnown(await reader.memberships.read()) : undefined;
	const groups = new Map(seen.groups);
	const keysOf = (id: string) => {
		const said = groupsSaidBy(id)?.map((groupId) => [ids.key(groupId), groupId]);
		const held = [...(access?.held.get(id) ?? [])].map((key) => [
			key,
			access?.groups.get(key)?.id ?? key,
		]);
		return (said ?? held).map(([key, groupId]) => {
			const name = (access?.groups.get(key) ?? seen.groups.get(key))?.displayName ?? groupId;
			groups.set(key, seenGroup(groupId, name, ids));
			return key;
		});
	};
	const keys = new Map(there.map(({ id }) => [id, keysOf(id)]));
	const holdings = holdingsIn(groups);
	const found = there.flatMap(({ id, place, before: had }) => {
		const has = holdings(keys.get(id) ?? []).get(place);
		if (has === undefined) return [];
		return [{ id, place, after: seen.oneRole && isDouble(has) ? had : has }];
	});
	return withFacts({ ...seen, groups }, found);
}

/**
 * Users who are missing from lists and are not gone, with their accounts.
 * @throws InputError when users are not to be found one by one at all, so that it proves nothing
 */
async function stillThere(
	missing: readonly string[],
	{ facts }: Look,
	watch: Watch,
): Promise<Map<string, Fact | undefined>> {
	const reader = readerOf(watch);
	const there = new Map<string, Fact | undefined>();
	for (const [id, user] of await reader.people.read(missing, ALONE)) {
		if (user.ok) there.set(id, { of: 'account', active: shownActive(user.value) });
		else if (!hasStatus(user.error, 404, 410))
			there.set(id, watch.before.facts.get(id)?.get(ACCOUNT));
	}
	if (there.size === missing.length) return there;
	const [witness] = [...facts].find(([, own]) => own.has(ACCOUNT)) ?? [];
	if (witness === undefined) return there;
	const control = (await reader.people.read([witness], ALONE)).get(witness);
	if (control?.ok) return there;
	throw new InputError(
		'Users of the list cannot be read by ID, so the trigger cannot tell who was deleted',
		'Check the Path Before /Users in the credential, and try User > Get with one of them.',
	);
}

const WHOLE = 100;

/**
 * Whether so many seem to have lost access that the service is rather not well: of all who have any, of those who have
 * some in the organizations that are watched, of all users. Events that are not to be reported count, too.
 * @param organizations those that are watched, by place; empty for all
 * @throws InputError when they are too many, or all
 */
function checkLosses(
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
