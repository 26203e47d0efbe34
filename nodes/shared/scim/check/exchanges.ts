import { attempt, attemptSync } from '../../util';
import { mayHaveWorked, RequestError, type Send, type ServiceRequest } from '../../http';
import { readListPage } from '../protocol/listPage';
import { resourcePath } from '../protocol/paths';
import { attribute, readGroup, readText, readUser, type ResourceType } from '../protocol/resource';
import type { ScimPrefix } from '../protocol/traits';

/** A request and its answer as short text: no secrets, and of resources only those that the check has made. */
export interface Exchange {
	request: string;
	answer: string;
}

/** What the service answered to one request; of a refusal nothing but the status counts. */
export interface Answered extends Exchange {
	ok: boolean;
	status: number;
	body: unknown;
	mayHaveWorked: boolean;
}

type Asked = Pick<ServiceRequest, 'body' | 'query'> & {
	id?: string;
	repeat?: ServiceRequest['repeat'];
};

/** Attributes that say nothing of other users. */
const SHOWN = ['id', 'userName', 'externalId', 'displayName', 'active', 'emails'];
const LONGEST = 700;

/** What belongs to this check: everything that has its mark in its name, or whose ID an answer to a create gave. */
export class Ours {
	readonly ids = new Set<string>();

	constructor(readonly mark: string) {}

	has(resource: unknown): boolean {
		return (
			this.ids.has(readText(attribute(resource, 'id')) ?? '') ||
			namesOf(resource).some((name) => name.toLowerCase().includes(this.mark))
		);
	}

	/** Whether the answer to a create may be of this check: one that shows a name shows the mark. */
	mayBe(resource: unknown): boolean {
		return this.has(resource) || namesOf(resource).length === 0;
	}
}

function namesOf(resource: unknown): string[] {
	return ['userName', 'externalId', 'displayName'].flatMap(
		(name) => readText(attribute(resource, name)) ?? [],
	);
}

/** Sends the requests of a check and keeps each of them with its answer. */
export class Exchanges {
	readonly all: Exchange[] = [];

	/**
	 * @param out what sends; another one may take over
	 * @param hide takes secrets out of a text
	 */
	constructor(
		public out: Send,
		private readonly ours: Ours,
		private readonly hide: (text: string) => string,
	) {}

	/** For what sends by itself, such as lists. */
	readonly send: Send = async (request) => {
		const tried = await attempt(async () => await this.out(request));
		const answer = tried.ok
			? `${tried.value.status}${this.shown(tried.value.body)}`
			: refusalIn(tried.error);
		// A PUT repeats whatever the service has added to the resource.
		const sent = request.method === 'PUT' ? this.own(request.body) : request.body;
		const text = requestText({ ...request, body: sent });
		this.all.push({ request: this.short(text), answer: this.short(answer) });
		if (!tried.ok) throw tried.error;
		return tried.value;
	};

	get last(): Exchange {
		return this.all[this.all.length - 1];
	}

	/** The last one, or of the pages of a list the last one that shows a test object. */
	get telling(): Exchange {
		const { request } = this.last;
		const [place] = request.split(/[?&](?:startIndex|count|cursor)=/);
		const isPage = (one: Exchange) => one.request.startsWith(place) && one.answer.includes('{');
		return this.all.filter(isPage).at(-1) ?? this.last;
	}

	/**
	 * Whatever is asked for is harmless to repeat, as it concerns test objects alone; a create brings its own look.
	 * @throws RequestError where the service has not decided: no answer, no access, too many requests
	 */
	async ask(
		prefix: ScimPrefix,
		method: ServiceRequest['method'],
		type: ResourceType,
		{ id, repeat = 'always', ...more }: Asked = {},
	): Promise<Answered> {
		const path = resourcePath(prefix, type, id);
		const purpose = `check the service (${method} ${type})`;
		const tried = await attempt(
			async () => await this.send({ method, path, repeat, purpose, ...more }),
		);
		const { request, answer } = this.last;
		if (tried.ok) {
			const { body, status } = tried.value;
			return { request, answer, ok: true, status, body, mayHaveWorked: true };
		}
		const { error } = tried;
		const status = error instanceof RequestError ? error.status : undefined;
		if (status === undefined || status === 401 || status === 429) throw error;
		const worked = mayHaveWorked(error);
		return { request, answer, ok: false, status, body: undefined, mayHaveWorked: worked };
	}

	/** Of a list how many entries it has, and those that are test objects. */
	private shown(body: unknown): string {
		if (this.ours.has(body)) return ` ${jsonOf(this.own(body))}`;
		const page = readListPage(body);
		if (page === undefined || attribute(body, 'id') !== undefined) return '';
		const own = page.entries.filter((entry) => this.ours.has(entry));
		const total = page.totalResults === undefined ? '' : `, totalResults ${page.totalResults}`;
		const named = own.map((entry) => jsonOf(this.own(entry))).join(', ');
		return ` ${page.entries.length} entries${total}${own.length > 0 ? `, test objects: ${named}` : ''}`;
	}

	private own(resource: unknown): object {
		const among = (ids: readonly string[] | undefined) =>
			ids?.filter((id) => this.ours.ids.has(id));
		const told = Object.fromEntries(SHOWN.map((name) => [name, attribute(resource, name)]));
		const members = readGroup(resource)?.members?.map(({ id }) => id);
		return { ...told, members: among(members), groups: among(readUser(resource)?.groupIds) };
	}

	private short(text: string): string {
		const clean = this.hide(text);
		return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
	}
}

/** Of what a service sends, which may be deeper than the stack. */
function jsonOf(value: object): string {
	return attemptSync(() => JSON.stringify(value)) ?? '(more than can be shown)';
}

function requestText({ method, path, query = {}, body }: ServiceRequest): string {
	const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
	const asked = pairs.map(([name, value]) => `${name}=${value}`).join('&');
	const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
	return `${method} /${path.join('/')}${asked === '' ? '' : `?${asked}`}${sent}`;
}

function refusalIn(error: unknown): string {
	if (!(error instanceof RequestError)) return 'no answer';
	const { status, errorType, detail, kind } = error.facts;
	return [status ?? kind, errorType, detail].filter(Boolean).join(' ');
}
