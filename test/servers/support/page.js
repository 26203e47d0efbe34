'use strict';

/** `error` and `unverified` say more than a cell holds; what they say is listed below the table. */
const FAILURE = /(?:^|, )(error|unverified): /;

function cellOf(outcome) {
	if (outcome === undefined) return '';
	const [before, failure] = outcome.split(FAILURE);
	return [before, failure && `**${failure}**`].filter(Boolean).join(', ');
}

const cellIn = ({ outcomes }, step) => cellOf(outcomes.get(step));

/** Texts of several items say the same of different people: the first is enough. IDs differ from run to run. */
function sayingOf(outcome, nameOfId) {
	const [, , first] = outcome.split(FAILURE);
	return [...nameOfId].reduce((text, [id, name]) => text.replaceAll(id, name), first);
}

const row = (cells) => `| ${cells.join(' | ')} |`;

/**
 * docs/servers.md out of what was seen.
 * @param {string[]} steps names in their order
 * @param {Array<{ name: string, version: string, groups: string, quirks: string[], outcomes: Map<string, string>, nameOfId: Map<string, string> }>} servers
 */
function pageOf(steps, servers) {
	const lines = [
		'# Servers that the node was seen to work with',
		'',
		'Written by `npm run servers`; the tests compare it with what they see. Each server runs in the process of the tests',
		'on its own store, and after every step that store has to bear out what came out of the node. `done` and `unchanged`',
		'are seen there; what a server cannot do or cannot show is **unverified** or an **error**.',
		'',
		row(['Step', ...servers.map(({ name }) => name)]),
		row(['---', ...servers.map(() => '---')]),
		...steps.map((step) => row([step, ...servers.map((server) => cellIn(server, step))])),
	];
	for (const { name, version, groups, quirks, outcomes, nameOfId } of servers) {
		const said = [...outcomes].filter(([, outcome]) => FAILURE.test(outcome));
		lines.push('', `## ${name}`, '', `${version}. Groups are ${groups}.`, '');
		lines.push(...quirks.map((quirk) => `- ${quirk}`), ...(quirks.length > 0 ? [''] : []));
		lines.push('What the node said:', '');
		lines.push(...said.map(([step, outcome]) => `- ${step}: ${sayingOf(outcome, nameOfId)}`));
	}
	return `${lines.join('\n')}\n`;
}

/** The same table for a terminal. */
function tableOf(steps, servers) {
	const rows = steps.map((step) => [
		step,
		...servers.map((server) => cellIn(server, step).replaceAll('**', '')),
	]);
	const all = [['', ...servers.map(({ name }) => name)], ...rows];
	const widths = all[0].map((_, column) => Math.max(...all.map((cells) => cells[column].length)));
	return `${all
		.map((cells) =>
			cells
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n')}\n`;
}

module.exports = { pageOf, tableOf };
