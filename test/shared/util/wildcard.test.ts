import { wildcard } from '../../../nodes/shared/util/names';

it.each([
	['drift', 'DRIFT', true],
	['drift', 'drifts', false],
	['dr*ft', 'drift', true],
	['dr*ft', 'drft', true],
	['dr*rft', 'drft', false],
	['*ab', 'abab', true],
	['ab*ab', 'ab', false],
	['a*b*c', 'a-c-b-c', true],
	['a*b*c', 'a-c-b', false],
	['**', '', true],
	['*', 'line\nbreak', true],
	['a.c', 'abc', false],
	['(a+b)[x]*', '(a+b)[x]y', true],
	['', '', true],
	['', 'a', false],
])('%j and %j: %s', (pattern, text, matches) => {
	expect(wildcard(pattern)(text)).toBe(matches);
});

it('does not try every way to share a text among many parts', () => {
	expect(wildcard('*a*a*a*a*a*a*a*a*b')('a'.repeat(5_000))).toBe(false);
});
