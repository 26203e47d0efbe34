'use strict';

// Lists as HR systems export them: odd headers, texts where SCIM has objects, and a new email of a person who is known by
// another key. Both Reconciles read them alike.

const { Groups, email, errorsIn, play, rows, table } = require('../support/behavior');
const { matchOn } = require('../support/columns');

const RECONCILE = ['user', 'reconcile'];
const on =
	(people = { ana: 'eng', ben: '' }, more = {}) =>
	() =>
		new Groups(people, more);
const list = (all, { options, ...more } = {}) => ({
	...{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(all), ...more },
	options: { maxPeopleAffected: 100, ...options },
});
/** Rows of Access: Reconcile, whose columns are named as they come. */
const access = (all, accessColumns, more) => ({
	...{ preview: false, unwanted: 'keep', scopeGroups: rows('eng') },
	...{ wantedFrom: 'json', wantedJson: JSON.stringify(all), accessColumns, ...more },
});
/** A row with which nothing is wrong. */
const BEN = { userName: email('ben') };
const BOM = '\uFEFF';
const HEADERS = [`${BOM}email`, 'Email ', '\u00a0email\u00a0', 'email\r', `${BOM} E-Mail\t`];

describe('headers', () => {
	table('access', 'reconcile', [
		...HEADERS.map((header) => ({
			it: `${JSON.stringify(header)} is the column that was dragged into Person`,
			on: on({ ana: '', ben: 'eng' }),
			wish: access([{ [header]: email('ana'), ' Group': 'eng' }], {
				person: header,
				group: ' Group',
			}),
			ends: { ana: 'eng' },
		})),
		{
			it: 'in brackets, as n8n drags it',
			on: on({ ana: '', ben: 'eng' }),
			wish: access([{ 'Work mail ': email('ana'), group: 'eng' }], { person: '["Work mail "]' }),
			ends: { ana: 'eng' },
		},
		{
			it: 'an attribute column of a new user',
			on: on({ ben: 'eng' }),
			wish: access(
				[{ [`${BOM}email`]: email('new'), group: 'eng', 'title ': 'Boss' }],
				{ attributes: ['["title "]'] },
				{ createMissing: true },
			),
			...{ ends: { new: 'eng' }, sets: { new: { title: 'Boss' } } },
		},
	]);
	table(...RECONCILE, [
		{
			it: 'name the user, and attributes',
			on: on(),
			wish: list([{ [`${BOM}userName`]: email('ana'), 'Title\r': 'Boss' }]),
			sets: { ana: { title: 'Boss' } },
		},
		{
			it: 'two that are one column and say the same are one',
			on: on(),
			wish: list([{ userName: email('ana'), title: 'Boss', 'title ': 'Boss', ' title': '' }]),
			sets: { ana: { title: 'Boss' } },
		},
		{
			it: 'two that are one column and differ: nothing is taken for either',
			on: on(),
			wish: list([{ userName: email('ana'), title: 'Boss', 'Title ': 'Clerk' }, BEN]),
			fails: ['Row 1 (ana@example.com) has two columns Title with different values'],
		},
	]);
	table('access', 'revoke', {
		it: 'of people in a list of objects',
		on: on(undefined, { credential: { overrideProfile: true, deletionIsFinal: 'no' } }),
		wish: (w) => ({ people: [{ [`${BOM}email `]: email('ana') }], ...w.groups('eng') }),
		ends: { ana: '' },
	});
});

describe('columns of which nothing is sent', () => {
	const warned = (columns) => `Columns that are not sent: ${columns}.`;
	const both = { userName: email('ana'), status: 'Inactive' };
	table(...RECONCILE, [
		{
			it: 'status, which an HR system has for leavers',
			...{ on: on(), wish: list([both], { preview: true }), warns: [warned('status')] },
		},
		{
			it: 'not the status of items of this package',
			...{ on: on(), warns: [] },
			wish: list([{ ...both, change: 'none', text: 'Ana.' }], { preview: true }),
		},
	]);
	table('access', 'reconcile', {
		it: 'status, where users may be created',
		on: on({ ana: 'eng' }),
		wish: access(
			[{ email: email('ana'), group: 'eng', Status: 'Inactive' }],
			{},
			{ createMissing: true, preview: true },
		),
		warns: [warned('Status')],
	});
});

describe('a text where SCIM has an object', () => {
	const TEXTS = [
		['name', 'Ana Silva', 'displayName, or name.givenName and name.familyName'],
		['phoneNumbers', '+49 170 1234567', 'phoneNumbers.value'],
		['phoneNumbers', ['+49 170 1234567'], 'phoneNumbers.value'],
		['phoneNumbers', 491701234567, 'phoneNumbers.value'],
		['ims', 'ana', 'ims.value'],
		['photos', 'https://example.com/ana', 'photos.value'],
		['addresses', 'Main Street 1', 'addresses.formatted'],
		['x509Certificates', 'MIIB', 'x509Certificates.value'],
		['roles', 'editor', 'Access Values'],
		['entitlements', 'billing', 'Access Values'],
	];
	table(...RECONCILE, [
		...TEXTS.map(([name, value, column]) => ({
			it: `${name} ${JSON.stringify(value)} is refused with the column that it should be`,
			on: on(),
			wish: list([{ userName: email('ana'), [name.toUpperCase()]: value }, BEN]),
			fails: [new RegExp(`${name} is "[^]*${column}`)],
		})),
		{
			it: 'a new user is not created with one',
			on: on(),
			wish: list([{ userName: email('new'), name: 'Nia New' }, BEN]),
			fails: [/name is "Nia New", not an object with parts/],
		},
		{
			it: 'JSON in a cell is what it says',
			on: on({ ana: { has: 'eng', name: { familyName: 'Silva' } } }),
			wish: list([{ userName: email('ana'), name: '{"givenName": "Anna"}' }]),
			sets: { ana: { name: { givenName: 'Anna', familyName: 'Silva' } } },
		},
		{
			it: 'an empty cell is none',
			on: on(),
			wish: list([{ userName: email('ana'), name: ' ', phoneNumbers: '' }]),
		},
	]);
	table('access', 'reconcile', {
		it: 'an attribute column of new users alike',
		on: on({ ana: 'eng' }),
		wish: access(
			[{ email: email('new'), group: 'eng', name: 'Nia New' }],
			{ attributes: 'name' },
			{ createMissing: true },
		),
		fails: [/name is "Nia New"/],
	});
});

describe('a column of the main entry of a list', () => {
	const WORK = { value: '+49 30 1', type: 'work', display: '30 1', primary: true };
	const HOME = { value: '+49 30 2', type: 'home' };
	const phones = (phoneNumbers) => on({ ana: { has: 'eng', phoneNumbers } });
	const column = (it, phoneNumbers, cells, left) => ({
		...{ it, on: phones(phoneNumbers), wish: list([{ userName: email('ana'), ...cells }]) },
		sets: { ana: { phoneNumbers: left } },
	});
	const number = { 'phoneNumbers.value': '+49 30 9' };
	table(...RECONCILE, [
		column('replaces it alone', [HOME, WORK], number, [
			{ value: '+49 30 9', type: 'work', primary: true },
			HOME,
		]),
		column('is the only one', undefined, number, [{ value: '+49 30 9' }]),
		column('is new beside several without a main one', [HOME, { value: '+49 30 3' }], number, [
			{ value: '+49 30 9', primary: true },
			...[HOME, { value: '+49 30 3' }],
		]),
		column('may be one that is there', [HOME, WORK], { 'phoneNumbers.value': HOME.value }, [
			{ value: HOME.value, type: 'work', primary: true },
		]),
		{
			it: 'is so already',
			on: phones([WORK, HOME]),
			wish: list([{ userName: email('ana'), 'phoneNumbers.value': WORK.value }]),
		},
		{
			it: 'cleared, with Empty Cells set to Clear',
			on: phones([WORK, HOME]),
			wish: list([{ userName: email('ana'), 'phoneNumbers.value': '' }], {
				options: { emptyCells: 'clear' },
			}),
			// What is left alone is the main one then.
			...{ sets: { ana: { phoneNumbers: [HOME] } }, once: true },
		},
		{
			it: 'has parts of an address',
			on: on(),
			wish: list([
				{ userName: email('ana'), 'addresses.locality': 'Lisbon', 'addresses.country': 'PT' },
				{ userName: email('new'), 'addresses.locality': 'Porto' },
			]),
			ends: { new: '' },
			sets: {
				ana: { addresses: [{ locality: 'Lisbon', country: 'PT' }] },
				new: { addresses: [{ locality: 'Porto' }] },
			},
		},
	]);
});

describe('a new email of a person whose user name was the old one', () => {
	const PERSON = { ana: { has: 'eng', externalId: 'HR-1' }, ben: { has: '', externalId: 'HR-2' } };
	const FIXED = {
		credential: { serviceProfile: 'generic', overrideProfile: true, userNameCanChange: 'no' },
	};
	const LUND = { externalId: 'HR-1', email: email('ana.lund') };
	const mails = [{ value: email('ana.lund'), primary: true }];
	const by = (all, more) => list(all, { ...matchOn('externalId'), ...more });
	const renamed = { ends: { ana: undefined, 'ana.lund': 'eng' } };
	table(...RECONCILE, [
		{
			it: 'renames the user, too',
			...{ on: on(PERSON), wish: by([LUND]), sends: ['PATCH ana'], ...renamed },
			sets: { 'ana.lund': { emails: mails } },
		},
		{
			it: 'also from the whole list of emails',
			...{ on: on(PERSON), wish: by([{ externalId: 'HR-1', emails: mails }]), ...renamed },
		},
		{
			it: 'not where the row has a user name',
			...{ on: on(PERSON), wish: by([{ ...LUND, userName: email('ana') }]) },
			sets: { ana: { emails: mails } },
		},
		{
			it: 'not where the user name was another one',
			on: on({ asilva: { ...PERSON.ana, emails: [{ value: email('ana'), primary: true }] } }),
			...{ wish: by([LUND]), sets: { asilva: { emails: mails } } },
		},
		{
			it: 'not where user names cannot change, which is said',
			...{ on: on(PERSON, FIXED), wish: by([LUND]), sets: { ana: { emails: mails } } },
			warns: [/^The user name stays ana@example\.com/],
		},
		{
			it: 'not into the name of another row',
			on: on(PERSON),
			wish: by([LUND, { externalId: 'HR-9', email: email('ANA.lund') }, { externalId: 'HR-2' }]),
			fails: [0, 1].map(() => /Rows 1 .* and 2 .* are about the same user/),
		},
		{
			it: 'not into the name of a user in no row',
			on: on({ ...PERSON, 'ana.lund': { has: '', emails: [] } }),
			...{ wish: by([LUND]), fails: [/ana\.lund@example\.com is ana\.lund@example\.com/] },
		},
	]);

	test('counts once as a change of identity, and is in the summary', async () => {
		const safetyLimits = { maxPeopleAffected: 0, maxPercentAffected: 0 };
		const wish = { ...by([LUND]), options: {}, safetyLimits };
		const errors = errorsIn(await play(on(PERSON)(), RECONCILE, wish));
		expect(errors[0]).toContain('1 people would get another user name, email or external ID');
		const [{ summaryText }] = await play(on(PERSON)(), RECONCILE, { ...wish, preview: true });
		expect(summaryText).toMatch(/User name ana@example\.com -> ana\.lund@example\.com/i);
	});
});
