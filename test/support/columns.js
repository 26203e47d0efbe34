'use strict';

/** The columns of User: Reconcile as they come, and the one that identifies a user. */
const matchOn = (column) => ({
	columns: {
		...{ mappingMode: 'autoMapInputData', value: null, schema: [] },
		matchingColumns: [column],
	},
});

module.exports = { matchOn };
