import type { Operations } from '../../shared/run';
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
import { addMembers } from './group/addMembers';
import { create as createGroup } from './group/create';
import { deleteGroup } from './group/delete';
import { get as getGroup } from './group/get';
import { getAll as getAllGroups } from './group/getAll';
import { removeMembers } from './group/removeMembers';
import { setMembers } from './group/setMembers';
import { update as updateGroup } from './group/update';
import { getCapabilities } from './service/getCapabilities';
import { activate } from './user/activate';
import { create } from './user/create';
import { deactivate } from './user/deactivate';
import { deleteUser } from './user/delete';
import { get } from './user/get';
import { getAll } from './user/getAll';
import { reconcileUsers } from './user/reconcile';
import { update } from './user/update';
import { upsert } from './user/upsert';

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
	.flatMap((operation) => operation.plans ?? []);

/** Every operation of the node, by resource and by the value of the Operation field. */
export const operations = {
	...own,
	access: { applyPlan: applyPlan(plans), ...own.access },
} satisfies Operations;
