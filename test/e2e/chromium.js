'use strict';

/** Debian's Chromium, driven by playwright-core; it reaches nothing but this machine. */

const { onCleanup } = require('../../demo/cleanup');

const SWITCHES = [
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--no-proxy-server',
	// The editor asks n8n's makers for news, and a browser its own makers: nobody is to be found.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** In: the path of Chromium, a size. Out: a page of a new browser, which is closed at the end. */
async function openPage(program, { width, height }) {
	// Only now: somebody without Chromium is told so first.
	const { chromium } = require('playwright-core');
	const isRoot = process.getuid?.() === 0;
	const browser = await chromium.launch({
		executablePath: program,
		args: isRoot ? ['--no-sandbox', ...SWITCHES] : SWITCHES,
	});
	onCleanup(() => browser.close());
	const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
	page.setDefaultTimeout(20_000);
	return page;
}

module.exports = { openPage };
