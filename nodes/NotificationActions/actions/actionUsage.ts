import type { Action, MonitorReference } from './action';
import type { Users } from './planActions';
import { targetsOf } from '../configurations';
import type { Surroundings } from '../road';

/**
 * The monitors that use each of these actions: as the list of actions tells, else as the configurations of all models
 * do.
 * @throws RequestError when the models cannot be listed, or one of their configurations cannot be read
 */
export async function usersOf(
	actionIds: readonly string[],
	actions: readonly Action[],
	surroundings: Pick<Surroundings, 'allModels' | 'configurations'>,
): Promise<Users> {
	const told = new Map(
		actions.flatMap(({ id, references }) =>
			references === undefined ? [] : [[id, references] as const],
		),
	);
	if (actionIds.every((id) => told.has(id))) {
		return new Map(actionIds.map((id) => [id, told.get(id)]));
	}
	const found = new Map<string, MonitorReference[]>(actionIds.map((id) => [id, []]));
	const configurations = await surroundings.configurations(await surroundings.allModels());
	for (const [model, read] of configurations) {
		if (!read.ok) throw read.error;
		for (const monitor of read.value.configuration.monitors) {
			for (const target of targetsOf(monitor))
				found.get(target)?.push({ model, monitor: monitor.id });
		}
	}
	return found;
}
