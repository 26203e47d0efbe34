'use strict';

const zlib = require('node:zlib');
const { setTimeout: sleep } = require('node:timers/promises');

const DRIP_MS = 50;
const PIECE = ' '.repeat(65_536);

const halfOf = (whole) => whole.slice(0, Math.floor(whole.length / 2));

/**
 * Forms in which an answer can go over the wire, broken or not; each gets the response, the text, and the line in the log.
 */
const FORMS = {
	usual: (res, text) => res.end(text),
	gzip: (res, text) => res.set('Content-Encoding', 'gzip').end(zlib.gzipSync(text)),
	'half-gzip': (res, text) => res.set('Content-Encoding', 'gzip').end(halfOf(zlib.gzipSync(text))),
	/** Half of what Content-Length says, and then the connection breaks. */
	'cut-off'(res, text) {
		res.set('Content-Length', Buffer.byteLength(text));
		res.write(halfOf(text), () => res.destroy());
	},
	bom: (res, text) => res.end(`\uFEFF${text}`),
	async drip(res, text) {
		for (const letter of text) {
			if (res.destroyed) return;
			res.write(letter);
			await sleep(DRIP_MS);
		}
		res.end();
	},
	/** Blanks for as long as a client reads; the log says how many. */
	async endless(res, text, entry) {
		entry.bytes = 0;
		while (!res.destroyed) {
			entry.bytes += PIECE.length;
			if (res.write(PIECE)) await new Promise(setImmediate);
			else
				await new Promise((ready) => {
					const go = () => {
						res.off('drain', go).off('close', go);
						ready();
					};
					res.on('drain', go).on('close', go);
				});
		}
	},
};

module.exports = { FORMS };
