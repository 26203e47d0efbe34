import type { INodeProperties } from 'n8n-workflow';

import type { Operations } from '../../shared/node/dispatch';
import { applyPlan } from './access/applyPlan.operation';
import { assignRole } from './access/assignRole.operation';
import { changeEmail } from './access/changeEmail.operation';
import { getAccess } from './access/getAccess.operation';
import { getMatrix } from './access/getMatrix.operation';
import { offboard } from './access/offboard.operation';
import { reconcile } from './access/reconcile.operation';
import { revokeRole } from './access/revokeRole.operation';
import { setAccess } from './access/setAccess.operation';
import { addMembers } from './group/addMembers.operation';
import { create as createGroup } from './group/create.operation';
import { deleteGroup } from './group/delete.operation';
import { get as getGroup } from './group/get.operation';
import { getAll as getAllGroups } from './group/getAll.operation';
import { removeMembers } from './group/removeMembers.operation';
import { setMembers } from './group/setMembers.operation';
import { update as updateGroup } from './group/update.operation';
import { getCapabilities } from './service/getCapabilities.operation';
import { activate } from './user/activate.operation';
import { create } from './user/create.operation';
import { deactivate } from './user/deactivate.operation';
import { deleteUser } from './user/delete.operation';
import { get } from './user/get.operation';
import { getAll } from './user/getAll.operation';
import { update } from './user/update.operation';
import { upsert } from './user/upsert.operation';

export const operations: Operations = {
	user: { activate, create, deactivate, delete: deleteUser, get, getAll, update, upsert },
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
		assignRole,
		changeEmail,
		getAccess,
		getMatrix,
		offboard,
		reconcile,
		revokeRole,
		setAccess,
	},
	service: { getCapabilities },
};

/** The fields of all operations. */
export const operationFields: INodeProperties[] = Object.values(operations).flatMap((resource) =>
	Object.values(resource).flatMap(({ fields }) => fields),
);
