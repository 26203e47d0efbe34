export {
	addChange,
	type AlertingChangeBase,
	type ConfigurationChange,
	type ConfigurationResult,
	emptyPlan,
	monitorOf,
	type PlanOf,
	type TouchedConfiguration,
} from './change';
export { type Configuration, documentOf, type Monitor, nameOf, targetsOf } from './configuration';
export {
	type ConfigurationClient,
	configurationRequest,
	createConfigurationClient,
	isMissingRoute,
	unexpectedAnswer,
} from './configurationClient';
export { type ActionEdit, DEFAULT_EMAIL_TARGET, MOST_ACTIONS_PER_MONITOR } from './editActions';
export { checkDocument, type ConfigurationWish, planConfigurations } from './planConfigurations';
export { type MonitorRules, type MonitorWish, planMonitors } from './planMonitors';
export { editFor, judgeSaved, unverified } from './judge';
export { configurationSaver, ownOf, type SaveResult, type Snapshot } from './saveConfiguration';
export type { MonitorSelection } from './selectMonitors';
