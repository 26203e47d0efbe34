export { readAuthentication, readClient } from './authentication';
export { readCredential } from './credential';
export { readHeaderSecret } from './headerSecret';
export { n8nTransport, type RequestContext, sendWith } from './n8nTransport';
export { sendWithOAuth2 } from './oauth2';
export {
	type FailureFacts,
	hasStatus,
	isRefusal,
	mayHaveWorked,
	RequestError,
} from './requestError';
export { masked } from './masked';
export { createPace, type Pace, SIDE_BY_SIDE, sideBySide } from './pace';
export { pauseBeforeRepeat } from './retry';
export { networkFault } from './failures';
export { createSend } from './send';
export type { Answer, Endpoint, Limits, Send, ServiceRequest, Transport } from './types';
export { type BaseUrl, buildUrl, checkSegment, parseBaseUrl, parseUrl } from './url';
