import { oneActionChange } from './monitorChange';

export const detach = oneActionChange('detach');
