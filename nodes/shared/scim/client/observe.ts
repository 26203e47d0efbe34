import type { Answer } from '../../http';
import type { Asked, Leaving } from '../facts/facts';
import { intake } from '../protocol/intake';
import { readGroup, readUser, type Group, type Resource, type User } from '../protocol/resource';
import type { Reader } from './listing';
import type { Wire } from './wire';

/**
 * Returns a reader that notes in the facts each user that an answer shows.
 * @param asked `write` also where attributes were asked for by name: without all others it is no user as a read shows it
 */
export function userReader(wire: Wire, asked: Asked): Reader<User> {
	const { facts, onRequest } = wire;
	return (entry) => {
		const user = keep(readUser(entry), `user ${asked === 'write'}`, wire);
		if (user === undefined) return undefined;
		facts.noteUser(user, asked);
		if (asked !== 'write' && user.groupIds !== undefined) onRequest.noteShown();
		return user;
	};
}

/** Returns a reader that notes in the facts each group that an answer shows, and tells its members apart by them. */
export function groupReader(wire: Wire): Reader<Group> {
	const { facts } = wire;
	return (entry) => {
		const group = keep(readGroup(entry), 'group', wire);
		if (group === undefined) return undefined;
		facts.noteGroup(group);
		return facts.resolved(group);
	};
}

/**
 * Keeps of a resource what the run needs.
 * @param as what tells it apart from all else that is held
 * @throws RequestError where the run cannot hold more
 */
function keep<R extends Resource>(
	resource: R | undefined,
	as: string,
	{ keeps, memory }: Wire,
): R | undefined {
	if (resource === undefined) return undefined;
	const all = Object.entries(resource.attributes);
	const needed = all.filter(([name]) => keeps(name));
	const kept =
		needed.length === all.length
			? resource
			: { ...resource, attributes: Object.fromEntries(needed) };
	memory.hold(resource.id, kept, as);
	return kept;
}

/** Takes the members from a group of a service that is known to show none. */
export function withoutMembers({ facts }: Wire, group: Group): Group {
	const shown = { ...group };
	delete shown.members;
	facts.noteNameAlone(shown);
	return shown;
}

/** Reads what the answer to a write shows of a user; undefined where it is not about that one. */
export function userOfAnswer(
	wire: Wire,
	id: string,
	answer: Answer,
	left: Leaving,
): User | undefined {
	const { facts, key } = wire;
	const { shows } = intake({ type: 'Users', id, read: userReader(wire, 'write') }, answer, key);
	if (shows !== undefined)
		facts.seeUser(id, { ok: true, value: shows }, facts.answeredTo(left), 'write');
	return shows;
}

/** Reads what the answer to a write shows of a group; undefined where it is not about that one. */
export function groupOfAnswer(wire: Wire, answer: Answer, id?: string): Group | undefined {
	const { key, profile } = wire;
	const { shows } = intake({ type: 'Groups', id, read: groupReader(wire) }, answer, key);
	return shows && profile.groupsShowMembers === 'no' ? withoutMembers(wire, shows) : shows;
}
