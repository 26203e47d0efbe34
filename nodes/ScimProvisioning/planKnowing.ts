import { isGain, peopleOf } from '../shared/access/changes';
import { accountIn } from '../shared/access/facts';
import { protection, protectsBy } from '../shared/access/guards';
import type { OperationContext } from './context';
import type { Planned } from './planned';

/**
 * A plan that knows who is active, which no membership tells: users who would gain access and were not read yet are read. And
 * who is protected, where no group has shown the login, or an email may protect: users who would be changed are read. And who
 * is to leave a group by a list, and was not shown as a user. With one who is inactive, protected, no user, or cannot be read
 * the plan is made again.
 * @param asked who was read for it already: nobody is twice
 * @throws RequestError when one cannot be read, who might be protected
 */
export async function planKnowing(
	make: () => Promise<Planned>,
	operation: OperationContext,
	asked: ReadonlySet<string> = new Set(),
): Promise<Planned> {
	const { reader, previews } = operation;
	const { facts } = operation.client;
	const planned = await make();
	const { protectedUsers } = planned.guards ?? operation.guards;
	const { names: byName, emails: byEmail } = protectsBy(protectedUsers);
	const gaining = peopleOf(
		planned.changes.filter((change) => change.about === 'entitlement' && isGain(change)),
	);
	const deciding = new Set([...gaining.flatMap(({ id }) => id ?? []), ...(planned.unread ?? [])]);
	const strangers = new Set(planned.strangers);
	const changed = byName ? peopleOf(planned.changes).flatMap(({ id }) => id ?? []) : [];
	const untold = new Set(changed.filter((id) => byEmail || !planned.access?.names.has(id)));
	// An approver sees who it is, and the plan holds it.
	const isAsked = previews && planned.sealed !== undefined;
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
		? await planKnowing(make, operation, new Set([...asked, ...toRead]))
		: planned;
}
