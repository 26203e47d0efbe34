'use strict';

// Parameters for every operation of both nodes, made from the nodes' own descriptions: mostly such as make sense for
// the service at hand, now and then none that anybody would mean.

const fc = require('fast-check');
const { defaultSeed } = require('../../../demo/service/state/seed');
const { stringifyExact } = require('../../../demo/service/exactJson');
const { DIALECTS } = require('../../../demo/service/scim/dialects');
const { ACCOUNT } = require('../../../demo/service/scim/switches');
const { ORGANIZATION } = require('../../support/alertingInMemory');
const { matchOn } = require('../../support/columns');
const { ROLES, userIdOf } = require('../../support/memoryService');
const { defaultsOf } = require('../../support/modelGroupsPlay');
const { NODES } = require('./runOnWorld');
const { polls } = require('./watching');

const BASES = { scim: 'http://scim.test', alerting: 'http://scim.test/api' };
const MOST_PEOPLE = 8;
/** Users of another account, whom only a filter finds. */
const FOREIGN = ['other0@example.com', 'other1@example.com'];
/** IDs that nobody has. */
const MISTYPED = ['nobody', 'user-x', 'user-0123456789abcdef'];
const ORGANIZATIONS = ['org-account', 'org-2', 'org-3'];
/** What is put into payloads and passwords, and must come out nowhere. */
const GIVEN_SECRETS = [
	'hOoKsEcReT-4711-of-the-channel',
	'pAgErKeY4711OfTheService',
	'hEaDeRsEcReT-4711-of-the-hook',
	'pAsSwOrD-4711-of-the-person',
];
const [HOOK, PAGER, HEADER, PASSWORD] = GIVEN_SECRETS;

const one = (...values) => fc.constantFrom(...values);
const often = (arbitrary, rarely, weight = 40) =>
	fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: rarely });
const rarely = (arbitrary, value) => often(fc.constant(value), arbitrary, 9);

/** One of them has an email domain that not every organization takes. */
const emailOf = (index) => `p${index}@${index === 2 ? 'partner.test' : 'example.com'}`;
const newEmailOf = (index) => `new${index}@example.com`;

/** Requests after which somebody else acts, as `METHOD Type`. */
const NAMED = [
	'GET Users',
	'GET Groups',
	'POST Users',
	'PATCH Users',
	'PATCH Groups',
	'PUT Groups',
];

/** What an expression may give where a text is expected. */
const weird = one(
	'',
	' ',
	null,
	0,
	-1,
	1.5,
	true,
	[],
	{},
	[null],
	['a', 'b'],
	{ a: { b: 1 } },
	'__proto__',
	'constructor',
	'..',
	'.',
	'../../etc/passwd',
	'a/b?c=d#e',
	'%2e%2e',
	'a"b\\c',
	'x\r\nHost: elsewhere.test',
	'\ud800',
	'ünï@example.com',
	'a'.repeat(5000),
	',;\n,',
	'"',
	'{"a":',
	'[]',
	'{}',
	'{"__proto__":{"polluted":true}}',
	'[{"organization":null,"role":{}}]',
	'*',
	'@',
	'a@b',
	'http://elsewhere.test/',
);

const text = often(one('Ana', 'Ünal Ödük', 'x', 'Team "A"', '17'), weird);

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** An account: its people, organizations and ways, and the credential that says so. */
const PROFILES = {
	account: {
		credential: { serviceProfile: 'accountOrganizations', accountOrganizationId: 'org-account' },
		switches: ACCOUNT,
	},
	generic: {
		credential: {
			...{ serviceProfile: 'generic', overrideProfile: true, deletionIsFinal: 'no' },
			groupsStandFor: 'organizationAndRole',
			groupPattern: '{organization}:{role}',
		},
		switches: {
			unknownMembers: 'refusedAfter',
			discovery: {
				ServiceProviderConfig: {
					schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
					patch: { supported: true },
					bulk: { supported: false },
					filter: { supported: true, maxResults: 100 },
					etag: { supported: false },
				},
				ResourceTypes: {
					totalResults: 1,
					Resources: [{ id: 'User', name: 'User', endpoint: '/Users' }],
				},
				Schemas: {
					totalResults: 1,
					Resources: [{ id: 'urn:ietf:params:scim:schemas:core:2.0:User' }],
				},
			},
		},
	},
};
PROFILES.plain = {
	credential: { serviceProfile: 'generic', overrideProfile: true, deletionIsFinal: 'no' },
	switches: PROFILES.generic.switches,
};
/** Services that differ most in their lists, their groups and in what becomes of who goes. */
const SPOKEN = ['aws', 'slack', 'github', 'databricks', 'sentry', 'activepieces'];
for (const name of SPOKEN) {
	const { preset, switches } = DIALECTS[name];
	// The limit of requests is kept by the server, which there is none of here.
	const { rateLimit, ...own } = switches;
	PROFILES[name] = { credential: { serviceProfile: preset }, switches: own };
}
/** How often each is played. */
const WEIGHTS = { account: 8, generic: 4, plain: 2 };

const account = fc.record({
	profile: fc.oneof(
		...Object.keys(PROFILES).map((name) => ({
			weight: WEIGHTS[name] ?? 1,
			arbitrary: fc.constant(name),
		})),
	),
	people: fc.array(
		fc.record({
			active: often(fc.constant(true), fc.constant(false), 4),
			isRenamed: rarely(fc.constant(true), false),
			roles: fc.array(one('', ...ROLES), { minLength: 3, maxLength: 3 }),
		}),
		{ minLength: 4, maxLength: MOST_PEOPLE },
	),
	organizations: rarely(fc.integer({ min: 1, max: 2 }), 3),
	switches: fc.record({
		patchAnswers: one('body', 'body', '204'),
		filter: rarely(fc.constant('off'), 'on'),
		lagReads: rarely(fc.integer({ min: 1, max: 3 }), 0),
		pageCap: rarely(fc.integer({ min: 1, max: 4 }), undefined),
		usersShowGroups: rarely(fc.constant('absent'), 'whenAny'),
		indexLagMs: rarely(one(1_000, 60_000), 0),
	}),
	allowedDomains: one(undefined, ['example.com']),
	named: fc.boolean(),
});

function directoryOf({ people, organizations, allowedDomains }) {
	const places = ORGANIZATIONS.slice(0, organizations);
	const isRefusing = (id) => id === 'org-2' && allowedDomains !== undefined;
	return {
		foreignUsers: FOREIGN,
		organizations: places.map((id) => ({
			id,
			name: id,
			...(isRefusing(id) && { allowedDomains }),
		})),
		users: people.map(({ active }, index) => ({ userName: emailOf(index), active })),
		renamed: people.flatMap(({ isRenamed }, index) =>
			isRenamed ? [userIdOf(emailOf(index))] : [],
		),
		memberships: people.flatMap(({ roles }, index) =>
			places.flatMap((organization, at) =>
				roles[at] !== '' ? [{ userName: emailOf(index), organization, role: roles[at] }] : [],
			),
		),
	};
}

const index = often(fc.nat(3), fc.nat(MOST_PEOPLE - 1), 4);
const email = often(
	fc.oneof(
		{ weight: 4, arbitrary: index.map(emailOf) },
		{ weight: 1, arbitrary: index.map((number) => emailOf(number).toUpperCase()) },
		{ weight: 2, arbitrary: fc.nat(2).map(newEmailOf) },
		{ weight: 1, arbitrary: one(...FOREIGN) },
	),
	weird,
);
const userId = often(
	fc.oneof(
		{ weight: 8, arbitrary: index.map((number) => userIdOf(emailOf(number))) },
		{ weight: 1, arbitrary: one(...FOREIGN.map(userIdOf), ...MISTYPED) },
	),
	weird,
);
const person = fc.oneof(email, userId);
const organization = often(
	one('org-2', 'org-2', 'org-3', 'org-account'),
	fc.oneof(one('Marketing', 'org-9'), weird),
);
const role = often(one(...ROLES), weird, 20);
const locator = (value, ...modes) =>
	fc.oneof(
		{ weight: 8, arbitrary: fc.record({ __rl: fc.constant(true), mode: one(...modes), value }) },
		{ weight: 1, arbitrary: value },
	);
const user = fc.oneof(locator(userId, 'id', 'list'), userIdLocatorByMail());
function userIdLocatorByMail() {
	return email.map((value) => ({ __rl: true, mode: 'email', value }));
}
/** Lists in which an entry is missing, as an array and as text. */
const withHole = (value) =>
	fc.oneof(
		fc
			.tuple(fc.array(value, { maxLength: 3 }), one('', ' ', null, {}, []), fc.nat(3))
			.map(([entries, hole, at]) => entries.toSpliced(at, 0, hole)),
		fc
			.tuple(fc.array(value, { minLength: 1, maxLength: 3 }), one(',,', ', ;', ',\n,'), value)
			.map(([entries, separator, last]) => joined(entries) + separator + joined([last])),
	);
const people = fc.oneof(
	{ weight: 12, arbitrary: fc.array(person, { minLength: 1, maxLength: 5 }).map(joined) },
	{ weight: 3, arbitrary: fc.array(person, { maxLength: 5 }) },
	{ weight: 3, arbitrary: person },
	{ weight: 1, arbitrary: withHole(person) },
);
function joined(entries) {
	return entries
		.map((entry) => (typeof entry === 'object' ? JSON.stringify(entry) : String(entry)))
		.join(', ');
}
const group = often(
	fc
		.tuple(one('', 'whylabs-'), one('org-2', 'org-3', 'org-account'), one(...ROLES))
		.map(([prefix, place, what]) => `${prefix}${place}:${what}`),
	fc.oneof(one('org-2', 'group-1', 'org-9:admin'), weird),
);
/** Groups as rows: names, IDs and patterns, now and then with a list among them. */
const groupText = often(
	fc.oneof(group, one('org-2:*', '*', 'ORG-2:ADMIN', 'Marketing', 'org-9:admin')),
	fc.oneof(weird, fc.array(group, { maxLength: 2 })),
	12,
);
const groupRows = often(
	fc.record({
		group: fc.array(fc.record({ group: groupText }), { maxLength: 4 }),
	}),
	fc.oneof(weird, one({ group: [null, {}, 7] }, { group: 'org-2:admin' })),
	12,
);
const json = (value) =>
	fc.oneof(
		value,
		value.map((given) => JSON.stringify(given) ?? 'null'),
	);
const assignments = often(fc.array(fc.record({ organization, role }), { maxLength: 3 }), weird, 6);
const groupAssignments = fc.array(
	fc.oneof(groupText, fc.record({ group: groupText }), fc.record({ groupId: group })),
	{ maxLength: 3 },
);
const attributes = often(
	one('{}', '{"title":"Engineer"}', `{"password":"${PASSWORD}"}`),
	one(
		'{"title":"Engineer"}',
		`{"password":"${PASSWORD}","title":"x"}`,
		`{"urn:example:2.0:User":{"badge":"B-17"},"name":{"familyName":"Silva"}}`,
		'{"groups":[{"value":"org-2:admin"}],"id":"x","schemas":[]}',
		'{"__proto__":{"polluted":true}}',
		'{"constructor":{"prototype":{"polluted":true}},"toString":1}',
		'{"active":"no"}',
		'{"active":"false","nickName":null}',
		'{"emails":[{"value":"x@example.com"},null,7]}',
		'[]',
		'{',
		'',
		null,
	),
	5,
);
/** Attributes in the editor's mapper, or as a file or an agent gives them. */
const mapper = often(
	fc.record({
		mappingMode: fc.constant('defineBelow'),
		value: often(
			fc.record(
				{
					displayName: text,
					externalId: text,
					'name.givenName': text,
					[`${ENTERPRISE}:manager.value`]: text,
					emails: often(one([{ value: 'x@example.com' }], '[{"value":"x@example.com"}]'), weird),
					active: weird,
					groups: weird,
				},
				{ requiredKeys: [] },
			),
			weird,
		),
	}),
	weird,
);
const rows = often(
	fc.array(
		fc.record(
			{ email: person, organization, role, attributes: one({}, { title: 'x' }, 7, null) },
			{ requiredKeys: ['email', 'organization', 'role'] },
		),
		{ maxLength: 6 },
	),
	weird,
	8,
);
/** Rows of groups, one person key each, or not. */
const groupRow = fc.record(
	{
		person,
		email: person,
		id: userId,
		userName: email,
		group: groupText,
		groupId: group,
		title: text,
	},
	{ requiredKeys: ['group'] },
);
const wantedRows = fc.oneof(
	rows,
	fc.array(fc.oneof(groupRow, fc.record({ person, group: groupText })), { maxLength: 6 }),
);
/** Rows of people with attributes, as HR may give them. */
const personRow = fc.record(
	{
		userName: email,
		email,
		externalId: often(one('HR-1', 'HR-2', 17), weird),
		id: userId,
		title: often(one('Engineer', null), weird),
		active: often(one(true, false), weird),
		'name.givenName': often(one('Ana', null), text),
		emails: one([{ value: 'a@example.com' }], [], null),
		roles: one([], ['x']),
	},
	{ requiredKeys: ['userName'] },
);
const change = fc.record(
	{
		kind: often(
			one('create', 'activate', 'add', 'move', 'revoke', 'deactivate', 'unwanted'),
			weird,
		),
		person: fc.record(
			{ id: index.map((number) => userIdOf(emailOf(number))), userName: index.map(emailOf) },
			{ requiredKeys: ['id'] },
		),
		organization: one('org-2', 'org-3'),
		before: one(null, ...ROLES),
		after: one(null, ...ROLES),
	},
	{ requiredKeys: ['kind', 'person', 'organization', 'before', 'after'] },
);
const plan = often(
	fc.record({
		changes: fc.array(change, { maxLength: 4 }),
		baseUrl: rarely(weird, BASES.scim),
		plannedAt: rarely(weird, '2026-11-21T00:00:00.000Z'),
		blockedBy: rarely(weird, []),
		scope: rarely(weird, { organizations: ['org-2', 'org-3'], roles: ROLES }),
		reactivate: fc.boolean(),
	}),
	weird,
);

/** Stands for what Reconcile says of such a list in Preview. */
const planned = fc.record({
	wantedOf: fc.array(
		fc.record({
			email: fc.oneof(index.map(emailOf), index.map(emailOf), fc.nat(2).map(newEmailOf)),
			organization: one('org-2', 'org-3'),
			role: one(...ROLES),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	asText: fc.boolean(),
});

const EMAILS = fc.record({
	email: fc.array(
		fc.record({ value: email, primary: fc.boolean(), type: one('home', 'work', 'other') }),
		{ maxLength: 2 },
	),
});

const seed = defaultSeed();
const CONFIGURATIONS = seed.configurations
	.filter(({ organization: own }) => own === ORGANIZATION)
	.map(({ model, document }) => ({ model, text: stringifyExact(document) }));
const MODELS = ['model-1', 'model-2', 'model-3'];
const MONITORS = CONFIGURATIONS.flatMap(({ text: document }) =>
	JSON.parse(document).monitors.map(({ id }) => id),
);
const actionId = often(
	one('oncall-pager', 'marketing-chat', 'marketing-mail', 'old-hook', 'email'),
	fc.oneof(one('new-action', 'nothing'), weird),
);
const newActionId = often(one('marketing-chat', 'old-hook', 'new-1', 'new-2'), weird);
const model = often(one(...MODELS), fc.oneof(one('model-9'), weird));
const monitor = often(one(...MONITORS.slice(0, 4), ...MONITORS.slice(-3)), weird);
const listOf = (value) =>
	fc.oneof(
		{ weight: 4, arbitrary: fc.array(value, { maxLength: 3 }) },
		{ weight: 4, arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }).map(joined) },
		{ weight: 1, arbitrary: withHole(value) },
	);

/** The document of a model, changed here and there. */
const configuration = fc
	.record({
		of: one(...CONFIGURATIONS.map((entry) => entry.text)),
		dropped: fc.nat(3),
		way: one('same', 'same', 'renamed', 'flag', 'empty', 'newMonitor', 'noLists', 'odd'),
		asText: fc.boolean(),
	})
	.map(({ of, dropped, way, asText }) => {
		const document = JSON.parse(of);
		document.monitors.splice(0, dropped);
		const [first] = document.monitors;
		if (way === 'renamed' && first) first.displayName = 'Another name';
		if (way === 'flag') document.allowPartialTargetBatches = false;
		if (way === 'empty') Object.assign(document, { monitors: [], analyzers: [] });
		if (way === 'noLists') delete document.analyzers;
		if (way === 'newMonitor') {
			// A display name belongs to one monitor.
			const { displayName, ...rest } = first ?? {};
			document.monitors.push({ ...rest, id: 'a-monitor-that-is-new' });
		}
		if (way === 'odd') document.monitors.push(null, 7, { id: 7 }, { ...first });
		return asText ? JSON.stringify(document) : document;
	});

const url = often(
	one(`https://hooks.example.com/T0/${HOOK}`, `https://hooks.example.com:8443/${HOOK}?key=${HOOK}`),
	fc.oneof(one(`http://hooks.example.com/${HOOK}`, `ftp://${HOOK}`, `https://${HOOK} x`), weird),
);

/** A locator in a row, also with what an expression gave in it. */
const inRow = (value, list) => locator(fc.oneof(value, json(list)), 'id', 'list', 'name');
const groupLocatorRows = fc.record({
	group: fc.array(fc.record({ group: inRow(group, groupAssignments) }), { maxLength: 3 }),
});
const roleRows = fc.record({
	role: fc.array(fc.record({ organization: inRow(organization, assignments), role }), {
		maxLength: 3,
	}),
});

/** By name of the field: what makes sense there. */
const FIELDS = {
	user,
	userName: email,
	newEmail: email,
	people,
	organization: locator(organization, 'id', 'list', 'name'),
	role,
	roleHeld: one('any', ...ROLES),
	group: locator(group, 'id', 'list', 'name'),
	groups: fc.oneof(groupLocatorRows, groupRows, json(groupAssignments)),
	roles: fc.oneof(roleRows, json(assignments)),
	accessBy: one('organizationAndRole', 'organizationAndRole', 'group'),
	managedGroups: groupRows,
	keepMembershipsIn: groupRows,
	ignoreGroups: groupRows,
	scopeGroups: groupRows,
	person,
	wantedOrganization: organization,
	wantedRole: role,
	wantedJson: json(wantedRows),
	usersJson: json(often(fc.array(personRow, { maxLength: 6 }), weird, 8)),
	scopeUserNames: often(one('*', 'p1@*', '*@example.com, *@partner.test'), weird),
	scopeOrganizations: often(one('org-2', 'org-2, org-3', 'org-account,org-2,org-3'), weird),
	scopeRoles: fc.subarray(ROLES, { minLength: 1 }),
	// An answer to a form comes from its plan: most plans are applied as a whole.
	changes: often(fc.constant('all'), one('approved', 'none'), 5),
	approvedChanges: json(one({}, { data: {} }, { approvalOf: 'x' }, [])),
	plan: fc.oneof({ weight: 3, arbitrary: planned }, { weight: 2, arbitrary: json(plan) }),
	attributesJson: attributes,
	emails: EMAILS,
	active: rarely(one(false, 'false', 'no', null), true),
	managerId: userId,
	filter: often(one('', 'userName eq "p1@example.com"', 'active eq true'), weird),
	attributes: one('', 'userName', 'id,userName'),
	excludedAttributes: one('', 'members'),
	protectedUsers: one(
		'',
		'',
		'',
		'p1@example.com',
		userIdOf(emailOf(2)),
		'*@elsewhere.test',
		'*',
		',;*',
	),
	action: locator(actionId, 'id', 'list'),
	replaceBy: locator(actionId, 'id', 'list'),
	actionId: newActionId,
	actionIds: listOf(actionId),
	model: locator(model, 'id', 'list'),
	modelIds: listOf(model),
	monitor: locator(monitor, 'id', 'list'),
	monitorIds: listOf(monitor),
	namePattern: often(one('*', '*drift*', 'missing*'), weird),
	severities: fc.oneof(fc.subarray([1, 2, 3, 4], { minLength: 1 }), weird),
	tags: often(one('churn', 'CHURN,volume', 'volume'), weird),
	configuration: often(configuration, weird),
	email: email,
	webhookUrl: url,
	url,
	serviceKey: often(one(PAGER), weird),
	headers: fc.record({
		header: fc.array(
			fc.record({
				name: often(one('X-Key', 'Authorization'), weird),
				value: one(HEADER, '', `Bearer ${HEADER}`),
			}),
			{ maxLength: 2 },
		),
	}),
	body: one('', `{"key":"${HEADER}"}`, 'plain'),
	otherKind: often(one('SLACK', 'TEAMS', 'NEWKIND'), weird),
	payload: often(
		one(`{"slackWebhook":"https://hooks.example.com/${HOOK}"}`, {
			webhook: `https://x.test/${HOOK}`,
		}),
		weird,
	),
	organizationId: rarely(weird, ''),
	preview: rarely(fc.constant(true), false),
	createMissing: fc.boolean(),
	allowRemovingLastAdmin: rarely(fc.constant(false), true),
	maxPeopleAffected: rarely(fc.integer({ min: -1, max: 2 }), 50),
	maxPercentAffected: rarely(fc.integer({ min: -1, max: 101 }), 100),
	maxRemovals: rarely(fc.integer({ min: -1, max: 3 }), 50),
	maxCreates: rarely(fc.integer({ min: -1, max: 1 }), 50),
	maxAge: rarely(weird, 24),
	organizations: often(one('', '', '', 'org-2', 'Marketing', 'org-2, org-3', 'org-9'), weird),
	confirmAfter: rarely(weird, 10),
	startIndex: rarely(weird, 1),
	limit: rarely(weird, 7),
	severity: one(1, 2, 'x'),
};

/**
 * What somebody else does while the run is under way: after some request, or some of a name, or some that was not
 * answered well.
 */
const others = fc.oneof(
	{ weight: 1, arbitrary: fc.constant([]) },
	{
		weight: 1,
		arbitrary: fc.array(
			fc.record({
				after: one('requests', 'refusals', 'refusals', ...NAMED),
				at: often(fc.nat(1), fc.integer({ min: 2, max: 14 }), 2),
				lateMs: one(0, 0, 6_000),
				id: fc.nat(3).map((number) => userIdOf(emailOf(number))),
				organization: rarely(fc.constant('org-3'), 'org-2'),
				role: one('', ...ROLES),
				kind: rarely(one('activate', 'deactivate'), 'role'),
			}),
			{ minLength: 1, maxLength: 4 },
		),
	},
);

/** Small limits on every run, so that whatever the service does comes to them soon. */
const constants = fc.record({
	MAX_ANSWER_MB: fc.constant(1),
	MAX_PAGES_PER_LIST: fc.integer({ min: 2, max: 20 }),
	MAX_RESOURCES_PER_LIST: often(fc.constant(200), fc.integer({ min: 1, max: 10 })),
});

/** Small pages, so that a few people are many, and larger ones that are tried. */
const pageSizes = fc.record({
	FIRST_PAGE: fc.integer({ min: 2, max: 30 }),
	LARGE_PAGE: fc.integer({ min: 2, max: 60 }),
});

/** Likewise those that are set. */
const LIMITS = {
	maxWait: fc.integer({ min: 0, max: 3 }),
	timeout: fc.constant(1),
	verifyTime: fc.integer({ min: 0, max: 2 }),
};

/** A value for a field, by its name, else by its type. */
function valueOf(field) {
	const { name, type, options = [] } = field;
	if (name === 'requests') return requestsOf(options);
	if (type === 'collection') return collectionOf(options);
	if (type === 'resourceMapper') return mapper;
	const known = FIELDS[name] ?? LIMITS[name];
	if (known !== undefined) return known;
	if (type === 'options') return often(one(...options.map(({ value }) => value)), weird, 30);
	if (type === 'multiOptions') return fc.subarray(options.map(({ value }) => value));
	if (type === 'boolean') return fc.boolean();
	if (type === 'number') return often(fc.integer({ min: 1, max: 20 }), weird);
	return text;
}

/** What is always set, so that few runs end at a guard, or never. */
const SET = /^max|LastAdmin/;

function collectionOf(options) {
	const distinct = [...new Map(options.map((option) => [option.name, option])).values()];
	return fc.record(Object.fromEntries(distinct.map((option) => [option.name, valueOf(option)])), {
		requiredKeys: distinct.filter(({ name }) => SET.test(name)).map(({ name }) => name),
	});
}

function requestsOf(settings) {
	// n8n holds numbers within their bounds; an agent or a file may not.
	const bad = rarely(one({}, {}, { maxWait: -1 }, { timeout: 'x' }), {});
	return fc
		.tuple(fc.record(Object.fromEntries(settings.map((one) => [one.name, valueOf(one)]))), bad)
		.map((parts) => Object.assign({}, ...parts));
}

/** An item that nothing but the service can stop. */
const meant = (item, values) => ({
	...item,
	...Object.fromEntries(Object.entries(values).filter(([name]) => name in item)),
	...('preview' in item && { preview: false }),
	options: {
		...item.options,
		replaceWith: values.replaceWith,
		allowEmptying: true,
		allowRemovingLastAdmin: true,
		allowEmptyOrganizations: true,
		maxPercentAffected: 100,
		maxPeopleAffected: 50,
		maxRemovals: 50,
		protectedUsers: '',
	},
});

const IN_ORG_2 = { __rl: true, mode: 'id', value: 'org-2' };
const groupOf = (role) => ({
	chooseGroupBy: 'id',
	group: { __rl: true, mode: 'id', value: `org-2:${role}` },
});

/** Several people of one organization at once. */
const several = fc
	.record({
		people: fc.subarray([0, 1, 2, 3, 4].map(emailOf), { minLength: 1 }),
		role: one(...ROLES),
		roleHeld: one('any', ...ROLES),
		revokeIn: one('one', 'all'),
		replaceWith: one('wholeList', 'difference'),
	})
	.map(({ role, people, ...values }) => ({
		...values,
		...groupOf(role),
		people,
		role,
		organization: IN_ORG_2,
		roles: { role: [{ organization: IN_ORG_2, role }] },
		groups: { group: [groupOf(role)] },
		preview: false,
		wantedFrom: 'json',
		wantedJson: people.map((person) => ({ email: person, organization: 'org-2', role })),
		scopeOrganizations: 'org-2',
		scopeRoles: ROLES,
		unwanted: 'revoke',
	}));

/** A whole list of people, nobody of whom is unusable. */
const wholeList = fc
	.record({
		people: fc.subarray([0, 1, 2, 3, 4].map(emailOf), { minLength: 1 }),
		title: one('Engineer', null),
		absentUsers: one('leave', 'report', 'deactivate', 'deactivate'),
		scopeBy: one('groups', 'userNames'),
	})
	.map(({ people, title, ...values }) => ({
		...values,
		preview: false,
		...matchOn('userName'),
		usersFrom: 'json',
		usersJson: people.map((userName) => ({ userName, title })),
		scopeGroups: { group: ROLES.map((role) => ({ group: `org-2:${role}` })) },
		scopeUserNames: '*',
	}));

/** Two whole lists of one organization, as of a plan that moves people from one to the other, and both ways. */
const twoLists = fc
	.record({
		roles: fc.shuffledSubarray(ROLES, { minLength: 2, maxLength: 2 }),
		places: fc.array(fc.nat(2), { minLength: 5, maxLength: 5 }),
		last: rarely(one(...FOREIGN, ...MISTYPED, newEmailOf(0)), undefined),
		replaceWith: one('wholeList', 'wholeList', 'difference'),
	})
	.map(({ roles, places, last, replaceWith }) =>
		roles.map((role, list) => ({
			...groupOf(role),
			people: [
				...places.flatMap((place, at) => (place === list ? [emailOf(at)] : [])),
				...(list === 0 && last !== undefined ? [last] : []),
			],
			replaceWith,
		})),
	);

/** Every resource and operation of both nodes, and the list searches of the editor. */
function everyOperation() {
	return Object.entries(NODES)
		.flatMap(([node, { description, methods }]) => {
			const { properties } = description;
			const operations = properties
				.filter(({ name }) => name === 'operation')
				.flatMap(({ options, displayOptions }) =>
					displayOptions.show.resource.flatMap((resource) =>
						options.map(({ value }) => ({ node, resource, operation: value })),
					),
				);
			const searches = Object.keys(methods.listSearch).map((operation) => ({
				node,
				resource: 'search',
				operation,
			}));
			return [...operations, ...searches];
		})
		.concat(POLL);
}

/** The polls of the trigger. */
const POLL = { node: 'scim', resource: 'trigger', operation: 'poll' };

const fieldsOf = ({ node, resource, operation }) =>
	NODES[node].description.properties.filter(
		({ displayOptions, isNodeSetting }) =>
			isNodeSetting ||
			(displayOptions?.show?.resource?.includes(resource) &&
				displayOptions.show.operation?.includes(operation)),
	);

const itemOf = (given) =>
	fc
		.record(Object.fromEntries(fieldsOf(given).map((field) => [field.name, valueOf(field)])))
		.map((values) => ({ resource: given.resource, operation: given.operation, ...values }));

/** A second run of ours at the same time, now and then, of groups where they stand for themselves. */
const second = fc.oneof(
	{ weight: 8, arbitrary: fc.constant(undefined) },
	...['assign', 'set', 'revoke', 'offboard'].map((operation) => ({
		weight: 1,
		arbitrary: fc
			.tuple(several, one('organizationAndRole', 'organizationAndRole', 'group'))
			.map(([values, accessBy]) => {
				const item = {
					resource: 'access',
					operation,
					...defaultsOf('access', operation),
					accessBy,
				};
				const options = { maxCreates: 50, maxWait: 1, verifyTime: 0 };
				return meant({ ...item, options }, values);
			}),
	})),
);

/** The parameters of the items of a run. */
function itemsOf({ node, resource, operation }) {
	if (operation === 'poll') return fc.constant([{}]);
	if (resource === 'search') {
		const options = fc.record({ organizationId: rarely(weird, '') });
		return fc
			.record({
				filter: one(undefined, '', 'p1@example.com', 'org', '\ud800', '*'),
				token: one(undefined, undefined, '1', '2', '-1', 'x', '1e9'),
				resource: one('action', 'monitor'),
				models: one('one', 'ids', 'all'),
				model: FIELDS.model,
				modelIds: FIELDS.modelIds,
				options,
			})
			.map((item) => [item]);
	}
	const fields = fieldsOf({ node, resource, operation });
	const own = itemOf({ node, resource, operation });
	const item =
		operation === 'reconcile'
			? fc
					.tuple(own, resource === 'user' ? personRow : groupRow)
					.map(([values, json]) => ({ ...values, json }))
			: own;
	const items = fc.array(item, { minLength: 1, maxLength: 3 });
	if (resource === 'user' && operation === 'reconcile')
		return fc.oneof(
			items,
			fc.tuple(item, wholeList).map(([one, values]) => [meant(one, values)]),
		);
	if (!fields.some(({ name }) => name === 'people' || name === 'wantedJson')) return items;
	const alone = fc.tuple(item, several).map(([own, values]) => [meant(own, values)]);
	const two = fc
		.tuple(fc.tuple(item, item), twoLists)
		.map(([both, lists]) => both.map((own, at) => meant(own, lists[at])));
	return fc.oneof(items, alone, operation === 'setMembers' ? two : items);
}

const base = (node) => rarely(one(`${BASES[node]}/`, `${BASES[node]}//`), BASES[node]);

/** Credentials that cannot be used are tried too, now and then. */
const badCredential = often(
	fc.constant({}),
	one(
		{ baseUrl: '' },
		{ baseUrl: 'ftp://scim.test' },
		{ baseUrl: 'http://u:p@scim.test' },
		{ accountApiToken: 'a b', apiKey: 'a\nb' },
		{ groupsStandFor: 'organizationAndRole', groupPattern: '{role}{organization}' },
		{ membersPerRequest: -1, overrideProfile: true },
		{ organizationNames: { organization: [null, 7, { name: {}, id: [] }] } },
		{ organizationId: '../..' },
	),
);

const EMAILS_OF_ALL = [0, 1, 2, 3].map(emailOf).concat(newEmailOf(0));

/** Everything that a run takes. */
function cases(given, script) {
	return fc.record({
		given: fc.constant(given),
		items: itemsOf(given),
		continueOnFail: rarely(fc.constant(false), true),
		baseUrl: base(given.node),
		badCredential,
		membersPerRequest: one(1, 2, 100),
		account,
		alerting: fc.record({ documentedOnly: rarely(fc.constant(true), false), merges: fc.boolean() }),
		script,
		others,
		second: given.node === 'scim' ? second : fc.constant(undefined),
		...(given.operation === 'poll' && {
			watch: polls({ emails: EMAILS_OF_ALL, script, others, valueOf }),
		}),
		...{ constants, pageSizes },
	});
}

module.exports = {
	BASES,
	CONFIGURATIONS,
	FOREIGN,
	GIVEN_SECRETS,
	MISTYPED,
	ORGANIZATIONS,
	PROFILES,
	cases,
	directoryOf,
	everyOperation,
};
