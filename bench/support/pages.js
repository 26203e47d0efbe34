'use strict';

/** Requests that a list of so many takes by start index: a page of 100, then pages of 1,000 (nodes/shared/scim/client/listing.ts). */
const pagesOf = (entries) => 1 + Math.max(0, Math.ceil((entries - 100) / 1000));

module.exports = { pagesOf };
