'use strict';

require('../support/noWaiting');
const { PROFILES } = require('../../dist/nodes/shared/scim');
const {
	GROUPS,
	ID,
	credentialOf,
	email,
	emails,
	errorsIn,
	idOf,
	listed,
	locator,
	person,
	play,
	rows,
	sealed,
	serviceWith,
} = require('../support/modelGroupsPlay');
const { CUTS } = require('../support/modelCuts');

// Whoever has a role or an entitlement has access: for the proof of a leaver, for who may be deactivated for having none,
// and for every plan.

const values = (...texts) => texts.map((value) => ({ value }));
const HELD = { roles: values('editor', 'billing'), entitlements: ['lab'] };
const said = (attribute, ...texts) => texts.map((value) => ({ attribute, value }));

/** Ana is in Engineering and has values, Ben is in VPN and has none. */
function serviceOf(attributes = HELD, switches = {}) {
	const people = [person('ana', ['eng']), person('ben', ['vpn'])];
	const service = serviceWith({ people, ...switches });
	give(service, 'ana', attributes);
	return service;
}

function give(service, name, attributes) {
	const user = service.users.get(idOf(name));
	service.store({ ...user, attributes: { ...user.attributes, ...attributes } });
}

const heldBy = (service, name = 'ana') => service.users.get(idOf(name))?.attributes;
const offboard = async (service, parameters, more) =>
	await play(service, 'offboard', { people: email('ana'), ...parameters }, [{}], more);

describe('Offboard', () => {
	test('deactivates, then takes groups and values, and proves it', async () => {
		const service = serviceOf();
		const [item] = await offboard(service);
		expect(item).toMatchObject({
			...{ status: 'done', active: false, accessRemaining: [], valuesRemaining: [] },
			valuesRemoved: [...said('roles', 'editor', 'billing'), ...said('entitlements', 'lab')],
		});
		expect(service.users.get(idOf('ana'))).toMatchObject({
			active: false,
			attributes: { roles: [], entitlements: [] },
		});
		const [first, ...others] = service.written();
		expect(first).toBe(`PATCH /Users/${idOf('ana')}`);
		expect(others.sort()).toEqual([`PATCH /Groups/${ID.eng}`, `PATCH /Users/${idOf('ana')}`]);
	});

	test('also where groups stand for organizations, and members are told by those', async () => {
		const credential = {
			...credentialOf({ deactivationDrops: true }),
			...{ groupsStandFor: 'organizationAndRole', groupPattern: 'app-{organization}-{role}' },
			groupPatternOn: 'displayName',
		};
		for (const membersShownOn of ['both', 'groups']) {
			const service = serviceOf(HELD, {
				groups: [{ id: ID.eng, displayName: 'app-acme-user' }, GROUPS.vpn],
				membersShownOn,
				deactivationDrops: true,
			});
			const [item] = await offboard(
				service,
				{ accessBy: 'organizationAndRole', people: idOf('ana') },
				{ credential },
			);
			expect(item).toMatchObject({ status: 'done', valuesRemaining: [] });
			expect(heldBy(service)).toMatchObject({ roles: [], entitlements: [] });
		}
	});

	test('who is inactive already loses what is left', async () => {
		const service = serviceOf();
		service.setActive(idOf('ana'), false);
		expect(await offboard(service)).toMatchObject([{ status: 'done', valuesRemaining: [] }]);
		expect(heldBy(service)).toMatchObject({ roles: [], entitlements: [] });
	});

	test.each([
		['value null', { value: null, display: 'admin' }],
		['texts further in', { name: { a: ['admin'] } }],
	])('an entry with %s is one', async (_, entry) => {
		const service = serviceOf({ roles: [entry] });
		const [item] = await offboard(service);
		expect(item).toMatchObject({ status: 'done', valuesRemoved: said('roles', 'admin') });
		expect(heldBy(service).roles).toStrictEqual([]);
	});

	test.each([
		['refuses every other change', { patchTakes: ['active'] }],
		['takes a removal without a word', { removesNothing: true }],
	])(
		'a service that %s: unverified, and the value is named',
		async (_, { removesNothing, ...switches }) => {
			const service = serviceOf({ roles: values('editor') }, switches);
			if (removesNothing)
				service.given.onRequest = () => give(service, 'ana', { roles: values('editor') });
			const [item] = await offboard(service);
			expect(item).toMatchObject({
				...{ status: 'unverified', active: false, accessRemaining: [] },
				...{ valuesRemoved: [], valuesRemaining: said('roles', 'editor') },
			});
			expect(String(item.error)).toContain('roles "editor"');
		},
	);

	test('a value that came meanwhile is left, and named', async () => {
		const service = serviceOf({ roles: values('editor') });
		service.given.onRequest = (nth, { method, path }) => {
			if (method === 'PATCH' && path.startsWith('/Groups'))
				give(service, 'ana', { entitlements: values('late') });
		};
		const [item] = await offboard(service);
		expect(item).toMatchObject({ valuesRemaining: said('entitlements', 'late') });
		expect(String(item.error)).toContain('still has entitlements "late"');
	});

	test.each([
		['deletes whom it deactivates', { deactivationDeletes: true }, 'deactivate'],
		['deletes', {}, 'delete'],
	])('a service that %s: no user is left, and no value', async (_, switches, method) => {
		const service = serviceOf(HELD, switches);
		const [item] = await offboard(service, { method });
		expect(item).toMatchObject({ status: 'done', valuesRemaining: [] });
		expect(item.valuesRemoved).toHaveLength(3);
	});

	test('a service that deactivates instead of deleting keeps no value', async () => {
		const service = serviceOf(HELD, { deletesSoftly: true });
		const [item] = await offboard(service, { method: 'delete' });
		expect(item).toMatchObject({ valuesRemaining: [] });
		expect(heldBy(service)).toMatchObject({ roles: [], entitlements: [] });
	});

	test('protected users keep their values', async () => {
		const service = serviceOf();
		const items = await offboard(service, { options: { protectedUsers: email('ana') } });
		expect(errorsIn(items).join()).toContain('is protected');
		expect(service.written()).toStrictEqual([]);
	});

	test('where users hold no access, nothing is read or said of values', async () => {
		const credential = { ...credentialOf(), accessAttributes: 'none' };
		const service = serviceOf();
		const [item] = await offboard(service, {}, { credential });
		expect(item).toMatchObject({ status: 'done' });
		expect(item).not.toHaveProperty('valuesRemaining');
		expect(heldBy(service)).toMatchObject(HELD);
		expect(PROFILES.accountOrganizations.accessAttributes).toStrictEqual([]);
	});

	test.each(Object.keys(CUTS))('%s at any request: a run again completes it', async (cut) => {
		const requests = (await whole()).requests.length;
		for (let nth = 1; nth <= requests; nth++) {
			const service = serviceOf(HELD, { faults: CUTS[cut](nth) });
			const [first] = await offboard(service);
			const isGone = heldBy(service).roles.length + heldBy(service).entitlements.length === 0;
			if (first.status === 'done') expect(isGone).toBe(true);
			const [second] = await offboard(service.again());
			expect([nth, second.status]).toEqual([nth, expect.stringMatching(/^(done|unchanged)$/)]);
		}

		async function whole() {
			const service = serviceOf();
			await offboard(service);
			return service;
		}
	});
});

describe('plans', () => {
	const preview = async (service) => (await offboard(service, { preview: true }))[0];
	const apply = async (service, plan, parameters) =>
		await play(service, 'applyPlan', { plan, ...parameters });
	const revoked = (attribute, value) => ({
		...{ change: 'revoked', person: { id: idOf('ana') } },
		...{ before: [{ attribute, value }], after: [] },
	});
	const isOfValue = ({ before }) => before[0].attribute !== undefined;

	test('Preview lists values as revocations, and Apply Plan makes them', async () => {
		const service = serviceOf();
		const { plan, summary } = await preview(service);
		const ofValues = plan.changes.filter(isOfValue);
		expect(ofValues).toMatchObject([
			revoked('roles', 'editor'),
			revoked('roles', 'billing'),
			revoked('entitlements', 'lab'),
		]);
		expect(summary).toContain('loses `roles` `editor`');
		expect(service.written()).toStrictEqual([]);
		expect(await apply(service, plan)).toMatchObject([{ status: 'done', valuesRemaining: [] }]);
		expect(heldBy(service)).toMatchObject({ roles: [], entitlements: [] });
		expect(await apply(service, plan)).toMatchObject([{ status: 'unchanged' }]);
	});

	test('a value that was given since then is left, and named', async () => {
		const service = serviceOf();
		const { plan } = await preview(service);
		give(service, 'ana', { roles: values('editor', 'billing', 'new') });
		const [item] = await apply(service, plan);
		expect(item).toMatchObject({ status: 'unverified', valuesRemaining: said('roles', 'new') });
	});

	test.each([
		['another value', { value: 'owner' }, []],
		['another attribute', { attribute: 'title' }, 'is not one of the Access Attributes'],
	])('a plan with %s', async (_, edit, message) => {
		const service = serviceOf();
		const { plan } = await preview(service);
		Object.assign(plan.changes.find(isOfValue).before[0], edit);
		expect(errorsIn(await apply(service, plan)).join()).toContain('edited');
		const items = await apply(service, sealed(plan));
		if (message.length > 0) expect(errorsIn(items).join()).toContain(message);
		// What is taken is what the plan says, and the proof names the rest.
		else expect(items).toMatchObject([{ valuesRemaining: said('roles', 'editor') }]);
	});
});

describe('Change Email, where it makes a new account', () => {
	const NEW = 'ana.silva@example.com';
	const name = { givenName: 'Ana', familyName: 'Silva' };
	const credential = { ...credentialOf(), userNameCanChange: 'no' };
	const change = async (service, parameters) =>
		await play(
			service,
			'changeEmail',
			{ user: locator('email', email('ana')), newEmail: NEW, ...parameters },
			[{}],
			{ credential },
		);
	const start = (held, theirs) => {
		const people = [person('ana', ['eng'], { name }), { userName: NEW, name, groups: [] }];
		const service = serviceWith({ people: theirs === undefined ? people.slice(0, 1) : people });
		give(service, 'ana', held);
		const other = service.byName(NEW);
		if (other) service.store({ ...other, attributes: { ...other.attributes, ...theirs } });
		return service;
	};

	test.each([
		['a new one', undefined],
		['one that is there', {}],
		['one that a run that was cut off has given something', { roles: values('billing') }],
	])('%s: values go along, and the old one keeps none', async (_, theirs) => {
		const service = start(HELD, theirs);
		expect(errorsIn(await change(service))).toStrictEqual([]);
		const { attributes } = service.byName(NEW);
		const held = [attributes.roles, attributes.entitlements].flat();
		expect(held.map((one) => one.value ?? one).sort()).toEqual(['billing', 'editor', 'lab']);
		expect(heldBy(service)).toMatchObject({ roles: [], entitlements: [] });
		expect(service.users.get(idOf('ana')).active).toBe(false);
		expect((await change(service)).every(({ status }) => status === 'unchanged')).toBe(true);
	});

	test('one with another value may be somebody else', async () => {
		const service = start(HELD, { roles: values('owner') });
		expect(errorsIn(await change(service)).join()).toContain('it has roles "owner"');
		expect(service.written()).toStrictEqual([]);
	});

	test.each([
		['a new one', undefined, 0],
		['a new one, but for the first', undefined, 1],
		['one that is there', {}, 0],
	])('%s that takes only some of them: the old one keeps everything', async (_, theirs, kept) => {
		const held = { roles: values('editor'), entitlements: values('lab', 'beta') };
		const service = start(held, theirs);
		const { store } = service;
		// Whoever has the new name gets no more entitlements than that, whatever is sent.
		service.store = (user) =>
			store.call(service, {
				...user,
				attributes: {
					...user.attributes,
					...(user.userName === NEW && {
						entitlements: user.attributes.entitlements?.slice(0, kept),
					}),
				},
			});
		const errors = errorsIn(await change(service)).join();
		expect(errors).toContain('the service does not show entitlements');
		expect(heldBy(service)).toMatchObject(held);
		expect(service.users.get(idOf('ana')).active).toBe(true);
	});

	test('the old account keeps everything where a value cannot be given', async () => {
		const service = start(HELD, {});
		service.switches.patchTakes = ['active'];
		expect(errorsIn(await change(service)).length).toBeGreaterThan(0);
		expect(heldBy(service)).toMatchObject(HELD);
		expect(service.users.get(idOf('ana')).active).toBe(true);
	});

	test('a plan of it is applied', async () => {
		const service = start(HELD, {});
		const [{ plan }] = await change(service, { preview: true });
		expect(
			errorsIn(await play(service, 'applyPlan', { plan }, [{}], { credential })),
		).toStrictEqual([]);
		expect(service.byName(NEW).attributes.roles).toEqual(HELD.roles);
		expect(heldBy(service)).toMatchObject({ roles: [], entitlements: [] });
	});
});

describe('Deactivate Users Without Access', () => {
	const reconcile = async (service, more) =>
		await play(service, 'reconcile', {
			...{
				preview: false,
				wantedFrom: 'json',
				wantedJson: [{ email: email('ben'), group: 'VPN' }],
			},
			scopeGroups: rows('VPN', 'Engineering'),
			options: { deactivatesEmpty: true, allowEmptyGroups: true },
			...more,
		});
	const ofAna = (items, change) =>
		items.filter(({ userId, change: own }) => userId === idOf('ana') && own === change);

	test('whoever has a value keeps the account, and the reason says which', async () => {
		const service = serviceOf({ entitlements: values('lab') });
		const items = await reconcile(service);
		expect(ofAna(items, 'revoked')).toMatchObject([{ group: 'Engineering', status: 'done' }]);
		expect(items).toContainEqual(
			expect.objectContaining({
				...{ userId: idOf('ana'), status: 'skipped' },
				reason: 'the person has entitlements "lab"',
			}),
		);
		expect(service.users.get(idOf('ana')).active).toBe(true);
	});

	test('whoever has none is deactivated', async () => {
		const service = serviceOf({ roles: [], entitlements: null });
		await reconcile(service);
		expect(service.users.get(idOf('ana')).active).toBe(false);
	});

	test('who has got a value since the plan was made is left alone', async () => {
		const service = serviceOf({});
		const [{ plan }] = await reconcile(service, { preview: true });
		give(service, 'ana', { roles: values('editor') });
		const items = await play(service, 'applyPlan', { plan });
		expect(errorsIn(items).join()).toContain('has roles "editor", but did not have it');
		expect(service.users.get(idOf('ana')).active).toBe(true);
	});
});

describe('reads', () => {
	test('Get lists values as the service shows them', async () => {
		const service = serviceOf({
			roles: [
				{ value: 'editor', display: 'Editor', primary: true },
				{ value: 'editor' },
				7,
				null,
				'',
			],
			entitlements: { value: 'lab' },
		});
		const [item] = await play(service, 'get', { user: locator('email', email('ana')) });
		expect(item.values).toEqual([
			{ attribute: 'roles', value: 'editor', display: 'Editor' },
			...said('roles', '7'),
			...said('entitlements', 'lab'),
		]);
	});

	test('the matrix has a column per attribute, also where groups tell nothing', async () => {
		for (const membersShownOn of ['both', 'nowhere']) {
			const service = serviceOf(HELD, { membersShownOn });
			const items = await play(service, 'getMatrix');
			expect(items.find(({ userId }) => userId === idOf('ana')).access).toMatchObject({
				roles: 'editor, billing',
				entitlements: 'lab',
			});
			expect(items.find(({ userId }) => userId === idOf('ben')).access).toMatchObject({
				roles: '',
			});
			const isKnown = membersShownOn === 'both';
			expect('VPN' in items[0].access).toBe(isKnown);
			expect(items[0].warnings === undefined).toBe(isKnown);
		}
	});

	test('groups alone are asked of people whom Revoke and Set name', async () => {
		const service = serviceOf();
		await play(service, 'revoke', { people: emails('ana'), revokeIn: 'all' });
		await play(service, 'set', {
			...{ people: emails('ana'), managedGroups: rows('*') },
			...listed('VPN'),
		});
		expect(heldBy(service)).toMatchObject(HELD);
	});
});
