export { carryOutPlan } from './carryOutPlan';
export { proofReads, proveGone } from './proof';
export { readsOf, stepsOf } from './requests';
export { type ProvisioningPlan, type Schedule, scheduleOf } from './schedule';
