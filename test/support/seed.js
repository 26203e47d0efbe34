'use strict';

const fc = require('fast-check');

// The same cases on every run, so that what is green stays green; PROPERTY_SEED=random looks for new ones.
const { PROPERTY_SEED = '20261121' } = process.env;
fc.configureGlobal({
	...fc.readConfigureGlobal(),
	...(PROPERTY_SEED !== 'random' && { seed: Number(PROPERTY_SEED) }),
});
