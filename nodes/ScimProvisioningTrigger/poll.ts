import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { attemptSync, InputError, textList } from '../shared/util';
import { connect, credentialOf, type ScimConnection } from '../shared/connection';
import { type FactsOfUser, type Look, type Marking, WATCHED } from '../shared/access/facts';
import { readVolumeLimits } from '../shared/access/guards';
import { readSettings } from '../shared/run';
import { changesOf } from './changes';
import {
	type Event,
	eventItem,
	eventsBetween,
	isWanted,
	readWish,
	WATCHED_ATTRIBUTES,
	WATCHED_FIELD,
	type Wish,
} from './events';
import { look, readerOf, type Watch } from './look';
import { readMemory, writeMemory, markingFor, markOf } from './memory';

/** A check that takes longer ends with an error. */
const MOST_MS = 60 * 60_000;

/** So many of each kind come out of a test in the editor. */
const MOST_EXAMPLES = 5;

/** What is remembered of the nodes whose check is under way. */
const checking = new WeakSet<object>();

const NOTHING: Look = {
	...{ facts: new Map(), groups: new Map(), names: new Map(), oneRole: false },
	covers: { accounts: false },
};

/**
 * Reports what has happened since the last look, one item per event. The first look only remembers what is there.
 * @throws RequestError and InputError when it cannot be seen, or looks like a broken service; nothing is remembered then,
 *   so that the next look reports what this one could not
 */
export async function newEvents(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const requests = context.getNodeParameter('requests', {}) as IDataObject;
	const safetyLimits = context.getNodeParameter('safetyLimits', {}) as IDataObject;
	const settings = readSettings(requests, MOST_MS);
	const events = context.getNodeParameter('events', []);
	const attributes = context.getNodeParameter('watchedAttributes', WATCHED_ATTRIBUTES);
	const watches = [events].flat().includes('userUpdated');
	const watched = attemptSync(() => textList(attributes, WATCHED_FIELD));
	const keeps = watches ? watched : [];
	const connection = await connect(context, { ...settings, keeps });
	const wish = readWish(events, attributes, options, connection);
	const how = { connection, settings, wish, limits: readVolumeLimits(safetyLimits) };
	if (context.getMode() === 'manual') {
		return await examples({ ...how, marking: markingOf(wish), before: NOTHING });
	}

	const memory = context.getWorkflowStaticData('node');
	// The time of the next check may come before this one has ended.
	if (checking.has(memory)) return [];
	checking.add(memory);
	try {
		return await check(context, memory, how);
	} finally {
		checking.delete(memory);
	}
}

/** What has happened since `memory`, which then has what was seen now. */
async function check(
	context: IPollFunctions,
	memory: IDataObject,
	how: Omit<Watch, 'before' | 'marking'>,
): Promise<INodeExecutionData[]> {
	const { connection, wish } = how;
	const remembered = memory.seen;
	const source = sourceOf(context, connection);
	const known = readMemory(remembered, (kept) => isSameSource(kept, source), connection.ids);
	if (known === undefined && remembered !== undefined) {
		context.logger.warn(
			'The SCIM Provisioning Trigger starts over: its last check was of another service, account, group pattern or version of this node, or what it kept is damaged. Changes since then are not reported.',
		);
	}
	const before = known ?? NOTHING;
	const watch = { ...how, marking: markingOf(wish, before.covers.watched), before };
	const { after, events: all, notes } = await changesOf(watch);
	for (const note of notes) context.logger.warn(`SCIM Provisioning Trigger: ${note}`);
	const wanted = all.filter((event) => isWanted(event, wish));
	const items = await itemsOf(wanted, after, watch);
	// Another check, of a workflow that was activated again, must not be put back.
	if (memory.seen !== remembered) return [];
	memory.seen = writeMemory(after, source);
	return items;
}

/** How users are to be marked, as before where the wish is the same; undefined where no attribute is watched. */
function markingOf({ watched }: Wish, before?: Marking): Marking | undefined {
	return watched.size === 0 ? undefined : markingFor([...watched.keys()], before);
}

/** Before the ID of an OAuth2 credential. */
const OTHER_TYPE = 'oAuth2 ';

/** What the remembered ids and roles belong to: a credential in the first line, and how its service is read. */
function sourceOf(
	context: IPollFunctions,
	{ baseUrl, accountOrganization, ids, client }: ScimConnection,
): string {
	const { id, isOAuth2 } = credentialOf(context.getNode());
	const credential = isOAuth2 ? `${OTHER_TYPE}${id}` : id;
	const { oneRolePerOrganization: oneRole } = client.profile;
	return [credential, baseUrl, accountOrganization, ids.spelling, oneRole].join('\n');
}

/**
 * Whether what was remembered goes on: another account, or groups read in another way, start over. Another credential of
 * the same type may be of another account; one of the other type is a new way into the same.
 */
function isSameSource(kept: string, now: string): boolean {
	const afterFirstLine = (text: string) => text.slice(text.indexOf('\n'));
	const isOtherType = kept.startsWith(OTHER_TYPE) !== now.startsWith(OTHER_TYPE);
	return kept === now || (isOtherType && afterFirstLine(kept) === afterFirstLine(now));
}

/** In the editor: what is there now, as if it were new. Test events never include removals. */
async function examples(watch: Watch): Promise<INodeExecutionData[]> {
	const now = await look(watch);
	// Nothing was known before, but an attribute only changes.
	const mark = watch.marking === undefined ? '' : markOf({ attributes: {} }, watch.marking);
	const blank: FactsOfUser = new Map([[WATCHED, { of: 'watched', mark }]]);
	const isWatched = ([, own]: [string, FactsOfUser]) => own.has(WATCHED);
	const nobody = [...now.facts].filter(isWatched).map(([id]) => [id, blank] as const);
	const all = eventsBetween({ ...now, facts: new Map(nobody) }, now).filter((event) =>
		isWanted(event, watch.wish),
	);
	const kinds = new Set(all.map(({ kind }) => kind));
	const events = [...kinds].flatMap((kind) =>
		all.filter((event) => event.kind === kind).slice(0, MOST_EXAMPLES),
	);
	if (events.length > 0) {
		const items = await itemsOf(events, now, watch);
		return items.map(({ json }) => ({ json: { isSample: true, ...json } }));
	}
	throw new InputError(
		'There is no test event for the chosen events',
		'Test events never include removals. Real changes are reported once the workflow is active.',
	);
}

async function itemsOf(
	events: readonly Event[],
	after: Look,
	watch: Watch,
): Promise<INodeExecutionData[]> {
	const names = new Map([...watch.before.names, ...after.names]);
	const nameless = new Set(events.flatMap(({ id }) => (names.has(id) ? [] : [id])));
	for (const [id, user] of await readerOf(watch).people.read([...nameless])) {
		if (user.ok) names.set(id, user.value.userName);
	}
	const seenAt = new Date().toISOString();
	return events.map((event) => ({
		json: { ...eventItem(event, after, names, watch), seenAt },
	}));
}
