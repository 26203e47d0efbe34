'use strict';

/** Debian's Chromium, driven by playwright-core; it reaches nothing but this machine. */

const { existsSync } = require('node:fs');
const { onCleanup } = require('../../demo/cleanup');

const PROGRAM = process.env.CHROMIUM || '/usr/bin/chromium';

const SWITCHES = [
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--no-proxy-server',
	// The editor asks n8n's makers for news, and a browser its own makers: nobody is to be found.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Throws: where there is no Chromium, with how to get it. */
function checkChromium() {
	if (existsSync(PROGRAM)) return;
	throw new Error(
		[
			`There is no Chromium at ${PROGRAM}, which this test looks at the editor with. On Debian:`,
			'  apt-get install --no-install-recommends chromium fonts-dejavu-core',
			'Elsewhere name its program in the variable CHROMIUM.',
		].join('\n'),
	);
}

/** Out: a page of a new browser, which is closed at the end. */
async function openPage({ width, height }) {
	// Only now: somebody without Chromium is told so first.
	const { chromium } = require('playwright-core');
	const isRoot = process.getuid?.() === 0;
	const browser = await chromium.launch({
		executablePath: PROGRAM,
		args: isRoot ? ['--no-sandbox', ...SWITCHES] : SWITCHES,
	});
	onCleanup(() => browser.close());
	const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
	page.setDefaultTimeout(20_000);
	return page;
}

module.exports = { checkChromium, openPage };
