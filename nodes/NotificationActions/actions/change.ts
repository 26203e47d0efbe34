import {
	type Applied,
	type Entry as EntryOf,
	type Order,
	orderBy,
	type Request as RequestOf,
	roundsOf,
	type Step,
} from '../../shared/run';
import { addTo } from '../../shared/util';
import {
	type AlertingChangeBase,
	type ConfigurationChange,
	configurationRequest,
	type ConfigurationResult,
	type PlanOf,
} from '../configurations';
import type { Action } from './action';
import { type ActionWrite, requestOf, wordsFor } from './alertingClient';

/** Of an action. */
export interface ActionChange extends AlertingChangeBase {
	about: 'action';
	write: ActionWrite;
}

export type Change = ActionChange | ConfigurationChange;

/** What is known of the subject of a part. */
export type AlertingResult = ConfigurationResult | { action: Action };

export type AlertingPart = Applied<AlertingResult>;

export type AlertingPlan = PlanOf<Change, AlertingResult>;

export type Entry = EntryOf<Change>;

export interface Schedule {
	/** In the order in which they leave. */
	rounds: Array<Array<RequestOf<Entry>>>;
	order: Order<Change>;
}

/** Makes the change of a write. @param item that wants it */
export function actionChange(
	write: ActionWrite,
	item: number,
	more: Partial<Pick<ActionChange, 'restsOn' | 'warnings'>> = {},
): ActionChange {
	const action = wordsFor(write);
	return {
		...{ about: 'action', key: action, action, subject: write.id, write },
		...{ items: [item], restsOn: [], warnings: [], ...more },
	};
}

/** Schedules the requests that make the changes: one for each action, and one for all changes of a model. */
export function scheduleOf(changes: readonly Change[]): Schedule {
	const order = orderBy<Change, Change['about']>(
		changes,
		[],
		({ about }) => about,
		() => undefined,
	);
	const targetOf = (change: Change) =>
		change.about === 'action' ? change.key : `save ${change.model}`;
	const rounds = roundsOf<Change, Entry>(changes, order, {
		entriesOf: (change) => [{ change, target: targetOf(change) }],
		hasTwoStages: () => false,
		requestsFor(entries) {
			const targets = new Map<string, Entry[]>();
			for (const entry of entries) addTo(targets, entry.target, entry);
			return [...targets].map(([id, own]) => ({ id, entries: own }));
		},
	});
	return { rounds, order };
}

/** Lists the requests of a schedule as Preview shows them. */
export function stepsOf({ rounds }: Schedule, organizationId: string): Step[] {
	return rounds.flat().map(({ id, entries, after }): Step => {
		const [{ change: first }] = entries;
		return {
			id,
			action:
				first.about === 'monitor' ? `save the monitors of model ${first.model}` : first.action,
			parts: entries.flatMap(({ change }) =>
				change.items.map((item) => ({ item, subject: change.subject, change: change.key })),
			),
			warnings: entries.flatMap(({ change }) => change.warnings),
			request:
				first.about === 'action'
					? requestOf(organizationId, first.write)
					: configurationRequest(
							organizationId,
							first.model,
							first.about === 'monitor' ? 'PATCH' : 'PUT',
						),
			after,
		};
	});
}
