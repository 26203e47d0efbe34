import type { Removed } from '../../shared/run';

/** Operations that saved workflows may still name. */
export const REMOVED_OPERATIONS: Removed = {
	'service check':
		'Use Get Capabilities for what reads show. To try changes, import the example try-a-service.json: a user and a group are created, joined, left, offboarded and deleted. Nothing was sent.',
};
