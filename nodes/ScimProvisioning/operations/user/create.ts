import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { lackingOf } from '../../../shared/access/guards';
import {
	type WantedUser,
	type AppliedPart,
	deactivates,
	inactiveWarning,
	type Diff,
	type AccessRules,
} from '../../../shared/access/changes';
import { optionsField, previewField } from '../../../shared/run';
import { isMistypedAddress, InputError, nameKey, shown } from '../../../shared/util';
import {
	allowPermanentRemoval,
	limitsField,
	maxCreates,
	safetyLimitsFields,
	matchUsersByOption,
	linkByUserNameOption,
} from '../../fields/options';
import { userItems } from '../../fields/userItem';
import { scimWrite } from '../../runWrite';
import { rulesFor, knownToService } from '../../fields/accessPlan';
import {
	attributeText,
	emptyCellsOption,
	isEmptyCell,
	jsonField,
	readEmptyCells,
	type EmptyCells,
} from '../../fields/attributes';
import type { OperationContext } from '../../context';
import { besideNobody, idsFound, type Found } from '../../../shared/access/facts';
import { attribute, type Attributes, type User, withMainEmail } from '../../../shared/scim';
import {
	activeField,
	attributesField,
	OTHER_EXAMPLE,
	readMappedAttributes,
	withPaths,
} from '../../fields/userAttributes';
import { resolveManagers } from '../../fields/managers';
import { linked } from '../../fields/people';
import { readEmail } from '../../fields/userRows';
import { givenUserName, mainEmails, requireLastingNames } from '../../fields/person';
import { diff } from '../../../shared/access/plans';

/** What most new users have. */
const mainFields: INodeProperties[] = [
	['Given Name', 'givenName', 'e.g. Ana', 'First name of the person'],
	['Family Name', 'familyName', 'e.g. Silva', 'Last name of the person'],
	['Email', 'email', 'name@email.com', 'The primary email, for work'],
].map(([displayName, name, placeholder, description]) => ({
	...{ displayName, name, placeholder, description },
	...{ type: 'string', default: '' },
}));

/** POST /Users for each item (RFC 7644 section 3.3, test/contract/interface.md 1.5). */
export const create = scimWrite<WantedUser>({
	name: 'Create',
	action: 'Create user',
	description: 'Create a new user',
	fields: [
		userNameField('Login name, usually the email. Often cannot change later.'),
		...mainFields,
		...moreFields('getMoreUserAttributes'),
		previewField,
		limitsField(maxCreates),
		optionsField([
			{
				displayName: 'If User Exists',
				name: 'ifUserExists',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Fail', value: 'fail', description: 'The item fails' },
					{
						name: 'Return the Existing User',
						value: 'return',
						description: 'Return the existing user unchanged',
					},
				],
				default: 'fail',
				description: 'What to do when a user with this name already exists',
			},
			matchUsersByOption,
		]),
	],

	items: userItems,
	collect: (item, operation) => [readWantedUser(operation.context, item, operation, 'leave')],
	// A create leaves it to the service to say who exists, except in another case; a preview finds out by itself.
	async plan(wanted, operation) {
		const ifExists = operation.options.ifUserExists === 'return' ? 'return' : 'fail';
		const { client, reader, previews, matching } = operation;
		const names = wanted.map(({ userName }) => userName);
		// Nothing but a look tells of a second user with the same email or external ID.
		if (previews || matching.by !== 'userName') {
			const found = await findWanted(wanted, operation);
			return await planWanted(wanted, operation, { ifExists, found });
		}
		const twins = await reader.people.findTwins(names);
		const isOpen = names.some((name) => (twins.get(name)?.kind ?? 'absent') === 'absent');
		const isRefused = !isOpen || (await client.refusesSameNames());
		const required = ifExists === 'return' ? await client.requiredAttributes() : [];
		const unsent = isRefused
			? wanted.filter(
					(user) => lackingOf(user, required).length > 0 || isMistypedAddress(user.userName),
				)
			: wanted;
		// Of who lacks what a new user needs, or has a mistyped name, nothing is sent; where two users may have one name the service
		// refuses neither.
		const found = new Map([
			...twins,
			...(await reader.people.find(
				unsent.map(({ userName }) => userName),
				{ absence: 'refusable' },
			)),
		]);
		return await planWanted(wanted, operation, { ifExists, found });
	},
});

/** Looks each person up by userName, then creates who is missing and updates who is different. */
export const upsert = scimWrite<WantedUser>({
	name: 'Create or Update',
	action: 'Create or update user',
	description: 'Create a new user, or update the current one if it already exists (upsert)',
	fields: [
		userNameField('Login name, usually the email. An existing user with this name is updated.'),
		...moreFields('getNewUserAttributes'),
		previewField,
		...safetyLimitsFields(allowPermanentRemoval, maxCreates),
		optionsField([emptyCellsOption, linkByUserNameOption, matchUsersByOption]),
	],

	items: userItems,
	collect(item, operation) {
		const wanted = readWantedUser(
			operation.context,
			item,
			operation,
			readEmptyCells(operation.context),
		);
		operation.requireUndoable(deactivates(wanted.attributes) ? 'deactivate' : undefined);
		return [wanted];
	},
	async plan(wanted, operation) {
		const { client } = operation;
		const found = await findWanted(wanted, operation, operation.options.linkByUserName === true);
		const known = wanted.map((user) => {
			const who = found.get(operation.matching.keyOf(user));
			const { attributes } = user;
			return { user: who?.kind === 'found' ? who.user : undefined, attributes };
		});
		const knows = await knownToService(known, client);
		return await planWanted(wanted, operation, { ifExists: 'update', found, knows });
	},
	followUp: updatesOfExisting,
});

/** Users found by the 409 of the service are updated like the others. */
async function updatesOfExisting(
	applied: readonly AppliedPart[],
	operation: OperationContext,
): Promise<Diff> {
	const existing = new Map(
		applied.flatMap(({ subject, result }) =>
			result?.existing ? [[subject, result.existing] as const] : [],
		),
	);
	const knows = await knownToService(
		[...existing.values()].map(({ user, wanted }) => ({ user, attributes: wanted })),
		operation.client,
	);
	const wishes = applied.flatMap(({ item, subject, outcome }) => {
		const { user, wanted: attributes } = existing.get(subject) ?? {};
		if (user === undefined || attributes === undefined) return [];
		const { id, userName } = user;
		const warnings = [...(outcome.warnings ?? []), ...inactiveWarning(user, attributes)];
		const person = { key: subject, id, userName };
		return { item, person, user, attributes, warnings, hold: [], drop: [] };
	});
	const noMembers = await operation.reader.memberships.read({ groups: [] });
	return diff(wishes, rulesFor(noMembers, operation, { knows }));
}

/** The name of a new or existing user. */
function userNameField(description: string): INodeProperties {
	return {
		displayName: 'User Name',
		name: 'userName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'name@email.com',
		description,
	};
}

/** All other attributes. @param method of resource mapping */
function moreFields(method: string): INodeProperties[] {
	return [
		attributesField(method),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [activeField, jsonField(OTHER_EXAMPLE)],
		},
	];
}

/** The given attributes with those that have a field of their own, which win. @throws InputError for what is no email */
function withMainFields(context: IExecuteFunctions, item: number, given: Attributes): Attributes {
	const read = (name: string) => attributeText(name, context.getNodeParameter(name, item, ''));
	const [givenName, familyName] = ['givenName', 'familyName'].map(read);
	const email = readEmail(read('email'), false);
	const emails = email && withMainEmail(given, email);
	return withPaths(given, {
		...(!isEmptyCell(givenName) && { 'name.givenName': givenName }),
		...(!isEmptyCell(familyName) && { 'name.familyName': familyName }),
		...(emails && { emails }),
	});
}

/** @throws InputError for a name or attributes that cannot be used */
function readWantedUser(
	context: IExecuteFunctions,
	item: number,
	{ client, matching }: OperationContext,
	emptyCells: EmptyCells,
): WantedUser {
	const { profile } = client;
	const userName = givenUserName(context.getNodeParameter('userName', item), profile);
	const others = context.getNodeParameter('additionalFields', item, {}) as IDataObject;
	const collected = readMappedAttributes(context, item, others, profile, emptyCells, ['userName']);
	const attributes = withMainFields(context, item, collected.attributes);
	const wanted = { item, userName, ...collected, attributes };
	const { by, label } = matching;
	if (by === 'userName') {
		requireLastingNames(profile);
		return wanted;
	}
	if (matching.keyOf(wanted) === '') {
		throw new InputError(
			`${shown(userName)} has no ${label} to be matched by`,
			`Enter ${by === 'email' ? 'one email, or a primary one,' : 'the external ID'}, or set Match Users By under Options to User Name.`,
		);
	}
	return { ...wanted, matchBy: by };
}

/** Plans what makes sure that these users exist. @param rules what happens to those who do, and what is known of them */
async function planWanted(
	wanted: readonly WantedUser[],
	operation: OperationContext,
	rules: Pick<AccessRules, 'ifExists' | 'found' | 'knows'>,
): Promise<Diff> {
	const mayBeNew = wanted.filter((user) => {
		const { kind } = rules.found?.get(operation.matching.keyOf(user)) ?? { kind: 'absent' };
		return kind === 'absent';
	});
	const managers = await resolveManagers(
		wanted,
		mayBeNew,
		({ userName }) => ({ name: userName }),
		operation,
	);
	const wishes = wanted.map(managers.of).map((newcomer) => {
		const { item, userName } = newcomer;
		return { item, newcomer, person: { key: nameKey(userName), userName }, hold: [], drop: [] };
	});
	const noMembers = await operation.reader.memberships.read({ groups: [] });
	const made = diff(wishes, rulesFor(noMembers, operation, rules));
	return { ...made, settled: [...made.settled, ...managers.settled] };
}

/**
 * Finds the users that are there already, by what they are matched by.
 * @param links whether the user with that user name and no external ID yet is the one
 */
async function findWanted(
	wanted: readonly WantedUser[],
	{ reader, matching, client: { profile, facts } }: OperationContext,
	links = false,
): Promise<Map<string, Found>> {
	const keys = wanted.map((user) => ({
		...{ key: matching.keyOf(user), newName: user.userName },
		emails: mainEmails(attribute(user.attributes, 'emails')),
	}));
	const absence = matching.by === 'userName' ? 'creatable' : 'proven';
	const found = await reader.people.match(keys, matching, { absence });
	const renamed = keys.filter(({ key, newName }) => {
		const who = found.get(key);
		const isFound = who?.kind === 'found' && nameKey(who.user.userName) !== nameKey(newName);
		return isFound && matching.by === 'externalId' && profile.userNameCanChange;
	});
	const newNames = renamed.map(({ newName }) => newName);
	const holders = await reader.people.find(newNames, { absence: 'refusable' });
	for (const { key, newName } of renamed) {
		const holder = holders.get(newName);
		if (holder?.kind !== 'found') continue;
		const error = new InputError(
			`The user name ${newName} belongs to another user (ID ${holder.user.id})`,
			'Correct the user name, or that user at the service. Nothing was sent for this person.',
		);
		found.set(key, { kind: 'unknown', error });
	}
	const known = links ? linked(found, matching) : found;
	const named = new Set(idsFound(known));
	const isNamed = ({ id }: User) => named.has(id);
	return new Map(
		[...known].map(([key, one]) => [key, besideNobody(one, key, matching, facts, isNamed)]),
	);
}
