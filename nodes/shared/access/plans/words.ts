import { BREAK, visible, isDeepEqual, isObject } from '../../util';
import {
	type Attributes,
	attribute,
	inWords,
	namesIn,
	SCHEMA,
	userAttributes,
	MASK,
	withMaskedSecrets,
	withoutSecrets,
} from '../../scim';

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

/** Attributes of a line that have their values in it. */
const MOST_ATTRIBUTES = 20;
/** Entries of a list. */
const MOST_ENTRIES = 10;
/** Characters of a value. */
const LONGEST_VALUE = 100;
/** Of a long value, what is shown before the first difference. */
const LEAD = 10;
const NONE = 'none';

/** What fields call the attributes of RFC 7643, by path in lower case; of a part, by its own name. */
const PANEL_NAMES = new Map([
	...userAttributes([]).map(
		({ path }) => [path.toLowerCase(), inWords(namesIn(path).at(-1) ?? path)] as const,
	),
	['active', 'Active'],
	['emails', 'Email'],
	['name', 'Name'],
	[`${SCHEMA.enterpriseUser}:manager.value`.toLowerCase(), 'Manager ID'],
	[`${SCHEMA.enterpriseUser}:organization`.toLowerCase(), 'Enterprise Organization'],
]);

/** The paths of what opens an account, and of what people are known by. */
const IDENTITY = new RegExp(
	`^(?:${SCHEMA.user.replaceAll('.', '[.]')}:)?(?:active|userName|emails|externalId)(?![a-z])`,
	'i',
);

/** A value that changes, and where it is. */
interface Leaf {
	path: string;
	before: unknown;
	after: unknown;
}

/**
 * What attributes are to be, as their fields are called, from the old to the new value; where nothing was, or nothing is
 * known of it, the new one alone. What is so already is left out, and secrets are masked.
 * @param was what is known of the old values
 */
export function attributesInWords(
	attributes: Attributes,
	was: Attributes = {},
	style: Style,
): string {
	// A plan that was read has them in another order. What people are known by is never among those without values.
	const rank = ({ path }: Leaf) => `${IDENTITY.test(path) ? 0 : 1}${path}`;
	const leaves = leavesOf(withMaskedSecrets(attributes), withoutSecrets(was)).sort((one, other) =>
		rank(one) < rank(other) ? -1 : 1,
	);
	const shown = leaves.slice(0, MOST_ATTRIBUTES).map((leaf) => leafInWords(leaf, style));
	const rest = leaves.slice(MOST_ATTRIBUTES).map(({ path }) => panelName(path, style));
	return [...shown, ...(rest.length > 0 ? [`also ${rest.join(', ')}`] : [])].join('; ');
}

function leavesOf(attributes: Attributes, was: unknown, outer = '', joint = ''): Leaf[] {
	return Object.entries(attributes).flatMap(([part, after]): Leaf[] => {
		const [path, before] = [`${outer}${joint}${part}`, attribute(was, part)];
		if (isObject(after) && Object.keys(after).length > 0)
			return leavesOf(after, before, path, /^urn:/i.test(part) ? ':' : '.');
		return before !== undefined && isDeepEqual(before, after) ? [] : [{ path, before, after }];
	});
}

function leafInWords({ path, before, after }: Leaf, style: Style): string {
	const label = panelName(path, style);
	const [from, to] = [entriesOf(before), entriesOf(after)];
	if (from.length === 0) return `${label}: ${listInWords(to, from, entryText, style)}`;
	const bothWith = (textOf: typeof entryText) => [
		listInWords(from, to, textOf, style),
		listInWords(to, from, textOf, style),
	];
	const short = bothWith(entryText);
	const [old, own] = short[0] === short[1] ? bothWith(wholeText) : short;
	return `${label} ${old} ${style.arrow} ${old === own ? 'another that looks the same' : own}`;
}

function panelName(path: string, style: Style): string {
	return PANEL_NAMES.get(path.toLowerCase()) ?? setApart(path, style);
}

/** The values of a list; none of what says nothing. */
function entriesOf(value: unknown): unknown[] {
	return [value].flat().filter((one) => one !== undefined && one !== null && one !== '');
}

/** @param others of the other side: what is not among them comes first where not all have room */
function listInWords(
	entries: readonly unknown[],
	others: readonly unknown[],
	textOf: typeof entryText,
	style: Style,
): string {
	if (entries.length === 0) return NONE;
	const known = new Set(others.map((other) => JSON.stringify(other)));
	const isOther = (entry: unknown) => !known.has(JSON.stringify(entry));
	const all =
		entries.length > MOST_ENTRIES
			? [...entries.filter(isOther), ...entries.filter((entry) => !isOther(entry))]
			: entries;
	const [other] = entries.length === 1 && others.length === 1 ? others : [];
	const shown = all
		.slice(0, MOST_ENTRIES)
		.map((entry) => {
			const isMain = entries.length > 1 && attribute(entry, 'primary') === true;
			const text = valueInWords(textOf(entry), other === undefined ? '' : textOf(other), style);
			return isMain && textOf === entryText ? `${text} (primary)` : text;
		})
		.join(', ');
	const rest = all.length - MOST_ENTRIES;
	return rest > 0 ? `${shown}, and ${rest.toLocaleString('en-US')} more` : shown;
}

/** The value of an entry, such as an address. */
function entryText(entry: unknown): string {
	const value = isObject(entry) ? attribute(entry, 'value') : entry;
	return isObject(value) || value === undefined || value === null
		? wholeText(entry)
		: String(value);
}

/** An entry with all of its parts. */
function wholeText(entry: unknown): string {
	if (Array.isArray(entry)) return entry.map(wholeText).join(', ');
	if (!isObject(entry)) return String(entry);
	return Object.entries(entry)
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([part, value]) => `${part} ${wholeText(value)}`)
		.join(', ');
}

/** Text that has no sign that this line has, and stands for itself. */
const SIMPLE = /^[\p{L}\p{N}](?: ?[\p{L}\p{M}\p{N}@.+_'’-])*$/u;

/** @param other what it is read beside: the first difference is shown of what is long */
function valueInWords(text: string, other: string, { code, plain }: Style): string {
	if (text === MASK) return code(text);
	const characters = [...text];
	const { length } = characters;
	if (length <= LONGEST_VALUE) {
		const isSimple = SIMPLE.test(text) && text.toLowerCase() !== NONE;
		return isSimple ? plain(text) : code(plain(text));
	}
	const beside = [...other];
	const same = characters.findIndex((character, at) => character !== beside[at]);
	const start = same > LONGEST_VALUE / 2 ? same - LEAD : 0;
	const end = start + LONGEST_VALUE;
	const shown = plain(characters.slice(start, end).join(''));
	const cut = `${start > 0 ? '…' : ''}${shown}${end < length ? '…' : ''}`;
	return `${code(cut)} (${length.toLocaleString('en-US')} characters)`;
}
