'use strict';

// Operations that the package does not have, each in one file: Copy, where what a person is to have follows from what a
// colleague has, and Suspend, the example of docs/architecture.md.

require('../../support/noWaiting');
const { peopleField } = require('../../../dist/nodes/ScimProvisioning/fields/options');
const { accessItems } = require('../../../dist/nodes/ScimProvisioning/fields/accessItem');
const { planNamed, readNamed } = require('../../../dist/nodes/ScimProvisioning/fields/accessPlan');
const {
	readPeopleField,
	readUserField,
	userField,
} = require('../../../dist/nodes/ScimProvisioning/fields/person');
const { scimWrite } = require('../../../dist/nodes/ScimProvisioning/runWrite');
const { membershipsOf } = require('../../../dist/nodes/shared/access/facts');
const { previewField } = require('../../../dist/nodes/shared/run');
const { InputError } = require('../../../dist/nodes/shared/util');
const {
	ID,
	credentialOf,
	email,
	emails,
	errorsIn,
	idOf,
	locator,
	membersIn,
	serviceWith,
} = require('../../support/modelGroupsPlay');
const { contextOf, sendTo } = require('../../support/modelNode');

const copyAccess = scimWrite({
	name: 'Copy',
	action: 'Copy access of a colleague',
	description: 'Give users what a colleague has',
	fields: [peopleField, userField, previewField],
	items: accessItems,
	collect(item, operation) {
		const { context } = operation;
		const colleague = readUserField(context, item, operation);
		return readPeopleField(operation, item).map((reference) => ({
			...{ item, reference, colleague },
			hold: (_person, { access, person }) =>
				membershipsOf(access, person(colleague).value.id).map(({ groupId }) => groupId),
		}));
	},
	async plan(wanted, operation) {
		const people = wanted.map(({ colleague }) => colleague);
		const state = await readNamed(wanted, operation, { people, readsUsers: true });
		return planNamed(wanted, state, operation, {
			faultOf({ colleague }) {
				const found = state.person(colleague);
				if (!found.ok) return found.error;
				if (state.access.everyGroup(found.value.id).told === 'all') return undefined;
				return new InputError('The access of the colleague is unknown', 'Nothing was sent.');
			},
		});
	},
});

const suspend = scimWrite({
	name: 'Suspend',
	action: 'Suspend users',
	description: 'Deactivate users, and keep their memberships',
	fields: [peopleField, previewField],
	items: accessItems,
	collect: (item, operation) =>
		readPeopleField(operation, item).map((reference) => ({ item, reference, account: 'inactive' })),
	plan: async (wanted, operation) =>
		planNamed(wanted, await readNamed(wanted, operation, { readsUsers: true }), operation),
});

/** @returns the JSON of the output items */
async function run(operation, service, parameters) {
	const output = await operation.execute(
		contextOf({
			parameters: {
				options: { maxWait: 0, verifyTime: 0 },
				...parameters,
			},
			items: [{}],
			continueOnFail: true,
			credential: {
				baseUrl: 'http://scim.test',
				accountApiToken: 'key:org',
				...credentialOf(service.switches),
			},
			send: sendTo(service),
		}),
	);
	return output.map(({ json }) => json);
}

const of = (name) => ({ user: locator('email', email(name)) });

test.each(['both', 'users', 'groups'])(
	'people get what a colleague has, and keep what they have, where %s show memberships',
	async (membersShownOn) => {
		const service = serviceWith({ membersShownOn });
		const before = membersIn(service);
		const items = await run(copyAccess, service, { people: emails('ana', 'dan'), ...of('ben') });
		expect(errorsIn(items)).toStrictEqual([]);
		expect(membersIn(service)).toEqual({
			...before,
			vpn: [...before.vpn, 'ana', 'dan'].sort(),
			sales: ['ana', 'ben', 'dan'],
			everyone: [...before.everyone, 'dan'].sort(),
		});
		expect(service.written()).toHaveLength(3);
	},
);

test('a colleague by ID, and a plan without a request', async () => {
	const service = serviceWith();
	const [{ requests }] = await run(copyAccess, service, {
		people: email('dan'),
		user: locator('id', idOf('ana')),
		preview: true,
	});
	expect(requests.map(({ path }) => path).sort()).toEqual(
		[ID.eng, ID.everyone].map((id) => `/Groups/${id}`).sort(),
	);
	expect(service.written()).toStrictEqual([]);
});

test.each([
	['who is not there', {}, 'zoe', /zoe@example\.com/],
	[
		'whose access is unknown',
		{ membersShownOn: 'nowhere' },
		'ben',
		/access of the colleague is unknown/,
	],
])('nothing is sent for a colleague %s', async (_which, switches, name, says) => {
	const service = serviceWith(switches);
	const items = await run(copyAccess, service, { people: email('dan'), ...of(name) });
	expect(errorsIn(items)).toEqual([expect.stringMatching(says)]);
	expect(service.written()).toStrictEqual([]);
});

test('suspended people are inactive, and stay where they are', async () => {
	const service = serviceWith();
	const before = membersIn(service);
	const items = await run(suspend, service, { people: emails('ana', 'zoe') });
	expect(errorsIn(items)).toEqual([expect.stringContaining('zoe@example.com')]);
	expect(service.users.get(idOf('ana')).active).toBe(false);
	expect(membersIn(service)).toEqual(before);
	expect(service.written()).toHaveLength(1);
});
