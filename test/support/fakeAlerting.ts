import type { Action } from '../../nodes/NotificationActions/actions/action';
import type { AlertingClient } from '../../nodes/NotificationActions/actions/alertingClient';
import { readConfiguration } from '../../nodes/NotificationActions/configurations/configuration';
import { RequestError, type FailureFacts } from '../../nodes/shared/http/requestError';
import { fakePatience, type FakePatience } from './fakeService';

/** An alerting service in memory, with the hazards of docs/interface.md 2.4 and 2.5. */

export type Entry = { id: string; metadata?: { version: number }; [name: string]: unknown };

export interface Document {
	monitors: Entry[];
	analyzers: Entry[];
	metadata?: { version: number };
	[name: string]: unknown;
}

type Way = 'PATCH' | 'PUT';

/** What becomes of one write. */
export type Fate =
	| 'stored'
	/** Answered with 200, and not stored. */
	| 'dropped'
	| { error: RequestError; stored: boolean };

export interface FakeAlerting {
	client: AlertingClient;
	patience: FakePatience;
	actions: Map<string, Action>;
	/** Every request that reached the service, e.g. `PUT model-1`. */
	sent: string[];
	writes(): string[];
	document(modelId: string): Document;
	/** Somebody else writes. */
	write(modelId: string, change: (document: Document) => void): void;
	cancel(): void;
}

export interface Hazards {
	/** Asked before each write of a configuration is stored; somebody else may write meanwhile. */
	fate?(way: Way, modelId: string, nth: number): Fate | undefined;
	/** Asked after each write and before the answer. */
	afterWrite?(modelId: string, nth: number): void;
	/** Asked before each read of a configuration. */
	beforeRead?(modelId: string, nth: number): void;
	/** Asked before each request on actions. */
	onActions?(request: string, nth: number): Fate | undefined;
	noPatch?: boolean;
	/** PATCH replaces the document. */
	patchIsPut?: boolean;
	/** So many reads after each write show what was there before it. */
	lag?: number;
	/** No `version` anywhere. */
	noVersions?: boolean;
}

export function failure(facts: Partial<FailureFacts> & { status?: number }): RequestError {
	const { status } = facts;
	const message = status === undefined ? 'The connection broke' : `The service answered ${status}`;
	return new RequestError(message, '', {
		kind: status === undefined ? 'timeout' : 'http',
		method: 'PUT',
		mayHaveWorked: status === undefined || status >= 500,
		...facts,
	});
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function fakeAlerting(
	documents: Record<string, Document>,
	hazards: Hazards = {},
	actions: readonly Action[] = [],
): FakeAlerting {
	const models = new Map(Object.entries(copy(documents)));
	const shown = new Map<string, { text: string; reads: number }>();
	const patience = fakePatience(1_000);
	let isCancelled = false;
	let [written, read, asked] = [0, 0, 0];

	const stored = (modelId: string): Document => {
		const document = models.get(modelId);
		if (document === undefined) throw failure({ status: 404, method: 'GET' });
		return document;
	};
	const countUp = (
		item: { metadata?: { version: number } },
		before = item.metadata?.version ?? 0,
	) => (hazards.noVersions ? delete item.metadata : (item.metadata = { version: before + 1 }));
	const store = (modelId: string, change: (document: Document) => void) => {
		const document = stored(modelId);
		const before = copy(document);
		change(document);
		countUp(document, before.metadata?.version);
		const versions = new Map(before.monitors.map(({ id, metadata }) => [id, metadata?.version]));
		for (const monitor of document.monitors) {
			const old = before.monitors.find(({ id }) => id === monitor.id);
			if (JSON.stringify(old) !== JSON.stringify(monitor))
				countUp(monitor, versions.get(monitor.id));
		}
		if (hazards.lag !== undefined && !shown.get(modelId)?.reads) {
			shown.set(modelId, { text: JSON.stringify(before), reads: hazards.lag });
		}
	};
	const save = (way: Way, modelId: string, text: string) => {
		self.sent.push(`${way} ${modelId}`);
		stored(modelId);
		if (way === 'PATCH' && hazards.noPatch) throw failure({ status: 404, method: 'PATCH' });
		const nth = ++written;
		const fate = hazards.fate?.(way, modelId, nth) ?? 'stored';
		if (fate === 'stored' || (fate !== 'dropped' && fate.stored)) {
			const body = JSON.parse(text) as Partial<Document>;
			store(modelId, (document) => {
				if (way === 'PATCH' && !hazards.patchIsPut) {
					for (const monitor of body.monitors ?? []) {
						const at = document.monitors.findIndex(({ id }) => id === monitor.id);
						document.monitors.splice(
							at < 0 ? document.monitors.length : at,
							at < 0 ? 0 : 1,
							monitor,
						);
					}
					if (body.allowPartialTargetBatches === undefined)
						delete document.allowPartialTargetBatches;
				} else {
					document.monitors = body.monitors ?? [];
					document.analyzers = body.analyzers ?? [];
				}
			});
		}
		hazards.afterWrite?.(modelId, nth);
		if (typeof fate === 'object') throw fate.error;
	};
	/** @returns whether the request is to be carried out; runs `after` for an error that comes after it was */
	const onActions = (request: string, work: () => void) => {
		self.sent.push(request);
		const fate = hazards.onActions?.(request, ++asked) ?? 'stored';
		if (fate === 'stored' || (fate !== 'dropped' && fate.stored)) work();
		if (typeof fate === 'object') throw fate.error;
	};
	const existing = (id: string): Action => {
		const action = self.actions.get(id);
		if (action === undefined) throw failure({ status: 404 });
		return action;
	};

	const self: FakeAlerting = {
		patience,
		actions: new Map(actions.map((action) => [action.id, action])),
		sent: [],
		writes: () => self.sent.filter((request) => !request.startsWith('GET')),
		document: (modelId) => copy(stored(modelId)),
		write: store,
		cancel() {
			isCancelled = true;
		},
		client: {
			organizationId: 'org-1',
			patience: { ...patience, cancelled: () => isCancelled },
			async listActions() {
				let list: Action[] = [];
				onActions('GET actions', () => (list = [...self.actions.values()]));
				return list;
			},
			async writeAction(write) {
				const { id } = write;
				switch (write.kind) {
					case 'put':
						return onActions(`PUT ${write.type}/${id}`, () => {
							const { type, payload } = write;
							self.actions.set(id, { ...self.actions.get(id), id, type, payload });
						});
					case 'delete':
						return onActions(`DELETE ${id}`, () => {
							existing(id);
							self.actions.delete(id);
						});
					case 'test':
						return onActions(`POST ${id}/test`, () => existing(id));
					default:
						return onActions(`PUT ${id}/${write.kind}`, () => {
							self.actions.set(id, { ...existing(id), enabled: write.kind === 'enable' });
						});
				}
			},
			listModels: async () => [...models.keys()].map((id) => ({ id, name: id })),
			async readConfiguration(modelId) {
				self.sent.push(`GET ${modelId}`);
				hazards.beforeRead?.(modelId, ++read);
				const document = stored(modelId);
				const old = shown.get(modelId);
				if (old !== undefined && old.reads > 0) {
					old.reads -= 1;
					return readConfiguration(old.text);
				}
				return readConfiguration(JSON.stringify(document));
			},
			writeConfiguration: async (method, modelId, text) => save(method, modelId, text),
		},
	};
	return self;
}

export const entry = (target: string) => ({ type: 'global', target });

export const monitor = (id: string, targets: readonly string[] = [], more: object = {}): Entry => ({
	id,
	analyzerIds: ['drift-analyzer'],
	actions: targets.map(entry),
	metadata: { version: 3 },
	...more,
});

export const document = (monitors: Entry[], more: object = {}): Document => ({
	orgId: 'org-1',
	allowPartialTargetBatches: true,
	metadata: { version: 10 },
	analyzers: [{ id: 'drift-analyzer', config: { threshold: 0.7 } }],
	monitors,
	...more,
});

/** The targets of each monitor that is stored. */
export function targetsIn({ monitors }: Document): Record<string, string[]> {
	return Object.fromEntries(
		monitors.map(({ id, actions }) => [
			id,
			((Array.isArray(actions) ? actions : []) as Array<{ target: string }>).map(
				({ target }) => target,
			),
		]),
	);
}
