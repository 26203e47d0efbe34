'use strict';

require('../support/noWaiting');

// Groups that are members of groups (RFC 7643 section 4.2): nobody asked for anything to be done to them.

const { itemsOf } = require('../support/items');
const { byId } = require('../support/node');
const { withPlainService } = require('../support/plainService');
const { withService } = require('../support/service');

const USERS = ['ana', 'ben', 'cid'].map((name) => ({
	id: `u-${name}`,
	userName: `${name}@example.com`,
	active: true,
}));

/** A service with a group in which are Ana, Ben and another group. `empties`: a removal removes everybody. */
function twoGroups({ empties = false }) {
	const interns = { id: 'interns', displayName: 'Interns', members: [{ value: 'u-cid' }] };
	const group = {
		id: 'eng:member',
		displayName: 'Engineers',
		members: [
			{ value: 'u-ana', type: 'User' },
			{ value: 'interns', type: 'Group', display: 'Interns' },
			{ value: 'u-ben' },
		],
	};
	const listOf = (Resources) => ({ Resources, totalResults: Resources.length, schemas: [] });
	const answer = ({ method, path, text }) => {
		if (path.startsWith('/Users/')) {
			return [200, USERS.find(({ id }) => path === `/Users/${id}`)];
		}
		if (path.startsWith('/Users')) {
			const name = /eq "(.*)"/.exec(decodeURIComponent(path))?.[1];
			return [200, listOf(USERS.filter(({ userName }) => !name || userName === name))];
		}
		if (method === 'PUT') group.members = JSON.parse(text).members;
		if (method === 'PATCH') {
			for (const { op, path: at, value = [] } of JSON.parse(text).Operations) {
				const gone = /"(.*)"/.exec(at)?.[1];
				if (op === 'add') group.members.push(...value);
				else group.members = group.members.filter(({ value: id }) => !empties && id !== gone);
			}
		}
		if (path.startsWith('/Groups/interns')) return [200, interns];
		return [200, path.startsWith('/Groups/') ? group : listOf([group, interns])];
	};
	return { answer, ids: () => group.members.map(({ value }) => value).sort(), group };
}

async function withGroup(work, switches = {}) {
	const { answer, ...state } = twoGroups(switches);
	await withPlainService(answer, async (baseUrl) => {
		await withService({}, async (_service, scim) => {
			const credential = {
				...{ baseUrl, serviceProfile: 'generic' },
				groupsStandFor: 'organizationAndRole',
				groupPattern: '{organization}:{role}',
			};
			await work(
				async (resource, operation, parameters) =>
					await scim(resource, operation, parameters, { credential }),
				state,
			);
		});
	});
}

test.each(['difference', 'wholeList'])('Set Members (%s) leaves them in', async (replaceWith) => {
	await withGroup(async (scim, { ids, group }) => {
		const { json, error } = await scim('group', 'setMembers', {
			chooseGroupBy: 'group',
			group: byId('eng:member'),
			people: 'ana@example.com, cid@example.com',
			options: { replaceWith },
		});
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id).sort()).toEqual(['u-ana', 'u-ben', 'u-cid']);
		expect(ids()).toEqual(['interns', 'u-ana', 'u-cid']);
		expect(group.members.find(({ value }) => value === 'interns').type).toBe('Group');
	});
});

test('Reconcile takes nothing from them', async () => {
	await withGroup(async (scim, { ids }) => {
		const { json, error } = await scim('access', 'reconcile', {
			mode: 'apply',
			wantedFrom: 'json',
			wantedJson: [{ email: 'ana@example.com', organization: 'eng', role: 'member' }],
			scopeOrganizations: 'eng',
		});
		expect(error).toBeUndefined();
		expect(itemsOf(json)).toEqual(['revoked ben@example.com eng member> done']);
		expect(ids()).toEqual(['interns', 'u-ana']);
	});
});

test('a service that empties a group at a removal: they are put back, too', async () => {
	await withGroup(
		async (scim, { ids, group }) => {
			const { error } = await scim('group', 'removeMembers', {
				chooseGroupBy: 'group',
				group: byId('eng:member'),
				people: 'ana@example.com',
			});
			expect(error.message).toContain(
				'The service removed 2 more from group eng:member than it was asked to (ben@example.com, group interns); they were put back',
			);
			expect(ids()).toEqual(['interns', 'u-ben']);
			expect(group.members).toHaveLength(2);
		},
		{ empties: true },
	);
});

test('Delete Group counts everybody in them, and says so', async () => {
	await withGroup(async (scim) => {
		const deletion = { chooseGroupBy: 'group', group: byId('eng:member') };
		const options = { maxUsersLosingAccess: 2 };
		const { json } = await scim('group', 'delete', { ...deletion, preview: true, options });
		expect(json[0].blockedBy).toEqual([
			expect.stringContaining('3 people would lose access, more than the limit of 2'),
		]);
		expect(json[0].warnings).toEqual(['Groups in it lose what it gives, too: interns.']);
	});
});

test('Get Matrix does not take them for people', async () => {
	await withGroup(async (scim) => {
		const { json } = await scim('access', 'getMatrix', {});
		expect(json.map(({ id }) => id)).toEqual(['u-ana', 'u-ben', 'u-cid']);
	});
});
