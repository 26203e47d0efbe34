import type { AccessChange, UnusableRow } from './planReconcile';

const MOST_LINES = 30;

/** How far the wanted list could be compared with what is there. */
export interface Comparison {
	unusable: readonly UnusableRow[];
	/** Why whole items of the input cannot be used. */
	unreadable: readonly string[];
	/** False when there was nothing to compare: what is there may or may not be as wanted. */
	compared: boolean;
}

/** Counts of a reconcile, as they stand in the preview. */
export interface ReconcileTotals {
	creates: number;
	activations: number;
	adds: number;
	moves: number;
	revokes: number;
	deactivations: number;
	unwanted: number;
	/** Writes that would be sent. */
	requests: number;
	invalidRows: number;
}

export function totalsOf(
	changes: readonly AccessChange[],
	requests: number,
	{ unusable }: Comparison,
): ReconcileTotals {
	const count = (kind: AccessChange['kind']) =>
		changes.filter((change) => change.kind === kind).length;
	return {
		creates: count('create'),
		activations: count('activate'),
		adds: count('add'),
		moves: count('move'),
		revokes: count('revoke'),
		deactivations: count('deactivate'),
		unwanted: count('unwanted'),
		requests,
		invalidRows: new Set(unusable.map(({ row }) => row)).size,
	};
}

/** Whether there is anything to do or to report; access that is left alone for a reason of its own is neither. */
function hasChanges(changes: readonly AccessChange[]): boolean {
	return changes.some(({ kind, reported }) => kind !== 'unwanted' || reported === true);
}

function isWhole({ unusable, unreadable, compared }: Comparison): boolean {
	return compared && unusable.length === 0 && unreadable.length === 0;
}

/** False only when all that is wanted was compared, and access is so. */
export function differs(changes: readonly AccessChange[], comparison: Comparison): boolean {
	return hasChanges(changes) || !isWhole(comparison);
}

function headline(changes: readonly AccessChange[], comparison: Comparison): string {
	if (hasChanges(changes)) return 'Access differs from what is wanted.';
	if (!comparison.compared)
		return 'Nothing was compared: the wanted list has no row that can be used.';
	return isWhole(comparison)
		? 'Access is as wanted.'
		: 'Not everything was compared: the wanted list cannot be used as a whole.';
}

/**
 * The plan in words, as Markdown that is ready for a chat message. Names from the service are kept from acting as
 * Markdown.
 * @param nameOf the name of an organization
 */
export function summaryOf(
	changes: readonly AccessChange[],
	comparison: Comparison,
	totals: ReconcileTotals,
	blockedBy: readonly string[],
	nameOf: (organization: string) => string,
): string {
	const { unusable, unreadable } = comparison;
	const { creates, activations, adds, moves, revokes, deactivations } = totals;
	const { unwanted, requests, invalidRows } = totals;
	const counts = [
		counted(creates, 'new person', 'new people'),
		...(activations > 0 ? [counted(activations, 'reactivation')] : []),
		counted(adds, 'grant'),
		counted(moves, 'move'),
		counted(revokes, 'revocation'),
		counted(deactivations, 'deactivation'),
		...(unwanted > 0 ? [`${unwanted} unwanted, left alone`] : []),
		...(invalidRows > 0 ? [`${counted(invalidRows, 'row')} that cannot be used`] : []),
	];
	return [
		`**${headline(changes, comparison)}**`,
		`${counts.join(', ')}; ${counted(requests, 'request')}.`,
		...(blockedBy.length > 0 ? [`**Blocked:** ${blockedBy.map(plain).join(' ')}`] : []),
		...listed(changes, (change) => sentence(change, nameOf)),
		...listed(unusable, ({ row, reason }) => `row ${row} cannot be used: ${plain(reason)}`),
		...listed(unreadable, plain),
	].join('\n');
}

/** A list of its own, with the first entries of it. */
function listed<T>(entries: readonly T[], words: (entry: T) => string): string[] {
	if (entries.length === 0) return [];
	const rest = entries.length - MOST_LINES;
	return [
		'',
		...entries.slice(0, MOST_LINES).map((entry) => `- ${words(entry)}`),
		...(rest > 0 ? [`- and ${rest} more`] : []),
	];
}

function counted(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

function sentence(change: AccessChange, nameOf: (organization: string) => string): string {
	const who = `**${plain(change.person.userName ?? change.person.id ?? '')}**`;
	const where =
		change.organization === undefined ? '' : ` in ${plain(nameOf(change.organization))}`;
	switch (change.kind) {
		case 'create':
			return `${who}: new account`;
		case 'activate':
			return `${who}: reactivated (${change.reason})`;
		case 'add':
			return `${who}: becomes ${change.after}${where}`;
		case 'move':
			return `${who}: ${change.before} becomes ${change.after}${where}`;
		case 'revoke':
			return `${who}: loses ${change.before}${where} (${change.reason})`;
		case 'unwanted':
			return `${who}: is ${change.before}${where}, left alone (${change.reason})`;
		case 'deactivate':
			return `${who}: deactivated (${change.reason})`;
	}
}

function plain(text: string): string {
	return text.replace(/[\\`*_{}[\]<>()#|~]/g, '\\$&');
}
