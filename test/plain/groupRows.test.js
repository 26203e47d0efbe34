'use strict';

require('../support/noWaiting');
const {
	email,
	emails,
	errorsIn,
	listed,
	membersIn,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');

// Lists of groups that say what may be taken: what is not understood is an error, never an empty list.

const inOptions = (name) => (value) => ({ options: { [name]: value } });
const FIELDS = {
	'Managed Groups of Revoke': ['revoke', { revokeIn: 'all' }, inOptions('managedGroups')],
	'Managed Groups of Assign': ['assign', listed('VPN'), inOptions('managedGroups')],
	'Managed Groups of Set': ['set', listed('VPN'), (managedGroups) => ({ managedGroups })],
	'Keep Memberships In': ['offboard', {}, inOptions('keepMembershipsIn')],
	'Groups in Scope': ['reconcile', { preview: false }, (scopeGroups) => ({ scopeGroups })],
	'Ignore Groups': [
		'reconcile',
		{ preview: false, scopeGroups: rows('VPN') },
		inOptions('ignoreGroups'),
	],
};
const WANTED = { wantedFrom: 'json', wantedJson: [{ email: email('ben'), group: 'VPN' }] };

async function run(name, values) {
	const [operation, parameters, field] = FIELDS[name];
	const service = serviceWith();
	const common = { people: email('ben'), ...WANTED, ...parameters };
	const own = values.map((value) => ({ ...field(value), json: {} }));
	return { service, items: await play(service, operation, common, own) };
}

describe.each(Object.keys(FIELDS))('%s', (name) => {
	const displayName = name.replace(/ of .*/, '');

	test.each([['VPN'], [''], [7], [true], [{ groups: ['VPN'] }]])('%j is refused', async (value) => {
		const { service, items } = await run(name, [value]);
		expect(items).toMatchObject([{ status: 'failed' }]);
		expect(errorsIn(items)[0]).toContain(`${displayName} is neither rows nor a list`);
		expect(service.requests.filter(({ method }) => method !== 'GET')).toStrictEqual([]);
	});

	test('another one for another item is refused', async () => {
		const { service, items } = await run(name, [rows('VPN'), rows('VPN', 'Sales*')]);
		expect(errorsIn(items)).toHaveLength(2);
		expect(errorsIn(items)[0]).toContain(
			`${displayName} is VPN for item 0 and VPN, Sales* for item 1`,
		);
		expect(service.written()).toStrictEqual([]);
	});
});

test.each([
	['rows', rows('VPN')],
	['a list', ['VPN']],
	['the JSON of a list', '["VPN"]'],
	['a row that holds a list', rows(['VPN'])],
])('%s is a list of groups', async (_, managedGroups) => {
	const service = serviceWith();
	const parameters = { people: email('ben'), revokeIn: 'all', options: { managedGroups } };
	expect(await play(service, 'revoke', parameters)).toMatchObject([{ group: 'VPN' }]);
	expect(membersIn(service)).toMatchObject({ vpn: ['eve'], sales: ['ben'] });
});

test('a Set that allows an empty list does not take text for one', async () => {
	const service = serviceWith();
	const items = await play(service, 'set', {
		...{ people: emails('ben'), groups: 'VPN' },
		...{ managedGroups: rows('*'), options: { allowEmpty: true } },
	});
	expect(errorsIn(items)[0]).toContain('Groups is neither rows nor a list');
	expect(service.written()).toStrictEqual([]);
});
