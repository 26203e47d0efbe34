'use strict';

module.exports = require('../loadOnce').loadOnce('typescript');
