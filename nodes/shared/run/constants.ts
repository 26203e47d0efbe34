// Limits without a setting: they keep a run from exhausting n8n, whatever the service answers. docs/performance.md names them.

/** A larger answer is cut off and its request fails: n8n holds it in memory, several at a time. */
export const MAX_ANSWER_MB = 50;

/** A list that goes on after so many pages counts as incomplete: some services never end one. */
export const MAX_PAGES_PER_LIST = 10_000;

/** A list with more entries counts as incomplete: all of them are held in memory. */
export const MAX_RESOURCES_PER_LIST = 500_000;
