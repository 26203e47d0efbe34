import { planEnabled } from '../../../shared/monitors/planActions';
import { showFor, type Operation } from '../../../shared/node/operation';
import { namedActionFields, runNamedActions } from '../../namedActions';

/** PUT .../disable, on services that offer it (docs/interface.md 2.4). */
export const disable: Operation = {
	fields: showFor('action', 'disable', namedActionFields('The action to disable', [])),

	execute: async (context) =>
		await runNamedActions(context, (wanted, rules) => planEnabled(wanted, false, rules)),
};
