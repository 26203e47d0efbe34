export { readAuthentication, readClient } from './authentication';
export { partsOfSecret, readHeaderSecret } from './headerSecret';
export { n8nTransport, type RequestContext, sendWith } from './n8nTransport';
export { sendWithOAuth2 } from './oauth2';
export { type FailureFacts, hasStatus, RequestError } from './requestError';
export { pauseBeforeRepeat } from './retry';
export { createSend } from './send';
export type { Endpoint, Limits, Send, Transport } from './types';
export { checkSegment, parseBaseUrl, parseUrl } from './url';
