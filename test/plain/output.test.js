'use strict';

// What items say: the same keys on every item of a run, the head first, and one sentence.

const { memoryService } = require('../support/memoryService');
