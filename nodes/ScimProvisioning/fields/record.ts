import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { MOST_WARNINGS, summarizeRun, type ChangeOfRun } from '../../shared/access/plans';
import { fieldsOf, isRouted } from '../../shared/run';
import type { OperationContext } from '../context';

/** On what changes many. */
export const returnOption: INodeProperties = {
	displayName: 'Return',
	name: 'return',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'One Item per Change', value: 'perChange' },
		{
			name: 'One Item per Run',
			value: 'perRun',
			description: 'A summary and the list of all changes. Split Out makes an item of each.',
		},
	],
	default: 'perChange',
	description: 'Whether each change is an item, or all changes of the run are in one',
};

/** What there is of a run beside its changes. */
export interface OfRun {
	/** What is said of it as a whole. */
	warnings: readonly string[];
	/** What takes it back. */
	undo?: IDataObject;
}

/** Tells whether a run is to return one item, which has its undo, too. */
export function returnsOne({ options }: Pick<OperationContext, 'options'>): boolean {
	return options.return === 'perRun' || Number(options.undoHours) > 0;
}

/**
 * Makes one item of all that a run has come to. What failed is in it, and is an item of its own besides where the node has
 * an error output. What the summary says of the run as a whole is not said on every change again.
 * @param items one per change, with the same keys
 * @param title what the run is called
 */
export function recordOf(
	items: readonly INodeExecutionData[],
	title: string,
	{ warnings, undo }: OfRun,
	inputs: readonly unknown[],
): INodeExecutionData[] {
	const said = new Set(warnings.slice(0, MOST_WARNINGS));
	const changes = items.map((item) => withoutSaid(fieldsOf(item), said));
	const told = changes as unknown as ChangeOfRun[];
	const json = {
		at: new Date().toISOString(),
		...summarizeRun(title, told, [...said]),
		...{ changes, undo: undo ?? null },
	};
	const pairedItem = inputs.map((_, item) => ({ item }));
	return [{ json, pairedItem }, ...items.filter(isRouted)];
}

function withoutSaid(item: IDataObject, said: ReadonlySet<string>): IDataObject {
	const { warnings } = item;
	if (!Array.isArray(warnings)) return item;
	const left = (warnings as string[]).filter((warning) => !said.has(warning));
	return { ...item, warnings: left.length > 0 ? left : null };
}
