export { apply, followed } from './apply';
export {
	type ToolCalls,
	type WriteContext,
	decide,
	type Basis,
	type Guarded,
	type Planned,
	type Sealed,
	type Words,
} from './plan';
export { guard } from './guard';
