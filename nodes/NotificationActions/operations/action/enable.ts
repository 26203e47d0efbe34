import { planEnabled } from '../../actions';
import { type Operation, showFor } from '../../../shared/run';
import { namedActionFields, runNamedActions } from '../../namedActions';

/** PUT .../enable, on services that offer it (docs/interface.md 2.4). */
export const enable: Operation = {
	fields: showFor('action', 'enable', namedActionFields('The action to enable', [])),

	execute: async (context) =>
		await runNamedActions(context, (wanted, rules) => planEnabled(wanted, true, rules)),
};
