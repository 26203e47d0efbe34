'use strict';

// A leaver's address is given to somebody new (eneo 443): the inactive account behind it is that of another person.

const { Groups, email, emails, table, wanted, rows } = require('../support/behavior');
const { mapped } = require('../support/node');

const REACTIVATE = { options: { reactivate: true } };
const on =
	(ana = {}) =>
	() =>
		new Groups({ bob: 'vpn', ana: { has: 'inactive eng', externalId: 'E1', ...ana } });
const another = [/external ID E1, and E9 is wanted/];

describe('an inactive account with another external ID does not come back', () => {
	table('access', 'assign', [
		{
			it: 'Assign',
			on: on(),
			wish: (w) => ({
				...{ people: emails('ana'), ...w.groups('vpn'), ...REACTIVATE },
				newUserFields: { externalId: 'E9' },
			}),
			fails: another,
		},
		{
			it: 'the same one does: a rehire',
			on: on(),
			wish: (w) => ({
				...{ people: emails('ana'), ...w.groups('vpn'), ...REACTIVATE },
				newUserFields: { externalId: 'E1' },
			}),
			ends: { ana: 'eng vpn' },
		},
		{
			it: 'nor does one without any hinder',
			on: on({ externalId: undefined }),
			wish: (w) => ({
				...{ people: emails('ana'), ...w.groups('vpn'), ...REACTIVATE },
				newUserFields: { externalId: 'E9' },
			}),
			ends: { ana: 'eng vpn' },
		},
		{
			it: 'an active one gets access: HR may number people again',
			on: on({ has: 'eng' }),
			wish: (w) => ({
				...{ people: emails('ana'), ...w.groups('vpn'), ...REACTIVATE },
				newUserFields: { externalId: 'E9' },
			}),
			ends: { ana: 'eng vpn' },
		},
	]);
	table('access', 'reconcile', {
		it: 'Access: Reconcile, by the attributes of its row',
		on: on(),
		wish: {
			...{ preview: false, unwanted: 'keep', scopeGroups: rows('vpn'), createMissing: true },
			...wanted([{ email: email('ana'), group: 'vpn', externalId: 'E9' }]),
			...{ accessColumns: { attributes: 'externalId' }, ...REACTIVATE },
		},
		fails: another,
	});
	table(
		'user',
		'reconcile',
		[
			['E9', another, {}],
			['E1', [], { ends: { ana: 'eng' } }],
		].map(([externalId, fails, more]) => ({
			it: `User: Reconcile, a row with ${externalId}`,
			on: on(),
			wish: {
				...{ preview: false, usersFrom: 'json', ...REACTIVATE },
				usersJson: JSON.stringify([{ userName: email('ana'), externalId, active: true }]),
			},
			...{ fails, ...more },
		})),
	);
	table('user', 'upsert', {
		it: 'Create or Update',
		on: on(),
		wish: { userName: email('ana'), ...mapped({ externalId: 'E9', active: true }) },
		fails: another,
	});
});
