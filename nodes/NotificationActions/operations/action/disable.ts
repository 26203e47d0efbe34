import { planEnabled } from '../../actions';
import { type Operation, showFor } from '../../../shared/run';
import { namedActionFields, runNamedActions } from '../../namedActions';

/** PUT .../disable, on services that offer it (docs/interface.md 2.4). */
export const disable: Operation = {
	fields: showFor('action', 'disable', namedActionFields('The action to disable', [])),

	execute: async (context) =>
		await runNamedActions(context, (wanted, rules) => planEnabled(wanted, false, rules)),
};
