export {
	addChange,
	type AlertingChangeBase,
	type ConfigurationChange,
	type ConfigurationResult,
	emptyPlan,
	monitorOf,
	type PlanOf,
	type TouchedConfiguration,
	editFor,
	judgeSaved,
	unverified,
} from './change';
export { type Configuration, documentOf, type Monitor, nameOf, targetsOf } from './configuration';
export {
	type ConfigurationClient,
	configurationRequest,
	createConfigurationClient,
	isMissingRoute,
	unexpectedAnswer,
} from './configurationClient';
export { type ActionEdit, DEFAULT_EMAIL_TARGET, MOST_ACTIONS_PER_MONITOR } from './monitorEdits';
export { checkDocument, type ConfigurationWish, planConfigurations } from './planConfigurations';
export {
	type MonitorRules,
	type MonitorWish,
	planMonitors,
	type MonitorSelection,
} from './planMonitors';
export { configurationSaver, ownOf, type SaveResult, type Snapshot } from './saveConfiguration';
