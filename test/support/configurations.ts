/** Monitor configurations as tests write them down: what the service accepts (test/contract/interface.md 2.5). */

export const ORG = 'org-3454';

export interface Entry {
	id: string;
	[name: string]: unknown;
}

export interface Document {
	monitors: Entry[];
	analyzers: Entry[];
	[name: string]: unknown;
}

/** Entries of `actions`. */
export const global = (...targets: string[]) =>
	targets.map((target) => ({ type: 'global', target }));

export const monitor = (id: string, targets: string[] = [], more: object = {}): Entry => ({
	id,
	analyzerIds: [],
	schedule: { type: 'immediate' },
	mode: { type: 'DIGEST' },
	actions: global(...targets),
	metadata: { version: 3 },
	...more,
});

export const document = (monitors: Entry[], more: object = {}): Document => ({
	orgId: ORG,
	allowPartialTargetBatches: true,
	metadata: { version: 10 },
	analyzers: [{ id: 'drift-analyzer', config: { threshold: 0.7 } }],
	monitors,
	...more,
});

/** The targets of each monitor; undefined for one without `actions`. */
export const targetsIn = ({ monitors }: Document): Record<string, string[] | undefined> =>
	Object.fromEntries(
		monitors.map(({ id, actions }) => [
			id,
			(actions as Array<{ target: string }> | undefined)?.map(({ target }) => target),
		]),
	);

/** A seed of one organization with these models, each with its configuration, and these actions. */
export const alertingSeed = (
	models: Record<string, Document | string>,
	actions = ['chat', 'pager'],
) => ({
	account: 'org-acct',
	organizations: [
		{ id: 'org-acct', name: 'Account' },
		{ id: ORG, name: 'Marketing', defaultEmail: 'marketing@example.com' },
	],
	models: Object.keys(models).map((id) => ({ organization: ORG, id, name: id })),
	configurations: Object.entries(models).map(([model, content]) => ({
		organization: ORG,
		model,
		document: content,
	})),
	actions: actions.map((id) => ({
		organization: ORG,
		id,
		type: 'EMAIL',
		payload: { email: 'a@example.com' },
	})),
});
