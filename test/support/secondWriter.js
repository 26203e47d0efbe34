'use strict';

// Another client of the same service, which acts at a named request: by no clock, and by no chance.

/**
 * Has another client act once, when a request of ours arrives and before it is carried out.
 * @param service one of modelGroupsPlay, memoryService, service or scimServer
 * @param {string | RegExp} named `METHOD /path`, without the query
 * @param {(scim: import('../../demo/service/scim/service').ScimService) => void} act gets the SCIM side, to write to
 * @param {{ nth?: number }} [which] the first of such requests, or a later one
 * @returns {{ acted: boolean }} whether it did
 */
function meanwhile(service, named, act, { nth = 1 } = {}) {
	const writer = { acted: false };
	let met = 0;
	const arrived = ({ method, path }, scim) => {
		const request = `${method} ${path}`;
		const isIt = typeof named === 'string' ? request === named : named.test(request);
		if (!isIt || ++met !== nth) return;
		writer.acted = true;
		act(scim);
	};
	const { given, options, is } = service;
	if (given === undefined) {
		const hooks = options ?? is;
		const before = hooks.onRequest;
		hooks.onRequest = (entry, state) => {
			before?.(entry, state);
			arrived(entry, state.directory);
		};
	} else {
		const before = given.onRequest;
		given.onRequest = (number, entry, scim) => {
			before?.(number, entry, scim);
			arrived(entry, scim);
		};
	}
	return writer;
}

/**
 * Reads show an older state up to and with a named request, and what is so from then on.
 * @param service one of modelGroupsPlay or memoryService
 * @param {{ users: Map, groups: Map }} old such as `service.now()` gave it before
 * @param {string} named `METHOD /path`, without the query
 * @param {number} [nth] which of such requests
 * @returns {{ isOver: boolean }} whether it came to that
 */
function oldReads(service, old, named, nth = 1) {
	const reads = { isOver: false };
	let met = 0;
	const { lag, given } = service;
	given.onRequest = (_number, { method, path }) => {
		const isOver = reads.isOver;
		lag.read = (current) => (isOver ? current : old);
		reads.isOver ||= `${method} ${path}` === named && ++met === nth;
	};
	return reads;
}

/** From now on both clocks of the package are ahead: what was read before is that much older. */
function later(ms) {
	for (const clock of [Date, performance]) {
		const now = clock.now.bind(clock);
		jest.spyOn(clock, 'now').mockImplementation(() => now() + ms);
	}
}

module.exports = { later, meanwhile, oldReads };
