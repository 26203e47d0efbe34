'use strict';

require('../support/noWaiting');
const {
	ID,
	credentialOf,
	email,
	emails,
	errorsIn,
	idOf,
	listed,
	membersIn,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');
const { fromExpression } = require('../support/accessRows');

const offboard = async (service, people, parameters = {}) =>
	await play(service, 'offboard', { people, ...parameters });

/** Writes as `deactivate`, `remove` or `delete`, in the order in which they came. */
const stepsOf = ({ requests }) =>
	requests.flatMap(({ method, path, body = '' }) => {
		if (method === 'GET') return [];
		if (method === 'DELETE') return ['delete'];
		return path.startsWith('/Groups')
			? ['remove']
			: body.includes('false')
				? ['deactivate']
				: ['?'];
	});

describe('Rehire', () => {
	const assign = async (service, options = {}) =>
		await play(service, 'assign', { people: email('eve'), ...listed('VPN'), options });

	test('who is inactive and has the membership already is failed, naming Reactivate', async () => {
		const service = serviceWith();
		const [item, ...others] = await assign(service);
		expect(others).toStrictEqual([]);
		expect(item).toMatchObject({ status: 'failed', userName: email('eve'), userId: idOf('eve') });
		expect(String(item.error)).toContain('Reactivate');
		expect(service.written()).toStrictEqual([]);
	});

	test('with Reactivate the person is active, and the membership is there', async () => {
		const service = serviceWith();
		const items = await assign(service, { reactivate: true });
		expect(errorsIn(items)).toStrictEqual([]);
		expect(items).toContainEqual(
			expect.objectContaining({ change: 'activated', status: 'done', userId: idOf('eve') }),
		);
		expect(service.users.get(idOf('eve')).active).toBe(true);
		expect(membersIn(service).vpn).toContain('eve');
	});

	test('where a deactivation drops memberships, they are given again', async () => {
		const service = serviceWith({
			deactivationDrops: true,
			people: [{ userName: email('eve'), active: false }],
		});
		expect(errorsIn(await assign(service, { reactivate: true }))).toStrictEqual([]);
		expect(membersIn(service)).toEqual({ vpn: ['eve'] });
	});

	test('Set by groups says the same of who is inactive', async () => {
		const service = serviceWith();
		const [error] = errorsIn(
			await play(service, 'set', {
				people: email('eve'),
				...listed('VPN'),
				managedGroups: rows('VPN'),
			}),
		);
		expect(error).toContain('Reactivate');
		expect(service.written()).toStrictEqual([]);
	});
});

describe('Offboard', () => {
	test('deactivates, then removes memberships', async () => {
		const service = serviceWith();
		const [item] = await offboard(service, email('ben'));
		expect(item).toMatchObject({
			status: 'done',
			userId: idOf('ben'),
			active: false,
			accessRemaining: [],
		});
		expect(item.accessRemoved.map(({ groupId }) => groupId).sort()).toEqual(
			[ID.vpn, ID.sales, ID.everyone].sort(),
		);
		expect(stepsOf(service)).toEqual(['deactivate', 'remove', 'remove', 'remove']);
		expect(membersIn(service)).toEqual({
			eng: ['ana'],
			vpn: ['eve'],
			everyone: ['ana', 'cleo', 'eve'],
		});
	});

	test('then deletes, when asked to', async () => {
		const service = serviceWith({ deletedStay: true });
		const [item] = await offboard(service, email('ben'), { method: 'delete' });
		expect(item).toMatchObject({ status: 'done', deleted: true, accessRemaining: [] });
		expect(stepsOf(service)).toEqual(['deactivate', 'remove', 'remove', 'remove', 'delete']);
		expect(membersIn(service)).toEqual({
			eng: ['ana'],
			vpn: ['eve'],
			everyone: ['ana', 'cleo', 'eve'],
		});
	});

	test('memberships first where inactive users refuse changes of them', async () => {
		const service = serviceWith({ inactiveRefuses: true });
		const [item] = await offboard(service, email('ben'));
		expect(item).toMatchObject({ status: 'done', accessRemaining: [] });
		expect(stepsOf(service)).toEqual(['remove', 'remove', 'remove', 'deactivate']);
	});

	test('who is inactive there already fails, naming the memberships left', async () => {
		const service = serviceWith({ inactiveRefuses: true });
		const [item] = await offboard(service, email('eve'));
		expect(item.error).toBeDefined();
		expect(`${item.error} ${item.reason}`).toMatch(/VPN/);
		expect(item.accessRemaining.map(({ groupId }) => groupId).sort()).toEqual(
			[ID.vpn, ID.everyone].sort(),
		);
		expect(membersIn(service)).toMatchObject({ vpn: ['ben', 'eve'] });
	});

	test('who is inactive elsewhere loses the memberships that are left', async () => {
		const service = serviceWith();
		const [item] = await offboard(service, email('eve'));
		expect(item).toMatchObject({ status: 'done', active: false, accessRemaining: [] });
		expect(stepsOf(service)).toEqual(['remove', 'remove']);
	});

	describe.each(['deactivate', 'delete'])('a removal is refused, then %s', (method) => {
		test('everything else is done, and the proof names what is left', async () => {
			const service = serviceWith({ refusesRemovalFrom: [ID.everyone], deletedStay: true });
			const [item] = await offboard(service, email('ben'), { method });
			expect(item.error).toBeDefined();
			expect(item.status).not.toBe('done');
			expect(item.accessRemaining).toMatchObject([{ group: 'Everyone', groupId: ID.everyone }]);
			expect(membersIn(service)).toMatchObject({ vpn: ['eve'] });
			expect(membersIn(service).sales).toBeUndefined();
			const user = service.users.get(idOf('ben'));
			if (method === 'delete') expect(user).toBeUndefined();
			else expect(user.active).toBe(false);
		});

		test.each([['Everyone'], ['EVERY*'], [ID.everyone], ['*']])(
			'Keep Memberships In %s makes it no failure',
			async (entry) => {
				const service = serviceWith({ refusesRemovalFrom: [ID.everyone], deletedStay: true });
				const [item] = await offboard(service, email('cleo'), {
					method,
					options: { keepMembershipsIn: rows(entry) },
				});
				expect(item).toMatchObject({ status: 'done' });
				expect(item.error).toBeUndefined();
				expect(item.accessRemaining).toMatchObject([{ groupId: ID.everyone }]);
				expect(stepsOf(service)).not.toContain('remove');
			},
		);
	});

	test.each([
		['delete', {}, 'may lose'],
		['delete', { deactivationDrops: true }, 'loses'],
		['deactivate', { deactivationDrops: true }, 'loses'],
		['deactivate', { deactivationDrops: true, lagReads: 1 }, 'loses'],
		['deactivate', {}, undefined],
	])(
		'%s with kept memberships where %j: who %s them is warned of',
		async (method, switches, loses) => {
			const service = serviceWith(switches);
			const requests = { verifyTime: 5 };
			const options = { ...requests, keepMembershipsIn: rows('Everyone') };
			const [item] = await offboard(service, emails('ben', 'dan'), { method, options });
			const keeps = membersIn(service).everyone.includes('ben');
			expect(item.accessRemoved.some(({ groupId }) => groupId === ID.everyone)).toBe(!keeps);
			const said = (item.warnings ?? []).filter((one) => one.includes('kept memberships'));
			const warning = `${email('ben')} ${loses} kept memberships, too: they go with the account.`;
			expect(said).toEqual(loses ? [warning] : []);
		},
	);

	test('what was removed can be given to Assign, which brings it back', async () => {
		const service = serviceWith();
		const before = membersIn(service);
		const [{ accessRemoved }] = await offboard(service, email('ben'));
		const items = await play(service, 'assign', {
			people: email('ben'),
			...fromExpression(accessRemoved),
			options: { reactivate: true },
		});
		expect(errorsIn(items)).toStrictEqual([]);
		expect(membersIn(service)).toEqual(before);
		expect(service.users.get(idOf('ben')).active).toBe(true);
	});

	test('a second run sends nothing and says unchanged', async () => {
		const service = serviceWith();
		await offboard(service, emails('ben', 'eve'));
		const again = service.again();
		const items = await offboard(again, emails('ben', 'eve'));
		expect(items.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
		expect(again.written()).toStrictEqual([]);
	});

	test('a deactivation that drops memberships is all that is sent', async () => {
		const service = serviceWith({ deactivationDrops: true });
		const [item] = await offboard(service, email('ben'));
		expect(item).toMatchObject({ status: 'done', accessRemaining: [] });
		expect(stepsOf(service)).toEqual(['deactivate']);
	});

	test('a service that keeps memberships where the credential says that it drops them is found out', async () => {
		const service = serviceWith();
		const credential = credentialOf({ deactivationDrops: true });
		const [item] = await play(service, 'offboard', { people: email('ben') }, [{}], { credential });
		const left = membersIn(service);
		const isLeft = Object.values(left).some((names) => names.includes('ben'));
		expect(item.status === 'done' && isLeft).toBe(false);
	});
});

describe('Revoke', () => {
	const revoke = async (service, parameters) =>
		await play(service, 'revoke', { people: email('ben'), ...parameters });

	test('in the groups that are named, and nowhere else', async () => {
		const service = serviceWith();
		const items = await revoke(service, { revokeIn: 'one', ...listed('VPN', 'Engineering') });
		expect(items.map(({ change, groupId, status }) => [change, groupId, status]).sort()).toEqual(
			[
				['revoked', ID.vpn, 'done'],
				['none', ID.eng, 'unchanged'],
			].sort(),
		);
		expect(membersIn(service)).toMatchObject({ sales: ['ben'], vpn: ['eve'] });
	});

	test.each(['both', 'groups', 'users'])(
		'one of several admins, shown on %s; the last one stays',
		async (membersShownOn) => {
			const service = serviceWith({
				membersShownOn,
				groups: [{ id: 'g-1', displayName: 'app-sales-admin' }],
				people: ['ana', 'ben', 'cleo'].map((name) => ({ userName: email(name), groups: ['g-1'] })),
			});
			const credential = {
				...{ serviceProfile: 'generic', groupsStandFor: 'organizationAndRole' },
				...{ groupPattern: 'app-{organization}-{role}', groupPatternOn: 'displayName' },
			};
			const where = { revokeIn: 'one', ...listed('app-sales-admin') };
			const revokeFrom = async (...names) =>
				await play(service, 'revoke', { people: emails(...names), ...where }, [{}], { credential });
			expect(await revokeFrom('ana')).toMatchObject([{ change: 'revoked', status: 'done' }]);
			expect(errorsIn(await revokeFrom('ben', 'cleo')).join()).toContain('without an active admin');
			expect(service.membersOf('g-1').sort()).toEqual([idOf('ben'), idOf('cleo')].sort());
		},
	);

	test('in all groups, within Managed Groups', async () => {
		const service = serviceWith();
		const items = await revoke(service, {
			revokeIn: 'all',
			options: { managedGroups: rows('VPN', 'Sales*', 'Engineering') },
		});
		expect(items.map(({ groupId, status }) => [groupId, status]).sort()).toEqual(
			[
				[ID.vpn, 'done'],
				[ID.sales, 'done'],
			].sort(),
		);
		expect(membersIn(service).everyone).toContain('ben');
	});
});
