import { attempt, mapConcurrent } from '../../util';
import { hasStatus } from '../../http';
import { equals } from '../protocol/filter';
import type { ListPage } from '../protocol/listPage';
import { readGroup, type Group, type User } from '../protocol/resource';
import { incompleteList, type Listing, type ListQuery } from './listing';

/** The lists that filters are asked of. */
interface Lists {
	listUsers(query: ListQuery): Promise<Listing<User>>;
	readUsersPage(query: ListQuery): Promise<ListPage>;
	readGroupsPage(query: ListQuery): Promise<ListPage>;
}

/** Members as filters tell them. `of`: only of these it was asked whether they are. */
export type Filtered = Pick<Group, 'members' | 'byFilter' | 'of'>;

/** Answers to a filter that name nobody, too: to an ID that there is not. */
const NOBODY = [400, 404];
const REFUSALS = [400, 403, 404, 405, 413, 414, 501];
const CONCURRENCY = 5;

/**
 * Who is in a group, asked by filter, for services whose groups show no members: users by `groups.value eq`, which takes a
 * request per page of members, or groups by `id eq` and `members eq`, which takes one per person. Some services ignore
 * filters and answer with everybody, so each of them is believed only after the same one has found nobody for an ID that
 * nobody has.
 */
export class MemberFilters {
	/** By form of the filter, whether it is believed. */
	private readonly beliefs = new Map<string, Promise<boolean>>();

	/** How many requests the members of a group take, as far as it is known. */
	private readonly pages = new Map<string, number>();

	/** @param count members per page */
	constructor(
		private readonly lists: Lists,
		private readonly count: number,
	) {}

	/**
	 * @param of whose membership is asked for; missing: everybody's
	 * @returns undefined where filters cannot be believed
	 * @throws RequestError when something cannot be read, or not all
	 */
	async membersOf(groupId: string, of?: readonly string[]): Promise<Filtered | undefined> {
		if (of === undefined) return await this.list(groupId);
		if (of.length === 0) return undefined;
		// A list that is longer than it is worth is left after its first page.
		const isShort = of.length > 1 && (this.pages.get(groupId) ?? 0) <= of.length;
		const listed = isShort ? await this.list(groupId, of.length) : undefined;
		return listed ?? (await this.ask(groupId, of)) ?? (await this.list(groupId));
	}

	private async list(groupId: string, mostPages?: number): Promise<Filtered | undefined> {
		const query = (id: string) => ({ filter: equals('groups.value', id), count: this.count });
		const isBelieved = this.believes(
			'groups.value',
			async () => await this.lists.readUsersPage({ ...query(likeNobody(groupId)), count: 1 }),
		);
		if (!(await isBelieved)) return undefined;
		const tried = await attempt(
			async () => await this.lists.listUsers({ ...query(groupId), mostPages }),
		);
		if (!tried.ok && hasStatus(tried.error, ...REFUSALS)) return undefined;
		if (!tried.ok) throw tried.error;
		const { incomplete, resources, pages } = tried.value;
		if (incomplete === undefined) {
			this.pages.set(groupId, pages);
			return { members: resources.map(({ id }) => ({ id })), byFilter: true };
		}
		if (mostPages === undefined)
			throw incompleteList(`members of group ${groupId}`, incomplete, resources.length);
		this.pages.set(groupId, mostPages + 1);
		return undefined;
	}

	private async ask(groupId: string, of: readonly string[]): Promise<Filtered | undefined> {
		const page = async (userId: string) =>
			await this.lists.readGroupsPage({
				filter: `${equals('id', groupId)} and ${equals('members', userId)}`,
			});
		if (!(await this.believes('members', async () => await page(likeNobody(of[0])))))
			return undefined;
		const tried = await attempt(
			async () =>
				await mapConcurrent(of, CONCURRENCY, async (userId) => {
					const { entries } = await page(userId);
					return entries.some((entry) => readGroup(entry)?.id === groupId) ? [{ id: userId }] : [];
				}),
		);
		if (tried.ok) return { members: tried.value.flat(), byFilter: true, of: new Set(of) };
		if (hasStatus(tried.error, ...REFUSALS)) return undefined;
		throw tried.error;
	}

	private async believes(form: string, probe: () => Promise<ListPage>): Promise<boolean> {
		const asked = this.beliefs.get(form) ?? findsNobody(probe);
		this.beliefs.set(form, asked);
		return await asked;
	}
}

async function findsNobody(probe: () => Promise<ListPage>): Promise<boolean> {
	const tried = await attempt(probe);
	if (tried.ok) return tried.value.entries.length === 0;
	if (hasStatus(tried.error, ...NOBODY)) return true;
	if (hasStatus(tried.error, ...REFUSALS)) return false;
	throw tried.error;
}

/** An ID of the same shape, which with all likelihood nobody has; a service may refuse one of another. */
export function likeNobody(id: string): string {
	const letters = /^[^g-z]*$/i.test(id) ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
	const anyOf = (characters: string) => characters[Math.floor(Math.random() * characters.length)];
	const other = [...id]
		.map((character) => {
			if (/[0-9]/.test(character)) return anyOf('0123456789');
			if (/[a-z]/.test(character)) return anyOf(letters);
			return /[A-Z]/.test(character) ? anyOf(letters.toUpperCase()) : character;
		})
		.join('');
	return other === id ? `${id}0` : other;
}
