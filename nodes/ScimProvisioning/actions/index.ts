import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../fields/operation';
import { addMembers } from './group/addMembers.operation';
import { get as getGroup } from './group/get.operation';
import { getAll as getAllGroups } from './group/getAll.operation';
import { activate } from './user/activate.operation';
import { create } from './user/create.operation';
import { deactivate } from './user/deactivate.operation';
import { deleteUser } from './user/delete.operation';
import { get } from './user/get.operation';
import { getAll } from './user/getAll.operation';
import { update } from './user/update.operation';
import { upsert } from './user/upsert.operation';

/** Every operation, by resource and by the value of the Operation field. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
	user: { activate, create, deactivate, delete: deleteUser, get, getAll, update, upsert },
	group: { addMembers, get: getGroup, getAll: getAllGroups },
};

/** The fields of all operations. */
export const operationFields: INodeProperties[] = Object.values(operations).flatMap((resource) =>
	Object.values(resource).flatMap(({ fields }) => fields),
);
