'use strict';

/**
 * Jobs of any size, for growth.js. Each is `{ sizes, seed(size), prepare?(size, seed, address), run(address, given) }`: what the
 * service starts with, what is made before time and memory are taken, and the job. `run` gives how much it did.
 */

const { seedOf } = require('../../demo/service');

const SIZES = [1_000, 10_000, 100_000];
/** Of jobs that send as they plan. */
const SENT_SIZES = [1_000, 10_000];
/** The safety limits of these. */
const MANY = { maxPeopleAffected: 1_000_000 };
const range = (count) => Array.from({ length: count }, (_, index) => index);
const json = (value) => JSON.stringify(value);

/** Rows of who has what, two for each person; for each second person member instead of viewer and the other way round. */
function wantedRows({ memberships }) {
	const other = { member: 'viewer', viewer: 'member' };
	const isOther = new Map();
	return memberships.map(({ userName, organization, role }) => {
		if (!isOther.has(userName)) isOther.set(userName, isOther.size % 4 < 2);
		const wantedRole = isOther.get(userName) ? (other[role] ?? role) : role;
		return { email: userName, organization, role: wantedRole };
	});
}

const rowsSeed = (rows) => seedOf({ users: rows / 2, organizations: 101, rolesPerUser: 2 });
const peopleSeed = (users) => seedOf({ users, organizations: 4 });

async function scim(operation, parameters, items, address) {
	const { run } = require('./scimNode');
	const job = {
		parameters: { resource: 'access', accessBy: 'organizationAndRole', operation, ...parameters },
		items,
	};
	return (await run(job, address)).json;
}

/** What services show of a user beside what is asked for here. */
const MUCH = {
	photos: [{ value: `https://example.com/photos/${'x'.repeat(200)}`, type: 'photo' }],
	addresses: [
		{ type: 'work', streetAddress: '1 Example Street', locality: 'Example', country: 'DE' },
	],
	phoneNumbers: [{ type: 'work', value: '+49 30 5550100' }],
	...{ title: 'Engineer', locale: 'de-DE', timezone: 'Europe/Berlin', preferredLanguage: 'de' },
};

/** People in 2,000 groups, each in two of them. */
const groupsSeed = (users) => ({
	organizations: [],
	users: range(users).map((number) => ({
		...{ id: `u${number}`, userName: `person.${number}@example.com` },
	})),
	groups: range(2_000).map((group) => ({
		...{ id: `g${group}`, displayName: `app ${group}` },
		members: range(users / 1_000).map((number) => `u${(group * 50 + number) % users}`),
	})),
});

async function generic(operation, parameters, address) {
	const { run } = require('./scimNode');
	const job = { parameters: { resource: 'access', operation, ...parameters }, items: [{}] };
	return (await run(job, address, { serviceProfile: 'generic' })).json;
}

const reconciling = ({ organizations }) => ({
	preview: true,
	scopeOrganizations: organizations.map(({ id }) => id).join(','),
	// Half of the people change, which is what is measured.
	options: MANY,
});

const done = (items) => items.filter(({ status }) => status === 'done').length;
const changesIn = ([{ plan }]) => plan.changes.length;

/** What fields with an expression cost per item. */
const fieldReader = {
	description: {
		displayName: 'Field Reader',
		name: 'fieldReader',
		group: ['transform'],
		version: 1,
		description: 'Reads three fields of each item',
		defaults: { name: 'Field Reader' },
		inputs: ['main'],
		outputs: ['main'],
		properties: ['email', 'organization', 'role'].map((name) => ({
			displayName: name,
			name,
			type: 'string',
			default: `={{ $json.${name} }}`,
		})),
	},
	async execute() {
		this.getInputData().forEach((_, item) => {
			for (const name of ['email', 'organization', 'role']) this.getNodeParameter(name, item);
		});
		return [[]];
	},
};

/** One check after the first: everything is read, and nothing has changed. */
async function poll(address, events, staticData) {
	const { pollNode } = require('../../test/harness');
	const { credentialsFor } = require('./scimNode');
	const {
		ScimProvisioningTrigger,
	} = require('../../dist/nodes/ScimProvisioningTrigger/ScimProvisioningTrigger.node.js');
	const parameters = { events, options: { confirmAfter: 0 } };
	return await pollNode(new ScimProvisioningTrigger(), {
		...{ parameters, staticData },
		...credentialsFor(address),
	});
}

const trigger = (events) => ({
	sizes: [1_000, 20_000, 100_000],
	seed: peopleSeed,
	async prepare(_size, _seed, address) {
		const staticData = {};
		await poll(address, events, staticData);
		return staticData;
	},
	async run(address, staticData) {
		await poll(address, events, staticData);
		return Buffer.byteLength(json(staticData));
	},
});

const [ORGANIZATION, ACTION] = ['org-1001', 'chat'];
/** A configuration has at most that many (demo/service/notification/validate.js). */
const MOST_MONITORS = 1_000;
const modelsFor = (monitors) =>
	range(Math.ceil(monitors / MOST_MONITORS)).map((number) => `model-${number}`);

/** About 5 MB for 2,000 monitors, in two documents. */
const document = (model, monitors) => ({
	orgId: ORGANIZATION,
	datasetId: model,
	analyzers: [],
	monitors: range(monitors).map((number) => ({
		...{ id: `the-monitor-${number}`, analyzerIds: [], schedule: { type: 'immediate' } },
		...{ mode: { type: 'DIGEST' }, actions: [], metadata: { version: 3 } },
		notes: 'x'.repeat(2_300),
	})),
});

const JOBS = {
	'Access: Reconcile, Preview, one JSON list': {
		sizes: SIZES,
		seed: rowsSeed,
		prepare: (_size, seed) => ({
			...reconciling(seed),
			...{ wantedFrom: 'json', wantedJson: json(wantedRows(seed)) },
		}),
		run: async (address, given) => changesIn(await scim('reconcile', given, [{}], address)),
	},
	'Access: Reconcile, Preview, items': {
		sizes: SIZES,
		seed: rowsSeed,
		prepare: (_size, seed) => [{ ...reconciling(seed), wantedFrom: 'items' }, wantedRows(seed)],
		run: async (address, [given, rows]) => changesIn(await scim('reconcile', given, rows, address)),
	},
	'n8n alone: three fields of as many items': {
		sizes: SIZES,
		seed: rowsSeed,
		prepare: (_size, seed) => wantedRows(seed),
		async run(_address, items) {
			const { runNode } = require('../../test/harness');
			await runNode(fieldReader, { items });
			return items.length;
		},
	},
	'Access: Apply Plan, with Preview': {
		sizes: SIZES,
		seed: rowsSeed,
		async prepare(_size, seed, address) {
			const given = {
				...reconciling(seed),
				wantedFrom: 'json',
				wantedJson: json(wantedRows(seed)),
			};
			return json((await scim('reconcile', given, [{}], address))[0].plan);
		},
		run: async (address, plan) =>
			changesIn(await scim('applyPlan', { changes: 'all', plan, preview: true }, [{}], address)),
	},
	'Access: Set, with Preview, items': {
		sizes: SIZES,
		seed: peopleSeed,
		prepare: (_size, { users }) => users.map(({ userName }) => ({ email: userName })),
		async run(address, items) {
			const given = {
				...{ people: '={{ $json.email }}', preview: true },
				roles: { role: [{ organization: 'org-1001', role: 'member' }] },
			};
			return changesIn(await scim('set', given, items, address));
		},
	},
	'Access: Assign, sent, items': {
		sizes: SENT_SIZES,
		seed: (users) => seedOf({ users, organizations: users / 100 }),
		prepare: (_size, { users, organizations }) =>
			users.map(({ userName }, at) => ({
				email: userName,
				organization: organizations[(at + 1) % organizations.length].id,
			})),
		async run(address, items) {
			const given = {
				people: '={{ $json.email }}',
				roles: { role: [{ organization: '={{ $json.organization }}', role: 'admin' }] },
			};
			return done(await scim('assign', { ...given, options: MANY }, items, address));
		},
	},
	'Access: Offboard, sent, items': {
		sizes: SENT_SIZES,
		seed: (leavers) => seedOf({ users: 2 * leavers, organizations: 20 }),
		prepare: (leavers, { users }) =>
			users.slice(leavers).map(({ userName }) => ({ email: userName })),
		async run(address, items) {
			const given = { people: '={{ $json.email }}', options: MANY };
			return done(await scim('offboard', given, items, address));
		},
	},
	'Access: Get Matrix': {
		sizes: SIZES,
		seed: peopleSeed,
		run: async (address) => (await scim('getMatrix', {}, [{}], address)).length,
	},
	'Access: Get Matrix, AWS by cursor': {
		sizes: [1_000, 10_000],
		seed: (users) => ({
			organizations: [],
			users: range(users).map((number) => ({
				...{ id: `u${number}`, userName: `person.${number}@example.com` },
			})),
			groups: range(20).map((group) => ({
				...{ id: `g${group}`, displayName: `app ${group}` },
				members: range(users / 100).map((number) => `u${(group * 37 + number) % users}`),
			})),
		}),
		switches: { dialect: 'aws' },
		async run(address) {
			const { run } = require('./scimNode');
			const job = { parameters: { resource: 'access', operation: 'getMatrix' }, items: [{}] };
			return (await run(job, address, { serviceProfile: 'awsIdentityCenter' })).json.length;
		},
	},
	'Access: Reconcile, Preview, users with much of their own, 2,000 groups': {
		sizes: [100_000],
		seed: groupsSeed,
		switches: { dialect: 'pranems', extra: MUCH },
		prepare: (_size, { groups }) => ({
			...{ preview: true, accessBy: 'group', options: MANY, wantedFrom: 'json' },
			scopeGroups: { group: groups.map(({ id }) => ({ group: id })) },
			// Who is in an even group gets the next one instead.
			wantedJson: json(
				groups.flatMap(({ members }, at) =>
					members.map((id) => ({
						email: `person.${id.slice(1)}@example.com`,
						group: groups[at % 2 === 0 ? at + 1 : at].displayName,
					})),
				),
			),
		}),
		run: async (address, given) => changesIn(await generic('reconcile', given, address)),
	},
	'User: Reconcile, Preview, one JSON list': {
		sizes: SIZES,
		seed: peopleSeed,
		prepare: (_size, { users }) =>
			json(
				users.map(({ userName }, at) => ({
					userName,
					...(at % 2 && { 'name.familyName': 'Boss' }),
				})),
			),
		async run(address, usersJson) {
			const given = { resource: 'user', preview: true, usersFrom: 'json', usersJson };
			return changesIn(await scim('reconcile', given, [{}], address));
		},
	},
	'Trigger: access, a check without changes': trigger(['anyAccessChange']),
	'Trigger: users, a check without changes': trigger(['userUpdated', 'userCreated', 'userDeleted']),
	'Attach an action to all monitors': {
		sizes: [20, 200, 2_000],
		seed: (monitors) => ({
			...seedOf({ users: 1, organizations: 2 }),
			models: modelsFor(monitors).map((id) => ({ organization: ORGANIZATION, id, name: id })),
			configurations: modelsFor(monitors).map((model) => ({
				...{ organization: ORGANIZATION, model },
				document: document(model, Math.min(monitors, MOST_MONITORS)),
			})),
			actions: [
				{
					organization: ORGANIZATION,
					id: ACTION,
					type: 'EMAIL',
					payload: { email: 'a@example.com' },
				},
			],
		}),
		switches: { bodyLimit: '10mb' },
		async run(address) {
			const { run } = require('./alertNode');
			const parameters = {
				resource: 'monitor',
				operation: 'attach',
				action: ACTION,
				models: 'all',
				monitors: 'all',
			};
			return (await run({ parameters, items: [{}] }, address)).json.length;
		},
	},
};

module.exports = { JOBS };
