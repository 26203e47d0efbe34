import { RequestError } from '../../../../nodes/shared/http';
import { OnRequest } from '../../../../nodes/shared/scim/client/wire';
import { SCHEMA } from '../../../../nodes/shared/scim/protocol/resource';
import { attempt } from '../../../../nodes/shared/util';

// When memberships are asked for by name, and what ends that.

type Shows = boolean | undefined | Error;

const schema = (id: string, name: string, returned: string) => ({
	id,
	attributes: [
		{ name: 'displayName', returned: 'default' },
		{ name, returned },
	],
});
const SAID = [{ id: 'urn:other' }, schema(SCHEMA.user, 'groups', 'request')];

/** A service that shows this when it is asked by name, and has these schemas; how often each was asked for. */
function serviceOf(shows: Shows, schemas: object[] = [], isKnown = false) {
	const asked = { byName: 0, schemas: 0 };
	const onRequest = new OnRequest(isKnown, async () => {
		asked.schemas += 1;
		return await Promise.resolve(schemas);
	});
	const probe = async () => {
		asked.byName += 1;
		await Promise.resolve();
		if (shows instanceof Error) throw shows;
		return shows;
	};
	return { onRequest, probe, asked };
}

it.each<[string, Shows, object[], boolean]>([
	['that shows them', true, [], true],
	['that shows none, with users that say so', false, SAID, true],
	[
		'that shows none, with groups that do',
		false,
		[schema(SCHEMA.group, 'members', 'request')],
		true,
	],
	['that shows none, in other case', false, [schema(SCHEMA.user, 'GROUPS', 'Request')], true],
	['that shows none, and says nothing', false, [], false],
	['that always shows them', false, [schema(SCHEMA.user, 'groups', 'default')], false],
	['that hides something else', false, [schema(SCHEMA.user, 'photos', 'request')], false],
	['that hides what is no access', false, [schema('urn:other', 'groups', 'request')], false],
	['whose groups have groups', false, [schema(SCHEMA.group, 'groups', 'request')], false],
	['whose answer cannot be used', undefined, SAID, false],
	['whose answer is an error', new Error('down'), SAID, false],
])('of a service %s, asked by name', async (_, shows, schemas, asks) => {
	const { onRequest, probe, asked } = serviceOf(shows, schemas);
	expect(onRequest.asks).toBe(false);
	const decided = [onRequest.decide(probe), onRequest.decide(probe)];
	expect(await Promise.all(decided)).toEqual([asks, asks]);
	expect(await onRequest.decide(probe)).toBe(asks);
	expect(onRequest.asks).toBe(asks);
	expect(asked).toEqual({ byName: 1, schemas: shows === false ? 1 : 0 });
});

it('a service that shows them anyway is never asked', async () => {
	const { onRequest, probe, asked } = serviceOf(true, SAID);
	onRequest.noteShown();
	expect(await onRequest.decide(probe)).toBe(false);
	expect(asked).toEqual({ byName: 0, schemas: 0 });
});

it('what is shown meanwhile without being asked for decides', async () => {
	const { onRequest, probe } = serviceOf(true);
	const decided = onRequest.decide(probe);
	onRequest.noteShown();
	expect(await decided).toBe(false);
});

it('a service that is known is asked from the start, whatever is shown then', async () => {
	const { onRequest, probe, asked } = serviceOf(false, [], true);
	onRequest.noteShown();
	expect([onRequest.asks, await onRequest.decide(probe)]).toEqual([true, true]);
	expect(asked).toEqual({ byName: 0, schemas: 0 });
});

const failure = (kind: 'http' | 'unreadable' | 'network', status?: number) =>
	new RequestError('the answer', '', { kind, method: 'GET', status, mayHaveWorked: false });

it.each<[string, Error | undefined, 'answer' | 'nothing' | 'error', boolean]>([
	['what was asked for', undefined, 'answer', true],
	['a refusal with 400', failure('http', 400), 'nothing', false],
	['a refusal with 403', failure('http', 403), 'nothing', false],
	['a refusal with 405', failure('http', 405), 'nothing', false],
	['a refusal with 501', failure('http', 501), 'nothing', false],
	['no answer that can be read', failure('unreadable', 200), 'nothing', false],
	['an outage', failure('http', 500), 'error', true],
	['no connection', failure('network'), 'error', true],
	['an error of the program', new TypeError('x'), 'error', true],
])('a question that gets %s', async (_, error, comes, asksOn) => {
	const { onRequest } = serviceOf(true, [], true);
	const told = await attempt(
		async () =>
			await onRequest.ask(async () => {
				if (error) throw error;
				return await Promise.resolve('answer');
			}),
	);
	expect(told.ok ? (told.value ?? 'nothing') : 'error').toBe(comes);
	if (!told.ok) expect(told.error).toBe(error);
	expect(onRequest.asks).toBe(asksOn);
});
