'use strict';

/** The review: `examples/access-review.json` makes a page of who has what. */

const { readExample } = require('./hr');

/** A name that would be a program if the page did not escape it. */
const HOSTILE = '<script>alert(1)</script>@example.com';

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function review(stage) {
	const { service, n8n } = stage;
	const workflow = readExample('access-review.json');

	return {
		title: 'a page for an access review',
		asked: () => ['  Everybody, and the role of each in every organization.'],

		async prepare() {
			await stage.add(workflow);
			const { directory } = service.state;
			const { id } = directory.create(HOSTILE);
			directory.setRole(id, stage.organization, 'viewer');
		},

		/** Out: the page. */
		async play() {
			const { data } = await stage.run(workflow);
			const [{ binary }] = data.resultData.runData['Keep the Page (Replace Me)'][0].data.main[0];
			return await n8n.rest.textFile(binary.accessReview);
		},

		concerned: () => [HOSTILE],
		wanted: (before) => before,

		checks: (page, before) => [
			[
				'The page has a row for everybody with access, as the service has it',
				checkRows(page, before),
			],
			[
				'Names are text in it, and whoever has no access is listed apart',
				[
					...(/<script/i.test(page) ? ['A name is a program in it.'] : []),
					...[...before.people]
						.filter(([, { roles }]) => Object.keys(roles).length === 0)
						.filter(([name]) => !textsOf(page, /<li>(.*?)(?: <span.*?)?<\/li>/g).includes(name))
						.map(([name]) => `${name} is not in the list of people without access.`),
				],
			],
		],
	};
}

function checkRows(page, { organizations, people }) {
	const columns = textsOf(page, /<th scope="col">(.*?)<\/th>/g).slice(1);
	const found = [...page.matchAll(/<tr><th scope="row">(.*?)(?: <span.*?)?<\/th>(.*?)<\/tr>/g)].map(
		([, name, cells]) => [decoded(name), ...textsOf(cells, /<td.*?>(.*?)<\/td>/g)].join(' | '),
	);
	const wanted = [...people]
		.filter(([, { roles }]) => Object.keys(roles).length > 0)
		.map(([name, { roles }]) => {
			const roleIn = (column) => roles[organizations.find((one) => one.name === column)?.id];
			return [name, ...columns.map((column) => roleIn(column) ?? '–')].join(' | ');
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
	return text
		.replaceAll('&ndash;', '–')
		.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

module.exports = { review };
