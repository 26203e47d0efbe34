import { wildcard } from '../../shared/util';
import { nameOf, type Configuration, type Monitor } from './configuration';

/** Which monitors of a model to use. */
export type MonitorSelection =
	| { by: 'all' }
	| { by: 'id'; ids: readonly string[] }
	/** A display name, or the id of a monitor without one; `*` stands for any characters. */
	| { by: 'name'; pattern: string }
	| { by: 'tag'; tags: readonly string[] }
	| { by: 'severity'; severities: readonly number[] };

/** The selected monitors, in the order of the configuration. */
export function selectMonitors(
	{ monitors }: Pick<Configuration, 'monitors'>,
	selection: MonitorSelection,
): Monitor[] {
	return monitors.filter(matcher(selection));
}

function matcher(selection: MonitorSelection): (monitor: Monitor) => boolean {
	switch (selection.by) {
		case 'all':
			return () => true;
		case 'id': {
			const ids = new Set(selection.ids);
			return ({ id }) => ids.has(id);
		}
		case 'name': {
			const matches = wildcard(selection.pattern);
			return (monitor) => matches(nameOf(monitor));
		}
		case 'tag': {
			const tags = new Set(selection.tags.map((tag) => tag.toLowerCase()));
			return (monitor) => monitor.tags.some((tag) => tags.has(tag.toLowerCase()));
		}
		case 'severity':
			return ({ severity }) => severity !== undefined && selection.severities.includes(severity);
	}
}
