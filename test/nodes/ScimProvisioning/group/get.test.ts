import { ANA, group } from '../../../support/answers';
import { byId } from '../../../support/node';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const CANONICAL = 'whylabs-org-1:member';
const full = group(CANONICAL, [['user-1', ANA]]);
const names = { organizationNames: { organization: [{ name: 'Marketing', id: 'org-1' }] } };

const get = async (parameters = {}, more = {}) =>
	await runChecked('group', 'get', { options: { maxWait: 0 }, ...parameters }, more);

const groupOf = (value: string) => ({ chooseGroupBy: 'group', group: byId(value) });

const roleIn = (mode: string, value: string, role = 'member') => ({
	chooseGroupBy: 'organizationAndRole',
	organization: { __rl: true, mode, value },
	role,
});

it.each([
	['by id', groupOf('org-1:member'), 'org-1:member'],
	['by canonical id', groupOf(CANONICAL), CANONICAL],
	['by organization and role', roleIn('id', 'org-1'), 'org-1:member'],
	['by organization as answers write it', roleIn('id', 'whylabs-org-1'), 'org-1:member'],
	['by the name of an organization', roleIn('name', 'marketing'), 'org-1:member'],
	[
		'from the list',
		{ chooseGroupBy: 'group', group: { __rl: true, mode: 'list', value: CANONICAL } },
		CANONICAL,
	],
])('gets a group %s', async (_what, parameters, id) => {
	const path = `GET /scim/Groups/${encodeURIComponent(id)}`;
	api.answer(path, [200, full]);

	const { json, pairedItems } = await get(parameters, { credential: names });

	expect(api.sent()).toEqual([path]);
	expect(json).toEqual([
		{
			id: CANONICAL,
			displayName: CANONICAL,
			organization: 'org-1',
			organizationName: 'Marketing',
			role: 'member',
			members: [{ userId: 'user-1', display: ANA }],
		},
	]);
	expect(pairedItems).toEqual([[0]]);
});

it('gives a group as it came without Simplify', async () => {
	api.answer('GET /scim/Groups/org-1%3Amember', [200, full]);

	const { json } = await get({ ...roleIn('id', 'org-1'), simplify: false });

	expect(json).toEqual([full]);
});

it.each([
	['no organization', roleIn('id', '={{ "" }}'), 'The organization is empty'],
	['no role', roleIn('id', 'org-1', '={{ "" }}'), '"" is not a role'],
	['a role that is none', roleIn('id', 'org-1', '={{ "owner" }}'), '"owner" is not a role'],
	['no group', groupOf('={{ "" }}'), 'No group specified'],
	['a dot segment', groupOf('={{ ".." }}'), '".." is not an ID'],
])('%s: nothing is sent', async (_what, parameters, message) => {
	const { error } = await get(parameters);

	expect(api.sent()).toStrictEqual([]);
	expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
});

it('cannot name a group by organization where ids are not made of it', async () => {
	const { error } = await get(roleIn('id', 'org-1'), {
		credential: { serviceProfile: 'generic' },
	});

	expect(api.sent()).toStrictEqual([]);
	expect(error?.description).toContain('Groups Stand For');
});
