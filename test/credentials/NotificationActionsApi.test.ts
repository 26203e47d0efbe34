import { testCredential } from '../harness';
import { NotificationActionsApi } from '../support/built';
import { hasFile } from '../support/files';
import { withSecureServer } from '../support/secureServer';
import { HOST, wire } from '../support/wire';

const api = wire();

const SENT = 'value-of-the-header';
const ACTIONS = 'GET /v0/notification-settings/org-1/actions';

const EMAIL = { id: 'a-1', type: 'EMAIL', payload: { email: 'ops@example.com' } };

const type = new NotificationActionsApi();

const test = async (changes = {}) =>
	await testCredential(type, {
		baseUrl: HOST,
		apiKey: SENT,
		organizationId: 'org-1',
		...changes,
	});

const OK = { status: 'OK', message: 'Connection successful!' };

it('lists the actions of the organization with the key', async () => {
	api.answer(ACTIONS, [200, [EMAIL]]);

	expect(await test()).toEqual(OK);
	expect(api.requests[0].headers).toMatchObject({ 'x-api-key': SENT, accept: 'application/json' });
});

it('accepts an organization that has no actions yet', async () => {
	api.answer(ACTIONS, [200, []]);

	expect(await test()).toEqual(OK);
});

it.each([
	[401, /does not accept the API key\. Copy it again/],
	[403, /no access to this organization\. Check the Organization ID, and copy the key again/],
	[404, /Organization ID, the Base URL, .* whether the API key belongs to another organization/],
])('%i says what to check', async (status, message) => {
	api.always(ACTIONS, [status, { message: 'Forbidden', requestId: 'r-1' }]);

	expect(await test()).toEqual({
		status: 'Error',
		message: expect.stringMatching(message),
	});
});

it('does not follow a redirect with the key', async () => {
	api.answer(ACTIONS, [302, '', { Location: `${HOST}/elsewhere` }]);

	expect(await test()).toMatchObject({ status: 'Error' });
	expect(api.requests).toHaveLength(1);
});

it('takes a Base URL with blanks and slashes around it', async () => {
	api.answer(ACTIONS, [200, [EMAIL]]);

	expect(await test({ baseUrl: ` ${HOST}/ ` })).toEqual(OK);
});

it('keeps the organization inside its segment', async () => {
	api.answer('GET /v0/notification-settings/org%2F1%3Fx/actions', [200, [EMAIL]]);

	expect(await test({ organizationId: 'org/1?x' })).toEqual(OK);
});

it('refuses a self-signed certificate, unless told otherwise', async () => {
	await withSecureServer([EMAIL], async (baseUrl, requests) => {
		expect(await test({ baseUrl })).toMatchObject({ status: 'Error' });
		expect(requests).toStrictEqual([]);
		expect(await test({ baseUrl, ignoreSslIssues: true })).toEqual(OK);
		expect(requests).toEqual([ACTIONS]);
	});
});

it('has a name, documentation and icons that are in the package', () => {
	expect(type).toMatchObject({
		name: 'notificationActionsApi',
		displayName: 'Notification Actions API',
		documentationUrl: expect.stringMatching(/^https:/),
	});
	const { light, dark } = type.icon as { light: string; dark: string };
	for (const icon of [light, dark]) {
		expect(hasFile('dist/credentials', icon.slice('file:'.length))).toBe(true);
	}
});

it('hides the key and needs key, Base URL and organization', () => {
	const names = (which: 'required' | 'hidden') =>
		type.properties
			.filter(({ required, typeOptions }) =>
				which === 'required' ? required : typeOptions?.password,
			)
			.map(({ name }) => name);
	expect(names('hidden')).toEqual(['apiKey']);
	expect(names('required')).toEqual(['baseUrl', 'apiKey', 'organizationId']);
});
