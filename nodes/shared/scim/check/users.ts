import { nameKey } from '../../util';
import { RequestError } from '../../http';
import { matchingBy } from '../protocol/matching';
import { attribute, readUser, SCHEMA, type Attributes } from '../protocol/resource';
import type { Memberships } from './memberships';
import type { Stage } from './stage';
import type { TestObject } from './testObjects';

/** The attributes of a test user; the capital letter shows whether names are kept as they are sent. */
function userBody(mark: string, number: number, more: readonly object[] = []): Attributes {
	const name = `${mark}-${number}`;
	const userName = `${name.replace('check', 'Check')}@example.com`;
	return {
		schemas: [SCHEMA.user],
		userName,
		externalId: name,
		displayName: name,
		name: { givenName: 'Check', familyName: `Test ${number}` },
		emails: [{ value: userName, type: 'work', primary: true }, ...more],
	};
}

/** Makes two test users, and tries what concerns users alone. @throws RequestError where none can be made */
export async function liveAsUsers(stage: Stage): Promise<[TestObject, TestObject]> {
	const { objects } = stage;
	const { mark } = objects.ours;
	const body = userBody(mark, 1);
	const one = required(await stage.create('Create user', 'Users', body), stage);

	const home = { value: `${mark}-home@example.com`, type: 'home' };
	const withTwo = await objects.create('Users', userBody(mark, 2, [home]));
	if (withTwo.made === undefined) stage.note('Second email of a user', 'refused', withTwo.answered);
	const two =
		withTwo.made ?? required(await stage.create('Create user', 'Users', userBody(mark, 2)), stage);
	if (withTwo.made !== undefined) {
		await stage.noteWhen('Second email of a user', 'not kept', withTwo.answered, async () => {
			const { body: shown } = await stage.get(two);
			const kept = readUser(shown);
			return kept && matchingBy('email').keysOf(kept).includes(home.value) ? 'kept' : undefined;
		});
	}

	const { body: shown, ...read } = await stage.get(one);
	const { active, userName = '' } = readUser(shown) ?? {};
	stage.note(
		'New user without active',
		active === undefined ? 'not shown' : active ? 'active' : 'inactive',
		read,
	);
	stage.note('User name', keptAs(userName, String(body.userName)), read);

	const byName = await stage.tryFilter('Find user by userName', one, 'userName', userName);
	await stage.tryFilter('Find user by externalId', one, 'externalId', one.name);
	await stage.tryFilter('Find user by emails.value', one, 'emails.value', String(body.userName));
	await stage.tryFilter('Find user by id', one, 'id', one.id);

	const { userName: same } = body;
	const again = await objects.create('Users', { ...userBody(mark, 3), userName: same });
	const isOne = again.made?.id === one.id;
	stage.note(
		'Create user with the same user name',
		again.made ? (isOne ? 'the same user' : 'a second user') : `refused (${again.answered.status})`,
		again.answered,
	);

	const displayName = `${two.name} changed`;
	const changed = await stage.change(two, { displayName });
	await stage.noteWhen('Change user', 'ignored', changed.answered, async () => {
		if (changed.form === 'refused') return 'refused';
		const isShown = attribute((await stage.get(two)).body, 'displayName') === displayName;
		return isShown ? changed.form : undefined;
	});
	const isWhole = readUser(changed.answered.body) !== undefined;
	if (changed.answered.ok)
		stage.note(
			'Answer to a change of a user',
			isWhole ? 'with the user' : 'without the user',
			changed.answered,
		);
	await rename(stage, two, byName);
	return [one, two];
}

/** Changes a user name. Some services only show the new one, and go on finding the user by the first. */
async function rename(stage: Stage, user: TestObject, byName: boolean): Promise<void> {
	const before = (await stage.user(user))?.userName;
	const { userName } = userBody(stage.objects.ours.mark, 4);
	const { form, answered } = await stage.change(user, { userName });
	await stage.noteWhen('Change user name', 'ignored', answered, async () => {
		if (form === 'refused') return 'refused';
		const now = (await stage.user(user))?.userName ?? '';
		return now !== before && now !== '' ? 'changed' : undefined;
	});
	const { saw } = stage.sightings[stage.sightings.length - 1];
	if (saw !== 'changed' || !byName) return;
	const now = (await stage.user(user))?.userName ?? '';
	await stage.tryFilter('Find user by new user name', user, 'userName', now);
}

function keptAs(shown: string, sent: string): string {
	if (shown === sent) return 'as sent';
	if (shown === '') return 'not shown';
	return nameKey(shown) === nameKey(sent) ? 'in other case' : 'converted';
}

/** Deactivates, reactivates and deletes a test user who is in groups, as far as there are any. */
export async function endUser(
	stage: Stage,
	user: TestObject,
	memberships: Memberships | undefined,
): Promise<void> {
	const off = await stage.change(user, { active: false });
	const state = await stage.noteWhen('Deactivate user', 'not seen', off.answered, async () => {
		if (off.form === 'refused') return 'refused';
		const { status, body } = await stage.get(user);
		if (status === 404 || status === 410) return 'removed';
		return readUser(body)?.active === false ? 'inactive' : undefined;
	});
	if (state === 'removed') return;
	if (state === 'inactive') {
		await memberships?.whileInactive(user);
		const on = await stage.change(user, { active: true });
		await stage.noteWhen('Reactivate user', 'not seen', on.answered, async () => {
			if (on.form === 'refused') return 'refused';
			return (await stage.user(user))?.active === true ? 'active' : undefined;
		});
		await memberships?.noteMembership('Memberships after reactivation', user);
	}
	const { answered, removed } = await stage.objects.remove(user);
	stage.note('Delete user', removed, answered);
	await memberships?.noteMembership('Memberships of a deleted user', user);
	if (removed !== 'gone') return;
	const again = await stage.objects.create('Users', userBody(stage.objects.ours.mark, 1));
	const isSame = again.made?.id === user.id;
	const refused = again.answered.status < 500 ? 'refused' : 'failed';
	const made = isSame ? 'the same account' : 'another account';
	stage.note('Create deleted user again', again.made ? made : refused, again.answered);
}

function required(made: TestObject | undefined, { sightings }: Stage): TestObject {
	if (made !== undefined) return made;
	const { answer } = sightings[sightings.length - 1];
	throw new RequestError(
		`Could not create a test user: the service answered ${answer}`,
		'Check what the service requires of a new user, and what the credential may do.',
		{ kind: 'unreadable', method: 'POST', mayHaveWorked: false },
	);
}
