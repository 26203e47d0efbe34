import { attempt, InputError, isLate, poll } from '../util';
import { hasStatus } from '../http';
import type { Missing } from '../run';
import {
	type AccessValue,
	findValues,
	patchBody,
	patchValues,
	replaceValues,
	type ScimClient,
	type Traits,
	type User,
	type ValueChanges,
	valueKey,
	valueLabel,
	valuesOf,
} from '../scim';
import {
	inTurn,
	mayHaveWorked,
	parts,
	unverified,
	type Learned,
	type StepOf,
} from './performCommon';
import { lookFor, whoIs, type AppliedPart, type Check, type ValueToChange } from './step';

/** Answers of services that know no filter in a path. */
const FILTER_REFUSALS = [400, 501];

/** A removal that shows no effect for so long has none. */
const EFFECT_MS = 1_500;

/**
 * Gives and takes single values of one user (RFC 7644 section 3.5.2). Where a removal by filter is refused or changes
 * nothing, the attribute is replaced by the values as just read without that one. What is left, and that the other values
 * are, has to be seen.
 * @throws RequestError when nothing was changed; InputError after a removal that took other values along
 */
export async function changeValues(
	step: StepOf<'changeValues'>,
	client: ScimClient,
	learned: Learned,
): Promise<AppliedPart[]> {
	const { action, person, warnings, readAt } = step;
	const { profile } = client;
	// What waits for something that was not made is not sent along.
	const values = step.values.filter((one) => step.parts.some((part) => part.change === one.change));
	const all = changesOf(values);
	await client.patience.placeOfWrite?.(action);
	const read = await attempt(async () =>
		isLate(readAt, client.patience) ? await client.getUser(person.id) : step.user,
	);
	const before = read.ok ? read.value : step.user;
	const left = (user: User) =>
		changesOf(values.filter((one) => notYet(one, valuesOf(user, profile)) !== undefined));
	const isMade = (user: User) => isNothing(left(user));
	if (read.ok && isMade(before)) {
		return parts(step, { status: 'unchanged', action, warnings }, { who: whoIs(person, before) });
	}
	const look = async () => {
		const user = await client.getUser(person.id);
		return isMade(user) ? user : undefined;
	};
	const send = async (from: User, operationsOf: typeof patchValues) => {
		const bodyFor = (user: User) => patchBody(operationsOf(user, left(user)));
		// A list that was read before would take back what others have changed since.
		const again = async () => {
			const user = await client.getUser(person.id);
			return isMade(user) ? user : bodyFor(user);
		};
		return await client.patchUser(person.id, bodyFor(from), again, true);
	};

	const isFiltered = patchValues(before, all).some(
		({ op, path }) => op === 'remove' && path.includes('['),
	);
	/** As read after the removal. */
	let proof: User | undefined;
	const sendSingle = async () => {
		if (learned.values.alarm !== undefined) throw refusedAfter(learned.values.alarm);
		const tried = await attempt(async () => await send(before, patchValues));
		if (!tried.ok && !hasStatus(tried.error, ...FILTER_REFUSALS)) throw tried.error;
		const brief = { ...client.patience, limitMs: Math.min(EFFECT_MS, client.patience.limitMs) };
		const seen = tried.ok ? await poll(brief, look) : undefined;
		const fresh = seen ?? (await client.getUser(person.id));
		const lost = lostBeside(before, fresh, all, profile);
		if (lost.length > 0) learned.values.alarm = alarmOf(lost, fresh.userName);
		else if (isMade(fresh)) {
			learned.values.spares = true;
			proof = fresh;
		} else return await send(fresh, replaceValues);
		return fresh;
	};
	const sent = await attempt(async () => {
		if (!read.ok) throw read.error;
		if (!isFiltered) return await send(before, patchValues);
		const others = valuesOf(before, profile).length > all.remove.length;
		const isSafe = learned.values.spares || !others;
		return isSafe ? await sendSingle() : await inTurn(learned.values, sendSingle);
	});

	const isGone = !sent.ok && hasStatus(sent.error, 404, 410) && all.add.length === 0;
	if (!sent.ok && !isGone && !mayHaveWorked(sent.error)) throw sent.error;
	return step.parts.map((part): AppliedPart => {
		const own = values.filter(({ change }) => change === part.change);
		const [{ action: ownAction } = step] = own;
		if (proof !== undefined) {
			const outcome = { status: 'done' as const, action: ownAction, warnings };
			return { ...part, outcome, result: { who: whoIs(person, proof) } };
		}
		const check: Check = {
			kind: 'user',
			id: person.id,
			byId: true,
			missing(user) {
				if (user === undefined) return isGone ? undefined : NO_SUCH_USER;
				if (isGone) return { reason: 'the service answered that there is no such user' };
				const lost = lostBeside(before, user, all, profile);
				if (lost.length > 0) return { reason: alarmOf(lost, user.userName) };
				return own.flatMap((one) => notYet(one, valuesOf(user, profile)) ?? [])[0];
			},
			...(isGone && { settled: userGone }),
		};
		const outcome = unverified(ownAction, warnings, sent);
		return {
			...part,
			outcome,
			result: { who: whoIs(person, before) },
			open: lookFor(check, isGone),
		};
	});
}

const NO_SUCH_USER: Missing = { reason: 'there is no such user' };

function userGone(part: AppliedPart): AppliedPart {
	const reason = 'the user is gone';
	return { ...part, outcome: { ...part.outcome, status: 'unchanged', reason } };
}

function isNothing({ add, remove }: ValueChanges): boolean {
	return add.length + remove.length === 0;
}

function changesOf(values: readonly ValueToChange[]): ValueChanges {
	const ofKind = (kind: ValueToChange['kind']) =>
		values.flatMap((one) => (one.kind === kind ? one.value : []));
	return { add: ofKind('grant'), remove: ofKind('revoke') };
}

function notYet(
	{ kind, value }: ValueToChange,
	shown: readonly AccessValue[],
): Missing | undefined {
	if (kind === 'grant') {
		return findValues(shown, value).length > 0
			? undefined
			: { reason: `the service does not show ${valueLabel(value)}` };
	}
	const isLeft = shown.some((one) => valueKey(one) === valueKey(value));
	return isLeft ? { reason: `the service still shows ${valueLabel(value)}` } : undefined;
}

/** Values that nobody asked to remove, and that are gone. */
function lostBeside(
	before: User,
	after: User,
	{ add, remove }: ValueChanges,
	profile: Traits,
): AccessValue[] {
	const shown = valuesOf(after, profile);
	const meant = [...add, ...remove];
	return valuesOf(before, profile).filter(
		(value) => findValues(meant, value).length === 0 && findValues(shown, value).length === 0,
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
