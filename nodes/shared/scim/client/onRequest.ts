import { attempt } from '../../util';
import { hasStatus, RequestError } from '../../http';
import { nameIn } from '../protocol/knownAttributes';
import { attribute, SCHEMA, type ResourceType } from '../protocol/resource';

/** The attributes to ask for: an answer to `attributes` has no others. */
export const ASKED: Readonly<Record<ResourceType, string>> = {
	Users: 'id,userName,displayName,active,groups',
	Groups: 'id,displayName,externalId,members',
};

/** The attribute that tells memberships, and the schema that has it. */
const MEMBERSHIPS = [
	[SCHEMA.user, 'groups'],
	[SCHEMA.group, 'members'],
] as const;

/** Answers that refuse to be asked for attributes. */
const REFUSALS = [400, 403, 405, 501];

/**
 * Whether memberships are asked for by name (RFC 7643 section 7, `returned: request`). Services that show them anyway are
 * never asked: the first reads tell, then one question by name, then `/Schemas`. Remembered for the run.
 */
export class OnRequest {
	private state: 'open' | 'asks' | 'plain';

	private decision?: Promise<void>;

	/**
	 * @param isKnown whether the service is known to show memberships on request alone
	 * @param schemas entries of `/Schemas`
	 */
	constructor(
		isKnown: boolean,
		private readonly schemas: () => Promise<readonly unknown[]>,
	) {
		this.state = isKnown ? 'asks' : 'open';
	}

	get asks(): boolean {
		return this.state === 'asks';
	}

	/** Notes that memberships were shown without being asked for. */
	noteShown(): void {
		if (this.state === 'open') this.state = 'plain';
	}

	/**
	 * Decides once whether to ask, where nothing was shown.
	 * @param probe asks by name; whether that has shown memberships, undefined where the answer cannot be used
	 */
	async decide(probe: () => Promise<boolean | undefined>): Promise<boolean> {
		if (this.state === 'open') this.decision ??= this.find(probe);
		await this.decision;
		return this.asks;
	}

	private async find(probe: () => Promise<boolean | undefined>): Promise<void> {
		// What goes wrong here says nothing of what was read already.
		const tried = await attempt(probe);
		const shows = tried.ok ? tried.value : undefined;
		// What has no members shows none, however it is asked for.
		const isSaid = shows === false && (await this.schemas()).some(saysOnRequest);
		if (this.state === 'open') this.state = shows === true || isSaid ? 'asks' : 'plain';
	}

	/** Asks a question by name; undefined where it is refused or unusable, which ends the asking. */
	async ask<T>(question: () => Promise<T>): Promise<T | undefined> {
		const tried = await attempt(question);
		if (tried.ok) return tried.value;
		const { error } = tried;
		const isUnusable = error instanceof RequestError && error.facts.kind === 'unreadable';
		if (!isUnusable && !hasStatus(error, ...REFUSALS)) throw error;
		this.end();
		return undefined;
	}

	end(): void {
		this.state = 'plain';
	}
}

function saysOnRequest(schema: unknown): boolean {
	const id = nameIn(schema, 'id');
	const entries = attribute(schema, 'attributes');
	return (Array.isArray(entries) ? entries : []).some(
		(entry) =>
			nameIn(entry, 'returned') === 'request' &&
			MEMBERSHIPS.some(([urn, name]) => id === urn.toLowerCase() && nameIn(entry, 'name') === name),
	);
}
