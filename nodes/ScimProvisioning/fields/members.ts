import type { INodeProperties } from 'n8n-workflow';

export const peopleField: INodeProperties = {
	displayName: 'People',
	name: 'people',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com',
	description:
		'Emails, compared with user names, or IDs. Text without @ is an ID. Match Users By changes this.',
	hint: 'Separate several with commas, or use an expression that returns a list',
};
