'use strict';

require('../support/noWaiting');
const { runs } = require('../support/seed');
const { matchOn } = require('../support/columns');
const fc = require('fast-check');
const { play, rows: groupRows, serviceWith } = require('../support/modelGroupsPlay');
const { deadFrom, userIdOf } = require('../support/memoryService');

const RUNS = runs(25);

const MOST = 8;
const GROUP = { id: 'g-scope', displayName: 'Employees' };
/** Empty groups do not tell whether the service shows members. */
const OTHER = { id: 'g-other', displayName: 'Others' };
const MATCHED_BY = ['userName', 'email', 'externalId'];

const weighted = (...pairs) =>
	fc.oneof(...pairs.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
const nameOf = (who) => `p${who}@example.com`;
const mailOf = (who) => `p${who}@mail.test`;
const numberOf = (who) => `HR-${who}`;

/** An account with its own key, that of another user, none, or, of emails, several without a main one. */
const account = fc.record({
	externalId: weighted([4, 'own'], [1, 'other'], [2, 'none']),
	emails: weighted([4, 'own'], [1, 'other'], [1, 'none'], [1, 'several'], [1, 'primary']),
	other: fc.nat(MOST),
	active: weighted([4, true], [1, false]),
	title: fc.constantFrom('Clerk', 'Boss', undefined),
	isMember: fc.boolean(),
	isProtected: weighted([5, false], [1, true]),
});
const row = fc.record({
	/** Numbers above those of the accounts: new users. */
	who: fc.nat(MOST + 2),
	hasName: fc.boolean(),
	isLoud: fc.boolean(),
	title: fc.constantFrom('Clerk', 'Boss', null, undefined),
	active: weighted([6, undefined], [1, true], [1, false]),
	kind: weighted([40, 'good'], [1, 'empty'], [1, 'keyless'], [1, 'access']),
});
const someCase = fc.record({
	matchUsersBy: fc.constantFrom(...MATCHED_BY),
	accounts: fc.array(account, { minLength: 1, maxLength: MOST }),
	rows: fc.oneof(
		fc.uniqueArray(row, { minLength: 1, maxLength: MOST, selector: ({ who }) => who }),
		fc.array(row, { maxLength: MOST }),
	),
	absentUsers: fc.constantFrom('leave', 'report', 'deactivate', 'deactivate'),
	scopeBy: fc.constantFrom('groups', 'userNames'),
	linkByUserName: fc.boolean(),
	reactivate: fc.boolean(),
});

const emailsOf = ({ emails, other }, who) =>
	({
		own: [{ value: mailOf(who) }],
		other: [{ value: mailOf(other), primary: true }],
		none: [],
		several: [{ value: mailOf(who) }, { value: `x${who}@mail.test` }],
		primary: [{ value: `x${who}@mail.test` }, { value: mailOf(who), primary: true }],
	})[emails];

const peopleOf = ({ accounts }) =>
	accounts.map((one, who) => {
		const { externalId, other, active, title, isMember } = one;
		const emails = emailsOf(one, who);
		return {
			...{ userName: nameOf(who), active, groups: [OTHER.id, ...(isMember ? [GROUP.id] : [])] },
			...(title && { title }),
			...(emails.length > 0 && { emails }),
			...(externalId !== 'none' && { externalId: numberOf(externalId === 'own' ? who : other) }),
		};
	});

const rowsOf = ({ rows, matchUsersBy }) =>
	rows.map(({ who, hasName, isLoud, title, active, kind }) => {
		const loud = (text) => (isLoud ? text.toUpperCase() : text);
		const key = {
			userName: loud(nameOf(who)),
			email: loud(mailOf(who)),
			externalId: numberOf(who),
		};
		return {
			...(kind !== 'keyless' && { [matchUsersBy]: key[matchUsersBy] }),
			...(hasName && kind !== 'keyless' && { userName: loud(nameOf(who)) }),
			// Sources write an empty cell in different ways.
			...{ title: title === null && isLoud ? ' ' : title, active },
			...(kind === 'empty' && { phoneNumbers: [{ value: '' }] }),
			// Without anything at all it would be blank, and say nothing.
			...(kind === 'keyless' && { nickName: 'x' }),
			...(kind === 'access' && { roles: [{ value: 'x' }] }),
		};
	});

/** What has to come out, by plain loops. */
function expected(given) {
	const { matchUsersBy: by, linkByUserName, reactivate, absentUsers, scopeBy } = given;
	const fold = (text) => (by === 'externalId' ? text : text.toLowerCase());
	const accounts = peopleOf(given).map((person, who) => ({
		...{ ...person, id: userIdOf(person.userName), name: person.userName },
		emails: (person.emails ?? []).map(({ value }) => value),
		...{ isProtected: given.accounts[who].isProtected, isMember: given.accounts[who].isMember },
		main: {
			own: mailOf(who),
			other: mailOf(given.accounts[who].other),
			primary: mailOf(who),
		}[given.accounts[who].emails],
	}));
	const keyOf = ({ userName, main, externalId }) =>
		({ userName, email: main, externalId })[by] ?? '';
	const withKey = (key) => accounts.filter((one) => fold(keyOf(one)) === fold(key));
	const isUnmatched = (one) => keyOf(one) === '' || withKey(keyOf(one)).length > 1;
	const named = (name) => accounts.filter((one) => one.name === name?.toLowerCase());

	const read = rowsOf(given).map((values, at) => {
		const { userName, email, externalId } = values;
		const key = { userName, email, externalId }[by];
		const one = { values, key, name: userName?.toLowerCase() };
		if (given.rows[at].kind !== 'good') return { ...one, key: undefined, isBad: true };
		const found = withKey(key);
		if (found.length > 1) return { ...one, name: one.name ?? email?.toLowerCase(), isBad: true };
		if (found.length === 1) {
			const isTaken = named(userName).some((other) => other !== found[0]);
			return isTaken ? { ...one, name: one.name, isBad: true } : { ...one, account: found[0] };
		}
		const name = (userName ?? email)?.toLowerCase();
		const [holder] = named(name);
		if (name === undefined) return { ...one, isBad: true };
		if (holder && by === 'externalId' && keyOf(holder) === '' && linkByUserName)
			return { ...one, account: holder, links: true };
		const isTwin = (other) =>
			isUnmatched(other) &&
			[other.name, ...other.emails].some((text) => [name, email?.toLowerCase()].includes(text));
		return { ...one, name, isBad: holder !== undefined || accounts.some(isTwin) };
	});
	const isSame = (one, other) =>
		one !== other &&
		one.key !== undefined &&
		other.key !== undefined &&
		(fold(one.key) === fold(other.key) ||
			(one.account !== undefined && one.account === other.account) ||
			(one.name !== undefined && one.name === other.name));
	const bad = read.filter((one) => one.isBad || read.some((other) => isSame(one, other)));
	const good = read.filter((one) => !bad.includes(one));

	const end = new Map(
		accounts.map(({ name, active, title, externalId }) => [
			userIdOf(name),
			{ userName: name, active, title, externalId },
		]),
	);
	if (good.length === 0) return { end, writes: 0, isEmpty: true };
	let failures = 0;
	for (const { values, account: meant, links, name } of good) {
		const { active, externalId, userName } = values;
		const title = values.title === ' ' ? null : values.title;
		if (meant === undefined) {
			if (active === false) continue;
			end.set(userIdOf(name), {
				...{ userName: name, active: true, title: title ?? undefined },
				externalId,
			});
			continue;
		}
		const before = end.get(meant.id);
		const after = {
			userName: userName?.toLowerCase() ?? before.userName,
			active: active === false && bad.length > 0 ? before.active : (active ?? before.active),
			title: title === undefined ? before.title : (title ?? undefined),
			externalId: links ? externalId : before.externalId,
		};
		const differs = Object.keys(after).some((key) => after[key] !== before[key]);
		if ((active === true && !before.active && !reactivate) || (differs && meant.isProtected))
			failures += 1;
		else end.set(meant.id, after);
	}
	const isAbsent = (one) =>
		one.active &&
		!one.isProtected &&
		!isUnmatched(one) &&
		(scopeBy === 'userNames' || one.isMember) &&
		!good.some(({ account: meant }) => meant === one);
	if (absentUsers === 'deactivate' && bad.length === 0)
		for (const one of accounts.filter(isAbsent)) end.get(one.id).active = false;
	const isChanged = ([id, after]) => {
		const before = accounts.find((one) => one.id === id);
		return ['userName', 'active', 'title', 'externalId'].some(
			(key) => (key === 'userName' ? before?.name : before?.[key]) !== after[key],
		);
	};
	const writes = [...end].filter(isChanged).length;
	const isMeant = (one) => good.some(({ account: meant }) => meant === one);
	const unmatched = accounts.filter((one) => isUnmatched(one) && !isMeant(one));
	return { end, writes, errors: bad.length + failures, unmatched };
}

function stateOf(service) {
	return new Map(
		[...service.users].map(([id, { userName, active, attributes }]) => [
			id,
			{
				...{ userName: userName.toLowerCase(), active },
				title: attributes.title ?? undefined,
				externalId: attributes.externalId,
			},
		]),
	);
}

const start = (given) => serviceWith({ people: peopleOf(given), groups: [GROUP, OTHER] });
const limits = {
	...{ maxPeopleAffected: 1000, maxCreates: 1000 },
};

async function run(service, given, preview = false) {
	const { matchUsersBy, absentUsers, scopeBy, linkByUserName, reactivate } = given;
	const isProtected = (_, who) => given.accounts[who].isProtected;
	return await play(
		service,
		'reconcile',
		{
			...{
				preview,
				...matchOn(matchUsersBy),
				absentUsers,
				scopeBy,
				scopeUserNames: 'p*@example.com',
			},
			...{ usersFrom: 'json', usersJson: JSON.stringify(rowsOf(given)) },
			scopeGroups: groupRows(GROUP.displayName),
			options: {
				emptyCells: 'clear',
				...{ ...limits, linkByUserName, reactivate },
				protectedUsers: peopleOf(given)
					.filter(isProtected)
					.map(({ userName }) => userName)
					.join(),
			},
		},
		[{}],
		{ resource: 'user' },
	);
}

const check = async (property) =>
	await fc.assert(fc.asyncProperty(someCase, property), { numRuns: RUNS * 2 });

test('Apply ends as the list says with one write for each account that changes, then there is nothing to do', async () => {
	await check(async (given) => {
		const { end, writes, errors, isEmpty } = expected(given);
		const service = start(given);
		const items = await run(service, given);
		expect(stateOf(service)).toEqual(end);
		expect(service.written()).toHaveLength(writes);
		const failed = items.filter(({ error }) => error !== undefined);
		expect(failed).toHaveLength(isEmpty ? 1 : errors);
		const again = service.again();
		await run(again, given);
		if (errors === 0) expect(again.written()).toStrictEqual([]);
	});
});

test('Preview sends nothing, names users no row can mean, and Apply Plan ends like Apply', async () => {
	await check(async (given) => {
		const { end, writes, isEmpty, unmatched } = expected(given);
		const service = start(given);
		const [item] = await run(service, given, true);
		expect(service.written()).toStrictEqual([]);
		expect(item.blockedBy).toHaveLength(isEmpty ? 1 : 0);
		if (isEmpty) return;
		const listed = item.settled.filter(({ action }) => action.startsWith('match user '));
		expect(listed.map(({ action }) => action.split(' ').at(-1)).sort()).toEqual(
			unmatched.map(({ name }) => name).sort(),
		);
		const plan = JSON.stringify(item);
		await play(service, 'applyPlan', { changes: 'all', plan, options: limits });
		expect(stateOf(service)).toEqual(end);
		expect(service.written()).toHaveLength(writes);
		const again = service.again();
		const items = await play(again, 'applyPlan', { changes: 'all', plan, options: limits });
		expect(again.written()).toStrictEqual([]);
		expect(items.filter(({ error }) => error !== undefined)).toStrictEqual([]);
	});
});

test('a run that was cut off is completed by the same again', async () => {
	const cuts = fc.record({
		at: fc.double({ min: 0, max: 1, noNaN: true }),
		lastIsDone: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(someCase, cuts, async (given, { at, lastIsDone }) => {
			const { end, errors } = expected(given);
			// With a row that cannot be used, what was done may have made it one that can be.
			if (errors !== 0) return;
			const whole = start(given);
			await run(whole, given);
			const nth = 1 + Math.floor(at * whole.requests.length);
			const cut = start(given).again({ faults: deadFrom(nth, lastIsDone) });
			await run(cut, given);
			const next = cut.again();
			await run(next, given);
			expect(stateOf(next)).toEqual(end);
		}),
		{ numRuns: RUNS * 2 },
	);
});
