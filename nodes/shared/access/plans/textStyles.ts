import { BREAK, visible } from '../../util';

/** Characters of a name. */
const LONGEST_NAME = 200;

/** A name set apart, so that it cannot pass for words of the sentence. */
export function setApart(text: string | undefined, { code, plain }: Style): string {
	const whole = (text ?? '').trim();
	if (whole === '') return 'without a name';
	if (whole.length <= LONGEST_NAME) return code(plain(whole));
	const characters = [...whole.slice(0, 2 * LONGEST_NAME + 2)];
	const cut = characters.length > LONGEST_NAME ? '…' : '';
	return code(`${plain(characters.slice(0, LONGEST_NAME).join(''))}${cut}`);
}

/** How a text is written: what is bold, how names are set apart, and how text of the service is made harmless. */
export interface Style {
	strong(text: string): string;
	code(text: string): string;
	plain(text: string): string;
	/** From the old value to the new one. */
	arrow: string;
}

const quoted = (text: string) => `"${text.replaceAll('"', "'")}"`;

export const MARKDOWN: Style = {
	strong: (text) => `**${text}**`,
	code: (text) => `\`${text}\``,
	plain: (text) => alike(unlinked(text)),
	arrow: '->',
};

export const TEXT: Style = { ...MARKDOWN, strong: (text) => text, code: quoted };

export const HTML: Style = {
	strong: (text) => `<b>${text}</b>`,
	code: (text) => `<code>${text}</code>`,
	plain: (text) => escaped(unlinked(text)),
	arrow: '-&gt;',
};

/** A form makes no links; n8n escapes some signs of its fields twice. */
export const LINE: Style = { ...TEXT, plain: (text) => alike(visible(text.trim())) };

const ALIKE = new Map([
	['`', "'"],
	['*', '∗'],
	['~', '∼'],
	['<', '‹'],
	['>', '›'],
]);
const ENTITIES = new Map([
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
	['"', '&quot;'],
	["'", '&#39;'],
]);

/** An ordinary email address stays as it is, to be copied: what a chat makes of it leads to that address alone. */
const ADDRESS =
	/(?<![\p{L}\p{N}.+_'-])(?!www\.)[\p{L}\p{N}.+_'-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/iu;
const SIGN = /[_@＠#&$\\[\]]|:(?=\S)|[.．。｡](?=[\p{L}\p{N}])/u;
const ADDRESS_OR_SIGN = new RegExp(`${ADDRESS.source}|${SIGN.source}`, 'giu');

/**
 * Text that stays text in every chat. Backslashes and entities would not do: Slack shows the one and code shows the
 * other, and GitHub makes links of emails in spite of both (https://github.com/github/cmark-gfm/issues/278).
 */
function unlinked(text: string): string {
	if (/^[a-z\d][a-z\d -]*[a-z\d]$/i.test(text)) return text;
	return visible(text.trim()).replace(ADDRESS_OR_SIGN, (found) =>
		found.length > 1 ? found : `${BREAK}${found}${BREAK}`,
	);
}

function alike(text: string): string {
	return text.replace(/[`*~<>]/g, (sign) => ALIKE.get(sign) ?? '');
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => ENTITIES.get(sign) ?? '');
}
