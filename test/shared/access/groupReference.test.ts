import { matchGroups, pickGroup } from '../../../nodes/shared/access/facts/groupReference';

const groups = [
	{ id: 'g3', displayName: 'Sales' },
	{ id: 'g9', displayName: 'AxR' },
	{ id: 'A*R', displayName: 'Star' },
];
const keyOf = (id: string) => id.toLowerCase();
const access = { groupAt: () => undefined, nameOf: String, placeOf: () => undefined };

it('what is given as a name is no ID', () => {
	const byId = new Map(groups.map((group) => [group.id, group]));
	const found = (by: 'name' | 'text') =>
		pickGroup(by === 'name' ? { by, name: 'g3' } : { by, text: 'g3' }, byId, access, keyOf);
	expect(found('text')).toEqual({ ok: true, value: 'g3' });
	expect(found('name')).toMatchObject({ ok: false });
});

it('an ID that looks like a pattern is that ID', () => {
	const { includes } = matchGroups(['a*r'], groups, keyOf);
	expect(groups.map(({ id }) => id).filter(includes)).toEqual(['A*R']);
});
