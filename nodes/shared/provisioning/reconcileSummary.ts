import type { AccessChange } from './planReconcile';

const MOST_LINES = 30;

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
	invalidRows: number,
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
		invalidRows,
	};
}

/** Whether there is anything to do or to report; access that is left alone for a reason of its own is neither. */
export function differs(changes: readonly AccessChange[]): boolean {
	return changes.some(({ kind, reported }) => kind !== 'unwanted' || reported === true);
}

/**
 * The plan in words, as Markdown that is ready for a chat message. Names from the service are kept from acting as
 * Markdown.
 * @param nameOf the name of an organization
 */
export function summaryOf(
	changes: readonly AccessChange[],
	totals: ReconcileTotals,
	blockedBy: readonly string[],
	nameOf: (organization: string) => string,
): string {
	const lines = changes.slice(0, MOST_LINES).map((change) => `- ${sentence(change, nameOf)}`);
	const rest = changes.length - MOST_LINES;
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
		!differs(changes) ? '**Access is as wanted.**' : `**Access differs from what is wanted.**`,
		`${counts.join(', ')}; ${counted(requests, 'request')}.`,
		...(blockedBy.length > 0 ? [`**Blocked:** ${blockedBy.map(plain).join(' ')}`] : []),
		...(lines.length > 0 ? ['', ...lines] : []),
		...(rest > 0 ? [`- and ${rest} more`] : []),
	].join('\n');
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
