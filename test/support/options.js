'use strict';

/** Where the node has what a test writes flat: `{ verifyTime: 1 }` is `{ requests: { values: { verifyTime: 1 } } }`. */
const ENTRIES = {
	requests: ['concurrency', 'maxRunTime', 'maxWait', 'pageSize', 'timeout', 'verifyTime'],
	safetyLimits: [
		'allowEmptyGroups',
		'allowEmptyOrganizations',
		'allowPermanentRemoval',
		'allowRemovingLastAdmin',
		'maxAge',
		'maxCreates',
		'maxPercentAffected',
		'maxPeopleAffected',
		'protectedUsers',
	],
};

/** Parameters of a node, with the settings that stand flat in `options` where the node has them. */
function asInOptions(parameters) {
	const { options } = parameters;
	if (typeof options !== 'object' || options === null) return parameters;
	const nested = { ...options };
	for (const [entry, names] of Object.entries(ENTRIES)) {
		const given = names.filter((name) => name in nested);
		if (given.length === 0) continue;
		const values = Object.fromEntries(given.map((name) => [name, nested[name]]));
		for (const name of given) delete nested[name];
		nested[entry] = { values: { ...nested[entry]?.values, ...values } };
	}
	return { ...parameters, options: nested };
}

module.exports = { asInOptions };
