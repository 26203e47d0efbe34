import fc from 'fast-check';

import { readMemory, writeMemory } from '../../../nodes/ScimProvisioningTrigger/memory';
import {
	ACCOUNT,
	type Fact,
	isHolding,
	type Look,
	WATCHED,
} from '../../../nodes/shared/access/facts/differences';
import { COVERS, GROUPS, ids, randomLook } from '../../support/looks';

const isHere = (source: string) => source === 'here';

it('comes back from the text as it was, with the groups that somebody is in', () => {
	fc.assert(
		fc.property(randomLook, (look: Look) => {
			const text = writeMemory(look, 'here');
			const held = [...look.facts.values()].flatMap((own) => [...own.values()]);
			const inUse = new Set(held.flatMap((fact) => (isHolding(fact) ? fact.keys : [])));
			expect(readMemory(text, isHere, ids)).toEqual({
				...look,
				groups: new Map([...GROUPS].filter(([key]) => inUse.has(key))),
			});
			expect(readMemory(text, (source) => source === 'elsewhere', ids)).toBeUndefined();
		}),
	);
});

it.each([
	...[undefined, 7, '', '{', '[]', '{"source":"here"}', '{"format":2,"source":"here"}'],
	'{"format":3,"source":"here"}',
])('is nothing in %j', (text) => {
	expect(readMemory(text, isHere, ids)).toBeUndefined();
});

it('a digest of 8 bytes takes 14 of the text', () => {
	const users = Array.from({ length: 1_000 }, (_, at) => `${at}`.padStart(32, 'a'));
	const sizeWith = (...watched: Array<[string, Fact]>) => {
		const account: [string, Fact] = [ACCOUNT, { of: 'account', active: true }];
		const facts = new Map(users.map((id) => [id, new Map([account, ...watched])]));
		const look = { facts, groups: GROUPS, names: new Map(), oneRole: false, covers: COVERS };
		return writeMemory(look, 'here').length;
	};
	const marked = sizeWith([WATCHED, { of: 'watched', mark: 'aaaaaaaaaaa' }]);
	expect((marked - sizeWith()) / users.length).toBe(14);
});
