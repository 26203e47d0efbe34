import { namedAction } from './namedAction';

/** PUT .../disable, on services that offer it (docs/interface.md 2.4). */
export const disable = namedAction('disable', 'disable', 'The action to disable');
