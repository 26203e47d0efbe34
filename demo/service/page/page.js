'use strict';

/* global document */

const EVERY_MS = 1000;
const MARKED_MS = 60_000;
const [WAITING, ENDED] = [
	'Run a workflow: what it changes is marked here for a minute.',
	'The service has ended.',
];

/** A membership or a user (see `keyOf`) -> what became of it, and when. */
const marks = new Map();
let known;
let shown;

const keyOf = (...names) => JSON.stringify(names);
const sorted = (names) => [...names].sort((one, other) => one.localeCompare(other));

/** All names come from outside, so each is set as text. */
function element(tag, classes, ...children) {
	const made = document.createElement(tag);
	made.className = classes;
	made.append(...children);
	return made;
}

/** Out: `{ key -> true, or whether a user is active }` for all memberships and users. */
function entriesOf({ groups, users }) {
	return new Map([
		...groups.flatMap(({ name, members }) => members.map((one) => [keyOf(name, one), true])),
		...users.map(({ userName, active }) => [keyOf(userName), active]),
	]);
}

function markChanges(before, after) {
	const at = Date.now();
	for (const key of after.keys()) if (!before.has(key)) marks.set(key, { what: 'added', at });
	for (const [key, active] of before) {
		if (!after.has(key)) marks.set(key, { what: 'gone', at });
		else if (after.get(key) !== active) marks.set(key, { what: 'changed', at });
	}
	for (const [key, mark] of marks) if (at - mark.at > MARKED_MS) marks.delete(key);
}

/** Who is marked as gone: from a group, or without a group as a user. */
function goneFrom(...group) {
	return [...marks]
		.filter(([, { what }]) => what === 'gone')
		.map(([key]) => JSON.parse(key))
		.filter((names) => names.length === group.length + 1 && (group[0] ?? names[0]) === names[0])
		.map((names) => names.at(-1));
}

function groupCard(name, members, activity) {
	const gone = goneFrom(name);
	const lines = sorted([...members, ...gone]).map((one) => {
		const what = marks.get(keyOf(name, one))?.what;
		const changed = marks.get(keyOf(one))?.what === 'changed' ? 'changed' : '';
		const active = activity.get(one) === false ? 'inactive' : 'active';
		return element('li', [what, active, changed].filter(Boolean).join(' '), one);
	});
	const title = element('h2', '', name, element('span', 'count', String(members.length)));
	const list = lines.length > 0 ? element('ul', '', ...lines) : element('p', 'nobody', 'Nobody');
	return element('section', '', title, list);
}

function showGroups({ groups, users }) {
	const activity = new Map(users.map(({ userName, active }) => [userName, active]));
	const inGroups = new Set(groups.flatMap(({ members }) => members));
	const others = users.map(({ userName }) => userName).filter((one) => !inGroups.has(one));
	const cards = groups.map(({ name, members }) => groupCard(name, members, activity));
	const alone = groupCard('No group', [...others, ...goneFrom()], activity);
	for (const line of alone.querySelectorAll('li')) {
		const what = marks.get(keyOf(line.textContent))?.what;
		if (what) line.classList.add(what);
	}
	document.getElementById('groups').replaceChildren(...cards, alone);
}

function requestLine({ method, path, status, details }) {
	const isRefused = status === undefined || status >= 400;
	return element(
		'li',
		'',
		...[element('span', 'method', method), ` ${path} `],
		element('span', isRefused ? 'refused' : 'count', String(status ?? 'no answer')),
		...details.map((words) => element('span', 'detail', words)),
	);
}

/** Newest first; reads in a row are one line. */
function showRequests({ requests }) {
	const lines = [];
	let reads = 0;
	const countReads = () => {
		if (reads > 0) lines.push(element('li', 'reads', reads === 1 ? '1 read' : `${reads} reads`));
		reads = 0;
	};
	for (const request of [...requests].reverse()) {
		if (request.method === 'GET' && request.status < 400) reads += 1;
		else {
			countReads();
			lines.push(requestLine(request));
		}
	}
	countReads();
	const none = element('li', 'nobody', 'None yet');
	document.getElementById('requests').replaceChildren(...(lines.length > 0 ? lines : [none]));
}

function newsOf() {
	if (marks.size === 0) return WAITING;
	const last = new Date(Math.max(...[...marks.values()].map(({ at }) => at)));
	const changes = marks.size === 1 ? '1 change' : `${marks.size} changes`;
	return `${changes}, the last one at ${last.toLocaleTimeString()}`;
}

/** What is the same is not written again: a screen reader would read it again. */
function showNews(words) {
	const news = document.getElementById('news');
	if (news.textContent !== words) news.textContent = words;
}

async function refresh() {
	try {
		const text = await (await fetch('/__look')).text();
		const look = JSON.parse(text);
		const entries = entriesOf(look);
		markChanges(known ?? entries, entries);
		known = entries;
		const now = text + [...marks.keys()].join();
		if (now !== shown) {
			showGroups(look);
			showRequests(look);
		}
		shown = now;
		showNews(newsOf());
	} catch {
		showNews(ENDED);
	}
	setTimeout(refresh, EVERY_MS);
}

void refresh();
