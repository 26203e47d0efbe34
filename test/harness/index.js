'use strict';

// In-process tests on the real execution classes of n8n-core.

const { blockNetwork } = require('./network');
const { listSearch, resourceMapping } = require('./list-search');
const { pollNode } = require('./poll-node');
const { runNode } = require('./run-node');
const { runTool } = require('./run-tool');
const { testCredential } = require('./test-credential');

blockNetwork();

module.exports = {
	blockNetwork,
	listSearch,
	pollNode,
	resourceMapping,
	runNode,
	runTool,
	testCredential,
};
