import { keptNames, type Keeping } from '../../../../nodes/shared/scim/client/wire';

const SHOWN = [
	...[
		'id',
		'userName',
		'Name',
		'emails',
		'active',
		'groups',
		'members',
		'roles',
		'photos',
		'title',
	],
	...['urn:example:User', 'TITLE', 'name.familyName'],
];

it.each<[string, Keeping['keeps'], string[]]>([
	['what is shown as it came', 'all', SHOWN],
	['by itself', undefined, SHOWN.filter((name) => !/groups|members/.test(name))],
	['who has what', [], SHOWN.filter((name) => !/groups|members|photos|title/i.test(name))],
	...[['title'], ['Title.x'], ['urn:ietf:params:scim:schemas:core:2.0:User:title']].map(
		(keeps): [string, string[], string[]] => [
			keeps[0],
			keeps,
			SHOWN.filter((name) => !/groups|members|photos/.test(name)),
		],
	),
])('of attributes a run keeps, %s', (_, keeps, kept) => {
	const keepsIt = keptNames({ keeps }, { accessAttributes: ['roles'] });
	expect(SHOWN.filter(keepsIt)).toEqual(kept);
});
