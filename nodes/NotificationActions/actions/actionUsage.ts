import type { Attempt } from '../../shared/util';
import { ownOf, type Snapshot, targetsOf } from '../configurations';
import type { Action, MonitorReference } from './action';

/** The monitors that use an action, by id of the action; undefined: not known. */
export type ActionUsage = ReadonlyMap<string, readonly MonitorReference[] | undefined>;

/** Reads what the organization has, all of it once. */
export interface AlertingReader {
	actions(): Promise<Action[]>;
	/** Ids of all models. */
	allModels(): Promise<string[]>;
	configurations(modelIds: readonly string[]): Promise<Map<string, Attempt<Snapshot>>>;
}

/**
 * The monitors that use each of these actions: as the list of actions says, else as the configurations of all models
 * do.
 * @throws RequestError when the actions or models cannot be listed, or one of their configurations cannot be read
 */
export async function actionUsage(
	actionIds: readonly string[],
	{ actions, allModels, configurations }: AlertingReader,
): Promise<ActionUsage> {
	const listed = new Map((await actions()).map(({ id, references }) => [id, references]));
	if (actionIds.every((id) => listed.get(id) !== undefined)) {
		return new Map(actionIds.map((id) => [id, listed.get(id)]));
	}
	const found = new Map<string, MonitorReference[]>(actionIds.map((id) => [id, []]));
	for (const [model, shown] of await configurations(await allModels())) {
		const read = ownOf(shown);
		if (read?.ok !== true) throw read?.error;
		for (const monitor of read.value.configuration.monitors) {
			for (const target of targetsOf(monitor))
				found.get(target)?.push({ model, monitor: monitor.id });
		}
	}
	return found;
}
