'use strict';

const { empty } = require('../answer');
const { scim } = require('./messages');

/**
 * docs/interface.md 2.1: the body returned by a PATCH or PUT can be stale. Called before the write.
 * @param {import('express').Request} req
 * @param {{ patchAnswers: 'body' | '204' | 'stale' }} options
 * @param {import('../state/directory').Directory} directory
 * @returns {import('../state/directory').Tables | undefined} the old tables when the answer shows them
 */
function tablesToShow(req, options, directory) {
	// A write that is dropped shows what stays, not what was asked for.
	const stale = options.patchAnswers === 'stale' || req.exchange.fault?.kind === 'dropped';
	return stale ? directory.tables.copy() : undefined;
}

/**
 * @param {import('express').Request} req
 * @param {{ patchAnswers: 'body' | '204' | 'stale' }} options
 * @param {() => string} url
 * @param {() => object} show
 * @returns {import('../answer').Answer}
 */
function patchAnswer(req, options, url, show) {
	if (options.patchAnswers === '204') return empty(204);
	return scim(200, show(), { Location: url() + req.path });
}

module.exports = { tablesToShow, patchAnswer };
