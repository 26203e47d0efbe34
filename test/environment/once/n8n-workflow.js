'use strict';

module.exports = require('../loadOnce').loadOnce('n8n-workflow');
