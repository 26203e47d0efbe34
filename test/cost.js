'use strict';

// What `npm test` costs: runs it and says how long it took, and how much memory all its processes held together at
// their peak. Reads /proc, so it runs on Linux. Figures are worth something beside nothing else (CONTRIBUTING.md).

const { spawn } = require('node:child_process');
const { readFileSync, readdirSync } = require('node:fs');

const EVERY_MS = 250;

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

const began = Date.now();
const tests = spawn('npm', ['test'], { stdio: 'inherit' });
let peak = 0;
const timer = setInterval(() => {
	peak = Math.max(peak, bytesBelow(tests.pid));
}, EVERY_MS);
tests.on('exit', (code) => {
	clearInterval(timer);
	const seconds = Math.round((Date.now() - began) / 1000);
	console.log(
		`npm test: ${seconds} s, ${Math.round(peak / 1e6)} MB at the peak, all processes together`,
	);
	process.exitCode = code ?? 1;
});
