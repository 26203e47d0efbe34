import { poll } from '../../util';
import { equals } from '../protocol/filter';
import { readListPage } from '../protocol/listPage';
import { patchBody, replaceAttributes } from '../protocol/patch';
import { readUser, SCHEMA, type Attributes, type User } from '../protocol/resource';
import type { Answered, Exchange } from './exchanges';
import type { TestObject, TestObjects } from './testObjects';

/** What a PUT of a user leaves out. */
const READ_ONLY = ['meta', 'groups'];

/** What one step of a check showed, with the request that showed it. */
export interface Sighting extends Exchange {
	step: string;
	saw: string;
	/** How long it took until a read showed it. */
	delayMs?: number;
}

/** What all steps of a check use: the test objects, and the notes of what was seen. */
export class Stage {
	readonly sightings: Sighting[] = [];

	constructor(readonly objects: TestObjects) {}

	note(step: string, saw: string, { request, answer }: Exchange, delayMs?: number): void {
		this.sightings.push({ step, saw, request, answer, ...(delayMs !== undefined && { delayMs }) });
	}

	/** Notes what the first look shows that shows anything, with its delay. */
	async noteWhen(
		step: string,
		otherwise: string,
		exchange: Exchange | undefined,
		look: () => Promise<string | undefined>,
	): Promise<string> {
		const begin = Date.now();
		const seen = await poll(this.objects.patience, look);
		const isShown = seen !== undefined && seen !== 'refused' && seen !== 'ignored';
		const delayMs = isShown ? Date.now() - begin : undefined;
		this.note(step, seen ?? otherwise, exchange ?? this.objects.exchanges.last, delayMs);
		return seen ?? otherwise;
	}

	/** @returns the test object, if it was made; a refusal is noted */
	async create(step: string, type: TestObject['type'], body: Attributes) {
		const { answered, made } = await this.objects.create(type, body);
		if (made === undefined) this.note(step, 'refused', answered);
		else {
			await this.noteWhen(step, 'not shown', answered, async () =>
				(await this.get(made)).ok ? 'shown' : undefined,
			);
		}
		return made;
	}

	async get({ type, id }: TestObject, attributes?: string): Promise<Answered> {
		return await this.objects.ask('GET', type, { id, query: { attributes } });
	}

	async user(object: TestObject): Promise<User | undefined> {
		return readUser((await this.get(object)).body);
	}

	/** Whether a filter finds the object, and nothing else. */
	async tryFilter(step: string, { type, id }: TestObject, path: string, value: string) {
		const query = { filter: equals(path, value) };
		const saw = await this.noteWhen(step, 'finds nothing', undefined, async () => {
			const { ok, body } = await this.objects.ask('GET', type, { query });
			const ids = readListPage(body)?.entries.map((entry) => readUser(entry)?.id) ?? [];
			if (!ok) return 'refused';
			if (ids.some((one) => one !== id)) return 'ignored';
			return ids.length > 0 ? 'works' : undefined;
		});
		return saw === 'works';
	}

	/** Changes a user in the first form that the service takes. */
	async change(user: TestObject, attributes: Attributes) {
		const { id } = user;
		const patch = async (body: object) => await this.objects.ask('PATCH', 'Users', { id, body });
		const withoutPath = {
			schemas: [SCHEMA.patch],
			Operations: [{ op: 'replace', value: attributes }],
		};
		const forms = {
			PATCH: async () => await patch(patchBody(replaceAttributes(attributes))),
			'PATCH without path': async () => await patch(withoutPath),
			PUT: async () => {
				const read = { ...(await this.user(user))?.attributes };
				for (const name of READ_ONLY) delete read[name];
				return await this.objects.ask('PUT', 'Users', { id, body: { ...read, ...attributes } });
			},
		};
		let refused: Answered | undefined;
		for (const [form, send] of Object.entries(forms)) {
			const answered = await send();
			if (answered.ok) return { form, answered };
			refused ??= answered;
		}
		return { form: 'refused', answered: refused as Answered };
	}
}
