import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readCredential } from '../../../nodes/shared/http/credential';
import type { RequestContext } from '../../../nodes/shared/http/n8nTransport';

const BASE = { baseUrl: 'https://api.example.com', accountApiToken: 'token-one' };

/** The items that were read, and what came of it. */
async function read(
	count: number,
	ofItem: (item: number) => ICredentialDataDecryptedObject,
): Promise<{ items: number[]; said: string }> {
	const items: number[] = [];
	const context = {
		getInputData: () => Array.from({ length: count }, () => ({ json: {} })),
		getCredentials: async (_type: string, item = 0) => {
			items.push(item);
			return { ...BASE, ...ofItem(item) };
		},
	};
	const said = await readCredential(context as unknown as RequestContext, 'anyApi').then(
		({ baseUrl }) => String(baseUrl),
		(error: Error) => error.message,
	);
	return { items: items.sort((one, other) => one - other), said };
}

const upTo = (count: number) => Array.from({ length: count }, (_, item) => item);

it.each([1, 2, 99, 100])('all of %i items are compared', async (count) => {
	expect(await read(count, () => ({}))).toEqual({ items: upTo(count), said: BASE.baseUrl });
});

it.each([101, 250, 50_000])('of %i items the first, the last, and 98 between', async (count) => {
	const { items } = await read(count, () => ({}));
	expect(new Set(items).size).toBe(100);
	expect([items[0], items.at(-1)]).toEqual([0, count - 1]);
	const gaps = items.slice(1).map((item, at) => item - items[at]);
	expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
});

const last = (changes: ICredentialDataDecryptedObject) => (item: number) =>
	item === 2 ? changes : {};
const differs = (what: string) =>
	`The credential is not the same for all items: ${what} differs between item 0 and item 2`;

it.each<[string, ICredentialDataDecryptedObject, string]>([
	['another address', { baseUrl: 'https://two.example.com' }, 'its Base URL'],
	['no address', { baseUrl: undefined as unknown as string }, 'its Base URL'],
	['another path', { baseUrl: `${BASE.baseUrl}/two` }, 'its Base URL'],
	['another account', { accountOrganizationId: 'org-2' }, 'its Account Organization ID'],
	['another organization', { organizationId: 'org-2' }, 'its Organization ID'],
	['another token', { accountApiToken: 'token-two' }, 'one of its fields'],
	['another client', { clientId: 'two' }, 'one of its fields'],
	['another profile', { serviceProfile: 'slack' }, 'one of its fields'],
	['another list', { groupRoles: { role: [{ name: 'admin' }] } }, 'one of its fields'],
])('%s is refused', async (_, changes, what) => {
	expect((await read(3, last(changes))).said).toBe(differs(what));
});

it.each<[string, ICredentialDataDecryptedObject]>([
	['a token that n8n has renewed', { oauthTokenData: { access_token: 'new' } }],
	['the same address in another spelling', { baseUrl: ' HTTPS://API.example.com// ' }],
	['the same text with blanks', { accountApiToken: 'token-one ' }],
	['an empty field instead of none', { organizationId: '' }],
])('%s is the same', async (_, changes) => {
	expect((await read(3, last(changes))).said).toBe(BASE.baseUrl);
});

it('without items, as in the editor, it is read once', async () => {
	const getCredentials = jest.fn(async () => BASE);
	await readCredential({ getCredentials } as unknown as RequestContext, 'anyApi');
	expect(getCredentials.mock.calls).toEqual([['anyApi']]);
});
