'use strict';

// The one place of the harness that loads n8n-core.
const { setUpInOwnFolder } = require('./settings');

setUpInOwnFolder();
module.exports = require('n8n-core');
