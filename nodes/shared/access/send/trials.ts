import {
	type Form,
	type FormName,
	type Forms,
	type replaceAttributes,
	withoutPaths,
} from '../../scim';
import type { Change } from '../changes';
import { takesTrials, type EntryState, type TrialState } from './states';
import type { SendContext } from './world';

// One change tries another form of request for all others (client/forms.ts).

/** Returns the forms of what a change is about. */
export function formsOf({ about }: Change, { forms }: SendContext['client']): Forms {
	return about === 'group' ? forms.Groups : forms.Users;
}

/**
 * Tells whether a change is not sent now: another one tries its form first, or has tried it in vain.
 * @param next names the form after that one
 */
export function standsBack(
	state: TrialState,
	forms: Forms,
	next: () => FormName | undefined = () => undefined,
): boolean {
	if (state.form !== undefined && forms.isUseless(state.form)) {
		state.form = next();
		if (state.form === undefined) state.verdict = state.unseen;
	}
	state.waits = state.form !== undefined && !forms.takesTrial(state.form);
	return state.waits || state.verdict !== undefined;
}

/** Notes what has come of the form that a change was tried in. */
export function endTrial(state: EntryState, hadEffect: boolean, world: SendContext): void {
	if (!takesTrials(state)) return;
	if (state.form !== undefined && !state.waits)
		formsOf(state.change, world.client).ended(state.form, hadEffect);
	delete state.form;
}

/** Gives the operations of a PATCH the form that the service takes. */
export function operationsInForm(
	operations: ReturnType<typeof replaceAttributes>,
	form: Form,
): ReturnType<typeof replaceAttributes> {
	const isPathless = form.has('nothingByPath');
	return isPathless || form.has('withoutPath') ? withoutPaths(operations, isPathless) : operations;
}
