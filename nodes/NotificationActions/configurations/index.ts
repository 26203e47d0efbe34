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
	type ActionEdit,
	DEFAULT_EMAIL_TARGET,
	MOST_ACTIONS_PER_MONITOR,
} from './change';
export { type Configuration, documentOf, type Monitor, nameOf, targetsOf } from './configuration';
export {
	type ConfigurationClient,
	configurationRequest,
	createConfigurationClient,
	isMissingRoute,
	unexpectedAnswer,
	configurationSaver,
	ownOf,
	type SaveResult,
	type Snapshot,
} from './saveConfiguration';
export {
	checkDocument,
	type ConfigurationWish,
	planConfigurations,
	type MonitorRules,
	type MonitorWish,
	planMonitors,
	type MonitorSelection,
} from './plan';
