'use strict';

// Ways to choose among values. A choice is a number that fast-check gave, so that a case can be repeated and made
// smaller: 0 is always the mildest.

const fc = require('fast-check');

const number = fc.nat(9_999);
const take = (list, number) => list[number % list.length];

const one = (...values) => fc.constantFrom(...values);
const often = (arbitrary, rarely, weight = 40) =>
	fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: rarely });
const rarely = (arbitrary, value) => often(fc.constant(value), arbitrary, 9);
const weighted = (...pairs) =>
	fc.oneof(...pairs.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const listOf = (value, maxLength = 3, minLength = 0) => fc.array(value, { minLength, maxLength });

/** Texts without a blank in them. */
const words = (...lines) => lines.flatMap((line) => line.split(' '));

module.exports = { listOf, number, often, one, rarely, take, weighted, words };
