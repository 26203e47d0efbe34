import { memoized, type Timing } from '../../util';
import { Memory, type Send, sideBySide } from '../../http';
import { Facts } from '../facts/facts';
import type { GroupMeaning } from '../protocol/groupMeaning';
import { readUser } from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import * as discovery from './discovery';
import { Forms } from './forms';
import * as groups from './groups';
import { readPage, type FilterHabits, type ListLimits, ListHabits } from './listing';
import { MemberFilters } from './memberFilters';
import { OnRequest, keptNames, type Keeping, type Wire } from './wire';
import { listResources } from './resources';
import * as users from './users';

/**
 * The requests of SCIM 2.0 (RFC 7644) on users and groups, each a function of the wire in the file of its resource. Every one
 * rejects with a RequestError when the service does not answer with 2xx. One that writes gives what the answer showed, which
 * is no proof: an answer can be empty or old (test/contract/interface.md 2.1).
 */
const REQUESTS = { ...users, ...groups, ...discovery };

type Request = (wire: Wire, ...given: never[]) => unknown;

/** The requests as they are called: the wire is given. */
type Calls<Requests> = {
	[Name in keyof Requests]: Requests[Name] extends (
		wire: Wire,
		...given: infer Given
	) => infer Answer
		? (...given: Given) => Answer
		: never;
};

/** The requests to one service in one run, and what the run has learned of it. */
export interface ScimClient
	extends
		Calls<typeof REQUESTS>,
		Pick<Wire, 'profile' | 'timing' | 'facts' | 'forms' | 'filtersBy' | 'memory'> {
	/** Requests that leave side by side. */
	readonly concurrency: number;
	/** What the run has learned of lists and filters of users. */
	readonly userLists: ListHabits;
}

/**
 * Creates the client of one run.
 * @param transport the only way out; its errors pass through
 */
export function createScimClient(
	transport: Send,
	profile: ServiceProfile,
	timing: Timing,
	limits: ListLimits & Keeping,
	ids: GroupMeaning = profile.groups(),
): ScimClient {
	const wire = createWire(transport, { profile, timing, limits, key: ids.key });
	const { facts, forms, filtersBy, habits, memory } = wire;
	const own = { profile, timing, facts, forms, filtersBy, memory };
	return { ...callsOver(wire), ...own, concurrency: sideBySide(profile), userLists: habits.Users };
}

function callsOver(wire: Wire): Calls<typeof REQUESTS> {
	const calls = Object.entries<Request>(REQUESTS).map(([name, request]) => [
		name,
		request.bind(undefined, wire),
	]);
	return Object.fromEntries(calls) as Calls<typeof REQUESTS>;
}

function createWire(
	transport: Send,
	given: Pick<Wire, 'profile' | 'timing' | 'key'> & { limits: ListLimits & Keeping },
): Wire {
	const { profile, timing, key } = given;
	const { mostHeld = Number.POSITIVE_INFINITY } = given.limits;
	const memory = new Memory(mostHeld);
	const watched = memory.watch(transport);
	const { entriesPerPage, formsAreKnown, groupsShowMembers } = profile;
	const memberFilters = new MemberFilters({
		listUsers: async (query) => await listResources(wire, 'Users', readUser, query),
		readUsersPage: async (query) => await readPage(wire, 'Users', query),
		readGroupsPage: async (query) => await readPage(wire, 'Groups', query),
	});
	const wire: Wire = {
		...{ ...given, memory, keeps: keptNames(given.limits, profile) },
		send: async (request) => {
			const answer = await watched(request);
			wire.serverTime = answer.date ?? wire.serverTime;
			if (answer.status === 202 && request.method !== 'GET') wire.facts.noteAccepted(request.path);
			return answer;
		},
		facts: new Facts(profile, timing, key, (group) => memberFilters.hasFoundAs(group)),
		forms: { Users: new Forms(formsAreKnown), Groups: new Forms(formsAreKnown) },
		habits: {
			Users: new ListHabits(entriesPerPage),
			// Account organizations answer with all groups at once.
			Groups: new ListHabits(profile.listsAreExact ? 0 : entriesPerPage),
		},
		filtersBy: memoized((): FilterHabits => ({})),
		memberFilters,
		onRequest: new OnRequest(
			profile.membershipsOnRequest,
			async () => await discovery.discover(wire, 'Schemas'),
		),
		discovery: new Map(),
		excludesMembers: profile.listsTakeOptions,
		readsMembersByFilter: groupsShowMembers === 'no' && profile.membersByFilter === 'yes',
	};
	return wire;
}
