'use strict';

require('../support/noWaiting');
const { inPagesOf } = require('../support/pages');
const { matchOn } = require('../support/columns');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const {
	ID,
	credentialOf,
	email,
	errorsIn,
	idOf,
	listed,
	locator,
	membersIn,
	person,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');

/** User names that are no emails, as Weights & Biases and Slack have them. */
const account = (name, more = {}) => ({ ...person(name, []), userName: name, ...more });
const emailsOf = (...list) => ({
	emails: list.map(([value, primary]) => ({ value, ...(primary && { primary }) })),
});
const PEOPLE = [
	account('ana', { externalId: 'HR-1' }),
	account('ben', { externalId: 'hr-1', ...emailsOf(['b@example.com'], [email('ana'), false]) }),
	account('cleo', emailsOf([email('old')], [email('cleo'), true])),
	account('twin1', emailsOf([email('twin')])),
	account('twin2', emailsOf(['TWIN@example.com'])),
	account('mute', { emails: undefined }),
	account('both', emailsOf([email('one')], [email('two')])),
];
const withPeople = (more = {}) => serviceWith({ people: PEOPLE, ...more });
const idOfName = (name) => [...withPeople().users].find(([, { userName }]) => userName === name)[0];

const by = (matchUsersBy, options = {}) => ({ options: { matchUsersBy, ...options } });
const assign = async (service, people, parameters, more) =>
	await play(service, 'assign', { people, ...listed('VPN'), ...parameters }, [{}], more);
const onUser = async (service, operation, parameters, items, more = {}) =>
	await play(service, operation, parameters, items, { resource: 'user', ...more });
const namesIn = (service) => [...service.users.values()].map(({ userName }) => userName).sort();

describe.each(['on', 'exactCase', 'ignored', 'off'])(
	'matching where the filter is %s',
	(filter) => {
		test('by email: the main one, in any case, and no other', async () => {
			const service = withPeople({ filter });
			const items = await assign(service, 'ANA@example.com, cleo@example.com', by('email'));
			expect(items).toMatchObject([
				{ userId: idOfName('ana'), userName: 'ana', status: 'done' },
				{ userId: idOfName('cleo'), userName: 'cleo', status: 'done' },
			]);
			const onlyFound = { ...by('email'), createMissing: false };
			const [error] = errorsIn(await assign(service, email('old'), onlyFound));
			expect(error).toContain('No user has the email old@example.com');
		});

		test.each(['twin', 'one'])(
			'by email: not by one that is not unique, or one of many: %s',
			async (name) => {
				const service = withPeople({ filter });
				const [error] = errorsIn(await assign(service, email(name), by('email')));
				expect(error).toContain(
					name === 'twin' ? 'More than one user has the email' : 'No user has',
				);
				if (name === 'twin') expect(error).toContain(`${idOfName('twin1')}, ${idOfName('twin2')}`);
				expect(service.written()).toStrictEqual([]);
			},
		);

		test('by external ID: its case counts', async () => {
			const service = withPeople({ filter });
			expect(await assign(service, 'hr-1', by('externalId'))).toMatchObject([
				{ userName: 'ben', status: 'done' },
			]);
			const [error] = errorsIn(await assign(service, 'Hr-1', by('externalId')));
			expect(error).toContain('No user has the external ID Hr-1');
		});

		test.each([
			['get', 'user', {}],
			['get', 'access', {}],
			['deactivate', 'user', {}],
			['delete', 'user', {}],
			['update', 'user', { updateFields: { attributesJson: { title: 'Engineer' } } }],
		])('%s of %s by external ID', async (operation, resource, parameters) => {
			const service = withPeople({ filter });
			const user = locator('email', 'HR-1');
			const items = await play(
				service,
				operation,
				{ user, ...parameters, ...by('externalId') },
				[{}],
				{ resource },
			);
			expect(items).toMatchObject([{ userId: idOfName('ana') }]);
		});
	},
);

afterEach(() => jest.restoreAllMocks());

test.each(['email', 'externalId'])('a hit in a list that is not whole is none: %s', async (key) => {
	inPagesOf(2);
	const requests = { maxWait: 0, verifyTime: 0 };
	const service = withPeople({ filter: 'off', ignoresStart: true });
	const who = key === 'email' ? email('ana') : 'HR-1';
	const user = locator('email', who);
	const items = await onUser(service, 'deactivate', { user, ...by(key, requests) });
	expect(errorsIn(items)[0]).toContain('the list of users is incomplete');
	expect(service.written()).toStrictEqual([]);
});

test('one person by external ID takes one filter', async () => {
	const service = withPeople();
	await onUser(service, 'get', { user: locator('email', 'HR-1'), ...by('externalId') });
	expect(service.requests.map(({ path }) => path)).toEqual(['/Users']);
});

describe('Create or Update', () => {
	const wanted = (userName, more) => ({
		userName,
		additionalFields: { attributesJson: more },
	});

	test('by external ID: the one is updated, also in the user name, and nobody else', async () => {
		const service = withPeople();
		const items = await onUser(service, 'upsert', {
			...wanted('ana.new', { externalId: 'HR-1', title: 'Engineer' }),
			...by('externalId'),
		});
		expect(items).toMatchObject([{ status: 'done', userId: idOfName('ana'), userName: 'ana.new' }]);
		expect(service.written()).toEqual([`PATCH /Users/${idOfName('ana')}`]);
	});

	test.each([
		['ben', 'externalId', { externalId: 'HR-9' }, 'has the external ID hr-1'],
		['cleo', 'externalId', { externalId: 'HR-9' }, 'has no external ID'],
		['mute', 'email', { emails: [{ value: email('new') }] }, 'has no email'],
		['twin1', 'email', { emails: [{ value: email('new') }] }, 'has the email twin@example.com'],
	])('no twin beside %s by %s', async (name, key, attributes, words) => {
		for (const operation of ['upsert', 'create']) {
			const service = withPeople();
			const [error] = errorsIn(
				await onUser(service, operation, { ...wanted(name, attributes), ...by(key) }),
			);
			expect(error).toContain(words);
			expect(error).toContain(idOfName(name));
			expect(error).not.toContain('exists already');
			expect(service.written()).toStrictEqual([]);
		}
	});

	test('Link by User Name writes the external ID to who has none, and the preview shows it', async () => {
		const service = withPeople();
		const parameters = {
			...wanted('CLEO', { externalId: 'HR-9' }),
			...by('externalId', { linkByUserName: true }),
		};
		const [preview] = await onUser(service, 'upsert', { ...parameters, preview: true });
		expect(JSON.stringify(preview)).toContain('HR-9');
		expect(service.written()).toStrictEqual([]);
		expect(await onUser(service, 'upsert', parameters)).toMatchObject([
			{ status: 'done', userId: idOfName('cleo') },
		]);
		expect(service.users.get(idOfName('cleo')).attributes.externalId).toBe('HR-9');
		expect(await onUser(service, 'upsert', parameters)).toMatchObject([{ status: 'unchanged' }]);
	});

	test('Link by User Name takes nobody with another key, and none of two', async () => {
		const two = [account('Cleo', { id: 'u-1' }), account('cleo', { id: 'u-2' })];
		const linking = by('externalId', { linkByUserName: true });
		for (const [service, name] of [
			[withPeople(), 'ben'],
			[serviceWith({ people: two, namesMayDifferInCase: true }), 'CLEO'],
		]) {
			const items = await onUser(service, 'upsert', {
				...wanted(name, { externalId: 'HR-9' }),
				...linking,
			});
			expect(errorsIn(items)[0]).toContain('is taken by');
			expect(service.written()).toStrictEqual([]);
		}
	});

	test('a service that does not keep the external ID: the link is unverified', async () => {
		const service = withPeople({
			faults: [{ method: 'PATCH', kind: 'status', status: 204 }],
		});
		const items = await onUser(service, 'upsert', {
			...wanted('cleo', { externalId: 'HR-9' }),
			...by('externalId', { linkByUserName: true }),
		});
		expect(items[0].status).not.toBe('done');
	});

	test.each(['upsert', 'create'])(
		'two items with one key and two user names: %s',
		async (operation) => {
			const service = withPeople();
			const items = await onUser(service, operation, by('externalId'), [
				wanted('zoe', { externalId: 'HR-9' }),
				wanted('zoe.two', { externalId: 'HR-9' }),
			]);
			expect(errorsIn(items)[0]).toContain('have the external ID HR-9, but not the same user name');
			expect(namesIn(service)).not.toContain('zoe.two');
		},
	);

	test.each([
		['email', {}],
		['email', { emails: [{ value: email('a') }, { value: email('b') }] }],
		['externalId', {}],
	])('by %s without one: %j', async (key, attributes) => {
		const service = withPeople();
		const items = await onUser(service, 'upsert', { ...wanted('zoe', attributes), ...by(key) });
		expect(errorsIn(items)[0]).toContain('to be matched by');
		expect(service.requests).toStrictEqual([]);
	});
});

describe('what only looks like one person', () => {
	const item = (userName, attributesJson) => ({ userName, additionalFields: { attributesJson } });
	const withId = (service, externalId) =>
		[...service.users.values()].filter(({ attributes }) => attributes.externalId === externalId);
	const inVpn = (name, more) => ({ ...account(name, more), groups: [ID.vpn] });

	test.each(['upsert', 'create'])(
		'%s: one user name with two keys touches nobody else',
		async (operation) => {
			const service = serviceWith({ people: [account('bert', { externalId: 'HR-2' })] });
			const items = [
				item('x', { externalId: 'HR-1', active: false }),
				item('x', { externalId: 'HR-2' }),
			];
			const made = await onUser(service, operation, by('externalId'), items);
			expect(errorsIn(made).join()).toContain('Items 0 and 1');
			expect(withId(service, 'HR-2')).toMatchObject([{ userName: 'bert', active: true }]);
		},
	);

	test('no second account with one external ID', async () => {
		const service = serviceWith({ people: [account('ana', { externalId: 'HR-1' })] });
		const items = [item('z', { externalId: 'HR-1' }), item('z', { externalId: 'HR-7' })];
		await onUser(service, 'upsert', by('externalId'), items);
		expect(withId(service, 'HR-1')).toHaveLength(1);
	});

	test('a page of a filter that is not all of it hides nobody', async () => {
		const shared = emailsOf(['s@example.com']);
		const service = serviceWith({
			people: [inVpn('ana', shared), inVpn('ben', shared)],
			pageCap: 1,
		});
		const items = await play(service, 'offboard', { people: 's@example.com', ...by('email') });
		expect(errorsIn(items)[0]).toContain('More than one user');
		expect(service.written()).toStrictEqual([]);
	});

	test('who has the email among others is not gone, and gets no second account', async () => {
		const two = emailsOf(['x@example.com'], ['y@example.com']);
		for (const [operation, parameters] of [
			['offboard', by('email', { ifNotFound: 'alreadyGone' })],
			['assign', { ...by('email'), createMissing: true, ...listed('VPN') }],
		]) {
			const service = serviceWith({ people: [inVpn('ana', two)] });
			const items = await play(service, operation, { people: 'x@example.com', ...parameters });
			expect(errorsIn(items)[0]).toContain('ana');
			expect(service.written()).toStrictEqual([]);
		}
	});

	test('a user name that somebody else has is given to nobody', async () => {
		const service = withPeople();
		const items = await onUser(service, 'upsert', by('externalId'), [
			item('cleo', { externalId: 'HR-1' }),
		]);
		expect(errorsIn(items)[0]).toContain(`belongs to another user (ID ${idOfName('cleo')})`);
		expect(service.written()).toStrictEqual([]);
	});

	test('by email, a user name of the service stays', async () => {
		const service = withPeople();
		const items = await onUser(service, 'upsert', by('email'), [
			item(email('ana'), { emails: [{ value: email('ana') }], title: 'Boss' }),
		]);
		expect(items).toMatchObject([{ status: 'done', userName: 'ana' }]);
	});
});

describe('a service that changes user names', () => {
	const { rateLimit: _, ...slack } = DIALECTS.slack.switches;
	const converting = (more) => serviceWith({ people: [account('ana')], nameLength: 21, ...more });
	const three = ['ben', 'cleo', 'dan'].map(email).join(', ');
	const creating = { createMissing: true };

	test('by user name: the first that is seen ends it, naming Match Users By', async () => {
		const service = converting();
		const items = await assign(service, three, creating);
		const errors = errorsIn(items);
		expect(errors[0]).toContain('changed the user name ben@example.com to ben');
		expect(errors.slice(0, 3).every((error) => error.includes('Match Users By'))).toBe(true);
		expect(errors.slice(1, 3).every((error) => error.includes('No more users are created'))).toBe(
			true,
		);
		expect(namesIn(service)).toEqual(['ana', 'ben']);
	});

	test('by email: all are created, given access, and found again', async () => {
		const service = converting();
		const items = await assign(service, three, { ...creating, ...by('email') });
		expect(errorsIn(items)).toStrictEqual([]);
		expect(membersIn(service).vpn).toHaveLength(3);
		const written = service.written().length;
		const again = await assign(service, three, { ...creating, ...by('email') });
		expect(again.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
		expect(service.written()).toHaveLength(written);
	});

	test.each(['reset-after', '500-after'])(
		'by email: created once where the answer is lost: %s',
		async (kind) => {
			const service = converting({ faults: [{ method: 'POST', nth: 1, kind }] });
			await assign(service, email('ben'), { ...creating, ...by('email') });
			expect(namesIn(service).filter((name) => name === 'ben')).toHaveLength(1);
		},
	);

	describe('and makes them unique, so that no 409 tells of a second account', () => {
		// No page tells of such a service: it is what one could do that gives each its own name.
		const numbering = (faults, more) => {
			let last = 0;
			const onWrite = ({ method, body }) => {
				if (method === 'POST') body.userName = `${body.userName.split('@')[0]}${++last}`;
			};
			return serviceWith({ people: [account('ana', more)], onWrite, faults });
		};
		const lost = (kind) => [{ method: 'POST', nth: 1, kind }];
		const attributesJson = { externalId: 'HR-9' };
		const patient = { options: { maxWait: 60, verifyTime: 0 } };
		const ben = { userName: email('ben'), additionalFields: { attributesJson } };

		test.each(['create', 'upsert'])(
			'a lost answer: the external ID shows who is there, and nobody is created twice: %s',
			async (operation) => {
				for (const kind of ['reset-after', '500-after']) {
					const service = numbering(lost(kind));
					const [item] = await onUser(service, operation, patient, [ben]);
					expect(namesIn(service)).toEqual(['ana', 'ben1']);
					expect(item).toMatchObject({ status: 'unverified', userId: expect.any(String) });
					expect(errorsIn([item])[0]).toContain('ben1');
				}
			},
		);

		test('a lost answer, where it was not carried out: created by the second', async () => {
			const service = serviceWith({ people: [account('ana')], faults: lost('reset-before') });
			const [item] = await onUser(service, 'create', patient, [ben]);
			expect(item).toMatchObject({ status: 'done', userName: email('ben') });
		});

		test('another user with the external ID is not taken for the new one, nor a second created', async () => {
			const service = numbering(lost('500-html'), { externalId: 'HR-9', title: 'Boss' });
			const [item] = await onUser(service, 'upsert', patient, [ben]);
			expect(item.status).toBe('unverified');
			expect(namesIn(service)).toEqual(['ana']);
		});
	});

	test.each([
		['assign', 'access', { people: email('ana'), ...listed('VPN') }],
		['offboard', 'access', { people: email('ana') }],
		['create', 'user', { userName: email('zoe') }],
		['upsert', 'user', { userName: email('zoe') }],
		['get', 'user', { user: locator('email', email('ana')) }],
		['changeEmail', 'access', { user: locator('id', 'x'), newEmail: email('zoe') }],
		['reconcile', 'user', { usersFrom: 'json', usersJson: `[{"userName": "${email('ana')}"}]` }],
		[
			'reconcile',
			'access',
			{
				...{ wantedFrom: 'json', wantedJson: `[{"userName": "ana", "group": "VPN"}]` },
				scopeGroups: rows('VPN'),
			},
		],
	])(
		'with the Slack preset nothing is sent by user name: %s',
		async (operation, resource, parameters) => {
			const service = converting();
			const credential = { serviceProfile: 'slack' };
			const items = await play(service, operation, { preview: false, ...parameters }, [{}], {
				...{ resource, credential },
			}).catch((error) => [{ error: error.message }]);
			expect(errorsIn(items)[0]).toMatch(/this service changes the user names it is given/);
			expect(service.requests).toStrictEqual([]);
		},
	);

	test('with the Slack preset by email: onboarded, and offboarded', async () => {
		const service = converting({ ...slack });
		const credential = { serviceProfile: 'slack' };
		const more = { credential };
		const items = await assign(service, email('ben'), { ...creating, ...by('email') }, more);
		expect(errorsIn(items)).toStrictEqual([]);
		expect(items).toMatchObject([{ change: 'created' }, { change: 'granted' }]);
		const left = await play(
			service,
			'offboard',
			{ people: email('ben'), ...by('email') },
			[{}],
			more,
		);
		expect(errorsIn(left)).toStrictEqual([]);
		expect(membersIn(service).vpn).toBeUndefined();
	});
});

describe('Access: Reconcile', () => {
	const inVpn = (name, more) => ({ ...account(name, more), groups: [ID.vpn] });
	const service = (more) =>
		serviceWith({
			people: [
				inVpn('ana', { externalId: 'HR-1' }),
				inVpn('ben', { externalId: 'HR-2' }),
				inVpn('nokey'),
				inVpn('same1', { externalId: 'HR-7' }),
				inVpn('same2', { externalId: 'HR-7' }),
				account('cleo', { externalId: 'HR-3' }),
			],
			...more,
		});
	const reconcile = async (on, list, options = {}) =>
		await play(on, 'reconcile', {
			preview: false,
			wantedFrom: 'json',
			wantedJson: JSON.stringify(list),
			scopeGroups: rows('VPN'),
			createMissing: true,
			accessColumns: { attributes: 'displayName' },
			...by('externalId', {
				deactivatesEmpty: true,
				maxPeopleAffected: 1000,
				...options,
			}),
		});
	const want = (externalId, more) => ({ externalId, group: 'VPN', ...more });

	test('whom no key can name keeps everything, and is listed', async () => {
		const on = service();
		const items = await reconcile(on, [want('HR-1'), want('HR-3')]);
		expect(errorsIn(items)).toStrictEqual([]);
		expect(membersIn(on).vpn).toEqual(['ana', 'cleo', 'nokey', 'same1', 'same2']);
		const active = [...on.users.values()].filter((user) => user.active !== false);
		expect(active.map(({ userName }) => userName)).not.toContain('ben');
		expect(active).toHaveLength(5);
		const kept = items.filter(({ status }) => status === 'skipped');
		expect(kept.map(({ userName }) => userName).sort()).toEqual(['nokey', 'same1', 'same2']);
		expect(kept[0].reason).toContain('external ID');
	});

	test('whom no key can name is in the summary, in scope or not', async () => {
		const on = service({ people: [inVpn('ana', { externalId: 'HR-1' }), account('nokey')] });
		const [preview] = await play(on, 'reconcile', {
			...{ preview: true, wantedFrom: 'json', wantedJson: JSON.stringify([want('HR-1')]) },
			...{ scopeGroups: rows('VPN'), ...by('externalId') },
		});
		expect(preview.summary).toMatch(/Cannot be matched[^]*nokey/);
	});

	test('somebody new needs a user name, and is found again by the key', async () => {
		const on = service();
		const row = want('HR-4', { userName: 'dan', displayName: 'Dan' });
		expect(errorsIn(await reconcile(on, [want('HR-1'), want('HR-2'), row]))).toStrictEqual([]);
		const dan = [...on.users.values()].find(({ userName }) => userName === 'dan');
		expect(dan.attributes.externalId).toBe('HR-4');
		const written = on.written().length;
		await reconcile(on, [want('HR-1'), want('HR-2'), row]);
		expect(on.written()).toHaveLength(written);
	});

	test('a user name that another key has is an error, and nothing is taken away', async () => {
		const on = service();
		const items = await reconcile(on, [want('HR-1'), want('HR-4', { userName: 'cleo' })]);
		expect(errorsIn(items).join()).toContain('has the external ID HR-3');
		expect(on.written()).toStrictEqual([]);
	});

	test('one user name for two keys is an error, and nothing is taken away', async () => {
		const on = service();
		const items = await reconcile(on, [
			want('HR-1'),
			want('HR-4', { userName: 'dan' }),
			want('HR-5', { userName: 'dan' }),
		]);
		expect(errorsIn(items).join()).toContain('for two users (HR-4 and HR-5)');
		expect(membersIn(on).vpn).toEqual(expect.arrayContaining(['ana', 'ben', 'nokey']));
	});

	test('a plan creates by its key later, and nobody beside who has come meanwhile', async () => {
		const on = service();
		const row = want('HR-4', { userName: 'dan' });
		const list = [want('HR-1'), want('HR-2'), row];
		const preview = await play(on, 'reconcile', {
			preview: true,
			wantedFrom: 'json',
			wantedJson: JSON.stringify(list),
			scopeGroups: rows('VPN'),
			createMissing: true,
			...by('externalId'),
		});
		on.create('dan.s', { externalId: 'HR-4' });
		await play(on, 'applyPlan', { plan: preview[0] });
		expect(namesIn(on).filter((name) => name.startsWith('dan'))).toEqual(['dan.s']);
	});
});

describe('Protected Users as emails, where user names are none', () => {
	test.each([email('ana'), '*@example.com'])('%s', async (entry) => {
		const options = { matchUsersBy: 'email', protectedUsers: entry };
		const service = withPeople({ people: [{ ...PEOPLE[0], groups: [ID.vpn] }] });
		const offboarded = await play(service, 'offboard', { people: email('ana'), options });
		expect(errorsIn(offboarded).join()).toContain('protected');
		const reconciled = await onUser(service, 'reconcile', {
			preview: false,
			usersFrom: 'json',
			usersJson: JSON.stringify([{ email: email('ana'), active: false }]),
			options,
			...matchOn('email'),
		});
		expect(errorsIn(reconciled).join()).toContain('protected');
		expect(service.written()).toStrictEqual([]);
	});
});
