'use strict';

require('../support/noWaiting');
const { runs } = require('../support/seed');
const fc = require('fast-check');
const {
	credentialOf,
	email,
	idOf,
	locator,
	person,
	play,
	serviceWith,
} = require('../support/modelGroupsPlay');

const RUNS = runs(25);

// Single values of a user, whatever the service does to a request: what is said to be done is done, and no value is ever
// gone without a request to remove it.

const TEXTS = ['a', 'b', 'c', 'd', 'say "e"'];
const FORMS = {
	objects: (texts) => texts.map((value) => ({ value })),
	typed: (texts) => texts.map((value, at) => ({ value, type: `t${at}`, primary: at === 0 })),
	texts: (texts) => texts,
};
const FAULTS = [
	429,
	'500-html',
	'500-after',
	'reset-before',
	'reset-after',
	'truncated',
	'empty-200',
	'missing',
];

const subset = fc.subarray(TEXTS);
const CASE = fc.record({
	form: fc.constantFrom(...Object.keys(FORMS)),
	held: subset,
	add: subset,
	remove: subset,
	attribute: fc.constantFrom('roles', 'entitlements'),
	switches: fc.record(
		{
			refusesFilterPath: fc.constantFrom(400, 501),
			skipsRemove: fc.boolean(),
			patchAnswers: fc.constantFrom('body', '204', 'stale', 'both'),
			lagReads: fc.integer({ max: 4, min: 0 }),
		},
		{ requiredKeys: [] },
	),
	faults: fc.array(
		fc.record({
			nth: fc.integer({ min: 1, max: 6 }),
			kind: fc.constantFrom(...FAULTS),
		}),
		{ maxLength: 2 },
	),
});

const update = async (service, rows) =>
	await play(
		service,
		'update',
		{
			user: locator('email', email('ana')),
			accessValues: { value: rows },
			options: { verifyTime: 20, maxWait: 60 },
		},
		[{}],
		{ resource: 'user', credential: credentialOf() },
	);

test('are as the item says, and the others stay', async () => {
	await fc.assert(
		fc.asyncProperty(CASE, async ({ form, held, add, remove, attribute, switches, faults }) => {
			const gone = remove.filter((text) => !add.includes(text));
			const service = serviceWith({ people: [person('ana', [])], ...switches, faults });
			const id = idOf('ana');
			const user = service.users.get(id);
			service.store({
				...user,
				attributes: { ...user.attributes, [attribute]: FORMS[form](held) },
			});
			service.states = [];
			const row = (action) => (value) => ({ action, attribute, value });
			const rows = [...add.map(row('add')), ...gone.map(row('remove'))];
			fc.pre(rows.length > 0);
			const textsIn = (users) =>
				[users.get(id).attributes[attribute] ?? []].flat().map((one) => one.value ?? one);
			const others = held.filter((text) => !gone.includes(text));
			const wanted = [...new Set([...others, ...add])].sort();

			const [first] = await update(service, rows);
			for (const { users } of service.states)
				expect(textsIn(users)).toEqual(expect.arrayContaining(others));
			if (/done|unchanged/.test(first.status))
				expect(textsIn(service.users).sort()).toEqual(wanted);
			const next = service.again();
			const [second] = await update(next, rows);
			expect(second).toMatchObject({ status: expect.stringMatching(/done|unchanged/) });
			expect(textsIn(next.users).sort()).toEqual(wanted);
		}),
		{ numRuns: RUNS * 2 },
	);
});
