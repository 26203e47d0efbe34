'use strict';

require('../support/noWaiting');
const {
	ID,
	email,
	emails,
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

// Accept Edited Plan takes a plan as if it were new: what blocked it, or would have, blocks it still.

const preview = async (service, operation, parameters, more) =>
	(await play(service, operation, { ...parameters, preview: true }, [{}], more))[0].plan;

const accept = async (service, plan, parameters = {}, more = {}) =>
	await play(service, 'applyPlan', { plan, acceptEditedPlan: true, ...parameters }, [{}], more);

async function isBlocked(service, plan, reason) {
	const items = await accept(service, plan);
	expect(items).toMatchObject([{ status: 'failed' }]);
	expect(errorsIn(items)[0]).toContain(reason);
	expect(service.written()).toStrictEqual([]);
}

const names = (letter, count) => Array.from({ length: count }, (_, index) => `${letter}${index}`);
/** Sixty people of whom most are in no group in question. */
const many = (count) => ({
	people: [
		...names('p', 60).map((name) => person(name, ['everyone'])),
		...names('v', count).map((name) => person(name, ['vpn'])),
	],
});
const reconcile = {
	...{ preview: true, wantedFrom: 'json', scopeGroups: rows('VPN') },
	wantedJson: [{ email: email('p0'), group: 'Everyone' }],
};

describe('a Reconcile that no row keeps from emptying a group', () => {
	test.each([
		['as it was', 6, {}, 'The plan is blocked'],
		['without the reasons', 6, { blockedBy: [] }, 'Nobody would be left as member of group VPN'],
		['and few enough for every limit', 2, { blockedBy: [] }, 'Nobody would be left'],
	])('%s', async (name, count, edit, reason) => {
		const service = serviceWith(many(count));
		const [{ plan }] = await play(service, 'reconcile', reconcile);
		expect(plan.blockedBy.join()).toContain('No row wants access in VPN');
		await isBlocked(service, { ...plan, ...edit }, reason);
	});

	test('a protected person alone does not keep it', async () => {
		const service = serviceWith(many(2));
		const [{ plan }] = await play(service, 'reconcile', reconcile);
		plan.blockedBy = [];
		plan.changes.pop();
		const options = { safetyLimits: { values: { protectedUsers: email('v1') } } };
		const items = await accept(service, plan, { options });
		expect(errorsIn(items)[0]).toContain('Nobody would be left as member of group VPN');
		expect(service.written()).toStrictEqual([]);
	});

	test('who stays in it lets the others go', async () => {
		const service = serviceWith(many(2));
		const [{ plan }] = await play(service, 'reconcile', reconcile);
		plan.blockedBy = [];
		plan.changes.pop();
		const items = await accept(service, plan);
		expect(items).toMatchObject([{ change: 'revoked', userName: email('v0'), status: 'done' }]);
		expect(membersIn(service).vpn).toEqual(['v1']);
	});
});

test('losses count against the groups that lose somebody, whatever the plan says', async () => {
	const service = serviceWith(many(20));
	const wantedJson = names('v', 13).map((name) => ({ email: email(name), group: 'VPN' }));
	const [{ plan }] = await play(service, 'reconcile', { ...reconcile, wantedJson });
	for (const among of [null, { people: 1000, are: 'people' }]) {
		const edited = { ...plan, blockedBy: [], guards: { ...plan.guards, among } };
		await isBlocked(service, edited, '7 people would lose access, more than the limit of 5');
	}
});

test('nobody is deactivated for ending without access who may have other groups', async () => {
	const service = serviceWith({ people: [person('ana', ['vpn']), person('ben', ['vpn'])] });
	const [{ plan }] = await play(service, 'reconcile', {
		...reconcile,
		wantedJson: [{ email: email('ana'), group: 'VPN' }],
		options: { deactivatesEmpty: true },
	});
	expect(plan.changes.map(({ change }) => change)).toEqual(['revoked', 'deactivated']);
	for (const change of plan.changes) change.groupsBefore = null;
	service.modify(ID.sales, [{ op: 'add', ids: [idOf('ben')] }]);
	const items = await accept(service, plan);
	expect(errorsIn(items)).toHaveLength(2);
	expect(errorsIn(items)[0]).toContain('The plan does not say in which groups');
	expect(service.written()).toStrictEqual([]);
});

test('a Set whose grants were taken out leaves nobody without any managed group', async () => {
	const service = serviceWith({
		people: [person('ana', ['eng', 'everyone']), person('ben', ['vpn'])],
	});
	const parameters = { people: emails('ana', 'ben'), ...listed('Sales, EMEA') };
	const managedGroups = rows('VPN', 'Engineering', 'Sales*');
	const plan = await preview(service, 'set', { ...parameters, managedGroups });
	plan.changes = plan.changes.filter(
		({ change, id }) => change !== 'granted' || id !== idOf('ana'),
	);
	await isBlocked(service, plan, `${email('ana')} would be left without any access`);
});

test('a Set Members whose grants were taken out leaves no group empty', async () => {
	const service = serviceWith({ people: [person('ana', ['eng']), person('ben', ['vpn'])] });
	const parameters = {
		chooseGroupBy: 'group',
		group: locator('id', ID.vpn),
		people: email('ana'),
	};
	const plan = await preview(service, 'setMembers', parameters, { resource: 'group' });
	plan.changes = plan.changes.filter(({ change }) => change === 'revoked');
	await isBlocked(service, plan, 'Nobody would be left as member of group VPN');
});

test('a Set of an account whose own organization is not known is blocked still', async () => {
	const groups = ['org-1:member', 'org-2:member'].map((id) => ({ id, displayName: id }));
	const service = serviceWith({
		groups,
		people: [{ userName: email('ana'), groups: ['org-1:member', 'org-2:member'] }],
	});
	const credential = { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' };
	const plan = await preview(
		service,
		'set',
		{
			...{ people: email('ana'), accessBy: 'organizationAndRole', assignmentsFrom: 'json' },
			assignmentsJson: [{ organization: 'org-1', role: 'member' }],
		},
		{ credential },
	);
	expect(plan.blockedBy).toEqual([expect.stringContaining('account organization is unknown')]);
	const items = await accept(service, { ...plan, blockedBy: [] }, {}, { credential });
	expect(errorsIn(items)[0]).toContain('The account organization is unknown');
	expect(service.written()).toStrictEqual([]);
});
