export { decode, readAnswer } from './answer';
export { readAuthentication, readClient, readHeaderSecret } from './authentication';
export { readCredential } from './credential';
export { n8nTransport, type RequestContext, sendWith, sendWithOAuth2 } from './n8nTransport';
export {
	type FailureFacts,
	hasStatus,
	isRefusal,
	mayHaveWorked,
	RequestError,
	withDetail,
} from './requestError';
export { masked } from './masked';
export { Memory } from './memory';
export { createPace, type Pace, SIDE_BY_SIDE, sideBySide } from './pace';
export { networkFault } from './failures';
export { createSend } from './send';
export type { Answer, Endpoint, Limits, Send, ServiceRequest, Transport } from './types';
export { WaitBudget } from './waitBudget';
export { type BaseUrl, buildUrl, checkSegment, parseBaseUrl, parseUrl } from './url';
