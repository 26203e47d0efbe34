'use strict';

const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { TEST_REFUSALS } = require('../dist/nodes/shared/connection');
const { n8n } = require('../package.json');
const { errorMessages } = require('./support/errorMessages');

// Each message that the code can show, with its advice, so that a change of either is seen when it is reviewed.

const KEPT = path.join(__dirname, 'messages.md');

/** The advice of these is made of parts that only a run has. */
const BY_CASE = [
	'… is "…", not …',
	'The manager of … was not set: …',
	'…, and Create Missing Users is off',
	'Nothing more is sent',
	'… of … items failed: …',
	'… of … changes failed: …',
	'Nothing was sent: …',
];

/** What the tests of credentials say, by the answer of the service. */
function credentialTests() {
	const types = n8n.credentials.map((file) => {
		const [Type] = Object.values(require(`../${file}`));
		return new Type();
	});
	const rules = types.flatMap(({ test }) =>
		(test?.rules ?? []).map(({ properties: { value, message } }) => [value, message]),
	);
	const said = [...Object.entries(TEST_REFUSALS), ...rules];
	return said.map(([value, message]) => ({
		file: 'Tests of credentials',
		message: String(value),
		remedy: message,
	}));
}

function pageOf(messages) {
	const byFile = new Map();
	for (const one of messages) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
	const lines = [...byFile].flatMap(([file, all]) => [
		`## ${file}`,
		'',
		...new Set(all.map(({ message, remedy }) => `- ${message}\n  > ${remedy || 'by case'}`)),
		'',
	]);
	return ['# Messages, each with its advice', '', ...lines].join('\n').trimEnd().concat('\n');
}

const messages = [...credentialTests(), ...errorMessages()];

test('test/messages.md has each message with its advice; npm run messages writes it', () => {
	const page = pageOf(messages);
	if (process.env.MESSAGES === 'write') writeFileSync(KEPT, page);
	expect(readFileSync(KEPT, 'utf8')).toBe(page);
});

test('each message has an advice', () => {
	const without = messages.filter(({ remedy }) => remedy === '').map(({ message }) => message);
	expect(without).toEqual(BY_CASE);
});
