'use strict';

/** The answer of the joiner and the mover workflow, one row per change. */

const { wrapped } = require('./table');

/** In: rows `{ email, externalId, organization, role, result, reason }`. Out: lines. */
function rowLines(rows) {
	const width = Math.max(...rows.map((row) => who(row).length));
	return rows.flatMap((row, index) => {
		const name = index > 0 && who(row) === who(rows[index - 1]) ? '' : who(row);
		return [`  ${name.padEnd(width)}  ${changeOf(row)}`, ...wrapped(row.reason, '      ')];
	});
}

function changeOf({ result, organization, role }) {
	return organization ? `${result}: ${role} in ${organization}` : result;
}

function who({ email, externalId }) {
	return email || externalId;
}

/** In: whom a row is about and where, if it says so. Out: what tells it from all others. */
function rowKey(row) {
	return row.organization ? `${who(row)} in ${row.organization}` : who(row);
}

/** Out: what has to become of a wish for a role. In: the role before, the wanted one, the word for no change. */
function roleResult(before, wanted, unchanged) {
	if (before === wanted) return unchanged;
	return before ? 'moved' : 'granted';
}

module.exports = { rowLines, rowKey, roleResult };
