import type { Operations } from '../../shared/run';
import { deleteAction, disable, enable, sendTest } from './action/namedAction';
import { get as getAction, getAll as getAllActions } from './action/get';
import { upsert } from './action/upsert';
import { attach, detach, replaceAction, setActions } from './monitor/actions';
import { getAll as getAllMonitors } from './monitor/getAll';
import { get as getConfiguration, update } from './monitorConfiguration';

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
