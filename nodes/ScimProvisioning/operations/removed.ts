import type { Removed } from '../../shared/run';

/** Operations that saved workflows may still name. */
export const REMOVED_OPERATIONS: Removed = {};
