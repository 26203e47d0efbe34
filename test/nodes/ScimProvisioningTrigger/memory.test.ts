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
	`{"checksum":"","format":5,"people":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
])('is nothing in %j', (text) => {
	expect(readMemory(text, isHere, ids)).toBeUndefined();
});

/** Puts something else in the place of any part of a value. */
const damaged = (value: unknown, [step, ...way]: number[], instead: unknown): unknown => {
	const parts = Object.entries(typeof value === 'object' && value !== null ? value : {});
	if (step === undefined || parts.length === 0) return instead;
	const at = step % parts.length;
	const [key, inner] = parts[at] as [string, unknown];
	parts[at] = [key, damaged(inner, way, instead)];
	return Array.isArray(value)
		? parts.map(([, part]: [string, unknown]) => part)
		: Object.fromEntries(parts);
};

it('is nothing in what was damaged inside, wherever and however', () => {
	const odd = fc.oneof(
		fc.constantFrom(undefined, null, 99, -1, '', 'x', true, [], {}, [null], [[1, 'x']]),
		fc.jsonValue(),
	);
	fc.assert(
		fc.property(randomLook, fc.array(fc.nat(9), { maxLength: 5 }), odd, (look, way, instead) => {
			const text = writeMemory(look, 'here');
			const other = JSON.stringify(damaged(JSON.parse(text), way, instead));
			if (other === text) return;
			expect(readMemory(other, isHere, ids)).toBeUndefined();
		}),
		{ numRuns: 2_000 },
	);
	fc.assert(
		fc.property(randomLook, fc.nat(), fc.nat(20), fc.string(), (look, at, length, instead) => {
			const text = writeMemory(look, 'here');
			const from = at % text.length;
			const other = text.slice(0, from) + instead + text.slice(from + length);
			if (other === text || /^\s*$/.test(instead + text.slice(from, from + length))) return;
			expect(readMemory(other, isHere, ids)).toBeUndefined();
		}),
		{ numRuns: 2_000 },
	);
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
