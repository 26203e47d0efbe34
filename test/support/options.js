'use strict';

/** Where the node has what a test writes flat in `options`: `{ verifyTime: 1 }` is `{ requests: { verifyTime: 1 } }`. */
const COLLECTIONS = {
	requests: ['acceptUnverified', 'maxWait', 'timeout', 'verifyTime'],
	safetyLimits: [
		'allowEmptyGroups',
		'allowEmptyOrganizations',
		'allowPermanentRemoval',
		'allowRemovingLastAdmin',
		'maxAge',
		'maxCreates',
		'maxPercentAffected',
		'maxPeopleAffected',
		'protectMembersOf',
		'protectedUsers',
	],
};

/** Parameters of a node, with the settings that stand flat in `options` where the node has them. */
function inCollections(parameters) {
	const { options } = parameters;
	if (typeof options !== 'object' || options === null) return parameters;
	const left = { ...options };
	const collections = {};
	for (const [collection, names] of Object.entries(COLLECTIONS)) {
		const given = names.filter((name) => name in left);
		if (given.length === 0 && parameters[collection] === undefined) continue;
		collections[collection] = { ...parameters[collection] };
		for (const name of given) {
			collections[collection][name] = left[name];
			delete left[name];
		}
	}
	return { ...parameters, ...collections, options: left };
}

/** A credential whose pace lets one request out after the other. */
const ONE_AT_A_TIME = { readsPerMinute: 12, writesPerMinute: 12 };

module.exports = { inCollections, ONE_AT_A_TIME };
