'use strict';

const isCreate = ({ method, path }) => method === 'POST' && /\/Users$/.test(path);
const isGrant = (entry) => opOf(entry) === 'add';
const isRemoval = (entry) => opOf(entry) === 'remove';

/**
 * When a run is cut off: at the n-th request of a kind. `bridged`: a short absence of the service must not
 * be felt. A request that also removes and whose answer is lost is not sent again, so there it may be.
 */
const MOMENTS = {
	'while people are created': { is: isCreate, nth: 200, bridged: true },
	'while roles are given': { is: isGrant, nth: 2 },
	'while roles are taken away': { is: isRemoval, nth: 1 },
};

/** What a change of a group does, by its first operation. */
function opOf({ method, path, body }) {
	return method === 'PATCH' && /\/Groups\//.test(path) ? body?.Operations?.[0]?.op : undefined;
}

module.exports = { MOMENTS, isCreate };
