'use strict';

const sizes = require('../../dist/nodes/shared/scim/client/listing');

/** Has every list of a test asked for in pages of this size, so that a few users are many pages. */
function inPagesOf(size) {
	jest.replaceProperty(sizes, 'FIRST_PAGE', size);
	jest.replaceProperty(sizes, 'LARGE_PAGE', size);
}

module.exports = { inPagesOf };
