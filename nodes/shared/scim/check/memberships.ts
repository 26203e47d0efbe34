import { attempt, poll } from '../../util';
import { hasStatus } from '../../http';
import { listAll, readPage } from '../client/listing';
import { FILTER_REFUSALS, likeNobody, MemberFilters } from '../client/memberFilters';
import { equals } from '../protocol/filter';
import { changeMembers, patchBody } from '../protocol/patch';
import { attribute, readGroup, readUser, SCHEMA, type Resource } from '../protocol/resource';
import type { Answered } from './exchanges';
import type { Stage } from './stage';
import type { TestObject } from './testObjects';

/**
 * The IDs of the test users that a read shows in a group; undefined where it cannot tell.
 * @param asks whether it asks for memberships by name, where it can
 */
type Source = (group: TestObject, asks?: boolean) => Promise<ReadonlySet<string> | undefined>;
type Form = 'PATCH' | 'PATCH with display' | 'PUT';

const FORMS: readonly Form[] = ['PATCH', 'PATCH with display', 'PUT'];
const LIMITS = { mostPages: 20, mostResources: 10_000 };
const ASKED = { Users: 'id,userName,groups', Groups: 'id,displayName,members' };

/** Two test users in test groups: one is added, removed, moved and refused while the other one is watched. */
export class Memberships {
	private readonly sources: Array<[string, Source]>;

	/** The read that shows memberships. */
	private source: Source = async () => undefined;

	private form: Form = 'PATCH';

	private remove?: (group: TestObject, ids: readonly string[]) => Promise<Answered>;

	/** Where the first user is a member before it ends. */
	private places: TestObject[] = [];

	constructor(
		private readonly stage: Stage,
		private readonly group: TestObject,
		private readonly users: readonly [TestObject, TestObject],
		filters: { Users: boolean; Groups: boolean },
	) {
		const { exchanges, profile } = stage.objects;
		const { send } = exchanges;
		const ids = users.map(({ id }) => id);
		const memberFilters = new MemberFilters(
			{
				listUsers: async (query) => await listAll(send, profile, 'Users', readUser, LIMITS, query),
				readUsersPage: async (query) => await readPage(send, profile, 'Users', query),
				readGroupsPage: async (query) => await readPage(send, profile, 'Groups', query),
			},
			100,
		);
		/** What a list shows of a test object: the answer to a filter, or else the whole list. */
		const listed = async ({ type, id }: TestObject, asks?: boolean) => {
			const attributes = asks ? ASKED[type] : undefined;
			const filter = filters[type] ? equals('id', id) : undefined;
			const read = type === 'Users' ? readUser : readGroup;
			const list = async () =>
				await listAll<Resource>(send, profile, type, read, LIMITS, { filter, attributes });
			const tried = await attempt(list);
			if (!tried.ok && hasStatus(tried.error, ...FILTER_REFUSALS)) return undefined;
			if (!tried.ok) throw tried.error;
			return tried.value.resources.find((resource) => resource.id === id)?.attributes;
		};
		const single = async (object: TestObject, asks?: boolean) => {
			const { ok, body } = await stage.get(object, asks ? ASKED[object.type] : undefined);
			return ok ? body : undefined;
		};
		const ofGroup =
			(read: typeof single): Source =>
			async (of, asks) => {
				const body = await read(of, asks);
				const members = readGroup(body)?.members ?? [];
				return body === undefined ? undefined : new Set(members.map(({ id }) => id));
			};
		const ofUsers =
			(read: typeof single): Source =>
			async (of, asks) => {
				const held = new Set<string>();
				for (const user of users) {
					const groups = readUser(await read(user, asks))?.groupIds ?? [];
					if (groups.includes(of.id)) held.add(user.id);
				}
				return held;
			};
		this.sources = [
			['Group by ID shows members', ofGroup(single)],
			[
				'Filter finds members',
				async ({ id }) => {
					const found = await memberFilters.membersOf(id, ids);
					return found && new Set(found.members?.map((member) => member.id));
				},
			],
			['User by ID shows groups', ofUsers(single)],
			['List of groups shows members', ofGroup(listed)],
			['List of users shows groups', ofUsers(listed)],
		];
	}

	/** Adds both users, and notes which reads show it. @returns whether any does */
	async begin(): Promise<boolean> {
		const { stage, group } = this;
		let first: Answered | undefined;
		for (const form of FORMS) {
			this.form = form;
			const answered = await this.add(group, this.users);
			first ??= answered;
			if (!answered.ok) continue;
			stage.note('Add members', form, answered);
			const isWhole = attribute(answered.body, 'id') !== undefined;
			stage.note(
				'Answer to a change of a group',
				isWhole ? 'with the group' : 'without the group',
				answered,
			);
			return await this.noteSources();
		}
		if (first !== undefined) stage.note('Add members', 'refused', first);
		return false;
	}

	private async noteSources(): Promise<boolean> {
		const { stage, group } = this;
		const { patience, exchanges } = stage.objects;
		const begin = Date.now();
		const open = new Map(this.sources);
		let known: Source | undefined;
		await poll(patience, async () => {
			for (const [step, source] of open) {
				if (!(await this.isShown(source))) continue;
				stage.note(step, 'shown', exchanges.telling, Date.now() - begin);
				known ??= source;
				open.delete(step);
			}
			return open.size === 0 ? true : undefined;
		});
		for (const [step, source] of open) {
			const asking: Source = async (of) => await source(of, true);
			const isAsked = await this.isShown(asking);
			if (isAsked) known ??= asking;
			const told = isAsked || (await source(group)) !== undefined;
			stage.note(
				step,
				isAsked ? 'on request' : told ? 'not shown' : 'no answer',
				exchanges.telling,
			);
		}
		if (known !== undefined) this.source = known;
		return known !== undefined;
	}

	private async isShown(source: Source): Promise<boolean> {
		const shown = await source(this.group);
		return this.users.every(({ id }) => shown?.has(id) === true);
	}

	/** Tries each form of removal; the second user is watched. */
	async tryRemovals(): Promise<void> {
		const { stage, group } = this;
		const [one, two] = this.users;
		const by =
			(form: 'filterPath' | 'valueList') => async (of: TestObject, ids: readonly string[]) =>
				await stage.objects.ask('PATCH', 'Groups', {
					id: of.id,
					body: changeMembers([], ids, form),
				});
		const byPut = async (of: TestObject, ids: readonly string[]) =>
			await this.put(
				of,
				[...((await this.source(of)) ?? [])].filter((id) => !ids.includes(id)),
			);
		const ways: Array<[string, NonNullable<Memberships['remove']>]> =
			this.form === 'PUT'
				? [['Remove member by PUT', byPut]]
				: [
						['Remove member by filter path', by('filterPath')],
						['Remove member by list of values', by('valueList')],
					];
		for (const [step, way] of ways) {
			if (!(await this.join(group, this.users))) return;
			const answered = await way(group, [one.id]);
			const saw = await stage.noteWhen(step, 'ignored', answered, async () => {
				const now = answered.ok ? await this.source(group) : undefined;
				if (!answered.ok) return 'refused';
				if (now === undefined || now.has(one.id)) return undefined;
				return now.has(two.id) ? 'removed' : 'removed everybody';
			});
			if (saw === 'removed') this.remove ??= way;
		}
		if (await this.join(group, this.users)) this.places = [group];
	}

	/** Adds a user who does not exist between both users, then the first one beside the first group. */
	async trySecond(second: TestObject): Promise<void> {
		const { stage, group, places } = this;
		const [one, two] = this.users;
		if (places.length === 0) return;
		const nobody = likeNobody(one.id);
		const isThere = (await stage.objects.ask('GET', 'Users', { id: nobody })).ok;
		if (!isThere) {
			const answered = await this.add(second, [one, { ...one, id: nobody }, two]);
			await stage.noteWhen(
				'Add members, one of whom does not exist',
				answered.ok ? 'accepted, and nobody is added' : 'refused as a whole',
				answered,
				async () => {
					const now = await this.source(second);
					if (now === undefined || !now.has(one.id)) return undefined;
					if (answered.ok) return 'accepted';
					return now.has(two.id) ? 'refused, the others are added' : 'refused, those after it too';
				},
			);
		}
		if (!(await this.join(second, [one]))) return;
		const stays = (await this.source(group))?.has(one.id) === true;
		stage.note(
			'Add member of a group to a second group',
			stays ? 'stays in the first' : 'moved',
			stage.objects.exchanges.telling,
		);
		this.places = stays ? [second, group] : [second];
	}

	/** Notes what the first user is still in after it was deactivated, and whether that can be changed. */
	async whileInactive(user: TestObject): Promise<void> {
		const { stage, remove } = this;
		await this.noteMembership('Memberships while inactive', user);
		const other = this.places[1];
		if (other === undefined) return;
		if (remove !== undefined && (await this.source(other))?.has(user.id) === true) {
			const removed = await remove(other, [user.id]);
			stage.note('Remove inactive member', removed.ok ? 'accepted' : 'refused', removed);
		}
		const added = await this.add(other, [user]);
		await stage.noteWhen('Add inactive member', 'ignored', added, async () => {
			if (!added.ok) return 'refused';
			return (await this.source(other))?.has(user.id) === true ? 'accepted' : undefined;
		});
	}

	/** Notes whether the user is still in a group. */
	async noteMembership(step: string, user: TestObject): Promise<void> {
		const [home] = this.places;
		if (home === undefined) return;
		const isIn = (await this.source(home))?.has(user.id) === true;
		this.stage.note(step, isIn ? 'kept' : 'lost', this.stage.objects.exchanges.telling);
	}

	/** Adds those who are not shown, until they are. */
	private async join(group: TestObject, users: readonly TestObject[]): Promise<boolean> {
		const outside = async () => {
			const shown = await this.source(group);
			return users.filter(({ id }) => shown?.has(id) !== true);
		};
		const missing = await outside();
		if (missing.length > 0) await this.add(group, missing);
		const { patience } = this.stage.objects;
		return (await poll(patience, async () => (await outside()).length === 0 || undefined)) === true;
	}

	private async add(group: TestObject, users: readonly TestObject[]): Promise<Answered> {
		if (this.form === 'PUT') {
			const there = [...((await this.source(group)) ?? [])];
			return await this.put(group, [...there, ...users.map(({ id }) => id)]);
		}
		const value: object[] = [];
		for (const user of users) value.push(await this.entry(user));
		const body = patchBody([{ op: 'add', path: 'members', value }]);
		return await this.stage.objects.ask('PATCH', 'Groups', { id: group.id, body });
	}

	private async entry(user: TestObject): Promise<object> {
		if (this.form === 'PATCH') return { value: user.id };
		const display = (await this.stage.user(user))?.userName ?? user.name;
		return { value: user.id, display };
	}

	private async put({ id, name }: TestObject, ids: readonly string[]): Promise<Answered> {
		const members: object[] = [];
		for (const user of ids) members.push(await this.entry({ type: 'Users', id: user, name: user }));
		const body = { schemas: [SCHEMA.group], id, displayName: name, members };
		return await this.stage.objects.ask('PUT', 'Groups', { id, body });
	}
}
