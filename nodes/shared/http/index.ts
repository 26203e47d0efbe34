export { partsOfSecret, readHeaderSecret } from './headerSecret';
export { n8nTransport, type RequestContext } from './n8nTransport';
export { mapInOrder } from './pool';
export { type FailureFacts, hasStatus, RequestError } from './requestError';
export { pauseBeforeRepeat } from './retry';
export { createSend, type Limits, type Send, type Transport } from './send';
export { checkSegment, parseBaseUrl, parseUrl } from './url';
