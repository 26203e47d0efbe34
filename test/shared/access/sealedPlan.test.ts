import { createHmac, scryptSync } from 'node:crypto';

import fc from 'fast-check';

import { type Change } from '../../../nodes/shared/access/changes/change';
import {
	canonicalJson,
	checkPlan,
	type Plan,
	type PlanGuards,
	type PlanUse,
	readPlan,
	sealPlan,
	stricterGuards,
} from '../../../nodes/shared/access/plans/sealedPlan';
import { NO_ITEM } from '../../../nodes/shared/run';
import { isDeepEqual } from '../../../nodes/shared/util';
import { CHANGE, ofAccount, ofGroups, ofValue, person } from '../../support/plans';

const SERVICE = 'https://api.example.com';
const SECRET = 'token-1';
const TIME = '2025-01-10T12:00:00.000Z';
const HOUR = 3_600_000;

const GUARDS: PlanGuards = {
	allowPermanentRemoval: false,
	allowRemovingLastAdmin: false,
	among: { people: 40, are: 'people with access in scope' },
	maxCreates: 100,
	maxPercentAffected: 10,
	maxPeopleAffected: 5,
	protectedUsers: ['root@example.com'],
};

const change = ofGroups(['org-1:member'], ['org-1:admin']);
const created = ofAccount('absent', 'active', {
	person: { key: 'cid', userName: 'cid' },
	attributes: { name: { givenName: 'Cid' }, active: true },
});

const unsealed: Parameters<typeof sealPlan>[0] = {
	service: SERVICE,
	account: 'org-acct',
	operation: 'offboard',
	time: TIME,
	guards: GUARDS,
	settings: { reactivate: false, keepMembershipsIn: ['Everyone'] },
	changes: [change, created],
	people: [{ id: 'u-1', userName: 'ana@example.com' }],
	blockedBy: [],
	excess: [{ kind: 'creates', people: 101, limit: 100 }],
};
const plan = sealPlan(unsealed, SECRET);

const use: PlanUse = {
	service: SERVICE,
	account: 'org-acct',
	secret: SECRET,
	now: Date.parse(TIME) + HOUR,
	maxAgeMs: 24 * HOUR,
};

const check = (value: unknown, parts: Partial<PlanUse> = {}) =>
	checkPlan(readPlan(value), { ...use, ...parts });

describe('a plan as it was sealed', () => {
	test.each<[string, unknown]>([
		['the preview item', { preview: true, summary: 'x', plan }],
		['its plan', plan],
		['the JSON text of the item', JSON.stringify({ preview: true, plan }, null, 2)],
		['the JSON text of the plan', JSON.stringify(plan)],
		['an item with the JSON text of the plan', { plan: JSON.stringify(plan) }],
	])('is read from %s', (_name, value) => {
		expect(readPlan(value)).toEqual(plan);
		expect(() => check(value)).not.toThrow();
	});

	test('the order of its keys does not matter', () => {
		const reversed = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(reversed);
			if (typeof value !== 'object' || value === null) return value;
			const entries = Object.entries(value).reverse();
			return Object.fromEntries(entries.map(([name, entry]) => [name, reversed(entry)]));
		};
		expect(JSON.stringify(reversed(plan))).not.toBe(JSON.stringify(plan));
		expect(() => check(reversed(plan))).not.toThrow();
	});

	test('survives being stored, whatever its attributes hold', () => {
		const attributes = {
			nothing: undefined,
			notANumber: NaN,
			infinite: Infinity,
			negative: -0,
			half: 'x\uD800',
			date: new Date(TIME),
			list: [undefined, 1],
			['__proto__']: 'own',
		};
		const odd = sealPlan({ ...unsealed, changes: [{ ...created, attributes }] }, SECRET);
		expect(() => check(odd)).not.toThrow();
		expect(() => check(JSON.stringify(odd))).not.toThrow();
	});

	// Plans that are stored have to stay as they are sealed.
	test.each([0, 1, 2, 100, 101, 250])('is sealed as a whole, with %i changes', (count) => {
		const changes = Array.from({ length: count }, (_, at) => ({ ...change, key: `${at}` }));
		const account = 'x,"changes":[]';
		const whole = sealPlan({ ...unsealed, account, blockedBy: [account], changes }, SECRET);
		const text = canonicalJson({ ...whole, seal: undefined });
		const key = scryptSync(SECRET, 'n8n-nodes-scim-provisioning plan 4', 32);
		expect(whole.seal).toBe(createHmac('sha256', key).update(text).digest('hex'));
	});

	test('tells by name which secret it was sealed with', () => {
		expect(plan.sealedWith).toMatch(/^[0-9a-f]{8}$/);
		expect(sealPlan({ ...unsealed, changes: [] }, SECRET).sealedWith).toBe(plan.sealedWith);
		expect(sealPlan(unsealed, 'token-2').sealedWith).not.toBe(plan.sealedWith);
	});

	test('holds no secrets of users, and not that of the credential', () => {
		const attributes = {
			Password: 'p4ss-1',
			title: 'Dr',
			mustChangePassword: true,
			'urn:example:User': { initialPassword: 'p4ss-2', accessToken: ['p4ss-3'] },
		};
		const sealed = sealPlan({ ...unsealed, changes: [{ ...created, attributes }] }, SECRET);
		expect(JSON.stringify(sealed)).not.toMatch(/p4ss|token-1/);
		const left = { title: 'Dr', mustChangePassword: true, 'urn:example:User': {} };
		expect(sealed.changes).toMatchObject([{ attributes: left }]);
		expect(() => check(sealed)).not.toThrow();
	});
});

test('holds its changes with their kind, without what was read for them and without groups', () => {
	const group: Change = { ...CHANGE, about: 'group', subject: '', before: 'there', after: 'there' };
	const planned = { readAt: { at: 0, pauses: 0 }, planned: { body: {} } };
	const rests = { restsOn: [{ on: 'identity' as const, is: 'E1' }], items: [NO_ITEM, 2] };
	const update = ofAccount('active', 'active', { attributes: { title: 'x' }, whole: planned });
	const changes = [group, { ...change, ...rests }, ofValue(false), update];
	const sealed = sealPlan({ ...unsealed, changes }, SECRET).changes;
	expect(sealed).toMatchObject([
		{ ...change, ...rests, items: [2], change: 'moved', person: person('ana') },
		{ change: 'revoked', before: [{ attribute: 'roles', value: 'buyer' }] },
		{ change: 'updated', attributes: { title: 'x' }, before: 'active' },
	]);
	expect(JSON.stringify(sealed)).not.toMatch(/evidence|whole/);
});

test('what is left of a change of another plan has the kind that it has now', () => {
	const left = ofAccount('inactive', 'inactive', { attributes: { title: 'x' } });
	const again = { ...left, change: 'deactivated' };
	expect(sealPlan({ ...unsealed, changes: [again] }, SECRET).changes[0].change).toBe('updated');
});

test('rests on no change that it does not have', () => {
	const late = { ...change, restsOn: [{ on: 'change' as const, key: 'made' }] };
	expect(sealPlan({ ...unsealed, changes: [late] }, SECRET).changes[0].restsOn).toEqual([]);
});

describe('a plan that must not be applied here', () => {
	const unset = sealPlan({ ...unsealed, account: '', blockedBy: ['One.', 'Two.'] }, SECRET);
	const [other, own] = ['was made for another', 'was edited after it was made'];
	const edited = (parts: object): Plan => ({
		...plan,
		changes: [{ ...plan.changes[0], ...parts } as Plan['changes'][0], plan.changes[1]],
	});

	test.each<[string, Plan, Partial<PlanUse>, string]>([
		['another service', plan, { service: 'https://x' }, `${other} service (${SERVICE})`],
		['another account', plan, { account: 'x' }, `${other} account (org-acct)`],
		['an account, of a plan without one', unset, {}, `${other} account (none)`],
		['another setting', { ...plan, settings: {} }, {}, own],
		['a change that says more', edited({ status: 'done' }), {}, own],
		['a change of another type', edited({ key: 7 }), {}, own],
		['a change less', { ...plan, changes: plan.changes.slice(1) }, {}, own],
		['limits that are none', { ...plan, guards: {} as PlanGuards }, {}, own],
		['a seal cut short', { ...plan, seal: plan.seal.slice(1) }, {}, own],
		['another secret', plan, { secret: 'token-2' }, 'secret has changed since the plan was made'],
		['what blocks it', unset, { account: '' }, 'The plan is blocked: One. Two.'],
		['its age', plan, { now: Date.parse(TIME) + 24 * HOUR + 1 }, 'too old'],
		['any age', plan, { maxAgeMs: NaN }, 'too old'],
		['a time to come', plan, { now: Date.parse(TIME) - HOUR - 1 }, 'in the future'],
	])('%s', (_name, value, parts, message) => {
		expect(() => check(value, parts)).toThrow(message);
	});
});

test.each([
	['as old as it may be', 24 * HOUR],
	['of a clock that is ahead', -HOUR],
])('a plan %s is taken', (_name, age) => {
	expect(() => check(plan, { now: Date.parse(TIME) + age })).not.toThrow();
});

describe('not a plan', () => {
	const without = (name: keyof Plan) =>
		Object.fromEntries(Object.entries(plan).filter(([own]) => own !== name));
	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['text', 'Offboard Ana'],
		['a list', [plan]],
		['an item without plan', { preview: true, summary: 'x' }],
		['an item whose plan is none', { plan: null }],
	])('%s', (_name, value) => {
		expect(() => readPlan(value)).toThrow(
			expect.objectContaining({
				message: 'This is not a plan',
				description:
					"The step before returned something else. Use {{ $('Name of the Preview node').first().json.plan }}, or .undo of a run that is to be undone",
			}),
		);
	});

	test('two expressions in one field, which n8n joins as text', () => {
		expect(() => readPlan('[object Object][object Object]')).toThrow(
			'Plan has a text beside its expression',
		);
	});

	test('a circle', () => {
		const cyclic: Record<string, unknown> = { ...plan };
		cyclic.settings = { cyclic };
		expect(() => readPlan(cyclic)).toThrow('Plan has values in values, more than 50 levels deep');
	});

	const where = (text: string) =>
		expect.objectContaining({
			message: 'This is not a plan',
			description: expect.stringContaining(`The field ${text} `),
		});

	test.each<[string, object]>([
		['plan.version', { version: 1, seal: 7 }],
		['plan.operation', { operation: '' }],
		['plan.service', { service: '' }],
		['plan.account', { account: null }],
		['plan.settings', { settings: [] }],
		['plan.guards', { guards: null }],
		['plan.changes', { changes: {} }],
		['plan.people', { people: 'u-1' }],
		['plan.blockedBy', { blockedBy: 'no' }],
		['plan.blockedBy', { blockedBy: [7] }],
		['plan.excess', { excess: {} }],
		['plan.more', { more: 1 }],
	])('names the field: %s %j', (field, parts) => {
		expect(() => readPlan({ ...plan, ...parts })).toThrow(where(field));
	});

	test('without people it is one', () => {
		expect(readPlan({ ...plan, people: undefined })).not.toHaveProperty('people');
	});

	test.each(Object.keys(plan).filter((name) => name !== 'people'))('without %s', (name) => {
		const value = without(name as keyof Plan);
		expect(() => readPlan(value)).toThrow(
			name === 'version' ? 'has format undefined' : 'This is not a plan',
		);
	});
});

type Guards = Partial<PlanGuards>;

test.each<[Guards, Guards, Guards]>([
	[{}, {}, {}],
	...(['allowPermanentRemoval', 'allowRemovingLastAdmin'] as const).flatMap((name) =>
		[
			[true, true, true],
			[true, undefined, true],
			[true, false, false],
			[false, true, false],
		].map((all): [Guards, Guards, Guards] => [
			{ [name]: all[0] },
			{ [name]: all[1] },
			{ [name]: all[2] },
		]),
	),
	...(['maxCreates', 'maxPeopleAffected', 'maxPercentAffected'] as const).flatMap(
		(name): Array<[Guards, Guards, Guards]> => [
			[{ [name]: 7 }, { [name]: 0 }, { [name]: 0 }],
			[{ [name]: 0 }, { [name]: 7 }, { [name]: 0 }],
		],
	),
	[
		{},
		{ protectedUsers: ['a', 'root@example.com'] },
		{ protectedUsers: ['root@example.com', 'a'] },
	],
	[{}, { protectedUsers: [] }, {}],
	[{ protectMembersOf: ['a'] }, { protectMembersOf: ['b'] }, { protectMembersOf: ['a', 'b'] }],
])('the stricter guards count: %j in the plan and %j in the node are %j', (planned, here, both) => {
	expect(stricterGuards({ ...GUARDS, ...planned }, here)).toEqual({ ...GUARDS, ...both });
});

describe('canonical JSON', () => {
	const utf16 = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
	const text = fc.oneof(fc.string({ unit: utf16 }), fc.constantFrom('__proto__', '1', '10', ''));
	const finite = fc
		.double({ noNaN: true, noDefaultInfinity: true })
		.map((number) => (number === 0 ? 0 : number));
	const { json } = fc.letrec<{ json: unknown }>((tie) => ({
		json: fc.oneof(
			{ maxDepth: 4, withCrossShrink: true },
			fc.oneof(text, fc.boolean(), fc.constant(null), finite),
			fc.array(tie('json'), { maxLength: 4 }),
			fc
				.uniqueArray(fc.tuple(text, tie('json')), { maxLength: 4, selector: ([name]) => name })
				.map((entries) => Object.fromEntries(entries)),
		),
	}));

	test('can be read back to the same value', () => {
		fc.assert(
			fc.property(json, (value) => isDeepEqual(JSON.parse(canonicalJson(value)), value)),
			{ numRuns: 1000 },
		);
	});

	test('is one text for one value', () => {
		expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: 0, 10: 1, 9: 1 })).toBe(
			canonicalJson({ 9: 1, 10: 1, a: 0, b: [{ c: 2, d: 1 }] }),
		);
	});

	test('has names in order wherever they are', () => {
		const [one, other] = [
			{ b: { d: 1, c: 2 }, a: 0 },
			{ b: { d: 3, c: 4 }, a: 1 },
		];
		expect(canonicalJson([one, other, { c: 0, a: 2 }])).toBe(
			'[{"a":0,"b":{"c":2,"d":1}},{"a":1,"b":{"c":4,"d":3}},{"a":2,"c":0}]',
		);
		expect(canonicalJson({ at: new Date(TIME) })).toBe(`{"at":"${TIME}"}`);
	});

	test('writes what JSON has no word for as JSON does', () => {
		expect(canonicalJson({ u: undefined, n: NaN, z: -0, l: [undefined], h: '\uDC00' })).toBe(
			'{"h":"\\udc00","l":[null],"n":null,"z":0}',
		);
	});
});
