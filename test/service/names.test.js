'use strict';

require('../support/noWaiting');

const { byEmail, byId, mapped } = require('../support/node');
const { requestsOf, rolesOf, withService } = require('../support/service');

const seed = (users, memberships = []) => ({
	account: 'org-acct',
	organizations: ['org-acct', 'org-a'].map((id) => ({ id, name: id })),
	users: users.map((userName) => ({ userName })),
	memberships: memberships.map(([userName, role]) => ({ userName, organization: 'org-a', role })),
});
const inA = { chooseGroupBy: 'organizationAndRole', organization: byId('org-a'), role: 'member' };
const writes = (service) => requestsOf(service).filter((request) => !request.startsWith('GET'));

const ODD = [
	['a control character', 'ana\u0007@example.com', 'a control character (U+0007) at position 4'],
	['a zero-width space', 'ana\u200B@example.com', 'an invisible character (U+200B) at position 4'],
	[
		'a change of direction',
		'\u202Eana@example.com',
		'an invisible character (U+202E) at position 1',
	],
	['a byte order mark', 'ana@exa\uFEFFmple.com', 'an invisible character (U+FEFF) at position 8'],
	['a soft hyphen', 'ana@exam\u00ADple.com', 'an invisible character (U+00AD) at position 9'],
	['a braille blank', 'ana\u2800@example.com', 'an invisible character (U+2800) at position 4'],
	['half a character', 'ana\uD83D@example.com', 'half a character (U+D83D) at position 4'],
	['a blank', 'ana silva@example.com', 'a blank (U+0020) at position 4'],
	['a non-breaking blank', 'ana\u00A0silva@example.com', 'a blank (U+00A0) at position 4'],
	['a full-width letter', '\uFF41na@example.com', 'a full-width character (U+FF41) at position 1'],
	['a full-width @', 'ana\uFF20example.com', 'a full-width character (U+FF20) at position 4'],
];

test.each(['create', 'upsert'])(
	'%s makes no second account beside one that is stored with accents apart',
	async (operation) => {
		const stored = 'ne\u0301e@example.com';
		await withService({ seed: seed([stored], [[stored, 'member']]) }, async (service, scim) => {
			await scim('user', operation, { userName: 'n\u00E9e@example.com' });
			expect(service.state.table().people).toHaveLength(1);
		});
	},
);

describe.each(['accountOrganizations', 'generic'])(
	'an email that nobody can read as it is, profile %s',
	(serviceProfile) => {
		const more = { credential: { serviceProfile, scimPrefix: 'everyRequest' } };

		test.each(ODD)('%s: refused, named, and nothing is sent', async (_what, email, said) => {
			await withService({ seed: seed(['ana@example.com']) }, async (service, scim) => {
				const results = [
					await scim('user', 'create', { userName: email }, more),
					await scim('user', 'upsert', { userName: email }, more),
					await scim('user', 'deactivate', { user: byEmail(email) }, more),
					await scim(
						'group',
						'addMembers',
						{ chooseGroupBy: 'group', group: byId('org-a:member'), people: email },
						more,
					),
				];
				if (email.includes('@')) {
					const emails = mapped({ emails: [{ value: email }] });
					results.push(
						await scim('user', 'create', { userName: 'new@example.com', ...emails }, more),
					);
				}
				for (const { error, json } of results) {
					expect(json).toStrictEqual([]);
					expect(error.message).toContain(said);
				}
				expect(requestsOf(service)).toStrictEqual([]);
			});
		});
	},
);

describe('two spellings of one name', () => {
	const COMPOSED = 'zo\u00EB@example.com';
	const COMBINED = 'ZOE\u0308@example.com';

	test('are one person: created once, and sent composed', async () => {
		await withService({ seed: seed([]) }, async (service, scim) => {
			const { json } = await scim(
				'user',
				'upsert',
				{ userName: '={{ $json.email }}' },
				{ items: [{ email: COMBINED }, { email: COMPOSED }] },
			);
			expect(json.map(({ status }) => status)).toEqual(['done', 'done']);
			expect(writes(service)).toEqual(['POST /scim/Users 201']);
			const [post] = service.log.requests.filter(({ method }) => method === 'POST');
			expect(post.body.userName).toBe('ZO\u00CB@example.com');
		});
	});

	test('are found among the members of groups', async () => {
		const people = [COMPOSED, 'eve@example.com'];
		const roles = [
			[COMPOSED, 'member'],
			['eve@example.com', 'admin'],
		];
		await withService({ seed: seed(people, roles) }, async (service, scim) => {
			const { json } = await scim('group', 'addMembers', { ...inA, people: COMBINED });
			expect(json).toMatchObject([{ status: 'unchanged' }]);
			expect(writes(service)).toStrictEqual([]);
		});
	});

	test('protect the same person', async () => {
		const people = [COMPOSED, 'eve@example.com'];
		const roles = [
			[COMPOSED, 'member'],
			['eve@example.com', 'admin'],
		];
		await withService({ seed: seed(people, roles) }, async (service, scim) => {
			const { error } = await scim('access', 'offboard', {
				people: COMPOSED,
				options: { protectedUsers: COMBINED },
			});
			expect(error.message).toContain('is protected');
			expect(writes(service)).toStrictEqual([]);
			expect(rolesOf(service, COMPOSED)).toEqual({ 'org-a': 'member' });
		});
	});
});
