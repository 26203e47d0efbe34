import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { cachedPerObject, shown, textList } from '../../shared/util';
import type { OperationContext } from '../context';
import { columnsIn, withoutBrackets } from './columns';

/** Columns of a list that have to do with when its rows count. */
export const datesField: INodeProperties = {
	displayName: 'Dates',
	name: 'dates',
	type: 'collection',
	placeholder: 'Add Column',
	default: {},
	description: 'Columns with dates of employment. Drag them from the input.',
	options: [
		{
			displayName: 'Not Used as Dates',
			name: 'notUsed',
			type: 'string',
			requiresDataPath: 'multiple',
			default: '',
			placeholder: 'e.g. hireDate',
			description: 'Columns that look like dates of employment and do not decide when a row counts',
			hint: 'Separate several with commas',
		},
	],
};

/** The whole name of a column that says when somebody works here, without blanks, `_` and `-`. */
const DATE_COLUMN =
	/^((start|end|hire|join|entry|leave|exit|termination|last|contract|valid|effective)(s|d|ed)?){1,2}(working|employed|employment)?(date|day|on|from|until|to|till)$/i;

/** Tells whether the name of a column is that of a date of employment. */
export function isDateColumn(name: string): boolean {
	return DATE_COLUMN.test(name.replace(/[\s_-]/g, ''));
}

/** What the list does with its columns of dates, read once, from the first item. */
interface Dates {
	/** Says what is wrong with the list as a whole. */
	blockedBy(rows: ReadonlyArray<{ values: unknown }>): string[];
}

export const datesOf = cachedPerObject(({ context }: OperationContext): Dates => {
	const given = context.getNodeParameter('dates', 0, {}) as IDataObject;
	const notUsed = new Set(
		textList(given.notUsed, 'Not Used as Dates').map((name) => columnKey(withoutBrackets(name))),
	);
	return {
		blockedBy(rows) {
			const unread = columnsIn(rows).filter(
				(name) => isDateColumn(name) && !notUsed.has(columnKey(name)),
			);
			if (unread.length === 0) return [];
			const one = unread.length === 1;
			return [
				`${unread.map(shown).join(', ')}: ${one ? 'this column looks like a date' : 'these columns look like dates'} of employment, and a row counts whatever it says there. Remove ${one ? 'it' : 'them'} from the list, or enter ${one ? 'it' : 'them'} under Not Used as Dates.`,
			];
		},
	};
});

function columnKey(name: string): string {
	return name.trim().toLowerCase();
}
