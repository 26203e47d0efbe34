import { randomBytes } from 'node:crypto';

import { attempt, InputError, messageOf, type Patience } from '../../util';
import { RequestError, type Send } from '../../http';
import { probeCapabilities, type Capabilities } from '../client/capabilities';
import { contains } from '../protocol/filter';
import { readListPage } from '../protocol/listPage';
import type { ProfileName } from '../protocol/presets';
import type { RequiredAttribute } from '../protocol/requiredAttributes';
import { attribute, readGroup, SCHEMA, type Attributes } from '../protocol/resource';
import type { ServiceProfile } from '../protocol/service';
import { Exchanges, Ours } from './exchanges';
import { findingsOf, settingsOf, type Finding, type Setting } from './findings';
import { Memberships } from './memberships';
import { reportOf } from './report';
import { Stage, type Sighting } from './stage';
import { TestObjects, type TestObject } from './testObjects';
import { endUser, liveAsUsers } from './users';

/** What is checked, and how to reach it. */
export interface Checked {
	send: Send;
	/** Sends what removes the test objects, also after the execution was cancelled or its time is over. */
	cleanUp(): Send;
	profile: ServiceProfile;
	/** The Service Profile of the credential. */
	chosen: ProfileName;
	patience: Patience;
	baseUrl: string;
	requiredAttributes(): Promise<readonly RequiredAttribute[]>;
	/** Takes secrets out of a text. */
	hide(text: string): string;
}

export interface ServiceCheck {
	traits: Finding[];
	/** Fields of the credential, with what to enter. */
	settings: Setting[];
	steps: Sighting[];
	notes: string[];
	/** What was not tried, and test objects that could not be removed. */
	warnings: string[];
	/** All of it in Markdown. */
	report: string;
}

/**
 * Has test users and test groups live a whole life, and tells what the service did. They are removed again whatever happens,
 * and nothing else is changed.
 * @throws RequestError or InputError where the check cannot go on; it names what could not be removed
 */
export async function checkService({ send, profile, ...checked }: Checked): Promise<ServiceCheck> {
	const { baseUrl, chosen, patience, hide } = checked;
	const ours = new Ours(`n8n-check-${randomBytes(4).toString('hex')}`);
	const exchanges = new Exchanges(send, ours, hide);
	const address = baseUrl.replace(/^https?:\/\//, '');
	const capabilities = await probeCapabilities(exchanges.send, profile, address);
	const { recommended, seen, said, notes } = capabilities;
	const used = {
		...profile,
		prefix: recommended.scimPrefix ?? profile.prefix,
		paging: recommended.paging ?? profile.paging,
	};
	const stage = new Stage(new TestObjects(exchanges, ours, used, patience));
	noteReads(stage, capabilities);
	const lived = await attempt(async () => await live(stage, capabilities));
	exchanges.out = checked.cleanUp();
	const left = await stage.objects.removeAll();
	if (!lived.ok) throw failure(lived.error, left);

	const { sightings } = stage;
	const isKnown = recommended.serviceProfile !== 'generic';
	const isAccount = chosen === 'accountOrganizations' && seen.groupsAreOrganizationRoles !== 'yes';
	const base = isKnown ? recommended.serviceProfile : isAccount ? 'generic' : chosen;
	const required = (await checked.requiredAttributes()).map(({ path }) => path);
	const findings = findingsOf(sightings, used, base, required);
	const settings = settingsOf(findings, base, recommended);
	const config = Object.entries(said.serviceProviderConfig ?? {});
	const told = [...config.map(([name, value]) => `${name}: ${value}`), ...notes];
	const warnings = [
		...lived.value,
		...left.map((object) => `Left at the service, delete it there: ${object}`),
	];
	return {
		traits: findings,
		settings,
		steps: sightings,
		notes: told,
		warnings,
		report: reportOf({ baseUrl, findings, settings, sightings, notes: told, warnings }),
	};
}

/** Notes what the reads before the first write have shown. */
function noteReads(stage: Stage, { seen, recommended }: Capabilities): void {
	const { all } = stage.objects.exchanges;
	// The first one is a list; later ones may name people.
	const read = (what: RegExp) => all.find(({ request }) => what.test(request)) ?? all[0];
	stage.note('List users', seen.paging, read(/Users\?.*(cursor=|startIndex=2)/));
	if (seen.pageCap !== undefined)
		stage.note('Longest page', String(seen.pageCap), read(/Users\?.*count=\d{3}/));
	if (recommended.scimPrefix !== undefined)
		stage.note('Place of users', recommended.scimPrefix, all[0]);
}

/** @returns what was not tried, and why */
async function live(stage: Stage, capabilities: Capabilities): Promise<string[]> {
	const users = await liveAsUsers(stage);
	const why = whyNoGroups(stage, capabilities) ?? (await noList(stage));
	const first = why === undefined ? await createGroup(stage, 1) : undefined;
	const memberships = first && (await liveInGroups(stage, users, first));
	await endUser(stage, users[0], memberships);
	if (first !== undefined) {
		const { answered, removed } = await stage.objects.remove(first);
		stage.note('Delete group', removed, answered);
	}
	if (first === undefined)
		return [`Groups were not tried: ${why ?? 'the service does not create groups'}.`];
	return memberships === undefined
		? ['Changes of members were not tried: no member was seen after an add.']
		: [];
}

/** Groups of an account belong to organizations, and are never touched. */
function whyNoGroups({ objects }: Stage, { seen }: Capabilities): string | undefined {
	const makes = 'the service makes them with its organizations';
	if (seen.groupsAreOrganizationRoles === 'yes') return makes;
	return objects.profile.groupsAreFixed ? `by the Service Profile ${makes}` : undefined;
}

async function noList(stage: Stage): Promise<string | undefined> {
	const answered = await stage.objects.ask('GET', 'Groups', { query: { count: 1 } });
	const saw = answered.ok ? 'works' : answered.status === 404 ? 'not found' : 'refused';
	stage.note('List groups', saw, answered);
	return saw === 'not found' ? 'the service has none' : undefined;
}

async function createGroup(stage: Stage, number: number): Promise<TestObject | undefined> {
	const displayName = `${stage.objects.ours.mark}-group-${number}`;
	const body: Attributes = { schemas: [SCHEMA.group], displayName, externalId: displayName };
	return await stage.create('Create group', 'Groups', body);
}

/** @returns undefined where memberships cannot be watched */
async function liveInGroups(
	stage: Stage,
	users: [TestObject, TestObject],
	group: TestObject,
): Promise<Memberships | undefined> {
	await stage.tryFilter('Find group by displayName', group, 'displayName', group.name);
	const filters = {
		Users: stage.sightings.some(({ step, saw }) => step === 'Find user by id' && saw === 'works'),
		Groups: await stage.tryFilter('Find group by id', group, 'id', group.id),
	};
	const memberships = new Memberships(stage, group, users, filters);
	if (!(await memberships.begin())) return undefined;
	await tryOptions(stage, group);
	await memberships.tryRemovals();
	// A test group stands for no organization.
	const isPlain = stage.objects.profile.groups().standsFor === 'nothing';
	const second = isPlain ? await createGroup(stage, 2) : undefined;
	if (second !== undefined) await memberships.trySecond(second);
	return memberships;
}

/** Whether a list leaves members out, and a filter takes a part of a name. */
async function tryOptions(stage: Stage, group: TestObject): Promise<void> {
	const filter = contains('displayName', stage.objects.ours.mark);
	const query = { filter, excludedAttributes: 'members' };
	const answered = await stage.objects.ask('GET', 'Groups', { query });
	const entries = readListPage(answered.body)?.entries ?? [];
	const isOne = entries.length === 1 && attribute(entries[0], 'id') === group.id;
	const isLeft = (readGroup(entries[0])?.members ?? []).length === 0;
	const saw = !answered.ok ? 'refused' : isOne && isLeft ? 'works' : 'ignored';
	stage.note('List without members, by a part of a name', saw, answered);
}

function failure(error: unknown, left: readonly string[]): Error {
	const message = `${messageOf(error)}${left.length > 0 ? `. Left at the service: ${left.join('; ')}` : ''}`;
	const advice =
		left.length > 0 ? ' Delete what is left there.' : ' Nothing is left at the service.';
	if (error instanceof RequestError)
		return new RequestError(message, `${error.description}${advice}`, error.facts);
	if (error instanceof InputError) return new InputError(message, `${error.description}${advice}`);
	return new InputError(message, advice.trim());
}
