import { nearNames } from '../../../nodes/shared/util/names';

const NAMES = ['Engineering', 'Marketing', 'HR', 'PR', 'Team 1', 'Team 12', 'Sales EU', 'Sales US'];

it.each([
	['Enginering', ['Engineering']],
	['engineering ', ['Engineering']],
	['Engineerings', ['Engineering']],
	['Markting', ['Marketing']],
	['sales-eu', ['Sales EU']],
	['Sales XS', ['Sales US']],
	['Sales E', ['Sales EU']],
	['Sales U', ['Sales EU', 'Sales US']],
	['team1', ['Team 1']],
	['Taem 12', []],
	['Markteing', ['Marketing']],
	// Another team, not another spelling.
	['Team 2', []],
	['Team 11', []],
	// Too short to tell.
	['FR', []],
	['h-r', ['HR']],
	['Finance', []],
	['', []],
	[' - ', []],
])('%j most likely means %j', (text, near) => {
	expect(nearNames(text, NAMES)).toEqual(near);
});

it('a name that comes twice is one, and of a list of very many nothing is said', () => {
	expect(nearNames('Alpah', ['Alpha', 'Alpha'])).toEqual([]);
	expect(nearNames('Alphas', ['Alpha', 'Alpha'])).toEqual(['Alpha']);
	const many = Array.from({ length: 2_000 }, (_, index) => `x${index}`);
	expect(nearNames('Alphas', [...many.slice(1), 'Alpha'])).toEqual(['Alpha']);
	expect(nearNames('Alphas', [...many, 'Alpha'])).toEqual([]);
});
