export { apply, followed } from './apply';
export type { ToolCalls, WriteContext } from './context';
export { decide } from './decide';
export { guard } from './guard';
export type { Basis, Guarded, Planned, Sealed, Words } from './plan';
