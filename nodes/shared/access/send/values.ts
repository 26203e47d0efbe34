import { attempt, InputError, serially, isLate, poll } from '../../util';
import { hasStatus, isRefusal, mayHaveWorked } from '../../http';
import type { Missing } from '../../run';
import {
	type AccessValue,
	type Attributes,
	findValues,
	namesIn,
	patchBody,
	patchValues,
	putAttribute,
	replaceValues,
	type Traits,
	type User,
	type ValueChanges,
	valueKey,
	valueLabel,
	valuesOf,
} from '../../scim';
import { isValue, type EntitlementChange, wholeUser, whoIs } from '../changes';
import { readUserNow } from './looks';
import { userOfValues, valueOf, valuesIn } from './requests';
import { copiedNow, judgeNow } from './preconditions';
import type { Entry } from './schedule';
import {
	type ValueState,
	failed,
	sendFor,
	unchanged,
	type ExpectedState,
	type SendContext,
	nothingMore,
} from './context';

/** Answers of services that know no filter in a path. */
const FILTER_REFUSALS = [400, 405, 501];

/** A removal that shows no effect for so long has none. */
const EFFECT_MS = 1_500;

/**
 * Gives and takes single values of one user (RFC 7644 section 3.5.2). Where a removal by filter is refused or changes
 * nothing, the attribute is replaced by the values as just read without that one. What is left, and that the other values
 * are, has to be seen.
 */
export async function sendValues(
	entries: readonly Entry[],
	{ person, evidence: plan, action }: EntitlementChange,
	world: SendContext,
): Promise<void> {
	const { client, learned, facts } = world;
	const { profile } = client;
	const { id } = userOfValues(person, plan?.user);
	const states = entries.flatMap((entry): ValueState[] => {
		const state = world.stateOf(entry);
		return state.kind === 'value' ? [state] : [];
	});
	const all = valuesIn(entries);
	await client.timing.slotOfWrite?.(action);
	const isOld = isLate(plan?.readAt, client.timing);
	const read = await attempt(async () =>
		isOld ? await readUserNow(id, world) : userOfValues(person, plan?.user),
	);
	const before = read.ok ? read.value : userOfValues(person, plan?.user);
	const isOpen = (entry: Entry) => world.stateOf(entry).verdict === undefined;
	const left = (user: User) =>
		valuesIn(
			entries.filter(
				(entry) => isOpen(entry) && notYet(entry, valuesOf(user, profile)) !== undefined,
			),
		);
	/** Judges again, by the user as just read, and what gives by the one whose access is copied. */
	const judgeAgain = async () => {
		const first = entries.find(({ gives }) => gives === true);
		const copied = first && (await copiedNow(first.change, world));
		for (const entry of entries) {
			const { change, gives } = entry;
			if (change.about !== 'entitlement') continue;
			const refusal = judgeNow(change, id, world, gives ? copied : undefined, all.remove);
			if (refusal !== undefined)
				world.stateOf(entry).verdict ??= failed(change.action, refusal.error);
		}
	};
	if (isOld && read.ok) await judgeAgain();
	if (!entries.some(isOpen)) return;
	const isMade = (user: User) => {
		const { add, remove } = left(user);
		return add.length + remove.length === 0;
	};
	if (read.ok && isMade(before)) {
		for (const state of states)
			state.verdict ??= unchanged(action, [], { who: whoIs(person, before) });
		return;
	}
	for (const state of states) state.before = before;
	const patch = async (from: User, operationsOf: typeof patchValues) => {
		const bodyFor = (user: User) => patchBody(operationsOf(user, left(user)));
		// A list that was read before would take back what others have changed since.
		const again = async () => {
			const user = await readUserNow(id, world);
			await judgeAgain();
			return isMade(user) ? user : bodyFor(user);
		};
		return await client.patchUser(id, bodyFor(from), again, true);
	};

	/** Where there is no PATCH, the whole user as just read. */
	const put = async () => {
		const next = async () => {
			const user = await readUserNow(id, world);
			await judgeAgain();
			return { user, ...wholeUser(user, attributesIn(replaceValues(user, left(user)))) };
		};
		const { user, body, version } = await next();
		if (isMade(user)) return user;
		const again = async () => {
			const whole = await next();
			if (!entries.some(isOpen)) throw nothingMore();
			return whole.body;
		};
		return await client.replaceUser(id, body, again, false, version);
	};
	const send = async (from: User, operationsOf: typeof patchValues) =>
		await client.forms.Users.send({}, async (form) =>
			form.has('wholeResource') ? await put() : await patch(from, operationsOf),
		);

	const isFiltered = patchValues(before, all).some(
		({ op, path = '' }) => op === 'remove' && path.includes('['),
	);
	const sendSingle = async () => {
		if (learned.values.alarm !== undefined) throw refusedAfter(learned.values.alarm);
		const tried = await attempt(async () => await patch(before, patchValues));
		if (!tried.ok && !hasStatus(tried.error, ...FILTER_REFUSALS)) throw tried.error;
		let fresh = before;
		const limitMs = tried.ok ? Math.min(EFFECT_MS, client.timing.limitMs) : 0;
		const looked = await attempt(
			async () =>
				await poll({ ...client.timing, limitMs }, async () => {
					fresh = await readUserNow(id, world);
					return isMade(fresh) ? true : undefined;
				}),
		);
		if (!looked.ok) {
			if (tried.ok) return; // It was taken, and the loop looks for it.
			throw tried.error;
		}
		const lost = lostBeside(before, fresh, all, profile);
		if (lost.length > 0) learned.values.alarm = alarmOf(lost, fresh.userName);
		else if (isMade(fresh)) learned.values.spares = true;
		else {
			// What was seen before this request says nothing of it.
			const { number } = facts.leaving();
			for (const state of states) state.since = number;
			const again = await attempt(async () => await send(fresh, replaceValues));
			// What was taken and is not seen did not fail for a second form that could not leave.
			const isTaken =
				tried.ok && !again.ok && !isRefusal(again.error) && !mayHaveWorked(again.error);
			if (!again.ok && !isTaken) throw again.error;
		}
	};
	const { tried } = await sendFor(states, world, async () => {
		if (!read.ok) throw read.error;
		const others = valuesOf(before, profile).length > all.remove.length;
		const isSafe = learned.values.spares || !others;
		if (!isFiltered) await send(before, patchValues);
		else await (isSafe ? sendSingle() : serially(learned.values, sendSingle));
	});

	entries.forEach(({ change }, index) => {
		if (tried.ok || mayHaveWorked(tried.error)) return;
		if (isRefusal(tried.error)) states[index].isRefused = true;
		else states[index].verdict ??= failed(change.action, tried.error);
	});
}

/** Compares what is known of a value with what is expected: only a read counts. */
export function expectedValue(entry: Entry, state: ValueState, world: SendContext): ExpectedState {
	const { change } = state;
	const { action, person, warnings } = change;
	const { id } = userOfValues(person, change.evidence?.user);
	const known = world.facts.isAnswerOf(id) ? undefined : world.facts.user(id, state.since);
	const user = known?.ok === true ? known.value : undefined;
	const missing = known?.ok === true ? missingValue(entry, state, user, world) : undefined;
	return {
		...{ action, warnings, result: { who: whoIs(person, user ?? state.before) } },
		...(known && { observed: known }),
		...(missing && { missing }),
		...(user === undefined && { wasSo: 'the user is gone' }),
	};
}

/** Tells what is not so of a value yet; undefined when all is. */
function missingValue(
	entry: Entry,
	{ before, isRefused }: ValueState,
	user: User | undefined,
	{ client: { profile }, requestOf }: SendContext,
): Missing | undefined {
	if (user === undefined) {
		const isGone = isRefused && entry.gives !== true;
		return isGone ? undefined : { reason: 'there is no such user' };
	}
	const all = valuesIn(requestOf(entry));
	const lost = before === undefined ? [] : lostBeside(before, user, all, profile);
	if (lost.length > 0) return { reason: alarmOf(lost, user.userName) };
	return notYet(entry, valuesOf(user, profile));
}

/** Returns what operations on whole attributes make of them. */
function attributesIn(operations: ReturnType<typeof replaceValues>): Attributes {
	return operations.reduce<Attributes>(
		(all, { path = '', value = null }) => putAttribute(all, namesIn(path), value),
		{},
	);
}

function notYet({ entitlement, gives }: Entry, shown: readonly AccessValue[]): Missing | undefined {
	if (entitlement === undefined || !isValue(entitlement)) return undefined;
	const value = valueOf(entitlement);
	if (gives === true) {
		return findValues(shown, value).length > 0
			? undefined
			: { reason: `the service does not show ${valueLabel(value)}` };
	}
	const isLeft = shown.some((one) => valueKey(one) === valueKey(value));
	return isLeft ? { reason: `the service still shows ${valueLabel(value)}` } : undefined;
}

/** Returns values that are gone without having been asked for. */
function lostBeside(
	before: User,
	after: User,
	{ add, remove }: ValueChanges,
	profile: Traits,
): AccessValue[] {
	const left = valuesOf(after, profile);
	const meant = [...add, ...remove];
	return valuesOf(before, profile).filter(
		(value) => findValues(meant, value).length === 0 && findValues(left, value).length === 0,
	);
}

function alarmOf(lost: readonly AccessValue[], who: string): string {
	return `${who} no longer has ${lost.map(valueLabel).join(', ')}, which nobody asked to remove`;
}

function refusedAfter(alarm: string): InputError {
	return new InputError(
		`Nothing was sent, since a removal took other values along: ${alarm}`,
		'Check the user at the service, and restore the missing values.',
	);
}
