'use strict';

/**
 * What a SCIM service is like, switch by switch. As they stand here it is well-behaved (RFC 7643, RFC 7644), with
 * groups that stand for themselves. In brackets, who showed the behavior: `recorded` is test/contract, a number is a
 * section of test/contract/interface.md, `servers` is test/servers/results.md, `wild` a row of what eight servers and the issue trackers
 * of widely used clients showed, each of which has a row in test/behavior; a product is its manual.
 */
const DEFAULTS = {
	/** `rfc`, or `gateway`: requests are read as the gateway of the account reads them (recorded). */
	speaks: 'rfc',
	/** What is asked for: a Bearer token, or with `Basic` the text `user:password`; none: no authentication. */
	token: undefined,
	scheme: 'Bearer',
	/** Where collections stand (1.5), and where single resources do when that is elsewhere. */
	prefix: '',
	itemPrefix: undefined,
	/** Bodies of ServiceProviderConfig, ResourceTypes and Schemas; what is not there is 404. */
	discovery: {},
	/** The gateway without the routes that only part 2 of test/contract/interface.md has. */
	documentedOnly: false,
	/** HTML with 403 where the User-Agent is missing (wild). */
	needsUserAgent: false,
	/** A longer body is 413 (2.1). */
	mostBytes: Infinity,
	/** Other media types of a body are 415 (Databricks). */
	mediaType: undefined,
	/** Without Groups they are 404 (Langfuse, GitLab). */
	types: ['Users', 'Groups'],
	/** `METHOD Type` that is refused, such as `PUT Groups` (AWS, Sentry), `PATCH Groups` (authentik issue 11249). */
	without: [],
	/** The status that refuses it: 405, or 501 (Zitadel). */
	withoutAnswers: 405,

	// Lists
	/** `startIndex`; `cursor`: every page names the next (RFC 9865); `cursorAsked`: if the request has one (AWS). */
	paging: 'startIndex',
	/** A cursor that is older is 400 expiredCursor (RFC 9865). */
	cursorMs: Infinity,
	/** A larger `count` is 400 invalidCount (RFC 9865; AWS: 100). */
	mostCount: Infinity,
	/** Parameters of a list that are 400, such as `startIndex` (AWS). */
	refusesQuery: [],
	/** `totalResults`: `true`, `page` (size of this page), `missing`, `string` (wild). */
	total: 'true',
	/**
	 * Every entry stands twice, and the total counts both (wild); or with `perGroup` each user as often as there are groups
	 * of theirs (Infisical, issue 6554).
	 */
	listsTwice: false,
	/** A page past the end is `empty`, or the `firstPage`; or every page is (wild). */
	pastTheEnd: 'empty',
	ignoresStart: false,
	/** `startIndex` is the number of an entry, or that of a page, `pages` (node-scim). */
	startCounts: 'entries',
	/** `count` is ignored, or at most so many come, without a word (wild). */
	ignoresCount: false,
	pageCap: Infinity,
	/** By type, after how many entries a list ends, while its total counts all. */
	endsAfter: {},
	/** Lists and filters show no user, whom a read by ID shows (Budibase issue 19522; coder). */
	showsNobody: false,
	/** `Resources` when there are none: `list`, `absent`, `null` (wild). */
	noHits: 'list',
	/** Pages have so many entries fewer than asked for, or begin so many too early (wild). */
	shortBy: 0,
	overlap: 0,
	/** So many later pages have the last entry before them in place of their first, which then is on none (uaa issue 164). */
	unordered: 0,
	/** Page after page of new resources, a billion by the total: what a client has to end by itself. */
	endlessList: false,
	/** Called before each list answer with its number, to change the state between pages. */
	onList: undefined,
	/**
	 * `on`, `exactCase`, `ignored`, `off` (400), or another status that refuses it (wild); `ofPage`: of the first page alone
	 * (node-scim).
	 */
	filter: 'on',
	/** The same for groups, where that differs. */
	groupFilter: undefined,
	/**
	 * Filters for memberships: `on` (AWS), `ignored`, `nobody`, `off` (400); undefined: `on` where memberships are shown.
	 */
	membershipFilter: undefined,
	/** Values that a filter never finds, such as `o'neil+x@example.com` (wild). */
	filterMisses: undefined,
	/** No user comes without a filter (GitLab). */
	listsByFilterOnly: false,
	/** Comparisons and operators of a filter; more are 400 (Databricks: 200). */
	mostFilterNodes: Infinity,
	/** Attributes by which each type can be filtered, `id members` for both at once; others are 400 (AWS). */
	filterBy: {},
	/** The answer to a filter of groups for a member that does not exist: `empty`, or 404 (AWS). */
	filterForNobody: 'empty',
	/** A list leaves out what `excludedAttributes` names (RFC 7644 section 3.4.2.5); AWS takes none. */
	excludesAttributes: true,
	/** A read shows what `attributes` names and `id` alone, if it has one (Keycloak; RFC 7644 section 3.9). */
	showsAskedAlone: false,
	/** Groups with a `parent` are in no list and found by no filter, but shown by ID (Keycloak). */
	listsTopLevelAlone: false,

	// People
	/** What a user has to have in POST and PUT, sub-attributes with a dot; otherwise 400 that names it (AWS, Slack, GitHub). */
	requires: [],
	/** At most so many entries in a list of a user, such as `emails`; more are 400 (AWS: 1). */
	mostEntries: Infinity,
	/** An entry of a list of a user without a value in POST or PUT is 400 (scimitar: schema/attribute.rb, valid_blank?). */
	entriesNeedValues: false,
	/** What a user shows before anything else is said (W&B: roles). */
	userDefaults: {},
	/**
	 * `emails` as a `list`, or the first as an `object` with `Value` (W&B). Or one is kept: the `primary`, without its type
	 * (Keycloak, Zitadel), or that of type work, `byType`: without one the email stays as it was, or is null (scimitar).
	 */
	emails: 'list',
	/** A userName that is an email is cut before the @, and one that is longer than this is 400 (Slack: 21). */
	nameLength: undefined,
	/** The only attributes that are kept, while the answer to a PATCH or PUT shows all that came (node-scim). */
	keepsAlone: undefined,
	/** The body of a PATCH or PUT is laid over the user as it stands, with its Operations and schemas (keystone). */
	mergesBodies: false,
	/** An ID that begins with a digit is read as that number, as MySQL compares them (laravel/framework issue 26343). */
	readsNumbers: false,
	/** The attributes that PATCH of a user takes; others are 400 (Sentry: `active`). */
	patchTakes: undefined,
	/** In the PATCH of a user a path takes text, and anything else is 501: `active` comes without a path (django-scim2). */
	pathsTakeTextAlone: false,
	/** A path to text in a PATCH fails with 500 (django-scim2 issue 22; of groups WSO2, product-is issue 10685). */
	failsAtTextPaths: false,
	/** A PATCH of a group without a path replaces the members by those in its value, if any (langwatch issue 7131). */
	emptiesWithoutPath: false,
	/** `name.givenName` in a path is that of an attribute of its own, beside `name` (pranems/SCIMServer). */
	dottedPathsAreNames: false,
	/** A `remove` in the PATCH of a user changes nothing, without a word (better-auth, issue 10421). */
	skipsRemove: false,
	/** The attribute of users that says `owner`; the last one who is active cannot go: 403 (Langfuse, Sentry). */
	ownerIn: undefined,
	/** IDs of new users: `fromName` (2.2), `numbered`, or `externalId` (GitLab). */
	ids: 'fromName',
	/** A changed userName: `taken`, `refused` (immutable), `shown` alone, while the first one finds the user (2.2). */
	userNames: 'taken',
	/** Whether names in other case are another person (wild). */
	namesMayDifferInCase: false,
	/**
	 * POST of a user name that is taken: `refused` with 409; `answered` with 201 and the user who was there, who stays as
	 * before (onyx PR 8959, snipe-it issue 13854); `stored` as a second user of that name (keystone).
	 */
	takenNames: 'refused',
	/** What POST answers: `whole`, `withoutId` (2.1), `empty` (wild). */
	createAnswer: 'whole',
	/** PATCH and DELETE of a user who is not there answer 204 (2.1). */
	silentForUnknown: false,
	/** Each read by ID of this number is answered with the resource of the one before, as by a cache. */
	answersAnother: Infinity,
	/** IDs that are 404 by ID, to PATCH and to DELETE, while lists and filters show them (wild, Writing: hidden by rights). */
	hidesById: [],
	/** An ID with a slash is 404 by ID likewise, as behind Apache, which refuses `%2F` (wild, Writing). */
	refusesEncodedSlash: false,
	/** Inactive users leave their groups (2.2, PostHog, Figma), or stay (GitHub, AWS). */
	deactivationDrops: false,
	/** A deactivated user is deleted (W&B, Langfuse, Sentry). */
	deactivationDeletes: false,
	/** "Deactivated users refuse other changes" (LaunchDarkly). */
	inactiveRefuses: false,
	/** A deleted user stays a member in the store (servers, jackson). */
	deletedStay: false,
	/** DELETE leaves the user there, inactive (wild). */
	deletesSoftly: false,
	/** 204, or 200 with a body (wild). */
	deleteAnswer: 204,

	// Members
	/** Groups come and go with their organization alone (1.5). */
	fixedGroups: false,
	/** Groups that the list leaves out and that are not found by ID; a user in one shows it. */
	unlistedGroups: [],
	/** An add takes the person out of the other groups of the organization, `organization:role` (1.5). */
	addMoves: false,
	/** A removal takes whatever role the person has in the organization (2.3). */
	roleBlindRemoval: false,
	/** A removal of who is no member is 404, and what came before it was done (2.3). */
	refusesStrangers: false,
	/** Adds of a user that does not exist: `taken` (wild), `refused` with the request, `refusedAfter` it was done (2.3). */
	unknownMembers: 'taken',
	/** Groups that no one can be removed from, such as Everyone: 400 mutability (RFC 7644 section 3.12). */
	refusesRemovalFrom: [],
	/** Groups that refuse every add with 400 (2.3, an email domain that is not allowed). */
	refusesAddsTo: [],
	/** Ids that are not added, without a word (wild, 200 and nothing changed). */
	neverAdds: [],
	/** Who is inactive is not added, without a word (Activepieces). */
	neverAddsInactive: false,
	/** Forms of removal that change nothing, without a word: `valueList` (Activepieces), `filterPath` (authentik). */
	ignoresRemovals: [],
	/**
	 * Changes of members that are none, without a word: `replace`, `emptyPut` (authentik). A `put` adds, and removes no one
	 * (django-scim2).
	 */
	ignoresChanges: [],
	/** What a PUT has to have, by type, such as `id` (Keycloak, Infisical); otherwise 400 that names it. */
	putRequires: {},
	/** A POST or PUT of a group that names members is refused (Keycloak). */
	membersByPatchAlone: false,
	/**
	 * By method, whether added members have to have a `display`, `any` (Infisical) or their `userName` (WSO2, product-is
	 * issue 16097); otherwise the request is 400.
	 */
	membersNeedDisplay: {},
	/** Adding a member twice stores it twice (wild). */
	storesTwice: false,
	/** Forms of removal that empty the whole group: `valueList` (wild), `filterPath` (also any list of a user), `put`. */
	removesEverybody: [],
	/** The same, but only these people go beside the one who was meant. */
	alsoRemoves: [],
	/** The status that answers a removal by filter path, of a group or a user, where it is refused: 400 or 501 (wild). */
	refusesFilterPath: undefined,
	/** Operations have to be an array with a plain path each: other forms are `taken`, `refused`, `ignored` (wild). */
	otherForms: 'taken',
	/** Members in one POST or PATCH (wild, AWS: 100). */
	mostMembers: Infinity,
	/** The status for more: 400, or 413 (Miro). */
	tooManyMembers: 400,
	/** Operations in one PATCH; more are 400 (Sentry: 100). */
	mostOperations: Infinity,
	/** 400 for a PATCH that replaces or removes all members at once (AWS). */
	refusesWholeLists: false,

	// What is shown
	/**
	 * Members on groups: `all`, `whenAny` (left out when there are none, scimmy), `empty` (AWS), `absent`, or `asked`: where
	 * `attributes` of a read names them, and there are any (Keycloak, RFC 7643 section 7: returned on request).
	 */
	showsMembers: 'all',
	/** The same for answers to writes only (2.1: a body that is returned can be stale). */
	answersMembers: 'all',
	/** The same for lists only (Zitadel, graphql-hive/console issue 8352). */
	listsMembers: 'all',
	/** At most so many members are shown, without a word, and a PATCH loses those beyond (FusionAuth, issue 2784). */
	mostShownMembers: Infinity,
	losesUnshown: false,
	/** `$ref` of members: `absent`, `relative`, or `alone`, without their ID. */
	memberRefs: 'absent',
	/** `display` of members is their name. */
	showsNames: true,
	/** Groups on users, in the same words; better-auth shows none. */
	usersShowGroups: 'all',
	/**
	 * How `active` is shown: `boolean`, `text`, `number` (snipe-it 13948), `word`, `disabled`, `lower`, `undefined`, `absent`,
	 * `whenTrue` (wild).
	 */
	active: 'boolean',
	/** How attribute names and URNs are written: `usual`, `upper`, `lower` (wild). */
	names: 'usual',
	/** What stands on every resource beside its own (wild). */
	extra: {},
	/** `meta.location`: `absolute`, `missing`, `relative`, `otherPrefix` (wild). */
	location: 'absolute',
	/** Users show `meta.created`, and answers have a `Date` (RFC 7643 section 3.1, RFC 9110 section 6.6.1). */
	showsCreated: false,
	/** Errors: `scim`, `statusNumber`, `withoutStatus`, `withoutType`, `text`, `html` (wild, 2.1). */
	errors: 'scim',

	/**
	 * ETags, also as `meta.version`: `off`; `strong`; `header`, which has no `meta.version`; `weak`, which no If-Match
	 * accepts; `changing` with every answer; `unsendable`, which no header can carry. A PUT with an If-Match that is not the tag is 412 (W&B; RFC 7644 section 3.14,
	 * RFC 9110 section 13.1.1).
	 */
	etags: 'off',

	// Time
	/** Answers to PATCH and PUT: `body` (200), `204`, `both` in turn (wild), `stale` (the state from before, 2.1). */
	patchAnswers: 'body',
	/** The same for groups, where that differs (AWS: 204). */
	groupPatchAnswers: undefined,
	/** Reads see every write so many milliseconds, or reads, late (2.1). */
	lagMs: 0,
	lagReads: 0,
	/** With lag: groups whose turn is odd show new writes at once, so reads are torn. */
	torn: false,
	/** New users are in no list and found by no filter for so many milliseconds (wild). */
	indexLagMs: 0,
	/** Called when a write comes, before it is carried out, to let another client do something. */
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
