import type { INodeProperties } from 'n8n-workflow';

import type { Operations } from '../../shared/run';
import { applyPlan } from './access/applyPlan';
import { assign } from './access/assign';
import { changeEmail } from './access/changeEmail';
import { getAccess } from './access/get';
import { getMatrix } from './access/getMatrix';
import { offboard } from './access/offboard';
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

export const operations: Operations = {
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
		applyPlan,
		assign,
		changeEmail,
		get: getAccess,
		getMatrix,
		offboard,
		reconcile,
		revoke,
		set: setAccess,
	},
	service: { getCapabilities },
};

/** The fields of all operations. */
export const operationFields: INodeProperties[] = Object.values(operations).flatMap((resource) =>
	Object.values(resource).flatMap(({ fields }) => fields),
);
