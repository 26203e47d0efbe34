export { decode, readAnswer, networkFault } from './answer';
export { readAuthentication, readClient, readHeaderSecret, readCredential } from './credential';
export { n8nTransport, type RequestContext, sendWith, sendWithOAuth2 } from './n8nTransport';
export {
	type FailureFacts,
	hasStatus,
	isRefusal,
	mayHaveWorked,
	RequestError,
	withDetail,
	type Answer,
	type Endpoint,
	type Limits,
	type Send,
	type ServiceRequest,
	type Transport,
	type BaseUrl,
	buildUrl,
	checkSegment,
	parseBaseUrl,
	parseUrl,
} from './request';
export { masked } from './masked';
export { Memory, WaitBudget } from './limits';
export { createPace, type Pace, SIDE_BY_SIDE, sideBySide } from './pace';
export { createSend } from './send';
