import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { fieldsOf } from './report';

/** How many hints a run shows at most. */
const MOST_HINTS = 5;

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/**
 * Makes hints above the output from the warnings of output items: each once, the most frequent first. n8n renders hints as
 * HTML, and warnings name what the service calls its users and groups.
 */
export function hintsOf(items: readonly INodeExecutionData[]): NodeExecutionHint[] {
	const counts = new Map<string, number>();
	for (const item of items) {
		const { warnings } = fieldsOf(item);
		for (const warning of Array.isArray(warnings) ? warnings : []) {
			if (typeof warning === 'string') counts.set(warning, (counts.get(warning) ?? 0) + 1);
		}
	}
	const rest = counts.size - MOST_HINTS + 1;
	const texts = [...counts]
		.sort(([, one], [, other]) => other - one)
		.slice(0, rest > 1 ? MOST_HINTS - 1 : MOST_HINTS)
		.map(([text, count]) => (count === 1 ? text : `${text} (${count} items)`));
	const shown = rest > 1 ? [...texts, `${rest} more warnings: see the items`] : texts;
	return shown.map((text) => ({
		message: text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]),
		type: 'warning',
		location: 'outputPane',
	}));
}
