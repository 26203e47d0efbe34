'use strict';

/** Figures, and the tables that they stand in. */

function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Out: how many milliseconds `work` took. */
async function timed(work) {
	const start = process.hrtime.bigint();
	await work();
	return Number(process.hrtime.bigint() - start) / 1e6;
}

/** In: titles, and rows of texts. Out: text; whatever looks like a figure stands on the right. */
function table(titles, rows) {
	const widths = titles.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column].length)),
	);
	const isFigures = titles.map((_, column) =>
		rows.every((row) => /^([-\d].*)?$/.test(row[column])),
	);
	const line = (cells) =>
		cells
			.map((cell, i) => (isFigures[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
			.join('  ')
			.trimEnd();
	return [titles, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

module.exports = { median, table, timed };
