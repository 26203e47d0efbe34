'use strict';

/** `error` and `unverified` say more than a cell holds; what they say is listed below the table. */
const FAILURE = /(?:^|, )(error|unverified): /;

function cellOf(outcome) {
	if (outcome === undefined) return '';
	const [before, failure] = outcome.split(FAILURE);
	return [before, failure && `**${failure}**`].filter(Boolean).join(', ');
}

const cellIn = ({ outcomes, lacks = {} }, step) =>
	[cellOf(outcomes.get(step)), step in lacks ? `(${lacks[step]})` : ''].filter(Boolean).join(' ');

/** Texts of several items say the same of different people: the first is enough. IDs differ from run to run. */
function sayingOf(outcome, nameOfId) {
	const [, , first] = outcome.split(FAILURE);
	return [...nameOfId].reduce((text, [id, name]) => text.replaceAll(id, name), first);
}

const row = (cells) => `| ${cells.join(' | ')} |`;

const tableFor = (steps, servers) => [
	row(['Step', ...servers.map(({ name }) => name)]),
	row(['---', ...servers.map(() => '---')]),
	...steps.map((step) => row([step, ...servers.map((server) => cellIn(server, step))])),
];

const saidBy = ({ outcomes, nameOfId }) =>
	[...outcomes]
		.filter(([, outcome]) => FAILURE.test(outcome))
		.map(([step, outcome]) => `- ${step}: ${sayingOf(outcome, nameOfId)}`);

/**
 * test/servers/results.md out of what was seen.
 * @param {string[]} steps names in their order
 * @param {Array<{ name: string, version: string, groups: string, quirks: string[], outcomes: Map<string, string>, nameOfId: Map<string, string> }>} servers
 * @param {string[]} dialectSteps
 * @param {Array<{ name: string, version: string, lacks?: Record<string, string>, outcomes: Map<string, string>, nameOfId: Map<string, string> }>} dialects
 */
function pageOf(steps, servers, dialectSteps, dialects) {
	const lines = [
		'# Servers that the node was seen to work with',
		'',
		'Written by `npm run servers`; the tests compare it with what they see. Each server runs in the process of the tests',
		'on its own store, and after every step that store has to bear out what came out of the node. `done` and `unchanged`',
		'are seen there; what a server cannot do or cannot show is **unverified** or an **error**.',
		'',
		...tableFor(steps, servers),
		'',
		'## Services as they are documented',
		'',
		'No such service was asked itself: the local service speaks as their pages say (`--dialect`), and the store has to bear',
		'out what came out there, too. In brackets, what the service itself has not. How to add one:',
		'[Add a service](../../CONTRIBUTING.md#add-a-service).',
		'',
		...tableFor(dialectSteps, dialects),
	];
	for (const server of servers) {
		const { name, version, groups, quirks } = server;
		lines.push('', `## ${name}`, '', `${version}. Groups are ${groups}.`, '');
		lines.push(...quirks.map((quirk) => `- ${quirk}`), ...(quirks.length > 0 ? [''] : []));
		lines.push('What the node said:', '', ...saidBy(server));
	}
	for (const dialect of dialects) {
		const said = saidBy(dialect);
		lines.push('', `## ${dialect.name}, as documented`, '', `From ${dialect.version}.`);
		if (said.length > 0) lines.push('', 'What the node said:', '', ...said);
	}
	return `${lines.join('\n')}\n`;
}

module.exports = { pageOf };
