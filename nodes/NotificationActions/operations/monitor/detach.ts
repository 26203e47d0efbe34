import { oneActionChange } from './monitorChange';

export const detach = oneActionChange('detach', {
	name: 'Detach Action',
	action: 'Detach action from monitors',
	description: 'Remove an action from monitors. They no longer deliver to it.',
});
