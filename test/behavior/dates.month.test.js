'use strict';

const { setClock } = require('../support/clock');
const { Account, Groups, UNDOABLE, email, errorsIn, play, rows } = require('../support/behavior');

// A month, twice a day, in two zones over both changes of daylight saving: who has what is what the list says of that day. One
// of the two times is on another day there than in UTC.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (ms) => new Date(ms).toISOString().slice(0, 10);
const MONTHS = [
	['Europe/Berlin', '2026-03-12', 11],
	['Europe/Berlin', '2026-10-10', 11],
	['America/New_York', '2026-02-21', 0],
	['America/New_York', '2026-10-17', 0],
];
const DATES = { startsOn: 'from', endsOn: 'to', hold: 'hold' };

/** The same for every run. */
function randomFrom(seed) {
	let at = seed;
	return (n) => (at = (at * 1_103_515_245 + 12_345) % 2_147_483_648) % n;
}

/**
 * What HR has on each day of the month: rows appear, get another end, are canceled, are on hold and come back.
 * @returns by day, the rows
 */
function monthOf(first, random) {
	const day = (offset) => iso(first + offset * DAY);
	const people = Array.from({ length: 16 }, (_, at) => `p${at}`);
	const plans = people.flatMap((name, at) => {
		const [one, other] = random(2) ? ['eng', 'vpn'] : ['vpn', 'eng'];
		const start = random(25) - 5;
		const end = start + 1 + random(12);
		const contract = { name, place: one, from: start, to: end };
		switch (at % 8) {
			case 0: // A joiner, whose row comes before the start, and who stays.
				return [{ ...contract, to: undefined, seen: start - 3 }];
			case 1: // A leaver.
				return [{ ...contract, from: undefined, to: end }];
			case 2: // A contract that is extended before it ends.
				return [{ ...contract, edits: [[Math.max(end - 1, 0), { to: end + 6 }]] }];
			case 3: // One that is canceled.
				return [{ ...contract, to: end + 9, edits: [[start + 2, { gone: true }]] }];
			case 4: // A rehire, after a gap.
				return [contract, { ...contract, from: end + 4, to: undefined, seen: start }];
			case 5: // Somebody who is on hold over the end, and after it.
				return [
					{
						...contract,
						edits: [
							[end - 1, { hold: true }],
							[end + 5, { hold: false }],
						],
					},
				];
			case 6: // A move to another team, on one day.
				return [contract, { ...contract, place: other, from: end + 1, to: undefined }];
			default: // No dates.
				return [{ ...contract, from: undefined, to: undefined }];
		}
	});
	return (today) =>
		plans.flatMap(({ edits = [], seen = -99, ...plan }) => {
			const now = edits.reduce(
				(row, [on, edit]) => (on <= today ? { ...row, ...edit } : row),
				plan,
			);
			if (seen > today || now.gone) return [];
			const date = (offset) => (offset === undefined ? '' : day(offset));
			return { ...now, from: date(now.from), to: date(now.to), hold: now.hold === true };
		});
}

/** What a person is to have by what the list says of a day, and had before. */
function wantedOf(own, today, before) {
	if (own.some(({ hold }) => hold)) return before;
	const ended = own.filter(({ to }) => to !== '' && to < today);
	const waiting = own.filter((row) => row.from > today && !ended.includes(row));
	const counting = own.filter((row) => !ended.includes(row) && !waiting.includes(row));
	if (counting.length + ended.length === 0 && waiting.length > 0) return before;
	return [...new Set(counting.map(({ place }) => place))].sort();
}

const KINDS = {
	'access by group': {
		world: (people) => new Groups(people, { credential: UNDOABLE, groups: ['eng', 'vpn'] }),
		stays: 'eng vpn',
		what: ['access', 'reconcile'],
		fields: (all) => ({
			...{ accessBy: 'group', scopeGroups: rows('eng', 'vpn'), wantedFrom: 'json' },
			wantedJson: JSON.stringify(all.map(({ place, ...row }) => ({ ...row, group: place }))),
		}),
	},
	'access by role': {
		world: (people) => new Account(people),
		stays: 'a:admin b:member',
		what: ['access', 'reconcile'],
		// A move to another team is a promotion in the same organization.
		placeOf: (place) => (place === 'eng' ? 'a:viewer' : 'a:member'),
		fields: (all) => ({
			...{ accessBy: 'organizationAndRole', scopeOrganizations: 'org-a', wantedFrom: 'json' },
			wantedJson: JSON.stringify(
				all.map(({ place, ...row }) => {
					const [organization, role] = place.split(':');
					return { ...row, organization: `org-${organization}`, role };
				}),
			),
		}),
	},
	users: {
		world: (people) => new Groups(people, { credential: UNDOABLE }),
		stays: '',
		what: ['user', 'reconcile'],
		placeOf: () => 'active',
		fields: (all) => ({
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['userName'] },
			...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' },
			usersFrom: 'json',
			usersJson: JSON.stringify(
				all.map(({ email: userName, from, to, hold }) => ({
					userName,
					active: true,
					from,
					to,
					hold,
				})),
			),
		}),
	},
};
/** Each month is played once, and both changes of daylight saving by groups. */
const CASES = ['access by group', 'access by role', 'users', 'access by group'].map((kind, at) => [
	kind,
	...MONTHS[at],
]);

afterEach(() => setClock());
test.each(CASES)('%s, in %s from %s', async (kind, zone, start, from) => {
	const { world: make, stays, what, placeOf = (place) => place, fields } = KINDS[kind];
	const first = Date.parse(start);
	const listOn = monthOf(first, randomFrom(first / DAY));
	const isOfUsers = kind === 'users';
	const names = [...new Set(listOn(30).map(({ name }) => name))].sort();
	const nobody = isOfUsers ? 'inactive' : '';
	const world = make({
		...Object.fromEntries([...Array(16).keys()].map((at) => [`p${at}`, nobody])),
		zoe: stays,
	});
	world.settings = { timezone: zone };
	expect(names.length).toBeGreaterThan(10);
	const hasNow = () =>
		Object.fromEntries(
			Object.entries(world.shape()).map(([name, words]) => [
				name,
				isOfUsers ? (words === 'inactive' ? [] : ['active']) : words.split(' ').filter(Boolean),
			]),
		);
	const seen = new Set();
	for (let hour = from; hour < 30 * 24; hour += 12) {
		const now = first + hour * HOUR + 60_000;
		setClock(now);
		const today = new Date(now).toLocaleDateString('sv-SE', { timeZone: zone });
		const list = listOn(Math.floor(hour / 24)).map((row) => ({
			...row,
			place: placeOf(row.place),
		}));
		const before = hasNow();
		const stay = (isOfUsers ? ['active'] : stays.split(' ')).map((place) => ({
			...{ name: 'zoe', place, from: '', to: '', hold: false },
		}));
		const sent = [...stay, ...list].map(({ name, ...row }) => ({ email: email(name), ...row }));
		const items = await play(world, what, {
			...{ ...fields(sent), preview: false, dates: DATES },
			options: { maxPeopleAffected: 50, reactivate: true },
		});
		expect([today, errorsIn(items)]).toEqual([today, []]);
		for (const { reason } of items) if (reason) seen.add(reason.replace(/\d.*/, ''));
		const after = hasNow();
		const wanted = Object.fromEntries(
			Object.entries(before).map(([name, had]) => [
				name,
				wantedOf(
					[...stay, ...list].filter((row) => row.name === name),
					today,
					had,
				),
			]),
		);
		expect([today, after]).toEqual([today, wanted]);
	}
	expect([...seen].sort()).toEqual(['on hold', 'starts on ']);
});
