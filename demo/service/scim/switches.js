'use strict';

/**
 * What a SCIM service is like, switch by switch. As they stand here it is well-behaved (RFC 7643, RFC 7644), with
 * groups that stand for themselves. Each switch names who showed the behavior: `recorded` is test/contract, `2.x` a
 * section of docs/interface.md, `servers` is docs/servers.md, everything else an issue tracker or manual of that name.
 */
const DEFAULTS = {
	/** `rfc`, or `gateway`: requests are read as the recorded one reads them (gateway.js). */
	speaks: 'rfc',
	/** Bearer token that is asked for; none: anybody may do anything. */
	token: undefined,
	/** Where collections stand (1.5), and where single resources do when that is elsewhere. */
	prefix: '',
	itemPrefix: undefined,
	/** Bodies of ServiceProviderConfig, ResourceTypes and Schemas; what is not there is 404 (Google, Slack). */
	discovery: {},
	/** The gateway without the routes that only part 2 of docs/interface.md has. */
	documentedOnly: false,
	/** HTML with 403 where the User-Agent is missing (GitHub). */
	needsUserAgent: false,
	mostBytes: Infinity,

	// Lists
	/** `totalResults`: `true`, `page` (size of this page), `missing`, `string` (one each among eight servers). */
	total: 'true',
	/** Every entry stands twice, and the total counts both. */
	listsTwice: false,
	pastTheEnd: 'empty', // or `firstPage`
	ignoresStart: false,
	ignoresCount: false,
	/** At most so many entries in a page, which nobody is told. */
	pageCap: Infinity,
	/** `Resources` when there are none: `list`, `absent`, `null`. */
	noHits: 'list',
	/** Pages have so many entries fewer than asked for, or begin so many too early. */
	shortBy: 0,
	overlap: 0,
	/** Page after page of new resources, a billion by the total. */
	endlessList: false,
	/** Called before each list answer with its number, to change the state between pages. */
	onList: undefined,
	/** `on`, `exactCase`, `ignored`, `off` (400), or another status that refuses it. */
	filter: 'on',
	/** The same for groups, where that differs. */
	groupFilter: undefined,
	/** Values that a filter never finds. */
	filterMisses: undefined,
	/** A list leaves out what `excludedAttributes` names (RFC 7644 section 3.4.2.5); AWS takes none. */
	excludesAttributes: true,

	// People
	/** IDs of new users: `fromName` (2.2), `numbered`. */
	ids: 'fromName',
	/** A changed userName: `taken`, `refused` (immutable), `shown` alone, while the first one finds the user (2.2). */
	userNames: 'taken',
	/** Whether names in other case are another person. */
	namesMayDifferInCase: false,
	/** What POST answers: `whole`, `withoutId` (2.1), `empty`. */
	createAnswer: 'whole',
	/** PATCH and DELETE of a user who is not there answer 204 (2.1). */
	silentForUnknown: false,
	/** Inactive users leave their groups (2.2, PostHog, Figma), or stay (GitHub, AWS). */
	deactivationDrops: false,
	/** "Deactivated users refuse other changes" (LaunchDarkly). */
	inactiveRefuses: false,
	/** Whoever is deleted stays a member in the store (servers, jackson). */
	deletedStay: false,
	/** DELETE leaves the user there, inactive. */
	deletesSoftly: false,
	deleteAnswer: 204, // or 200, with a body

	// Members
	/** Groups come and go with their organization alone (1.5). */
	fixedGroups: false,
	/** Groups that the list leaves out and that are not found by ID; whoever is in one shows it. */
	unlistedGroups: [],
	/** An add takes the person out of the other groups of the organization, `organization:role` (1.5). */
	addMoves: false,
	/** A removal takes whatever role the person has in the organization (2.3). */
	roleBlindRemoval: false,
	/** A removal of who is no member is 404, and what came before it was done (2.3). */
	refusesStrangers: false,
	/** Adds of who is nobody: `taken` (two of eight servers), `refused` with the request, `refusedAfter` it was done (2.3). */
	unknownMembers: 'taken',
	/** Groups that nobody can be taken out of, such as Everyone: 400 mutability (RFC 7644 section 3.12). */
	refusesRemovalFrom: [],
	/** Groups that refuse every add with 400. */
	refusesAddsTo: [],
	/** Ids that are not added, without a word. */
	neverAdds: [],
	storesTwice: false,
	/** Forms of removal that empty the whole group: `valueList` (two of six servers), `filterPath`, `put`. */
	removesEverybody: [],
	/** The same, but only these people go beside the one who was meant. */
	alsoRemoves: [],
	/** The status that answers a removal by filter path, where it is refused: 400 or 501. */
	refusesFilterPath: undefined,
	/** Operations have to be an array with a plain path each: other forms are `taken`, `refused`, `ignored`. */
	otherForms: 'taken',
	/** Limit on one PATCH (AWS: 100). */
	mostMembers: Infinity,

	// What is shown
	/** Members on groups: `all`, `whenAny` (left out when there are none, scimmy), `empty` (AWS), `absent`. */
	showsMembers: 'all',
	/** The same for answers to writes only. */
	answersMembers: 'all',
	/** `display` of members is their name. */
	showsNames: true,
	/** Groups on users, in the same words; better-auth shows none. */
	usersShowGroups: 'all',
	/** How `active` is shown: `boolean`, `text`, `undefined`, `absent`. */
	active: 'boolean',
	/** How attribute names and URNs are written: `usual`, `upper`, `lower`. */
	names: 'usual',
	/** What stands on every resource beside its own. */
	extra: {},
	location: 'absolute', // `missing`, `relative`, `otherPrefix`
	errors: 'scim', // `statusNumber`, `withoutStatus`, `withoutType`, `text`, `html`

	// Time
	/** Answers to PATCH and PUT: `body` (200), `204`, `both` in turn, `stale` (the state from before, 2.1). */
	patchAnswers: 'body',
	/** Reads see every write so many milliseconds, or reads, late (2.1). */
	lagMs: 0,
	lagReads: 0,
	/** With lag: groups whose turn is odd show new writes at once, so reads are torn. */
	torn: false,
	/** New users are in no list and found by no filter for so long. */
	indexLagMs: 0,
	/** Called when a write comes, before it is carried out, to let somebody else do something. */
	onWrite: undefined,
	now: Date.now,
	/** Whether every state is kept, for tests that look at each moment. */
	keepsStates: false,
};

/** The account with organizations, as recorded. */
const ACCOUNT = {
	speaks: 'gateway',
	prefix: '/scim',
	userNames: 'shown',
	silentForUnknown: true,
	deactivationDrops: true,
	fixedGroups: true,
	addMoves: true,
	roleBlindRemoval: true,
	refusesStrangers: true,
	unknownMembers: 'refusedAfter',
	showsMembers: 'whenAny',
	usersShowGroups: 'whenAny',
};

/** @throws {Error} on a switch that does not exist */
function switchesOf(given) {
	const unknown = Object.keys(given).filter((name) => !(name in DEFAULTS));
	if (unknown.length > 0) throw new Error(`The service has no switch ${unknown.join(', ')}`);
	return { ...DEFAULTS, ...given };
}

module.exports = { ACCOUNT, DEFAULTS, switchesOf };
