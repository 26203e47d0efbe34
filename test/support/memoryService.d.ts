/** What the recorded account is like. */
export const ACCOUNT: Switches;

/** Those of demo/service/scim/switches.js and of MemoryService; one that does not exist throws. */
export interface Switches {
	faults?: object[];
	onRequest?: (
		nth: number,
		request: { path: string; query: Record<string, string> },
		service: MemoryService,
	) => unknown;
	onList?: (nth: number, service: MemoryService) => unknown;
	[name: string]: unknown;
}

export interface Seed {
	/** `groups` are ids; every other key is an attribute. */
	people?: Array<{
		id?: string;
		userName: string;
		groups?: string[];
		[attribute: string]: unknown;
	}>;
	groups?: Array<{ id: string; displayName?: string }>;
	foreignUsers?: string[];
}

/** test/contract/interface.md 2.2: the id is derived from the email. */
export function userIdOf(userName: string): string;

export class MemoryService {
	constructor(seed: Seed, switches?: Switches);

	/** Answers as n8n's helper does. @throws an error with a `code` where the connection breaks */
	exchange(request: {
		method: string;
		url: string;
		headers?: Record<string, string>;
		body?: string;
	}): Promise<{ status: number; headers: Record<string, unknown>; text: string }>;

	create(userName: string): void;
	setActive(id: string, active: boolean): void;
	add(groupId: string, id: string): void;
}
