#!/usr/bin/env node
'use strict';

/**
 * `npm run demo`: a joiner, a mover, a leaver, a nightly comparison and alerts, as the workflows of examples/ do them, on
 * n8n's own execution engine in this process, against a local service. `npm run demo:n8n` plays them in a whole n8n.
 */

const { runMain } = require('./cleanup');
const { engineStage } = require('./engine');
const { buildPackage } = require('./package');
const { playNamed } = require('./plays');
const { withProgress } = require('./progress');

const USUAL = ['joiner', 'mover', 'leaver', 'reconcile', 'alerts'];

void runMain(() =>
	playNamed({
		command: 'npm run demo',
		known: [...USUAL, 'people', 'groups', 'events', 'rules', 'retention', 'trial'],
		usual: USUAL,
		async setStage() {
			await buildPackage();
			return await withProgress("Starting n8n's execution engine and a local service", engineStage);
		},
	}),
);
