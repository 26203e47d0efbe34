'use strict';

/**
 * The fields that the editor shows for an operation: a collection is there once for several operations, and each sees of it
 * what it shows for it.
 */
function shownFor(properties, resource, operation) {
	const isOwn = (show, root) =>
		(show[`${root}resource`] ?? [resource]).includes(resource) &&
		(show[`${root}operation`] ?? [operation]).includes(operation);
	const insideOf = ({ options }) =>
		options
			.filter(({ displayOptions: { show = {} } = {} }) => isOwn(show, '/'))
			.map((field) => withoutCondition(field, '/'));
	return properties
		.filter(({ displayOptions: { show } = {} }) => show?.operation && isOwn(show, ''))
		.map((field) => (field.type === 'collection' ? { ...field, options: insideOf(field) } : field));
}

/** A field without what says which operations have it. */
function withoutCondition({ displayOptions: { show = {}, ...rest } = {}, ...field }, root) {
	const { [`${root}resource`]: resource, [`${root}operation`]: operation, ...own } = show;
	const conditions = { ...rest, ...(Object.keys(own).length > 0 && { show: own }) };
	return Object.keys(conditions).length > 0 ? { ...field, displayOptions: conditions } : field;
}

module.exports = { shownFor, withoutCondition };
