import { accessReviewPage, heldText } from '../../../nodes/shared/access/accessReview';

const page = (
	rows: Parameters<typeof accessReviewPage>[1],
	organizations = ['Marketing', 'Sales'],
) => accessReviewPage(organizations, rows, '2026-03-01T12:00:00.000Z');

/** What somebody has in each column: one role, or none. */
const held = (...roles: string[]) => roles.map((role) => (role === '' ? [] : [{ role }]));

const ANA = { userName: 'ana@example.com', held: held('admin', '') };

describe('accessReviewPage', () => {
	it('one row per person, one column per organization', () => {
		const html = page([ANA, { userName: 'ben@example.com', held: held('', 'viewer') }]);
		const rows = html.match(/<tr>.*?<\/tr>/g) ?? [];
		expect(rows).toHaveLength(3);
		for (const row of rows) expect(row.match(/<t[hd]/g)).toHaveLength(3);
		expect(rows[0]).toContain('<th scope="col">Marketing</th>');
		expect(rows[2]).toMatch(/ben@example\.com.*<td class="none">.*<td>viewer<\/td>/);
		expect(html).toContain('2 people, 2 organizations and groups, read 2026-03-01T12:00:00.000Z');
	});

	it('admins stand out, and nobody else', () => {
		const html = page([ANA, { userName: 'x', held: held('member', 'administrative') }]);
		expect(html.match(/class="admin"/g)).toHaveLength(1);
		expect(html).toContain('<td class="admin">admin</td>');
		expect(
			page([{ userName: 'x', held: [[{ role: 'admin' }, { role: 'member' }], []] }]),
		).toContain('class="admin"');
	});

	it('says which group gives a role', () => {
		expect(heldText([{ role: 'member', via: 'VPN' }, { role: 'admin' }])).toBe(
			'member (via VPN), admin',
		);
	});

	it('people without any role come apart, and are counted', () => {
		const html = page([ANA, { userName: 'nobody@example.com', active: false, held: held('', '') }]);
		const [table, list] = html.split('</table>');
		expect(table).not.toContain('nobody@example.com');
		expect(list).toContain('Without access (1)');
		expect(list).toContain('<li>nobody@example.com <span class="inactive">(inactive)</span></li>');
		expect(page([ANA])).toContain('<p>Nobody.</p>');
	});

	it('only who is known to be inactive is called so', () => {
		expect(page([{ ...ANA, active: false }])).toContain('(inactive)');
		expect(page([{ ...ANA, active: true }])).not.toContain('(inactive)');
		expect(page([ANA])).not.toContain('(inactive)');
	});

	describe('what comes from the service is text, never markup', () => {
		const evil = `<script>alert("1")</script><img src=x onerror='a()'>&amp;`;

		it.each([
			['a name', page([{ userName: evil, held: held('admin', '') }])],
			['a name without a role', page([{ userName: evil, held: held('', '') }])],
			['a role', page([{ userName: 'x', held: held(evil, '') }])],
			[
				'a group that gives it',
				page([{ userName: 'x', held: [[{ role: 'member', via: evil }], []] }]),
			],
			['an organization', page([ANA], [evil, 'Sales'])],
		])('%s', (_, html) => {
			expect(html).not.toContain('<script');
			expect(html).not.toContain('<img');
			expect(html).not.toContain(evil);
			expect(html).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;');
			expect(html).toContain('onerror=&#39;a()&#39;&#62;&#38;amp;');
		});
	});

	it('loads nothing and may run nothing', () => {
		const html = page([ANA]);
		expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'");
		expect(html).not.toMatch(/<script|<link|<img|src=|href=|url\(|https?:/i);
	});

	it('unknown access is said, and nobody is shown without', () => {
		const html = accessReviewPage(['VPN'], [{ ...ANA, held: held('') }], 'now', 'Nothing <known>');
		expect(html).toContain('<p class="warning">Nothing &#60;known&#62;</p>');
		expect(html).toContain('Access unknown (1)');
		expect(html).not.toContain('Without access');
		expect(html).not.toContain('<table>');
	});

	it('nobody and no organizations: still a page', () => {
		expect(page([], [])).toContain('0 people, 0 organizations and groups');
	});
});
