import { hintsOf } from '../../../nodes/shared/run/hints';
import { previewItem } from '../../../nodes/shared/run/preview';

const itemsWith = (...warnings: unknown[]) =>
	warnings.map((said) => ({ json: { warnings: said } as never }));
const messages = (items: Parameters<typeof hintsOf>[0]) =>
	hintsOf(items).map(({ message }) => message);

it('names of the service are shown as they are, not rendered', () => {
	const name = `<a href="https://evil.example">O'Neil & Co</a>`;
	expect(messages(itemsWith([`No group matches ${name}`]))).toEqual([
		'No group matches &lt;a href=&quot;https://evil.example&quot;&gt;O&#39;Neil &amp; Co&lt;/a&gt;',
	]);
});

it('a warning of several items is one hint, the most frequent first', () => {
	expect(messages(itemsWith(['once'], ['often'], ['often', 'twice'], ['often', 'twice']))).toEqual([
		'often (3 items)',
		'twice (2 items)',
		'once',
	]);
});

it.each([
	[5, ['w1', 'w2', 'w3', 'w4', 'w5']],
	[6, ['w1', 'w2', 'w3', 'w4', '2 more warnings: see the items']],
])('%i warnings are five hints', (count, expected) => {
	const warnings = Array.from({ length: count }, (_, index) => `w${index + 1}`);
	expect(messages(itemsWith(warnings))).toEqual(expected);
});

it('an attribute of a user that is called warnings is none', () => {
	expect(messages(itemsWith(undefined, 'text', [{ nested: true }]))).toStrictEqual([]);
});

describe('what a preview would do', () => {
	/** A preview of nothing, with such fields. */
	const plan = (more: object) => {
		const nothing = { steps: [], settled: [], warnings: [], blockedBy: [] };
		const item = previewItem(nothing, new Map(), [0]);
		Object.assign(item.json, { counts: {} }, more);
		return [item];
	};

	it('is its summary, what stands in the way first', () => {
		const summaryHtml = '<b>Blocked: too many</b><br><br><b>Removed</b><br><br>- <code>ana</code>';
		expect(hintsOf(plan({ summaryHtml }))).toEqual([
			{
				message:
					'<b>Preview: nothing was sent.</b><br><b>Blocked: too many</b><br><b>Removed</b><br>- <code>ana</code>',
				...{ type: 'info', location: 'outputPane' },
			},
		]);
	});

	it('has the warnings of its summary once', () => {
		const warnings = ['mind a.b', 'what to do'];
		const summaryHtml = '- mind a\u200B.\u200Bb';
		expect(messages(plan({ summaryHtml, warnings }))).toEqual([
			'<b>Preview: nothing was sent.</b><br>- mind a.b',
			'what to do',
		]);
	});

	it('is what would be sent, where there is no summary; names are not rendered', () => {
		const requests = [{ action: 'attach <img> to 3 monitors' }];
		expect(messages(plan({ requests, blockedBy: ['<b>'] }))).toEqual([
			'<b>Preview: nothing was sent.</b><br><b>Blocked: &lt;b&gt;</b><br>attach &lt;img&gt; to 3 monitors',
		]);
	});

	it('says how somebody is asked, where there is something to ask', () => {
		const all = { summaryHtml: '- one', plan: { changes: [{}] } };
		expect(messages(plan(all))).toEqual([expect.stringContaining('{{ $json.approvalForm }}')]);
		expect(messages(plan({ ...all, plan: { changes: [] } })).join()).not.toContain('approvalForm');
	});

	it('is thirty lines of it', () => {
		const lines = Array.from({ length: 40 }, (_, index) => `- line ${index}`);
		const [message] = messages(plan({ summaryHtml: lines.join('<br><br>') }));
		expect(message.split('<br>').slice(-2)).toEqual(['- line 28', 'and 11 more lines']);
	});

	it('is not said by an attribute of a user with its name', () => {
		const json = { preview: true, blockedBy: [], counts: {}, summaryHtml: '<img src=x>' };
		expect(hintsOf([{ json: json as never }])).toEqual([]);
	});

	it('is nothing, and why', () => {
		const counts = { requests: 0, unchanged: 2, skipped: 1, failed: 0, warnings: 0 };
		expect(messages(plan({ counts }))).toEqual([
			'Preview: nothing would be sent (2 unchanged, 1 skipped).',
		]);
		expect(messages(plan({}))).toEqual(['Preview: nothing would be sent.']);
	});
});

describe('what a run came to', () => {
	const items = (...all: string[]) => all.map((status) => ({ json: { status } as never }));

	it.each([
		['more than one thing was changed', items('done', 'failed', 'done', 'unchanged', 'unverified')],
		[
			'the run is one item',
			[{ json: { counts: { done: 2, failed: 1, unverified: 1, unchanged: 1, skipped: 0 } } }],
		],
	])('is said in one line where %s', (_, all) => {
		expect(hintsOf(all as never)).toEqual([
			{
				message: '1 failed, 1 not verified, 2 done, 1 unchanged.',
				...{ type: 'info', location: 'outputPane' },
			},
		]);
	});

	it('says what was done', () => {
		const part = (change: string, status = 'done') => ({ change, status });
		const parts = [part('granted'), part('created'), part('granted'), part('revoked', 'failed')];
		const said = '1 failed, 3 done (2 granted, 1 created).';
		const record = { counts: { failed: 1, done: 3 }, changes: parts };
		for (const all of [parts, [record]])
			expect(messages(all.map((json) => ({ json })))).toEqual([said]);
	});

	it('is told as text, whatever an item of the service is like', () => {
		const part = { change: '<a href=x>', status: 'done' };
		expect(messages([part, part].map((json) => ({ json })))).toEqual([
			'2 done (2 &lt;a href=x&gt;).',
		]);
		expect(messages([{ json: { counts: { done: 'x', failed: 2 } } }])).toEqual(['2 failed.']);
	});

	it('is said where nothing had to be done; of one thing the item says it', () => {
		expect(hintsOf(items('unchanged', 'unchanged'))).toMatchObject([{ message: '2 unchanged.' }]);
		expect(hintsOf(items('done'))).toEqual([]);
		expect(hintsOf([{ json: { status: 'active' } }, { json: { status: 'active' } }])).toEqual([]);
	});
});
