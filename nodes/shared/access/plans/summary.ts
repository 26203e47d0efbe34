import {
	byKind,
	gained,
	isValue,
	kindOf,
	lost,
	roleOf,
	type AccountChange,
	type Change,
	type Entitlement,
	type EntitlementChange,
	type Kind,
} from '../changes';
import { STATUS_WORDS, type OutcomeStatus } from '../../run';
import { cachedPerObject, memoized } from '../../util';
import { beyondWords, RISKS, type Excess, excessWords } from '../guards';
import { attributesInWords, HTML, LINE, MARKDOWN, setApart, type Style, TEXT } from './words';
import type { PlanTraits } from './sealedPlan';

/** Lines of a summary; only what is taken away may be more. */
const MOST_LINES = 200;
/** Lines of warnings, whatever else there is. */
export const MOST_WARNINGS = 20;

/** In the order in which they are shown; what is taken away comes first. */
const TAKEN_AWAY = ['deleted', 'deactivated', 'revoked', 'moved'] as const;
const ADDED = ['created', 'activated', 'updated', 'granted'] as const;

const COUNTED: Record<Kind, readonly [one: string, many: string]> = {
	deleted: ['deletion', 'deletions'],
	deactivated: ['deactivation', 'deactivations'],
	revoked: ['revocation', 'revocations'],
	moved: ['move', 'moves'],
	created: ['new user', 'new users'],
	activated: ['reactivation', 'reactivations'],
	updated: ['update', 'updates'],
	granted: ['grant', 'grants'],
};

/** Something in the input that cannot be used. */
export interface Unusable {
	/** Such as "row 4", "row 1 of item 2" or "item 3". */
	row: string;
	reason: string;
}

export interface SummaryInput extends Pick<PlanTraits, 'title' | 'compares'> {
	changes: readonly Change[];
	/** The name of an organization. */
	nameOf(organization: string): string;
	/** What people are called, by their keys; missing: by user name. */
	called?: ReadonlyMap<string, string>;
	blockedBy: readonly string[];
	/** What is beyond limits by volume. */
	excess?: readonly Excess[];
	unusable: readonly Unusable[];
	/** How the list was read. */
	said?: readonly string[];
	/** What to know before approving. */
	warnings?: readonly string[];
	/** Writes that would be sent. */
	requests: number;
	/** Changes that are only reported, such as extra access that stays. */
	leftAlone?: readonly Change[];
	/** False when no row of a Reconcile can be used. */
	compared?: boolean;
	/** Accounts that no row can mean, and why. */
	unmatched?: ReadonlyArray<{ who: string; reason: string }>;
}

/** The plan in words, for people who approve it. */
export interface Summary {
	/** Markdown. */
	summary: string;
	summaryText: string;
	/** Only tags that n8n's forms keep. */
	summaryHtml: string;
}

/**
 * The plan in words, ready for a chat, an email or a form. What is taken away is always shown whole. Names stay plain text
 * everywhere: no links, mentions, images or HTML.
 */
export function summarize(input: SummaryInput): Summary {
	const kinds = byKind(input.changes);
	return {
		summary: linesOf(input, kinds, MARKDOWN).join('\n'),
		summaryText: linesOf(input, kinds, TEXT).join('\n'),
		summaryHtml: linesOf(input, kinds, HTML).join('<br>'),
	};
}

function linesOf(input: SummaryInput, kinds: ReturnType<typeof byKind>, style: Style): string[] {
	const { blockedBy, excess = [], unusable, leftAlone = [], unmatched = [] } = input;
	const { said = [], warnings = [] } = input;
	const words = wordsOf(style, input);
	const { strong, plain } = style;
	const sentence = (change: Change) => sentenceOf(change, whatHappens(change, words), words);
	const wouldHappen = (change: Change) =>
		sentenceOf(change, inCase(whatHappens(change, words)), words);
	const lines = [
		...blockedBy.flatMap((reason) => [strong(`Blocked: ${plain(reason)}`), '']),
		...excess.flatMap((one) => [strong(beyond(one)), '']),
		strong(headline(input)),
		'',
		counts(input, kinds),
		...said.flatMap((line) => ['', plain(line)]),
	];
	const add = <T>(
		title: string,
		entries: readonly T[],
		wordsOf: (entry: T) => string,
		most: number,
	) => section(strong(title), entries, wordsOf, most).forEach((line) => lines.push(line));
	const room = () => MOST_LINES - lines.length;
	add('Removed or moved', ofKinds(kinds, TAKEN_AWAY), sentence, Infinity);
	add('Not planned', unusable, ({ row, reason }) => `${plain(row)}: ${plain(reason)}`, room());
	add('Left alone', leftAlone, wouldHappen, room());
	add(
		'Cannot be matched',
		unmatched,
		({ who, reason }) => `${setApart(who, style)}: ${plain(reason)}`,
		room(),
	);
	add('Added or updated', ofKinds(kinds, ADDED), sentence, room());
	add('Warnings', warnings, plain, Math.max(room(), MOST_WARNINGS));
	return lines;
}

/** What a change of a run has come to, in one sentence. */
export interface ChangeOfRun {
	status: OutcomeStatus;
	text: string;
}

/** What a run has come to, in words that are as harmless in a chat as those of a plan, and counted by status. */
export function summarizeRun(
	title: string,
	changes: readonly ChangeOfRun[],
	warnings: readonly string[],
): Pick<Summary, 'summary' | 'summaryText'> & { counts: Record<string, number> } {
	const parts = Object.entries(STATUS_WORDS).map(([status, words]) => {
		const own = changes.filter((change) => change.status === status);
		return { status, words, own };
	});
	const some = parts.filter(({ own }) => own.length > 0);
	const counted = some.map(({ own, words }) => `${grouped(own.length)} ${words}`).join(', ');
	const linesIn = ({ strong, plain }: Style) => {
		const lines = [strong(`${title}: ${counted || 'no changes'}.`)];
		const add = (name: string, texts: readonly string[]) => {
			const room = Math.max(MOST_LINES - lines.length, 1);
			section(strong(name), texts, plain, room).forEach((line) => lines.push(line));
		};
		add('Warnings', warnings);
		for (const { status, words, own } of some) {
			const texts = own.map(({ text }) => text);
			// What was so already is only counted.
			if (status !== 'unchanged') add(`${words[0].toUpperCase()}${words.slice(1)}`, texts);
		}
		return lines.join('\n');
	};
	const counts = Object.fromEntries(parts.map(({ status, own }) => [status, own.length]));
	return { summary: linesIn(MARKDOWN), summaryText: linesIn(TEXT), counts };
}

/** A change in words that follow the name of its person, for a line of a form. */
export function lineOf(change: Change, nameOf: SummaryInput['nameOf']): string {
	const words = wordsOf(LINE, { nameOf });
	return `${whatHappens(change, words)}${whyOf(change, words)}`;
}

/** A name as a form shows it. */
export function formText(text: string): string {
	return setApart(text, { ...LINE, code: (shown) => shown });
}

/** How many changes there are of each kind, in words. */
export function countsOf(kinds: ReturnType<typeof byKind>): string {
	return [...TAKEN_AWAY, ...ADDED]
		.flatMap((kind) => {
			const count = kinds.get(kind)?.length ?? 0;
			return count === 0 ? [] : [counted(count, ...COUNTED[kind])];
		})
		.join(', ');
}

function beyond(excess: Excess): string {
	const { name } = RISKS[excess.kind];
	const asked = `${beyondWords(excess)}: tick it in the approval form, a button cannot approve it`;
	return `${asked}. Beyond the limit of ${grouped(excess.limit)}: ${excessWords(excess)}. Apply Plan needs ${name} under Allow More Than the Limit For.`;
}

function headline(input: SummaryInput): string {
	const { title, compares, changes, unusable, leftAlone = [], compared = true } = input;
	if (compares === undefined) {
		return `${title}: ${changes.length === 0 ? 'no changes' : counted(changes.length, 'change', 'changes')} planned.`;
	}
	const { what, differ, match, list } = compares;
	if (changes.length + leftAlone.length > 0) return `${what} ${differ} from what is wanted.`;
	if (!compared) return `Nothing was compared: ${list} has no row that can be used.`;
	return unusable.length === 0
		? `${what} ${match} what is wanted.`
		: `Not everything was compared: part of ${list} cannot be used.`;
}

function counts(
	{ changes, unusable, leftAlone = [], requests }: SummaryInput,
	kinds: ReturnType<typeof byKind>,
): string {
	const parts = [
		...(changes.length > 0 ? [countsOf(kinds)] : []),
		...(leftAlone.length > 0 ? [`${grouped(leftAlone.length)} left alone`] : []),
		...(unusable.length > 0 ? [`${grouped(unusable.length)} not planned`] : []),
	];
	const sent = counted(requests, 'request', 'requests');
	return parts.length === 0 ? `${sent}.` : `${parts.join(', ')}; ${sent}.`;
}

/** A titled list. @param room lines it may take; what is more becomes a count, and no words */
function section<T>(
	title: string,
	entries: readonly T[],
	words: (entry: T) => string,
	room: number,
): string[] {
	if (entries.length === 0) return [];
	const head = ['', title, ''];
	const most = Math.max(room - head.length, 1);
	const whole = entries.length <= most ? entries : entries.slice(0, most - 1);
	const rest = entries.length - whole.length;
	return [
		...head,
		...whole.map((entry) => `- ${words(entry)}`),
		...(rest > 0 ? [`- and ${grouped(rest)} more`] : []),
	];
}

function ofKinds(kinds: ReturnType<typeof byKind>, wanted: readonly Kind[]): Change[] {
	return wanted.flatMap((kind) => kinds.get(kind) ?? []);
}

function counted(count: number, one: string, many: string): string {
	return `${grouped(count)} ${count === 1 ? one : many}`;
}

function grouped(count: number): string {
	return count.toLocaleString('en-US');
}

function sentenceOf(change: Change, what: string, words: Words): string {
	const who =
		change.about === 'group'
			? change.groupId
			: (words.called?.get(change.person.key) ?? change.person.userName ?? change.person.id);
	// Joined it is one text: a template keeps its parts, which are most of what a long plan takes.
	return [setApart(who, words), ': ', what, whyOf(change, words)].join('');
}

function whyOf({ why }: Change, { reason }: Words): string {
	return reason(why);
}

const WOULD = new Map([
	['is', 'would be'],
	['gets', 'would get'],
	['moves', 'would move'],
	['loses', 'would lose'],
]);

function inCase(words: string): string {
	return words.replace(/^\w+/, (verb) => WOULD.get(verb) ?? verb);
}

/** The style, and the words for what thousands of people have in common: the same few groups, and the same few reasons. */
interface Words extends Style, Pick<SummaryInput, 'called'> {
	had(entitlement: Entitlement): string;
	reason(why: string): string;
}

function wordsOf(style: Style, { nameOf, called }: Pick<SummaryInput, 'nameOf' | 'called'>): Words {
	return {
		...style,
		called,
		had: cachedPerObject((entitlement) => had(entitlement, style, nameOf)),
		reason: memoized((why) => (why.trim() === '' ? '' : ` (${style.plain(why)})`)),
	};
}

function whatHappens(change: Change, words: Words): string {
	if (change.about === 'entitlement') return whatIsHad(change, words);
	const set = change.about === 'account' && change.before !== 'absent' ? setBy(change, words) : '';
	switch (kindOf(change)) {
		case 'created':
			return 'new user';
		case 'activated':
			return `is reactivated${set}`;
		case 'deactivated':
			return `is deactivated${heldBefore(change)}${set}`;
		case 'deleted':
			return `is deleted${heldBefore(change)}`;
		default:
			return `is updated${set}`;
	}
}

/** The attributes that a change sets; where it is said that the account is opened or closed, without that. */
function setBy(change: AccountChange, words: Words): string {
	const { active, ...others } = change.attributes ?? {};
	const isSaid = active === undefined || kindOf(change) !== 'updated';
	const said = attributesInWords(isSaid ? others : { ...others, active }, change.was, words);
	return said === '' ? '' : `: ${said}`;
}

function whatIsHad(change: EntitlementChange, words: Words): string {
	const listed = (all: readonly Entitlement[]) => all.map(words.had).join(', ');
	switch (kindOf(change)) {
		case 'granted':
			return `gets ${listed(gained(change))}`;
		case 'moved':
			return `moves from ${lost(change)
				.map((one) => setApart(roleOf(one), words))
				.join(', ')} to ${listed(gained(change))}`;
		default:
			return `loses ${listed(lost(change))}`;
	}
}

function heldBefore({ restsOn }: Change): string {
	const held = restsOn.find((rest) => rest.on === 'access');
	const count = held?.groups.length ?? 0;
	return count === 0 ? '' : `, member of ${counted(count, 'group', 'groups')}`;
}

/** The role in its organization, or the group where it stands for none. */
function had(entitlement: Entitlement, style: Style, nameOf: SummaryInput['nameOf']): string {
	const called = (text: string) => setApart(text, style);
	if (isValue(entitlement)) return `${called(entitlement.attribute)} ${called(entitlement.value)}`;
	const { displayName, groupId, organization, role } = entitlement;
	return role === undefined || organization === undefined
		? `group ${called(displayName || groupId)}`
		: `${called(role)} in ${called(nameOf(organization) || organization)}`;
}
