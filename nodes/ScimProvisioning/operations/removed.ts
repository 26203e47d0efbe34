import type { Removed } from '../../shared/run';

/** Operations that saved workflows may still name. */
export const REMOVED_OPERATIONS: Removed = {
	'access applyReview':
		'A review is a plan now. Use Access: Plan Review, ask with its approvalForm who should leave, and give the answer to Access: Apply Plan.',
};
