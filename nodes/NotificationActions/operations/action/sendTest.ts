import { namedAction } from './namedAction';

/** POST .../test, once whatever happens, on services that offer it (docs/interface.md 2.4). */
export const sendTest = namedAction('sendTest', 'test', 'The action to send a test to');
