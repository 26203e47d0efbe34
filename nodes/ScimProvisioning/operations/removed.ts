import type { Removed } from '../../shared/run';

/** Operations that saved workflows may still name. */
export const REMOVED_OPERATIONS: Removed = {
	'service check':
		'Use Get Capabilities for what reads show. To try changes, import the example try-a-service.json: a user and a group are created, joined, left, offboarded and deleted. Nothing was sent.',
	'access applyReview':
		'A review is a plan now. Use Access: Plan Review, ask with its approvalForm who should leave, and give the answer to Access: Apply Plan.',
};
