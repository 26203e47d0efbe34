'use strict';

const fc = require('fast-check');

// The same cases on every run, so that what is green stays green; PROPERTY_SEED=random looks for new ones.
const { PROPERTY_SEED = '20261121', PROPERTY_RUNS } = process.env;
fc.configureGlobal({
	...fc.readConfigureGlobal(),
	...(PROPERTY_SEED !== 'random' && { seed: Number(PROPERTY_SEED) }),
});

/** How many cases of a property are played: `npm run fuzz` plays 200, whatever is usual. */
const runs = (usual = 6) => Number(PROPERTY_RUNS ?? usual);

module.exports = { runs };
