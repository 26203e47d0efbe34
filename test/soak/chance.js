'use strict';

const { seededRandom } = require('../../demo/service/random');

/** Choices that a seed decides. */
function chanceOf(seed) {
	const random = seededRandom(seed);
	const below = (count) => Math.floor(random() * count);
	const pick = (list) => list[below(list.length)];
	const isHit = (share) => random() < share;
	/** Different ones, or all where there are fewer. */
	function some(list, count) {
		const left = [...list];
		return Array.from({ length: Math.min(count, left.length) }, () =>
			left.splice(below(left.length), 1).at(0),
		);
	}
	return { below, pick, some, isHit };
}

module.exports = { chanceOf };
