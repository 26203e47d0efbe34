import { attempt, nameKey, type Patience, poll } from '../../util';
import { equals } from '../protocol/filter';
import { readListPage } from '../protocol/listPage';
import {
	attribute,
	readGroup,
	readText,
	readUser,
	type Attributes,
	type Resource,
	type ResourceType,
} from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import { listAll } from '../client/listing';
import type { Answered, Exchanges, Ours } from './exchanges';

/** A user or group that the check has made. */
export interface TestObject {
	type: ResourceType;
	id: string;
	name: string;
}

/** What an attempt to make one came to; `made` is missing where it was refused, or was not found again. */
export interface Made {
	answered: Answered;
	made?: TestObject;
}

/** What a removal came to: `inactive` where the service keeps deleted users, deactivated. */
export type Removed = 'gone' | 'inactive' | 'still there';

const READERS = { Users: readUser, Groups: readGroup };
const FOUND_BY = { Users: ['userName', 'externalId'], Groups: ['displayName'] };
const LIMITS = { mostPages: 50, mostResources: 10_000 };

/** The test objects of one check: nothing else is ever changed, and all of it is removed again. */
export class TestObjects {
	private there: TestObject[] = [];

	/** What may be there although no answer said so, or twice, by its name. */
	private readonly doubtful = new Map<
		string,
		{ type: ResourceType; body: Attributes; isMade: boolean }
	>();

	constructor(
		readonly exchanges: Exchanges,
		readonly ours: Ours,
		readonly profile: ServiceProfile,
		readonly patience: Patience,
	) {}

	/** @throws RequestError where the service has not answered, and no user or group of that name is found */
	async create(type: ResourceType, body: Attributes): Promise<Made> {
		const name = String(body.displayName);
		const doubt = { type, body, isMade: false };
		this.doubtful.set(name, doubt);
		let sentBefore = false;
		const repeat = async () => {
			sentBefore = true;
			const found = await this.find(type, body);
			return found && { answer: found.attributes };
		};
		const tried = await attempt(async () => await this.ask('POST', type, { body, repeat }));
		const answer = tried.ok && tried.value.ok ? READERS[type](tried.value.body) : undefined;
		// What an answer shows of another user is never changed, let alone removed.
		const shown = answer && this.ours.mayBe(answer.attributes) ? answer : undefined;
		const isOther = answer !== undefined && shown === undefined;
		const mayBeThere = !tried.ok || tried.value.mayHaveWorked || sentBefore || isOther;
		const resource = shown ?? (mayBeThere ? await this.find(type, body) : undefined);
		doubt.isMade = resource !== undefined;
		if (!sentBefore && (doubt.isMade || !mayBeThere)) this.doubtful.delete(name);
		const made = resource && this.register({ type, id: resource.id, name });
		if (tried.ok) return { answered: tried.value, made };
		if (made === undefined) throw tried.error;
		const { last } = this.exchanges;
		return { answered: { ...last, ok: true, status: 0, body: {}, mayHaveWorked: true }, made };
	}

	async ask(
		method: Parameters<Exchanges['ask']>[1],
		type: ResourceType,
		asked: Parameters<Exchanges['ask']>[3] = {},
	): Promise<Answered> {
		return await this.exchanges.ask(this.profile.prefix, method, type, asked);
	}

	/** Deletes one of them, a second time where the first one does nothing. */
	async remove(object: TestObject): Promise<{ answered: Answered; removed: Removed }> {
		const first = await this.removeOnce(object);
		return first.removed === 'still there' ? await this.removeOnce(object) : first;
	}

	private async removeOnce(object: TestObject): Promise<{ answered: Answered; removed: Removed }> {
		const { type, id } = object;
		const answered = await this.ask('DELETE', type, { id });
		let isInactive = false;
		const gone = await poll(this.patience, async () => {
			const { ok, status, body } = await this.ask('GET', type, { id });
			isInactive = ok && readUser(body)?.active === false;
			return status === 404 || status === 410 ? 'gone' : undefined;
		});
		if (gone !== undefined) {
			this.ours.ids.delete(id);
			this.there = this.there.filter((one) => one !== object);
		}
		return { answered, removed: gone ?? (isInactive ? 'inactive' : 'still there') };
	}

	/** Removes all of them. Never rejects. @returns what could not be removed, in words */
	async removeAll(): Promise<string[]> {
		const left: string[] = [];
		for (const [name, { type, body, isMade }] of this.doubtful) {
			const found = await attempt(async () => await this.find(type, body));
			if (found.ok && found.value !== undefined) this.register({ type, id: found.value.id, name });
			else if (!isMade)
				left.push(`${wordFor(type)} ${name} (it may exist: the answer to its create was lost)`);
		}
		for (const object of [...this.there].reverse()) {
			const tried = await attempt(async () => await this.remove(object));
			const removed = tried.ok ? tried.value.removed : 'still there';
			if (removed !== 'gone')
				left.push(`${wordFor(object.type)} ${object.name} (ID ${object.id}, ${removed})`);
		}
		return left;
	}

	private register(object: TestObject): TestObject {
		const known = this.there.find(({ type, id }) => type === object.type && id === object.id);
		if (known !== undefined) return known;
		this.ours.ids.add(object.id);
		this.there.push(object);
		return object;
	}

	/** Looks by filter until Verification Time ends, then once through the whole list. */
	private async find(type: ResourceType, body: Attributes): Promise<Resource | undefined> {
		const found = await poll(this.patience, async () => await this.findByFilter(type, body));
		if (found !== undefined) return found;
		const { send } = this.exchanges;
		const all = await listAll<Resource>(send, this.profile, type, READERS[type], LIMITS);
		return all.resources.find((resource) => this.isNew(type, resource.attributes, body));
	}

	private async findByFilter(type: ResourceType, body: Attributes): Promise<Resource | undefined> {
		for (const name of FOUND_BY[type]) {
			const filter = equals(name, String(body[name]));
			const answered = await this.ask('GET', type, { query: { filter } });
			const hit = readListPage(answered.body)?.entries.find((entry) =>
				this.isNew(type, entry, body),
			);
			if (hit !== undefined) return READERS[type](hit);
		}
		return undefined;
	}

	/** Whether it is what was created, and not known yet. A service may name a group of its own after a user. */
	private isNew(type: ResourceType, entry: unknown, body: Attributes): boolean {
		const textOf = (holder: unknown, name: string) =>
			nameKey(readText(attribute(holder, name)) ?? '');
		const isNamed = FOUND_BY[type].some((name) => textOf(entry, name) === textOf(body, name));
		const isIt = isNamed || (type === 'Users' && this.ours.has(entry));
		const id = readText(attribute(entry, 'id'));
		return isIt && !this.there.some((one) => one.type === type && one.id === id);
	}
}

function wordFor(type: ResourceType): string {
	return type === 'Users' ? 'user' : 'group';
}
