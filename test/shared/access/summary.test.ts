import fc from 'fast-check';

import {
	type Change,
	type Entitlement,
	type Person,
} from '../../../nodes/shared/access/changes/change';
import { heldValue } from '../../../nodes/shared/access/changes/change';
import { lineOf, summarize, type SummaryInput } from '../../../nodes/shared/access/plans/summary';
import { CHANGE, deletionOf, ofAccount } from '../../support/plans';

const called = (userName: string): Person => ({ key: userName, id: 'u-1', userName });
const role = (own: string, organization = 'org-1'): Entitlement => ({
	...{ key: own, groupId: `${organization}:${own}`, displayName: 'G', organization, role: own },
});
const group = (displayName: string, groupId = 'g-1'): Entitlement => ({
	...{ key: groupId, groupId, displayName },
});
const VPN = group('VPN');
const access = (
	before: Entitlement[],
	after: Entitlement[],
	userName = 'ana',
	why = '',
): Change => ({
	...{ ...CHANGE, about: 'entitlement', person: called(userName), why, before, after },
});
const gets = (userName = 'ana', why = '') => access([], [VPN], userName, why);
const loses = (userName = 'ana', why = '') => access([VPN], [], userName, why);
const account = (...[before, after, more]: Parameters<typeof ofAccount>): Change =>
	ofAccount(before, after, { person: called('ana'), why: '', ...more });
const groups = (...held: string[]) => ({
	restsOn: [{ on: 'inactive' as const }, { on: 'access' as const, groups: held }],
});
const [DELETED, SHUT_OUT] = [account('active', 'absent'), account('active', 'inactive')];

const MOVE = access([role('admin'), role('viewer')], [role('member')]);

const ACCESS = { what: 'Access', differ: 'differs', match: 'matches', list: 'Desired Access' };
const USERS = { what: 'Users', differ: 'differ', match: 'match', list: 'Users' };
const plain = (title: string) => ({ title, compares: undefined });

const inAllForms = (parts: Partial<SummaryInput>) =>
	summarize({
		title: 'Reconcile',
		compares: ACCESS,
		nameOf: (id) => (id === 'org-1' ? 'Marketing' : id),
		changes: [],
		blockedBy: [],
		unusable: [],
		requests: 0,
		...parts,
	});
const summary = (parts: Partial<SummaryInput>) => inAllForms(parts).summary;

const grants = (count: number) => Array.from({ length: count }, (_entry, at) => gets(`new ${at}`));

describe('what it says', () => {
	test('counts, then what is taken away, then the rest', () => {
		const changes = [
			...[gets('ana', 'row 1'), access([], [role('member')])],
			access([role('admin')], [role('viewer')]),
			loses('bob', 'no row wants it'),
			access([role('admin')], [], 'bob'),
			account('absent', 'active', { person: { key: 'cid', userName: 'cid' } }),
			account('active', 'inactive', { person: called('dan'), ...groups('g-1', 'g-2') }),
			account('active', 'absent', { person: { key: 'u-9', id: 'u-9' } }),
			deletionOf('g-1', { why: '' }),
			account('inactive', 'active', { person: called('eve') }),
			account('there', 'there', {
				...{ person: called('fay'), attributes: { title: 'Dr', nickName: 'F' } },
			}),
		];
		expect(summary({ changes, requests: 1234 })).toBe(
			[
				'**Access differs from what is wanted.**',
				'',
				'2 deletions, 1 deactivation, 2 revocations, 1 move, 1 new user, 1 reactivation, 1 update, 2 grants; 1,234 requests.',
				'',
				'**Removed or moved**',
				'',
				'- `u-9`: is deleted',
				'- `g-1`: is deleted',
				'- `dan`: is deactivated, member of 2 groups',
				'- `bob`: loses group `VPN` (no row wants it)',
				'- `bob`: loses `admin` in `Marketing`',
				'- `ana`: moves from `admin` to `viewer` in `Marketing`',
				'',
				'**Added or updated**',
				'',
				'- `cid`: new user',
				'- `eve`: is reactivated',
				'- `fay`: is updated: Nick Name: F; Title: Dr',
				'- `ana`: gets group `VPN` (row 1)',
				'- `ana`: gets `member` in `Marketing`',
			].join('\n'),
		);
	});

	test('what blocks the plan comes first, in bold', () => {
		const blockedBy = ['Sales would be left without an active admin.', 'Too many.'];
		const excess = [{ kind: 'creates' as const, people: 101, limit: 100 }];
		const lines = summary({ changes: [gets()], blockedBy, excess }).split('\n');
		expect(lines.slice(0, 7)).toEqual([
			'**Blocked: Sales would be left without an active admin.**',
			'',
			'**Blocked: Too many.**',
			'',
			'**More than 100 people would be created: tick it in the approval form, a button cannot approve it. Beyond the limit of 100: 101 people would be created. Apply Plan needs Creates under Allow More Than the Limit For.**',
			'',
			'**Access differs from what is wanted.**',
		]);
	});

	const unusable = [{ row: 'row 4', reason: 'the person is protected' }];

	test.each<[string, Partial<SummaryInput>, string]>([
		['nothing to do', {}, '**Access matches what is wanted.**'],
		['some rows cannot be used', { unusable }, '**Not everything was compared:'],
		['no row can be used', { unusable, compared: false }, '**Nothing was compared:'],
		[
			'extra access that stays',
			{ leftAlone: [loses()] },
			'**Access differs from what is wanted.**',
		],
		[
			'another operation',
			{ ...plain('Offboard'), changes: [SHUT_OUT] },
			'**Offboard: 1 change planned.**',
		],
		['two changes', { ...plain('Set'), changes: grants(2) }, '**Set: 2 changes planned.**'],
		['another operation, nothing to do', plain('Set'), '**Set: no changes planned.**'],
	])('headline: %s', (_name, parts, headline) => {
		expect(summary(parts).startsWith(headline)).toBe(true);
	});
});

const buyer = heldValue({ attribute: 'roles', value: 'buyer' });

test.each<[string, Change, boolean?]>([
	['gets `roles` `buyer`', access([], [buyer])],
	['loses `roles` `buyer`', access([buyer], [])],
	['gets `admin` in `org-2`', access([], [role('admin', 'org-2')])],
	['loses `admin` in `Marketing`', access([role('admin'), role('viewer')], [role('viewer')])],
	['moves from `admin`, `viewer` to `member` in `Marketing`', MOVE],
	['would move from `admin`, `viewer` to `member` in `Marketing`', MOVE, true],
	['is updated', account('there', 'there', { attributes: {} })],
	['is deactivated', account('there', 'inactive', groups())],
	['is deleted, member of 1 group', account('active', 'absent', groups('g-1'))],
	['gets group `VPN` (why)', gets('ana', ' why ')],
	['gets group `VPN`', gets('ana', ' ')],
	['would be deactivated', SHUT_OUT, true],
])('what happens to a person: %s', (words, change, isLeftAlone = false) => {
	const text = summary(isLeftAlone ? { leftAlone: [change] } : { changes: [change] });
	expect(text.split('\n').at(-1)).toBe(`- \`ana\`: ${words}`);
});

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const emailList = (...all: string[]) =>
	all.map((value, at) => ({ value, ...(at === 0 && { primary: true }) }));
const long = (end: string) => `${'x'.repeat(150)}${end}`;
const MANY = Array.from({ length: 12 }, (_, at) => `r${at}`);

describe('an update says what becomes of each attribute', () => {
	test.each<[string, object, object | undefined]>([
		[
			'Email david.kim@a.example -> david.kim@b.example; Department Finance -> Sales',
			{ emails: emailList('david.kim@b.example'), [ENTERPRISE]: { department: 'Sales' } },
			{ emails: emailList('david.kim@a.example'), [ENTERPRISE]: { department: 'Finance' } },
		],
		['User Name ana -> bea', { userName: 'bea' }, { userName: 'ana' }],
		['External ID: E2', { externalId: 'E2' }, {}],
		['External ID E1 -> E2', { externalId: 'E2' }, { externalId: 'E1' }],
		['Active true -> false', { active: false }, { active: true }],
		['Title: Dr', { title: 'Dr' }, undefined],
		['Title: Dr', { title: 'Dr' }, { title: null }],
		['Title Dr -> none', { title: null }, { title: 'Dr' }],
		['Title: none', { title: '' }, undefined],
		['Title "none" -> Dr', { title: 'Dr' }, { title: 'none' }],
		[
			'Given Name Ana -> Bea',
			{ name: { givenName: 'Bea', familyName: 'Lee' } },
			{ name: { givenName: 'Ana', familyName: 'Lee' } },
		],
		[
			'Manager ID u-1 -> u-2; Enterprise Organization: Holding',
			{ [ENTERPRISE]: { manager: { value: 'u-2' }, organization: 'Holding' } },
			{ [ENTERPRISE]: { Manager: { value: 'u-1' } } },
		],
		['Department: Sales', { [`${ENTERPRISE}:department`]: 'Sales' }, {}],
		[
			'"urn:x:User:badge.color" red -> blue',
			{ 'urn:x:User': { badge: { color: 'blue' } } },
			{ 'urn:x:User': { badge: { color: 'red' } } },
		],
		['"level": 3', { level: 3 }, {}],
		[
			'Email a@x.example (primary), b@x.example -> c@x.example',
			{ emails: emailList('c@x.example') },
			{ emails: emailList('a@x.example', 'b@x.example') },
		],
		[
			'Email "type work, value a@x.example" -> "type home, value a@x.example"',
			{ emails: [{ value: 'a@x.example', type: 'home' }] },
			{ emails: [{ type: 'work', value: 'a@x.example' }] },
		],
		[
			'Name "familyName Lee, givenName Ana" -> none',
			{ name: null },
			{ name: { givenName: 'Ana', familyName: 'Lee' } },
		],
		['Roles buyer, seller -> none', { roles: [] }, { roles: ['buyer', 'seller'] }],
		[
			'Addresses: "locality Berlin, region none"',
			{ addresses: [{ region: 'none', locality: 'Berlin' }] },
			{},
		],
		['Roles new -> old', { roles: 'old' }, { roles: { value: 'new' } }],
		[
			`Roles r11, ${MANY.slice(0, 9).join(', ')}, and 2 more -> ${MANY.slice(0, 10).join(', ')}, and 1 more`,
			{ roles: MANY.slice(0, 11) },
			{ roles: MANY },
		],
		[`Title: "${'x'.repeat(100)}…" (1,500 characters)`, { title: 'x'.repeat(1500) }, {}],
		[
			`Title "…${long('a').slice(-11)}" (151 characters) -> "…${long('b').slice(-11)}" (151 characters)`,
			{ title: long('b') },
			{ title: long('a') },
		],
		[
			'Roles "' + `${'x'.repeat(100)}…" (151 characters), z -> another that looks the same`,
			{ roles: [long('b'), 'z'] },
			{ roles: [long('a'), 'z'] },
		],
		['"apiKey": "***"', { apiKey: 'hunter2' }, { apiKey: 'hunter1' }],
		[
			'"urn:x:User:login.pin": "***"',
			{ 'urn:x:User': { login: { pin: 'hunter2' } } },
			{ 'urn:x:User': { login: { pin: 'hunter1' } } },
		],
	])('%s', (words, attributes, was) => {
		const change = account('active', 'active', { attributes, was } as never);
		expect(lineOf(change, (id) => id)).toBe(`is updated: ${words}`);
		expect(summary({ leftAlone: [change] })).toContain('`ana`: would be updated: ');
	});

	test('beside what it does to the account', () => {
		const set = { attributes: { active: true, title: 'Dr' }, was: { active: false, title: 'Mr' } };
		const opened = account('inactive', 'active', set);
		expect(lineOf(opened, (id) => id)).toBe('is reactivated: Title Mr -> Dr');
		const closed = { attributes: { active: false, title: 'Dr' }, ...groups('g-1') };
		expect(lineOf(account('active', 'inactive', closed), (id) => id)).toBe(
			'is deactivated, member of 1 group: Title: Dr',
		);
		expect(lineOf(account('absent', 'active', set), (id) => id)).toBe('new user');
	});

	test('of many attributes the last have no values', () => {
		const attributes = Object.fromEntries(
			MANY.concat(MANY.map((one) => `s${one}`)).map((one) => [one, 1]),
		);
		const line = lineOf(account('active', 'active', { attributes }), (id) => id);
		expect(line.match(/: 1/g)).toHaveLength(20);
		expect(line).toMatch(/; also "sr6", "sr7", "sr8", "sr9"$/);
	});

	test.each([
		...[
			'Dr\n- `boss`: is deleted',
			'x -> y; Active: false',
			'Dr (row 9)',
			'</code><b>',
			'<!channel>',
		],
		...[
			'@here',
			'[x](https://evil.example)',
			'**x**',
			'\u202Enimda',
			'"; Email',
			' Sales',
			'a\u200Bb',
		],
	])('a value forges nothing: %j', (worst) => {
		const attributes = { title: worst, [worst]: worst, emails: emailList(worst, worst) };
		const change = account('active', 'active', { attributes, was: { title: `${worst}!` } });
		const { summary: markdown, summaryText, summaryHtml } = inAllForms({ changes: [change] });
		const line = lineOf(change, (id) => id);
		for (const text of [markdown, summaryText]) {
			expect(text.split('\n')).toHaveLength(7);
			expect(text).not.toMatch(/<|\u202E|(?<!\u200B)@here|:\/\/|\]\(/);
		}
		expect(summaryHtml.split('<br>')).toHaveLength(7);
		expect(new Set(summaryHtml.match(/<[^>]*>/g))).toEqual(
			new Set(['<b>', '</b>', '<code>', '</code>', '<br>']),
		);
		expect(line).not.toMatch(/[\n\u202E<]/);
		// Apart from what is set apart, the line has our own words alone.
		for (const own of [
			line.replace(/"[^"]*"/g, '?'),
			markdown
				.split('\n')
				.at(-1)
				?.replace(/`[^`]*`/g, '?'),
		])
			expect(own?.replace('- ?: ', '')).toMatch(
				/^is updated: (?:\?: \?|Title \? -> \?|Email: \? \(primary\), \?)(?:; (?:\?: \?|Title \? -> \?|Email: \? \(primary\), \?)){2}$/,
			);
	});
});

describe('of a Reconcile of users', () => {
	const users = (parts: Partial<SummaryInput>) => summary({ compares: USERS, ...parts });

	test('all parts, in order', () => {
		const text = users({
			changes: [gets(), DELETED],
			leftAlone: [SHUT_OUT],
			unmatched: [{ who: 'bob', reason: 'the user has no email' }],
			unusable: [{ row: 'row 4', reason: 'no email' }],
			requests: 1,
		});
		expect(text.split('\n').slice(2)).toEqual([
			...['1 deletion, 1 grant, 1 left alone, 1 not planned; 1 request.', ''],
			...['**Removed or moved**', '', '- `ana`: is deleted', ''],
			...['**Not planned**', '', '- row 4: no email', ''],
			...['**Left alone**', '', '- `ana`: would be deactivated', ''],
			...['**Cannot be matched**', '', '- `bob`: the user has no email', ''],
			...['**Added or updated**', '', '- `ana`: gets group `VPN`'],
		]);
	});

	test('nothing at all: only the number of requests', () => {
		expect(users({ requests: 2 })).toBe('**Users match what is wanted.**\n\n2 requests.');
	});
});

describe('length', () => {
	const names = Array.from({ length: 300 }, (_, at) => `name ${at}`);

	test('nothing is counted that fits', () => {
		expect(summary({ changes: grants(194) })).not.toContain('more');
		expect(summary({ changes: grants(195) })).toContain('- and 2 more');
	});

	test('of warnings 20 lines are kept, whatever else there is', () => {
		const warnings = names.map((one) => `of ${one}`);
		const lines = summary({ changes: grants(300), warnings }).split('\n');
		expect(lines.slice(lines.indexOf('**Warnings**')).slice(2)).toEqual([
			...warnings.slice(0, 16).map((one) => `- ${one}`),
			'- and 284 more',
		]);
	});

	test('what is taken away is never cut', () => {
		const all = [loses(), access([role('admin')], [role('viewer')]), SHUT_OUT, DELETED];
		const taken = all.flatMap((one) =>
			names.map((name) => ({ ...one, person: called(`${name} ${all.indexOf(one)}`) }) as Change),
		);
		const text = summary({ changes: [...grants(500), ...taken] });
		for (const name of names) expect(text.split(`${name} `)).toHaveLength(all.length + 1);
		expect(text.endsWith('- and 500 more')).toBe(true);
	});
});

describe('names stay text', () => {
	/** What Slack, Teams or GitHub would make something of, anywhere in a text. */
	const ALIVE = [
		/[*~`<>]/, // emphasis, code, HTML, Slack's <!here> and <@U123>
		/\]\(/, // links and images
		/[@＠#&]\w/, // mentions, channels, issues, entities
		/[^\u200B]@|@[^\u200B]/, // emails
		/:[^\s\u200B]/, // schemes and :emoji:
		// Domains: a www followed by a dot is a link whatever comes then (https://github.github.com/gfm/#extended-www-autolink).
		/[^\u200B][.．。｡]\u200B?[\p{L}\p{N}]|[.．。｡][\p{L}\p{N}]/u,
		/[\p{Cc}\p{Zl}\p{Zp}\u202E]/u, // line breaks, and letters that run backwards
	];

	/** The summary with what is its own taken out, and addresses, which are to be copied. */
	const foreign = (text: string) => text.split('`')[1].replace(ADDRESS, ' ');
	const ADDRESS =
		/(?<=^|[^\p{L}\p{N}.+_'-])(?!www)[\p{L}\p{N}.+_'-]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/giu;

	const WORST = [
		'@channel',
		'<!here>',
		'<@U123>',
		'<!subteam^S1|@admins>',
		'<https://evil.example|click>',
		'[click](https://evil.example)',
		'![x](https://evil.example/x.png)',
		'<img src=x onerror=alert(1)>',
		'&lt;b&gt;',
		'https://evil.example',
		'www.evil.example',
		'evil.example',
		...['a@b', 'ana@'],
		'evil。example',
		'ana@evil.example',
		'mailto:ana@evil.example',
		'www.evil.example@evil.example',
		'`code` **bold** __init__ ~gone~',
		'ana\n# Approved\n- nothing is taken away',
		'ana\r\u2028\u2029\u0085x',
		'\u202Enimda',
		':tada:',
		'org/repo#1',
		'half \uD800',
	];

	test.each(WORST)('%j', (worst) => {
		const text = summary({ changes: [gets(worst)] });
		expect(text.split('\n')).toHaveLength(7);
		for (const alive of ALIVE) expect(foreign(text)).not.toMatch(alive);
	});

	test('in every place', () => {
		const worst = '[x](https://evil.example) <!here> @channel\n**x** `y`';
		const value = heldValue({ attribute: worst, value: worst });
		const all = [group(worst, worst), role(worst, worst), value];
		const changes = [
			...all.map((one) => access([], [one], worst, worst)),
			...all.map((one) => access([one], [], worst, worst)),
			access([role(worst, worst)], [role(`${worst} too`, worst)], worst, worst),
			account('there', 'there', { attributes: { [worst]: 1 }, person: called(worst), why: worst }),
		];
		const text = summary({
			changes,
			leftAlone: changes,
			blockedBy: [worst],
			unusable: [{ row: worst, reason: worst }],
		});
		expect(text).not.toMatch(/\]\(|:\/\/|evil\.example|<|>|@channel|y`\)|\*x/);
		// Every line is one of ours.
		for (const line of text.split('\n'))
			expect(line).toMatch(/^(|- .*|\*\*.*\*\*|\d.* requests\.)$/);
	});

	test('any text stays one line and dead', () => {
		// Strings of fast-check in this range keep a table of a million letters.
		const letter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
		const letters = fc.array(letter, { maxLength: 5 }).map((all) => all.join(''));
		const piece = fc.oneof(fc.constantFrom(...WORST), letters);
		fc.assert(
			fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
				const text = summary({ changes: [gets(pieces.join(''))] });
				const shown = foreign(text);
				expect(text.split('\n')).toHaveLength(7);
				for (const alive of ALIVE) expect(shown).not.toMatch(alive);
			}),
		);
	});

	test.each(['ana_b@mail.example.com', 'joão.gonçalves@example.com', "o'neil+x@a-b.example"])(
		'an address is copied as it is: %s',
		(address) => {
			const {
				summary: markdown,
				summaryText,
				summaryHtml,
			} = inAllForms({
				changes: [gets(address)],
				blockedBy: [`${address} is protected.`],
			});
			expect(markdown).toContain(`\`${address}\`: gets group`);
			expect(markdown).toContain(`**Blocked: ${address} is protected.**`);
			expect(summaryText).toContain(`"${address}": gets group "VPN"`);
			expect(summaryHtml).toContain(`<code>${address.replace("'", '&#39;')}</code>: gets group`);
		},
	);

	test('the text and the HTML say the same; of a name nothing becomes a tag', () => {
		const worst = '<b>&lt;i&gt;</b> "x" \'y\' [x](https://evil.example)';
		const parts = { changes: [gets(worst, worst), loses()], blockedBy: [worst], requests: 2 };
		const { summaryText, summaryHtml } = inAllForms(parts);
		expect(new Set(summaryHtml.match(/<[^>]*>/g))).toEqual(
			new Set(['<b>', '</b>', '<code>', '</code>', '<br>']),
		);
		for (const text of [summaryText, summaryHtml]) expect(text).not.toMatch(/evil\.|:\/\//);
		expect(summaryText).not.toMatch(/\*\*|`/);
		const read = summaryHtml
			.replaceAll('<br>', '\n')
			.replace(/<\/?code>/g, '"')
			.replace(/<\/?b>/g, '');
		const same: Record<string, string> = { "'": '"', '‹': '<', '›': '>' };
		const plainly = (text: string) => text.replace(/['‹›]/g, (sign) => same[sign]);
		const unescaped = [
			['lt', '<'],
			['gt', '>'],
			['quot', '"'],
			['#39', "'"],
			['amp', '&'],
		];
		const decoded = unescaped.reduce(
			(text, [name, sign]) => text.replaceAll(`&${name};`, sign),
			read,
		);
		expect(plainly(decoded)).toBe(plainly(summaryText));
	});

	const READABLE = [
		'Zoë Müller',
		'営業部',
		"O'Brien, Ana (Sales)",
		'R+D / 50 %',
		'Ana J. Doe',
		'a-b|c=d!',
	];

	test.each([
		...READABLE.map((one) => [one, `\`${one}\``]),
		['a`*~<>b', "`a'∗∼‹›b`"],
		['x'.repeat(201), `\`${'x'.repeat(200)}…\``],
		['😀'.repeat(200), `\`${'😀'.repeat(200)}\``],
		['😀'.repeat(201), `\`${'😀'.repeat(200)}…\``],
		[' ', 'without a name'],
	])('%j is shown as %s', (userName, shown) => {
		expect(summary({ changes: [gets(userName)] })).toContain(`- ${shown}: gets group`);
	});
});
