'use strict';

// What `npm test` costs: runs it and says how many tests there are, how long it took, and how much memory all its
// processes held together at their peak. Reads /proc, so it runs on Linux. Figures are worth something beside nothing
// else. `--write` puts them into CONTRIBUTING.md; `--check` and a result of jest says whether its number of tests holds.

const { spawn } = require('node:child_process');
const { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const EVERY_MS = 250;
const PAGE = join(__dirname, '..', 'CONTRIBUTING.md');
/** So much of the number of tests may come or go before it has to be written again. */
const TOLERANCE = 0.05;

/** Out: `{ parent, bytes }` by process; what ended while it was read is left out. */
function processes() {
	const found = new Map();
	for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		try {
			const status = readFileSync(`/proc/${pid}/status`, 'utf8');
			const number = (name) =>
				Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
			found.set(Number(pid), { parent: number('PPid'), bytes: number('VmRSS') * 1024 });
		} catch {
			// It has ended.
		}
	}
	return found;
}

/** Bytes that a process and all below it hold. */
function bytesBelow(root) {
	const all = processes();
	const isBelow = (pid) => pid === root || (all.has(pid) && isBelow(all.get(pid).parent));
	let sum = 0;
	for (const [pid, { bytes }] of all) if (isBelow(pid)) sum += bytes;
	return sum;
}

/** A line of the table in CONTRIBUTING.md: `| Tests | 5,067 |`, its cells filled with blanks. */
const rowOf = (name) => new RegExp(`^(\\| ${name} +\\| )([^|]*)( \\|)$`, 'm');

function write(figures) {
	let page = readFileSync(PAGE, 'utf8');
	for (const [name, value] of Object.entries(figures)) {
		page = page.replace(rowOf(name), (_, before, was, after) =>
			[before, value.padEnd(was.length), after].join(''),
		);
	}
	writeFileSync(PAGE, page);
}

const testsIn = (results) => JSON.parse(readFileSync(results, 'utf8')).numTotalTests;

function check(results) {
	const tests = testsIn(results);
	const [, , said] = rowOf('Tests').exec(readFileSync(PAGE, 'utf8'));
	if (Math.abs(Number(said.replaceAll(',', '')) - tests) <= tests * TOLERANCE) return;
	console.error(
		`CONTRIBUTING.md says ${said.trim()} tests, and there are ${tests}. Write what they are and cost: npm run test:cost -- --write`,
	);
	process.exitCode = 1;
}

function run(isWritten) {
	const folder = mkdtempSync(join(tmpdir(), 'cost-'));
	const results = join(folder, 'results.json');
	const began = Date.now();
	const tests = spawn('npm', ['test', '--', '--json', `--outputFile=${results}`], {
		stdio: ['inherit', 'ignore', 'inherit'],
	});
	let peak = 0;
	const timer = setInterval(() => {
		peak = Math.max(peak, bytesBelow(tests.pid));
	}, EVERY_MS);
	tests.on('exit', (code) => {
		clearInterval(timer);
		process.exitCode = code ?? 1;
		if (code !== 0) return;
		const figures = {
			Tests: testsIn(results).toLocaleString('en'),
			Time: `${Math.round((Date.now() - began) / 1000)} s`,
			'Memory at the peak': `${(peak / 1e9).toFixed(1)} GB`,
		};
		console.log(figures);
		if (isWritten) write(figures);
	});
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

const [option, results] = process.argv.slice(2);
if (option === '--check') check(results);
else run(option === '--write');
