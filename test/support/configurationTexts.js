'use strict';

const fc = require('fast-check');

// Monitor configurations as texts that no serializer would write: blanks anywhere, names in any order and now and then
// twice, numbers that JavaScript writes otherwise or cannot hold, escapes that nobody needs.

const TARGETS = ['email', 'chat', 'pager', 'teams-1', 'hook_2'];

const blank = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n\t', '  ');
/** What is there now and then: of a document with one of them nothing is written. */
const rare = (arbitrary) =>
	fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const kept = fc.constantFrom('1.0', '1e3', '-0', '1E+2', '0.10', '2.50E-1', '1e20', 'true', 'null');
const lost = fc.constantFrom(
	'12345678901234567890',
	'9007199254740993',
	'1e400',
	'0.10000000000000000001',
);
const literal = fc.oneof({ weight: 40, arbitrary: kept }, { weight: 1, arbitrary: lost });
const PIECES = [
	'a',
	'é',
	'\\u00e9',
	'\\/',
	'\\"',
	'\\\\',
	'\\\\\\"',
	'\\u0022',
	'😀',
	'\\ud83d\\ude00',
];
const SIGNS = ['{', '}', '[', ']', ',', ':', '\u2028', '\\n', ' '];
const stringText = fc
	.array(fc.constantFrom(...PIECES, ...SIGNS), { maxLength: 6 })
	.map((pieces) => `"${pieces.join('')}"`);

/** A text of the same string, perhaps with escapes. */
const textOf = (value) =>
	fc.constantFrom(
		JSON.stringify(value),
		JSON.stringify(value),
		`"\\u${value.charCodeAt(0).toString(16).padStart(4, '0')}${value.slice(1)}"`,
	);

/** An array or an object of texts; what stands between them is drawn with it. */
const listText = (texts) =>
	fc
		.array(fc.tuple(blank, blank), { minLength: texts.length + 1, maxLength: texts.length + 1 })
		.map(
			(blanks) =>
				`[${blanks[texts.length][0]}${texts
					.map((text, at) => `${blanks[at][0]}${text}${blanks[at][1]}`)
					.join(',')}]`,
		);
const objectText = (members) =>
	fc
		.array(fc.tuple(blank, blank, blank, blank), {
			minLength: members.length + 1,
			maxLength: members.length + 1,
		})
		.map(
			(blanks) =>
				`{${blanks[members.length][0]}${members
					.map(([name, value], at) => {
						const [one, two, three, four] = blanks[at];
						return `${one}${name}${two}:${three}${value}${four}`;
					})
					.join(',')}}`,
		);

const anyName = fc.oneof(
	fc.constantFrom('"a"', '"b~/c"', '"10"', '""', '"actions"', '"id"', '"target"', '"toString"'),
	stringText,
	fc.oneof(
		{ weight: 10, arbitrary: stringText },
		{ weight: 1, arbitrary: fc.constant('"__proto__"') },
	),
);
const { anyText } = fc.letrec((tie) => ({
	anyText: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		literal,
		stringText,
		fc.array(tie('anyText'), { maxLength: 3 }).chain(listText),
		fc.array(fc.tuple(anyName, tie('anyText')), { maxLength: 3 }).chain(objectText),
	),
}));

/** The members in any order, with others among them. */
const mixed = (members, others) =>
	fc
		.tuple(fc.tuple(...members), fc.array(others, { maxLength: 2 }))
		.chain(([own, foreign]) => {
			const all = [...own.filter((member) => member !== undefined), ...foreign];
			return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
		})
		.chain(objectText);
const member = (name, value) => fc.tuple(textOf(name), value);
const maybe = (name, value) => fc.option(member(name, value), { nil: undefined, freq: 2 });
const unknown = fc.tuple(
	fc.constantFrom('"note"', '"a"', '"10"', '"x\\/y"', '"constructor"'),
	anyText,
);

const entryText = fc.oneof(
	{
		weight: 6,
		arbitrary: mixed(
			[
				member('type', textOf('global')),
				member('target', fc.constantFrom(...TARGETS).chain(textOf)),
				rare(fc.tuple(fc.constant('"target"'), fc.constantFrom('"chat"', '"email"', '7'))),
			],
			unknown,
		),
	},
	{
		weight: 2,
		arbitrary: mixed(
			[member('type', fc.constantFrom('"email"', '"raw"', '1')), member('target', textOf('chat'))],
			unknown,
		),
	},
	{ weight: 1, arbitrary: anyText },
);
const actionsText = fc.oneof(
	{ weight: 8, arbitrary: fc.array(entryText, { maxLength: 5 }).chain(listText) },
	{ weight: 1, arbitrary: fc.constant('null') },
	{ weight: 1, arbitrary: anyText },
);

const ids = (prefix) => fc.constantFrom(...['1', '2', '3', '4'].map((end) => `${prefix}-${end}`));
const monitorText = mixed(
	[
		member('id', ids('monitor').chain(textOf)),
		maybe('actions', actionsText),
		rare(member('actions', actionsText)),
		maybe('displayName', stringText),
		maybe('severity', literal),
		maybe('metadata', fc.constantFrom('{"version":3}', '{"version":1.0,"author":"s"}', 'null')),
	],
	unknown,
);

/** The text of a configuration; not every one can be used, as in life. */
const configurationText = mixed(
	[
		member(
			'monitors',
			fc
				.array(fc.oneof({ weight: 9, arbitrary: monitorText }, { weight: 1, arbitrary: anyText }), {
					maxLength: 4,
				})
				.chain(listText),
		),
		rare(member('monitors', fc.constantFrom('[]', '[{"id":"monitor-1"}]', 'null'))),
		maybe('analyzers', fc.constantFrom('[]', '[{"id":"analyzer-1","x":1.0}]')),
		maybe('metadata', fc.constantFrom('{"version":7}', '{}')),
		maybe('allowPartialTargetBatches', fc.constantFrom('true', 'false')),
	],
	unknown,
)
	.chain((text) => fc.tuple(blank, fc.constant(text), blank))
	.map((parts) => parts.join(''));

const someTargets = fc.uniqueArray(fc.constantFrom(...TARGETS, 'new-1', 'new-2'), { maxLength: 3 });
const change = fc.oneof(
	...['attach', 'detach', 'set'].map((kind) =>
		fc.record({ kind: fc.constant(kind), targets: someTargets }),
	),
	fc
		.shuffledSubarray([...TARGETS, 'new-1'], { minLength: 2, maxLength: 2 })
		.map(([from, to]) => ({ kind: 'replace', from, to })),
);

module.exports = { anyText, change, configurationText };
