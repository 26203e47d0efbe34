'use strict';

const { join } = require('node:path');

/** Where the service keeps what it holds: a JSON text `{ seed, mailsSent }`. */
const keptIn = (folder) => join(folder, 'kept.json');

/** Where it writes what it has answered: an entry of demo/service/log.js in each line. */
const logIn = (folder) => join(folder, 'log.jsonl');

module.exports = { keptIn, logIn };
