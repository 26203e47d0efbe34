'use strict';

module.exports = require('../loadOnce').loadOnce('fast-check');
