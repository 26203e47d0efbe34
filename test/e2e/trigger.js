'use strict';

/**
 * `npm run test:trigger`: the trigger in a real n8n that looks once a minute: what it reports when people
 * change behind n8n's back, while n8n is stopped, and while the service is unwell. Takes about five minutes.
 */

const { join } = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { runMain, temporaryFolder } = require('../../demo/cleanup');
const { scimCredential } = require('../../demo/credentials');
const { startN8n } = require('../../demo/n8n/instance');
const { say, withProgress } = require('../../demo/progress');
const { judge } = require('./support/judge');
const { searchDatabase, searcher, searchFolder } = require('./support/search');
const { startLocalService, startPackedN8n } = require('./support/start');
const { endOf, untilTrue } = require('./support/untilTrue');
const { triggerWorkflow } = require('./support/workflows');

const EVENTS = [
	'roleChanged',
	'accessGranted',
	'accessRevoked',
	'userActivated',
	'userCreated',
	'userDeactivated',
	'userDeleted',
	'userUpdated',
];
/** What a look at a service asks for. */
const READS = ['GET Groups', 'GET Users'];
const [MARKETING, RESEARCH, OPERATIONS] = ['org-3454', 'org-7788', 'org-9120'];
/** Once a minute, at a second that n8n chooses. */
const LOOK_WITHIN_MS = 90_000;
/** Longer than the pause between the two looks at something new, or between two tries. */
const QUIET_MS = 5_000;
const ENDED_WITHIN_MS = 30_000;

const DOWN_AT_START = 'each request is answered 500';

/** In: a running service, which becomes unwell. Out: a function that makes it well again. */
const ILLS = {
	[DOWN_AT_START]: ({ faults }) => {
		faults.add({ kind: '500-html' });
		return () => faults.clear();
	},
	'pages come without entries': ({ options }) => {
		options.pageCap = 0;
		return () => (options.pageCap = undefined);
	},
};

async function main() {
	const judged = judge();
	const { check, scene } = judged;
	const stage = await setStage();
	const { watches } = stage;
	await playMinutes(stage, judged);
	await playRestart(stage, judged);
	scene('  In all that time:');
	check(
		'Nobody was changed by any of the looks: each request was a GET',
		watches.flatMap(({ service }) =>
			service.log.requests
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path }) => `${method} ${path}`),
		),
	);
	await searchEverywhere(stage, check);
	return judged.verdict();
}

/** A service and a workflow for the story, and for each way of being unwell one of its own. */
async function setStage() {
	const folder = temporaryFolder('scim-provisioning-trigger');
	const stage = { ...(await startPackedN8n({ userFolder: folder })), folder, watches: [] };
	stage.story = await addWatch(stage, 'the story');
	stage.ills = [];
	for (const name of Object.keys(ILLS)) stage.ills.push(await addWatch(stage, name));
	return stage;
}

async function addWatch({ n8n, watches }, name) {
	const service = await startLocalService();
	const [id] = await n8n.importCredentials([{ ...scimCredential(service), name }]);
	const workflowId = await n8n.importWorkflow(
		triggerWorkflow({
			name,
			credential: { id, name },
			parameters: { events: EVENTS, options: { confirmAfter: 1, maxWait: 1 } },
		}),
	);
	const watch = { name, service, workflowId, known: new Set() };
	watches.push(watch);
	return watch;
}

/**
 * The story goes on where the service is well, while the others meet theirs. n8n looks at each at a second of
 * its own: what happens to one, happens right after its own look, when none is due.
 */
async function playMinutes(stage, { check, scene }) {
	const { n8n, watches, story, ills } = stage;
	const playing = watches.map(async (watch) => {
		// n8n looks a moment after it has said that the workflow is active.
		await nextLook(watch);
		await nextLook(watch);
		const first = { requests: [...watch.service.log.requests], news: await news(stage, watch) };
		const wanted = watch === story ? changeEverything(watch.service) : [];
		const mend = ILLS[watch.name]?.(watch.service);
		const second = { requests: await nextLook(watch), news: await news(stage, watch), wanted };
		mend?.();
		const back = mend ? [[grant(watch, 'farah.rahimi@example.com')]] : [];
		await nextLook(watch);
		const third = { news: await news(stage, watch), wanted: back };
		return { watch, first, second, third };
	});
	const played = Promise.all(playing);
	await withProgress(`Activating ${watches.length} workflows`, async () => {
		for (const { workflowId } of watches) await n8n.activate(workflowId);
	});
	const all = await withProgress('Waiting for three looks, by the clock', () => played);
	const [ofStory, ...ofIlls] = [story, ...ills].map((one) =>
		all.find(({ watch }) => watch === one),
	);

	say();
	check(
		'n8n looks when a workflow is activated, twice, and then by the clock: at a list of groups and one of users',
		// When the clock comes right after the activation, four looks seem to be three.
		all.flatMap(({ watch, first: { requests } }) =>
			unlikeRequests(watch, requests, requests.length > 3 * READS.length ? 4 : 3),
		),
	);
	check(
		'What is there already starts no execution',
		all.flatMap(({ first }) => complaintsUnlike([])(first.news)),
	);
	const { requests, news: reported, wanted } = ofStory.second;
	check('All eight events are reported, by one execution', complaintsUnlike([wanted])(reported));
	const lists = 2 * READS.length;
	check('What is new is looked at twice', unlikeRequests(story, requests.slice(0, lists), 2));
	check(
		'Whoever seems to have lost something is looked at alone',
		unlikeLooksAtLosers(requests.slice(lists).map(requestText), wanted),
	);
	check('The next look brings none of it again', complaintsUnlike([])(ofStory.third.news));
	for (const { watch, second, third } of ofIlls) {
		scene(`  When ${watch.name}:`);
		check('Nothing is reported', complaintsUnlike([], 1)(second.news));
		for (const message of second.news.errors) say(`         n8n shows: ${message}`);
		check(
			'When it is over, what has really happened is reported, and nothing else',
			complaintsUnlike(third.wanted)(third.news),
		);
	}
}

async function playRestart(stage, { check, scene }) {
	const { story, ills, install, folder, watches } = stage;
	const down = ills.find(({ name }) => name === DOWN_AT_START);
	const { owner } = stage.n8n;
	await withProgress('Stopping n8n', () => stage.n8n.stop());

	const wanted = changeMore(story.service);
	const wantedOfDown = [grant(down, 'emil.novak@example.com')];
	const mend = ILLS[DOWN_AT_START](down.service);
	let running;
	const playing = watches.map(async (watch) => {
		await nextLook(watch);
		await running;
		const atStart = await news(stage, watch);
		await nextLook(watch);
		return { watch, atStart, next: await news(stage, watch) };
	});
	const played = Promise.all(playing);
	running = startN8n({ install, userFolder: folder, owner });
	stage.n8n = await running;
	const all = await withProgress(
		'Waiting for the looks at the start and by the clock',
		() => played,
	);
	// n8n tries five times to activate a workflow when it starts, and after that no more. This one is long after.
	const recovery = await withProgress('Mending the service that was down', async () => {
		await nextLook(down);
		const whileDown = await news(stage, down);
		mend();
		await nextLook(down);
		return { whileDown, atRecovery: await news(stage, down) };
	});
	const of = (one) => all.find(({ watch }) => watch === one);
	const quiet = all.filter(({ watch }) => watch !== story && watch !== down);

	scene('  When n8n is stopped, people change, and n8n is started again:');
	check(
		'What has changed is reported, by one execution',
		complaintsUnlike([wanted])(of(story).atStart),
	);
	check('The next look brings none of it again', complaintsUnlike([])(of(story).next));
	check(
		'Where nothing has changed, nothing is reported',
		quiet.flatMap(({ atStart, next }) => [atStart, next].flatMap(complaintsUnlike([]))),
	);
	scene('  When the service is unwell while n8n starts, and well two minutes later:');
	const whileDown = [of(down).atStart, of(down).next, recovery.whileDown];
	check('Nothing is reported at first, and n8n shows why', [
		...whileDown.flatMap((seen) => complaintsUnlike([], seen.errors.length)(seen)),
		...(whileDown.some(({ errors }) => errors.length > 0) ? [] : ['n8n shows no error.']),
	]);
	check('What has changed is reported then', complaintsUnlike([wantedOfDown])(recovery.atRecovery));
}

async function searchEverywhere({ n8n, install, folder, watches, story }, check) {
	const secrets = watches.flatMap(({ name, service: { accountToken } }) => [
		[`the token of "${name}"`, accountToken],
		[`the key part of the token of "${name}"`, accountToken.split(':')[0]],
	]);
	const findIn = searcher(secrets);
	const answers = [];
	for (const { name, workflowId, known } of watches) {
		answers.push([name, await n8n.rest.call('GET', `/rest/workflows/${workflowId}`)]);
		for (const id of known) {
			answers.push([`execution ${id}`, await n8n.rest.call('GET', `/rest/executions/${id}`)]);
		}
	}
	await n8n.stop();
	const file = join(folder, '.n8n', 'database.sqlite');
	const files = searchFolder(findIn, folder, ['node_modules', '.cache']);
	const cells = searchDatabase(findIn, install.node, file);
	const { id } = story.service.state.userByName('new.joiner@example.com');
	const places = searchDatabase(searcher([['somebody', id]]), install.node, file).found;
	const sees = (cell) => places.some((place) => place.includes(cell));

	say(`\n  ${secrets.length} secrets in ${cells.cells} cells of n8n's database,`);
	say(`  ${files.files.length} files, ${answers.length} answers of its interface:`);
	check(
		'Executions and what the trigger remembers can be found (somebody who was reported)',
		['execution_data.data', 'workflow_entity.staticData']
			.filter((cell) => !sees(cell))
			.map((cell) => `Nobody is in ${cell}: the search sees nothing.`),
	);
	check('No token in any cell of the database', cells.found);
	check('No token in the files of n8n, database and logs', files.found);
	check(
		'No token in workflows and executions as n8n shows them',
		answers.flatMap(([what, answer]) => findIn(what, JSON.stringify(answer))),
	);
}

/** Behind n8n's back. Out: the items that have to be reported of it, worked out without the node. */
function changeEverything(service) {
	const { directory } = service.state;
	const idOf = (userName) => service.state.userByName(userName).id;
	const of = (...what) => itemOf(service, ...what);

	directory.create('new.joiner@example.com', { name: { givenName: 'New' } });
	const items = [of('userCreated', 'new.joiner@example.com', true)];

	directory.setRole(idOf('emil.novak@example.com'), MARKETING, 'viewer');
	items.push(of('accessGranted', 'emil.novak@example.com', true, MARKETING, null, 'viewer'));

	directory.setRole(idOf('dmitri.volkov@example.com'), RESEARCH, 'admin');
	items.push(of('roleChanged', 'dmitri.volkov@example.com', true, RESEARCH, 'member', 'admin'));

	directory.removeRole(idOf('paul.smith@example.com'), MARKETING);
	items.push(of('accessRevoked', 'paul.smith@example.com', true, MARKETING, 'member', null));

	directory.setActive(idOf('grace.nakamura@example.com'), false);
	items.push(
		of('userDeactivated', 'grace.nakamura@example.com', false),
		...[MARKETING, RESEARCH, OPERATIONS].map((organization) =>
			of('accessRevoked', 'grace.nakamura@example.com', false, organization, 'viewer', null),
		),
	);

	directory.setActive(idOf('anders.berg@example.com'), true);
	items.push(of('userActivated', 'anders.berg@example.com', true));

	const back = service.state.userByName('anders.berg@example.com');
	directory.store({ ...back, attributes: { ...back.attributes, title: 'Director' } });
	items.push({
		...of('userUpdated', 'anders.berg@example.com', true),
		changedAttributes: ['title'],
	});

	items.push(
		of('userDeleted', 'leila.hosseini@example.com'),
		of('accessRevoked', 'leila.hosseini@example.com', null, MARKETING, 'viewer', null),
		of('accessRevoked', 'leila.hosseini@example.com', null, RESEARCH, 'member', null),
	);
	directory.delete(idOf('leila.hosseini@example.com'));
	return items;
}

/** The same of other people, and of one who was changed before. */
function changeMore(service) {
	const { directory } = service.state;
	const idOf = (userName) => service.state.userByName(userName).id;
	directory.create('late.joiner@example.com');
	directory.setRole(idOf('kwame.boateng@example.com'), OPERATIONS, 'viewer');
	directory.removeRole(idOf('emil.novak@example.com'), MARKETING);
	const of = (...what) => itemOf(service, ...what);
	return [
		of('userCreated', 'late.joiner@example.com', true),
		of('roleChanged', 'kwame.boateng@example.com', true, OPERATIONS, 'member', 'viewer'),
		of('accessRevoked', 'emil.novak@example.com', true, MARKETING, 'viewer', null),
	];
}

function grant({ service }, userName) {
	service.state.directory.setRole(service.state.userByName(userName).id, OPERATIONS, 'member');
	return itemOf(service, 'accessGranted', userName, true, OPERATIONS, null, 'member');
}

/** @param organization none for events of users; `active` none when the person is gone or nobody asked */
function itemOf(
	{ state },
	event,
	userName,
	active = null,
	organization = null,
	roleBefore = null,
	role = null,
) {
	const group = organization && `whylabs-${organization}:${role ?? roleBefore}`;
	const organizationName = organization && state.organization(organization).name;
	const { id, attributes } = state.userByName(userName);
	return {
		event,
		// Nobody's name is known any more of who is gone.
		text: `${active === null ? userName : called(attributes, userName)} was ${wordsOf(event, organizationName, roleBefore, role)}.`,
		userId: id,
		userName,
		active,
		group,
		groupId: group,
		organization,
		organizationName,
		roleBefore,
		role,
		changedAttributes: null,
	};
}

const called = ({ name = {} }, userName) => {
	const full = [name.givenName, name.familyName].filter(Boolean).join(' ');
	return full === '' ? userName : `${full} (${userName})`;
};

const wordsOf = (event, organization, before, role) =>
	({
		userCreated: 'created',
		userDeleted: 'deleted',
		userActivated: 'activated',
		userDeactivated: 'deactivated',
		userUpdated: 'updated: title',
		accessGranted: `added to ${organization} as ${role}`,
		accessRevoked: `removed from ${organization}`,
		roleChanged: `moved from ${before} to ${role} in ${organization}`,
	})[event];

/** Waits for the next look, and until it is over. Out: its requests. */
async function nextLook({ name, service: { log } }) {
	const from = log.requests.length;
	await untilTrue(
		`a look (${name})`,
		async () => log.requests.length > from && Date.now() - log.requests.at(-1).at > QUIET_MS,
		LOOK_WITHIN_MS,
	);
	return log.requests.slice(from);
}

const requestText = ({ method, path }) => `${method} ${path.split('/').pop()}`;

/** Out: a sentence when the requests are not those of so many looks. */
function unlikeRequests({ name }, requests, looks) {
	const wanted = Array.from({ length: looks }, () => READS).flat();
	const sent = requests.map(requestText);
	return isDeepStrictEqual(sent, wanted) ? [] : [`${name}: it sent ${sent.join(', ')}.`];
}

/** Out: a sentence for each user or group that was not asked for after the lists. */
function unlikeLooksAtLosers(sent, wanted) {
	const ids = wanted.flatMap(({ event, userId, groupId }) => {
		if (event === 'userDeleted') return [userId];
		return event === 'accessRevoked' ? [encodeURIComponent(groupId)] : [];
	});
	return [...new Set(ids)]
		.filter((id) => !sent.includes(`GET ${id}`))
		.map((id) => `${id} was not asked for, but ${sent.join(', ') || 'nothing'}.`);
}

/**
 * What n8n has saved of a workflow since this was asked last.
 * Out: `{ name, reports, errors }`: the items of each execution that went well as they came out at its end,
 * the message of each other one.
 */
async function news({ n8n: { rest } }, { name, workflowId, known }) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await rest.call('GET', `/rest/executions?limit=100&filter=${filter}`);
	const found = { name, reports: [], errors: [] };
	for (const { id } of results.filter((execution) => !known.has(execution.id))) {
		known.add(id);
		const { status, data } = await endOf(rest, id, ENDED_WITHIN_MS);
		const { error, runData } = data.resultData;
		if (status !== 'success') found.errors.push(error?.message ?? `It ended with "${status}".`);
		else found.reports.push(runData.Nothing[0].data.main[0].map(({ json }) => json));
	}
	return found;
}

/** Out: of news the sentences that say what is not as wanted: `reports` as lists of items without `seenAt`. */
function complaintsUnlike(reports, errors = 0) {
	return (found) => {
		const complaints = [];
		if (found.reports.length !== reports.length) {
			complaints.push(`${found.reports.length} executions instead of ${reports.length}.`);
		}
		if (found.errors.length !== errors) {
			complaints.push(`${found.errors.length} errors instead of ${errors}.`, ...found.errors);
		}
		const items = found.reports.flat();
		const [is, should] = [items.map(withoutTime), reports.flat()].map((list) => list.map(text));
		complaints.push(
			...is.filter((item) => !should.includes(item)).map((item) => `Not wanted: ${item}`),
			...should.filter((item) => !is.includes(item)).map((item) => `Missing: ${item}`),
			...(is.length > new Set(is).size ? ['An item came twice.'] : []),
			...items
				.filter(({ seenAt }) => !(Math.abs(Date.now() - Date.parse(seenAt)) < 10 * 60_000))
				.map(({ seenAt }) => `seenAt is ${seenAt}.`),
		);
		return complaints.map((complaint) => `${found.name}: ${complaint}`);
	};
}

const withoutTime = ({ seenAt, ...item }) => item;

const text = (item) => JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));

void runMain(main);
