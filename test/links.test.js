'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const { dirname, join, relative } = require('node:path');

// Each link between pages leads to a file and a heading that are there.

const ROOT = join(__dirname, '..');

const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
	...{ cwd: ROOT, encoding: 'utf8' },
})
	.split('\n')
	.filter((file) => file !== '' && existsSync(join(ROOT, file)));

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

const read = (file) => readFileSync(join(ROOT, file), 'utf8').replace(/^```[^]*?^```/gm, '');
const anchorsIn = (file) =>
	[...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

test.each(pages)('%s', (page) => {
	const links = [...read(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
		([, link, image]) => link ?? image,
	);
	const broken = links
		.filter((link) => !/^(https?:|mailto:)/.test(link))
		.filter((link) => {
			const [path, anchor] = link.split('#');
			const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
			if (!existsSync(join(ROOT, file))) return true;
			return anchor !== undefined && !anchorsIn(file).includes(anchor);
		});
	expect(broken).toStrictEqual([]);
});
