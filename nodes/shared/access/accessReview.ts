/** One person in an access review. */
export interface ReviewRow {
	userName: string;
	active?: boolean;
	/** The role in each organization, in the order of the review's columns; empty for none. */
	roles: string[];
}

/**
 * A self-contained HTML page for an access review: one row per person, one column per organization. Admins stand out,
 * people without any role come apart. Everything that comes from the service is escaped, nothing is loaded from
 * elsewhere.
 */
export function accessReviewPage(
	organizations: readonly string[],
	rows: readonly ReviewRow[],
	readAt: string,
): string {
	const withRoles = rows.filter(({ roles }) => roles.some((role) => role !== ''));
	const without = rows.filter(({ roles }) => roles.every((role) => role === ''));
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
.admin { background: #fde8e6; color: #a1160a; font-weight: 700; } .none { color: #a6aec0; } .inactive { color: #8a5a00; }
</style>
</head>
<body>
<h1>Access review</h1>
<p>${rows.length} people, ${organizations.length} organizations, read ${escaped(readAt)}</p>
${table(organizations, withRoles)}
<h2>Without any role (${without.length})</h2>
${without.length === 0 ? '<p>Nobody.</p>' : `<ul>${without.map((row) => `<li>${name(row)}</li>`).join('')}</ul>`}
</body>
</html>
`;
}

function table(organizations: readonly string[], rows: readonly ReviewRow[]): string {
	const head = ['Person', ...organizations].map((text) => `<th scope="col">${escaped(text)}</th>`);
	const body = rows.map(
		(row) => `<tr><th scope="row">${name(row)}</th>${row.roles.map(cell).join('')}</tr>`,
	);
	return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}

function cell(role: string): string {
	if (role === '') return '<td class="none">&ndash;</td>';
	return `<td${/\badmin\b/.test(role) ? ' class="admin"' : ''}>${escaped(role)}</td>`;
}

function name({ userName, active }: ReviewRow): string {
	return `${escaped(userName)}${active === false ? ' <span class="inactive">(inactive)</span>' : ''}`;
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
