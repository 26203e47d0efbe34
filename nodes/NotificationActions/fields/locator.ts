import type { INodeProperties } from 'n8n-workflow';

/** What a field picks, from the list or by ID. */
interface Picked {
	displayName: string;
	name: string;
	description: string;
	/** With its article, e.g. "an action". */
	what: string;
	search: string;
	example: string;
	/** What an ID looks like, and what the editor says of another; anything but blanks if missing. */
	regex?: string;
	errorMessage?: string;
}

/** Picks one thing: from the list or by ID. */
export function locatorField({
	displayName,
	name,
	description,
	what,
	search,
	example,
	regex = '\\s*\\S[\\s\\S]*',
	errorMessage = `Enter the ID of ${what}`,
}: Picked): INodeProperties {
	return {
		...{ displayName, name, description },
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${what}...`,
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${example}`,
				validation: [{ type: 'regex', properties: { regex, errorMessage } }],
			},
		],
	};
}
