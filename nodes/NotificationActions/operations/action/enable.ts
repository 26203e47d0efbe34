import { namedAction } from './namedAction';

/** PUT .../enable, on services that offer it (docs/interface.md 2.4). */
export const enable = namedAction('enable', 'enable', 'The action to enable');
