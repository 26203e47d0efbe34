import { compareAttributes } from '../../../../nodes/shared/scim/protocol/compare';

const SAME = { different: [], notShown: [] };

describe('compareAttributes', () => {
	it('an object for active says nothing', () => {
		const shown = { active: { toString: 1, valueOf: 2 } };
		expect(compareAttributes({ active: true }, shown)).toEqual({
			different: [],
			notShown: ['active'],
		});
	});

	it.each([
		['the same text', { displayName: 'Ana' }, { displayName: 'Ana' }],
		['names in other case', { displayName: 'Ana' }, { DISPLAYNAME: 'Ana' }],
		['an email in other case', { userName: 'Ana@Example.com' }, { userName: 'ana@example.com' }],
		[
			'a user name in other case (RFC 7643: not caseExact)',
			{ userName: 'Ana' },
			{ userName: 'ana' },
		],
		['active as text', { active: false }, { active: 'False' }],
		[
			'more than was asked for',
			{ name: { givenName: 'Ana' } },
			{ name: { givenName: 'Ana', x: 1 } },
		],
		[
			'more entries than were asked for',
			{ emails: [{ value: 'a@example.com' }] },
			{ emails: [{ value: 'b@example.com' }, { value: 'A@example.com', primary: true }] },
		],
		['one object instead of a list', { emails: [{ value: 'a' }] }, { emails: { value: 'a' } }],
		['nothing wanted and nothing shown', { title: '', nickName: null, emails: [] }, {}],
		['an empty list wanted and shown', { emails: [] }, { emails: [] }],
		['an empty text wanted, a part absent', { name: { middleName: '' } }, { name: {} }],
	])('agree: %s', (_, wanted, shown) => {
		expect(compareAttributes(wanted, shown)).toEqual(SAME);
	});

	it.each([
		['a text', { displayName: 'Ana' }, { displayName: 'Anna' }],
		['another case of a name', { displayName: 'Ana' }, { displayName: 'ANA' }],
		['active', { active: true }, { active: 'False' }],
		['an object for a user name', { userName: 'a@example.com' }, { userName: { toString: 1 } }],
		['a part', { name: { givenName: 'Ana' } }, { name: { familyName: 'Ana' } }],
		['an entry', { emails: [{ value: 'a@x' }] }, { emails: [{ value: 'b@x' }] }],
		['entries where none are wanted', { emails: [] }, { emails: [{ value: 'b@x' }] }],
	])('differ: %s', (_, wanted, shown) => {
		const [name] = Object.keys(wanted);
		expect(compareAttributes(wanted, shown)).toEqual({ different: [name], notShown: [] });
	});

	it('what is not shown is neither', () => {
		expect(
			compareAttributes({ externalId: '7', active: false, password: 'x' }, { password: 'x' }),
		).toEqual({ different: [], notShown: ['externalId', 'active', 'password'] });
	});

	it('an active that is neither true nor false says nothing', () => {
		for (const active of ['undefined', '', 7]) {
			expect(compareAttributes({ active: true }, { active })).toEqual({
				different: [],
				notShown: ['active'],
			});
		}
	});
});
