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
 * People down, organizations across, the role where they meet.
 *
 * In: the snapshot to show (see snapshot.js), the userNames to show of it, in that order, and
 * perhaps a snapshot to compare with: rows that differ get a `*`.
 * Out: lines, the last one counts the people who are not shown, none of whom may differ.
 */
function accessTable({ shown, userNames, compared }) {
	const titles = ['Person', 'Account', ...shown.organizations.map(({ name }) => name)];
	const rowOf = (snapshot, userName) => {
		const person = snapshot.people.get(userName);
		const roles = snapshot.organizations.map(({ id }) => person?.roles[id] ?? '-');
		return [userName, accountOf(person), ...roles];
	};
	const rows = userNames.map((userName) => rowOf(shown, userName));
	const differs = (row) => compared && row.join() !== rowOf(compared, row[0]).join();
	const others = [...shown.people.keys()].filter((userName) => !userNames.includes(userName));
	return [
		...grid(titles, rows, differs),
		`  and ${others.length} other people${compared ? ', unchanged' : ''}`,
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

module.exports = { WIDTH, grid, accessTable, cut, wrapped };
