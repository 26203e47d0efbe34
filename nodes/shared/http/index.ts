export { partsOfSecret, readHeaderSecret } from './headerSecret';
export { n8nTransport, type RequestContext } from './n8nTransport';
export { type FailureFacts, hasStatus, RequestError } from './requestError';
export { createPace, type Pace } from './pace';
export { pauseBeforeRepeat } from './retry';
export { createSend } from './send';
export type { Endpoint, Limits, Send, Transport } from './types';
export { checkSegment, parseBaseUrl, parseUrl } from './url';
