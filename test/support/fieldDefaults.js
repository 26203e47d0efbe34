'use strict';

/** The fields of an operation with their defaults, as n8n gives them. */
const defaultsIn = ({ properties }, resource, operation) =>
	Object.fromEntries(
		properties
			.filter(
				({ displayOptions: { show } = {} }) =>
					show?.resource?.includes(resource) && show.operation?.includes(operation),
			)
			.map(({ name, default: value }) => [name, value]),
	);

module.exports = { defaultsIn };
