'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const read = (file) => readFileSync(join(__dirname, '..', file), 'utf8');
const number = (text) => Number(text.replace(/,/g, '').match(/^\d+/));

/** The jobs of the bench: requests that were sent, and those of one per thing. */
const measured = new Map(
	read('bench/results/requests.txt')
		.split('\n')
		.map((line) => line.split(/ {2,}/))
		.filter(([, sent]) => /^\d+$/.test(sent))
		.map(([job, sent, , , onePerThing]) => [job, [Number(sent), Number(onePerThing)]]),
);
const page = read('docs/performance.md');
const told = page
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.map((line) =>
		line
			.slice(1, -1)
			.split('|')
			.map((cell) => cell.trim()),
	)
	.slice(2);

test.each(told)(
	'the page on performance says what the bench has measured: %s',
	(job, sent, other) => {
		expect([number(sent), number(other)]).toEqual(measured.get(job));
	},
);

test('the page has jobs, and those of AWS as measured', () => {
	expect(told.length).toBeGreaterThan(5);
	const [, five, one] = /take more: (\d+) requests to add 5 people, (\d+) to offboard/.exec(page);
	expect(measured.get('Assign a group to 5 people')[0]).toBe(Number(five));
	expect(measured.get('Offboard 1 person')[0]).toBe(Number(one));
});
