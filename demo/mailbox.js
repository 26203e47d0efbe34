'use strict';

/** A mail server of this machine that keeps what it gets: as much of SMTP (RFC 5321) as n8n's Send Email speaks. */

const { createServer } = require('node:net');

/** Out: `{ port, mails, close() }`; each of the mails has `to` and its `text`, decoded. */
async function startMailbox() {
	const mails = [];
	const server = createServer((socket) => receive(socket, mails));
	await new Promise((resolve, reject) => {
		server.once('error', reject).listen(0, '127.0.0.1', resolve);
	});
	return {
		port: server.address().port,
		mails,
		close: () => new Promise((done) => server.close(done)),
	};
}

function receive(socket, mails) {
	let [received, to, isData] = ['', [], false];
	const say = (line) => socket.write(`${line}\r\n`);
	socket.setEncoding('latin1').on('error', () => socket.destroy());
	say('220 mailbox');
	socket.on('data', (chunk) => {
		received += chunk;
		for (;;) {
			const [end, length] = isData
				? [received.indexOf('\r\n.\r\n'), 5]
				: [received.indexOf('\r\n'), 2];
			if (end < 0) return;
			const line = received.slice(0, end);
			received = received.slice(end + length);
			if (isData) {
				mails.push({ to, text: decoded(line) });
				[to, isData] = [[], false];
				say('250 kept');
			} else {
				const verb = line.slice(0, 4).toUpperCase();
				if (verb === 'RCPT') to.push(line.split(/[<>]/)[1]);
				isData = verb === 'DATA';
				say(isData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok');
				if (verb === 'QUIT') socket.end();
			}
		}
	});
}

/** In: a message of one part. */
function decoded(message) {
	const at = message.indexOf('\r\n\r\n');
	const [head, body] = [message.slice(0, at), message.slice(at + 4).replace(/^\.\./gm, '.')];
	const [, encoding = ''] = /^content-transfer-encoding: *(\S+)/im.exec(head) ?? [];
	if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString();
	if (encoding.toLowerCase() !== 'quoted-printable') return Buffer.from(body, 'latin1').toString();
	const bytes = body
		.replace(/=\r\n/g, '')
		.replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString();
}

module.exports = { startMailbox };
