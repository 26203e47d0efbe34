import { Exchanges, Ours } from '../../../../nodes/shared/scim/check/exchanges';
import { TestObjects } from '../../../../nodes/shared/scim/check/testObjects';
import { PROFILES } from '../../../../nodes/shared/scim/protocol/presets';
import {
	fakePatience,
	fakeTransport,
	listBody,
	sendOver,
	user,
} from '../../../support/fakeTransport';

const MARK = 'n8n-check-1';
const BODY = { userName: `${MARK}@example.com`, externalId: MARK, displayName: MARK };

/** What is sent to a service that answers a create with this, and has no users. */
async function live(created: object) {
	const transport = fakeTransport(({ method }) =>
		method === 'POST' ? { status: 201, json: created } : { json: listBody([]) },
	);
	const ours = new Ours(MARK);
	const exchanges = new Exchanges(sendOver(transport), ours, (text) => text);
	const objects = new TestObjects(exchanges, ours, PROFILES.generic, fakePatience());
	const { made } = await objects.create('Users', BODY);
	const left = await objects.removeAll();
	return { made, left, deleted: transport.sent.filter((line) => line.startsWith('DELETE')) };
}

it('an answer to a create that shows another user is of nobody that may be removed', async () => {
	const { made, left, deleted } = await live(user('ana'));
	expect([made, deleted]).toEqual([undefined, []]);
	expect(left).toEqual([expect.stringContaining(MARK)]);
});

it.each([
	['the mark', { id: 'u-1', userName: 'Other', displayName: MARK.toUpperCase() }],
	['an ID alone', { id: 'u-1' }],
])('one that shows %s is removed', async (_, created) => {
	const { made, deleted } = await live(created);
	expect(made?.id).toBe('u-1');
	expect(deleted.length).toBeGreaterThan(0);
});
