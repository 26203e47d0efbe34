'use strict';

const {
	Groups,
	UNDOABLE,
	emails,
	expression,
	locator,
	play,
	rows,
	wanted,
} = require('../support/behavior');

const { Alerting, play: playAlerts } = require('../support/alertBehavior');
const { triggerTable } = require('../support/triggerPlay');

// One run may hold so much of all that it reads: what is more ends it before anything is written.

const NAMES = Array.from({ length: 60 }, (_, at) => `p${at}`);
const MEGABYTE = 1_000_000;
/** 60 people with a quarter of a megabyte each. */
const heavy = (more) =>
	new Groups(
		Object.fromEntries(
			NAMES.map((name, at) => [
				name,
				{ has: at % 2 ? 'eng' : 'vpn', title: 'x'.repeat(MEGABYTE / 4) },
			]),
		),
		{ groups: ['ops'], credential: UNDOABLE, ...more },
	);
const group = (value) => ({ chooseGroupBy: 'group', group: locator('id', value) });
const ops = { accessBy: 'group', groups: rows('ops') };
const everybody = emails(NAMES.join(' '));

const RUNS = [
	['user getAll', { returnAll: true }],
	['user getAll', { returnAll: true, simplify: false }],
	[
		'access assign',
		{ people: everybody, groups: { group: [{ group: locator('id', 'ops') }] }, accessBy: 'group' },
	],
	[
		'access reconcile',
		{
			preview: false,
			accessBy: 'group',
			scopeGroups: rows('eng'),
			...wanted([{ email: 'p0@example.com', group: 'eng' }]),
		},
	],
	['access offboard', { people: everybody }],
	['group addMembers', { ...group('ops'), people: everybody }],
	[
		'user reconcile',
		{
			preview: false,
			usersFrom: 'json',
			usersJson: NAMES.map((name) => ({ userName: `${name}@example.com`, title: 'y' })),
		},
	],
];

async function run(what, fields, maxMemory) {
	const world = heavy();
	const ended = await play(world, what.split(' '), { ...fields, requests: { maxMemory } }).then(
		(items) => items.flatMap(({ error, reason }) => error ?? reason ?? []).map(String),
		({ message }) => [message],
	);
	return { said: [...new Set(ended)], written: world.service.written() };
}

const TOO_MUCH = 'more than it may hold in memory (10 MB)';

test.each(RUNS)('%s (%j) ends with an error, and nothing is sent', async (what, fields) => {
	const { said, written } = await run(what, fields, 10);
	expect(said.filter((one) => !one.includes(TOO_MUCH))).toStrictEqual([]);
	expect(said).not.toHaveLength(0);
	expect(written).toStrictEqual([]);
});

test.each(RUNS)('%s (%j) goes on with more memory', async (what, fields) => {
	const { said } = await run(what, fields, 100);
	expect(said.filter((one) => one.includes('memory'))).toStrictEqual([]);
});

const WATCHING = { events: ['userUpdated'], watched: 'title' };
const changed = ({ users }, world) => {
	users.get(world.user('p0').value).attributes.title = 'y';
};

triggerTable([
	[
		'a check ends, too',
		{
			on: heavy,
			set: { ...WATCHING, requests: { maxMemory: 10 } },
			open: true,
			first: [undefined, /memory \(10 MB\)/],
		},
		[],
	],
	[
		'a check goes on with more memory',
		{ on: heavy, set: { ...WATCHING, requests: { maxMemory: 100 } } },
		[[changed, 'userUpdated p0']],
	],
]);

test('so does a run on the configurations of many models', async () => {
	const text = JSON.stringify({ monitors: [], analyzers: [], notes: 'x'.repeat(4 * MEGABYTE) });
	const world = new Alerting({ a: { drift: '' }, b: { drift: '' }, c: text, d: text, e: text });
	const wish = { models: 'all', monitors: 'all', action: locator('id', 'email') };
	const items = await playAlerts(world, ['monitor', 'attach'], {
		...{ ...wish, requests: { maxMemory: 10 } },
	});
	expect(items.map(({ model, error = '' }) => [model, error.includes(TOO_MUCH)])).toEqual([
		['e', true],
		['a', true],
		['b', true],
	]);
	expect(world.requests.filter(({ method }) => method !== 'GET')).toStrictEqual([]);
});

describe('what nobody asks for is not kept', () => {
	test('by a table of who has what', async () => {
		const { said } = await run('access getMatrix', {}, 10);
		expect(said).toStrictEqual([]);
	});

	triggerTable([['by the trigger', { on: heavy, set: { requests: { maxMemory: 10 } } }]]);
});
