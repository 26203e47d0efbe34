import { oneActionChange } from './monitorChange';

export const attach = oneActionChange('attach');
