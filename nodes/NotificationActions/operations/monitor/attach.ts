import { oneActionChange } from './monitorChange';

export const attach = oneActionChange('attach', {
	name: 'Attach Action',
	action: 'Attach action to monitors',
	description: 'Add an action to monitors, keeping their other actions',
});
