import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../shared/util';
import { isFromList, type RowList } from './rows';

/**
 * Refuses a part of a whole list: what is not in the list counts as unwanted, so n8n has to hand over all of its rows at
 * once.
 * @throws InputError where input items are the rows, and n8n passes one of them, or a part at a time
 */
export function requireWholeInput(context: IExecuteFunctions, list: RowList): void {
	if (isFromList(context, list)) return;
	const { displayName } = list;
	if (context.getNode().executeOnce === true) {
		throw new InputError(
			`Execute Once is on, so n8n passes only the first row of ${displayName}`,
			`Turn off Execute Once in the settings of the node. Nothing was read or sent.`,
		);
	}
	const sources = sourcesOf(context);
	if (sources.length < 2) return;
	throw new InputError(
		`${sources.length} connections lead into this node (${sources.join(', ')}): n8n runs it for each, with a part of ${displayName}`,
		'Put a Merge (Append) between them and this node. Nothing was read or sent.',
	);
}

/**
 * The enabled nodes that lead into this one, as far as the trigger of this execution reaches them. Two outputs of one node
 * are told apart by n8n-workflow 2.11 alone.
 */
function sourcesOf(context: IExecuteFunctions): string[] {
	const { name } = context.getNode();
	const namesBefore = (node: string, depth = -1) =>
		context.getParentNodes(node, { depth }).map((parent) => parent.name);
	const sources = context
		.getParentNodes(name, { depth: 1 })
		.flatMap((parent) => (parent.disabled ? [] : parent.name));
	if (sources.length < 2) return sources;
	const { $ } = context.getWorkflowDataProxy(0);
	const started = namesBefore(name).filter(
		(node) => namesBefore(node, 1).length === 0 && $(node).isExecuted === true,
	);
	const isReached = (node: string) =>
		[node, ...namesBefore(node)].some((one) => started.includes(one));
	return started.length === 0 ? sources : sources.filter(isReached);
}
