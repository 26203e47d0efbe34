import { groupFields } from '../../fields/group';
import { guardOptions } from '../../fields/guards';
import { ifNotFoundOption } from '../../fields/ifNotFound';
import { changeOfMembers, peopleField } from '../../fields/members';
import {
	executionOptions,
	type Operation,
	optionsField,
	previewField,
	showFor,
} from '../../../shared/run';
import { runChange } from '../../road';

/** Removes people from groups, if they are in that very group (docs/interface.md 2.3: removal is role-blind). */
export const removeMembers: Operation = {
	fields: showFor('group', 'removeMembers', [
		...groupFields,
		peopleField,
		previewField,
		optionsField([
			ifNotFoundOption,
			...guardOptions,
			...executionOptions('concurrency', 'maxWait', 'pageSize', 'timeout', 'verifyTime'),
		]),
	]),

	execute: async (context) => await runChange(context, changeOfMembers(context, 'drop')),
};
