'use strict';

/** Text tables for a terminal of a hundred columns. */

const WIDTH = 100;
const GAP = '  ';

/**
 * In: the titles of the columns, rows of texts, and per row whether it is marked.
 * Out: lines. Where there are too many columns the widest texts are cut.
 */
function grid(titles, rows, isMarked = () => false) {
	const all = [titles, ...rows];
	const widths = fit(titles.map((_, column) => Math.max(...all.map((row) => row[column].length))));
	const line = (cells, mark) =>
		`${mark} ${cells.map((cell, i) => cut(cell, widths[i]).padEnd(widths[i])).join(GAP)}`.trimEnd();
	return [
		line(titles, ' '),
		line(
			widths.map((width) => '-'.repeat(width)),
			' ',
		),
		...rows.map((row) => line(row, isMarked(row) ? '*' : ' ')),
	];
}

function fit(widths) {
	const fitted = [...widths];
	const room = WIDTH - 2 - GAP.length * (widths.length - 1);
	while (fitted.reduce((sum, width) => sum + width, 0) > room && Math.max(...fitted) > 4) {
		fitted[fitted.indexOf(Math.max(...fitted))] -= 1;
	}
	return fitted;
}

function cut(text, width) {
	return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/**
 * People down, organizations across, the role where they meet; "viewer → admin" where it has changed. Organizations in
 * which none of these people has changed are left out.
 *
 * In: two snapshots (see snapshot.js), the userNames to show, in that order.
 * Out: lines, the last one counts what is not shown, none of which may differ.
 */
function accessTable({ before, after, userNames }) {
	const role = ({ people }, userName, { id }) => people.get(userName)?.roles[id] ?? '-';
	const changed = after.organizations.filter((organization) =>
		userNames.some((name) => role(before, name, organization) !== role(after, name, organization)),
	);
	const step = (read) => [...new Set([read(before), read(after)])].join(' → ');
	const rows = userNames.map((name) => [
		name,
		step(({ people }) => accountOf(people.get(name))),
		...changed.map((organization) => step((snapshot) => role(snapshot, name, organization))),
	]);
	const people = [...after.people.keys()].filter((name) => !userNames.includes(name)).length;
	const others = after.organizations.length - changed.length;
	return [
		...grid(['Person', 'Account', ...changed.map(({ name }) => name)], rows),
		`  unchanged: ${people} other people, and roles in ${others} other ${others === 1 ? 'organization' : 'organizations'}`,
	];
}

function accountOf(person) {
	if (!person) return 'none';
	return person.active ? 'active' : 'inactive';
}

/** In: a text of any length. Out: indented lines that fit. */
function wrapped(text, indent = '  ') {
	const line = new RegExp(`\\S.{0,${WIDTH - indent.length - 1}}(?=\\s|$)`, 'g');
	return (text.match(line) ?? []).map((part) => indent + part);
}

/** In: lines, how many of them fit. Out: so many, the last one says how many more there are. */
function shortened(lines, fit) {
	if (lines.length <= fit) return lines;
	return [...lines.slice(0, fit - 1), `  ... and ${lines.length - fit + 1} more`];
}

module.exports = { WIDTH, grid, accessTable, cut, shortened, wrapped };
