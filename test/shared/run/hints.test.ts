import { hintsOf } from '../../../nodes/shared/run/hints';

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
