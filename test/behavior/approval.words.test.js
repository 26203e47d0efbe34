'use strict';

const { sealPlan } = require('../../dist/nodes/shared/access/plans');
const { outcomeItem } = require('../../dist/nodes/NotificationActions/runWrite');
const { matchOn } = require('../support/columns');
const { answerOf, questionsOf } = require('../support/form');
const { TOKEN } = require('../support/modelNode');
const {
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	locator,
	play,
	rows,
	wanted,
	warningsIn,
} = require('../support/behavior');

// What an approver reads of a change, what a plan leaves out, and what of it may go to a chat as it is.

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ACCESS = (operation) => ['access', operation];
const RECONCILE = ['user', 'reconcile'];
const users = (...all) => ({ usersFrom: 'json', usersJson: JSON.stringify(all) });
const preview = async (world, what, fields) =>
	JSON.parse(JSON.stringify((await play(world, what, { ...fields, preview: true }))[0]));
const apply = async (world, plan, more) =>
	await play(world, ACCESS('applyPlan'), { changes: 'all', plan, ...more });

const DAVID = {
	...{ has: 'eng', title: 'Clerk', externalId: 'E1', nickName: 'Dave' },
	emails: [{ value: 'david.kim@a.example', type: 'work', primary: true }],
	[ENTERPRISE]: { department: 'Finance', costCenter: '4130' },
};
const start = (more) => new Groups({ david: DAVID, ana: 'eng' }, more);
const david = (attributes) => users({ userName: email('david'), ...attributes });

describe('all that is read of a plan says what becomes of attributes', () => {
	const MOVE = {
		emails: [{ value: 'david.kim@b.example' }],
		[ENTERPRISE]: { department: 'Sales', costCenter: '4130' },
	};
	const LINE =
		'is updated: Email david.kim@a.example -> david.kim@b.example; Department Finance -> Sales';

	/** What each output says, as its reader sees it. */
	const readersOf = ({ summary, summaryText, summaryHtml, approvalForm }) => [
		...[summary, summaryText, summaryHtml.replaceAll('&gt;', '>')],
		questionsOf(approvalForm).flat(2).join('\n'),
	];

	test.each([
		['a move to another domain', MOVE, LINE],
		['what is cleared', { title: '' }, 'is updated: Title Clerk -> none'],
		['what was not there', { preferredLanguage: 'de' }, 'is updated: Preferred Language: de'],
		['a name', { name: { givenName: 'Dan' } }, 'is updated: Given Name david -> Dan'],
		['an external ID', { externalId: 'E2' }, 'is updated: External ID E1 -> E2'],
		[
			'an account that is closed',
			{ active: false, title: 'Guest' },
			'is deactivated: Title Clerk -> Guest',
		],
	])('%s', async (_, attributes, line) => {
		const world = start();
		const options = { emptyCells: 'clear', allowPermanentRemoval: true };
		const item = await preview(world, RECONCILE, { ...david(attributes), options });
		for (const text of readersOf(item)) expect(text).toContain(line);
		expect(errorsIn(await apply(world, item.plan))).toStrictEqual([]);
	});

	test('a rename', async () => {
		const item = await preview(start(), ACCESS('changeEmail'), {
			...{ user: locator('email', email('ana')), newEmail: email('bea') },
		});
		for (const text of readersOf(item))
			expect(text).toContain(
				'is updated: Email ana@example.com -> bea@example.com; User Name ana@example.com -> bea@example.com',
			);
	});

	test('what people are known by has its values in the line, whatever else there is', async () => {
		const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`A${at}`, 'x']));
		const row = { email: 'david.kim@a.example', userName: email('boss'), externalId: 'E2' };
		const fields = users({ ...row, attributes: { ...many, active: false } });
		const options = { allowPermanentRemoval: true };
		const item = await preview(start(), RECONCILE, { ...fields, ...matchOn('email'), options });
		for (const text of readersOf(item)) {
			expect(text).toContain('External ID E1 -> E2');
			expect(text).toContain('User Name david@example.com -> boss@example.com');
		}
	});

	test('a value makes no line of its own, and ticks nothing else', async () => {
		const world = start();
		const worst =
			'x\n2. loses group "eng"\u2028- `ana`: is deleted; Active: false <!channel> @here';
		const item = await preview(world, RECONCILE, david({ title: worst }));
		const [[, lines]] = questionsOf(item.approvalForm);
		expect(lines).toEqual([expect.stringMatching(/^1\. is updated: Title Clerk -> "[^"]*" \(/)]);
		expect(item.summaryText.split('\n')).toHaveLength(7);
		for (const text of readersOf(item)) expect(text).not.toMatch(/<!|[\u2028]/);
		const approvedChanges = answerOf(item.approvalForm, () => true);
		const items = await apply(world, item.plan, { changes: 'approved', approvedChanges });
		expect(items).toMatchObject([{ change: 'updated', status: 'done' }]);
		expect(world.attributes().david.title).toBe(worst);
	});

	test('a plan without the old values, as older versions sealed it, is applied and read', async () => {
		const world = start();
		const { plan } = await preview(world, RECONCILE, david(MOVE));
		expect(plan.changes[0].was).toEqual({
			emails: DAVID.emails,
			[ENTERPRISE]: DAVID[ENTERPRISE],
		});
		const changes = plan.changes.map(({ was, ...change }) => change);
		const old = sealPlan({ ...plan, changes }, TOKEN);
		const [again] = await apply(world, old, { preview: true });
		expect(again.summaryText).toContain(LINE);
		expect(await apply(world, old)).toMatchObject([{ change: 'updated', status: 'done' }]);
	});

	test('another client has changed the old value: the plan goes on, and says what it is now', async () => {
		const world = start();
		const { plan } = await preview(world, RECONCILE, david({ title: 'Boss' }));
		const user = world.service.byName(email('david'));
		world.service.store({ ...user, attributes: { ...user.attributes, title: 'Guest' } });
		const [again] = await apply(world, plan, { preview: true });
		expect(again.summaryText).toContain('Title Guest -> Boss');
		expect(await apply(world, plan)).toMatchObject([{ change: 'updated', status: 'done' }]);
	});
});

describe('a plan holds no secrets', () => {
	const SECRET = 'S3CR-';
	const NAMES = [
		...[
			'passwordHash',
			'password2',
			'initialPwd',
			'passwd',
			'apiKey',
			'otp',
			'pin',
			'recoveryCodes',
		],
		...['clientSecret', 'accessToken', 'api_key', 'user-pin'],
	];
	const KEPT = { shipping: 'DHL', pinnedGroups: 'a', opinion: 'b', tokenizer: 'c' };
	const secrets = (names) => Object.fromEntries(names.map((name) => [name, [SECRET + name]]));
	const ATTRIBUTES = {
		...{ ...secrets(NAMES), ...KEPT, mustChangePassword: true },
		'urn:x:User': { color: 'red', badge: { pin: `${SECRET}nested` } },
	};

	test.each([
		['created', 'new', 'creates'],
		['updated', 'david', 'updates'],
	])('of who is %s, and says so in Preview and in the item', async (change, name, verb) => {
		const world = start();
		const row = { userName: email(name), attributes: ATTRIBUTES };
		const item = await preview(world, RECONCILE, users(row));
		expect(JSON.stringify(item)).not.toContain(SECRET);
		const said = `A plan holds no secrets: Apply Plan ${verb} ${email(name)} without ${NAMES.join(', ')}.`;
		expect(warningsIn(item)).toContain(said);
		const items = await apply(world, item);
		expect(items).toMatchObject([{ change, status: 'done' }]);
		expect(items[0].warnings).toContain(said);
		const { attributes } = world.service.byName(email(name));
		expect(JSON.stringify(attributes)).not.toContain(SECRET);
		expect(attributes).toMatchObject({
			...{ ...KEPT, mustChangePassword: true, 'urn:x:User': { color: 'red' } },
		});
	});

	test('an update of nothing else changes nothing, and says why', async () => {
		const world = start();
		const { plan } = await preview(world, RECONCILE, david({ attributes: { apiKey: SECRET } }));
		expect(await apply(world, plan)).toMatchObject([
			{
				...{ change: 'none', status: 'unchanged' },
				warnings: [expect.stringContaining('updates david@example.com without apiKey.')],
			},
		]);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('nor the old values of them', async () => {
		const world = new Groups({
			david: { ...DAVID, apiKey: SECRET, 'urn:x:User': { pin: SECRET } },
		});
		const item = await preview(
			world,
			RECONCILE,
			david({ attributes: { apiKey: 'S3CR-new', 'urn:x:User': null, title: 'x' } }),
		);
		expect(JSON.stringify(item)).not.toContain(SECRET);
	});

	test('of who is created for access', async () => {
		const world = start();
		const row = { email: email('new'), group: 'eng', password: 'p4ss-w0rd', title: 'Dr' };
		const item = await preview(world, ACCESS('reconcile'), {
			...{ accessBy: 'group', scopeGroups: rows('eng'), unwanted: 'keep', createMissing: true },
			...{ ...wanted([row]), accessColumns: { attributes: 'title, password' } },
		});
		expect(JSON.stringify(item)).not.toContain('p4ss-w0rd');
		expect(warningsIn(item)).toContain(
			'A plan holds no secrets: Apply Plan creates new@example.com without password.',
		);
		expect(errorsIn(await apply(world, item))).toStrictEqual([]);
		const { attributes } = world.service.byName(email('new'));
		expect(attributes).toMatchObject({ title: 'Dr' });
		expect(attributes).not.toHaveProperty('password');
	});

	test('nor errors of values that cannot be used', async () => {
		const id = 'urn:x:User:apiKey';
		const attributes = {
			...{ mappingMode: 'defineBelow', value: { [id]: [SECRET] } },
			schema: [{ id, type: 'string' }],
		};
		const items = await play(start(), ['user', 'update'], {
			...{ user: locator('email', email('david')), attributes, preview: false },
		});
		expect(items).toMatchObject([{ status: 'failed', reason: expect.stringContaining('apiKey') }]);
		expect(JSON.stringify(items)).not.toContain(SECRET);
	});

	test('errors do not show them either, where the service repeats them', async () => {
		const body = ({ body: sent }) => ({ detail: `No: ${JSON.stringify(sent)}` });
		const world = start({ faults: [{ method: 'PATCH', kind: 'status', status: 400, body }] });
		const attributes = { apiKey: 'S3CR-123', title: 'x-title' };
		const items = await play(world, RECONCILE, { ...david({ attributes }), preview: false });
		expect(JSON.stringify(items)).toContain('x-title');
		expect(JSON.stringify(items)).not.toContain('S3CR-123');
	});
});

describe('a text may go to a chat as it is', () => {
	const WORST = '<!channel> <@U1> <https://evil|text> @here';
	const ALIVE = /<[!@#h]|(?<![\w.+-])@\w|:\/\//;
	const world = () =>
		new Groups(
			{ ana: { has: 'eng', displayName: WORST } },
			{ groups: [{ id: 'g-1', displayName: WORST }], credential: UNDOABLE },
		);
	const group = { accessBy: 'group', groups: rows(locator('id', 'g-1')) };

	test.each([
		['access', ACCESS('assign'), { people: emails('ana'), ...group }],
		['who is not there', ACCESS('assign'), { people: '<!channel> @here', ...group }],
		['a group', ['group', 'create'], { displayName: `${WORST}!` }],
		['a group that is deleted', ['group', 'delete'], { group: locator('id', 'g-1') }],
		[
			'an item that cannot be used',
			['group', 'delete'],
			{ group: locator('name', WORST.slice(1)) },
		],
		['a leaver', ACCESS('offboard'), { people: emails('ana') }],
	])('of %s', async (_, what, fields) => {
		const items = await play(world(), what, { preview: false, ...fields });
		expect(items.map(({ text }) => text)).toEqual([expect.any(String)]);
		expect(items[0].text).not.toMatch(ALIVE);
		expect(items[0].text).not.toMatch(/\n/);
	});

	test('of a plan', async () => {
		const item = await preview(world(), ACCESS('assign'), { people: emails('ana'), ...group });
		for (const text of [item.summary, item.summaryText]) expect(text).not.toMatch(ALIVE);
		expect(item.summaryText).toContain('ana@example.com');
	});

	test('of Notification Actions', () => {
		const outcome = { status: 'failed', action: `attach ${WORST} to monitor m`, reason: WORST };
		const { text } = outcomeItem(outcome, {});
		expect(text).toMatch(/^Could not attach ‹!channel› /);
		expect(text).not.toMatch(ALIVE);
	});
});
