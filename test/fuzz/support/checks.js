'use strict';

const { isDeepStrictEqual } = require('util');
const { NodeApiError, NodeOperationError } = require('n8n-workflow');
const { shapeOf, userIdOf } = require('../../support/memoryService');
const { claims, contradictionIn, heldBy, isRemoval, keyOf } = require('../../world/truth');
const { FOREIGN, GIVEN_SECRETS, MISTYPED } = require('./parameters');
const { SECRETS } = require('./spoil');
const { namesOf } = require('./watching');

/** What only a mistake in the code says. */
const MISTAKE =
	/Cannot (read|set|convert|destructure|assign|access|use)|is not (a function|iterable|a constructor|defined)|undefined is not|null is not|Maximum call stack|Invalid (array|string) length|Reduce of empty|circular structure|Unexpected (token|end|string|non-whitespace)|JSON at position|object null is not|Invalid URL|Converting|Cannot mix|getter|the fuzz has/i;

/** Secrets of the actions that the service has from the start. */
const STORED_SECRETS = ['demo-service-key-3454', '/services/T0/B0/demo', 'hooks.example.com/old'];

/** Every text of a value, however deep it goes. */
function textsIn(value) {
	const texts = [];
	const seen = new Set();
	const open = [value];
	for (let steps = 0; open.length > 0 && steps < 200_000; steps++) {
		const next = open.pop();
		if (typeof next === 'string') texts.push(next);
		const hasParts = (typeof next === 'object' && next !== null) || typeof next === 'function';
		if (!hasParts || seen.has(next) || Buffer.isBuffer(next)) continue;
		seen.add(next);
		for (const key of Reflect.ownKeys(next)) {
			if (typeof key === 'string') texts.push(key);
			open.push(Object.getOwnPropertyDescriptor(next, key)?.value);
		}
	}
	return texts;
}

const VERBS = {
	created: 'create',
	updated: 'update',
	activated: 'activate',
	deactivated: 'deactivate',
	deleted: 'delete',
};

/** The changes of the plan that Apply Plan was given. */
function plannedIn([{ plan }]) {
	const given = typeof plan === 'string' ? JSON.parse(plan) : plan;
	return (given.plan ?? given).changes;
}

/** Whether an item is about a removal from a group. */
function takesAway(item, { operation, items }) {
	if (item.change !== 'none' || operation !== 'applyPlan') return isRemoval(item, operation);
	return plannedIn(items).some(
		({ change, person, before }) =>
			change === 'revoked' && person.id === item.userId && before[0].groupId === item.groupId,
	);
}

/** What an item of SCIM Provisioning is about: `gain` or `loss` of a group, or what was done to an account or group. */
function aboutOf(item, run) {
	const { resource, operation, items } = run;
	// Of a user or a group the operation tells.
	const isOfAccess = 'groupId' in item;
	if (isOfAccess && item.groupId) return takesAway(item, run) ? 'loss' : 'gain';
	if (isOfAccess) return VERBS[item.change] ?? 'access';
	if ('accessRemaining' in item) return items[0].method === 'delete' ? 'delete' : 'deactivate';
	const verb = operation === 'upsert' ? 'update' : operation;
	return resource === 'group' ? `${verb} group` : verb;
}

/** The verbs of items of Notification Actions, and how they say them afterwards. */
const DONE = {
	...{ attach: 'Attached', create: 'Created', delete: 'Deleted', detach: 'Detached' },
	...{ disable: 'Disabled', enable: 'Enabled', replace: 'Replaced', send: 'Sent' },
	...{ set: 'Set', update: 'Updated' },
};

/** What an item of Notification Actions is about, out of its sentence. */
function actionIn({ status, reason, text }) {
	const ends = [`: ${reason}.`, ': it is so already.', '.'].filter((end) => text.endsWith(end));
	const said = text
		.slice(0, -ends[0].length)
		.replace(/^(No need to|Did not|Could not confirm:|Could not) /, '');
	const [verb] = Object.entries(DONE).find(([, done]) => said.startsWith(done)) ?? [];
	return status === 'done' ? said.replace(/^\w+/, verb) : said;
}

/**
 * What each item of the output says, with `at`, the number of its input item, and what it is `about`. The one item of a run
 * says what many would, and not of which input item.
 */
function saidIn(output, run) {
	return output.flatMap(({ json, pairedItem }) => {
		const from = [pairedItem].flat();
		const at = from[0]?.item;
		if (typeof json.status !== 'string') {
			if (run.node !== 'scim' || !Array.isArray(json.changes)) return [];
			const one = from.length === 1 ? from : undefined;
			return saidIn(
				json.changes.map((change) => ({ json: change, pairedItem: one })),
				run,
			);
		}
		if (run.node === 'scim') return { ...json, at, about: aboutOf(json, run) };
		return typeof json.text === 'string' ? { ...json, at, about: actionIn(json) } : [];
	});
}

const wordsOf = (error) => `${String(error?.message)} ${String(error?.description ?? '')}`;

/** Whether a list misses an entry, so that its meaning is open. */
function hasHole(list) {
	if (Array.isArray(list)) {
		const isEntry = (entry) => ['string', 'number'].includes(typeof entry);
		return list.some((entry) => !isEntry(entry) || hasHole(entry) || String(entry).trim() === '');
	}
	if (typeof list === 'object' && list !== null) return true;
	return /^\s*[,;]|[,;]\s*[,;]/.test(list);
}

/** Items that name people, actions, models or monitors with a hole among them. */
function holedItems({ items }) {
	return items.flatMap(({ people, actionIds, models, modelIds, monitors, monitorIds }, at) => {
		const lists = [people, actionIds];
		if (models === 'ids') lists.push(modelIds);
		if (monitors === 'ids') lists.push(monitorIds);
		return lists.some(hasHole) ? [at] : [];
	});
}

/** What must hold for every run, whatever the service says. @returns what does not, in words */
function wrongAnyway({ world, result, run }) {
	const wrong = [...world.faults];
	const { output, thrown, threw, found } = result;
	const errors = [...(threw ? [thrown] : []), ...output.flatMap(({ error }) => error ?? [])];
	if (threw && !(thrown instanceof NodeApiError) && !(thrown instanceof NodeOperationError))
		wrong.push(`throws ${thrown?.constructor?.name}: ${wordsOf(thrown)} ${thrown?.stack}`);
	for (const error of errors) {
		if (MISTAKE.test(wordsOf(error)))
			wrong.push(`a mistake in the code: ${wordsOf(error).slice(0, 500)}`);
		if (String(error?.message ?? '') === '') wrong.push('an error without words');
	}
	if (run.continueOnFail && threw && run.resource !== 'search')
		wrong.push(`threw: ${wordsOf(thrown)}`);
	const holed = holedItems(run);
	for (const { text, status, reason, at } of saidIn(output, run)) {
		if (holed.includes(at) && status !== 'failed')
			wrong.push(`"${text}" is ${status}, and its list has a hole`);
		if (MISTAKE.test(reason ?? '')) wrong.push(`a mistake in the code: ${reason.slice(0, 500)}`);
	}
	for (const { pairedItem } of run.operation === 'poll' ? [] : output) {
		if (pairedItem === undefined || [pairedItem].flat().length === 0)
			wrong.push('an item out of nowhere');
	}
	const secret = SECRETS[run.node];
	const own = [secret, secret.split(':')[0]];
	const isOpen = run.items[0].options?.showSecrets === true;
	// A service that puts a webhook's URL where an ID or a kind stands has told it itself.
	const { reads, writes: written } = run.script;
	const moves = [...reads.first, reads.rest, ...written.first, written.rest].some(
		({ kind }) => kind === 'change',
	);
	const payloads = moves ? [] : [...GIVEN_SECRETS, ...STORED_SECRETS];
	const hidden = [...own, ...(isOpen ? [] : payloads)];
	const shown = [output.map(({ json, binary }) => ({ json, binary })), found];
	for (const [what, place, secrets] of [
		['the output', shown, hidden],
		['an error', errors, [...own, ...payloads]],
	]) {
		const text = textsIn(place).find((entry) => secrets.some((word) => entry.includes(word)));
		if (text !== undefined) wrong.push(`${what} shows a secret: ${text.slice(0, 300)}`);
	}
	const previews = run.items[0].preview === true;
	const writes = world.requests.filter((request) => !request.startsWith('GET '));
	const isRead = /^get|^search|^poll/.test(run.operation);
	if ((previews || isRead) && writes.length > 0) wrong.push(`writes: ${writes.join(', ')}`);
	if ({}.polluted !== undefined || Object.keys(Object.prototype).length > 0) {
		wrong.push('the prototype of all objects is polluted');
		for (const key of Object.keys(Object.prototype)) delete Object.prototype[key];
	}
	return wrong;
}

/** What is claimed and not so, on a service that has told no lie. */
function untrue({ world, result, run, start }) {
	const said = saidIn(result.output, run);
	const given = { said, run, start, world, truth: world.truth, log: world.log };
	if (run.node !== 'scim') return untrueAlerting(given);
	return [
		...untrueAccess(given),
		...strangers(given),
		...(result.threw ? [] : lostToThisRun(given)),
		...blamedAlong(given),
	];
}

/** The state as an item has to tell it, where a deletion leaves an inactive user, or a deactivation none. */
function shapeFor({ userId: id, change, deleted, ...item }, shape, { operation }, { switches }) {
	const isDeletion = deleted === true || change === 'deleted' || operation === 'delete';
	// Offboard may have seen that the user is gone.
	const isSaidGone = 'accessRemoved' in item && item.active === null;
	const { [id]: active, ...others } = shape.active;
	if (isDeletion && switches.deletesSoftly && active === false) return { ...shape, active: others };
	if (!isDeletion && switches.deactivationDeletes && active === undefined && !isSaidGone)
		return { ...shape, active: { ...others, [id]: false } };
	return shape;
}

const isNameOf = (user, word) =>
	Boolean(user && word) && namesOf(user).includes(word.toLowerCase());

const userOf = ({ userId: id, userName }, truth) =>
	truth.users.get(id) ?? [...truth.users.values()].find((user) => isNameOf(user, userName ?? id));

/** Users that another client changed. */
const touchedIn = (log) => new Set(log.flatMap(({ other }) => other?.id ?? []));

const NOBODY = [...FOREIGN, ...FOREIGN.map(userIdOf), ...MISTYPED];

/** Nothing is sent or done for users who do not exist or belong to another account. */
function strangers({ said, run, truth, log }) {
	const wrong = [];
	const groups = new Set(truth.states.flatMap((state) => [...state.groups.keys()]));
	const known = new Set(
		truth.states.flatMap(({ users }) =>
			[...users.values()].flatMap((user) => [user.id, ...namesOf(user)]),
		),
	);
	const nobody = NOBODY.filter((word) => !known.has(word));
	for (const { method, path, body = '' } of log) {
		if (method === undefined || method === 'GET') continue;
		const [, type, id] = /\/(Users|Groups)(?:\/(.*))?$/.exec(path) ?? [];
		const named = type === 'Groups' && nobody.find((word) => body.includes(`"${word}"`));
		if (named || nobody.includes(id))
			wrong.push(`${method} ${path} for ${named || id}, who is nobody`);
		const changesMembers = type === 'Groups' && id && body.includes('members');
		if (changesMembers && !groups.has(id.replace(/^whylabs-/, '').toLowerCase()))
			wrong.push(`${method} ${path}, and there is no such group`);
	}
	const isNobody = (word) =>
		nobody.includes(word) || (/^[^@]+@example\.com$/i.test(word) && !known.has(word.toLowerCase()));
	for (const item of said) {
		const { about, status, text, reason } = item;
		// Groups have names of their own.
		if (about.endsWith(' group')) continue;
		if (![item.userName, item.userId].some((word) => word && isNobody(word))) continue;
		// A row of User: Reconcile may say that a person is inactive, which creates no user.
		const isLeaver = run.resource === 'user' && run.operation === 'reconcile';
		const isGone = isLeaver || run.items[0].options?.ifNotFound === 'alreadyGone';
		// Nothing can be proven about an unknown user.
		const proves = ['accessRemaining', 'provenAt', 'active'].filter((name) => item[name] != null);
		if (item.deleted === true || (claims(item) && proves.length > 0))
			wrong.push(`"${text}" proves ${proves}, and that is nobody`);
		if (status === 'done') wrong.push(`"${text}" is done, and that is nobody`);
		if (status === 'unchanged' && (!isGone || !reason))
			wrong.push(`"${text}" is unchanged, and that is nobody`);
	}
	return wrong;
}

/**
 * A role that another client gave during the run is taken only by a step that says so, once the run has
 * waited since, or 5 seconds have passed, or the request is a repeated one: then there has to be a look first. What was given
 * while the request was on its way, or after the last answer that came before it left, no client can know.
 */
function lostToThisRun({ said, run, truth, log }) {
	if (touchedIn(log).size === 0 || truth.switches.lagReads > 0) return [];
	const wrong = [];
	const isOf = (item, id) => item.userId === id || isNameOf(truth.users.get(id), item.userName);
	const tells = (about, id, key) =>
		said.some((item) => item.about === about && isOf(item, id) && keyOf(item.groupId) === key);
	// The rows of Offboard name what was taken, whichever of it the outcome is about.
	const isListed = (id, key) =>
		said.some(
			({ userId, accessRemoved }) =>
				userId === id && (accessRemoved ?? []).some(({ groupId }) => keyOf(groupId) === key),
		);
	log.forEach(({ method, path, before, after, sent }, at) => {
		// A group that is deleted takes everybody with it.
		if (before === undefined || method === 'DELETE') return;
		const group = keyOf(/\/Groups\/(.*)$/.exec(path)?.[1]);
		// User: Reconcile deactivates people in no row, whatever access they have.
		const shutsOutForAccess = run.resource === 'access' && run.operation === 'reconcile';
		const [, user] = shutsOutForAccess ? (/\/Users\/(.*)$/.exec(path) ?? []) : [];
		if (group === undefined && user === undefined) return;
		for (const [key, members] of before) {
			for (const id of members) {
				if (after.get(key)?.includes(id)) continue;
				const given = log.findLastIndex(
					({ other }, nth) =>
						nth < at && other?.id === id && `${other.organization}:${other.role}` === key,
				);
				const isSaid = tells('loss', id, key) || isListed(id, key) || tells('gain', id, group);
				if (given < 0 || isSaid) continue;
				const then = log[given].sent;
				// The clock of the world goes on with each request that leaves.
				if (then.now >= sent.now) continue;
				const isDecided = sent.delivered === then.delivered && sent.slept === then.slept;
				if (isDecided) continue;
				// Of two runs, it is not known which one has waited.
				const hasWaited = run.second === undefined && sent.slept > then.slept;
				const isLate = hasWaited || sent.now - then.now > 5_000;
				const isRepeated = log
					.slice(given, at)
					.some((entry) => entry.before && entry.path === path && entry.body?.includes(id));
				if (!isLate && !isRepeated) continue;
				wrong.push(`${method} ${path} took ${key} from ${id}, which somebody else had just given`);
			}
		}
	});
	return wrong;
}

/** Where nothing goes wrong, only users the organization does not take are refused, and all else is confirmed. */
function blamedAlong({ said, start, truth, world, log }) {
	const { lagReads, indexLagMs, speaks } = truth.switches;
	const isCalm = world.refusals === 0 && log.every(({ other }) => other === undefined);
	if (!isCalm || speaks !== 'gateway' || lagReads > 0 || indexLagMs > 0) return [];
	return said.flatMap((item) => {
		const { about, status, text, organization, userName, userId } = item;
		const reason = item.reason ?? '';
		const login = userOf(item, truth)?.email ?? userName ?? userId ?? '';
		const keys = Object.keys(start.members).filter((key) => key.startsWith(`${organization}:`));
		const had = keys.some((key) => start.members[key].includes(userIdOf(login)));
		const isRefused = login.toLowerCase().endsWith('@partner.test') && !had;
		const isBlamed = / as a member of group /.test(reason)
			? !isRefused
			: /has changed since it was read/.test(reason);
		return isBlamed || (status === 'unverified' && ['gain', 'loss'].includes(about))
			? [`"${text}" is ${status}, where nothing went wrong: ${reason}`]
			: [];
	});
}

/** Whether somebody is there whom another client created after the last request of the run that could have met them by name. */
function cameLast(user, start, log) {
	if (user === undefined || user.id in start.active) return false;
	const last = log.findLastIndex(({ path }) => path?.endsWith('/Users'));
	return last >= 0 && log.findIndex(({ other }) => other?.id === user.id) > last;
}

function untrueAccess({ said, run, start, truth, log }) {
	const state = shapeOf(truth.now());
	const touched = touchedIn(log);
	const states = touched.size === 0 ? [state] : truth.states.map(shapeOf);
	const wrong = [];
	for (const item of said.filter(claims)) {
		const { about, userId: id, status, text, deleted, accessRemaining } = item;
		const say = (words) => wrong.push(`"${text}" is ${status}, but ${words}`);
		const known = userOf(item, truth);
		const isOthers = touched.has(id) || (id === null && cameLast(known, start, log));
		if ('groupId' in item || Array.isArray(item.accessRemoved)) {
			// Another client may have written later.
			const shapes = (isOthers ? states : [state]).map((one) => shapeFor(item, one, run, truth));
			const words = contradictionIn(shapes, item, run.operation, about === 'loss' || undefined);
			if (words !== undefined) say(words);
		}
		const key = keyOf(item.groupId);
		// Nor is it unchanged what this run itself has changed.
		const was = start.members[key]?.includes(id);
		if (status === 'unchanged' && key && id && !isOthers && was === (about === 'loss'))
			say(`that was not so before`);
		if (isOthers) continue;
		const held = known ? heldBy(state, known.id) : [];
		if (about === 'create' || about === 'activate') {
			const mayBeInactive = run.operation === 'create' || run.operation === 'upsert';
			if (known === undefined) say('nobody is there');
			else if (known.active === false && !mayBeInactive) say('is inactive');
		}
		if (about === 'deactivate') {
			if (known !== undefined && known.active !== false) say('is active');
			// A user who was inactive may have been given a role since.
			else if (status === 'done' && held.length > 0) {
				const keeps = textsIn(run.items.map(({ options }) => options?.keepMembershipsIn));
				if (truth.switches.deactivationDrops && keeps.length === 0) say('has roles');
			}
		}
		const isLeft = known && !(truth.switches.deletesSoftly && known.active === false);
		if ((about === 'delete' || deleted === true) && isLeft) say('is still there');
		if (Array.isArray(accessRemaining) && accessRemaining.length === 0 && held.length > 0)
			say(`still has ${held.join()}`);
		if ((about === 'update' || about === 'replace') && known === undefined) say('nobody is there');
		if (known && /^(update|replace|create)$/.test(about)) {
			// What the outcome itself says that nothing can be said about is not claimed.
			const unsaid = textsIn(item.warnings).join(' ');
			for (const [name, words] of differentUser(known, run, truth)) {
				if (!unsaid.includes(name)) say(words);
			}
		}
		const group = keyOf(item.id);
		if (about === 'delete group' && truth.groups.has(group)) say('is still there');
		if (about === 'update group' && !truth.groups.has(group.toLowerCase())) say('is not there');
		if (about === 'update group' && run.items.length === 1) {
			const { displayName } = run.items[0].updateFields ?? {};
			if (typeof displayName === 'string' && truth.about.get(group)?.displayName !== displayName)
				say('has another name');
		}
	}
	return [
		...wrong,
		...wronglyAbsent(run, start, state, truth, touched),
		...touchedBystanders(run, start, state, truth, touched),
	];
}

/** People who are in the list or out of scope are not deactivated for being absent. */
function wronglyAbsent({ resource, operation, items }, start, state, truth, touched) {
	if (resource !== 'user' || operation !== 'reconcile') return [];
	const [{ scopeBy, absentUsers, usersFrom, scopeGroups }] = items;
	const rows = items.map(({ usersJson, json }) => (usersFrom === 'json' ? usersJson : json));
	const said = textsIn(rows).join('\n').toLowerCase();
	if (said.includes('active')) return [];
	const inScope = textsIn(scopeGroups).flatMap((text) => start.members[text] ?? []);
	return Object.keys(start.active)
		.filter((id) => start.active[id] && state.active[id] === false && !touched.has(id))
		.filter((id) => {
			const { userName, email } = truth.users.get(id);
			const isNamed = [userName, email].some((name) => said.includes(name.toLowerCase()));
			const isOut =
				scopeBy === 'groups' &&
				textsIn(scopeGroups).every((text) => text in start.members || text === 'group') &&
				!inScope.includes(id);
			return isNamed || isOut || absentUsers !== 'deactivate';
		})
		.map((id) => `${id} was deactivated, and is named, or not in scope`);
}

/** What was wanted of a user and is not there; only where one item is about the user, and the service shows it. */
function differentUser({ attributes, active }, run, truth) {
	if (run.items.length !== 1 || run.resource !== 'user') return [];
	const [{ additionalFields, attributes: given, options, givenName: own }] = run.items;
	const { displayName, externalId, 'name.givenName': mapped } = given?.value ?? {};
	// What has a field of its own wins.
	const givenName = own === undefined || String(own).trim() === '' ? mapped : own;
	const wrong = [];
	// Return gives the user who exists as they are.
	if (options?.ifUserExists === 'return') return wrong;
	const isWanted = additionalFields?.active ?? given?.value?.active;
	if (isWanted === false && active !== false) wrong.push(['active', 'is active']);
	const compare = (name, wanted, actual) => {
		if (
			typeof wanted === 'string' &&
			// A cell of blanks is an empty one.
			wanted.trim() !== '' &&
			String(actual ?? '').toLowerCase() !== wanted.toLowerCase()
		)
			wrong.push([name.split('.')[0], `${name} is ${JSON.stringify(actual)}`]);
	};
	compare('displayName', displayName, attributes.displayName);
	compare('externalId', externalId, attributes.externalId);
	compare('name.givenName', givenName, attributes.name?.givenName);
	return wrong;
}

/** Users no item names keep what they had. */
function touchedBystanders({ resource, operation, items }, start, state, truth, touched) {
	const [{ absentUsers }] = items;
	const isLeft = resource === 'user' && operation === 'reconcile' && absentUsers !== 'deactivate';
	const touchesOthers = ['setMembers', 'reconcile', 'delete', 'create'].includes(operation);
	if (touchesOthers && !isLeft) return [];
	const said = textsIn(items).join('\n').toLowerCase();
	const held = (shape, id) => heldBy(shape, id).join();
	return Object.keys(start.active)
		.filter((id) => {
			const names = namesOf(truth.states[0].users.get(id));
			if (touched.has(id) || [id, ...names].some((name) => said.includes(name))) return false;
			return held(start, id) !== held(state, id) || start.active[id] !== state.active[id];
		})
		.map((id) => `${id} was touched, and nobody named them`);
}

const sameSet = (one, other) => isDeepStrictEqual(new Set(one), new Set(other));
const bare = ({ metadata, ...entry }) => entry;

function untrueAlerting({ said, run, start, truth }) {
	const wrong = [];
	for (const { at, about: action, status } of said.filter(claims)) {
		const say = (words) => wrong.push(`"${action}" is ${status}, but ${words}`);
		const [, verb, id] =
			/^(save|create|update|delete|enable|disable) action (\S+)$/.exec(action) ?? [];
		const stored = id === undefined ? undefined : truth.action(id);
		if (verb === 'delete' && stored !== undefined) say('it is there');
		if (verb === 'enable' && stored?.enabled !== true) say('it is not enabled');
		if (verb === 'disable' && stored?.enabled !== false) say('it is not disabled');
		const saves = ['save', 'create', 'update'].includes(verb);
		if (saves && stored === undefined) say('it is not there');
		else if (saves) {
			const wanted = run.items[at];
			const { kind, email, webhookUrl, serviceKey, url } = wanted ?? {};
			const value = {
				email,
				chatWebhook: webhookUrl,
				teams: webhookUrl,
				incidentPaging: serviceKey,
				webhook: url,
			}[kind];
			const sent = typeof value === 'string' ? value.trim() : undefined;
			if (sent && !Object.values(stored.payload).includes(sent)) say('it has another payload');
		}
		for (const words of monitorClaim(action, truth)) say(words);
		const [, model] = /^update the monitor configuration of model (\S+)$/.exec(action) ?? [];
		if (model !== undefined) {
			const given = run.items[at].configuration;
			const wanted = typeof given === 'string' ? JSON.parse(given) : given;
			const now = truth.document(model);
			for (const name of ['monitors', 'analyzers']) {
				const byId = (list) =>
					Object.fromEntries(list.filter(Boolean).map((entry) => [entry.id, bare(entry)]));
				if (!isDeepStrictEqual(byId(now?.[name] ?? []), byId(wanted[name])))
					say(`has other ${name}`);
			}
		}
	}
	if (run.operation === 'update') return wrong;
	for (const [model, before] of Object.entries(start)) {
		const now = truth.document(model);
		const about = ({ id, displayName, severity, tags, disabled }) => ({
			...{ id, displayName, severity, tags, disabled },
		});
		// A merge moves what it replaces to the end.
		const all = (list) => list.map(about).sort((one, other) => (one.id < other.id ? -1 : 1));
		for (const name of ['monitors', 'analyzers']) {
			if (!isDeepStrictEqual(all(now[name]), all(before[name])))
				wrong.push(`${name} of ${model} have been lost or changed`);
		}
	}
	return wrong;
}

/** The actions of a monitor against what is said of them. */
function monitorClaim(action, truth) {
	const where = / monitor (\S+) of model (\S+?)(?: to (.*))?$/.exec(action);
	if (where === null || action.startsWith('update ')) return [];
	const [, monitor, model, list = ''] = where;
	const targets = truth.targets(model, monitor);
	if (targets === undefined) return ['there is no such monitor'];
	const [, verb, what = ''] = /^(\w+) (.*?) (?:to|from|on|of) /.exec(action) ?? [];
	const named = what.split(', ');
	if (verb === 'attach' && !named.every((id) => targets.includes(id))) return [`it has ${targets}`];
	if (verb === 'detach' && named.some((id) => targets.includes(id))) return [`it has ${targets}`];
	const wanted = list === 'none' ? [] : list.split(', ');
	if (verb === 'set' && !sameSet(targets, wanted)) return [`it has ${targets}`];
	const [from, to] = what.split(' with ');
	if (verb === 'replace' && from !== to && targets.includes(from)) return [`it has ${targets}`];
	return [];
}

module.exports = { saidIn, untrue, wrongAnyway };
