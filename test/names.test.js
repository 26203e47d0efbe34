'use strict';

const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const ts = require('typescript');
const { distance, formsOf, ownNames } = require('./support/names');

// Every field, option and operation that a text names is there under that name. What is looked at: what pages and notes
// have in italics, the columns of names in tables of pages, and what descriptions and messages of the code write in
// capitals; in all of them also where it is ("under Options", "Options > Requests", "set Access By to Group"). Not seen is
// what a page or a note names without italics, and a name of one word at the beginning of a sentence in the code.

const ROOT = join(__dirname, '..');
const read = (file) => readFileSync(join(ROOT, file), 'utf8');
const lineOf = (text, index) => text.slice(0, index).split('\n').length;
const filesIn = (folder, ending) =>
	readdirSync(join(ROOT, folder), { recursive: true })
		.filter((name) => name.endsWith(ending))
		.map((name) => `${folder}/${name}`);

/** What n8n itself calls its nodes, fields, settings and values. */
const OF_N8N = [
	...['Access Token URL', 'Client ID', 'Client Secret', 'Scope'],
	...['Column to Match On', 'Map Automatically', 'Map Each Column Manually', 'Mapping Column Mode'],
	...['Refresh attribute list', 'Tool Description'],
	...['On Error: Continue', 'On Error: Continue (using error output)', 'On Error: Stop Workflow'],
	...['Execute Once', 'Merge (Append)', 'Retry On Fail'],
	...['Always Output Data', 'Error Workflow', 'Execute workflow', 'Timezone', 'Credentials'],
	'Timeout Workflow',
	...['Allowed HTTP Request Domains', 'Generic Credential Type', 'Header Auth'],
	...['Data tables', 'Filter', 'Loop Over Items', 'Poll Times', 'Split Out', 'Wait', 'n8n Form'],
	'Form Trigger',
	...['Approval', 'Custom Form', 'Define Form: Using JSON', 'Send and Wait for Response'],
];

/** What is written in capitals, too. */
const NO_NAMES = ['Ana Silva', 'Authorization', 'ETag', 'Example Holding', 'UTF-8', 'X-API-Key'];

/** What columns of names are called: of any names, and of the options of a field. */
const HEADS = ['Credential', 'Field', 'Kind', 'Limit', 'Operation', 'Option', 'Trait'];
const HEADS_OF_OPTIONS = ['Match Users By', 'Service Profile', 'Trigger On'];

const own = ownNames();
const isRightBelow = (name, parent) => own.get(parent)?.has(name) === true;
/** Names are under each other in circles: what one field calls a group is another field of it elsewhere. */
function isBelow(name, parent, seen = new Set()) {
	if (seen.has(parent)) return false;
	seen.add(parent);
	return [...(own.get(parent) ?? [])].some((child) => child === name || isBelow(name, child, seen));
}

const nearest = (phrase, more) =>
	[...own.keys(), ...OF_N8N, ...more]
		.map((name) => [distance(phrase.toLowerCase(), name.toLowerCase()), name])
		.sort(([a], [b]) => a - b)[0][1];

/** @returns whether it is a name, or a path of names: "Options > Requests > Timeout", "User: Reconcile" */
function isKnown(phrase, more = []) {
	if (own.has(phrase) || OF_N8N.includes(phrase) || more.includes(phrase)) return true;
	const [first, ...rest] = phrase.split(/ > |: /);
	const path = [first, ...rest];
	return rest.length > 0 && rest.every((name, at) => isRightBelow(name, path[at]));
}

const unknown = (place, phrase, more = []) =>
	`${place}: "${phrase}" is no name in the nodes. The nearest: "${nearest(phrase, more)}"`;

// Texts, each with its place.

/** Nodes of an example and their credentials, which its note names as well; of "List (Replace Me)" also both parts. */
const namesIn = ({ nodes = [] }) =>
	nodes
		.flatMap(({ name, credentials = {} }) => [
			name,
			...Object.values(credentials).map((one) => one.name),
		])
		.flatMap((name) => [...formsOf(name), /\((.*)\)$/.exec(name)?.[1] ?? name]);

const EXAMPLES = filesIn('examples', '.json').map((file) => [file, JSON.parse(read(file))]);

const PAGES = [
	...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
	...filesIn('docs', '.md'),
].map((file) => ({
	text: read(file),
	placeOf: (index) => `${file}:${lineOf(read(file), index)}`,
	more: file === 'docs/examples.md' ? EXAMPLES.flatMap(([, example]) => namesIn(example)) : [],
}));

const NOTES = EXAMPLES.flatMap(([file, example]) =>
	(example.nodes ?? [])
		.filter(({ type }) => type.endsWith('.stickyNote'))
		.map(({ name, parameters: { content } }) => ({
			text: content,
			placeOf: (index) => `${file}, note "${name}", line ${lineOf(content, index)}`,
			more: namesIn(example),
		})),
);

/** Texts of several words in the code; what only the run knows is "…". Examples in placeholders are none. */
function textsOf(file) {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	const texts = [];
	const visit = (node) => {
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'placeholder') return;
		const text = ts.isTemplateExpression(node)
			? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
			: ts.isStringLiteralLike(node)
				? node.text
				: '';
		if (text.includes(' ')) {
			const place = `${file}:${lineOf(source.text, node.getStart())}`;
			texts.push({ text, placeOf: () => place });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

const CODE = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, '.ts')).flatMap(textsOf);

/** Code and quotes are blanks, so that places stay. */
const blanked = (text, pattern) => text.replace(pattern, (all) => all.replace(/[^\n]/g, ' '));

const MARKDOWN_CODE = /```[^]*?```|`[^`\n]*`/g;
const ITALICS = /(?<![\w*\\])(?:_(?:\*\*)?([A-Z][^_]*?)_|\*([A-Z][^*]*?)\*)(?![\w*])/g;

const italicsIn = (text) =>
	[...blanked(text, MARKDOWN_CODE).matchAll(ITALICS)].map(({ index, 1: first, 2: second }) => ({
		index,
		phrase: (first ?? second).replace(/\s+/g, ' ').replace(/[.*]+$/, ''),
	}));

test('pages and notes have names in italics that are there', () => {
	const wrong = [...PAGES, ...NOTES].flatMap(({ text, placeOf, more }) =>
		italicsIn(text)
			.filter(({ phrase }) => !isKnown(phrase, more))
			.map(({ index, phrase }) => unknown(placeOf(index), phrase, more)),
	);
	expect(wrong).toStrictEqual([]);
});

/** "User: Get, Get Many" is two of User. */
function phrasesIn(cell) {
	const [, parent, list] = /^(?:([^:]*): )?(.*)$/.exec(cell.replace(/ \(default\)$/, ''));
	return list.split(', ').map((name) => (parent === undefined ? name : `${parent}: ${name}`));
}

test('tables of names have names that are there', () => {
	const wrong = PAGES.flatMap(({ text, placeOf }) =>
		[...text.matchAll(/^\| ([A-Z][^|]*?) *\|.*\n\| -.*\n((?:\|.*\n)+)/gm)]
			.filter(([, head]) => [...HEADS, ...HEADS_OF_OPTIONS].includes(head))
			.flatMap(({ 0: table, 1: head, 2: rows, index }) =>
				[...rows.matchAll(/^\| ([A-Z][^|]*?) *\|/gm)].flatMap(({ 1: cell, index: at }) =>
					phrasesIn(cell)
						.filter((phrase) =>
							HEADS.includes(head) ? !isKnown(phrase) : !isRightBelow(phrase, head),
						)
						.map((phrase) => unknown(placeOf(index + table.indexOf(rows) + at), phrase)),
				),
			),
	);
	expect(wrong).toStrictEqual([]);
});

const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A pattern of names: the longest first, each as whole words. */
const oneOf = (names) => {
	const longestFirst = [...names].sort((a, b) => b.length - a.length).map(escaped);
	return `(?<![\\p{L}\\d])(${longestFirst.join('|')})(?![\\p{L}\\d])`;
};
const NAME = oneOf(own.keys());
const ANY_NAME = new RegExp(oneOf([...own.keys(), ...OF_N8N, ...NO_NAMES]), 'gu');
const QUOTES = /"[^"]*"|`[^`]*`|{{.*?}}|\bhttps?:\S*[^\s.]/g;
const CAPITALS = /(?<![\p{L}\d_]|^[ #*]*|[.:?!…"(/]\s*|\n[ #*]*)\p{Lu}[\p{L}\d'-]*/gu;

/** Whether what the code puts together is a name: "… per Minute". */
function makesName(text) {
	const pattern = new RegExp(`^${text.split('…').map(escaped).join('.+')}$`);
	return [...own.keys()].some((name) => pattern.test(name));
}

test('descriptions and messages have names that are there', () => {
	const wrong = CODE.filter(({ text }) => !makesName(text)).flatMap(({ text, placeOf }) => {
		const rest = blanked(text, QUOTES).replace(ANY_NAME, '·');
		return (rest.match(CAPITALS) ?? [])
			.filter((word) => !/^[A-Z\d]+s?$/.test(word))
			.map((word) => `${placeOf()}: "${word}" is in no name of the nodes: ${text}`);
	});
	expect(wrong).toStrictEqual([]);
});

/** Ways to say where a name is; of each two names the second one has to be below the first one. */
const PLACES = [
	[new RegExp(`${NAME} > ${NAME}`, 'gu'), isRightBelow, (above, below) => [above, below]],
	[new RegExp(`${NAME} under ${NAME}`, 'gu'), isBelow, (below, above) => [above, below]],
	[
		new RegExp(`[Ss]et ${NAME}(?: under ${NAME})?(?: in the credential)? to ${NAME}`, 'gu'),
		isRightBelow,
		(field, _, value) => [field, value],
	],
];

test('names are where texts say they are', () => {
	const wrong = [...PAGES, ...NOTES, ...CODE].flatMap(({ text, placeOf }) => {
		const plain = blanked(text, MARKDOWN_CODE)
			.replace(/\\>/g, ' >')
			.replace(/[_*]/g, '')
			.replace(/\s+/g, ' ');
		return PLACES.flatMap(([pattern, isThere, pairOf]) =>
			[...plain.matchAll(pattern)]
				.map(([said, ...found]) => [said, ...pairOf(...found)])
				.filter(([, above, below]) => !isThere(below, above))
				.map(
					([said, above, below]) =>
						`${placeOf(0)}: "${said}", and "${below}" is not under "${above}"`,
				),
		);
	});
	expect(wrong).toStrictEqual([]);
});

test('the lists above have no more than what texts name', () => {
	const texts = [...PAGES, ...NOTES, ...CODE].map(({ text }) => text.replace(/\s+/g, ' ')).join();
	expect([...OF_N8N, ...NO_NAMES].filter((name) => !texts.includes(name))).toStrictEqual([]);
});
