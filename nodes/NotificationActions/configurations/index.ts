export {
	type Configuration,
	type Monitor,
	nameOf,
	readConfiguration,
	targetsOf,
} from './configuration';
export { type ActionChange, MOST_ACTIONS_PER_MONITOR, type PatchOperation } from './editActions';
export {
	checkDocument,
	parsed,
	planConfigurations,
	type WantedConfiguration,
} from './planConfigurations';
export {
	monitorEditor,
	type MonitorRules,
	planMonitors,
	stateOf,
	type WantedMonitors,
} from './planMonitors';
export { replaceConfiguration } from './replaceConfiguration';
export { configurationSaver, type ReadConfiguration, type SaveSettings } from './saveConfiguration';
export type { MonitorSelection } from './selectMonitors';
