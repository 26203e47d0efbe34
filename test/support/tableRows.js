'use strict';

// What tables of operations, of the alerting side and of the trigger have in common.

const wordsIn = (text) => text.split(' ').filter(Boolean);

const says = (text) =>
	typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);

const errorsIn = (items) => items.flatMap(({ error }) => (error === undefined ? [] : [`${error}`]));

/** Items as rows name them: a line of `lineOf` each, or an object with what the item has. */
function expectItems(items, wanted, lineOf) {
	expect(items.map((item, at) => (typeof wanted[at] === 'object' ? item : lineOf(item)))).toEqual(
		wanted.map((one) =>
			typeof one !== 'object' || one.asymmetricMatch ? one : expect.objectContaining(one),
		),
	);
}

module.exports = { errorsIn, expectItems, says, wordsIn };
