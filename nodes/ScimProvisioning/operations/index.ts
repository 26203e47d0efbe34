import type { Operations, Removed } from '../../shared/run';
import { UNDO } from '../../shared/access/plans';
import type { ScimOperation } from '../runWrite';
import { applyPlan } from './access/applyPlan';
import { assign } from './access/assign';
import { changeEmail } from './access/changeEmail';
import { getAccess } from './access/get';
import { getMatrix } from './access/getMatrix';
import { offboard } from './access/offboard';
import { planReview } from './access/planReview';
import { reconcile } from './access/reconcile';
import { revoke } from './access/revoke';
import { setAccess } from './access/set';
import { addMembers, removeMembers } from './group/members';
import { create as createGroup } from './group/create';
import { deleteGroup } from './group/delete';
import { get as getGroup, getAll as getAllGroups } from './group/get';
import { setMembers } from './group/setMembers';
import { update as updateGroup } from './group/update';
import { getCapabilities } from './service/getCapabilities';
import { activate, deactivate, deleteUser } from './user/account';
import { create, upsert } from './user/create';
import { get, getAll } from './user/get';
import { reconcileUsers } from './user/reconcile';
import { update } from './user/update';

const own = {
	user: {
		activate,
		create,
		deactivate,
		delete: deleteUser,
		get,
		getAll,
		reconcile: reconcileUsers,
		update,
		upsert,
	},
	group: {
		addMembers,
		create: createGroup,
		delete: deleteGroup,
		get: getGroup,
		getAll: getAllGroups,
		removeMembers,
		setMembers,
		update: updateGroup,
	},
	access: {
		assign,
		changeEmail,
		get: getAccess,
		getMatrix,
		offboard,
		planReview,
		reconcile,
		revoke,
		set: setAccess,
	},
	service: { getCapabilities },
} satisfies Resources;

type Resources = Record<string, Record<string, ScimOperation>>;

const plans = Object.values<Resources[string]>(own)
	.flatMap((resource) => Object.values(resource))
	.flatMap((operation) => operation.plans ?? [])
	.concat(UNDO);

/** Every operation of the node, by resource and by the value of the Operation field. */
export const operations = {
	...own,
	access: { applyPlan: applyPlan(plans), ...own.access },
} satisfies Operations;

/** Operations that saved workflows may still name. */
export const REMOVED_OPERATIONS: Removed = {
	'service check':
		'Use Get Capabilities for what reads show. To try changes, import the example try-a-service.json: a user and a group are created, joined, left, offboarded and deleted. Nothing was sent.',
	'access applyReview':
		'A review is a plan now. Use Access: Plan Review, ask with its approvalForm who should leave, and give the answer to Access: Apply Plan.',
};
