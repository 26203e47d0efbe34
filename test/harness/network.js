'use strict';

const net = require('net');

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/i;
const GUARD = Symbol.for('n8n-nodes-scim-provisioning.test.networkGuard');

/** The same call shapes as `net.Socket#connect`; internally Node passes one normalised array. */
function connectTarget([first, second]) {
	const options = Array.isArray(first) ? first[0] : first;
	if (typeof options === 'object' && options !== null) return options;
	return { port: options, host: typeof second === 'string' ? second : undefined };
}

/**
 * Refuses every TCP and TLS connection that is not to this machine, whatever library opens it.
 * It sits below nock: it holds too where nock is switched off.
 */
function blockNetwork() {
	const connect = net.Socket.prototype.connect;
	if (connect[GUARD]) return;

	net.Socket.prototype.connect = function (...args) {
		const { host = 'localhost', port, path: pipe } = connectTarget(args);
		if (pipe || LOOPBACK.test(host)) return connect.apply(this, args);
		const message = `The test harness refused a connection to ${host}:${port}: nothing may leave loopback`;
		const error = Object.assign(new Error(message), { code: 'EBLOCKED' });
		process.nextTick(() => this.destroy(error));
		return this;
	};
	net.Socket.prototype.connect[GUARD] = true;
}

module.exports = { blockNetwork };
