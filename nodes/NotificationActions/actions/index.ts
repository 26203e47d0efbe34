import type { INodeProperties } from 'n8n-workflow';

import type { Operations } from '../../shared/node/dispatch';
import { deleteAction } from './action/delete.operation';
import { disable } from './action/disable.operation';
import { enable } from './action/enable.operation';
import { get as getAction } from './action/get.operation';
import { getAll as getAllActions } from './action/getAll.operation';
import { sendTest } from './action/sendTest.operation';
import { upsert } from './action/upsert.operation';
import { attach } from './monitor/attach.operation';
import { detach } from './monitor/detach.operation';
import { getAll as getAllMonitors } from './monitor/getAll.operation';
import { replaceAction } from './monitor/replaceAction.operation';
import { setActions } from './monitor/setActions.operation';
import { get as getConfiguration } from './monitorConfiguration/get.operation';
import { update } from './monitorConfiguration/update.operation';

export const operations: Operations = {
	action: {
		delete: deleteAction,
		disable,
		enable,
		get: getAction,
		getAll: getAllActions,
		sendTest,
		upsert,
	},
	monitor: { attach, detach, getAll: getAllMonitors, replaceAction, setActions },
	monitorConfiguration: { get: getConfiguration, update },
};

/** The fields of all operations. */
export const operationFields: INodeProperties[] = Object.values(operations).flatMap((resource) =>
	Object.values(resource).flatMap(({ fields }) => fields),
);
