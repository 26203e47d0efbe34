import { asSentence, chatText } from '../../../nodes/shared/util/text';

/** What Slack, Teams, Discord or Telegram would make a mention or a link of. */
const ALIVE = /[<>]|(?<![\w.+-])@\w|:\/\//;

test.each([
	['<!channel> <!here>', '‹!channel› ‹!here›'],
	['<@U1>', '‹@\u200BU1›'],
	['<https://evil|text>', '‹https:\u200B//evil|text›'],
	['<!subteam^S1|@admins>', '‹!subteam^S1|@\u200Badmins›'],
	['@here', '@\u200Bhere'],
	['(@everyone)', '(@\u200Beveryone)'],
	['a\nb\r\n\u2028c\u202Ed', 'a b c d'],
])('%j is nothing but text in a chat', (text, expected) => {
	expect(chatText(text)).toBe(expected);
	expect(chatText(text)).not.toMatch(ALIVE);
});

test.each([
	'ana@example.com',
	"o'neil+x@a-b.example",
	'joão@example.com',
	'a@b',
	'R&D: 5 @ 3',
	'@',
])('%j stays as it is', (text) => {
	expect(chatText(text)).toBe(text);
});

test('a sentence has one full stop, and is dead', () => {
	expect(asSentence('Nothing was changed.')).toBe('Nothing was changed.');
	expect(asSentence('<!here> was created')).toBe('‹!here› was created.');
});
