import { typosIn } from '../../../nodes/shared/util/names';

const at = (local: string) => `${local}@example.com`;
const near = (wanted: string, ...known: string[]) =>
	typosIn(new Set([wanted]), new Set(known)).get(wanted) ?? [];

it.each([
	['two letters swapped', 'ana.sliva', 'ana.silva'],
	['one missing', 'ana.siva', 'ana.silva'],
	['one too many', 'ana.silvva', 'ana.silva'],
	['the first one', 'na.silva', 'ana.silva'],
	['the last one', 'ana.silv', 'ana.silva'],
	['beside a number that is the same', 'ana.sliva2', 'ana.silva2'],
	['letters of any script', 'анна.инванова', 'анна.иванова'],
	['a letter with an accent', 'josé.nuñz', 'josé.nuñez'],
])('near: %s', (_, wanted, known) => {
	expect(near(at(wanted), at(known), at('other.one'))).toEqual([at(known)]);
});

it.each([
	['the same', 'ana.silva', 'ana.silva'],
	['another letter', 'ana.silva', 'ana.salva'],
	['two letters more', 'ana.silvaxy', 'ana.silva'],
	['letters that are no neighbors', 'nna.silva', 'ana.silvn'],
	['a number more', 'user1', 'user12'],
	['numbers swapped', 'user12', 'user21'],
	['a number less', 'user', 'user1'],
	['a number and a letter swapped', 'user1a', 'usera1'],
	['letters apart', 'an.asilva', 'ana.silva'],
	['a period less', 'anasilva', 'ana.silva'],
	['one letter', 'a', 'ab'],
	['initials', 'abc', 'acb'],
	['initials with numbers', 'abc1234', 'acb1234'],
	['no letters', '12345', '21345'],
	['half a character', '𝒶nna', 'nna'],
])('another person: %s', (_, wanted, known) => {
	expect(near(at(wanted), at(known))).toStrictEqual([]);
	expect(near(at(known), at(wanted))).toStrictEqual([]);
});

it('the domain never differs, and what is no address is no typo of one', () => {
	expect(near('ana.sliva@example.com', 'ana.silva@example.org')).toStrictEqual([]);
	expect(near('ana.silva@exmaple.com', 'ana.silva@example.com')).toStrictEqual([]);
	expect(near('ana.sliva', 'ana.silva')).toStrictEqual([]);
});

it('finds all that are near, each once', () => {
	expect(near(at('hanna'), at('hannah'), at('hana'), at('ahnna'), at('eve')).sort()).toEqual([
		at('ahnna'),
		at('hana'),
		at('hannah'),
	]);
	expect(near(at('hannnah'), at('hannah'))).toEqual([at('hannah')]);
});

it('is linear in the addresses', () => {
	class Counted extends Set<string> {
		looked = 0;

		override has(value: string): boolean {
			this.looked += 1;
			return super.has(value);
		}
	}
	const lookedFor = (people: number) => {
		const named = (name: string) =>
			new Counted(Array.from({ length: people }, (_, one) => at(`${name}.${10_000_000 + one}`)));
		const [wanted, known] = [named('anna.sliva'), named('anna.silva')];
		expect(typosIn(wanted, known).size).toBe(people);
		return wanted.looked + known.looked;
	};
	expect(lookedFor(1_000)).toBeGreaterThan(1_000);
	expect(lookedFor(10_000)).toBe(10 * lookedFor(1_000));
});
