import { attempt } from '../../attempt';
import type { Patience } from '../../patience';
import { lookUntilSeen } from '../../patience';
import { hasStatus, RequestError } from '../../request/requestError';
import type { Send } from '../../request/send';
import { equals } from '../protocol/filter';
import type { ListPage } from '../protocol/listPage';
import { resourcePath } from '../protocol/paths';
import { addMembers, patchBody, type PatchBody } from '../protocol/patch';
import type { ServiceProfile } from '../protocol/profile';
import {
	readGroup,
	readUser,
	type Attributes,
	type Group,
	type ResourceType,
	type User,
} from '../protocol/resource';
import { listAll, readPage, type Listing, type ListQuery } from './listing';

/** What a filter look-up says. `unusable`: the service refused or ignored the filter, so nothing is known. */
export type FilterAnswer = { usable: true; users: User[] } | { usable: false };

/** Looks whether a user is there, without trusting one way of looking alone. */
export type UserLookUp = (userName: string) => Promise<User | undefined>;

/**
 * The requests of SCIM 2.0 (RFC 7644) on users and groups, one method each. Every method rejects with a
 * RequestError when the service does not answer with 2xx. A method that writes gives what the answer showed, which is
 * no proof: an answer can be empty or old (docs/interface.md 2.1).
 */
export interface ScimClient {
	readonly profile: ServiceProfile;
	readonly patience: Patience;
	/** One page as it comes, for a person who looks through a list. */
	readUsersPage(query: ListQuery): Promise<ListPage>;
	readGroupsPage(query: ListQuery): Promise<ListPage>;
	listUsers(query?: ListQuery): Promise<Listing<User>>;
	listGroups(query?: ListQuery): Promise<Listing<Group>>;
	findUsersByFilter(userName: string): Promise<FilterAnswer>;
	getUser(id: string): Promise<User>;
	getGroup(id: string): Promise<Group>;
	/**
	 * Never leaves two users behind: after a lost answer it looks whether the user is there before it sends again,
	 * and an answer without id is looked up until `patience` ends.
	 * @returns undefined when the answer had no id and the user was not seen afterwards
	 */
	createUser(body: Attributes, lookUp: UserLookUp): Promise<User | undefined>;
	patchUser(id: string, body: PatchBody): Promise<User | undefined>;
	replaceUser(id: string, body: Attributes): Promise<User | undefined>;
	/** @returns false when the user was gone already (404) */
	deleteUser(id: string): Promise<boolean>;
	addMembers(groupId: string, userIds: readonly string[]): Promise<Group | undefined>;
}

/** @param send the only way out; its errors pass through */
export function createScimClient(
	send: Send,
	profile: ServiceProfile,
	patience: Patience,
): ScimClient {
	const path = (type: ResourceType, id?: string) => resourcePath(profile.prefix, type, id);

	/** One resource by id; an answer that is no such resource is as good as none. */
	async function get<R>(type: ResourceType, id: string, read: (body: unknown) => R | undefined) {
		const purpose = `get ${type === 'Users' ? 'user' : 'group'} ${id}`;
		const answer = await send({ method: 'GET', path: path(type, id), repeat: 'always', purpose });
		const resource = read(answer.body);
		if (resource === undefined) {
			throw new RequestError(
				`Could not ${purpose}: the service answered ${answer.status} without a resource that has an ID`,
				'Check the Base URL and where the /scim prefix goes.',
				{ kind: 'unreadable', method: 'GET', status: answer.status, mayHaveWorked: false },
			);
		}
		return resource;
	}

	return {
		profile,
		patience,

		readUsersPage: async (query) => await readPage(send, profile, 'Users', query),
		readGroupsPage: async (query) => await readPage(send, profile, 'Groups', query),

		listUsers: async (query) => await listAll(send, profile, 'Users', readUser, query),
		listGroups: async (query) => await listAll(send, profile, 'Groups', readGroup, query),

		async findUsersByFilter(userName) {
			const tried = await attempt(
				async () =>
					await readPage(send, profile, 'Users', { filter: equals('userName', userName) }),
			);
			if (!tried.ok) {
				if (hasStatus(tried.error, 400, 403, 404, 405, 413, 414, 501)) return { usable: false };
				throw tried.error;
			}
			const wanted = userName.toLowerCase();
			const users = tried.value.entries.flatMap((entry) => readUser(entry) ?? []);
			const hits = users.filter((user) => user.userName.toLowerCase() === wanted);
			const ignored = hits.length < tried.value.entries.length;
			return ignored ? { usable: false } : { usable: true, users: hits };
		},

		getUser: async (id) => await get('Users', id, readUser),
		getGroup: async (id) => await get('Groups', id, readGroup),

		async createUser(body, lookUp) {
			const userName = String(body.userName);
			let sentBefore = false;
			const tried = await attempt(
				async () =>
					await send({
						method: 'POST',
						path: path('Users'),
						body,
						purpose: `create user ${userName}`,
						repeat: async () => {
							sentBefore = true;
							return (await lookUp(userName))?.attributes;
						},
					}),
			);
			if (tried.ok) {
				const shown = readUser(tried.value.body);
				return shown ?? (await lookUntilSeen(patience, async () => await lookUp(userName)));
			}
			// "Exists already" after a lost answer: the one that exists is the one we made.
			const ours = sentBefore && hasStatus(tried.error, 409) ? await lookUp(userName) : undefined;
			if (ours === undefined) throw tried.error;
			return ours;
		},

		async patchUser(id, body) {
			const answer = await send({
				method: 'PATCH',
				path: path('Users', id),
				body,
				// Only values are replaced (see replaceAttributes), which gives the same however often it is done.
				repeat: 'always',
				purpose: `update user ${id}`,
			});
			return readUser(answer.body);
		},

		async replaceUser(id, body) {
			const answer = await send({
				method: 'PUT',
				path: path('Users', id),
				body,
				repeat: 'never',
				purpose: `replace user ${id}`,
			});
			return readUser(answer.body);
		},

		async deleteUser(id) {
			const tried = await attempt(
				async () =>
					await send({
						method: 'DELETE',
						path: path('Users', id),
						repeat: 'always',
						purpose: `delete user ${id}`,
					}),
			);
			if (tried.ok) return true;
			if (hasStatus(tried.error, 404)) return false;
			throw tried.error;
		},

		async addMembers(groupId, userIds) {
			const answer = await send({
				method: 'PATCH',
				path: path('Groups', groupId),
				body: patchBody([addMembers(userIds)]),
				repeat: 'always',
				purpose: `add members to group ${groupId}`,
			});
			return readGroup(answer.body);
		},
	};
}
