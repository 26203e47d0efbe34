'use strict';

/**
 * A number as it was written. JSON.parse turns 1.0 into 1 and 12345678901234567890 into
 * 12345678901234567000; the service must give back what it was given.
 */
class ExactNumber {
	/** @param {string} text a JSON number literal */
	constructor(text) {
		this.text = text;
	}

	valueOf() {
		return Number(this.text);
	}
}

const TOKEN = /\s*(?:([{}[\],:])|("[^"\\]*(?:\\[^][^"\\]*)*")|([^\s,:\]}]+))/y;

/**
 * Objects become Maps (a plain object would move keys like "10" to the front), numbers become
 * ExactNumber, the rest is as in JSON.parse.
 * @param {string} text
 * @returns {unknown}
 * @throws {SyntaxError} when the text is not JSON
 */
function parseExact(text) {
	// The engine's own parser refuses what is not JSON, so that the reader below need not check anything.
	JSON.parse(text);
	TOKEN.lastIndex = 0;
	const next = () => TOKEN.exec(text);

	const value = ([, mark, string, literal]) => {
		if (string !== undefined) return JSON.parse(string);
		if (mark === '{') return object();
		if (mark === '[') return array();
		if (literal === 'true') return true;
		if (literal === 'false') return false;
		if (literal === 'null') return null;
		return new ExactNumber(literal);
	};
	const object = () => {
		const map = new Map();
		for (let token = next(); token[1] !== '}'; token = next()) {
			if (token[1] === ',') token = next();
			next();
			map.set(JSON.parse(token[2]), value(next()));
		}
		return map;
	};
	const array = () => {
		const list = [];
		for (let token = next(); token[1] !== ']'; token = next()) {
			list.push(value(token[1] === ',' ? next() : token));
		}
		return list;
	};
	return value(next());
}

/**
 * @param {unknown} value what parseExact gives, or plain values; the two may be mixed
 * @returns {string}
 */
function stringifyExact(value) {
	if (value instanceof ExactNumber) return value.text;
	if (Array.isArray(value)) return `[${value.map(stringifyExact).join(',')}]`;
	if (value instanceof Map) return objectText([...value]);
	if (value !== null && typeof value === 'object') return objectText(Object.entries(value));
	return JSON.stringify(value);
}

function objectText(entries) {
	const kept = entries.filter(([, value]) => value !== undefined);
	return `{${kept.map(([key, value]) => `${JSON.stringify(key)}:${stringifyExact(value)}`).join(',')}}`;
}

module.exports = { ExactNumber, parseExact, stringifyExact };
