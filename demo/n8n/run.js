#!/usr/bin/env node
'use strict';

/** `npm run demo:n8n`: every workflow of examples/ in a whole n8n, against a local service. */

const { runMain } = require('../cleanup');
const { playNamed } = require('../plays');
const { n8nStage } = require('./stage');

void runMain(() => playNamed({ command: 'npm run demo:n8n', setStage: n8nStage }));
