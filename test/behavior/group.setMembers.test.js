'use strict';

const { Account, Groups, email, emails, put, table } = require('../support/behavior');

// Where the list, or an item for the same group, cannot be used, no one is removed.

const on = () => new Account({ ana: 'a', bob: 'a', cid: 'a:viewer', dan: '', eve: 'a:admin' });
const set = (people, options) => (w) => ({
	...{ chooseGroupBy: 'group', group: w.group('a'), people, options },
});
const several =
	(...lists) =>
	(w) => ({ ...set('')(w), items: lists.map((people) => ({ people })) });
const allowEmptying = { allowEmptying: true };
const all = emails('ana cid dan');

table(
	'group',
	'setMembers',
	[
		...['difference', 'wholeList'].map((replaceWith) => ({
			it: `the members become exactly the list (${replaceWith})`,
			wish: set(all, { replaceWith }),
			sends: [replaceWith === 'wholeList' ? 'PUT a:member' : 'PATCH a:member'],
			ends: { bob: '', cid: 'a:member', dan: 'a:member' },
		})),
		...[
			[[email('ana'), ''], 2],
			[[{ email: email('ana') }, email('bob')], 1],
			[`${email('ana')},,${email('dan')}`, 2],
			[JSON.stringify([email('ana'), email('dan'), null]), 3],
		].map(([list, position]) => ({
			it: `a list with a hole: ${JSON.stringify(list)}`,
			wish: set(list, allowEmptying),
			fails: [`Entry ${position} of People is `],
			reads: 0,
		})),
		{
			it: 'line breaks and semicolons separate, and may end a list',
			wish: set(`${email('ana')},\r\n${email('bob')};\n\n`),
		},
		...[[], ''].map((people) => ({
			it: `an empty list has to be allowed: ${JSON.stringify(people)}`,
			wish: set(people),
			fails: ['would remove everybody'],
		})),
		{
			it: 'an empty list that is allowed',
			wish: set([], allowEmptying),
			ends: { ana: '', bob: '' },
		},
		{
			it: 'two different lists for one group are an error that names both items',
			wish: several(email('ana'), email('bob')),
			fails: Array(2).fill('Items 0 and 1 want different members'),
		},
		{
			it: 'an item for the same group that cannot be used',
			wish: several(email('ana'), 'ana@'),
			fails: ['ana@'],
			items: expect.arrayContaining([
				expect.objectContaining({ userName: email('bob'), status: 'skipped' }),
			]),
		},
		{
			it: 'a person on the list who is not found',
			wish: set(emails('nobody ana')),
			fails: ['No user has the user name nobody@example.com'],
			items: expect.arrayContaining([
				expect.objectContaining({ userName: email('bob'), status: 'skipped' }),
			]),
		},
	].map((row) => ({ on, ...row })),
);

// A PUT drops whoever joined after the read, and these may be the ones who are held back.
const wholeList = (people, more) => (w) => ({
	...{ group: w.group('eng'), people: emails(people), options: { replaceWith: 'wholeList' } },
	...more?.(w),
});
table(
	'group',
	'setMembers',
	[
		{
			it: 'a person who is not found',
			wish: wholeList('nobody dan'),
			fails: ['No user has the user name nobody@example.com'],
		},
		{
			it: 'an item for the same group',
			wish: wholeList('', () => ({
				items: [email('dan'), `${email('dan')},,`].map((people) => ({ people })),
			})),
			fails: ['Entry 2 of People is empty'],
		},
		{
			it: 'an item for a group that is not known',
			wish: wholeList('', (w) => ({
				items: ['eng', ''].map((group) => ({ group: w.group(group), people: email('dan') })),
			})),
			fails: ['No group specified'],
		},
	].map((row) => ({
		...row,
		it: `of a whole list with an entry that cannot be used, additions alone leave, by PATCH: ${row.it}`,
		on: () => new Groups({ ana: 'eng', dan: '', new: '' }),
		meanwhile: ['GET Users', put({ new: 'eng' })],
		items: expect.arrayContaining([
			expect.objectContaining({ reason: expect.stringContaining('nobody is removed while item') }),
			expect.objectContaining({ userName: email('dan'), status: 'done' }),
		]),
		ops: [{ op: 'add', path: 'members', value: [expect.anything()] }],
		ends: { dan: 'eng', new: 'eng' },
	})),
);

table('group', 'create', [
	{
		it: 'this service makes its groups itself, and the error says so',
		on,
		wish: { displayName: 'Designers' },
		sends: ['POST Groups 400'],
		fails: [/service answered 400/],
	},
]);
