import fc from 'fast-check';

import {
	ACCOUNT,
	type Coverage,
	type Fact,
	holdingsIn,
	type Look,
	seenGroup,
	seenValue,
	WATCHED,
} from '../../nodes/shared/access/facts/differences';
import { PROFILES } from '../../nodes/shared/scim/protocol/service';

export const ids = PROFILES.accountOrganizations.groups();

export const GROUPS: Look['groups'] = new Map([
	...[
		...['org-1:admin', 'org-1:member', 'org-2:member', 'org-2:viewer'],
		...['g-1', '__proto__', '7'],
	].map((id) => [ids.key(id), seenGroup(id, `name of ${id}`, ids)] as const),
	...['admin', '7', 'org-1:admin'].map((value) => {
		const { key, ...seen } = seenValue({ attribute: 'roles', value });
		return [key, seen] as const;
	}),
]);

export const COVERS: Coverage = {
	accounts: true,
	memberships: 'groups',
	values: ['roles'],
	watched: { attributes: ['title'], key: 'key' },
};

const holdings = holdingsIn(GROUPS);
const factsOfUser = fc
	.record({
		active: fc.constantFrom(true, false, undefined, 'nobody' as const),
		keys: fc.uniqueArray(fc.constantFrom(...GROUPS.keys())),
		mark: fc.option(fc.constantFrom('nothing', 'Nurse', 'Matron')),
	})
	.map(({ active, keys, mark }) => {
		const facts = new Map<string, Fact>();
		if (active !== 'nobody') {
			facts.set(ACCOUNT, { of: 'account', active });
			if (mark !== null) facts.set(WATCHED, { of: 'watched', mark });
		}
		for (const [place, holding] of holdings(keys)) facts.set(place, holding);
		return facts;
	});

/** Some of these IDs would hurt a careless object. Everything was read. */
export const randomLook: fc.Arbitrary<Look> = fc
	.array(
		fc.tuple(fc.constantFrom('u-1', 'u-2', 'u-3', '__proto__', 'constructor', '7'), factsOfUser),
	)
	.map((people) => {
		const facts = new Map(people.filter(([, own]) => own.size > 0));
		const names = new Map([...facts.keys()].map((id) => [id, `${id}@example.com`]));
		return { facts, names, groups: GROUPS, oneRole: false, covers: COVERS };
	});
