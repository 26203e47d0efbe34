import {
	adding,
	ANA,
	BEN,
	group,
	list,
	notFound,
	QUICK,
	scimError,
	user,
} from '../../../support/answers';
import { itemsOf } from '../../../support/items';
import { byId } from '../../../support/node';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const ADMIN = 'whylabs-org-1:admin';
const MEMBER = 'whylabs-org-1:member';
const PATCH_ADMIN = 'PATCH /scim/Groups/whylabs-org-1%3Aadmin';
const PATCH_MEMBER = 'PATCH /scim/Groups/whylabs-org-1%3Amember';
const NAMES = new Map([
	['user-1', ANA],
	['user-2', BEN],
]);

interface Operation {
	op: string;
	value: Array<{ value: string }>;
}

/** Organization 1 as docs/interface.md 2.3 describes it: an add moves, a removal takes whatever role there is. */
function organization(roles: Record<string, string>): Record<string, string> {
	const shown = (id: string) =>
		group(
			id,
			Object.entries(roles).flatMap(([person, role]): Array<[string, string]> =>
				role === id ? [[person, NAMES.get(person) ?? person]] : [],
			),
		);
	api.always('GET /scim/Groups', () => [200, list([shown(ADMIN), shown(MEMBER)])]);
	for (const id of [ADMIN, MEMBER]) {
		const path = `/scim/Groups/${encodeURIComponent(id)}`;
		api.always(`GET ${path}`, () => [200, shown(id)]);
		api.always(`PATCH ${path}`, ({ body }) => {
			const operations = body?.Operations as unknown as Operation[];
			const people = ({ value }: Operation) => value.map(({ value: person }) => person);
			for (const operation of operations.filter(({ op }) => op === 'add')) {
				const known = people(operation).filter((person) => NAMES.has(person));
				for (const person of known) roles[person] = id;
				if (known.length < operation.value.length) {
					return scimError(400, 'Invalid user id', 'invalidValue');
				}
			}
			for (const operation of operations.filter(({ op }) => op === 'remove')) {
				for (const person of people(operation)) delete roles[person];
			}
			return [200, shown(id)];
		});
	}
	for (const [id, name] of NAMES) api.always(`GET /scim/Users/${id}`, [200, user(id, name)]);
	return roles;
}

const setMembers = async (parameters = {}, more = {}) =>
	await runChecked(
		'group',
		'setMembers',
		{
			chooseGroupBy: 'group',
			group: byId('org-1:member'),
			people: 'user-1',
			options: QUICK,
			...parameters,
		},
		more,
	);

it('sends only the difference', async () => {
	const roles = organization({ 'user-2': MEMBER });

	const { json, pairedItems } = await setMembers();

	expect(api.writes()).toEqual([PATCH_MEMBER]);
	expect(api.body(PATCH_MEMBER)).toMatchObject({
		Operations: [
			{ op: 'add', value: [{ value: 'user-1' }] },
			{ op: 'remove', value: [{ value: 'user-2' }] },
		],
	});
	expect(roles).toEqual({ 'user-1': MEMBER });
	expect(itemsOf(json)).toEqual([
		`granted ${ANA} org-1 >member done`,
		`revoked ${BEN} org-1 member> done`,
	]);
	expect(pairedItems).toEqual([[0], [0]]);
});

it('is so already: nothing is written', async () => {
	organization({ 'user-1': MEMBER });

	await setMembers();

	expect(api.writes()).toEqual([]);
});

it.each(['', '={{ [] }}'])('an empty list (%s) is refused unless it is allowed', async (people) => {
	const roles = organization({ 'user-1': MEMBER });

	const { error } = await setMembers({ people });

	expect(api.writes()).toEqual([]);
	expect(error?.message).toContain('would remove everybody');
	await setMembers({ people, options: { ...QUICK, allowEmptying: true } });
	expect(roles).toEqual({});
});

it('a person who moves from one list to the other keeps the new role', async () => {
	const roles = organization({ 'user-1': MEMBER, 'user-2': ADMIN });

	const { error } = await setMembers(
		{
			group: byId('={{ $json.group }}'),
			people: '={{ $json.people }}',
			options: { ...QUICK, allowEmptying: true },
		},
		{
			items: [
				{ group: 'org-1:admin', people: ['user-1', 'user-2'] },
				{ group: 'org-1:member', people: [] },
			],
		},
	);

	expect(error).toBeUndefined();
	expect(api.writes()).toEqual([PATCH_ADMIN]);
	expect(api.body(PATCH_ADMIN)).toEqual(adding('user-1'));
	expect(roles).toEqual({ 'user-1': ADMIN, 'user-2': ADMIN });
});

it('a new admin whom the service refuses does not leave the organization without one', async () => {
	const roles = organization({ 'user-1': ADMIN });
	api.always('GET /scim/Users/user-nobody', notFound);

	const { error } = await setMembers({ group: byId('org-1:admin'), people: 'user-nobody' });

	expect(error).toBeDefined();
	expect(roles).toEqual({ 'user-1': ADMIN });
});

it('nor does one whom the guard takes for active and the service refuses all the same', async () => {
	const roles = organization({ 'user-1': ADMIN });
	api.always('GET /scim/Users/user-out', [200, user('user-out', 'out@elsewhere.example')]);

	const { error } = await setMembers({ group: byId('org-1:admin'), people: 'user-out' });

	expect(error).toBeDefined();
	expect(roles).toEqual({ 'user-1': ADMIN });
});

it('an item that cannot be used: nobody is removed from its group', async () => {
	const roles = organization({ 'user-1': MEMBER, 'user-2': MEMBER });

	const result = await setMembers(
		{ group: byId('={{ $json.group }}'), people: '={{ $json.people }}' },
		{
			items: [
				{ group: 'org-1:member', people: 'user-1' },
				{ group: 'org-1:member', people: 'ana@' },
			],
			onError: 'continueErrorOutput',
		},
	);

	expect(api.writes()).toEqual([]);
	expect(result.errorPairedItems).toEqual([[1]]);
	expect(roles).toEqual({ 'user-1': MEMBER, 'user-2': MEMBER });
});
