/** One role in one column, or a membership. */
interface Held {
	role: string;
	/** Name of the group that gives it. */
	via?: string;
}

/** One person in an access review. */
export interface ReviewRow {
	userName: string;
	active?: boolean;
	/** What the person has in each column, in their order; empty for nothing. */
	held: ReadonlyArray<readonly Held[]>;
}

/** What a person has in one column, as text; empty for nothing. */
export function heldText(held: readonly Held[]): string {
	return held
		.map(({ role, via }) => (via === undefined ? role : `${role} (via ${via})`))
		.join(', ');
}

/**
 * A self-contained HTML page for an access review: one row per person, one column per organization and group. Admins
 * stand out, people without access come apart. Everything that comes from the service is escaped, nothing is loaded
 * from elsewhere.
 * @param unknown why it is not known who has what: then people are listed, and nothing is said of their access
 */
export function accessReviewPage(
	columns: readonly string[],
	rows: readonly ReviewRow[],
	readAt: string,
	unknown?: string,
): string {
	const withAccess = rows.filter(({ held }) => held.some(({ length }) => length > 0));
	const without = rows.filter(({ held }) => held.every(({ length }) => length === 0));
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Access review</title>
<style>
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem; color: #1c2433; background: #fff; }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } p { color: #56607a; margin: 0 0 1rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .35rem .8rem; border-bottom: 1px solid #e3e7ef; white-space: nowrap; }
thead th { position: sticky; top: 0; background: #f4f6fa; } tbody th { font-weight: 500; }
.admin { background: #fde8e6; color: #a1160a; font-weight: 700; } .none { color: #a6aec0; } .inactive, .warning { color: #8a5a00; }
</style>
</head>
<body>
<h1>Access review</h1>
<p>${rows.length} people, ${columns.length} organizations and groups, read ${escaped(readAt)}</p>
${
	unknown === undefined
		? `${table(columns, withAccess)}
<h2>Without access (${without.length})</h2>
${list(without)}`
		: `<p class="warning">${escaped(unknown)}</p>
<h2>Access unknown (${rows.length})</h2>
${list(rows)}`
}
</body>
</html>
`;
}

function list(rows: readonly ReviewRow[]): string {
	if (rows.length === 0) return '<p>Nobody.</p>';
	return `<ul>${rows.map((row) => `<li>${name(row)}</li>`).join('')}</ul>`;
}

function table(columns: readonly string[], rows: readonly ReviewRow[]): string {
	const head = ['Person', ...columns].map((text) => `<th scope="col">${escaped(text)}</th>`);
	const body = rows.map(
		(row) => `<tr><th scope="row">${name(row)}</th>${row.held.map(cell).join('')}</tr>`,
	);
	return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}

function cell(held: readonly Held[]): string {
	if (held.length === 0) return '<td class="none">&ndash;</td>';
	const isAdmin = held.some(({ role }) => /\badmin\b/.test(role));
	return `<td${isAdmin ? ' class="admin"' : ''}>${escaped(heldText(held))}</td>`;
}

function name({ userName, active }: ReviewRow): string {
	return `${escaped(userName)}${active === false ? ' <span class="inactive">(inactive)</span>' : ''}`;
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
