import type { IDataObject } from 'n8n-workflow';

import type { Configuration } from '../configurations';

/** What the output says of a configuration beside its text. */
export function configurationCounts({
	version,
	monitors,
	analyzerIds,
}: Configuration): IDataObject {
	return {
		...(version !== undefined && { version }),
		monitors: monitors.length,
		analyzers: analyzerIds.length,
	};
}
