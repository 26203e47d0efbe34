'use strict';

const fs = require('fs');
const path = require('path');

const ROOT = path.resolve(__dirname, '../..');

/** Whether there is such a file in the package, seen from one of its folders. */
const hasFile = (folder, file) => fs.existsSync(path.resolve(ROOT, folder, file));

module.exports = { hasFile };
