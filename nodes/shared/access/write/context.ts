import type { Pace } from '../../http';
import type { GroupIds, GroupMeaning, ScimClient } from '../../scim';
import type { Access, Reader } from '../facts';
import type { GuardSettings, Joins, Risky } from '../guards';

/** What a write is decided, guarded and sent with. */
export interface WriteContext {
	client: ScimClient;
	reader: Reader;
	ids: GroupIds & Pick<GroupMeaning, 'standsFor'>;
	guards: GuardSettings;
	/** Whether only the plan is wanted. */
	previews: boolean;
	/** How many requests may leave in a minute; undefined where any number may. */
	pace?: Pace;
	/** What the limits count beside this run. */
	toolCalls: ToolCalls;
	organizations: { nameOf(id: string): string };
	/** A group as people call it: "member in Marketing", or "member of group X". */
	label(groupId: string, access?: Access): string;
}

/** The tool calls of one execution: each is a run, and limits hold for all of them together. */
export interface ToolCalls {
	/** Counts who joins groups in this call, before anything more is read: calls that run at once count each other. */
	enter(joins: readonly Joins[]): ToolCall;
}

/** One of them. */
export interface ToolCall {
	/** Keys of those who joined a group in calls before this one. @param key of the group */
	joinedEarlier(key: string): readonly string[];
	/**
	 * Counts the people of this call.
	 * @param grown keys of groups where those count who joined in earlier calls
	 * @returns them with those of all other calls
	 */
	count(people: Risky, grown: readonly string[]): Risky;
	/** For a call that changes nothing. */
	takeBack(): void;
}
