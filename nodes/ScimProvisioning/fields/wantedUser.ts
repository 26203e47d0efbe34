import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type AccessRules, type Diff, type WantedUser } from '../../shared/access/changes';
import { besideNobody, idsFound, type Found } from '../../shared/access/facts';
import { attribute, type User } from '../../shared/scim';
import { InputError, nameKey } from '../../shared/util';
import type { OperationContext } from '../context';
import { rulesFor } from './accessPlan';
import { attributesField, otherAttributeFields, readMappedAttributes } from './attributeMapper';
import type { EmptyCells } from './emptyCells';
import { linked } from './people';
import { givenUserName, mainEmails, requireLastingNames } from './person';
import { diff } from '../../shared/access/plans';

/** A new or existing user, by name. @param description of the name */
export function wantedUserFields(description: string): INodeProperties[] {
	return [
		{
			displayName: 'User Name',
			name: 'userName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'name@email.com',
			description,
		},
		attributesField('getNewUserAttributes'),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: otherAttributeFields,
		},
	];
}

/** @throws InputError for a name or attributes that cannot be used */
export function readWantedUser(
	context: IExecuteFunctions,
	item: number,
	{ client, matching }: OperationContext,
	emptyCells: EmptyCells,
): WantedUser {
	const { profile } = client;
	const userName = givenUserName(context.getNodeParameter('userName', item), profile);
	const collected = readMappedAttributes(context, item, 'additionalFields', profile, emptyCells, [
		'userName',
	]);
	const wanted = { item, userName, ...collected };
	const { by, label } = matching;
	if (by === 'userName') {
		requireLastingNames(profile);
		return wanted;
	}
	if (matching.keyOf(wanted) === '') {
		throw new InputError(
			`${userName} has no ${label} to be matched by`,
			`Enter ${by === 'email' ? 'one email, or a primary one,' : 'the external ID'}, or set Match Users By under Options to User Name.`,
		);
	}
	return { ...wanted, matchBy: by };
}

/** What makes sure that these users exist. @param rules what happens to those who do, and what is known of them */
export async function planWanted(
	wanted: readonly WantedUser[],
	operation: OperationContext,
	rules: Pick<AccessRules, 'ifExists' | 'found' | 'knows'>,
): Promise<Diff> {
	const wishes = wanted.map((newcomer) => {
		const { item, userName } = newcomer;
		return { item, newcomer, person: { key: nameKey(userName), userName }, hold: [], drop: [] };
	});
	const noMembers = await operation.reader.memberships.read({ groups: [] });
	return diff(wishes, rulesFor(noMembers, operation, rules));
}

/**
 * Who of those is there, by what they are matched by.
 * @param links whether the user with that user name and no external ID yet is the one
 */
export async function findWanted(
	wanted: readonly WantedUser[],
	{ reader, matching, client: { profile, facts } }: OperationContext,
	links = false,
): Promise<Map<string, Found>> {
	const keys = wanted.map((user) => ({
		...{ key: matching.keyOf(user), newName: user.userName },
		emails: mainEmails(attribute(user.attributes, 'emails')),
	}));
	const absence = matching.by === 'userName' ? 'refusable' : 'proven';
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
