'use strict';

/** @returns {number} the line of a position in a text, from 1 */
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

module.exports = { lineOf };
