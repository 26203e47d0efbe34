'use strict';

/** A page for people, which shows at `/__page` what the service holds, as it changes. */

const { join } = require('node:path');
const { look } = require('./look');

/** The page makes text of names, which come from outside; a browser has to make nothing else of them. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'";
const FILES = { '/__page': 'page.html', '/__page.css': 'page.css', '/__page.js': 'page.js' };

/** In: the app of a service, its state and its log. */
function servePage(app, { state, log }) {
	for (const [route, file] of Object.entries(FILES)) {
		app.get(route, (req, res) =>
			res.set('Content-Security-Policy', POLICY).sendFile(join(__dirname, file)),
		);
	}
	app.get('/__look', (req, res) => res.json(look(state, log)));
}

module.exports = { servePage };
