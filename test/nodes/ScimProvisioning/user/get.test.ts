import { ANA, notFound, user } from '../../../support/answers';
import { byId } from '../../../support/node';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const GET = 'GET /scim/Users/user-1';

const full = user('user-1', ANA, {
	active: 'True',
	displayName: 'Ana Silva',
	name: { givenName: 'Ana', familyName: 'Silva' },
	emails: [{ value: 'other@example.com' }, { value: ANA, primary: true }],
	externalId: 'HR-1042',
	groups: [{ value: 'whylabs-org-1:member', type: 'direct' }],
});

const get = async (parameters = {}, more = {}) =>
	await runChecked(
		'user',
		'get',
		{ user: byId('user-1'), options: { maxWait: 0 }, ...parameters },
		more,
	);

it('gets a user by id, simplified', async () => {
	api.answer(GET, [200, full]);

	const { json, pairedItems } = await get();

	expect(api.sent()).toEqual([GET]);
	expect(json).toEqual([
		{
			userId: 'user-1',
			userName: ANA,
			active: true,
			displayName: 'Ana Silva',
			givenName: 'Ana',
			familyName: 'Silva',
			email: ANA,
			externalId: 'HR-1042',
			groups: ['whylabs-org-1:member'],
		},
	]);
	expect(pairedItems).toEqual([[0]]);
});

it('sends an item that fails to the error output', async () => {
	api.answer(GET, [200, full]);
	api.answer('GET /scim/Users/user-2', notFound);

	const result = await get(
		{ user: byId('={{ $json.id }}') },
		{
			items: [{ id: 'user-2' }, { id: 'user-1' }, { id: '' }],
			onError: 'continueErrorOutput',
		},
	);

	expect(result.pairedItems).toEqual([[1]]);
	expect(result.errorPairedItems).toEqual([[0], [2]]);
	expect(result.errorOutput[0].error).toMatchObject({
		httpCode: '404',
		context: { itemIndex: 0 },
	});
	expect(result.errorJson[1].error).toBe('No user specified');
});
