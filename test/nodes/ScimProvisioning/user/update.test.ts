import {
	ANA,
	group,
	list,
	PATCH as PATCH_SCHEMA,
	QUICK,
	user,
	USER,
} from '../../../support/answers';
import { byId, mapped } from '../../../support/node';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const GET = 'GET /scim/Users/user-1';
const PATCH = 'PATCH /scim/Users/user-1';
const GROUPS = 'GET /scim/Groups';
const PUT = 'PUT /scim/Users/user-1';

/** Who has what is asked before somebody is made inactive, and never otherwise. */
const withGroups = () => api.answer(GROUPS, [200, list([group('org-1:admin')])]);

const update = async (fields: object, parameters = {}, more = {}) =>
	await runChecked(
		'user',
		'update',
		{ user: byId('user-1'), ...fields, options: QUICK, ...parameters },
		more,
	);

const whole = { options: { ...QUICK, updateWith: 'put' } };

it('PATCH sends the given fields, part by part, and nothing else', async () => {
	api.known(user('user-1', ANA, { title: 'Engineer' }));
	withGroups();
	const emails = [{ primary: true, type: 'home', value: 'ana@home.example' }];
	const shown = user('user-1', ANA, { active: false, name: { givenName: 'Ana' }, emails });
	api.answer(PATCH, [200, shown]);

	const { json } = await update({
		...mapped({ displayName: 'Ana Silva', emails, 'name.givenName': 'Ana' }),
		updateFields: { active: false, attributesJson: '{"groups": [], "id": "user-9", "title": ""}' },
	});

	expect(api.sent()).toEqual([GET, GROUPS, PATCH]);
	expect(api.body(PATCH)).toMatchObject({ schemas: [PATCH_SCHEMA] });
	expect(api.body(PATCH)?.Operations).toEqual(
		expect.arrayContaining([
			{ op: 'replace', path: 'active', value: false },
			{ op: 'replace', path: 'displayName', value: 'Ana Silva' },
			{ op: 'replace', path: 'emails', value: emails },
			{ op: 'replace', path: 'name.givenName', value: 'Ana' },
			{ op: 'replace', path: 'title', value: '' },
		]),
	);
	expect(api.body(PATCH)?.Operations).toHaveLength(5);
	expect(json).toMatchObject([
		{
			userId: 'user-1',
			active: false,
			status: 'done',
			warnings: [
				'Left out of Other Attributes: groups, id.',
				'The service does not keep displayName.',
			],
		},
	]);
});

describe('PUT', () => {
	const current = user('user-1', ANA, {
		active: 'False',
		displayName: 'Ana',
		name: { givenName: 'Ana', familyName: 'Silva' },
		groups: [{ value: 'whylabs-org-1:member', display: 'whylabs-org-1:member', type: 'direct' }],
		favouriteColour: 'green',
	});

	it('sends the whole user without id, meta and groups, and keeps active', async () => {
		api.answer(GET, [200, current]);
		const name = { givenName: 'Anna', familyName: 'Silva' };
		api.answer(PUT, [200, { ...current, displayName: 'Ana S.', name }]);

		const { json } = await update(
			mapped({ displayName: 'Ana S.', 'name.givenName': 'Anna' }),
			whole,
		);

		expect(api.sent()).toEqual([GET, PUT]);
		expect(api.body(PUT)).toEqual({
			schemas: [USER],
			userName: ANA,
			active: false,
			displayName: 'Ana S.',
			name: { givenName: 'Anna', familyName: 'Silva' },
			favouriteColour: 'green',
		});
		expect(json).toMatchObject([{ active: false, status: 'done' }]);
	});

	it('that switched the user on is not passed over', async () => {
		api.answer(GET, [200, current], [200, { ...current, active: true }]);
		api.answer(PUT, [200, { ...current, active: true, displayName: 'Ana S.' }]);

		const { error } = await update(mapped({ displayName: 'Ana S.' }), whole);

		expect(error?.message).toContain('the service shows active true');
	});
});

it.each([
	['nothing given', {}],
	['a part of a name without anything', { attributesJson: '{"name": {}}' }],
	['an empty JSON', { attributesJson: '{}' }],
	['only what is never sent', { attributesJson: '{"groups": [], "schemas": []}' }],
])('%s: there is nothing to update', async (_what, fields) => {
	const { error } = await update({ updateFields: fields });

	expect(api.sent()).toStrictEqual([]);
	expect(error).toMatchObject({
		message: 'There is nothing to update',
		description: expect.stringContaining('Update Fields'),
	});
});
