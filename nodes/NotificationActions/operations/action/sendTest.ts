import { planTests } from '../../actions';
import { type Operation, showFor } from '../../../shared/run';
import { namedActionFields, runNamedActions } from '../../namedActions';

/** POST .../test, once whatever happens, on services that offer it (docs/interface.md 2.4). */
export const sendTest: Operation = {
	fields: showFor('action', 'sendTest', namedActionFields('The action to send a test to', [])),

	execute: async (context) => await runNamedActions(context, planTests),
};
