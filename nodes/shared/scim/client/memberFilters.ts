import { attempt, mapConcurrent } from '../../util';
import { hasStatus } from '../../http';
import { equals } from '../protocol/paths';
import type { ListPage } from '../protocol/intake';
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

/** Answers to a filter that mean no member: the ID does not exist. */
const NOBODY = [400, 404];
/** Answers that refuse a filter. */
export const FILTER_REFUSALS = [400, 403, 404, 405, 413, 414, 501];
const SHORT_NUMBER = /^\d{1,8}$/;
/** How many letters and digits are unlikely to be the same by chance. */
const SAFE_LENGTH = 8;
const LONGER = '00000000';
const CONCURRENCY = 5;
const MEMBERS_PER_PAGE = 100;

/**
 * Asks by filter who is in a group, for services whose groups show no members: users by `groups.value eq`, which takes a
 * request per page of members, or groups by `id eq` and `members eq`, which takes one per person. Some services ignore
 * filters and answer with all users, so each of them is believed only after the same one has found no user for an ID that
 * no user has. That a group is empty is only known once one of them has found a member.
 */
export class MemberFilters {
	/** By form of the filter, whether it is believed. */
	private readonly beliefs = new Map<string, Promise<boolean>>();

	/** Which forms have answered, and whether one of the answers has found a member of a group. */
	private readonly foundBy = new Map<'list' | 'ask', boolean>();

	/** How many requests the members of a group take, as far as it is known. */
	private readonly pages = new Map<string, number>();

	constructor(private readonly lists: Lists) {}

	/** Whether every form that has answered has found a member: one that never does proves nothing. */
	get found(): boolean {
		return this.foundBy.size > 0 && [...this.foundBy.values()].every(Boolean);
	}

	/** Whether the form that has told the members of a group has found a member of any group. */
	hasFoundAs({ of }: Pick<Group, 'of'>): boolean {
		return this.foundBy.get(of === undefined ? 'list' : 'ask') === true;
	}

	private note(form: 'list' | 'ask', members: readonly unknown[]): void {
		this.foundBy.set(form, this.foundBy.get(form) === true || members.length > 0);
	}

	/** Asks both forms for a member of a group, if there is one. */
	async findMember(groupId: string): Promise<void> {
		const [member] = await this.someOf(groupId);
		if (member !== undefined) await this.ask(groupId, [member]);
	}

	/** Reads a page of the members of a group; none where that cannot be told. */
	async someOf(groupId: string): Promise<string[]> {
		if (!(await this.believesList(groupId))) return [];
		const page = await this.lists.listUsers({ ...this.query(groupId), mostPages: 1 });
		this.pages.set(groupId, page.incomplete === undefined ? 1 : Number.POSITIVE_INFINITY);
		this.note('list', page.resources);
		return page.resources.map(({ id }) => id);
	}

	/**
	 * Reads the members of a group by the form that takes fewer requests.
	 * @param of whose membership is asked for; missing: all
	 * @returns undefined where filters cannot be believed
	 * @throws RequestError when something cannot be read, or not all
	 */
	async membersOf(groupId: string, of?: readonly string[]): Promise<Filtered | undefined> {
		if (of === undefined) return await this.list(groupId);
		if (of.length === 0) return undefined;
		// A list that is longer than it is worth is left after its first page.
		const pages = this.pages.get(groupId);
		const isShort = pages === undefined ? of.length > 1 : pages <= of.length;
		const listed = isShort ? await this.list(groupId, of.length) : undefined;
		return listed ?? (await this.ask(groupId, of)) ?? (await this.list(groupId));
	}

	private async list(groupId: string, mostPages?: number): Promise<Filtered | undefined> {
		if (!(await this.believesList(groupId))) return undefined;
		const tried = await attempt(
			async () => await this.lists.listUsers({ ...this.query(groupId), mostPages }),
		);
		if (!tried.ok && isRefused(tried.error)) return undefined;
		if (!tried.ok) throw tried.error;
		const { incomplete, resources, pages } = tried.value;
		if (incomplete === undefined) {
			this.pages.set(groupId, pages);
			this.note('list', resources);
			return { members: resources.map(({ id }) => ({ id })), byFilter: true };
		}
		if (mostPages === undefined)
			throw incompleteList(`members of group ${groupId}`, incomplete, resources.length);
		this.pages.set(groupId, mostPages + 1);
		return undefined;
	}

	private query(groupId: string): ListQuery {
		return { filter: equals('groups.value', groupId), count: MEMBERS_PER_PAGE };
	}

	private async believesList(groupId: string): Promise<boolean> {
		return await this.believes(
			'groups.value',
			async () => await this.lists.readUsersPage({ ...this.query(likeNobody(groupId)), count: 1 }),
		);
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
					const answer = await attempt(async () => await page(userId));
					// The filter works, so the user does not exist.
					if (!answer.ok && hasStatus(answer.error, 404)) return [];
					if (!answer.ok) throw answer.error;
					const { entries } = answer.value;
					if (entries.some((entry) => readGroup(entry)?.id === groupId)) return [{ id: userId }];
					return goesOn(answer.value) ? undefined : [];
				}),
		);
		// Where an answer has more pages, nothing is known of that person.
		if (tried.ok && tried.value.includes(undefined)) return undefined;
		if (tried.ok) {
			const members = tried.value.flatMap((one) => one ?? []);
			this.note('ask', members);
			return { members, byFilter: true, of: new Set(of) };
		}
		if (isRefused(tried.error)) return undefined;
		throw tried.error;
	}

	private async believes(form: string, probe: () => Promise<ListPage>): Promise<boolean> {
		const asked = this.beliefs.get(form) ?? findsNobody(probe);
		this.beliefs.set(form, asked);
		return await asked;
	}
}

/** Tells whether there may be more than a page shows. */
function goesOn({ entries, nextCursor, totalResults = 0 }: ListPage): boolean {
	return nextCursor !== undefined || totalResults > entries.length;
}

/** Tells whether a filter is not known to the service; a cursor that it takes no more is a list that broke off. */
function isRefused(error: unknown): boolean {
	return hasStatus(error, ...FILTER_REFUSALS) && !/cursor/i.test(error.facts.errorType ?? '');
}

async function findsNobody(probe: () => Promise<ListPage>): Promise<boolean> {
	const tried = await attempt(probe);
	if (tried.ok) return tried.value.entries.length === 0 && !goesOn(tried.value);
	if (hasStatus(tried.error, ...NOBODY)) return true;
	if (isRefused(tried.error)) return false;
	throw tried.error;
}

/** Makes up an ID of the same shape, which most likely no user has; a service may refuse one of another. */
function likeNobody(id: string): string {
	// Short numbers are counted up: one of the same length may well be that of a user.
	if (SHORT_NUMBER.test(id)) return `9${String(Math.random()).slice(2, 10).padEnd(8, '7')}`;
	const letters = /^[^g-z]*$/i.test(id) ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
	const anyOf = (characters: string) => characters[Math.floor(Math.random() * characters.length)];
	// One of the same length may well be that of a user where IDs are short.
	const shape = id.replace(/[^0-9a-z]/gi, '').length < SAFE_LENGTH ? id + LONGER : id;
	return [...shape]
		.map((character) => {
			if (/[0-9]/.test(character)) return anyOf('0123456789');
			if (/[a-z]/.test(character)) return anyOf(letters);
			return /[A-Z]/.test(character) ? anyOf(letters.toUpperCase()) : character;
		})
		.join('');
}
