import type { INode, INodeProperties, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { InputError, isObject, memoized } from '../util';
import {
	type BaseUrl,
	createPace,
	createSend,
	type Endpoint,
	type Limits,
	n8nTransport,
	type Pace,
	parseBaseUrl,
	readAuthentication,
	readClient,
	readCredential,
	type RequestContext,
	sendWith,
	sendWithOAuth2,
	type Transport,
	WaitBudget,
} from '../http';
import {
	type Capabilities,
	createScimClient,
	type GroupMeaning,
	groupMeaning,
	type GroupPattern,
	type Keeping,
	type ListLimits,
	isScimError,
	normalizeOrganization,
	probeCapabilities,
	type ProfileName,
	PROFILES,
	scimAdvice,
	type ScimClient,
	type ScimPrefix,
	type ServiceProfile,
	TRAITS,
	accountRole,
} from '../scim';

const API_TYPE = 'scimProvisioningApi';
const CLIENT_TYPE = 'scimProvisioningOAuth2Api';

export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Credential', value: 'apiCredential' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'apiCredential',
};

/** The credential of a node, as chosen under Authentication. */
interface ChosenCredential {
	type: string;
	isOAuth2: boolean;
	/** Empty where none is selected. */
	id: string;
}

/** Returns the credential of a node, as chosen under Authentication. */
export function credentialOf({ parameters, credentials }: INode): ChosenCredential {
	const isOAuth2 = parameters.authentication === 'oAuth2';
	const type = isOAuth2 ? CLIENT_TYPE : API_TYPE;
	return { type, isOAuth2, id: credentials?.[type]?.id ?? '' };
}

const ADVICE =
	'Check the credential: the API Token, or what else the Authentication Method asks for, what it gives access to, and the Service Profile.';

const ADVICE_OF_ACCOUNTS =
	'Check the credential: the API Token, then the Service Profile. An account with organizations takes an account token, made in the account organization, with account-management scope. A token made in another organization gives no access here.';

const CLIENT_ADVICE =
	'Check the credential: Access Token URL, Client ID, Client Secret and Scope, and what the client may do at the service.';

export interface ScimConnection {
	client: ScimClient;
	ids: GroupMeaning;
	/** Id of the organization that manages the account; empty when the credential does not say. */
	accountOrganization: string;
	organizations: Organizations;
	/** Where the service is, without anything secret. */
	baseUrl: string;
	/** Finds out what the service can do, by reads alone. */
	probe(): Promise<Capabilities>;
	/** How many requests may leave in a minute; undefined where any number may. */
	pace?: Pace;
	/** Requests sent so far. */
	requestsSent(): number;
	/** What plans are sealed with; for nothing else, and never for an item. */
	secret(): string;
}

/** The names of organizations from the credential. */
interface Organizations {
	/** `name` and `id`, in the order of the credential. */
	named: Array<{ name: string; id: string }>;
	/** The id behind a name or an id. @throws InputError when empty, and for what is neither a known name nor like an id */
	idOf(nameOrId: string): string;
	/** The name of an id, or the id itself. */
	nameOf(id: string): string;
}

/**
 * Makes everything that talks to the service of the node's credential.
 * @throws InputError when the credential cannot be used, or is not the same for all items
 */
export async function connect(
	context: RequestContext,
	limits: Limits & ListLimits & Keeping & { verifyMs: number },
): Promise<ScimConnection> {
	const { type, isOAuth2 } = credentialOf(context.getNode());
	const credential = await readCredential(context, type);
	const base = readBaseUrl(credential);
	const profile = readProfile(credential);
	const ids = profile.groups();
	const { secret, secrets } = isOAuth2 ? readClient(credential) : readAuthentication(credential);
	const tokens = new Set<string>();
	const transport = n8nTransport(
		context,
		base,
		(isOAuth2 ? credential.ignoreSSLIssues : credential.ignoreSslIssues) === true,
		limits,
		isOAuth2
			? sendWithOAuth2(context, type, (token) => tokens.add(token))
			: sendWith(context, type),
	);
	let [sent, pauses] = [0, 0];
	const counted: Transport = {
		...transport,
		exchange: async (request) => {
			sent += 1;
			return await transport.exchange(request);
		},
		wait: async (ms) => {
			pauses += 1;
			await transport.wait(ms);
		},
	};
	const isPaced = profile.readsPerMinute + profile.writesPerMinute > 0;
	// Such a wait makes no read old by itself.
	const pace = isPaced ? createPace(profile, limits, transport) : undefined;
	const advice = isOAuth2 ? CLIENT_ADVICE : adviceFor(profile);
	const endpoint = scimEndpoint(base, advice, () => [...secrets, ...tokens]);
	const budget = new WaitBudget(limits.maxWaitMs, transport.cancelled);
	const timing = {
		limitMs: limits.verifyMs,
		wait: counted.wait,
		stopped: () => budget.stopped(),
		pauses: () => pauses,
		...(pace && {
			slotOfWrite: async (purpose: string) => await pace.enter({ method: 'PATCH', purpose }),
		}),
	};
	const send = createSend(endpoint, limits, counted, budget, pace);
	const client = createScimClient(send, profile, timing, limits, ids);
	return {
		...(pace && { pace }),
		client,
		probe: async () =>
			await probeCapabilities(send, profile, base.href.replace(/^https?:\/\//, '')),
		ids,
		accountOrganization: accountOf(credential.accountOrganizationId, secret, profile),
		organizations: readOrganizations(credential.organizationNames, ids),
		baseUrl: base.href,
		requestsSent: () => sent,
		secret: () => secret,
	};
}

/** What to check when the service does not accept an API credential. */
export function adviceFor(profile: ServiceProfile): string {
	return takesAccountToken(profile) ? ADVICE_OF_ACCOUNTS : ADVICE;
}

/** The service as requests see it. @param secretsNow what no message may hold; with OAuth2 tokens are added */
export function scimEndpoint(
	base: BaseUrl,
	credentialAdvice: string,
	secretsNow: () => string[],
): Endpoint {
	const { pathname } = new URL(base.href);
	return {
		base,
		mediaType: 'application/scim+json',
		get secrets() {
			return secretsNow();
		},
		advise: (failure, { path }) => scimAdvice(failure, credentialAdvice, path, pathname),
		errorTypeField: 'scimType',
		isError: isScimError,
	};
}

/** As the credential says, else as the token does. */
function accountOf(typed: unknown, token: string, profile: ServiceProfile): string {
	return normalizeOrganization(String(typed ?? '')) || profile.accountIn(token);
}

/**
 * Checks the Base URL of a credential.
 * @throws InputError also where it ends in a collection: each ID below it would be not found, as if it were deleted
 */
export function readBaseUrl({ baseUrl }: ICredentialDataDecryptedObject): BaseUrl {
	const base = parseBaseUrl(baseUrl);
	const [end] = /(?<=\/\/.+)\/(?:Users|Groups)$/i.exec(base.href) ?? [];
	if (end === undefined) return base;
	throw new InputError(
		`The Base URL ends in ${end}`,
		`Remove ${end} from the Base URL in the credential: it is added to each request.`,
	);
}

/** Tells whether the token has to be one of an account with organizations. */
export function takesAccountToken({ groupsAreFixed }: ServiceProfile): boolean {
	return groupsAreFixed;
}

const PACES = [
	['readsPerMinute', 'Reads per Minute'],
	['writesPerMinute', 'Writes per Minute'],
] as const;

/** Reads the profile of the credential, single traits overridden. @throws InputError for a number out of range */
export function readProfile(credential: ICredentialDataDecryptedObject): ServiceProfile {
	const name = profileName(credential);
	const profile = { ...PROFILES[name] };
	if (isPrefix(credential.scimPrefix)) profile.prefix = credential.scimPrefix;
	if (name !== 'accountOrganizations' && credential.groupsStandFor === 'organizationAndRole') {
		profile.groups = () => groupMeaning(readPattern(credential));
	}
	for (const [trait, label] of PACES) {
		const entered = credential[trait] ?? 0;
		checkWholeNumber(label, entered);
		if (Number(entered) > 0) profile[trait] = Number(entered);
	}
	if (credential.overrideProfile !== true) return profile;

	for (const [trait, { override }] of Object.entries(TRAITS)) {
		const entered = credential[trait];
		if (override === undefined || entered === undefined) continue;
		const { type, displayName } = override.field;
		if (type === 'number') checkWholeNumber(displayName, entered);
		const value = override.read(entered);
		if (value !== undefined) Object.assign(profile, { [trait]: value });
	}
	// Where an add takes a person out of the other groups, each person has one role.
	profile.oneRolePerOrganization ||= profile.addMovesWithinOrganization;
	return profile;
}

function checkWholeNumber(displayName: string, entered: unknown): void {
	const number = Number(entered);
	if (Number.isInteger(number) && number >= 0) return;
	throw new InputError(
		`${displayName} is not a whole number`,
		'Enter a whole number in the credential, or 0 for the default of the service profile.',
	);
}

function profileName({ serviceProfile }: ICredentialDataDecryptedObject): ProfileName {
	return isProfile(serviceProfile) ? serviceProfile : 'generic';
}

function isProfile(value: unknown): value is ProfileName {
	return typeof value === 'string' && Object.hasOwn(PROFILES, value);
}

/** How the credential says that groups spell organization and role. */
function readPattern({
	groupPattern,
	groupPatternOn,
	groupRoles,
}: ICredentialDataDecryptedObject): GroupPattern {
	return {
		text: String(groupPattern ?? '').trim(),
		on: groupPatternOn === 'displayName' ? 'displayName' : 'id',
		roles: rowsOf(groupRoles, 'role')
			.map((row) => String(row.name ?? '').trim())
			.filter((role) => role !== ''),
	};
}

/** The rows of a collection in the credential. */
function rowsOf(value: unknown, name: string): Array<Record<string, unknown>> {
	const rows = isObject(value) ? value[name] : undefined;
	return (Array.isArray(rows) ? rows : []).filter(isObject);
}

function isPrefix(value: unknown): value is ScimPrefix {
	return value === 'everyRequest' || value === 'collectionsOnly' || value === 'nowhere';
}

function readOrganizations(value: unknown, ids: GroupMeaning): Organizations {
	const named = rowsOf(value, 'organization').flatMap((row) => {
		const name = String(row.name ?? '').trim();
		const id = normalizeOrganization(String(row.id ?? ''));
		return name === '' || id === '' ? [] : [{ name, id }];
	});
	const idByName = new Map(named.map(({ name, id }) => [name.toLowerCase(), id]));
	const nameById = new Map(named.map(({ name, id }) => [id, name]));
	return {
		named,
		idOf(nameOrId) {
			const text = nameOrId.trim();
			if (text === '') {
				throw new InputError(
					'The organization is empty',
					'Enter the ID or the name of the organization.',
				);
			}
			const id = idByName.get(text.toLowerCase()) ?? normalizeOrganization(text);
			if (!ids.isOrganization(id)) {
				const known = named.map(({ name }) => name).join(', ') || 'none';
				throw new InputError(
					`There is no organization named ${text}`,
					`Enter the ID of the organization, or a name from Organization Names in the credential (${known}).`,
				);
			}
			return id;
		},
		nameOf: memoized((id) => nameById.get(normalizeOrganization(id)) ?? id),
	};
}

/**
 * Tells why groups must not be taken for groups: on an account with organizations all of them are roles, one of which
 * replaces another, and which no guard for admins would notice. Undefined where one of them is no role, and where none is
 * known.
 */
export function rolesAsGroups(
	groupIds: Iterable<string>,
	{ standsFor }: Pick<GroupMeaning, 'standsFor'>,
): InputError | undefined {
	const all = [...groupIds];
	if (standsFor !== 'nothing' || all.length === 0) return undefined;
	return all.every((id) => accountRole(id) !== undefined)
		? new InputError(
				'These groups are roles in organizations',
				'Set Service Profile to Account with Organizations.',
			)
		: undefined;
}
