'use strict';

const { userIdOf } = require('../support/memoryService');

const NAMES = ['Ana', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Ida'];
const ROBOTS = 20;

/** What HR wants, kept apart from the service: `people` by ID, each `{ id, userName, given, active, groups }`. */
class Truth {
	/** @param {number} count people; a few more names are of people who come and go */
	constructor({ places, outside }, count, chance) {
		Object.assign(this, { places, outside, chance });
		this.managed = new Set(places.flat());
		this.people = new Map();
		for (let number = 0; number < count * 1.05; number++) {
			const userName = `p${number}@example.com`;
			const named = { id: userIdOf(userName), userName, given: chance.pick(NAMES) };
			const person = { ...named, had: new Set() };
			const active = number < count;
			this.people.set(person.id, { ...person, active, isListed: false, groups: new Set() });
			if (active) this.wish(this.people.get(person.id), number);
		}
		/** The first of each place never leave: no place is ever without an admin. */
		this.movable = [...this.people.values()].slice(places.length);
	}

	wish(person, number = Infinity) {
		const { chance, places } = this;
		const groups = chance.some(places, chance.below(4)).map((place) => chance.pick(place));
		const own = places[number] ?? [];
		person.groups = new Set([
			...groups.filter((group) => !own.includes(group)),
			...own.slice(0, 1),
		]);
	}

	/** A day: some come, some leave, some move, some have another name. */
	live() {
		const { chance, movable } = this;
		const size = Math.ceil(movable.length / 600);
		const someWith = (isHere, count) =>
			chance.some(
				movable.filter(({ active }) => active === isHere),
				count,
			);
		const here = someWith(true, size * 4);
		const joiners = someWith(false, size);
		const leavers = here.splice(0, size);
		const movers = here.splice(0, size * 2);
		for (const person of joiners) Object.assign(person, { active: true });
		for (const person of [...leavers, ...movers]) person.had = person.groups;
		for (const person of [...joiners, ...movers]) this.wish(person);
		for (const person of leavers)
			Object.assign(person, { active: false, isListed: chance.isHit(0.5), groups: new Set() });
		for (const person of here) person.given = chance.pick(NAMES);
		return { joiners, leavers, movers };
	}

	/** The seed of a service in the state HR wants, with robots whose access must not change. */
	seed() {
		const here = [...this.people.values()].filter(({ active }) => active);
		const users = here.map(({ id, userName, given }, number) => ({
			...{ id, userName, externalId: `E-${number}` },
			name: { givenName: given, familyName: 'Doe' },
		}));
		const robots = Array.from({ length: ROBOTS }, (_, number) => {
			const userName = `robot-${number}@machines.test`;
			return { id: userIdOf(userName), userName };
		});
		const members = new Map([...this.managed, ...this.outside].map((group) => [group, []]));
		for (const { id, groups } of here) for (const group of groups) members.get(group).push(id);
		for (const { id } of [...robots, ...here.slice(0, 300)]) {
			members.get(this.chance.pick(this.outside)).push(id);
		}
		for (const { id } of robots) {
			for (const place of this.chance.some(this.places, 2))
				members.get(this.chance.pick(place)).push(id);
		}
		return { users: [...users, ...robots], members };
	}

	/**
	 * @param {string} what `active`, `name`, or a group
	 * @returns what HR wants of that; undefined where it says nothing
	 */
	wanted({ id, userName }, what) {
		if (!userName.endsWith('@example.com')) return undefined;
		const person = this.people.get(id);
		const active = person?.active === true;
		if (what === 'active') return active;
		if (what === 'name') return active ? person.given : undefined;
		// Leavers lose all access, and no operation gives any outside.
		if (!this.managed.has(what)) return active ? undefined : false;
		return active && person.groups.has(what);
	}
}

module.exports = { NAMES, Truth };
