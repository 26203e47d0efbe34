import type { IDataObject } from 'n8n-workflow';

import { seenAt, type Outcome } from '../../shared/run';
import { asSentence } from '../../shared/util';

/** The verbs of all that this node does, as they are said afterwards. */
const DONE: Readonly<Record<string, string>> = {
	attach: 'Attached',
	create: 'Created',
	delete: 'Deleted',
	detach: 'Detached',
	disable: 'Disabled',
	enable: 'Enabled',
	replace: 'Replaced',
	send: 'Sent',
	set: 'Set',
	update: 'Updated',
};

/** Makes an item of a change, whose fields stand in the order of all items. @param about what it is about */
export function outcomeItem(outcome: Outcome, about: IDataObject): IDataObject {
	const { action, status, reason, warnings = [] } = outcome;
	const [verb] = action.split(' ', 1);
	const isMade = status !== 'unchanged' && status !== 'skipped';
	return {
		...{ change: isMade ? DONE[verb].toLowerCase() : 'none', status, reason: reason ?? null },
		...{ ...about, text: asSentence(wordsOf(outcome)), at: seenAt([outcome]) },
		...(warnings.length > 0 && { warnings }),
	};
}

/** Makes the fields of an item of which nothing is known. */
export function blankItem(about: IDataObject): IDataObject {
	return { change: 'none', status: null, reason: null, ...about, text: null, at: null };
}

/** The outcome in plain words. */
function wordsOf({ status, action, reason }: Outcome): string {
	const because = reason === undefined ? '' : `: ${reason}`;
	const [verb] = action.split(' ', 1);
	switch (status) {
		case 'done':
			return `${DONE[verb]}${action.slice(verb.length)}${because}`;
		case 'unchanged':
			return `No need to ${action}${because || ': it is so already'}`;
		case 'skipped':
			return `Did not ${action}${because}`;
		case 'failed':
			return `Could not ${action}${because}`;
		case 'unverified':
			return `Could not confirm: ${action}${because}`;
	}
}
