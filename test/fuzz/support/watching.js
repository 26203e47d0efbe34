'use strict';

// Polls of the trigger, one after the other, while people come, go, and get other roles; and what it may say of that.

const fc = require('fast-check');
const { isDeepStrictEqual } = require('util');
const { ROLES, userIdOf } = require('../../support/memoryService');
const { textList } = require('../../../dist/nodes/shared/util');
const { listOf, often, one, weighted } = require('./choices');
const { TRIGGER } = require('./runOnWorld');

const EVENTS = TRIGGER.description.properties.find(({ name }) => name === 'events');
const COLLECTIONS = TRIGGER.description.properties.filter(({ type }) => type === 'collection');

/** A change between two polls. */
const deed = (emails) =>
	weighted(
		[
			4,
			fc.record({
				...{ kind: fc.constant('role'), email: one(...emails), role: one('', ...ROLES) },
				organization: one('org-2', 'org-2', 'org-3'),
			}),
		],
		[2, fc.record({ kind: one(...KINDS), email: one(...emails) })],
	);
const KINDS = ['deactivate', 'activate', 'delete', 'create'];

/** People who get another role while the lists are read, page by page, so that no page or two show them. */
const moves = (emails) =>
	listOf(
		fc.record({
			...{ after: fc.constant('requests'), kind: fc.constant('role'), at: fc.nat(11) },
			...{ lateMs: fc.constant(0), organization: fc.constant('org-2'), role: one(...ROLES) },
			id: one(...emails.slice(0, 3).map(userIdOf)),
		}),
		12,
		4,
	);

/**
 * The polls of one node.
 * @param given `emails` of the people, `script` and `others` as for every run, `valueOf` makes options from their fields
 */
function polls({ emails, script, others, valueOf }) {
	const kinds = EVENTS.options.map(({ value }) => value);
	return fc.record({
		events: often(
			fc.subarray(kinds, { minLength: 1 }),
			one([], null, 'accessGranted', ['nothing'], [null]),
			20,
		),
		...Object.fromEntries(COLLECTIONS.map((field) => [field.name, valueOf(field)])),
		activation: one('activate', 'activate', 'init', 'update', 'leadershipChange'),
		memory: often(
			fc.constant({}),
			one({ seen: '{' }, { seen: 7 }, { seen: '{"source":"x","users":7}' }),
			20,
		),
		rounds: listOf(
			fc.record({
				deeds: listOf(deed(emails)),
				mode: often(fc.constant('trigger'), fc.constant('manual'), 20),
				// Much of what a trigger sees is that nothing is wrong.
				...{ spoils: fc.boolean(), script },
				others: fc.oneof(fc.constant([]), others, moves(emails)),
			}),
			5,
			2,
		),
	});
}

/** What users have, by user and place: roles, or `in` for a group that stands for itself. */
function holdingsOf({ members }, isPlain) {
	const held = new Map();
	for (const [key, ids] of Object.entries(members)) {
		const [organization, role] = key.split(':');
		for (const id of ids) {
			const place = `${id} ${isPlain ? key : organization}`;
			held.set(place, [...(held.get(place) ?? []), isPlain ? 'in' : role].sort());
		}
	}
	return new Map([...held].map(([place, what]) => [place, what.join(', ')]));
}

const isActive = (shape, id) => (id in shape.active ? shape.active[id] !== false : undefined);

/** What differs between two states, as events say it. */
function eventsBetween(before, after, isPlain) {
	const events = [];
	for (const id of new Set([...Object.keys(before.active), ...Object.keys(after.active)])) {
		const [was, is] = [isActive(before, id), isActive(after, id)];
		if (was === is) continue;
		if (was === undefined) events.push({ event: 'userCreated', id });
		else if (is === undefined) events.push({ event: 'userDeleted', id });
		else events.push({ event: is ? 'userActivated' : 'userDeactivated', id });
	}
	const [had, has] = [holdingsOf(before, isPlain), holdingsOf(after, isPlain)];
	for (const key of new Set([...had.keys(), ...has.keys()])) {
		const [id, place] = key.split(' ');
		const change = { id, place, before: had.get(key), after: has.get(key) };
		if (change.before === change.after) continue;
		if (change.before === undefined) events.push({ event: 'accessGranted', ...change });
		else if (change.after === undefined) events.push({ event: 'accessRevoked', ...change });
		else events.push({ event: 'roleChanged', ...change });
	}
	return events;
}

/** An item of the trigger in the same terms. */
function eventOf({ event, userId: id, organization, groupId, roleBefore, role }) {
	if (organization == null && groupId == null) return { event, id };
	const isRole = organization != null;
	return {
		event,
		id,
		place: isRole ? organization : groupId,
		before: (isRole ? roleBefore : event === 'accessRevoked' && 'in') || undefined,
		after: (isRole ? role : event === 'accessGranted' && 'in') || undefined,
	};
}

/** Whether the state could be the one before the event, and the one after it. */
function fits({ event, id, place, before, after }, shape, isPlain) {
	const active = isActive(shape, id);
	const has = place === undefined ? undefined : holdingsOf(shape, isPlain).get(`${id} ${place}`);
	return {
		accessGranted: [has === undefined, has === after],
		accessRevoked: [has === before, has === undefined],
		roleChanged: [has === before, has === after],
		userCreated: [active === undefined, active !== undefined],
		userDeleted: [active !== undefined, active === undefined],
		userActivated: [active === false, active === true],
		userDeactivated: [active === true, active === false],
		// No user is renamed here.
		userUpdated: [false, active !== undefined],
	}[event];
}

/**
 * Groups are read one after the other, so a user who moves meanwhile shows several roles, or none after a move from a
 * group not read yet to one already read. Both looks show that only if the user moves again.
 */
function isTorn({ id, place }, seen, window, isPlain) {
	const heldIn = (shape) => holdingsOf(shape, isPlain).get(`${id} ${place}`) ?? '';
	const held = window.map(heldIn);
	const moves = held.filter((role, at) => at > 0 && role !== held[at - 1]).length;
	if (seen === undefined) return moves > 1;
	const roles = seen.split(', ');
	return (
		roles.length > 1 && roles.every((role) => held.some((one) => one.split(', ').includes(role)))
	);
}

/** Whether an event is one that is to be reported. */
function isWanted({ event, place }, { events, options, names, isPlain }) {
	const isAccess = /^(access|role)/.test(event);
	const kinds = [event, ...(isAccess ? ['anyAccessChange'] : [])];
	if (!kinds.some((kind) => events.includes(kind))) return false;
	const chosen = textList(options.organizations, '').map((text) => names[text] ?? text);
	return !isAccess || isPlain || chosen.length === 0 || chosen.includes(place);
}

const textOf = ({ event, id, place = '', before = '-', after = '-' }) =>
	`${event} ${id}${place && ` ${place}: ${before} -> ${after}`}`;

/**
 * What a poll says and is not so, and what it does not say and is, on a service that has told no lie.
 * @param poll `items`; `window`: the states while it lasted; `history`: all states up to its end; `remembered`: the
 *   state that it knows for certain to have been seen last; `isWell`: nothing was answered wrong, late or cut
 */
function untrueEvents({ items, window, history, remembered, isWell, lags, mode, watch }) {
	const { isPlain } = watch;
	const said = items.map(eventOf);
	const wrong = [];
	const isManual = mode === 'manual';
	const now = window.at(-1);
	for (const event of said) {
		const past = lags ? history : window;
		const isSo = (at, states) => states.some((shape) => fits(event, shape, isPlain)[at]);
		const isTornIn = (roles, states) => isTorn(event, roles, states, isPlain);
		const was = isManual || isSo(0, history) || isTornIn(event.before, history);
		const is = isSo(1, past) || isTornIn(event.after, past);
		if (!was) wrong.push(`${textOf(event)}: that never was so before`);
		if (!is) wrong.push(`${textOf(event)}: that is not so now`);
		if (!isWanted(event, watch)) wrong.push(`${textOf(event)}: nobody asked for it`);
		if (isManual && /Revoked|Deleted|Deactivated/.test(event.event))
			wrong.push(`${textOf(event)}: made up`);
	}
	if (isManual || lags || window.length > 1 || remembered === undefined) return wrong;
	const true_ = eventsBetween(remembered, now, isPlain)
		.filter((event) => isWanted(event, watch))
		.map(textOf);
	const texts = said.map(textOf);
	for (const text of texts) if (!true_.includes(text)) wrong.push(`${text}: that did not happen`);
	if (new Set(texts).size < texts.length) wrong.push(`twice: ${texts}`);
	if (isWell)
		for (const text of true_) if (!texts.includes(text)) wrong.push(`${text}: not reported`);
	return wrong;
}

/** What a user is called: what is shown, and the login. */
const namesOf = ({ userName, email }) =>
	[userName, email].map((name) => String(name).toLowerCase());

/** Names in items are those of the people. */
function wrongNames(items, states) {
	return items.flatMap(({ userId: id, userName }) => {
		if (userName === null) return [];
		// Groups show the login, users what they are called (test/contract/interface.md 2.3).
		const names = states.flatMap(({ users }) => (users.has(id) ? namesOf(users.get(id)) : []));
		return names.includes(userName.toLowerCase()) ? [] : [`${id} is called ${userName}`];
	});
}

const isAsBefore = isDeepStrictEqual;

module.exports = { isAsBefore, namesOf, polls, untrueEvents, wrongNames };
