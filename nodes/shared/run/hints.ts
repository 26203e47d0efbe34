import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { isObject, withoutBreaks } from '../util';
import { STATUS_WORDS } from './plan';
import { isPreview } from './preview';
import { fieldsOf } from './report';

/** How many hints a run shows at most. */
const MOST_HINTS = 5;

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** How many lines of a plan a hint shows. */
const MOST_LINES = 30;

/**
 * Makes hints above the output: what a preview would do, what a run came to, and the warnings of output items, each once, the
 * most frequent first. n8n renders hints as HTML, and they name what the service calls its users and groups.
 */
export function hintsOf(items: readonly INodeExecutionData[]): NodeExecutionHint[] {
	const [first] = items;
	const told = first && isPreview(first) ? planHint(first.json) : outcomeHint(items);
	// A name is copied from here to a field; and the warnings of a summary are in it.
	const came = withoutBreaks(told ?? '');
	return [
		...(came === '' ? [] : [hint(came, 'info')]),
		...warningHints(items).filter(({ message }) => !came.includes(message)),
	];
}

function hint(message: string, type: 'info' | 'warning'): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

/** Shows what a preview would do, a change a line, and what stands in its way first. */
function planHint({ blockedBy, summaryHtml, requests, counts, plan }: IDataObject): string {
	const barriers = (blockedBy as string[]).map((why) => `<b>${escaped(`Blocked: ${why}`)}</b>`);
	const lines =
		typeof summaryHtml === 'string'
			? summaryHtml.split('<br>').filter((line) => line !== '')
			: [...barriers, ...(requests as IDataObject[]).map(({ action }) => escaped(String(action)))];
	if (lines.length === 0) return nothingIn(counts as IDataObject);
	const rest = lines.length - MOST_LINES + 1;
	const shown = rest > 1 ? [...lines.slice(0, MOST_LINES - 1), `and ${rest} more lines`] : lines;
	const isAsked = isObject(plan) && Array.isArray(plan.changes) && plan.changes.length > 0;
	const ask = isAsked ? [HOW_TO_ASK] : [];
	return ['<b>Preview: nothing was sent.</b>', ...shown, ...ask].join('<br>');
}

/** Which of n8n's nodes asks, and how. */
const HOW_TO_ASK = [
	'To ask somebody first, put between this and Apply Plan an n8n Form (behind a Form Trigger) with Define Form: Using JSON',
	'<code>{{ $json.approvalForm }}</code>, or a Wait with a form that asks "Approve these changes?" with the choices "Yes" and "No".',
].join(' ');

/** Says that nothing would be sent, and what there is instead. */
function nothingIn(counts: IDataObject): string {
	const parts = Object.entries(counts).flatMap(([name, count]) =>
		count === 0 || name === 'requests' ? [] : `${String(count)} ${name}`,
	);
	return `Preview: nothing would be sent${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`;
}

/** Says what a run of more than one thing came to, and of what was done what it was. */
function outcomeHint(items: readonly INodeExecutionData[]): string | undefined {
	const counts = new Map<string, number>();
	const done = new Map<string, number>();
	for (const item of items) {
		const fields = fieldsOf(item);
		// One item may stand for all.
		const { counts: inAll, changes } = fields;
		const told = isObject(inAll) ? Object.entries(inAll) : [[String(fields.status), 1] as const];
		for (const [status, count] of told) add(counts, status, Number(count) || 0);
		for (const part of Array.isArray(changes) ? changes.filter(isObject) : [fields])
			if (part.status === 'done' && typeof part.change === 'string') add(done, part.change, 1);
	}
	const all = Object.keys(STATUS_WORDS).reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
	if (all < 2) return undefined;
	const kinds = [...done].map(([change, count]) => `${count} ${escaped(change)}`).join(', ');
	const parts = Object.entries(STATUS_WORDS).flatMap(([status, words]) => {
		const count = counts.get(status) ?? 0;
		const what = status === 'done' && kinds !== '' ? ` (${kinds})` : '';
		return count === 0 ? [] : `${count} ${words}${what}`;
	});
	return `${parts.join(', ')}.`;
}

function add(counts: Map<string, number>, name: string, count: number): void {
	counts.set(name, (counts.get(name) ?? 0) + count);
}

function warningHints(items: readonly INodeExecutionData[]): NodeExecutionHint[] {
	const counts = new Map<string, number>();
	for (const item of items) {
		const { warnings } = fieldsOf(item);
		for (const warning of Array.isArray(warnings) ? warnings : []) {
			if (typeof warning === 'string') counts.set(warning, (counts.get(warning) ?? 0) + 1);
		}
	}
	const rest = counts.size - MOST_HINTS + 1;
	const texts = [...counts]
		.sort(([, one], [, other]) => other - one)
		.slice(0, rest > 1 ? MOST_HINTS - 1 : MOST_HINTS)
		.map(([text, count]) => (count === 1 ? text : `${text} (${count} items)`));
	const shown = rest > 1 ? [...texts, `${rest} more warnings: see the items`] : texts;
	return shown.map((text) => hint(escaped(text), 'warning'));
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
}
