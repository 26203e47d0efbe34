'use strict';

/** The review: `examples/access-review.json` makes a table of who has what. */

const { readExample } = require('./hr');

/** A name that would be a program if the example did not escape it. */
const HOSTILE = '<script>alert(1)</script>@example.com';

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function review(stage) {
	const { service } = stage;
	const workflow = readExample('access-review.json');

	return {
		title: 'a table for an access review',
		asked: () => ['  Everybody, and the role of each in every organization.'],

		async prepare() {
			await stage.add(workflow);
			const { directory } = service.state;
			const { id } = directory.create(HOSTILE);
			directory.setRole(id, stage.organization, 'viewer');
		},

		/** Out: the table, as HTML. */
		async play() {
			const { data } = await stage.run(workflow);
			return data.resultData.runData['Keep the Table (Replace Me)'][0].data.main[0][0].json.table;
		},

		concerned: () => [HOSTILE],
		wanted: (before) => before,

		checks: (table, before) => [
			['The table has a row for everybody, as the service has it', checkRows(table, before)],
			['Names are text in it', /<script/i.test(table) ? ['A name is a program in it.'] : []],
		],
	};
}

function checkRows(table, { organizations, people }) {
	const columns = textsOf(table, /<th>(.*?)<\/th>/g).slice(2);
	const found = [...table.matchAll(/<tr {2}>(.*?)<\/tr>/g)].map(([, cells]) =>
		textsOf(cells, /<td.*?>(.*?)<\/td>/g).join(' | '),
	);
	const wanted = [...people].map(([name, { active, roles }]) => {
		const roleIn = (column) => roles[organizations.find((one) => one.name === column)?.id];
		const own = columns.map((column) => roleIn(column) ?? '');
		return [name, active ? 'yes' : 'no', ...own].join(' | ');
	});
	return [
		...(columns.length === organizations.length ? [] : [`Its columns are ${columns.join(', ')}.`]),
		...wanted.filter((row) => !found.includes(row)).map((row) => `It lacks: ${row}`),
		...found.filter((row) => !wanted.includes(row)).map((row) => `It says too much: ${row}`),
	];
}

function textsOf(html, pattern) {
	return [...html.matchAll(pattern)].map(([, text]) => decoded(text));
}

function decoded(text) {
	return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

module.exports = { review };
