import {
	groupReferenceKey,
	groupReferenceLabel,
	matchGroups,
	pickGroup,
	selectGroups,
	type GroupReference,
} from '../../../nodes/shared/access/groupReference';
import type { OrganizationRole } from '../../../nodes/shared/scim';

const keyOf = (id: string) => id.toLowerCase();
const groups = [
	['g1', 'Engineering'],
	['g2', 'engineering'],
	['g3', 'Sales'],
	['g4', 'Sales Berlin'],
	['g5', 'g3'],
	['g6', 'Twins'],
	['g7', 'Twins'],
	['g8', 'A*B'],
	['g9', 'AxB'],
	['HR', 'HR'],
	['h*r', 'Star'],
].map(([id, displayName]) => ({ id, displayName }));
const access = {
	groupAt: ({ organization, role }: OrganizationRole) =>
		organization === 'Marketing' && role === 'admin' ? 'g4' : undefined,
	nameOf: (organization: string) => organization,
	placeOf: (id: string) => (id === 'g4' ? { organization: 'Marketing', role: 'admin' } : undefined),
};

function pick(reference: GroupReference): string {
	const byId = new Map(groups.map((group) => [group.id, group]));
	const found = pickGroup(reference, byId, access, keyOf);
	return found.ok ? found.value : (found.error as Error).message;
}

const REFERENCES: Array<[string, GroupReference, string, string]> = [
	['an ID, there or not', { by: 'id', id: 'g99' }, 'g99', 'g99'],
	['a name', { by: 'name', name: 'Sales' }, 'Sales', 'g3'],
	['a name in another case', { by: 'name', name: 'sales' }, 'sales', 'g3'],
	['the exact one of two names', { by: 'name', name: 'engineering' }, 'engineering', 'g2'],
	[
		'a name that fits two, neither exactly',
		{ by: 'name', name: 'ENGINEERING' },
		'ENGINEERING',
		'More than one group is named "ENGINEERING" (IDs g1, g2)',
	],
	[
		'a name of two groups',
		{ by: 'name', name: 'Twins' },
		'Twins',
		'More than one group is named "Twins" (IDs g6, g7)',
	],
	['no name', { by: 'name', name: 'g4' }, 'g4', 'There is no group "g4"'],
	['text that is an ID in another case', { by: 'text', text: 'G4' }, 'G4', 'g4'],
	['text that is a name', { by: 'text', text: 'Sales Berlin' }, 'Sales Berlin', 'g4'],
	[
		'text that is an ID and the name of another group',
		{ by: 'text', text: 'g3' },
		'g3',
		'"g3" is the ID of group Sales and the name of another one (IDs g3, g5)',
	],
	['text that is ID and name of one group', { by: 'text', text: 'HR' }, 'HR', 'HR'],
	['text that is neither', { by: 'text', text: 'Ops' }, 'Ops', 'There is no group "Ops"'],
	['a role', { by: 'place', organization: 'Marketing', role: 'admin' }, 'admin in Marketing', 'g4'],
	[
		'a role that no group stands for',
		{ by: 'place', organization: 'Marketing', role: 'member' },
		'member in Marketing',
		'There is no group "member in Marketing"',
	],
];

it.each(REFERENCES)('one group by %s', (_, reference, label, found) => {
	expect(groupReferenceLabel(reference)).toBe(label);
	expect(pick(reference)).toBe(found);
});

it('every other reference has another key', () => {
	const keys = REFERENCES.map(([, reference]) => groupReferenceKey(reference));
	expect(new Set(keys).size).toBe(keys.length);
	expect(groupReferenceKey({ by: 'id', id: 'x' })).toBe(groupReferenceKey({ by: 'id', id: 'x' }));
});

describe('a list of names, IDs and patterns', () => {
	const matched = (entries: string[]) => {
		const { includes, unmatched } = matchGroups(entries, groups, keyOf);
		return { ids: groups.map(({ id }) => id).filter(includes), unmatched };
	};

	it.each([
		['everything', ['Sales', '*'], groups.map(({ id }) => id), []],
		['a pattern on names', ['sales*'], ['g3', 'g4'], []],
		['a pattern on IDs', ['G*7'], ['g7'], []],
		['a pattern that fits several of one name', ['Twin*'], ['g6', 'g7'], []],
		['a pattern that is also the name of a group', ['A*B'], ['g8', 'g9'], []],
		['an ID that looks like a pattern', ['H*R'], ['h*r'], []],
		['a name and an ID', ['Sales Berlin', 'g1'], ['g1', 'g4'], []],
		['what is not there', ['Ops*', 'Ops', 'Sales'], ['g3'], ['Ops*', 'Ops']],
		['nothing', [], [], []],
	])('%s', (_, entries, ids, unmatched) => {
		expect(matched(entries)).toEqual({ ids, unmatched });
	});

	it('everything is also what was not listed', () => {
		expect(matchGroups(['*'], [], keyOf).includes('g99')).toBe(true);
	});

	it('ignores how an ID is written', () => {
		expect(matchGroups(['G1'], groups, keyOf).includes('g1')).toBe(true);
		expect(matchGroups(['g1'], groups, keyOf).includes('G1')).toBe(true);
	});

	it('refuses a name of two groups, and an ID that is a name, too', () => {
		expect(() => matched(['Twins'])).toThrow('More than one group is named "Twins" (IDs g6, g7)');
		expect(() => matched(['g3'])).toThrow('the ID of group Sales and the name of another one');
	});

	it('refuses a name that is not there where each has to be; a pattern may match nothing', () => {
		expect(() => selectGroups(['Sales', 'Ops'], groups, keyOf)).toThrow('There is no group "Ops"');
		expect(selectGroups(['Ops*'], groups, keyOf).unmatched).toEqual(['Ops*']);
	});
});
