const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Empties dist, so that nothing of an earlier build is published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Copies the icons beside the built code; `encoding: false` keeps gulp 5 from re-encoding them. */
function icons() {
	return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

module.exports = { clean, icons };
