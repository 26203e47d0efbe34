import { isGain, peopleOf } from '../changes';
import { accountIn } from '../facts';
import { protection, protectsBy } from '../guards';
import type { WriteContext } from './context';
import type { Planned } from './plan';

/**
 * Decides with what the rules have to know: a user who would gain access and was not read yet is read, since no membership tells
 * who is active; a user who would be changed, where the login or an email may protect; a person whom a list is to remove, and
 * who was not shown as a user. Where one of them is not as was assumed, the plan is made again.
 * @param asked who was read for it already: nobody is twice
 * @throws RequestError when one cannot be read, who might be protected
 */
export async function decide(
	make: () => Promise<Planned>,
	operation: WriteContext,
	asked: ReadonlySet<string> = new Set(),
): Promise<Planned> {
	const { reader, previews } = operation;
	const { facts } = operation.client;
	const planned = await make();
	const { basis = {} } = planned;
	const { protectedUsers } = basis.approved?.guards ?? operation.guards;
	const { names: byName, emails: byEmail } = protectsBy(protectedUsers);
	const gaining = peopleOf(
		planned.changes.filter((change) => change.about === 'entitlement' && isGain(change)),
	);
	const deciding = new Set([...gaining.flatMap(({ id }) => id ?? []), ...(planned.unread ?? [])]);
	const strangers = new Set(planned.strangers);
	const changed = byName ? peopleOf(planned.changes).flatMap(({ id }) => id ?? []) : [];
	const untold = new Set(changed.filter((id) => byEmail || !basis.access?.names.has(id)));
	// An approver sees who it is, and the plan holds it.
	const isAsked = previews && planned.seal !== undefined;
	const named = isAsked ? peopleOf(planned.changes).flatMap(({ id }) => id ?? []) : [];
	const toRead = [...new Set([...deciding, ...untold, ...named, ...strangers])].filter(
		(id) => !asked.has(id) && accountIn(facts, id) === undefined,
	);
	const activityOf = (id: string) => {
		const user = facts.lastRead(id);
		return user && facts.activity(user);
	};
	const assumed = new Map([...deciding].map((id) => [id, activityOf(id)]));
	const users = await reader.people.readThere(toRead);
	for (const [id, user] of users) if (untold.has(id) && !user.ok) throw user.error;
	// Whoever is no user may be a group.
	await reader.memberships.tellGroups([...strangers].filter((id) => facts.isGone(id)));
	await reader.people.tellActivity([...deciding]);
	const isNews = [...assumed].some(([id, was]) => was !== undefined && activityOf(id) !== was);
	const isProtected = protection(protectedUsers, (id) => facts.lastRead(id));
	const isOther = (id: string) => {
		const user = users.get(id);
		if (user?.ok !== true || user.value === undefined) return deciding.has(id) || strangers.has(id);
		const { userName } = user.value;
		const isOut = deciding.has(id) && activityOf(id) !== 'active';
		return isProtected({ key: id, id, userName }) || isOut;
	};
	return toRead.some(isOther) || isNews
		? await decide(make, operation, new Set([...asked, ...toRead]))
		: planned;
}
