'use strict';

/**
 * An item of the error output as the same item is where the workflow goes on: its fields beside `error`, and what to do in
 * the error. Any other item stays.
 */
function unrouted({ json, ...item }) {
	const { error, message } = json;
	if (error === undefined || typeof message !== 'object' || message === null)
		return { json, ...item };
	const { advice, ...fields } = message;
	return { json: { ...fields, error }, ...item, error: { message: error, description: advice } };
}

module.exports = { unrouted };
