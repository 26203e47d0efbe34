'use strict';

// Parameters for every operation of both nodes, made from the nodes' own descriptions: mostly sensible for the service
// at hand, now and then nonsense.

const fc = require('fast-check');
const { defaultSeed } = require('../../../demo/service/state/seed');
const { stringifyExact } = require('../../../demo/service/exactJson');
const { DIALECTS } = require('../../../demo/service/scim/dialects');
const { ORGANIZATION } = require('../../support/alertingInMemory');
const { matchOn } = require('../../support/columns');
const { ROLES, userIdOf } = require('../../support/memoryService');
const { defaultsOf, locator } = require('../../support/modelGroupsPlay');
const { shownFor } = require('../../support/shownFor');
const { ODDITIES } = require('../../world/hazards');
const { KINDS } = require('../../world/kinds');
const { listOf, number, often, one, rarely, weighted, words } = require('./choices');
const { NODES } = require('./runOnWorld');
const { polls } = require('./watching');

const BASES = { scim: 'http://scim.test', alerting: 'http://scim.test/api' };
const MOST_PEOPLE = 8;
/** Users of another account, found by filter only. */
const FOREIGN = ['other0@example.com', 'other1@example.com'];
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

/** One of them has an email domain that not every organization takes. */
const emailOf = (index) => `p${index}@${index === 2 ? 'partner.test' : 'example.com'}`;
const newEmailOf = (index) => `new${index}@example.com`;
const idOf = (index) => userIdOf(emailOf(index));

/** Requests after which another client acts, as `METHOD Type`. */
const NAMED = ['GET', 'POST', 'PATCH', 'PUT'].flatMap((method) => [
	`${method} Users`,
	`${method} Groups`,
]);

/** What an expression may give where a text is expected. */
const weird = one(
	...['', ' ', null, 0, -1, 1.5, true, [], {}, [null], ['a', 'b'], { a: { b: 1 } }],
	...['x\r\nHost: elsewhere.test', '\ud800', 'a'.repeat(5000), ',;\n,'],
	...words(
		'__proto__ constructor .. . ../../etc/passwd a/b?c=d#e %2e%2e a"b\\c ünï@example.com " {"a": [] {}',
		'{"__proto__":{"polluted":true}} [{"organization":null,"role":{}}] * @ a@b http://elsewhere.test/',
	),
);
/** One of these, and now and then nonsense. */
const mostly = (...values) => often(one(...values), weird);

const text = mostly('Ana', 'Ünal Ödük', 'x', 'Team "A"', '17');

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** What the generic service says of itself. */
const discovery = {
	ServiceProviderConfig: {
		schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
		...{ patch: { supported: true }, bulk: { supported: false }, etag: { supported: false } },
		filter: { supported: true, maxResults: 100 },
	},
	ResourceTypes: { totalResults: 1, Resources: [{ id: 'User', endpoint: '/Users' }] },
	Schemas: { totalResults: 1, Resources: [{ id: 'urn:ietf:params:scim:schemas:core:2.0:User' }] },
};
const PLAIN = {
	credential: { serviceProfile: 'generic', overrideProfile: true, deletionIsFinal: 'no' },
	switches: { unknownMembers: 'refusedAfter', discovery },
};
const { groupsStandFor, groupPattern } = KINDS.genericOneRole.credential;
/** An account: its ways, and the credential that says so. */
const PROFILES = {
	account: KINDS.account,
	generic: { ...PLAIN, credential: { ...PLAIN.credential, groupsStandFor, groupPattern } },
	plain: PLAIN,
};
/** Services that differ most in their lists, their groups and in what becomes of who goes. */
for (const name of ['aws', 'slack', 'github', 'databricks', 'sentry', 'activepieces']) {
	const { preset, switches } = DIALECTS[name];
	// The limit of requests is kept by the server, which there is none of here.
	const { rateLimit, ...own } = switches;
	PROFILES[name] = { credential: { serviceProfile: preset }, switches: own };
}
/** How often each is played. */
const WEIGHTS = { account: 8, generic: 4, plain: 2 };
const profile = weighted(
	...Object.keys(PROFILES).map((name) => [WEIGHTS[name] ?? 1, fc.constant(name)]),
);
/** Whether groups stand for roles. */
const hasRoles = (name) => name === 'account' || name === 'generic';
const hasOwnGroups = profile.filter((name) => !hasRoles(name));

/** One odd way of answering, now and then; what takes others to be there, or a fault of the wire, is left out. */
const oddity = often(
	fc.constant({}),
	fc.oneof(
		...Object.values(ODDITIES)
			.filter(({ change }) => change === undefined)
			.map(({ switches }) => switches.map(({ faults, ...ways }) => ways)),
	),
	2,
);

const account = {
	people: listOf(
		fc.record({
			active: often(fc.constant(true), fc.constant(false), 4),
			isRenamed: rarely(fc.constant(true), false),
			roles: listOf(one('', ...ROLES), 3, 3),
		}),
		MOST_PEOPLE,
		4,
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
};

function directoryOf({ profile, people, organizations, allowedDomains }) {
	const places = ORGANIZATIONS.slice(0, organizations);
	const isRefusing = (id) => id === 'org-2' && allowedDomains !== undefined;
	return {
		foreignUsers: FOREIGN,
		// Where all groups could be roles, none is taken for a group.
		groups: hasRoles(profile)
			? []
			: [{ id: 'all', members: people.map((_, index) => idOf(index)) }],
		organizations: places.map((id) => ({
			...{ id, name: id },
			...(isRefusing(id) && { allowedDomains }),
		})),
		users: people.map(({ active }, index) => ({ userName: emailOf(index), active })),
		renamed: people.flatMap(({ isRenamed }, index) => (isRenamed ? [idOf(index)] : [])),
		memberships: people.flatMap(({ roles }, index) =>
			places.flatMap((organization, at) =>
				roles[at] !== '' ? [{ userName: emailOf(index), organization, role: roles[at] }] : [],
			),
		),
	};
}

const index = often(fc.nat(3), fc.nat(MOST_PEOPLE - 1), 4);
const email = often(
	weighted(
		[4, index.map(emailOf)],
		[1, index.map((number) => emailOf(number).toUpperCase())],
		[2, fc.nat(2).map(newEmailOf)],
		[1, one(...FOREIGN)],
	),
	weird,
);
const userId = often(
	weighted([8, index.map(idOf)], [1, one(...FOREIGN.map(userIdOf), ...MISTYPED)]),
	weird,
);
const person = fc.oneof(email, userId);
const organization = often(
	one('org-2', 'org-2', 'org-3', 'org-account'),
	fc.oneof(one('Marketing', 'org-9'), weird),
);
const role = often(one(...ROLES), weird, 20);
function joined(entries) {
	return entries
		.map((entry) => (typeof entry === 'object' ? JSON.stringify(entry) : String(entry)))
		.join(', ');
}
/** Lists in which an entry is missing, as an array and as text. */
const withHole = (value) =>
	fc.oneof(
		fc
			.tuple(listOf(value), one('', ' ', null, {}, []), fc.nat(3))
			.map(([entries, hole, at]) => entries.toSpliced(at, 0, hole)),
		fc
			.tuple(listOf(value, 3, 1), one(',,', ', ;', ',\n,'), value)
			.map(([entries, separator, last]) => joined(entries) + separator + joined([last])),
	);
/** A list as an array, as text, and with a hole. */
const list = (value, most = 3) =>
	weighted(
		[6, listOf(value, most, 1).map(joined)],
		[3, listOf(value, most)],
		[1, value],
		[1, withHole(value)],
	);
const group = often(
	fc
		.tuple(one('', 'whylabs-'), one('org-2', 'org-3', 'org-account'), one(...ROLES))
		.map(([prefix, place, what]) => `${prefix}${place}:${what}`),
	fc.oneof(one('org-2', 'group-1', 'org-9:admin'), weird),
);
/** Groups as a row may name them: names, IDs and patterns, now and then a list. */
const groupText = often(
	fc.oneof(group, one('org-2:*', '*', 'ORG-2:ADMIN', 'Marketing', 'org-9:admin')),
	fc.oneof(weird, listOf(group, 2)),
	12,
);
const json = (value) =>
	fc.oneof(
		value,
		value.map((given) => JSON.stringify(given) ?? 'null'),
	);
/** Lists as an expression in a row gives them. */
const organizations = often(listOf(fc.record({ organization, role })), weird, 6);
const groups = listOf(
	fc.oneof(groupText, fc.record({ group: groupText }), fc.record({ groupId: group })),
);
const LISTS = { organization: organizations, group: groups };

/** Attributes in the editor's mapper, or as a file or an agent gives them. */
const EMAILS = [{ value: 'x@example.com' }];
const mapper = often(
	fc.record({
		mappingMode: fc.constant('defineBelow'),
		value: often(
			fc.record(
				{
					...{
						displayName: text,
						externalId: text,
						'name.givenName': text,
						'name.familyName': text,
					},
					[`${ENTERPRISE}:manager.value`]: text,
					...{
						emails: mostly(EMAILS, JSON.stringify(EMAILS)),
						active: often(fc.boolean(), weird, 4),
						groups: rarely(weird, undefined),
					},
				},
				{ requiredKeys: [] },
			),
			weird,
		),
	}),
	weird,
);
/** Rows as HR may give them: of roles, of groups, one person key each or not, and of people with attributes. */
const roleRow = fc.record(
	{ email: person, organization, role, attributes: one({}, { title: 'x' }, 7, null) },
	{ requiredKeys: ['email', 'organization', 'role'] },
);
const groupRow = fc.record(
	{
		...{ person, email: person, id: userId, userName: email },
		...{ group: groupText, groupId: group, title: text },
	},
	{ requiredKeys: ['group'] },
);
const personRow = fc.record(
	{
		...{ userName: email, email, id: userId },
		...{ externalId: mostly('HR-1', 'HR-2', 17), title: mostly('Engineer', null) },
		...{ active: mostly(true, false), 'name.givenName': often(one('Ana', null), text) },
		...{ emails: one(EMAILS, [], null), roles: one([], ['x']) },
	},
	{ requiredKeys: ['userName'] },
);
const rowsOf = (row) => often(listOf(row, 6), weird, 8);

const spoilt = rarely(fc.record({ a: number, b: number, c: number }), undefined);
/** Stands for what Reconcile says of such a list in Preview; `spoilt` where its text is changed. */
const plan = fc.record({
	wantedOf: listOf(
		fc.record({
			email: weighted([2, index.map(emailOf)], [1, fc.nat(2).map(newEmailOf)]),
			organization: one('org-2', 'org-3'),
			role: one(...ROLES),
		}),
		6,
		1,
	),
	asText: fc.boolean(),
	spoilt,
});
const CONFIGURATIONS = defaultSeed()
	.configurations.filter(({ organization: own }) => own === ORGANIZATION)
	.map(({ document }) => stringifyExact(document));
const MONITORS = CONFIGURATIONS.flatMap((document) =>
	JSON.parse(document).monitors.map(({ id }) => id),
);
const actionId = often(
	one('oncall-pager', 'marketing-chat', 'marketing-mail', 'old-hook', 'email'),
	fc.oneof(one('new-action', 'nothing'), weird),
);
const model = often(one('model-1', 'model-2', 'model-3'), fc.oneof(one('model-9'), weird));
const monitor = mostly(...MONITORS.slice(0, 4), ...MONITORS.slice(-3));

/** The document of a model, changed here and there. */
const configuration = fc
	.record({
		of: one(...CONFIGURATIONS),
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

/** By name of the field, what makes sense there. Whether it stands in a locator or in rows says its type. */
const FIELDS = {
	...{ userName: email, newEmail: email, email, person, user: userId, managerId: userId },
	people: list(person, 5),
	...{ organization, group, 'group string': groupText },
	wantedJson: json(
		fc.oneof(
			rowsOf(roleRow),
			listOf(fc.oneof(groupRow, fc.record({ person, group: groupText })), 6),
		),
	),
	usersJson: json(rowsOf(personRow)),
	scopeUserNames: mostly('*', 'p1@*', '*@example.com, *@partner.test'),
	scopeOrganizations: mostly('org-2', 'org-2, org-3', 'org-account,org-2,org-3'),
	scopeRoles: fc.subarray(ROLES, { minLength: 1 }),
	approvedChanges: json(
		one(
			{},
			{ data: {} },
			{ approvalOf: 'x' },
			[],
			{ approved: true },
			{ data: { approved: false } },
		),
	),
	plan: often(plan, json(weird)),
	attributesJson: often(
		one('{}', '{"title":"Engineer"}', `{"password":"${PASSWORD}"}`),
		fc.oneof(
			one(
				`{"password":"${PASSWORD}","title":"x"}`,
				'{"urn:example:2.0:User":{"badge":"B-17"},"name":{"familyName":"Silva"}}',
				'{"groups":[{"value":"org-2:admin"}],"id":"x","schemas":[]}',
				'{"constructor":{"prototype":{"polluted":true}},"toString":1}',
				...['{"active":"no"}', '{"active":"false","nickName":null}'],
				'{"emails":[{"value":"x@example.com"},null,7]}',
			),
			weird,
		),
		5,
	),
	active: rarely(one(false, 'false', 'no', null), true),
	...{ attribute: mostly('entitlements', 'roles'), value: text, 'value email': email },
	filter: mostly('', 'userName eq "p1@example.com"', 'active eq true'),
	attributes: one('', 'userName', 'id,userName'),
	protectedUsers: mostly('', '', '', 'p1@example.com', '*@elsewhere.test', idOf(2)),
	...{
		startsOn: mostly('', '', 'title'),
		endsOn: mostly('', '', 'title'),
		hold: mostly('', 'title'),
	},
	...{ action: actionId, replaceBy: actionId, actionIds: list(actionId) },
	actionId: mostly('marketing-chat', 'old-hook', 'new-1', 'new-2'),
	...{ model, modelIds: list(model), monitor, monitorIds: list(monitor) },
	namePattern: mostly('*', '*drift*', 'missing*'),
	severities: fc.oneof(fc.subarray([1, 2, 3, 4], { minLength: 1 }), weird),
	severity: one(1, 2, 'x'),
	tags: mostly('churn', 'CHURN,volume', 'volume'),
	configuration: often(configuration, weird),
	...{ webhookUrl: url, url, serviceKey: mostly(PAGER) },
	...{
		name: mostly('X-Key', 'Authorization'),
		'value header': one(HEADER, '', `Bearer ${HEADER}`),
	},
	body: one('', `{"key":"${HEADER}"}`, 'plain'),
	otherKind: mostly('SLACK', 'TEAMS', 'NEWKIND'),
	payload: mostly(`{"slackWebhook":"https://hooks.example.com/${HOOK}"}`, {
		webhook: `https://x.test/${HOOK}`,
	}),
	organizationId: rarely(weird, ''),
	preview: rarely(fc.constant(true), false),
	allowRemovingLastAdmin: rarely(fc.constant(false), true),
	maxPeopleAffected: rarely(fc.integer({ min: -1, max: 2 }), 50),
	maxPercentAffected: rarely(fc.integer({ min: -1, max: 101 }), 100),
	maxRemovals: rarely(fc.integer({ min: -1, max: 3 }), 50),
	maxCreates: rarely(fc.integer({ min: -1, max: 1 }), 50),
	maxAge: rarely(weird, 24),
	organizations: mostly('', '', '', 'org-2', 'Marketing', 'org-2, org-3', 'org-9'),
	confirmAfter: rarely(weird, 10),
	startIndex: rarely(weird, 1),
	limit: rarely(weird, 7),
	// Small, so that whatever the service does comes to them soon.
	maxMemory: fc.constant(200),
	maxWait: fc.integer({ min: 0, max: 3 }),
	timeout: fc.constant(1),
	verifyTime: fc.integer({ min: 0, max: 2 }),
};

/**
 * What another client does during the run: after some request, one of a name, or one that failed.
 */
const others = fc.oneof(
	fc.constant([]),
	listOf(
		fc.record({
			after: one('requests', 'refusals', 'refusals', ...NAMED),
			at: often(fc.nat(1), fc.integer({ min: 2, max: 14 }), 2),
			lateMs: one(0, 0, 6_000),
			id: fc.nat(3).map(idOf),
			organization: rarely(fc.constant('org-3'), 'org-2'),
			role: one('', ...ROLES),
			kind: rarely(one('activate', 'deactivate'), 'role'),
		}),
		4,
		1,
	),
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

/** A value for a field, by its name and its type. @param row name of the rows that it stands in */
function valueOf(field, row) {
	const { name, type, options = [], modes } = field;
	if (name === 'requests') return requestsOf(options);
	if (type === 'collection') return collectionOf(field);
	if (type === 'fixedCollection') return tableOf(field);
	if (type === 'resourceMapper') return mapper;
	if (type === 'options')
		return often(one(field.default, ...options.map(({ value }) => value)), weird, 60);
	const known = FIELDS[`${name} ${row ?? type}`] ?? FIELDS[`${name} ${type}`] ?? FIELDS[name];
	if (modes !== undefined)
		return locatorOf(row ? fc.oneof(known, json(LISTS[name])) : known, modes);
	if (known !== undefined) return known;
	if (type === 'multiOptions') return fc.subarray(options.map(({ value }) => value));
	if (type === 'boolean') return fc.boolean();
	if (type === 'number') return often(fc.integer({ min: 1, max: 20 }), weird);
	return text;
}

const valuesOf = (fields, row) =>
	Object.fromEntries(fields.map((field) => [field.name, valueOf(field, row)]));

const locatorOf = (known, modes) =>
	weighted(
		...modes.map(({ name: mode }) => [
			3,
			(mode === 'email' ? email : known).map((value) => locator(mode, value)),
		]),
		[1, known],
	);

/** Rows, and now and then nonsense. */
function tableOf({ name, required, default: given, options: [{ name: row, values }] }) {
	const rows = listOf(fc.record(valuesOf(values, row)), 3, 1);
	const mayBeEmpty = required !== true && !(row in given);
	return weighted(
		[mayBeEmpty ? 24 : 0, fc.constant({})],
		[24, rows.map((entries) => ({ [row]: entries }))],
		[1, fc.oneof(weird, one({ [row]: [null, {}, 7] }, { [row]: 'org-2:admin' }))],
	);
}

/** What is always set, so that few runs end at a guard, or never. */
const SET = /^max|LastAdmin/;
/** What is seldom set, as most values of it end a run. */
const RARE = /^protectMembersOf$/;

/** A few of the options, or of names of columns the usual ones. */
function collectionOf({ name: collection, default: given, options }) {
	const absent = /Fields$/.test(collection) ? 1 : 4;
	const arbitraries = Object.entries(valuesOf(options)).map(([name, value]) => [
		name,
		SET.test(name) ? value : often(fc.constant(undefined), value, RARE.test(name) ? 40 : absent),
	]);
	const chosen = fc
		.record(Object.fromEntries(arbitraries))
		.map((all) => Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)));
	return Object.keys(given).length === 0 ? chosen : often(fc.constant(given), chosen, 9);
}

function requestsOf(settings) {
	// n8n holds numbers within their bounds; an agent or a file may not.
	const bad = often(fc.constant({}), one({ maxWait: -1 }, { timeout: 'x' }));
	return fc.tuple(fc.record(valuesOf(settings)), bad).map((parts) => Object.assign({}, ...parts));
}

/** An item that nothing but the service can stop. */
const meant = (item, values) => ({
	...item,
	...Object.fromEntries(Object.entries(values).filter(([name]) => name in item)),
	...('preview' in item && { preview: false }),
	...('dates' in item && { dates: {} }),
	options: {
		...{ ...item.options, replaceWith: values.replaceWith, protectedUsers: '' },
		protectMembersOf: undefined,
		...{ allowEmptying: true, allowRemovingLastAdmin: true, allowEmptyOrganizations: true },
		...{ allowEmptyGroups: true, allowPermanentRemoval: true, maxCreates: 50 },
		...{ maxPercentAffected: 100, maxPeopleAffected: 50, maxRemovals: 50 },
	},
});

const IN_ORG_2 = locator('id', 'org-2');
const SCOPE = { group: ROLES.map((role) => ({ group: `org-2:${role}` })) };
const groupOf = (role) => ({ chooseGroupBy: 'group', group: locator('id', `org-2:${role}`) });
const FIRST = [0, 1, 2, 3, 4].map(emailOf);

/** Several people of one organization at once. */
const several = fc
	.record({
		people: fc.subarray(FIRST, { minLength: 1 }),
		role: one(...ROLES),
		roleHeld: one('any', ...ROLES),
		revokeIn: one('one', 'all'),
		replaceWith: one('wholeList', 'difference'),
	})
	.map(({ role, people, ...values }) => ({
		...{ ...values, ...groupOf(role), people, role, organization: IN_ORG_2 },
		roles: { role: [{ organization: IN_ORG_2, role }] },
		groups: { group: [groupOf(role)] },
		wantedFrom: 'json',
		wantedJson: people.map((person) => ({
			...{ email: person, organization: 'org-2', role, group: `org-2:${role}` },
		})),
		...{ scopeOrganizations: 'org-2', scopeRoles: ROLES, scopeGroups: SCOPE, unwanted: 'revoke' },
	}));

/** A whole list of people, all usable. */
const wholeList = fc
	.record({
		people: fc.subarray(FIRST, { minLength: 1 }),
		title: one('Engineer', null),
		absentUsers: one('leave', 'report', 'deactivate', 'deactivate'),
		scopeBy: one('groups', 'userNames'),
	})
	.map(({ people, title, ...values }) => ({
		...{ ...values, ...matchOn('userName'), usersFrom: 'json', scopeUserNames: '*' },
		usersJson: people.map((userName) => ({ userName, title })),
		scopeGroups: SCOPE,
	}));

/** Two whole lists of one organization, as of a plan that moves people from one to the other, and both ways. */
const twoLists = fc
	.record({
		roles: fc.shuffledSubarray(ROLES, { minLength: 2, maxLength: 2 }),
		places: listOf(fc.nat(2), 5, 5),
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

/** Every resource and operation of both nodes, the list searches of the editor, and the polls of the trigger. */
function everyOperation() {
	const own = Object.entries(NODES).flatMap(([node, { description, methods }]) => [
		...description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options, displayOptions }) =>
				displayOptions.show.resource.flatMap((resource) =>
					options.map(({ value }) => ({ node, resource, operation: value })),
				),
			),
		...Object.keys(methods.listSearch).map((operation) => ({
			node,
			resource: 'search',
			operation,
		})),
	]);
	return [...own, { node: 'scim', resource: 'trigger', operation: 'poll' }];
}

const fieldsOf = ({ node, resource, operation }) => {
	const { properties } = NODES[node].description;
	const settings = properties.filter(({ isNodeSetting }) => isNodeSetting);
	return [...shownFor(properties, resource, operation), ...settings];
};

const BY = ['organizationAndRole', 'organizationAndRole', 'group'];
/** A second run of ours at the same time, now and then, of groups where they stand for themselves. */
const second = weighted(
	[8, fc.constant(undefined)],
	...['assign', 'set', 'revoke', 'offboard'].map((operation) => [
		1,
		fc.tuple(several, one(...BY)).map(([values, accessBy]) => {
			const options = { maxCreates: 50, maxWait: 1, verifyTime: 0 };
			const own = { ...defaultsOf('access', operation), accessBy, options };
			return meant({ resource: 'access', operation, ...own }, values);
		}),
	]),
);

const SEARCH = fc.record({
	filter: one(undefined, '', 'p1@example.com', 'org', '\ud800', '*'),
	token: one(undefined, undefined, '1', '2', '-1', 'x', '1e9'),
	resource: one('action', 'monitor'),
	models: one('one', 'ids', 'all'),
	...{ model: FIELDS.model, modelIds: FIELDS.modelIds },
	options: fc.record({ organizationId: FIELDS.organizationId }),
});

/** What is one for all items: so it is meant, or the field takes no expression. */
const OF_RUN = /^(options|safetyLimits|managed|scope|access|columns|unwanted|absent|plan)/;
const ofRun = (item, fields) => {
	const takesNone = new Set(fields.flatMap((field) => (field.noDataExpression ? field.name : [])));
	const isShared = ([name]) => OF_RUN.test(name) || takesNone.has(name);
	return Object.fromEntries(Object.entries(item).filter(isShared));
};

/** The parameters of the items of a run. */
function itemsOf({ node, resource, operation }) {
	if (operation === 'poll') return fc.constant([{}]);
	if (resource === 'search') return SEARCH.map((item) => [item]);
	const fields = fieldsOf({ node, resource, operation });
	const json = resource === 'user' ? personRow : groupRow;
	const item = fc
		.record({ ...valuesOf(fields), ...(operation === 'reconcile' && { json }) })
		.map((values) => ({ resource, operation, ...values }));
	const items = fc
		.tuple(item, listOf(item, 2))
		.map(([first, more]) => [first, ...more.map((own) => ({ ...own, ...ofRun(first, fields) }))]);
	const alone = (values) =>
		fc.oneof(
			items,
			fc.tuple(item, values).map(([own, more]) => [meant(own, more)]),
		);
	if (resource === 'user' && operation === 'reconcile') return alone(wholeList);
	// It takes one plan.
	if (operation === 'applyPlan') return alone(fc.constant({ changes: 'all' }));
	if (!fields.some(({ name }) => name === 'people' || name === 'wantedJson')) return items;
	if (operation !== 'setMembers') return alone(several);
	const two = fc
		.tuple(fc.tuple(item, item), twoLists)
		.map(([both, lists]) => both.map((own, at) => meant(own, lists[at])));
	return fc.oneof(alone(several), two);
}

const base = (node) => rarely(one(`${BASES[node]}/`, `${BASES[node]}//`), BASES[node]);

/** Credentials that cannot be used are tried too, now and then. */
const badCredential = often(
	fc.constant({}),
	one(
		...['', 'ftp://scim.test', 'http://u:p@scim.test'].map((baseUrl) => ({ baseUrl })),
		{ accountApiToken: 'a b', apiKey: 'a\nb' },
		{ groupsStandFor: 'organizationAndRole', groupPattern: '{role}{organization}' },
		{ membersPerRequest: -1, overrideProfile: true },
		{ organizationNames: { organization: [null, 7, { name: {}, id: [] }] } },
		{ organizationId: '../..' },
	),
);

/** Groups that stand for themselves are not chosen by a role, and not changed where they could be roles. */
const byGroup = (changesGroups) => (item, at) => ({
	...item,
	...('accessBy' in item && { accessBy: 'group' }),
	...('chooseGroupBy' in item && { chooseGroupBy: 'group' }),
	...(changesGroups && at === 0 && { group: locator('id', 'all') }),
});

/** Everything that a run takes. */
function cases(given, script) {
	const { node, resource, operation } = given;
	const emails = [...FIRST.slice(0, 4), newEmailOf(0)];
	const changesGroups = resource === 'group' && /^(create|delete|update)$/.test(operation);
	return fc
		.record({
			given: fc.constant(given),
			items: itemsOf(given),
			continueOnFail: rarely(fc.constant(false), true),
			baseUrl: base(node),
			badCredential,
			membersPerRequest: one(1, 2, 100),
			account: fc.record({
				profile: changesGroups ? often(hasOwnGroups, profile, 4) : profile,
				...account,
			}),
			alerting: fc.record({
				documentedOnly: rarely(fc.constant(true), false),
				merges: fc.boolean(),
			}),
			...{ script, others, second: node === 'scim' ? second : fc.constant(undefined) },
			...(operation === 'poll' && { watch: polls({ emails, script, others, valueOf }) }),
			// Last, so that it changes no other choice.
			...{ constants, pageSizes, oddity },
		})
		.map((all) =>
			hasRoles(all.account.profile)
				? all
				: { ...all, items: all.items.map(byGroup(changesGroups)) },
		);
}

module.exports = {
	...{ BASES, FOREIGN, GIVEN_SECRETS, MISTYPED, ORGANIZATIONS, PROFILES },
	...{ cases, directoryOf, everyOperation },
};
