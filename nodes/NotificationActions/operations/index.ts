import type { Operations } from '../../shared/run';
import { deleteAction } from './action/delete';
import { disable } from './action/disable';
import { enable } from './action/enable';
import { get as getAction } from './action/get';
import { getAll as getAllActions } from './action/getAll';
import { sendTest } from './action/sendTest';
import { upsert } from './action/upsert';
import { attach } from './monitor/attach';
import { detach } from './monitor/detach';
import { getAll as getAllMonitors } from './monitor/getAll';
import { replaceAction } from './monitor/replaceAction';
import { setActions } from './monitor/setActions';
import { get as getConfiguration } from './monitorConfiguration/get';
import { update } from './monitorConfiguration/update';

export const operations = {
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
} satisfies Operations;
