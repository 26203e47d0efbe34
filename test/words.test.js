'use strict';

const { readFileSync, readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const ROOT = join(__dirname, '..');
const PLACES = ['nodes', 'credentials', 'docs', 'examples'];
const PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md'];

/** What no text may say, comments included: it was in the texts once, and readers stumbled over it. */
const REFUSED = [
	/\be-mails?\b/i,
	/\b(?:is|are|was) meant\b/i,
	/\bsign for sign\b/i,
	/\banew\b/i,
	/\bnone of the two\b/i,
	/\bas wanted\b/i,
	/\bso it is not known\b/i,
	/\bin again\b/i,
	/\bnobody has\b/i,
	/\bin any case\b/i,
	/\bas good as\b/i,
	/\b(?:hold|holds|held) back\b/i,
	/\bby now\b/i,
	/\ball the same\b/i,
	/\bfor good\b/i,
	/\ban old read\b/i,
	/\broad\b/i,
	/\bwhat (?:becomes|became) of\b/i,
	/\bbeside what (?:they|it) ha/i,
	/\bwho was not before\b/i,
	/\bcharacter that none has\b/i,
	/\bdid not manage\b/i,
	/\bverify that it worked\b/i,
	/\bmade up\b/i,
	/\bare ours\b/i,
	/\bmonitor is as chosen\b/i,
	/\bonly one look\b/i,
	/\bcomes out, and nothing is changed\b/i,
	/\bno people are given\b/i,
	/\btime limit per request\b/i,
	/\bto \*Go On\*/,
];

/** @returns the paths of all texts below a folder that somebody reads */
const textsIn = (folder) =>
	readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return textsIn(path);
		return /\.(?:ts|md|json)$/.test(entry.name) ? [path] : [];
	});

const TEXTS = [
	...PLACES.flatMap((place) => textsIn(join(ROOT, place))),
	...PAGES.map((page) => join(ROOT, page)),
].map((path) => [relative(ROOT, path), readFileSync(path, 'utf8')]);

test('no text has a refused phrase', () => {
	const found = TEXTS.flatMap(([path, text]) => {
		// A line break splits phrases, in comments as well.
		const line = text.replace(/\n[\t ]*(?:\*|\/\/)?[\t ]*/g, ' ');
		return REFUSED.map((pattern) => pattern.exec(line))
			.filter((match) => match !== null)
			.map(({ index }) => `${path}: ${line.slice(Math.max(0, index - 40), index + 60)}`);
	});
	expect(found).toStrictEqual([]);
});

test('no description has more than 100 characters', () => {
	const found = TEXTS.filter(([path]) =>
		/^(?:credentials|nodes\/[^/]+\/(?:fields|operations))\b|\.node\.ts$/.test(path),
	).flatMap(([path, text]) =>
		[...text.matchAll(/\bdescription:\s*(?:'([^'\n]*)'|"([^"\n]*)")/g)]
			.map(([, single, double]) => single ?? double)
			.filter(({ length }) => length > 100)
			.map((long) => `${path}: ${long}`),
	);
	expect(found).toStrictEqual([]);
});

/** Marks of tables and what `npm run servers` writes are not counted. */
const wordsIn = (text) =>
	text
		.replace(/<!-- services[^]*?end of services -->/, '')
		.replace(/\||-{3,}/g, ' ')
		.split(/\s+/)
		.filter(Boolean).length;

test('README has at most 1,500 words, and all pages for users at most 9,600', () => {
	const isForUsers = (path) => /^README\.md$|^docs\//.test(path) && path !== 'docs/architecture.md';
	const pages = TEXTS.filter(([path]) => isForUsers(path));
	const counts = new Map(pages.map(([path, text]) => [path, wordsIn(text)]));
	expect(counts.get('README.md')).toBeLessThanOrEqual(1500);
	expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(9_600);
});

test('docs/running-unattended.md has every kind of change that limits by volume count', () => {
	const { RISK_KINDS, RISKS } = require('../dist/nodes/shared/access/guards');
	const page = readFileSync(join(ROOT, 'docs/running-unattended.md'), 'utf8');
	for (const kind of RISK_KINDS) expect(page).toContain(`| ${RISKS[kind].name} `);
});

/** A name in a text that is no key of a map. In the other folders `displayName` is what the panel calls a field. */
const RAW_NAME = /\$\{(?:\w+\??\.)*(?:userName|displayName|display)(?: (?:\?\?|\|\|) \w+)*\}/;
const OF_THE_SERVICE = /^nodes.shared.(?:access|scim)/;
const NO_MESSAGE = /\\n|\{id of|in the credential has/;

test('no message has a name as the service has sent it: `shown` cuts it', () => {
	const found = TEXTS.flatMap(([path, text]) =>
		OF_THE_SERVICE.test(path)
			? text.split('\n').filter((line) => RAW_NAME.test(line) && !NO_MESSAGE.test(line))
			: [],
	);
	expect(found).toStrictEqual([]);
});
