'use strict';

const { Account, Groups, SHOWN, emails, table } = require('../support/behavior');

describe.each(Object.entries(SHOWN).filter(([name]) => name !== 'nowhere'))(
	'members are shown %s',
	(_, switches) => {
		const on = (people, more) => () => new Groups(people, { ...switches, ...more });

		table('access', 'assign', [
			{
				it: 'two people get two groups, and who has one already keeps it',
				on: on({ ana: 'eng', ben: 'vpn', cleo: 'eng vpn' }),
				wish: (w) => ({ people: emails('ana ben'), ...w.groups('eng vpn') }),
				items: [
					'none ana eng unchanged',
					'none ben vpn unchanged',
					'granted ana vpn done',
					'granted ben eng done',
				],
				sends: ['PATCH eng', 'PATCH vpn'],
				ends: { ana: 'eng vpn', ben: 'eng vpn' },
			},
			{
				it: 'somebody inactive gets nothing',
				on: on({ ana: 'eng', eve: 'inactive' }),
				wish: (w) => ({ people: emails('eve'), ...w.groups('eng') }),
				fails: [/is inactive/],
			},
			{
				it: 'somebody inactive comes back first with Reactivate',
				on: on({ ana: 'eng', eve: 'inactive' }),
				wish: (w) => ({ people: emails('eve'), ...w.groups('eng'), options: { reactivate: true } }),
				sends: ['PATCH eve', 'PATCH eng'],
				ends: { eve: 'eng' },
			},
		]);
	},
);

describe('on the account', () => {
	table('access', 'assign', [
		{
			it: 'a move is one write, and never a removal',
			on: () => new Account({ ana: 'a:viewer', bob: 'a:admin' }),
			wish: (w) => ({ people: 'ANA@example.com', ...w.roles('a:member') }),
			items: ['moved ANA a viewer>member done'],
			sends: ['PATCH a:member'],
			reads: 2,
			ends: { ana: 'a:member' },
		},
		{
			it: 'a role goes by its group, too',
			on: () => new Account({ ana: 'a:viewer', bob: 'a:admin' }),
			wish: (w) => ({ people: emails('ana'), ...w.groups('a:member') }),
			items: ['moved ana a viewer>member done'],
			sends: ['PATCH a:member'],
			ends: { ana: 'a:member' },
		},
		{
			it: 'who is created elsewhere meanwhile is not created again',
			on: () => new Account({ bob: 'a:admin' }),
			wish: (w) => ({ people: emails('ana'), createMissing: true, ...w.roles('a:member') }),
			meanwhile: ['POST Users', (scim) => scim.create('ana@example.com')],
			sends: ['POST Users 409', 'PATCH a:member'],
			ends: { ana: 'a:member' },
		},
	]);
});
