'use strict';

/** Pictures of what is on the screen, each in n8n's light and dark theme. */

const { mkdirSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('../../demo/npm');

const FOLDER = join(ROOT, 'docs', 'images');
const THEMES = ['light', 'dark'];

/** What would be different each time, or is n8n's own, is not in the picture. */
const HIDDEN = `
	.el-notification, [data-test-id="node-feature-request"], [data-test-id="floating-node"],
	[data-test-id="ndv-edit-pinned-data"], .el-popper[role="tooltip"] { visibility: hidden !important; }
	* { transition: none !important; animation: none !important; caret-color: transparent !important; }
`;

/**
 * In: a page, a name, and what part of the page; all of it when left out.
 * Makes docs/images/NAME.light.png and NAME.dark.png.
 */
async function takePictures(page, name, clip) {
	mkdirSync(FOLDER, { recursive: true });
	for (const theme of THEMES) {
		// A new n8n has the theme of the system.
		await page.emulateMedia({ colorScheme: theme });
		await page.waitForTimeout(300);
		await page.screenshot({ path: join(FOLDER, `${name}.${theme}.png`), style: HIDDEN, clip });
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * Makes docs/images/NAME.png, on which all of these stand side by side.
 * @param browser that makes it
 * @param images `{ name, image }`, PNGs
 */
async function saveSheet(browser, name, images) {
	const page = await browser.newPage({ viewport: { width: 2400, height: 1200 } });
	const figures = images.map(
		({ name: title, image }) =>
			`<figure><figcaption>${title}</figcaption><img src="data:image/png;base64,${image.toString('base64')}"></figure>`,
	);
	await page.setContent(
		`<style>body { display: grid; grid-template-columns: repeat(6, 1fr); gap: 16px; font: 14px sans-serif } figure { margin: 0 } img { width: 100% }</style>${figures.join('')}`,
	);
	await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
	await page.close();
}

module.exports = { FOLDER, saveSheet, takePictures };
