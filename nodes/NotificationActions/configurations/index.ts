export { type Configuration, documentOf, type Monitor, nameOf, targetsOf } from './configuration';
export {
	type ConfigurationClient,
	createConfigurationClient,
	isMissingRoute,
	unexpectedAnswer,
} from './configurationClient';
export { type ActionChange, DEFAULT_EMAIL_TARGET, MOST_ACTIONS_PER_MONITOR } from './editActions';
export { configurationPerformer, unverified } from './perform';
export { checkDocument, type ConfigurationWish, planConfigurations } from './planConfigurations';
export { type MonitorRules, type MonitorWish, planMonitors } from './planMonitors';
export type { Snapshot } from './saveConfiguration';
export type { MonitorSelection } from './selectMonitors';
export {
	type ConfigurationResult,
	type ConfigurationStep,
	emptyConfigurationPlan,
	monitorOf,
	stepId,
	type TouchedConfiguration,
} from './step';
